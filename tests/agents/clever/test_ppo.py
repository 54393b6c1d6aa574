"""The player that PPO has taught."""

import numpy as np
import pytest

import stammtisch as st
from stammtisch.agents.catalog import agent
from stammtisch.core.errors import UnsuitableAgent
from stammtisch.core.rng import stream


@pytest.mark.parametrize(("rules", "least"), [("thesis", 185), ("official", 150)])
def test_it_plays_well_alone(rules: str, least: float) -> None:
    game, scores = st.game("clever", rules=rules), []
    player = agent("ppo", game)
    for seed in range(20):
        state = game.new(seed=seed)
        while state.player is not None:
            choice = player.choose(state.seat(0), stream(1))
            assert sorted(candidate.action for candidate in choice.analysis) == state.actions()
            assert sum(candidate.share or 0.0 for candidate in choice.analysis) == pytest.approx(1.0)
            state.apply(choice.action)
        scores.append(state.scores()[0])
    assert np.mean(scores) > least


def test_it_says_who_plays_the_other_games() -> None:
    with pytest.raises(UnsuitableAgent, match="take 'value'"):
        agent("ppo", st.game("clever", players=2))
