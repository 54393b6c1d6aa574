"""Players that follow a game's own compiled policy, at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import numpy as np

from stammtisch.agents.base import Agent, Budget, Candidate, Choice, decision
from stammtisch.core.game import Game, Seat
from stammtisch.core.rng import Rng


class PolicyAgent(Agent):
    """Does what ``decide(state, buffer, rng)`` says, on a state that holds no more than the seat may know."""

    decide: ClassVar[Callable[..., int]]

    def __init__(self, game: Game) -> None:
        self._buffer = np.empty(game.spec.max_actions, dtype=np.int64)

    @property
    def at_once(self) -> Callable[..., int] | None:
        return self.decide

    def choose(self, seat: Seat, rng: Rng, budget: Budget | None = None) -> Choice:
        decision(seat)
        action = int(self.decide(seat.sample(rng).record, self._buffer, rng))
        return Choice(action, [Candidate(action)])
