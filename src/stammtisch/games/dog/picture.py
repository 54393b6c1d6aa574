"""The board in text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stammtisch.core.game import Json

if TYPE_CHECKING:
    from stammtisch.games.dog.game import PinGame


def picture(game: PinGame, position: Json) -> str:
    """Rows of pins, for now one line per player."""
    return "\n".join(f"Player {player}: {' '.join(pins)}" for player, pins in enumerate(position["pins"]))
