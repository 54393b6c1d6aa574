"""Looking ahead move by move: what maxN, paranoid, hypermax and expectimax share.

Iterative deepening, to a fixed depth or under a time limit, and the result at the root. Values are one score per seat,
rounded to multiples of 2**-20 that add up to the known sum, so that the comparison of bounds is exact arithmetic and
cannot depend on rounding.

The compiled functions get their stacks one by one: bundled in a tuple, as in the engine of Chamäleon Schach, counting
references costs these small nodes a fifth to two fifths of their speed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.compiling import compiled
from stammtisch.core.errors import UnsuitableAgent
from stammtisch.core.game import Game, State
from stammtisch.core.info import GameInfo
from stammtisch.core.kernel import OVER, Record, Vector, apply, evaluate, player, scores
from stammtisch.core.rng import stream
from stammtisch.search.clock import LONG_MS, StopFlag, interruptible, time_limit
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
    if not 1 <= depth <= MAX_DEPTH:
        raise ValueError(f"a depth is 1 to {MAX_DEPTH}, not {depth}")
    if state.over:
        raise ValueError("the game is over: there is no move to search for")


class Lookahead(ABC):
    """The stacks of one search and the result of the last completed depth; subclasses say how a node is valued.

    ``sums`` is what prunings need: the sum of all scores (infinite if it is not fixed), everything one seat can win,
    and what all but two seats keep at least.
    """

    def __init__(self, state: State, evaluation: str | None = None) -> None:
        spec = state.game.spec
        self.states = state.game.kernel.blank(MAX_DEPTH + 1)
        self.states[0] = state.record
        self.buffers = np.empty((MAX_DEPTH + 1, spec.max_actions), dtype=np.int64)
        self.stack = np.zeros((MAX_DEPTH + 1, spec.seats))
        self.actions = state.actions()
        self.mover = int(player(state.record))
        self.seats = spec.seats
        self.sums = _sums(spec.score_sum, spec.score_range, spec.seats)
        self.evaluation = evaluation_number(state.game, evaluation)
        self.counts = np.zeros(2, dtype=np.int64)  # nodes visited; leaves that were estimated
        self.values = np.zeros((len(self.actions), spec.seats))
        self.value = np.zeros(spec.seats)
        self.best = 0
        self.depth = 0
        self.won = False
        self.worst = spec.score_range[0]
        self.rng = stream(0)  # never decides: there is no chance, or all throws are looked at

    @abstractmethod
    def visit(self, depth: int, bound: float, stop: StopFlag) -> None:
        """Write the values of ``states[1]`` to ``stack[1]``; exact if the mover gets more than ``bound``."""

    def search(self, depth: int, ms: float | None, exact: bool) -> Result:
        """Deepen by one: to have an answer at any time, to win on the shortest way and to lose on the longest."""
        # The first depth is always finished; it runs before the clock, because it also loads or compiles the code.
        more = self._deepen(exact, np.zeros(1, dtype=np.int64))

        def rest() -> None:
            nonlocal more
            while more and self.depth < depth:
                more = self._deepen(exact, stop)

        with time_limit(ms) as stop:
            if ms is not None and ms < LONG_MS:
                rest()
            elif more and depth > 1:
                interruptible(rest, stop)
        return Result(self.actions, self.values, self.value, self.best, self.depth, int(self.counts[0]))

    def _deepen(self, exact: bool, stop: StopFlag) -> bool:
        """Search one move deeper; False when it was broken off or when nothing deeper is left to see."""
        values = np.full_like(self.values, np.nan)
        estimated = self.counts[1]
        best, best_value = 0, -np.inf
        for i, action in enumerate(self.actions):
            self.states[1] = self.states[0]
            apply(self.states[1], action, self.rng)
            self.visit(self.depth, -np.inf if exact else best_value, stop)
            if stop[0]:
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


def evaluation_number(game: Game, name: str | None) -> int:
    """The place of a named evaluation of the game; its first one where none is named."""
    if name is not None and name not in game.evaluations:
        raise UnsuitableAgent(f"{game.info.name} has no evaluation '{name}', only: {', '.join(game.evaluations)}")
    return 0 if name is None else game.evaluations.index(name)


def _sums(score_sum: float | None, score_range: tuple[float, float], seats: int) -> Vector:
    low, high = score_range
    if score_sum is None:
        return np.array([np.inf, high, 0.0])
    return np.array([score_sum, min(high, score_sum - (seats - 1) * low), (seats - 2) * low])


@compiled
def leaf_values(state: Record, evaluation: int, seats: int, score_sum: float, out: Vector) -> None:
    """The scores of a finished game, else the estimate."""
    if player(state) == OVER:
        scores(state, out)
    else:
        evaluate(state, evaluation, out)
    if score_sum == np.inf:
        return
    rest = score_sum
    largest = 0
    for seat in range(seats):
        out[seat] = np.floor(out[seat] * _GRID) / _GRID
        rest -= out[seat]
        if out[seat] > out[largest]:
            largest = seat
    out[largest] += rest
