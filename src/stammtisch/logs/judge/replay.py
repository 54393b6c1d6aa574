"""Rounds played again on the Tichu kernel and judged by its rules.

A finding that leaves no way to go on ends the replay of its round; all others are noted, and the round goes on as it
was played. Where a log can be read in two ways, the logged score decides.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import Actions, Record
from stammtisch.core.rng import Rng, stream
from stammtisch.games.tichu.kernel import KERNEL
from stammtisch.games.tichu.rules import MOST_ACTIONS, SEATS
from stammtisch.logs.judge.course import follow
from stammtisch.logs.judge.notes import FINDINGS_PER_ROUND, TABLE, prepare
from stammtisch.logs.judge.opening import before_play, check_deal
from stammtisch.logs.judge.verdict import explained_without_calls, judge_games, settled, sum_up
from stammtisch.logs.moves import DEAL, deal
from stammtisch.logs.rounds import FINDING, JUDGED, Parsed, Replayed, Rows

_ACTIONS_PER_EVENT = 6  # a call, what the line says, and at most four questions for bombs
_ACTIONS_BEFORE = 24  # grand calls, early calls, gifts, and what the end of a round needs


def replay(parsed: Parsed) -> Replayed:
    """Play all rounds again and judge them."""
    rounds, events = parsed.rounds, parsed.events
    judged = np.zeros(len(rounds) + 1, dtype=JUDGED)  # the last one is a round of which nothing is judged yet
    actions = np.zeros(_ACTIONS_PER_EVENT * len(events) + _ACTIONS_BEFORE * len(rounds), dtype=np.int64)
    human = np.ones(len(actions), dtype=np.bool_)
    findings = np.zeros(FINDINGS_PER_ROUND * len(rounds) + 3 * len(parsed.games), dtype=FINDING)
    games = parsed.games.copy()
    table, dealt = np.zeros(1, dtype=TABLE), np.zeros(1, dtype=DEAL)
    buffer = np.empty(MOST_ACTIONS, dtype=np.int64)
    rng = stream(0)  # one round has no chance after its deal
    n, found = _replay(
        rounds, events, KERNEL.blank(), table, dealt, judged, actions, human, findings, parsed.findings, buffer, rng
    )
    judged = judged[:-1]
    found = judge_games(parsed.text, games, rounds, judged, findings, found)
    together = np.concatenate([parsed.findings, findings[:found]])
    order = np.lexsort((together["line"], together["file"]))
    return Replayed(parsed, judged, games, together[order], actions[:n].copy(), human[:n].copy())


@compiled
def _replay(
    rounds: Rows,
    events: Rows,
    states: Rows,
    tables: Rows,
    deals: Rows,
    judged: Rows,
    actions: Actions,
    human: NDArray[np.bool_],
    findings: Rows,
    read: Rows,
    buffer: Actions,
    rng: Rng,
) -> tuple[int, int]:
    """Fill ``judged``, ``actions`` and ``findings``; how many actions and findings there are."""
    state, table, dealt = states[0], tables[0], deals[0]
    table.action, table.finding = 0, 0
    for i in range(len(read)):  # what was found while reading comes first
        number = read[i]["round"]
        if number >= 0:
            judged[number].code, judged[number].line = read[i].code, read[i].line
    for number in range(len(rounds)):
        one, verdict = rounds[number], judged[number]
        part = events[one.first_event : one.first_event + one.events]
        judged[-1].code, judged[-1].line = verdict.code, verdict.line
        action, finding = table.action, table.finding
        led, ignored, last = 0, 0, False
        while True:
            judged[number] = judged[-1]
            table.action, table.finding, table.led, table.ignored = action, finding, led, ignored
            _round(one, part, number, state, table, dealt, verdict, actions, human, findings, buffer, rng)
            if last:
                break
            if table.late and explained_without_calls(one, table, verdict):
                ignored, last = int(table.late), True
            elif table.doubts == 0 or settled(one, state, verdict):
                break
            else:  # other bombs led; after the last choice of them, none explains the score and all is as at first
                led = (led - int(table.doubts)) & int(table.doubts)
                last = led == 0
    return table.action, table.finding


@compiled
def _round(
    one: Record,
    events: Rows,
    number: int,
    state: Record,
    table: Record,
    dealt: Record,
    verdict: Record,
    actions: Actions,
    human: NDArray[np.bool_],
    findings: Rows,
    buffer: Actions,
    rng: Rng,
) -> None:
    prepare(table, verdict, one, number)
    if not one.readable:
        return
    for seat in range(SEATS):
        dealt.grand[seat], dealt.start[seat] = one.grand[seat], one.start[seat]
    deal(state, dealt)
    check_deal(one, table, verdict, findings)
    if not table.broken:
        before_play(one, events, state, table, verdict, actions, human, findings, rng)
        follow(one, events, state, table, verdict, actions, human, findings, buffer, rng)
    verdict.actions = table.action - verdict.first_action
    sum_up(one, state, table, verdict, findings)
