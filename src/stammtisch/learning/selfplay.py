"""What learners share that count the games they play and keep all that changes in arrays."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stammtisch.learning.checkpoints import Arrays


class SelfPlay(ABC):
    """A learner by games of its own; ``counts`` begins with the games played so far."""

    unit = "games"
    config: Any  # has ``games``, ``rate`` and ``last_rate``
    counts: NDArray[np.int64]

    @property
    def done(self) -> int:
        return int(self.counts[0])

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

    @abstractmethod
    def arrays(self) -> Arrays:
        """Everything that changes during the run."""

    def restore(self, arrays: Arrays) -> None:
        for name, array in self.arrays().items():
            array[...] = arrays[name]
