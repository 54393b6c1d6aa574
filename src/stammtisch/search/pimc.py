"""Perfect-information Monte Carlo: imagine the hidden cards, try every action on the same deal, play it to the end.

Deals and later luck are common to all actions, so that they cancel out of their comparison. After each stage the
worse half of the actions is dropped (sequential halving), until two are compared with what time is left. The playouts
follow a mind, which sees no more than the seat it plays for: nobody in them knows the imagined cards.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.checks import some_of
from stammtisch.core.compiling import compiled
from stammtisch.core.game import Seat
from stammtisch.core.kernel import OVER, Actions, Records, Vector, apply, determinize, player, scores
from stammtisch.core.mind import pick, settle
from stammtisch.core.rng import Rng
from stammtisch.search.clock import NO_LIMIT, StopFlag
from stammtisch.search.halving import PRIOR, Halving, Prior, compare
from stammtisch.search.limits import limits
from stammtisch.search.playout import playout
from stammtisch.search.tree import Result, lead, rivals


def search(
    seat: Seat,
    rng: Rng,
    iterations: int | None = None,
    ms: float | None = None,
    actions: Sequence[int] | None = None,
    playout_limit: int = NO_LIMIT,
    minds: Records | None = None,
    prior: Prior = PRIOR,
) -> Result:
    """Search with a fixed number of playouts (the same seed gives the same result) or for ``ms``.

    ``actions`` narrows the choice; ``minds`` is the mind that plays on, without one the game's own by hand;
    ``prior`` says how much its choice is trusted.
    """
    actions = seat.actions() if actions is None else some_of(actions, seat.actions())
    if not actions:
        raise ValueError(f"seat {seat.index} has nothing to decide")
    limits(iterations, ms, playout_limit)
    spec = seat.game.spec
    work = seat.game.kernel.blank(3)  # the root, the deal, and the playout
    work[0] = seat.sample(rng).record
    buffer = np.empty(spec.max_actions, dtype=np.int64)
    result = np.zeros(spec.seats)
    sides = rivals(spec)
    minds = seat.game.knowing(minds)
    settle(minds[0], work[0])
    root = Halving(actions, int(pick(minds[0], work[0], buffer, rng)), prior)

    def run(alive: Actions, n: int, stop: StopFlag) -> int:
        known = (root.actions, alive, root.totals, root.visits, root.products)
        deals = 0 if n == 0 else max(1, n // len(alive))
        return int(_try_all(minds, work, seat.index, *known, deals, playout_limit, buffer, result, sides, rng, stop))

    return root.run(run, iterations, ms)


@compiled
def _try_all(
    minds: Records,
    work: Records,
    seat: int,
    actions: Actions,
    alive: Actions,
    totals: Vector,
    visits: NDArray[np.int64],
    products: NDArray[np.float64],
    deals: int,
    playout_limit: int,
    buffer: Actions,
    result: Vector,
    sides: NDArray[np.int64],
    rng: Rng,
    stop: StopFlag,
) -> int:
    """Play every action that is alive on so many deals; the number of playouts."""
    done, luck, results = 0, rng.copy(), np.empty(len(alive))
    for deal in range(deals):
        if stop[0] and deal > 0:
            break
        work[1] = work[0]
        determinize(work[1], seat, rng)
        luck[:] = rng
        for a in range(len(alive)):
            rng[:] = luck
            work[2] = work[1]
            apply(work[2], actions[alive[a]], rng)
            if player(work[2]) == OVER:
                scores(work[2], result)
            else:
                playout(minds[0], seat, work[2], playout_limit, buffer, rng, result)
            lead(result, sides)
            results[a] = result[seat]
            done += 1
        compare(totals, visits, products, alive, results)
    return done
