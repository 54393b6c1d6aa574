"""What a seat of DOG cannot know, dealt anew: cards in other hands, in folded hands, laid down, in the pile."""

from __future__ import annotations

import numpy as np

from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import Actions, Record
from stammtisch.core.rng import Rng, below
from stammtisch.games.dog.board import SEATS
from stammtisch.games.dog.cards import KINDS
from stammtisch.games.dog.rules import DOG

MOST_CARDS = 110


@compiled
def determinize(state: Record, seat: int, rng: Rng) -> None:
    """Keep the own cards, what was played, the sizes of hands, and the own gift while the partner has it."""
    if state.variant != DOG:
        return
    partner = (seat + 2) & 3
    known = int(state.given[seat]) - 1
    if known >= 0:
        state.hands[partner, known] -= 1
    unseen = np.zeros(KINDS, dtype=np.int64)
    hands, folded = np.zeros(SEATS, dtype=np.int64), np.zeros(SEATS, dtype=np.int64)
    _take(state.deck, unseen)
    for other in range(state.players):
        if other != seat:
            hands[other] = _take(state.hands[other], unseen)
            folded[other] = _take(state.folded[other], unseen)
            if state.gifts[other]:
                unseen[state.gifts[other] - 1] += 1
    pool = np.empty(MOST_CARDS, dtype=np.int64)
    n = 0
    for card in range(KINDS):
        for _ in range(unseen[card]):
            pool[n] = card
            n += 1
    for other in range(state.players):
        if other == seat:
            continue
        for _ in range(hands[other]):
            n -= 1
            state.hands[other, _draw(pool, n, rng)] += 1
        for _ in range(folded[other]):
            n -= 1
            state.folded[other, _draw(pool, n, rng)] += 1
        if state.gifts[other]:
            n -= 1
            state.gifts[other] = 1 + _draw(pool, n, rng)
        if other != partner:
            state.given[other] = 0  # what opponents know of each other is their own affair
    for i in range(n):
        state.deck[pool[i]] += 1
    if known >= 0:
        state.hands[partner, known] += 1


@compiled
def _take(cards: Actions, unseen: Actions) -> int:
    """Take all these cards away, to the unseen ones; how many they are."""
    n = 0
    for card in range(KINDS):
        n += int(cards[card])
        unseen[card] += cards[card]
        cards[card] = 0
    return n


@compiled
def _draw(pool: Actions, last: int, rng: Rng) -> int:
    """A card from the first ``last + 1`` of the pool; the last one takes its place."""
    place = below(rng, last + 1)
    card = pool[place]
    pool[place] = pool[last]
    return card
