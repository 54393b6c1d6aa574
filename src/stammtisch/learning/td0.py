"""The learner of the thesis plan for Chamäleon Schach, as it was written: TD(0) on afterstates, by self-play.

    w <- a new network
    for ever: s <- a new game; until s is over:
        s' <- the best successor of s;  v <- V(s'), or who has won if s' ends the game
        train the network at s towards v
        s <- the best successor, but one time in ten a random one

Values are vectors of four, one chance of winning per player; "best" is best for the player who moves. The plan leaves
the rate of learning open: plain gradient descent of the cross-entropy, one position at a time, with a rate that falls.
Now and then the network plays against maxN one, two and three moves deep, and against random moves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stammtisch.agents.chameleon.td import INPUTS, Desk, Net, judge, judge_moves, new_desk, new_net
from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import Record, Records, Vector
from stammtisch.core.rng import Rng, below, stream, uniform
from stammtisch.games.chameleon.board import PLAYERS
from stammtisch.games.chameleon.game import Chameleon
from stammtisch.games.chameleon.rules import apply as apply_move
from stammtisch.games.chameleon.rules import new_game
from stammtisch.learning.learner import EVALUATION, LAST_SEED
from stammtisch.learning.selfplay import SelfPlay
from stammtisch.learning.settings import MANY, setting
from stammtisch.search import maxn

OPENING = 2  # random moves per player before an evaluation game, so that games differ
DEPTHS = (1, 2, 3)  # of maxN, the plan's opponent


@dataclass(frozen=True)
class Config:
    """What a run of the learner is made of."""

    players: int = setting(2, "of the game", 2, PLAYERS)
    encoding: str = setting(
        "squares", "the plan's long input (386), or pawns, its short one (126)", choices=tuple(INPUTS)
    )
    hidden: int = setting(80, "units of the one layer", 1, 65_536)
    games: int = setting(100_000, "games in total", 1, MANY)
    games_per_step: int = setting(250, "games between two lines of numbers", 1, MANY)
    explore: float = setting(0.1, "share of random moves", 0.0, 1.0)
    rate: float = setting(0.1, "of learning, at the start", 1e-9, 1.0)
    last_rate: float = setting(0.01, "and at the end; it falls by half a cosine", 0.0, 1.0)
    match_every: int = setting(5_000, "games, after which it plays against maxN", 1, MANY)
    evaluation_games: int = setting(100, "games against each opponent", 2, 10**7)
    seed: int = setting(1, "of all luck", 0, LAST_SEED)


class Td0Learner(SelfPlay):
    """A run: ``step`` plays and learns, ``arrays`` is all that has to be kept to go on exactly as if never stopped."""

    summary = "The thesis plan as it was written: TD(0) on afterstates, by games with itself"
    config_class = Config
    games = ("chameleon",)
    plotted = ("evaluation", "maxn_1", "maxn_2", "maxn_3")

    def __init__(self, config: Config) -> None:
        self.config = config
        self.game = Chameleon(players=str(config.players))
        self.net = new_net(config.encoding, config.hidden, config.seed)
        self.rng = stream(config.seed)
        self.counts = np.zeros(1, dtype=np.int64)  # games played
        self._desk = new_desk(self.game, self.net)
        self._states = self.game.kernel.blank(1)

    def step(self) -> dict[str, float]:
        """Play some games and learn from every move; the run's numbers."""
        config, rate = self.config, self.rate
        loss, moves = play_and_learn(
            self.net,
            self._desk,
            self._states,
            self.game.blank(),
            config.games_per_step,
            config.explore,
            rate,
            self.rng,
        )
        before = self.done
        self.counts[0] += config.games_per_step
        numbers = {"loss": loss / max(1, moves), "moves": moves / config.games_per_step, "rate": rate}
        due = self.done // config.match_every > before // config.match_every or self.done >= self.total
        return {**numbers, **(self.matches() if due else {})}

    def evaluate(self, games: int | None = None) -> NDArray[np.float64]:
        """Its share of the win against random players, one result per game."""
        return self._play_against(0, games or self.config.evaluation_games)

    def matches(self) -> dict[str, float]:
        """Its share of the win against maxN, by depth."""
        numbers = {}
        for depth in DEPTHS:
            results = self._play_against(depth, self.config.evaluation_games)
            numbers[f"maxn_{depth}"] = float(results.mean())
            numbers[f"maxn_{depth}_reach"] = 1.96 * float(results.std()) / len(results) ** 0.5
        return numbers

    def _play_against(self, depth: int, games: int) -> NDArray[np.float64]:
        """The network in one seat, maxN so many moves deep (0: random moves) in the others; all seats in turn."""
        colours = self.game.line_up
        return np.array(
            [
                self._game_against(depth, colours[number % len(colours)], number // len(colours))
                for number in range(games)
            ]
        )

    def _game_against(self, depth: int, seat: int, opening: int) -> float:
        rng = stream(EVALUATION, opening)
        state = self.game.new(0)
        for _ in range(OPENING * len(self.game.line_up)):
            actions = state.actions()
            state.apply(actions[below(rng, len(actions))])
        while not state.over:
            if state.player == seat:
                best, _ = judge_moves(self.net, self._desk, state.record, rng)
                state.apply(int(self._desk.actions[best]))
            elif depth:
                state.apply(maxn.search(state, depth).action)
            else:
                actions = state.actions()
                state.apply(actions[below(rng, len(actions))])
        return state.scores()[seat]

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Everything that changes during the run."""
        return {**self.net._asdict(), "rng": self.rng, "counts": self.counts}

    def network(self) -> dict[str, NDArray[Any]]:
        return dict(self.net._asdict())


@compiled
def play_and_learn(
    net: Net, desk: Desk, states: Records, blank: Records, games: int, explore: float, rate: float, rng: Rng
) -> tuple[float, int]:
    """Play games with itself, train at every position; the sum of the losses before training, and the moves made."""
    target = np.empty(PLAYERS)
    loss, moves = 0.0, 0
    for _ in range(games):
        states[0] = blank[0]
        state = states[0]
        new_game(state, rng)
        while not state.over:
            best, n = judge_moves(net, desk, state, rng)
            target[:] = desk.values[best]
            loss += train(net, desk, state, target, np.float32(rate))
            moves += 1
            if uniform(rng) < explore:
                best = below(rng, n)
            apply_move(state, desk.actions[best], rng)
    return loss, moves


@compiled
def train(net: Net, desk: Desk, state: Record, target: Vector, rate: np.float32) -> float:
    """One step down the gradient of the cross-entropy between the network's value of a position and the target."""
    judge(net, desk, state)
    hidden, rows, last = desk.hidden, net.rows, net.last
    loss = 0.0
    slopes = np.empty(PLAYERS, dtype=np.float32)
    for player in range(PLAYERS):
        loss -= target[player] * np.log(max(desk.value[player], 1e-12))
        slopes[player] = rate * np.float32(desk.value[player] - target[player])
        net.last_bias[player] -= slopes[player]
    back = np.empty(len(hidden), dtype=np.float32)
    for j in range(len(hidden)):
        back[j] = np.float32(0.0)
        for player in range(PLAYERS):
            back[j] += slopes[player] * last[j, player]
            last[j, player] -= slopes[player] * hidden[j]
        back[j] *= hidden[j] * (np.float32(1.0) - hidden[j])
        net.hidden_bias[j] -= back[j]
    for i in range(len(desk.bits)):
        if desk.bits[i] > 0.0:
            for j in range(len(hidden)):
                rows[i, j] -= back[j]
    return loss
