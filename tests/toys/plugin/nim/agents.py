"""The player made for Nim."""

from __future__ import annotations

from stammtisch.agents.base import Agent, Budget, Choice
from stammtisch.core.game import Game, Seat
from stammtisch.core.rng import Rng, below, uniform


class Counts(Agent):
    def __init__(self, game: Game, slips: float = 0.0) -> None:
        self.slips = slips

    def choose(self, seat: Seat, rng: Rng, budget: Budget | None = None) -> Choice:
        actions = seat.actions()
        wanted = seat.view()["stones"] % 4 - 1
        if wanted in actions and uniform(rng) >= self.slips:
            return Choice(wanted)
        return Choice(actions[int(below(rng, len(actions)))])
