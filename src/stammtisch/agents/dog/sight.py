"""What the value network sees of a position of madn, dmadn or dog, by a seat and only what this seat may know.

The board is turned so that the seat's start field is the first: who sits one corner further is always seen alike, and
a corner may be empty. A position is a list of answers, each a row of the network's first layer. Some answer one
question each (``SLOTS``: where is this pin, how many sixes has that player left); the others say who stands how many
fields behind whom, and there are as many of them as there are such pairs (``PAIRS``). The die is not seen: a position
is judged before the throw. Row 0 is no answer.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import Record
from stammtisch.games.dog.board import GOAL, HOME, PINS, SEATS, all_in_goal, steps_to_goal, wrapped
from stammtisch.games.dog.cards import FOUR, FULL_DECK, JOKER, KINDS, ONE_ELEVEN, SEVEN, SWAP, THIRTEEN
from stammtisch.games.dog.rules import DMADN, DOG, GIFTS, PARTS, TOKENS, VALUES, card_of_steps

Rows = NDArray[np.int32]

REACH = 13  # steps that a card can go; dice and tokens go less far
FARTHEST = 16  # the largest distance of start fields that has rows: a track of 64 fields
QUARTERS = 4
ON_AGAIN, IN_GOAL, NOBODY = 65, 66, 70  # places: 0 home, from 1 the track, the start field after a lap, the goal, none
_PLACES = 71
_HAND_SIZES, _DEAL_SIZES = 8, 8
_MOMENTS = 10  # play, gifts, the steps of a seven that are left, between two deals
_MOST_SEEN = 4  # cards of a kind that are told apart
_ALL_TOKENS = VALUES * TOKENS + 1

PIN_ROWS = 1
GOAL_ROWS = PIN_ROWS + SEATS * _PLACES
DOOR_ROWS = GOAL_ROWS + SEATS * 16  # pins at home, and who stands before their door
TURN_ROWS = DOOR_ROWS + SEATS * 5 * 5
MOMENT_ROWS = TURN_ROWS + SEATS
STARTER_ROWS = MOMENT_ROWS + _MOMENTS
DEAL_ROWS = STARTER_ROWS + SEATS
HAND_ROWS = DEAL_ROWS + _DEAL_SIZES
OWN_ROWS = HAND_ROWS + SEATS * _HAND_SIZES
UNSEEN_ROWS = OWN_ROWS + KINDS * _MOST_SEEN
GIVEN_ROWS = UNSEEN_ROWS + KINDS * _MOST_SEEN
EXIT_ROWS = GIVEN_ROWS + KINDS + 1
TOKEN_ROWS = EXIT_ROWS + 5 * 5
LEFT_ROWS = TOKEN_ROWS + SEATS * VALUES * (TOKENS + 1)
BEHIND_ROWS = LEFT_ROWS + SEATS * _ALL_TOKENS
DOORSTEP_ROWS = BEHIND_ROWS + SEATS * SEATS * REACH * QUARTERS
HIT_ROWS = DOORSTEP_ROWS + SEATS * SEATS * VALUES
BURN_ROWS = HIT_ROWS + SEATS * SEATS * QUARTERS
ENTRY_ROWS = BURN_ROWS + SEATS * QUARTERS
ROWS = ENTRY_ROWS + SEATS * PINS

_GOALS_AT = SEATS * PINS
_DOORS_AT = _GOALS_AT + SEATS
_TURN_AT = _DOORS_AT + SEATS
_CARDS_AT = _TURN_AT + 3  # of dog: hand sizes, deal, own and unseen cards, gift, exits
_TOKENS_AT = _TURN_AT + 3  # of dmadn
SLOTS_OF = np.array([_TURN_AT + 3, _TOKENS_AT + SEATS * (VALUES + 1), _CARDS_AT + SEATS + 1 + 2 * KINDS + 2])
SLOTS = int(SLOTS_OF.max())
PAIRS = 512  # more than any board has

_SEEN = np.array([0, 1, 1, 2, 2, 3, 3, 3, 3], dtype=np.int64)  # unseen cards of a kind, in steps

# Where the pins of a position are worked out.
SCRATCH = [
    ("fields", np.int64, SEATS * PINS),
    ("owners", np.int64, SEATS * PINS),
    ("quarters", np.int64, SEATS * PINS),
    ("waiting", np.int64, SEATS),
    ("doors", np.int64, SEATS),
    ("corners", np.int64, SEATS),
    ("new_slots", np.int32, SLOTS),
    ("new_pairs", np.int32, PAIRS),
]


@compiled
def see(desk: Record, state: Record, seat: int) -> int:
    """Write the answers to ``new_slots`` and ``new_pairs`` of the desk; how many pairs there are."""
    slots, distance = desk.new_slots, int(state.distance)
    fields, owners, quarters, waiting = desk.fields, desk.owners, desk.quarters, desk.waiting
    doors, corners = desk.doors, desk.corners
    around, first = 4 * distance, int(state.start[seat])
    for corner in range(SEATS):
        doors[corner], waiting[corner] = 4, 0
        slots[_GOALS_AT + corner] = GOAL_ROWS + 16 * corner
        for pin in range(PINS):
            slots[PINS * corner + pin] = PIN_ROWS + _PLACES * corner + NOBODY
    on_track = 0
    for player in range(int(state.players)):
        ahead = wrapped(int(state.start[player]) - first, around)
        corner = ahead // distance
        corners[player] = corner
        in_goal = 0
        for pin in range(PINS):
            place = int(state.pins[player, pin])
            row = PIN_ROWS + _PLACES * corner
            if place == HOME:
                waiting[corner] += 1
            elif place >= GOAL:
                in_goal |= 1 << (place - GOAL)
                row += IN_GOAL + place - GOAL
            else:
                row += ON_AGAIN if place == around else 1 + place
                place = wrapped(place, around)
                fields[on_track] = wrapped(place + ahead, around)
                owners[on_track] = corner
                quarters[on_track] = place // distance
                on_track += 1
            slots[PINS * corner + pin] = row
        slots[_GOALS_AT + corner] += in_goal
    n = _see_pairs(desk, state, seat, on_track)
    for corner in range(SEATS):
        slots[_DOORS_AT + corner] = DOOR_ROWS + 25 * corner + 5 * waiting[corner] + doors[corner]
    slots[_TURN_AT] = TURN_ROWS + corners[state.turn]
    slots[_TURN_AT + 1] = slots[_TURN_AT + 2] = 0
    if state.variant == DOG:
        _see_cards(desk, state, seat)
    elif state.variant == DMADN:
        _see_tokens(desk, state)
    return n


@compiled
def _see_pairs(desk: Record, state: Record, seat: int, on_track: int) -> int:
    """Who stands how far behind whom, who before whose door, and what cards or tokens make of it."""
    pairs, distance, variant = desk.new_pairs, int(state.distance), int(state.variant)
    fields, owners, quarters, waiting = desk.fields, desk.owners, desk.quarters, desk.waiting
    around, n = 4 * distance, 0
    reach = REACH if variant == DOG else VALUES + VALUES
    hand = state.hands[seat]
    moved = desk.corners[mover_of(state, seat)]
    for a in range(on_track):
        behind, its_owner = fields[a], owners[a]
        for b in range(on_track):
            steps = fields[b] - behind
            if steps < 0:
                steps += around
            if 0 < steps <= reach:
                other, quarter = owners[b], quarters[b]
                pairs[n] = BEHIND_ROWS + ((SEATS * its_owner + other) * REACH + steps - 1) * QUARTERS + quarter
                n += 1
                if variant == DOG:
                    if its_owner == moved:
                        if hand[card_of_steps(steps)] and (steps != SEVEN or not state.hot_7):
                            pairs[n] = HIT_ROWS + (SEATS * its_owner + other) * QUARTERS + quarter
                            n += 1
                        if steps <= SEVEN and hand[SEVEN] and state.hot_7 and other != its_owner:
                            pairs[n] = BURN_ROWS + QUARTERS * other + quarter
                            n += 1
                    elif other == moved and steps == 4 and hand[FOUR] and state.neg_4:
                        pairs[n] = HIT_ROWS + (SEATS * moved + its_owner) * QUARTERS + quarters[a]
                        n += 1
        for corner in range(SEATS):
            steps = behind - distance * corner
            if steps < 0:
                steps += around
            if steps == 0:
                desk.doors[corner] = (its_owner - corner) & 3
            elif steps <= VALUES and waiting[corner] and its_owner != corner:
                pairs[n] = DOORSTEP_ROWS + (SEATS * corner + its_owner) * VALUES + steps - 1
                n += 1
    if variant == DMADN:
        n = _see_reach_of_tokens(desk, state, on_track, n)
    elif variant == DOG:
        n = _see_entries(state, pairs, mover_of(state, seat), moved, seat, n)
    return n


@compiled
def mover_of(state: Record, seat: int) -> int:
    """Whose pins the seat would move now."""
    return (seat + 2) & 3 if state.teams and all_in_goal(state.pins, seat) else seat


@compiled
def _see_reach_of_tokens(desk: Record, state: Record, on_track: int, n: int) -> int:
    """Who has the very token for a hit, or for a field of the goal."""
    pairs, around = desk.new_pairs, 4 * int(state.distance)
    for player in range(int(state.players)):
        corner = desk.corners[player]
        for a in range(on_track):
            if desk.owners[a] == corner:
                for b in range(on_track):
                    steps = desk.fields[b] - desk.fields[a]
                    if steps < 0:
                        steps += around
                    if 0 < steps <= VALUES and desk.owners[b] != corner and state.tokens[player, steps - 1]:
                        pairs[n] = HIT_ROWS + (SEATS * corner + desk.owners[b]) * QUARTERS + desk.quarters[b]
                        n += 1
        for pin in range(PINS):
            place = int(state.pins[player, pin])
            if HOME < place < GOAL:
                before = steps_to_goal(state, place)
                for into in range(PINS):
                    if before + into < VALUES and state.tokens[player, before + into]:
                        pairs[n] = ENTRY_ROWS + PINS * corner + into
                        n += 1
    return n


@compiled
def _see_entries(state: Record, pairs: Rows, owner: int, corner: int, seat: int, n: int) -> int:
    """Which fields of the goal the own cards reach."""
    hand = state.hands[seat]
    for pin in range(PINS):
        place = int(state.pins[owner, pin])
        if HOME < place < GOAL:
            before = steps_to_goal(state, place)
            for into in range(PINS):
                steps = before + into + 1
                if steps <= REACH and hand[card_of_steps(steps)]:
                    pairs[n] = ENTRY_ROWS + PINS * corner + into
                    n += 1
    return n


@compiled
def _see_tokens(desk: Record, state: Record) -> None:
    slots = desk.new_slots
    for slot in range(SEATS * (VALUES + 1)):
        slots[_TOKENS_AT + slot] = 0
    for player in range(int(state.players)):
        corner, left = desk.corners[player], 0
        for value in range(VALUES):
            tokens = int(state.tokens[player, value])
            left += tokens
            slots[_TOKENS_AT + VALUES * corner + value] = TOKEN_ROWS + (VALUES * corner + value) * (TOKENS + 1) + tokens
        slots[_TOKENS_AT + SEATS * VALUES + corner] = LEFT_ROWS + _ALL_TOKENS * corner + left


@compiled
def _see_cards(desk: Record, state: Record, seat: int) -> None:
    """The own cards, what can still be out, how many cards everybody has, the gift, the moment of the deal."""
    slots, hand = desk.new_slots, state.hands[seat]
    at, cards = _CARDS_AT, 0
    for corner in range(SEATS):
        slots[at + corner] = 0
    for player in range(int(state.players)):
        size = 0
        for kind in range(KINDS):
            size += int(state.hands[player, kind])
        cards += size
        slots[at + desk.corners[player]] = HAND_ROWS + _HAND_SIZES * desk.corners[player] + min(size, _HAND_SIZES - 1)
    at += SEATS
    between = cards == 0
    slots[at] = DEAL_ROWS + min(int(state.deal), _DEAL_SIZES - 1)
    at += 1
    gift = int(state.gifts[seat]) + int(state.given[seat])
    for kind in range(KINDS):
        unseen = int(FULL_DECK[kind]) - int(state.played[kind]) - int(hand[kind]) - int(state.folded[seat, kind])
        if (kind == JOKER and not state.joker) or (kind == SWAP and not state.swap):
            unseen = 0
        unseen -= gift == kind + 1
        slots[at + kind] = OWN_ROWS + _MOST_SEEN * kind + min(int(hand[kind]), _MOST_SEEN - 1)
        slots[at + KINDS + kind] = UNSEEN_ROWS + _MOST_SEEN * kind + _SEEN[min(max(unseen, 0), 8)]
    at += 2 * KINDS
    slots[at] = GIVEN_ROWS + gift
    exits = min(int(hand[JOKER] + hand[ONE_ELEVEN] + hand[THIRTEEN]), 4)
    slots[at + 1] = EXIT_ROWS + 5 * exits + desk.waiting[desk.corners[mover_of(state, seat)]]
    moment = 0
    if between:
        moment = 9
    elif state.phase == GIFTS:
        moment = 1
    elif state.phase == PARTS:
        moment = 1 + int(state.left)
    slots[_TURN_AT + 1] = MOMENT_ROWS + moment
    slots[_TURN_AT + 2] = STARTER_ROWS + desk.corners[state.starter]
