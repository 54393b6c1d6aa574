"""Actions by number: a fixed space for merged play, seen from the seat that decides.

A number says the combination (type, length, rank, what the Phoenix stands for), the values that are given to the next
three seats, a call, a wish, or who gets the dragon; suits only of straight flushes, where they matter. ``action_at``
finds the suits by the rule of the merged list: cards of a value are alike, but those that a straight flush in the hand
needs are used last. So a learner chooses among all that differs for play: what is lost is only the choice to break a
straight flush where another card would do, or which of two that meet.

=================  ======================================================================================
pass               0
single             dog, Mahjong, 2 .. A, dragon, Phoenix
pair, triple       value, without or with the Phoenix
stairs             2 to 7 pairs: lowest value, then without the Phoenix or where it stands
full house         value of the triple, of the pair; without the Phoenix, with it in the triple, in the pair
street             5 to 14 cards: lowest value, then without the Phoenix or where it stands
bomb               four of a kind: value; straight flush of 5 to 13: lowest value, suit
calls              no grand tichu, grand tichu, tichu
wish               none, 2 .. A
dragon             to the next seat, to the one before
gifts              17 x 17 x 17: to the next seat, the partner, the one before; as singles are counted
=================  ======================================================================================
"""

from __future__ import annotations

import numpy as np

from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import Actions, Record, legal_actions
from stammtisch.games.tichu.cards import (
    ALL_CARDS,
    DOG_BIT,
    DRAGON,
    DRAGON_BIT,
    HIGHEST,
    LOWEST,
    PHOENIX_BIT,
    count,
    lowest_value,
    nibble,
)
from stammtisch.games.tichu.combinations import (
    BOMB,
    FULLHOUSE,
    KIND_SHIFT,
    KINDS,
    LENGTH_OF,
    PAIR,
    PASS,
    SINGLE,
    STREET,
    flush_cards,
    rank_of,
)
from stammtisch.games.tichu.rules import (
    CALL_TICHU,
    GIVE_DRAGON,
    NO_GRAND,
    SCHUPF_CARDS,
    SPECIAL,
    WISH_NONE,
    player,
)

VALUES = HIGHEST - LOWEST + 1
FACES = VALUES + 4  # what a single card can be
DRAGON_FACE, PHOENIX_FACE = FACES - 2, FACES - 1


def _places() -> np.ndarray:
    """The first number of every kind of play, and behind them that of the other actions."""
    first = np.zeros(KINDS + 1, dtype=np.int64)
    for kind in range(KINDS):
        length = int(LENGTH_OF[kind])
        if kind == PASS:
            size = 1
        elif kind == SINGLE:
            size = FACES
        elif kind < FULLHOUSE:  # pairs and triples are stairs of one value, in which the Phoenix has one place
            size = 2 * VALUES if kind in (PAIR, PAIR + 1) else (HIGHEST - length // 2) * (length // 2 + 1)
        elif kind == FULLHOUSE:
            size = 3 * VALUES * VALUES
        elif kind < BOMB:
            size = (HIGHEST - length + 1) * (length + 1)
        else:
            size = VALUES if kind == BOMB else 4 * (HIGHEST - length)
        first[kind + 1] = first[kind] + size
    return first


FIRST = _places()
CALLS = int(FIRST[KINDS])
WISHES = CALLS + 3
DRAGONS = WISHES + VALUES + 1
GIFTS = DRAGONS + 2
NUMBERS = GIFTS + FACES**3


@compiled
def face_of(card: int) -> int:
    """What a card is when suits do not count: dog, Mahjong, 2 .. A, dragon, Phoenix from 0."""
    if card < LOWEST:
        return card
    return card - DRAGON + DRAGON_FACE if card >= DRAGON else (card + 6) // 4


@compiled
def number(state: Record, action: int) -> int:
    """The number of a legal action."""
    if action < SPECIAL:
        return FIRST[action >> KIND_SHIFT] + _within(action)
    if action >= SCHUPF_CARDS:
        left, partner, right = action >> 12 & 63, action >> 6 & 63, action & 63
        return GIFTS + (face_of(left) * FACES + face_of(partner)) * FACES + face_of(right)
    if action >= GIVE_DRAGON:
        return DRAGONS + (0 if action - GIVE_DRAGON == (player(state) + 1) & 3 else 1)
    if action > CALL_TICHU:
        return WISHES + (0 if action == WISH_NONE else action - WISH_NONE - LOWEST + 1)
    return CALLS + action - NO_GRAND


@compiled
def _within(play: int) -> int:
    """The place of a play among those of its kind."""
    kind, cards = play >> KIND_SHIFT, play & ALL_CARDS
    if kind == PASS:
        return 0
    phoenix = 1 if cards & PHOENIX_BIT else 0
    if kind == SINGLE:
        if phoenix:
            return PHOENIX_FACE
        if cards == DRAGON_BIT:
            return DRAGON_FACE
        return 0 if cards == DOG_BIT else lowest_value(cards)
    if kind <= PAIR + 1:
        return 2 * (lowest_value(cards) - LOWEST) + phoenix
    length, top = LENGTH_OF[kind], rank_of(play, 0) // 2
    if kind == FULLHOUSE:
        other = _other_value(cards, top)
        meant = 0 if phoenix == 0 else 1 if count(nibble(cards, top)) == 2 else 2
        return 3 * (VALUES * (top - LOWEST) + other - LOWEST) + meant
    if kind == BOMB:
        return top - LOWEST
    if kind > BOMB:
        suit = 0
        while nibble(cards, top) >> suit & 1 == 0:
            suit += 1
        return 4 * (top - length + 1 - LOWEST) + suit
    values, each = (length, 1) if kind >= STREET else (length // 2, 2)
    low = top - values + 1
    place = 0
    if phoenix:
        for value in range(low, top + 1):
            if value > 1 and count(nibble(cards, value)) < each:
                place = value - low + 1
    return (low - (1 if kind >= STREET else LOWEST)) * (values + 1) + place


@compiled
def _other_value(cards: int, value: int) -> int:
    """The other value of a full house."""
    for other in range(LOWEST, HIGHEST + 1):
        if other != value and nibble(cards, other):
            return other
    return 0


@compiled
def action_at(state: Record, wanted: int, buffer: Actions) -> int:
    """Of the legal actions of this number the one that spares straight flushes best, the lowest code of equal ones."""
    hand = state.hand[player(state)]
    flushes = flush_cards(hand)
    if wanted >= GIFTS:
        return _gift_at(hand, flushes, wanted - GIFTS, legal_actions(state, buffer), buffer)
    best, least = -1, 99
    for i in range(legal_actions(state, buffer)):
        if number(state, buffer[i]) == wanted:
            used = count(buffer[i] & flushes) if buffer[i] < SPECIAL else 0
            if used < least:
                best, least = buffer[i], used
    return best


@compiled
def _gift_at(hand: int, flushes: int, wanted: int, n: int, legal: Actions) -> int:
    """The gift of these values, if gifts are what is asked for."""
    if n == 0 or legal[n - 1] < SCHUPF_CARDS:
        return -1
    action, left = SCHUPF_CARDS, hand
    for place in range(3):
        face = wanted // FACES ** (2 - place) % FACES
        card = _spared(left, flushes, face)
        if card < 0:
            return -1
        left &= ~(1 << card)
        action |= card << (12 - 6 * place)
    return action


@compiled
def _spared(hand: int, flushes: int, face: int) -> int:
    """The card of this face that is given away first; -1 if the hand has none."""
    first, size = face, 1
    if face >= DRAGON_FACE:
        first = DRAGON + face - DRAGON_FACE
    elif face >= LOWEST:
        first, size = 4 * face - 6, 4
    for cards in (hand & ~flushes, hand):
        for card in range(first, first + size):
            if cards >> card & 1:
                return card
    return -1
