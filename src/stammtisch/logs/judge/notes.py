"""What the replay of a round remembers beside the kernel's state, and what it writes down: actions and findings."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import Actions, Record
from stammtisch.core.rng import Rng
from stammtisch.games.tichu.rules import NOBODY, SEATS
from stammtisch.logs.judge.tricks import OPEN, step
from stammtisch.logs.rounds import EARLY_CALL, NO_CALL, NO_SCORE, Rows

FINDINGS_PER_ROUND = 24
_SEVERAL = FINDINGS_PER_ROUND - 4  # so many of a round's findings are listed

# What the replay of one round remembers beside the kernel's state.
TABLE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("played", np.int64),  # all cards that lie or lay on the table
                ("called_at", np.int64, (4,)),  # the event of each seat's first tichu call; -1: none
                ("first_play", np.int64, (4,)),  # the event of each seat's first play
                ("action", np.int64),  # the next free place among the actions
                ("finding", np.int64),  # and among the findings
                ("file", np.int32),
                ("round", np.int32),
                ("found", np.int32),  # findings of this round
                ("takes", np.int8),  # who has to pass on his own trick now; -1: nobody
                ("broken", np.int8),  # the replay cannot go on
                ("too_long", np.int8),
                ("late", np.int8),  # bits of the seats whose call came too late
                ("ignored", np.int8),  # and of those whose late call the score does not know
                ("doubts", np.int8),  # bits of the seats that were out when their trick was bombed, or taken first
                ("led", np.int8),  # of these, the seats whose trick is taken to have been theirs: the bomb led
            ],
            align=True,
        ),
    )
)


@compiled
def prepare(table: Record, verdict: Record, one: Record, number: int) -> None:
    table.file, table["round"], table.found = one.file, number, 0
    table.played, table.takes, table.broken, table.too_long, table.late, table.doubts = 0, NOBODY, 0, 0, 0, 0
    verdict.first_action = table.action
    verdict.score[0], verdict.score[1] = NO_SCORE, NO_SCORE
    verdict.winner, verdict.loser, verdict.winner_turn = NOBODY, NOBODY, NOBODY
    verdict.dragon_giver, verdict.dragon_recipient, verdict.wish = NOBODY, NOBODY, -1
    for seat in range(SEATS):
        verdict.finished[seat] = NOBODY
        verdict.tichu[seat] = one.tichu[seat] if one.tichu[seat] < 0 else NO_CALL
        verdict.premature[seat] = one.tichu[seat] == EARLY_CALL


@compiled
def note(table: Record, verdict: Record, findings: Rows, code: int, line: int, detail: int) -> None:
    """Write a finding down; the first one is the round's."""
    if verdict.code == 0:
        verdict.code, verdict.line = code, line
    if table.found < _SEVERAL:
        one = findings[table.finding]
        one.code, one.line, one.detail, one.file, one["round"] = code, line, detail, table.file, table["round"]
        table.finding += 1
        table.found += 1


@compiled
def break_off(table: Record, verdict: Record, findings: Rows, code: int, line: int, detail: int) -> None:
    """A finding after which the round cannot be followed any more."""
    note(table, verdict, findings, code, line, detail)
    table.broken = 1


@compiled
def do(
    state: Record,
    table: Record,
    verdict: Record,
    actions: Actions,
    human: NDArray[np.bool_],
    action: int,
    by_person: bool,
    rng: Rng,
) -> None:
    """Apply an action and write it down; count a trick that it closes, whose owner should then say that he takes it."""
    actions[table.action], human[table.action] = action, by_person
    table.action += 1
    taker = step(state, action, rng)
    if taker != OPEN:
        verdict.tricks += 1
        table.takes = taker
