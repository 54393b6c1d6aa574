"""Where the work is done: in this process, in processes beside it, or on the machines of a Ray cluster.

A pool takes a function and one argument and gives back something with a ``result()``; :func:`in_order` keeps it busy
and hands the results out in the order of the tasks, so that what is written does not depend on who was first.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

from stammtisch.core.errors import MissingExtra, StammtischError

Task = TypeVar("Task")
Result = TypeVar("Result")

AHEAD = 2  # tasks in the queue of every worker, so that none waits for the next


class Handle(Protocol):
    """A result that may still be on its way."""

    def result(self) -> Any: ...


class Pool(Protocol):
    """Something that works."""

    workers: int

    def submit(self, work: Callable[[Any], Any], task: Any) -> Handle: ...


class _Done:
    def __init__(self, value: Any) -> None:
        self._value = value

    def result(self) -> Any:
        return self._value


class Here:
    """The process that asks."""

    workers = 1

    def submit(self, work: Callable[[Any], Any], task: Any) -> Handle:
        return _Done(work(task))


class Processes:
    """Processes on this machine.

    The first task is done before the others begin. Where it has to be compiled first, the process that did so ends: it
    would keep hundreds of megabytes, and all others find on the disk what it has compiled.
    """

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.executor = self._started()
        self.compiled = False  # all that the tasks need

    def _started(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self.workers, multiprocessing.get_context("spawn"), _deaf_to_interrupts)

    def submit(self, work: Callable[[Any], Any], task: Any) -> Handle:
        if self.compiled:
            return self.executor.submit(work, task)
        result, had_to_compile = self.executor.submit(_watched, work, task).result()
        if had_to_compile:
            self.end()
            self.executor = self._started()
        self.compiled = True
        return _Done(result)

    def end(self) -> None:
        self.executor.shutdown(wait=True, cancel_futures=True)


def _watched(work: Callable[[Any], Any], task: Any) -> tuple[Any, bool]:
    """The result of a task, and whether anything was compiled for it."""
    from stammtisch.core.compiling import CompileNotice

    notice = CompileNotice(lambda line: print(line, file=sys.stderr, flush=True))
    notice.install()
    result = work(task)
    return result, notice.compilations > 0


class RayCluster:
    """The machines of a Ray cluster, or this one where none runs. All of them must see the same folders."""

    def __init__(self, ray: Any) -> None:
        self.ray = ray
        self.workers = max(1, int(ray.cluster_resources().get("CPU", 1)))

    def submit(self, work: Callable[[Any], Any], task: Any) -> Handle:
        reference = self.ray.remote(work).remote(task)
        return _FromRay(self.ray, reference)


class _FromRay:
    def __init__(self, ray: Any, reference: Any) -> None:
        self._ray, self._reference = ray, reference

    def result(self) -> Any:
        return self._ray.get(self._reference)


@contextmanager
def pool(workers: int | None = None, on_ray: bool = False) -> Iterator[Pool]:
    """A pool of ``workers`` processes (default: one per core), closed in the end."""
    if on_ray:
        ray = _ray()
        ray.init(include_dashboard=False, log_to_driver=False, ignore_reinit_error=True)
        try:
            yield RayCluster(ray)
        finally:
            ray.shutdown()
        return
    number = workers or os.cpu_count() or 1
    if number == 1:
        yield Here()
        return
    processes = Processes(number)
    try:
        yield processes
    except BrokenProcessPool:
        raise StammtischError(
            "a worker process was ended from outside, perhaps for want of memory; run the same command again"
            " with fewer --workers, it continues"
        ) from None
    finally:
        processes.end()


def _deaf_to_interrupts() -> None:
    """Ctrl-C is for the process that asked."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _ray() -> Any:
    try:
        import ray
    except ImportError:
        raise MissingExtra("--ray needs", "cluster") from None
    return ray


def in_order(pool: Pool, work: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
    """The results of all tasks in their order, at most a few tasks ahead of the one handed out."""
    waiting: deque[Handle] = deque()
    for task in tasks:
        waiting.append(pool.submit(work, task))
        if len(waiting) >= AHEAD * pool.workers:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()
