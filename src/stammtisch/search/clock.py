"""Time limits for compiled searches.

A compiled search cannot ask for the time on every platform, but it can look at a flag. A timer thread
raises the flag; searches release the interpreter lock, so the thread runs while they think. Another
thread may raise it earlier, to break off a search nobody waits for any more.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.checks import real

T = TypeVar("T")
NO_LIMIT = 1 << 60
LONG_MS = 200  # from here on somebody may want to break off a search
_LONG_ITERATIONS = 100_000
StopFlag: TypeAlias = NDArray[np.int64]  # one element: 0 = go on, 1 = stop


@contextmanager
def time_limit(ms: float | None, flag: StopFlag | None = None) -> Iterator[StopFlag]:
    """A flag that rises after ``ms`` milliseconds (None: never); a new one, where none is given."""
    flag = np.zeros(1, dtype=np.int64) if flag is None else flag
    if ms is None:
        yield flag
        return
    real(ms, "a time in milliseconds", 0.0, 1e12)
    timer = threading.Timer(ms / 1000.0, flag.__setitem__, (0, 1))
    timer.daemon = True
    timer.start()
    try:
        yield flag
    finally:
        timer.cancel()
        timer.join()  # the flag may be asked again


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


def interruptible(work: Callable[[], T], stop: StopFlag) -> T:
    """Let another thread do the work, so that Ctrl-C reaches this one and ends it."""
    with ThreadPoolExecutor(max_workers=1) as pool:
        result = pool.submit(work)
        try:
            return result.result()
        except KeyboardInterrupt:
            stop[0] = 1
            raise
