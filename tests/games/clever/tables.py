"""Short ways to set up a table of clever, to read one, and to make up rules and sheets."""

from __future__ import annotations

from random import Random
from typing import Any

import stammtisch as st
from games.clever import referee
from games.clever.referee import Sheet
from stammtisch.core.game import State

DICE = "WYBGOP"
MIXED = "W1 Y2 B3 G4 O5 P6"  # for examples to which the dice do not matter
ALL_BLUE = [*range(2, 13)]
SHEET = ("yellow", "blue", "green", "orange", "purple", "rerolls", "extras", "foxes", "pending")


def faces(text: str) -> dict[str, int]:
    """``W1 Y3`` as an object."""
    return {word[0]: int(word[1]) for word in text.split()}


def lying(pool: str = DICE, field: str = "", tray: str = "", aside: str = "") -> dict[str, str]:
    """Where the dice lie: ``pool`` unless said otherwise."""
    named = {"field": field, "tray": tray, "aside": aside}
    return dict.fromkeys(pool, "pool") | {die: place for place, dice in named.items() for die in dice}


def table(dice: str = MIXED, field: str = "", tray: str = "", aside: str = "", seed: int = 1, **more: Any) -> State:
    """A player alone; all other words are of the sheet, of the position, or options."""
    position: dict[str, Any] = {"dice": faces(dice), "place": lying(DICE, field, tray, aside)}
    position["sheets"] = [{key: more.pop(key) for key in SHEET if key in more}]
    position |= {key: more.pop(key) for key in ("phase", "round", "roll", "extra_used") if key in more}
    return st.game("clever", **more).from_json(position, seed=seed)


def rolled(state: State, dice: str, tray: str | None = None, seed: int = 1) -> State:
    """The same table, but the dice that were rolled just now fell like this."""
    position = state.to_json()
    new = faces(dice)
    if tray is None:
        assert set(new) == set(on(state, "pool")), "all dice of the pool are rolled and no other"
    else:
        assert set(new) == set(DICE) and position["phase"] == "passive"
        position["place"] = lying("", "", tray, "".join(die for die in DICE if die not in tray))
    position["dice"] |= new
    return state.game.from_json(position, seed=seed)


def on(state: State, place: str) -> str:
    """The dice that lie there, in the order of WYBGOP."""
    places = state.to_json()["place"]
    return "".join(die for die in DICE if places.get(die) == place)


def sheet(state: State, seat: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = state.to_json()["sheets"][seat]
    return found


def points(state: State, area: str, seat: int = 0) -> int:
    return state.game.tally(state.record)[area][seat]


def moves_of(state: State, die: str) -> set[str]:
    """The legal moves that enter this die, also those by a +1."""
    return {move for move in state.moves() if move.lstrip("+").startswith(f"{die}>")}


def areas_of(state: State, die: str) -> set[str]:
    """The letters of the areas in which this die may be entered."""
    return {move.split(">")[1][0] for move in moves_of(state, die)}


# --- any rules, any sheet ----------------------------------------------------------------------------------------

VARIANTS: list[dict[str, Any]] = [
    {},
    {"players": 2},
    {"players": 3},
    {"players": 4},
    {"rules": "thesis"},
    {"rules": "prototype", "dice": 2},
    {"rules": "prototype", "dice": 4},
]
SWITCHES = ("bonus_optional", "pass_anytime", "passive_optional", "passive_fallback")


def random_options(rng: Random) -> dict[str, Any]:
    """Any combination of the rules and their switches."""
    return {
        **rng.choice(VARIANTS),
        "bonus_order": rng.choice(("player", "queue")),
        **{name: rng.random() < 0.5 for name in SWITCHES},
    }


def random_sheet(rng: Random, fullness: float) -> Sheet:
    """A sheet about that full, with no more foxes and actions than its cells bring."""
    sheet = referee.empty_sheet()
    for area, cells in zip(referee.AREAS, (referee.YELLOW_CELLS, range(2, 13), *[range(1, 12)] * 3), strict=True):
        chosen = [cell for cell in cells if rng.random() < fullness + rng.uniform(-0.2, 0.2)]
        for i, cell in enumerate(chosen, 1):
            last = sheet["purple"][-1] % 6 if area == "purple" and sheet["purple"] else 0
            place = cell if area in ("yellow", "blue") else i
            referee.fill(sheet, f"{area[0]}{place}", rng.randint(last + 1, 6))
    return {
        **sheet,
        "rerolls": rng.randint(0, sheet["rerolls"]),
        "extras": rng.randint(0, sheet["extras"]),
        "pending": [],
    }
