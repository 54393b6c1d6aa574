"""Tichu from rounds that the learner plays with itself: what every position after an action is worth.

The targets are what rounds brought in the end (Monte Carlo): the points without the calls made before, and who was
first out. The first rounds are played by the rules of thumb, so that there is something to be greedy about; then the
running mean of the weights plays, against itself, earlier selves and the rules of thumb. In many rounds one decision is
random, and calls and gifts now and then; what was noted before it is dropped, so the returns stay those of the player.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stammtisch.agents.tichu.net import (
    FIRST,
    HEAVIEST,
    OUTPUTS,
    POINTS,
    UNITS,
    Net,
    Weights,
    begin,
    decide,
    may_call,
    mind_with,
    new_net,
    note,
    options,
    read_net,
    teach,
    worth_of,
)
from stammtisch.agents.tichu.sight import BIG, ROWS, SLOTS, SMALL
from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import OVER, Actions, Record, Records, Vector
from stammtisch.core.registry import game
from stammtisch.core.rng import Rng, below, shuffle, stream, streams, uniform
from stammtisch.games.tichu import policy
from stammtisch.games.tichu.combinations import PASS
from stammtisch.games.tichu.rules import (
    CALL_GRAND,
    CALL_TICHU,
    GRAND,
    MOST_ACTIONS,
    NO_GRAND,
    PLAY,
    SCHUPF,
    SEATS,
    SPECIAL,
    apply,
    new_game,
    player,
)
from stammtisch.learning.adam import adam, warm
from stammtisch.learning.learner import EVALUATION, LAST_SEED
from stammtisch.learning.selfplay import SelfPlay
from stammtisch.learning.settings import MANY, setting

Answers = NDArray[np.int16]

LONGEST = 90  # views noted of one round, at most
BY_NET, BY_RIVAL, BY_HAND = range(3)  # who plays a seat
POOL = 6  # earlier selves to play against
MOMENTS_OF_A_ROUND = 60  # decisions among which the random one is chosen
NEAR = 30.0  # points that a random choice may cost, half of the time
SNAPSHOTS = 24  # how often in all an earlier self is kept


@dataclass(frozen=True)
class Config:
    """What a run of the learner is made of."""

    start: str = setting("", "a network to begin with; then no rounds are played by hand first")
    games: int = setting(10_000_000, "rounds in total", 1, MANY)
    by_hand: int = setting(250_000, "rounds at the start that the rules of thumb play", 0, MANY)
    games_per_step: int = setting(1000, "rounds played between two turns of learning", 1, 100_000)
    noted: float = setting(0.5, "share of the plays that are learned from", 0.01, 1.0)
    watched: float = setting(0.1, "how often a position is also learned from as another seat sees it", 0.0, 1.0)
    explore: float = setting(0.5, "share of rounds with a random decision", 0.0, 1.0)
    calls: float = setting(0.02, "share of random calls of tichu; grand tichu four times, gifts five times", 0.0, 0.2)
    selves: float = setting(0.25, "share of rounds against an earlier self", 0.0, 1.0)
    hands: float = setting(0.15, "share of rounds against the rules of thumb", 0.0, 1.0)
    batch: int = setting(256, "views per update", 1, 65_536)
    rate: float = setting(5e-4, "of Adam at the start", 1e-9, 1.0)
    last_rate: float = setting(1e-5, "of Adam at the end; it falls by half a cosine", 0.0, 1.0)
    first_weight: float = setting(0.5, "of who is first out, beside the points", 0.0, 100.0)
    averaging: float = setting(0.9998, "how much of the averaged weights every update keeps", 0.0, 0.999_999)
    evaluation_games: int = setting(2000, "deals of every look at its strength, each played from both sides", 2, 10**6)
    seed: int = setting(1, "of all luck", 0, LAST_SEED)


class TichuLearner(SelfPlay):
    """A run: ``step`` plays and learns, ``arrays`` is all that has to be kept to go on exactly as if never stopped."""

    summary = "What every action leads to: points and who is first, by the results of rounds with itself"
    config_class = Config
    games = ("tichu",)
    unit = "rounds"
    plotted = ("evaluation",)
    marks = (0, 100)

    def __init__(self, config: Config) -> None:
        self.config = config
        self.game = game("tichu", rounds=1, merged=True)
        net = new_net(config.seed)
        if config.start:
            net = Net(*(weights.copy() for weights in read_net(config.start)))
        self.net, self.first, self.second = net, _zeros(net), _zeros(net)
        self.mean = Net(*(weights.copy() for weights in net))
        self.pool = [Net(*(weights.copy() for weights in net)) for _ in range(POOL)]
        self.rng = stream(config.seed)
        self.counts = np.zeros(3, dtype=np.int64)  # rounds played, updates made, earlier selves kept
        self._mind, self._rival = mind_with(self.mean), mind_with(self.mean)
        self._states = self.game.kernel.blank(1)
        most = config.games_per_step * LONGEST
        self._answers = np.empty((most, SLOTS), dtype=np.int16)
        self._stages = np.empty(most, dtype=np.int8)
        self._targets = np.empty((most, 2), dtype=np.float32)

    def step(self) -> dict[str, float]:
        """Play some rounds and learn from them; the run's numbers."""
        config = self.config
        teaching = not config.start and self.done < config.by_hand
        teach(self._mind, self.mean)
        kept = min(POOL, int(self.counts[2]))
        if kept:
            teach(self._rival, self.pool[below(self.rng, kept)])
        shares = np.array([config.selves if kept else 0.0, config.hands, config.explore, config.calls, config.noted])
        noted = play_and_note(
            self._mind,
            self._rival,
            self._states,
            self.game.blank(),
            self.rng,
            config.games_per_step,
            teaching,
            np.append(shares, config.watched),
            (self._answers, self._stages, self._targets),
        )
        squares, surprise = learn(
            (self._answers[:noted], self._stages[:noted], self._targets[:noted]),
            self.net,
            (self.first, self.second, self.mean, _zeros(self.net)),
            self.counts,
            self.rng,
            config.batch,
            np.array([self.rate, config.averaging, config.first_weight]),
        )
        before = SNAPSHOTS * self.done // self.total
        self.counts[0] += config.games_per_step
        if SNAPSHOTS * self.done // self.total > before and not teaching:
            for kept_weights, weights in zip(self.pool[int(self.counts[2]) % POOL], self.mean, strict=True):
                kept_weights[...] = weights
            self.counts[2] += 1
        return {
            "error": POINTS * float(np.sqrt(squares)),
            "surprise": surprise,
            "rate": self.rate,
            "noted": noted / config.games_per_step,
        }

    def evaluate(self, games: int | None = None, first_seed: int = EVALUATION) -> NDArray[np.float64]:
        """Points a round against the rules of thumb: for every deal the mean of both sides."""
        teach(self._mind, self.mean)
        rngs = streams(first_seed, games or self.config.evaluation_games)
        points = np.empty(len(rngs))
        duel(self._mind, self._mind, True, self._states, self.game.blank(), rngs, points)
        return points

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Everything that changes during the run."""
        parts = {"net": self.net, "first": self.first, "second": self.second, "mean": self.mean}
        parts |= {f"pool{i}": net for i, net in enumerate(self.pool)}
        kept = {f"{part}.{name}": array for part, net in parts.items() for name, array in net._asdict().items()}
        return {**kept, "rng": self.rng, "counts": self.counts}

    def network(self) -> dict[str, NDArray[Any]]:
        """The averaged weights, as they play."""
        return dict(self.mean._replace(rows=np.clip(self.mean.rows, -HEAVIEST, HEAVIEST))._asdict())


def _zeros(net: Net) -> Net:
    return Net(*(np.zeros_like(weights) for weights in net))


# --- playing ------------------------------------------------------------------------------------------------


@compiled
def play_and_note(
    minds: Records,
    rivals: Records,
    states: Records,
    blank: Records,
    rng: Rng,
    rounds: int,
    teaching: bool,
    shares: Vector,
    pages: tuple[Answers, NDArray[np.int8], Weights],
) -> int:
    """Play rounds; note views and what became of them; how many were noted."""
    answers, stages, targets = pages
    mind, rival = minds[0], rivals[0]
    selves, hands, explore, calls, share, watched = shares[0], shares[1], shares[2], shares[3], shares[4], shares[5]
    buffer = np.empty(MOST_ACTIONS, dtype=np.int64)
    whose, bets = np.empty(LONGEST, dtype=np.int64), np.empty((LONGEST, SEATS + 1))
    plays, learns = np.empty(SEATS, dtype=np.int64), np.empty(SEATS, dtype=np.bool_)
    noted = 0
    for _ in range(rounds):
        states[0] = blank[0]
        state = states[0]
        new_game(state, rng)
        _seat_players(plays, learns, teaching, selves, hands, rng)
        begun, random_at, decisions = noted, -1, 0
        if uniform(rng) < (0.8 if teaching else explore):
            random_at = below(rng, MOMENTS_OF_A_ROUND)
        while player(state) != OVER:
            seat = int(player(state))
            n = options(state, seat, buffer)
            calling = may_call(state, seat)
            if n == 1 and not calling:
                apply(state, buffer[0], rng)
                continue
            usual = _usual(mind, rival, state, plays[seat], rng)
            if decisions == random_at:
                action = _at_random(mind, state, seat, buffer, n, rng)
            else:
                action = _now_and_then(state, usual, buffer, n, calling, calls, rng)
            if action != usual:
                noted = begun
            rare = action != usual or action >= SPECIAL
            decisions += 1
            if learns[seat] and noted - begun < LONGEST and (rare or uniform(rng) < share):
                _note(mind, state, seat, action, answers, stages, noted, bets[noted - begun])
                whose[noted - begun] = seat
                noted += 1
            apply(state, action, rng)
            watcher = (seat + 1 + below(rng, 3)) & 3
            looks = state.phase >= PLAY and player(state) != OVER and uniform(rng) < watched
            if looks and learns[watcher] and noted - begun < LONGEST:
                _note(mind, state, watcher, -1, answers, stages, noted, bets[noted - begun])
                whose[noted - begun] = watcher
                noted += 1
        for i in range(begun, noted):
            _settle(state, whose[i - begun], bets[i - begun], targets[i])
    return noted


@compiled
def _settle(state: Record, seat: int, bets: NDArray[np.float64], target: Weights) -> None:
    """What the finished round was worth to who noted a view when these calls were made."""
    points = float(state.score[seat & 1] - state.score[(seat & 1) ^ 1])
    first = (state.finished[0] - seat) & 3
    for i in range(SEATS):
        won = (i == first) == (i & 1 == 0)  # by the own team, or lost by the other
        points -= bets[i] if won else -bets[i]
    target[0] = points / POINTS
    target[1] = first if bets[SEATS] else -1.0


@compiled
def _note(
    mind: Record,
    state: Record,
    seat: int,
    action: int,
    answers: Answers,
    stages: NDArray[np.int8],
    at: int,
    bets: Vector,
) -> None:
    """Write a view, the calls in it, and whether it is open who will be first."""
    stages[at] = note(mind, state, seat, action, answers[at])
    bets[SEATS] = 1.0
    for i in range(SEATS):
        call = mind.after.calls[i]
        bets[i] = 100.0 if call == SMALL else 200.0 if call == BIG else 0.0
        if mind.after.out[i]:
            bets[SEATS] = 0.0


@compiled
def _seat_players(
    plays: Actions, learns: NDArray[np.bool_], teaching: bool, selves: float, hands: float, rng: Rng
) -> None:
    """Who plays each seat, and whose views are learned from."""
    chance, side = uniform(rng), below(rng, 2)
    other = BY_RIVAL if chance < selves else BY_HAND if chance < selves + hands else BY_NET
    for seat in range(SEATS):
        theirs = seat & 1 == side
        plays[seat] = BY_HAND if teaching else other if theirs else BY_NET
        learns[seat] = teaching or plays[seat] == BY_NET


@compiled
def _usual(mind: Record, rival: Record, state: Record, plays: int, rng: Rng) -> int:
    """What who plays this seat does."""
    buffer = np.empty(MOST_ACTIONS, dtype=np.int64)
    if plays == BY_HAND:
        return policy.decide(state, buffer, rng)
    return decide(rival if plays == BY_RIVAL else mind, state, buffer, rng)


@compiled
def _at_random(mind: Record, state: Record, seat: int, buffer: Actions, n: int, rng: Rng) -> int:
    """Any action, or one of those that seem to be nearly as good as the best."""
    if below(rng, 2):
        return buffer[below(rng, n)]
    chance, worths = np.empty((3, 16)), np.empty(n)
    begin(mind, state, seat, chance)
    for i in range(n):
        worths[i] = worth_of(mind, state, seat, buffer[i], chance)
    least, chosen, found = worths.max() - NEAR, 0, 0
    for i in range(n):
        if worths[i] >= least:
            found += 1
            if below(rng, found) == 0:
                chosen = i
    return buffer[chosen]


@compiled
def _now_and_then(state: Record, action: int, buffer: Actions, n: int, calling: bool, share: float, rng: Rng) -> int:
    """Another call or gift than usual, in a small share of such decisions."""
    luck = uniform(rng)
    if state.phase == GRAND and luck < 4.0 * share:
        return NO_GRAND if action == CALL_GRAND else CALL_GRAND
    if state.phase == SCHUPF and luck < 5.0 * share:
        return buffer[below(rng, n)]
    if calling and action != PASS and luck < share:
        return CALL_TICHU
    return action


# --- matches ------------------------------------------------------------------------------------------------


@compiled
def duel(
    minds: Records, rivals: Records, by_hand: bool, states: Records, blank: Records, rngs: Rng, points: Vector
) -> None:
    """Every deal from both sides, against another network or the rules of thumb; the mean difference of each deal."""
    buffer, luck = np.empty(MOST_ACTIONS, dtype=np.int64), rngs[0].copy()
    for i in range(len(points)):
        points[i] = 0.0
        for side in range(2):
            luck[:] = rngs[i]
            states[0] = blank[0]
            state = states[0]
            new_game(state, luck)
            while player(state) != OVER:
                if player(state) & 1 == side:
                    action = decide(minds[0], state, buffer, luck)
                elif by_hand:
                    action = policy.decide(state, buffer, luck)
                else:
                    action = decide(rivals[0], state, buffer, luck)
                apply(state, action, luck)
            points[i] += 0.5 * (state.score[side] - state.score[1 - side])


# --- learning -----------------------------------------------------------------------------------------------


@compiled
def learn(
    pages: tuple[Answers, NDArray[np.int8], Weights],
    net: Net,
    parts: tuple[Net, Net, Net, Net],
    counts: Actions,
    rng: Rng,
    batch: int,
    plan: Vector,
) -> tuple[float, float]:
    """Fit the network to the targets by Adam, in random order; mean squared error of points, mean surprise."""
    answers, stages, targets = pages
    first, second, mean, gradient = parts
    rate, averaging, weight = plan[0], plan[1], plan[2]
    order = np.arange(len(targets))
    shuffle(rng, order, len(order))
    touched = np.zeros(ROWS, dtype=np.bool_)
    losses = np.zeros(2)
    seen = 0
    for start in range(0, len(order) - batch + 1, batch):
        add_gradient(answers, stages, targets, order[start : start + batch], net, gradient, touched, weight, losses)
        seen += batch
        counts[1] += 1
        step = rate * warm(counts[1])
        for row in range(ROWS):
            if touched[row]:
                adam(net.rows[row], first.rows[row], second.rows[row], gradient.rows[row], step)
                touched[row] = False
        for bucket in range(len(net.last)):
            for o in range(OUTPUTS):
                adam(net.last[bucket, o], first.last[bucket, o], second.last[bucket, o], gradient.last[bucket, o], step)
            biases = net.last_bias[bucket], first.last_bias[bucket], second.last_bias[bucket]
            adam(*biases, gradient.last_bias[bucket], step)
        if counts[1] % 10 == 0:
            follow(mean, net, np.float32(max(1.0 - averaging**10, 30.0 / (30.0 + counts[1]))))
    return losses[0] / max(1, seen), losses[1] / max(1, seen)


@compiled
def add_gradient(
    answers: Answers,
    stages: NDArray[np.int8],
    targets: Weights,
    here: Actions,
    net: Net,
    gradient: Net,
    touched: NDArray[np.bool_],
    weight: float,
    losses: Vector,
) -> None:
    """Set ``gradient`` to that of these views' mean loss, and add their squared errors and surprises to ``losses``."""
    units, slopes = np.empty(UNITS, dtype=np.float32), np.empty(UNITS, dtype=np.float32)
    out, chance = np.empty(OUTPUTS, dtype=np.float32), np.empty(SEATS)
    share = np.float32(1.0 / len(here))
    zero, one = np.float32(0.0), np.float32(1.0)
    for k in here:
        bucket = stages[k]
        units[:] = zero
        n = 0
        while n < SLOTS and answers[k, n] >= 0:
            row = net.rows[answers[k, n]]
            for i in range(UNITS):
                units[i] += row[i]
            n += 1
        for i in range(UNITS):
            units[i] = min(max(units[i], zero), one)
        for o in range(OUTPUTS):
            last, total = net.last[bucket, o], 0.0
            for i in range(UNITS):
                total += units[i] * units[i] * last[i]
            out[o] = net.last_bias[bucket, o] + total
        _errors(out, targets[k], weight, chance, losses)
        slopes[:] = zero
        for o in range(OUTPUTS):
            error = np.float32(out[o] * share)
            if error != zero:
                gradient.last_bias[bucket, o] += error
                last, slope = net.last[bucket, o], gradient.last[bucket, o]
                for i in range(UNITS):
                    slopes[i] += error * last[i]
                    slope[i] += error * units[i] * units[i]
        for i in range(UNITS):
            inside = one if zero < units[i] < one else zero
            slopes[i] *= inside * (units[i] + units[i])
        for slot in range(n):
            at = answers[k, slot]
            touched[at] = True
            row = gradient.rows[at]
            for i in range(UNITS):
                row[i] += slopes[i]


@compiled
def _errors(out: Weights, target: Weights, weight: float, chance: Vector, losses: Vector) -> None:
    """From what the network says to the slopes of the loss."""
    error = out[0] - target[0]
    losses[0] += error * error
    out[0] = error
    first = int(target[1])
    highest, together = max(out[FIRST : FIRST + SEATS]), 0.0
    for i in range(SEATS):
        chance[i] = np.exp(out[FIRST + i] - highest)
        together += chance[i]
    for i in range(SEATS):
        out[FIRST + i] = weight * (chance[i] / together - (1.0 if i == first else 0.0)) if first >= 0 else 0.0
    if first >= 0:
        losses[1] -= np.log(max(1e-12, chance[first] / together))
    out[FIRST + SEATS :] = 0.0


@compiled
def follow(mean: Net, net: Net, share: np.float32) -> None:
    """Move the averaged weights towards the present ones."""
    _towards(mean.rows.ravel(), net.rows.ravel(), share)
    _towards(mean.last.ravel(), net.last.ravel(), share)
    _towards(mean.last_bias.ravel(), net.last_bias.ravel(), share)


@compiled
def _towards(mean: Weights, weights: Weights, share: np.float32) -> None:
    for i in range(len(mean)):
        mean[i] += share * (weights[i] - mean[i])
