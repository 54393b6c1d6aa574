"""The shape of a game, on games where it is known."""

from pathlib import Path

import numpy as np
import pytest

import stammtisch as st
from commands import json_of, output_of, run
from stammtisch.analysis.shape import LONGEST, Shape, random_games, timings
from stammtisch.core.errors import StammtischError
from toys import Pig


def test_random_tictactoe_has_its_known_length() -> None:
    shape = random_games(st.game("tictactoe"), 4000, seed=1)
    assert shape.lengths.min() >= 5
    assert shape.lengths.max() <= 9
    assert shape.lengths.mean() == pytest.approx(7.65, abs=0.1)  # of uniformly random games
    assert (shape.branching_by_move() == 9 - np.arange(9)).all()


@pytest.mark.parametrize(("players", "length"), [("RY", 60), ("RGY", 79), ("RGYB", 98)])
def test_random_chameleon_games_are_as_long_as_the_authors_program_plays_them(players: str, length: float) -> None:
    shape = random_games(st.game("chameleon", players=players, max_plies=None), 2000, seed=1)
    assert shape.lengths.mean() == pytest.approx(length, abs=3)
    assert shape.endless == 0


def test_games_without_an_end_are_counted_apart() -> None:
    game = st.game("tictactoe")
    shape = Shape.of(game, "x", [np.array([3, 3, 3]), np.full(LONGEST, 2)])
    assert (shape.endless, shape.branching, shape.lengths.tolist()) == (1, 3.0, [3])
    with pytest.raises(StammtischError, match="none of 1 games of x came to an end"):
        Shape.of(game, "x", [np.full(LONGEST, 2)])


def test_deeper_takes_longer_to_look_at() -> None:
    found = list(timings(st.game("chameleon", players="RY"), "maxn", positions=5, limit_ms=20, seed=1))
    assert [one.depth for one in found] == list(range(1, len(found) + 1))
    assert all(one.ms.max() <= 20 for one in found[:-1])


def test_the_command_prints_a_table_and_draws_pictures(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    arguments = ("analyse", "chameleon", "--players", "2,3", "--games", "20", "--positions", "2", "--most-ms", "1")
    text = output_of(capsys, *arguments, "--agent", "best:level=easy", "--agent-games", "2", "--plots", str(tmp_path))
    assert all(
        word in text for word in ("Chamäleon Schach", "best:level=easy", "Tic-Tac-Toe", "Chess", "Time per move")
    )
    assert {path.name for path in tmp_path.iterdir()} == {"lengths.png", "branching.png", "time-per-move.png"}
    numbers = json_of(capsys, *arguments)
    assert [one["players"] for one in numbers["shapes"]] == [2, 3]
    assert numbers["time_per_move"][0]["depth"] == 1


def test_games_with_dice_have_a_shape_too() -> None:
    assert random_games(Pig(), 20, seed=1).branching > 1


@pytest.mark.parametrize(
    "arguments", [("--players", "7"), ("--agent", "nobody"), ("--games", "0"), ("--plots", __file__)]
)
def test_bad_input_is_refused(arguments: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run("analyse", "chameleon", *arguments) == 2
