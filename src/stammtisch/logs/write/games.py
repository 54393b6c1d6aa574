"""Games as logs: what was played here, in the words of BrettspielWelt, to the blank at the end of a line.

A log is written from deals and the kernel's actions alone, so a log that was read and replayed can be written again.
Hands and plays are printed from high to low; the Phoenix stands before the cards of the value that it replaces.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.compiling import compiled
from stammtisch.core.errors import StammtischError
from stammtisch.core.game import State
from stammtisch.core.kernel import Actions, Record
from stammtisch.core.record import GameRecord
from stammtisch.core.rng import Rng, stream
from stammtisch.games.tichu.cards import (
    DRAGON,
    HIGHEST,
    LOWEST,
    NAMES,
    PHOENIX,
    PHOENIX_BIT,
    VALUE_NAMES,
    count,
    nibble,
)
from stammtisch.games.tichu.combinations import (
    BOMB,
    FULLHOUSE,
    LENGTH_OF,
    LOWER,
    PASS,
    STAIR,
    STREET,
    cards_of,
    flush_starts,
    fours,
    kind_of,
)
from stammtisch.games.tichu.kernel import KERNEL
from stammtisch.games.tichu.rules import (
    ANNOUNCE,
    BOMB_PHASE,
    CALL_TICHU,
    GIVE_DRAGON,
    GRAND,
    SCHUPF,
    SCHUPF_CARDS,
    SEATS,
    SPECIAL,
    WISH_NONE,
    player,
)
from stammtisch.logs.judge.tricks import step
from stammtisch.logs.moves import DEAL, Rounds, deal
from stammtisch.logs.rounds import NO_SCORE, Replayed

Bytes: TypeAlias = NDArray[np.uint8]
_BLANK, _NEWLINE, _DASH = 32, 10, 45
_CARD_WIDTH = 4


def _word(text: str) -> Bytes:
    return np.frombuffer(text.encode("ascii"), dtype=np.uint8)


def _card_names() -> Bytes:
    """The name of every card with the blank behind it, filled up with zeros."""
    table = np.zeros((len(NAMES), _CARD_WIDTH), dtype=np.uint8)
    for card, name in enumerate(NAMES):
        table[card, : len(name) + 1] = _word(f"{name} ")
    return table


CARD_NAMES = _card_names()
VALUE_SIGNS = np.array([0, 0, *(ord(name[0]) for name in VALUE_NAMES)], dtype=np.uint8)
GRAND_HEADER = _word("---------------Gr.Tichukarten------------------\n")
START_HEADER = _word("---------------Startkarten------------------\n")
COURSE_HEADER = _word("---------------Rundenverlauf------------------\n")
GRAND_CALL, TICHU, SCHUPFING, BOMBS = _word("Grosses Tichu: "), _word("Tichu: "), _word("Schupfen:\n"), _word("BOMBE: ")
GIVES, COLON, DASH, PASSES = _word(" gibt: "), _word(": "), _word("- "), _word(" passt.\n")
WISH, DRAGON_TO, RESULT, TO = _word("Wunsch:"), _word("Drache an: "), _word("Ergebnis: "), _word(" - ")
_LINE = 48  # bytes of a line beside its names, at most for plays of 14 cards, and of hands


def write_rounds(rounds: Rounds, names: Sequence[Sequence[str]]) -> bytes:
    """The log of rounds that were played to their end, with the four names of each."""
    parts = [[name.encode("utf-8") for name in four] for four in names]
    flat = [name for four in parts for name in four]
    ends = np.cumsum([len(name) for name in flat], dtype=np.int64)
    spans = np.stack([ends - [len(name) for name in flat], ends], axis=1).reshape(len(parts), SEATS, 2)
    longest = max((len(name) for name in flat), default=0)
    size = int(rounds.deals["actions"].sum()) * 2 * (_LINE + longest) + len(rounds) * 30 * (2 * _LINE + 4 * longest)
    out = np.empty(size, dtype=np.uint8)
    text = np.frombuffer(b"".join(flat) or b"\0", dtype=np.uint8)
    end = _write(rounds.deals, rounds.actions, text, spans, KERNEL.blank(), stream(0), out)
    return out[:end].tobytes()


def write_replayed(replayed: Replayed, file: int) -> bytes:
    """The log of a file that was read: its complete rounds, with the scores of the rules."""
    game = replayed.games[file]
    chosen = range(int(game.first_round), int(game.first_round + game.rounds))
    whole = [number for number in chosen if replayed.judged[number].score[0] != NO_SCORE]
    deals: Any = np.zeros(len(whole), dtype=DEAL)
    for one, number in zip(deals, whole, strict=True):
        read, judged = replayed.parsed.rounds[number], replayed.judged[number]
        one.grand[:], one.start[:] = read.grand, read.start
        one.first_action, one.actions = judged.first_action, judged.actions
    names = [[replayed.parsed.name(number, seat) for seat in range(SEATS)] for number in whole]
    return write_rounds(Rounds(deals, replayed.actions, replayed.human), names)


def write_record(record: GameRecord) -> bytes:
    """The log of a recorded game; a round that was not finished is left out."""
    if record.header.get("game") != "tichu":
        raise StammtischError(f"a log is of tichu, this record of {record.header.get('game')}")
    rounds = played_rounds(list(record.states()), [record.game().parse(move) for move in record.moves])
    names = [nickname(name) for name in record.players] or [""] * SEATS
    if len(names) != SEATS:
        raise StammtischError(f"the record names {len(names)} players, tichu has four")
    return write_rounds(rounds, [names] * len(rounds))


def nickname(name: str) -> str:
    """A name as it can stand in a log: without blanks and signs that mean something there.

    >>> nickname("ismcts: ms=50")
    'ismcts-ms-50'
    """
    kept = "".join(sign if sign.isalnum() or sign in "_-.!" else " " for sign in name)
    return "-".join(kept.split())


def played_rounds(states: Sequence[State], actions: Sequence[int]) -> Rounds:
    """The finished rounds of a game from its states before and after each action."""
    deals: list[Any] = []
    codes: list[int] = []
    begin = 0
    for before, action, after in zip(states[:-1], actions, states[1:], strict=True):
        record = before.record
        if record.phase == GRAND and record.turn == 0:
            one = np.zeros(1, dtype=DEAL)[0]
            one.grand[:], one.start[:] = record.hand, record.hand | record.undealt
            begin = len(codes)
            deals.append(one)
        elif not deals:
            raise StammtischError("the game begins within a round; a log begins with a deal")
        codes.append(action)
        if after.over or after.record.round_number != record.round_number:
            deals[-1].first_action, deals[-1].actions = begin, len(codes) - begin
    done = [one for one in deals if one.actions]
    rows = np.array(done, dtype=DEAL) if done else np.zeros(0, dtype=DEAL)
    return Rounds(rows, np.array(codes, dtype=np.int64), np.ones(len(codes), dtype=np.bool_))


# --- rounds ---------------------------------------------------------------------------------------------------


@compiled
def _write(
    deals: Any, actions: Actions, names: Bytes, spans: NDArray[np.int64], states: Any, rng: Rng, out: Bytes
) -> int:
    at = 0
    for number in range(len(deals)):
        one = deals[number]
        part = actions[one.first_action : one.first_action + one.actions]
        at = _write_round(one, part, names, spans[number], states[0], rng, out, at)
    return at


@compiled
def _write_round(
    one: Record,
    actions: Actions,
    names: Bytes,
    spans: NDArray[np.int64],
    state: Record,
    rng: Rng,
    out: Bytes,
    at: int,
) -> int:
    deal(state, one)
    at = _copy(out, at, GRAND_HEADER)
    for seat in range(SEATS):
        at = _hand(out, at, names, spans, seat, one.grand[seat])
    at = _copy(out, at, START_HEADER)
    for seat in range(SEATS):
        at = _hand(out, at, names, spans, seat, one.start[seat])
    for i in range(len(actions)):
        action, phase = actions[i], int(state.phase)
        seat = int(player(state))
        at = _line(out, at, names, spans, phase, seat, action)
        taker = step(state, action, rng)
        if taker >= 0:
            at = _copy(out, _seat(out, at, names, spans, taker), PASSES)
        if phase == GRAND and state.phase == SCHUPF:
            at = _grand_calls(out, at, names, spans, state)
        elif phase == SCHUPF and state.phase != SCHUPF:
            at = _schupfing(out, at, names, spans, state)
    at = _copy(out, at, RESULT)
    at = _copy(out, _number(out, at, int(state.score[0] - one.before[0])), TO)
    at = _number(out, at, int(state.score[1] - one.before[1]))
    out[at] = _NEWLINE
    return at + 1


@compiled
def _line(out: Bytes, at: int, names: Bytes, spans: NDArray[np.int64], phase: int, seat: int, action: int) -> int:
    """What an action says; nothing of gifts, which come together, and of bombs kept back."""
    if action == PASS:
        return at if phase == BOMB_PHASE else _copy(out, _seat(out, at, names, spans, seat), PASSES)
    if action < SPECIAL:
        at = _copy(out, _seat(out, at, names, spans, seat), COLON)
        at = _play(out, at, action)
    elif action >= SCHUPF_CARDS:
        return at
    elif action == CALL_TICHU or action >= ANNOUNCE:
        caller = seat if action == CALL_TICHU else action - ANNOUNCE
        at = _seat(out, _copy(out, at, TICHU), names, spans, caller)
    elif action >= GIVE_DRAGON:
        at = _seat(out, _copy(out, at, DRAGON_TO), names, spans, action - GIVE_DRAGON)
    elif action > WISH_NONE:
        value = action - WISH_NONE
        at = _copy(out, at, WISH)
        out[at] = VALUE_SIGNS[value]
        at += 1
        if value == 10:
            out[at] = 48
            at += 1
    else:
        return at
    out[at] = _NEWLINE
    return at + 1


@compiled
def _grand_calls(out: Bytes, at: int, names: Bytes, spans: NDArray[np.int64], state: Record) -> int:
    for seat in range(SEATS):
        if state.announced[seat]:
            at = _seat(out, _copy(out, at, GRAND_CALL), names, spans, seat)
            out[at] = _NEWLINE
            at += 1
    return at


@compiled
def _schupfing(out: Bytes, at: int, names: Bytes, spans: NDArray[np.int64], state: Record) -> int:
    """What everybody gave, who holds a bomb now, and the header of the round's course."""
    at = _copy(out, at, SCHUPFING)
    bombs = 0
    for seat in range(SEATS):
        at = _copy(out, _seat(out, at, names, spans, seat), GIVES)
        for i in range(3):
            taker = (seat + 1 + i) & 3
            at = _copy(out, at, names[spans[taker, 0] : spans[taker, 1]])
            at = _copy(out, at, COLON)
            at = _copy(out, _card(out, at, int(state.given[seat, i]) - 1), DASH)
        out[at] = _NEWLINE
        at += 1
        if fours(state.hand[seat]) or flush_starts(state.hand[seat]):
            bombs |= 1 << seat
    if bombs:
        at = _copy(out, at, BOMBS)
        for seat in range(SEATS):
            if bombs >> seat & 1:
                at = _seat(out, at, names, spans, seat)
                out[at] = _BLANK
                at += 1
        out[at] = _NEWLINE
        at += 1
    return _copy(out, at, COURSE_HEADER)


# --- words ----------------------------------------------------------------------------------------------------


@compiled
def _copy(out: Bytes, at: int, word: Bytes) -> int:
    for i in range(len(word)):
        out[at + i] = word[i]
    return at + len(word)


@compiled
def _seat(out: Bytes, at: int, names: Bytes, spans: NDArray[np.int64], seat: int) -> int:
    out[at], out[at + 1], out[at + 2] = 40, 48 + seat, 41  # (0)
    return _copy(out, at + 3, names[spans[seat, 0] : spans[seat, 1]])


@compiled
def _card(out: Bytes, at: int, card: int) -> int:
    """A card and the blank behind it."""
    for i in range(_CARD_WIDTH):
        if CARD_NAMES[card, i]:
            out[at] = CARD_NAMES[card, i]
            at += 1
    return at


@compiled
def _hand(out: Bytes, at: int, names: Bytes, spans: NDArray[np.int64], seat: int, cards: int) -> int:
    at = _seat(out, at, names, spans, seat)
    out[at] = _BLANK
    at += 1
    if cards >> DRAGON & 1:
        at = _card(out, at, DRAGON)
    if cards >> PHOENIX & 1:
        at = _card(out, at, PHOENIX)
    at = _natural_cards(out, at, cards, 0)
    out[at] = _NEWLINE
    return at + 1


@compiled
def _natural_cards(out: Bytes, at: int, cards: int, phoenix: int) -> int:
    """Cards from high to low; the Phoenix before those of the value ``phoenix`` or below, if that is not 0."""
    for card in range(DRAGON - 1, -1, -1):
        if phoenix and (card + 6) // 4 <= phoenix:
            at = _card(out, at, PHOENIX)
            phoenix = 0
        if cards >> card & 1:
            at = _card(out, at, card)
    return at


@compiled
def _play(out: Bytes, at: int, play: int) -> int:
    cards = cards_of(play)
    if cards & (cards - 1) == 0:
        card = 0
        while not cards >> card & 1:
            card += 1
        return _card(out, at, card)
    return _natural_cards(out, at, cards, _replaced(play) if cards & PHOENIX_BIT else 0)


@compiled
def _replaced(play: int) -> int:
    """The value that the Phoenix stands for."""
    kind = kind_of(play)
    low, high = HIGHEST + 1, 0
    lonely, gap = 0, 0  # a value with one card, a value without any between others
    for value in range(LOWEST, HIGHEST + 1):
        held = count(nibble(play, value))
        if held:
            if high and value > high + 1:
                gap = high + 1
            low, high = min(low, value), value
            if held == 1:
                lonely = value
    if STREET <= kind < BOMB:
        if play & 2 and low > LOWEST:  # the Mahjong is the 1 below the gap
            gap = LOWEST
        if gap:
            return gap
        lengthened = high - low + 1 + (play & 2 != 0) < LENGTH_OF[kind]
        return high + 1 if lengthened and high < HIGHEST and not play & LOWER else low - 1
    if kind == FULLHOUSE and not lonely:
        return low if play & LOWER else high
    if kind == FULLHOUSE or STAIR <= kind < FULLHOUSE:
        return lonely
    return high


@compiled
def _number(out: Bytes, at: int, number: int) -> int:
    if number < 0:
        out[at] = _DASH
        at += 1
        number = -number
    digits = 1
    while 10**digits <= number:
        digits += 1
    for i in range(digits):
        out[at + digits - 1 - i] = 48 + number % 10
        number //= 10
    return at + digits
