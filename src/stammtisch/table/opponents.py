"""Opponents by strength: for every game a ladder of four, from a beginner to the best there is."""

from __future__ import annotations

from dataclasses import dataclass

from stammtisch.agents.catalog import usual_adviser
from stammtisch.core.info import GameInfo

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
