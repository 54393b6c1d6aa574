"""A player of Tichu by rules of thumb: the policy of the game itself."""

from __future__ import annotations

from collections.abc import Callable

from stammtisch.agents.base import Budget, Candidate, Choice, decision
from stammtisch.agents.policy import PolicyAgent
from stammtisch.core.game import Game, Seat
from stammtisch.core.rng import Rng, below, uniform
from stammtisch.games.tichu.policy import decide
from stammtisch.games.tichu.rules import SPECIAL


class Heuristic(PolicyAgent):
    """Splits the hand into few and safe groups and counts what is out; see ``games/tichu/policy.py``.

    ``slips`` is the share of plays that are not thought about, for people who learn the game.
    """

    decide = staticmethod(decide)

    def __init__(self, game: Game, slips: float) -> None:
        super().__init__(game)
        self.slips = slips

    @property
    def at_once(self) -> Callable[..., int] | None:
        return None if self.slips else super().at_once

    def choose(self, seat: Seat, rng: Rng, budget: Budget | None = None) -> Choice:
        plays = [action for action in decision(seat) if action < SPECIAL] if self.slips else []
        if len(plays) > 1 and uniform(rng) < self.slips:
            action = plays[below(rng, len(plays))]
            return Choice(action, [Candidate(action)])
        return super().choose(seat, rng, budget)


class Frozen(PolicyAgent):
    """The yardstick: what ``heuristic`` was before anything was learned. Its rules may be added to, but not changed."""

    decide = staticmethod(decide)
