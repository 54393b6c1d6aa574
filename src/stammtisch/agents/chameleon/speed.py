"""Chamäleon Schach: how fast the search of the strongest player is, for ``stammtisch bench``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeAlias

from stammtisch.agents.catalog import agent
from stammtisch.agents.chameleon.best import Best
from stammtisch.core.game import Game
from stammtisch.core.rng import below, stream

Contest: TypeAlias = "tuple[str, str, str, Callable[[], int]]"
POSITIONS, MOVES, DEPTH = 8, 12, 5


def contests(game: Game) -> Iterator[Contest]:
    """The search with both its evaluations, on the same positions of random games."""
    positions, rng = [], stream(1)
    for number in range(POSITIONS):
        state = game.new(seed=number)
        for _ in range(MOVES):
            actions = state.actions()
            state.apply(actions[below(rng, len(actions))])
        positions.append(state.seat(state.player or 0))

    def work(player: Best) -> int:
        nodes = 0
        for seat in positions:
            player.choose(seat, rng)
            nodes += int(player.desk.nodes)
        return nodes

    for evaluation in ("hand", "learned"):
        player = agent(f"best:depth={DEPTH},evaluation={evaluation}", game)
        assert isinstance(player, Best)
        yield "best", f"stammtisch, evaluation={evaluation}", "positions", partial(work, player)
