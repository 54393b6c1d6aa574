"""Play a game to its end, quickly."""

from __future__ import annotations

from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import OVER, Actions, Record, Vector, apply, player, scores
from stammtisch.core.mind import judge, pick
from stammtisch.core.rng import Rng


@compiled
def playout(mind: Record, seat: int, state: Record, limit: int, buffer: Actions, rng: Rng, out: Vector) -> int:
    """Finish the game with the moves that the mind picks and write the final scores to ``out``.

    After ``limit`` moves the game is broken off and what the mind expects, as far as ``seat`` may know, is written
    instead. The state is used up; the number of moves is returned.
    """
    moves = 0
    while player(state) != OVER:
        if moves == limit:
            judge(mind, state, seat, out)
            return moves
        apply(state, pick(mind, state, buffer, rng), rng)
        moves += 1
    scores(state, out)
    return moves
