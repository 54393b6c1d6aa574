"""The players by rules of thumb: they leave the position alone, obey the rules, and earn what they promise."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import stammtisch as st
from stammtisch.agents.catalog import agent
from stammtisch.core.rng import stream
from stammtisch.games.clever import policy

OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"players": 3},
    {"rules": "thesis"},
    {"rules": "prototype"},
    {"bonus_optional": True},
)


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("decide", [policy.greedy, policy.decide])
def test_a_policy_plays_legal_moves_and_changes_nothing(options: dict[str, Any], decide: Any) -> None:
    game = st.game("clever", **options)
    buffer = np.empty(game.spec.max_actions, dtype=np.int64)
    for seed in range(10):
        state, rng = game.new(seed), stream(seed)
        while not state.over:
            before = state.bytes()
            action = int(decide(state.record, buffer, rng))
            assert state.bytes() == before
            state.apply(action)


def test_greedy_takes_the_points() -> None:
    position = {
        "player": 0,
        "phase": "active",
        "dice": {"W": 1, "Y": 1, "B": 2, "G": 1, "O": 6, "P": 5},
        "sheets": [{"yellow": [0, 4], "orange": [1, 1, 1]}],
    }
    state = st.game("clever").from_json(position)
    assert state.game.format(agent("greedy", state.game).choose(state.seat(0), stream(1)).action) == "O>o4"  # 12 points
    position["sheets"] = [{"yellow": [0, 4]}]
    state = st.game("clever").from_json(position)
    assert state.game.format(agent("greedy", state.game).choose(state.seat(0), stream(1)).action) == "Y>y8"  # 10 points


def test_heuristic_plays_well() -> None:
    """Far from the limits of its interval over 2,000 games, which are on the game's page."""
    assert np.mean([_play(seed) for seed in range(60)]) > 200


def _play(seed: int) -> float:
    game = st.game("clever")
    player, state, rng = agent("heuristic", game), game.new(seed), stream(seed)
    while not state.over:
        state.apply(player.choose(state.seat(0), rng).action)
    return state.scores()[0]


def test_expectimax_says_what_it_expects() -> None:
    """Before the last entry of the game the expected points are the points, and the best of them is chosen."""
    game = st.game("clever")
    state = game.from_json(
        {
            "player": 0,
            "phase": "passive",
            "round": 6,
            "roll": 3,
            "dice": {"W": 4, "Y": 1, "B": 2, "G": 3, "O": 5, "P": 6},
            "place": {"W": "aside", "Y": "tray", "B": "tray", "G": "tray", "O": "aside", "P": "aside"},
            "sheets": [{"yellow": [0, 4], "blue": [5, 7], "green": 2, "orange": [3]}],
        }
    )
    choice = agent("expectimax", game).choose(state.seat(0), stream(1))
    assert state.game.format(choice.action) == "Y>y8"
    expected = {game.format(c.action): c.value for c in choice.analysis}
    now = state.scores()[0]
    assert expected == {"Y>y8": now + 10, "Y>y5": now, "B>b6": now + 2, "G>g3": now + 3, "pass": now}
