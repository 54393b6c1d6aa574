"""Stammtisch: tabletop games, opponents for them, an arena and a lab.

>>> import stammtisch as st
>>> state = st.game("tictactoe").new(seed=1)
>>> state.play("4")
>>> state.player
1
>>> st.agent("maxn:depth=9", "tictactoe").move(state)  # moves are text
'0'
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    from stammtisch.playing import agent, load_record, match, play, save_record

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
    "agent",
    "game",
    "load_record",
    "match",
    "play",
    "position",
    "save_record",
]
_PLAYING = ("agent", "load_record", "match", "play", "save_record")  # loaded when first asked for


def __getattr__(name: str) -> Any:
    """The words of ``playing.py``, and helpers such as ``st.tichu.playable(...)`` (``GameInfo.helper``): what people
    ask of a game without playing it.
    """
    if name in _PLAYING:
        return getattr(import_module("stammtisch.playing"), name)
    if not name.startswith("_") and name in _games() and _games()[name].helper:
        return import_module(_games()[name].helper)
    raise AttributeError(f"module 'stammtisch' has no attribute '{name}'")
