"""Made corpora are repeatable, however the work is divided, and lie where a reader looks for them."""

import zipfile
from pathlib import Path

import pytest

from stammtisch.core.errors import BadOption, StammtischError, UnknownAgent
from stammtisch.logs.read.sources import read
from stammtisch.logs.write.making import Task, make, play_task, read_agents
from stammtisch.work.pool import Here

HEURISTIC = ("heuristic",) * 4


def test_a_game_depends_on_the_seed_and_its_number_alone() -> None:
    whole = play_task(Task(HEURISTIC, 7, 0, 6))
    assert whole == [
        log for first in (0, 2, 5) for log in play_task(Task(HEURISTIC, 7, first, {0: 2, 2: 3, 5: 1}[first]))
    ]
    assert len(set(whole)) == 6
    assert whole != play_task(Task(HEURISTIC, 8, 0, 6))


def test_a_zip_and_a_folder_hold_the_same_logs(tmp_path: Path) -> None:
    told: list[int] = []
    make(HEURISTIC, 5, 1, tmp_path / "2011.zip", Here(), "201103", told.append)
    make(HEURISTIC, 5, 1, tmp_path / "folder", Here(), "201103")
    zipped, filed = list(read(tmp_path / "2011.zip")), list(read(tmp_path / "folder"))
    assert [one.data for one in zipped] == [one.data for one in filed]
    assert [(one.game, one.year, one.month) for one in zipped] == [(i, 2011, 3) for i in range(1, 6)]
    assert told == [5] and [path.name for path in tmp_path.iterdir() if path.suffix == ".part"] == []


def test_agents_are_one_two_or_four() -> None:
    assert read_agents("ismcts:iterations=5,c=1,heuristic") == ("ismcts:iterations=5,c=1", "heuristic") * 2
    with pytest.raises(BadOption, match="one agent for all seats"):
        read_agents("heuristic,random,heuristic")
    with pytest.raises(UnknownAgent):
        read_agents("nobody")


def test_a_searching_agent_can_make_logs() -> None:
    (log,) = play_task(Task(read_agents("ismcts:iterations=2,heuristic"), 1, 0, 1))
    assert b"(0)ismcts-iterations-2_" in log


def test_a_full_disk_is_told_and_leaves_no_half_zip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(zipfile.ZipFile, "writestr", full)
        with pytest.raises(StammtischError, match=r"made\.zip cannot be written: No space left"):
            make(HEURISTIC, 1, 1, tmp_path / "made.zip", Here())
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(StammtischError, match="cannot be written: No space left"):
        make(HEURISTIC, 1, 1, tmp_path / "folder", Here())


def test_the_folder_of_a_zip_is_made(tmp_path: Path) -> None:
    make(HEURISTIC, 1, 1, tmp_path / "missing" / "made.zip", Here())
    assert (tmp_path / "missing" / "made.zip").exists()
