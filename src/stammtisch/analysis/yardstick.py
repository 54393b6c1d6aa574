"""How much an agent can be exploited, in games that are small enough to be known exactly."""

from __future__ import annotations

import numpy as np

from stammtisch.agents.catalog import agent
from stammtisch.core.rng import stream
from stammtisch.search.exact import Strategy, Tree


def strategy_of(tree: Tree, name: str, times: int, seed: int = 1) -> Strategy:
    """How often an agent takes each action, asked so many times in every information state, each time anew."""
    found = np.zeros((len(tree.actions), int(tree.actions.max())))
    for number, state in enumerate(tree.samples):
        seat = state.seat(state.player or 0)
        actions = seat.actions()
        for attempt in range(times):
            action = agent(name, tree.game).choose(seat, stream(seed, number, attempt)).action
            found[number, actions.index(action)] += 1.0 / times
    return found
