"""The learned evaluation, compiled: how likely a player is to be the one who is left at the end.

A position is seen by one player, turned so that he sits where red does: the game's fourfold symmetry is built in.
Sixteen pawns, four limits and the turn give 21 answers; each adds a row of weights to the sums of one layer of units,
which give the square of their sum, cut off at 0 and 1. Two positions that a search looks at one after the other differ
in a few answers, so only these are worked out. In a search the network counts in whole numbers: fast, and the same on
every machine, whichever way led to a position. The evaluation by hand goes straight to the result, so that the network
need only learn what it does not know.
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
from stammtisch.models.cards import Layout, network

Weights = NDArray[np.float32]
Answers = NDArray[np.int32]

UNITS = 256
SLOTS = PAWNS + 4 + 1
STAGES = 3  # one, two, three or more pawns left per player, on average
BUCKETS = 3 * 2 * STAGES  # of the last layer: two, three, four players left, whether it is the own turn, and the stage
FINE = 181  # whole numbers per unit: the square fits into 16 bits
MOST = (2**31 - 1) // FINE**2  # of the weights behind the units, in whole numbers: so the result fits into 32 bits

_LIMITS = PAWNS * (SQUARES + 1)  # the rows of the limits begin here
_TURNS = _LIMITS + 4 * SIZE
ROWS = _TURNS + PLAYERS
LAYOUT = Layout(
    title="network for the search of Chamäleon Schach",
    shapes={"rows": (ROWS, UNITS), "last": (BUCKETS, UNITS), "last_bias": (BUCKETS,), "by_hand": (BUCKETS,)},
    largest={"rows": (2**15 - 1) // (FINE * SLOTS)},  # so the sums of whole numbers fit into 16 bits
    advice="those of the plan play as td:net=",
)


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

    rows: Weights  # (ROWS, UNITS): what every answer adds to the units
    last: Weights  # (BUCKETS, UNITS)
    last_bias: Weights  # (BUCKETS,)
    by_hand: Weights  # (BUCKETS,): how much the odds by hand count


# A network ready for a search, and the sums of the last position that it looked at.
JUDGE = np.dtype(
    (
        np.record,
        [
            ("rows", np.int16, (ROWS, UNITS)),
            ("last", np.int16, (BUCKETS, UNITS)),
            ("step", np.float32, BUCKETS),  # what a whole number of the sum of the last layer is worth
            ("last_bias", np.float32, BUCKETS),
            ("by_hand", np.float32, BUCKETS),
            ("before", np.int32, SLOTS),  # the rows of the last position
            ("sums", np.int16, UNITS),  # and what they add up to
        ],
    )
)


def read_net(name: str) -> Net:
    """The network of this name, if it fits the search."""
    return Net(**network(name, LAYOUT))


def new_net(seed: int) -> Net:
    """A network that knows nothing: small random weights, and the chances of the evaluation by hand."""
    rng = np.random.default_rng(seed)
    return Net(
        rows=(rng.standard_normal((ROWS, UNITS)) * 0.1).astype(np.float32),
        last=np.zeros((BUCKETS, UNITS), dtype=np.float32),
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
    size = np.abs(net.last)
    fine = MOST / np.maximum(1.0, np.maximum(size.sum(axis=1), 2.1 * size.max(axis=1)))
    judge.last = np.trunc(net.last * fine[:, None])
    judge.step = 1.0 / (FINE**2 * fine)
    judge.last_bias = net.last_bias
    judge.by_hand = net.by_hand
    judge.before = 0
    judge.sums = judge.rows[0] * SLOTS


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
    pawns = 0
    for player in range(PLAYERS):
        pawns += state.alive[player]
    players = survivors(state)
    return (2 * (players - 2) + (state.turn == seat)) * STAGES + min(pawns // players, STAGES) - 1


@compiled
def odds(state: Record, seat: int) -> np.float32:
    """What the seat has of all pawns, by hand, against what the others have: the logarithm of the ratio."""
    mine = share(state, seat)
    return np.float32(np.log(mine / (WHOLE - mine)))


@compiled
def chance(judge: Record, state: Record, seat: int) -> float:
    """How likely the seat is to win; for positions in which it and another one are alive."""
    sums, rows, before = judge.sums, judge.rows, judge.before
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
            for i in range(UNITS):
                sums[i] += rows[row, i] - rows[old, i]
    bucket = bucket_of(state, seat)
    last, total = judge.last[bucket], np.int32(0)
    for i in range(UNITS):
        unit = min(max(sums[i], np.int16(0)), np.int16(FINE))
        total = np.int32(total + np.int32(np.int16(unit * unit)) * np.int32(last[i]))
    logit = judge.last_bias[bucket] + judge.by_hand[bucket] * odds(state, seat) + total * judge.step[bucket]
    return 1.0 / (1.0 + np.exp(-logit))
