"""What a search needs: of a game, asked before it is loaded (the reason for a refusal, or None), and of its numbers."""

from __future__ import annotations

from stammtisch.core.checks import real, whole
from stammtisch.core.errors import BadNumber
from stammtisch.core.info import GameInfo

_MOST = 1 << 60


def open_cards(info: GameInfo) -> str | None:
    return "it has to see everything; use ismcts where cards are hidden" if info.hidden else None


def hidden_cards(info: GameInfo) -> str | None:
    return None if info.hidden else "it imagines hidden cards, and here nothing is hidden; use mcts"


def open_cards_and_known_chance(info: GameInfo) -> str | None:
    known = info.dice or not info.chance
    return open_cards(info) or (None if known else "it has to know all that chance can bring, as with dice; use mcts")


def open_cards_and_no_chance(info: GameInfo) -> str | None:
    return open_cards(info) or ("it needs a game without dice and deals; use mcts" if info.chance else None)


def limits(
    iterations: int | None, ms: float | None, playout_limit: int, exploration: float = 1.0, expand_after: int = 1
) -> None:
    """Refuse numbers that compiled searches would take and not survive."""
    if iterations is not None and whole(iterations, "the number of iterations", -_MOST, _MOST) < 1:
        raise BadNumber(f"a search needs at least one iteration, not {iterations}")
    if ms is not None:
        real(ms, "a time in milliseconds", 0.0, 1e12)
    whole(playout_limit, "the limit of a playout", 0, _MOST)
    whole(expand_after, "the number of visits before a node", 1, _MOST)
    real(exploration, "exploration", 0.0, 1e9)
