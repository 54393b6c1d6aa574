"""Stammtisch: tabletop games, opponents for them, an arena and a lab.

>>> import stammtisch as st
>>> state = st.game("tictactoe").new(seed=1)
>>> state.play("4")
>>> state.player
1
"""

from importlib import import_module
from typing import Any

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
from stammtisch.core.registry import games as _games  # stammtisch.games is a package

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


def __getattr__(name: str) -> Any:
    """``st.tichu.playable(...)`` and the like: what people ask of a game without playing it (``GameInfo.helper``)."""
    if not name.startswith("_") and name in _games() and _games()[name].helper:
        return import_module(_games()[name].helper)
    raise AttributeError(f"module 'stammtisch' has no attribute '{name}'")
