"""Deals played side by side in processes of their own, and watched.

The results come in the order of the tasks, whoever was first, and depend on nothing but the match. A
worker whose agent does not come back is ended and its game counted as lost; so is the game of an
agent that takes the whole process down.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
import traceback
from collections.abc import Iterable, Iterator, MutableSequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from multiprocessing.sharedctypes import RawArray

from stammtisch.arena.match import BadMatch, Match
from stammtisch.arena.referee import (
    DEAL,
    LIMIT,
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
    late,
)
from stammtisch.core.errors import StammtischError

Task = tuple[int, int]  # table, deal
CHUNK_SECONDS = 0.25  # so much work is handed over at once
MAX_CHUNK = 500
LOOK_SECONDS = 0.1  # how often the watch is looked at
STOPPED_SECONDS = 5.0  # a look that took so long was none: we were not running
SLACK_SECONDS = 1.0  # an agent that comes back late itself is judged by the referee


@dataclass
class Chunk:
    """Tasks for one worker, and the faults that ended earlier attempts at them."""

    number: int
    tasks: list[Task]
    faults: dict[Task, dict[int, Fault]] = field(default_factory=dict)
    cold: set[tuple[int, int]] = field(default_factory=set)  # entrants that hang already while they warm up


class Worker:
    """A process with a referee."""

    def __init__(self, match: Match) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.status: MutableSequence[float] = RawArray("d", STATUS_SIZE)
        self.process: BaseProcess = context.Process(target=_work, args=(theirs, match, self.status), daemon=True)
        with _deaf_to_interrupts():
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

    def end(self, gone: bool = False) -> Fault | None:
        """Stop the process; the fault of the agent that was thinking, if it hung or the process is already gone."""
        hung, asked = not gone and self.overdue(), self.status[SINCE]
        self.process.kill()
        self.process.join()
        self.pipe.close()
        status = list(self.status)
        if not status[THINKING] or status[SINCE] != asked:
            return None  # it has answered in the meantime
        if gone:
            return Fault(int(status[SEAT]), "crash", "it ended the process it ran in")
        return Fault(int(status[SEAT]), "stall", late(status[LIMIT])) if hung else None


class Workers:
    """A number of workers for one match."""

    def __init__(self, match: Match, number: int) -> None:
        self.match = match
        self.times: dict[int, Times] = {}
        self._cold: set[tuple[int, int]] = set()
        self._workers = [Worker(match) for _ in range(number)]

    def play(self, tasks: Iterable[Task]) -> Iterator[DealResult]:
        """The result of every task, in the order of the tasks."""
        waiting = iter(tasks)
        done: dict[int, list[DealResult]] = {}
        handed, shown = 0, 0
        while True:
            for place, worker in enumerate(self._workers):
                if worker.chunk is None and (some := list(islice(waiting, worker.size))):
                    self._give(place, Chunk(handed, some))
                    handed += 1
            busy = {worker.pipe: place for place, worker in enumerate(self._workers) if worker.chunk is not None}
            if not busy:
                return
            looked = time.monotonic()
            ready = wait(list(busy), LOOK_SECONDS)
            stopped = time.monotonic() - looked > STOPPED_SECONDS
            for pipe in ready if not stopped else []:
                self._receive(busy[pipe], done)  # type: ignore[index]  # only pipes were waited for
            for place in busy.values():
                worker = self._workers[place]
                if stopped:
                    self._repeat(place)
                elif worker.chunk is not None and worker.overdue():
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
        chunk, fault = old.chunk, old.end(gone)
        assert chunk is not None
        table, deal, turn = (int(old.status[which]) for which in (TABLE, DEAL, TURN))
        if fault is not None and turn == NO_TURN:
            self._cold.add((self.match.tables[table].game, fault.seat))
        elif fault is not None:
            chunk.faults.setdefault((table, deal), {})[turn] = fault
        elif gone:
            hint = "is there enough memory?" if old.status[SINCE] else "a script needs: if __name__ == '__main__':"
            raise BadMatch(f"a worker ended without a word (exit code {old.process.exitcode}); {hint}")
        self._restart(place, chunk)

    def _repeat(self, place: int) -> None:
        """All of us were stopped for a while (Ctrl-Z, a sleeping computer): nobody's clock means anything."""
        chunk = self._workers[place].chunk
        if chunk is not None:
            self._workers[place].end()
            self._restart(place, chunk)

    def _restart(self, place: int, chunk: Chunk) -> None:
        self._workers[place] = Worker(self.match)
        self._give(place, chunk)

    def _give(self, place: int, chunk: Chunk) -> None:
        chunk.cold = self._cold
        self._workers[place].give(chunk)

    def close(self) -> None:
        for worker in self._workers:
            worker.end()


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Processes started here do not hear Ctrl-C: the one who gives the work decides when to stop."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _work(pipe: Connection, match: Match, status: MutableSequence[float]) -> None:
    """What a worker does until nobody listens any more."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    os.dup2(2, 1)  # what agents print must not get between the numbers
    referee = Referee(match, status)
    try:
        while True:
            chunk: Chunk = pipe.recv()
            referee.cold = chunk.cold
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


def _end_with_parent() -> None:
    """An agent that hangs would not notice that nobody listens any more."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)
