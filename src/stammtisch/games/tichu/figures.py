"""Combinations for people: ``combinations``, ``interpretations``, ``playable``, and the 226 figures by number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from stammtisch.core.errors import StammtischError
from stammtisch.core.kernel import Record
from stammtisch.games.tichu.cards import ALL_CARDS, HIGHEST, LOWEST, PHOENIX_BIT, count, read_cards, write_cards
from stammtisch.games.tichu.combinations import (
    BOMB,
    FULLHOUSE,
    KINDS,
    LEAD,
    LENGTH_OF,
    PASS,
    SINGLE,
    STAIR,
    STREET,
    TRIPLE,
    TYPE_OF,
    TYPES,
    cards_of,
    kind_of,
    list_plays,
    obey_wish,
    rank_of,
)
from stammtisch.games.tichu.rules import LOG_FIRST, LOG_LOWER, LOG_SEAT

MOST_PLAYS = 4096
VALUE_TEXTS = {value: str(value) for value in range(LOWEST, HIGHEST + 1)}
_WORDS = {"stair": "stairs", "fullhouse": "full house"}
_SINGLES = {"Hu": "the dog", "Ma": "the Mahjong", "Dr": "the dragon", "Ph": "the Phoenix"}


class BadCombination(StammtischError):
    """A combination that does not exist."""


@dataclass(frozen=True)
class Combination:
    """Cards and what they are meant to be; the rank of a single Phoenix is ``"Ph"`` where nothing lies on a table."""

    cards: tuple[str, ...]
    type: str
    length: int
    rank: float | str

    def __str__(self) -> str:
        return f"{' '.join(self.cards)} ({self.type} of {self.length}, rank {self.rank})"


def combinations(cards: Iterable[str]) -> list[Combination]:
    """Every combination in a set of cards.

    >>> [str(found) for found in combinations(["S8", "R8", "Ph"])][-2:]
    ['R8 Ph (pair of 2, rank 8)', 'S8 R8 Ph (triple of 3, rank 8)']
    """
    return [_combination(play) for play in _plays(_read_hand(cards))]


def interpretations(cards: Iterable[str]) -> list[Combination]:
    """What exactly these cards can be, the highest rank first; empty if they are no combination.

    >>> [found.rank for found in interpretations(["S5", "B5", "Ph", "S9", "B9"])]
    [9, 5]
    """
    return [_combination(play) for play in plays_of(read_cards(cards))]


def playable(
    hand: Iterable[str],
    top: tuple[str, int, float] | None = None,
    wish: int = 0,
    bomb_may_ignore_wish: bool = True,
) -> list[Combination]:
    """What may be played from a hand on ``top`` = (type, length, rank), under an open wish.

    >>> [str(found) for found in playable(["S8", "B9", "RK"], ("single", 1, 1), wish=8)]
    ['S8 (single of 1, rank 8)']
    """
    mask = _read_hand(hand)
    kind, rank = (PASS, LEAD) if top is None else _read_top(top)
    if type(wish) is not int or not (wish == 0 or LOWEST <= wish <= HIGHEST):
        raise BadCombination(f"wish {wish!r}: 0 for none, or a value from 2 to 14")
    buffer = np.empty(MOST_PLAYS, dtype=np.int64)
    n = list_plays(mask, mask, kind, rank, buffer)
    if wish:
        n = abs(obey_wish(mask, wish, bomb_may_ignore_wish, buffer, n))
    return [_combination(int(play), rank) for play in buffer[:n]]


def _read_top(top: tuple[str, int, float]) -> tuple[int, int]:
    try:
        name, length, rank = top
    except (TypeError, ValueError):
        raise BadCombination(f"{str(top)[:60]}: a combination on the table is (type, length, rank)") from None
    kind = read_kind(str(name).lower(), length)
    ranks: list[float] = [figure[2] for figure in figures() if figure[:2] == (str(name).lower(), length)]
    if kind == SINGLE:
        ranks = [*range(1, 16), *(value + 0.5 for value in range(1, 15))]  # a Phoenix lies half a rank above another
    if rank not in ranks or isinstance(rank, bool):
        raise BadCombination(
            f"rank {str(rank)[:20]}: a {name} of {length} lies with a rank from {ranks[0]} to {max(ranks)}"
        )
    return kind, int(2 * rank)


def describe(play: int) -> str:
    """What a play is, in words."""
    one = _combination(play)
    if one.type == "single":
        return _SINGLES.get(one.cards[0], "")
    if one.type == "bomb":
        return "BOMB" if one.length == 4 else f"BOMB of {one.length}"
    long = f" of {one.length}" if one.type in ("stair", "street") else ""
    return f"{_WORDS.get(one.type, one.type)}{long}, rank {one.rank}"


def read_kind(name: str, length: object) -> int:
    """The kind of a type and a length; BadCombination where there is none."""
    if name not in TYPES[1:]:
        raise BadCombination(f"type {name!r}: one of {', '.join(TYPES[1:])}")
    for kind in range(1, KINDS):
        if TYPES[TYPE_OF[kind]] == name and type(length) is int and LENGTH_OF[kind] == length:
            return kind
    raise BadCombination(f"length {length!r}: there is no {name} of this length")


def rank_text(play: int) -> str:
    """The rank of a play as text."""
    return str(_combination(play).rank)


def plays_of(cards: int) -> list[int]:
    """The plays that use exactly these cards, the higher rank first."""
    if not 0 < int(count(cards)) <= 14:
        return []
    found = [play for play in _plays(cards) if cards_of(play) == cards]
    return sorted(found, key=lambda play: -int(rank_of(play, LEAD)))


def plays_so_far(state: Record) -> Iterator[tuple[int, bool, int]]:
    """The plays of the round: who, whether it began a trick, what."""
    for line in state.log[: state.log_length]:
        found = plays_of(int(line) & ALL_CARDS)
        yield int(line) >> LOG_SEAT & 3, bool(int(line) >> LOG_FIRST & 1), found[int(line) >> LOG_LOWER & 1]


def _read_hand(cards: Iterable[str]) -> int:
    mask = read_cards(cards)
    if int(count(mask)) > 14:
        raise BadCombination(f"{int(count(mask))} cards: a hand has 14 at most")
    return mask


def _plays(cards: int) -> list[int]:
    buffer = np.empty(MOST_PLAYS, dtype=np.int64)
    return [int(play) for play in buffer[: list_plays(cards, cards, PASS, LEAD, buffer)]]


def _combination(play: int, beaten: int | None = None) -> Combination:
    kind, cards = int(kind_of(play)), int(cards_of(play))
    rank: float | str = int(rank_of(play, LEAD if beaten is None else beaten)) / 2
    if cards == PHOENIX_BIT and beaten is None:
        rank = "Ph"
    elif rank == int(rank):
        rank = int(rank)
    return Combination(tuple(write_cards(cards)), TYPES[TYPE_OF[kind]], int(LENGTH_OF[kind]), rank)


# --- the figures by number ----------------------------------------------------------------------------------


@cache
def figures() -> list[tuple[str, int, int]]:
    """All 226 combinations as (type, length, rank), in the order of the appendix; a single Phoenix has rank 16."""
    found = []
    for kind in range(1, KINDS):
        length = int(LENGTH_OF[kind])
        if kind == SINGLE:
            ranks = [*range(16), 16]
        elif kind <= TRIPLE or kind in (FULLHOUSE, BOMB):
            ranks = list(range(LOWEST, HIGHEST + 1))
        elif STAIR <= kind < FULLHOUSE:
            ranks = list(range(LOWEST + length // 2 - 1, HIGHEST + 1))
        elif STREET <= kind < BOMB:
            ranks = list(range(length, HIGHEST + 1))
        else:
            ranks = list(range(LOWEST + length - 1, HIGHEST + 1))
        found += [(TYPES[TYPE_OF[kind]], length, rank) for rank in ranks]
    return found


def figure_number(play: int) -> int:
    """The number 1 .. 226 of a play's figure; 0 for a pass."""
    if kind_of(play) == PASS:
        return 0
    one = _combination(play)
    rank = 16 if one.rank == "Ph" else int(one.rank)
    return figures().index((one.type, one.length, rank)) + 1
