"""The short words at the top."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import stammtisch as st
from stammtisch.agents.base import Agent, Budget, Choice
from stammtisch.core.game import Game, Seat
from stammtisch.core.rng import Rng

heard: list[tuple[int, int, str | None]] = []
closed: list[list[float] | None] = []


class Listener(Agent):
    """Always the first action; writes down what it is told."""

    hears = True

    def __init__(self, game: Game) -> None:
        pass

    def choose(self, seat: Seat, rng: Rng, budget: Budget | None = None) -> Choice:
        return Choice(seat.actions()[0])

    def hear(self, seat: int, by: int, move: str | None) -> None:
        heard.append((seat, by, move))

    def close(self, scores: list[float] | None = None) -> None:
        closed.append(scores)


@pytest.fixture(autouse=True)
def forget() -> None:
    heard.clear()
    closed.clear()


def test_a_game_is_played_kept_and_loaded(tmp_path: Path) -> None:
    first, second = st.play("tictactoe", Listener, "random", seed=2), st.play("tictactoe", "random", Listener, seed=3)
    for record in (first, second):
        st.save_record(record, tmp_path / "games.jsonl")
    assert st.load_record(tmp_path / "games.jsonl") == second and st.load_record(tmp_path / "games.jsonl", 0) == first
    assert [state.over for state in second.states()][-1] and second.players == ["random", "Listener"]
    with pytest.raises(st.BadRecord, match="holds 2 games, and none with the number 5"):
        st.load_record(tmp_path / "games.jsonl", 5)


def test_who_wants_to_hear_hears_every_move_and_the_end() -> None:
    record = st.play("tictactoe", Listener, "random", seed=2)
    assert [move for _, _, move in heard] == record.moves
    assert [by for _, by, _ in heard] == [turn % 2 for turn in range(len(record.moves))]
    assert closed == [record.result]


def test_nobody_hears_what_is_hidden() -> None:
    """Gifts face down are heard as a move, not which; whose own they are is known."""
    st.play("tichu", Listener, "random", seed=2)
    gifts = [(seat, by, move) for seat, by, move in heard if move is None or move.startswith("schupf")]
    assert gifts and all((move is not None) == (seat == by) for seat, by, move in gifts)


def test_the_same_seed_is_the_same_game() -> None:
    games = [st.play("madn", "rules", "mcts:iterations=5", seed=seed).moves for seed in (4, 4, 5)]
    assert games[0] == games[1] != games[2]


def test_a_match_knows_players_of_one_s_own() -> None:
    outcome = st.match("tictactoe", Listener, "maxn:depth=9", rounds=4, seed=2)
    assert outcome.points < 0.5 and outcome.interval[0] <= outcome.points <= outcome.interval[1]
    assert "Listener" in str(outcome) and outcome.numbers["games"] == 8
    assert len(closed) == 8 + 1 and heard  # and once after the warm-up
    assert st.match("clever", "greedy", rounds=2).points > 30


def test_what_is_wrong_is_said() -> None:
    with pytest.raises(st.BadOption, match="at least one player"):
        st.play("tictactoe")
    with pytest.raises(st.UnknownAgent, match="did you mean"):
        st.play("tictactoe", "rundom")
    with pytest.raises(st.IllegalMove, match="the game is over"):
        st.agent("random", "tictactoe").move(st.game("tictactoe").from_json({"board": "XXXOO...."}))
    with pytest.raises(AttributeError, match="no attribute 'mach'"):
        _ = st.mach


def test_the_package_is_there_at_once() -> None:
    code = "import sys, stammtisch\nassert not {'numpy', 'numba', 'stammtisch.playing'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
