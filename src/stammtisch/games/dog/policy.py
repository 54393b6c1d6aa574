"""Players by rules of thumb, compiled: ``greedy`` counts progress, ``decide`` also danger, exits and the use of cards.

Both look one move ahead: they put every legal move on the board and judge what it looks like then.
"""

from __future__ import annotations

import numpy as np

from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import Actions, Record
from stammtisch.core.rng import Rng
from stammtisch.games.dog.board import GOAL, HOME, PINS, SEATS, Pins, field_of, on_track, place_of, wrapped
from stammtisch.games.dog.cards import (
    DMADN_PASS,
    FOLD,
    FOUR,
    JOKER,
    MADN_PASS,
    ONE_ELEVEN,
    SEVEN,
    SWAP,
    THIRTEEN,
)
from stammtisch.games.dog.legal import legal_actions
from stammtisch.games.dog.rules import DMADN, DOG, card_played, move_pins, mover

FIRST_STEP = np.array([6, 1, 6])  # what coming out of home counts in madn, dmadn and dog


@compiled
def progress(state: Record, pins: Pins, owner: int) -> int:
    """How far the owner's pins have come together, in steps; to come out of home counts as several."""
    around, first = 4 * int(state.distance), FIRST_STEP[state.variant]
    total = 0
    for pin in range(PINS):
        place = int(pins[owner, pin])
        total += (
            around + first + place - GOAL if place >= GOAL else wrapped(place, around) + first if place != HOME else 0
        )
    return total


@compiled
def same_side(state: Record, a: int, b: int) -> bool:
    return a == b or (state.teams != 0 and (a ^ b) & 1 == 0)


@compiled
def moves_pins(state: Record, action: int) -> bool:
    """Whether an action moves anything: not a pass, a gift or folding."""
    if state.variant == DOG:
        return action > FOLD
    return action != (DMADN_PASS if state.variant == DMADN else MADN_PASS)


@compiled
def greedy(state: Record, buffer: Actions, rng: Rng) -> int:
    """The move after which the own side is furthest ahead of the others; the first of equals."""
    n = legal_actions(state, buffer)
    turn = int(state.turn)
    work = np.empty((SEATS, PINS), dtype=np.int8)
    best, chosen = -(1 << 30), buffer[0]
    for i in range(n):
        if not moves_pins(state, buffer[i]):
            continue
        work[:] = state.pins
        move_pins(state, work, mover(state, state.pins), buffer[i])
        lead = 0
        for owner in range(state.players):
            lead += progress(state, work, owner) * (1 if same_side(state, turn, owner) else -1)
        if lead > best:
            best, chosen = lead, buffer[i]
    return chosen


# --- rules of thumb -----------------------------------------------------------------------------------------

# For madn, dmadn and dog; found by matches against greedy
OUT = np.array([4.0, 0.0, 4.0])  # what it is worth to be out of home, in steps, besides
HUNTER = np.array([0.6, 1.0, 0.6])  # what a chance to hit counts, beside the danger to be hit
IN_GOAL = 8.0  # to be safe in the goal
DEEP = 0.5  # per goal field, so that those behind find room
CARD_WORTH = np.array([14.0, 4.0, 0.0, 0.0, 4.0, 0.0, 0.0, 4.0, 0.0, 0.0, 0.0, 7.0, 0.0, 7.0])  # to keep it


@compiled
def decide(state: Record, buffer: Actions, rng: Rng) -> int:
    """The move that leaves the best position, cards for later counted; the first of equals."""
    n = legal_actions(state, buffer)
    if n == 1:
        return buffer[0]
    turn = int(state.turn)
    owner = mover(state, state.pins)
    if not moves_pins(state, buffer[0]):
        return _gift(state, buffer, n)
    work = np.empty((SEATS, PINS), dtype=np.int8)
    best, chosen = -np.inf, buffer[0]
    for i in range(n):
        work[:] = state.pins
        move_pins(state, work, owner, buffer[i])
        worth = position_worth(state, work, turn)
        if state.variant == DOG and state.left == 0:
            worth -= CARD_WORTH[card_played(buffer[i])]
        if worth > best:
            best, chosen = worth, buffer[i]
    return chosen


@compiled
def position_worth(state: Record, pins: Pins, turn: int) -> float:
    """What the pins are worth to a player: progress, being out, being in, and who can hit whom."""
    total = 0.0
    out, hunter = OUT[state.variant], HUNTER[state.variant]
    for owner in range(state.players):
        own = same_side(state, turn, owner)
        worth = float(progress(state, pins, owner))
        for pin in range(PINS):
            place = int(pins[owner, pin])
            if place >= GOAL:
                worth += out + IN_GOAL + DEEP * (place - GOAL)
            elif place != HOME:
                worth += out
                lost = out + wrapped(place, 4 * int(state.distance)) + FIRST_STEP[state.variant]
                worth -= danger(state, pins, owner, place) * lost * (1.0 if own else hunter)
        total += worth if own else -worth / (1 if state.teams or state.players == 2 else 2)
    return total


@compiled
def danger(state: Record, pins: Pins, owner: int, place: int) -> float:
    """About how likely a pin is to be hit before its side can move again."""
    if state.start_block and place == 0:
        return 0.0
    around = 4 * int(state.distance)
    field = field_of(state, owner, place)
    safe = 1.0
    for other in range(state.players):
        if same_side(state, owner, other):
            continue
        at = place_of(state, other, field)
        home = False
        for pin in range(PINS):
            its = int(pins[other, pin])
            home |= its == HOME
            if not on_track(its):
                continue
            distance = at - wrapped(its, around)
            if distance < 0:
                distance += around
            safe *= 1.0 - _reach(state, other, distance)
        if home and at == 0:
            safe *= 0.7
    return 1.0 - safe


@compiled
def _reach(state: Record, player: int, distance: int) -> float:
    """How likely the player can go so far."""
    if state.variant == DOG:
        return 0.12 if 1 <= distance <= 13 else 0.03
    if state.variant == DMADN:
        return 0.5 if 1 <= distance <= 6 and state.tokens[player, distance - 1] else 0.0
    if 1 <= distance <= 6:
        return 0.17
    return 0.03 if distance <= 12 and state.extra_move_on_6 else 0.0


@compiled
def _gift(state: Record, buffer: Actions, n: int) -> int:
    """For a partner who cannot come out a card that brings him out, if there is another; else what one misses least."""
    turn = int(state.turn)
    partner = (turn + 2) & 3
    hand = state.hands[turn]
    exits = hand[JOKER] + hand[ONE_ELEVEN] + hand[THIRTEEN]
    stuck, own_stuck = True, True
    for pin in range(PINS):
        stuck &= not on_track(int(state.pins[partner, pin]))
        own_stuck &= not on_track(int(state.pins[turn, pin]))
    best, chosen = -np.inf, buffer[0]
    for i in range(n):
        card = buffer[i]
        worth = -CARD_WORTH[card]
        is_exit = card in (JOKER, ONE_ELEVEN, THIRTEEN)
        if is_exit and stuck and (exits > 1 or not own_stuck):
            worth = 20.0 + worth
        if not is_exit and card != SWAP and card != FOUR and card != SEVEN:
            worth += 0.1 * card
        if worth > best:
            best, chosen = worth, card
    return chosen
