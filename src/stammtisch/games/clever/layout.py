"""Positions as JSON: writing, and reading with every field checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from stammtisch.core import fields
from stammtisch.core.errors import BadPosition, suggestion
from stammtisch.core.game import Json
from stammtisch.core.kernel import Record
from stammtisch.games.clever.rules import (
    ACTIVE,
    ACTIVE_EXTRA,
    ASIDE,
    DICE,
    ENDED,
    FIELD,
    PASSIVE,
    PASSIVE_EXTRA,
    PHASES,
    PLACES,
    POOL,
    PROTOTYPE_ROUNDS,
    ROLLS,
    ROUNDS,
    TRAY,
    dice_on,
)
from stammtisch.games.clever.sheet import BONUSES, MOST_ACTIONS, MOST_FOXES, MOST_PENDING, PRINTED, TRACK, usable

EMPTY_SHEET: Json = {
    "yellow": [],
    "blue": [],
    "green": 0,
    "orange": [],
    "purple": [],
    "rerolls": 0,
    "extras": 0,
    "foxes": 0,
    "pending": [],
}
SHEET_KEYS = tuple(EMPTY_SHEET)


# --- writing ------------------------------------------------------------------------------------------------


def write_position(record: Record) -> Json:
    """All that the record holds, in the words of the notation."""
    dice = [die for die in range(6) if not record.prototype or die < record.prototype]
    return {
        "round": int(record.round_number),
        "phase": PHASES[record.phase],
        "roll": int(record.roll),
        "active": int(record.active),
        "starter": int(record.starter),
        "dice": {DICE[die]: int(record.dice[die]) for die in dice},
        "place": {DICE[die]: PLACES[record.places[die]] for die in dice},
        "extra_used": [DICE[die] for die in range(6) if record.extra_used >> die & 1],
        "sheets": [_write_sheet(record, seat) for seat in range(record.players)],
    }


def _write_sheet(record: Record, seat: int) -> Json:
    return {
        "yellow": [cell for cell in range(16) if (record.yellow[seat] & ~PRINTED) >> cell & 1],
        "blue": [number for number in range(2, 13) if record.blue[seat] >> number & 1],
        "green": int(record.green[seat]),
        "orange": record.orange[seat, : record.oranges[seat]].tolist(),
        "purple": record.purple[seat, : record.purples[seat]].tolist(),
        "rerolls": int(record.rerolls[seat]),
        "extras": int(record.extras[seat]),
        "foxes": int(record.foxes[seat]),
        "pending": [BONUSES[bonus] for bonus in record.pending[seat, : record.open[seat]]],
    }


# --- reading ------------------------------------------------------------------------------------------------


def read_position(position: Mapping[str, Any], record: Record) -> None:
    """Fill the record, whose options are set; BadPosition names the field that is wrong."""
    players = int(record.players)
    given = {"phase": "active", "round": 1, "roll": 1, **position}
    record.phase = PHASES.index(fields.text(given, "phase", PHASES))
    rounds = PROTOTYPE_ROUNDS if record.prototype else int(ROUNDS[players])
    record.round_number = fields.integer(given, "round", 1, rounds)
    record.roll = fields.integer(given, "roll", 0, ROLLS)
    for seat, sheet in enumerate(fields.items(position, "sheets", players)):
        _read_sheet(sheet, record, seat)
    _read_dice(position, record)
    _read_extra_used(position, record)
    _read_seats(position, record)
    if record.prototype:
        _check_prototype(record)
    else:
        _check_story(record)


def _read_sheet(sheet: Any, record: Record, seat: int) -> None:
    if not isinstance(sheet, Mapping):
        raise BadPosition("sheets", f"each is an object with {', '.join(SHEET_KEYS)}")
    for key in sheet:
        if key not in SHEET_KEYS:
            raise BadPosition("sheets", f"'{key}' is unknown; {suggestion(str(key), SHEET_KEYS)}")
    sheet = {**EMPTY_SHEET, **sheet}
    record.yellow[seat] = PRINTED
    for cell in fields.integers(sheet, "yellow", None, 0, 15):
        if PRINTED >> cell & 1:
            raise BadPosition("yellow", f"cell {cell} has a printed cross")
        if record.yellow[seat] >> cell & 1:
            raise BadPosition("yellow", f"cell {cell} is there twice")
        record.yellow[seat] |= 1 << cell
    for number in fields.integers(sheet, "blue", None, 2, 12):
        if record.blue[seat] >> number & 1:
            raise BadPosition("blue", f"{number} is there twice")
        record.blue[seat] |= 1 << number
    record.green[seat] = fields.integer(sheet, "green", 0, TRACK)
    for key in ("orange", "purple"):
        numbers = fields.integers(sheet, key, None, 1, 6)
        if len(numbers) > TRACK:
            raise BadPosition(key, f"{len(numbers)} numbers, but there are {TRACK} cells")
        record[key][seat, : len(numbers)] = numbers
        record[f"{key}s"][seat] = len(numbers)
    for left, right in zip(sheet["purple"], sheet["purple"][1:], strict=False):
        if right <= left % 6:
            raise BadPosition("purple", f"{right} cannot follow {left}: each must be higher, only after a 6 any")
    for key, most in (("rerolls", MOST_ACTIONS), ("extras", MOST_ACTIONS), ("foxes", MOST_FOXES)):
        record[key][seat] = fields.integer(sheet, key, 0, most)
    _read_pending(sheet, record, seat)


def _read_pending(sheet: Mapping[str, Any], record: Record, seat: int) -> None:
    bonuses = fields.items(sheet, "pending", None)
    if len(bonuses) > MOST_PENDING:
        raise BadPosition("pending", f"at most {MOST_PENDING} bonuses can wait")
    for i, name in enumerate(bonuses):
        bonus = BONUSES.index(fields.text({"pending": name}, "pending", BONUSES))
        if not usable(record, seat, bonus):
            raise BadPosition("pending", f"{name}: there is no free cell for it, so it is lost")
        record.pending[seat, i] = bonus
    record.open[seat] = len(bonuses)


def _read_dice(position: Mapping[str, Any], record: Record) -> None:
    names = DICE[: int(record.prototype)] if record.prototype else DICE
    places = position.get("place", dict.fromkeys(names, "pool"))
    for key, given in (("dice", position["dice"]), ("place", places)):
        if not isinstance(given, Mapping) or set(given) != set(names):
            raise BadPosition(key, f"an object with an entry for each of {', '.join(names)}")
    record.places[:] = ASIDE
    for die, name in enumerate(names):
        record.dice[die] = fields.integer({"dice": position["dice"][name]}, "dice", 1, 6)
        record.places[die] = PLACES.index(fields.text({"place": places[name]}, "place", PLACES))


def _read_extra_used(position: Mapping[str, Any], record: Record) -> None:
    for name in fields.items({"extra_used": [], **position}, "extra_used", None):
        die = DICE.index(fields.text({"extra_used": name}, "extra_used", tuple(DICE)))
        if record.extra_used >> die & 1:
            raise BadPosition("extra_used", f"{name} is there twice")
        record.extra_used |= 1 << die
    if record.phase not in (ACTIVE_EXTRA, PASSIVE_EXTRA):
        record.extra_used = 0  # it counts in a +1 window alone


def _read_seats(position: Mapping[str, Any], record: Record) -> None:
    """Whose turn it is and who decides, from the seats that are given."""
    players, phase = int(record.players), int(record.phase)
    given = {key: _read_seat(position, key, players) for key in ("active", "player", "starter")}
    passive = phase in (PASSIVE, PASSIVE_EXTRA) and players > 1
    decides = given["player"] if given["player"] is not None and phase != ENDED else given["active"] or 0
    usual = (decides - 1) % players if passive else decides
    record.active = usual if given["active"] is None else given["active"]
    record.starter = record.active if given["starter"] is None else given["starter"]
    record.turn = decides
    waiting = [seat for seat in range(players) if record.open[seat]]
    if phase == ACTIVE and waiting and record.roll <= 1 and not dice_on(record, FIELD):
        record.roll = 0  # the dice of this turn have not been rolled
        order = [(int(record.active) + i) % players for i in range(players)]
        record.turn = next(seat for seat in order if seat in waiting)
    elif phase != ENDED and passive == (decides == record.active) and players > 1:
        raise BadPosition("active", f"{int(record.active)}, and seat {decides} decides in phase {PHASES[phase]}")


def _read_seat(position: Mapping[str, Any], key: str, players: int) -> int | None:
    return None if position.get(key) is None else fields.integer(position, key, 0, players - 1)


def _check_story(record: Record) -> None:
    """Refuse what cannot come about in play though each field alone is possible."""
    phase, solo, roll = int(record.phase), record.players == 1, int(record.roll)
    waiting = [seat for seat in range(record.players) if record.open[seat]]
    counts = [bin(int(dice_on(record, place))).count("1") for place in range(len(PLACES))]
    window, passive = phase in (ACTIVE_EXTRA, PASSIVE_EXTRA), phase in (PASSIVE, PASSIVE_EXTRA)
    tray, aside = ([int(record.dice[die]) for die in range(6) if record.places[die] == at] for at in (TRAY, ASIDE))
    for key, wrong, why in (
        ("roll", phase == ACTIVE and roll == 0 and not waiting, "the first roll of a turn is 1"),
        ("roll", roll == 0 and counts[FIELD] > 0, "before the first roll no die can be chosen"),
        ("pending", phase == ENDED and bool(waiting), "the game is over"),
        (
            "pending",
            bool(waiting) and (roll > 0 or phase != ACTIVE) and waiting != [record.turn],
            "only the player who decides can have bonuses to use",
        ),
        ("pending", phase == ACTIVE and roll > 1 and bool(waiting) and counts[FIELD] == 0, "no die has been entered"),
        (
            "extras",
            window and record.extras[record.turn] == 0 and not waiting,
            f"there are none: then there is no phase {PHASES[phase]}",
        ),
        ("place", counts[FIELD] > ROLLS, f"{counts[FIELD]} dice on {ROLLS} fields"),
        (
            "place",
            phase == ACTIVE and counts[FIELD] >= max(1, roll) + (1 if waiting else 0),
            f"{counts[FIELD]} dice chosen in roll {roll}",
        ),
        ("place", phase == ACTIVE and not waiting and counts[POOL] == 0, "no die is left to choose"),
        ("place", phase == ACTIVE and counts[TRAY] > 0 and counts[FIELD] == 0, "a tray without a chosen die"),
        (
            "place",
            counts[ASIDE] > 0 and not (solo and phase >= PASSIVE),
            "dice lie aside only when a player alone is passive",
        ),
        (
            "place",
            passive and solo and (counts[TRAY], counts[ASIDE]) != (3, 3),
            "a player alone has three dice on the tray and three aside",
        ),
        ("place", counts[POOL] > 0 and (window or passive), "after the active turn no die is in the pool"),
        (
            "place",
            passive and solo and not record.thesis and max(tray, default=0) > min(aside, default=6),
            "the tray of a player alone has the three lowest dice",
        ),
        (
            "round",
            bool(record.thesis) and record.round_number == ROUNDS[1] and phase not in (ACTIVE, ENDED),
            "the thesis's game ends with the active turn of round 6",
        ),
    ):
        if wrong:
            raise BadPosition(key, why)


def _check_prototype(record: Record) -> None:
    """One yellow area, one roll a round, all dice in the pool."""
    for key in ("blue", "green", "oranges", "purples", "rerolls", "extras", "foxes", "open"):
        if record[key][0]:
            name = {"oranges": "orange", "purples": "purple", "open": "pending"}.get(key, key)
            raise BadPosition(name, "the prototype has the yellow area alone")
    if record.phase not in (ACTIVE, ENDED):
        raise BadPosition("phase", "the prototype knows active and over")
    if record.roll != 1:
        raise BadPosition("roll", "each round of the prototype has one")
    if any(record.places[: record.prototype] != POOL):
        raise BadPosition("place", "the dice of the prototype are all in the pool")
