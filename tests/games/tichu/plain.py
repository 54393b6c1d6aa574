"""The judge: combinations by brute force over all subsets of a hand, slow and obviously right; no code of the engine.

Cards are codes such as ``S8``, ``B10``, ``GB``, ``RA``, ``Hu``, ``Ma``, ``Ph``, ``Dr``. A reading is (type, length,
rank), a play the cards and their reading. A single Phoenix has rank "Ph" until a table gives it a number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations, product
from random import Random
from typing import TypeAlias

Rank: TypeAlias = float | str
Reading: TypeAlias = tuple[str, int, Rank]
Play: TypeAlias = tuple[frozenset[str], str, int, Rank]
Top: TypeAlias = tuple[str, int, float]

NUMBERS = {"2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9, "10": 10, "B": 11, "D": 12, "K": 13, "A": 14}
SPECIALS = {"Hu": 0, "Ma": 1, "Dr": 15}
SUITED = [suit + number for number in NUMBERS for suit in "SBGR"]
DECK = ["Hu", "Ma", *SUITED, "Dr", "Ph"]


def value(card: str) -> int:
    return SPECIALS[card] if card in SPECIALS else NUMBERS[card[1:]]


VALUES = {"Ma": 1, **{card: value(card) for card in SUITED}}


def contains(cards: Iterable[str], wish: int) -> bool:
    """Whether a natural card of the wished value is among them; the Phoenix is none."""
    return any(card in SUITED and value(card) == wish for card in cards)


# --- what cards can be --------------------------------------------------------------------------------------


def readings(cards: list[str]) -> set[Reading]:
    """All that exactly these cards can be."""
    if cards == ["Ph"]:
        return {("single", 1, "Ph")}
    if "Ph" in cards:
        others = [value(card) for card in cards if card != "Ph"]
        return {found for stands_for in range(2, 15) for found in plain_readings([*others, stands_for])}
    bomb = bomb_reading(cards)
    return {bomb} if bomb else plain_readings([value(card) for card in cards])


def bomb_reading(cards: list[str]) -> Reading | None:
    """Four equal ones, or a street of one suit; no special card is in a bomb."""
    if not set(cards) <= set(SUITED):
        return None
    values, suits = sorted(value(card) for card in cards), {card[0] for card in cards}
    if len(cards) == 4 and len(set(values)) == 1:
        return "bomb", 4, values[0]
    if len(cards) >= 5 and len(suits) == 1 and adjacent(values):
        return "bomb", len(cards), values[-1]
    return None


def plain_readings(values: list[int]) -> set[Reading]:
    """What cards of these values are if they are no bomb: one reading or none."""
    values, size = sorted(values), len(values)
    if size == 0:
        return set()
    if size == 1:
        return {("single", 1, values[0])}
    if values[0] == 0 or values[-1] == 15:  # dog and dragon are singles only
        return set()
    groups = Counter(values)
    if size >= 5 and adjacent(values):
        return {("street", size, values[-1])}
    if values[0] == 1:  # the Mahjong is a single or in a street
        return set()
    if size in (2, 3) and len(groups) == 1:
        return {("pair" if size == 2 else "triple", size, values[0])}
    if sorted(groups.values()) == [2, 3]:
        return {("fullhouse", 5, next(v for v in groups if groups[v] == 3))}
    if size >= 4 and set(groups.values()) == {2} and adjacent(sorted(groups)):
        return {("stair", size, values[-1])}
    return set()


def adjacent(values: list[int]) -> bool:
    """Whether each value is one more than that before it."""
    return values == list(range(values[0], values[0] + len(values)))


def all_plays(hand: Iterable[str]) -> set[Play]:
    """All combinations in a hand."""
    return set(_all_plays(frozenset(hand)))


@lru_cache(maxsize=8)
def _all_plays(hand: frozenset[str]) -> frozenset[Play]:
    found: set[Play] = {(frozenset([card]), *reading) for card in hand for reading in readings([card])}
    partners = sorted(hand - {"Hu", "Dr"}, key=DECK.index)
    for size in range(2, len(partners) + 1):
        for cards in combinations(partners, size):
            natural = [VALUES[card] for card in cards if card != "Ph"]
            # equal cards have one value, full houses two, stairs half as many as cards, streets as many as cards;
            # only the values of a full house may lie far apart
            shape = len(set(natural)) in (1, 2, size / 2, len(natural))
            if shape and (size == 5 or natural[-1] - natural[0] < size):
                found |= {(frozenset(cards), *reading) for reading in readings(list(cards))}
    return frozenset(found)


def straight_flushes(cards: Iterable[str]) -> set[frozenset[str]]:
    """All bombs of one suit among the cards."""
    held, found = set(cards), set()
    for suit, low, high in product("SBGR", range(2, 15), range(2, 15)):
        run = frozenset(suit + number for number in NUMBERS if low <= NUMBERS[number] <= high)
        if len(run) >= 5 and run <= held:
            found.add(run)
    return found


# --- what may be played -------------------------------------------------------------------------------------


def beats(reading: Reading, top: Top) -> bool:
    (kind, length, rank), (top_kind, top_length, top_rank) = reading, top
    if rank == "Ph":
        return top_kind == "single" and top_rank < 15
    assert not isinstance(rank, str)
    if kind == "bomb":
        return top_kind != "bomb" or (length, rank) > (top_length, top_rank)
    return (kind, length) == (top_kind, top_length) and rank > top_rank


def legal(
    hand: Iterable[str], top: Top | None, wish: int = 0, bomb_may_ignore_wish: bool = True
) -> tuple[set[Play], bool]:
    """What may be played on the table's combination, ranks as they will lie there, and whether one may pass."""
    plays = {play for play in all_plays(hand) if top is None or beats(play[1:], top)}
    duty = {play for play in plays if contains(play[0], wish)}
    if duty:
        plays = duty | {play for play in plays if bomb_may_ignore_wish and play[1] == "bomb"}
    phoenix = 1.5 if top is None else top[2] + 0.5
    plays = {(cards, kind, size, phoenix if rank == "Ph" else rank) for cards, kind, size, rank in plays}
    return plays, top is not None and not duty


def tops() -> list[Top]:
    """Everything that can lie on the table."""
    found: list[Top] = [("single", 1, rank / 2) for rank in range(2, 31) if rank < 30 or rank % 2 == 0]
    found += [(kind, size, rank) for kind, size in SAME for rank in range(2, 15)]
    found += [("stair", 2 * pairs, rank) for pairs in range(2, 8) for rank in range(pairs + 1, 15)]
    found += [("street", size, rank) for size in range(5, 15) for rank in range(size, 15)]
    found += [("bomb", size, rank) for size in range(5, 14) for rank in range(size + 1, 15)]
    return found


SAME = [("pair", 2), ("triple", 3), ("fullhouse", 5), ("bomb", 4)]


# --- hands ----------------------------------------------------------------------------------------------------

STYLES = ("any", "street", "suit", "flush", "pairs", "fours", "low", "high")


def random_hand(rng: Random, size: int, style: str, specials: Iterable[str] = ()) -> list[str]:
    """Different cards in random order: these specials, then cards of a style while there are any, then anything."""
    first, one = rng.randint(2, 14), rng.choice("SBGR")
    near = [card for card in SUITED if first <= value(card) < first + size // 2 + 2]
    wanted = {
        "any": DECK,
        "street": [rng.choice("SBGR") + number for number in [*NUMBERS][max(0, first - 7) :]],
        "suit": [card for card in near if card[0] == one or rng.random() < 0.3],
        "flush": [one + number for number in [*NUMBERS][first // 3 : first // 3 + rng.randint(5, 9)]],
        "pairs": [card for card in near if card[0] != one],
        "fours": [card for card in near if value(card) < first + size // 4 + 1],
        "low": [card for card in SUITED if value(card) <= 6],
        "high": [card for card in SUITED if value(card) >= 10],
    }[style]
    cards = [*specials, *rng.sample(wanted, len(wanted)), *rng.sample(DECK, len(DECK))]
    hand = list(dict.fromkeys(cards))[:size]
    rng.shuffle(hand)
    return hand
