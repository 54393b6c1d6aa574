"""The game as the thesis's environment shows it: 247 numbered actions, 85 observations, points as rewards.

Its numbers say which cell, by which die, and whether in the active turn (0-121, also for bonuses) or from the tray and
by a +1 (122-243); then come the re-roll, the pass, and the invalid action that stands for a roll in which nothing fits.
The prototype has its sixteen cells and an invalid action. All of it is one player's game, by any of the rules.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import OVER, Actions, Record
from stammtisch.core.rng import Rng
from stammtisch.games.clever.rules import (
    ACTIVE,
    BONUS,
    END,
    EXTRA_OWN,
    PASS,
    PASSIVE,
    POOL,
    PROTOTYPE_ROUNDS,
    ROUNDS,
    TRAY,
    apply,
    legal_actions,
    player,
)
from stammtisch.games.clever.sheet import (
    BLUE_CELL,
    CELLS,
    GREEN_CELL,
    ORANGE_CELL,
    PURPLE_CELL,
    TRACK,
    YELLOW_NUMBERS,
    area_points,
    total_points,
)

ACTIONS, PASSING, INVALID = 247, 245, 246
PROTOTYPE_ACTIONS, PROTOTYPE_INVALID = 17, 16
SIZE = 85
HIGHEST = np.array(  # what an observation can hold; the lowest is 0, but a die has at least 1
    [6] * 16 + [12] * 12 + [1] * TRACK + [6] * (2 * TRACK) + [6] * 6 + [1] * 6 + [6, 3] + [7] * 3 + [1] * 7,
    dtype=np.int8,
)
PENDING_PLACE = np.array([82, 83, 84, 78, 79, 80, 81])  # of the open bonuses, in the order of sheet.py
NOTHING_FITS = -1.0  # the reward of the invalid action


@compiled
def number_of(state: Record, action: int) -> int:
    """The number of a legal action."""
    if state.prototype:
        return PROTOTYPE_INVALID if action == PASS else action
    if action >= BONUS:
        return (action - BONUS) % (CELLS + 1)
    if action == PASS:
        return INVALID if state.phase == ACTIVE else PASSING
    if action == END:
        return PASSING
    return action + EXTRA_OWN if action < EXTRA_OWN and state.phase == PASSIVE else action


@compiled
def action_of(state: Record, number: int, buffer: Actions) -> int:
    """The legal action of this number, -1 if there is none; of several bonuses for a cell the lower."""
    n = legal_actions(state, buffer)
    for i in range(n):
        if number_of(state, buffer[i]) == number:
            return buffer[i]
    return -1


@compiled
def fill_mask(state: Record, buffer: Actions, out: NDArray[np.bool_]) -> None:
    """Mark the numbers of the legal actions."""
    out[:] = False
    n = legal_actions(state, buffer)
    for i in range(n):
        out[number_of(state, buffer[i])] = True


@compiled
def points(state: Record) -> int:
    """The points of the areas, and of the foxes when the game is over: what the rewards add up to."""
    if player(state) == OVER:
        return total_points(state, 0)
    total = 0
    for area in range(5):
        total += area_points(state, 0, area)
    return total


@compiled
def step(state: Record, action: int, rng: Rng) -> float:
    """Play a legal action; its reward."""
    before = points(state)
    lost = action == PASS and state.phase == ACTIVE
    apply(state, action, rng)
    return points(state) - before + (NOTHING_FITS if lost else 0.0)


@compiled
def observe(state: Record, out: NDArray[np.int8]) -> None:
    """The 85 numbers; see docs/games/clever.md."""
    for cell in range(16):
        out[cell] = 0 if int(state.yellow[0]) >> cell & 1 else YELLOW_NUMBERS[cell]
    out[BLUE_CELL] = 0
    for number in range(2, 13):
        out[BLUE_CELL + number - 1] = 0 if int(state.blue[0]) >> number & 1 else number
    for cell in range(TRACK):
        out[GREEN_CELL + cell] = 1 if cell < state.green[0] else 0
        out[ORANGE_CELL + cell] = state.orange[0, cell]
        out[PURPLE_CELL + cell] = state.purple[0, cell]
    phase = state.phase
    for die in range(6):
        out[61 + die] = state.dice[die]
        if phase == ACTIVE:
            out[67 + die] = 0 if state.places[die] == POOL else 1
        elif phase == PASSIVE:
            out[67 + die] = 0 if state.places[die] == TRAY else 1
        else:
            out[67 + die] = int(state.extra_used) >> die & 1
    out[73] = ROUNDS[1] - int(state.round_number) + (1 if phase == ACTIVE else 0)
    out[74] = max(1, int(state.roll))
    out[75], out[76], out[77] = state.extras[0], state.rerolls[0], state.foxes[0]
    for i in range(78, SIZE):
        out[i] = 0
    for i in range(int(state.open[0])):
        bonus = int(state.pending[0, i])
        if bonus < len(PENDING_PLACE):
            out[PENDING_PLACE[bonus]] = 1


@compiled
def observe_prototype(state: Record, out: NDArray[np.int8]) -> None:
    """The yellow area, the dice, and how many rolls are left."""
    for cell in range(16):
        out[cell] = 0 if int(state.yellow[0]) >> cell & 1 else YELLOW_NUMBERS[cell]
    dice = int(state.prototype)
    for die in range(dice):
        out[16 + die] = state.dice[die]
    out[16 + dice] = PROTOTYPE_ROUNDS - int(state.round_number) + (0 if player(state) == OVER else 1)
