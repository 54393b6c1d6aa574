"""The player whose trees are guided by a network, or by what is known of the game by hand."""

from __future__ import annotations

from stammtisch.agents.base import Agent, Budget, Candidate, Choice, decision
from stammtisch.core.game import Game, GameSpec, Seat
from stammtisch.core.rng import Rng
from stammtisch.models.network import read_network
from stammtisch.search.guided import EXPLORATION, by_mind, by_network, search, together

USUAL, MOST = 200, 100_000  # iterations: where nothing is said, and where the clock ends it


class Guided(Agent):
    """Grows a tree for every sample of what it cannot know, and lets one call judge the leaves of all of them.

    Where all is known and nothing left to chance, one tree is all there is. After a single iteration it plays what the
    network alone prefers.
    """

    def __init__(
        self,
        game: Game,
        ms: float | None,
        iterations: int | None,
        samples: int,
        c: float = EXPLORATION,
        net: str = "",
    ) -> None:
        self.ms, self.iterations, self.exploration = ms, iterations, c
        self.samples = samples if game.spec.hidden or game.spec.chance else 1
        self.judge = by_network(game, read_network(net, game).judge) if net else by_mind(game, game.mind())

    def choose(self, seat: Seat, rng: Rng, budget: Budget | None = None) -> Choice:
        actions, budget = decision(seat), budget or Budget()
        worlds = seat.game.kernel.blank(self.samples)
        for i in range(self.samples):
            worlds[i] = seat.sample(rng).record
        ms, iterations = self.ms, self.iterations
        if budget.ms is not None or budget.iterations is not None:
            ms, iterations = budget.ms, budget.iterations
        iterations = iterations or (USUAL if ms is None else MOST)
        found = together(search(seat.game, worlds, self.judge, iterations, rng, self.exploration, ms))
        total = sum(found.visits.values())
        candidates = []
        for action in actions:
            visits = found.visits.get(action, 0)  # one stands for all that are the same for play
            share = visits / total if total else found.priors.get(action, 0.0)
            value = _score(seat.game.spec, seat.index, found.leads[action]) if visits else None
            candidates.append(Candidate(action, value, share))
        order = sorted(candidates, key=lambda one: (one.action != found.action, -(one.share or 0.0)))
        return Choice(found.action, order)


def _score(spec: GameSpec, seat: int, lead: float) -> float:
    """The score behind a lead, where the rules fix the sum of all; else the lead itself, in points."""
    points = lead * (spec.score_range[1] - spec.score_range[0])
    if spec.score_sum is None:
        return points
    others = len(spec.taken) - len(spec.sides[spec.side_of[seat]])
    return (points * others + spec.score_sum) / len(spec.taken)
