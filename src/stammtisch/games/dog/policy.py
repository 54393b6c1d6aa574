"""Players by rules of thumb, compiled: ``greedy`` counts progress, ``decide`` also danger, exits and the use of cards.

Both look one move ahead: they put every legal move on the board and judge what it looks like then.
"""

from __future__ import annotations

import numpy as np

from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import Actions, Record, Vector
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

# What places are worth in madn, dmadn and dog, 100 for odds of e to 1; see benchmarks/fit_pins.py.
OUT_WORTH = np.array([5.0, -5.0, 26.9])  # to be out of home; tokens bring pins out at any time, too early is a target
TRACK_WORTH = np.array(  # every eighth of the way
    [
        [0.0, 2.5, 5.0, 7.5, 10.0, 12.5, 15.0, 17.5, 20.0],
        [0.0, 1.0, 4.0, 7.0, 16.8, 25.9, 37.0, 55.7, 64.4],
        [0.0, 2.1, 4.4, 6.7, 10.3, 14.7, 20.5, 22.9, 23.7],
    ]
)
GOAL_WORTH = np.array(  # by the bits of the goal fields taken
    [
        [0.0, 30.0, 30.5, 60.5, 31.0, 61.0, 61.5, 91.5, 31.5, 61.5, 62.0, 92.0, 62.5, 92.5, 93.0, 245.6],
        [0.0, 66.8, 68.4, 209.8, 89.3, 156.7, 170.5, 376.7, 87.9, 163.2, 185.7, 318.9, 196.1, 334.7, 361.2, 596.1],
        [0.0, 23.6, 17.9, 57.3, 21.4, 48.1, 48.5, 105.8, 19.6, 48.6, 48.4, 96.8, 51.5, 96.3, 103.7, 249.8],
    ]
)
FEAR = np.array([[0.6, 0.8], [1.4, 3.0], [1.0, 1.3]])  # how danger counts, before and after the own side's move
TEMPO = np.array([1.0, 5.0, 9.0])  # to be on turn
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
    """What the pins are worth to the player who has just moved."""
    total = 0.0
    for owner in range(state.players):
        own = same_side(state, turn, owner)
        worth = pins_worth(state, pins, owner, own)
        total += worth if own else -worth / (1 if state.teams or state.players == 2 else 2)
    return total


@compiled
def pins_worth(state: Record, pins: Pins, owner: int, exposed: bool) -> float:
    """What the owner's pins are worth: how far they are, which are in the goal, who can be hit before his side moves.

    ``exposed``: the others move next.
    """
    variant = int(state.variant)
    fear = FEAR[variant, 1 if exposed else 0]
    in_goal, worth = 0, 0.0
    for pin in range(PINS):
        place = int(pins[owner, pin])
        if place >= GOAL:
            in_goal |= 1 << (place - GOAL)
            worth += OUT_WORTH[variant]
        elif place != HOME:
            here = place_worth(state, place)
            worth += here - fear * danger(state, pins, owner, place) * max(0.0, here)
    return worth + GOAL_WORTH[variant, in_goal]


@compiled
def place_worth(state: Record, place: int) -> float:
    """What a place on the track is worth, compared with home."""
    variant, around = int(state.variant), 4 * int(state.distance)
    eighths = 8.0 * wrapped(place, around) / around
    passed = int(eighths)
    before, after = TRACK_WORTH[variant, passed], TRACK_WORTH[variant, passed + 1]
    return OUT_WORTH[variant] + before + (eighths - passed) * (after - before)


@compiled
def estimate(state: Record, seat: int, out: Vector) -> None:
    """About how likely everybody is to win; it counts pins only, so every seat may know it."""
    turn, total = int(state.turn), 0.0
    out[:] = 0.0
    for player in range(state.players):
        mine = TEMPO[state.variant] if same_side(state, turn, player) else 0.0
        for owner in range(state.players):
            if same_side(state, player, owner):
                mine += pins_worth(state, state.pins, owner, not same_side(state, turn, owner))
        out[player] = np.exp(mine / 100.0)
        total += out[player]
    for player in range(state.players):
        out[player] *= (2.0 if state.teams else 1.0) / total


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
