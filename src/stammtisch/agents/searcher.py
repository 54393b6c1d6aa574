"""Players that search: the generic searches, one class each, for every game that allows them."""

from __future__ import annotations

from stammtisch.agents.base import Agent, Budget, Candidate, Choice, decision
from stammtisch.core.game import Game, Seat
from stammtisch.core.kernel import Records
from stammtisch.core.mind import mind_of
from stammtisch.core.rng import Rng
from stammtisch.search import expectimax, hypermax, ismcts, maxn, mcts, paranoid, pimc
from stammtisch.search.clock import NO_LIMIT
from stammtisch.search.halving import PRIOR
from stammtisch.search.lookahead import MAX_DEPTH
from stammtisch.search.tree import EXPLORATION, Result

DEFAULT_MS = 500.0


class MaxN(Agent):
    """Looks ahead move by move; ``depth`` moves deep, or as deep as ``ms`` allows.

    A player of one game hands over ``minds``, which then judge instead of the game's own.
    """

    look = staticmethod(maxn.search)

    def __init__(
        self,
        game: Game,
        depth: int | None,
        ms: float | None,
        evaluation: str | None = None,
        minds: Records | None = None,
    ) -> None:
        self.depth = depth
        self.ms = DEFAULT_MS if depth is None and ms is None else ms
        self.minds = game.mind(evaluation) if minds is None else game.knowing(minds)

    def choose(self, seat: Seat, rng: Rng, budget: Budget | None = None) -> Choice:
        decision(seat)
        budget = budget or Budget()
        ms = self.ms if budget.ms is None else budget.ms
        found = self.look(seat.sample(rng), self.depth or MAX_DEPTH, ms, budget.explain, self.minds)
        values = [float(vector[seat.index]) for vector in found.values]
        known = [i == found.best or budget.explain for i in range(len(values))]
        order = sorted(range(len(values)), key=lambda i: (i != found.best, not known[i], -values[i]))
        return Choice(found.action, [Candidate(found.actions[i], values[i] if known[i] else None) for i in order])


class Paranoid(MaxN):
    """Expects all others to play together against it."""

    look = staticmethod(paranoid.search)


class Hypermax(MaxN):
    """MaxN that cuts deeper: further, but not exact with more than two players."""

    look = staticmethod(hypermax.search)


class Expectimax(MaxN):
    """Averages over all throws of a die."""

    look = staticmethod(expectimax.search)


class MonteCarlo(Agent):
    """Plays the game on many times, to its end or as far as the game advises; for open games.

    Where its mind can play, the tree begins where that policy was followed often enough. A player of one game hands
    over ``minds``, which are then followed instead of the game's own, and says how much it trusts them (``prior``).
    """

    expand_after = 50
    prior = PRIOR

    def __init__(
        self,
        game: Game,
        ms: float | None,
        iterations: int | None,
        playout_limit: int | None,
        c: float = EXPLORATION,
        minds: Records | None = None,
    ) -> None:
        self.ms = DEFAULT_MS if iterations is None and ms is None else ms
        self.iterations = iterations
        self.exploration = c
        self.minds = game.knowing(minds)
        self.guided = mind_of(self.minds).plays
        limits = (playout_limit, game.playout_limit, NO_LIMIT)
        self.playout_limit = next(limit for limit in limits if limit is not None)

    def choose(self, seat: Seat, rng: Rng, budget: Budget | None = None) -> Choice:
        decision(seat)
        budget = budget or Budget()
        ms, iterations = self.ms, self.iterations
        if budget.ms is not None or budget.iterations is not None:
            ms, iterations = budget.ms, budget.iterations
        near, actions = seat.game.narrow(seat)
        found = self.search(near, actions, rng, iterations, ms)
        total = sum(found.visits)
        candidates = [
            Candidate(action, None if visits == 0 else mean, visits / total)
            for action, visits, mean in zip(found.actions, found.visits, found.means, strict=True)
        ]
        best = candidates[found.best]
        return Choice(found.action, sorted(candidates, key=lambda c: (c is not best, -(c.share or 0.0))))

    def search(self, seat: Seat, actions: list[int], rng: Rng, iterations: int | None, ms: float | None) -> Result:
        if not self.guided:
            return self.plain_search(seat, actions, rng, iterations, ms)
        settings = (self.exploration, self.playout_limit, actions, True, self.expand_after, self.minds, self.prior)
        return ismcts.search(seat, rng, iterations, ms, *settings)

    def plain_search(
        self, seat: Seat, actions: list[int], rng: Rng, iterations: int | None, ms: float | None
    ) -> Result:
        """Without a policy to follow."""
        return mcts.search(seat.sample(rng), rng, iterations, ms, self.exploration, self.playout_limit, self.minds)


class InformationSetMonteCarlo(MonteCarlo):
    """Monte-Carlo search that imagines the hidden cards anew in every iteration."""

    def plain_search(
        self, seat: Seat, actions: list[int], rng: Rng, iterations: int | None, ms: float | None
    ) -> Result:
        return ismcts.search(seat, rng, iterations, ms, self.exploration, self.playout_limit, actions, minds=self.minds)


class PerfectInformationMonteCarlo(MonteCarlo):
    """Tries every action on the same imagined deals and plays them on; no tree."""

    def search(self, seat: Seat, actions: list[int], rng: Rng, iterations: int | None, ms: float | None) -> Result:
        return pimc.search(seat, rng, iterations, ms, actions, self.playout_limit, self.minds, self.prior)
