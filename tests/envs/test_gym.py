"""Gymnasium environments of all games: the official checkers, opponents, masks, rewards, pictures."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers import FlattenObservation

import stammtisch as st
from stammtisch.core.registry import games
from stammtisch.envs.gym import GameEnv, GameVectorEnv

ALL = sorted(games())
OPPONENTS = {True: "ismcts:iterations=5", False: "mcts:iterations=5"}


@pytest.mark.parametrize("name", ALL)
def test_gymnasium_has_nothing_to_complain_about(name: str) -> None:
    env = gymnasium.make("stammtisch.envs:stammtisch/Game-v1", game=name, render_mode="rgb_array")
    check_env(env.unwrapped)


@pytest.mark.parametrize("name", ALL)
def test_stable_baselines_has_nothing_to_complain_about(name: str) -> None:
    checker = pytest.importorskip("stable_baselines3.common.env_checker", reason="comes with the extra lab")
    checker.check_env(FlattenObservation(GameEnv(name)))  # it takes planes of numbers for pictures


@pytest.mark.parametrize("name", ALL)
def test_every_game_has_its_name(name: str) -> None:
    assert f"stammtisch/{name.capitalize()}-v1" in gymnasium.registry


def test_tichu_against_its_rules_of_thumb() -> None:
    env = gymnasium.make("stammtisch.envs:stammtisch/Tichu-v1", opponents="heuristic", rounds=1)
    total, over = 0.0, False
    _, info = env.reset(seed=3)
    while not over:
        action = np.flatnonzero(info["action_mask"])[-1]
        _, reward, over, _, info = env.step(action)
        total += float(reward)
    assert total == info["scores"][info["player"]]


@pytest.mark.parametrize("opponents", ["random", "itself", OPPONENTS[False], ["random", OPPONENTS[False]]], ids=str)
def test_a_whole_game(opponents: Any) -> None:
    env = GameEnv("tictactoe", opponents=opponents)
    chooser = np.random.default_rng(1)
    for seed in range(10):
        _, info = env.reset(seed=seed)
        over, won = False, np.zeros(2)
        while not over:
            numbers = np.flatnonzero(info["action_mask"])
            seen, reward, over, cut, info = env.step(chooser.choice(numbers))
            won += info["rewards"]
            assert not cut and env.observation_space.contains(seen)
        assert (won + 0.5 == info["scores"]).all()
        assert opponents == "itself" or reward == info["rewards"][info["player"]]


def test_the_same_seed_is_the_same_game() -> None:
    def course(seed: int) -> list[Any]:
        env = GameEnv("dog", opponents=["rules", OPPONENTS[True]], teams=True)
        _, info = env.reset(seed=seed)
        found: list[Any] = []
        for _ in range(25):
            seen, reward, over, _, info = env.step(np.int64(info["action_mask"].argmax()))
            found.append((seen.tolist(), reward, over, info["player"]))
            if over:
                break
        return found

    assert course(4) == course(4) != course(5)


def test_illegal_actions_end_the_game_or_are_errors() -> None:
    env = GameEnv("tictactoe", illegal_reward=-3.0, seat=0)
    env.reset(seed=1)
    assert env.step(np.int64(99))[1:3] == (-3.0, True)
    strict = GameEnv("tictactoe", illegal="error")
    strict.reset(seed=1)
    with pytest.raises(ValueError, match="number 99 is not legal"):
        strict.step(np.int64(99))
    many = GameVectorEnv(4, "tictactoe", seat=0)
    many.reset(seed=1)
    _, rewards, over, *_ = many.step(np.array([0, 99, -1, 4]))
    assert rewards[1:3].tolist() == [-1.0, -1.0] and over.tolist() == [False, True, True, False]
    assert many.action_masks()[1].all()  # the next game has begun
    with pytest.raises(ValueError, match="one of end, error"):
        GameEnv("tictactoe", illegal="maybe")  # type: ignore[arg-type]


@pytest.mark.filterwarnings("ignore:.*out of date:DeprecationWarning")
def test_many_games_by_make_vec() -> None:
    envs = gymnasium.make_vec(
        "stammtisch.envs:stammtisch/Tictactoe-v1", num_envs=32, vectorization_mode="vector_entry_point"
    )
    seen, info = envs.reset(seed=1)
    assert envs.observation_space.contains(seen)
    chooser, finals = np.random.default_rng(1), []
    for _ in range(60):
        numbers = (info["action_mask"] * chooser.random(info["action_mask"].shape)).argmax(axis=1)
        seen, rewards, over, cut, info = envs.step(numbers)
        assert not cut.any() and seen.shape == (32, 2, 3, 3)
        finals += info["final_score"][info["_final_score"]].tolist()
        assert (rewards[over] == info["final_score"][over] - 0.5).all()
    assert set(finals) == {0.0, 0.5, 1.0}


def test_seeds_of_many_games() -> None:
    many = GameVectorEnv(3, "dmadn")
    first = many.reset(seed=[7, 8, 7])[0].copy()
    assert np.array_equal(first[0], first[2])
    assert np.array_equal(many.reset(seed=9)[0].copy(), many.reset(seed=9)[0])


@pytest.mark.parametrize("name", ALL)
def test_what_is_drawn(name: str) -> None:
    picture = {mode: GameEnv(name, render_mode=mode) for mode in ("ansi", "svg", "rgb_array")}
    for env in picture.values():
        env.reset(seed=2)
    assert picture["ansi"].render() == picture["ansi"].games.batch.state(0).text()
    assert str(picture["svg"].render()).startswith("<svg") and "http" not in str(picture["svg"].render())[50:]
    pixels = picture["rgb_array"].render()
    assert pixels.dtype == np.uint8 and pixels.shape[2] == 3 and len(np.unique(pixels)) > 2
    assert GameEnv(name).render() is None


def test_what_is_not_there_is_said() -> None:
    with pytest.raises(st.UnknownGame, match="did you mean"):
        GameEnv("tichuu")
    with pytest.raises(st.UnknownOption, match="unknown option 'decks'"):
        GameEnv("tichu", decks=2)
    with pytest.raises(ValueError, match="one of human, ansi, svg, rgb_array"):
        GameEnv("tichu", render_mode="hologram")  # type: ignore[arg-type]
