"""A player that only knows what it has learned: the network of the thesis plan, one move ahead and no search.

The network reads one of the plan's two encodings, has one layer of sigmoid units, and gives by softmax how likely each
player is to win. It judges the positions after each move; the best one for the player who moved is chosen.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stammtisch.agents.base import Agent, Budget, Candidate, Choice, decision
from stammtisch.core.compiling import compiled
from stammtisch.core.game import Game, Seat
from stammtisch.core.kernel import Actions, Record, Records, Vector
from stammtisch.core.rng import Rng
from stammtisch.games.chameleon.board import PLAYERS
from stammtisch.games.chameleon.features import (
    PLAN_PAWNS_SIZE,
    PLAN_SQUARES_SIZE,
    Input,
    plan_pawns,
    plan_squares,
)
from stammtisch.games.chameleon.rules import MOST_MOVES, apply, legal_actions, scores
from stammtisch.models.cards import BadWeights, Layout, card, network

Weights = NDArray[np.float32]

INPUTS = {"squares": PLAN_SQUARES_SIZE, "pawns": PLAN_PAWNS_SIZE}  # the plan's long encoding, and its short one
LAYOUT = Layout(
    title="network of the plan for Chamäleon Schach",
    shapes={
        "rows": ("inputs", "hidden"),
        "hidden_bias": ("hidden",),
        "last": ("hidden", PLAYERS),
        "last_bias": (PLAYERS,),
    },
    sizes={"inputs": tuple(INPUTS.values())},
    advice="those of the search play as best:net=",
)


class Net(NamedTuple):
    """Weights; the names are those of the files they are kept in."""

    rows: Weights  # (inputs, hidden)
    hidden_bias: Weights  # (hidden,)
    last: Weights  # (hidden, PLAYERS)
    last_bias: Weights  # (PLAYERS,)


class Desk(NamedTuple):
    """Where positions are worked out."""

    bits: Input
    hidden: Weights  # what the units of the hidden layer give
    value: Vector  # how likely each player is to win
    after: Records  # one: the position after a move
    actions: Actions
    values: NDArray[np.float64]  # of the positions after each action: action, player


def new_net(encoding: str, hidden: int, seed: int) -> Net:
    """A network that knows nothing yet: small random weights."""
    rng = np.random.default_rng(seed)
    return Net(
        rows=(rng.standard_normal((INPUTS[encoding], hidden)) * 0.1).astype(np.float32),
        hidden_bias=np.zeros(hidden, dtype=np.float32),
        last=(rng.standard_normal((hidden, PLAYERS)) * 0.1).astype(np.float32),
        last_bias=np.zeros(PLAYERS, dtype=np.float32),
    )


def new_desk(game: Game, net: Net) -> Desk:
    return Desk(
        bits=np.zeros(len(net.rows), dtype=np.float32),
        hidden=np.zeros(len(net.hidden_bias), dtype=np.float32),
        value=np.zeros(PLAYERS),
        after=game.kernel.blank(1),
        actions=np.zeros(MOST_MOVES, dtype=np.int64),
        values=np.zeros((MOST_MOVES, PLAYERS)),
    )


@compiled
def judge(net: Net, desk: Desk, state: Record) -> None:
    """Set ``desk.value``: how likely each player is to win; of a finished game, who has won."""
    if state.over:
        scores(state, desk.value)
        return
    if len(desk.bits) == PLAN_SQUARES_SIZE:
        plan_squares(state, desk.bits)
    else:
        plan_pawns(state, desk.bits)
    hidden, rows = desk.hidden, net.rows
    for j in range(len(hidden)):
        hidden[j] = net.hidden_bias[j]
    for i in range(len(desk.bits)):
        if desk.bits[i] > 0.0:
            for j in range(len(hidden)):
                hidden[j] += rows[i, j]
    for j in range(len(hidden)):
        hidden[j] = np.float32(1.0) / (np.float32(1.0) + np.exp(-hidden[j]))
    highest = -np.inf
    for player in range(PLAYERS):
        total = net.last_bias[player]
        for j in range(len(hidden)):
            total += hidden[j] * net.last[j, player]
        desk.value[player] = total
        highest = max(highest, total)
    sum_of_all = 0.0
    for player in range(PLAYERS):
        desk.value[player] = np.exp(desk.value[player] - highest)
        sum_of_all += desk.value[player]
    for player in range(PLAYERS):
        desk.value[player] /= sum_of_all


@compiled
def judge_moves(net: Net, desk: Desk, state: Record, rng: Rng) -> tuple[int, int]:
    """Judge the position after every action, in ``desk.values``; the number of the best one, and how many there are."""
    n = legal_actions(state, desk.actions)
    best = 0
    for i in range(n):
        desk.after[0] = state
        apply(desk.after[0], desk.actions[i], rng)
        judge(net, desk, desk.after[0])
        desk.values[i] = desk.value
        if desk.values[i, state.turn] > desk.values[best, state.turn]:
            best = i
    return best, n


def read_net(name: str) -> Net:
    """The network of this name, if it is one of the plan."""
    return Net(**network(name, LAYOUT))


class Td(Agent):
    """Plays by the network for this number of players."""

    def __init__(self, game: Game, net: str) -> None:
        players = len(game.spec.sides)
        name = net or f"chameleon-td0-{players}"
        self.net = read_net(name)
        config = card(name).get("config")
        taught = config.get("players", players) if isinstance(config, dict) else players
        if taught not in range(2, PLAYERS + 1):
            raise BadWeights(f"the card of '{name}' names no number of players: copy it anew")
        if taught != players:
            raise BadWeights(f"'{name}' was taught with {taught} players, this game has {players}: leave net= out")
        self.desk = new_desk(game, self.net)

    def choose(self, seat: Seat, rng: Rng, budget: Budget | None = None) -> Choice:
        decision(seat)
        state = seat.sample(rng)
        best, n = judge_moves(self.net, self.desk, state.record, rng)
        values = [float(value) for value in self.desk.values[:n, seat.index]]
        order = sorted(range(n), key=lambda i: (i != best, -values[i]))
        return Choice(int(self.desk.actions[best]), [Candidate(int(self.desk.actions[i]), values[i]) for i in order])
