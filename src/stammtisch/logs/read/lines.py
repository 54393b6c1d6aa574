"""The lines of a round: what a line says becomes part of the round, or an event of its course, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.compiling import compiled
from stammtisch.games.tichu.cards import DOG_BIT
from stammtisch.logs.findings import (
    ANNOUNCEMENT_NOT_POSSIBLE,
    INVALID_CARD_COUNT,
    LINE_NOT_UNDERSTOOD,
    PART_MISSING,
)
from stammtisch.logs.read.words import (
    ABSENT,
    BOMB_WORD,
    COLON,
    COURSE,
    DRAGON_WORD,
    GIVES_WORD,
    GRAND_HANDS,
    GRAND_WORD,
    PASS_WORD,
    SCHUPFING,
    START_HANDS,
    TICHU_WORD,
    WISH_WORD,
    Text,
    read_cards,
    read_gifts,
    read_seat,
    read_value,
    skip,
    starts,
    token_end,
)
from stammtisch.logs.rounds import (
    DRAGON,
    EARLY_CALL,
    EARLY_TICHU,
    GRAND_CALL,
    NO_CALL,
    PASS,
    PLAY,
    TAKE,
    TICHU,
    WISH,
    Rows,
)

_LEVEL_DEAL, _LEVEL_PLAY, _LEVEL_SCHUPF = 1, 2, 3  # how far the name in a line is to be trusted


@compiled
def seat_line(
    text: Text,
    a: int,
    b: int,
    stage: int,
    line: int,
    one: Any,
    events: Rows,
    e: int,
    seen: NDArray[np.int64],
    level: NDArray[np.int64],
    table: NDArray[np.int64],
) -> tuple[int, int, int]:
    """A line that begins with a seat: a hand, a gift, a play or a pass; code and detail of what is wrong."""
    seat = read_seat(text, a, b)
    if seat == ABSENT:
        return LINE_NOT_UNDERSTOOD, a, e
    name = a + 3
    stop = token_end(text, name, b)
    rest = skip(text, stop, b)
    if stage == COURSE:
        event = events[e]
        event.line, event.seat, event.value, event.cards, event.phoenix = line, seat, 0, 0, -1
        if stop > name and text[stop - 1] == COLON:
            _take_name(one, level, seat, name, stop - 1, _LEVEL_PLAY)
            code, detail, cards, size, event.phoenix = read_cards(text, rest, b)
            if code == 0 and size == 0:
                code = INVALID_CARD_COUNT
            event.kind, event.cards = PLAY, cards
            table[0] = -1 if cards == DOG_BIT else seat
            table[1] += 1
            return code, detail, e + 1
        if starts(text, rest, b, PASS_WORD) and token_end(text, rest, b) == b and b - rest <= len(PASS_WORD) + 1:
            _take_name(one, level, seat, name, stop, _LEVEL_PLAY)
            if table[0] == seat:  # the owner takes his trick
                event.kind, table[0] = TAKE, -1
            else:
                event.kind = PASS
                table[1] += 1
            return 0, 0, e + 1
        return LINE_NOT_UNDERSTOOD, a, e
    if seen[stage] >> seat & 1:
        return PART_MISSING, stage, e
    if stage == SCHUPFING and not starts(text, rest, b, GIVES_WORD):
        return LINE_NOT_UNDERSTOOD, a, e
    seen[stage] |= 1 << seat
    one.part_lines[stage - GRAND_HANDS, seat] = line
    if stage == SCHUPFING:
        _take_name(one, level, seat, name, stop, _LEVEL_SCHUPF)
        code, detail = read_gifts(text, rest + len(GIVES_WORD), b, one, seat)
        return code, detail, e
    _take_name(one, level, seat, name, stop, _LEVEL_DEAL)
    code, detail, cards, size, _ = read_cards(text, rest, b)
    wanted = 8 if stage == GRAND_HANDS else 14
    if code == 0 and size != wanted:
        code, detail = INVALID_CARD_COUNT, 100 * size + wanted
    if stage == GRAND_HANDS:
        one.grand[seat] = cards
    else:
        one.start[seat] = cards
    return code, detail, e


@compiled
def word_line(
    text: Text, a: int, b: int, stage: int, line: int, one: Any, events: Rows, e: int, table: NDArray[np.int64]
) -> tuple[int, int, int]:
    """A call, the owners of bombs, a wish or the dragon's gift; code and detail of what is wrong."""
    if starts(text, a, b, TICHU_WORD) or starts(text, a, b, GRAND_WORD):
        grand = not starts(text, a, b, TICHU_WORD)
        place = skip(text, a + (len(GRAND_WORD) if grand else len(TICHU_WORD)), b)
        seat = read_seat(text, place, b)
        if seat == ABSENT or stage < START_HANDS:
            return LINE_NOT_UNDERSTOOD, a, e
        called = one.tichu[seat]
        if grand and stage == START_HANDS and called != EARLY_CALL:
            one.tichu[seat] = GRAND_CALL
            return 0, 0, e
        if grand or called == GRAND_CALL:
            return ANNOUNCEMENT_NOT_POSSIBLE, seat, e
        if called == NO_CALL:
            one.tichu[seat] = table[1] if stage == COURSE else EARLY_CALL
        if called == EARLY_CALL:
            return 0, 0, e
        return 0, 0, _event(events, e, TICHU if stage == COURSE else EARLY_TICHU, line, seat, 0)
    if stage == SCHUPFING and starts(text, a, b, BOMB_WORD):
        place = skip(text, a + len(BOMB_WORD), b)
        one.bomb_line = line
        while place < b:
            seat = read_seat(text, place, b)
            if seat == ABSENT:
                return LINE_NOT_UNDERSTOOD, a, e
            one.bombs |= 1 << seat
            place = skip(text, token_end(text, place, b), b)
        return 0, 0, e
    if stage == COURSE and starts(text, a, b, WISH_WORD):
        place = skip(text, a + len(WISH_WORD), b)
        value = read_value(text, place, b)
        if value == ABSENT:
            return LINE_NOT_UNDERSTOOD, a, e
        if one.wish == 0:
            one.wish = value
        return 0, 0, _event(events, e, WISH, line, -1, value)
    if stage == COURSE and starts(text, a, b, DRAGON_WORD):
        seat = read_seat(text, skip(text, a + len(DRAGON_WORD), b), b)
        if seat == ABSENT:
            return LINE_NOT_UNDERSTOOD, a, e
        if one.dragon < 0:
            one.dragon = seat
        return 0, 0, _event(events, e, DRAGON, line, seat, 0)
    return LINE_NOT_UNDERSTOOD, a, e


@compiled
def _event(events: Rows, e: int, kind: int, line: int, seat: int, value: int) -> int:
    event = events[e]
    event.kind, event.line, event.seat, event.value, event.cards, event.phoenix = kind, line, seat, value, 0, -1
    return e + 1


@compiled
def _take_name(one: Any, level: NDArray[np.int64], seat: int, begin: int, end: int, trust: int) -> None:
    """Remember a name if it is more to be trusted than what is known; an empty one says nothing."""
    if end > begin and trust > level[seat]:
        one.names[seat, 0], one.names[seat, 1] = begin, end
        level[seat] = trust
