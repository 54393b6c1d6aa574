"""How many positions there are."""

from __future__ import annotations

from itertools import product
from math import comb, perm, prod

from stammtisch.games.chameleon.board import LEAST, SIZE


def positions(players: int, size: int = SIZE, pawns: int = 4) -> int:
    """All pawns, limits and players to move of unfinished games of so many: no position of play is left out.

    A few are too many: those with a stuck knight, and those that no game reaches. Limits wider than three lines
    touch a pawn on both sides (by inclusion and exclusion); three lines may be empty anywhere.
    """
    total = 0
    for rows, columns in product(range(LEAST, size + 1), repeat=2):
        places = (size - rows + 1) * (size - columns + 1)
        total += places * sum(
            row_sign * column_sign * _ways(row_lines * column_lines, players, pawns)
            for row_sign, row_lines in _touching(rows)
            for column_sign, column_lines in _touching(columns)
        )
    return total


def _touching(lines: int) -> list[tuple[int, int]]:
    """Signs and numbers of lines that count what touches both outer lines."""
    return [(1, lines)] if lines == LEAST else [(1, lines), (-2, lines - 1), (1, lines - 2)]


def _ways(squares: int, players: int, pawns: int) -> int:
    """Pawns of at least two players on so many squares, times who is to move."""
    total = 0
    for left in product(range(pawns + 1), repeat=players):
        alive = sum(number > 0 for number in left)
        if alive >= 2:
            total += alive * prod(comb(pawns, number) for number in left) * perm(squares, sum(left))
    return total
