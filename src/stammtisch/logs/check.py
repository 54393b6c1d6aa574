"""What is in a folder of logs and what is wrong with it, counted; side by side, in little memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any

import numpy as np

from stammtisch.logs.findings import NAMES, count_by_name, merge_counts, sentence
from stammtisch.logs.judge.replay import replay
from stammtisch.logs.learn.decisions import decisions
from stammtisch.logs.measures import points_seen
from stammtisch.logs.moves import replayable
from stammtisch.logs.read.parse import parse
from stammtisch.logs.read.sources import Place, batches, load
from stammtisch.logs.write.games import write_replayed
from stammtisch.logs.write.making import made_sources
from stammtisch.work.pool import Pool

LISTED = 20  # findings that are shown one by one


@dataclass(frozen=True)
class Listed:
    """A finding for people."""

    path: str
    line: int  # 0: the file as a whole
    round: int  # from 0 within the file; -1: the game as a whole
    code: int
    name: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.path} line {self.line}: {self.name} ({self.code}), {self.sentence}"


@dataclass
class Tally:
    """Files, finished rounds, rounds without a finding, and how often each finding was made."""

    files: int = 0
    rounds: int = 0
    clean_rounds: int = 0
    findings: dict[str, int] = field(default_factory=dict)
    listed: list[Listed] = field(default_factory=list)

    def add(self, other: Tally, most: int) -> None:
        """Count another part, too; at most ``most`` findings are listed."""
        self.files += other.files
        self.rounds += other.rounds
        self.clean_rounds += other.clean_rounds
        self.findings = merge_counts([self.findings, other.findings])
        self.listed += other.listed[: max(0, most - len(self.listed))]

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def check(
    places: Iterable[Place], pool: Pool, most: int = LISTED, tell: Callable[[Tally], None] | None = None
) -> Tally:
    """Read, replay and judge all places; ``tell`` hears of the progress after every part."""
    total = Tally()
    for part in pool.map(partial(check_part, most=most), batches(places)):
        total.add(part, most)
        if tell is not None:
            tell(total)
    return total


def warm_logs() -> None:
    """Compile everything that reads, judges, writes and counts logs, so that later calls start at once."""
    replayed = replay(parse(made_sources(1)))
    write_replayed(replayed, 0)
    rounds, which = replayable(replayed)
    decisions(rounds)
    points_seen(rounds, np.zeros(len(which), dtype=np.int64), 1)


def check_part(places: list[Place], most: int = LISTED) -> Tally:
    """The findings about some places; in a worker."""
    replayed = replay(parse(load(places)))
    parsed = replayed.parsed
    listed = []
    for finding in replayed.findings[:most]:
        code, number = int(finding["code"]), int(finding["round"])
        index = int(parsed.rounds[number]["index"]) if number >= 0 else -1
        path = parsed.sources[finding["file"]].path
        listed.append(Listed(path, int(finding["line"]), index, code, NAMES[code], sentence(parsed, finding)))
    return Tally(
        len(places),
        len(parsed.rounds),
        int(replayed.games["clean_rounds"].sum()),
        count_by_name(replayed.findings),
        listed,
    )
