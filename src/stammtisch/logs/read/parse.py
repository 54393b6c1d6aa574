"""From bytes to rounds: a reader that goes through the text once, compiled, and never gives up.

It follows the grammar line by line and takes note of what does not fit: at most one finding per round, the first.
A round counts when its result is there. Seats come from the number in brackets alone; a name is what the schupf line
calls the seat, else a play, else the deal, because the names of the deal may be of people who have left.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.compiling import compiled
from stammtisch.logs.findings import (
    ANNOUNCEMENT_NOT_POSSIBLE,
    LINE_NOT_UNDERSTOOD,
    NO_ROUND,
    PART_MISSING,
    ROUND_CUT_OFF,
    ROUND_RESTARTED,
)
from stammtisch.logs.read.lines import seat_line, word_line
from stammtisch.logs.read.words import (
    ABSENT,
    BLANK,
    COURSE,
    DASH,
    GRAND_HANDS,
    NEWLINE,
    OPEN,
    OUTSIDE,
    RESULT_WORD,
    SCHUPF_WORD,
    SCHUPFING,
    Text,
    read_header,
    read_result,
    starts,
)
from stammtisch.logs.rounds import EVENT, FINDING, GAME, NO_CALL, ROUND, Parsed, Rows, Source

MARK = b"\xef\xbb\xbf"
_FINDINGS_PER_FILE = 4


def parse(sources: Sequence[Source]) -> Parsed:
    """Read some files. Costs memory of about five times their size."""
    parts = [_cleaned(source.data) for source in sources]
    text = np.frombuffer(b"".join(parts), dtype=np.uint8)
    ends = np.cumsum([len(part) for part in parts], dtype=np.int64)
    lines = int(np.count_nonzero(text == NEWLINE))
    headers = sum(part.count(b"Gr.Tichukarten") for part in parts)
    games = np.zeros(len(parts), dtype=GAME)
    rounds = np.zeros(headers + 1, dtype=ROUND)
    events = np.zeros(lines + 1, dtype=EVENT)
    findings = np.zeros(3 * headers + _FINDINGS_PER_FILE * len(parts), dtype=FINDING)
    whole = np.array([not source.data.endswith(b"\n") for source in sources], dtype=np.bool_)
    problems = np.array([source.code for source in sources], dtype=np.int64)
    n = _parse(text, ends, whole, problems, games, rounds, events, findings)
    return Parsed(list(sources), text, games, rounds[: n[0]].copy(), events[: n[1]].copy(), findings[: n[2]].copy())


def _cleaned(data: bytes) -> bytes:
    """Without the NUL bytes and marks of order that stand in front of lines in some files; ends with a line's end."""
    if b"\0" in data:
        data = data.replace(b"\0", b"")
    data = data.removeprefix(MARK)
    return data if data.endswith(b"\n") else data + b"\n"


@compiled
def _parse(
    text: Text,
    ends: NDArray[np.int64],
    open_end: NDArray[np.bool_],
    problems: NDArray[np.int64],
    games: Rows,
    rounds: Rows,
    events: Rows,
    findings: Rows,
) -> tuple[int, int, int]:
    """Fill the arrays; how many rounds, events and findings there are."""
    begin, r, e, f = 0, 0, 0, 0
    for file in range(len(ends)):
        game = games[file]
        game.first_round = r
        if problems[file]:
            f = _note(findings, f, problems[file], file, -1, 0, 0)
        else:
            r, e, f, game.lines = _parse_file(
                text, begin, ends[file], open_end[file], file, rounds, r, events, e, findings, f
            )
            if r == game.first_round:
                f = _note(findings, f, NO_ROUND, file, -1, 0, 0)
        game.rounds = r - game.first_round
        begin = ends[file]
    return r, e, f


@compiled
def _note(findings: Rows, f: int, code: int, file: int, number: int, line: int, detail: int) -> int:
    """Write a finding down; the new number of them."""
    one = findings[f]
    one.code, one.file, one["round"], one.line, one.detail = code, file, number, line, detail
    return f + 1


@compiled
def _parse_file(
    text: Text,
    begin: int,
    end: int,
    open_end: bool,
    file: int,
    rounds: Rows,
    r: int,
    events: Rows,
    e: int,
    findings: Rows,
    f: int,
) -> tuple[int, int, int, int]:
    first_round, line, stage, foreign, no_result = r, 0, OUTSIDE, False, False
    headers = np.zeros(5, dtype=np.int64)  # the line where each stage of the round begins; 0: not yet
    seen = np.zeros(5, dtype=np.int64)  # bits of the seats whose line was there, per stage
    level = np.zeros(4, dtype=np.int64)  # where each seat's name comes from
    table = np.zeros(2, dtype=np.int64)  # the owner of the trick or -1, and the number of turns so far
    at = begin
    while at < end:
        line += 1
        a = at
        while text[at] != NEWLINE:
            at += 1
        b = at
        at += 1
        while a < b and text[b - 1] <= BLANK:
            b -= 1
        while a < b and text[a] <= BLANK:
            a += 1
        if a == b:
            continue
        code, detail = 0, 0
        first = text[a]
        if first == OPEN and stage != OUTSIDE:
            code, detail, e = seat_line(text, a, b, stage, line, rounds[r], events, e, seen, level, table)
        elif first == DASH:
            header = read_header(text, a, b)
            if header == GRAND_HANDS:
                if stage != OUTSIDE:
                    f -= rounds[r].problem != 0  # what was found in a round that does not count
                    f = _note(findings, f, ROUND_RESTARTED, file, -1, line, 0)
                    e = rounds[r].first_event
                _begin(rounds[r], file, line, r - first_round, e)
                seen[:], level[:] = 0, 0
                table[0], table[1] = -1, 0
                stage, foreign, no_result = GRAND_HANDS, False, False
                headers[:] = 0
            elif header == ABSENT or stage == OUTSIDE:
                code, detail = LINE_NOT_UNDERSTOOD, a
            else:
                stage = header
                headers[stage] = line
                if stage == COURSE and rounds[r].bomb_line == 0:
                    rounds[r].bomb_line = line
        elif stage == OUTSIDE:
            code, detail = LINE_NOT_UNDERSTOOD, a
        elif starts(text, a, b, SCHUPF_WORD):
            stage = SCHUPFING
            headers[stage] = line
        elif starts(text, a, b, RESULT_WORD):
            one, two = read_result(text, a + len(RESULT_WORD), b)
            if two == ABSENT:  # said of the file: the round will not count
                if not no_result and rounds[r].problem == 0:
                    f = _note(findings, f, LINE_NOT_UNDERSTOOD, file, -1, line, a)
                no_result = True
            else:
                part = _missing(seen, stage)
                if part and rounds[r].problem == 0:
                    rounds[r].problem = PART_MISSING
                    f = _note(findings, f, PART_MISSING, file, r, _line_after(headers, part, line), part)
                _finish(rounds[r], line, e, one, two, part == 0)
                r, stage, foreign = r + 1, OUTSIDE, False
        else:
            code, detail, e = word_line(text, a, b, stage, line, rounds[r], events, e, table)
        if code == LINE_NOT_UNDERSTOOD and open_end and at >= end and stage != OUTSIDE:
            code = 0  # the round is cut off within this line
        elif code == LINE_NOT_UNDERSTOOD and open_end and at >= end and first == DASH:
            code, detail = ROUND_CUT_OFF, 0  # within its first line
        if code and stage == OUTSIDE:
            if not foreign:  # once between two rounds is enough
                f = _note(findings, f, code, file, -1, line, detail)
            foreign = True
        elif code:
            if code not in (LINE_NOT_UNDERSTOOD, ANNOUNCEMENT_NOT_POSSIBLE):
                rounds[r].readable = 0
            if rounds[r].problem == 0:
                rounds[r].problem = code
                f = _note(findings, f, code, file, r, line, detail)
    if stage != OUTSIDE:
        f -= rounds[r].problem != 0
        f = _note(findings, f, ROUND_CUT_OFF, file, -1, line, 0)
        e = rounds[r].first_event
    return r, e, f, line


@compiled
def _begin(one: Any, file: int, line: int, index: int, e: int) -> None:
    one.file, one.line, one["index"], one.first_event = file, line, index, e
    one.problem, one.bombs, one.wish, one.dragon, one.readable, one.bomb_line = 0, 0, 0, -1, 1, 0
    for seat in range(4):
        for part in range(3):
            one.part_lines[part, seat] = 0
        one.grand[seat], one.start[seat], one.tichu[seat] = 0, 0, NO_CALL
        one.names[seat, 0], one.names[seat, 1] = 0, 0
        for i in range(3):
            one.given[seat, i] = -1


@compiled
def _finish(one: Any, line: int, e: int, first: int, second: int, complete: bool) -> None:
    one.last_line, one.events = line, e - one.first_event
    one.score[0], one.score[1] = first, second
    one.readable = one.readable and complete


@compiled
def _line_after(headers: NDArray[np.int64], part: int, last: int) -> int:
    """Where a part that is missing should have been before: the line of the next one, or that of the result."""
    for later in range(part + 1, len(headers)):
        if headers[later]:
            return int(headers[later])
    return last


@compiled
def _missing(seen: NDArray[np.int64], stage: int) -> int:
    """The first part of a round that is not complete; 0 if all are."""
    for part in range(GRAND_HANDS, COURSE):
        if seen[part] != 15:
            return part
    return 0 if stage == COURSE else COURSE
