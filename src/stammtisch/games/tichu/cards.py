"""The 56 cards as bits of an integer, and what they are called.

Bit 0 is the dog, bit 1 the Mahjong, then come the values 2 to 14 with four suits each, last the dragon (54) and the
Phoenix (55). A set of cards is an int64 mask: 56 bits leave room for a sign.
"""

from __future__ import annotations

from collections.abc import Iterable

from stammtisch.core.compiling import compiled
from stammtisch.core.errors import StammtischError, suggestion

CARDS = 56
DOG, MAHJONG, DRAGON, PHOENIX = 0, 1, 54, 55
DOG_BIT, MAHJONG_BIT, DRAGON_BIT, PHOENIX_BIT = 1, 2, 1 << 54, 1 << 55
ALL_CARDS = (1 << CARDS) - 1
LOWEST, HIGHEST = 2, 14  # the values of the cards with suits
JACK, QUEEN, KING, ACE = 11, 12, 13, 14
SUITED = ALL_CARDS & ~(DOG_BIT | MAHJONG_BIT | DRAGON_BIT | PHOENIX_BIT)
FIRST_SUIT = sum(1 << card for card in range(2, 54, 4))  # the first suit of every value
FIVES, TENS, KINGS = 15 << 14, 15 << 34, 15 << 46

SUIT_LETTERS = "SBGR"  # sword black, pagoda blue, jade green, star red
VALUE_NAMES = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "B", "D", "K", "A")
NAMES = ("Hu", "Ma", *(suit + value for value in VALUE_NAMES for suit in SUIT_LETTERS), "Dr", "Ph")
_BY_NAME = {name: card for card, name in enumerate(NAMES)}


class BadCards(StammtischError):
    """Something that is no card, or a card that is there twice."""


@compiled
def nibble(cards: int, value: int) -> int:
    """The cards of one value 2 .. 14 as four bits."""
    return (cards >> (4 * value - 6)) & 15


@compiled
def count(cards: int) -> int:
    """How many cards a mask holds."""
    cards = cards - ((cards >> 1) & 0x55555555555555)
    cards = (cards & 0x33333333333333) + ((cards >> 2) & 0x33333333333333)
    cards = (cards + (cards >> 4)) & 0x0F0F0F0F0F0F0F
    cards = cards + (cards >> 8)
    cards = cards + (cards >> 16)
    return (cards + (cards >> 32)) & 63


@compiled
def points_of(cards: int) -> int:
    """Fives count 5, tens and kings 10, the dragon 25, the Phoenix -25; the deck makes 100."""
    points = 5 * count(cards & FIVES) + 10 * count(cards & (TENS | KINGS))
    if cards & DRAGON_BIT:
        points += 25
    if cards & PHOENIX_BIT:
        points -= 25
    return points


@compiled
def highest_value(cards: int) -> int:
    """The highest value 1 (Mahjong) .. 14 among the cards with a value; 0 if there is none."""
    for value in range(HIGHEST, LOWEST - 1, -1):
        if nibble(cards, value):
            return value
    return 1 if cards & MAHJONG_BIT else 0


@compiled
def lowest_value(cards: int) -> int:
    """The lowest value 1 (Mahjong) .. 14 among the cards with a value; 15 if there is none."""
    if cards & MAHJONG_BIT:
        return 1
    for value in range(LOWEST, HIGHEST + 1):
        if nibble(cards, value):
            return value
    return HIGHEST + 1


@compiled
def value_of(card: int) -> int:
    """The value of a card as a label: dog 0, Mahjong 1, 2 .. 14, dragon 15, Phoenix 16."""
    if card >= DRAGON:
        return card - 39
    return card if card < 2 else (card + 6) // 4


def read_card(name: object) -> int:
    """The number of a card such as ``S8``, ``B10``, ``GB``, ``RA``, ``Hu``, ``Ma``, ``Ph``, ``Dr``."""
    if not isinstance(name, str) or name not in _BY_NAME:
        near = suggestion(name[:20], NAMES) if isinstance(name, str) else ""
        hint = near if 0 < len(near) < 60 else "cards are S2 ... RA, Hu, Ma, Ph, Dr"
        raise BadCards(f"{str(name)[:20]!r} is no card; {hint}")
    return _BY_NAME[name]


def read_cards(names: Iterable[object]) -> int:
    """The mask of a list of cards, each once."""
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise BadCards(f"a list of cards is needed, not {str(names)[:20]!r}")
    mask = 0
    for name in names:
        bit = 1 << read_card(name)
        if mask & bit:
            raise BadCards(f"{name} is there twice")
        mask |= bit
    return mask


def write_cards(mask: int) -> list[str]:
    """The names of the cards in ascending order."""
    return [NAMES[card] for card in range(CARDS) if mask >> card & 1]
