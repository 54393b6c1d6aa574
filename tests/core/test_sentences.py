"""What is said where something is missing or wrong: the place, and what to do."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import stammtisch as st
from stammtisch.core import errors
from stammtisch.core.compiling import CompileNotice, compiled
from stammtisch.core.conformance import Outcome, check
from stammtisch.core.errors import MissingExtra
from stammtisch.core.kernel import Record
from stammtisch.core.scene import told
from stammtisch.table.pages import drawn
from toys import Pig

HERE = Path(__file__).name


@compiled
def no_such_field(state: Record) -> int:
    return state.no_such_field


@compiled
def outside(values: np.ndarray) -> int:
    if len(values) > 1:
        raise ValueError("the kernel's own")
    return 1


def failure_of(work: object) -> str:
    with pytest.raises(Exception) as caught:
        work()  # type: ignore[operator]
    return told(caught.value)


def test_errors_inside_kernels_name_the_game_s_own_file_and_line() -> None:
    state = st.game("tictactoe").new(1)
    cannot_compile = failure_of(lambda: no_such_field(state.record))
    raised = failure_of(lambda: outside(np.zeros(3)))
    for said in (cannot_compile, raised):
        assert f"({HERE}, line " in said, said
        assert len(said) < 600 and "\n" not in said
    assert "the kernel's own" in raised


def test_the_hint_for_an_extra_fits_how_it_was_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert "make setup" in str(MissingExtra("plots need"))
    monkeypatch.setattr(
        errors, "__file__", str(tmp_path / "lib" / "site-packages" / "stammtisch" / "core" / "errors.py")
    )
    said = str(MissingExtra("plots need"))
    assert said.endswith("pip install 'stammtisch[lab]'") and "constraints" not in said


def test_the_notice_says_how_long() -> None:
    assert "up to a minute" in CompileNotice.LINE


def test_promises_are_told_as_soon_as_they_are_known() -> None:
    told_of: list[Outcome] = []
    report = check(Pig(), games=2, uncompiled=False, finished=told_of.append)
    assert sorted(outcome.name for outcome in told_of) == sorted(outcome.name for outcome in report.outcomes)


def test_long_games_are_waited_for_and_looked_at_here_and_there() -> None:
    spec = st.game("tichu").spec
    assert spec.usual_length > 1000 and st.game("tichu", rounds=1).spec.usual_length == 120


def test_a_game_without_a_board_is_drawn() -> None:
    game = Pig()
    view = game.new(1).view(0)
    assert drawn(game.info, game.draw, view)["picture"] == game.draw(view)
    assert drawn(game.info, lambda _: 1 / 0, view) == view  # type: ignore[return-value, arg-type]
    tictactoe = st.game("tictactoe")
    assert "picture" not in drawn(tictactoe.info, tictactoe.draw, tictactoe.new(1).view(0))
