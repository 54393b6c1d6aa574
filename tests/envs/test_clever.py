"""The environments of clever: Gymnasium's and Stable-Baselines3's checkers, masks, rewards, many games at once."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from numpy.typing import NDArray

from stammtisch.envs.clever import END_REWARD, CleverEnv, CleverVectorEnv
from stammtisch.games.clever import thesis

KINDS: tuple[dict[str, Any], ...] = (
    {"rules": "thesis"},
    {"rules": "official"},
    {"rules": "official", "observation": "full"},
    {"rules": "prototype", "dice": 2},
    {"rules": "prototype", "illegal": "lose"},
    {"rules": "official", "bonus_order": "queue", "passive_fallback": True},
)


def pick(mask: NDArray[np.bool_], chooser: np.random.Generator) -> NDArray[np.int64]:
    """One legal action in every row."""
    return (mask * chooser.random(mask.shape)).argmax(axis=-1)


@pytest.mark.parametrize("name", ["stammtisch.envs:stammtisch/Clever-v0", "stammtisch.envs:stammtisch/Clever-v1"])
@pytest.mark.filterwarnings("ignore:.*out of date:DeprecationWarning")
def test_both_names_are_known(name: str) -> None:
    env = gymnasium.make(name, render_mode="ansi")
    shape = (85,) if name.endswith("0") else (209,)
    assert env.observation_space.shape == shape
    assert env.action_space == gymnasium.spaces.Discrete(247)


def test_the_name_says_where_they_are_known() -> None:
    code = "import gymnasium; gymnasium.make('stammtisch.envs:stammtisch/Clever-v1')"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_nobody_waits_for_gymnasium_nor_changes_how_things_are_imported() -> None:
    code = "import sys\nbefore = list(sys.meta_path)\nimport stammtisch\nassert sys.meta_path == before\n"
    code += "assert not {'gymnasium', 'numpy'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("options", KINDS)
def test_gymnasium_has_nothing_to_complain_about(options: dict[str, Any]) -> None:
    check_env(
        gymnasium.make(
            "stammtisch.envs:stammtisch/Clever-v1", **{"observation": "thesis", **options}, render_mode="svg"
        ).unwrapped
    )


@pytest.mark.parametrize("options", KINDS)
def test_stable_baselines_has_nothing_to_complain_about(options: dict[str, Any]) -> None:
    checker = pytest.importorskip("stable_baselines3.common.env_checker", reason="comes with the extra lab")
    checker.check_env(CleverEnv(**options))


def test_maskable_ppo_runs_on_it_unchanged() -> None:
    contrib = pytest.importorskip("sb3_contrib", reason="comes with the extra lab")
    model = contrib.MaskablePPO(
        "MlpPolicy", CleverEnv(illegal="error"), n_steps=64, batch_size=32, seed=1, device="cpu"
    )
    model.learn(128)


@pytest.mark.parametrize("options", KINDS)
def test_rewards_add_up_to_the_score(options: dict[str, Any]) -> None:
    """A masked game meets no illegal action; its rewards are the points but for those lost by rolls without a fit."""
    env, chooser = CleverEnv(**{**options, "illegal": "error"}), np.random.default_rng(1)
    last = thesis.PROTOTYPE_INVALID if options["rules"] == "prototype" else thesis.INVALID
    for seed in range(30):
        env.reset(seed=seed)
        total, lost, over = 0.0, 0, False
        while not over:
            mask = env.action_masks()
            action = pick(mask, chooser)
            assert not mask[last] or mask.sum() <= 2  # nothing else but a re-roll
            _, reward, over, cut, info = env.step(np.int64(action))
            total, lost = total + reward, lost + int(action == last)
            assert not cut
        assert total == info["score"] - lost


def test_the_same_seed_is_the_same_game() -> None:
    first, second = CleverEnv(), CleverEnv()
    chooser = np.random.default_rng(2)
    assert np.array_equal(first.reset(seed=5)[0], second.reset(seed=5)[0])
    over = False
    while not over:
        action = np.int64(pick(first.action_masks(), chooser))
        one, other = first.step(action), second.step(action)
        assert np.array_equal(one[0], other[0]) and one[1:] == other[1:]
        over = one[2]


def test_illegal_actions() -> None:
    """The end at -1000; or a point, and in the prototype the roll; or an error."""
    env = CleverEnv()
    env.reset(seed=1)
    assert env.step(np.int64(thesis.INVALID))[1:3] == (END_REWARD, True)
    env = CleverEnv(illegal="lose")
    before = env.reset(seed=1)[0]
    after, reward, over, *_ = env.step(np.int64(thesis.INVALID))
    assert (reward, over) == (-1.0, False) and np.array_equal(before, after)
    env = CleverEnv(rules="prototype", illegal="lose")
    rolls = env.reset(seed=1)[0][-1]
    after, reward, *_ = env.step(np.int64(3))  # a printed cross
    assert reward == -1.0 and after[-1] == rolls - 1
    env = CleverEnv(illegal="error")
    env.reset(seed=1)
    with pytest.raises(ValueError, match="246 is not legal"):
        env.step(np.int64(thesis.INVALID))


def test_an_endless_row_of_illegal_actions_is_cut() -> None:
    env = CleverEnv(illegal="lose")
    env.reset(seed=1)
    ends = [env.step(np.int64(thesis.INVALID))[2:4] for _ in range(1000)]
    assert ends[-1] == (False, True) and (False, True) not in ends[:-1]


def test_one_player_only() -> None:
    with pytest.raises(ValueError, match="one player"):
        CleverEnv(rules="official", players=2)


def test_what_is_drawn() -> None:
    env = CleverEnv(render_mode="ansi")
    env.reset(seed=1)
    assert "re-rolls 1" in str(env.render())
    env = CleverEnv(render_mode="svg")
    env.reset(seed=1)
    assert str(env.render()).startswith("<svg")
    assert CleverEnv().render() is None


def test_the_observation_of_the_thesis() -> None:
    """Blocks of a position that has something in each."""
    env = CleverEnv()
    env.reset(seed=1)
    position = {
        "player": 0,
        "phase": "active",
        "round": 2,
        "roll": 2,
        "dice": {"W": 1, "Y": 2, "B": 3, "G": 4, "O": 5, "P": 6},
        "place": {"W": "tray", "Y": "field", "B": "pool", "G": "pool", "O": "pool", "P": "pool"},
        "sheets": [
            {
                "yellow": [0],
                "blue": [2],
                "green": 2,
                "orange": [4, 6],
                "purple": [3],
                "rerolls": 2,
                "extras": 3,
                "foxes": 1,
            }
        ],
    }
    env.state = env.table.game.from_json(position, seed=1)
    seen = env._observation().tolist()
    assert seen[:16] == [0, 6, 5, 0, 2, 1, 0, 5, 1, 0, 2, 4, 0, 3, 4, 6]
    assert seen[16:28] == [0, 0, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
    assert seen[28:39] == [1, 1] + [0] * 9
    assert seen[39:50] == [4, 6] + [0] * 9
    assert seen[50:61] == [3] + [0] * 10
    assert seen[61:73] == [1, 2, 3, 4, 5, 6, 1, 1, 0, 0, 0, 0]
    assert seen[73:78] == [5, 2, 3, 2, 1]
    assert seen[78:] == [0] * 7


@pytest.mark.parametrize("options", KINDS)
def test_many_games_are_the_same_games(options: dict[str, Any]) -> None:
    """What the batch shows of a game is what a single game shows after the same actions."""
    many, one = CleverVectorEnv(8, **{**options, "illegal": "error"}), CleverEnv(**options)
    observations, info = many.reset(seed=3)
    chooser = np.random.default_rng(4)
    for _ in range(80):
        for i in (0, 5):
            records = many._states[i : i + 1].copy()
            one.state = one.table.game.state(records, many._rngs[i].copy())
            assert np.array_equal(one._observation(), observations[i])
            assert np.array_equal(one.action_masks(), info["action_mask"][i])
        actions = pick(info["action_mask"], chooser)
        expected = one.step(actions[5])
        observations, rewards, over, _, info = many.step(actions)
        assert (expected[1], expected[2]) == (rewards[5], over[5])
        if over[5]:
            assert info["final_score"][5] == expected[4]["score"]


def test_many_games_refuse_what_is_not_legal() -> None:
    many = CleverVectorEnv(3, illegal="error")
    before = many.reset(seed=1)[0].copy()
    with pytest.raises(ValueError, match="246 of game 0 is not legal"):
        many.step(np.full(3, thesis.INVALID))
    assert np.array_equal(many._observations, before)
    many = CleverVectorEnv(3)
    many.reset(seed=[1, 2, 1])
    _, rewards, over, *_ = many.step(np.full(3, thesis.INVALID))
    assert rewards.tolist() == [END_REWARD] * 3 and over.all()
    many = CleverVectorEnv(3, illegal="lose", rules="prototype")
    many.reset(seed=1)
    observations, rewards, over, *_ = many.step(np.full(3, 3))
    assert rewards.tolist() == [-1.0] * 3 and not over.any() and observations[:, -1].tolist() == [9, 9, 9]


def test_seeds_of_many_games() -> None:
    many = CleverVectorEnv(3)
    first = many.reset(seed=[7, 8, 7])[0].copy()
    assert np.array_equal(first[0], first[2])
    assert np.array_equal(many.reset(seed=9)[0].copy(), many.reset(seed=9)[0])
