"""How often a number had each of its values: statistics, limits for clipping and the parameters for scaling.

Everything the logs count is a whole number of few values, so a histogram holds it exactly, for any number of games.
The way from a histogram to an input of a network is that of the concept (A3): look at the shape, clip at round numbers
near the 0.5th and 99.5th percentile, then standardise what has the shape of a bell and normalise what has not.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from stammtisch.core.game import Json


PERCENTILES = (0.5, 1.0, 5.0, 25.0, 50.0, 75.0, 95.0, 99.0, 99.5)
SAMPLE = 5000  # Shapiro and Wilk's test is exact up to here, and rejects everything with more
BELL = 0.98  # of the test's statistic W: from here on the shape is treated as a bell, whatever the p-value


@dataclass(frozen=True)
class Scaling:
    """Clip to ``low`` .. ``high``, subtract ``shift``, divide by ``scale``."""

    method: str  # "z-score" or "min-max"
    low: float
    high: float
    shift: float
    scale: float

    def __call__(self, values: NDArray[Any]) -> NDArray[np.float32]:
        clipped = np.clip(np.asarray(values, dtype=np.float32), self.low, self.high)
        return (clipped - np.float32(self.shift)) / np.float32(self.scale)

    def to_json(self) -> Json:
        return asdict(self)


@dataclass(frozen=True)
class Distribution:
    """A histogram: ascending values and how often each occurred, never 0 times."""

    name: str
    values: NDArray[np.int64]
    counts: NDArray[np.int64]

    @classmethod
    def of(cls, name: str, values: Any, counts: Any) -> Distribution:
        """From values in any order; those that occur 0 times are left out."""
        values, counts = np.asarray(values, dtype=np.int64), np.asarray(counts, dtype=np.int64)
        unique, where = np.unique(values, return_inverse=True)
        total = np.zeros(len(unique), dtype=np.int64)
        np.add.at(total, where, counts)
        return cls(name, unique[total > 0], total[total > 0])

    @property
    def number(self) -> int:
        return int(self.counts.sum())

    @property
    def mean(self) -> float:
        return float(self.values @ self.counts / self.number)

    @property
    def deviation(self) -> float:
        """The standard deviation of a sample; 0 for a single value."""
        squares = float(((self.values - self.mean) ** 2) @ self.counts)
        return math.sqrt(squares / (self.number - 1)) if self.number > 1 else 0.0

    def quantile(self, q: float) -> float:
        """As ``numpy.quantile`` of all values one by one."""
        place = (self.number - 1) * q
        ends = np.cumsum(self.counts)
        low, high = (
            self.values[np.searchsorted(ends, at, side="right")] for at in (math.floor(place), math.ceil(place))
        )
        return float(low + (high - low) * (place - math.floor(place)))

    def sample(self, size: int = SAMPLE, seed: int = 1) -> NDArray[np.int64]:
        """Values drawn at random without replacement, all of them where there are no more; ascending."""
        if self.number <= size:
            return np.repeat(self.values, self.counts)
        drawn = np.random.default_rng(seed).choice(self.number, size, replace=False)
        return self.values[np.searchsorted(np.cumsum(self.counts), np.sort(drawn), side="right")]

    def shapiro(self) -> tuple[float, float] | None:
        """W and p-value of Shapiro and Wilk's test on a sample; None where all is one value or there are too few."""
        if self.number < 3 or len(self.values) < 2:
            return None
        from scipy import stats  # a hundred megabytes, of use only when all is counted

        w, p = stats.shapiro(self.sample())
        return float(w), float(p)

    def clipped(self, low: float, high: float) -> Distribution:
        return Distribution.of(self.name, np.clip(self.values, low, high), self.counts)

    def limits(self) -> tuple[int, int]:
        """Round numbers near the 0.5th and 99.5th percentile: multiples of 1, 5, 10, 50, ..."""
        low, high = self.quantile(0.005), self.quantile(0.995)
        largest = max(abs(low), abs(high))
        power = 10 ** math.floor(math.log10(max(1.0, largest / 8)))
        step = 5 * power if 5 * power <= largest / 8 else power
        low, high = step * math.floor(low / step + 0.5), step * math.floor(high / step + 0.5)
        return (
            (int(low), int(high))
            if low < high
            else (int(self.values[0]), int(max(self.values[-1], self.values[0] + 1)))
        )

    def scaling(self) -> Scaling:
        """The parameters for a network: mean 0 and deviation 1 for a bell, else 0 .. 1 or, with negatives, -1 .. 1."""
        low, high = self.limits()
        inside = self.clipped(low, high)
        test = self.shapiro()
        if test is not None and test[0] >= BELL and inside.deviation:
            return Scaling("z-score", low, high, inside.mean, inside.deviation)
        if low >= 0:
            return Scaling("min-max", low, high, low, high - low)
        return Scaling("min-max", low, high, (low + high) / 2, (high - low) / 2)

    def to_json(self) -> Json:
        test = self.shapiro()
        return {
            "count": self.number,
            "min": int(self.values[0]),
            "max": int(self.values[-1]),
            "mean": self.mean,
            "stddev": self.deviation,
            "percentiles": {f"{q:g}": self.quantile(q / 100) for q in PERCENTILES},
            "shapiro_wilk": None if test is None else {"w": test[0], "p": test[1], "sample": len(self.sample())},
            "scaling": self.scaling().to_json(),
        }
