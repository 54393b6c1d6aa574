"""What the network of Tichu sees: a position as one seat knows it, just after it has acted.

What an action leads to is certain for who acts: fewer cards, another trick, a call, a wish, three cards given away.
``look`` notes what a seat knows, ``foresee`` what that will be after an action, and both only from what the seat may
know: whether somebody was asked for a bomb is nowhere in a view. A view becomes a list of answers, each the number of
a row of weights; suits count only where they make a straight flush.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import Record, Vector
from stammtisch.games.tichu.cards import (
    DOG_BIT,
    DRAGON,
    DRAGON_BIT,
    HIGHEST,
    LOWEST,
    MAHJONG_BIT,
    PHOENIX,
    PHOENIX_BIT,
    count,
    nibble,
    points_of,
    value_of,
)
from stammtisch.games.tichu.combinations import (
    BOMB,
    KIND_SHIFT,
    LEAD,
    LENGTH_OF,
    PASS,
    SINGLE,
    TYPE_OF,
    cards_of,
    flush_starts,
    fours,
    rank_of,
)
from stammtisch.games.tichu.hands import NUMBER, hand_cost
from stammtisch.games.tichu.policy import unseen_cards
from stammtisch.games.tichu.rules import (
    BOMB_PHASE,
    CALL_GRAND,
    CALL_TICHU,
    GIVE_DRAGON,
    NOBODY,
    PLAY,
    SCHUPF,
    SCHUPF_CARDS,
    SEATS,
    SPECIAL,
    WISH_NONE,
    last_passer,
    next_active,
    round_is_over,
    trick_is_over,
)

Answers = NDArray[np.int16]

GRAND_MOMENT, SCHUPF_MOMENT, PLAY_MOMENT, WISH_MOMENT, DRAGON_MOMENT = range(5)
MOMENTS = 5
_MOMENT_OF = np.array([0, 1, 2, 2, 3, 4, 2], dtype=np.int64)  # by phase; asking for bombs is part of the play
SILENT, SMALL, BIG, MAY_CALL = range(4)  # what a seat has called, or still may
NONE = 4  # in place of a seat: nobody

# A position as a seat knows it. Seats are counted from this one: 1 is to its right, 2 the partner.
VIEW = np.dtype(
    [
        ("hand", np.int64),
        ("unseen", np.int64),  # cards in other hands
        ("kind", np.int64),  # of the trick
        ("rank", np.int64),
        ("owner", np.int64),
        ("next", np.int64),  # who acts, unless somebody throws a bomb
        ("passes", np.int64),
        ("worth", np.int64),  # points in the trick
        ("wish", np.int64),  # 0: none that is still to be fulfilled
        ("moment", np.int64),
        ("calls", np.int64, SEATS),
        ("out", np.int64, SEATS),  # 1: was the first to go out; 0: has cards
        ("points", np.int64, SEATS),
        ("sizes", np.int64, SEATS),
        ("given", np.int64, 3),  # card + 1; 0: none on record
    ]
)

RANKS = 0  # of each value: own cards times unseen ones
SPECIALS = RANKS + 13 * 25  # of dog, Mahjong, dragon, Phoenix: where it is
OWN_SIZE = SPECIALS + 4 * 6
COST = OWN_SIZE + 15
COSTS = 48
FOURS = COST + COSTS
FLUSH = FOURS + 4
STREETS = FLUSH + 1  # five values in a row in the own hand
STAIRS = STREETS + 10  # two pairs in a row
PLACES = 10 + 12
SIZES = STREETS + PLACES
CALLS = SIZES + 3 * 15
OUT = CALLS + SEATS * 4
TRICK = OUT + SEATS * 4
LENGTH = TRICK + 8 * 31
TURN = LENGTH + 15
BEATERS = TURN + 5 * SEATS
WORTH = BEATERS + 8 * SEATS * 5
PASSES = WORTH + 2 * 10
POINTS = PASSES + 4
TEAM_POINTS = POINTS + SEATS * 12
WISHES = TEAM_POINTS + 2 * 14
GIVEN = WISHES + 15 * 2
RECEIVED = GIVEN + 3 * 17 * 2
LACKS = RECEIVED + 3 * 17
DECLINED = LACKS + 3 * 15
MOMENT = DECLINED + 3 * 16
TURNS = MOMENT + MOMENTS
MASTERS = TURNS + 12
ROWS = MASTERS + 6

CHANGING = 29  # places of the answers that actions change
SLOTS = 96  # answers of one view, at most
MOST_LACKS = 12

STAGES = 7  # of the last layer: 11-14, 7-10, 4-6, 1-3 or no own cards, schupfing, eight cards
BUCKETS = 2 * STAGES  # and whether a call can still be won
_STAGE = np.array([4, 3, 3, 3, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0], dtype=np.int64)


@compiled
def look(state: Record, seat: int, view: Record) -> None:
    """What the seat knows of the position."""
    phase = state.phase
    view.hand = state.hand[seat]
    view.unseen = unseen_cards(state, seat)
    if phase == SCHUPF:
        for i in range(3):  # laid aside: on its way to others
            if state.given[seat, i]:
                view.unseen |= 1 << (int(state.given[seat, i]) - 1)
    for i in range(SEATS):
        other = (seat + i) & 3
        call = int(state.announced[other])
        view.calls[i] = MAY_CALL if call == 0 and state.has_played[other] == 0 else call
        view.out[i] = 0
        view.points[i] = state.points[other]
        view.sizes[i] = count(state.hand[other])
    for place in range(state.out_count):
        view.out[(state.finished[place] - seat) & 3] = place + 1
    for i in range(3):
        view.given[i] = state.given[seat, i]
    view.kind, view.rank, view.passes, view.worth = state.kind, state.rank, state.passes, state.trick_points
    view.wish = max(0, int(state.wish))
    view.owner = NONE if state.owner == NOBODY else (state.owner - seat) & 3
    turn = int(state.turn)
    if phase == BOMB_PHASE and trick_is_over(state):
        if state.asked != seat:  # the last pass is not told before all who hold a bomb have answered
            turn = last_passer(state)
            view.passes -= 1
        elif state.hand[turn] == 0:
            turn = next_active(state, turn)
    view.next = (turn - seat) & 3
    view.moment = _MOMENT_OF[phase]
    if view.moment < PLAY_MOMENT:  # who has chosen already is not known
        view.next = 0
        for i in range(SEATS):
            view.sizes[i] = 0


@compiled
def foresee(state: Record, seat: int, action: int, view: Record) -> None:
    """Turn what the seat knows now into what it will know when it has done this."""
    if action == PASS:
        if state.phase == PLAY:
            view.passes += 1
            others = 0
            for other in range(SEATS):
                others += state.hand[other] != 0 and other != state.owner
            turn = next_active(state, seat)
            if view.passes >= others:
                turn = int(state.owner) if state.hand[state.owner] else next_active(state, int(state.owner))
            view.next = (turn - seat) & 3
    elif action < SPECIAL:
        _foresee_play(state, seat, action, view)
    elif action >= SCHUPF_CARDS:
        for i in range(3):
            card = (action >> (12 - 6 * i)) & 63
            view.hand &= ~(1 << card)
            view.unseen |= 1 << card
            view.given[i] = card + 1
    elif action == CALL_TICHU:
        view.calls[0] = SMALL
    elif action == CALL_GRAND:
        view.calls[0] = BIG
    elif action >= GIVE_DRAGON:
        view.points[(action - GIVE_DRAGON - seat) & 3] += view.worth
        view.kind, view.rank, view.owner, view.passes, view.worth = PASS, LEAD, NONE, 0, 0
        view.next = 0 if state.hand[seat] else (next_active(state, seat) - seat) & 3
        view.moment = PLAY_MOMENT
    elif action >= WISH_NONE:
        view.wish = action - WISH_NONE
        view.next = (next_active(state, seat) - seat) & 3
        view.moment = PLAY_MOMENT


@compiled
def _foresee_play(state: Record, seat: int, play: int, view: Record) -> None:
    cards = cards_of(play)
    view.hand &= ~cards
    view.sizes[0] = count(view.hand)
    if view.calls[0] == MAY_CALL:
        view.calls[0] = SILENT
    if view.wish and nibble(cards, view.wish):
        view.wish = 0
    if view.hand == 0:
        view.out[0] = state.out_count + 1
    if cards == DOG_BIT:
        partner = (seat + 2) & 3
        turn = partner if state.hand[partner] else next_active(state, partner)
        view.next = (turn - seat) & 3
        return
    view.kind, view.rank = play >> KIND_SHIFT, rank_of(play, int(state.rank))
    view.owner, view.passes = 0, 0
    view.worth += points_of(cards)
    view.next = (next_active(state, seat) - seat) & 3
    if cards & MAHJONG_BIT:
        view.next, view.moment = 0, WISH_MOMENT


@compiled
def ends_round(state: Record, seat: int, action: int, view: Record) -> bool:
    """Whether the round is over after this; ``view`` is what will be known then."""
    if action >= GIVE_DRAGON and action < SCHUPF_CARDS:
        return round_is_over(state)
    if action == PASS or action >= SPECIAL or view.hand != 0:
        return False
    return view.out[0] == 3 or (view.out[0] == 2 and view.out[2] == 1)


@compiled
def result_of(state: Record, seat: int, action: int, view: Record) -> int:
    """The points of a round that ends with this: own team less the other, without calls."""
    if view.out[0] * view.out[2] == 2:
        return 200
    if view.out[1] * view.out[3] == 2:
        return -200
    won = np.zeros(SEATS, dtype=np.int64)
    last, first = 0, 0
    for i in range(SEATS):
        won[i] = view.points[i]
        if view.out[i] == 0:
            last = i
        elif view.out[i] == 1:
            first = i
    if action < SPECIAL and cards_of(action) != DOG_BIT:
        taker = 0
        if cards_of(action) == DRAGON_BIT:  # best given to the last one, whose tricks go to who was first
            taker = last if last & 1 else 1
        won[taker] += view.worth
    difference = 0
    for i in range(SEATS):
        holder = first if i == last else i
        difference += won[i] if holder & 1 == 0 else -won[i]
    left = points_of(view.unseen)  # the last hand goes to the opponents of who holds it
    return difference + (left if last & 1 else -left)


@compiled
def stage_of(view: Record) -> int:
    """Which last layer judges."""
    if view.moment == GRAND_MOMENT:
        stage = 6
    elif view.moment == SCHUPF_MOMENT:
        stage = 5
    else:
        stage = _STAGE[count(view.hand)]
    nobody_out = True
    for i in range(SEATS):
        nobody_out &= view.out[i] == 0
    return 2 * stage + (1 if nobody_out and has_calls(view) else 0)


@compiled
def has_calls(view: Record) -> bool:
    """Whether anybody has called."""
    called = False
    for i in range(SEATS):
        called |= view.calls[i] == SMALL or view.calls[i] == BIG
    return called


# --- answers ------------------------------------------------------------------------------------------------


@compiled
def lasting_answers(state: Record, seat: int, view: Record, out: Answers) -> int:
    """The answers that no action of the seat changes; how many."""
    n = 0
    for i in range(1, SEATS):
        other = (seat + i) & 3
        if view.moment >= PLAY_MOMENT:
            out[n] = SIZES + 15 * (i - 1) + view.sizes[i]
            n += 1
            lacks = int(state.lacks[other])
            if lacks:
                for value in range(LOWEST, HIGHEST + 1):
                    if lacks >> value & 1 and n < MOST_LACKS + 4 * i:
                        out[n] = LACKS + 15 * (i - 1) + value
                        n += 1
            out[n] = DECLINED + 16 * (i - 1) + state.declined[other] // 2
            n += 1
            gift = int(state.given[other, (seat - other - 1) & 3])
            if gift:
                out[n] = RECEIVED + 17 * (i - 1) + value_of(gift - 1)
                n += 1
        out[n] = CALLS + 4 * i + view.calls[i]
        out[n + 1] = OUT + 4 * i + view.out[i]
        n += 2
    return n


@compiled
def value_answer(value: int, hand: int, unseen: int) -> int:
    """How many cards of a value one holds, and how many are out."""
    return RANKS + 25 * (value - LOWEST) + 5 * NUMBER[nibble(hand, value)] + NUMBER[nibble(unseen, value)]


@compiled
def runs(hand: int) -> int:
    """Where five values, or two pairs, follow each other: a bit for each such place, in the order of the rows."""
    there, twice = (hand & MAHJONG_BIT), 0
    for value in range(LOWEST, HIGHEST + 1):
        held = NUMBER[nibble(hand, value)]
        there |= (held > 0) << value
        twice |= (held > 1) << value
    five = there & there >> 1 & there >> 2 & there >> 3 & there >> 4
    two = twice & twice >> 1
    return (five >> 1) & 1023 | (two >> LOWEST) << 10


@compiled
def changing_answers(view: Record, chance: Vector, out: Answers) -> None:
    """All other answers but those of values and runs, each in its place; -1 where there is none."""
    hand, unseen = view.hand, view.unseen
    out[:CHANGING] = -1
    out[0] = SPECIALS + _whereabouts(view, DOG_BIT, 0)
    out[1] = SPECIALS + 6 + _whereabouts(view, MAHJONG_BIT, 1)
    out[2] = SPECIALS + 12 + _whereabouts(view, DRAGON_BIT, DRAGON)
    out[3] = SPECIALS + 18 + _whereabouts(view, PHOENIX_BIT, PHOENIX)
    out[4] = OWN_SIZE + count(hand)
    out[5] = COST + min(COSTS - 1, max(0, int((hand_cost(hand, chance) + 2.5) * 4.0)))
    if fours(hand):
        out[6] = FOURS + min(3, count(fours(hand)))
    if flush_starts(hand):
        out[7] = FLUSH
    out[8] = CALLS + view.calls[0]
    out[9] = OUT + view.out[0]
    out[10] = MOMENT + view.moment
    for i in range(3):
        gift = view.given[i]
        if gift:
            out[11 + i] = GIVEN + 34 * i + 2 * value_of(gift - 1) + (unseen >> (gift - 1) & 1)
    out[27] = TURNS + min(11, turns(hand))
    out[28] = MASTERS + min(5, _masters(hand, unseen))
    if view.moment < PLAY_MOMENT:
        return
    wished = view.wish
    out[14] = WISHES + 2 * wished + (1 if wished and nibble(hand, wished) else 0)
    out[15] = TURN + 4 * view.owner + view.next
    if view.kind != PASS:
        kind = view.kind
        type_ = TYPE_OF[kind]
        out[16] = TRICK + 31 * type_ + min(30, max(0, view.rank))
        out[17] = LENGTH + LENGTH_OF[kind]
        out[18] = BEATERS + 20 * type_ + 5 * view.owner + min(4, _beaters(view))
        out[19] = WORTH + 10 * (view.owner & 1) + min(9, max(0, (view.worth + 30) // 10))
        out[20] = PASSES + min(3, view.passes)
    own, other = 0, 0
    for i in range(SEATS):
        out[21 + i] = POINTS + 12 * i + min(11, max(0, (view.points[i] + 25) // 15))
        if i & 1:
            other += view.points[i]
        else:
            own += view.points[i]
    out[25] = TEAM_POINTS + min(13, max(0, (own + 25) // 12))
    out[26] = TEAM_POINTS + 14 + min(13, max(0, (other + 25) // 12))


@compiled
def turns(hand: int) -> int:
    """In how many plays the hand could be gone, roughly."""
    groups, pairs, triples, merged = 0, 0, 0, 0
    run, lone, gap, saved, before = 0, 0, False, 0, False
    joker = hand & PHOENIX_BIT != 0
    if hand & MAHJONG_BIT:
        groups, run, lone = 1, 1, 1
    for value in range(LOWEST, HIGHEST + 1):
        held = NUMBER[nibble(hand, value)]
        if held == 0:
            if joker and not gap and run:
                gap = True
                run += 1
            else:
                run, lone, gap = 0, 0, False
            before = False
            continue
        groups += 1
        run += 1
        lone += held == 1
        if run + (joker and not gap) >= 5:
            saved = max(saved, lone - 1)
        if held == 2:
            if before:
                merged += 1
            else:
                pairs += 1
        before = held == 2
        triples += held == 3
    groups += (hand & DRAGON_BIT != 0) + (hand & DOG_BIT != 0)
    groups -= max(saved, min(pairs, triples) + merged)
    return max(groups, 1 if hand else 0)


@compiled
def _masters(hand: int, unseen: int) -> int:
    """How many values of the own single cards no unseen single card beats."""
    if unseen & DRAGON_BIT:
        return 0
    found = 1 if hand & DRAGON_BIT else 0
    if hand & PHOENIX_BIT:
        found += 1
    elif unseen & PHOENIX_BIT:
        return found
    for value in range(HIGHEST, LOWEST - 1, -1):
        if nibble(unseen, value):
            break
        found += nibble(hand, value) != 0
    return found


@compiled
def _whereabouts(view: Record, bit: int, card: int) -> int:
    """0: gone, 1: own, 2: in some other hand, else with the seat that one gave it to."""
    if view.hand & bit:
        return 1
    if not view.unseen & bit:
        return 0
    for i in range(3):
        if view.given[i] == card + 1:
            return 3 + i
    return 2


@compiled
def _beaters(view: Record) -> int:
    """How many ways to beat the trick are still out, roughly: higher cards, pairs, triples of the values."""
    kind, unseen = view.kind, view.unseen
    if kind >= BOMB:
        return 0
    joker = 1 if unseen & PHOENIX_BIT else 0
    found = 0
    if kind == SINGLE:
        found += 1 if unseen & DRAGON_BIT else 0
        found += joker if view.rank < 30 else 0
    wanted = 1 if kind == SINGLE or TYPE_OF[kind] == 6 else 3 if kind == 3 or TYPE_OF[kind] == 5 else 2
    for value in range(max(LOWEST, view.rank // 2 + 1), HIGHEST + 1):
        held = NUMBER[nibble(unseen, value)]
        if kind == SINGLE:
            found += held
        elif held + joker >= wanted:
            found += 1
    return found


@compiled
def all_answers(state: Record, seat: int, view: Record, chance: Vector, out: Answers) -> int:
    """Every answer of a view, in one list; how many."""
    n = lasting_answers(state, seat, view, out)
    for value in range(LOWEST, HIGHEST + 1):
        out[n] = value_answer(value, view.hand, view.unseen)
        n += 1
    places = runs(view.hand)
    for place in range(PLACES):
        if places >> place & 1:
            out[n] = STREETS + place
            n += 1
    first = n
    changing_answers(view, chance, out[first:])
    for i in range(first, first + CHANGING):
        if out[i] >= 0:
            out[n] = out[i]
            n += 1
    return n
