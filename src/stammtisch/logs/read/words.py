"""The words of a log: headers, seats, cards, gifts and numbers, read from bytes, compiled.

Everything is read from the place ``a`` up to the place ``b`` of the text; what is not there is ABSENT.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.compiling import compiled
from stammtisch.games.tichu.cards import PHOENIX
from stammtisch.logs.findings import DUPLICATE_CARD, INVALID_CARD_COUNT, INVALID_CARD_LABEL

Text: TypeAlias = NDArray[np.uint8]

OUTSIDE, GRAND_HANDS, START_HANDS, SCHUPFING, COURSE = range(5)  # where in a round a line stands
BLANK, NEWLINE, DASH, OPEN, CLOSE, COLON, ZERO = 32, 10, 45, 40, 41, 58, 48
ABSENT = -1000  # no number, no place
HIGHEST_SCORE = 9999


def _word(text: str) -> Text:
    return np.frombuffer(text.encode("ascii"), dtype=np.uint8)


GRAND_HEADER, START_HEADER, COURSE_HEADER = _word("Gr.Tichukarten"), _word("Startkarten"), _word("Rundenverlauf")
GRAND_WORD, TICHU_WORD, SCHUPF_WORD = _word("Grosses Tichu:"), _word("Tichu:"), _word("Schupfen:")
BOMB_WORD, WISH_WORD, DRAGON_WORD, RESULT_WORD = (
    _word("BOMBE:"),
    _word("Wunsch:"),
    _word("Drache an:"),
    _word("Ergebnis:"),
)
GIVES_WORD, PASS_WORD = _word("gibt:"), _word("passt")


@compiled
def starts(text: Text, a: int, b: int, word: Text) -> bool:
    if b - a < len(word):
        return False
    for i in range(len(word)):  # noqa: SIM110
        if text[a + i] != word[i]:
            return False
    return True


@compiled
def skip(text: Text, a: int, b: int) -> int:
    """The next place that is not blank."""
    while a < b and text[a] <= BLANK:
        a += 1
    return a


@compiled
def token_end(text: Text, a: int, b: int) -> int:
    """The end of the word that begins here."""
    while a < b and text[a] > BLANK:
        a += 1
    return a


@compiled
def read_header(text: Text, a: int, b: int) -> int:
    """The part of a round that a line of dashes with a word begins."""
    while a < b and text[a] == DASH:
        a += 1
    if starts(text, a, b, GRAND_HEADER):
        return GRAND_HANDS
    if starts(text, a, b, START_HEADER):
        return START_HANDS
    if starts(text, a, b, COURSE_HEADER):
        return COURSE
    return ABSENT


@compiled
def read_seat(text: Text, a: int, b: int) -> int:
    """The seat of ``(2)name``."""
    if b - a < 3 or text[a] != OPEN or text[a + 2] != CLOSE:
        return ABSENT
    seat = int(text[a + 1]) - ZERO
    return seat if 0 <= seat < 4 else ABSENT


@compiled
def read_value(text: Text, a: int, b: int) -> int:
    """The value 2 .. 14 of ``2`` .. ``10``, ``B``, ``D``, ``K``, ``A``."""
    if b - a == 2 and text[a] == 49 and text[a + 1] == 48:
        return 10
    if b - a != 1:
        return ABSENT
    sign = text[a]
    if 50 <= sign <= 57:
        return int(sign) - ZERO
    if sign == 66:
        return 11
    if sign == 68:
        return 12
    if sign == 75:
        return 13
    return 14 if sign == 65 else ABSENT


@compiled
def _card(text: Text, a: int, b: int) -> int:
    """The number of the card that the word from ``a`` to ``b`` names."""
    if b - a < 2:
        return ABSENT
    first = text[a]
    suit = 0 if first == 83 else 1 if first == 66 else 2 if first == 71 else 3 if first == 82 else -1
    if suit >= 0:
        value = read_value(text, a + 1, b)
        return 4 * value - 6 + suit if value != ABSENT else ABSENT
    if b - a != 2:
        return ABSENT
    second = text[a + 1]
    if first == 72 and second == 117:  # Hu
        return 0
    if first == 77 and second == 97:  # Ma
        return 1
    if first == 68 and second == 114:  # Dr
        return 54
    return PHOENIX if first == 80 and second == 104 else ABSENT  # Ph


@compiled
def read_cards(text: Text, a: int, b: int) -> tuple[int, int, int, int, int]:
    """A list of cards: code and detail of what is wrong, the cards, how many, the place of the Phoenix."""
    cards, size, phoenix = 0, 0, -1
    code, detail = 0, 0
    while a < b:
        stop = token_end(text, a, b)
        card = _card(text, a, stop)
        if card == ABSENT:
            return INVALID_CARD_LABEL, a, cards, size, phoenix
        if cards >> card & 1:
            code, detail = DUPLICATE_CARD, 1 << card
        if card == PHOENIX:
            phoenix = size
        cards |= 1 << card
        size += 1
        a = skip(text, stop, b)
    return code, detail, cards, size, phoenix


@compiled
def read_gifts(text: Text, a: int, b: int, one: Any, seat: int) -> tuple[int, int]:
    """The three gifts ``name: card - name: card - name: card -``; code and detail of what is wrong."""
    size = 0
    last, last_end = ABSENT, ABSENT  # the last word of the item
    a = skip(text, a, b)
    while a <= b:
        stop = token_end(text, a, b)
        if a == b or (stop == a + 1 and text[a] == DASH):
            if last != ABSENT:
                card = _card(text, last, last_end)
                if card == ABSENT:
                    return INVALID_CARD_LABEL, last
                if size < 3:
                    one.given[seat, size] = card
                size += 1
            last = ABSENT
            if a == b:
                break
        else:
            last, last_end = a, stop
        a = skip(text, stop, b)
    return (0, 0) if size == 3 else (INVALID_CARD_COUNT, 100 * size + 3)


@compiled
def _number(text: Text, a: int, b: int) -> tuple[int, int]:
    """A whole number and where it ends."""
    sign = 1
    if a < b and text[a] == DASH:
        sign = -1
        a += 1
    begin, number = a, 0
    while a < b and ZERO <= text[a] < ZERO + 10 and number <= HIGHEST_SCORE:
        number = 10 * number + int(text[a]) - ZERO
        a += 1
    if a == begin or number > HIGHEST_SCORE:
        return ABSENT * ABSENT, a
    return sign * number, a


@compiled
def read_result(text: Text, a: int, b: int) -> tuple[int, int]:
    """The two numbers of ``100 - -20``; the second is ABSENT when they cannot be read."""
    no_number = ABSENT * ABSENT
    first, a = _number(text, skip(text, a, b), b)
    a = skip(text, a, b)
    if first == no_number or a >= b or text[a] != DASH:
        return ABSENT, ABSENT
    second, a = _number(text, skip(text, a + 1, b), b)
    if second == no_number or a != b:
        return ABSENT, ABSENT
    return first, second
