"""Reading what is written in match files: every value is of its kind and within its limits, or a BadField names it.

Whoever reads a file by these functions has no other errors to think of.
"""

from __future__ import annotations

from typing import Any

from stammtisch.core.errors import StammtischError, brief

MOST = 1e12  # numbers in match files are smaller
LONGEST = 10_000  # letters of a text


class BadField(StammtischError):
    """A value that is missing, of another kind, or beyond its limits."""


def entry(obj: Any, key: str) -> Any:
    """What an object has under a key."""
    if not isinstance(obj, dict):
        raise BadField(f"{brief(obj)} instead of an object")
    if key not in obj:
        raise BadField(f"'{key}' is missing")
    return obj[key]


def whole(obj: Any, key: str, low: int = 0, high: int = int(MOST)) -> int:
    """A whole number."""
    return _whole(entry(obj, key), key, low, high)


def number(obj: Any, key: str, low: float = -MOST, high: float = MOST) -> float:
    """A finite number."""
    return _number(entry(obj, key), key, low, high)


def text(obj: Any, key: str, choices: tuple[str, ...] = ()) -> str:
    """A text; one of the choices, where there are any."""
    return _text(entry(obj, key), key, choices)


def flag(obj: Any, key: str) -> bool:
    value = entry(obj, key)
    if not isinstance(value, bool):
        raise BadField(f"'{key}' is {brief(value)} and not true or false")
    return value


def items(obj: Any, key: str, least: int = 0) -> list[Any]:
    """A list."""
    value = entry(obj, key)
    if not isinstance(value, list) or len(value) < least:
        raise BadField(f"'{key}' is {brief(value)} and not a list of {least} or more")
    return value


def things(obj: Any, key: str) -> dict[str, Any]:
    """An object."""
    value = entry(obj, key)
    if not isinstance(value, dict):
        raise BadField(f"'{key}' is {brief(value)} and not an object")
    return value


def wholes(obj: Any, key: str, low: int = 0, high: int = int(MOST), least: int = 0) -> tuple[int, ...]:
    """A list of whole numbers."""
    return tuple(_whole(value, key, low, high) for value in items(obj, key, least))


def numbers(obj: Any, key: str) -> tuple[float, ...]:
    """A list of finite numbers."""
    return tuple(_number(value, key, -MOST, MOST) for value in items(obj, key))


def texts(obj: Any, key: str, least: int = 0) -> tuple[str, ...]:
    """A list of texts."""
    return tuple(_text(value, key, ()) for value in items(obj, key, least))


def _whole(value: Any, key: str, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise BadField(f"'{key}' is {brief(value)} and not a whole number from {low} to {high}")
    return value


def _number(value: Any, key: str, low: float, high: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise BadField(f"'{key}' is {brief(value)} and not a number from {low:g} to {high:g}")
    return float(value)


def _text(value: Any, key: str, choices: tuple[str, ...]) -> str:
    if not isinstance(value, str) or len(value) > LONGEST or (choices and value not in choices):
        wanted = f"one of {', '.join(choices)}" if choices else "a text"
        raise BadField(f"'{key}' is {brief(value)} and not {wanted}")
    return value
