"""The learned evaluation, compiled: how likely a player is to be the one who is left at the end.

A position is seen by one player, turned so that he sits where red does: the game's fourfold symmetry is built in.
Sixteen pawns, four limits and the turn give 21 answers; each adds a row of weights to the first layer. Two positions
that a search looks at one after the other differ in a few answers, so only these are worked out. In a search the first
two layers count in whole numbers: fast, and the same on every machine, whichever way led to a position. The evaluation
by hand goes straight to the last layer, so that the network need only learn what it does not know.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stammtisch.agents.chameleon.hand import WHOLE, share
from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import Record, Records
from stammtisch.games.chameleon.board import COLOUR_TURNED, PAWNS, PLAYERS, SIZE, SQUARES, TURNED
from stammtisch.games.chameleon.rules import MAX_COLUMN, MAX_ROW, MIN_COLUMN, MIN_ROW, survivors

Weights = NDArray[np.float32]
Answers = NDArray[np.int32]

WIDE = 64  # units of the first layer
NARROW = 16  # and of the second
SLOTS = PAWNS + 4 + 1
BUCKETS = 6  # of the last layer: two, three, four players left, and whether it is the own turn
FINE = 256  # whole numbers per unit, of weights and of sums
MOST = 4095  # a unit of the first layer gives at most this
HEAVIEST = 2047  # and no weight behind it is greater: sums of WIDE such products fit into 32 bits

_LIMITS = PAWNS * (SQUARES + 1)  # the rows of the limits begin here
_TURNS = _LIMITS + 4 * SIZE
ROWS = _TURNS + PLAYERS


def _pawn_rows() -> NDArray[np.int32]:
    """Seen by a player, a pawn on a square: the number of its row; the square is counted from 1, 0 means gone."""
    rows = np.empty((PLAYERS, PAWNS, SQUARES + 1), dtype=np.int32)
    for seat in range(PLAYERS):
        for pawn in range(PAWNS):
            seen = 4 * COLOUR_TURNED[seat, pawn >> 2] + COLOUR_TURNED[seat, pawn & 3]
            rows[seat, pawn, 0] = seen * (SQUARES + 1)
            rows[seat, pawn, 1:] = seen * (SQUARES + 1) + 1 + TURNED[seat]
    return rows


def _limit_rows() -> NDArray[np.int32]:
    """Seen by a player, a limit (side, line): the number of its row."""
    quarter = {MIN_ROW: MAX_COLUMN, MAX_ROW: MIN_COLUMN, MIN_COLUMN: MIN_ROW, MAX_COLUMN: MAX_ROW}
    rows = np.empty((PLAYERS, 4, SIZE), dtype=np.int32)
    for seat in range(PLAYERS):
        for side in range(4):
            for line in range(SIZE):
                seen_side, seen_line = side, line
                for _ in range(seat):
                    if seen_side in (MIN_ROW, MAX_ROW):
                        seen_line = SIZE - 1 - seen_line
                    seen_side = quarter[seen_side]
                rows[seat, side, line] = _LIMITS + SIZE * seen_side + seen_line
    return rows


PAWN_ROW = _pawn_rows()
LIMIT_ROW = _limit_rows()
TURN_ROW = (_TURNS + COLOUR_TURNED).astype(np.int32)


class Net(NamedTuple):
    """Weights; the names are those of the files they are kept in."""

    rows: Weights  # (ROWS, WIDE): what every answer adds to the first layer
    middle: Weights  # (WIDE, NARROW)
    middle_bias: Weights  # (NARROW,)
    last: Weights  # (BUCKETS, NARROW)
    last_bias: Weights  # (BUCKETS,)
    by_hand: Weights  # (BUCKETS,): how much the odds by hand count


# A network ready for a search, and the sums of the last position that it looked at.
JUDGE = np.dtype(
    (
        np.record,
        [
            ("rows", np.int16, (ROWS, WIDE)),
            ("middle", np.int16, (NARROW, WIDE)),
            ("middle_bias", np.int32, NARROW),
            ("last", np.float32, (BUCKETS, NARROW)),
            ("last_bias", np.float32, BUCKETS),
            ("by_hand", np.float32, BUCKETS),
            ("before", np.int32, SLOTS),  # the rows of the last position
            ("first", np.int16, WIDE),  # the sums of these rows
            ("out", np.int16, WIDE),  # what the first layer makes of them
        ],
    )
)


def new_net(seed: int) -> Net:
    """A network that knows nothing: small random weights, and the chances of the evaluation by hand."""
    rng = np.random.default_rng(seed)
    return Net(
        rows=(rng.standard_normal((ROWS, WIDE)) * 0.1).astype(np.float32),
        middle=(rng.standard_normal((WIDE, NARROW)) * np.sqrt(2.0 / WIDE)).astype(np.float32),
        middle_bias=np.zeros(NARROW, dtype=np.float32),
        last=np.zeros((BUCKETS, NARROW), dtype=np.float32),
        last_bias=np.zeros(BUCKETS, dtype=np.float32),
        by_hand=np.full(BUCKETS, 3.0, dtype=np.float32),
    )


def new_judge(net: Net | None = None) -> Records:
    """One record, ready for a first position; without a network it judges nothing."""
    judge = np.zeros(1, dtype=JUDGE)
    if net is not None:
        teach(judge[0], net)
    return judge


def teach(judge: Record, net: Net) -> None:
    """Give a judge the weights of a network."""
    judge.rows = np.rint(net.rows * FINE)
    judge.middle = np.rint(np.clip(net.middle.T * FINE, -HEAVIEST, HEAVIEST))
    judge.middle_bias = np.rint(net.middle_bias * FINE**2)
    judge.last = net.last / FINE**2
    judge.last_bias = net.last_bias
    judge.by_hand = net.by_hand
    judge.before = 0
    judge.first = judge.rows[0] * SLOTS


@compiled
def answers_of(state: Record, seat: int, out: Answers) -> None:
    """The rows that make up the position as the seat sees it."""
    for pawn in range(PAWNS):
        out[pawn] = PAWN_ROW[seat, pawn, state.square[pawn] + 1]
    for side in range(4):
        out[PAWNS + side] = LIMIT_ROW[seat, side, state.limits[side]]
    out[PAWNS + 4] = TURN_ROW[seat, state.turn]


@compiled
def bucket_of(state: Record, seat: int) -> int:
    """Which last layer judges the position."""
    return 2 * (survivors(state) - 2) + (state.turn == seat)


@compiled
def odds(state: Record, seat: int) -> np.float32:
    """What the seat has of all pawns, by hand, against what the others have: the logarithm of the ratio."""
    mine = share(state, seat)
    return np.float32(np.log(mine / (WHOLE - mine)))


@compiled
def chance(judge: Record, state: Record, seat: int) -> float:
    """How likely the seat is to win; for positions in which it and another one are alive."""
    first, out, middle, rows, before = judge.first, judge.out, judge.middle, judge.rows, judge.before
    for slot in range(SLOTS):
        if slot < PAWNS:
            row = PAWN_ROW[seat, slot, state.square[slot] + 1]
        elif slot < PAWNS + 4:
            row = LIMIT_ROW[seat, slot - PAWNS, state.limits[slot - PAWNS]]
        else:
            row = TURN_ROW[seat, state.turn]
        old = before[slot]
        if row != old:
            before[slot] = row
            for i in range(WIDE):
                first[i] += rows[row, i] - rows[old, i]
    for i in range(WIDE):
        out[i] = min(max(first[i], np.int16(0)), np.int16(MOST))
    bucket = bucket_of(state, seat)
    total = judge.last_bias[bucket] + judge.by_hand[bucket] * odds(state, seat)
    for j in range(NARROW):
        unit = np.int32(0)
        for i in range(WIDE):
            unit = np.int32(unit + np.int32(out[i]) * np.int32(middle[j, i]))
        total += np.float32(max(unit + judge.middle_bias[j], 0)) * judge.last[bucket, j]
    return 1.0 / (1.0 + np.exp(-total))
