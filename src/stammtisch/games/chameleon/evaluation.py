"""What a position is worth to each player, by hand: named functions, each with shares that add up to 1.

``pawns`` counts pawns and moves, as the plan for the thesis proposes; ``roles`` counts pawns and what they are at the
moment, as the thesis itself does. Both look at the board only: an estimate of who will be left at the end.
"""

from __future__ import annotations

import numpy as np

from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import Record, Vector
from stammtisch.games.chameleon.board import GONE, PAWNS, PLAYERS, ROLE
from stammtisch.games.chameleon.rules import MOST_MOVES, moves_of

PAWN_WORTH = 100.0
ROLE_WORTH = np.array([1.0, 5.0, 2.0, 3.0])  # knight, queen, bishop, rook
MOVE_WORTH = 0.01  # of a pawn


@compiled
def by_roles(state: Record, seat: int, out: Vector) -> None:
    """The thesis: every pawn 100, and 1 as a knight, 2 as a bishop, 3 as a rook, 5 as a queen."""
    for player in range(PLAYERS):
        out[player] = 0.0
    for pawn in range(PAWNS):
        if state.square[pawn] != GONE:
            out[pawn >> 2] += PAWN_WORTH + ROLE_WORTH[ROLE[pawn & 3, state.square[pawn]]]
    _shares(out)


@compiled
def by_pawns_and_moves(state: Record, seat: int, out: Vector) -> None:
    """The plan: every pawn 1, and 0.01 for each move that the player could make if it were his turn."""
    moves = np.empty(MOST_MOVES, dtype=np.int64)
    for player in range(PLAYERS):
        out[player] = state.alive[player] + MOVE_WORTH * moves_of(state, player, moves)
    _shares(out)


@compiled
def _shares(out: Vector) -> None:
    total = 0.0
    for player in range(PLAYERS):
        total += out[player]
    for player in range(PLAYERS):
        out[player] /= total
