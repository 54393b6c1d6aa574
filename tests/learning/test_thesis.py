"""The thesis's recipe: what its table counts, and the games of its network with and without the mask."""

import numpy as np
import pytest

from stammtisch.games.clever.thesis import INVALID, PROTOTYPE_INVALID
from stammtisch.learning.thesis import Config, Table, ThesisLearner


def test_a_roll_in_which_nothing_fits_counts_also_when_foxes_score_in_the_same_step() -> None:
    table = Table(50, Config())
    table.seed(5)
    table.reset()
    rng, counted, with_points = np.random.default_rng(1), 0, 0
    for _ in range(400):
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in table.games.action_masks()])
        table.step_async(actions)
        _, rewards, _, _ = table.step_wait()
        counted += int((actions == INVALID).sum())
        with_points += int(((actions == INVALID) & (rewards > -1)).sum())
    assert with_points > 0
    assert sum(table.invalid) + table.snapshot()["lost"].sum() == counted


def test_without_the_mask_every_illegal_action_counts() -> None:
    table = Table(3, Config(rules="prototype", dice=4, masked=False))
    table.seed(1)
    table.reset()
    for _ in range(10):
        table.step_async(np.full(3, 3))  # a cross that is printed on the sheet
        table.step_wait()
    assert (table.scores, table.invalid) == ([0, 0, 0], [10, 10, 10])
    table.step_async(np.full(3, PROTOTYPE_INVALID))  # though something fits
    table.step_wait()
    assert table.snapshot()["lost"].tolist() == [1, 1, 1]


@pytest.mark.parametrize("masked", [True, False])
def test_the_prototype_learns_with_and_without_the_mask(masked: bool) -> None:
    small = Config("prototype", dice=4, masked=masked, stages=((8192, 0.01),), layers=1, units=64)
    learner = ThesisLearner(small)
    before = learner.play(100)
    while learner.done < learner.total:
        learner.step()
    scores, invalid = learner.play(100)
    assert scores.tolist() == learner.evaluate(100).tolist()
    assert len(scores) == len(invalid) == 100
    assert scores.max() <= 86 and invalid.max() <= 10
    if masked:
        assert scores.mean() > before[0].mean() and invalid.mean() < 1
    else:
        assert invalid.mean() < before[1].mean() - 1
