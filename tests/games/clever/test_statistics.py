"""Numbers over many random games, beside those of the rules and of the thesis."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import stammtisch as st
from games.clever import referee
from stammtisch.core.batch import Batch

GAMES = 20_000


def random_scores(n: int, seed: int, **options: Any) -> NDArray[np.float64]:
    """The scores of games with uniformly random moves."""
    batch, rng = Batch(st.game("clever", **options), n, seed=seed), np.random.default_rng(seed)
    while True:
        actions, offsets = batch.legal()
        if not len(actions):
            return batch.scores()[:, 0]
        counts = np.diff(offsets)
        chosen = offsets[:-1] + (rng.random(n) * counts).astype(np.int64)
        batch.step(actions[np.minimum(chosen, len(actions) - 1)])  # games that are over ignore theirs


def prototype_points(cells: tuple[int, ...]) -> int:
    return referee.scores({"options": {"rules": "prototype"}, "sheets": [{"yellow": cells}]})[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "mean", "deviation", "error"),
    [
        ("official", 64.2, 18.5, 0.05),  # the notes do not say from how many games: only rounded
        ("thesis", 60.1, 16.2, 16.2 / 4000**0.5),  # from 4,000 games
    ],
)
def test_random_play_scores_what_the_notes_say(rules: str, mean: float, deviation: float, error: float) -> None:
    """Within the interval of 99 % around the difference of both means, and the deviation within 3 %."""
    found = random_scores(GAMES, seed=1, rules=rules)
    assert abs(found.mean() - mean) < 2.58 * np.hypot(found.std() / GAMES**0.5, error)
    assert abs(found.std() / deviation - 1) < 0.03


def test_ten_marks_of_the_prototype_are_worth_86_at_most() -> None:
    assert max(map(prototype_points, combinations(referee.YELLOW_CELLS, 10))) == 86


@pytest.mark.slow
@pytest.mark.parametrize("dice", [2, 4])
def test_no_game_of_the_prototype_exceeds_86(dice: int) -> None:
    found = random_scores(GAMES, seed=2, rules="prototype", dice=dice)
    assert found.max() <= 86
    assert found.min() >= 0


@pytest.mark.slow
def test_no_random_game_exceeds_the_maximum_of_334() -> None:
    found = random_scores(GAMES, seed=3)
    assert found.max() <= 334
    assert (found == found.astype(int)).all()
