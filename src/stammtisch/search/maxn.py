"""MaxN: every player maximises his own score, to a fixed depth or under a time limit.

With the sum of scores known two prunings keep the result exactly that of the plain search:
*immediate* (a move that gives the mover everything there is to win ends the search of the node) and
*shallow* (once the mover has so much that too little is left for the player one level up, that
player will not come here). Deeper bounds are not valid with more than two players (Korf 1991).

Values are rounded to multiples of 2**-20 that add up to the known sum, so that the comparison of
bounds is exact arithmetic and cannot depend on rounding.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.compiling import compiled
from stammtisch.core.errors import UnsuitableAgent
from stammtisch.core.game import State
from stammtisch.core.kernel import OVER, Record, Records, Vector, apply, evaluate, legal_actions, player, scores
from stammtisch.core.rng import Rng, stream
from stammtisch.search.clock import StopFlag, time_limit
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
    value: NDArray[np.float64]  # of the position, as plain maxN gives it
    best: int  # index into actions of the move to play
    depth: int
    nodes: int

    @property
    def action(self) -> int:
        return self.actions[self.best]


def search(state: State, depth: int = MAX_DEPTH, ms: float | None = None, exact: bool = False) -> Result:
    """Search ``depth`` moves deep, or under a time limit as deep as it gets, at least one move.

    ``exact`` gives a true value to every root move, not only to the best one.
    """
    game, spec = state.game, state.game.spec
    reason = open_cards_and_no_chance(game.info)
    if reason:
        raise UnsuitableAgent(f"{game.info.name}: {reason}")
    if not 1 <= depth <= MAX_DEPTH:
        raise ValueError(f"a depth is 1 to {MAX_DEPTH}, not {depth}")
    actions = state.actions()
    if not actions:
        raise ValueError("the game is over: there is no move to search for")
    tree = _Tree(state, actions, _bounds(spec.score_sum, spec.score_range, spec.seats))
    # Deepening by one: to have an answer at any time, to win on the shortest way and to lose on the longest.
    # The first depth is always finished; it runs before the clock, because it also loads or compiles the code.
    more = tree.deepen(1, exact, np.zeros(1, dtype=np.int64))
    with time_limit(ms) as stop:
        while more and tree.depth < depth:
            more = tree.deepen(tree.depth + 1, exact, stop)
    return Result(actions, tree.values, tree.value, tree.best, tree.depth, int(tree.counts[0]))


def _bounds(score_sum: float | None, score_range: tuple[float, float], seats: int) -> Vector:
    """What the prunings need: the sum, everything one seat can win, and what the others keep at least."""
    low, high = score_range
    if score_sum is None:
        return np.array([np.inf, high, 0.0])
    return np.array([score_sum, min(high, score_sum - (seats - 1) * low), (seats - 2) * low])


class _Tree:
    """The stacks of one search and the result of the last completed depth."""

    def __init__(self, state: State, actions: list[int], bounds: Vector) -> None:
        spec = state.game.spec
        self.states = state.game.kernel.blank(MAX_DEPTH + 1)
        self.states[0] = state.record
        self.buffers = np.empty((MAX_DEPTH + 1, spec.max_actions), dtype=np.int64)
        self.stack = np.zeros((MAX_DEPTH + 1, spec.seats))
        self.root = actions
        self.mover = int(player(state.record))
        self.seats = spec.seats
        self.bounds = bounds
        self.counts = np.zeros(2, dtype=np.int64)  # nodes visited; leaves that were estimated
        self.values = np.zeros((len(actions), spec.seats))
        self.value = np.zeros(spec.seats)
        self.best = 0
        self.depth = 0
        self.won = False
        self.worst = spec.score_range[0]
        self.rng = stream(0)  # these games have no chance: never read

    def deepen(self, depth: int, exact: bool, stop: StopFlag) -> bool:
        """Search to this depth; False when it was broken off or when nothing deeper is left to see."""
        values = np.full_like(self.values, np.nan)
        estimated = self.counts[1]
        best, best_value = 0, -np.inf
        for i, action in enumerate(self.root):
            self.states[1] = self.states[0]
            apply(self.states[1], action, self.rng)
            bound = -np.inf if exact else best_value
            _visit(
                self.states,
                self.buffers,
                self.stack,
                1,
                depth - 1,
                self.mover,
                bound,
                self.seats,
                self.bounds,
                stop,
                self.counts,
                self.rng,
            )
            if stop[0]:
                return False
            values[i] = self.stack[1]
            if values[i, self.mover] > best_value:
                best, best_value = i, float(values[i, self.mover])
            if not exact and best_value >= self.bounds[1]:  # immediate pruning
                break
        self.value = values[best]
        if self.won or best_value <= self.worst:
            best = self.best  # as good for the mover: the shorter way to a win, or the longer way to a loss
        self.won = best_value >= self.bounds[1]
        self.values, self.best, self.depth = values, best, depth
        return bool(self.counts[1] > estimated) and (exact or not self.won)


# Called from Python only: numba 0.68 crashes when a function that calls a self-recursive one comes from the cache.
@compiled
def _visit(
    states: Records,
    buffers: NDArray[np.int64],
    stack: NDArray[np.float64],
    ply: int,
    depth: int,
    parent: int,
    bound: float,
    seats: int,
    bounds: Vector,
    stop: StopFlag,
    counts: NDArray[np.int64],
    rng: Rng,
) -> None:
    """Write the maxN values of ``states[ply]`` to ``stack[ply]``.

    ``parent`` already has ``bound`` for certain; when this node cannot give him more, the rest of it
    is not searched.
    """
    counts[0] += 1
    mine = stack[ply]
    me = player(states[ply])
    if me == OVER or depth == 0:
        counts[1] += me != OVER
        _leaf_values(states[ply], seats, bounds[0], mine)
        return
    n = legal_actions(states[ply], buffers[ply])
    for i in range(n):
        states[ply + 1] = states[ply]
        apply(states[ply + 1], buffers[ply, i], rng)
        best = mine[me] if i > 0 else -np.inf
        _visit(states, buffers, stack, ply + 1, depth - 1, me, best, seats, bounds, stop, counts, rng)
        if stop[0]:
            return
        if stack[ply + 1, me] > best:
            for seat in range(seats):
                mine[seat] = stack[ply + 1, seat]
            if mine[me] >= bounds[1]:  # immediate pruning
                return
            if parent != me and bounds[0] - mine[me] - bounds[2] <= bound:  # shallow pruning
                return


@compiled
def _leaf_values(state: Record, seats: int, score_sum: float, out: Vector) -> None:
    if player(state) == OVER:
        scores(state, out)
    else:
        evaluate(state, 0, out)
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
