"""Deals played side by side in processes of their own, and watched.

The results come in the order of the tasks, whoever was first, and depend on nothing but the match. A
worker whose agent does not come back is ended and its game counted as lost; so is the game of an
agent that takes the whole process down.
"""

from __future__ import annotations

import multiprocessing
import signal
import time
import traceback
from collections.abc import Iterable, Iterator, MutableSequence
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from multiprocessing.sharedctypes import RawArray

from stammtisch.arena.match import BadMatch, Match
from stammtisch.arena.referee import (
    DEAL,
    LIMIT,
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
)
from stammtisch.core.errors import StammtischError

Task = tuple[int, int]  # table, deal
CHUNK_SECONDS = 0.25  # so much work is handed over at once
MAX_CHUNK = 500
LOOK_SECONDS = 0.1  # how often the watch is looked at
SLACK_SECONDS = 1.0  # an agent that comes back late itself is judged by the referee


@dataclass
class Chunk:
    """Tasks for one worker, and the faults that ended earlier attempts at them."""

    number: int
    tasks: list[Task]
    faults: dict[Task, dict[int, Fault]] = field(default_factory=dict)


class Worker:
    """A process with a referee."""

    def __init__(self, match: Match) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.status: MutableSequence[float] = RawArray("d", STATUS_SIZE)
        self.process: BaseProcess = context.Process(target=_work, args=(theirs, match, self.status), daemon=True)
        self.process.start()
        theirs.close()
        self.chunk: Chunk | None = None
        self.began = 0.0
        self.size = 1  # tasks of the next chunk

    def give(self, chunk: Chunk) -> None:
        self.chunk, self.began = chunk, time.monotonic()
        self.pipe.send(chunk)

    def take(self) -> tuple[Chunk, list[DealResult], dict[int, Times]]:
        """What the worker has sent; EOFError if it is gone."""
        answer = self.pipe.recv()
        if isinstance(answer, Exception):
            raise answer
        chunk, self.chunk = self.chunk, None
        assert chunk is not None
        elapsed = max(time.monotonic() - self.began, 1e-6)
        self.size = max(1, min(MAX_CHUNK, 2 * self.size, int(len(chunk.tasks) * CHUNK_SECONDS / elapsed)))
        return chunk, *answer

    def overdue(self) -> bool:
        status = list(self.status)
        return bool(status[THINKING]) and time.monotonic() - status[SINCE] > status[LIMIT] + SLACK_SECONDS

    def end(self) -> Fault | None:
        """Stop the process; the fault of the agent that was thinking, if it hung or took the process down."""
        hung = self.process.is_alive() and self.overdue()
        asked = self.status[SINCE]
        self.process.kill()
        self.process.join()
        self.pipe.close()
        status = list(self.status)
        if not status[THINKING] or status[SINCE] != asked:
            return None
        if hung:
            return Fault(int(status[SEAT]), "stall", f"no answer, {status[LIMIT]:.1f} s allowed for one decision")
        return Fault(int(status[SEAT]), "crash", "it ended the process it ran in")


class Workers:
    """A number of workers for one match."""

    def __init__(self, match: Match, number: int) -> None:
        self.match = match
        self.times: dict[int, Times] = {}
        self._workers = [Worker(match) for _ in range(number)]

    def play(self, tasks: Iterable[Task]) -> Iterator[DealResult]:
        """The result of every task, in the order of the tasks."""
        waiting = iter(tasks)
        done: dict[int, list[DealResult]] = {}
        handed, shown = 0, 0
        while True:
            for worker in self._workers:
                if worker.chunk is None and (some := list(islice(waiting, worker.size))):
                    worker.give(Chunk(handed, some))
                    handed += 1
            busy = {worker.pipe: place for place, worker in enumerate(self._workers) if worker.chunk is not None}
            if not busy:
                return
            for pipe in wait(list(busy), LOOK_SECONDS):
                self._receive(busy[pipe], done)  # type: ignore[index]  # only pipes were waited for
            for place in busy.values():
                if self._workers[place].chunk is not None and self._workers[place].overdue():
                    self._replace(place, gone=False)
            while shown in done:
                yield from done.pop(shown)
                shown += 1

    def _receive(self, place: int, done: dict[int, list[DealResult]]) -> None:
        try:
            chunk, results, times = self._workers[place].take()
        except (EOFError, ConnectionError):
            self._replace(place, gone=True)
            return
        done[chunk.number] = results
        for entrant, spent in times.items():
            self.times.setdefault(entrant, Times()).add(spent)

    def _replace(self, place: int, gone: bool) -> None:
        """A new worker does the work of one that hangs or is gone, knowing by whose fault."""
        old = self._workers[place]
        chunk, fault = old.chunk, old.end()
        assert chunk is not None
        if fault is not None:
            task = (int(old.status[TABLE]), int(old.status[DEAL]))
            chunk.faults.setdefault(task, {})[int(old.status[TURN])] = fault
        elif gone:
            raise BadMatch(f"a worker ended without a word (exit code {old.process.exitcode}); is there enough memory?")
        self._workers[place] = Worker(self.match)
        self._workers[place].give(chunk)

    def close(self) -> None:
        for worker in self._workers:
            worker.end()


def _work(pipe: Connection, match: Match, status: MutableSequence[float]) -> None:
    """What a worker does until nobody listens any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one who gave the work decides when to stop
    referee = Referee(match, status)
    try:
        while True:
            chunk: Chunk = pipe.recv()
            results = [referee.play(*task, known=chunk.faults.get(task)) for task in chunk.tasks]
            pipe.send((results, referee.times))
            for spent in referee.times.values():
                spent.clear()
    except (EOFError, ConnectionError):
        return
    except StammtischError as error:
        pipe.send(BadMatch(str(error)))
    except Exception:
        pipe.send(RuntimeError(f"a worker failed:\n{traceback.format_exc()}"))
