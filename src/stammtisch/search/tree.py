"""What the Monte-Carlo tree searches share: the way walked down, and the result at the root."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.compiling import compiled
from stammtisch.core.game import GameSpec
from stammtisch.core.kernel import Record, Records, Vector

EXPLORATION = 0.7
MAX_NODES = 400_000  # when the tree is full, iterations go on from its leaves

Path: TypeAlias = NDArray[np.int64]  # one row per step down the tree: the edge, and the seat that chose it


@dataclass(frozen=True)
class Result:
    """The root after the search, for the seat that decides there."""

    actions: list[int]
    visits: list[int]
    means: list[float]  # mean score of the deciding seat; NaN for an action never tried
    iterations: int
    preferred: int | None = None  # where a search chooses by more than visits

    @property
    def best(self) -> int:
        """Index of the action to play: the most visited, then the higher mean."""
        if self.preferred is not None:
            return self.preferred
        return max(range(len(self.actions)), key=lambda i: (self.visits[i], self.means[i]))

    @property
    def action(self) -> int:
        return self.actions[self.best]


def root_result(actions: list[int], edges: Mapping[int, Record], iterations: int) -> Result:
    """The result from the root's edges, by action; actions without an edge were never tried."""
    visits = [int(edges[action].visits) if action in edges else 0 for action in actions]
    means = [float(edges[a].total) / n if n else float("nan") for a, n in zip(actions, visits, strict=True)]
    return Result(actions, visits, means, iterations)


@compiled
def new_path() -> Path:
    return np.empty((256, 2), dtype=np.int64)


@compiled
def remember(path: Path, depth: int, edge: int, seat: int) -> Path:
    """Write step number ``depth`` of the way down; the path itself, or a longer copy when it was full."""
    if depth == len(path):
        path = np.concatenate((path, np.empty_like(path)))
    path[depth, 0], path[depth, 1] = edge, seat
    return path


def rivals(spec: GameSpec) -> NDArray[np.int64]:
    """The side of every seat, -1 for empty ones; nothing where scores have a fixed sum or there is one side."""
    if spec.score_sum is not None or len(spec.sides) == 1:
        return np.empty(0, dtype=np.int64)
    return np.array([spec.side_of.get(seat, -1) for seat in range(spec.seats)], dtype=np.int64)


@compiled
def lead(result: Vector, sides: NDArray[np.int64]) -> None:
    """Turn the scores into leads over the mean of the others, who may win more than oneself loses."""
    if len(sides) == 0:
        return
    scores = result.copy()
    for seat in range(len(sides)):
        total, n = 0.0, 0
        for other in range(len(sides)):
            if sides[other] >= 0 and sides[other] != sides[seat]:
                total += scores[other]
                n += 1
        if n:
            result[seat] = scores[seat] - total / n


@compiled
def note(moments: Vector, value: float) -> None:
    """Count a result: number, sum, sum of squares."""
    moments[0] += 1.0
    moments[1] += value
    moments[2] += value * value


@compiled
def book(edges: Records, path: Path, depth: int, result: Vector) -> None:
    """Add one visit and the deciding seat's score to every edge of the way."""
    for i in range(depth):
        edge = edges[path[i, 0]]
        edge.visits += 1
        edge.total += result[path[i, 1]]


@compiled
def key_of(words: NDArray[np.int64]) -> np.int64:
    """A 64-bit key of the state, by xor and shift only: enough to tell the outcomes of one edge apart."""
    h = np.int64(88172645463325252)
    for i in range(len(words)):
        h ^= words[i]
        h ^= h << 13
        h ^= (h >> 7) & 0x1FFFFFFFFFFFFFF
        h ^= h << 17
    return h
