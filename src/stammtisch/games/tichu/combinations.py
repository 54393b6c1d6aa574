"""Combinations: what cards can be, all plays of a hand, which play beats which.

A play is one integer: ``kind << 57 | lower << 56 | cards``. The *kind* is type and length together, 31 of them with the
pass. The rank follows from the cards, except for two shapes with the Phoenix that can be meant in two ways (a full
house of two pairs, a street that the Phoenix lengthens): ``lower`` is set for the lower reading. Ranks are counted in
halves, because a single Phoenix lies half a rank above the card it beats.

Lists are made in ascending order. A list is *complete*, to the card, or *merged*: cards of one value are then
interchangeable unless they belong to a straight flush in the hand. ``special`` says which cards count as different:
all of the hand for the complete list, those of straight flushes for the merged one.
"""

from __future__ import annotations

import numpy as np

from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import Actions
from stammtisch.games.tichu.cards import (
    ALL_CARDS,
    DOG_BIT,
    DRAGON_BIT,
    FIRST_SUIT,
    HIGHEST,
    LOWEST,
    MAHJONG_BIT,
    PHOENIX_BIT,
    SUITED,
    count,
    highest_value,
    lowest_value,
    nibble,
)

PASS, SINGLE, PAIR, TRIPLE, STAIR, FULLHOUSE, STREET, BOMB = 0, 1, 2, 3, 4, 10, 11, 21  # the first kind of each type
KINDS = 31
TYPES = ("pass", "single", "pair", "triple", "stair", "fullhouse", "street", "bomb")
TYPE_OF = np.array([0, 1, 2, 3, *[4] * 6, 5, *[6] * 10, *[7] * 10], dtype=np.int64)
LENGTH_OF = np.array([0, 1, 2, 3, *range(4, 15, 2), 5, *range(5, 15), *range(4, 14)], dtype=np.int64)

KIND_SHIFT = 57
LOWER = 1 << 56
LEAD = -1  # the rank to beat when nothing lies on the table
PHOENIX_LED = 3  # one and a half
DRAGON_RANK = 30
SUIT_LANES = np.array([(FIRST_SUIT << suit) for suit in range(4)], dtype=np.int64)


def _choices() -> tuple[np.ndarray, np.ndarray]:
    """For every number of cards, set of four suits and special suits: the different choices, ascending."""
    found = np.zeros((5, 16, 16, 6), dtype=np.int64)
    number = np.zeros((5, 16, 16), dtype=np.int64)
    for size in range(5):
        for held in range(16):
            for special in range(16):
                options = set()
                for chosen in range(16):
                    plain = [suit for suit in range(4) if held & ~special & 1 << suit]
                    rest = size - (chosen & special).bit_count()
                    if chosen & ~held or chosen.bit_count() != size or rest < 0:
                        continue
                    options.add((chosen & special) | sum(1 << suit for suit in plain[:rest]))
                number[size, held, special] = len(options)
                found[size, held, special, : len(options)] = sorted(options)
    return found, number


CHOICES, CHOICE_COUNT = _choices()


# --- reading a play ---------------------------------------------------------------------------------------


@compiled
def kind_of(play: int) -> int:
    return play >> KIND_SHIFT


@compiled
def cards_of(play: int) -> int:
    return play & ALL_CARDS


@compiled
def rank_of(play: int, beaten: int) -> int:
    """The rank of a play in halves; ``beaten`` is the rank on the table, which a single Phoenix adds a half to."""
    kind, cards = play >> KIND_SHIFT, play & ALL_CARDS
    if kind == SINGLE:
        if cards == PHOENIX_BIT:
            return PHOENIX_LED if beaten == LEAD else beaten + 1
        return DRAGON_RANK if cards == DRAGON_BIT else 2 * highest_value(cards)
    top = highest_value(cards)
    if kind == FULLHOUSE:
        low = lowest_value(cards)
        if cards & PHOENIX_BIT and count(nibble(cards, low)) == count(nibble(cards, top)):
            return 2 * (low if play & LOWER else top)
        return 2 * (low if count(nibble(cards, low)) > count(nibble(cards, top)) else top)
    if STREET <= kind < BOMB and cards & PHOENIX_BIT and top - lowest_value(cards) + 1 < LENGTH_OF[kind]:
        return 2 * (top if play & LOWER or top == HIGHEST else top + 1)
    return 2 * top


@compiled
def beats(kind: int, rank: int, top_kind: int, top_rank: int) -> bool:
    """Whether a combination beats the one on the table; ranks in halves."""
    if kind == top_kind:
        return rank > top_rank
    return kind >= BOMB and kind > top_kind


# --- bombs ------------------------------------------------------------------------------------------------


@compiled
def fours(hand: int) -> int:
    """The first suit's bit of every value that is there four times."""
    return hand & (hand >> 1) & (hand >> 2) & (hand >> 3) & FIRST_SUIT


@compiled
def flush_starts(hand: int) -> int:
    """The lowest cards of all runs of five in one suit."""
    suited = hand & SUITED
    return suited & (suited >> 4) & (suited >> 8) & (suited >> 12) & (suited >> 16)


@compiled
def flush_cards(hand: int) -> int:
    """All cards of the hand that belong to a straight flush in it."""
    starts = flush_starts(hand)
    return starts | starts << 4 | starts << 8 | starts << 12 | starts << 16


@compiled
def holds_bomb(hand: int, kind: int, rank: int) -> bool:
    """Whether the hand holds a bomb that beats this combination."""
    four, starts = fours(hand), flush_starts(hand)
    if four == 0 and starts == 0:
        return False
    if kind < BOMB:
        return True
    if kind == BOMB:
        return starts != 0 or 2 * highest_value(four) > rank
    length = LENGTH_OF[kind]
    for suit in range(4):
        run = 0
        for value in range(LOWEST, HIGHEST + 1):
            run = run + 1 if nibble(hand, value) & (1 << suit) else 0
            if run > length or (run == length and 2 * value > rank):
                return True
    return False


@compiled
def list_bombs(hand: int, kind: int, rank: int, out: Actions, n: int) -> int:
    """Append the bombs that beat this combination, ascending."""
    four = fours(hand)
    if four and kind <= BOMB:
        for value in range(LOWEST, HIGHEST + 1):
            if nibble(four, value) and (kind < BOMB or 2 * value > rank):
                out[n] = BOMB << KIND_SHIFT | 15 << (4 * value - 6)
                n += 1
    starts = flush_starts(hand)
    length = 5
    while starts:
        bomb = BOMB + length - 4
        if bomb >= kind:
            for card in range(2, 54):
                top = (card + 6) // 4 + length - 1
                if starts >> card & 1 and (bomb > kind or 2 * top > rank):
                    run = 0
                    for i in range(length):
                        run |= 1 << (card + 4 * i)
                    out[n] = bomb << KIND_SHIFT | run
                    n += 1
        # a run of one card more begins where its next card begins a run, too
        starts &= starts >> 4
        length += 1
    return n


# --- the other combinations -------------------------------------------------------------------------------


@compiled
def _product(hand: int, special: int, low: int, top: int, each: int, slot: int, base: int, out: Actions, n: int) -> int:
    """Append ``base`` with ``each`` cards of all values from ``low`` to ``top``; of ``slot`` one card less.

    The list grows value by value from the highest, in place, so that it is ascending.
    """
    out[n] = base
    size = 1
    for value in range(top, low - 1, -1):
        wanted = each - 1 if value == slot else each
        if wanted == 0:
            continue
        if value == 1:
            for i in range(n, n + size):
                out[i] |= MAHJONG_BIT
            continue
        held, shift = nibble(hand, value), 4 * value - 6
        different = nibble(special, value)
        options = CHOICE_COUNT[wanted, held, different]
        for i in range(size - 1, -1, -1):
            part = out[n + i]
            for j in range(options - 1, -1, -1):
                out[n + i * options + j] = part | CHOICES[wanted, held, different, j] << shift
        size *= options
        if size == 0:
            return n
    return n + size


@compiled
def _sort(out: Actions, first: int, end: int) -> None:
    """Sort a part of the list that is nearly in order."""
    for i in range(first + 1, end):
        play = out[i]
        j = i - 1
        while j >= first and out[j] > play:
            out[j + 1] = out[j]
            j -= 1
        out[j + 1] = play


@compiled
def _singles(hand: int, special: int, rank: int, out: Actions, n: int) -> int:
    code = SINGLE << KIND_SHIFT
    if rank == LEAD and hand & DOG_BIT:
        out[n] = code | DOG_BIT
        n += 1
    if rank < 2 and hand & MAHJONG_BIT:
        out[n] = code | MAHJONG_BIT
        n += 1
    for value in range(max(LOWEST, rank // 2 + 1), HIGHEST + 1):
        held, different = nibble(hand, value), nibble(special, value)
        if held:
            for j in range(CHOICE_COUNT[1, held, different]):
                out[n] = code | CHOICES[1, held, different, j] << (4 * value - 6)
                n += 1
    if rank < DRAGON_RANK:
        if hand & DRAGON_BIT:
            out[n] = code | DRAGON_BIT
            n += 1
        if hand & PHOENIX_BIT:
            out[n] = code | PHOENIX_BIT
            n += 1
    return n


@compiled
def _equals(hand: int, special: int, size: int, rank: int, out: Actions, n: int) -> int:
    """Pairs (``size`` 2) or triples (3)."""
    code = size << KIND_SHIFT
    for joker in range(2 if hand & PHOENIX_BIT else 1):
        for value in range(max(LOWEST, rank // 2 + 1), HIGHEST + 1):
            held, different = nibble(hand, value), nibble(special, value)
            if held:
                for j in range(CHOICE_COUNT[size - joker, held, different]):
                    out[n] = code | CHOICES[size - joker, held, different, j] << (4 * value - 6) | PHOENIX_BIT * joker
                    n += 1
    return n


@compiled
def _fullhouses(hand: int, special: int, rank: int, out: Actions, n: int) -> int:
    first = n
    code = FULLHOUSE << KIND_SHIFT
    for triple in range(max(LOWEST, rank // 2 + 1), HIGHEST + 1):
        threes = count(nibble(hand, triple))
        if threes < 2 or (threes == 2 and not hand & PHOENIX_BIT):
            continue
        for pair in range(LOWEST, HIGHEST + 1):
            twos = count(nibble(hand, pair))
            if twos == 0 or pair == triple:
                continue
            if threes >= 3 and twos >= 2:
                n = _two_values(hand, special, triple, 3, pair, 2, code, out, n)
            if hand & PHOENIX_BIT and threes >= 3:
                n = _two_values(hand, special, triple, 3, pair, 1, code | PHOENIX_BIT, out, n)
            if hand & PHOENIX_BIT and twos >= 2:
                lower = LOWER if pair > triple else 0
                n = _two_values(hand, special, triple, 2, pair, 2, code | PHOENIX_BIT | lower, out, n)
    _sort(out, first, n)
    return n


@compiled
def _two_values(
    hand: int, special: int, value: int, size: int, other: int, other_size: int, base: int, out: Actions, n: int
) -> int:
    held, different = nibble(hand, value), nibble(special, value)
    held2, different2 = nibble(hand, other), nibble(special, other)
    for i in range(CHOICE_COUNT[size, held, different]):
        part = base | CHOICES[size, held, different, i] << (4 * value - 6)
        for j in range(CHOICE_COUNT[other_size, held2, different2]):
            out[n] = part | CHOICES[other_size, held2, different2, j] << (4 * other - 6)
            n += 1
    return n


@compiled
def _stairs(hand: int, special: int, length: int, rank: int, out: Actions, n: int) -> int:
    """Stairs of ``length`` pairs."""
    code = (STAIR + length - 2) << KIND_SHIFT
    first = n
    for top in range(max(LOWEST + length - 1, rank // 2 + 1), HIGHEST + 1):
        missing, slot = 0, 0
        for value in range(top - length + 1, top + 1):
            held = count(nibble(hand, value))
            if held < 2:
                missing += 2 - held
                slot = value
        if missing == 0:
            n = _product(hand, special, top - length + 1, top, 2, 0, code, out, n)
        if hand & PHOENIX_BIT and missing <= 1:
            for value in range(top - length + 1, top + 1):
                if missing == 0 or value == slot:
                    n = _product(hand, special, top - length + 1, top, 2, value, code | PHOENIX_BIT, out, n)
    if hand & PHOENIX_BIT:
        _sort(out, first, n)
    return n


@compiled
def _streets(hand: int, special: int, length: int, rank: int, flushes: bool, out: Actions, n: int) -> int:
    """Streets of this many cards that are no bombs."""
    code = (STREET + length - 5) << KIND_SHIFT
    first = n
    phoenix = hand & PHOENIX_BIT
    for top in range(max(length, rank // 2 + 1), HIGHEST + 1):
        low = top - length + 1
        missing, slot = 0, 0
        for value in range(top, low - 1, -1):
            if (hand & MAHJONG_BIT) == 0 if value == 1 else nibble(hand, value) == 0:
                missing += 1
                slot = value
        if missing == 0:
            begin = n
            n = _product(hand, special, low, top, 1, 0, code, out, n)
            if flushes and low > 1:
                n = _without_flushes(out, begin, n)
        if phoenix and missing <= 1 and slot != 1:
            for value in range(max(low, LOWEST), top + 1):
                if missing == 0 or value == slot:
                    lower = LOWER if value == low and top < HIGHEST else 0
                    n = _product(hand, special, low, top, 1, value, code | PHOENIX_BIT | lower, out, n)
    if phoenix:
        _sort(out, first, n)
    return n


@compiled
def _without_flushes(out: Actions, first: int, end: int) -> int:
    """Drop the streets of one suit, which are bombs; the new end of the list."""
    kept = first
    for i in range(first, end):
        cards = out[i] & SUITED
        same = False
        for suit in range(4):
            same |= cards & SUIT_LANES[suit] == cards
        if not same:
            out[kept] = out[i]
            kept += 1
    return kept


@compiled
def _longest_run(hand: int, each: int) -> int:
    """The longest run of adjacent values with ``each`` cards at least, the Phoenix filling one gap."""
    jokers = 1 if hand & PHOENIX_BIT else 0
    longest, run, before = 0, 0, 0  # ``before``: the run that would end in the gap just filled
    if each == 1 and hand & MAHJONG_BIT:
        run = 1
        before = 0
    for value in range(LOWEST, HIGHEST + 1):
        held = count(nibble(hand, value))
        if held >= each:
            run += 1
            before += 1
        elif jokers and held >= each - 1:
            before = run + 1
            run = 0
        else:
            run, before = 0, 0
        longest = max(longest, run + jokers if each == 1 else run, before if jokers else 0)
    return longest


@compiled
def list_plays(hand: int, special: int, kind: int, rank: int, out: Actions) -> int:
    """All plays of a hand on the combination on the table (``PASS``, ``LEAD`` for none), ascending, bombs included."""
    n = 0
    if kind == PASS:
        n = _singles(hand, special, LEAD, out, n)
        n = _equals(hand, special, 2, LEAD, out, n)
        n = _equals(hand, special, 3, LEAD, out, n)
        for pairs in range(2, _longest_run(hand, 2) + 1):
            n = _stairs(hand, special, pairs, LEAD, out, n)
        n = _fullhouses(hand, special, LEAD, out, n)
        flushes = flush_starts(hand) != 0
        for length in range(5, min(14, _longest_run(hand, 1)) + 1):
            n = _streets(hand, special, length, LEAD, flushes, out, n)
    elif kind == SINGLE:
        n = _singles(hand, special, rank, out, n)
    elif kind <= TRIPLE:
        n = _equals(hand, special, kind, rank, out, n)
    elif kind < FULLHOUSE:
        n = _stairs(hand, special, kind - STAIR + 2, rank, out, n)
    elif kind == FULLHOUSE:
        n = _fullhouses(hand, special, rank, out, n)
    elif kind < BOMB:
        n = _streets(hand, special, kind - STREET + 5, rank, flush_starts(hand) != 0, out, n)
    return list_bombs(hand, kind, rank, out, n)


@compiled
def obey_wish(hand: int, wish: int, bomb_may_ignore: bool, out: Actions, n: int) -> int:
    """Keep only the plays that fulfil the wish, if there are any; the new number, negative if there is a duty."""
    wished = 15 << (4 * wish - 6)
    if hand & wished == 0:
        return n
    duty = False
    for i in range(n):
        duty |= out[i] & wished != 0
    if not duty:
        return n
    kept = 0
    for i in range(n):
        if out[i] & wished or (bomb_may_ignore and out[i] >> KIND_SHIFT >= BOMB):
            out[kept] = out[i]
            kept += 1
    return -kept
