"""The worked examples of the rules and the stored positions, as positions and moves of the notation."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

FIXTURES = Path(__file__).parent / "fixtures"
EXAMPLES = [[cell.strip() for cell in line.split("|")] for line in (FIXTURES / "examples.txt").read_text().splitlines()]
POSITIONS = [
    position for name in ("classic", "dmadn", "dog") for position in json.loads((FIXTURES / f"{name}.json").read_text())
]
PROBES = json.loads((FIXTURES / "probes.json").read_text())
LAYOUTS = json.loads((FIXTURES / "layout.json").read_text())

GAME = {"classic": "madn", "dmadn": "dmadn", "dog": "dog"}
# the names in the author's code, which the examples and the fixtures use
OPTION = {
    "num_players": "players",
    "distance": "distance",
    "seats": "seats",
    "enable_teams": "teams",
    "enable_initial_free_pin": "initial_free_pin",
    "enable_circular_board": "circular",
    "enable_start_blocking": "start_block",
    "enable_jump_in_goal_area": "jump_in_goal",
    "enable_friendly_fire": "friendly_fire",
    "enable_start_on_1": "start_on_1",
    "enable_bonus_turn_on_6": "extra_move_on_6",
    "enable_dice_rethrow": "rethrow",
    "must_traverse_start": "must_traverse_start",
    "enable_forced_start": "forced_start",
    "enable_forced_attack": "forced_attack",
    "hot_7_enabled": "hot_7",
}


def rows(text: str) -> dict[int, list[str]]:
    """``P0 5 H H H; P1 14 G0 H H`` by player."""
    words = [row.split() for row in text.split(";") if row.strip().startswith("P")]
    return {int(player[1]): places for player, *places in words}


def example_position(example: list[str]) -> dict[str, Any]:
    """The position of a worked example; other hands hold a card, so that no new deal happens."""
    _, variant, switches, pins, turn, *_ = example
    options = {
        OPTION[name]: int(value) for name, value in (word.split("=") for word in switches.split() if word != "-")
    }
    player, kind, *values = turn.removeprefix("turn ").split()
    position: dict[str, Any] = {
        "game": GAME[variant],
        "options": {name: value if name == "distance" else bool(value) for name, value in options.items()},
        "player": int(player),
        "pins": [rows(pins).get(seat, ["H"] * 4) for seat in range(4)],
    }
    if variant == "classic":
        position["die"] = int(values[0]) if kind == "die" else 1
    elif variant == "dmadn":
        position["tokens"] = [[4] * 6 for _ in range(4)]
        position["tokens"][int(player)] = [int(value) for value in values]
    else:
        position["hands"] = [["2"] for _ in range(4)]
        position["hands"][int(player)] = values[0].split(",")
    return position


def fixture_position(fixture: dict[str, Any]) -> dict[str, Any]:
    rules, position = dict(fixture["rules"]), dict(fixture["state"])
    position["game"] = GAME[rules.pop("variant")]
    position["options"] = {OPTION[name]: value for name, value in rules.items()}
    if "hands" in position:
        position["hands"] = [list(Counter(hand).elements()) for hand in position["hands"]]
    return position


def fixture_move(move: dict[str, Any]) -> str:
    kind, card, pin = move["type"], move.get("card"), f"p{move.get('pin')}"
    if kind == "pin":
        return f"{pin}:{move['value']}" if "value" in move else pin
    if kind == "start":
        return f"start:{card}:{pin}"
    if kind == "move":
        return f"move:{card}:{pin}:{move['steps']}"
    if kind == "split":
        return f"seven:{card}:{','.join(map(str, move['parts']))}"
    if kind == "swap":
        return f"swap:{card}:{pin}:P{move['with']['player']}.{move['with']['pin']}"
    return str(kind)


def fixture_pins(pins: list[list[Any]]) -> list[list[str]]:
    return [[str(place) for place in row] for row in pins]
