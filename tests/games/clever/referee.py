"""The referee of clever: clever.md R1-R11 and clever-thesis.md section 4 on JSON positions. Slow, obviously right.

``legal_moves`` says what may be played, ``play`` what follows, ``scores`` what it is worth. Chance is left open: a die
that is rolled shows None, and where dice are sorted by their faces (passive roll of a player alone) their place is None
too; ``differences`` holds such an expectation against a real position. No code of the engine.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

Position = dict[str, Any]
Sheet = dict[str, Any]

# --- the sheet (R2) ----------------------------------------------------------------------------------------------

DICE = "WYBGOP"
AREAS = ("yellow", "blue", "green", "orange", "purple")
YELLOW = (3, 6, 5, None, 2, 1, None, 5, 1, None, 2, 4, None, 3, 4, 6)  # None: a printed cross
YELLOW_CELLS = tuple(cell for cell in range(16) if YELLOW[cell] is not None)
YELLOW_COLUMNS = {(0, 4, 8): 10, (1, 5, 13): 14, (2, 10, 14): 16, (7, 11, 15): 20}
YELLOW_ROWS = {(0, 1, 2): 10, (4, 5, 7): 14, (8, 10, 11): 16, (13, 14, 15): 20}  # points in the prototype only
YELLOW_GROUPS = (  # rows, then the diagonal
    ((0, 1, 2), "blue_x"),
    ((4, 5, 7), "orange_4"),
    ((8, 10, 11), "green_x"),
    ((13, 14, 15), "fox"),
    ((0, 5, 10, 15), "extra"),
)
BLUE_GROUPS = (  # rows, then columns
    ((2, 3, 4), "orange_5"),
    ((5, 6, 7, 8), "yellow_x"),
    ((9, 10, 11, 12), "fox"),
    ((5, 9), "reroll"),
    ((2, 6, 10), "green_x"),
    ((3, 7, 11), "purple_6"),
    ((4, 8, 12), "extra"),
)
BLUE_POINTS = (0, 1, 2, 4, 7, 11, 16, 22, 29, 37, 46, 56)
GREEN_THRESHOLDS = (1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 6)
GREEN_POINTS = (0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66)
ORANGE_FACTORS = (1, 1, 1, 2, 1, 1, 2, 1, 2, 1, 3)
TRACK_BONUSES: dict[str, dict[int, str]] = {
    "green": {4: "extra", 6: "blue_x", 7: "fox", 9: "purple_6", 10: "reroll"},
    "orange": {3: "reroll", 5: "yellow_x", 6: "extra", 8: "fox", 10: "purple_6"},
    "purple": {
        3: "reroll",
        4: "blue_x",
        5: "extra",
        6: "yellow_x",
        7: "fox",
        8: "reroll",
        9: "green_x",
        10: "orange_6",
        11: "extra",
    },
}
ROUND_BONUSES = {1: "reroll", 2: "extra", 3: "reroll", 4: "black"}
ROUNDS = {1: 6, 2: 6, 3: 5, 4: 4}
PROTOTYPE_ROLLS = 10
RECORDED = {"fox": "foxes", "reroll": "rerolls", "extra": "extras"}


def empty_sheet() -> Sheet:
    lists: Sheet = {"yellow": [], "blue": [], "green": 0, "orange": [], "purple": []}
    return {**lists, "rerolls": 0, "extras": 0, "foxes": 0, "pending": []}


def area_points(sheet: Sheet) -> dict[str, int]:
    return {
        "yellow": sum(points for column, points in YELLOW_COLUMNS.items() if set(column) <= set(sheet["yellow"])),
        "blue": BLUE_POINTS[len(sheet["blue"])],
        "green": GREEN_POINTS[sheet["green"]],
        "orange": sum(number * factor for number, factor in zip(sheet["orange"], ORANGE_FACTORS, strict=False)),
        "purple": sum(sheet["purple"]),
    }


def total(sheet: Sheet) -> int:
    points = area_points(sheet).values()
    return sum(points) + sheet["foxes"] * min(points)


def filled(sheet: Sheet, area: str) -> int:
    """The filled cells of a track."""
    return sheet[area] if area == "green" else len(sheet[area])


def next_cell(sheet: Sheet, area: str) -> list[str]:
    """The next free cell of a track, if there is one."""
    return [f"{area[0]}{filled(sheet, area) + 1}"] if filled(sheet, area) < 11 else []


def cells_for(sheet: Sheet, area: str, face: int, both: int) -> list[str]:
    """Where a die with this face may be entered in an area; ``both`` is blue and white together."""
    if area == "yellow":
        return [f"y{cell}" for cell in YELLOW_CELLS if YELLOW[cell] == face and cell not in sheet["yellow"]]
    if area == "blue":
        return [] if both in sheet["blue"] else [f"b{both}"]
    if area == "green":
        return [cell for cell in next_cell(sheet, area) if face >= GREEN_THRESHOLDS[sheet["green"]]]
    if area == "purple":
        last = sheet["purple"][-1] if sheet["purple"] else 0
        return [cell for cell in next_cell(sheet, area) if face > last or last == 6]
    return next_cell(sheet, area)


def cells_for_bonus(sheet: Sheet, bonus: str) -> list[str]:
    """Where a bonus may be entered; nowhere if it is lost."""
    if bonus == "black":
        kinds = ("yellow_x", "blue_x", "green_x", "orange_6", "purple_6")
        return [cell for kind in kinds for cell in cells_for_bonus(sheet, kind)]
    if bonus == "yellow_x":
        return [f"y{cell}" for cell in YELLOW_CELLS if cell not in sheet["yellow"]]
    if bonus == "blue_x":
        return [f"b{number}" for number in range(2, 13) if number not in sheet["blue"]]
    return next_cell(sheet, bonus.split("_")[0])


def fill(sheet: Sheet, cell: str, number: int) -> None:
    """Cross a cell, or write the number in it, and take what that brings."""
    area = next(name for name in AREAS if name[0] == cell[0])
    place = int(cell[1:])
    if area in ("yellow", "blue"):
        sheet[area] = sorted([*sheet[area], place])
        groups = YELLOW_GROUPS if area == "yellow" else BLUE_GROUPS
        brings = [bonus for group, bonus in groups if place in group and set(group) <= set(sheet[area])]
    else:
        if area == "green":
            sheet["green"] += 1
        else:
            sheet[area].append(number)
        brings = [TRACK_BONUSES[area][place]] if place in TRACK_BONUSES[area] else []
    for bonus in brings:
        take(sheet, bonus)
    drop_lost(sheet)


def take(sheet: Sheet, bonus: str) -> None:
    if bonus in RECORDED:
        sheet[RECORDED[bonus]] += 1
    else:
        sheet["pending"].append(bonus)


def drop_lost(sheet: Sheet) -> None:
    """A bonus is lost when its area is full (R7)."""
    sheet["pending"] = [bonus for bonus in sheet["pending"] if cells_for_bonus(sheet, bonus)]


# --- what may be played ------------------------------------------------------------------------------------------


def legal_moves(position: Position) -> set[str]:
    if position["phase"] == "over":
        return set()
    options, sheet = position["options"], position["sheets"][position["player"]]
    if options["rules"] == "prototype":
        fits = {f"Y>{cell}" for face in position["dice"].values() for cell in cells_for(sheet, "yellow", face, 0)}
        return fits or {"pass"}
    if sheet["pending"]:
        return set(bonus_moves(sheet, options))
    if position["phase"] in ("active_extra", "passive_extra"):
        dice = [die for die in DICE if die not in position["extra_used"]]
        return {f"+{move}" for move in entries(position, dice)} | {"end"}
    if position["phase"] == "active":
        fits = set(entries(position, lying(position, "pool")))
        again = {"reroll"} if sheet["rerolls"] else set()
        return fits | again | ({"pass"} if options["pass_anytime"] or not fits else set())
    fits = set(entries(position, lying(position, "tray")))
    if not fits and (options["players"] > 1 or options["passive_fallback"]):
        fits = set(entries(position, [die for die in DICE if position["place"][die] != "tray"]))
    return fits | ({"pass"} if options["passive_optional"] or not fits else set())


def bonus_moves(sheet: Sheet, options: dict[str, Any]) -> Iterator[str]:
    open_now = sheet["pending"][:1] if options["bonus_order"] == "queue" else sheet["pending"]
    for bonus in open_now:
        yield from (f"*{bonus}>{cell}" for cell in cells_for_bonus(sheet, bonus))
        if options["bonus_optional"]:
            yield f"*{bonus}>none"


def entries(position: Position, dice: list[str]) -> Iterator[str]:
    """All ways to enter one of these dice on the sheet of the player who decides."""
    sheet, faces = position["sheets"][position["player"]], position["dice"]
    for die in dice:
        for area in AREAS:
            if die in ("W", area[0].upper()):
                yield from (f"{die}>{cell}" for cell in cells_for(sheet, area, faces[die], faces["B"] + faces["W"]))


def lying(position: Position, place: str) -> list[str]:
    return [die for die in position["place"] if position["place"][die] == place]


# --- what follows ------------------------------------------------------------------------------------------------


def play(position: Position, move: str) -> Position:
    """The position after a legal move, with None for what chance decides."""
    after = deepcopy(position)
    sheet = after["sheets"][after["player"]]
    if after["options"]["rules"] == "prototype":
        if move != "pass":
            sheet["yellow"] = sorted([*sheet["yellow"], int(move[3:])])
        return next_prototype_roll(after)
    if move == "reroll":
        sheet["rerolls"] -= 1
        return roll(after, lying(after, "pool"))
    if move.startswith("*"):
        bonus, cell = move[1:].split(">")
        sheet["pending"].remove(bonus)
        if cell != "none":
            fill(sheet, cell, int(bonus[-1]) if bonus[-1].isdigit() else 6)
    elif move == "end":
        return end_window(after)
    elif move != "pass":
        die, cell = move.lstrip("+").split(">")
        fill(sheet, cell, after["dice"][die])
        if move.startswith("+"):
            sheet["extras"] -= 1
            after["extra_used"] = [*after["extra_used"], die]
        elif after["phase"] == "active":
            put_on_field(after, die)
    if ends_active_turn(after) and after["options"]["rules"] == "thesis" and after["round"] == 6:
        sheet["pending"] = []  # what the last mark of the thesis's game earned is not used
    return after if sheet["pending"] else go_on(after)


def put_on_field(position: Position, die: str) -> None:
    """Lower dice of the pool go to the tray (R4)."""
    place, dice = position["place"], position["dice"]
    place[die] = "field"
    for other in lying(position, "pool"):
        if dice[other] < dice[die]:
            place[other] = "tray"


def ends_active_turn(position: Position) -> bool:
    return position["phase"] == "active" and (position["roll"] == 3 or not lying(position, "pool"))


def go_on(position: Position) -> Position:
    """What comes when a player has done what the phase asked for, and used all bonuses."""
    sheet, phase = position["sheets"][position["player"]], position["phase"]
    if phase == "active" and position["roll"] == 0:
        return before_the_first_roll(position)
    if phase == "active" and not ends_active_turn(position):
        position["roll"] += 1
        return roll(position, lying(position, "pool"))
    if phase == "active" and position["options"]["rules"] == "thesis" and position["round"] == 6:
        return over(position)
    if phase == "active":
        position["phase"] = "active_extra"
        for die in lying(position, "pool"):
            position["place"][die] = "tray"
    elif phase == "passive":
        position["phase"] = "passive_extra"
    return position if sheet["extras"] else end_window(position)


def end_window(position: Position) -> Position:
    """After the +1 window of the active player the passive turns begin, after the last of them the next turn."""
    position["extra_used"] = []
    players, active, player = position["options"]["players"], position["active"], position["player"]
    if players == 1 and position["phase"] == "active_extra":
        position["phase"] = "passive"
        position["place"] = dict.fromkeys(DICE, None)
        return roll(position, list(DICE))
    if players > 1 and (player + 1) % players != active:
        position["phase"], position["player"] = "passive", (player + 1) % players
        return position
    return next_turn(position)


def next_turn(position: Position) -> Position:
    players = position["options"]["players"]
    last_of_round = (position["active"] + 1) % players == position["starter"]
    if last_of_round and position["round"] == ROUNDS[players]:
        return over(position)
    position["active"] = position["player"] = (position["active"] + 1) % players
    position["phase"], position["roll"] = "active", 0
    position["place"] = dict.fromkeys(DICE, "pool")
    if last_of_round:
        position["round"] += 1
        for sheet in position["sheets"]:
            if position["round"] in ROUND_BONUSES:
                take(sheet, ROUND_BONUSES[position["round"]])
                drop_lost(sheet)
    return before_the_first_roll(position)


def before_the_first_roll(position: Position) -> Position:
    """Round bonuses are used first, by one player after the other, beginning with the active one."""
    players = position["options"]["players"]
    for seat in ((position["active"] + i) % players for i in range(players)):
        if position["sheets"][seat]["pending"]:
            position["player"] = seat
            return position
    position["player"], position["roll"] = position["active"], 1
    return roll(position, list(DICE))


def next_prototype_roll(position: Position) -> Position:
    if position["round"] == PROTOTYPE_ROLLS:
        return over(position)
    position["round"] += 1
    return roll(position, list(position["dice"]))


def roll(position: Position, dice: list[str]) -> Position:
    position["dice"] |= dict.fromkeys(dice, None)
    return position


def over(position: Position) -> Position:
    position["phase"], position["player"] = "over", None
    return position


# --- what it is worth --------------------------------------------------------------------------------------------


def scores(position: Position) -> list[int]:
    if position["options"]["rules"] == "prototype":
        crossed = set(position["sheets"][0]["yellow"])
        groups = [*YELLOW_COLUMNS.items(), *YELLOW_ROWS.items()]
        return [sum(points for group, points in groups if set(group) <= crossed)]
    return [total(sheet) for sheet in position["sheets"]]


def best_areas(position: Position) -> list[int]:
    return [max(area_points(sheet).values()) for sheet in position["sheets"]]


# --- comparing ---------------------------------------------------------------------------------------------------


def differences(expected: Position, found: Position) -> list[str]:
    """Everything in which a position is not what is expected, as far as chance does not decide it."""
    expected, found = comparable(expected), comparable(found)
    fixed = [key for key in expected if key not in ("dice", "place")]
    wrong = [f"{key}: {found[key]}, not {expected[key]}" for key in fixed if found[key] != expected[key]]
    for die, face in expected["dice"].items():
        if found["dice"][die] != face and not (face is None and found["dice"][die] in range(1, 7)):
            wrong.append(f"die {die}: {found['dice'][die]}, not {face or 'from 1 to 6'}")
    if None in expected["place"].values():
        wrong += sorting_mistakes(found)
    elif found["place"] != expected["place"]:
        wrong.append(f"place: {found['place']}, not {expected['place']}")
    return wrong


def comparable(position: Position) -> Position:
    """Without what means nothing: the order of dice used by +1, that of bonuses the player may order, and whose turn
    it would be after the end.
    """
    position = deepcopy(position)
    position["extra_used"] = sorted(position["extra_used"])
    if position["options"]["bonus_order"] == "player":
        for sheet in position["sheets"]:
            sheet["pending"] = sorted(sheet["pending"])
    if position["phase"] == "over":
        del position["active"]
    return position


def sorting_mistakes(position: Position) -> list[str]:
    """The passive roll alone: three dice on the tray, three aside; officially the tray has the lowest (R6)."""
    tray, aside = lying(position, "tray"), lying(position, "aside")
    if len(tray) != 3 or len(aside) != 3:
        return [f"place: {position['place']}, not three dice on the tray and three aside"]
    dice = position["dice"]
    if position["options"]["rules"] == "official" and max(dice[d] for d in tray) > min(dice[d] for d in aside):
        return [f"place: {position['place']}, not the lowest of {dice} on the tray"]
    return []
