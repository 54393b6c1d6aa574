"""Options that are called like parameters of Python functions are unknown options, and nothing else."""

import json
from pathlib import Path

import pytest

import stammtisch as st
from commands import run
from stammtisch.agents.catalog import agent, agents_of, full_name
from stammtisch.core.record import Recorder
from stammtisch.core.registry import games

WORDS = ("self", "cls", "name", "game", "options", "given", "net", "args", "kwargs", "__class__", "", "ä")


@pytest.mark.parametrize("name", games())
@pytest.mark.parametrize("word", WORDS)
def test_a_game_knows_no_such_option(name: str, word: str) -> None:
    with pytest.raises(st.UnknownOption, match=f"unknown option '{word}' of {name}"):
        st.game(name, **{word: 1})
    with pytest.raises(st.UnknownOption, match=f"unknown option '{word}' of {name}"):
        type(st.game(name))(**{word: 1})
    with pytest.raises(st.UnknownOption, match=f"unknown option '{word}' of {name}"):
        st.position({"game": name, "options": {word: 1}})


@pytest.mark.parametrize("name", ["tichu", "clever", "chameleon", "tictactoe"])
@pytest.mark.parametrize("word", ["self", "game", "name", "__class__"])
def test_an_agent_knows_no_such_option(name: str, word: str) -> None:
    game = st.game(name)
    for player in agents_of(game.info):
        with pytest.raises(st.UnknownOption, match=f"unknown option '{word}' of agent"):
            agent(f"{player}:{word}=1", game)
        with pytest.raises(st.UnknownOption, match=f"unknown option '{word}' of agent"):
            full_name(f"{player}:{word}=1", game.info)


@pytest.mark.parametrize("word", ["self", "name"])
def test_a_record_with_such_an_option_is_one_line(
    word: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = Recorder(st.game("tictactoe").new(seed=1), ["a", "b"]).record().to_json()
    for place in (record, record["start"]):
        file = tmp_path / "game.jsonl"
        file.write_text(
            json.dumps(
                {**record, "options": {word: 1}}
                if place is record
                else {**record, "start": {**place, "options": {word: 1}}}
            )
        )
        assert run("replay", str(file)) == 2
        assert f"unknown option '{word}' of tictactoe" in capsys.readouterr().err
