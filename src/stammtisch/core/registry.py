"""From a name to a game. Games announce themselves as entry points of the group ``stammtisch.games``.

An entry point leads to a :class:`GameInfo`, which is cheap to load; the rules behind it are loaded
when somebody plays.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from stammtisch.core.errors import BadPosition, UnknownGame, UnknownOption
from stammtisch.core.info import GameInfo, load

if TYPE_CHECKING:
    from stammtisch.core.game import Game, State

logger = logging.getLogger(__name__)


@cache
def games() -> dict[str, GameInfo]:
    """All installed games by name."""
    return {info.name: info for info in installed("stammtisch.games")}


def installed(group: str) -> list[Any]:
    """What all installed packages announce under this group of entry points."""
    from importlib.metadata import entry_points  # importing the package must be instant

    found = []
    for point in sorted(entry_points(group=group), key=lambda point: point.name):
        try:
            found.append(point.load())
        except Exception as error:  # a plug-in may fail in any way; the others must go on
            logger.warning("stammtisch: '%s' (%s) cannot be loaded and is left out: %s", point.name, point.value, error)
    return found


def game(name: str, /, **options: Any) -> Game:
    """The game of this name with these options; the others keep their defaults.

    >>> game("tictactoe").new(seed=1).moves()
    ['0', '1', '2', '3', '4', '5', '6', '7', '8']
    """
    if name not in games():
        raise UnknownGame(name, games())
    info = games()[name]
    known = {option.name for option in info.options}
    for option in options:  # before Python sees one that is called like a parameter of the constructor
        if option not in known:
            raise UnknownOption(option, known, f"of {name}")
    result: Game = load(info.loader)(**options)
    return result


def position(obj: Mapping[str, Any], seed: int | None = None) -> State:
    """The state that a JSON position describes, whatever its game."""
    if not isinstance(obj, Mapping):
        raise BadPosition("game", "a position is a JSON object with the key 'game'")
    if not isinstance(obj.get("game"), str):
        raise BadPosition("game", "missing, or not a game's name")
    return game(obj["game"]).from_json(obj, seed=seed)
