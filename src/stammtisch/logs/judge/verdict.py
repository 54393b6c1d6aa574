"""Scores and games: is what the log says about points what the rules say, and how did the game end.

BrettspielWelt itself counts wrong in one case: where both partners called and one of them is first, the failed grand
tichu of the other is not charged. Such scores are named as such. Games are won by logged scores, for these decided when
people stopped playing.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import Record
from stammtisch.games.tichu.rules import ENDED, SEATS, double_victory
from stammtisch.logs.findings import (
    GAME_NOT_FINISHED,
    GAME_OVERPLAYED,
    ROUND_FAILED,
    SCORE_MISMATCH,
    SCORE_NOT_POSSIBLE,
    SCORE_WITHOUT_GRAND_PENALTY,
    score_detail,
)
from stammtisch.logs.judge.notes import note
from stammtisch.logs.rounds import NO_SCORE, UNFINISHED, Rows

TARGET = 1000
GRAND = 2  # in ``announced``
TIE = 2

_detail = compiled(score_detail)


@compiled
def sum_up(one: Record, state: Record, table: Record, verdict: Record, findings: Rows) -> None:
    """How the round ended, and whether the log says the same."""
    for i in range(SEATS):
        verdict.finished[i] = state.finished[i]
    verdict.winner = state.finished[0]
    if table.broken or state.phase != ENDED:
        return
    verdict.score[0], verdict.score[1] = state.score[0], state.score[1]
    verdict.double_victory = double_victory(state)
    if not verdict.double_victory:
        for seat in range(SEATS):
            if seat != state.finished[0] and seat != state.finished[1] and seat != state.finished[2]:
                verdict.loser = seat
    code, detail = judge_score(one, state)
    if code:
        note(table, verdict, findings, code, int(one.last_line), detail)


@compiled
def judge_score(one: Record, state: Record) -> tuple[int, int]:
    """Compare the logged score of a round that was replayed to its end; code and detail, 0 if they agree."""
    first, second = int(state.score[0]), int(state.score[1])
    detail = _detail(first, second)
    if one.score[0] == first and one.score[1] == second:
        return 0, 0
    winner = int(state.finished[0])
    team, partner = winner & 1, (winner + 2) & 3
    if state.announced[winner] and state.announced[partner] == GRAND:
        spared = 200
        if one.score[team] == state.score[team] + spared and one.score[1 - team] == state.score[1 - team]:
            return SCORE_WITHOUT_GRAND_PENALTY, detail
    return (SCORE_MISMATCH if _possible(one, state) else SCORE_NOT_POSSIBLE), detail


@compiled
def _possible(one: Record, state: Record) -> bool:
    """Whether the logged score could be, whoever of the four was first."""
    for first in range(SEATS):
        points = np.zeros(2, dtype=np.int64)
        for team in range(2):
            points[team] = one.score[team]
            for seat in range(team, SEATS, 2):
                bet = 100 * int(state.announced[seat])
                points[team] -= bet if seat == first else -bet
        if points[first & 1] == 200 and points[1 - (first & 1)] == 0:
            return True
        if points[0] + points[1] == 100 and -25 <= points[0] <= 125 and points[0] % 5 == 0:
            return True
    return False


@compiled
def settled(one: Record, state: Record, verdict: Record) -> bool:
    """Whether no other reading is to be tried: the logged score is explained, or there is none to compare it with."""
    if verdict.score[0] == NO_SCORE:
        return True
    code, _ = judge_score(one, state)
    return code == 0 or code == SCORE_WITHOUT_GRAND_PENALTY


@compiled
def explained_without_calls(one: Record, table: Record, verdict: Record) -> bool:
    """Whether the logged score is that of the rules if the calls that came too late were not counted."""
    if verdict.score[0] == NO_SCORE:
        return False
    for team in range(2):
        points = int(verdict.score[team])
        for seat in range(team, SEATS, 2):
            if table.late >> seat & 1:
                points += -100 if seat == verdict.winner else 100
        if points != one.score[team]:
            return False
    return True


@compiled
def judge_games(text: NDArray[np.uint8], games: Rows, rounds: Rows, judged: Rows, findings: Rows, f: int) -> int:
    """Fill in what concerns whole games; the new number of findings."""
    for file in range(len(games)):
        game = games[file]
        game.winner = UNFINISHED
        if game.rounds == 0:
            continue
        first, last = game.first_round, game.first_round + game.rounds - 1
        overplayed, overplayed_detail = 0, 0
        for number in range(first, last + 1):
            if overplayed == 0 and max(game.total[0], game.total[1]) >= TARGET:
                overplayed = number
                overplayed_detail = _detail(int(game.total[0]), int(game.total[1]))
            game.total[0] += rounds[number].score[0]
            game.total[1] += rounds[number].score[1]
            game.clean_rounds += judged[number].code == 0
            if number > first and not game.player_changed:
                game.player_changed = _changed(text, rounds[number - 1], rounds[number])
        end = rounds[last].last_line
        if max(game.total[0], game.total[1]) < TARGET:
            detail = _detail(int(game.total[0]), int(game.total[1]))
            f = _note(findings, f, game, file, GAME_NOT_FINISHED, end, detail)
        else:
            ahead = game.total[0] - game.total[1]
            game.winner = TIE if ahead == 0 else 0 if ahead > 0 else 1
        if overplayed:
            f = _note(findings, f, game, file, GAME_OVERPLAYED, rounds[overplayed].line, overplayed_detail)
        if game.clean_rounds < game.rounds:
            f = _note(findings, f, game, file, ROUND_FAILED, end, game.rounds - game.clean_rounds)
    return f


@compiled
def _note(findings: Rows, f: int, game: Record, file: int, code: int, line: int, detail: int) -> int:
    one = findings[f]
    one.code, one.file, one["round"], one.line, one.detail = code, file, -1, line, detail
    if game.code == 0:
        game.code = code
    return f + 1


@compiled
def _changed(text: NDArray[np.uint8], before: Record, after: Record) -> bool:
    """Whether another name sits at one of the seats."""
    for seat in range(SEATS):
        a, b = before.names[seat, 0], after.names[seat, 0]
        size = before.names[seat, 1] - a
        if after.names[seat, 1] - b != size:
            return True
        for i in range(size):
            if text[a + i] != text[b + i]:
                return True
    return False
