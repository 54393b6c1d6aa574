"""What the lobby offers: games with their options, and opponents by strength."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from stammtisch.agents.catalog import agents_of
from stammtisch.core.game import Json
from stammtisch.core.info import GameInfo, Option
from stammtisch.core.registry import games
from stammtisch.table.opponents import ladder, usual_level

WEB = Path(__file__).parent / "web"
_TYPES = {bool: "bool", int: "int", float: "float", str: "str"}


@cache
def offers() -> list[Json]:
    """All games, as the page needs them."""
    return [_offer(info) for _, info in sorted(games().items())]


def _offer(info: GameInfo) -> Json:
    return {
        "name": info.name,
        "title": info.title,
        "summary": info.summary,
        "folder": board_of(info),
        "rules": _rules_of(info),
        "seats": info.seats,
        "teams": info.teams,
        "hidden": info.hidden,
        "chance": info.chance,
        "options": [_option(option) for option in info.options],
        "presets": info.presets,
        "levels": [{"level": level.name, "agent": level.agent} for level in ladder(info)],
        "usual": usual_level(info).agent,
        "agents": [{"name": name, "summary": agent.summary} for name, agent in agents_of(info).items()],
    }


def _option(option: Option) -> Json:
    return {
        "name": option.name,
        "default": option.default,
        "help": option.help,
        "type": _TYPES[option.type],
        "choices": option.choices,
        "low": option.low,
        "high": option.high,
        "optional": option.optional or option.default is None,
    }


def board_of(info: GameInfo) -> str:
    """The folder of a game's board; games without one are shown as text."""
    folder = info.loader.split(":")[0].split(".")[-2]
    return folder if (WEB / "games" / folder / "board.js").exists() else "any"


def _rules_of(info: GameInfo) -> str:
    """How the files of a game's rules begin: in a folder of several games, each has its own."""
    own = f"rules.{info.name}"
    return own if (WEB / "games" / board_of(info) / f"{own}.en.html").exists() else "rules"
