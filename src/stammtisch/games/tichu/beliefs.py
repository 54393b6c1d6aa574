"""What a seat can know, and samples of what it cannot.

Known are the own hand, all played cards, the cards schupfed to and by oneself, who had the Mahjong, how many cards
everybody has. A card that one has given away is where one gave it until it is played.
"""

from __future__ import annotations

import numpy as np

from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import Record
from stammtisch.core.rng import Rng, below, shuffle, uniform
from stammtisch.games.tichu.cards import CARDS, HIGHEST, LOWEST, MAHJONG_BIT, QUEEN, count, nibble
from stammtisch.games.tichu.hands import NUMBER
from stammtisch.games.tichu.rules import (
    BOMB_PHASE,
    ENDED,
    GRAND,
    NOBODY,
    PLAY,
    SCHUPF,
    SEATS,
    last_passer,
    trick_is_over,
)

# How likely a hand is that could have done what its owner did not do.
DID_NOT_FULFIL = 0.02  # holds the wished value
COULD_HAVE_BEATEN = 0.75  # holds a lone middle card that would have beaten the single he passed on
TRIES = 6


@compiled
def determinize(state: Record, seat: int, rng: Rng) -> None:
    """Deal the cards that the seat does not see anew, within all it knows."""
    if state.phase == ENDED:
        return  # all cards are laid open
    if state.phase == BOMB_PHASE and state.asked != seat:
        _forget_question(state)
    hidden = np.empty(CARDS, dtype=np.int64)
    if state.phase == GRAND:
        _redeal_before_grand(state, seat, hidden, rng)
    elif state.phase == SCHUPF:
        _redeal_before_gifts(state, seat, hidden, rng)
    else:
        _redeal(state, seat, hidden, rng)
        if state.weighted:
            for _ in range(TRIES):
                if uniform(rng) < _likelihood(state, seat):
                    break
                _redeal(state, seat, hidden, rng)
        for other in range(SEATS):
            if other != seat:
                _guess_gifts(state, seat, other, rng)


@compiled
def _forget_question(state: Record) -> None:
    """Who is asked for a bomb must hold one, so the others may not see it: for them the next seat is thinking.

    When everybody has passed, it is the last who passed that seems to think about it still.
    """
    state.phase, state.asked = PLAY, NOBODY
    if trick_is_over(state):
        state.turn = last_passer(state)
        state.passes -= 1


@compiled
def _draw(cards: int, hidden: np.ndarray, rng: Rng) -> int:
    """Write the cards of a mask in random order; their number."""
    n = 0
    for card in range(CARDS):
        if cards >> card & 1:
            hidden[n] = card
            n += 1
    shuffle(rng, hidden, n)
    return n


@compiled
def _redeal_before_grand(state: Record, seat: int, hidden: np.ndarray, rng: Rng) -> None:
    unseen = state.undealt[seat]
    for other in range(SEATS):
        if other != seat:
            unseen |= state.hand[other] | state.undealt[other]
    n = _draw(unseen, hidden, rng)
    for other in range(SEATS):
        size, rest = count(state.hand[other]), count(state.undealt[other])
        if other != seat:
            state.hand[other] = 0
            for _ in range(size):
                n -= 1
                state.hand[other] |= 1 << hidden[n]
        state.undealt[other] = 0
        for _ in range(rest):
            n -= 1
            state.undealt[other] |= 1 << hidden[n]


@compiled
def _redeal_before_gifts(state: Record, seat: int, hidden: np.ndarray, rng: Rng) -> None:
    """Also the cards that others have laid aside already are unknown."""
    unseen = 0
    for other in range(SEATS):
        if other != seat:
            unseen |= state.hand[other]
            for i in range(3):
                if state.given[other, i]:
                    unseen |= 1 << (int(state.given[other, i]) - 1)
    n = _draw(unseen, hidden, rng)
    for other in range(SEATS):
        if other == seat:
            continue
        size = count(state.hand[other])
        state.hand[other] = 0
        for _ in range(size):
            n -= 1
            state.hand[other] |= 1 << hidden[n]
        for i in range(3):
            if state.given[other, i]:
                n -= 1
                state.given[other, i] = hidden[n] + 1


@compiled
def _redeal(state: Record, seat: int, hidden: np.ndarray, rng: Rng) -> None:
    unseen, known = 0, 0
    for other in range(SEATS):
        if other != seat:
            unseen |= state.hand[other]
    sizes = np.empty(SEATS, dtype=np.int64)
    for other in range(SEATS):
        sizes[other] = count(state.hand[other])
        if other != seat:
            keeps = _certain(state, seat, other) & unseen & ~known
            state.hand[other] = keeps
            known |= keeps
    n = _draw(unseen & ~known, hidden, rng)
    for other in range(SEATS):
        if other != seat:
            for _ in range(sizes[other] - count(state.hand[other])):
                n -= 1
                state.hand[other] |= 1 << hidden[n]


@compiled
def _likelihood(state: Record, seat: int) -> float:
    """How well the others' sampled hands agree with what they did, 0 to 1."""
    likely = 1.0
    for other in range(SEATS):
        if other == seat:
            continue
        hand = state.hand[other]
        lacks = int(state.lacks[other])
        declined = int(state.declined[other])
        for value in range(LOWEST, HIGHEST + 1):
            held = NUMBER[nibble(hand, value)]
            if held and lacks >> value & 1:
                likely *= DID_NOT_FULFIL
            if held == 1 and declined and declined < 2 * value <= 2 * QUEEN:
                likely *= COULD_HAVE_BEATEN
    return likely


@compiled
def _certain(state: Record, seat: int, other: int) -> int:
    """The cards that ``seat`` knows to be with ``other``, if they are not played yet."""
    known = 0
    gift = int(state.given[seat, (other - seat - 1) & 3])
    if gift:
        known |= 1 << (gift - 1)
    if state.starter == other:
        known |= MAHJONG_BIT
    return known


@compiled
def _guess_gifts(state: Record, seat: int, receiver: int, rng: Rng) -> None:
    """What the two others gave this one: any of the cards he still has; nothing where no gifts are on record."""
    cards = state.hand[receiver]
    gift = int(state.given[seat, (receiver - seat - 1) & 3])
    if gift:
        cards &= ~(1 << (gift - 1))
    for giver in range(SEATS):
        place = (receiver - giver - 1) & 3
        if giver in (seat, receiver):
            continue
        state.given[giver, place] = 0
        n = count(cards)
        if n == 0 or state.given[giver, (seat - giver - 1) & 3] == 0:
            continue
        skip = below(rng, n)
        for card in range(CARDS):
            if cards >> card & 1:
                if skip == 0:
                    state.given[giver, place] = card + 1
                    cards &= ~(1 << card)
                    break
                skip -= 1
