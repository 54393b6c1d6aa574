"""Positions as JSON: writing, reading with every field checked, and hiding what a seat cannot know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from stammtisch.core import fields
from stammtisch.core.errors import BadMove, BadPosition
from stammtisch.core.game import Json
from stammtisch.core.kernel import Record
from stammtisch.games.tichu.cards import (
    DRAGON_BIT,
    HIGHEST,
    LOWEST,
    MAHJONG_BIT,
    NAMES,
    PHOENIX_BIT,
    BadCards,
    count,
    points_of,
    read_card,
    read_cards,
    write_cards,
)
from stammtisch.games.tichu.combinations import (
    LEAD,
    LENGTH_OF,
    LOWER,
    PASS,
    SINGLE,
    TYPE_OF,
    TYPES,
    cards_of,
    holds_bomb,
    kind_of,
    list_plays,
    rank_of,
)
from stammtisch.games.tichu.figures import MOST_PLAYS, BadCombination, plays_of, plays_so_far, read_kind
from stammtisch.games.tichu.notation import read_move, write_play
from stammtisch.games.tichu.rules import (
    BOMB_PHASE,
    DRAGON_PHASE,
    ENDED,
    GRAND,
    LOG_FIRST,
    LOG_LOWER,
    LOG_SEAT,
    NOBODY,
    PHASES,
    PLAY,
    SCHUPF,
    SEATS,
    SPECIAL,
    WISH,
    clear_trick,
    double_victory,
    next_active,
    round_is_over,
    trick_is_over,
)

KEYS = ("hands",)
OPTIONAL_KEYS = (
    "undealt",
    "schupfed",
    "announced",
    "has_played",
    "wish",
    "fulfilled",
    "trick",
    "passes",
    "points",
    "out",
    "score",
    "starter",
    "dragon",
    "round",
    "tricks",
    "lacks",
    "declined",
)
MOST_POINTS = 10**6  # of a game; a bound for nonsense


# --- writing ------------------------------------------------------------------------------------------------


def write_position(record: Record) -> Json:
    """All that the record holds, in the words of the notation."""
    wish = int(record.wish)
    tricks: list[list[list[Any]]] = []
    for seat, first, play in plays_so_far(record):
        if first:
            tricks.append([])
        tricks[-1].append([seat, write_play(play)])
    return {
        "phase": PHASES[record.phase],
        "hands": [write_cards(int(hand)) for hand in record.hand],
        "undealt": [write_cards(int(hand)) for hand in record.undealt],
        "schupfed": [_write_gifts(gifts) for gifts in record.given],
        "announced": [int(call) for call in record.announced],
        "has_played": [bool(played) for played in record.has_played],
        "wish": max(0, wish),
        "fulfilled": max(0, -wish),
        "trick": _write_trick(record),
        "passes": int(record.passes),
        "points": [int(points) for points in record.points],
        "out": [int(seat) for seat in record.finished[: record.out_count]],
        "score": [int(points) for points in record.score],
        "starter": _seat_or_none(record.starter),
        "dragon": _seat_or_none(record.dragon_to),
        "round": int(record.round_number),
        "tricks": tricks,
        "lacks": [[value for value in range(LOWEST, HIGHEST + 1) if int(bits) >> value & 1] for bits in record.lacks],
        "declined": [int(rank) / 2 for rank in record.declined],
    }


def _write_gifts(gifts: Any) -> list[str | None] | None:
    return [NAMES[card - 1] if card else None for card in gifts] if any(gifts) else None


def _write_trick(record: Record) -> Json | None:
    if record.owner == NOBODY:
        return None
    rank = int(record.rank) / 2
    return {
        "owner": int(record.owner),
        "cards": write_cards(int(record.top)),
        "type": TYPES[TYPE_OF[record.kind]],
        "length": int(LENGTH_OF[record.kind]),
        "rank": int(rank) if rank == int(rank) else rank,
        "points": int(record.trick_points),
    }


def _seat_or_none(seat: int) -> int | None:
    return None if seat == NOBODY else int(seat)


# --- hiding -------------------------------------------------------------------------------------------------


def hide(position: Json, seat: int | None) -> Json:
    """The position as the seat (None: a spectator) sees it."""
    shown = dict(position)
    if shown["phase"] == "bomb" and shown["player"] != seat:
        _hide_question(shown)
    if position["phase"] == "over":
        return shown  # all cards are laid open
    shown["hands"] = [hand if owner == seat else [None] * len(hand) for owner, hand in enumerate(position["hands"])]
    shown["undealt"] = [[None] * len(cards) for cards in position["undealt"]]
    shown["schupfed"] = [_seen_gifts(position, giver, seat) for giver in range(SEATS)]
    return shown


def _hide_question(shown: Json) -> None:
    """Who is asked for a bomb holds one: the others see the next seat, or the last who passed, thinking."""
    owner = shown["trick"]["owner"]
    order = [(owner + i) % SEATS for i in range(1, SEATS) if shown["hands"][(owner + i) % SEATS]]
    shown["phase"] = "play"
    shown["passes"] = min(shown["passes"], len(order) - 1)
    shown["player"] = order[shown["passes"]]


def _seen_gifts(position: Json, giver: int, seat: int | None) -> list[str | None] | None:
    gifts = position["schupfed"][giver]
    if gifts is None or giver == seat:
        return gifts
    if position["phase"] == "schupf":
        return None
    seen = [card if (giver + 1 + i) % SEATS == seat else None for i, card in enumerate(gifts)]
    return seen if any(seen) else None


# --- reading ------------------------------------------------------------------------------------------------


def read_position(position: Mapping[str, Any], record: Record) -> None:
    """Fill a blank record; BadPosition names the field that is wrong."""
    phase = PHASES.index(fields.text({"phase": "play", **position}, "phase", PHASES))
    record.phase = phase
    clear_trick(record)
    for seat, hand in enumerate(fields.items(position, "hands", SEATS)):
        record.hand[seat] = _cards("hands", hand)
    if "undealt" in position:
        for seat, hand in enumerate(fields.items(position, "undealt", SEATS)):
            record.undealt[seat] = _cards("undealt", hand)
    _read_gifts(position, record)
    _check_deal(record)
    record.announced[:] = _numbers(position, "announced", SEATS, 0, 2)
    record.has_played[:] = _flags(position, record)
    record.points[:] = _numbers(position, "points", SEATS, -25, 125)
    record.score[:] = _numbers(position, "score", 2, -MOST_POINTS, MOST_POINTS)
    record.round_number = fields.integer({"round": 1, **position}, "round", 1, 1000)
    _read_wish(position, record)
    _read_out(position, record)
    record.starter = _read_starter(position, record)
    record.dragon_to = _read_seat(position, "dragon")
    _read_log(position, record)
    _read_behaviour(position, record)
    _read_trick(position, record)
    _read_player(position, record)
    _check_story(record)


def _cards(key: str, names: Any) -> int:
    if not isinstance(names, list):
        raise BadPosition(key, f"each is a list of cards, not {str(names)[:60]!r}")
    if None in names:
        raise BadPosition(key, "null: a full position is needed, a seat's view is not enough")
    try:
        return read_cards(names)
    except BadCards as error:
        raise BadPosition(key, str(error)) from None


def _numbers(position: Mapping[str, Any], key: str, n: int, low: int, high: int) -> list[int]:
    return fields.integers(position, key, n, low, high) if key in position else [0] * n


def _flags(position: Mapping[str, Any], record: Record) -> list[bool]:
    if "has_played" not in position:
        owner = trick.get("owner") if isinstance(trick := position.get("trick"), Mapping) else None
        early = record.phase in (GRAND, SCHUPF)
        return [not early and (seat == owner or int(count(record.hand[seat])) < 14) for seat in range(SEATS)]
    flags = fields.items(position, "has_played", SEATS)
    if not all(isinstance(flag, bool) for flag in flags):
        raise BadPosition("has_played", "true or false for each seat")
    return flags


def _read_gifts(position: Mapping[str, Any], record: Record) -> None:
    if position.get("schupfed") is None:
        return
    given = 0
    for giver, gifts in enumerate(fields.items(position, "schupfed", SEATS)):
        if gifts is None:
            continue
        if not isinstance(gifts, list) or len(gifts) != 3:
            raise BadPosition("schupfed", f"seat {giver}: three cards, for the seats {giver}+1, +2 and +3, or null")
        for i, name in enumerate(gifts):
            if name is None and record.phase != SCHUPF:
                continue
            card = _one_card("schupfed", name)
            if given >> card & 1:
                raise BadPosition("schupfed", f"{name} is there twice")
            given |= 1 << card
            record.given[giver, i] = card + 1
            _check_gift(record, giver, i, card)
    if given and record.phase == GRAND:
        raise BadPosition("schupfed", "nothing is schupfed before all cards are dealt")


def _check_gift(record: Record, giver: int, i: int, card: int) -> None:
    """A card laid aside is in no other hand; a card given is with its receiver, or played."""
    for seat in range(SEATS):
        if not int(record.hand[seat]) >> card & 1:
            continue
        if record.phase == SCHUPF and seat == giver:
            record.hand[seat] &= ~(1 << card)
        elif record.phase == SCHUPF or seat != (giver + 1 + i) % SEATS:
            raise BadPosition("schupfed", f"{NAMES[card]} is in the hand of seat {seat}, who did not get it")


def _one_card(key: str, name: Any) -> int:
    try:
        return read_card(name)
    except BadCards as error:
        raise BadPosition(key, str(error)) from None


def _check_deal(record: Record) -> None:
    """No card twice, and as many in each hand as the phase allows."""
    seen = 0
    aside = [sum(1 << (int(card) - 1) for card in gifts if card) for gifts in record.given]
    parts = [*record.hand, *record.undealt, *(aside if record.phase == SCHUPF else [])]
    for part in parts:
        twice = seen & int(part)
        if twice:
            raise BadPosition("hands", f"{write_cards(twice)[0]} is there twice")
        seen |= int(part)
    for seat in range(SEATS):
        held, rest = int(count(record.hand[seat])), int(count(record.undealt[seat]))
        laid = int(count(aside[seat])) if record.phase == SCHUPF else 0
        if record.phase == GRAND and (held, rest) != (8, 6):
            raise BadPosition(
                "hands", f"seat {seat} has {held} cards and {rest} undealt; before the call it is 8 and 6"
            )
        if record.phase != GRAND and rest:
            raise BadPosition("undealt", f"seat {seat} has {rest} undealt cards after the deal")
        if record.phase == SCHUPF and held + laid != 14:
            raise BadPosition("hands", f"seat {seat} has {held + laid} cards; before schupfen it is 14")
        if held > 14:
            raise BadPosition("hands", f"seat {seat} has {held} cards; 14 is the most")


def _read_wish(position: Mapping[str, Any], record: Record) -> None:
    wishes = []
    for key in ("wish", "fulfilled"):
        value = fields.integer({key: 0, **position}, key, 0, HIGHEST)
        if value == 1:
            raise BadPosition(key, f"0 for none, or a value from {LOWEST} to {HIGHEST}")
        wishes.append(value)
    if all(wishes):
        raise BadPosition("fulfilled", "a wish is open: none has been fulfilled")
    record.wish = wishes[0] - wishes[1]


def _read_out(position: Mapping[str, Any], record: Record) -> None:
    record.finished[:] = NOBODY
    if record.phase in (GRAND, SCHUPF):
        if position.get("out"):
            raise BadPosition("out", "nobody can be out before the first trick")
        return
    empty = [seat for seat in range(SEATS) if not record.hand[seat]]
    if "out" not in position and len(empty) > 1:
        raise BadPosition("out", f"the seats {', '.join(map(str, empty))} have no cards: who went out first?")
    out = fields.integers(position, "out", None, 0, SEATS - 1) if "out" in position else empty
    if sorted(out) != empty:
        raise BadPosition("out", f"{out}, but the seats without cards are {empty}")
    record.finished[: len(out)] = out
    record.out_count = len(out)
    over = bool(round_is_over(record))
    if over and record.phase not in (DRAGON_PHASE, ENDED):
        raise BadPosition("out", f"{out}: then the round is over")
    if not over and record.phase == ENDED:
        raise BadPosition("phase", "over, but the round is not")


def _read_starter(position: Mapping[str, Any], record: Record) -> int:
    holders = [seat for seat in range(SEATS) if int(record.hand[seat]) & MAHJONG_BIT]
    if record.phase in (GRAND, SCHUPF):
        return NOBODY
    starter = _read_seat(position, "starter")
    if starter == NOBODY and holders:
        return holders[0]
    if holders and starter != holders[0]:
        raise BadPosition("starter", f"{starter}, but seat {holders[0]} has the Mahjong")
    return starter


def _read_seat(position: Mapping[str, Any], key: str) -> int:
    return NOBODY if position.get(key) is None else fields.integer(position, key, 0, SEATS - 1)


def _read_log(position: Mapping[str, Any], record: Record) -> None:
    played, kind, rank = 0, PASS, LEAD
    plays = np.empty(MOST_PLAYS, dtype=np.int64)
    held = sum(int(hand) for hand in record.hand)
    for trick in fields.items(position, "tricks", None) if "tricks" in position else []:
        if not isinstance(trick, list) or not trick:
            raise BadPosition("tricks", 'each is a list of plays such as [0, "S8 R8"]')
        for number, line in enumerate(trick):
            if not isinstance(line, list) or len(line) != 2 or not isinstance(line[1], str):
                raise BadPosition("tricks", f'a play is a seat and cards, such as [0, "S8 R8"], not {str(line)[:60]}')
            seat = fields.integer({"tricks": line[0]}, "tricks", 0, SEATS - 1)
            try:
                play = read_move(line[1])
            except BadMove as error:
                raise BadPosition("tricks", str(error)) from None
            cards = int(cards_of(play))
            if play == PASS or play >= SPECIAL or record.phase in (GRAND, SCHUPF):
                raise BadPosition("tricks", f"'{line[1][:60]}' is no play")
            if cards & (played | held):
                raise BadPosition("tricks", f"{write_cards(cards & (played | held))[0]} cannot have been played")
            if number and play not in plays[: list_plays(cards, cards, kind, rank, plays)]:
                raise BadPosition("tricks", f"'{line[1][:60]}' does not beat what lay there")
            kind, rank = int(kind_of(play)), int(rank_of(play, rank if number else LEAD))
            played |= cards
            first = 1 << LOG_FIRST if number == 0 else 0
            record.log[record.log_length] = cards | seat << LOG_SEAT | first | (1 << LOG_LOWER if play & LOWER else 0)
            record.log_length += 1


def _read_behaviour(position: Mapping[str, Any], record: Record) -> None:
    """What seats have shown they do not have, for samples that heed it."""
    for seat, values in enumerate(fields.items(position, "lacks", SEATS) if "lacks" in position else []):
        for value in fields.integers({"lacks": values}, "lacks", None, LOWEST, HIGHEST):
            record.lacks[seat] |= 1 << value
    for seat, rank in enumerate(fields.items(position, "declined", SEATS) if "declined" in position else []):
        if isinstance(rank, bool) or rank not in [half / 2 for half in range(31)]:
            raise BadPosition("declined", f"the rank of a single, 0 for none, not {str(rank)[:20]}")
        record.declined[seat] = int(2 * rank)


def _read_trick(position: Mapping[str, Any], record: Record) -> None:
    trick = position.get("trick")
    if trick is None:
        if record.phase in (BOMB_PHASE, WISH, DRAGON_PHASE):
            raise BadPosition("trick", f"in phase {PHASES[record.phase]} something lies on the table")
        return
    if record.phase in (GRAND, SCHUPF, ENDED):
        raise BadPosition("trick", f"in phase {PHASES[record.phase]} nothing lies on the table")
    keys = ("owner", "cards", "type", "length", "rank", "points")
    if not isinstance(trick, Mapping) or not {"owner", "cards"} <= set(trick) <= set(keys):
        raise BadPosition("trick", f"null, or an object with {', '.join(keys)}")
    cards = _cards("trick", trick["cards"])
    held = sum(int(hand) for hand in record.hand)
    if cards & held:
        raise BadPosition("trick", f"{write_cards(cards & held)[0]} lies on the table and is in a hand")
    play, rank = _read_combination(trick, cards)
    record.owner = fields.integer({"trick": trick["owner"]}, "trick", 0, SEATS - 1)
    _lay(record, int(record.owner), play)
    record.top, record.kind, record.rank = cards, kind_of(play), rank
    points = trick.get("points", int(points_of(cards)))
    record.trick_points = fields.integer({"trick": points}, "trick", -25, 125)


def _lay(record: Record, owner: int, play: int) -> None:
    """Let the trick on the table be the last play of the log, which may not be given or end earlier."""
    line = int(cards_of(play)) | owner << LOG_SEAT | (1 << LOG_LOWER if play & LOWER else 0)
    if record.log_length and int(record.log[record.log_length - 1]) & ~(1 << LOG_FIRST) == line:
        return
    for earlier in record.log[: record.log_length]:
        twice = int(earlier) & int(cards_of(play))
        if twice:
            raise BadPosition("trick", f"{write_cards(twice)[0]} was played in an earlier trick")
    record.log[record.log_length] = line | 1 << LOG_FIRST
    record.log_length += 1


def _read_combination(trick: Mapping[str, Any], cards: int) -> tuple[int, int]:
    """The play that the cards and the given type, length and rank mean, and its rank in halves."""
    found = plays_of(cards)
    if not found or cards == 1:
        raise BadPosition("trick", f"{' '.join(write_cards(cards)) or 'no cards'}: no combination that can lie there")
    if "type" in trick or "length" in trick:
        try:
            kind = read_kind(str(trick.get("type")).lower(), trick.get("length"))
        except BadCombination as error:
            raise BadPosition("trick", str(error)) from None
        if kind != kind_of(found[0]):
            raise BadPosition("trick", f"{' '.join(write_cards(cards))} is no {trick['type']} of {trick['length']}")
    if "rank" not in trick:
        return found[0], int(rank_of(found[0], LEAD))
    rank = trick["rank"]
    if cards == PHOENIX_BIT and rank in [half + 0.5 for half in range(1, 15)]:
        return found[0], int(2 * rank)
    for play in found:
        if rank == int(rank_of(play, LEAD)) / 2 and not isinstance(rank, bool) and cards != PHOENIX_BIT:
            return play, int(rank_of(play, LEAD))
    raise BadPosition("trick", f"rank {str(rank)[:20]} does not fit {' '.join(write_cards(cards))}")


def _read_player(position: Mapping[str, Any], record: Record) -> None:
    if record.phase == ENDED:
        record.turn = 0
        return
    if position.get("player") is None:
        raise BadPosition("player", "the seat that decides")
    seat = fields.integer(position, "player", 0, SEATS - 1)
    passes = fields.integer({"passes": 0, **position}, "passes", 0, SEATS - 1)
    if record.phase == SCHUPF and record.given[seat, 0]:
        raise BadPosition("player", f"seat {seat} has schupfed already")
    if record.phase in (PLAY, BOMB_PHASE) and not record.hand[seat]:
        raise BadPosition("player", f"seat {seat} has no cards")
    record.turn = seat
    if record.phase in (GRAND, SCHUPF) or record.owner == NOBODY:
        return
    if record.phase == PLAY:
        if seat == record.owner:
            raise BadPosition("player", f"seat {seat} owns the trick and is not asked again")
        passes = sum(
            bool(record.hand[(int(record.owner) + i) % SEATS]) for i in range(1, (seat - int(record.owner)) % SEATS)
        )
    elif seat != record.owner and record.phase in (WISH, DRAGON_PHASE):
        raise BadPosition("player", f"seat {seat}, but the trick belongs to seat {int(record.owner)}")
    record.passes = passes
    if record.phase == BOMB_PHASE:
        _read_question(record, seat)
    if record.phase == WISH and not int(record.top) & MAHJONG_BIT:
        raise BadPosition("phase", "wish, but the Mahjong does not lie on the table")
    if record.phase == DRAGON_PHASE and not (record.kind == SINGLE and int(record.top) == DRAGON_BIT):
        raise BadPosition("phase", "dragon, but the dragon does not lie on the table")


def _read_question(record: Record, seat: int) -> None:
    """Who is asked for a bomb, and whose turn it is meanwhile."""
    if not holds_bomb(record.hand[seat], record.kind, record.rank):
        raise BadPosition("player", f"seat {seat} has no bomb that beats the trick")
    if trick_is_over(record):
        record.turn = record.owner
    else:
        record.turn = next_active(record, record.owner)
        for _ in range(int(record.passes)):
            record.turn = next_active(record, record.turn)
        if record.turn == seat:
            raise BadPosition("player", f"seat {seat} is on turn: its phase is play")
    record.asked = seat


def _check_story(record: Record) -> None:
    """Refuse what cannot come about in play though each field alone is possible."""
    phase = int(record.phase)
    early = phase in (GRAND, SCHUPF)
    held = sum(int(hand) | int(rest) for hand, rest in zip(record.hand, record.undealt, strict=True))
    others = [seat for seat in range(SEATS) if record.hand[seat] and seat != record.owner]
    lies = record.owner != NOBODY
    unasked = [seat for seat in range(int(record.turn), SEATS) if phase == GRAND and record.announced[seat]]
    behind = phase == DRAGON_PHASE and record.out_count == SEATS - 1 and record.finished[SEATS - 2] != record.owner
    for key, wrong, why in (
        ("announced", phase == GRAND and 1 in record.announced, "a tichu is called when all cards are dealt"),
        ("announced", bool(unasked), f"seat {unasked[0] if unasked else 0} has not been asked yet"),
        ("phase", behind, "dragon: the round ended before"),
        ("has_played", early and any(record.has_played), "nobody has played before the first trick"),
        ("points", early and any(record.points), "there are none before the first trick"),
        ("wish", bool(record.wish) and (early or bool(held & MAHJONG_BIT)), "the Mahjong has not been played"),
        ("wish", bool(record.wish) and phase == WISH, "in phase wish it is still to be made"),
        ("dragon", record.dragon_to != NOBODY and (early or bool(held & DRAGON_BIT)), "it has not been played"),
        ("out", record.out_count == SEATS, "the last one keeps his cards"),
        ("phase", phase == DRAGON_PHASE and double_victory(record), "dragon: a double victory ends the round at once"),
        ("passes", lies and int(record.passes) > len(others), f"{int(record.passes)}, more than others with cards"),
    ):
        if wrong:
            raise BadPosition(key, why)
