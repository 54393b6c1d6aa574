"""The rules: rounds, rolls, dice that are chosen or go to the tray, the +1 window, bonuses before anything else.

A turn is ``ACTIVE`` (choose up to three dice), ``ACTIVE_EXTRA`` (use +1 actions), then for every passive player
``PASSIVE`` (one die of the tray) and ``PASSIVE_EXTRA``. A player alone is passive too, with a roll of his own, of which
the three lowest dice are the tray.
"""

from __future__ import annotations

import numpy as np

from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import OVER, Actions, Record, Vector
from stammtisch.core.rng import Rng, below
from stammtisch.games.clever.sheet import (
    BLACK,
    BONUS_AREA,
    BONUSES,
    CELLS,
    MOST_PENDING,
    PRINTED,
    TRACK,
    YELLOW_NUMBERS,
    add_pending,
    area_of,
    area_points,
    bonus_number,
    enter,
    list_cells,
    list_free,
    take_pending,
    total_points,
    usable,
)

SEATS = 4
DICE = "WYBGOP"
WHITE = 0  # the die of an area has the area's number + 1
POOL, FIELD, TRAY, ASIDE = range(4)
PLACES = ("pool", "field", "tray", "aside")
PHASES = ("active", "active_extra", "passive", "passive_extra", "over")
ACTIVE, ACTIVE_EXTRA, PASSIVE, PASSIVE_EXTRA, ENDED = range(5)
ROLLS = 3
PROTOTYPE_ROUNDS = 10  # of one roll each
ROUNDS = np.array([0, 6, 6, 5, 4])  # by the number of players

# Actions: a die on a cell, first its own colour, then the white one; the same by a +1; then the rest, bonuses last.
OWN, JOKER, EXTRA_OWN, EXTRA_JOKER, ROLL_AGAIN, PASS, END, BONUS = 0, 61, 122, 183, 244, 245, 246, 247
DECLINE = CELLS  # in the place of the cell: a bonus that is not used
ACTIONS = BONUS + len(BONUSES) * (CELLS + 1)
MOST_ACTIONS = 80

STATE = np.dtype(
    [
        ("yellow", np.int32, (SEATS,)),  # bits of the crosses, the printed ones with them
        ("blue", np.int32, (SEATS,)),  # bit n: the number n
        ("green", np.int8, (SEATS,)),  # how many crosses
        ("oranges", np.int8, (SEATS,)),  # how many numbers
        ("purples", np.int8, (SEATS,)),
        ("orange", np.int8, (SEATS, TRACK)),
        ("purple", np.int8, (SEATS, TRACK)),
        ("rerolls", np.int8, (SEATS,)),
        ("extras", np.int8, (SEATS,)),
        ("foxes", np.int8, (SEATS,)),
        ("open", np.int8, (SEATS,)),  # how many bonuses wait to be used
        ("pending", np.int8, (SEATS, MOST_PENDING)),  # which, the oldest first
        ("dice", np.int8, (6,)),
        ("places", np.int8, (6,)),
        ("extra_used", np.int8),  # bits of the dice entered by a +1 in this turn
        ("round_number", np.int8),
        ("roll", np.int8),  # of the active turn; 0 before the first, while a bonus of the round is open
        ("phase", np.int8),
        ("active", np.int8),  # whose turn it is
        ("turn", np.int8),  # who decides
        ("starter", np.int8),
        ("players", np.int8),
        ("thesis", np.int8),
        ("prototype", np.int8),  # the number of its dice, 0: no prototype
        ("queue", np.int8),
        ("bonus_optional", np.int8),
        ("pass_anytime", np.int8),
        ("passive_optional", np.int8),
        ("passive_fallback", np.int8),
    ]
)


@compiled
def player(state: Record) -> int:
    return OVER if state.phase == ENDED else state.turn


@compiled
def new_game(state: Record, rng: Rng) -> None:
    for seat in range(int(state.players)):
        state.yellow[seat] = PRINTED
    state.starter = below(rng, int(state.players)) if state.players > 1 else 0
    state.active = state.turn = state.starter
    state.round_number = 1
    _begin_round(state)
    _begin_turn(state, rng)


# --- what may be done ---------------------------------------------------------------------------------------


@compiled
def legal_actions(state: Record, out: Actions) -> int:
    phase, seat = state.phase, int(state.turn)
    if phase == ENDED:
        return 0
    if state.open[seat]:
        return _list_bonuses(state, seat, out)
    if state.prototype:
        return _list_prototype(state, out)
    if phase == ACTIVE:
        n = _list_entries(state, seat, dice_on(state, POOL), OWN, out)
        fits = n > 0
        if state.rerolls[seat]:
            out[n] = ROLL_AGAIN
            n += 1
        if not fits or state.pass_anytime:
            out[n] = PASS
            n += 1
        return n
    if phase == PASSIVE:
        n = _list_entries(state, seat, dice_on(state, TRAY), OWN, out)
        fits = n > 0
        if not fits and (state.players > 1 or state.passive_fallback):
            n = _list_entries(state, seat, dice_on(state, FIELD if state.players > 1 else ASIDE), OWN, out)
        if n == 0 or state.passive_optional:
            out[n] = PASS
            n += 1
        return n
    n = _list_entries(state, seat, ~int(state.extra_used) & 63, EXTRA_OWN, out)
    out[n] = END
    return n + 1


@compiled
def dice_on(state: Record, place: int) -> int:
    """Bits of the dice that lie at this place."""
    found = 0
    for die in range(6):
        found |= (1 if state.places[die] == place else 0) << die
    return found


@compiled
def _list_entries(state: Record, seat: int, dice: int, first: int, out: Actions) -> int:
    """All entries of these dice, ascending."""
    n = 0
    for area in range(5):
        if dice >> (area + 1) & 1:
            n = list_cells(state, seat, area, int(state.dice[area + 1]), first, out, n)
    if dice >> WHITE & 1:
        for area in range(5):
            n = list_cells(state, seat, area, int(state.dice[WHITE]), first + JOKER, out, n)
    return n


@compiled
def _list_bonuses(state: Record, seat: int, out: Actions) -> int:
    """The uses of the open bonuses; in a queue only of the oldest."""
    open_ = 0
    for i in range(1 if state.queue else int(state.open[seat])):
        open_ |= 1 << int(state.pending[seat, i])
    n = 0
    for bonus in range(len(BONUSES)):
        if not open_ >> bonus & 1:
            continue
        first = BONUS + bonus * (CELLS + 1)
        if bonus == BLACK:
            for area in range(5):
                n = list_free(state, seat, area, first, out, n)
        else:
            n = list_free(state, seat, BONUS_AREA[bonus], first, out, n)
        if state.bonus_optional:
            out[n] = first + DECLINE
            n += 1
    return n


@compiled
def _list_prototype(state: Record, out: Actions) -> int:
    """Yellow cells of any number that was rolled, else a pass."""
    rolled = 0
    for die in range(int(state.prototype)):
        rolled |= 1 << int(state.dice[die])
    n = 0
    for cell in range(16):
        out[n] = OWN + cell
        n += rolled >> int(YELLOW_NUMBERS[cell]) & 1 & ~(int(state.yellow[0]) >> cell)
    if n == 0:
        out[0] = PASS
        n = 1
    return n


# --- doing it -----------------------------------------------------------------------------------------------


@compiled
def die_of(action: int) -> int:
    """The die that an action enters."""
    if action >= EXTRA_JOKER or JOKER <= action < EXTRA_OWN:
        return WHITE
    return area_of(action if action < JOKER else action - EXTRA_OWN) + 1


@compiled
def cell_of(action: int) -> int:
    """The cell that a die is entered in."""
    return action % CELLS


@compiled
def apply(state: Record, action: int, rng: Rng) -> None:
    place(state, action)
    settle(state, action, rng)


@compiled
def place(state: Record, action: int) -> None:
    """What the action does to the sheet and the dice, before anything is rolled."""
    seat = int(state.turn)
    if action >= BONUS:
        bonus, cell = (action - BONUS) // (CELLS + 1), (action - BONUS) % (CELLS + 1)
        take_pending(state, seat, bonus)
        if cell != DECLINE:
            enter(state, seat, cell, bonus_number(bonus, cell))
    elif action == ROLL_AGAIN:
        state.rerolls[seat] -= 1
    elif action < ROLL_AGAIN:
        die = die_of(action)
        enter(state, seat, cell_of(action), int(state.dice[die]))
        if state.phase == ACTIVE and not state.prototype:
            _put_on_field(state, die)
        elif state.phase == ACTIVE_EXTRA or state.phase == PASSIVE_EXTRA:
            state.extra_used |= 1 << die
            state.extras[seat] -= 1


@compiled
def _put_on_field(state: Record, chosen: int) -> None:
    """The chosen die goes to a field, all lower ones of the pool to the tray."""
    state.places[chosen] = FIELD
    for die in range(6):
        if state.places[die] == POOL and state.dice[die] < state.dice[chosen]:
            state.places[die] = TRAY


@compiled
def settle(state: Record, action: int, rng: Rng) -> None:
    """Go on to the next decision."""
    seat = int(state.turn)
    if action == ROLL_AGAIN:
        _roll(state, rng)
    elif state.prototype:
        _next_prototype_roll(state, rng)
    elif state.thesis and state.phase == ACTIVE and state.roll and state.round_number == 6 and _is_last(state):
        _finish(state)  # the bonuses of the last entry are not used
    elif state.open[seat]:
        pass
    elif state.phase == ACTIVE:
        if state.roll == 0:
            _begin_turn(state, rng)
        elif _is_last(state):
            _open_window(state, ACTIVE_EXTRA, rng)
        else:
            state.roll += 1
            _roll(state, rng)
    elif state.phase == PASSIVE:
        _open_window(state, PASSIVE_EXTRA, rng)
    elif action == END or state.extras[seat] == 0:
        _close_window(state, rng)


@compiled
def _is_last(state: Record) -> bool:
    """Whether the active turn ends with this choice."""
    return state.roll == ROLLS or dice_on(state, POOL) == 0


@compiled
def _next_prototype_roll(state: Record, rng: Rng) -> None:
    if state.round_number == PROTOTYPE_ROUNDS:
        _finish(state)
    else:
        state.round_number += 1
        _roll(state, rng)


@compiled
def _finish(state: Record) -> None:
    for seat in range(int(state.players)):
        for i in range(int(state.open[seat])):
            state.pending[seat, i] = 0
        state.open[seat] = 0
    state.phase, state.turn = ENDED, state.active


@compiled
def _roll(state: Record, rng: Rng) -> None:
    """Roll the dice of the pool."""
    for die in range(6):
        if state.places[die] == POOL:
            state.dice[die] = 1 + below(rng, 6)


@compiled
def _begin_round(state: Record) -> None:
    """What the round track gives to everybody."""
    if state.prototype:
        return
    for seat in range(int(state.players)):
        if state.round_number == 1 or state.round_number == 3:
            state.rerolls[seat] += 1
        elif state.round_number == 2:
            state.extras[seat] += 1
        elif state.round_number == 4 and usable(state, seat, BLACK):
            add_pending(state, seat, BLACK)


@compiled
def _begin_turn(state: Record, rng: Rng) -> None:
    """Roll all dice, once the bonuses of the round are used: everybody's, the active player's first."""
    state.phase, state.roll = ACTIVE, 0
    for die in range(6):
        state.places[die] = ASIDE if state.prototype and die >= state.prototype else POOL
    for i in range(int(state.players)):
        seat = (int(state.active) + i) % int(state.players)
        if state.open[seat]:
            state.turn = seat
            return
    state.turn, state.roll = state.active, 1
    _roll(state, rng)


@compiled
def _open_window(state: Record, phase: int, rng: Rng) -> None:
    """Let the player use +1 actions; nobody is asked who has none."""
    if phase == ACTIVE_EXTRA:
        for die in range(6):
            if state.places[die] == POOL:
                state.places[die] = TRAY
    state.phase, state.extra_used = phase, 0
    if state.extras[state.turn] == 0:
        _close_window(state, rng)


@compiled
def _close_window(state: Record, rng: Rng) -> None:
    """On to the next passive player, or to the next turn."""
    state.extra_used = 0
    players = int(state.players)
    following = (int(state.turn) + 1) % players
    if players == 1 and state.phase == ACTIVE_EXTRA:
        state.phase = PASSIVE
        _lay_tray(state, rng)
    elif players > 1 and following != state.active:
        state.phase, state.turn = PASSIVE, following
    else:
        state.active = (int(state.active) + 1) % players
        if state.active == state.starter:
            if state.round_number == ROUNDS[players]:
                _finish(state)
                return
            state.round_number += 1
            _begin_round(state)
        _begin_turn(state, rng)


@compiled
def _lay_tray(state: Record, rng: Rng) -> None:
    """Roll for a player alone: the three lowest dice are the tray, by lot among equals; in the thesis any three."""
    taken = 0
    for die in range(6):
        state.dice[die] = 1 + below(rng, 6)
        state.places[die] = ASIDE
    for _ in range(3):
        lowest, equal = 7, 0
        pick = 0
        for die in range(6):
            if taken >> die & 1:
                continue
            face = 0 if state.thesis else int(state.dice[die])
            if face < lowest:
                lowest, equal = face, 0
            if face == lowest:
                equal += 1
                if below(rng, equal) == 0:
                    pick = die
        taken |= 1 << pick
        state.places[pick] = TRAY


# --- the end ------------------------------------------------------------------------------------------------


@compiled
def scores(state: Record, out: Vector) -> None:
    """The points; with others at the table the best area of each as decimals, which decides between equals."""
    for seat in range(int(state.players)):
        out[seat] = total_points(state, seat)
        if state.players > 1:
            best = 0
            for area in range(5):
                best = max(best, area_points(state, seat, area))
            out[seat] += best / 100.0
