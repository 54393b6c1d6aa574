"""The players of madn, dmadn and dog that judge by a learned value: ``value`` and ``best``, and levels for people."""

from __future__ import annotations

from abc import abstractmethod
from math import log

import numpy as np
from numpy.typing import NDArray

from stammtisch.agents.base import Agent, Budget, Candidate, Choice, decision
from stammtisch.agents.dog.ahead import DEEPEST, USUAL_DEPTH, look_ahead, new_desk
from stammtisch.agents.dog.net import best_of, new_mind, read_net
from stammtisch.agents.dog.policies import Greedy, Rules
from stammtisch.agents.dog.sight import FARTHEST
from stammtisch.agents.dog.throws import new_far_mind, outlook
from stammtisch.agents.searcher import DEFAULT_MS, InformationSetMonteCarlo, MonteCarlo
from stammtisch.core.errors import BadOption
from stammtisch.core.game import Game, Seat, State
from stammtisch.core.rng import Rng, uniform
from stammtisch.models.cards import card
from stammtisch.search import ismcts
from stammtisch.search.tree import EXPLORATION

# The networks there are: game, rule set, whether in teams; by the same rules for any number of players without teams.
NETWORKS = {
    ("madn", "seed", True): "madn-teams",
    ("dmadn", "seed", True): "dmadn-teams",
    ("dmadn", "seed", False): "dmadn-each",
    ("dog", "seed", True): "dog-teams",
    ("dog", "seed", False): "dog-each",
    ("dog", "braendi", True): "dog-braendi",
}
NO_RULE = ("players", "seats", "teams", "max_steps")  # options that a network need not be made for

# How people err: the share of actions that they overlook, and by how much of the chance to win they misjudge others.
LEVELS = {"easy": (0.3, 0.02), "normal": (0.1, 0.005)}

MOST_TRIED = 12  # actions of dog that a search compares, the best by the value
EXPAND_AFTER = 50  # visits, before the tree knows better than the policy
PLAYOUT = 4  # decisions after the tree, before the value judges


def model(game: Game) -> str | None:
    """The name of the network for these rules, if there is one."""
    rules = str(game.options["rules"])
    usual = type(game)(rules=rules, **{name: game.options[name] for name in NO_RULE})
    if usual.options != game.options:
        return None
    return NETWORKS.get((game.info.name, rules, bool(game.options["teams"])))


def _check_made_for(name: str, game: Game) -> None:
    """A network plays what its card says that it has learned; of a card that does not say, anything."""
    learned = card(name).get("config")
    played = {
        "game": game.info.name,
        "rules": game.options["rules"],
        "sides": "teams" if game.options["teams"] else "each",
    }
    if isinstance(learned, dict):
        for key, value in played.items():
            if learned.get(key, value) != value:
                raise BadOption(f"net={name} has learned {key}={learned[key]}, not {key}={value}: name another")


class Value(Agent):
    """Does that after which its side is most likely to win, by what the network has learned."""

    def __init__(self, game: Game, net: str = "") -> None:
        name = net or model(game)
        if name is None:
            search = "ismcts" if game.info.hidden else "mcts"
            raise BadOption(
                f"no network was made for these rules of {game.info.name}: rules and {search} can play them"
            )
        if int(game.options["distance"] or 0) > FARTHEST:
            raise BadOption(f"distance={game.options['distance']}: networks see boards up to distance={FARTHEST}")
        _check_made_for(name, game)
        self.net = read_net(name)
        self.minds = new_mind(self.net)

    def choose(self, seat: Seat, rng: Rng, budget: Budget | None = None) -> Choice:
        actions = np.array(decision(seat), dtype=np.int64)
        values = self.values(seat.sample(rng), actions)
        return _choice(actions, values, int(np.argmax(values)))

    def values(self, state: State, actions: NDArray[np.int64]) -> NDArray[np.float64]:
        """How likely the own side is to win after each action."""
        values = np.empty(len(actions))
        best_of(self.minds[0], state.record, actions, len(actions), values)
        return values


class Best(Agent):
    """The strongest: a search by the value. Rules without a network are played by the search with rules of thumb.

    Levels play like people: they overlook actions and misjudge the rest by some part of the chance to win.
    """

    def __init__(self, game: Game, level: str, net: str) -> None:
        self.overlooks, self.misjudges = LEVELS.get(level, (0.0, 0.0))
        self.value = Value(game, net) if net or model(game) else None
        self.instead: Agent | None = None
        if self.value is None:
            self.instead = {"easy": Greedy, "normal": Rules}[level](game) if level in LEVELS else self.by_hand(game)
            self.ms = self.instead.ms

    @abstractmethod
    def by_hand(self, game: Game) -> Agent:
        """Who plays where there is no network."""

    @abstractmethod
    def search(
        self, seat: Seat, actions: NDArray[np.int64], values: NDArray[np.float64], rng: Rng, budget: Budget
    ) -> Choice:
        """Look closer, where there is a choice; ``values`` are those at once."""

    def choose(self, seat: Seat, rng: Rng, budget: Budget | None = None) -> Choice:
        if self.value is None:
            assert self.instead is not None
            return self.instead.choose(seat, rng, budget)
        actions = np.array(decision(seat), dtype=np.int64)
        values = self.value.values(seat.sample(rng), actions)
        if self.misjudges:
            seen = values + [_mistake(self.overlooks, self.misjudges, rng) for _ in actions]
            return _choice(actions, values, int(np.argmax(seen)))
        if len(actions) == 1:
            return _choice(actions, values, 0)
        return self.search(seat, actions, values, rng, budget or Budget())


class BestByThrows(Best):
    """madn: the own move, all throws of who comes next, and the best answer to each."""

    def __init__(self, game: Game, level: str, net: str) -> None:
        super().__init__(game, level, net)
        if self.value is not None:
            self.minds = new_far_mind(self.value.net)

    def by_hand(self, game: Game) -> Agent:
        return MonteCarlo(game, None, None, None)

    def search(
        self, seat: Seat, actions: NDArray[np.int64], values: NDArray[np.float64], rng: Rng, budget: Budget
    ) -> Choice:
        far = np.empty(len(actions))
        best = outlook(self.minds[0], seat.sample(rng).record, actions, len(actions), far)
        return _choice(actions, far, int(best))


class BestAhead(Best):
    """dmadn: alpha-beta, ``depth`` moves ahead, or as deep as ``ms`` allows."""

    def __init__(self, game: Game, depth: int | None, ms: float | None, level: str, net: str) -> None:
        super().__init__(game, level, net)
        self.depth = depth or (DEEPEST if ms is not None else USUAL_DEPTH)
        if self.value is not None:
            self.ms = ms
            self.desk = new_desk(self.value.minds)

    def by_hand(self, game: Game) -> Agent:
        return MonteCarlo(game, None, None, None)

    def search(
        self, seat: Seat, actions: NDArray[np.int64], values: NDArray[np.float64], rng: Rng, budget: Budget
    ) -> Choice:
        ms, depth = self.ms, self.depth
        if budget.ms is not None:
            ms, depth = budget.ms, DEEPEST
        worths, best = look_ahead(self.desk, seat.sample(rng).record, seat.index, depth, ms, budget.explain)
        return _choice(actions, worths, best)


class BestByCards(Best):
    """dog: a search that imagines the hidden cards, and looks closely at what the value likes."""

    def __init__(self, game: Game, ms: float | None, iterations: int | None, level: str, net: str) -> None:
        super().__init__(game, level, net)
        self.iterations = iterations
        if self.value is not None and level not in LEVELS:
            self.ms = DEFAULT_MS if iterations is None and ms is None else ms

    def by_hand(self, game: Game) -> Agent:
        return InformationSetMonteCarlo(game, None, None, None)

    def search(
        self, seat: Seat, actions: NDArray[np.int64], values: NDArray[np.float64], rng: Rng, budget: Budget
    ) -> Choice:
        assert self.value is not None
        ms, iterations = self.ms, self.iterations
        if budget.ms is not None or budget.iterations is not None:
            ms, iterations = budget.ms, budget.iterations
        tried = np.sort(np.argsort(-values, kind="stable")[:MOST_TRIED])
        settings = (EXPLORATION, PLAYOUT, actions[tried].tolist(), True, EXPAND_AFTER, self.value.minds)
        found = ismcts.search(seat, rng, iterations, ms, *settings)
        known = np.full(len(actions), np.nan)
        known[tried] = found.means
        return _choice(actions, known, int(tried[found.best]))


def _mistake(overlooks: float, misjudges: float, rng: Rng) -> float:
    """By how much somebody misjudges an action; one that is overlooked is far behind all others."""
    if uniform(rng) < overlooks:
        return -1000.0
    chance = (uniform(rng) + 0.5 / 2**32) or 0.5
    return misjudges * log(chance / (1.0 - chance)) / 1.7  # logistic: nearly a normal distribution


def _choice(actions: NDArray[np.int64], values: NDArray[np.float64], chosen: int) -> Choice:
    """The chosen action first, then the others, best first; a value that is not known is not said."""
    order = sorted(range(len(actions)), key=lambda i: (i != chosen, np.isnan(values[i]), -values[i]))
    known = [None if np.isnan(values[i]) else float(values[i]) for i in range(len(actions))]
    return Choice(int(actions[chosen]), [Candidate(int(actions[i]), known[i]) for i in order])
