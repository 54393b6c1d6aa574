"""Short ways to set up a table of clever, and to read one."""

from __future__ import annotations

from typing import Any

import stammtisch as st
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
