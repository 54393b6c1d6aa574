"""A learned evaluation for Chamäleon Schach: values bootstrapped from search, by games that the learner plays itself.

Every move is chosen by the search behind ``best`` a few moves deep, with the network that is being learned; it begins
as the evaluation by hand. What such a search says of a position is better than what the network says at once, so the
network is moved towards it, and towards the outcome: at a player's own decisions the target is the lambda-return

    R(t) = (1 - lambda) * search(t) + lambda * R(his next decision),    R(the end) = his share of the win,

and in positions where others move, the return of his next decision. Random moves keep the games apart; no return
reaches across one. A search meets positions that no sensible game does: with ``aside`` it also looks at some that are
a few random moves away, and learns what the search says there. Positions in which the search takes a pawn are not
learned: the search looks behind captures itself. Games have two, three and four players in turn, any colours; every
player sees a position from below.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from stammtisch.agents.chameleon.engine import CERTAIN, INFINITE, new_desk, visit
from stammtisch.agents.chameleon.hand import WHOLE
from stammtisch.agents.chameleon.net import (
    BUCKETS,
    ROWS,
    SLOTS,
    STAGES,
    UNITS,
    Net,
    Weights,
    answers_of,
    bucket_of,
    new_net,
    odds,
    teach,
)
from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import Actions, Record
from stammtisch.core.rng import Rng, below, stream, uniform
from stammtisch.games.chameleon.board import PLAYERS
from stammtisch.games.chameleon.game import Chameleon
from stammtisch.games.chameleon.rules import MOST_MOVES, apply, legal_actions, new_game, scores, survivors
from stammtisch.learning.adam import adam, warm
from stammtisch.learning.checkpoints import Arrays
from stammtisch.learning.learner import EVALUATION, LAST_SEED
from stammtisch.learning.selfplay import SelfPlay
from stammtisch.learning.settings import MANY, setting

T = TypeVar("T")

LINE_UPS = (("RG", "RY", "RB", "GY", "GB", "YB"), ("RGY", "RGB", "RYB", "GYB"), ("RGYB",))
ENTRIES = 1 << 13  # of the transposition table: for a few moves ahead


@dataclass(frozen=True)
class Config:
    """What a run of the learner is made of."""

    games: int = setting(120_000, "games in total", 1, MANY)
    games_per_step: int = setting(60, "games played between two rounds of learning", 1, MANY)
    depth: int = setting(3, "moves that every decision looks ahead", 1, 20)
    opening: int = setting(8, "at most so many random moves at the start of a game", 0, 100)
    explore: float = setting(0.06, "share of random moves after that", 0.0, 1.0)
    aside: float = setting(0.0, "at how many decisions a position beside the game is learned from as well", 0.0, 1.0)
    aside_moves: int = setting(4, "random moves that lead there, at most", 1, 100)
    trace: float = setting(0.5, "lambda while two players are left: 0 trusts the search, 1 the outcome", 0.0, 1.0)
    trace_many: float = setting(0.7, "lambda while there are more: there the search is too pessimistic", 0.0, 1.0)
    memory: int = setting(400_000, "positions that are learned from again", 1000, MANY)
    repeats: float = setting(3.0, "how often each position is learned from, on average", 1e-3, 1000.0)
    batch: int = setting(256, "positions per update", 1, MANY)
    rate: float = setting(5e-4, "of Adam at the start", 1e-9, 1.0)
    last_rate: float = setting(1e-5, "of Adam at the end; it falls by half a cosine", 0.0, 1.0)
    averaging: float = setting(0.999, "how much of the averaged weights every update keeps", 0.0, 0.999_999)
    evaluation_games: int = setting(240, "games of every look at its strength", 2, 10**7)
    evaluation_depth: int = setting(3, "moves that both look ahead in them", 1, 20)
    seed: int = setting(1, "of all luck", 0, LAST_SEED)


class SearchLearner(SelfPlay):
    """A run: ``step`` plays and learns, ``arrays`` is all that has to be kept to go on exactly as if never stopped."""

    summary = "The evaluation behind best, moved towards what its own search says and how games end"
    config_class = Config
    games = ("chameleon",)

    def __init__(self, config: Config) -> None:
        self.config = config
        self.net = new_net(config.seed)
        self.first, self.second = _zeros(self.net), _zeros(self.net)
        self.mean = Net(*(weights.copy() for weights in self.net))
        self.rng = stream(config.seed)
        self.counts = np.zeros(3, dtype=np.int64)  # games played, updates made, positions noted
        self.answers = np.zeros((config.memory, SLOTS), dtype=np.int16)
        self.buckets = np.zeros(config.memory, dtype=np.int8)
        self.odds = np.zeros(config.memory, dtype=np.float32)
        self.targets = np.zeros(config.memory, dtype=np.float32)
        self.places = [[Chameleon(players=name) for name in names] for names in LINE_UPS]
        self._gradient = _zeros(self.net)
        layout, cores = self.places[0][0].kernel.state, os.cpu_count() or 1
        self._desks = [_Desks(new_desk(layout, ENTRIES, self.mean), new_desk(layout, ENTRIES)) for _ in range(cores)]
        self._threads = ThreadPoolExecutor(cores)

    def step(self) -> dict[str, float]:
        """Play some games and learn from them; the run's numbers."""
        config, noted = self.config, int(self.counts[2])
        numbers = range(self.done, self.done + config.games_per_step)
        moves = 0
        for played in self._at_once(self._play, numbers):
            self._note(played)
            moves += played.moves
            self.counts[0] += 1
        new = int(self.counts[2]) - noted
        loss = learn(
            self.answers,
            self.buckets,
            self.odds,
            self.targets,
            min(int(self.counts[2]), config.memory),
            self.net,
            self.first,
            self.second,
            self._gradient,
            self.counts,
            self.rng,
            int(new * config.repeats) // config.batch,
            config.batch,
            self.rate,
            self.mean,
            config.averaging,
        )
        return {"loss": loss, "moves": moves / config.games_per_step, "rate": self.rate}

    def _at_once(self, task: Callable[[int, _Desks], T], numbers: Iterable[int]) -> Iterator[T]:
        """Do the task for these numbers, on all cores; results in their order, the same on any number of cores."""
        idle: SimpleQueue[_Desks] = SimpleQueue()
        for desks in self._desks:
            teach(desks.learned.judge, self.mean)
            idle.put(desks)

        def one(number: int) -> T:
            desks = idle.get()
            try:
                return task(number, desks)
            finally:
                idle.put(desks)

        return self._threads.map(one, numbers)

    def _play(self, number: int, desks: _Desks) -> _Played:
        """Play a game by the averaged network."""
        config, rng = self.config, stream(self.config.seed, 1, number)
        among = self.places[max(0, below(rng, 4) - 1)]  # two players twice as often: these games are short
        course = _Course(among[below(rng, len(among))], desks.learned)
        for _ in range(below(rng, config.opening + 1)):
            course.play(course.random_move(rng))
        notes: list[_Note] = []
        beside: list[_Note] = []
        while not course.over:
            seat, quiet, value, action = course.seat, True, np.nan, course.random_move(rng)
            explored = uniform(rng) < config.explore
            if course.choices > 1 and not explored:
                action, value = course.decide(config.depth)
                quiet = course.is_quiet(action)
            notes.append(_Note(seat, value, explored, quiet, *course.seen()))
            if config.aside and uniform(rng) < config.aside:
                beside += self._look_aside(course.copy(), rng)
            course.play(action)
        return _Played(notes, beside, course.shares(), course.moves)

    def _look_aside(self, course: _Course, rng: Rng) -> list[_Note]:
        """What the search says of a position some random moves from here, if it is quiet there."""
        for _ in range(1 + below(rng, self.config.aside_moves)):
            course.play(course.random_move(rng))
        if course.over or course.choices < 2:
            return []
        action, value = course.decide(self.config.depth)
        return [_Note(course.seat, value, False, True, *course.seen())] if course.is_quiet(action) else []

    def _note(self, played: _Played) -> None:
        """Write the positions of a game with their targets to the memory, from the last to the first."""
        for note in played.beside:  # of two players, both learn
            two = _survivors(note.buckets) == 2
            for seat in range(PLAYERS):
                if note.buckets[seat] >= 0 and (two or seat == note.seat):
                    self._remember(note, seat, note.value if seat == note.seat else 1.0 - note.value)
        back = played.shares.copy()  # the return of every seat at its next decision; not a number behind a random move
        for note in reversed(played.notes):
            if note.explored:
                back[:] = np.nan
                continue
            if not np.isnan(note.value):
                share = self.config.trace_many if _survivors(note.buckets) > 2 else self.config.trace
                ahead = back[note.seat]
                back[note.seat] = note.value if np.isnan(ahead) else (1.0 - share) * note.value + share * ahead
            if note.quiet:
                for seat in range(PLAYERS):
                    if note.buckets[seat] >= 0 and not np.isnan(back[seat]):
                        self._remember(note, seat, back[seat])

    def _remember(self, note: _Note, seat: int, target: float) -> None:
        """Write a position as the seat sees it to the memory, over the oldest one."""
        at = int(self.counts[2]) % self.config.memory
        self.answers[at], self.buckets[at] = note.answers[seat], note.buckets[seat]
        self.odds[at], self.targets[at] = note.odds[seat], target
        self.counts[2] += 1

    def evaluate(self, games: int | None = None) -> NDArray[np.float64]:
        """Results against the evaluation by hand, both equally deep, on openings of their own: 1 won, 0 lost.

        Each line-up of one network among hands is followed by one hand among networks, from the same opening: with
        any number of players, equals come to one half.
        """
        return np.array(list(self._at_once(self._compare, range((games or self.config.evaluation_games) // 2))))

    def _compare(self, number: int, desks: _Desks) -> float:
        """Two games from the same opening."""
        among = self.places[number % 3]
        place = among[number // 3 % len(among)]
        seat = place.line_up[number // 3 % len(place.line_up)]
        network = self._duel(place, seat, desks.learned, desks.by_hand, stream(EVALUATION + number))
        hand = self._duel(place, seat, desks.by_hand, desks.learned, stream(EVALUATION + number))
        return (network + 1.0 - hand) / 2

    def _duel(self, place: Chameleon, seat: int, desk: Record, others: Record, rng: Rng) -> float:
        """The share of one seat that thinks with a desk of its own."""
        course = _Course(place, desk)
        _forget(others)
        for _ in range(self.config.opening):
            course.play(course.random_move(rng))
        while not course.over:
            course.desk = desk if course.seat == seat else others
            course.play(course.decide(self.config.evaluation_depth)[0])
        return float(course.shares()[seat])

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Everything that changes during the run."""
        parts = {"net": self.net, "first": self.first, "second": self.second, "mean": self.mean}
        kept = {f"{part}.{name}": array for part, net in parts.items() for name, array in net._asdict().items()}
        memory = {"answers": self.answers, "buckets": self.buckets, "odds": self.odds, "targets": self.targets}
        return {**kept, **memory, "rng": self.rng, "counts": self.counts}

    def restore(self, arrays: Arrays) -> None:
        for name, end in (("answers", ROWS), ("buckets", BUCKETS)):
            if not 0 <= arrays[name].min() <= arrays[name].max() < end:
                raise ValueError(f"{name} are beyond the network")
        super().restore(arrays)

    def network(self) -> dict[str, NDArray[Any]]:
        """The averaged weights."""
        return dict(self.mean._asdict())


def _zeros(net: Net) -> Net:
    return Net(*(np.zeros_like(weights) for weights in net))


def _survivors(buckets: NDArray[np.int8]) -> int:
    """The number of players in a position, from the last layers that judge it."""
    return int(buckets.max()) // (2 * STAGES) + 2


# --- playing ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Note:
    """A position on the way, as every seat saw it (bucket -1: not alive), and what was decided there."""

    seat: int
    value: float  # what the search promised; not a number without one
    explored: bool
    quiet: bool
    answers: NDArray[np.int16]
    buckets: NDArray[np.int8]
    odds: Weights


class _Played(NamedTuple):
    """A finished game, and positions beside it."""

    notes: list[_Note]
    beside: list[_Note]
    shares: NDArray[np.float64]  # of the win, by seat
    moves: int


class _Desks(NamedTuple):
    """What one core thinks with."""

    learned: Record
    by_hand: Record


class _Course:
    """A game as it is played: its position, and the search that is asked."""

    def __init__(self, place: Chameleon, desk: Record) -> None:
        self.desk = desk
        self.record: Record = place.blank()[0]
        self._actions = np.empty(MOST_MOVES, dtype=np.int64)
        self._keys: list[int] = []
        self._rng = stream(0)  # this game has no chance: never read
        self.moves = 0
        new_game(self.record, self._rng)
        _forget(desk)
        self._look()

    def copy(self) -> _Course:
        """The same position, to be played on from apart."""
        other = copy(self)
        other.record, other._actions, other._keys = self.record.copy(), self._actions.copy(), self._keys.copy()
        return other

    def _look(self) -> None:
        self.choices = int(legal_actions(self.record, self._actions))
        self.over = bool(self.record.over)
        self.seat = int(self.record.turn)

    def random_move(self, rng: Rng) -> int:
        return int(self._actions[below(rng, self.choices)]) if self.choices else 0

    def play(self, action: int) -> None:
        if not self.over:
            self._keys.append(int(self.record.key))
            apply(self.record, action, self._rng)
            self.moves += 1
            self._look()

    def is_quiet(self, action: int) -> bool:
        return int(self.record.board[action & 63]) == 0

    def decide(self, depth: int) -> tuple[int, float]:
        """The best move so many moves ahead, and the share of the win that it promises."""
        desk = self.desk
        keys = self._keys[1 - len(desk.seen) :]
        desk.seen[: len(keys)] = keys
        desk.seen[len(keys)] = 0
        desk.path[0] = self.record.key
        desk.killers = 0
        desk.choice = self._actions[0]
        desk.states[0] = self.record
        replies = int(survivors(self.record) > 2)
        score = 0
        for near in range(1, depth + 1):
            score = int(visit(desk, 0, near, -INFINITE, INFINITE, self.seat, replies))
            if abs(score) > CERTAIN:
                break
        return int(desk.choice), min(max(score / WHOLE, 0.0), 1.0)

    def seen(self) -> tuple[NDArray[np.int16], NDArray[np.int8], Weights]:
        answers = np.zeros((PLAYERS, SLOTS), dtype=np.int16)
        buckets = np.full(PLAYERS, -1, dtype=np.int8)
        by_hand = np.zeros(PLAYERS, dtype=np.float32)
        _see(self.record, answers, buckets, by_hand)
        return answers, buckets, by_hand

    def shares(self) -> NDArray[np.float64]:
        out = np.zeros(PLAYERS)
        scores(self.record, out)
        return out


def _forget(desk: Record) -> None:
    """What a search found in another game, so that no game depends on which one came before."""
    desk.table[:] = 0
    desk.history = 0


@compiled
def _see(state: Record, answers: NDArray[np.int16], buckets: NDArray[np.int8], by_hand: Weights) -> None:
    """The position as every seat that is alive sees it."""
    rows = np.empty(SLOTS, dtype=np.int32)
    for seat in range(PLAYERS):
        if state.alive[seat]:
            answers_of(state, seat, rows)
            for slot in range(SLOTS):
                answers[seat, slot] = rows[slot]
            buckets[seat] = bucket_of(state, seat)
            by_hand[seat] = odds(state, seat)


# --- learning -----------------------------------------------------------------------------------------------


@compiled
def learn(
    answers: NDArray[np.int16],
    buckets: NDArray[np.int8],
    odds_by_hand: Weights,
    targets: Weights,
    known: int,
    net: Net,
    first: Net,
    second: Net,
    gradient: Net,
    counts: Actions,
    rng: Rng,
    updates: int,
    batch: int,
    rate: float,
    mean: Net,
    averaging: float,
) -> float:
    """So many updates by Adam, each from positions drawn at random; the mean loss (cross-entropy) before them."""
    here = np.empty(batch, dtype=np.int64)
    touched = np.zeros(ROWS, dtype=np.bool_)
    loss = 0.0
    for _ in range(updates):
        for i in range(batch):
            here[i] = below(rng, known)
        loss += add_gradient(answers, buckets, odds_by_hand, targets, here, net, gradient, touched)
        counts[1] += 1
        step = rate * warm(counts[1])
        for row in range(ROWS):
            if touched[row]:
                adam(net.rows[row], first.rows[row], second.rows[row], gradient.rows[row], step)
                touched[row] = False
        for i in range(BUCKETS):
            adam(net.last[i], first.last[i], second.last[i], gradient.last[i], step)
        adam(net.by_hand, first.by_hand, second.by_hand, gradient.by_hand, step)
        adam(net.last_bias, first.last_bias, second.last_bias, gradient.last_bias, step)
        if counts[1] % 10 == 0:
            _follow(mean, net, np.float32(1.0 - averaging**10))
    return loss / max(1, updates * batch)


@compiled
def _follow(mean: Net, net: Net, share: np.float32) -> None:
    """Move the averaged weights towards the present ones."""
    mean.rows[:] += share * (net.rows - mean.rows)
    mean.last[:] += share * (net.last - mean.last)
    mean.by_hand[:] += share * (net.by_hand - mean.by_hand)
    mean.last_bias[:] += share * (net.last_bias - mean.last_bias)


@compiled
def add_gradient(
    answers: NDArray[np.int16],
    buckets: NDArray[np.int8],
    odds_by_hand: Weights,
    targets: Weights,
    here: Actions,
    net: Net,
    gradient: Net,
    touched: NDArray[np.bool_],
) -> float:
    """Add the gradient of the mean cross-entropy of these positions; the sum of their losses."""
    sums, back = np.empty(UNITS, dtype=np.float32), np.empty(UNITS, dtype=np.float32)
    loss, part, nothing, whole = 0.0, np.float32(1.0 / len(here)), np.float32(0.0), np.float32(1.0)
    for k in here:
        bucket, target = buckets[k], targets[k]
        sums[:] = nothing
        for slot in range(SLOTS):
            row = net.rows[answers[k, slot]]
            for i in range(UNITS):
                sums[i] += row[i]
        last, total = net.last[bucket], nothing
        for i in range(UNITS):
            unit = min(max(sums[i], nothing), whole)
            total += unit * unit * last[i]
        total += net.last_bias[bucket] + net.by_hand[bucket] * odds_by_hand[k]
        loss += max(total, nothing) - total * target + np.log1p(np.exp(-abs(total)))
        slope = part * (np.float32(1.0 / (1.0 + np.exp(-total))) - target)
        gradient.last_bias[bucket] += slope
        gradient.by_hand[bucket] += slope * odds_by_hand[k]
        for i in range(UNITS):
            unit = min(max(sums[i], nothing), whole)
            gradient.last[bucket, i] += slope * unit * unit
            back[i] = slope * last[i] * (unit + unit) if unit < whole else nothing
        for slot in range(SLOTS):
            touched[answers[k, slot]] = True
            row = gradient.rows[answers[k, slot]]
            for i in range(UNITS):
                row[i] += back[i]
    return loss
