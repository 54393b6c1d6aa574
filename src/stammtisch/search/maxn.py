"""MaxN: every player maximises his own score.

With the sum of scores known two prunings keep the result exactly that of the plain search:
*immediate* (a move that gives the mover everything there is to win ends the search of the node) and
*shallow* (once the mover has so much that too little is left for the player one level up, that
player will not come here). Deeper bounds are not valid with more than two players (Korf 1991).
"""

from __future__ import annotations

import numpy as np

from stammtisch.core.compiling import compiled
from stammtisch.core.game import State
from stammtisch.core.kernel import OVER, Record, Records, apply, legal_actions, player
from stammtisch.search.lookahead import MAX_DEPTH, Lookahead, Result, check, leaf_values


def search(
    state: State,
    depth: int = MAX_DEPTH,
    ms: float | None = None,
    exact: bool = False,
    minds: Records | None = None,
) -> Result:
    """Search ``depth`` moves deep, or under a time limit as deep as it gets, at least one move.

    ``exact`` gives a true value to every root move, not only to the best one; ``minds`` is the mind
    that judges the leaves, without one the game's own by hand.
    """
    check(state, depth)
    return _MaxN(state, minds).search(depth, ms, exact)


class _MaxN(Lookahead):
    def visit(self, depth: int, bound: float) -> None:
        _visit(self.desk, 1, depth, self.mover, bound)


# Called from Python only: numba 0.68 crashes when a function that calls a self-recursive one comes from the cache.
@compiled
def _visit(desk: Record, ply: int, depth: int, parent: int, bound: float) -> None:
    """Write the maxN values of ``states[ply]`` to ``stack[ply]``.

    ``parent`` already has ``bound`` for certain; when this node cannot give him more, the rest of it
    is not searched.
    """
    desk.counts[0] += 1
    state, mine, actions = desk.states[ply], desk.stack[ply], desk.buffers[ply]
    me = player(state)
    if me == OVER or depth == 0:
        leaf_values(desk, state, mine)
        return
    n = legal_actions(state, actions)
    for i in range(n):
        desk.states[ply + 1] = state
        apply(desk.states[ply + 1], actions[i], desk.rngs[0])
        best = mine[me] if i > 0 else -np.inf
        _visit(desk, ply + 1, depth - 1, me, best)
        if desk.stop[0]:
            return
        found = desk.stack[ply + 1]
        if found[me] > best:
            for seat in range(len(mine)):
                mine[seat] = found[seat]
            if mine[me] >= desk.sums[1]:  # immediate pruning
                return
            if parent != me and desk.sums[0] - mine[me] - desk.sums[2] <= bound:  # shallow pruning
                return
