"""Positions and moves as text: ``3-5,3-6 R Rr33 Ry46`` and ``46>45``.

A position is the limits (rows, columns), the player to move, and the pawns: player, knight colour, row, column.
"""

from __future__ import annotations

import re
from typing import Any

from stammtisch.core.errors import BadMove, BadPosition
from stammtisch.games.chameleon.board import COLOURS, SIZE, SQUARES

_LIMITS = re.compile(r"([0-7])-([0-7]),([0-7])-([0-7])")
_PAWN = re.compile(r"([RGYB])([rgyb])([0-7])([0-7])")
_MOVE = re.compile(r"([0-7])([0-7])>([0-7])([0-7])")


def read_position(text: str) -> dict[str, Any]:
    """The limits, player and pawns of a text position, as in its JSON form."""
    words = text.split()
    if len(words) < 2:
        raise BadPosition("position", f"limits, player and pawns such as '3-5,3-6 R Rr33 Yy46', not '{text}'")
    limits, player = _LIMITS.fullmatch(words[0]), words[1]
    if limits is None:
        raise BadPosition("limits", f"rows and columns such as 3-5,3-6, not '{words[0]}'")
    if len(player) != 1 or player not in COLOURS:
        raise BadPosition("player", f"one of R, G, Y, B, not '{player}'")
    pawns = []
    for word in words[2:]:
        pawn = _PAWN.fullmatch(word)
        if pawn is None:
            raise BadPosition("pawns", f"player, knight colour, row and column such as Rr33, not '{word}'")
        owner, knight, row, column = pawn.groups()
        pawns.append([COLOURS.index(owner), COLOURS.index(knight.upper()), int(row), int(column)])
    return {
        "limits": [int(line) for line in limits.groups()],
        "player": COLOURS.index(player),
        "pawns": pawns,
    }


def write_position(limits: list[int], player: int, pawns: list[list[int]]) -> str:
    """The text that :func:`read_position` reads."""
    min_row, max_row, min_column, max_column = limits
    words = [f"{min_row}-{max_row},{min_column}-{max_column}", COLOURS[player]]
    words += [f"{COLOURS[owner]}{COLOURS[k].lower()}{row}{column}" for owner, k, row, column in pawns]
    return " ".join(words)


def read_move(text: str) -> int:
    move = _MOVE.fullmatch(text.strip())
    if move is None or move.groups()[:2] == move.groups()[2:]:
        raise BadMove(f"'{text}' is no move of Chamäleon Schach: two squares as row and column, such as 46>45")
    from_row, from_column, to_row, to_column = (int(digit) for digit in move.groups())
    return (from_row * SIZE + from_column) * SQUARES + to_row * SIZE + to_column


def write_move(action: int) -> str:
    source, target = divmod(action, SQUARES)
    if not 0 <= action < SQUARES * SQUARES or source == target:
        raise BadMove(f"{action} is no action of Chamäleon Schach: 64 * the square left + the square reached")
    return f"{source // SIZE}{source % SIZE}>{target // SIZE}{target % SIZE}"
