"""Before the first trick: whether the deal can be, the calls and the gifts, who holds a bomb after them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import Actions, Record
from stammtisch.core.rng import Rng
from stammtisch.games.tichu.combinations import flush_starts, fours
from stammtisch.games.tichu.rules import ANNOUNCE, CALL_GRAND, CALL_TICHU, NO_GRAND, SCHUPF_CARDS, SEATS
from stammtisch.logs.findings import BOMB_OWNERS_WRONG, CARD_NOT_IN_HAND, DUPLICATE_CARD
from stammtisch.logs.judge.notes import break_off, do, note
from stammtisch.logs.rounds import EARLY_TICHU, GRAND_CALL, Rows


@compiled
def check_deal(one: Record, table: Record, verdict: Record, findings: Rows) -> None:
    """All 56 cards once; the first eight among the fourteen; gifts from the own hand."""
    together, twice, foreign, twice_at, foreign_at = 0, 0, 0, 0, 0
    for seat in range(SEATS):
        start = one.start[seat]
        if together & start:
            twice_at = _earlier(twice_at, one.part_lines[1, seat])
        twice |= together & start
        together |= start
        if one.grand[seat] & ~start:
            foreign_at = _earlier(foreign_at, one.part_lines[0, seat])
        foreign |= one.grand[seat] & ~start
        given = 0
        for i in range(3):
            bit = 1 << one.given[seat, i]
            if given & bit:
                twice_at = _earlier(twice_at, one.part_lines[2, seat])
            twice |= given & bit
            given |= bit
        if given & ~start:
            foreign_at = _earlier(foreign_at, one.part_lines[2, seat])
        foreign |= given & ~start
    if twice:
        break_off(table, verdict, findings, DUPLICATE_CARD, twice_at, twice)
    elif foreign:
        break_off(table, verdict, findings, CARD_NOT_IN_HAND, foreign_at, foreign)


@compiled
def _earlier(known: int, line: int) -> int:
    return line + 0 if known == 0 else min(known, line + 0)


@compiled
def before_play(
    one: Record,
    events: Rows,
    state: Record,
    table: Record,
    verdict: Record,
    actions: Actions,
    human: NDArray[np.bool_],
    findings: Rows,
    rng: Rng,
) -> None:
    """Grand calls, calls before schupfing, gifts; then the owners of bombs are compared."""
    for seat in range(SEATS):
        action = CALL_GRAND if one.tichu[seat] == GRAND_CALL else NO_GRAND
        do(state, table, verdict, actions, human, action, True, rng)
    for i in range(len(events)):
        seat = int(events[i].seat)
        if events[i].kind == EARLY_TICHU and state.announced[seat] == 0:
            action = CALL_TICHU if seat == state.turn else ANNOUNCE + seat
            do(state, table, verdict, actions, human, action, True, rng)
    for seat in range(SEATS):
        gifts = int(one.given[seat, 0]) << 12 | int(one.given[seat, 1]) << 6 | int(one.given[seat, 2])
        do(state, table, verdict, actions, human, SCHUPF_CARDS | gifts, True, rng)
    for seat in range(SEATS):
        if fours(state.hand[seat]) or flush_starts(state.hand[seat]):
            verdict.bombs |= 1 << seat
    if verdict.bombs != one.bombs:
        note(table, verdict, findings, BOMB_OWNERS_WRONG, int(one.bomb_line), int(verdict.bombs))
