"""Players of madn, dmadn and dog by rules of thumb, at once: the policies of ``games/dog/policy.py``."""

from __future__ import annotations

import numpy as np

from stammtisch.agents.base import Agent, Budget, Candidate, Choice, decision
from stammtisch.core.game import Game, Seat
from stammtisch.core.rng import Rng
from stammtisch.games.dog import policy


class Greedy(Agent):
    """Moves so that its side is as far ahead as possible after the move."""

    decide = staticmethod(policy.greedy)

    def __init__(self, game: Game) -> None:
        self._buffer = np.empty(game.spec.max_actions, dtype=np.int64)

    def choose(self, seat: Seat, rng: Rng, budget: Budget | None = None) -> Choice:
        decision(seat)
        action = int(self.decide(seat.sample(rng).record, self._buffer, rng))
        return Choice(action, [Candidate(action)])


class Rules(Greedy):
    """Also runs from danger, hunts, keeps cards for later and thinks of the partner."""

    decide = staticmethod(policy.decide)
