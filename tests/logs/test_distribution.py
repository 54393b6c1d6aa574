"""Histograms say what the numbers one by one say; clipping and scaling follow the concept's rules."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stammtisch.logs.distribution import Distribution

numbers = st.lists(st.integers(-800, 800), min_size=1, max_size=200)


def of(values: list[int]) -> Distribution:
    return Distribution.of("x", values, np.ones(len(values)))


@given(numbers, st.floats(0, 1))
def test_statistics_equal_numpy_s_of_the_single_values(values: list[int], q: float) -> None:
    found = of(values)
    assert found.number == len(values)
    assert found.mean == pytest.approx(np.mean(values), abs=1e-9)
    assert found.deviation == pytest.approx(np.std(values, ddof=1) if len(values) > 1 else 0.0, abs=1e-9)
    assert found.quantile(q) == pytest.approx(np.quantile(values, q), abs=1e-6)
    assert sorted(found.sample().tolist()) == sorted(values)


@given(numbers)
def test_scaled_values_stay_small(values: list[int]) -> None:
    found = of(values)
    how = found.scaling()
    assert how.low < how.high
    scaled = how(np.array(values))
    assert scaled.dtype == np.float32
    if how.method == "min-max":
        assert scaled.min() >= (0 if how.low >= 0 else -1) - 1e-6 and scaled.max() <= 1 + 1e-6
    else:
        inside = np.clip(values, how.low, how.high)
        assert scaled.mean() == pytest.approx(0, abs=1e-3) and inside.std(ddof=1) == pytest.approx(how.scale)


def test_the_limits_are_round_numbers_near_the_percentiles() -> None:
    values = np.concatenate([np.linspace(-380, 410, 100_000).astype(int), [-800] * 400, [750] * 400])
    assert Distribution.of("x", values, np.ones(len(values))).limits() == (-400, 400)
    assert of(list(range(47, 1107))).limits() == (100, 1100)
    assert of(list(range(20, 175))).limits() == (20, 170)
    assert of(list(range(4))).limits() == (0, 3)


def test_a_bell_is_standardised_and_a_block_is_normalised() -> None:
    rng = np.random.default_rng(1)
    assert of(rng.normal(0, 150, 20_000).astype(int).tolist()).scaling().method == "z-score"
    block = of(rng.integers(0, 1000, 20_000).tolist()).scaling()
    assert (block.method, block.low, block.high, block.shift, block.scale) == ("min-max", 0, 1000, 0, 1000)


def test_a_sample_is_drawn_without_replacement_and_repeatable() -> None:
    big = Distribution.of("x", [1, 2], [30_000, 3])
    assert len(big.sample()) == 5000 and (big.sample() == 2).sum() <= 3
    assert np.array_equal(big.sample(), big.sample())


def test_one_value_has_no_test_of_its_shape() -> None:
    assert of([7]).shapiro() is None
    assert of([7, 7, 7, 7]).to_json()["shapiro_wilk"] is None
