"""Hypermax: maxN with the pruning of alpha-beta for any number of players (Fridenfalk 2014).

Every player on the way down has a score he is sure of; once these add up to all there is, nobody above will come here.
With two players that is alpha-beta. With more it cuts deeper than maxN may: what it finds can differ from the maxN
value (the deep cuts are not valid for exact values, Korf 1991), but it looks further in the same time.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.compiling import compiled
from stammtisch.core.errors import UnsuitableAgent
from stammtisch.core.game import State
from stammtisch.core.kernel import OVER, Records, apply, legal_actions, player
from stammtisch.core.rng import Rng
from stammtisch.search.clock import StopFlag
from stammtisch.search.lookahead import MAX_DEPTH, Lookahead, Result, check, leaf_values


def search(
    state: State,
    depth: int = MAX_DEPTH,
    ms: float | None = None,
    exact: bool = False,
    evaluation: str | None = None,
) -> Result:
    """As :func:`stammtisch.search.maxn.search`, for games with a fixed sum of scores."""
    check(state, depth)
    if state.game.spec.score_sum is None:
        raise UnsuitableAgent(f"{state.game.info.name}: hypermax needs a game with a fixed sum of scores")
    return _Hypermax(state, evaluation).search(depth, ms, exact)


class _Hypermax(Lookahead):
    def __init__(self, state: State, evaluation: str | None) -> None:
        super().__init__(state, evaluation)
        self.sure = np.zeros((MAX_DEPTH + 1, self.seats))  # what each seat is sure of, ply by ply

    def visit(self, depth: int, bound: float, stop: StopFlag) -> None:
        self.sure[1] = self.worst
        self.sure[1, self.mover] = max(bound, self.worst)
        _visit(
            self.states,
            self.buffers,
            self.stack,
            self.sure,
            1,
            depth,
            self.evaluation,
            self.seats,
            self.sums[0],
            stop,
            self.counts,
            self.rng,
        )


# Called from Python only: numba 0.68 crashes when a function that calls a self-recursive one comes from the cache.
@compiled
def _visit(
    states: Records,
    buffers: NDArray[np.int64],
    stack: NDArray[np.float64],
    sure: NDArray[np.float64],
    ply: int,
    depth: int,
    evaluation: int,
    seats: int,
    score_sum: float,
    stop: StopFlag,
    counts: NDArray[np.int64],
    rng: Rng,
) -> None:
    """Write the values of ``states[ply]`` to ``stack[ply]``; ``sure[ply]`` is used up."""
    counts[0] += 1
    mine = stack[ply]
    me = player(states[ply])
    if me == OVER or depth == 0:
        counts[1] += me != OVER
        leaf_values(states[ply], evaluation, seats, score_sum, mine)
        return
    n = legal_actions(states[ply], buffers[ply])
    for i in range(n):
        states[ply + 1] = states[ply]
        apply(states[ply + 1], buffers[ply, i], rng)
        for seat in range(seats):
            sure[ply + 1, seat] = sure[ply, seat]
        _visit(states, buffers, stack, sure, ply + 1, depth - 1, evaluation, seats, score_sum, stop, counts, rng)
        if stop[0]:
            return
        if i == 0 or stack[ply + 1, me] > mine[me]:
            for seat in range(seats):
                mine[seat] = stack[ply + 1, seat]
            sure[ply, me] = max(sure[ply, me], mine[me])
            total = 0.0
            for seat in range(seats):
                total += sure[ply, seat]
            if total >= score_sum:
                return
