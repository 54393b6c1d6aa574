"""The score sheet as SVG: areas in their colours, entries, what comes next and what it earns; dice below.

Only shapes and text, nothing loaded from elsewhere; ``sheet`` draws one player's sheet, ``position`` all and the dice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from stammtisch.core.game import Json
from stammtisch.games.clever.rules import DICE, PLACES
from stammtisch.games.clever.sheet import (
    BLUE_COLUMN_BONUS,
    BLUE_POINTS,
    BLUE_ROW_BONUS,
    COLUMN_POINTS,
    EXTRA,
    FACTORS,
    FOX,
    GREEN_BONUS,
    GREEN_POINTS,
    NOTHING,
    ORANGE_BONUS,
    PURPLE_BONUS,
    REROLL,
    THRESHOLDS,
    TRACK,
    YELLOW_NUMBERS,
    YELLOW_ROW_BONUS,
)

CELL, STEP = 40, 46
WIDTH, HEIGHT, DICE_HEIGHT = 620, 560, 84
INK, PAPER, PALE = "#26262b", "#fbfaf5", "#ffffff"
COLOURS = {"Y": "#e0a800", "B": "#2d69b3", "G": "#3f8f3a", "O": "#d9661f", "P": "#74449a", "W": "#8a8a90"}
BACKGROUNDS = {"Y": "#fbf0c9", "B": "#dde8f6", "G": "#e0f0dd", "O": "#fbe4d3", "P": "#ece2f4"}
BONUS_COLOURS = "YBGOOOPW"
BONUS_SIGNS = ("✕", "✕", "✕", "4", "5", "6", "6", "?")
FOX_FACE = "M-7,-7 L-3,-2 L3,-2 L7,-7 L7,1 L0,8 L-7,1 Z"
OWN_SIGNS = {FOX: ("", "#a3301f"), REROLL: ("↻", "#55555c"), EXTRA: ("+1", "#55555c")}


def position(shown: Json) -> str:
    """All sheets below each other, and the dice where they lie."""
    sheets = shown["sheets"]
    height = HEIGHT * len(sheets) + (0 if shown["phase"] == "over" else DICE_HEIGHT)
    parts = [part for i, one in enumerate(sheets) for part in _sheet(one, HEIGHT * i)]
    if shown["phase"] != "over":
        parts += _dice(shown, HEIGHT * len(sheets))
    return _document(WIDTH, height, parts)


def sheet(shown: Json) -> str:
    """One sheet, as it stands in a position."""
    return _document(WIDTH, HEIGHT, list(_sheet(shown, 0)))


def _document(width: int, height: int, parts: Sequence[str]) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    style = "font-family:system-ui,sans-serif;text-anchor:middle;dominant-baseline:central"
    return f'{head} style="{style}">\n' + "\n".join(parts) + "\n</svg>\n"


def _box(x: float, y: float, width: float, height: float, fill: str, stroke: str = "none", round_: int = 7) -> str:
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{round_}" fill="{fill}" '
        f'stroke="{stroke}" stroke-width="2"/>'
    )


def _text(x: float, y: float, text: str, size: int = 17, fill: str = INK, weight: int = 500) -> str:
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}" font-weight="{weight}" fill="{fill}">{text}</text>'


def _cell(x: float, y: float, text: str, colour: str, entry: str | None = None) -> Iterator[str]:
    """A free cell with its number, or what was entered."""
    yield _box(x, y, CELL, CELL, PALE if entry is None else colour, colour)
    middle = (x + CELL / 2, y + CELL / 2)
    yield _text(*middle, text, 16, colour) if entry is None else _text(*middle, entry, 20, "#ffffff", 700)


def _bonus(x: float, y: float, bonus: int) -> Iterator[str]:
    """The sign of a bonus in a small circle around this point."""
    if bonus == NOTHING:
        return
    sign, colour = OWN_SIGNS.get(bonus) or (BONUS_SIGNS[bonus], COLOURS[BONUS_COLOURS[bonus]])
    yield from _badge(x, y, sign, colour, "#ffffff")


def _badge(x: float, y: float, sign: str, colour: str, ink: str) -> Iterator[str]:
    """A circle with a sign, or with a fox."""
    yield f'<circle cx="{x:g}" cy="{y:g}" r="11" fill="{colour}"/>'
    if sign:
        yield _text(x, y, sign, 12, ink, 700)
    else:
        yield f'<path d="{FOX_FACE}" transform="translate({x:g},{y:g}) scale(0.9)" fill="{ink}"/>'


def _sheet(shown: Json, top: int) -> Iterator[str]:
    yield _box(4, top + 4, WIDTH - 8, HEIGHT - 8, PAPER, "#d8d4c6", 14)
    yield from _actions(shown, top + 34)
    yield from _yellow(shown, 24, top + 66)
    yield from _blue(shown, 356, top + 66)
    rows = (
        ("G", ["✕"] * shown["green"], [f"≥{n}" for n in THRESHOLDS], GREEN_BONUS, GREEN_POINTS[1:]),
        ("O", shown["orange"], [f"×{n}" if n > 1 else "" for n in FACTORS], ORANGE_BONUS, ()),
        ("P", shown["purple"], ["" if cell == 0 else "&lt;" for cell in range(TRACK)], PURPLE_BONUS, ()),
    )
    for i, (die, entries, empty, bonuses, points) in enumerate(rows):
        yield from _track(die, top + 322 + 78 * i, entries, empty, bonuses, points)


def _actions(shown: Json, y: float) -> Iterator[str]:
    """The two action bars and the foxes."""
    x = 36.0
    for key, (sign, colour), slots in (
        ("rerolls", OWN_SIGNS[REROLL], 7),
        ("extras", OWN_SIGNS[EXTRA], 7),
        ("foxes", OWN_SIGNS[FOX], 5),
    ):
        for slot in range(slots):
            have = slot < shown[key]
            yield from _badge(x, y, sign, colour if have else "#e9e6da", "#ffffff" if have else "#a8a496")
            x += 27
        x += 24


def _yellow(shown: Json, left: int, top: int) -> Iterator[str]:
    colour = COLOURS["Y"]
    yield _box(left - 8, top - 8, 4 * STEP + 50, 5 * STEP + 4, BACKGROUNDS["Y"], round_=12)
    for cell, number in enumerate(YELLOW_NUMBERS):
        x, y = left + STEP * (cell % 4), top + STEP * (cell // 4)
        if number:
            yield from _cell(x, y, str(number), colour, "✕" if cell in shown["yellow"] else None)
        else:
            yield _text(x + CELL / 2, y + CELL / 2, "✕", 22, colour, 700)
    for line in range(4):
        yield from _bonus(left + 4 * STEP + 15, top + STEP * line + CELL / 2, YELLOW_ROW_BONUS[line])
        yield _text(left + STEP * line + CELL / 2, top + 4 * STEP + 14, str(COLUMN_POINTS[line]), 16, colour, 700)
    yield from _bonus(left + 4 * STEP + 15, top + 4 * STEP + 14, EXTRA)


def _blue(shown: Json, left: int, top: int) -> Iterator[str]:
    colour = COLOURS["B"]
    yield _box(left - 8, top - 8, 4 * STEP + 50, 5 * STEP + 4, BACKGROUNDS["B"], round_=12)
    count = len(shown["blue"])
    for n in range(1, 12):
        x, y = left + 4 + 20.5 * (n - 1), top + 6
        if n == count:
            yield f'<circle cx="{x:g}" cy="{y:g}" r="11" fill="{colour}"/>'
        yield _text(x, y, str(BLUE_POINTS[n]), 12, "#ffffff" if n == count else colour, 700)
    for number in range(2, 13):
        row, column = divmod(number - 1, 4)
        entry = "✕" if number in shown["blue"] else None
        yield from _cell(left + STEP * column, top + 24 + STEP * row, str(number), colour, entry)
    yield _text(left + CELL / 2, top + 24 + CELL / 2, "B+W", 12, colour, 700)
    for row in range(3):
        yield from _bonus(left + 4 * STEP + 15, top + 24 + STEP * row + CELL / 2, BLUE_ROW_BONUS[row])
    for column in range(4):
        yield from _bonus(left + STEP * column + CELL / 2, top + 24 + 3 * STEP + 14, BLUE_COLUMN_BONUS[column])


def _track(
    die: str, top: int, entries: Sequence[object], empty: Sequence[str], bonuses: Any, points: Any
) -> Iterator[str]:
    colour, left = COLOURS[die], 24
    yield _box(left - 8, top - 6, TRACK * STEP + 60, 74, BACKGROUNDS[die], round_=12)
    for cell in range(TRACK):
        x = left + STEP * cell
        entry = str(entries[cell]) if cell < len(entries) else None
        yield from _cell(x, top, empty[cell], colour, entry)
        middle = x + CELL / 2
        if len(points):
            yield _text(middle - (11 if bonuses[cell] != NOTHING else 0), top + 54, str(points[cell]), 12, colour, 700)
            middle += 11
        yield from _bonus(middle, top + 54, int(bonuses[cell]))
    if die != "G":
        total = sum(int(str(n)) * (int(FACTORS[i]) if die == "O" else 1) for i, n in enumerate(entries))
        yield _text(left + TRACK * STEP + 22, top + CELL / 2, str(total), 19, colour, 700)


def _dice(shown: Json, top: int) -> Iterator[str]:
    x = 30.0
    for place in PLACES:
        there = [die for die in DICE if shown["place"].get(die) == place]
        if not there:
            continue
        yield _text(x + (STEP * len(there) - 6) / 2, top + 14, place, 13, "#77777d")
        for die in there:
            used = die in shown["extra_used"]
            yield _box(x, top + 28, CELL, CELL, "#ffffff" if die == "W" else COLOURS[die], COLOURS[die], 9)
            ink = INK if die == "W" else "#ffffff"
            yield _text(x + CELL / 2, top + 28 + CELL / 2, str(shown["dice"][die]), 21, ink, 700)
            if used:
                yield _text(x + CELL - 6, top + 34, "+1", 11, ink, 700)
            x += STEP
        x += 20
