"""Records: what was played, readable, and replayable without the seed."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stammtisch as st
from stammtisch.core.game import Game
from stammtisch.core.record import GameRecord, Recorder, append, read
from toys import Pig, Whistlet

GAMES = [st.game("tictactoe"), Pig(players=3), Whistlet()]


def played(game: Game, seed: int = 1) -> Recorder:
    recorder, rng = Recorder(game.new(seed), ["Anna", "Ben"]), np.random.default_rng(seed)
    while not recorder.state.over:
        recorder.apply(int(rng.choice(recorder.state.actions())))
    return recorder


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.name)
def test_a_record_replays_without_the_seed(game: Game) -> None:
    for seed in range(5):
        recorder = played(game, seed)
        record = GameRecord.from_json(json.loads(json.dumps(recorder.record().to_json())))
        states = list(record.states(game))
        assert len(states) == len(record.moves) + 1
        assert states[-1] == recorder.state
        assert "seed" not in json.dumps(record.to_json())


def test_chance_is_told_in_the_words_of_the_position() -> None:
    record = played(Pig()).record()
    assert record.moves[0] == "roll"
    assert set(record.chance[0]) == {"die", "pot", "player"}
    rolls = [number for number, move in enumerate(record.moves) if move == "roll"]
    assert sorted(record.chance) == rolls


def test_states_of_a_replay_are_independent() -> None:
    states = list(played(st.game("tictactoe")).record().states())
    states[0].play("0")
    assert states[1] == list(played(st.game("tictactoe")).record().states())[1]


def test_files_hold_one_game_per_line(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    for seed in range(3):
        append(file, played(st.game("tictactoe"), seed).record(event="Stammtisch Süd"))
    assert len(file.read_text(encoding="utf-8").splitlines()) == 3
    found = list(read(file))
    assert [record.header["event"] for record in found] == ["Stammtisch Süd"] * 3
    assert [record.result for record in found] == [
        played(st.game("tictactoe"), seed).record().result for seed in range(3)
    ]


def test_an_unfinished_game_has_no_result() -> None:
    recorder = Recorder(st.game("tictactoe").new(), ["a", "b"])
    recorder.play("4")
    record = recorder.record()
    assert record.result is None
    assert list(record.states())[-1].moves() == recorder.state.moves()


def test_a_recorder_goes_on_where_a_record_ends() -> None:
    first = Recorder(st.game("tictactoe").new(), ["a", "b"])
    first.play("4")
    second = Recorder.resume(first.record(), ["a", "c"])
    second.play("0")
    assert (second.moves, second.players, second.start) == (["4", "0"], ["a", "c"], first.start)
    assert first.moves == ["4"]
    assert list(second.record().states())[-1] == second.state


def test_a_refused_move_is_not_recorded() -> None:
    recorder = Recorder(st.game("tictactoe").new(), ["a", "b"])
    recorder.play("4")
    with pytest.raises(st.IllegalMove):
        recorder.play("4")
    assert recorder.moves == ["4"]


def changed(**changes: Any) -> dict[str, Any]:
    record = played(st.game("tictactoe")).record().to_json()
    return {**record, **changes}


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ([], "a record is a JSON object"),
        ({}, "'header' is missing"),
        (changed(moves="4"), "'moves' is missing or not a list"),
        (changed(moves=[4]), "no text"),
        (changed(header={"format": 99, "game": "tictactoe"}), "format 99, this version reads 1"),
        (changed(header={"format": 1}), "names no game"),
        (changed(chance={"x": {}}), "'chance' is an object from move numbers"),
        (changed(result="won"), "'result' is a list of numbers"),
    ],
)
def test_a_malformed_record_is_refused_with_the_reason(record: Any, reason: str) -> None:
    with pytest.raises(st.BadRecord, match=reason):
        GameRecord.from_json(record)


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (changed(moves=["4", "4"]), "move 1 '4': 4 is not legal now"),
        (changed(moves=["4", "x"]), "move 1 'x': 'x' is no move"),
        (changed(moves=["4", "0"]), "the moves give no end"),
        (changed(result=[0.25, 0.75]), "the moves give"),
        (changed(start={"board": "XXXX....."}), "start: bad position, field 'board'"),
        (changed(header={"format": 1, "game": "chess"}), "start: unknown game 'chess'"),
        (changed(options={"size": 4}), "start: unknown option 'size'"),
        (changed(chance={"50": {"die": 3}}), "chance after move 50, but there are"),
    ],
)
def test_a_record_that_breaks_the_rules_says_where(record: Any, reason: str) -> None:
    with pytest.raises(st.BadRecord, match=reason):
        list(GameRecord.from_json(record).states())


def test_a_broken_file_names_the_line(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    append(file, played(st.game("tictactoe")).record())
    with file.open("a") as handle:
        handle.write('\n{"header": \n')
    with pytest.raises(st.BadRecord, match=r"games\.jsonl line 3: not JSON"):
        list(read(file))
    with pytest.raises(st.BadRecord, match="cannot be read"):
        list(read(tmp_path / "missing.jsonl"))
