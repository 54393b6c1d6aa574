"""How good a hand is: split into the fewest and safest groups, weighed by what is still out.

A hand is played well when it is gone in few leads, and every group that wins its trick gives a lead back. So each
group costs one lead, less the chance that it wins: a lone three costs nearly one, a dragon is a gain. ``hand_cost`` is
the sum over the groups of the best split found.
"""

from __future__ import annotations

import numpy as np

from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import Vector
from stammtisch.games.tichu.cards import (
    DOG_BIT,
    DRAGON_BIT,
    HIGHEST,
    LOWEST,
    MAHJONG_BIT,
    PHOENIX_BIT,
    SUITED,
    nibble,
)
from stammtisch.games.tichu.combinations import (
    BOMB,
    FULLHOUSE,
    LENGTH_OF,
    PAIR,
    SINGLE,
    TRIPLE,
)

NUMBER = np.array([0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4], dtype=np.int64)  # cards in a nibble

# Rows of the table of chances: how likely a group of this rank wins the trick.
ONE, TWO, THREE = 0, 1, 2
PHOENIX_ALONE = 15  # a column of row ONE

WON = 1.1  # what winning a trick is worth, in leads
DOG_COST = 0.8
SINGLE_FADES, PAIR_FADES, TRIPLE_FADES = 0.16, 0.9, 1.6
PHOENIX_WINS = 0.72
STREET_FADES, STAIR_FADES = 0.25, 0.12


@compiled
def chances(unseen: int, out: Vector) -> None:
    """How likely singles, pairs and triples of each rank win a trick against the cards that are still out."""
    phoenix = 1.0 if unseen & PHOENIX_BIT else 0.0
    dragon = 1.0 if unseen & DRAGON_BIT else 0.0
    singles, pairs, triples = dragon + 0.8 * phoenix, 0.0, 0.0
    for value in range(HIGHEST, LOWEST - 1, -1):
        out[ONE, value] = 1.0 / (1.0 + SINGLE_FADES * singles) ** 2
        out[TWO, value] = 1.0 / (1.0 + PAIR_FADES * pairs)
        out[THREE, value] = 1.0 / (1.0 + TRIPLE_FADES * triples)
        held = NUMBER[nibble(unseen, value)]
        singles += held
        if held >= 2:
            pairs += 0.12 * (held - 1) * held / 2 + 0.1 * phoenix
            triples += 0.06 * (held - 2) + 0.06 * phoenix
        elif held == 1:
            pairs += 0.12 * phoenix
    out[ONE, 0] = out[ONE, 1] = 0.0  # the dog and the Mahjong
    out[ONE, PHOENIX_ALONE] = 1.0 if singles == 0.0 else (PHOENIX_WINS if dragon else 0.85)


@compiled
def chance_of(kind: int, rank: int, chance: Vector) -> float:
    """How likely a combination wins its trick; the rank in halves."""
    value = min(rank // 2, HIGHEST)
    if kind >= BOMB:
        return 1.0
    if kind == SINGLE:
        if rank & 1:
            return chance[ONE, PHOENIX_ALONE] if rank > 2 * HIGHEST else chance[ONE, min(value + 1, HIGHEST)]
        return 1.0 if rank > 2 * HIGHEST else chance[ONE, value]
    if kind == PAIR:
        return chance[TWO, value]
    if kind == TRIPLE:
        return chance[THREE, value]
    if kind == FULLHOUSE:
        return 0.5 + 0.5 * chance[THREE, value]
    if kind < FULLHOUSE:
        return 1.0 / (1.0 + STAIR_FADES * (HIGHEST - value))
    return 1.0 / (1.0 + STREET_FADES * (HIGHEST - value) / (LENGTH_OF[kind] - 4))


@compiled
def hand_cost(hand: int, chance: Vector) -> float:
    """The cost of the best split found: no street, or any one street, and the rest by equal values."""
    held = numbers(hand)
    always = 0.0
    if hand & DRAGON_BIT:
        always += 1.0 - WON
    if hand & DOG_BIT:
        always += DOG_COST
    phoenix = hand & PHOENIX_BIT != 0
    joker = _joker_cost(chance) if phoenix else 0.0
    best = _equals_cost(held, chance) + joker
    for low in range(1, HIGHEST - 3):
        if not phoenix and number(held, low) == 0:
            continue
        gap, street = 0, 0  # the value that the Phoenix stands for; one card of each other value
        for top in range(low, HIGHEST + 1):
            if number(held, top):
                street |= 1 << 4 * top
            elif gap or not phoenix or top == 1:
                break
            else:
                gap = top
            if top - low >= 4:
                wins = 1.0 / (1.0 + STREET_FADES * (HIGHEST - top) / (top - low - 3))
                cost = 1.0 - WON * wins + _equals_cost(held - street, chance) + (0.0 if gap else joker)
                best = min(best, cost)
    return always + best


@compiled
def numbers(hand: int) -> int:
    """How many cards of each value the hand holds, four bits each: the Mahjong is value 1."""
    suited = (hand & SUITED) >> 2
    suited -= (suited >> 1) & 0x5555555555555
    suited = (suited & 0x3333333333333) + ((suited >> 2) & 0x3333333333333)
    return suited << 8 | (hand & MAHJONG_BIT) << 3


@compiled
def number(held: int, value: int) -> int:
    return (held >> 4 * value) & 7


@compiled
def _joker_cost(chance: Vector) -> float:
    """The Phoenix helps nearly any group, so it costs no lead of its own."""
    return 0.35 - 0.6 * WON * chance[ONE, PHOENIX_ALONE]


@compiled
def _equals_cost(held: int, chance: Vector) -> float:
    """Singles, pairs, triples and bombs by value; pairs go along with triples, or in stairs."""
    cost = float(number(held, 1))
    triples, pairs = 0, 0
    run, run_cost = 0, 0.0
    saved = 0.0
    for value in range(LOWEST, HIGHEST + 2):
        n = number(held, value)
        if n == 2:
            one = 1.0 - WON * chance[TWO, value]
            cost += one
            pairs += 1
            run += 1
            run_cost += one
            continue
        if run >= 2:  # a stair of all these pairs
            stair = 1.0 - WON / (1.0 + STAIR_FADES * (HIGHEST + 1 - value))
            if run_cost > stair:
                saved += run_cost - stair
                pairs -= run
        run, run_cost = 0, 0.0
        if n == 1:
            cost += 1.0 - WON * chance[ONE, value]
        elif n == 3:
            cost += 1.0 - WON * chance[THREE, value]
            triples += 1
        elif n == 4:
            cost -= 0.3
    # a full house takes a low pair along with a triple
    houses = min(triples, pairs)
    value = LOWEST
    while houses and value <= HIGHEST:
        if number(held, value) == 2 and number(held, value - 1) != 2 and number(held, value + 1) != 2:
            saved += 0.9 * (1.0 - WON * chance[TWO, value])
            houses -= 1
        value += 1
    return cost - saved
