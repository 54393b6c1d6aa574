"""The score sheet in text: what is filled, what comes next, what is earned; below, the dice and where they lie."""

from __future__ import annotations

from collections.abc import Iterator

from stammtisch.core.game import Json
from stammtisch.games.clever.rules import DICE, PLACES
from stammtisch.games.clever.sheet import (
    BLUE_COLUMN_BONUS,
    BLUE_ROW_BONUS,
    COLUMN_POINTS,
    EXTRA,
    FACTORS,
    FOX,
    GREEN_BONUS,
    NOTHING,
    ORANGE_BONUS,
    PURPLE_BONUS,
    REROLL,
    THRESHOLDS,
    TRACK,
    YELLOW_NUMBERS,
    YELLOW_ROW_BONUS,
)

STYLES = {"W": "bold", "Y": "yellow", "B": "blue", "G": "green", "O": "dark_orange", "P": "magenta"}
FILLED = "bold reverse"
SIGNS = ("yX", "bX", "gX", "o4", "o5", "o6", "p6", "??")  # of the bonuses, as in BONUSES
MORE_SIGNS = {FOX: "fx", REROLL: "rr", EXTRA: "+1", NOTHING: "  "}

Piece = tuple[str, str]


def sign(bonus: int) -> str:
    """Two letters for a bonus: ``bX`` a blue cross, ``o5`` an orange 5, ``fx`` a fox, ``rr`` a re-roll, ``+1``."""
    return MORE_SIGNS.get(bonus) or SIGNS[bonus]


def paint(position: Json) -> list[Piece]:
    """The picture in pieces with their styles."""
    pieces: list[Piece] = []
    several = len(position["sheets"]) > 1
    for seat, sheet in enumerate(position["sheets"]):
        if several:
            mark = " <- decides" if position.get("player") == seat else ""
            pieces.append((f"Player {seat}{mark}\n", "bold"))
        pieces += _sheet(sheet, bool(position["options"].get("rules") == "prototype"))
    pieces += _table(position)
    return pieces


def _sheet(sheet: Json, yellow_only: bool) -> Iterator[Piece]:
    yield from _grids(sheet, yellow_only)
    if yellow_only:
        return
    yield from _track("green ", "G", [f"≥{n}" for n in THRESHOLDS], ["X"] * sheet["green"], GREEN_BONUS)
    factors = [f"x{n}" if n > 1 else "·" for n in FACTORS]
    yield from _track("orange", "O", factors, [str(n) for n in sheet["orange"]], ORANGE_BONUS)
    rises = ["<" if cell else "·" for cell in range(TRACK)]
    yield from _track("purple", "P", rises, [str(n) for n in sheet["purple"]], PURPLE_BONUS)
    facts = f"re-rolls {sheet['rerolls']}   +1 {sheet['extras']}   foxes {sheet['foxes']}"
    yield (facts + (f"   to use: {', '.join(sheet['pending'])}" if sheet["pending"] else "") + "\n", "bold")


def _grids(sheet: Json, yellow_only: bool) -> Iterator[Piece]:
    """The yellow and the blue area side by side."""
    for row in range(5):
        for column in range(5):
            if row == 4:
                text = f"{COLUMN_POINTS[column]:>3} " if column < 4 else "+1\\"
                yield (text if column < 4 or not yellow_only else "", "dim")
            elif column == 4:
                points = f"{COLUMN_POINTS[row]:>3}" if yellow_only else f" {sign(YELLOW_ROW_BONUS[row])}"
                yield (points, "dim")
            else:
                cell = 4 * row + column
                crossed = cell in sheet["yellow"] or YELLOW_NUMBERS[cell] == 0
                yield (
                    " [X]" if crossed else f"  {YELLOW_NUMBERS[cell]} ",
                    STYLES["Y"] if not crossed else FILLED + " " + STYLES["Y"],
                )
        if not yellow_only:
            yield ("      ", "")
            yield from _blue_row(sheet, row)
        yield ("\n", "")


def _blue_row(sheet: Json, row: int) -> Iterator[Piece]:
    if row == 4:
        return
    for column in range(4):
        number = 4 * row + column + 1
        if row == 3:
            yield (f"  {sign(BLUE_COLUMN_BONUS[column])}", "dim")
        elif number == 1:
            yield ("    ", "")
        else:
            crossed = number in sheet["blue"]
            yield (" [X]" if crossed else f"{number:>3} ", FILLED + " " + STYLES["B"] if crossed else STYLES["B"])
    if row < 3:
        yield (f"  {sign(BLUE_ROW_BONUS[row])}", "dim")


def _track(name: str, die: str, empty: list[str], filled: list[str], bonuses: object) -> Iterator[Piece]:
    """One row of cells, and below it what they earn."""
    yield (f"{name} ", STYLES[die])
    for cell in range(TRACK):
        full = cell < len(filled)
        text = f"[{filled[cell]}]" if full else empty[cell]
        yield (f"{text:^4}", FILLED + " " + STYLES[die] if full else STYLES[die])
    yield ("\n       ", "")
    for bonus in bonuses:  # type: ignore[attr-defined]
        yield (f" {sign(int(bonus))} ", "dim")
    yield ("\n", "")


def _table(position: Json) -> Iterator[Piece]:
    if position["phase"] == "over":
        yield ("The game is over.", "")
        return
    roll = f", roll {position['roll']}" if position["phase"] == "active" and position["roll"] else ""
    yield (f"Round {position['round']}, {position['phase'].replace('_', ' ')}{roll}\n", "")
    for place in PLACES:
        there = [die for die in DICE if position["place"].get(die) == place]
        if there:
            yield (f"{place:>5}: ", "")
            for die in there:
                used = "*" if die in position["extra_used"] else " "
                yield (f" {die}{position['dice'][die]}{used}", STYLES[die])
            yield ("\n", "")


def draw(position: Json) -> str:
    """The picture without colours."""
    lines = "".join(text for text, _ in paint(position)).split("\n")
    return "\n".join(line.rstrip() for line in lines).rstrip("\n")
