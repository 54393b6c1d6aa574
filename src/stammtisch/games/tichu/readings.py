"""What cards on the table are: one play from exactly these cards, without listing all plays of a hand.

For referees who see what was played and judge it. The lists of ``combinations.py`` say what could be played.
"""

from __future__ import annotations

from stammtisch.core.compiling import compiled
from stammtisch.games.tichu.cards import (
    DOG_BIT,
    DRAGON_BIT,
    FIRST_SUIT,
    HIGHEST,
    LOWEST,
    MAHJONG_BIT,
    PHOENIX_BIT,
    SUITED,
    count,
    nibble,
)
from stammtisch.games.tichu.combinations import (
    BOMB,
    DRAGON_RANK,
    FULLHOUSE,
    KIND_SHIFT,
    LOWER,
    PAIR,
    PASS,
    SINGLE,
    STAIR,
    STREET,
    TRIPLE,
    beats,
    kind_of,
    rank_of,
)


@compiled
def read_play(cards: int) -> int:
    """The play of exactly these cards, of two readings the higher; ``PASS`` if they are no combination."""
    size = count(cards)
    if size == 1:
        return SINGLE << KIND_SHIFT | cards
    if size == 0 or size > 14 or cards & (DOG_BIT | DRAGON_BIT):
        return PASS
    phoenix = 1 if cards & PHOENIX_BIT else 0
    low, high, different, most = 0, 0, 0, 0
    if cards & MAHJONG_BIT:
        low, high, different, most = 1, 1, 1, 1
    for value in range(LOWEST, HIGHEST + 1):
        held = count(nibble(cards, value))
        if held:
            low, high = value if low == 0 else low, value
            different += 1
            most = max(most, held)
    kind = PASS
    if size >= 5 and most == 1:
        kind = _street(cards, size, phoenix, low, high)
    elif cards & MAHJONG_BIT:
        return PASS
    elif different == 1:
        if size <= 3:
            kind = PAIR if size == 2 else TRIPLE
        elif size == 4 and phoenix == 0:
            kind = BOMB
    elif most == 2 and 2 * different == size and high - low + 1 == different:
        kind = STAIR + different - 2
    elif size == 5 and different == 2 and most <= 3:
        kind = FULLHOUSE
    return kind << KIND_SHIFT | cards if kind else PASS


@compiled
def _street(cards: int, size: int, phoenix: int, low: int, high: int) -> int:
    """The kind of cards of different values; ``PASS`` if they are no street."""
    span = high - low + 1
    if phoenix == 0:
        if span != size:
            return PASS
        suited = cards & SUITED
        for suit in range(4):
            if cards == suited and suited & (FIRST_SUIT << suit) == suited:
                return BOMB + size - 4
        return STREET + size - 5
    lengthens = span == size - 1 and (high < HIGHEST or low > LOWEST)  # the Phoenix never stands for the 1
    return STREET + size - 5 if span == size or lengthens else PASS


@compiled
def lower_reading(play: int) -> int:
    """The same cards meant lower, where they can be meant in two ways; otherwise the play itself."""
    kind = kind_of(play)
    if not play & PHOENIX_BIT:
        return play
    if kind == FULLHOUSE:
        for value in range(LOWEST, HIGHEST + 1):
            if count(nibble(play, value)) == 3:
                return play
        return play | LOWER
    if STREET <= kind < BOMB and not play & MAHJONG_BIT:
        low = LOWEST
        while nibble(play, low) == 0:
            low += 1
        high = low
        while high < HIGHEST and nibble(play, high + 1):
            high += 1
        if high - low + 1 == kind - STREET + 4 and low > LOWEST and high < HIGHEST:
            return play | LOWER
    return play


@compiled
def is_higher(play: int, kind: int, rank: int) -> bool:
    """Whether a play may lie on the combination on the table (``PASS``: on the empty table)."""
    if kind == PASS:
        return True
    if play == SINGLE << KIND_SHIFT | PHOENIX_BIT:
        return kind == SINGLE and rank < DRAGON_RANK
    return beats(kind_of(play), rank_of(play, rank), kind, rank)
