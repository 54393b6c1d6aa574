"""The players of clever that judge by a learned value: ``value`` and ``best``, and levels for people."""

from __future__ import annotations

from math import log

import numpy as np
from numpy.typing import NDArray

from stammtisch.agents.base import Agent, Budget, Candidate, Choice, decision
from stammtisch.agents.clever.expectimax import expected_points
from stammtisch.agents.clever.judge import judge_all, new_bench
from stammtisch.agents.clever.net import clear, read_net
from stammtisch.agents.clever.outlook import look_ahead
from stammtisch.core.game import Game, Seat
from stammtisch.core.kernel import Record
from stammtisch.core.rng import Rng, uniform
from stammtisch.games.clever.policy import WEIGHTS

PROTOTYPE_SAMPLES = 200  # rolls; the prototype has no network
MARGIN = 3.0  # points that an action may be behind to be looked at closely

# How people err: the share of actions that they overlook, and the points by which they misjudge the others.
LEVELS = {"easy": (0.3, 10.0), "normal": (0.15, 5.0)}


def model(game: Game) -> str:
    """The name of the network for these rules."""
    players = game.options["players"]
    return f"clever-{game.options['rules']}" + (f"-{players}" if players != 1 else "")


class Value(Agent):
    """Takes the action after which the network expects most points; bonuses and +1 actions are tried out.

    ``window`` is how many +1 actions it tries after the one it thinks about.
    """

    def __init__(self, game: Game, window: int, net: str) -> None:
        self.prototype = game.options["rules"] == "prototype"
        self.window = window
        self._work = game.kernel.blank(2)
        self._buffer = np.empty(game.spec.max_actions, dtype=np.int64)
        if not self.prototype:
            self.net = read_net(net or model(game))
            self._bench = new_bench(game.kernel, self.net)

    def choose(self, seat: Seat, rng: Rng, budget: Budget | None = None) -> Choice:
        actions = np.array(decision(seat), dtype=np.int64)
        values = self.values(seat.sample(rng).record, actions, rng)
        return _choice(actions, values, int(np.argmax(values)))

    def values(self, record: Record, actions: NDArray[np.int64], rng: Rng) -> NDArray[np.float64]:
        """The final points to expect after each action."""
        values = np.empty(len(actions))
        if self.prototype:
            self._work[0] = record
            expected_points(self._work, actions, self._buffer, WEIGHTS, PROTOTYPE_SAMPLES, rng, values)
        else:
            clear(self.net, self._bench.desk)
            judge_all(self._bench, record, actions, len(actions), self.window, self.net, values)
        return values


class Best(Value):
    """The strongest. With ``throws``, the dice that follow promising actions are thrown so often before it judges.

    Levels play like people: they overlook actions and misjudge the rest by some points.
    """

    def __init__(self, game: Game, throws: int, window: int, level: str, net: str) -> None:
        super().__init__(game, window, net)
        self.throws = throws
        self.overlooks, self.misjudges = LEVELS.get(level, (0.0, 0.0))

    def choose(self, seat: Seat, rng: Rng, budget: Budget | None = None) -> Choice:
        actions = np.array(decision(seat), dtype=np.int64)
        record = seat.sample(rng).record
        values = self.values(record, actions, rng)
        if self.misjudges:
            seen = values + [_mistake(self.overlooks, self.misjudges, rng) for _ in actions]
            return _choice(actions, values, int(np.argmax(seen)))
        throws = self.throws if budget is None or budget.iterations is None else budget.iterations
        if self.prototype or throws == 0 or len(actions) == 1:
            return _choice(actions, values, int(np.argmax(values)))
        chosen = look_ahead(
            self._bench, self._work, record, actions, values, MARGIN, throws, self.window, self.net, rng
        )
        return _choice(actions, values, int(chosen))


def _mistake(overlooks: float, misjudges: float, rng: Rng) -> float:
    """By how many points somebody misjudges an action; one that is overlooked is far behind all others."""
    if uniform(rng) < overlooks:
        return -1000.0
    chance = (uniform(rng) + 0.5 / 2**32) or 0.5
    return misjudges * log(chance / (1.0 - chance)) / 1.7  # logistic: nearly a normal distribution


def _choice(actions: NDArray[np.int64], values: NDArray[np.float64], chosen: int) -> Choice:
    """The chosen action first, then the others, best first."""
    order = sorted(range(len(actions)), key=lambda i: (i != chosen, -values[i]))
    return Choice(int(actions[chosen]), [Candidate(int(actions[i]), float(values[i])) for i in order])
