"""Play a game to its end, quickly."""

from __future__ import annotations

from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import OVER, Actions, Record, Vector, apply, evaluate, player, playout_action, scores
from stammtisch.core.rng import Rng


@compiled
def playout(state: Record, limit: int, buffer: Actions, rng: Rng, out: Vector) -> int:
    """Finish the game with the kernel's playout moves and write the final scores to ``out``.

    After ``limit`` moves the game is broken off and its evaluation is written instead. The state is
    used up; the number of moves is returned.
    """
    moves = 0
    while player(state) != OVER:
        if moves == limit:
            evaluate(state, 0, out)
            return moves
        apply(state, playout_action(state, buffer, rng), rng)
        moves += 1
    scores(state, out)
    return moves
