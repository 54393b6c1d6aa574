"""A pool: tasks in, results out in the order of the tasks, wherever the work is done.

What is written from the results does not depend on who was first, nor on how many work.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

from stammtisch.core.errors import StammtischError

Task = TypeVar("Task")
Result = TypeVar("Result")

AHEAD = 2  # tasks in the queue of every worker, so that none waits for the next
TRIES = 3  # how often a task is begun whose worker ends without a word


class LostWork(StammtischError):
    """A task that nobody could finish: it took too long, or its workers ended one after the other."""


class Pool(Protocol):
    """Something that works. ``workers`` is how many tasks it can do at the same time."""

    workers: int

    def map(
        self, work: Callable[[Task], Result], tasks: Iterable[Task], seconds: float | None = None
    ) -> Iterator[Result]:
        """The results of all tasks in their order, at most a few tasks ahead of the one handed out.

        What a task raises is raised in its turn. A task whose worker dies is done again by another one; one that takes
        longer than ``seconds`` is given up with LostWork.
        """
        ...


class Here:
    """The process that asks. Nobody watches it: there is no limit of time."""

    workers = 1

    def map(
        self, work: Callable[[Task], Result], tasks: Iterable[Task], seconds: float | None = None
    ) -> Iterator[Result]:
        return map(work, tasks)


@contextmanager
def pool(workers: int | None = None, on_ray: bool = False, rehearse: bool = True) -> Iterator[Pool]:
    """A pool of ``workers`` processes (default: one per core), or of a Ray cluster, closed in the end.

    ``rehearse``: all tasks need the same compiled code, which is compiled once, with the first of them.
    """
    if on_ray:
        from stammtisch.work.ray import cluster

        with cluster() as machines:
            yield machines
        return
    number = workers or os.cpu_count() or 1
    if number == 1:
        yield Here()
        return
    from stammtisch.work.processes import Processes

    processes = Processes(number, rehearse=rehearse)
    try:
        yield processes
    finally:
        processes.close()


def lost(tries: int, code: Any) -> LostWork:
    """The sentence about a task whose workers ended."""
    return LostWork(
        f"a worker process was ended from outside {tries} times at the same work (exit code {code}), perhaps for want"
        " of memory; run the same command again with fewer --workers"
    )


def too_long(seconds: float) -> LostWork:
    return LostWork(f"a task took longer than {seconds:g} seconds and was given up")
