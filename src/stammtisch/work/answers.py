"""What comes back from a worker: a result, or what went wrong in a form that survives the way."""

from __future__ import annotations

import pickle
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from stammtisch.core.errors import StammtischError


@dataclass(frozen=True)
class Answer:
    """The result of one task, or its error."""

    result: Any = None
    error: Exception | None = None
    compiled: bool = False  # whether code had to be compiled for it

    def get(self) -> Any:
        if self.error is not None:
            raise self.error
        return self.result


def attempt(work: Callable[[Any], Any], task: Any) -> Answer:
    """Do a task; whatever it raises becomes part of the answer."""
    try:
        return Answer(work(task))
    except Exception as error:
        return Answer(error=portable(error))


def portable(error: Exception) -> Exception:
    """An error that another process can read, with where it happened unless it is what a user got wrong."""
    if not isinstance(error, StammtischError):
        error.add_note(f"in a worker:\n{traceback.format_exc()}")
    try:
        pickle.loads(pickle.dumps(error))  # our own bytes
    except Exception:
        if isinstance(error, StammtischError):
            return StammtischError(str(error))
        return RuntimeError(f"a worker failed:\n{traceback.format_exc()}")
    return error
