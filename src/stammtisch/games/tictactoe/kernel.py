"""The rules, compiled.

Squares are numbered row by row from 0 to 8; an action is the square to mark. Seat 0 plays X, seat 1
plays O. Each seat's marks are a set of squares, one bit each.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import OVER, Actions, Kernel, Record, Vector
from stammtisch.core.rng import Rng

SQUARES = 9
FULL = 2**SQUARES - 1
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
HAS_LINE = np.array(
    [any(all(marks >> square & 1 for square in line) for line in LINES) for marks in range(FULL + 1)]
)  # for each of the 512 sets of squares, whether it holds three in a row

STATE = np.dtype(
    [
        ("marks", np.int16, 2),  # the squares of each seat
        ("turn", np.int16),  # seat to move, 0 when the game is over
    ]
)


@compiled
def new_game(state: Record, rng: Rng) -> None:
    """The empty board: all fields are zero already."""


@compiled
def player(state: Record) -> int:
    if HAS_LINE[state.marks[0]] or HAS_LINE[state.marks[1]] or state.marks[0] | state.marks[1] == FULL:
        return OVER
    return state.turn


@compiled
def legal_actions(state: Record, out: Actions) -> int:
    if player(state) == OVER:
        return 0
    free = FULL & ~(state.marks[0] | state.marks[1])
    n = 0
    for square in range(SQUARES):
        out[n] = square  # written first and counted only if free: no branch, twice as fast
        n += free >> square & 1
    return n


@compiled
def apply(state: Record, action: int, rng: Rng) -> None:
    state.marks[state.turn] |= 1 << action
    state.turn = 1 - state.turn
    if player(state) == OVER:
        state.turn = 0


@compiled
def scores(state: Record, out: Vector) -> None:
    """1 for the winner and 0 for the loser; half each for a draw and while the game goes on."""
    for seat in range(2):
        out[seat] = 0.5 + 0.5 * HAS_LINE[state.marks[seat]] - 0.5 * HAS_LINE[state.marks[1 - seat]]


@compiled
def observe(state: Record, seat: int, out: NDArray[np.float32]) -> None:
    """Two planes: the squares with an own mark, then those with a mark of the other."""
    for square in range(SQUARES):
        out[square] = state.marks[seat] >> square & 1
        out[SQUARES + square] = state.marks[1 - seat] >> square & 1


KERNEL = Kernel(
    state=STATE,
    new_game=new_game,
    player=player,
    legal_actions=legal_actions,
    apply=apply,
    scores=scores,
    observe=observe,
)
