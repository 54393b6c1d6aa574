"""Expectimax: maxN with dice. Every player maximises his own expected score, over all throws with their probabilities.

All of it is looked at: averages leave no bounds to prune with. Without dice it finds what maxN finds.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.compiling import compiled
from stammtisch.core.game import State
from stammtisch.core.kernel import OVER, Records, apply, legal_actions, outcome, player
from stammtisch.core.rng import Rng
from stammtisch.search.clock import StopFlag
from stammtisch.search.lookahead import MAX_DEPTH, Lookahead, Result, check, leaf_values
from stammtisch.search.needs import open_cards_and_known_chance


def search(
    state: State,
    depth: int = MAX_DEPTH,
    ms: float | None = None,
    exact: bool = False,
    evaluation: str | None = None,
) -> Result:
    """Search ``depth`` moves deep, or under a time limit as deep as it gets, at least one move.

    All values are exact. ``evaluation`` names the estimate at the leaves, where the game has several.
    """
    check(state, depth, open_cards_and_known_chance)
    return _Expectimax(state, evaluation).search(depth, ms, exact)


class _Expectimax(Lookahead):
    def __init__(self, state: State, evaluation: str | None = None) -> None:
        super().__init__(state, evaluation)
        self.means = np.zeros_like(self.stack)

    def visit(self, depth: int, bound: float, stop: StopFlag) -> None:
        _visit(
            self.states,
            self.buffers,
            self.stack,
            self.means,
            1,
            depth,
            self.evaluation,
            self.seats,
            self.sums[0],
            stop,
            self.counts,
            self.rng,
        )
        self.stack[1] = self.means[1]


# Called from Python only: numba 0.68 crashes when a function that calls a self-recursive one comes from the cache.
@compiled
def _visit(
    states: Records,
    buffers: NDArray[np.int64],
    stack: NDArray[np.float64],
    means: NDArray[np.float64],
    ply: int,
    depth: int,
    evaluation: int,
    seats: int,
    score_sum: float,
    stop: StopFlag,
    counts: NDArray[np.int64],
    rng: Rng,
) -> None:
    """Write the mean over all throws of the values of ``states[ply]`` to ``means[ply]``."""
    counts[0] += 1
    state, mine, mean = states[ply], stack[ply], means[ply]
    if player(state) == OVER or depth == 0:
        counts[1] += player(state) != OVER
        leaf_values(state, evaluation, seats, score_sum, mean)
        return
    mean[:] = 0.0
    which = 0
    probability = outcome(state, which)
    while probability > 0.0:
        me = player(state)
        n = legal_actions(state, buffers[ply])
        for i in range(n):
            states[ply + 1] = state
            apply(states[ply + 1], buffers[ply, i], rng)
            _visit(states, buffers, stack, means, ply + 1, depth - 1, evaluation, seats, score_sum, stop, counts, rng)
            if stop[0]:
                return
            if i == 0 or means[ply + 1, me] > mine[me]:
                mine[:] = means[ply + 1]
        for seat in range(seats):
            mean[seat] += probability * mine[seat]
        which += 1
        probability = outcome(state, which)
