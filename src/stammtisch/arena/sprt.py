"""The sequential test: play until it is clear which of two statements holds.

H0: the first agent is ``elo0`` stronger than the second; H1: it is ``elo1`` stronger. The observation
is the deal (both agents had both sides of it), with its share of the points 0, 0.25, ... 1 as it came
out: draws, and games of one deal that resemble each other, are part of the distribution and need no
model. The likelihood ratio is the generalised one: for each hypothesis the distribution nearest to
the observed one whose mean is what the hypothesis says (Van den Bergh's GSPRT, as used for Stockfish).

By score the observation is how much more the first scored, per game of the deal, and Elo means the mean lead in units
of its spread from deal to deal: 30 Elo is the lead with which, spread normally, 54.3 % of the deals are won.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from math import log, log1p
from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtri

_BEFORE = {0.0: 0.5, 0.5: 1e-3, 1.0: 0.5}  # deals that count as seen before the first: nothing is impossible
_MOST_ELO = 2000
_LEAST_DEALS = 40  # by score: before, the spread of the leads is not known well enough
_MARGIN = 0.3  # beyond the bounds for known distributions, because ours is estimated from the same deals


def expected_share(elo: float) -> float:
    """The share of the points that goes with a difference in Elo.

    >>> round(expected_share(100), 3)
    0.64
    """
    return 1 / (1 + 10 ** (-elo / 400))


@dataclass
class Sprt:
    """Counts deals and says when it is enough; ``alpha`` and ``beta`` bound the error if H0 or H1 is true."""

    elo0: float = 0.0
    elo1: float = 30.0
    alpha: float = 0.05
    beta: float = 0.05
    counts: dict[float, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not -_MOST_ELO <= self.elo0 < self.elo1 <= _MOST_ELO:
            raise ValueError(
                f"elo0 must be less than elo1, both within {_MOST_ELO} of zero, not {self.elo0:g} and {self.elo1:g}"
            )
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < value < 0.5:
                raise ValueError(f"{name} is between 0 and 0.5, not {value}")

    @classmethod
    def of(cls, settings: Mapping[str, Any], shares: Iterable[float] = ()) -> Sprt:
        """The test of a match file, after these deals."""
        test = cls(**settings)
        for share in shares:
            test.add(share)
        return test

    @property
    def settings(self) -> dict[str, float]:
        return {name: value for name, value in asdict(self).items() if name != "counts"}

    def add(self, share: float) -> None:
        """One deal, with the first agent's share of its points."""
        share = round(share, 9)
        self.counts[share] = self.counts.get(share, 0) + 1

    @property
    def bounds(self) -> tuple[float, float]:
        """Below the first H0 is accepted, above the second H1.

        A likelihood ratio exceeds 1/alpha with probability at most alpha however long one looks (Ville);
        the margin keeps this true in practice (``tests/arena/test_sprt.py`` measures it).
        """
        return log(self.beta) - _MARGIN, -log(self.alpha) + _MARGIN

    @property
    def llr(self) -> float:
        """The logarithm of the likelihood ratio H1 : H0."""
        if not self.counts:
            return 0.0
        values = np.array(sorted({*_BEFORE, *self.counts}))
        seen = np.array([self.counts.get(value, 0) for value in values.tolist()], dtype=float)
        weights = seen + [_BEFORE.get(value, 0.0) for value in values.tolist()]
        shares = weights / weights.sum()
        low = _nearest(values, shares, expected_share(self.elo0))
        high = _nearest(values, shares, expected_share(self.elo1))
        return float(seen @ np.log(high / low))

    @property
    def verdict(self) -> str | None:
        """H0 or H1, as soon as it is clear which."""
        low, high = self.bounds
        llr = self.llr
        return "H0" if llr <= low else "H1" if llr >= high else None


@dataclass
class LeadTest:
    """As :class:`Sprt`, for leads: what their mean is in units of their spread."""

    elo0: float = 0.0
    elo1: float = 30.0
    alpha: float = 0.05
    beta: float = 0.05
    leads: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        Sprt(self.elo0, self.elo1, self.alpha, self.beta)

    def add(self, lead: float) -> None:
        """One deal, with the mean of how much more the first agent scored in its games."""
        self.leads.append(lead)

    @property
    def bounds(self) -> tuple[float, float]:
        return Sprt(self.elo0, self.elo1, self.alpha, self.beta).bounds

    @property
    def llr(self) -> float:
        """Of two normal distributions of unknown spread, which outliers make wider and not the answer surer."""
        n = len(self.leads)
        if n < 2:
            return 0.0
        leads = np.array(self.leads)
        mean, variance = float(leads.mean()), float(leads.var())
        low, high = (float(ndtri(expected_share(elo))) for elo in (self.elo0, self.elo1))
        if variance < 1e-18 * max(1.0, mean * mean):  # all deals alike: far beyond every Elo, or exactly even
            ratio = 0.0 if mean == 0 else np.copysign(10.0, mean)
        else:
            ratio = mean / variance**0.5
        return 0.5 * n * (log1p((ratio - low) ** 2) - log1p((ratio - high) ** 2))

    @property
    def verdict(self) -> str | None:
        """H0 or H1, as soon as it is clear which."""
        if len(self.leads) < _LEAST_DEALS:
            return None
        low, high = self.bounds
        llr = self.llr
        return "H0" if llr <= low else "H1" if llr >= high else None


def _nearest(values: Any, shares: Any, mean: float) -> Any:
    """The most likely distribution on these values, given the observed shares, that has this mean."""
    off = values - mean
    ends = -1 / off.max(), -1 / off.min()  # between them all probabilities are positive
    inside = 1e-9 * (ends[1] - ends[0])
    tilt = brentq(lambda x: float((shares * off / (1 + x * off)).sum()), ends[0] + inside, ends[1] - inside, xtol=1e-13)
    return shares / (1 + tilt * off)
