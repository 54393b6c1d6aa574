"""Adam (Kingma and Ba 2015), compiled, one row of weights at a time: rows that nothing touched are left alone."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.compiling import compiled

Weights = NDArray[np.float32]

FEWEST_SECOND, FAST, SLOW = 1e-8, 0.9, 0.999


@compiled
def warm(updates: int) -> float:
    """What the rate is multiplied with, so that the first updates are as long as later ones."""
    return float(np.sqrt(1.0 - SLOW**updates) / (1.0 - FAST**updates))


@compiled
def adam(weights: Weights, first: Weights, second: Weights, gradient: Weights, step: float) -> None:
    """One update of a row of weights; its gradient is used up."""
    length, fast, slow, small = np.float32(step), np.float32(FAST), np.float32(SLOW), np.float32(FEWEST_SECOND)
    rest_fast, rest_slow = np.float32(1.0 - FAST), np.float32(1.0 - SLOW)
    for i in range(len(weights)):
        slope = gradient[i]
        first[i] = fast * first[i] + rest_fast * slope
        second[i] = slow * second[i] + rest_slow * slope * slope
        weights[i] -= length * first[i] / (np.sqrt(second[i]) + small)
        gradient[i] = 0.0
