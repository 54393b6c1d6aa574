"""What a network is shown: the own sheet, those of the others in their order, dice and their places, the moment."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import Record
from stammtisch.games.clever.rules import PROTOTYPE_ROUNDS
from stammtisch.games.clever.sheet import (
    BONUSES,
    FACTORS,
    THRESHOLDS,
    TRACK,
    area_points,
    last_purple,
)

SHEET = 16 + 11 + TRACK + 4 * TRACK + 6 + 6 + 3 + 3 + len(BONUSES) + 5
TABLE = 36 + 24 + 6 + 11 + 5 + 3 + PROTOTYPE_ROUNDS + 1
AREA_SCALE = np.array([120.0, 56.0, 66.0, 96.0, 66.0])


def size(players: int) -> int:
    """How many numbers an observation has."""
    return players * SHEET + TABLE


@compiled
def observe(state: Record, seat: int, out: NDArray[np.float32]) -> None:
    """All numbers are from 0 to 1."""
    out[:] = 0.0
    players = int(state.players)
    for i in range(players):
        _show_sheet(state, (seat + i) % players, out[i * SHEET :])
    at = players * SHEET
    for die in range(6):
        if state.dice[die]:
            out[at + 6 * die + int(state.dice[die]) - 1] = 1.0
        out[at + 36 + 4 * die + int(state.places[die])] = 1.0
        out[at + 60 + die] = int(state.extra_used) >> die & 1
    if state.dice[2]:
        out[at + 66 + int(state.dice[0]) + int(state.dice[2]) - 2] = 1.0
    out[at + 77 + int(state.phase)] = 1.0
    if state.roll:
        out[at + 82 + int(state.roll) - 1] = 1.0
    out[at + 85 + int(state.round_number) - 1] = 1.0
    out[at + 85 + PROTOTYPE_ROUNDS] = 1.0 if state.active == seat else 0.0


@compiled
def _show_sheet(state: Record, seat: int, out: NDArray[np.float32]) -> None:
    for cell in range(16):
        out[cell] = int(state.yellow[seat]) >> cell & 1
    for number in range(2, 13):
        out[14 + number] = int(state.blue[seat]) >> number & 1
    green, oranges, purples = int(state.green[seat]), int(state.oranges[seat]), int(state.purples[seat])
    for cell in range(TRACK):
        out[27 + cell] = 1.0 if cell < green else 0.0
        out[38 + cell] = 1.0 if cell < oranges else 0.0
        out[49 + cell] = int(state.orange[seat, cell]) / 6.0
        out[60 + cell] = 1.0 if cell < purples else 0.0
        out[71 + cell] = int(state.purple[seat, cell]) / 6.0
    out[82 + last_purple(state, seat)] = 1.0 if purples < TRACK else 0.0
    if green < TRACK:
        out[88 + THRESHOLDS[green] - 1] = 1.0
    if oranges < TRACK:
        out[94 + FACTORS[oranges] - 1] = 1.0
    out[97] = int(state.rerolls[seat]) / 7.0
    out[98] = int(state.extras[seat]) / 7.0
    out[99] = int(state.foxes[seat]) / 5.0
    for i in range(int(state.open[seat])):
        out[100 + int(state.pending[seat, i])] = 1.0
    for area in range(5):
        out[108 + area] = area_points(state, seat, area) / AREA_SCALE[area]
