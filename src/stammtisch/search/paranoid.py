"""Paranoid: all others play together against the one who searches.

That makes two sides of any number of players, so full alpha-beta pruning is exact: it finds the score that the
searching player can be sure of, whatever the others do. With two players it is minimax.
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
    """As :func:`stammtisch.search.maxn.search`; only the searching player's own entry of the values is meant."""
    check(state, depth)
    return _Paranoid(state, minds).search(depth, ms, exact)


class _Paranoid(Lookahead):
    def visit(self, depth: int, bound: float) -> None:
        _visit(self.desk, 1, depth, bound, np.inf)


# Called from Python only: numba 0.68 crashes when a function that calls a self-recursive one comes from the cache.
@compiled
def _visit(desk: Record, ply: int, depth: int, alpha: float, beta: float) -> None:
    """Write the values of ``states[ply]`` to ``stack[ply]``; exact if the root's is between ``alpha`` and ``beta``."""
    desk.counts[0] += 1
    state, mine, actions = desk.states[ply], desk.stack[ply], desk.buffers[ply]
    root, me = desk.root, player(state)
    if me == OVER or depth == 0:
        leaf_values(desk, state, mine)
        return
    n = legal_actions(state, actions)
    for i in range(n):
        desk.states[ply + 1] = state
        apply(desk.states[ply + 1], actions[i], desk.rngs[0])
        _visit(desk, ply + 1, depth - 1, alpha, beta)
        if desk.stop[0]:
            return
        values = desk.stack[ply + 1]
        found = values[root]
        if i == 0 or (found > mine[root] if me == root else found < mine[root]):
            for seat in range(len(mine)):
                mine[seat] = values[seat]
            if me == root:
                alpha = max(alpha, found)
            else:
                beta = min(beta, found)
            if alpha >= beta:
                return
