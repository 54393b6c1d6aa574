"""Games and agents are found by their entry points."""

from importlib.metadata import EntryPoint, EntryPoints

import pytest

import stammtisch as st
from stammtisch.core import registry


@pytest.fixture
def announced(monkeypatch: pytest.MonkeyPatch) -> list[EntryPoint]:
    """What the installed packages announce, for this test."""
    points: list[EntryPoint] = []
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: EntryPoints(points))
    return points


def test_the_shipped_games_are_there() -> None:
    assert "tictactoe" in registry.games()
    assert registry.games()["tictactoe"].title == "Tic-Tac-Toe"


def test_a_plug_in_game_is_found(announced: list[EntryPoint]) -> None:
    announced.append(EntryPoint("pig", "toys:Pig.info", "stammtisch.games"))
    assert [info.name for info in registry.installed("stammtisch.games")] == ["pig"]


def test_a_plug_in_that_cannot_be_loaded_is_named_and_left_out(
    announced: list[EntryPoint], caplog: pytest.LogCaptureFixture
) -> None:
    announced.append(EntryPoint("broken", "no_such_package:INFO", "stammtisch.games"))
    announced.append(EntryPoint("pig", "toys:Pig.info", "stammtisch.games"))
    assert [info.name for info in registry.installed("stammtisch.games")] == ["pig"]
    assert "'broken' (no_such_package:INFO) cannot be loaded and is left out" in caplog.text


def test_an_unknown_game_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(st.UnknownGame, match="unknown game 'tictactow': did you mean tictactoe?"):
        st.game("tictactow")
