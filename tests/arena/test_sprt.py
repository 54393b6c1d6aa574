"""The sequential test stops, and is right as often as it says."""

import numpy as np
import pytest
from scipy.special import ndtr

from stammtisch.arena.sprt import Sprt, expected_share


def test_elo_and_shares() -> None:
    assert expected_share(0) == 0.5
    assert expected_share(400) == pytest.approx(10 / 11)
    assert expected_share(-70) == pytest.approx(1 - expected_share(70))


def test_it_needs_more_than_a_few_deals_however_they_end() -> None:
    test = Sprt()
    assert test.llr == 0 and test.verdict is None
    for share, sign in ((1.0, 1), (0.0, -1)):
        test = Sprt.of({}, [share] * 5)
        assert test.verdict is None and np.sign(test.llr) == sign
        assert Sprt.of({}, [share] * 300).verdict == ("H1" if sign > 0 else "H0")


def test_draws_between_the_hypotheses_decide_nothing_and_below_them_everything() -> None:
    assert Sprt.of({"elo0": -30.0, "elo1": 30.0}, [0.5] * 1000).verdict is None
    assert Sprt.of({"elo0": 0.0, "elo1": 30.0}, [0.5] * 1000).verdict == "H0"


def test_few_draws_and_many_draws_with_the_same_mean_differ_in_certainty() -> None:
    """A lead of the same size is clearer where the deals scatter less."""
    lively = [1.0] * 60 + [0.0] * 40
    drawish = [0.75] * 40 + [0.5] * 60
    assert np.mean(lively) == np.mean(drawish)
    assert Sprt.of({}, drawish).llr > 3 * Sprt.of({}, lively).llr > 0


def test_settings_that_make_no_sense_are_refused() -> None:
    for wrong in ({"elo0": 5.0, "elo1": 5.0}, {"alpha": 0.0}, {"beta": 0.7}):
        with pytest.raises(ValueError):
            Sprt.of(wrong)
    assert Sprt.of(Sprt(1, 2, 0.1, 0.2).settings) == Sprt(1, 2, 0.1, 0.2)


@pytest.mark.slow
@pytest.mark.parametrize("truth", ["H0", "H1"])
@pytest.mark.parametrize(
    ("draw", "alike", "elo0", "elo1"),
    [(0, 0, 0, 100), (0, -0.5, 0, 60), (0.3, 0.5, 0, 100), (0.3, -0.6, -20, 40), (0.6, -0.3, -20, 60), (0.9, 0, 0, 30)],
)
def test_it_errs_at_most_as_often_as_promised(draw: float, alike: float, elo0: float, elo1: float, truth: str) -> None:
    """1,000 simulated tournaments with known truth; ``alike`` is how far the two games of a deal agree."""
    rng = np.random.default_rng(7)
    share = expected_share(elo0 if truth == "H0" else elo1)

    def games(common: float, own: float) -> float:
        thrown = ndtr(common + own)
        return 1.0 if thrown < share - draw / 2 else 0.5 if thrown < share + draw / 2 else 0.0

    wrong, deals = 0, 0
    for _ in range(1000):
        test = Sprt(elo0, elo1)
        while test.verdict is None:
            common, first, second = rng.normal(size=3) * [abs(alike) ** 0.5, *[(1 - abs(alike)) ** 0.5] * 2]
            test.add((games(common, first) + games(np.sign(alike) * common, second)) / 2)
            deals += 1
        wrong += test.verdict != truth
    print(
        f"draws {draw}, alike {alike}, {elo0} or {elo1} Elo, {truth} true: {wrong / 10} % wrong, {deals / 1000} deals"
    )
    assert wrong <= 50
