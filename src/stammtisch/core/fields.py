"""Reading a JSON position field by field: the value in its limits, or a BadPosition that names the field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from stammtisch.core.errors import BadPosition, brief


def integer(position: Mapping[str, Any], key: str, low: int, high: int) -> int:
    """A whole number from ``low`` to ``high``."""
    value = position[key]
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise BadPosition(key, f"a whole number from {low} to {high}, not {_short(value)}")
    return value


def integers(position: Mapping[str, Any], key: str, n: int | None, low: int, high: int) -> list[int]:
    """A list of ``n`` whole numbers (None: any number of them)."""
    return [integer({key: value}, key, low, high) for value in items(position, key, n)]


def items(position: Mapping[str, Any], key: str, n: int | None) -> list[Any]:
    """A list of ``n`` entries of any kind (None: any number of them)."""
    value = position[key]
    if not isinstance(value, list) or (n is not None and len(value) != n):
        raise BadPosition(key, f"a list of {f'{n} ' if n is not None else ''}entries, not {_short(value)}")
    return value


def text(position: Mapping[str, Any], key: str, choices: tuple[str, ...]) -> str:
    """One of these words."""
    value = position[key]
    if value not in choices or not isinstance(value, str):
        raise BadPosition(key, f"one of {', '.join(choices)}, not {_short(value)}")
    return value


def _short(value: Any) -> str:
    if value is None:
        return "null: a full position is needed, a seat's view is not enough"
    return brief(value)
