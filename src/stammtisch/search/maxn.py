"""MaxN: every player maximises his own score.

With the sum of scores known two prunings keep the result exactly that of the plain search:
*immediate* (a move that gives the mover everything there is to win ends the search of the node) and
*shallow* (once the mover has so much that too little is left for the player one level up, that
player will not come here). Deeper bounds are not valid with more than two players (Korf 1991).
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
    """Search ``depth`` moves deep, or under a time limit as deep as it gets, at least one move.

    ``exact`` gives a true value to every root move, not only to the best one; ``evaluation`` names the
    estimate at the leaves, where the game has several.
    """
    check(state, depth)
    return _MaxN(state, evaluation).search(depth, ms, exact)


class _MaxN(Lookahead):
    def visit(self, depth: int, bound: float, stop: StopFlag) -> None:
        _visit(
            self.states,
            self.buffers,
            self.stack,
            1,
            depth,
            self.mover,
            bound,
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
    parent: int,
    bound: float,
    evaluation: int,
    seats: int,
    sums: Vector,
    stop: StopFlag,
    counts: NDArray[np.int64],
    rng: Rng,
) -> None:
    """Write the maxN values of ``states[ply]`` to ``stack[ply]``.

    ``parent`` already has ``bound`` for certain; when this node cannot give him more, the rest of it
    is not searched.
    """
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
        best = mine[me] if i > 0 else -np.inf
        _visit(states, buffers, stack, ply + 1, depth - 1, me, best, evaluation, seats, sums, stop, counts, rng)
        if stop[0]:
            return
        if stack[ply + 1, me] > best:
            for seat in range(seats):
                mine[seat] = stack[ply + 1, seat]
            if mine[me] >= sums[1]:  # immediate pruning
                return
            if parent != me and sums[0] - mine[me] - sums[2] <= bound:  # shallow pruning
                return
