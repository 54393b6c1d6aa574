"""Masked PPO: its advantages, other seats, what it refuses, that it learns."""

from functools import cache
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
import torch

import stammtisch as st
from stammtisch.agents.catalog import agent
from stammtisch.core.errors import BadOption, StammtischError, UnknownGame
from stammtisch.core.rng import stream
from stammtisch.learning.conformance import broken_promises
from stammtisch.learning.learner import Learner, new_learner
from stammtisch.learning.ppo import Course, advantages_of
from stammtisch.learning.tasks.any_game import AnyGame
from stammtisch.learning.training import Recipe
from stammtisch.models.cards import write_network

TINY = {"game": "tictactoe", "steps": 768, "envs": 8, "horizon": 16, "units": 16, "batch": 32, "evaluation_games": 8}


def plain_advantages(course: Course, following: torch.Tensor, seats: torch.Tensor, trace: float) -> torch.Tensor:
    """The definition: lambda-weighted sums of surprises along the course of each seat in each game; nan if unknown."""
    rewards, over, deciders, values = (one.numpy() for one in course)
    out = np.full(values.shape, np.nan)
    for game in range(values.shape[1]):
        for seat in range(rewards.shape[2]):
            turns = [t for t in range(len(values)) if deciders[t, game] == seat]
            surprises, ends, known = [], [], []
            for i, turn in enumerate(turns):
                after = turns[i + 1] if i + 1 < len(turns) else None
                until = len(values) if after is None else after
                end = next((t for t in range(turn, until) if over[t, game]), None)
                gained = rewards[turn : until if end is None else end + 1, game, seat].sum()
                ahead = 0.0
                if end is None:
                    ahead = values[after, game] if after is not None else following[game].item()
                surprises.append(gained + ahead - values[turn, game])
                ends.append(end is not None)
                known.append(end is not None or after is not None or seats[game].item() == seat)
            for i, turn in enumerate(turns):
                total, weight = 0.0, 1.0
                for j in range(i, len(turns)):
                    if not known[j]:
                        break
                    total += weight * surprises[j]
                    weight *= trace
                    if ends[j]:
                        break
                if known[i]:
                    out[turn, game] = total
    return torch.from_numpy(out)


@pytest.mark.parametrize("seats", [1, 2, 4])
@pytest.mark.parametrize("trace", [0.0, 0.7, 1.0])
def test_advantages_are_the_weighted_sums_of_surprises(seats: int, trace: float) -> None:
    rng = np.random.default_rng(seats)
    rows, games = 12, 40
    course = Course(
        torch.from_numpy(rng.normal(size=(rows, games, seats)).astype(np.float32)),
        torch.from_numpy(rng.random((rows, games)) < 0.15),
        torch.from_numpy(rng.integers(seats, size=(rows, games))),
        torch.from_numpy(rng.normal(size=(rows, games)).astype(np.float32)),
    )
    following = torch.from_numpy(rng.normal(size=games).astype(np.float32))
    last = torch.from_numpy(rng.integers(seats, size=games))
    found, known = advantages_of(course, following, last, trace)
    expected = plain_advantages(course, following, last, trace)
    assert torch.equal(known, ~expected.isnan())
    assert bool(known.all()) == (seats == 1)
    torch.testing.assert_close(found[known].double(), expected[known], rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("opponents", ["random", "itself"])
def test_it_learns_tictactoe(opponents: str) -> None:
    before, learner = taught(opponents)
    assert before < 0.65
    assert learner.evaluate(400).mean() > 0.8


@cache
def taught(opponents: str) -> tuple[float, Learner]:
    """Its strength before the run, and the learner after it."""
    settings = {"steps": 81_920, "envs": 64, "horizon": 64, "units": 64, "batch": 256, "rate": 2e-3, "entropy": 0.05}
    met = {"opponents": opponents, "tested_by": "random"}
    learner = new_learner("ppo", {**TINY, **settings, **met}, "test")
    before = float(learner.evaluate(400).mean())
    while learner.done < learner.total:
        learner.step()
    return before, learner


def test_guided_by_its_network_a_search_plays_better_than_the_network_alone(tmp_path: Path) -> None:
    _, learner = taught("itself")
    about = {"config": learner.known_settings()}
    weights = write_network(tmp_path, "taught", learner.network(), about).with_suffix(".safetensors")
    exported = tmp_path / "taught.onnx"
    exported.write_bytes(learner.onnx() or b"")
    assert duel(weights, 1, exported, 1) == 0.5
    assert duel(weights, 60, weights, 1) > 0.55


def duel(first: Path, iterations: int, second: Path, others: int) -> float:
    """The mean score of the first by this many iterations, from all openings of two moves, on both sides."""
    game, rng, scores = st.game("tictactoe"), stream(1), []
    players = [agent(f"guided:iterations={n},net={net}", game) for net, n in ((first, iterations), (second, others))]
    for opening in permutations(range(9), 2):
        for mine in (0, 1):
            state = game.new()
            for move in opening:
                state.apply(move)
            while state.player is not None:
                state.apply(players[state.player != mine].choose(state.seat(state.player), rng).action)
            scores.append(state.scores()[mine])
    return float(np.mean(scores))


@pytest.mark.parametrize("more", [{}, {"opponents": "hand"}, {"game": "madn", "teams": True, "opponents": "random"}])
def test_the_promises_hold_with_any_opponents(more: dict[str, object], tmp_path: Path) -> None:
    assert broken_promises(Recipe("test", "a test", "ppo", {**TINY, **more}), tmp_path) == []


def test_the_learner_is_asked_only_in_its_own_seats_and_rewards_add_up_to_the_result() -> None:
    table = AnyGame(st.game("tictactoe"), "random", "random").table(50, seed=3)
    own, gained, ended = np.arange(50) % 2, np.zeros((50, 2)), 0
    rng = np.random.default_rng(1)
    for _ in range(20):
        np.testing.assert_array_equal(table.deciders(), own)
        numbers = np.where(table.masks(), rng.random((50, 9)), -1.0).argmax(1)
        rewards, over, scores = table.step(numbers)
        gained += rewards
        np.testing.assert_allclose(gained[over].sum(axis=1), 0.0, atol=1e-12)
        np.testing.assert_allclose(gained[over, own[over]], 2 * scores[over] - 1, atol=1e-12)
        gained[over] = 0.0
        ended += int(over.sum())
    assert ended > 100


@pytest.mark.parametrize(
    ("settings", "error", "sentence"),
    [
        ({"game": "chess"}, UnknownGame, "unknown game 'chess'"),
        ({"game": "tictactoe", "teacher": "clever-thesis"}, BadOption, "no setting of ppo with game=tictactoe"),
        ({"game": "tictactoe", "school": 0.5}, BadOption, "nobody teaches: name a teacher, or leave school out"),
        ({"school": 0.5}, BadOption, "nobody teaches"),
        ({"game": "tictactoe", "opponents": "best"}, BadOption, "one of itself, random, hand"),
        ({"game": "madn", "players": 9}, BadOption, "players = 9, but it is a whole number from 2 to 4"),
        ({"game": 5}, StammtischError, "unknown game '5'"),
    ],
)
def test_what_cannot_be_learned_is_refused_in_one_sentence(
    settings: dict[str, object], error: type[Exception], sentence: str
) -> None:
    with pytest.raises(error, match=sentence):
        new_learner("ppo", settings, "recipe test")
