"""How a worker process ends: with the process that started it, however that one ended, and not by Ctrl-C.

A killed parent cannot say goodbye. On Linux the kernel ends the worker (also in the middle of compiled code, where no
thread of Python gets a turn); elsewhere a thread waits for the parent's end.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import wait

_PR_SET_PDEATHSIG = 1


def end_with_parent() -> None:
    """Called once by every worker process, first of all."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    assert parent.pid is not None
    _killed_with(parent.pid)
    if hasattr(os, "register_at_fork"):  # what a worker's work forks ends with the worker
        os.register_at_fork(after_in_child=lambda: _killed_with(os.getppid()))
    threading.Thread(target=_wait_for_the_end, args=(parent.sentinel,), daemon=True).start()


def _killed_with(parent: int) -> None:
    if not sys.platform.startswith("linux"):
        return
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:  # it ended before we could ask
        os._exit(1)


def _wait_for_the_end(sentinel: int) -> None:
    with suppress(OSError):  # a closed descriptor is no reason to stay
        wait([sentinel])
    os._exit(1)


def group_of_its_own() -> None:
    """What a worker starts belongs to its group and can be ended with it; a terminal's Ctrl-C does not reach it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "setsid"):
        os.setsid()


def kill_group(leader: int) -> None:
    """End a worker's group, with all that is left of it."""
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(leader, signal.SIGKILL)


@contextmanager
def deaf_to_interrupts() -> Iterator[None]:
    """Processes started here do not hear Ctrl-C: the one who gives the work decides when to stop."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
