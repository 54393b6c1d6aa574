"""The value network, compiled: from the answers of ``sight.py`` to the points that are still to come.

Three layers. The first is a sum of rows, one per answer; the last is chosen by the round and the moment. Everything is
written so that the compiler can use wide instructions: sums run over columns, never within one number.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stammtisch.agents.clever.sight import BUCKETS, FIRST, ROWS, SLOTS, Answers
from stammtisch.core.compiling import compiled
from stammtisch.models.cards import Layout, network

Weights = NDArray[np.float32]

SCALE = 20.0  # points per unit of the network's output
LAYOUT = Layout(
    title="value network of clever",
    shapes={
        "rows": (ROWS, "wide"),
        "middle": ("wide", "narrow"),
        "middle_bias": ("narrow",),
        "last": (BUCKETS, "narrow"),
        "last_bias": (BUCKETS,),
    },
)


class Net(NamedTuple):
    """Weights; the names are those of the files they are kept in."""

    rows: Weights  # (ROWS, wide): what every answer adds to the first layer
    middle: Weights  # (wide, narrow)
    middle_bias: Weights  # (narrow,)
    last: Weights  # (BUCKETS, narrow)
    last_bias: Weights  # (BUCKETS,)


class Desk(NamedTuple):
    """Where a position is worked out: its answers, those of the one before, and the first layer they have led to."""

    answers: Answers
    before: Answers
    first: Weights
    second: Weights


def read_net(name: str) -> Net:
    """The network of this name, if it fits what the players see today."""
    return Net(**network(name, LAYOUT))


def new_net(wide: int, narrow: int, seed: int) -> Net:
    """A network that knows nothing: small random weights, and zero for every position."""
    rng = np.random.default_rng(seed)
    return Net(
        rows=(rng.standard_normal((ROWS, wide)) * 0.3 / np.sqrt(SLOTS)).astype(np.float32),
        middle=(rng.standard_normal((wide, narrow)) * np.sqrt(2.0 / wide)).astype(np.float32),
        middle_bias=np.zeros(narrow, dtype=np.float32),
        last=np.zeros((BUCKETS, narrow), dtype=np.float32),
        last_bias=np.zeros(BUCKETS, dtype=np.float32),
    )


def new_desk(net: Net) -> Desk:
    """A desk on which no position lies yet."""
    desk = Desk(
        answers=np.zeros(SLOTS, dtype=np.int32),
        before=np.zeros(SLOTS, dtype=np.int32),
        first=np.zeros(net.rows.shape[1], dtype=np.float32),
        second=np.zeros(net.middle.shape[1], dtype=np.float32),
    )
    clear(net, desk)
    return desk


@compiled
def clear(net: Net, desk: Desk) -> None:
    """Begin anew: after the weights have changed, and now and then, so that rounding depends on nothing before."""
    desk.first[:] = 0.0
    for slot in range(SLOTS):
        row = FIRST[slot]
        desk.before[slot] = row
        for i in range(len(desk.first)):
            desk.first[i] += net.rows[row, i]


@compiled
def points_to_come(net: Net, desk: Desk, bucket: int) -> float:
    """The output for ``desk.answers``; only answers that differ from those of the position before are worked out."""
    first, second = desk.first, desk.second
    for slot in range(SLOTS):
        row, old = desk.answers[slot], desk.before[slot]
        if row != old:
            new_row, old_row = net.rows[row], net.rows[old]
            for i in range(len(first)):
                first[i] += new_row[i] - old_row[i]
            desk.before[slot] = row
    second[:] = net.middle_bias
    for i in range(len(first)):
        strength = first[i]
        if strength > 0.0:
            weights = net.middle[i]
            for j in range(len(second)):
                second[j] += strength * weights[j]
    total = net.last_bias[bucket]
    last = net.last[bucket]
    for j in range(len(second)):
        if second[j] > 0.0:
            total += second[j] * last[j]
    return SCALE * float(total)
