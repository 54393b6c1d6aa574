"""Players by rules of thumb, compiled: ``greedy`` takes points, ``decide`` also sees what its entries may still become.

``worth`` estimates the final points of a sheet. Every cell, row and column counts with the chance that it gets filled:
the fewer cells it needs and the more entries the player still has, the better. ``decide`` looks one entry ahead.
"""

from __future__ import annotations

import numpy as np

from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import Actions, Record, Vector
from stammtisch.core.rng import Rng
from stammtisch.games.clever.rules import (
    ACTIVE,
    ACTIVE_EXTRA,
    ENDED,
    POOL,
    PROTOTYPE_ROUNDS,
    ROLL_AGAIN,
    ROLLS,
    ROUNDS,
    dice_on,
    legal_actions,
    place,
)
from stammtisch.games.clever.sheet import (
    BLUE,
    BLUE_COLUMN_BONUS,
    BLUE_COLUMNS,
    BLUE_POINTS,
    BLUE_ROW_BONUS,
    BLUE_ROWS,
    COLUMN_POINTS,
    DIAGONAL,
    EXTRA,
    FACTORS,
    FOX,
    GREEN,
    GREEN_BONUS,
    GREEN_POINTS,
    MOST_PENDING,
    ORANGE,
    ORANGE_BONUS,
    PURPLE,
    PURPLE_BONUS,
    THRESHOLDS,
    TRACK,
    YELLOW,
    YELLOW_ROW_BONUS,
    area_points,
    last_purple,
    total_points,
)

# The numbers behind ``worth``, found by benchmarks/tune_clever.py. Bonuses come first, in the order of sheet.py.
NUMBERS = (
    ("yellow cross", 8.19),
    ("blue cross", 11.3),
    ("green cross", 8.43),
    ("orange 4", 0.418),
    ("orange 5", 3.71),
    ("orange 6", 4.98),
    ("purple 6", 12.2),
    ("black", 3.66),
    ("fox", 0.236),  # how much less a fox counts for every entry to come
    ("re-roll", 1.96),
    ("+1", 8.61),
    ("nothing", 0.0),
    ("yellow share", -0.00285),  # of the entries to come; next to nothing: only finished columns count
    ("blue share", 0.196),
    ("green share", 0.463),
    ("orange share", 0.396),
    ("purple share", 0.335),
    ("passive entry", 1.49),  # counts as so many of the active turn
    ("+1 entry", 0.929),
    ("orange number", 3.68),  # what is entered on average
    ("purple number", 3.04),
    ("purple lead", 0.133),  # how much each step of the last number delays the next
    ("rare blue", 0.566),  # how much each step away from 7 delays a blue cell
    ("high green", 0.158),  # how much each step of a threshold delays a green cell
    ("die", 1.96),  # what a die that is left is worth with one more roll
    ("die again", 2.52),  # and with two
    ("white die", 2.39),
    ("roll again", 2.51),  # a best entry that gains less than this per ...
    ("few dice", 0.283),  # ... is rolled again; changes with the dice
)
GREEN_GAINS, PURPLE_GAINS = np.arange(1, TRACK + 1), np.ones(TRACK, dtype=np.int64)
WEIGHTS = np.array([number for _, number in NUMBERS])
REROLL_WEIGHT = 9
YELLOW_SHARE, BLUE_SHARE, GREEN_SHARE, ORANGE_SHARE, PURPLE_SHARE = range(12, 17)
PASSIVE_ENTRY, EXTRA_ENTRY, ORANGE_NUMBER, PURPLE_NUMBER, PURPLE_LEAD, RARE_BLUE, HIGH_GREEN = range(17, 24)
DIE, DIE_AGAIN, WHITE_DIE, AGAIN, FEW_DICE = range(24, 29)


# What solo games bring in the end beyond ``worth``: by round, and by phase and roll (``moment``).
BEYOND = np.array(
    [
        [0.0, -4.5, 1.2, 8.3, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 11.0, 0.0, 0.0, 0.0, 17.6],
        [0.0, -8.8, -2.5, 4.4, 0.0, 0.0, -0.6, 4.0, 0.0, 0.0, 4.1, 8.5, 0.0, 0.0, 7.6, 8.1],
        [0.0, -6.0, 2.0, 9.8, 0.0, 0.0, 1.8, 10.4, 0.0, 0.0, 6.0, 17.0, 0.0, 0.0, 8.3, 16.5],
        [-15.7, -8.4, 1.1, 9.5, 0.0, 0.0, 0.8, 10.4, 0.0, 0.0, 6.6, 17.8, 0.0, 0.0, 7.4, 17.6],
        [0.0, 6.8, 14.6, 21.4, 0.0, 4.4, 8.9, 21.2, 0.0, 0.5, 16.4, 27.5, 0.0, 1.3, 13.6, 23.3],
        [0.0, 9.1, 14.0, 18.6, 0.0, 11.5, 15.7, 18.1, 0.0, 0.9, 9.8, 8.7, 0.0, 0.3, 8.0, 9.3],
    ]
)


@compiled
def greedy(state: Record, buffer: Actions, rng: Rng) -> int:
    """The most points at once, the first of equals; dice are rolled again only when nothing fits."""
    n = legal_actions(state, buffer)
    seat, saved = int(state.turn), np.empty(SAVED, dtype=np.int64)
    save(state, seat, saved)
    best, chosen = -1, buffer[0]
    for i in range(n):
        place(state, buffer[i])
        points = total_points(state, seat)
        restore(state, seat, saved)
        if points > best:
            best, chosen = points, buffer[i]
    return chosen


# --- trying an action ---------------------------------------------------------------------------------------

SAVED = 16 + MOST_PENDING


@compiled
def save(state: Record, seat: int, out: Actions) -> None:
    """Keep what ``place`` may change, for ``restore``."""
    out[0], out[1], out[2] = state.yellow[seat], state.blue[seat], state.green[seat]
    out[3], out[4] = state.oranges[seat], state.purples[seat]
    out[5], out[6], out[7] = state.rerolls[seat], state.extras[seat], state.foxes[seat]
    out[8], out[9] = state.open[seat], state.extra_used
    for die in range(6):
        out[10 + die] = state.places[die]
    for i in range(MOST_PENDING):
        out[16 + i] = state.pending[seat, i]


@compiled
def restore(state: Record, seat: int, saved: Actions) -> None:
    for cell in range(saved[3], int(state.oranges[seat])):
        state.orange[seat, cell] = 0
    for cell in range(saved[4], int(state.purples[seat])):
        state.purple[seat, cell] = 0
    state.yellow[seat], state.blue[seat], state.green[seat] = saved[0], saved[1], saved[2]
    state.oranges[seat], state.purples[seat] = saved[3], saved[4]
    state.rerolls[seat], state.extras[seat], state.foxes[seat] = saved[5], saved[6], saved[7]
    state.open[seat], state.extra_used = saved[8], saved[9]
    for die in range(6):
        state.places[die] = saved[10 + die]
    for i in range(MOST_PENDING):
        state.pending[seat, i] = saved[16 + i]


# --- what a sheet is worth ----------------------------------------------------------------------------------


@compiled
def decide(state: Record, buffer: Actions, rng: Rng) -> int:
    """The action that leaves the sheet worth most."""
    if legal_actions(state, buffer) == 1:
        return buffer[0]
    return best_action(state, buffer, WEIGHTS)[0]


@compiled
def best_action(state: Record, buffer: Actions, weights: Vector) -> tuple[int, float]:
    """What to do, and what the sheet is worth then."""
    n = legal_actions(state, buffer)
    seat, saved = int(state.turn), np.empty(SAVED, dtype=np.int64)
    save(state, seat, saved)
    best, chosen, again = -np.inf, buffer[0], False
    for i in range(n):
        if buffer[i] == ROLL_AGAIN:
            again = True
            continue
        place(state, buffer[i])
        value = worth(state, seat, weights)
        restore(state, seat, saved)
        if value > best:
            best, chosen = value, buffer[i]
    if again:
        hope = _roll_again_worth(state, seat, weights)
        if hope > best:
            return ROLL_AGAIN, hope
    return chosen, best


@compiled
def _roll_again_worth(state: Record, seat: int, weights: Vector) -> float:
    """What the best of another roll of these dice should be worth."""
    dice = 0
    for die in range(6):
        dice += state.places[die] == POOL
    return worth(state, seat, weights) + weights[AGAIN] + weights[FEW_DICE] * (6 - dice) - weights[REROLL_WEIGHT]


@compiled
def moment(state: Record) -> int:
    """The phase and the roll in one number."""
    return 4 * int(state.phase) + int(state.roll)


@compiled
def entries_left(state: Record, seat: int, weights: Vector) -> float:
    """How many entries the seat still has, about, after the present one."""
    others = max(1, int(state.players) - 1)
    per_round = ROLLS + others * weights[PASSIVE_ENTRY]
    rounds = int(ROUNDS[state.players]) - int(state.round_number)
    phase = state.phase
    now = 0.0
    if phase == ACTIVE:
        now = others * weights[PASSIVE_ENTRY]
        if dice_on(state, POOL):
            now += ROLLS - int(state.roll)
    elif phase == ACTIVE_EXTRA:
        now = others * weights[PASSIVE_ENTRY]
    if state.thesis:  # round 6 has no tray
        now -= weights[PASSIVE_ENTRY]
    return max(0.0, rounds * per_round + now + int(state.extras[seat]) * weights[EXTRA_ENTRY])


@compiled
def chance(need: float, have: float) -> float:
    """How likely something that needs so many entries is finished, when about so many will be made there."""
    return have * have / (have * have + need * need) if need > 0.0 else 1.0


@compiled
def worth(state: Record, seat: int, weights: Vector) -> float:
    """About how many points the sheet will have, and what the dice that are left add."""
    if state.prototype:
        return _prototype_worth(int(state.yellow[seat]), PROTOTYPE_ROUNDS - int(state.round_number))
    left = entries_left(state, seat, weights)
    points = np.empty(5)
    bonuses = 0.0
    foxes = float(state.foxes[seat])
    for area in range(5):
        share = left * weights[YELLOW_SHARE + area]
        if area == YELLOW:
            points[area], more, fox = yellow_worth(int(state.yellow[seat]), share, weights)
        elif area == BLUE:
            points[area], more, fox = blue_worth(int(state.blue[seat]), share, weights)
        elif area == GREEN:
            points[area], more, fox = green_worth(int(state.green[seat]), share, weights)
        elif area == ORANGE:
            points[area], more, fox = orange_worth(state, seat, share, weights)
        else:
            points[area], more, fox = purple_worth(state, seat, share, weights)
        bonuses += more
        foxes += fox
    value = bonuses + np.sum(points) + foxes * np.min(points) / (1.0 + weights[FOX] * left)
    for i in range(int(state.open[seat])):
        value += weights[int(state.pending[seat, i])]
    turns = int(ROUNDS[state.players]) - int(state.round_number) + (1 if state.phase == ACTIVE else 0)
    value += weights[REROLL_WEIGHT] * min(int(state.rerolls[seat]), 2 * turns)
    if state.phase == ACTIVE and state.roll < ROLLS:
        value += _dice_worth(state, weights)
    return value


@compiled
def _prototype_worth(crosses: int, left: float) -> float:
    value = 0.0
    for line in range(4):
        value += COLUMN_POINTS[line] * chance(4 - _count(crosses & (0x1111 << line)), left)
        value += COLUMN_POINTS[line] * chance(4 - _count(crosses & (15 << 4 * line)), left)
    return value


@compiled
def _dice_worth(state: Record, weights: Vector) -> float:
    each = weights[DIE] if state.roll == ROLLS - 1 else weights[DIE_AGAIN]
    value = 0.0
    for die in range(6):
        if state.places[die] == POOL:
            value += each
    if state.places[0] == POOL:
        value += weights[WHITE_DIE]
    return value


@compiled
def _count(bits: int) -> int:
    n = 0
    while bits:
        bits &= bits - 1
        n += 1
    return n


@compiled
def yellow_worth(crosses: int, share: float, weights: Vector) -> tuple[float, float, float]:
    """Points, bonuses and foxes to expect."""
    points, bonuses, foxes = 0.0, 0.0, 0.0
    for line in range(4):
        column = 4 - _count(crosses & (0x1111 << line))
        points += COLUMN_POINTS[line] * chance(column, share)
        row = 4 - _count(crosses & (15 << 4 * line))
        if row:
            if line == 3:
                foxes = chance(row, share)
            else:
                bonuses += weights[YELLOW_ROW_BONUS[line]] * chance(row, share)
    if crosses & DIAGONAL != DIAGONAL:
        bonuses += weights[EXTRA] * chance(4 - _count(crosses & DIAGONAL), share)
    return points, bonuses, foxes


@compiled
def blue_worth(crosses: int, share: float, weights: Vector) -> tuple[float, float, float]:
    n = _count(crosses)
    reach = min(float(n) + share, 11.0)
    whole = min(int(reach), 10)
    points = BLUE_POINTS[whole] + (reach - whole) * (BLUE_POINTS[whole + 1] - BLUE_POINTS[whole])
    bonuses, foxes = 0.0, 0.0
    for row in range(3):
        need = _blue_need(BLUE_ROWS[row] & ~crosses, weights)
        if need > 0.0:
            if row == 2:
                foxes = chance(need, share)
            else:
                bonuses += weights[BLUE_ROW_BONUS[row]] * chance(need, share)
    for column in range(4):
        need = _blue_need(BLUE_COLUMNS[column] & ~crosses, weights)
        if need > 0.0:
            bonuses += weights[BLUE_COLUMN_BONUS[column]] * chance(need, share)
    return points, bonuses, foxes


@compiled
def _blue_need(missing: int, weights: Vector) -> float:
    need = 0.0
    for number in range(2, 13):
        if missing >> number & 1:
            need += 1.0 + weights[RARE_BLUE] * abs(number - 7)
    return need


@compiled
def green_worth(filled: int, share: float, weights: Vector) -> tuple[float, float, float]:
    points = float(GREEN_POINTS[filled])
    return _track_worth(filled, points, 0.0, share, weights, GREEN_BONUS, 1.0, GREEN_GAINS, weights[HIGH_GREEN])


@compiled
def orange_worth(state: Record, seat: int, share: float, weights: Vector) -> tuple[float, float, float]:
    filled, points = int(state.oranges[seat]), float(area_points(state, seat, ORANGE))
    return _track_worth(filled, points, 0.0, share, weights, ORANGE_BONUS, weights[ORANGE_NUMBER], FACTORS, 0.0)


@compiled
def purple_worth(state: Record, seat: int, share: float, weights: Vector) -> tuple[float, float, float]:
    filled, points = int(state.purples[seat]), float(area_points(state, seat, PURPLE))
    delay = weights[PURPLE_LEAD] * last_purple(state, seat)
    return _track_worth(filled, points, delay, share, weights, PURPLE_BONUS, weights[PURPLE_NUMBER], PURPLE_GAINS, 0.0)


@compiled
def _track_worth(
    filled: int,
    points: float,
    need: float,
    share: float,
    weights: Vector,
    bonus: Actions,
    number: float,
    gains: Actions,
    height: float,
) -> tuple[float, float, float]:
    """Of a row from left to right: a cell brings ``number`` times its gain; ``height`` is the price of thresholds."""
    bonuses, foxes = 0.0, 0.0
    for cell in range(filled, TRACK):
        need += 1.0 + height * (THRESHOLDS[cell] - 1)
        likely = chance(need, share)
        points += number * gains[cell] * likely
        if bonus[cell] == FOX:
            foxes += likely
        else:
            bonuses += weights[bonus[cell]] * likely
    return points, bonuses, foxes


@compiled
def estimate(state: Record, seat: int, out: Vector) -> None:
    """About how many points everybody will have; sheets are open, so every seat may know it."""
    for player in range(int(state.players)):
        out[player] = total_points(state, player) if state.phase == ENDED else worth(state, player, WEIGHTS)
