"""What a search needs of a game, asked before it is loaded: the reason for a refusal, or None."""

from __future__ import annotations

from stammtisch.core.info import GameInfo


def open_cards(info: GameInfo) -> str | None:
    return "it has to see everything; use ismcts where cards are hidden" if info.hidden else None


def hidden_cards(info: GameInfo) -> str | None:
    return None if info.hidden else "it imagines hidden cards, and here nothing is hidden; use mcts"


def open_cards_and_known_chance(info: GameInfo) -> str | None:
    known = info.dice or not info.chance
    return open_cards(info) or (None if known else "it has to know all that chance can bring, as with dice; use mcts")


def open_cards_and_no_chance(info: GameInfo) -> str | None:
    return open_cards(info) or ("it needs a game without dice and deals; use mcts" if info.chance else None)
