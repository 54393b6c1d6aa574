"""What is certain in Tichu is not guessed: ways to play all own cards, whatever the opponents hold.

A way is certain if no set of unseen cards that fits into an opponent's hand beats any of its plays but the last, bombs
included. The cards of all others are taken together, so what is found holds for every way they may be dealt.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import Actions, Record
from stammtisch.games.tichu.cards import DOG_BIT, count
from stammtisch.games.tichu.combinations import (
    LEAD,
    LENGTH_OF,
    PASS,
    cards_of,
    flush_cards,
    kind_of,
    list_plays,
    rank_of,
)
from stammtisch.games.tichu.policy import unseen_cards
from stammtisch.games.tichu.rules import PLAY, SPECIAL

MOST_CARDS = 9  # in the hand; with more there is hardly ever a certain way, and too much to try
ROOM = 1024  # plays of such a hand, or of all unseen cards on one trick


@compiled
def sure_actions(state: Record, seat: int, actions: Actions, n: int, sure: NDArray[np.bool_]) -> int:
    """Mark the plays after which the seat certainly goes out before its opponents play a card; how many there are.

    None where somebody is out already, where the partner has called, or where a wish is open: the partner might have to
    fulfil it.
    """
    sure[:n] = False
    hand = state.hand[seat]
    if state.phase != PLAY or state.out_count or state.wish > 0 or count(hand) > MOST_CARDS:
        return 0
    if state.announced[(seat + 2) & 3]:
        return 0
    unseen = unseen_cards(state, seat)
    most = max(count(state.hand[(seat + 1) & 3]), count(state.hand[(seat + 3) & 3]))
    pages = np.empty((MOST_CARDS + 1, ROOM), dtype=np.int64)
    found = 0
    for i in range(n):
        play = actions[i]
        rest = hand & ~cards_of(play)
        if play == PASS or play >= SPECIAL or (cards_of(play) == DOG_BIT and rest):
            continue
        rank = rank_of(play, int(state.rank))
        if rest == 0 or (_stands(kind_of(play), rank, unseen, most, pages) and _runs_out(rest, unseen, most, pages)):
            sure[i] = True
            found += 1
    return found


@compiled
def _stands(kind: int, rank: int, unseen: int, most: int, pages: NDArray[np.int64]) -> bool:
    """Whether nothing among the unseen cards beats this."""
    page = pages[0]
    found = 0
    for i in range(list_plays(unseen, 0, kind, rank, page)):
        found += LENGTH_OF[kind_of(page[i])] <= most
    return found == 0


@compiled
def _runs_out(hand: int, unseen: int, most: int, pages: NDArray[np.int64]) -> bool:
    """Whether all cards of a hand that leads can be played with plays that stand."""
    page = pages[count(hand)]
    for i in range(list_plays(hand, flush_cards(hand), PASS, LEAD, page)):
        cards = cards_of(page[i])
        if cards == hand:
            return True
        if cards == DOG_BIT or not _stands(kind_of(page[i]), rank_of(page[i], LEAD), unseen, most, pages):
            continue
        if _runs_out(hand & ~cards, unseen, most, pages):
            return True
    return False
