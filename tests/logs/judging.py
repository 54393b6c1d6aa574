"""Logs as text, read and judged: the made-up round of the format's description, and what can be done to it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from stammtisch.logs.findings import NAMES
from stammtisch.logs.judge.replay import replay
from stammtisch.logs.read.parse import parse
from stammtisch.logs.rounds import Replayed, Source

FOLDERS = (Path(__file__).parent / "fixtures", Path(__file__).parent.parent / "games" / "tichu" / "fixtures")
REAL = sorted(path for folder in FOLDERS for path in folder.glob("*.tch"))
ROUND = (FOLDERS[0] / "synthetic_round.tch").read_text(encoding="utf-8")


def judged(*logs: str | bytes) -> Replayed:
    """The logs read and replayed, as files 0.tch, 1.tch ..."""
    data = [log if isinstance(log, bytes) else log.encode() for log in logs]
    return replay(parse([Source(f"{i}.tch", one, i) for i, one in enumerate(data)]))


def findings(log: str | bytes, of_games: bool = False) -> list[tuple[str, int]]:
    """Names and lines of what is found in the rounds of a log; ``of_games``: in the game as a whole."""
    rows = judged(log).findings
    return [(NAMES[int(row["code"])], int(row["line"])) for row in rows if (row["round"] < 0) == of_games]


def changed(old: str, new: str, log: str = ROUND) -> str:
    """The log with one place changed, which must be there."""
    assert log.count(old) >= 1, old
    return log.replace(old, new, 1)


def line_of(text: str, log: str) -> int:
    """The number of the first line with this text."""
    return next(number for number, line in enumerate(log.splitlines(), start=1) if text in line)


def real_sources() -> Iterator[Source]:
    for number, path in enumerate(REAL):
        yield Source(str(path), path.read_bytes(), number)
