"""The rules, compiled.

An action is 64 * the square a pawn leaves + the square it goes to. A seat is a colour; seats that the
line-up leaves empty never get a turn. ``board`` and ``square`` hold the same pawns twice, by place and by
pawn; ``in_row`` and ``in_column`` count them, so that the shrinking board is read off at once.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import OVER, Actions, Record, Vector
from stammtisch.core.rng import Rng
from stammtisch.games.chameleon.board import (
    BISHOP,
    EAST,
    GONE,
    JUMP_COUNT,
    JUMPS,
    KNIGHT,
    LEAST,
    LIMIT_KEY,
    NEXT,
    NORTH,
    NORTH_EAST,
    NORTH_WEST,
    PAWN_KEY,
    PAWNS,
    PLAYERS,
    ROLE,
    ROOK,
    SIZE,
    SOUTH,
    SOUTH_EAST,
    SOUTH_WEST,
    SQUARES,
    START,
    STEP,
    TURN_KEY,
    WEST,
)

MIN_ROW, MAX_ROW, MIN_COLUMN, MAX_COLUMN = range(4)
MOST_MOVES = 108  # four queens with 27 squares each would be the most
ACTIONS = SQUARES * SQUARES

STATE = np.dtype(
    [
        ("board", np.int8, SQUARES),  # 1 + the pawn on each square, 0 if free
        ("square", np.int8, PAWNS),  # of each pawn, GONE if it is no longer in play
        ("in_row", np.int8, SIZE),  # number of pawns
        ("in_column", np.int8, SIZE),
        ("limits", np.int8, 4),  # first and last row, first and last column still in play
        ("alive", np.int8, PLAYERS),  # pawns of each player
        ("turn", np.int8),  # the player to move; when the game is over, the first who is alive
        ("over", np.int8),
        ("line_up", np.int8),  # option: one bit per player
        ("max_plies", np.int16),  # option: 0 = no limit
        ("ply", np.int16),  # moves played, counted only if there is a limit: else they do not matter
        ("key", np.int64),  # Zobrist key of pawns, limits and turn
    ]
)


# --- setting up ------------------------------------------------------------------------------------------


@compiled
def new_game(state: Record, rng: Rng) -> None:
    """Four pawns each on their own side; the board is cut to them before the first move."""
    clear(state)
    for pawn in range(PAWNS):
        if state.line_up >> pawn // 4 & 1:
            put(state, pawn, START[pawn])
    set_limits(state, 0, SIZE - 1, 0, SIZE - 1)
    shrink(state)
    turn = 0
    while not state.line_up >> turn & 1:
        turn = NEXT[turn]
    set_turn(state, turn)


@compiled
def clear(state: Record) -> None:
    """An empty board of full size; options stay."""
    for square in range(SQUARES):
        state.board[square] = 0
    for pawn in range(PAWNS):
        state.square[pawn] = GONE
    for line in range(SIZE):
        state.in_row[line] = 0
        state.in_column[line] = 0
    for player in range(PLAYERS):
        state.alive[player] = 0
    state.turn = 0
    state.over = 0
    state.ply = 0
    state.key = TURN_KEY[0]
    for side in range(4):
        state.limits[side] = 0
        state.key ^= LIMIT_KEY[side, 0]


@compiled
def put(state: Record, pawn: int, square: int) -> None:
    state.board[square] = pawn + 1
    state.square[pawn] = square
    state.in_row[square >> 3] += 1
    state.in_column[square & 7] += 1
    state.alive[pawn >> 2] += 1
    state.key ^= PAWN_KEY[pawn, square]


@compiled
def take(state: Record, pawn: int) -> None:
    """Remove a pawn from the game."""
    square = state.square[pawn]
    state.board[square] = 0
    state.square[pawn] = GONE
    state.in_row[square >> 3] -= 1
    state.in_column[square & 7] -= 1
    state.alive[pawn >> 2] -= 1
    state.key ^= PAWN_KEY[pawn, square]


@compiled
def set_limit(state: Record, side: int, line: int) -> None:
    state.key ^= LIMIT_KEY[side, state.limits[side]] ^ LIMIT_KEY[side, line]
    state.limits[side] = line


@compiled
def set_limits(state: Record, min_row: int, max_row: int, min_column: int, max_column: int) -> None:
    set_limit(state, MIN_ROW, min_row)
    set_limit(state, MAX_ROW, max_row)
    set_limit(state, MIN_COLUMN, min_column)
    set_limit(state, MAX_COLUMN, max_column)


@compiled
def set_turn(state: Record, player: int) -> None:
    state.key ^= TURN_KEY[state.turn] ^ TURN_KEY[player]
    state.turn = player


# --- moves -----------------------------------------------------------------------------------------------


@compiled
def player(state: Record) -> int:
    if state.over:
        return OVER
    return state.turn


@compiled
def legal_actions(state: Record, out: Actions) -> int:
    if state.over:
        return 0
    return moves_of(state, state.turn, out)


@compiled
def moves_of(state: Record, mover: int, out: Actions) -> int:
    """What this player could move if it were his turn, ascending."""
    n = 0
    last = -1
    for _ in range(state.alive[mover]):
        square = SQUARES  # his next pawn in the order of squares
        moving = 0
        for pawn in range(4 * mover, 4 * mover + 4):
            if last < state.square[pawn] < square:
                square = int(state.square[pawn])
                moving = pawn
        last = square
        if ROLE[moving & 3, square] == KNIGHT:
            n = _jumps(state, mover, square, out, n)
        else:
            n = _slides(state, mover, square, ROLE[moving & 3, square], out, n)
    return n


@compiled
def _jumps(state: Record, mover: int, square: int, out: Actions, n: int) -> int:
    for i in range(JUMP_COUNT[square]):
        target = JUMPS[square, i]
        row, column = target >> 3, target & 7
        inside = (
            (row >= state.limits[MIN_ROW])
            & (row <= state.limits[MAX_ROW])
            & (column >= state.limits[MIN_COLUMN])
            & (column <= state.limits[MAX_COLUMN])
        )
        out[n] = square << 6 | target
        n += inside & (state.board[target] - 1 >> 2 != mover)
    return n


@compiled
def _slides(state: Record, mover: int, square: int, role: int, out: Actions, n: int) -> int:
    """First how far it goes in each direction, then the squares row by row: that is their order."""
    row, column = square >> 3, square & 7
    north, south = row - state.limits[MIN_ROW], state.limits[MAX_ROW] - row
    west, east = column - state.limits[MIN_COLUMN], state.limits[MAX_COLUMN] - column
    to_north_west = to_north_east = to_south_west = to_south_east = 0
    to_north = to_south = to_west = to_east = 0
    if role != ROOK:
        to_north_west = _reach(state, mover, square, NORTH_WEST, min(north, west))
        to_north_east = _reach(state, mover, square, NORTH_EAST, min(north, east))
        to_south_west = _reach(state, mover, square, SOUTH_WEST, min(south, west))
        to_south_east = _reach(state, mover, square, SOUTH_EAST, min(south, east))
    if role != BISHOP:
        to_north = _reach(state, mover, square, NORTH, north)
        to_south = _reach(state, mover, square, SOUTH, south)
        to_west = _reach(state, mover, square, WEST, west)
        to_east = _reach(state, mover, square, EAST, east)
    source = square << 6
    for far in range(max(to_north_west, to_north, to_north_east), 0, -1):
        above = source | square - SIZE * far
        out[n] = above - far
        n += to_north_west >= far
        out[n] = above
        n += to_north >= far
        out[n] = above + far
        n += to_north_east >= far
    for far in range(to_west, 0, -1):
        out[n] = source | square - far
        n += 1
    for far in range(1, to_east + 1):
        out[n] = source | square + far
        n += 1
    for far in range(1, max(to_south_west, to_south, to_south_east) + 1):
        below = source | square + SIZE * far
        out[n] = below - far
        n += to_south_west >= far
        out[n] = below
        n += to_south >= far
        out[n] = below + far
        n += to_south_east >= far
    return n


@compiled
def _reach(state: Record, mover: int, square: int, direction: int, lines: int) -> int:
    """How many squares it may go: to the limit, before an own pawn, or onto the first other one."""
    for far in range(lines):
        square += STEP[direction]
        if state.board[square]:
            return far + (state.board[square] - 1 >> 2 != mover)
    return lines


# --- playing a move, in the order of the rules' section 6 ---------------------------------------------------


@compiled
def apply(state: Record, action: int, rng: Rng) -> None:
    source, target = action >> 6, action & 63
    pawn = state.board[source] - 1
    if state.board[target]:
        take(state, state.board[target] - 1)
    state.board[source] = 0
    state.board[target] = pawn + 1
    state.square[pawn] = target
    state.in_row[source >> 3] -= 1
    state.in_row[target >> 3] += 1
    state.in_column[source & 7] -= 1
    state.in_column[target & 7] += 1
    state.key ^= PAWN_KEY[pawn, source] ^ PAWN_KEY[pawn, target]
    shrink(state)
    remove_stuck_knight(state)
    following = NEXT[state.turn]
    while state.alive[following] == 0:
        following = NEXT[following]
    set_turn(state, following)
    finish(state, 1)


@compiled
def shrink(state: Record) -> None:
    """Each axis on its own is cut to the lines that hold pawns, but not below three."""
    low, high = _fitted(state.in_row, state.limits[MIN_ROW], state.limits[MAX_ROW])
    left, right = _fitted(state.in_column, state.limits[MIN_COLUMN], state.limits[MAX_COLUMN])
    set_limits(state, low, high, left, right)


@compiled
def _fitted(pawns: NDArray[np.int8], first: int, last: int) -> tuple[int, int]:
    """The new limits of an axis with so many pawns in its lines."""
    low, high = first, last
    while pawns[low] == 0:
        low += 1
    while pawns[high] == 0:
        high -= 1
    while high - low + 1 < LEAST:
        if low > first:
            low -= 1
        if high - low + 1 < LEAST and high < last:
            high += 1
    return low, high


@compiled
def remove_stuck_knight(state: Record) -> None:
    """On a board of 3x3 a knight in the centre can never move again."""
    row, column = state.limits[MIN_ROW], state.limits[MIN_COLUMN]
    if state.limits[MAX_ROW] - row != 2 or state.limits[MAX_COLUMN] - column != 2 or survivors(state) < 2:
        return
    centre = SIZE * (row + 1) + column + 1
    pawn = state.board[centre] - 1
    if pawn >= 0 and ROLE[pawn & 3, centre] == KNIGHT:
        take(state, pawn)


@compiled
def survivors(state: Record) -> int:
    """The number of players who still have pawns."""
    alive = 0
    for player in range(PLAYERS):
        alive += state.alive[player] > 0
    return alive


@compiled
def finish(state: Record, moves: int) -> None:
    """Count moves where they are limited, and see whether the game is over."""
    state.over = survivors(state) < 2
    if state.max_plies:
        state.ply += moves
        state.over |= state.ply >= state.max_plies
    if state.over:  # nobody's turn: the field is that of the first who is alive, from red on
        first = 0
        while state.alive[first] == 0:
            first = NEXT[first]
        set_turn(state, first)


@compiled
def scores(state: Record, out: Vector) -> None:
    """1 for the last one alive; before, and when the limit of moves has come, all who are alive share it."""
    alive = survivors(state)
    for player in range(PLAYERS):
        out[player] = 1.0 / alive if state.alive[player] else 0.0
