"""Paranoid: all others play together against the one who searches.

That makes two sides of any number of players, so full alpha-beta pruning is exact: it finds the score that the
searching player can be sure of, whatever the others do. With two players it is minimax.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.compiling import compiled
from stammtisch.core.game import State
from stammtisch.core.kernel import OVER, Records, Vector, apply, legal_actions, player
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
    """As :func:`stammtisch.search.maxn.search`; only the searching player's own entry of the values is meant."""
    check(state, depth)
    return _Paranoid(state, evaluation).search(depth, ms, exact)


class _Paranoid(Lookahead):
    def visit(self, depth: int, bound: float, stop: StopFlag) -> None:
        _visit(
            self.states,
            self.buffers,
            self.stack,
            1,
            depth,
            self.mover,
            bound,
            np.inf,
            self.evaluation,
            self.seats,
            self.sums,
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
    ply: int,
    depth: int,
    root: int,
    alpha: float,
    beta: float,
    evaluation: int,
    seats: int,
    sums: Vector,
    stop: StopFlag,
    counts: NDArray[np.int64],
    rng: Rng,
) -> None:
    """Write the values of ``states[ply]`` to ``stack[ply]``; exact if the root's is between ``alpha`` and ``beta``."""
    counts[0] += 1
    mine = stack[ply]
    me = player(states[ply])
    if me == OVER or depth == 0:
        counts[1] += me != OVER
        leaf_values(states[ply], evaluation, seats, sums[0], mine)
        return
    n = legal_actions(states[ply], buffers[ply])
    for i in range(n):
        states[ply + 1] = states[ply]
        apply(states[ply + 1], buffers[ply, i], rng)
        _visit(
            states, buffers, stack, ply + 1, depth - 1, root, alpha, beta, evaluation, seats, sums, stop, counts, rng
        )
        if stop[0]:
            return
        found = stack[ply + 1, root]
        if i == 0 or (found > mine[root] if me == root else found < mine[root]):
            for seat in range(seats):
                mine[seat] = stack[ply + 1, seat]
            if me == root:
                alpha = max(alpha, found)
            else:
                beta = min(beta, found)
            if alpha >= beta:
                return
