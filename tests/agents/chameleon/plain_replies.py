"""The judge of the engine: best-reply and minimax search with captures played out, without any pruning."""

from collections.abc import Callable

import numpy as np

from stammtisch.agents.chameleon.engine import WIN
from stammtisch.agents.chameleon.hand import WHOLE, WORTH
from stammtisch.core.game import State
from stammtisch.core.rng import stream
from stammtisch.games.chameleon.board import ROLE
from stammtisch.games.chameleon.rules import moves_of, set_turn


def value(state: State, root: int, depth: int, replies: bool, judge: Callable[[State, int], int], ply: int = 0) -> int:
    """What the root can get: it maximises, the others minimise; at depth 0 captures only, or standing still."""
    record = state.record
    if not record.alive[root]:
        return ply - WIN
    alive = sum(number > 0 for number in record.alive)
    if alive == 1:
        return WIN - ply
    if record.over:
        return WHOLE // alive
    mine = record.turn == root
    found = []
    if depth <= 0:
        found.append(judge(state, root))
    for action in actions(state, root, replies):
        victim = int(record.board[action & 63]) - 1
        if depth <= 0 and (victim < 0 or (not mine and victim >> 2 != root)):
            continue
        found.append(value(played(state, action, root, replies), root, depth - 1, replies, judge, ply + 1))
    return max(found) if mine else min(found)


def share(state: State, root: int) -> int:
    worth = {pawn: int(WORTH[ROLE[pawn & 3, square]]) for pawn, square in enumerate(state.record.square) if square >= 0}
    return WHOLE * sum(w for pawn, w in worth.items() if pawn >> 2 == root) // sum(worth.values())


def actions(state: State, root: int, replies: bool) -> list[int]:
    """The moves of who is to move; in best-reply search, those of all others."""
    if state.record.turn == root or not replies:
        return state.actions()
    out = np.empty(200, dtype=np.int64)
    others = [player for player in range(4) if player != root and state.record.alive[player]]
    return [int(action) for player in others for action in out[: moves_of(state.record, player, out)]]


def played(state: State, action: int, root: int, replies: bool) -> State:
    after = state.copy()
    others = state.record.turn != root
    set_turn(after.record, int(after.record.board[action >> 6] - 1) >> 2)
    state.game.kernel.apply(after.record, action, stream(0))
    if replies and others and not after.record.over and after.record.alive[root]:
        set_turn(after.record, root)
    return after
