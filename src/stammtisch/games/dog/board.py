"""The board: where pins stand, how far they may go, whom they send home.

A pin's place is its progress: -1 at home, 0 on the own start field, up to ``4 * distance - 1`` just before it, then
``GOAL`` to ``GOAL + 3``. So the rules are the same for every seat; the start fields say where progress meets. One more
place, ``4 * distance``, is the own start field again, after a lap or a step back: it exists only where a pin that has
just come out of home is treated differently from one that has come round (``fresh_start_only``).
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import Record

SEATS = 4
PINS = 4
HOME = -1
GOAL = 120  # + 0 .. 3
ILLEGAL = -2
LEAST_DISTANCE, MOST_DISTANCE = 8, 29  # so that all places fit into a byte

Pins: TypeAlias = NDArray[np.int8]  # [player, pin]


@compiled
def on_track(place: int) -> bool:
    return 0 <= place < GOAL


@compiled
def wrapped(place: int, around: int) -> int:
    """The place on the track, of one that may be up to a lap before or behind; quicker than a division."""
    if place >= around:
        return place - around
    return place + around if place < 0 else place


@compiled
def field_of(state: Record, owner: int, place: int) -> int:
    """The number of a track place's field."""
    around = 4 * int(state.distance)
    return wrapped(wrapped(place, around) + int(state.start[owner]), around)


@compiled
def place_of(state: Record, owner: int, field: int) -> int:
    """The place that a track field is for this player."""
    return wrapped(field - int(state.start[owner]), 4 * int(state.distance))


@compiled
def all_in_goal(pins: Pins, owner: int) -> bool:
    least = GOAL
    for pin in range(PINS):
        least = min(least, int(pins[owner, pin]))
    return least == GOAL


@compiled
def soft_locked(pins: Pins, owner: int) -> bool:
    """Whether only pins at home could move: none on the track, those in the goal packed at its far end."""
    in_goal = 0
    for pin in range(PINS):
        place = int(pins[owner, pin])
        if on_track(place):
            return False
        if place >= GOAL:
            in_goal |= 1 << (place - GOAL)
    return in_goal == 0 or in_goal == 8 or in_goal == 12 or in_goal == 14


@compiled
def _blocked(state: Record, pins: Pins, owner: int, first: int, last: int) -> bool:
    """Whether a start field held by its owner is among these places of the owner's way; they may leave 0 .. 4d-1."""
    around = 4 * int(state.distance)
    for other in range(state.players):
        held = False
        for pin in range(PINS):
            held |= pins[other, pin] == 0
        if held:
            place = place_of(state, owner, int(state.start[other]))
            if first <= place <= last or first <= place - around <= last or first <= place + around <= last:
                return True
    return False


@compiled
def _own_pin_on(state: Record, pins: Pins, owner: int, moving: int, place: int) -> bool:
    """Whether another own pin stands on this track place."""
    around = 4 * int(state.distance)
    again = around if place == 0 else place  # the start field has two names
    found = False
    for pin in range(PINS):
        there = pins[owner, pin]
        found |= pin != moving and there in (place, again)
    return found


@compiled
def own_ahead(state: Record, pins: Pins, owner: int, pin: int) -> int:
    """Bit n: another own pin stands n steps further on the track; of a pin that is not on the track, 0."""
    if not on_track(int(pins[owner, pin])):
        return 0
    around, ahead = 4 * int(state.distance), 0
    place = wrapped(int(pins[owner, pin]), around)
    for other in range(PINS):
        there = int(pins[owner, other])
        steps = wrapped(wrapped(there, around) - place, around)
        if on_track(there) and steps < 32:
            ahead |= 1 << steps
    return ahead & ~1


@compiled
def goal_taken(pins: Pins, owner: int) -> int:
    """Bit n: a pin stands on goal field n."""
    taken = 0
    for pin in range(PINS):
        if pins[owner, pin] >= GOAL:
            taken |= 1 << (int(pins[owner, pin]) - GOAL)
    return taken


@compiled
def _goal_is_free(state: Record, taken: int, first: int, last: int) -> bool:
    """Whether the goal field ``last`` is free and may be reached from before the goal field ``first``."""
    way = 1 << last if state.jump_in_goal else (2 << last) - (1 << first)
    return taken & way == 0


@compiled
def steps_to_goal(state: Record, place: int) -> int:
    """How many steps lead from a track place to just before the first goal field."""
    around = 4 * int(state.distance)
    if state.must_traverse_start:
        return around - place
    return around - 1 - wrapped(place, around)


@compiled
def forward(state: Record, pins: Pins, owner: int, pin: int, n: int, fire: bool) -> int:
    """Where ``n`` steps lead, or ILLEGAL. ``fire``: landing on an own pin is allowed."""
    to = steps_lead_to(state, pins, owner, pin, n, 0, goal_taken(pins, owner))
    return to if may_land(state, pins, owner, pin, to, fire) else ILLEGAL


@compiled
def may_land(state: Record, pins: Pins, owner: int, pin: int, to: int, fire: bool) -> bool:
    """Whether a pin that gets there, or ILLEGAL, may end its move."""
    if fire or not on_track(to):
        return to != ILLEGAL
    return not _own_pin_on(state, pins, owner, pin, wrapped(to, 4 * int(state.distance)))


@compiled
def steps_lead_to(state: Record, pins: Pins, owner: int, pin: int, n: int, in_the_way: int, goal: int) -> int:
    """As ``forward``, of what is known of the own pins: those it may not land on, and where they are in the goal."""
    place = int(pins[owner, pin])
    if place >= GOAL:
        to = place - GOAL + n
        return GOAL + to if to < 4 and _goal_is_free(state, goal, place - GOAL + 1, to) else ILLEGAL
    if place == HOME:
        return ILLEGAL
    around = 4 * int(state.distance)
    before = steps_to_goal(state, place)
    into = n - before - 1
    is_open = 0 <= into < 4 and _goal_is_free(state, goal, 0, into)
    if is_open and not (state.start_block and _blocked(state, pins, owner, place + 1, place + before)):
        return GOAL + into
    place = wrapped(place, around)
    to = place + n
    if in_the_way >> n & 1 or (to >= around and not state.circular):
        return ILLEGAL
    if state.start_block and _blocked(state, pins, owner, place + 1, to):
        return ILLEGAL
    return came_to(state, wrapped(to, around))


@compiled
def may_be_exchanged(state: Record, place: int) -> bool:
    """Whether a swap may take a pin from there."""
    return on_track(place) and not (state.start_block and place == 0)


@compiled
def backward(state: Record, pins: Pins, owner: int, pin: int, n: int, fire: bool) -> int:
    """Where ``n`` steps back lead, or ILLEGAL."""
    place = int(pins[owner, pin])
    if not on_track(place):
        return ILLEGAL
    place = wrapped(place, 4 * int(state.distance))
    if place < n and not state.circular:
        return ILLEGAL
    if state.start_block and _blocked(state, pins, owner, place - n, place - 1):
        return ILLEGAL
    to = wrapped(place - n, 4 * int(state.distance))
    return came_to(state, to) if fire or not _own_pin_on(state, pins, owner, pin, to) else ILLEGAL


@compiled
def came_to(state: Record, to: int) -> int:
    """The place of a pin that came here over the track: on the own start field it is no fresh one."""
    return 4 * int(state.distance) if to == 0 and state.fresh_start_only else to


@compiled
def may_leave_home(state: Record, pins: Pins, owner: int) -> bool:
    """Whether the own start field is free of own pins."""
    return not _own_pin_on(state, pins, owner, -1, 0)


@compiled
def hits(state: Record, pins: Pins, owner: int, to: int) -> bool:
    """Whether a pin of somebody else stands where the owner's pin would land."""
    if not on_track(to):
        return False
    field = field_of(state, owner, to)
    for other in range(state.players):
        if other != owner and _own_pin_on(state, pins, other, -1, place_of(state, other, field)):
            return True
    return False


@compiled
def put(state: Record, pins: Pins, owner: int, pin: int, to: int) -> None:
    """Put a pin on a place; whoever stands there goes home."""
    if on_track(to):
        around, field = 4 * int(state.distance), field_of(state, owner, to)
        for other in range(state.players):
            place = place_of(state, other, field)
            again = around if place == 0 else place
            for its in range(PINS):
                if pins[other, its] == place or pins[other, its] == again:
                    pins[other, its] = HOME
    pins[owner, pin] = to


@compiled
def _burn(state: Record, pins: Pins, field: int, n: int) -> None:
    """Send all pins on these ``n`` track fields home, the first is ``field``."""
    around = 4 * int(state.distance)
    for owner in range(state.players):
        shift = int(state.start[owner]) - field
        for pin in range(PINS):
            place = int(pins[owner, pin])
            if on_track(place) and wrapped(wrapped(place, around) + shift, around) < n:
                pins[owner, pin] = HOME


# --- the hot seven ------------------------------------------------------------------------------------------


@compiled
def move_part(state: Record, pins: Pins, owner: int, pin: int, n: int) -> bool:
    """One part of a seven: all pins on the track fields passed or landed on go home. False if it is illegal."""
    to = forward(state, pins, owner, pin, n, True)
    if to == ILLEGAL:
        return False
    place = int(pins[owner, pin])
    if place < GOAL:
        track = n if to < GOAL else steps_to_goal(state, place)
        pins[owner, pin] = HOME
        if track > 0:
            _burn(state, pins, field_of(state, owner, place + 1), track)
    pins[owner, pin] = to
    return True


@compiled
def move_split(state: Record, pins: Pins, owner: int, parts: NDArray[np.int8]) -> bool:
    """A whole seven, so many steps for each pin. False if it is illegal; the pins are then in disorder.

    The deepest goal pin moves first, and a track pin before those in whose way it stands.
    """
    waiting = 0
    for pin in range(PINS):
        if parts[pin] and pins[owner, pin] < GOAL:
            waiting |= 1 << pin
    for place in range(GOAL + 3, GOAL - 1, -1):
        for pin in range(PINS):
            if pins[owner, pin] == place and parts[pin] and not move_part(state, pins, owner, pin, int(parts[pin])):
                return False
    around = 4 * int(state.distance)
    while waiting:
        for pin in range(PINS):
            if not waiting >> pin & 1:
                continue
            clear = True
            for other in range(PINS):
                if other != pin and waiting >> other & 1:
                    ahead = wrapped(int(pins[owner, other]) - int(pins[owner, pin]), around)
                    clear &= ahead > parts[pin]
            if clear:
                if not move_part(state, pins, owner, pin, int(parts[pin])):
                    return False
                waiting &= ~(1 << pin)
    return True
