"""The commands about logs: what they count, print and refuse."""

import json
from pathlib import Path

import numpy as np
import pytest

import stammtisch as st
from commands import json_of, output_of, run
from logs.judging import FOLDERS, REAL, ROUND, changed
from stammtisch.core.mind import pick
from stammtisch.core.record import Recorder, append
from stammtisch.core.rng import stream
from stammtisch.logs.check import check, check_part, warm_logs
from stammtisch.logs.read.sources import Place, find
from stammtisch.work.pool import Here


def test_check_counts_files_rounds_clean_rounds_and_findings(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "1.tch").write_text(ROUND * 10)
    (tmp_path / "2.tch").write_text(changed("Ergebnis: 100 - 0", "Ergebnis: -40 - 40") + ROUND)
    (tmp_path / "2001.zip").write_text("no zip")
    found = json_of(capsys, "logs", "check", str(tmp_path), "--workers", "1")
    assert (found["files"], found["rounds"], found["clean_rounds"]) == (3, 12, 11)
    assert found["findings"] == {
        "SCORE_MISMATCH": 1,
        "GAME_NOT_FINISHED": 1,
        "ROUND_FAILED": 1,
        "ARCHIVE_UNREADABLE": 1,
    }
    first = next(one for one in found["listed"] if one["code"] == 61)
    assert first["path"].endswith("2.tch") and first["line"] == ROUND.count("\n") and first["round"] == 0
    text = output_of(capsys, "logs", "check", str(tmp_path), "--workers", "1", "--list", "1")
    assert "3 files, 12 rounds, 11 of them clean" in text and "... and 3 more" in text


def test_all_real_rounds_are_clean(capsys: pytest.CaptureFixture[str]) -> None:
    found = json_of(capsys, "logs", "check", *map(str, FOLDERS), "--workers", "1")
    assert (found["files"], found["rounds"], found["clean_rounds"]) == (15, 100, 100)
    assert found["findings"] == {"GAME_NOT_FINISHED": 7, "ROUND_CUT_OFF": 1}


def test_parts_add_up(tmp_path: Path) -> None:
    places = [place for folder in FOLDERS for place in find(folder)]
    parts = [check_part([place]) for place in places]
    whole = check(iter(places), Here())
    assert whole.rounds == sum(part.rounds for part in parts) == 100
    assert sum(whole.findings.values()) == sum(sum(part.findings.values()) for part in parts)
    assert str(check_part([Place("nowhere.tch")]).listed[0]).startswith(
        "nowhere.tch line 0: FILE_UNREADABLE (96), cannot"
    )


def test_workers_find_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    one = json_of(capsys, "logs", "check", str(FOLDERS[0]), "--workers", "1")
    assert one == json_of(capsys, "logs", "check", str(FOLDERS[0]), "--workers", "2")


def test_show_prints_the_rounds_of_the_concept(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    rounds = json.loads(output_of(capsys, "logs", "show", str(REAL[0])))
    assert [one["round_index"] for one in rounds] == list(range(len(rounds)))
    assert set(rounds[0]) == {
        *("game_id", "round_index", "player_names", "grand_tichu_hands", "start_hands", "tichu_positions"),
        *("given_schupf_cards", "bomb_owners", "wish_value", "dragon_recipient", "score_entry", "history"),
        *("year", "month"),
    }
    assert json.loads(output_of(capsys, "logs", "show", str(REAL[0]), "--round", "1")) == [rounds[1]]
    (tmp_path / "empty.tch").write_text("")
    assert json.loads(output_of(capsys, "logs", "show", str(tmp_path))) == []


def test_make_writes_what_check_finds_clean(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "made.zip"
    made = json_of(capsys, "logs", "make", "--games", "4", "--seed", "9", "--out", str(out))
    assert made["games"] == 4 and made["agents"] == ["heuristic"] * 4
    found = json_of(capsys, "logs", "check", str(out), "--workers", "1")
    assert found["files"] == 4 and found["clean_rounds"] == found["rounds"] > 4 and found["findings"] == {}
    assert "4 games" in output_of(capsys, "logs", "make", "--games", "4", "--out", str(tmp_path / "folder"))


def test_records_become_logs(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    game = st.game("tichu", rounds=1)
    recorder = Recorder(game.new(seed=3), ["a", "b", "c", "d"])
    rng, buffer = stream(3), np.empty(4096, dtype=np.int64)
    while not recorder.state.over:
        recorder.apply(int(pick(game.mind()[0], recorder.state.record, buffer, rng)))
    append(tmp_path / "games.jsonl", recorder.record())
    output_of(capsys, "logs", "write", str(tmp_path / "games.jsonl"), "--out", str(tmp_path / "logs"))
    found = json_of(capsys, "logs", "check", str(tmp_path / "logs"))
    assert found["rounds"] == found["clean_rounds"] == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("check", "nowhere"), "nowhere: there is no such file or folder"),
        (("make", "--games", "1", "--out", "x.zip", "--month", "2007"), "--month 2007: year and month as YYYYMM"),
        (("make", "--games", "1", "--out", "x", "--agents", "nobody"), "unknown agent 'nobody'"),
        (("make", "--games", "1", "--out", "file"), "name a folder, or a zip"),
        (("write", "file", "--out", "file"), "is a file; name a folder"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    arguments: tuple[str, ...],
    message: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("")
    assert run("logs", *arguments) == 2
    assert message in " ".join(capsys.readouterr().err.split())


def test_warming_compiles_without_a_word(capsys: pytest.CaptureFixture[str]) -> None:
    warm_logs()
    assert capsys.readouterr().out == ""
