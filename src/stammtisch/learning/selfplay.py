"""What learners share that play games with themselves: a run over ``config.games``, and a rate that falls."""

from __future__ import annotations

import numpy as np

from stammtisch.learning.learner import Learner


class SelfPlay(Learner):
    """Its config has ``games``, ``rate`` and ``last_rate``; ``counts`` begins with the games played so far."""

    @property
    def total(self) -> int:
        return int(self.config.games)

    @property
    def part(self) -> float:
        """How much of the run is over."""
        return min(1.0, self.done / self.total)

    @property
    def rate(self) -> float:
        """The rate of learning now: it falls by half a cosine."""
        last = float(self.config.last_rate)
        return float(last + (self.config.rate - last) * 0.5 * (1.0 + np.cos(np.pi * self.part)))
