"""One action more, and whether it closed a trick: what a log says and the kernel does not."""

from __future__ import annotations

from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import Record
from stammtisch.core.rng import Rng
from stammtisch.games.tichu.cards import DOG_BIT
from stammtisch.games.tichu.combinations import PASS, cards_of
from stammtisch.games.tichu.rules import DRAGON_PHASE, ENDED, NOBODY, SPECIAL, apply, player

OPEN = -2  # no trick was closed


@compiled
def step(state: Record, action: int, rng: Rng) -> int:
    """Apply an action. If it closed a trick: who has to say that he takes it, ``NOBODY`` if its owner is out or the
    round is over; otherwise ``OPEN``.
    """
    plays = PASS < action < SPECIAL
    lies = state.kind != PASS or (plays and cards_of(action) != DOG_BIT)
    gives = state.phase == DRAGON_PHASE
    owner = int(player(state)) if plays else int(state.owner)
    number = state.round_number
    apply(state, action, rng)
    if not lies or gives or (state.kind != PASS and state.phase != DRAGON_PHASE):
        return OPEN
    over = state.phase == ENDED or state.round_number != number or state.out_count >= 3
    return NOBODY if over or state.hand[owner] == 0 else owner
