"""What the lobby offers: games with their options, and opponents by strength."""

from __future__ import annotations

import logging
from functools import cache

from stammtisch.agents.catalog import agents_of
from stammtisch.core.game import Json
from stammtisch.core.info import GameInfo, Option
from stammtisch.core.registry import games
from stammtisch.table.opponents import ladder, usual_level
from stammtisch.table.pages import files_of, lacking

logger = logging.getLogger(__name__)
_TYPES = {bool: "bool", int: "int", float: "float", str: "str"}


@cache
def offers() -> list[Json]:
    """All games in the lobby's order, as the page needs them; what a plug-in lacks is said once."""
    for info in games().values():
        for sentence in lacking(info):
            logger.warning("stammtisch: %s", sentence)
    return [_offer(info) for info in sorted(games().values(), key=lambda info: (info.place, info.name))]


def _offer(info: GameInfo) -> Json:
    return {
        "name": info.name,
        "title": info.title,
        "summary": info.summary,
        "files": files_of(info),
        "seats": info.seats,
        "teams": info.teams,
        "hidden": info.hidden,
        "chance": info.chance,
        "options": [_option(option) for option in info.options],
        "presets": info.presets,
        "gathered": {str(people): options for people, options in info.gathered.items()},
        "unit": info.unit,
        "slips": info.slips,
        "levels": [{"level": level.name, "agent": level.agent} for level in ladder(info)],
        "usual": usual_level(info).agent,
        "agents": [{"name": name, "summary": one.summary} for name, one in agents_of(info).items() if one.complete],
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
        "expert": option.expert,
    }
