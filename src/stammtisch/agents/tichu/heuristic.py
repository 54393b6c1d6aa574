"""A player of Tichu by rules of thumb, at once: the policy of the game itself."""

from __future__ import annotations

import numpy as np

from stammtisch.agents.base import Agent, Budget, Candidate, Choice, decision
from stammtisch.core.game import Game, Seat
from stammtisch.core.rng import Rng
from stammtisch.games.tichu.policy import decide


class Heuristic(Agent):
    """Splits the hand into few and safe groups and counts what is out; see ``games/tichu/policy.py``."""

    def __init__(self, game: Game) -> None:
        self._buffer = np.empty(game.spec.max_actions, dtype=np.int64)

    def choose(self, seat: Seat, rng: Rng, budget: Budget | None = None) -> Choice:
        decision(seat)
        action = int(decide(seat.sample(rng).record, self._buffer, rng))
        return Choice(action, [Candidate(action)])
