"""One roll further: what an action is worth when the dice that follow are thrown many times.

All actions are compared on the same throws, so that luck does not decide between them.
"""

from __future__ import annotations

import numpy as np

from stammtisch.agents.clever.judge import Bench, judge_all
from stammtisch.agents.clever.net import Net
from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import OVER, Actions, Record, Records, Vector, apply, player
from stammtisch.core.rng import Rng
from stammtisch.games.clever.rules import MOST_ACTIONS, legal_actions
from stammtisch.games.clever.sheet import total_points


@compiled
def look_ahead(
    bench: Bench,
    work: Records,
    state: Record,
    actions: Actions,
    values: Vector,
    margin: float,
    throws: int,
    window: int,
    net: Net,
    rng: Rng,
) -> int:
    """Replace the values of all actions that are at most ``margin`` points behind by means over throws; the best."""
    best = values[: len(actions)].max()
    luck = rng.copy()
    chosen, most = 0, -np.inf
    for i in range(len(actions)):
        if values[i] < best - margin:
            continue
        rng[:] = luck
        values[i] = mean_worth(bench, work, state, actions[i], throws, window, net, rng)
        if values[i] > most:
            chosen, most = i, values[i]
    return chosen


@compiled
def mean_worth(
    bench: Bench, work: Records, state: Record, action: int, throws: int, window: int, net: Net, rng: Rng
) -> float:
    """The mean over throws of the best that can follow."""
    actions, values = np.empty(MOST_ACTIONS, dtype=np.int64), np.empty(MOST_ACTIONS)
    seat, total = int(state.turn), 0.0
    before = rng.copy()
    work[0] = state
    ahead = work[0]
    while True:  # bonuses and +1 actions, up to the one with which dice fall
        work[1] = ahead
        apply(ahead, action, rng)
        if player(ahead) == OVER:
            return float(total_points(ahead, seat))
        if not np.all(rng == before):
            break
        n = legal_actions(ahead, actions)
        action = actions[judge_all(bench, ahead, actions, n, window, net, values)]
    for throw in range(throws):
        if throw:
            work[0] = work[1]
            apply(ahead, action, rng)
        n = legal_actions(ahead, actions)
        total += values[judge_all(bench, ahead, actions, n, window, net, values)]
    return total / throws
