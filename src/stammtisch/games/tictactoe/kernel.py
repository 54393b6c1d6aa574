"""The rules, compiled.

Squares are numbered row by row from 0 to 8; an action is the square to mark. Seat 0 plays X, seat 1
plays O. A square holds 0 when free, else the seat's mark, seat + 1.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import OVER, Actions, Kernel, Record, Vector
from stammtisch.core.rng import Rng

SQUARES = 9
LINES = np.array([(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)])

STATE = np.dtype(
    [
        ("board", np.int8, SQUARES),
        ("turn", np.int8),  # seat to move; the other one after the last move
        ("winner", np.int8),  # mark of the seat with three in a row, 0 for nobody
        ("filled", np.int8),  # number of marks on the board
    ]
)


@compiled
def new_game(state: Record, rng: Rng) -> None:
    """The empty board: all fields are zero already."""


@compiled
def player(state: Record) -> int:
    if state.winner != 0 or state.filled == SQUARES:
        return OVER
    return state.turn


@compiled
def legal_actions(state: Record, out: Actions) -> int:
    if player(state) == OVER:
        return 0
    n = 0
    for square in range(SQUARES):
        if state.board[square] == 0:
            out[n] = square
            n += 1
    return n


@compiled
def apply(state: Record, action: int, rng: Rng) -> None:
    mark = state.turn + 1
    state.board[action] = mark
    state.filled += 1
    if has_line(state, mark):
        state.winner = mark
    state.turn = 1 - state.turn


@compiled
def has_line(state: Record, mark: int) -> bool:
    """Whether the mark stands three in a row."""
    for i in range(len(LINES)):
        a, b, c = LINES[i]
        if state.board[a] == mark and state.board[b] == mark and state.board[c] == mark:
            return True
    return False


@compiled
def scores(state: Record, out: Vector) -> None:
    """1 for the winner and 0 for the loser; half each for a draw and while the game goes on."""
    for seat in range(2):
        out[seat] = 0.5
        if state.winner != 0:
            out[seat] = 1.0 if state.winner == seat + 1 else 0.0


@compiled
def observe(state: Record, seat: int, out: NDArray[np.float32]) -> None:
    """Nine squares with an own mark, then nine with a mark of the other."""
    for square in range(SQUARES):
        mark = state.board[square]
        out[square] = 1.0 if mark == seat + 1 else 0.0
        out[SQUARES + square] = 1.0 if mark == 2 - seat else 0.0


KERNEL = Kernel(
    state=STATE,
    max_seats=2,
    max_actions=SQUARES,
    observation_size=2 * SQUARES,
    new_game=new_game,
    player=player,
    legal_actions=legal_actions,
    apply=apply,
    scores=scores,
    observe=observe,
)
