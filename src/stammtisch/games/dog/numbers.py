"""The action numbers of DOG as a fixed index: first all uses of a joker, then of the cards themselves, then gifts.

One half: exchange (pin, field of the other pin), split of the seven, forward (pin and 1-6, 8-13; for a pin at home 1,
11 and 13 mean to bring it out), back (pin). Folding has no number, nor has a part of a seven played step by step.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.errors import BadMove
from stammtisch.core.game import State
from stammtisch.games.dog.board import HOME, PINS, SEATS, field_of, on_track
from stammtisch.games.dog.cards import (
    BACK,
    CARDS,
    EXCHANGE,
    FOLD,
    FORWARD,
    GIVE,
    HALF,
    JOKER,
    ONE_ELEVEN,
    PART,
    PLAYED,
    SEVEN,
    SPLIT,
    SPLITS,
    START,
    START_CARDS,
    THIRTEEN,
)
from stammtisch.games.dog.rules import mover

DISTANCES = (1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13)
_STARTS = {ONE_ELEVEN: (1, 11), THIRTEEN: (13,), JOKER: (1, 11, 13)}


class Use(NamedTuple):
    """What a number means on any board: ``value`` is a field, a split, a number of steps, or a card to give."""

    kind: str  # swap, split, move, minus4, give
    joker: bool
    pin: int
    value: int


def size(distance: int, exchange: bool = True) -> int:
    """How many numbers there are, with those for gifts or without."""
    return 2 * _half(distance) + (len(CARDS) if exchange else 0)


def _fields(distance: int) -> int:
    return SEATS * distance + SEATS * PINS


def _half(distance: int) -> int:
    return PINS * _fields(distance) + len(SPLITS) + PINS * len(DISTANCES) + PINS


def encode(use: Use, distance: int) -> int:
    """The number of a use."""
    fields = _fields(distance)
    first = 0 if use.joker else _half(distance)
    if use.kind == "give":
        return 2 * _half(distance) + use.value
    if use.kind == "swap":
        return first + fields * use.pin + use.value
    first += PINS * fields
    if use.kind == "split":
        return first + use.value
    first += len(SPLITS)
    if use.kind == "move":
        return first + len(DISTANCES) * use.pin + DISTANCES.index(use.value)
    return first + PINS * len(DISTANCES) + use.pin


def decode(number: int, distance: int) -> Use:
    """What a number means."""
    if not 0 <= number < size(distance):
        raise BadMove(f"number {number}: they go from 0 to {size(distance) - 1}")
    half, fields = _half(distance), _fields(distance)
    if number >= 2 * half:
        return Use("give", False, 0, number - 2 * half)
    joker, rest = number < half, number % half
    if rest < PINS * fields:
        return Use("swap", joker, rest // fields, rest % fields)
    rest -= PINS * fields
    if rest < len(SPLITS):
        return Use("split", joker, 0, rest)
    rest -= len(SPLITS)
    if rest < PINS * len(DISTANCES):
        return Use("move", joker, rest // len(DISTANCES), DISTANCES[rest % len(DISTANCES)])
    return Use("minus4", joker, rest - PINS * len(DISTANCES), 4)


def numbers_of(state: State, action: int) -> list[int]:
    """All numbers of an action, ascending: bringing a pin out has several, folding and parts of a seven have none."""
    distance = int(state.record.distance)
    return sorted(encode(use, distance) for use in _uses(state, action))


def _uses(state: State, action: int) -> list[Use]:
    if action < FOLD:
        return [Use("give", False, 0, action - GIVE)]
    if action == FOLD:
        return []
    if action < PLAYED:
        card = START_CARDS[(action - START) // 4]
        return [Use("move", card == JOKER, (action - START) % 4, steps) for steps in _STARTS[card]]
    joker, use = action < PLAYED + HALF, (action - PLAYED) % HALF
    if use < BACK:
        pin, steps = (use - FORWARD) // 13, (use - FORWARD) % 13 + 1
        if steps == SEVEN:  # a plain seven: all steps for one pin
            return [Use("split", joker, 0, int(np.flatnonzero(SPLITS[:, pin] == SEVEN)[0]))]
        return [Use("move", joker, pin, steps)]
    if use < EXCHANGE:
        return [Use("minus4", joker, use - BACK, 4)]
    if use < SPLIT:
        pin, other, its = (use - EXCHANGE) // 16, (use - EXCHANGE) // 4 % 4, (use - EXCHANGE) % 4
        place = int(state.record.pins[other, its])
        return [Use("swap", joker, pin, int(field_of(state.record, other, place)))]
    return [Use("split", joker, 0, use - SPLIT)] if use < PART else []


def action_of(state: State, number: int) -> int:
    """The action that a number means in this position, legal or not; BadMove where it means nothing there."""
    record = state.record
    use = decode(number, int(record.distance))
    first = PLAYED if use.joker else PLAYED + HALF
    owner = int(mover(record, record.pins))
    if use.kind == "give":
        return GIVE + use.value
    if use.kind == "split":
        if record.hot_7:
            return first + SPLIT + use.value
        (pins,) = np.nonzero(SPLITS[use.value])
        if len(pins) > 1:
            raise BadMove(f"number {number}: a plain seven is for one pin")
        return first + FORWARD + 13 * int(pins[0]) + SEVEN - 1
    if use.kind == "minus4":
        return first + BACK + use.pin
    if use.kind == "swap":
        for other in range(int(record.players)):
            for its in range(PINS):
                place = int(record.pins[other, its])
                if on_track(place) and field_of(record, other, place) == use.value:
                    return first + EXCHANGE + 16 * use.pin + 4 * other + its
        raise BadMove(f"number {number}: nobody stands on field {use.value}")
    if record.pins[owner, use.pin] != HOME:
        return first + FORWARD + 13 * use.pin + use.value - 1
    card = JOKER if use.joker else THIRTEEN if use.value == 13 else ONE_ELEVEN
    if use.value not in _STARTS[card]:
        raise BadMove(f"number {number}: pin {use.pin} is at home, {use.value} does not bring it out")
    return START + 4 * START_CARDS.index(card) + use.pin


def mask(state: State) -> NDArray[np.bool_]:
    """Which numbers are legal."""
    found = np.zeros(size(int(state.record.distance)), dtype=np.bool_)
    for action in state.actions():
        found[numbers_of(state, action)] = True
    return found
