"""Deals played side by side in processes of their own, and watched.

The results come in the order of the tasks, whoever was first, and depend on nothing but the match. A worker
whose agent does not come back is ended and its game counted as lost. Where a worker dies, its deals are played
again; an agent whose process dies twice in the same game has lost that game, whoever else was to blame once.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Any

from stammtisch.arena.match import Match
from stammtisch.arena.referee import (
    DEAL,
    LIMIT,
    MADE,
    NO_TURN,
    SEAT,
    SINCE,
    STATUS_SIZE,
    TABLE,
    THINKING,
    TURN,
    DealResult,
    Fault,
    Referee,
    Times,
    Wrong,
    late,
    never_made,
)
from stammtisch.work.memory import limit_memory
from stammtisch.work.processes import Care, Link, Processes, Worker

Task = tuple[int, int]  # table, deal
CHUNK_SECONDS = 0.25  # so much work is handed over at once
MAX_CHUNK = 500
AHEAD = 1000  # chunks that may be ready while one before them is not
SLACK_SECONDS = 1.0  # an agent that comes back late itself is judged by the referee
NO_MEMORY = 75  # the exit code of a worker whose agent found no memory


@dataclass
class Chunk:
    """Tasks for one worker, and what is known from earlier attempts: faults, and entrants that cannot begin."""

    tasks: list[Task]
    cold: set[tuple[int, int]]
    unfit: dict[tuple[int, int], Wrong]
    faults: dict[Task, dict[int, Fault]] = field(default_factory=dict)


Done = tuple[list[DealResult], dict[int, Times], float]  # and the seconds it took


class Playing:
    """A worker's side: a referee for all its chunks."""

    def __init__(self, match: Match, link: Link) -> None:
        self.referee = Referee(match, link.board, link.check, partial(os._exit, NO_MEMORY))
        if match.limits.memory:
            limit_memory(match.limits.memory)

    def __call__(self, chunk: Chunk) -> Done:
        referee, began = self.referee, time.monotonic()
        referee.cold, referee.unfit = chunk.cold, chunk.unfit
        results = [referee.play(*task, known=chunk.faults.get(task)) for task in chunk.tasks]
        times, referee.times = referee.times, {}
        return results, times, time.monotonic() - began


@dataclass
class Clock(Care):
    """The clock per decision, and who is to blame when a worker is gone."""

    match: Match = field(kw_only=True)
    repeat_when_stopped = True  # Ctrl-Z, a sleeping computer: nobody's clock means anything
    cold: set[tuple[int, int]] = field(default_factory=set)
    unfit: dict[tuple[int, int], Wrong] = field(default_factory=dict)
    once: set[tuple[int, ...]] = field(default_factory=set)  # where a process died for the first time

    def overdue(self, worker: Worker) -> bool:
        status = list(worker.board)
        return bool(status[THINKING]) and time.monotonic() - status[SINCE] > status[LIMIT] + SLACK_SECONDS

    def replaced(self, worker: Worker, gone: bool, code: int | None) -> Chunk:
        number, chunk = worker.tasks[0]
        status = list(worker.board)
        if not status[THINKING]:
            if gone:
                self.died(number, worker, code)
        elif gone or self.overdue(worker):  # else it has answered in the meantime
            self._blame(chunk, status, gone, code)
        chunk.cold, chunk.unfit = self.cold, self.unfit
        assert isinstance(chunk, Chunk)
        return chunk

    def _blame(self, chunk: Chunk, status: list[float], gone: bool, code: int | None) -> None:
        table, deal, turn, seat = (int(status[which]) for which in (TABLE, DEAL, TURN, SEAT))
        where = (table, deal, turn, seat) if turn != NO_TURN else (table, seat)
        if gone and where not in self.once:
            self.once.add(where)  # perhaps somebody else ended the process: one more try
            return
        made = status[THINKING] == MADE
        if code == NO_MEMORY:
            wrong = "crash", f"more than {self.match.limits.memory:,.0f} MB of memory"
        elif gone:
            wrong = "crash", "it ended the process it ran in"
        else:
            wrong = "stall", (never_made if made else late)(status[LIMIT])
        entrant = self.match.tables[table].game, seat  # while agents warm up, their number stands for the seat
        if turn != NO_TURN:
            chunk.faults.setdefault((table, deal), {})[turn] = Fault(seat, *wrong)
        elif made:
            self.unfit[entrant] = wrong
        else:
            self.cold.add(entrant)


class Workers:
    """A number of workers for one match."""

    def __init__(self, match: Match, number: int) -> None:
        self.times: dict[int, Times] = {}
        self.clock = Clock(match=match)
        self.processes = Processes(number, partial(Playing, match), STATUS_SIZE, depth=1, ahead=AHEAD)
        self._size = 1  # tasks of the next chunk

    def play(self, tasks: Iterable[Task]) -> Iterator[DealResult]:
        """The result of every task, in the order of the tasks."""
        for done in self.processes.run(self._chunks(iter(tasks)), self.clock):
            results, times, seconds = done
            share = int(len(results) * CHUNK_SECONDS / max(seconds, 1e-6))
            self._size = max(1, min(MAX_CHUNK, 2 * self._size, share))
            for entrant, spent in times.items():
                self.times.setdefault(entrant, Times()).add(spent)
            yield from results

    def _chunks(self, tasks: Iterator[Task]) -> Iterator[Any]:
        while some := list(islice(tasks, self._size)):
            yield Chunk(some, self.clock.cold, self.clock.unfit)

    def close(self) -> None:
        self.processes.close()
