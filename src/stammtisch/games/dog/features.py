"""What a network sees: planes as long as the board, turned so that the seat that looks is the first player.

The first planes are the pins of each player, of the own side and of the others, one column per field: the track from
the own start field on, then the goals. All further planes are numbers, the same in every column.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import Record
from stammtisch.games.dog.board import GOAL, HOME, PINS, SEATS
from stammtisch.games.dog.cards import KINDS
from stammtisch.games.dog.rules import DMADN, GIFTS, MADN, PARTS, VALUES


def planes(variant: int, players: int) -> int:
    """How many planes there are."""
    if variant == MADN:
        return 2 * players + 3
    if variant == DMADN:
        return 2 * players + 2 + VALUES * players
    return 4 * players + 2 + 4 * KINDS + 3


@compiled
def observe(state: Record, seat: int, out: NDArray[np.float32]) -> None:
    players, around = int(state.players), 4 * int(state.distance)
    width = around + SEATS * PINS
    out[: (players + 2) * width] = 0.0  # all other planes are filled
    for i in range(players):
        owner = (seat + i) % players
        turned = int(state.start[owner]) - int(state.start[seat])
        own_side = owner == seat or (state.teams and (owner ^ seat) & 1 == 0)
        home = 0
        for pin in range(PINS):
            place = int(state.pins[owner, pin])
            if place == HOME:
                home += 1
                continue
            column = (place + turned) % around
            if place >= GOAL:
                column = around + PINS * ((turned // int(state.distance)) % SEATS) + place - GOAL
            out[i * width + column] = 1.0
            out[(players if own_side else players + 1) * width + column] += 1.0
        _fill(out, players + 2 + i, width, home)
    plane = 2 * players + 2
    if state.variant == MADN:
        _fill(out, plane, width, int(state.die))
        return
    if state.variant == DMADN:
        for i in range(players):
            for value in range(VALUES):
                _fill(out, plane, width, int(state.tokens[(seat + i) % players, value]))
                plane += 1
        return
    for i in range(players):
        size = 0
        for card in range(KINDS):
            size += state.hands[(seat + i) % players, card]
        _fill(out, plane, width, size)
        _fill(out, plane + players, width, 1 if state.turn == (seat + i) % players else 0)
        plane += 1
    plane += players
    gift = int(state.gifts[seat]) if state.gifts[seat] else int(state.given[seat])
    for card in range(KINDS):
        _fill(out, plane, width, int(state.hands[seat, card]))
        _fill(out, plane + KINDS, width, int(state.played[card]))
        _fill(out, plane + 2 * KINDS, width, int(state.folded[seat, card]))
        _fill(out, plane + 3 * KINDS, width, 1 if gift == card + 1 else 0)
        plane += 1
    plane += 3 * KINDS
    _fill(out, plane, width, 1 if state.phase == GIFTS else 0)
    _fill(out, plane + 1, width, int(state.left) if state.phase == PARTS else 0)
    _fill(out, plane + 2, width, int(state.deal))


@compiled
def _fill(out: NDArray[np.float32], plane: int, width: int, value: int) -> None:
    out[plane * width : (plane + 1) * width] = np.float32(value)
