"""Small games with hidden cards, exactly: the whole tree, regret minimisation, best responses, exploitability.

The tree is made once by the game's compiled rules and kept as arrays, so everything else is loops that know no game.
Chance is what ``outcome`` lists after a deal and after every action. What a seat cannot tell apart is what its view
shows alike; a game whose positions forget how they came about is refused where that shows.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.compiling import compiled
from stammtisch.core.errors import StammtischError
from stammtisch.core.game import Game, State
from stammtisch.core.kernel import OVER, Records
from stammtisch.core.rng import stream

CHANCE, END = -2, -1  # in place of the seat that decides
MOST_NODES = 2_000_000
Whole: TypeAlias = NDArray[np.int64]
Real: TypeAlias = NDArray[np.float64]
Strategy: TypeAlias = NDArray[np.float64]  # by information state and place of the action, adding up to 1


@dataclass(frozen=True)
class Tree:
    """All courses of a game. Nodes come level by level, so children after their parents and side by side.

    ``decider`` is a seat, CHANCE or END; node ``i`` has so many ``children`` from ``first[i]`` on, of which chance
    takes each with its ``chance``. ``state_of`` numbers what the deciders know; ``samples`` has a position for each of
    these information states, ``names`` what the decider sees there.
    """

    game: Game
    decider: Whole
    first: Whole
    children: Whole
    chance: Real
    state_of: Whole
    scores: Real
    samples: list[State]
    names: list[str]
    actions: Whole  # of each information state: how many

    def uniform(self) -> Strategy:
        """Every action alike."""
        return np.array([[1.0 / n if a < n else 0.0 for a in range(self.actions.max())] for n in self.actions])


def tree(game: Game, most: int = MOST_NODES) -> Tree:
    """The whole tree of a game, or an error where it has more than so many nodes."""
    kernel, rng, seats = game.kernel, stream(0), game.spec.seats
    blank = game.blank()
    kernel.new_game(blank[0], rng)
    level: list[Records] = [blank]
    fresh = [True]  # whether chance has a say before the position
    decider: list[int] = []
    first: list[int] = []
    children: list[int] = []
    chance: list[float] = [1.0]
    state_of: list[int] = []
    scores: list[list[float]] = []
    known: dict[tuple[int, str], int] = {}
    depth: list[int] = []  # of each information state
    levels = 0
    samples: list[State] = []
    actions: list[int] = []
    while level:
        below: list[Records] = []
        below_fresh: list[bool] = []
        start = len(decider) + len(level)
        for records, new in zip(level, fresh, strict=True):
            made, chances = _outcomes(game, records) if new else ([], [])
            state = game.state(records, rng)
            seat = kernel.player(records[0])
            first.append(start + len(below))
            scores.append([0.0] * seats)
            state_of.append(-1)
            if len(made) > 1:
                decider.append(CHANCE)
                below_fresh += [False] * len(made)
            elif seat == OVER:
                decider.append(END)
                made, chances = [], []
                scores[-1] = state.scores()
            else:
                decider.append(seat)
                legal = state.actions()
                key = int(seat), json.dumps(state.view(int(seat)))
                if key not in known:
                    known[key] = len(known)
                    samples.append(state)
                    actions.append(len(legal))
                    depth.append(levels)
                if (depth[known[key]], actions[known[key]]) != (levels, len(legal)):
                    raise StammtischError(f"{game.info.name}: a seat's view does not show the course of the game")
                state_of[-1] = known[key]
                made, chances = [_after(game, records, action) for action in legal], [1.0] * len(legal)
                below_fresh += [True] * len(made)
            children.append(len(made))
            chance += chances
            below += made
        if len(decider) + len(below) > most:
            raise StammtischError(f"{game.info.name} has more than {most:,} courses: too many to be listed")
        level, fresh, levels = below, below_fresh, levels + 1
    return Tree(
        game=game,
        decider=np.array(decider, dtype=np.int64),
        first=np.array(first, dtype=np.int64),
        children=np.array(children, dtype=np.int64),
        chance=np.array(chance),
        state_of=np.array(state_of, dtype=np.int64),
        scores=np.array(scores),
        samples=samples,
        names=[name for _, name in known],
        actions=np.array(actions, dtype=np.int64),
    )


def _after(game: Game, records: Records, action: int) -> Records:
    made = records.copy()
    game.kernel.apply(made[0], action, stream(0))
    return made


def _outcomes(game: Game, records: Records) -> tuple[list[Records], list[float]]:
    """All that chance can put in place of what it did here, and how likely each is."""
    made: list[Records] = []
    chances: list[float] = []
    while True:
        one = records.copy()
        likely = float(game.kernel.outcome(one[0], len(made)))
        if likely <= 0.0:
            return made, chances
        made.append(one)
        chances.append(likely)


def solve(game: Tree, iterations: int) -> Strategy:
    """Counterfactual regret minimisation (CFR+, Tammelin 2014): the mean strategy, later ones counting more."""
    size = (len(game.actions), int(game.actions.max()))
    regrets, total = np.zeros(size), np.zeros(size)
    work = _space(game)
    for number in range(1, iterations + 1):
        for seat in range(game.scores.shape[1]):
            _improve(*_columns(game), seat, float(number), regrets, total, *work)
    sums = total.sum(axis=1, keepdims=True)
    return np.where(sums > 0, total / np.where(sums > 0, sums, 1.0), game.uniform())


def values(game: Tree, strategy: Strategy) -> Real:
    """What every seat wins on average when all play so."""
    reach, value = _space(game)
    _walk(*_columns(game), strategy, reach, value)
    return value[0].copy()


def best_response(game: Tree, strategy: Strategy, seat: int) -> float:
    """What this seat wins at most while all others play so."""
    reach, value = _space(game)
    _walk(*_columns(game), strategy, reach, value)
    return float(_best(*_columns(game), seat, strategy, reach, value[:, seat].copy()))


def exploitability(game: Tree, strategy: Strategy) -> float:
    """What a seat gains on average by the best response to it; 0 for a strategy that nobody can exploit."""
    now = values(game, strategy)
    gains = [best_response(game, strategy, seat) - now[seat] for seat in game.game.spec.taken]
    return float(np.mean(gains))


def _columns(game: Tree) -> tuple[Whole, Whole, Whole, Real, Whole, Real, Whole]:
    return game.decider, game.first, game.children, game.chance, game.state_of, game.scores, game.actions


def _space(game: Tree) -> tuple[Real, Real]:
    nodes, seats = game.scores.shape
    return np.empty((nodes, seats + 1)), np.empty((nodes, seats))


@compiled
def _walk(
    decider: Whole,
    first: Whole,
    children: Whole,
    chance: Real,
    state_of: Whole,
    scores: Real,
    actions: Whole,
    strategy: Strategy,
    reach: Real,
    value: Real,
) -> None:
    """How likely each seat (last: chance) goes to every node, and what everybody wins from there."""
    seats = scores.shape[1]
    reach[0] = 1.0
    for node in range(len(decider)):
        for a in range(children[node]):
            child = first[node] + a
            reach[child] = reach[node]
            if decider[node] == CHANCE:
                reach[child, seats] *= chance[child]
            else:
                reach[child, decider[node]] *= strategy[state_of[node], a]
    for node in range(len(decider) - 1, -1, -1):
        value[node] = scores[node]
        for a in range(children[node]):
            child = first[node] + a
            share = chance[child] if decider[node] == CHANCE else strategy[state_of[node], a]
            value[node] += share * value[child]


@compiled
def _others(reach: Real, node: int, seat: int) -> float:
    """How likely all but this seat go to a node."""
    product = 1.0
    for other in range(reach.shape[1]):
        if other != seat:
            product *= reach[node, other]
    return product


@compiled
def _improve(
    decider: Whole,
    first: Whole,
    children: Whole,
    chance: Real,
    state_of: Whole,
    scores: Real,
    actions: Whole,
    seat: int,
    weight: float,
    regrets: Real,
    total: Real,
    reach: Real,
    value: Real,
) -> None:
    """One look at all nodes of one seat: what it regrets not to have done there."""
    strategy = np.zeros_like(regrets)
    for state in range(len(actions)):
        positive = regrets[state].sum()
        for a in range(actions[state]):
            strategy[state, a] = regrets[state, a] / positive if positive > 0 else 1.0 / actions[state]
    _walk(decider, first, children, chance, state_of, scores, actions, strategy, reach, value)
    for node in range(len(decider)):
        if decider[node] == seat:
            state, others = state_of[node], _others(reach, node, seat)
            for a in range(children[node]):
                regrets[state, a] += others * (value[first[node] + a, seat] - value[node, seat])
                total[state, a] += weight * reach[node, seat] * strategy[state, a]
    regrets[:] = np.maximum(regrets, 0.0)


@compiled
def _best(
    decider: Whole,
    first: Whole,
    children: Whole,
    chance: Real,
    state_of: Whole,
    scores: Real,
    actions: Whole,
    seat: int,
    strategy: Strategy,
    reach: Real,
    value: Real,
) -> float:
    """From the last level up: in each information state the action that is best over all its nodes."""
    nodes = len(decider)
    depth = np.zeros(nodes, dtype=np.int64)
    for node in range(nodes):
        for a in range(children[node]):
            depth[first[node] + a] = depth[node] + 1
    worth = np.zeros((len(actions), actions.max()))
    end = nodes
    while end > 0:
        start = end - 1
        while start > 0 and depth[start - 1] == depth[end - 1]:
            start -= 1
        for node in range(start, end):  # all nodes of an information state lie on one level
            if decider[node] == seat:
                others = _others(reach, node, seat)
                for a in range(children[node]):
                    worth[state_of[node], a] += others * value[first[node] + a]
        for node in range(start, end):
            if decider[node] == seat:
                best = worth[state_of[node], : children[node]].argmax()
                value[node] = value[first[node] + best]
            elif children[node]:
                mean = 0.0
                for a in range(children[node]):
                    child = first[node] + a
                    share = chance[child] if decider[node] == CHANCE else strategy[state_of[node], a]
                    mean += share * value[child]
                value[node] = mean
        end = start
    return value[0]
