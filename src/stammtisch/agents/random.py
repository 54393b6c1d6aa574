"""The player who does not think."""

from __future__ import annotations

from collections.abc import Callable

from stammtisch.agents.base import Agent, Budget, Candidate, Choice, decision
from stammtisch.core.game import Game, Seat
from stammtisch.core.kernel import uniform_action
from stammtisch.core.rng import Rng, below


class RandomAgent(Agent):
    """Any legal action, all equally likely: the floor of every ladder."""

    def __init__(self, game: Game) -> None:
        pass

    @property
    def at_once(self) -> Callable[..., int] | None:
        return uniform_action

    def choose(self, seat: Seat, rng: Rng, budget: Budget | None = None) -> Choice:
        actions = decision(seat)
        chosen = actions[int(below(rng, len(actions)))]
        return Choice(chosen, [Candidate(action, share=1 / len(actions)) for action in actions])
