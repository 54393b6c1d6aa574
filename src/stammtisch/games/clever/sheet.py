"""The score sheet, compiled: its five areas, what may be entered where, what that earns, what it is worth.

Cells have one number each: yellow 0-15 and blue 16-27 row by row, then green 28-38, orange 39-49 and purple 50-60 from
left to right. The printed crosses of the yellow area and the empty place of the blue one are cells that nobody can use.
"""

from __future__ import annotations

import numpy as np

from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import Actions, Record

AREAS = ("yellow", "blue", "green", "orange", "purple")
YELLOW, BLUE, GREEN, ORANGE, PURPLE = range(5)
FIRST_CELL = (0, 16, 28, 39, 50)
BLUE_CELL, GREEN_CELL, ORANGE_CELL, PURPLE_CELL = FIRST_CELL[1:]
CELLS = 61
TRACK = 11  # cells of the green, orange and purple area

YELLOW_NUMBERS = np.array([3, 6, 5, 0, 2, 1, 0, 5, 1, 0, 2, 4, 0, 3, 4, 6], dtype=np.int8)  # 0: a printed cross
PRINTED = 1 << 3 | 1 << 6 | 1 << 9 | 1 << 12
ALL_YELLOW = 0xFFFF
YELLOW_CELLS = np.array(  # the two cells of each number
    [[0, 0], *([int(cell) for cell in np.flatnonzero(number == YELLOW_NUMBERS)] for number in range(1, 7))]
)
COLUMN_POINTS = np.array([10, 14, 16, 20])
DIAGONAL = 1 << 0 | 1 << 5 | 1 << 10 | 1 << 15
ALL_BLUE = 0b1111111111100  # bit n is the number n
BLUE_POINTS = np.array([0, 1, 2, 4, 7, 11, 16, 22, 29, 37, 46, 56])
BLUE_SCORES = BLUE_POINTS[[bin(mask).count("1") for mask in range(1 << 11)]].astype(np.int8)  # by the crosses >> 2
BLUE_ROWS = np.array([0b11100, 0b111100000, 0b1111000000000])
BLUE_COLUMNS = np.array([0b1000100000, 0b10001000100, 0b100010001000, 0b1000100010000])
THRESHOLDS = np.array([1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 6])
GREEN_POINTS = np.array([0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66])
FACTORS = np.array([1, 1, 1, 2, 1, 1, 2, 1, 2, 1, 3])

# Bonuses: first those that enter something, in the words of the notation; then those that are only recorded.
BONUSES = ("yellow_x", "blue_x", "green_x", "orange_4", "orange_5", "orange_6", "purple_6", "black")
YELLOW_X, BLUE_X, GREEN_X, ORANGE_4, ORANGE_5, ORANGE_6, PURPLE_6, BLACK = range(8)
FOX, REROLL, EXTRA, NOTHING = 8, 9, 10, 11
BONUS_AREA = np.array([YELLOW, BLUE, GREEN, ORANGE, ORANGE, ORANGE, PURPLE])
MOST_ACTIONS, MOST_FOXES = 7, 5  # what the bars have room for; no game earns more, a made-up position may
MOST_PENDING = 16  # the sheet and the round track have as many
YELLOW_ROW_BONUS = np.array([BLUE_X, ORANGE_4, GREEN_X, FOX])
BLUE_ROW_BONUS = np.array([ORANGE_5, YELLOW_X, FOX])
BLUE_COLUMN_BONUS = np.array([REROLL, GREEN_X, PURPLE_6, EXTRA])
_ = NOTHING
GREEN_BONUS = np.array([_, _, _, EXTRA, _, BLUE_X, FOX, _, PURPLE_6, REROLL, _])
ORANGE_BONUS = np.array([_, _, REROLL, _, YELLOW_X, EXTRA, _, FOX, _, PURPLE_6, _])
PURPLE_BONUS = np.array([_, _, REROLL, BLUE_X, EXTRA, YELLOW_X, FOX, REROLL, GREEN_X, ORANGE_6, EXTRA])


@compiled
def area_of(cell: int) -> int:
    if cell < BLUE_CELL:
        return YELLOW
    if cell < GREEN_CELL:
        return BLUE
    return GREEN if cell < ORANGE_CELL else ORANGE if cell < PURPLE_CELL else PURPLE


@compiled
def room(state: Record, seat: int, area: int) -> bool:
    """Whether the area has a free cell."""
    if area == YELLOW:
        return state.yellow[seat] != ALL_YELLOW
    if area == BLUE:
        return state.blue[seat] != ALL_BLUE
    if area == GREEN:
        return state.green[seat] < TRACK
    return (state.oranges[seat] if area == ORANGE else state.purples[seat]) < TRACK


@compiled
def last_purple(state: Record, seat: int) -> int:
    """The number that the next purple one must exceed: after a 6 any will do, as in the first cell."""
    n = state.purples[seat]
    return 0 if n == 0 else int(state.purple[seat, n - 1]) % 6


@compiled
def list_cells(state: Record, seat: int, area: int, face: int, first: int, out: Actions, n: int) -> int:
    """List the cells of an area in which the face of a die can be entered, as ``first + cell``; the new length.

    In the blue area the sum of the blue and the white die counts, whichever is used.
    """
    if area == YELLOW:
        for i in range(2):
            cell = YELLOW_CELLS[face, i]
            out[n] = first + cell
            n += 1 - (int(state.yellow[seat]) >> cell & 1)
    elif area == BLUE:
        number = int(state.dice[0]) + int(state.dice[2])
        out[n] = first + BLUE_CELL + number - 1
        n += 1 - (int(state.blue[seat]) >> number & 1)
    elif area == GREEN:
        cell = int(state.green[seat])
        if cell < TRACK and face >= THRESHOLDS[cell]:
            out[n] = first + GREEN_CELL + cell
            n += 1
    elif area == ORANGE:
        cell = int(state.oranges[seat])
        if cell < TRACK:
            out[n] = first + ORANGE_CELL + cell
            n += 1
    else:
        cell = int(state.purples[seat])
        if cell < TRACK and face > last_purple(state, seat):
            out[n] = first + PURPLE_CELL + cell
            n += 1
    return n


@compiled
def list_free(state: Record, seat: int, area: int, first: int, out: Actions, n: int) -> int:
    """List the cells of an area that a bonus can fill, as ``first + cell``; the new length."""
    if area == YELLOW:
        for cell in range(16):
            out[n] = first + cell
            n += 1 - (int(state.yellow[seat]) >> cell & 1)
    elif area == BLUE:
        for number in range(2, 13):
            out[n] = first + BLUE_CELL + number - 1
            n += 1 - (int(state.blue[seat]) >> number & 1)
    elif room(state, seat, area):
        filled = state.green[seat] if area == GREEN else state.oranges[seat] if area == ORANGE else state.purples[seat]
        out[n] = first + FIRST_CELL[area] + int(filled)
        n += 1
    return n


@compiled
def enter(state: Record, seat: int, cell: int, number: int) -> None:
    """Fill a cell and take what it earns; ``number`` is what orange and purple cells get."""
    area = area_of(cell)
    if area == YELLOW:
        _cross_yellow(state, seat, cell)
    elif area == BLUE:
        _cross_blue(state, seat, cell - BLUE_CELL + 1)
    elif area == GREEN:
        state.green[seat] += 1
        _earn(state, seat, GREEN_BONUS[cell - GREEN_CELL])
    elif area == ORANGE:
        state.orange[seat, cell - ORANGE_CELL] = number
        state.oranges[seat] += 1
        _earn(state, seat, ORANGE_BONUS[cell - ORANGE_CELL])
    else:
        state.purple[seat, cell - PURPLE_CELL] = number
        state.purples[seat] += 1
        _earn(state, seat, PURPLE_BONUS[cell - PURPLE_CELL])
    _drop_lost(state, seat)


@compiled
def _cross_yellow(state: Record, seat: int, cell: int) -> None:
    crosses = int(state.yellow[seat]) | 1 << cell
    state.yellow[seat] = crosses
    row = cell >> 2
    if crosses >> 4 * row & 15 == 15:
        _earn(state, seat, YELLOW_ROW_BONUS[row])
    if DIAGONAL >> cell & 1 and crosses & DIAGONAL == DIAGONAL:
        _earn(state, seat, EXTRA)


@compiled
def _cross_blue(state: Record, seat: int, number: int) -> None:
    crosses = int(state.blue[seat]) | 1 << number
    state.blue[seat] = crosses
    row, column = (number - 1) // 4, (number - 1) % 4
    if crosses & BLUE_ROWS[row] == BLUE_ROWS[row]:
        _earn(state, seat, BLUE_ROW_BONUS[row])
    if crosses & BLUE_COLUMNS[column] == BLUE_COLUMNS[column]:
        _earn(state, seat, BLUE_COLUMN_BONUS[column])


@compiled
def _earn(state: Record, seat: int, bonus: int) -> None:
    if state.prototype:
        return
    if bonus == FOX:
        state.foxes[seat] = min(MOST_FOXES, state.foxes[seat] + 1)
    elif bonus == REROLL:
        state.rerolls[seat] = min(MOST_ACTIONS, state.rerolls[seat] + 1)
    elif bonus == EXTRA:
        state.extras[seat] = min(MOST_ACTIONS, state.extras[seat] + 1)
    elif bonus != NOTHING:
        add_pending(state, seat, bonus)


@compiled
def add_pending(state: Record, seat: int, bonus: int) -> None:
    state.pending[seat, state.open[seat]] = bonus
    state.open[seat] += 1


@compiled
def take_pending(state: Record, seat: int, bonus: int) -> None:
    """Remove the oldest open bonus of this kind."""
    found = False
    for i in range(int(state.open[seat])):
        if found:
            state.pending[seat, i - 1] = state.pending[seat, i]
        elif state.pending[seat, i] == bonus:
            found = True
    state.open[seat] -= 1
    state.pending[seat, state.open[seat]] = 0


@compiled
def usable(state: Record, seat: int, bonus: int) -> bool:
    """Whether there is a cell left that the bonus can fill."""
    if bonus != BLACK:
        return room(state, seat, BONUS_AREA[bonus])
    left = False
    for area in range(5):
        left |= room(state, seat, area)
    return left


@compiled
def _drop_lost(state: Record, seat: int) -> None:
    """Bonuses for areas that are full are lost."""
    kept = 0
    n = int(state.open[seat])
    for i in range(n):
        bonus = state.pending[seat, i]
        if usable(state, seat, bonus):
            state.pending[seat, kept] = bonus
            kept += 1
    for i in range(kept, n):
        state.pending[seat, i] = 0
    state.open[seat] = kept


@compiled
def bonus_number(bonus: int, cell: int) -> int:
    """What a bonus writes in an orange or purple cell."""
    if bonus == ORANGE_4:
        return 4
    return 5 if bonus == ORANGE_5 else 6


@compiled
def area_points(state: Record, seat: int, area: int) -> int:
    """The points of one area."""
    points = 0
    if area == YELLOW:
        crosses = int(state.yellow[seat])
        for line in range(4):
            if crosses & (0x1111 << line) == 0x1111 << line:
                points += COLUMN_POINTS[line]
            if state.prototype and crosses >> 4 * line & 15 == 15:  # the prototype counts rows too
                points += COLUMN_POINTS[line]
    elif area == BLUE:
        points = int(BLUE_SCORES[int(state.blue[seat]) >> 2])
    elif area == GREEN:
        points = GREEN_POINTS[state.green[seat]]
    elif area == ORANGE:
        for cell in range(int(state.oranges[seat])):
            points += int(state.orange[seat, cell]) * FACTORS[cell]
    else:
        for cell in range(int(state.purples[seat])):
            points += int(state.purple[seat, cell])
    return points


@compiled
def total_points(state: Record, seat: int) -> int:
    """All areas, and for every fox once more the lowest."""
    total, lowest = 0, 1000
    for area in range(5):
        points = area_points(state, seat, area)
        total += points
        lowest = min(lowest, points)
    return total + int(state.foxes[seat]) * lowest
