"""Perft: counting all move sequences, the classical proof of a move generator."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.checks import whole
from stammtisch.core.compiling import compiled
from stammtisch.core.game import State
from stammtisch.core.kernel import Records, apply, legal_actions
from stammtisch.core.rng import Rng, stream


def perft(state: State, depth: int) -> int:
    """How many sequences of exactly ``depth`` legal moves the position has (games without chance).

    >>> import stammtisch as st
    >>> [perft(st.game("tictactoe").new(), depth) for depth in (1, 2, 3)]
    [9, 72, 504]
    """
    depth = whole(depth, "a depth", 0, 100)
    states = state.game.kernel.blank(depth + 1)
    states[0] = state.record
    buffers = np.empty((depth + 1, state.game.spec.max_actions), dtype=np.int64)
    return int(_count(states, buffers, 0, depth, stream(0)))


def divided(state: State, depth: int) -> dict[str, int]:
    """How many of these sequences begin with each move.

    >>> import stammtisch as st
    >>> divided(st.game("tictactoe").from_json({"board": "XOXOX...."}), 2)
    {'5': 3, '6': 3, '7': 3, '8': 3}
    """
    found = {}
    for action in state.actions():
        after = state.copy()
        after.apply(action)
        found[state.game.format(action)] = perft(after, depth - 1)
    return found


@compiled
def _count(states: Records, buffers: NDArray[np.int64], ply: int, depth: int, rng: Rng) -> int:
    if depth == 0:
        return 1
    total = 0
    n = legal_actions(states[ply], buffers[ply])
    for i in range(n):
        states[ply + 1] = states[ply]
        apply(states[ply + 1], buffers[ply, i], rng)
        total += _count(states, buffers, ply + 1, depth - 1, rng)
    return total
