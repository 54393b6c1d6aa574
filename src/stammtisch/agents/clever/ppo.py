"""The player of clever that masked PPO has taught: preferences of the 247 actions of the thesis, at once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from stammtisch.agents.base import Agent, Budget, Candidate, Choice, decision
from stammtisch.core.errors import UnsuitableAgent
from stammtisch.core.game import Game, Seat
from stammtisch.core.rng import Rng
from stammtisch.games.clever import features, thesis
from stammtisch.models.cards import network
from stammtisch.models.network import LayeredNetwork, layers

MODEL = "clever-ppo-taught"
LAYOUT = replace(
    layers(features.size(1), thesis.ACTIONS),
    title="network of PPO for clever",
    advice="name another with net=, or leave net= out",
)


class Ppo(Agent):
    """Takes the most likely action. It has learned the rules of the thesis and plays the official ones, too, alone."""

    def __init__(self, game: Game, net: str) -> None:
        if game.options["players"] != 1 or game.options["rules"] == "prototype":
            raise UnsuitableAgent(
                "agent 'ppo' plays alone by the rules official and thesis; take 'value' or 'heuristic'"
            )
        self._net = LayeredNetwork(network(net or MODEL, LAYOUT))
        self._buffer = np.empty(game.spec.max_actions, dtype=np.int64)

    def choose(self, seat: Seat, rng: Rng, budget: Budget | None = None) -> Choice:
        actions, record = decision(seat), seat.sample(rng).record
        mask = np.empty(thesis.ACTIONS, dtype=np.bool_)
        thesis.fill_mask(record, self._buffer, mask)
        numbers = np.flatnonzero(mask)
        preferences = self._net.judge(seat.observation()[None], mask[None])[0][0, numbers]
        chances = np.exp(preferences - preferences.max())
        shares: dict[int, float] = dict.fromkeys(actions, 0.0)
        for number, chance in zip(numbers, chances / chances.sum(), strict=True):
            shares[int(thesis.action_of(record, int(number), self._buffer))] += float(chance)
        order = sorted(actions, key=lambda action: -shares[action])
        return Choice(order[0], [Candidate(action, share=shares[action]) for action in order])
