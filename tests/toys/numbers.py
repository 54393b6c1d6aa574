"""Moves that are just a number."""

from stammtisch.core.errors import BadMove


def parse_number(text: str, n: int) -> int:
    if text.isascii() and text.isdigit() and len(text) < 9 and int(text) < n:
        return int(text)
    raise BadMove(f"'{text}' is not 0 to {n - 1}")


def format_number(action: int, n: int) -> str:
    if 0 <= action < n:
        return str(action)
    raise BadMove(f"{action} is not 0 to {n - 1}")
