"""The learner of Tichu: its gradient, its targets, that it learns, that it goes on bit for bit."""

from pathlib import Path

import numpy as np
import pytest

from stammtisch.agents.tichu.net import OUTPUTS, UNITS, Net
from stammtisch.agents.tichu.sight import BUCKETS, ROWS, SLOTS
from stammtisch.games.tichu.game import Tichu
from stammtisch.learning.conformance import broken_promises
from stammtisch.learning.tichu import Config, TichuLearner, _settle, add_gradient
from stammtisch.learning.training import read_recipe

WEIGHT = 0.5


def some_net() -> Net:
    rng = np.random.default_rng(3)
    return Net(
        rows=(rng.standard_normal((ROWS, UNITS)) * 0.15 + 0.05).astype(np.float32),
        last=(rng.standard_normal((BUCKETS, OUTPUTS, UNITS)) * 0.1).astype(np.float32),
        last_bias=rng.standard_normal((BUCKETS, OUTPUTS)).astype(np.float32),
    )


def loss(net: Net, answers: list[np.ndarray], stages: np.ndarray, targets: np.ndarray) -> float:
    """The mean loss in plain NumPy."""
    total = 0.0
    for rows, stage, (points, first) in zip(answers, stages, targets, strict=True):
        units = np.clip(net.rows[rows].astype(np.float64).sum(axis=0), 0.0, 1.0) ** 2
        out = net.last[stage].astype(np.float64) @ units + net.last_bias[stage]
        total += 0.5 * (out[0] - points) ** 2
        if first >= 0:
            total += WEIGHT * (np.logaddexp.reduce(out[1:]) - out[1 + int(first)])
    return total / len(answers)


def test_the_gradient_is_that_of_the_loss() -> None:
    rng, net = np.random.default_rng(2), some_net()
    answers = [rng.choice(ROWS, size, replace=False).astype(np.int16) for size in (5, 9, 3, 7)]
    pages = np.full((4, SLOTS), -1, dtype=np.int16)
    for page, rows in zip(pages, answers, strict=True):
        page[: len(rows)] = rows
    stages = np.array([0, 3, 3, 9], dtype=np.int8)
    targets = np.array([[0.5, 2], [-1.0, -1], [0.2, 0], [2.0, 3]], dtype=np.float32)
    gradient, touched = Net(*map(np.zeros_like, net)), np.zeros(ROWS, dtype=np.bool_)
    add_gradient(pages, stages, targets, np.arange(4), net, gradient, touched, WEIGHT, np.zeros(2))
    assert set(np.flatnonzero(touched)) == set(np.concatenate(answers))
    step = 1e-3
    for name in ("rows", "last", "last_bias"):
        weights, slopes = getattr(net, name), getattr(gradient, name)
        places = [tuple(place) for place in rng.permutation(np.argwhere(slopes != 0.0))[:12]]
        for place in places:
            kept = weights[place]
            weights[place] = kept + step
            high = loss(net, answers, stages, targets)
            weights[place] = kept - step
            low = loss(net, answers, stages, targets)
            weights[place] = kept
            assert slopes[place] == pytest.approx((high - low) / (2 * step), abs=2e-4)


@pytest.mark.parametrize("seat", range(4))
def test_a_target_is_the_round_without_the_calls_that_were_made(seat: int) -> None:
    state = Tichu(rounds=1).new(1)
    record = state.record
    record.score[:] = (150, 50)  # with 100 for the tichu of seat 2, and 100 lost by seat 1
    record.finished[:3] = (2, 0, 1)
    bets, target = np.zeros(5), np.zeros(2, dtype=np.float32)
    bets[4] = 1.0
    _settle(record, seat, bets, target)
    assert target.tolist() == [1.0 if seat % 2 == 0 else -1.0, (2 - seat) % 4]
    bets[(2 - seat) % 4] = 100.0
    bets[(1 - seat) % 4] = 100.0
    bets[4] = 0.0  # somebody is out: who is first need not be learned
    _settle(record, seat, bets, target)
    assert target.tolist() == [-1.0 if seat % 2 == 0 else 1.0, -1.0]


def test_it_keeps_the_promises_of_learners(tmp_path: Path) -> None:
    settings = {"games": 60, "games_per_step": 10, "by_hand": 20, "evaluation_games": 4}
    assert broken_promises(read_recipe("tichu", settings), tmp_path) == []


def test_it_learns_from_rounds_of_the_rules_of_thumb() -> None:
    """At first it loses by far; after some seconds the rules of thumb gain little against it."""
    learner = TichuLearner(Config(games=6000, by_hand=6000, evaluation_games=200))
    before = learner.evaluate().mean()
    while learner.done < learner.total:
        learner.step()
    assert before < -150
    assert learner.evaluate().mean() > -60


@pytest.mark.slow
def test_in_a_minute_it_beats_the_rules_of_thumb() -> None:
    learner = TichuLearner(Config(games=120_000, by_hand=80_000, evaluation_games=1000))
    while learner.done < learner.total:
        learner.step()
    scores = learner.evaluate()
    assert scores.mean() - 1.96 * scores.std() / len(scores) ** 0.5 > 30
