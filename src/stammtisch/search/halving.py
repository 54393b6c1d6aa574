"""Sequential halving: all actions of the root are tried alike, then the better half, until two are left.

A policy that is good to begin with is not given up for a lucky streak. Every other action starts with a prior, as if it
had been tried ``PRIOR_VISITS`` times and been a little worse than the policy's own choice, the *favourite*.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.kernel import Actions
from stammtisch.search.clock import StopFlag, run_timed
from stammtisch.search.tree import Result

PRIOR_VISITS = 40
PRIOR_LOSS = 0.07  # of the standard deviation of the results


class Halving:
    """What is known of the root's actions; searches add to ``totals``, ``visits`` and ``moments`` while they run.

    ``moments`` are the number, the sum and the sum of squares of all results of the seat.
    """

    def __init__(self, actions: Sequence[int], favourite: int) -> None:
        self.actions = np.array(sorted(actions), dtype=np.int64)
        self.favourite = int(np.searchsorted(self.actions, favourite)) if favourite in actions else None
        self.totals = np.zeros(len(actions))
        self.visits = np.zeros(len(actions), dtype=np.int64)
        self.moments = np.zeros(3)

    def run(self, search: Callable[[Actions, int, StopFlag], int], iterations: int | None, ms: float | None) -> Result:
        """Call ``search(alive, iterations, stop)``, which tries the actions with these indices, stage by stage."""
        alive = np.arange(len(self.actions))
        stages = max(1, math.ceil(math.log2(len(alive))))
        done = 0
        for _ in range(stages):
            share = None if iterations is None else max(len(alive), iterations // stages)
            done += run_timed(partial(search, alive), share, None if ms is None else ms / stages)
            order = np.argsort(-self.worths()[alive], kind="stable")
            best = int(alive[order[0]])
            alive = np.sort(alive[order[: max(2, (len(alive) + 1) // 2)]])
        means = np.where(self.visits > 0, self.totals / np.maximum(self.visits, 1), np.nan)
        return Result([int(a) for a in self.actions], self.visits.tolist(), means.tolist(), done, best)

    def worths(self) -> NDArray[np.float64]:
        """The mean results, drawn towards the prior."""
        if self.favourite is None or self.visits[self.favourite] == 0:
            return self.totals / np.maximum(self.visits, 1)
        n, total, squares = self.moments
        spread = math.sqrt(max(0.0, squares / n - (total / n) ** 2))
        known = self.totals[self.favourite] / self.visits[self.favourite]
        prior = np.full(len(self.actions), known - PRIOR_LOSS * spread)
        prior[self.favourite] = known
        worths: NDArray[np.float64] = (self.totals + PRIOR_VISITS * prior) / (self.visits + PRIOR_VISITS)
        return worths
