"""What a worker does in place of thinking, when an agent is broken."""

from __future__ import annotations

import os
import time

from stammtisch.table.thinking import Request, Thought


def hangs(request: Request) -> Thought:
    time.sleep(3600)
    raise AssertionError


def fails(request: Request) -> Thought:
    raise ZeroDivisionError


def dies(request: Request) -> Thought:
    os._exit(1)


def cheats(request: Request) -> Thought:
    """A field that does not exist."""
    return Thought(99, [])


def babbles(request: Request) -> Thought:
    return "4"  # type: ignore[return-value]


ALL = (hangs, fails, dies, cheats, babbles)
