"""How sure a mean is: bootstrap over deals.

The deal is the unit: the games of one deal share cards, dice and opening, so they are not independent
of each other, but the deals are. Resampling whole deals needs no assumption about draws, about the
shape of the scores or about how strongly the games of a deal hang together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri, stdtrit

Vector = NDArray[np.float64]

LEVEL = 0.95
RESAMPLES = 10_000
_WORK = 200_000_000  # deals drawn at most: very long matches get fewer resamples
_AT_ONCE = 4_000_000
_FEW_KINDS = 500
_ENOUGH = 15  # with fewer deals there is not enough to resample: a t interval
_SAME = 1e-9  # means that differ by less differ by rounding
_SEED = 20_261_116  # the same deals give the same interval, to the last digit


@dataclass(frozen=True)
class Estimate:
    """A mean with its 95 % interval."""

    mean: float
    low: float
    high: float

    @property
    def ci95(self) -> list[float]:
        return [self.low, self.high]


def estimates(values: Vector, lowest: Vector, highest: Vector) -> list[Estimate]:
    """The mean of every column (one row per deal) with its interval.

    Bias-corrected and accelerated bootstrap (Efron 1987), widened for few deals as a t interval is
    (Hesterberg 2015). Resampling cannot show what never happened: where most deals are alike and none
    is worse (better), the interval still allows for what n deals can have missed, which at this level
    is up to ``1 - 0.025 ** (1 / n)`` of all deals; ``lowest`` and ``highest`` say how bad (good) it could be.
    """
    n = len(values)
    means = values.mean(axis=0)
    if n < 2:
        return [Estimate(float(m), float(a), float(b)) for m, a, b in zip(means, lowest, highest, strict=True)]
    lows, highs = _bca(values, means) if n >= _ENOUGH else _t_interval(values, means)
    missed = 1 - (0.5 - LEVEL / 2) ** (1 / n)
    usual = np.median(values, axis=0)
    mostly = (values == usual).mean(axis=0) > 0.5
    allowed_low, allowed_high = means - missed * (usual - lowest), means + missed * (highest - usual)
    lows = np.where(mostly & (values.min(axis=0) == usual), np.minimum(lows, allowed_low), lows)
    highs = np.where(mostly & (values.max(axis=0) == usual), np.maximum(highs, allowed_high), highs)
    lows, highs = np.maximum(lows, lowest), np.minimum(highs, highest)
    return [Estimate(float(m), float(a), float(b)) for m, a, b in zip(means, lows, highs, strict=True)]


def _bca(values: Vector, means: Vector) -> tuple[Vector, Vector]:
    n = len(values)
    resampled = _resampled_means(values)
    same = np.abs(resampled - means) <= _SAME * (1 + np.abs(means))
    below = (((resampled < means) & ~same).sum(axis=0) + 0.5 * same.sum(axis=0)) / len(resampled)
    bias = ndtri(np.clip(below, 0.5 / len(resampled), 1 - 0.5 / len(resampled)))
    off = values - means
    squares = (off**2).sum(axis=0)
    skew = np.divide((off**3).sum(axis=0), 6 * squares**1.5, out=np.zeros_like(means), where=squares > 0)
    reach = stdtrit(n - 1, 0.5 + LEVEL / 2) * np.sqrt(n / (n - 1))
    ends = []
    for z in (bias - reach, bias + reach):
        shares = ndtr(bias + z / (1 - skew * z))
        ends.append(np.array([np.quantile(resampled[:, i], share) for i, share in enumerate(shares)]))
    return ends[0], ends[1]


def _resampled_means(values: Vector) -> Vector:
    """The columns' means in samples of as many deals, drawn with replacement; the same draws for all columns."""
    rng = np.random.default_rng(_SEED)
    rows, counts = np.unique(values, axis=0, return_counts=True)  # equal deals are drawn together
    n = len(values)
    resamples = max(1000, min(RESAMPLES, _WORK // n))
    if len(rows) <= min(_FEW_KINDS, n / 4):
        return rng.multinomial(n, counts / n, size=resamples) @ rows / n
    found = np.empty((resamples, values.shape[1]))
    step = max(1, _AT_ONCE // n)
    for first in range(0, resamples, step):
        some = min(step, resamples - first)
        drawn = rng.integers(0, n, size=(some, n))
        drawn += np.arange(some)[:, None] * n
        weights = np.bincount(drawn.ravel(), minlength=some * n).reshape(some, n)
        found[first : first + some] = weights @ values / n
    return found


def _t_interval(values: Vector, means: Vector) -> tuple[Vector, Vector]:
    n = len(values)
    reach = stdtrit(n - 1, 0.5 + LEVEL / 2) * values.std(axis=0, ddof=1) / np.sqrt(n)
    return means - reach, means + reach


def quick(values: Vector) -> Estimate:
    """The usual t interval of one column: good enough while a match is running."""
    mean = values.mean()
    if len(values) < 2:
        return Estimate(float(mean), -np.inf, np.inf)
    low, high = _t_interval(values, mean)
    return Estimate(float(mean), float(low), float(high))
