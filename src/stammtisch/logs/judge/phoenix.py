"""What a Phoenix stood for: by its printed place, unless only another reading lets the next play be."""

from __future__ import annotations

from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import Record
from stammtisch.games.tichu.combinations import FULLHOUSE, LENGTH_OF, kind_of, rank_of
from stammtisch.games.tichu.readings import is_higher, lower_reading, read_play
from stammtisch.games.tichu.rules import SEATS
from stammtisch.logs.rounds import PASS, PLAY, TAKE, Rows


@compiled
def meant(events: Rows, i: int, state: Record, play: int) -> int:
    """Which of two readings of the Phoenix was meant: by its printed place, unless only the other one can be."""
    lower = lower_reading(play)
    if lower == play:
        return play
    kind, rank = int(state.kind), int(state.rank)
    if not is_higher(lower, kind, rank):
        return play
    place = int(events[i].phoenix)
    printed_low = place >= 2 if kind_of(play) == FULLHOUSE else place == LENGTH_OF[kind_of(play)] - 1
    if printed_low or _next_is_between(events, i, state, play, lower):
        return lower
    return play


@compiled
def _next_is_between(events: Rows, i: int, state: Record, play: int, lower: int) -> bool:
    """Whether the next play of the same trick beats the lower reading but not the higher one."""
    seat = int(events[i].seat)
    others = 0
    for other in range(SEATS):
        others += other != seat and state.hand[other] != 0
    passes = 0
    for j in range(i + 1, len(events)):
        kind = events[j].kind
        if kind == TAKE:
            return False
        if kind == PASS:
            passes += 1
            if passes >= others and state.hand[seat] == events[i].cards:
                return False  # his last cards: the trick is taken without a word
        if kind == PLAY:
            after = read_play(events[j].cards)
            if kind_of(after) != kind_of(play):
                return False
            rank = rank_of(after, 0)
            return rank_of(lower, 0) < rank <= rank_of(play, 0)
    return False
