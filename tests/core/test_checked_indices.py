"""Compiled code trusts its indices. Here they are checked, in random play and under the agents of all games."""

from __future__ import annotations

import subprocess
import sys

import pytest

_PLAY = """
import sys
import stammtisch as st
from stammtisch.agents.catalog import agent, agents_of
from stammtisch.agents.base import Budget
from stammtisch.core.batch import Batch
from stammtisch.core.errors import StammtischError
from stammtisch.core.registry import games
from stammtisch.core.rng import stream

plies, decisions = int(sys.argv[1]), int(sys.argv[2])
chosen = sys.argv[3].split(",")
VARIANTS = {
    "clever": [{"players": n} for n in (1, 4)],
    "dog": [{}, {"rules": "braendi"}, {"players": 2, "seats": "02"}],
    "tichu": [{"rounds": 1}, {"rounds": 1, "merged": True}],
}
for name in chosen:
    for options in VARIANTS.get(name, [{}]):
        game = st.game(name, **options)
        batch = Batch(game, 50, seed=1)
        batch.random_steps(plies // 50)
        batch.policy_steps(max(1, plies // 500))
        batch.masks(), batch.observations(), batch.scores()
        batch.step(batch.actions_at(batch.masks().argmax(axis=1)))
        if not decisions:
            continue
        for seated in agents_of(games()[name]):
            try:
                player = agent(seated, game)
            except StammtischError:
                continue
            state, rng = game.new(2), stream(3)
            for number in range(decisions):
                if state.over:
                    break
                state.seat(state.player).observation()
                state.apply(player.choose(state.seat(state.player), rng, Budget(ms=30.0)).action)
        print(name, options, flush=True)
print("done")
"""


def play(bounds: dict[str, str], plies: int, decisions: int, games: str) -> None:
    arguments = [sys.executable, "-c", _PLAY, str(plies), str(decisions), games]
    found = subprocess.run(arguments, text=True, capture_output=True, env=bounds)
    assert found.returncode == 0 and found.stdout.endswith("done\n"), found.stdout + found.stderr
    assert "out of bounds" not in found.stderr


def test_random_play_with_checked_indices(bounds: dict[str, str]) -> None:
    play(bounds, 5000, 0, "tictactoe")


@pytest.mark.slow
@pytest.mark.parametrize("game", ["tictactoe", "madn", "dmadn", "dog", "clever", "chameleon", "tichu"])
def test_random_play_and_agents_of_all_games_with_checked_indices(bounds: dict[str, str], game: str) -> None:
    play(bounds, 200_000, 25, game)
