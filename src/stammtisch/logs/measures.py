"""How many points lay in the trick, and how many each player had, whenever somebody had to act: for scaling."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import Record
from stammtisch.core.rng import Rng, stream
from stammtisch.games.tichu.kernel import KERNEL
from stammtisch.games.tichu.rules import ENDED, PLAY, SEATS, SPECIAL, apply
from stammtisch.logs.moves import Rounds, deal

POINTS = np.arange(-25, 126, 5)  # what a trick or a player's tricks can be worth

Counts = NDArray[np.int32]


def points_seen(rounds: Rounds, game: NDArray[np.int64], games: int) -> tuple[Counts, Counts]:
    """Per game, how often each of POINTS lay in the trick, and how often a player had collected it.

    Counted once per turn, the second for all four players. ``game`` says which game each round belongs to.
    """
    trick, collected = np.zeros((games, len(POINTS)), np.int32), np.zeros((games, len(POINTS)), np.int32)
    _count(KERNEL.blank()[0], rounds.deals, rounds.actions, rounds.human, game, trick, collected, stream(0))
    return trick, collected


@compiled
def _count(
    state: Record,
    deals: Any,
    actions: NDArray[np.int64],
    human: NDArray[np.bool_],
    game: NDArray[np.int64],
    trick: Counts,
    collected: Counts,
    rng: Rng,
) -> None:
    for number in range(len(deals)):
        one = deals[number]
        deal(state, one)
        for i in range(one.first_action, one.first_action + one.actions):
            if state.phase == ENDED:
                break
            if human[i] and state.phase >= PLAY and actions[i] < SPECIAL:
                trick[game[number], (state.trick_points + 25) // 5] += 1
                for seat in range(SEATS):
                    collected[game[number], (state.points[seat] + 25) // 5] += 1
            apply(state, actions[i], rng)
