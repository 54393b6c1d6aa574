"""Time limits for compiled searches.

A compiled search cannot ask for the time on every platform, but it can look at a flag. A timer thread
raises the flag; searches release the interpreter lock, so the thread runs while they think. Another
thread may raise it earlier, to break off a search nobody waits for any more.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T")
NO_LIMIT = 1 << 60
LONG_MS = 200  # from here on somebody may want to break off a search
_LONG_ITERATIONS = 100_000
StopFlag: TypeAlias = NDArray[np.int64]  # one element: 0 = go on, 1 = stop


@contextmanager
def time_limit(ms: float | None) -> Iterator[StopFlag]:
    """A flag that rises after ``ms`` milliseconds (None: never)."""
    flag = np.zeros(1, dtype=np.int64)
    if ms is None:
        yield flag
        return
    timer = threading.Timer(ms / 1000.0, flag.__setitem__, (0, 1))
    timer.daemon = True
    timer.start()
    try:
        yield flag
    finally:
        timer.cancel()


def run_timed(run: Callable[[int, StopFlag], int], iterations: int | None, ms: float | None) -> int:
    """Call ``run(iterations, stop)`` with the clock set; loading or compiling the code does not count as thinking."""
    if iterations is not None and iterations < 1:
        raise ValueError(f"a search needs at least one iteration, not {iterations}")
    if iterations is None and ms is None:
        raise ValueError("a search needs a limit: iterations or ms")
    if ms is not None:
        run(0, np.zeros(1, dtype=np.int64))
    with time_limit(ms) as stop:
        most = NO_LIMIT if iterations is None else iterations
        if (ms or 0) < LONG_MS and (iterations or 0) < _LONG_ITERATIONS:
            return run(most, stop)
        return interruptible(lambda: run(most, stop), stop)


def run_halving(
    run: Callable[[NDArray[np.int64], int, StopFlag], int],
    actions: Sequence[int],
    mean: Callable[[int], float],
    iterations: int | None,
    ms: float | None,
) -> int:
    """Sequential halving: ``run(alive, iterations, stop)`` in stages, after each only the better half stays alive."""
    alive = sorted(actions)
    stages = max(1, math.ceil(math.log2(len(alive))))
    done = 0
    for _ in range(stages):
        codes = np.array(alive, dtype=np.int64)
        share = None if iterations is None else max(len(alive), iterations // stages)
        done += run_timed(partial(run, codes), share, None if ms is None else ms / stages)
        alive = sorted(sorted(alive, key=lambda action: -mean(action))[: max(2, (len(alive) + 1) // 2)])
    return done


def interruptible(work: Callable[[], T], stop: StopFlag) -> T:
    """Let another thread do the work, so that Ctrl-C reaches this one and ends it."""
    with ThreadPoolExecutor(max_workers=1) as pool:
        result = pool.submit(work)
        try:
            return result.result()
        except KeyboardInterrupt:
            stop[0] = 1
            raise
