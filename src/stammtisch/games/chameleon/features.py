"""Positions as inputs of networks: the plan's two encodings, a richer one, and the fourfold symmetry.

Every encoding is a flat float32 array. :func:`planes` sees the board from one seat (turned so that the
seat sits at the bottom, where red begins); the plan's encodings are absolute, as their author wrote them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import Record
from stammtisch.games.chameleon.board import (
    COLOUR_TURNED,
    GONE,
    NEXT,
    PAWNS,
    PLAYERS,
    ROLE,
    SIZE,
    SQUARES,
    TURNED,
)
from stammtisch.games.chameleon.rules import (
    MAX_COLUMN,
    MAX_ROW,
    MIN_COLUMN,
    MIN_ROW,
    MOST_MOVES,
    clear,
    moves_of,
    put,
    set_limits,
    set_turn,
)

Input = NDArray[np.float32]

PLAN_SQUARES_SIZE = 386  # 64 squares of 6 bits, 2 bits for the player to move
PLAN_PAWNS_SIZE = 126  # 16 pawns of 7 bits, 4 limits of 3 bits, 2 bits for the player to move
PLANES = 26


@compiled
def _bits(out: Input, place: int, value: int, n: int) -> int:
    """Write ``n`` binary digits, the highest first; the place after them."""
    for digit in range(n):
        out[place + digit] = value >> n - 1 - digit & 1
    return place + n


@compiled
def _in_play(state: Record, square: int) -> bool:
    row, column = square >> 3, square & 7
    return (state.limits[MIN_ROW] <= row <= state.limits[MAX_ROW]) & (
        state.limits[MIN_COLUMN] <= column <= state.limits[MAX_COLUMN]
    )


@compiled
def plan_squares(state: Record, out: Input) -> None:
    """386 bits. Each square: free 00, out of play 01, a pawn 10; its player; its knight colour. Then the turn."""
    place = 0
    for square in range(SQUARES):
        pawn = state.board[square] - 1
        if pawn >= 0:
            place = _bits(out, place, 2, 2)
            place = _bits(out, place, pawn >> 2, 2)
            place = _bits(out, place, pawn & 3, 2)
        else:
            place = _bits(out, place, 0 if _in_play(state, square) else 1, 2)
            place = _bits(out, place, 0, 4)
    _bits(out, place, state.turn, 2)


@compiled
def plan_pawns(state: Record, out: Input) -> None:
    """126 bits. Each pawn: row, column, alive (all 0 when it is gone). Then the limits and the turn."""
    place = 0
    for pawn in range(PAWNS):
        alive = state.square[pawn] != GONE
        place = _bits(out, place, state.square[pawn] if alive else 0, 6)
        place = _bits(out, place, alive, 1)
    for side in range(4):
        place = _bits(out, place, state.limits[side], 3)
    _bits(out, place, state.turn, 2)


@compiled
def planes(state: Record, seat: int, out: Input) -> None:
    """26 planes of 8x8, seen from the seat; players are counted from it in turn order.

    0-15 pawns by player and role; 16-19 squares that each player could move to; 20 squares in play;
    21-24 who is to move, a full plane; 25 how much of the limit of moves is used up.
    """
    out[: 25 * SQUARES] = 0.0
    turned = TURNED[seat]  # each quarter lowers every colour by one: so many make this seat red
    moves = np.empty(MOST_MOVES, dtype=np.int64)
    of = seat
    for place in range(PLAYERS):
        for pawn in range(4 * of, 4 * of + 4):
            square = int(state.square[pawn])
            if square != GONE:
                out[(4 * place + ROLE[pawn & 3, square]) * SQUARES + turned[square]] = 1.0
        for i in range(moves_of(state, of, moves)):
            out[(16 + place) * SQUARES + turned[moves[i] & 63]] = 1.0
        if state.turn == of and not state.over:
            out[(21 + place) * SQUARES : (22 + place) * SQUARES] = 1.0
        of = NEXT[of]
    for row in range(state.limits[MIN_ROW], state.limits[MAX_ROW] + 1):
        for column in range(state.limits[MIN_COLUMN], state.limits[MAX_COLUMN] + 1):
            out[20 * SQUARES + turned[SIZE * row + column]] = 1.0
    out[25 * SQUARES :] = np.float32(state.ply / state.max_plies if state.max_plies else 0.0)


@compiled
def turn_position(state: Record, quarters: int, out: Record) -> None:
    """Write the position turned clockwise so many times, with its colours changed: the same game seen anew.

    Values per player go to ``COLOUR_TURNED[quarters, player]``; options are those that ``out`` has.
    """
    clear(out)
    turned, recoloured = TURNED[quarters], COLOUR_TURNED[quarters]
    for pawn in range(PAWNS):
        if state.square[pawn] != GONE:
            put(out, 4 * recoloured[pawn >> 2] + recoloured[pawn & 3], turned[state.square[pawn]])
    first = turned[SIZE * state.limits[MIN_ROW] + state.limits[MIN_COLUMN]]
    last = turned[SIZE * state.limits[MAX_ROW] + state.limits[MAX_COLUMN]]
    rows, columns = (first >> 3, last >> 3), (first & 7, last & 7)
    set_limits(out, min(rows), max(rows), min(columns), max(columns))
    set_turn(out, recoloured[state.turn])
    out.ply = state.ply
    out.over = state.over


@compiled
def turn_action(action: int, quarters: int) -> int:
    """The same move on the turned board."""
    return TURNED[quarters, action >> 6] << 6 | TURNED[quarters, action & 63]
