"""What is legal: the pins a throw can move, the tokens that fit, everything that the cards of a hand can do."""

from __future__ import annotations

import numpy as np

from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import Actions, Record
from stammtisch.games.dog.board import (
    HOME,
    ILLEGAL,
    PINS,
    SEATS,
    Pins,
    backward,
    forward,
    goal_taken,
    hits,
    may_be_exchanged,
    may_land,
    may_leave_home,
    move_part,
    move_split,
    on_track,
    own_ahead,
    steps_lead_to,
)
from stammtisch.games.dog.cards import (
    BACK,
    DMADN_PASS,
    EXCHANGE,
    FOLD,
    FORWARD,
    FOUR,
    GIVE,
    HALF,
    JOKER,
    KINDS,
    MADN_PASS,
    ONE_ELEVEN,
    PART,
    PLAYED,
    SEVEN,
    SPLIT,
    SPLITS,
    START,
    STEPS,
    SWAP,
    THIRTEEN,
)
from stammtisch.games.dog.rules import DMADN, DOG, ENDED, GIFTS, PARTS, VALUES, brings_out, card_of_steps, mover


@compiled
def legal_actions(state: Record, out: Actions) -> int:
    if state.phase == ENDED:
        return 0
    if state.variant == DOG:
        return _legal_cards(state, out)
    owner = mover(state, state.pins)
    if state.variant == DMADN:
        n = _list_tokens(state, owner, out)
        if n and state.forced_attack:
            n = _only_attacks(state, owner, out, n)
        if n == 0:
            out[0] = DMADN_PASS
            n = 1
        return n
    n = _list_pins(state, owner, out)
    if n and state.forced_start:
        n = _only_starts(state, owner, out, n)
    if n and state.forced_attack:
        n = _only_attacks(state, owner, out, n)
    if n == 0:
        out[0] = MADN_PASS
        n = 1
    return n


@compiled
def _list_pins(state: Record, owner: int, out: Actions) -> int:
    die, pins = int(state.die), state.pins
    may_leave, fire = brings_out(state, die) and may_leave_home(state, pins, owner), state.friendly_fire != 0
    goal = goal_taken(pins, owner)
    n = 0
    for pin in range(PINS):
        fits = may_leave
        if pins[owner, pin] != HOME:
            fits = may_land(state, pins, owner, pin, steps_lead_to(state, pins, owner, pin, die, 0, goal), fire)
        out[n] = pin
        n += fits
    return n


@compiled
def _list_tokens(state: Record, owner: int, out: Actions) -> int:
    tokens, pins = state.tokens[state.turn], state.pins
    fire, goal = state.friendly_fire != 0, goal_taken(pins, owner)
    held, leaving = 0, 0  # bits of the values
    for value in range(1, VALUES + 1):
        held |= (1 << value) if tokens[value - 1] else 0
        leaving |= (1 << value) if brings_out(state, value) else 0
    if not may_leave_home(state, pins, owner):
        leaving = 0
    n = 0
    for pin in range(PINS):
        place = int(pins[owner, pin])
        way = 0 if fire else own_ahead(state, pins, owner, pin)
        if place == HOME:
            fitting = held & leaving
        elif not state.start_block and place + VALUES < 4 * int(state.distance):  # it stays before its start
            fitting = held & ~way
        else:  # the goal may be reached, or a blocked start field be in the way
            fitting = held
            for value in range(1, VALUES + 1):
                if steps_lead_to(state, pins, owner, pin, value, way, goal) == ILLEGAL:
                    fitting &= ~(1 << value)
        for value in range(1, VALUES + 1):
            out[n] = 6 * pin + value - 1
            n += fitting >> value & 1
    return n


@compiled
def _target(state: Record, owner: int, pin: int, n: int) -> int:
    """Where a throw or token brings a pin, or ILLEGAL."""
    if state.pins[owner, pin] != HOME:
        return forward(state, state.pins, owner, pin, n, state.friendly_fire != 0)
    return 0 if brings_out(state, n) and may_leave_home(state, state.pins, owner) else ILLEGAL


@compiled
def _only_starts(state: Record, owner: int, out: Actions, n: int) -> int:
    """Who waits at home must come out; else the own start field must be cleared."""
    waiting, leaving, clearing = False, 0, 0
    for pin in range(PINS):
        waiting |= state.pins[owner, pin] == HOME
    for i in range(n):
        place = int(state.pins[owner, out[i]])
        leaving += place == HOME
        clearing += on_track(place) and place % (4 * int(state.distance)) == 0
    if not waiting or leaving + clearing == 0:
        return n
    kept = 0
    for i in range(n):
        place = int(state.pins[owner, out[i]])
        if place == HOME if leaving else (on_track(place) and place % (4 * int(state.distance)) == 0):
            out[kept] = out[i]
            kept += 1
    return kept


@compiled
def _only_attacks(state: Record, owner: int, out: Actions, n: int) -> int:
    """The moves that hit somebody, if there are any."""
    kept = 0
    for i in range(n):
        pin, value = (out[i] // 6, out[i] % 6 + 1) if state.variant == DMADN else (out[i], int(state.die))
        if hits(state, state.pins, owner, _target(state, owner, pin, value)):
            out[i], out[kept] = out[kept], out[i]  # what does not hit stays behind, in any order
            kept += 1
    return kept if kept else n


@compiled
def _legal_cards(state: Record, out: Actions) -> int:
    hand = state.hands[state.turn]
    n = 0
    if state.phase == GIFTS:
        for card in range(KINDS):
            if hand[card]:
                out[n] = GIVE + card
                n += 1
        return n
    work = np.empty((SEATS, PINS), dtype=np.int8)
    owner = mover(state, state.pins)
    if state.phase == PARTS:
        half = PLAYED if state.seven == JOKER else PLAYED + HALF
        return _list_parts(state, int(state.left), half, work, out, 0)
    if may_leave_home(state, state.pins, owner):
        for which, card in ((0, ONE_ELEVEN), (1, THIRTEEN), (2, JOKER)):
            for pin in range(PINS):
                if hand[card] and state.pins[owner, pin] == HOME:
                    out[n] = START + 4 * which + pin
                    n += 1
    for half in range(2):
        if half == 1 or hand[JOKER]:
            n = _legal_uses(state, owner, half == 0, work, out, n)
    if n == 0:
        out[0] = FOLD
        n = 1
    return n


@compiled
def _legal_uses(state: Record, owner: int, joker: bool, work: Pins, out: Actions, n: int) -> int:
    """What the cards of the hand, or a joker in place of any of them, can do besides bringing a pin out."""
    pins, hand = state.pins, state.hands[state.turn]
    first = PLAYED if joker else PLAYED + HALF
    fire, goal = state.friendly_fire != 0, goal_taken(pins, owner)
    for pin in range(PINS):
        if pins[owner, pin] == HOME:
            continue
        way = 0 if fire else own_ahead(state, pins, owner, pin)
        for steps in range(1, 14):
            if steps == SEVEN and state.hot_7:
                continue
            if (joker or hand[card_of_steps(steps)]) and steps_lead_to(
                state, pins, owner, pin, steps, way, goal
            ) != ILLEGAL:
                out[n] = first + FORWARD + 13 * pin + steps - 1
                n += 1
    if state.neg_4 and (joker or hand[FOUR]):
        for pin in range(PINS):
            if backward(state, pins, owner, pin, 4, fire) != ILLEGAL:
                out[n] = first + BACK + pin
                n += 1
    if state.swap and (joker or hand[SWAP]):
        n = _list_exchanges(state, owner, first, out, n)
    if state.hot_7 and (joker or hand[SEVEN]):
        if state.stepwise:
            n = _list_parts(state, STEPS, first, work, out, n)
        else:
            n = _list_splits(state, owner, first, work, out, n)
    return n


@compiled
def _list_exchanges(state: Record, owner: int, first: int, out: Actions, n: int) -> int:
    pins = state.pins
    for pin in range(PINS):
        if may_be_exchanged(state, int(pins[owner, pin])):
            for other in range(state.players):
                for its in range(PINS):
                    if other != owner and may_be_exchanged(state, int(pins[other, its])):
                        out[n] = first + EXCHANGE + 16 * pin + 4 * other + its
                        n += 1
    return n


@compiled
def _list_splits(state: Record, owner: int, first: int, work: Pins, out: Actions, n: int) -> int:
    pins = state.pins
    for number in range(len(SPLITS)):
        parts = SPLITS[number]
        possible = True
        for pin in range(PINS):
            possible &= parts[pin] == 0 or pins[owner, pin] != HOME
        if possible:
            work[:] = pins
            if move_split(state, work, owner, parts):
                out[n] = first + SPLIT + number
                n += 1
    return n


@compiled
def _list_parts(state: Record, left: int, first: int, work: Pins, out: Actions, n: int) -> int:
    """The first part of every way to play ``left`` steps to the last one."""
    owner = mover(state, state.pins)
    for pin in range(PINS):
        for steps in range(1, left + 1):
            work[:] = state.pins
            if move_part(state, work, owner, pin, steps) and _can_be_finished(state, work, left - steps):
                out[n] = first + PART + 7 * pin + steps - 1
                n += 1
    return n


@compiled
def _can_be_finished(state: Record, pins: Pins, left: int) -> bool:
    """Whether so many steps can all be made, part by part."""
    places = np.empty((STEPS + 1, SEATS, PINS), dtype=np.int8)
    lefts = np.empty(STEPS + 1, dtype=np.int64)
    tried = np.zeros(STEPS + 1, dtype=np.int64)  # the next part: 7 * pin + steps - 1, long ones first
    places[0], lefts[0] = pins, left
    depth = 0
    while depth >= 0:
        if lefts[depth] == 0:
            return True
        if tried[depth] == PINS * STEPS:
            depth -= 1
            continue
        pin, steps = tried[depth] // STEPS, STEPS - tried[depth] % STEPS
        tried[depth] += 1
        if steps > lefts[depth]:
            continue
        places[depth + 1] = places[depth]
        if move_part(state, places[depth + 1], mover(state, places[depth]), pin, steps):
            lefts[depth + 1] = lefts[depth] - steps
            tried[depth + 1] = 0
            depth += 1
    return False
