"""Stammtisch: tabletop games, opponents for them, an arena and a lab.

>>> import stammtisch as st
>>> state = st.game("tictactoe").new(seed=1)
>>> state.play("4")
>>> state.player
1
"""

from importlib import import_module
from typing import Any

from stammtisch.announcing import announce
from stammtisch.core.errors import (
    BadMove,
    BadOption,
    BadPosition,
    BadRecord,
    IllegalMove,
    StammtischError,
    UnknownAgent,
    UnknownGame,
    UnknownOption,
    UnsuitableAgent,
)
from stammtisch.core.registry import game, position

__version__ = "0.1.0"

__all__ = [
    "BadMove",
    "BadOption",
    "BadPosition",
    "BadRecord",
    "IllegalMove",
    "StammtischError",
    "UnknownAgent",
    "UnknownGame",
    "UnknownOption",
    "UnsuitableAgent",
    "game",
    "position",
]

announce()

_HELPERS = {"tichu": "stammtisch.games.tichu.figures"}  # what people ask of a game without playing it


def __getattr__(name: str) -> Any:
    """``st.tichu.playable(...)`` and the like; loaded when first used: importing the package must be instant."""
    if name in _HELPERS:
        return import_module(_HELPERS[name])
    raise AttributeError(f"module 'stammtisch' has no attribute '{name}'")
