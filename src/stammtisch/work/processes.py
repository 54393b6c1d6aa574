"""Processes on this machine, each with a pipe; watched, replaced when they die, gone when their parent is.

A worker may keep something for all its tasks (``begin`` makes it, inside the worker) and has a board, a few numbers
that the parent can read while it works. Whoever wants another say in what is overdue, and in what to do when a worker
is gone, gives :class:`Care` of its own: the arena does, whose clock runs per decision and not per task.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import queue
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, MutableSequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from multiprocessing.sharedctypes import RawArray
from typing import Any

from stammtisch.core.errors import StammtischError
from stammtisch.work.answers import Answer, attempt, portable
from stammtisch.work.ending import deaf_to_interrupts, end_with_parent, group_of_its_own, kill_group
from stammtisch.work.pool import AHEAD, TRIES, Result, Task, lost, too_long

LOOK_SECONDS = 0.1  # how often the workers are looked at
STOPPED_SECONDS = 5.0  # a look that took so long was none: we were not running
GONE_SECONDS = 2.0  # how long a worker that closed its pipe may take to end
READY = "ready"


@dataclass(frozen=True)
class Link:
    """A worker's side: the board, and whether the way to the parent is still there."""

    board: MutableSequence[float]
    process: int
    descriptor: int

    def check(self) -> None:
        """End this process where the work has closed the pipe, or where this is a copy that the work has forked."""
        if os.getpid() != self.process:
            os._exit(0)
        try:
            os.fstat(self.descriptor)
        except OSError:
            os._exit(1)


Begin = Callable[[Link], Callable[[Any], Any]]


def anything(link: Link) -> Callable[[Any], Any]:
    """Workers that keep nothing: a task is a function and its argument."""
    return lambda pair: pair[0](pair[1])


class Worker:
    """A process, and the tasks it has been given."""

    def __init__(self, begin: Begin, board: int) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.board: MutableSequence[float] = RawArray("d", board)
        self.process: BaseProcess = context.Process(target=_work, args=(theirs, begin, self.board), daemon=True)
        with deaf_to_interrupts():
            self.process.start()
        theirs.close()
        self.tasks: deque[tuple[int, Any]] = deque()
        self.since = 0.0  # when the first of its tasks was begun
        self.ready = False

    def give(self, number: int, task: Any) -> None:
        if not self.tasks:
            self.since = time.monotonic()
        self.tasks.append((number, task))
        with suppress(ConnectionError):  # it is gone: this shows at the next look
            self.pipe.send(task)

    def take(self) -> tuple[int, Answer] | None:
        """The answer to its first task, or None if it says only that it is ready; EOFError if it is gone."""
        try:
            answer = self.pipe.recv()
        except (ConnectionError, pickle.UnpicklingError, AttributeError, ValueError, ImportError):
            raise EOFError from None  # what it says is not what a worker says
        if isinstance(answer, str):
            self.ready = True
            self.since = time.monotonic()
            return None
        self.since = time.monotonic()
        return self.tasks.popleft()[0], answer

    def end(self) -> int | None:
        """Stop the process with all it has started; its exit code if it had ended by itself."""
        code = self.process.exitcode
        assert self.process.pid is not None
        kill_group(self.process.pid)
        self.process.kill()
        self.process.join()
        self.pipe.close()
        return code


@dataclass
class Care:
    """What to do about tasks that take too long, and about those whose worker is gone."""

    seconds: float | None = None
    repeat_when_stopped = False  # what was begun before everything was stopped for a while is worth nothing
    deaths: dict[int, int] = field(default_factory=dict)

    def overdue(self, worker: Worker) -> bool:
        return self.seconds is not None and worker.ready and time.monotonic() - worker.since > self.seconds

    def replaced(self, worker: Worker, gone: bool, code: int | None) -> Any:
        """The worker has been ended, or was ``gone``, with this code: its first task, to be done again, or an error."""
        number, task = worker.tasks[0]
        if not gone:
            assert self.seconds is not None
            raise too_long(self.seconds)
        self.died(number, worker, code)
        return task

    def died(self, number: int, worker: Worker, code: int | None) -> None:
        """Count that a worker ended at this task; an error when that was too often."""
        self.deaths[number] = self.deaths.get(number, 0) + 1
        if self.deaths[number] < TRIES:
            return
        if not worker.ready:
            raise StammtischError(
                f"a worker cannot begin (exit code {code}); a script needs: if __name__ == '__main__':"
            )
        raise lost(TRIES, code)


class Processes:
    """A number of workers, started when they are first needed.

    ``depth`` is how many tasks a worker is given at once, ``ahead`` how many tasks may be under way or waiting to be
    handed out. With ``rehearse`` the first task is done before the others begin. Where it has to be compiled first, the
    process that did so ends: it would keep hundreds of megabytes, and all others find on the disk what it has compiled.
    """

    def __init__(
        self,
        workers: int,
        begin: Begin = anything,
        board: int = 0,
        depth: int = AHEAD,
        ahead: int | None = None,
        rehearse: bool = False,
    ) -> None:
        self.workers = workers
        self._begin, self._board, self._depth = begin, board, depth
        self._ahead = ahead or depth * workers
        self._rehearsing = rehearse
        self.team: list[Worker | None] = [None] * workers
        self._running = False

    def map(
        self, work: Callable[[Task], Result], tasks: Iterable[Task], seconds: float | None = None
    ) -> Iterator[Result]:
        return self.run(((work, task) for task in tasks), Care(seconds))

    def run(self, tasks: Iterable[Any], care: Care) -> Iterator[Any]:
        """The results of the tasks in their order."""
        if self._running:
            raise RuntimeError("these workers are busy with other tasks")
        self._running = True
        try:
            yield from self._run(iter(tasks), care)
        finally:
            self._running = False
            for place, worker in enumerate(self.team):
                if worker is not None and worker.tasks:  # what it does now nobody waits for
                    worker.end()
                    self.team[place] = None

    def _run(self, waiting: Iterator[Any], care: Care) -> Iterator[Any]:
        done: dict[int, Answer] = {}
        handed = shown = 0
        while True:
            while (place := self._free_place()) is not None and handed - shown < self._limit(handed):
                try:
                    task = next(waiting)
                except StopIteration:
                    break
                self._worker(place).give(handed, task)
                handed += 1
            busy = [place for place, worker in enumerate(self.team) if worker is not None and worker.tasks]
            if not busy:
                return
            for number, answer in self._look(busy, care):
                done[number] = answer
            while shown in done:
                answer = done.pop(shown)
                shown += 1
                yield answer.get()

    def _limit(self, handed: int) -> int:
        return 1 if self._rehearsing else self._ahead

    def _free_place(self) -> int | None:
        """Who has least to do, if anybody can take more."""
        loads = [0 if worker is None else len(worker.tasks) for worker in self.team]
        return loads.index(min(loads)) if min(loads) < self._depth else None

    def _worker(self, place: int) -> Worker:
        worker = self.team[place]
        if worker is None:
            worker = self.team[place] = Worker(self._begin, self._board)
        return worker

    def _look(self, busy: list[int], care: Care) -> Iterator[tuple[int, Answer]]:
        """Wait a little; the answers that have come, and new workers in place of those that hang or are gone."""
        looked = time.monotonic()
        ready = wait([self._worker(place).pipe for place in busy], LOOK_SECONDS)
        stopped = time.monotonic() - looked > STOPPED_SECONDS
        for place in busy:
            worker = self._worker(place)
            if stopped and care.repeat_when_stopped:
                self._restart(place, worker, worker.tasks[0][1])
            elif worker.pipe in ready:
                try:
                    if (found := worker.take()) is not None:
                        self._after_rehearsal(place, found[1])
                        yield found
                except (EOFError, OSError):
                    self._replace(place, worker, care, gone=True)
            elif not worker.process.is_alive() and not worker.pipe.poll():
                self._replace(place, worker, care, gone=True)
            elif stopped:
                worker.since = time.monotonic()
            elif care.overdue(worker):
                self._replace(place, worker, care, gone=False)

    def _after_rehearsal(self, place: int, answer: Answer) -> None:
        if self._rehearsing and answer.compiled:
            self._worker(place).end()
            self.team[place] = None
        self._rehearsing = False

    def _replace(self, place: int, worker: Worker, care: Care, gone: bool) -> None:
        if gone:
            worker.process.join(GONE_SECONDS)
        code = worker.end()
        self.team[place] = None
        task = care.replaced(worker, gone, code)
        self._restart(place, worker, task)

    def _restart(self, place: int, old: Worker, task: Any) -> None:
        """A new worker with the tasks of the old one, of which the first may have changed."""
        if self.team[place] is old:
            old.end()
        new = self.team[place] = Worker(self._begin, self._board)
        (number, _), *others = old.tasks
        for each in ((number, task), *others):
            new.give(*each)

    def close(self) -> None:
        for worker in self.team:
            if worker is not None:
                worker.end()
        self.team = [None] * self.workers


@dataclass
class Unreadable:
    """In place of a task that did not arrive whole."""

    error: Exception


def _work(pipe: Connection, begin: Begin, board: MutableSequence[float]) -> None:
    """What a worker does until nobody listens any more."""
    end_with_parent()
    group_of_its_own()
    sys.stdout = sys.stderr
    os.dup2(2, 1)  # what the work prints must not get between the lines of the command
    tasks: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(pipe, tasks), daemon=True).start()
    notice = None
    try:
        work = begin(Link(board, os.getpid(), pipe.fileno()))
        pipe.send(READY)
        while True:
            task = tasks.get()
            if notice is None:
                notice = _notice()
            before = notice.compilations
            answer = Answer(error=portable(task.error)) if isinstance(task, Unreadable) else attempt(work, task)
            pipe.send(Answer(answer.result, answer.error, notice.compilations > before))
    except (EOFError, ConnectionError):
        return
    except Exception as error:
        pipe.send(Answer(error=portable(error)))


def _listen(pipe: Connection, tasks: queue.SimpleQueue[Any]) -> None:
    """Take in what is sent while the work is being done, so that the parent never has to wait with it."""
    try:
        while True:
            try:
                tasks.put(pipe.recv())
            except (EOFError, OSError):
                raise
            except Exception as error:  # what cannot be read here, such as a function of a module that is not found
                tasks.put(Unreadable(error))
    except (EOFError, OSError):
        os._exit(0)


def _notice() -> Any:
    """Counts what is compiled, and says so the first time."""
    from stammtisch.core.compiling import CompileNotice

    notice = CompileNotice(lambda line: print(line, file=sys.stderr, flush=True))
    notice.install()
    return notice
