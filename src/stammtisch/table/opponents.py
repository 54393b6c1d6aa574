"""Opponents by strength: for every game a ladder of four, from a beginner to the best there is."""

from __future__ import annotations

from dataclasses import dataclass

from stammtisch.agents.catalog import find, full_name, given_options, usual_adviser
from stammtisch.core.errors import StammtischError
from stammtisch.core.info import GameInfo
from stammtisch.table.protocol import Refused
from stammtisch.table.settings import Settings

BOT_NAMES = ("Toni", "Resi", "Sepp", "Vroni")  # who always sits at the Stammtisch, by seat


@dataclass(frozen=True)
class Level:
    """``name`` is one of beginner, casual, strong, best."""

    name: str
    agent: str


def ladder(game: GameInfo) -> list[Level]:
    """The four, weakest first; games without a ladder of their own get their usual search with more and more time."""
    search = usual_adviser(game)
    agents = game.ladder or ("random", f"{search}:ms=20", f"{search}:ms=200", f"{search}:ms=1000")
    return [Level(name, agent) for name, agent in zip(("beginner", "casual", "strong", "best"), agents, strict=True)]


def usual_level(game: GameInfo) -> Level:
    """Who plays when nobody is chosen."""
    return ladder(game)[1]


@dataclass(frozen=True)
class Rights:
    """What somebody may ask of the bots; ``local``: sits at this computer, whose files are the own ones."""

    settings: Settings
    local: bool = False

    def check(self, agent: str, game: GameInfo) -> str:
        """The agent's full name, if it may sit at a table: one of the ladder, or one within the limits."""
        try:
            meant = full_name(agent, game)
            given = {option.name: value for option, value in given_options(agent, game)}
            options = find(agent.partition(":")[0], game).options
        except StammtischError as error:
            raise Refused("no_such_agent", str(error)) from None
        if meant in {full_name(level.agent, game) for level in ladder(game)}:
            return meant
        for option in options:
            value, most = given.get(option.name, option.default), self.settings.efforts.get(option.touches or "")
            if most is not None:
                endless = value is None and option.default is not None
                if endless or (isinstance(value, int | float) and value > most):
                    raise Refused("agent_too_costly", f"{option.name} is at most {most:,.0f} at this table")
            elif option.name in given and option.touches != "style" and not self.local:
                raise Refused("agent_of_this_computer", f"{option.name} is for whoever sits at the server's computer")
        return meant
