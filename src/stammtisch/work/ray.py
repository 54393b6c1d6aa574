"""The machines of a Ray cluster, or this one where none runs. All of them must see the same folders.

Ray itself does a task again whose process or machine is lost, and ends its workers with the program that asked.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from stammtisch.core.errors import MissingExtra
from stammtisch.work.answers import attempt
from stammtisch.work.pool import AHEAD, TRIES, Result, Task, lost, too_long


class RayCluster:
    """As many workers as the cluster has cores."""

    def __init__(self, ray: Any) -> None:
        self._ray = ray
        self.workers = max(1, int(ray.cluster_resources().get("CPU", 1)))

    def map(
        self, work: Callable[[Task], Result], tasks: Iterable[Task], seconds: float | None = None
    ) -> Iterator[Result]:
        """The time of a task counts from when those before it were done: after it was begun, or shortly before."""
        begin = self._ray.remote(attempt).options(max_retries=TRIES - 1)
        kept = self._ray.put(work)  # sent once to every machine, not with every task
        waiting: deque[Any] = deque()
        try:
            for task in tasks:
                waiting.append(begin.remote(kept, task))
                if len(waiting) >= AHEAD * self.workers:
                    yield self._result(waiting, seconds)
            while waiting:
                yield self._result(waiting, seconds)
        finally:
            for reference in waiting:
                self._ray.cancel(reference, force=True)

    def _result(self, waiting: deque[Any], seconds: float | None) -> Any:
        try:
            answer = self._ray.get(waiting[0], timeout=seconds)
        except self._ray.exceptions.GetTimeoutError:
            assert seconds is not None
            raise too_long(seconds) from None
        except self._ray.exceptions.WorkerCrashedError:
            waiting.popleft()
            raise lost(TRIES, "unknown") from None
        waiting.popleft()
        return answer.get()


@contextmanager
def cluster() -> Iterator[RayCluster]:
    """Join the cluster, or begin one of this machine's cores; leave it in the end."""
    try:
        import ray
    except ImportError:
        raise MissingExtra("--ray needs", "cluster") from None
    ray.init(include_dashboard=False, log_to_driver=False, ignore_reinit_error=True, logging_level=logging.ERROR)
    try:
        yield RayCluster(ray)
    finally:
        ray.shutdown()
