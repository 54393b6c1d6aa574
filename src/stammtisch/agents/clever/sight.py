"""What the value network sees of a position in which the dice are about to fall.

Such a position is described by ``SLOTS`` questions, each with one of a few answers: which cells of a yellow row are
crossed, how many foxes there are and how poor the poorest area is, which dice are still in the pool. An answer is a row
of the network's first layer, so nothing is multiplied, and two positions that differ in few answers share most of the
work.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import Record
from stammtisch.games.clever.rules import POOL, WHITE
from stammtisch.games.clever.sheet import (
    BLUE,
    BLUE_SCORES,
    FACTORS,
    GREEN,
    GREEN_POINTS,
    ORANGE,
    PURPLE,
    THRESHOLDS,
    TRACK,
    YELLOW,
    YELLOW_CELLS,
    area_points,
    last_purple,
)

Answers = NDArray[np.int32]

# The moments at which dice fall: the three rolls of an active turn; the passive turn before the next active one, that
# before it, and that before that; the beginning of round 4, whose black bonus is still open; passive turns before the
# first active one.
ROLL_1, ROLL_2, ROLL_3, TRAY_1, TRAY_2, TRAY_3, BEFORE_BLACK, EARLY = range(8)
MOMENTS = 8
TURNS = 6
BUCKETS = TURNS * MOMENTS

_YELLOW = (16,) * 8 + (16,) + (4,) * 6 + (13 * TURNS,)  # rows, columns, the diagonal, numbers, crosses by turn
_BLUE = (8, 16, 16, 4, 8, 8, 8, 12 * TURNS)  # rows, columns, crosses by turn
_TRACKS = (12 * TURNS, 12 * TURNS, 24, 12 * TURNS, 72, 24)  # green; orange and its points; purple, last number, points
_FOXES = (6 * 12,) * 6  # foxes with the points of each area and of the poorest
_ACTIONS = (8 * BUCKETS, 8 * BUCKETS, 4 * TURNS)  # re-rolls and +1 by moment, the place in the order of the players
_POOL = (129, 8, 27, 8, 5, 8)  # the dice of the pool; how much each of them can be used
_OUTSIDE = (98, 26, 26, 26, 26, 26)  # dice that only a +1 can still use
SIZES: Sequence[int] = _YELLOW + _BLUE + _TRACKS + _FOXES + _ACTIONS + _POOL + _OUTSIDE
SLOTS = len(SIZES)
FIRST = np.concatenate(([0], np.cumsum(SIZES)[:-1])).astype(np.int32)
ROWS = int(sum(SIZES))

BLUE_AT = len(_YELLOW)
TRACKS_AT = BLUE_AT + len(_BLUE)
FOXES_AT = TRACKS_AT + len(_TRACKS)
ACTIONS_AT = FOXES_AT + len(_FOXES)
POOL_AT = ACTIONS_AT + len(_ACTIONS)
OUTSIDE_AT = POOL_AT + len(_POOL)

COUNT = np.array([bin(mask).count("1") for mask in range(1 << 12)], dtype=np.int8)
POINT_STEPS = np.minimum(np.arange(128) // 5, 11).astype(np.int8)  # 12 steps of 5 points


@compiled
def look(state: Record, seat: int, turn: int, moment: int, out: Answers) -> int:
    """Write the answers, as rows of the first layer; the points that are already on the sheet.

    ``moment`` says which dice fall next for this seat, ``turn`` in or after which of its active turns, from 1. They
    need not be those of the state: the end of a turn is looked at as the beginning of the next, with what the round
    track gives.
    """
    turn -= 1
    yellow, blue = int(state.yellow[seat]), int(state.blue[seat])
    green, oranges, purples = int(state.green[seat]), int(state.oranges[seat]), int(state.purples[seat])
    foxes, rerolls, extras = int(state.foxes[seat]), int(state.rerolls[seat]), int(state.extras[seat])
    if moment == ROLL_1 and turn + 1 != state.round_number:
        if turn == 2:
            rerolls = min(7, rerolls + 1)
        elif turn == 1:
            extras = min(7, extras + 1)
    for line in range(4):
        out[line] = yellow >> 4 * line & 15
        column = yellow >> line
        out[4 + line] = column & 1 | column >> 3 & 2 | column >> 6 & 4 | column >> 9 & 8
    out[8] = yellow & 1 | yellow >> 4 & 2 | yellow >> 8 & 4 | yellow >> 12 & 8
    useful = 0  # yellow numbers with a free cell
    for number in range(1, 7):
        crossed = (yellow >> YELLOW_CELLS[number, 0] & 1) + 2 * (yellow >> YELLOW_CELLS[number, 1] & 1)
        out[8 + number] = crossed
        useful += crossed != 3
    out[15] = (COUNT[yellow & 255] + COUNT[yellow >> 8] - 4) * 6 + turn
    out[BLUE_AT] = blue >> 2 & 7
    out[BLUE_AT + 1] = blue >> 5 & 15
    out[BLUE_AT + 2] = blue >> 9 & 15
    out[BLUE_AT + 3] = blue >> 5 & 1 | blue >> 8 & 2
    for column in range(1, 4):
        down = blue >> (column + 1)
        out[BLUE_AT + 3 + column] = down & 1 | down >> 3 & 2 | down >> 6 & 4
    crosses = COUNT[blue >> 2]
    out[BLUE_AT + 7] = crosses * 6 + turn
    lead = last_purple(state, seat)
    orange_points, purple_points = area_points(state, seat, ORANGE), area_points(state, seat, PURPLE)
    out[TRACKS_AT] = green * 6 + turn
    out[TRACKS_AT + 1] = oranges * 6 + turn
    out[TRACKS_AT + 2] = min(23, orange_points // 3)
    out[TRACKS_AT + 3] = purples * 6 + turn
    out[TRACKS_AT + 4] = purples * 6 + lead
    out[TRACKS_AT + 5] = min(23, purple_points // 3)
    points, lowest = 0, 1000
    for area in range(5):
        if area == YELLOW:
            here = area_points(state, seat, YELLOW)
        elif area == BLUE:
            here = int(BLUE_SCORES[blue >> 2])
        elif area == GREEN:
            here = GREEN_POINTS[green]
        else:
            here = orange_points if area == ORANGE else purple_points
        points += here
        lowest = min(lowest, here)
        out[FOXES_AT + area] = foxes * 12 + POINT_STEPS[here]
    out[FOXES_AT + 5] = foxes * 12 + POINT_STEPS[lowest]
    bucket = turn * MOMENTS + moment
    out[ACTIONS_AT] = bucket * 8 + rerolls
    out[ACTIONS_AT + 1] = bucket * 8 + extras
    out[ACTIONS_AT + 2] = (seat - int(state.starter)) % int(state.players) * 6 + turn
    if moment in (ROLL_2, ROLL_3):
        _look_at_dice(state, blue, yellow, green, oranges, purples, lead, useful, crosses, extras, moment, out)
    else:
        for slot in range(POOL_AT, SLOTS):
            out[slot] = 0
    for slot in range(SLOTS):
        out[slot] += FIRST[slot]
    return points + foxes * lowest


@compiled
def _look_at_dice(
    state: Record,
    blue: int,
    yellow: int,
    green: int,
    oranges: int,
    purples: int,
    lead: int,
    useful: int,
    crosses: int,
    extras: int,
    moment: int,
    out: Answers,
) -> None:
    """What the dice of the pool can still do, and those outside of it for a +1."""
    pool = 0
    for die in range(6):
        pool |= (1 if state.places[die] == POOL else 0) << die
    needed = int(THRESHOLDS[green]) if green < TRACK else 7
    out[POOL_AT] = 1 + pool + (64 if moment == ROLL_3 else 0)
    out[POOL_AT + 1] = 1 + useful if pool >> 1 & 1 else 0
    white_rolls, blue_rolls = pool & 1, pool >> 2 & 1
    if white_rolls and blue_rolls:
        out[POOL_AT + 2] = 15 + crosses
    elif white_rolls or blue_rolls:
        kept = int(state.dice[2]) if white_rolls else int(state.dice[WHITE])
        free = 6 - COUNT[blue >> (kept + 1) & 63]
        out[POOL_AT + 2] = 1 + free + (7 if white_rolls else 0)
    else:
        out[POOL_AT + 2] = 0
    out[POOL_AT + 3] = needed if pool >> 3 & 1 else 0
    out[POOL_AT + 4] = 0
    if pool >> 4 & 1:
        out[POOL_AT + 4] = int(FACTORS[oranges]) if oranges < TRACK else 4
    out[POOL_AT + 5] = 0
    if pool >> 5 & 1:
        out[POOL_AT + 5] = 1 + lead if purples < TRACK else 7
    many = 1 if extras else 0
    out[OUTSIDE_AT] = 49 * many
    if not white_rolls:
        face = int(state.dice[WHITE])
        cells = YELLOW_CELLS[face]
        fits = 1 if not (yellow >> cells[0] & 1 and yellow >> cells[1] & 1) else 0
        fits += 2 if face >= needed else 0
        fits += 4 if face > lead and purples < TRACK else 0
        out[OUTSIDE_AT] += 1 + (face - 1) * 8 + fits
    for die in range(1, 6):
        out[OUTSIDE_AT + die] = 13 * many
        if pool >> die & 1:
            continue
        face = int(state.dice[die])
        fit = True
        if die == 1:
            cells = YELLOW_CELLS[face]
            fit = not (yellow >> cells[0] & 1 and yellow >> cells[1] & 1)
        elif die == 2:
            fit = not white_rolls and not blue >> (face + int(state.dice[WHITE])) & 1
        elif die == 3:
            fit = face >= needed
        elif die == 4:
            fit = oranges < TRACK
        else:
            fit = face > lead and purples < TRACK
        out[OUTSIDE_AT + die] += face + (6 if fit else 0)
