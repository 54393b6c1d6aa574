"""Hypermax: maxN with the pruning of alpha-beta for any number of players (Fridenfalk 2014).

Every player on the way down has a score he is sure of; once these add up to all there is, nobody above will come here.
With two players that is alpha-beta. With more it cuts deeper than maxN may: what it finds can differ from the maxN
value (the deep cuts are not valid for exact values, Korf 1991), but it looks further in the same time.
"""

from __future__ import annotations

from stammtisch.core.compiling import compiled
from stammtisch.core.errors import UnsuitableAgent
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
    """As :func:`stammtisch.search.maxn.search`, for games with a fixed sum of scores."""
    check(state, depth)
    if state.game.spec.score_sum is None:
        raise UnsuitableAgent(f"{state.game.info.name}: hypermax needs a game with a fixed sum of scores")
    return _Hypermax(state, minds).search(depth, ms, exact)


class _Hypermax(Lookahead):
    def visit(self, depth: int, bound: float) -> None:
        self.more[1] = self.worst
        self.more[1, self.mover] = max(bound, self.worst)
        _visit(self.desk, 1, depth)


# Called from Python only: numba 0.68 crashes when a function that calls a self-recursive one comes from the cache.
@compiled
def _visit(desk: Record, ply: int, depth: int) -> None:
    """Write the values of ``states[ply]`` to ``stack[ply]``; ``more[ply]``, what each is sure of, is used up."""
    desk.counts[0] += 1
    state, mine, sure, actions = desk.states[ply], desk.stack[ply], desk.more[ply], desk.buffers[ply]
    me = player(state)
    if me == OVER or depth == 0:
        leaf_values(desk, state, mine)
        return
    n = legal_actions(state, actions)
    for i in range(n):
        desk.states[ply + 1] = state
        apply(desk.states[ply + 1], actions[i], desk.rngs[0])
        for seat in range(len(mine)):
            desk.more[ply + 1, seat] = sure[seat]
        _visit(desk, ply + 1, depth - 1)
        if desk.stop[0]:
            return
        found = desk.stack[ply + 1]
        if i == 0 or found[me] > mine[me]:
            for seat in range(len(mine)):
                mine[seat] = found[seat]
            sure[me] = max(sure[me], mine[me])
            total = 0.0
            for seat in range(len(mine)):
                total += sure[seat]
            if total >= desk.sums[0]:
                return
