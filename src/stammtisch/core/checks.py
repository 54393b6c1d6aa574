"""Numbers on their way into compiled code, which would take anything: their kind, their number, their range."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.errors import BadNumber, brief
from stammtisch.core.rng import WORDS, Rng

_WORD = 1 << 63


def code(action: Any) -> int:
    """What could be the code of an action."""
    return whole(action, "an action", -_WORD, _WORD - 1)


def whole(value: Any, what: str, low: int, high: int) -> int:
    """A whole number from ``low`` to ``high``; no float and no truth value.

    >>> whole(np.int16(3), "a seat", 0, 3)
    3
    """
    try:
        number = operator.index(value)
    except TypeError:
        number = None
    if number is None or isinstance(value, (bool, np.bool_)) or not low <= number <= high:
        limits = f"{low} or more" if high > 1 << 50 else f"{low} to {high}"
        raise BadNumber(f"{what} is {limits if low > -_WORD else 'a number of 64 bits'}, not {brief(value)}")
    return number


def wholes(values: Any, what: str, n: int) -> NDArray[np.int64]:
    """So many whole numbers in a row, as compiled code takes them."""
    try:
        array = np.asarray(values)
    except (ValueError, TypeError, OverflowError):
        raise BadNumber(f"{what} are {n} whole numbers, not {brief(values)}") from None
    if array.shape != (n,) or not (np.issubdtype(array.dtype, np.integer) or (n == 0 and array.size == 0)):
        raise BadNumber(f"{what} are {n} whole numbers, not {array.dtype} in the shape {array.shape}")
    if array.dtype == np.uint64 and array.size and array.max() > np.iinfo(np.int64).max:
        raise BadNumber(f"{what}: {array.max()} is beyond all actions")
    return array.astype(np.int64)


def real(value: Any, what: str, low: float, high: float) -> float:
    """A finite number in a range."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise BadNumber(f"{what} is a number, not {brief(value)}")
    if not low <= value <= high:
        raise BadNumber(f"{what} is from {low:g} to {high:g}, not {brief(value)}")
    return float(value)


def generator(rng: Any) -> Rng:
    """A random generator as :mod:`stammtisch.core.rng` makes them."""
    if not isinstance(rng, np.ndarray) or rng.shape != (WORDS,) or rng.dtype != np.int64 or not rng.flags.writeable:
        raise BadNumber(f"a random generator is made by stream(seed), it is not {brief(rng)}")
    return rng


def some_of(actions: Iterable[Any], legal: list[int]) -> list[int]:
    """Actions to choose from: some of the legal ones; ascending."""
    chosen = sorted({code(action) for action in actions})
    if not set(chosen) <= set(legal):
        raise BadNumber("the actions to choose from are some of the legal ones")
    return chosen
