"""Sequential halving: all actions of the root are tried alike, then the better half, until two are left.

All actions are tried on the same samples and with the same luck afterwards, so that differences show early. What is
clearly not better than the best, or hardly, is dropped at once; a search that has one action left ends early.

A policy that is good to begin with is not given up for a lucky streak. Every other action starts with a prior, as if it
had been tried some times (``Prior``) and been a little worse than the policy's own choice, the *favourite*.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import Actions, Vector
from stammtisch.search.clock import StopFlag, run_timed
from stammtisch.search.tree import Result

LOOKS = 4  # at the results, per stage
CLEARLY = 3.0  # standard errors
HARDLY = 0.005  # of the standard deviation of the results: not worth more thought
LEAST_VISITS = 16  # before anything is clear


class Prior(NamedTuple):
    """How much is thought of the favourite before anything was tried: the better the policy, the more."""

    visits: float = 40.0
    loss: float = 0.07  # of the standard deviation of the results


PRIOR = Prior()


class Halving:
    """What is known of the root's actions; searches add to ``totals``, ``visits`` and ``products`` while they run.

    ``products`` are the sums of the products of two actions' results in the same sample.
    """

    def __init__(self, actions: Sequence[int], favourite: int, prior: Prior = PRIOR) -> None:
        self.prior = prior
        self.actions = np.array(sorted(actions), dtype=np.int64)
        self.favourite = int(np.searchsorted(self.actions, favourite)) if favourite in actions else None
        self.totals = np.zeros(len(actions))
        self.visits = np.zeros(len(actions), dtype=np.int64)
        self.products = np.zeros((len(actions), len(actions)))

    def run(self, search: Callable[[Actions, int, StopFlag], int], iterations: int | None, ms: float | None) -> Result:
        """Call ``search(alive, iterations, stop)`` stage by stage: it tries the actions with these indices in turn."""
        if iterations is not None and iterations < 1:
            raise ValueError(f"a search needs at least one iteration, not {iterations}")
        alive = np.arange(len(self.actions))
        stages = max(1, math.ceil(math.log2(len(alive))))
        looks = LOOKS if iterations is None else max(1, min(LOOKS, iterations // (stages * len(alive))))
        search(alive, 0, np.zeros(1, dtype=np.int64))  # loading the code does not count as thinking
        start, done = time.perf_counter(), 0
        dropped: list[tuple[int, int, float]] = []  # the action, the best then, and what it lacked on the same samples
        for look in range(1, stages * looks + 1):
            share = None
            if iterations is not None:  # whole rounds of all
                share = len(alive) * max(1, iterations // (stages * looks * len(alive)))
            until = None if ms is None else ms * look / (stages * looks) - 1000 * (time.perf_counter() - start)
            done += run_timed(partial(search, alive), share, None if until is None else max(0.0, until))
            worths = self.worths()
            order = alive[np.lexsort((alive != self.favourite, -worths[alive]))]
            best = int(order[0])
            if look % looks == 0:
                order = order[: max(2, (len(alive) + 1) // 2)]
            if self.visits[best] >= LEAST_VISITS:
                hope = worths[order] - worths[best] + CLEARLY * self.errors(best, order)
                order = order[(hope > HARDLY * self.spread()) | (order == best)]
            for i in np.setdiff1d(alive, order).tolist():
                dropped.append((i, best, (self.totals[i] - self.totals[best]) / max(1, int(self.visits[best]))))
            alive = np.sort(order)
            if len(alive) == 1 or (iterations is not None and done >= iterations):
                break
        means = np.where(self.visits > 0, self.totals / np.maximum(self.visits, 1), np.nan)
        for i, better, gap in reversed(dropped):  # luck of the few samples they had in common must not show
            means[i] = means[better] + gap if self.visits[i] else np.nan
        return Result([int(a) for a in self.actions], self.visits.tolist(), means.tolist(), done, best)

    def worths(self) -> NDArray[np.float64]:
        """The mean results, drawn towards the prior."""
        if self.favourite is None or self.visits[self.favourite] == 0:
            return self.totals / np.maximum(self.visits, 1)
        known = self.totals[self.favourite] / self.visits[self.favourite]
        prior = np.full(len(self.actions), known - self.prior.loss * self.spread())
        prior[self.favourite] = known
        worths: NDArray[np.float64] = (self.totals + self.prior.visits * prior) / (self.visits + self.prior.visits)
        return worths

    def errors(self, best: int, others: Actions) -> NDArray[np.float64]:
        """Standard errors of the differences to the best, of those that were tried as often."""
        n = max(1, int(self.visits[best]))
        squares = np.diagonal(self.products)
        gaps = (self.totals[best] - self.totals[others]) / n
        spreads = (squares[best] + squares[others] - 2 * self.products[best, others]) / n - gaps**2
        errors: NDArray[np.float64] = np.sqrt(np.maximum(0.0, spreads) / n)
        return errors

    def spread(self) -> float:
        """The standard deviation of all results."""
        n = max(1, int(self.visits.sum()))
        mean = self.totals.sum() / n
        return math.sqrt(max(0.0, float(np.trace(self.products)) / n - mean**2))


@compiled
def compare(
    totals: Vector, visits: NDArray[np.int64], products: NDArray[np.float64], alive: Actions, results: Vector
) -> None:
    """Book the results of all actions that are alive in one sample."""
    for a in range(len(alive)):
        i = alive[a]
        totals[i] += results[a]
        visits[i] += 1
        for b in range(len(alive)):
            products[i, alive[b]] += results[a] * results[b]
