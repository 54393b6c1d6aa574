"""The players of Tichu that have learned: the network alone, and the network inside the search."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stammtisch.agents.base import Agent, Budget, Candidate, Choice, decision
from stammtisch.agents.searcher import InformationSetMonteCarlo
from stammtisch.agents.tichu.net import mind_with, read_net, values
from stammtisch.agents.tichu.sure import sure_actions
from stammtisch.core.compiling import compiled
from stammtisch.core.game import Game, Seat
from stammtisch.core.kernel import Actions, Records, Vector
from stammtisch.core.rng import Rng, uniform
from stammtisch.games.tichu.rules import MOST_ACTIONS
from stammtisch.search.halving import Prior

NET = "tichu"
PLAYOUT = 8  # decisions after the tree, before the network judges

# How people err: the share of actions that they overlook, and by how many points they misjudge the others.
LEVELS = {"easy": (0.12, 14.0), "normal": (0.03, 5.0)}


class Value(Agent):
    """Does what leads to the most points, as the network sees it; what is certain is not guessed."""

    overlooks, misjudges = 0.0, 0.0

    def __init__(self, game: Game, net: str) -> None:
        self.minds = mind_with(read_net(net or NET))
        self._actions = np.empty(MOST_ACTIONS, dtype=np.int64)
        self._worths = np.empty(MOST_ACTIONS)
        self._sure = np.empty(MOST_ACTIONS, dtype=np.bool_)

    def choose(self, seat: Seat, rng: Rng, budget: Budget | None = None) -> Choice:
        legal = decision(seat)
        if len(legal) == 1:
            return Choice(legal[0], [Candidate(legal[0])])
        n = _think(self.minds, seat.sample(rng).records, seat.index, self._actions, self._worths, self._sure)
        seen = self._worths[:n] + 1000.0 * self._sure[:n]
        if self.misjudges:
            seen = self._worths[:n] + [self._mistake(rng) for _ in range(n)]
        order = np.argsort(-seen, kind="stable")
        found = [Candidate(int(self._actions[i]), float(self._worths[i])) for i in order]
        return Choice(found[0].action, found)

    def sure(self, seat: Seat, rng: Rng) -> Choice | None:
        """A certain way to be first, if there is one; of several what the network prefers."""
        n = _think(self.minds, seat.sample(rng).records, seat.index, self._actions, self._worths, self._sure)
        if not self._sure[:n].any():
            return None
        best = int(np.argmax(np.where(self._sure[:n], self._worths[:n], -np.inf)))
        return Choice(int(self._actions[best]), [Candidate(int(self._actions[best]), float(self._worths[best]), 1.0)])

    def _mistake(self, rng: Rng) -> float:
        if uniform(rng) < self.overlooks:
            return -1000.0
        return self.misjudges * float(np.log((1e-9 + uniform(rng)) / (1e-9 + uniform(rng))))


class Best(InformationSetMonteCarlo):
    """The network inside the search: in samples of the hidden cards it plays for everybody and judges what comes of it.

    What the network would do without searching is not given up for a lucky streak; what is certain is not searched.
    Levels play like people: by the network at once, but they overlook actions and misjudge the rest by some points.
    """

    prior = Prior(visits=60.0, loss=0.07)

    def __init__(self, game: Game, ms: float | None, iterations: int | None, level: str, net: str) -> None:
        self.value = Value(game, net)
        super().__init__(game, ms, iterations, PLAYOUT, minds=self.value.minds)
        self.by_feel = level in LEVELS
        if self.by_feel:
            self.value.overlooks, self.value.misjudges = LEVELS[level]
            self.ms = None

    def choose(self, seat: Seat, rng: Rng, budget: Budget | None = None) -> Choice:
        legal = decision(seat)
        if len(legal) == 1:
            return Choice(legal[0], [Candidate(legal[0])])
        if self.by_feel:
            return self.value.choose(seat, rng, budget)
        return self.value.sure(seat, rng) or super().choose(seat, rng, budget)


@compiled
def _think(
    minds: Records, states: Records, seat: int, actions: Actions, worths: Vector, sure: NDArray[np.bool_]
) -> int:
    """The actions worth a look, what they are worth, and which are certain ways out; how many."""
    n = values(minds[0], states[0], seat, actions, worths)
    sure_actions(states[0], seat, actions, n, sure)
    return n
