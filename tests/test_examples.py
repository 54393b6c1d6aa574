"""The examples learn, each in a small run."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

import stammtisch as st

EXAMPLES = Path(__file__).parent.parent / "examples"
pytest.importorskip("torch", reason="comes with the extra lab")


def example(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_network_learns_and_plays_in_the_arena() -> None:
    torch = example("learn_with_torch")
    learned = torch.player(torch.learn(st.game("tictactoe"), 800))
    assert st.match("tictactoe", learned, "random", rounds=50).interval[0] > 0.5


@pytest.mark.slow
def test_it_learns_another_game() -> None:
    torch = example("learn_with_torch")
    learned = torch.player(torch.learn(st.game("dmadn"), 4000))
    assert st.match("dmadn", learned, "random", rounds=100).interval[0] > 0.5


@pytest.mark.parametrize("game", ["tictactoe", "madn"])
def test_maskable_ppo_runs_unchanged(game: str) -> None:
    ppo = example("maskable_ppo")
    model = ppo.learn(game, 1024)
    assert -1.0 <= ppo.mean_reward(model, game, 3) <= 1.0


@pytest.mark.slow
def test_maskable_ppo_learns() -> None:
    ppo = example("maskable_ppo")
    assert ppo.mean_reward(ppo.learn("tictactoe", 20_000), "tictactoe", 200) > 0.4


def test_the_loop_of_pettingzoo_learns() -> None:
    zoo = example("pettingzoo_loop")
    assert zoo.score(zoo.learn(1500), 300) > 0.65
