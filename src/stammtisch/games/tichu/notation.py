"""Moves as text: cards, ``pass``, ``tichu``, ``grand`` / ``no``, ``schupf S2 Dr B10``, ``wish 8``, ``dragon 1``."""

from __future__ import annotations

from stammtisch.core.errors import BadMove
from stammtisch.games.tichu.cards import (
    CARDS,
    HIGHEST,
    LOWEST,
    PHOENIX_BIT,
    BadCards,
    read_card,
    read_cards,
    write_cards,
)
from stammtisch.games.tichu.combinations import KIND_SHIFT, KINDS, LOWER, PASS, cards_of
from stammtisch.games.tichu.figures import VALUE_TEXTS, plays_of, rank_text
from stammtisch.games.tichu.rules import (
    ANNOUNCE,
    CALL_GRAND,
    CALL_TICHU,
    GIVE_DRAGON,
    NO_GRAND,
    SCHUPF_CARDS,
    SEATS,
    WISH_NONE,
)

_WORDS = {"pass": PASS, "no": NO_GRAND, "grand": CALL_GRAND, "tichu": CALL_TICHU, "wish none": WISH_NONE}
_FIXED = {code: word for word, code in _WORDS.items()}
HELP = "cards such as 'S8 R8', pass, tichu, grand, no, schupf S2 Dr B10, wish 8, wish none or dragon 1"


def read_move(text: str) -> int:
    """The action code of a move's text."""
    words = text.split()
    if not words:
        raise BadMove(f"a move is {HELP}")
    plain = " ".join(words).lower()
    if plain in _WORDS:
        return _WORDS[plain]
    first, rest = words[0].lower(), words[1:]
    if first == "schupf":
        return _read_gifts(rest)
    if first in ("wish", "dragon", "tichu"):
        if len(rest) != 1:
            raise BadMove(f"'{_short(text)}': {first} needs one number")
        return _read_number(first, rest[0])
    return _read_play(text, words)


def write_move(action: int) -> str:
    """The text of an action code."""
    if action in _FIXED:
        return _FIXED[action]
    if WISH_NONE + LOWEST <= action <= WISH_NONE + HIGHEST:
        return f"wish {VALUE_TEXTS[action - WISH_NONE]}"
    if GIVE_DRAGON <= action < GIVE_DRAGON + SEATS:
        return f"dragon {action - GIVE_DRAGON}"
    if ANNOUNCE <= action < ANNOUNCE + SEATS:
        return f"tichu {action - ANNOUNCE}"
    if SCHUPF_CARDS <= action < SCHUPF_CARDS + (1 << 18):
        gifts = [(action - SCHUPF_CARDS) >> shift & 63 for shift in (12, 6, 0)]
        if max(gifts) < CARDS and len(set(gifts)) == 3:
            return " ".join(["schupf", *(write_cards(1 << card)[0] for card in gifts)])
    if 0 < action < KINDS << KIND_SHIFT and action in plays_of(cards_of(action)):
        return write_play(action)
    raise BadMove(f"{action} is no action of tichu")


def write_play(play: int) -> str:
    """Cards as text; a lower reading of the Phoenix has its rank appended."""
    text = " ".join(write_cards(cards_of(play)))
    return f"{text}={rank_text(play)}" if play & LOWER else text


def _read_play(text: str, words: list[str]) -> int:
    last, equals, rank = words[-1].partition("=")
    try:
        cards = read_cards([*words[:-1], last])
    except BadCards as error:
        raise BadMove(f"'{_short(text)}': {error}; a move is {HELP}") from None
    found = plays_of(cards)
    if not found:
        raise BadMove(f"'{_short(text)}' is no combination")
    if not equals:
        return found[0]
    for play in found:
        if cards != PHOENIX_BIT and str(_number(rank)) == rank_text(play):
            return play
    raise BadMove(f"'{_short(text)}': these cards can be of rank {' or '.join(rank_text(play) for play in found)}")


def _read_gifts(words: list[str]) -> int:
    try:
        gifts = [read_card(word) for word in words]
        read_cards(words)
    except BadCards as error:
        raise BadMove(f"schupf: {error}") from None
    if len(gifts) != 3:
        raise BadMove("schupf names three cards: for the right opponent, the partner and the left opponent")
    return SCHUPF_CARDS | gifts[0] << 12 | gifts[1] << 6 | gifts[2]


def _read_number(word: str, text: str) -> int:
    number = _number(text)
    if word == "wish":
        values = {name: value for value, name in VALUE_TEXTS.items()}
        value = values.get(text.upper(), number)
        if LOWEST <= value <= HIGHEST:
            return WISH_NONE + value
        raise BadMove(f"wish {_short(text)}: a value from 2 to 14 (11 jack, 12 queen, 13 king, 14 ace), or none")
    if 0 <= number < SEATS:
        return (GIVE_DRAGON if word == "dragon" else ANNOUNCE) + number
    raise BadMove(f"{word} {_short(text)}: a seat from 0 to 3")


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 4 else -1


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."
