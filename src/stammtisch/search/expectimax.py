"""Expectimax: maxN with dice. Every player maximises his own expected score, over all throws with their probabilities.

All of it is looked at: averages leave no bounds to prune with. Without dice it finds what maxN finds.
"""

from __future__ import annotations

from stammtisch.core.compiling import compiled
from stammtisch.core.game import State
from stammtisch.core.kernel import OVER, Record, Records, apply, legal_actions, outcome, player
from stammtisch.search.lookahead import MAX_DEPTH, Lookahead, Result, check, leaf_values
from stammtisch.search.needs import open_cards_and_known_chance


def search(
    state: State,
    depth: int = MAX_DEPTH,
    ms: float | None = None,
    exact: bool = False,
    minds: Records | None = None,
) -> Result:
    """Search ``depth`` moves deep, or under a time limit as deep as it gets, at least one move.

    All values are exact. ``minds`` is the mind that judges the leaves, without one the game's own by hand.
    """
    check(state, depth, open_cards_and_known_chance)
    return _Expectimax(state, minds).search(depth, ms, exact)


class _Expectimax(Lookahead):
    def visit(self, depth: int, bound: float) -> None:
        _visit(self.desk, 1, depth)
        self.stack[1] = self.more[1]


# Called from Python only: numba 0.68 crashes when a function that calls a self-recursive one comes from the cache.
@compiled
def _visit(desk: Record, ply: int, depth: int) -> None:
    """Write the mean over all throws of the values of ``states[ply]`` to ``more[ply]``."""
    desk.counts[0] += 1
    state, mine, mean, actions = desk.states[ply], desk.stack[ply], desk.more[ply], desk.buffers[ply]
    if player(state) == OVER or depth == 0:
        leaf_values(desk, state, mean)
        return
    for seat in range(len(mean)):
        mean[seat] = 0.0
    which = 0
    probability = outcome(state, which)
    while probability > 0.0:
        me = player(state)
        n = legal_actions(state, actions)
        for i in range(n):
            desk.states[ply + 1] = state
            apply(desk.states[ply + 1], actions[i], desk.rngs[0])
            _visit(desk, ply + 1, depth - 1)
            if desk.stop[0]:
                return
            found = desk.more[ply + 1]
            if i == 0 or found[me] > mine[me]:
                for seat in range(len(mine)):
                    mine[seat] = found[seat]
        for seat in range(len(mean)):
            mean[seat] += probability * mine[seat]
        which += 1
        probability = outcome(state, which)
