"""A few moves ahead without dice and cards: alpha-beta by the value network, for dmadn.

One side moves to its advantage, all others to this side's harm: exact with two sides, and the paranoid way with more.
Moves are tried in the order of what the network says of them, which is also what the last of them are worth.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stammtisch.agents.dog.net import chance_of
from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import Actions, Record, Records, Vector
from stammtisch.games.dog.cards import DMADN_PASS
from stammtisch.games.dog.kernel import KERNEL
from stammtisch.games.dog.legal import legal_actions
from stammtisch.games.dog.policy import same_side
from stammtisch.games.dog.rules import ENDED, place
from stammtisch.search.clock import LONG_MS, interruptible, time_limit

DEEPEST, USUAL_DEPTH = 12, 4
_CODES = DMADN_PASS + 1


@lru_cache(maxsize=16)
def _desk(mind: np.dtype[Any]) -> np.dtype[Any]:
    plies = DEEPEST + 1
    fields = [
        ("states", KERNEL.state, plies),
        ("mind", mind),
        ("actions", np.int64, (plies, _CODES)),
        ("worths", np.float64, (plies, _CODES)),
        ("root", np.int64),
        ("stop", np.int64, 1),
        ("nodes", np.int64),
    ]
    return np.dtype((np.record, np.dtype(fields, align=True)))


def new_desk(minds: Records) -> Record:
    """What one search works with: positions by ply, and a mind of its own."""
    desks = np.zeros(1, dtype=_desk(minds.dtype))
    desks["mind"] = minds
    return desks[0]


@compiled
def look(desk: Record, ply: int) -> int:
    """List the actions at ``states[ply]`` with what they are worth to the root's side; how many there are."""
    state, actions, worths = desk.states[ply], desk.actions[ply], desk.worths[ply]
    mind, root = desk.mind, int(desk.root)
    n = legal_actions(state, actions)
    for i in range(n):
        mind.after[0] = state
        after = mind.after[0]
        place(after, actions[i])
        worths[i] = chance_of(mind, after, root)
    desk.nodes += n
    return n


@compiled
def next_best(actions: Actions, worths: Vector, first: int, n: int, most: bool) -> None:
    """Bring the best of the actions from ``first`` on to this place."""
    at = first
    for i in range(first + 1, n):
        if worths[i] > worths[at] if most else worths[i] < worths[at]:
            at = i
    actions[first], actions[at] = actions[at], actions[first]
    worths[first], worths[at] = worths[at], worths[first]


# Called from Python only: numba 0.68 crashes when a function that calls a self-recursive one comes from the cache.
@compiled
def visit(desk: Record, ply: int, depth: int, alpha: float, beta: float) -> float:
    """What ``states[ply]`` is worth to the root's side, ``depth`` moves ahead, if it lies between the bounds."""
    state, actions, worths = desk.states[ply], desk.actions[ply], desk.worths[ply]
    mind, root = desk.mind, int(desk.root)
    if depth == 0 or state.phase == ENDED:
        return chance_of(mind, state, root)
    own = same_side(state, int(state.turn), root)
    n = look(desk, ply)
    best = -1.0 if own else 2.0
    for i in range(n):
        next_best(actions, worths, i, n, own)
        found = worths[i]
        if depth > 1:
            desk.states[ply + 1] = state
            place(desk.states[ply + 1], actions[i])
            found = visit(desk, ply + 1, depth - 1, alpha, beta)
            if desk.stop[0]:
                return best
        if own:
            best = max(best, found)
            alpha = max(alpha, best)
        else:
            best = min(best, found)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best


def look_ahead(
    desk: Record, state: Record, root: int, deepest: int, ms: float | None, exact: bool
) -> tuple[NDArray[np.float64], int]:
    """What the actions are worth as deep as it got, not a number where they are only known to be no better; the best.

    The first depth is always finished: it is what the network says at once.
    """
    desk.states[0], desk.root, desk.stop[0], desk.nodes = state, root, 0, 0
    n = int(look(desk, 0))
    actions, worths = desk.actions[0, :n].copy(), desk.worths[0, :n].copy()
    best = int(np.argmax(worths))

    def deepen() -> None:
        nonlocal worths, best
        for depth in range(1, deepest):
            order = sorted(range(n), key=lambda i: (i != best, -np.nan_to_num(worths[i], nan=-1.0)))
            found, top = np.full(n, np.nan), order[0]
            for i in order:
                desk.states[1] = state
                place(desk.states[1], actions[i])
                value = float(visit(desk, 1, depth, -1.0 if exact or i == top else float(found[top]), 2.0))
                if desk.stop[0]:
                    return
                if exact or i == order[0] or value > found[top]:
                    found[i] = value
                top = i if value > found[top] else top
            worths, best = found, top

    with time_limit(ms, desk.stop) as stop:
        if ms is None or ms < LONG_MS:
            deepen()
        else:
            interruptible(deepen, stop)
    return worths, best
