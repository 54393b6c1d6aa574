"""Stammtisch: tabletop games, opponents for them, an arena and a lab.

>>> import stammtisch as st
>>> state = st.game("tictactoe").new(seed=1)
>>> state.play("4")
>>> state.player
1
"""

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
