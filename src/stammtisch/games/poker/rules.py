"""The rules, compiled. Cards are numbered by rank, ``SUITS`` of a rank one after the other.

Both pay an ante of 1. A round ends when somebody folds, or when both have acted and paid the same. Leduc then shows a
card for both and goes into its second round, with bets of 4 instead of 2. In the end a pair with that card wins, else
the higher rank; equal ranks share.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import OVER, Actions, Kernel, Record, Vector
from stammtisch.core.rng import Rng, below

SEATS, RANKS, LONGEST = 2, 3, 8  # a round of Leduc has at most four actions
FOLD, CALL, RAISE = range(3)  # to call where nothing is to pay is to check
NOT_DEALT = -1

STATE = np.dtype(
    [
        ("hands", np.int8, SEATS),
        ("shown", np.int8),  # the card for both, NOT_DEALT before
        ("paid", np.int8, SEATS),
        ("round_number", np.int8),
        ("acted", np.int8),  # actions in this round
        ("raises", np.int8),  # in this round
        ("turn", np.int8),
        ("folded", np.int8),  # seat + 1; 0 if nobody has
        ("over", np.int8),
        ("log", np.int8, LONGEST),  # all actions, plus one
        ("log_length", np.int8),
        ("suits", np.int8),  # option: 1 in Kuhn's game, 2 in Leduc
        ("rounds", np.int8),  # option
        ("most_raises", np.int8),  # option, for each round
        ("first_bet", np.int8),  # option; twice as much in the second round
    ]
)


@compiled
def new_game(state: Record, rng: Rng) -> None:
    cards = RANKS * state.suits
    state.shown = NOT_DEALT
    state.hands[0] = below(rng, cards)
    state.hands[1] = _other(below(rng, cards - 1), state.hands[0], NOT_DEALT)
    state.paid[:] = 1


@compiled
def _other(which: int, first: int, second: int) -> int:
    """Card number ``which`` of those that are neither of the two."""
    for card in range(which + 3):
        if card != first and card != second:
            if which == 0:
                return card
            which -= 1
    return NOT_DEALT


@compiled
def player(state: Record) -> int:
    return OVER if state.over else state.turn


@compiled
def legal_actions(state: Record, out: Actions) -> int:
    if state.over:
        return 0
    n = 0
    if state.paid[0] != state.paid[1]:
        out[n] = FOLD
        n += 1
    out[n] = CALL
    n += 1
    if state.raises < state.most_raises:
        out[n] = RAISE
        n += 1
    return n


@compiled
def apply(state: Record, action: int, rng: Rng) -> None:
    seat = state.turn
    state.log[state.log_length] = action + 1
    state.log_length += 1
    state.acted += 1
    state.turn = 1 - seat
    if action == FOLD:
        state.folded = seat + 1
        state.over = 1
        return
    state.paid[seat] = state.paid[1 - seat]
    if action == RAISE:
        state.paid[seat] += state.first_bet << state.round_number
        state.raises += 1
    elif state.acted > 1:
        _end_round(state, rng)


@compiled
def _end_round(state: Record, rng: Rng) -> None:
    state.acted, state.raises, state.turn = 0, 0, 0
    if state.round_number + 1 == state.rounds:
        state.over = 1
        return
    state.round_number += 1
    state.shown = _other(below(rng, RANKS * state.suits - 2), state.hands[0], state.hands[1])


@compiled
def outcome(state: Record, which: int) -> float:
    """The deal, as long as nobody has acted; the card for both, as long as nobody has acted on it."""
    cards = RANKS * state.suits
    if state.over or state.acted:
        return 1.0 if which == 0 else 0.0
    if state.round_number:
        if which >= cards - 2:
            return 0.0
        state.shown = _other(which, state.hands[0], state.hands[1])
        return 1.0 / (cards - 2)
    if which >= cards * (cards - 1):
        return 0.0
    state.hands[0] = which // (cards - 1)
    state.hands[1] = _other(which % (cards - 1), state.hands[0], NOT_DEALT)
    return 1.0 / (cards * (cards - 1))


@compiled
def scores(state: Record, out: Vector) -> None:
    """What is won or lost; 0 while the game goes on."""
    out[0], out[1] = 0.0, 0.0
    if not state.over:
        return
    better = 1 - 2 * (state.folded - 1) if state.folded else strength(state, 1) - strength(state, 0)
    if better > 0:
        out[0], out[1] = -float(state.paid[0]), float(state.paid[0])
    elif better < 0:
        out[0], out[1] = float(state.paid[1]), -float(state.paid[1])


@compiled
def strength(state: Record, seat: int) -> int:
    rank = state.hands[seat] // state.suits
    paired = state.shown != NOT_DEALT and state.shown // state.suits == rank
    return rank + (RANKS if paired else 0)


@compiled
def determinize(state: Record, seat: int, rng: Rng) -> None:
    """The other hand, any card that the seat has not seen: what the other does with it is no part of the rules."""
    cards = RANKS * state.suits - 1 - (state.shown != NOT_DEALT)
    state.hands[1 - seat] = _other(below(rng, cards), state.hands[seat], state.shown)


@compiled
def observe(state: Record, seat: int, out: NDArray[np.float32]) -> None:
    """The own rank, the one for both, what both have paid, whose turn it is, and all actions so far."""
    out[:] = 0.0
    out[state.hands[seat] // state.suits] = 1.0
    if state.shown != NOT_DEALT:
        out[RANKS + state.shown // state.suits] = 1.0
    out[2 * RANKS] = state.paid[seat] / 13.0
    out[2 * RANKS + 1] = state.paid[1 - seat] / 13.0
    out[2 * RANKS + 2] = 1.0 if state.turn == seat and not state.over else 0.0
    for i in range(state.log_length):
        out[2 * RANKS + 3 + 3 * i + state.log[i] - 1] = 1.0


INPUTS = 2 * RANKS + 3 + 3 * LONGEST
KERNEL = Kernel(
    state=STATE,
    new_game=new_game,
    player=player,
    legal_actions=legal_actions,
    apply=apply,
    scores=scores,
    observe=observe,
    determinize=determinize,
    outcome=outcome,
)
