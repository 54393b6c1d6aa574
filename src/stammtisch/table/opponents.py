"""Opponents by strength: for every game a ladder of four, from a beginner to the best that we have."""

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


_LADDERS = {
    "tictactoe": ("random", "maxn:depth=1", "maxn:depth=3", "maxn:depth=9"),
    "chameleon": ("td", "best:level=easy", "best:level=normal", "best:ms=1000"),
    "tichu": ("heuristic:slips=0.4", "heuristic", "ismcts:ms=300", "ismcts:ms=1500"),
    "madn": ("random", "greedy", "rules", "mcts:ms=700"),
    "dmadn": ("random", "greedy", "rules", "mcts:ms=700"),
    "dog": ("random", "greedy", "rules", "ismcts:ms=1000"),
    "clever": ("greedy", "best:level=easy", "best:level=normal", "best"),
}


def ladder(game: GameInfo) -> list[Level]:
    """The four, weakest first; games without a ladder of their own get their usual search with more and more time."""
    search = usual_adviser(game)
    agents = _LADDERS.get(game.name, ("random", f"{search}:ms=20", f"{search}:ms=200", f"{search}:ms=1000"))
    return [Level(name, agent) for name, agent in zip(("beginner", "casual", "strong", "best"), agents, strict=True)]


def usual_level(game: GameInfo) -> Level:
    """Who plays when nobody is chosen."""
    return ladder(game)[1]
