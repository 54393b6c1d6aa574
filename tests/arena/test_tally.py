"""What a game counts besides its score, from the referee to the report."""

import json
from pathlib import Path

import pytest

import stammtisch as st
from commands import json_of, output_of
from stammtisch.arena.match import match
from stammtisch.arena.referee import GameResult, Referee

CALLS = ("tichu won", "tichu lost", "grand tichu won", "grand tichu lost")


def test_a_round_of_tichu_counts_calls_by_seat() -> None:
    played = match(st.game("tichu", rounds=1), "heuristic", "random", seed=3)
    for deal in range(5):
        for game in Referee(played).play(table=0, deal=deal).games:
            first = game.tally["first out"]
            assert sum(first) == 1
            assert all(won <= out for won, out in zip(game.tally["tichu won"], first, strict=True))
            assert all(sum(calls) <= 1 for calls in zip(*(game.tally[name] for name in CALLS), strict=True))
            assert GameResult.from_json(json.loads(json.dumps(game.to_json()))) == game


def test_games_of_several_rounds_and_other_games_count_nothing() -> None:
    for game, agents in (
        (st.game("tichu", rounds=2), ["heuristic"]),
        (st.game("tictactoe"), ["random", "maxn:depth=1"]),
    ):
        (result, *_) = Referee(match(game, *agents, seed=3)).play(table=0, deal=0).games
        assert result.tally == {}
        assert "tally" not in result.to_json()


def test_the_report_adds_up_what_each_agent_counted(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    kept = str(tmp_path / "match.jsonl")
    text = output_of(
        capsys,
        "arena",
        "tichu",
        "heuristic",
        "random",
        "-o",
        "rounds=1",
        "--rounds",
        "4",
        "--workers",
        "1",
        "--out",
        kept,
    )
    assert "first out" in text
    heuristic, random = (side["tally"] for side in json_of(capsys, "report", kept)["sides"])
    assert heuristic["first out"] + random["first out"] == 8
    assert random["grand tichu lost"] > heuristic["grand tichu lost"]
