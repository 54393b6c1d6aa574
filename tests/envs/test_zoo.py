"""PettingZoo's environments of all games: its checkers, and that nothing is booked twice."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from stammtisch.core.registry import games

pettingzoo = pytest.importorskip("pettingzoo.test", reason="comes with the extra lab")
from stammtisch.envs.zoo import GameAEC, env, parallel_env  # noqa: E402

ALL = sorted(games())
named = pytest.mark.parametrize("name", ALL)
# Its checkers warn of observations with masks in every environment but seven of its own, and of masks without actions.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


@named
def test_the_checker_of_one_after_the_other(name: str) -> None:
    pettingzoo.api_test(env(name), num_cycles=40)


@named
def test_the_checker_of_seeds(name: str) -> None:
    pettingzoo.seed_test(lambda: env(name), num_cycles=40)


@named
def test_the_checker_of_pictures(name: str) -> None:
    pettingzoo.render_test(lambda render_mode: env(name, render_mode=render_mode))


@named
def test_the_checker_of_all_at_once(name: str) -> None:
    pettingzoo.parallel_api_test(parallel_env(name), num_cycles=150)


def played(table: GameAEC, seed: int) -> dict[str, float]:
    """A random game to its end; what every agent was given."""
    chooser, given = np.random.default_rng(seed), dict.fromkeys(table.possible_agents, 0.0)
    table.reset(seed=seed)
    for agent in table.agent_iter():
        seen, reward, over, cut, _ = table.last()
        assert seen is not None and not cut
        given[agent] += reward
        table.step(None if over else int(chooser.choice(np.flatnonzero(seen["action_mask"]))))
    return given


@pytest.mark.parametrize("name", ["tictactoe", "madn", "tichu"])
def test_rewards_are_booked_once(name: str) -> None:
    options: dict[str, Any] = {"rounds": 1} if name == "tichu" else {}
    table = env(name, **options)
    for seed in range(3):
        given = played(table, seed)
        final, start = table.table.state.scores(), table.table.game.new(0).scores()
        for agent, seat in table.table.seat_of.items():
            assert given[agent] == pytest.approx(final[seat] - start[seat])
        assert table.agents == []


def test_only_the_agent_on_turn_has_actions() -> None:
    table = env("dog")
    table.reset(seed=1)
    for agent in table.agents:
        assert table.observe(agent)["action_mask"].any() == (agent == table.agent_selection)
    assert table.state().shape == table.state_space.shape


def test_an_illegal_action_ends_the_game() -> None:
    table = env("tictactoe", illegal_reward=-2.0)
    table.reset(seed=1)
    table.step(4)
    table.step(4)
    assert table.rewards == {"player_0": 0.0, "player_1": -2.0} and all(table.terminations.values())
    strict = env("tictactoe", illegal="error")
    strict.reset(seed=1)
    with pytest.raises(ValueError, match="number 9 is not legal for player_0"):
        strict.step(9)


def test_all_at_once_is_the_same_game() -> None:
    one, all_of_them = env("madn"), parallel_env("madn")
    one.reset(seed=5)
    seen, _ = all_of_them.reset(seed=5)
    for _ in range(60):
        agent = one.agent_selection
        action = int(np.flatnonzero(seen[agent]["action_mask"])[0])
        assert np.array_equal(one.observe(agent)["observation"], seen[agent]["observation"])
        one.step(action)
        others = dict.fromkeys(all_of_them.agents, 0)  # what they say does not count
        seen, rewards, *_ = all_of_them.step({**others, agent: action})
        assert rewards == one.rewards
    with pytest.raises(ValueError, match="who has no action here"):
        all_of_them.step({})
