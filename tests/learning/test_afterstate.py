"""The afterstate learner: its gradient, its returns, that it learns."""

import numpy as np
import pytest

from stammtisch.agents.clever.net import SCALE, Net, new_desk, new_net, points_to_come
from stammtisch.agents.clever.sight import BUCKETS, FIRST, ROWS, SIZES, SLOTS
from stammtisch.learning.afterstate import AfterstateLearner, Config, add_gradient

TINY = Config(wide=32, narrow=16, games=2000, games_per_step=50, batch=128, averaging=0.98, explore=0.02, seed=5)


def some_net(rng: np.random.Generator) -> Net:
    net = new_net(8, 4, seed=3)
    net.last[:] = rng.normal(size=net.last.shape)
    net.last_bias[:] = rng.normal(size=net.last_bias.shape)
    net.middle_bias[:] = rng.normal(size=net.middle_bias.shape) * 0.1
    return net


def some_answers(rng: np.random.Generator, n: int) -> np.ndarray:
    return (FIRST + rng.integers(0, np.array(SIZES), size=(n, SLOTS))).astype(np.int16)


def outputs(net: Net, answers: np.ndarray, buckets: np.ndarray) -> np.ndarray:
    """The network in plain NumPy."""
    first = np.maximum(net.rows[answers].sum(axis=1), 0)
    second = np.maximum(first @ net.middle + net.middle_bias, 0)
    return (second * net.last[buckets]).sum(axis=1) + net.last_bias[buckets]


def test_positions_one_after_another_give_what_the_whole_network_gives() -> None:
    rng = np.random.default_rng(1)
    net, answers = some_net(rng), some_answers(rng, 50)
    buckets = rng.integers(0, BUCKETS, 50)
    desk = new_desk(net)
    for one, bucket, expected in zip(answers, buckets, outputs(net, answers, buckets), strict=True):
        desk.answers[:] = one
        assert points_to_come(net, desk, bucket) == pytest.approx(SCALE * expected, abs=1e-3)


def test_the_gradient_is_that_of_the_error() -> None:
    rng = np.random.default_rng(2)
    net, answers = some_net(rng), some_answers(rng, 6)
    buckets, targets = rng.integers(0, BUCKETS, 6).astype(np.int16), rng.normal(size=6).astype(np.float32)
    gradient = Net(*(np.zeros_like(weights) for weights in net))
    touched = np.zeros(ROWS, dtype=np.bool_)
    add_gradient(answers, buckets, targets, np.arange(6), net, gradient, touched)
    assert set(np.flatnonzero(touched)) == set(answers.ravel())
    precise = Net(*(weights.astype(np.float64) for weights in net))  # type: ignore[arg-type]
    for weights, slopes in zip(precise, gradient, strict=True):
        for place in np.argsort(-np.abs(slopes), axis=None)[:4]:
            at = np.unravel_index(place, weights.shape)
            errors = []
            for shift in (1e-5, -2e-5):
                weights[at] += shift
                errors.append(0.5 * np.mean((outputs(precise, answers, buckets) - targets) ** 2))
            weights[at] += 1e-5
            assert (errors[0] - errors[1]) / 2e-5 == pytest.approx(slopes[at], rel=1e-2, abs=1e-4)


def test_a_small_network_learns_within_a_few_thousand_games() -> None:
    learner = AfterstateLearner(TINY)
    before = learner.evaluate(100).mean()
    while learner.done < learner.total:
        numbers = learner.step()
    assert before < 130
    assert learner.evaluate(200).mean() > 150
    assert numbers["error"] < 15


@pytest.mark.slow
def test_a_network_of_the_recipe_small_is_better_than_people() -> None:
    learner = AfterstateLearner(Config(wide=32, narrow=16, games=12_000, games_per_step=100, batch=128, averaging=0.99))
    while learner.done < learner.total:
        learner.step()
    assert learner.evaluate(500).mean() > 225


@pytest.mark.parametrize("settings", [{"rules": "thesis"}, {"players": 3}])
def test_other_rules_are_learned_too(settings: dict[str, object]) -> None:
    learner = AfterstateLearner(Config(**{**TINY.__dict__, **settings}))
    before = learner.evaluate(60).mean()
    for _ in range(16):
        learner.step()
    assert learner.evaluate(60).mean() > before + 15


def test_evaluation_changes_nothing() -> None:
    runs = [AfterstateLearner(TINY) for _ in range(2)]
    for look, learner in enumerate(runs):
        for _ in range(2):
            learner.step()
            if look:
                learner.evaluate(20)
    for name, array in runs[0].arrays().items():
        assert array.tobytes() == runs[1].arrays()[name].tobytes(), name
