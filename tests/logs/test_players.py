"""Ratings find the strength that made the results, and know how sure they are."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from stammtisch.logs.count.players import AVERAGE, PRIOR, Ratings


def season(strength: np.ndarray, games: int, seed: int) -> Ratings:
    """Random tables of four; the stronger team wins more often, by the Elo curve of the means."""
    rng = np.random.default_rng(seed)
    seats = np.array([rng.choice(len(strength), 4, replace=False) for _ in range(games)])
    teams = strength[seats].reshape(-1, 2, 2).mean(axis=2)
    won = rng.random(games) < 1 / (1 + 10 ** (-(teams[:, 0] - teams[:, 1]) / 400))
    values = np.tile([0.5, 0.5, -0.5, -0.5], games)
    design = csr_matrix((values, seats.ravel(), np.arange(0, 4 * games + 1, 4)), shape=(games, len(strength)))
    return Ratings(np.arange(len(strength)), design, won.astype(float), np.ones(games))


def test_true_strengths_lie_in_their_intervals_about_95_times_in_100() -> None:
    inside = total = 0
    for seed in range(6):
        truth = np.random.default_rng(100 + seed).normal(0, PRIOR, 40)
        ratings = season(truth, 2000, seed)
        for player in range(40):
            elo, low, high = ratings.interval(player)
            assert low < elo < high
            inside += low <= AVERAGE + truth[player] - truth.mean() <= high
            total += 1
    assert 0.90 <= inside / total <= 0.99


def test_intervals_equal_those_of_the_dense_inverse() -> None:
    ratings = season(np.linspace(-200, 200, 12), 300, 5)
    design = ratings.design.toarray()
    hessian = design.T @ (ratings.curvature[:, None] * design) + ratings.precision * np.eye(12)
    against = np.eye(12) - 1 / 12
    deviation = 400 / np.log(10) * np.sqrt(np.diag(against @ np.linalg.inv(hessian) @ against))
    for player in range(12):
        elo, low, high = ratings.interval(player)
        assert (high - low) / 2 == pytest.approx(1.959964 * deviation[player], rel=1e-5)
        assert elo == pytest.approx((low + high) / 2)


def test_many_games_of_few_players_leave_little_doubt() -> None:
    ratings = season(np.linspace(-100, 100, 8), 20_000, 3)
    assert np.mean(ratings.elo) == pytest.approx(AVERAGE, abs=1e-3)
    for player in range(8):
        _, low, high = ratings.interval(player)
        assert high - low < 25


def test_few_games_leave_a_player_near_the_average_and_unsure() -> None:
    ratings = season(np.array([400.0, 0, 0, 0]), 1, 1)
    assert abs(ratings.elo - AVERAGE).max() < 60
    _, low, high = ratings.interval(0)
    assert high - low > 400


def test_nobody_rated_gives_no_ratings() -> None:
    assert len(Ratings(np.arange(0), csr_matrix((0, 0)), np.zeros(0), np.zeros(0)).elo) == 0
