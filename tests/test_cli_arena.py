"""arena, sprt, rate and report as people and scripts use them."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from commands import json_of, output_of, run

pytestmark = pytest.mark.usefixtures("own_data")
QUICK = ("--rounds", "10", "--seed", "1", "--workers", "1")


def test_a_match_says_who_won_and_how_sure_that_is(capsys: pytest.CaptureFixture[str], own_data: Path) -> None:
    text = output_of(capsys, "arena", "tictactoe", "maxn:depth=9", "random", *QUICK)
    assert "20 games on 10 deals" in text and "maxn:depth=9" in text and "95 %" in text
    (kept,) = (own_data / "arena").glob("tictactoe-*.jsonl")
    assert "Kept: " in text and kept.name in "".join(text.split())
    again = json_of(capsys, "report")
    assert again == json_of(capsys, "report", str(kept))
    assert again["win_rate"] > 0.6 and again["seeds"] == [1]


def test_what_a_match_prints_for_machines(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    arguments = ("arena", "tictactoe", "mcts:iterations=50", "random", *QUICK, "--out", str(tmp_path / "m.jsonl"))
    found = json_of(capsys, *arguments)
    assert found["games"] == 20 and found["ci95"][0] <= found["win_rate"] <= found["ci95"][1]
    for part in (*found["sides"], found["by_players"]["2"], *found["by_players"]["2"]["sides"]):
        assert part["games"] == 20 and part["ci95"][0] <= part["win_rate"] <= part["ci95"][1]
    assert output_of(capsys, "report", str(tmp_path / "m.jsonl"), "--json") == json.dumps(found) + "\n"


def test_games_instead_of_deals_are_rounded_up(capsys: pytest.CaptureFixture[str]) -> None:
    found = json_of(capsys, "arena", "tictactoe", "random", "maxn:depth=1", "--games", "7", "--workers", "1")
    assert found["games"] == 8
    found = json_of(capsys, "arena", "tictactoe", "random", "--games", "7", "--workers", "1")
    assert found["games"] == 7 and "mean" in found and len(found["sides"][0]["seats"]) == 2


def test_a_budget_for_everybody_is_part_of_the_names(capsys: pytest.CaptureFixture[str]) -> None:
    names = ("mcts", "ismcts", "mcts:c=1,iterations=007", "random", "maxn:depth=1")
    found = json_of(capsys, "rate", "tictactoe", *names, "--rounds", "2", "--iterations", "5", "--workers", "1")
    playing = {one["agent"] for one in found["ratings"]}
    assert playing == {"mcts:iterations=5", "ismcts:iterations=5", "mcts:iterations=7,c=1", "random", "maxn:depth=1"}


def test_a_test_gives_an_answer(capsys: pytest.CaptureFixture[str]) -> None:
    better = ("sprt", "tictactoe", "mcts:iterations=100", "random", "--elo1", "200", "--seed", "1", "--workers", "1")
    found = json_of(capsys, *better)
    assert found["sprt"]["verdict"] == "H1" and found["deals"] < 100
    assert "Yes, mcts:iterations=100 is stronger than random" in output_of(capsys, "report")
    worse = ("sprt", "tictactoe", "random", "mcts:iterations=100", "--seed", "1", "--workers", "1")
    assert "No: +0 Elo fits random against mcts:iterations=100" in output_of(capsys, *worse)
    open_end = output_of(capsys, *worse, "--rounds", "2")
    assert "Not clear yet" in open_end


def test_a_rating_of_everybody(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out, html, plots = tmp_path / "r.jsonl", tmp_path / "r.html", tmp_path / "plots"
    arguments = ("rate", "tictactoe", "--all", "--ms", "5", "--rounds", "2", "--seed", "1")
    places = ("--out", str(out), "--html", str(html), "--plots", str(plots))
    text = output_of(capsys, *arguments, *places, "--anchor", "random", "--workers", "2")
    everybody = {
        "random",
        *(f"{name}:ms=5" for name in ("maxn", "paranoid", "hypermax", "expectimax", "mcts", "ismcts", "guided")),
    }
    assert all(name in text for name in everybody)
    assert "Who against whom" in text
    assert {path.name for path in plots.iterdir()} == {"ladder.png", "thinking-time.png"}
    page = html.read_text()
    assert "stammtisch rate tictactoe --all" in page and page.count("<img") == 2
    found = json_of(capsys, "report", str(out), "--anchor", "random")
    assert {one["agent"] for one in found["ratings"]} == everybody
    assert next(one for one in found["ratings"] if one["agent"] == "random")["rating"] == 0


def test_a_curve_against_one_opponent(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    checkpoints = [f"mcts:iterations={number}" for number in (1, 10, 100)]
    arguments = ("rate", "tictactoe", *checkpoints, "--against", "random", *QUICK, "--curve", "iterations")
    output_of(capsys, *arguments, "--plots", str(tmp_path / "plots"))
    assert (tmp_path / "plots" / "curve.png").exists()
    found = json_of(capsys, "report")
    assert len(found["cross"]) == 3 and {row["against"] for row in found["cross"]} == {"random"}


def test_two_agents_get_ratings_too(capsys: pytest.CaptureFixture[str]) -> None:
    found = json_of(capsys, "rate", "tictactoe", "random", "maxn:depth=9", *QUICK, "--anchor", "random")
    assert [one["agent"] for one in found["ratings"]] == ["maxn:depth=9", "random"]
    assert found["ratings"][1]["rating"] == 0


def test_stored_matches_are_rated_together(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    files = []
    for number, opponent in enumerate(("random", "maxn:depth=9")):
        files.append(str(tmp_path / f"{number}.jsonl"))
        json_of(capsys, "arena", "tictactoe", "mcts:iterations=50", opponent, *QUICK, "--out", files[-1])
    found = json_of(capsys, "report", *files)
    assert found["kind"] == "ratings" and len(found["ratings"]) == 3 and len(found["cross"]) == 2


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_match_is_resumed_by_the_same_command(own_data: Path, how: signal.Signals) -> None:
    arguments = ["arena", "tictactoe", "mcts:iterations=2000", "random", "--rounds", "3000", "--json"]
    command = [sys.executable, "-m", "stammtisch.cli", *arguments]
    heed = partial(signal.signal, how, signal.SIG_DFL)  # tests in the background would pass on to ignore it
    process = subprocess.Popen(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=heed)
    started = time.monotonic()
    while not (kept := list(own_data.glob("arena/*.jsonl"))) or kept[0].stat().st_size < 3000:
        assert process.poll() is None and time.monotonic() - started < 100
        time.sleep(0.05)
    os.kill(process.pid, how)
    out, error = process.communicate(timeout=60)
    assert process.returncode == 130 and out == ""
    assert "--resume goes on" in error
    assert len(list(own_data.glob("arena/*.run.json"))) == 1
    before = kept[0].read_bytes()
    assert 5 < len(before.splitlines()) < 3000
    done = subprocess.run([*command, "--resume"], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["deals"] == 3000
    assert kept[0].read_bytes().startswith(before) and len(list(own_data.glob("arena/*.jsonl"))) == 1


def test_a_file_that_exists_is_not_overwritten(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "m.jsonl"
    arguments = ("arena", "tictactoe", "random", "maxn:depth=1", "--workers", "1", "--out", str(out))
    json_of(capsys, *arguments, "--rounds", "3")
    before = out.read_bytes()
    assert run(*arguments, "--rounds", "5") == 2
    assert "exists: --resume goes on with it" in capsys.readouterr().err
    assert out.read_bytes() == before
    assert json_of(capsys, *arguments, "--rounds", "5", "--resume")["deals"] == 5
    assert out.read_bytes().startswith(before)


def test_faults_are_in_the_report(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ("arena", "tictactoe", "mcts:ms=200", "random", *QUICK[:4], "--workers", "1", "--grace", "0")
    text = output_of(capsys, *arguments, "--rounds", "2")
    assert re.search(r"mcts:ms=200 lost \d games by taking too long", text)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("arena", "halma", "random"), "unknown game 'halma'"),
        (("arena", "tictactoe", "mtcs", "random"), "did you mean mcts"),
        (("arena", "tictactoe", "random", "random"), "entered twice"),
        (("arena", "tictactoe", "random", "maxn", "mcts"), "stammtisch rate tictactoe"),
        (("arena", "tictactoe", "random", "maxn", "--rounds", "3", "--games", "3"), "not both"),
        (("arena", "tictactoe", "random", "maxn", "--players", "3"), "is for 2 players"),
        (("arena", "tictactoe", "random", "maxn", "--players", "two"), "such as 2,3,4"),
        (("arena", "tictactoe", "random", "maxn", "--opening", "9"), "shorter --opening"),
        (("arena", "tictactoe", "random", "maxn", "--resume"), "nothing to resume"),
        (("arena", "tictactoe", "random", "maxn", "--resume", "--out", "none.jsonl"), "nothing to resume"),
        (("arena", "tictactoe", "random", "maxn", "--out", "nowhere/m.jsonl"), "there is no folder"),
        (("arena", "tictactoe", "random", "maxn", "--html", "nowhere/m.html"), "there is no folder"),
        (("arena", "tictactoe", "random", "maxn", "--plots", __file__), "name a folder"),
        (("sprt", "tictactoe", "random", "maxn", "--elo0", "40"), "elo0 must be less"),
        (("sprt", "tictactoe", "random", "maxn", "--alpha", "2"), "alpha is between"),
        (("sprt", "tictactoe", "random", "maxn", "--elo1", "99999"), "within 2000 of zero"),
        (("rate", "tictactoe", "random", "maxn", "--curve", "depth"), "--plots or --html"),
        (("rate", "tictactoe", "random", "maxn", "--curve", "depth", "--plots", "p"), "fewer than two agents"),
        (("rate", "tictactoe", "random"), "name two agents or more, or --all"),
        (("rate", "tictactoe", "random", "maxn", "--anchor", "mcts"), "--anchor mcts does not play"),
        (("report",), "no match of yours yet"),
        (("report", "none.jsonl"), "none.jsonl: cannot be read"),
        (("report", __file__), "not JSON"),
    ],
)
def test_what_a_user_got_wrong_is_one_line_and_nothing_is_written(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str], own_data: Path, tmp_path: Path
) -> None:
    assert run(*arguments) == 2
    error = capsys.readouterr().err
    assert message in error and error.startswith("stammtisch: ") and error.count("\n") == 1
    assert not list(own_data.glob("arena/*")) and not list(tmp_path.glob("*.jsonl"))


def test_an_agent_that_cannot_be_made_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(self: Any, game: Any) -> None:
        raise FileNotFoundError("weights")

    monkeypatch.setattr("stammtisch.agents.random.RandomAgent.__init__", broken)
    assert run("arena", "tictactoe", "random", "maxn") == 2
    assert "agent 'random' cannot be made: FileNotFoundError: weights" in capsys.readouterr().err


def test_pictures_need_the_lab(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    monkeypatch.delitem(sys.modules, "stammtisch.arena.plots", raising=False)
    arguments: tuple[Any, ...] = ("arena", "tictactoe", "random", "maxn", "--html", str(tmp_path / "x.html"))
    assert run(*arguments) == 2
    assert "plots need the extra 'lab'" in capsys.readouterr().err
