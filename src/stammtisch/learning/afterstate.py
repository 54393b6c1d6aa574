"""Afterstate value learning for Ganz schön clever: TD(lambda) from games that the learner plays with itself.

An afterstate is a position in which the dice are about to fall. Its value is the final score to expect. The learner
plays greedily by its own values (what follows without dice is searched, ``agents/clever/judge.py``), notes every
afterstate it passes, and moves each value towards the lambda-return

    G(t) = (1 - lambda) * V(t + 1) + lambda * G(t + 1),    G(last) = the final score.

A few actions are random at first; behind one, the return starts anew with the value of the best action, so that it is
always the greedy player that is learned. Exploration and learning rate fall to zero. A running mean of
the weights plays.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stammtisch.agents.clever.judge import Bench, judge, judge_all, new_bench, reached
from stammtisch.agents.clever.net import SCALE, Net, Weights, clear, new_net, read_net
from stammtisch.agents.clever.sight import MOMENTS, ROWS, SLOTS
from stammtisch.core.compiling import compiled
from stammtisch.core.errors import BadOption
from stammtisch.core.kernel import OVER, Actions, Records, Vector, apply, new_game, player
from stammtisch.core.registry import game
from stammtisch.core.rng import Rng, below, shuffle, stream, streams, uniform
from stammtisch.games.clever.rules import MOST_ACTIONS, SEATS, legal_actions, place
from stammtisch.games.clever.sheet import total_points
from stammtisch.learning.adam import adam, warm
from stammtisch.learning.learner import EVALUATION, LAST_SEED
from stammtisch.learning.selfplay import SelfPlay
from stammtisch.learning.settings import MANY, setting

FEWEST = 18  # afterstates of one game: the thesis's six turns of three rolls
LONGEST = 80  # afterstates of one game: 24 rolls, and one more for every re-roll


@dataclass(frozen=True)
class Config:
    """What a run of the learner is made of."""

    rules: str = setting("official", "of the game", choices=("official", "thesis"))
    players: int = setting(1, "who all play by the same network, each for the own points", 1, SEATS)
    start: str = setting("", "a network to begin with: one of the package, of other rules, or a file of your own")
    games: int = setting(1_000_000, "games in total", 1, MANY)
    games_per_step: int = setting(200, "games played between two rounds of learning", 1, MANY)
    epochs: int = setting(2, "how often each afterstate is learned from", 1, MANY)
    batch: int = setting(256, "afterstates per update", 1, MANY)
    rate: float = setting(1e-3, "of Adam at the start", 1e-9, 1.0)
    last_rate: float = setting(1e-5, "of Adam at the end; it falls by half a cosine", 0.0, 1.0)
    trace: float = setting(0.8, "lambda: 0 trusts the next afterstate's value, 1 the final score", 0.0, 1.0)
    explore: float = setting(0.03, "share of random actions at the start", 0.0, 1.0)
    explore_until: float = setting(0.3, "part of the run after which there are none", 0.0, 1.0)
    averaging: float = setting(0.998, "how much of the averaged weights every update keeps", 0.0, 0.999_999)
    wide: int = setting(128, "units of the first layer", 1, 65_536)
    narrow: int = setting(32, "units of the second layer", 1, 65_536)
    window: int = setting(1, "+1 actions tried after a choice", 0, 6)
    evaluation_games: int = setting(1000, "games of every look at its strength", 2, 10**7)
    seed: int = setting(1, "of all luck", 0, LAST_SEED)


class AfterstateLearner(SelfPlay):
    """A run: ``step`` plays and learns, ``arrays`` is all that has to be kept to go on exactly as if never stopped."""

    summary = "What every position is worth before the dice fall: TD(lambda) from games with itself"
    config_class = Config
    games = ("clever",)
    plotted = ("evaluation", "score")
    marks = (200, 280)

    def __init__(self, config: Config) -> None:
        self.config = config
        self.game = game("clever", rules=config.rules, players=config.players)
        if config.batch > config.games_per_step * FEWEST:
            raise BadOption(f"batch={config.batch}: {config.games_per_step} games have fewer afterstates")
        net = new_net(config.wide, config.narrow, config.seed)
        if config.start:
            net = Net(*(weights.copy() for weights in read_net(config.start)))
        self.net, self.first, self.second = net, _zeros(net), _zeros(net)
        self.mean = Net(*(weights.copy() for weights in net))
        self.rng = stream(config.seed)
        self.counts = np.zeros(2, dtype=np.int64)  # games played, updates made
        self._bench = new_bench(self.game.kernel, net)
        self._state = self.game.kernel.blank(1)
        most = config.games_per_step * config.players * LONGEST
        self._answers = np.empty((most, SLOTS), dtype=np.int16)
        self._buckets = np.empty(most, dtype=np.int16)
        self._targets = np.empty(most, dtype=np.float32)
        self._points = np.empty(config.games_per_step)

    def step(self) -> dict[str, float]:
        """Play some games and learn from them; the run's numbers."""
        config, part, rate = self.config, self.part, self.rate
        explore = config.explore * max(0.0, 1.0 - part / config.explore_until) if config.explore_until else 0.0
        noted = play_and_note(
            self._bench,
            self._state,
            self.game.blank(),
            self.mean,
            self.rng,
            explore,
            config.window,
            config.trace,
            self._answers,
            self._buckets,
            self._targets,
            self._points,
        )
        loss = learn(
            self._answers[:noted],
            self._buckets[:noted],
            self._targets[:noted],
            self.net,
            self.first,
            self.second,
            self.mean,
            _zeros(self.net),
            self.counts,
            self.rng,
            config.epochs,
            config.batch,
            rate,
            config.averaging,
        )
        self.counts[0] += config.games_per_step
        error = float(np.sqrt(loss)) * SCALE
        return {"score": float(self._points.mean()), "error": error, "rate": rate}

    def evaluate(self, games: int | None = None, first_seed: int = EVALUATION) -> NDArray[np.float64]:
        """Final scores of the averaged network on seeds of its own, without exploration."""
        rngs = streams(first_seed, games or self.config.evaluation_games)
        scores = np.empty(len(rngs))
        play_greedily(self._bench, self._state, self.game.blank(), self.mean, rngs, self.config.window, scores)
        return scores

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Everything that changes during the run."""
        parts = {"net": self.net, "first": self.first, "second": self.second, "mean": self.mean}
        kept = {f"{part}.{name}": array for part, net in parts.items() for name, array in net._asdict().items()}
        return {**kept, "rng": self.rng, "counts": self.counts}

    def network(self) -> dict[str, NDArray[Any]]:
        """The averaged weights."""
        return dict(self.mean._asdict())

    def onnx(self) -> bytes:
        from stammtisch.learning.export import value_network

        return value_network(self.network())


def _zeros(net: Net) -> Net:
    return Net(*(np.zeros_like(weights) for weights in net))


# --- playing ------------------------------------------------------------------------------------------------


@compiled
def play_and_note(
    bench: Bench,
    states: Records,
    blank: Records,
    net: Net,
    rng: Rng,
    explore: float,
    window: int,
    trace: float,
    answers: NDArray[np.int16],
    buckets: NDArray[np.int16],
    targets: Weights,
    points: Vector,
) -> int:
    """Play ``len(points)`` games; note every afterstate with its target; how many were noted."""
    actions, values = np.empty(MOST_ACTIONS, dtype=np.int64), np.empty(MOST_ACTIONS)
    places, passed = np.empty((SEATS, LONGEST), dtype=np.int64), np.zeros(SEATS, dtype=np.int64)
    most = len(targets)
    judged, standing, restart = np.empty(most), np.empty(most), np.empty(most)
    noted = 0
    for number in range(len(points)):
        clear(net, bench.desk)
        states[0] = blank[0]
        state = states[0]
        new_game(state, rng)
        passed[:] = 0
        while player(state) != OVER:
            seat = player(state)
            n = legal_actions(state, actions)
            chosen = 0
            if n > 1:
                chosen = judge_all(bench, state, actions, n, window, net, values)
                if explore > 0.0 and uniform(rng) < explore:
                    best = values[chosen]
                    chosen = below(rng, n)
                    if passed[seat] and np.isnan(restart[places[seat, passed[seat] - 1]]):
                        restart[places[seat, passed[seat] - 1]] = best
            action = actions[chosen]
            after = bench.states[0]
            bench.states[0] = state
            place(after, action)
            moment, turn = reached(after, action)
            if moment >= 0 and passed[seat] < LONGEST:
                judged[noted] = judge(after, seat, turn, moment, net, bench.desk)
                standing[noted] = total_points(after, seat)
                restart[noted] = np.nan
                for slot in range(SLOTS):
                    answers[noted, slot] = bench.desk.answers[slot]
                buckets[noted] = (turn - 1) * MOMENTS + moment
                places[seat, passed[seat]] = noted
                passed[seat] += 1
                noted += 1
            apply(state, action, rng)
        points[number] = 0.0
        for seat in range(int(state.players)):
            back = float(total_points(state, seat))
            points[number] += back / int(state.players)
            for i in range(passed[seat] - 1, -1, -1):
                at = places[seat, i]
                if not np.isnan(restart[at]):
                    back = restart[at]
                targets[at] = (back - standing[at]) / SCALE
                back = (1.0 - trace) * judged[at] + trace * back
    return noted


@compiled
def play_greedily(
    bench: Bench, states: Records, blank: Records, net: Net, rngs: Rng, window: int, scores: Vector
) -> None:
    """One game for each generator, always with the best action; the mean score of the players."""
    actions, values = np.empty(MOST_ACTIONS, dtype=np.int64), np.empty(MOST_ACTIONS)
    for i in range(len(scores)):
        clear(net, bench.desk)
        states[0] = blank[0]
        state = states[0]
        new_game(state, rngs[i])
        while player(state) != OVER:
            n = legal_actions(state, actions)
            chosen = judge_all(bench, state, actions, n, window, net, values) if n > 1 else 0
            apply(state, actions[chosen], rngs[i])
        scores[i] = 0.0
        for seat in range(int(state.players)):
            scores[i] += total_points(state, seat) / int(state.players)


# --- learning -----------------------------------------------------------------------------------------------


@compiled
def learn(
    answers: NDArray[np.int16],
    buckets: NDArray[np.int16],
    targets: Weights,
    net: Net,
    first: Net,
    second: Net,
    mean: Net,
    gradient: Net,
    counts: Actions,
    rng: Rng,
    epochs: int,
    batch: int,
    rate: float,
    averaging: float,
) -> float:
    """Fit the network to the targets by Adam, in random order; the mean squared error before."""
    order = np.arange(len(targets))
    touched = np.zeros(ROWS, dtype=np.bool_)
    error, seen = 0.0, 0
    for epoch in range(epochs):
        shuffle(rng, order, len(order))
        for start in range(0, len(order) - batch + 1, batch):
            here = order[start : start + batch]
            squares = add_gradient(answers, buckets, targets, here, net, gradient, touched)
            if epoch == 0:
                error += squares
                seen += batch
            counts[1] += 1
            step = rate * warm(counts[1])
            for row in range(ROWS):
                if touched[row]:
                    adam(net.rows[row], first.rows[row], second.rows[row], gradient.rows[row], step)
                    touched[row] = False
            for i in range(len(net.middle)):
                adam(net.middle[i], first.middle[i], second.middle[i], gradient.middle[i], step)
            adam(net.middle_bias, first.middle_bias, second.middle_bias, gradient.middle_bias, step)
            for i in range(len(net.last)):
                adam(net.last[i], first.last[i], second.last[i], gradient.last[i], step)
            adam(net.last_bias, first.last_bias, second.last_bias, gradient.last_bias, step)
            if counts[1] % 10 == 0:
                follow(mean, net, np.float32(1.0 - averaging**10))
    return error / max(1, seen)


@compiled
def add_gradient(
    answers: NDArray[np.int16],
    buckets: NDArray[np.int16],
    targets: Weights,
    here: Actions,
    net: Net,
    gradient: Net,
    touched: NDArray[np.bool_],
) -> float:
    """Set ``gradient`` to that of half the mean squared error of these afterstates; the sum of their squared errors."""
    wide, narrow = net.middle.shape
    across = net.middle.T.copy()
    one, two = np.empty(wide, dtype=np.float32), np.empty(narrow, dtype=np.float32)
    back_one, back_two = np.empty(wide, dtype=np.float32), np.empty(narrow, dtype=np.float32)
    squares = 0.0
    share = np.float32(1.0 / len(here))
    for k in here:
        bucket = buckets[k]
        one[:] = 0.0
        for slot in range(SLOTS):
            weights = net.rows[answers[k, slot]]
            for i in range(wide):
                one[i] += weights[i]
        two[:] = net.middle_bias
        for i in range(wide):
            strength = one[i]
            if strength > 0.0:
                weights = net.middle[i]
                for j in range(narrow):
                    two[j] += strength * weights[j]
        error = net.last_bias[bucket] - targets[k]
        for j in range(narrow):
            error += max(two[j], np.float32(0.0)) * net.last[bucket, j]
        squares += error * error
        error *= share
        gradient.last_bias[bucket] += error
        back_one[:] = 0.0
        for j in range(narrow):
            back_two[j] = 0.0
            if two[j] > 0.0:
                gradient.last[bucket, j] += error * two[j]
                back_two[j] = error * net.last[bucket, j]
                slope, weights = back_two[j], across[j]
                gradient.middle_bias[j] += slope
                for i in range(wide):
                    back_one[i] += slope * weights[i]
        for i in range(wide):
            strength = one[i]
            if strength > 0.0:
                weights = gradient.middle[i]
                for j in range(narrow):
                    weights[j] += strength * back_two[j]
            else:
                back_one[i] = 0.0
        for slot in range(SLOTS):
            row = answers[k, slot]
            touched[row] = True
            weights = gradient.rows[row]
            for i in range(wide):
                weights[i] += back_one[i]
    return squares


@compiled
def follow(mean: Net, net: Net, share: np.float32) -> None:
    """Move the averaged weights towards the present ones."""
    for row in range(len(net.rows)):
        for i in range(net.rows.shape[1]):
            mean.rows[row, i] += share * (net.rows[row, i] - mean.rows[row, i])
    for row in range(len(net.middle)):
        for i in range(net.middle.shape[1]):
            mean.middle[row, i] += share * (net.middle[row, i] - mean.middle[row, i])
    for row in range(len(net.last)):
        for i in range(net.last.shape[1]):
            mean.last[row, i] += share * (net.last[row, i] - mean.last[row, i])
        mean.last_bias[row] += share * (net.last_bias[row] - mean.last_bias[row])
    for i in range(len(net.middle_bias)):
        mean.middle_bias[i] += share * (net.middle_bias[i] - mean.middle_bias[i])
