"""Sequential halving: all actions of the root are tried alike, then the better half, until two are left.

Between, what is clearly worse than the best is dropped at once; a search that has one action left ends early.

A policy that is good to begin with is not given up for a lucky streak. Every other action starts with a prior, as if it
had been tried ``PRIOR_VISITS`` times and been a little worse than the policy's own choice, the *favourite*.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.kernel import Actions
from stammtisch.search.clock import StopFlag, run_timed
from stammtisch.search.tree import Result

PRIOR_VISITS = 40
PRIOR_LOSS = 0.07  # of the standard deviation of the results
LOOKS = 4  # at the results, per stage
CLEARLY = 3.0  # standard errors


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
        if iterations is not None and iterations < 1:
            raise ValueError(f"a search needs at least one iteration, not {iterations}")
        alive = np.arange(len(self.actions))
        stages = max(1, math.ceil(math.log2(len(alive))))
        looks = LOOKS if iterations is None else max(1, min(LOOKS, iterations // (stages * len(alive))))
        search(alive, 0, np.zeros(1, dtype=np.int64))  # loading the code does not count as thinking
        start, done = time.perf_counter(), 0
        for look in range(1, stages * looks + 1):
            share = None if iterations is None else max(len(alive), iterations // (stages * looks))
            until = None if ms is None else ms * look / (stages * looks) - 1000 * (time.perf_counter() - start)
            done += run_timed(partial(search, alive), share, None if until is None else max(0.0, until))
            worths = self.worths()
            order = alive[np.lexsort((alive != self.favourite, -worths[alive]))]
            best = int(order[0])
            if look % looks == 0:
                order = order[: max(2, (len(alive) + 1) // 2)]
            near = worths[best] - worths[order] <= CLEARLY * self.errors(best, order)
            alive = np.sort(order[near])
            if len(alive) == 1 or (iterations is not None and done >= iterations):
                break
        means = np.where(self.visits > 0, self.totals / np.maximum(self.visits, 1), np.nan)
        return Result([int(a) for a in self.actions], self.visits.tolist(), means.tolist(), done, best)

    def worths(self) -> NDArray[np.float64]:
        """The mean results, drawn towards the prior."""
        if self.favourite is None or self.visits[self.favourite] == 0:
            return self.totals / np.maximum(self.visits, 1)
        known = self.totals[self.favourite] / self.visits[self.favourite]
        prior = np.full(len(self.actions), known - PRIOR_LOSS * self.spread())
        prior[self.favourite] = known
        worths: NDArray[np.float64] = (self.totals + PRIOR_VISITS * prior) / (self.visits + PRIOR_VISITS)
        return worths

    def errors(self, best: int, others: Actions) -> NDArray[np.float64]:
        """Standard errors of the differences to the best, as if the samples were not the same: rather too large."""
        visits = np.maximum(self.visits, 1)
        errors: NDArray[np.float64] = self.spread() * np.sqrt(1 / visits[best] + 1 / visits[others])
        return errors

    def spread(self) -> float:
        """The standard deviation of all results."""
        n, total, squares = self.moments
        return math.sqrt(max(0.0, squares / n - (total / n) ** 2))
