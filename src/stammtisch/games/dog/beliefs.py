"""What a seat of DOG cannot know, dealt anew: cards in other hands, in dropped hands, laid down, in the pile.

What is certain stays: a dropped hand held no card that could be played at that moment, and who has given the partner a
card knows where it is as long as the partner has it, or has dropped it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import Actions, Record
from stammtisch.core.rng import Rng, below
from stammtisch.games.dog.board import SEATS
from stammtisch.games.dog.cards import KINDS
from stammtisch.games.dog.rules import DOG, DROPS

MOST_CARDS = 110


@compiled
def determinize(state: Record, seat: int, rng: Rng) -> None:
    """Keep the own cards, what was played, the sizes of hands, and what is certain."""
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
            if other != partner:
                state.given[other] = 0  # what opponents know of each other is their own affair
                state.lost[other, :] = 0
    drops = np.zeros((SEATS * DROPS, KINDS), dtype=np.int64)
    fill_drops(state, seat, unseen, drops, rng)
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
        for drop in range(DROPS):
            for card in range(KINDS):
                state.folded[other, card] += drops[other * DROPS + drop, card]
                folded[other] -= drops[other * DROPS + drop, card]
        for _ in range(folded[other]):
            n -= 1
            state.folded[other, _draw(pool, n, rng)] += 1
        if state.gifts[other]:
            n -= 1
            state.gifts[other] = 1 + _draw(pool, n, rng)
    for i in range(n):
        state.deck[pool[i]] += 1
    if known >= 0:
        state.hands[partner, known] += 1


@compiled
def fill_drops(state: Record, seat: int, unseen: Actions, drops: NDArray[np.int64], rng: Rng) -> bool:
    """Give the hands that others than the seat have dropped cards that they can have held; whether there are such.

    The cards come from ``unseen``; hand ``drop`` of a player is row ``player * DROPS + drop`` of ``drops``. Where no
    fitting card is left, a chain of hands hands cards on.
    """
    for player in range(state.players):
        for drop in range(DROPS):
            gift = int(state.lost[player, drop]) - 1
            if player != seat and gift >= 0:
                unseen[gift] -= 1
                drops[player * DROPS + drop, gift] += 1
                if unseen[gift] < 0:
                    return False
    for player in range(state.players):
        for drop in range(DROPS):
            if player == seat:
                continue
            for _ in range(int(state.dropped[player, drop]) - (state.lost[player, drop] > 0)):
                fitting, lacked = 0, int(state.lacked[player, drop])
                for card in range(KINDS):
                    fitting += unseen[card] if not lacked >> card & 1 else 0
                if fitting == 0:
                    if not _hand_on(state, player * DROPS + drop, unseen, drops):
                        return False
                    continue
                place, card = below(rng, fitting), 0
                while lacked >> card & 1 or place >= unseen[card]:
                    place -= unseen[card] if not lacked >> card & 1 else 0
                    card += 1
                unseen[card] -= 1
                drops[player * DROPS + drop, card] += 1
    return True


@compiled
def _hand_on(state: Record, needy: int, unseen: Actions, drops: NDArray[np.int64]) -> bool:
    """One card more for a hand that no unseen card fits: from another hand, which gets one from a third, and so on."""
    hands = SEATS * DROPS
    asked_by, wanted = np.full(hands, -1, dtype=np.int64), np.zeros(hands, dtype=np.int64)
    queue = np.empty(hands, dtype=np.int64)
    queue[0], asked_by[needy] = needy, needy
    first, last = 0, 1
    while first < last:
        hand = queue[first]
        first += 1
        lacked = int(state.lacked[hand // DROPS, hand % DROPS])
        for card in range(KINDS):
            if lacked >> card & 1:
                continue
            if unseen[card]:
                unseen[card] -= 1
                drops[hand, card] += 1
                while hand != needy:
                    drops[hand, wanted[hand]] -= 1
                    drops[asked_by[hand], wanted[hand]] += 1
                    hand = asked_by[hand]
                return True
            for other in range(hands):
                kept = 1 if state.lost[other // DROPS, other % DROPS] == card + 1 else 0
                if asked_by[other] < 0 and drops[other, card] > kept:
                    asked_by[other], wanted[other] = hand, card
                    queue[last] = other
                    last += 1
    return False


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
