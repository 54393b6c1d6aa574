"""The learner that is taught by search: its gradient, its returns, that it learns."""

from dataclasses import replace

import numpy as np
import pytest

from stammtisch.agents.chameleon.engine import new_desk
from stammtisch.agents.chameleon.net import BUCKETS, ROWS, SLOTS, STAGES, Net, new_net, read_net
from stammtisch.core.rng import stream
from stammtisch.learning.bootstrap import ENTRIES, Config, SearchLearner, _Course, _Note, _Played, add_gradient

TINY = Config(games=40, games_per_step=10, depth=1, memory=20_000, batch=64, evaluation_games=12, evaluation_depth=1)


def losses(net: Net, answers: np.ndarray, buckets: np.ndarray, odds: np.ndarray, targets: np.ndarray) -> float:
    """The mean cross-entropy in plain NumPy."""
    units = np.clip(net.rows[answers].sum(axis=1), 0, 1) ** 2
    total = (units * net.last[buckets]).sum(axis=1) + net.last_bias[buckets] + net.by_hand[buckets] * odds
    return float(np.mean(np.logaddexp(0, total) - targets * total))


def test_the_gradient_is_that_of_the_loss() -> None:
    rng = np.random.default_rng(2)
    net = new_net(3)
    net.last[:] = rng.normal(size=net.last.shape)
    answers = rng.integers(0, ROWS, (6, SLOTS)).astype(np.int16)
    buckets = rng.integers(0, BUCKETS, 6).astype(np.int8)
    odds, targets = (rng.random(6).astype(np.float32) for _ in range(2))
    gradient, touched = Net(*map(np.zeros_like, net)), np.zeros(ROWS, dtype=np.bool_)
    loss = add_gradient(answers, buckets, odds, targets, np.arange(6), net, gradient, touched)
    assert loss / 6 == pytest.approx(losses(net, answers, buckets, odds, targets), abs=1e-5)
    assert set(np.flatnonzero(touched)) == set(answers.ravel())
    precise = Net(*(weights.astype(np.float64) for weights in net))  # type: ignore[arg-type]
    for weights, slopes in zip(precise, gradient, strict=True):
        for place in np.argsort(-np.abs(slopes), axis=None)[:4]:
            at = np.unravel_index(place, weights.shape)
            found = []
            for shift in (1e-5, -2e-5):
                weights[at] += shift
                found.append(losses(precise, answers, buckets, odds, targets))
            weights[at] += 1e-5
            assert (found[0] - found[1]) / 2e-5 == pytest.approx(slopes[at], rel=1e-2, abs=1e-5)


def note(seat: int, value: float, explored: bool = False, quiet: bool = True) -> _Note:
    """A position of red and yellow in which the seat decides."""
    buckets = np.array([STAGES * (seat == 0), -1, STAGES * (seat == 2), -1], dtype=np.int8)
    return _Note(seat, value, explored, quiet, np.zeros((4, SLOTS), np.int16), buckets, np.zeros(4, np.float32))


def targets(*notes: _Note) -> list[float]:
    learner = SearchLearner(replace(TINY, trace=0.5))
    learner._note(_Played(list(notes), [], np.array([1.0, 0.0, 0.0, 0.0]), len(notes)))
    return [round(float(target), 4) for target in learner.targets[: learner.counts[2]]]


def test_returns_mix_search_and_outcome() -> None:
    """From the last position to the first; red before yellow in each."""
    assert targets(note(0, 0.8), note(2, 0.4)) == [1.0, 0.2, 0.9, 0.2]


def test_no_return_reaches_across_a_random_move() -> None:
    assert targets(note(0, 0.8), note(2, np.nan, explored=True), note(0, 0.6)) == [0.8, 0.0, 0.8]


def test_positions_in_which_a_pawn_is_taken_are_not_learned() -> None:
    assert targets(note(0, 0.8, quiet=False), note(2, 0.4)) == [1.0, 0.2]


def noted(players: int) -> SearchLearner:
    """A learner that has looked beside a new game of so many players, nine times."""
    learner = SearchLearner(TINY)
    course = _Course(learner.places[players - 2][0], new_desk(learner.places[0][0].kernel.state, ENTRIES))
    before = course.record.copy()
    beside = [note for seed in range(9) for note in learner._look_aside(course.copy(), stream(seed))]
    assert course.record == before and course.moves == 0
    learner._note(_Played([], beside, np.zeros(4), 0))
    return learner


def test_beside_a_game_of_two_both_learn_opposite_values() -> None:
    learner = noted(2)
    n = int(learner.counts[2])
    assert n >= 2 and n % 2 == 0
    assert np.allclose(learner.targets[0:n:2] + learner.targets[1:n:2], 1.0)
    turns = learner.buckets[:n] // STAGES
    assert {*(turns[0::2] + turns[1::2])} == {1}  # one of the two is to move


def test_beside_a_game_of_four_only_who_moves_learns() -> None:
    learner = noted(4)
    n = int(learner.counts[2])
    assert 1 <= n <= 9
    assert {*(learner.buckets[:n] // STAGES)} == {5}


def test_any_number_of_cores_learns_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = []
    for cores in (1, 3):
        monkeypatch.setattr("os.cpu_count", lambda cores=cores: cores)
        learner = SearchLearner(replace(TINY, aside=0.5))
        learner.step()
        learner.step()
        runs.append((learner.arrays(), learner.evaluate()))
    (first, results), (second, other_results) = runs
    assert all(np.array_equal(first[name], second[name], equal_nan=True) for name in first)
    assert np.array_equal(results, other_results)


def test_it_begins_as_the_hand_and_learns() -> None:
    learner = SearchLearner(TINY)
    assert learner.evaluate(24).mean() == pytest.approx(0.5, abs=0.25)
    for _ in range(4):
        learner.step()
    n = int(learner.counts[2])
    assert n > 500
    memory = learner.answers[:n], learner.buckets[:n], learner.odds[:n], learner.targets[:n]
    assert losses(learner.net, *memory) < losses(new_net(TINY.seed), *memory)


def test_a_network_that_knows_nothing_learns_to_play() -> None:
    """Without the evaluation by hand to begin with, it soon wins more than twice as often."""
    learner = SearchLearner(Config(games=2400, depth=1, evaluation_depth=1, memory=100_000, rate=5e-3, averaging=0.99))
    learner.net.by_hand[:] = learner.mean.by_hand[:] = 0
    before = learner.evaluate(240).mean()
    while learner.done < learner.total:
        learner.step()
    assert before < 0.12
    assert learner.evaluate(240).mean() > 0.25


def test_the_network_that_is_shipped_plays_better_than_the_hand() -> None:
    """Both three moves deep, on openings that were never learned from."""
    learner = SearchLearner(Config())
    for mean, shipped in zip(learner.mean, read_net("chameleon"), strict=True):
        mean[:] = shipped
    results = learner.evaluate(960)
    assert results.mean() - 1.96 * results.std() / len(results) ** 0.5 > 0.5
