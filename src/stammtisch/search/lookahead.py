"""Looking ahead move by move: what maxN, paranoid, hypermax and expectimax share.

Iterative deepening, to a fixed depth or under a time limit, and the result at the root. Values are one score per seat,
rounded to multiples of 2**-20 that add up to the known sum, so that the comparison of bounds is exact arithmetic and
cannot depend on rounding.

The compiled functions get all they work with as one record, the *desk*: a single pointer without counted references.
One by one, or in a tuple, the same stacks make these small nodes two to three times as slow.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.checks import whole
from stammtisch.core.compiling import compiled
from stammtisch.core.errors import UnsuitableAgent
from stammtisch.core.game import State
from stammtisch.core.info import GameInfo
from stammtisch.core.kernel import OVER, Record, Records, Vector, apply, player, scores
from stammtisch.core.mind import judge, settle
from stammtisch.core.rng import WORDS, stream
from stammtisch.search.clock import LONG_MS, interruptible, time_limit
from stammtisch.search.needs import open_cards_and_no_chance

MAX_DEPTH = 64
_GRID = float(2**20)


@dataclass(frozen=True)
class Result:
    """What the search found at the root.

    ``values[i]`` is the vector of scores, one per seat, that it expects after ``actions[i]``. With
    pruning it is exact for the best move; for others it only says that they are not better, and it is
    NaN where a certain win made it needless to look.
    """

    actions: list[int]
    values: NDArray[np.float64]
    value: NDArray[np.float64]  # of the position
    best: int  # index into actions of the move to play
    depth: int
    nodes: int

    @property
    def action(self) -> int:
        return self.actions[self.best]


def check(state: State, depth: int, needs: Callable[[GameInfo], str | None] = open_cards_and_no_chance) -> None:
    """Refuse what cannot be searched."""
    info = state.game.info
    reason = needs(info)
    if reason:
        raise UnsuitableAgent(f"{info.name}: {reason}")
    whole(depth, "a depth", 1, MAX_DEPTH)
    if state.over:
        raise ValueError("the game is over: there is no move to search for")


@lru_cache(maxsize=64)
def _desk(state: np.dtype[Any], mind: np.dtype[Any], actions: int, seats: int) -> np.dtype[Any]:
    """Everything that one search works with, by ply; rows of arrays are what the rules are compiled for anyway."""
    plies = MAX_DEPTH + 1
    fields = [
        ("states", state, plies),
        ("mind", mind),
        ("buffers", np.int64, (plies, actions)),
        ("stack", np.float64, (plies, seats)),  # the values found
        ("more", np.float64, (plies, seats)),  # what else a search needs at every ply
        ("sums", np.float64, 3),
        ("counts", np.int64, 2),  # nodes visited; leaves that were estimated
        ("stop", np.int64, 1),
        ("root", np.int64),  # the seat that searches
        ("rngs", np.int64, (1, WORDS)),  # never decides: there is no chance, or all throws are looked at
    ]
    return np.dtype((np.record, np.dtype(fields, align=True)))


class Lookahead(ABC):
    """The desk of one search and the result of the last completed depth; subclasses say how a node is valued.

    ``sums`` is what prunings need: the sum of all scores (infinite if it is not fixed), everything one seat can win,
    and what all but two seats keep at least.
    """

    def __init__(self, state: State, minds: Records | None = None) -> None:
        spec = state.game.spec
        minds = state.game.knowing(minds)
        self.desks = np.zeros(1, dtype=_desk(state.game.kernel.state, minds.dtype, spec.max_actions, spec.seats))
        self.desk = self.desks[0]  # the same bytes, as a record
        self.desks["mind"] = minds
        self.desks["sums"] = _sums(spec.score_sum, spec.score_range, spec.seats)
        self.desks["rngs"] = stream(0)
        self.states, self.stack, self.more = (self.desks[name][0] for name in ("states", "stack", "more"))
        self.counts, self.rng = self.desks["counts"][0], self.desks["rngs"][0, 0]
        self.states[0] = state.record
        self.actions = state.actions()
        self.mover = int(player(state.record))
        self.desks["root"] = self.mover
        self.sums = self.desks["sums"][0]
        self.values = np.zeros((len(self.actions), spec.seats))
        self.value = np.zeros(spec.seats)
        self.best = 0
        self.depth = 0
        self.won = False
        self.worst = spec.score_range[0]
        settle(self.desk.mind, state.record)

    @abstractmethod
    def visit(self, depth: int, bound: float) -> None:
        """Write the values of ``states[1]`` to ``stack[1]``; exact if the mover gets more than ``bound``."""

    def search(self, depth: int, ms: float | None, exact: bool) -> Result:
        """Deepen by one: to have an answer at any time, to win on the shortest way and to lose on the longest."""
        # The first depth is always finished; it runs before the clock, because it also loads or compiles the code.
        more = self._deepen(exact)

        def rest() -> None:
            nonlocal more
            while more and self.depth < depth:
                more = self._deepen(exact)

        with time_limit(ms, self.desks["stop"][0]) as stop:
            if ms is not None and ms < LONG_MS:
                rest()
            elif more and depth > 1:
                interruptible(rest, stop)
        return Result(self.actions, self.values, self.value, self.best, self.depth, int(self.counts[0]))

    def _deepen(self, exact: bool) -> bool:
        """Search one move deeper; False when it was broken off or when nothing deeper is left to see."""
        values = np.full_like(self.values, np.nan)
        estimated = self.counts[1]
        best, best_value = 0, -np.inf
        for i, action in enumerate(self.actions):
            self.states[1] = self.states[0]
            apply(self.states[1], action, self.rng)
            self.visit(self.depth, -np.inf if exact else best_value)
            if self.desk.stop[0]:
                return False
            values[i] = self.stack[1]
            if values[i, self.mover] > best_value:
                best, best_value = i, float(values[i, self.mover])
            if not exact and best_value >= self.sums[1]:  # there is nothing better
                break
        self.value = values[best]
        if self.won or best_value <= self.worst:
            best = self.best  # as good for the mover: the shorter way to a win, or the longer way to a loss
        self.won = best_value >= self.sums[1]
        self.values, self.best, self.depth = values, best, self.depth + 1
        return bool(self.counts[1] > estimated) and (exact or not self.won)


def _sums(score_sum: float | None, score_range: tuple[float, float], seats: int) -> Vector:
    low, high = score_range
    if score_sum is None:
        return np.array([np.inf, high, 0.0])
    return np.array([score_sum, min(high, score_sum - (seats - 1) * low), (seats - 2) * low])


@compiled
def leaf_values(desk: Record, state: Record, out: Vector) -> None:
    """The scores of a finished game, else what the mind expects."""
    if player(state) == OVER:
        scores(state, out)
    else:
        desk.counts[1] += 1
        judge(desk.mind, state, desk.root, out)
    round_values(out, desk.sums[0])


@compiled
def round_values(out: Vector, score_sum: float) -> None:
    """To the grid, with the known sum; what is lost by rounding goes to the largest."""
    if score_sum == np.inf:
        return
    rest = score_sum
    largest = 0
    for seat in range(len(out)):
        out[seat] = np.floor(out[seat] * _GRID) / _GRID
        rest -= out[seat]
        if out[seat] > out[largest]:
            largest = seat
    out[largest] += rest
