"""How a running match stands: a bar where there is a terminal, else a line every now and then."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Self

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, ProgressColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from stammtisch.arena.intervals import quick
from stammtisch.arena.outcome import share_of_first
from stammtisch.arena.store import Played

LOOK_SECONDS = 0.25  # between two estimates on a terminal
LINE_SECONDS = 30.0  # between two lines elsewhere


class Standing:
    """The estimate so far, in a few words."""

    def __init__(self) -> None:
        self.seen = 0
        self.faults = 0
        self.shares: dict[str, list[float]] = {}

    def of(self, played: Played) -> str:
        """The standing after these deals, of which there are more at every call."""
        match = played.match
        solo = len(match.games[0].spec.sides) == 1
        for deal in played.deals[self.seen :]:
            first, *others = (match.entrants[entrant] for entrant in match.tables[deal.table].entrants)
            value = deal.games[0].scores[0] if solo else share_of_first(played, deal)
            self.shares.setdefault(first, []).append(value)
            if len(others) == 1 and not solo:
                self.shares.setdefault(others[0], []).append(1 - value)
            self.faults += sum(game.fault is not None for game in deal.games)
        self.seen = len(played.deals)
        faults = f" · {self.faults} lost by faults" if self.faults else ""
        if len(match.entrants) == 1 and not solo:
            return f"{match.entrants[0]}{faults}"
        several = len({table.entrants for table in match.tables}) > 1
        best = max(self.shares, key=lambda name: float(np.mean(self.shares[name]))) if several else match.entrants[0]
        now = quick(np.array(self.shares[best]))
        reach = (now.high - now.low) / 2
        if solo:
            return f"{best} {now.mean:.1f} ± {reach:.1f}{faults}"
        return f"{'ahead: ' if several else ''}{best} {100 * now.mean:.1f} % ± {100 * min(reach, 0.5):.1f}{faults}"


class Progress:
    """Shows the standing while a match is played: call it after every deal."""

    def __init__(self, console: Console, total: int) -> None:
        columns: tuple[ProgressColumn, ...] = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
        )
        columns = (*columns, TextColumn("deals"), TimeRemainingColumn())
        self.bar = Bar(*columns, console=console, transient=True, disable=not console.is_terminal)
        self.task = self.bar.add_task("Starting ...", total=total)
        self.standing = Standing()
        self.looked = time.monotonic()

    def __enter__(self) -> Self:
        self.bar.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.bar.stop()

    def __call__(self, played: Played, total: int) -> None:
        now = time.monotonic()
        terminal = self.bar.console.is_terminal
        if now - self.looked < (LOOK_SECONDS if terminal else LINE_SECONDS):
            return
        self.looked = now
        text = self.standing.of(played)
        self.bar.update(self.task, completed=len(played.deals), description=text)
        if not terminal:
            self.bar.console.print(f"{len(played.deals):,} of {total:,} deals · {text}", markup=False, highlight=False)
