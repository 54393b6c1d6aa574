"""The evaluation by hand of ``best``: pawns and their roles, counted in whole numbers."""

from __future__ import annotations

import numpy as np

from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import Record
from stammtisch.games.chameleon.board import GONE, PAWNS, ROLE
from stammtisch.games.chameleon.evaluation import PAWN_WORTH, ROLE_WORTH

WHOLE = 10_000  # the score of having everything; an open position is scored by the share of it
WORTH = (PAWN_WORTH + ROLE_WORTH).astype(np.int64)  # of a pawn, by its role


@compiled
def share(state: Record, root: int) -> int:
    """What the root has of all pawns on the board, as a part of WHOLE."""
    mine = total = 0
    for pawn in range(PAWNS):
        square = state.square[pawn]
        if square != GONE:
            worth = WORTH[ROLE[pawn & 3, square]]
            total += worth
            if pawn >> 2 == root:
                mine += worth
    return WHOLE * mine // total
