"""Moves as text: die and cell (``Y>y13``), the same by a +1 (``+W>o3``), bonus and cell (``*blue_x>b7``), words."""

from __future__ import annotations

import re

from stammtisch.core.errors import BadMove
from stammtisch.games.clever.rules import (
    ACTIONS,
    BONUS,
    DECLINE,
    DICE,
    END,
    EXTRA_OWN,
    JOKER,
    PASS,
    ROLL_AGAIN,
    WHITE,
    cell_of,
    die_of,
)
from stammtisch.games.clever.sheet import (
    AREAS,
    BLACK,
    BLUE,
    BONUS_AREA,
    BONUSES,
    CELLS,
    FIRST_CELL,
    PRINTED,
    TRACK,
    YELLOW,
    area_of,
)

WORDS = {ROLL_AGAIN: "reroll", PASS: "pass", END: "end"}
_ENTRY = re.compile(r"(\+?)([WYBGOP])>([ybgop]\d{1,2})")
_BONUS = re.compile(r"\*(\w+)>([ybgop]\d{1,2}|none)")
EXAMPLES = "Y>y13, W>b9, +G>g5, *orange_6>o4, reroll, pass or end"


def write_cell(cell: int) -> str:
    """``y0`` to ``y15`` row by row, ``b2`` to ``b12`` by number, ``g1``, ``o1``, ``p1`` to 11 from the left."""
    area = int(area_of(cell))
    number = cell if area == YELLOW else cell - FIRST_CELL[area] + 1
    return f"{AREAS[area][0]}{number}"


def read_cell(text: str) -> int | None:
    """The number of a cell; None if nobody can use one of this name."""
    area, number = "ybgop".index(text[0]), int(text[1:])
    if text[1:] != str(number):
        return None
    if area == YELLOW:
        return number if number < 16 and not PRINTED >> number & 1 else None
    if area == BLUE:
        return FIRST_CELL[BLUE] + number - 1 if 2 <= number <= 12 else None
    return FIRST_CELL[area] + number - 1 if 1 <= number <= TRACK else None


def write_move(action: int) -> str:
    """The text of an action; BadMove where it is none."""
    if action in WORDS:
        return WORDS[action]
    if 0 <= action < ROLL_AGAIN:
        cell = int(cell_of(action))
        if write_cell(cell) and read_cell(write_cell(cell)) == cell:
            return f"{'+' if action >= EXTRA_OWN else ''}{DICE[int(die_of(action))]}>{write_cell(cell)}"
    if BONUS <= action < ACTIONS:
        bonus, cell = divmod(action - BONUS, CELLS + 1)
        if cell == DECLINE:
            return f"*{BONUSES[bonus]}>none"
        if _fits(bonus, cell) and read_cell(write_cell(cell)) == cell:
            return f"*{BONUSES[bonus]}>{write_cell(cell)}"
    raise BadMove(f"{action} is no action")


def _fits(bonus: int, cell: int) -> bool:
    return bonus == BLACK or int(area_of(cell)) == BONUS_AREA[bonus]


def read_move(text: str) -> int:
    """The action of a text; BadMove where it is none."""
    text = text.strip()
    words = {word: action for action, word in WORDS.items()}
    action = words[text] if text in words else _read_entry(text)
    if action is None:
        raise BadMove(f"'{text[:60]}' is no move; moves look like {EXAMPLES}")
    return action


def _read_entry(text: str) -> int | None:
    if found := _ENTRY.fullmatch(text):
        target, die = read_cell(found[3]), DICE.index(found[2])
        if target is None or die not in (WHITE, int(area_of(target)) + 1):
            return None
        return target + (EXTRA_OWN if found[1] else 0) + (JOKER if die == WHITE else 0)
    if (found := _BONUS.fullmatch(text)) and found[1] in BONUSES:
        bonus = BONUSES.index(found[1])
        target = DECLINE if found[2] == "none" else read_cell(found[2])
        if target is not None and (target == DECLINE or _fits(bonus, target)):
            return BONUS + bonus * (CELLS + 1) + target
    return None
