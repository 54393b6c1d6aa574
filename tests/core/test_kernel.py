"""Generic functions find the game by the record type of the state."""

import dataclasses
from typing import Any

import numpy as np
import pytest

import stammtisch as st
from stammtisch.core import kernel as generic
from stammtisch.core.compiling import compiled
from stammtisch.core.errors import BadKernel
from stammtisch.core.game import Game
from stammtisch.core.kernel import OVER, Actions, Kernel, Record, apply, legal_actions, player
from stammtisch.core.rng import Rng, stream
from stammtisch.games.tictactoe import kernel as tictactoe
from toys import PIG_FUNCTIONS, PIG_STATE, Pig, Treelet, Whistlet, whist_apply

GAMES = [st.game("tictactoe"), Treelet(), Pig(players=3), Whistlet()]


@compiled
def first_moves(state: Record, moves: int, buffer: Actions, rng: Rng) -> int:
    """A generic compiled algorithm: play the first legal action over and over."""
    played = 0
    while played < moves and player(state) != OVER:
        legal_actions(state, buffer)
        apply(state, buffer[0], rng)
        played += 1
    return played


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.name)
def test_one_compiled_algorithm_runs_every_game(game: Game) -> None:
    by_hand, by_algorithm = game.new(seed=5), game.new(seed=5)
    played = 0
    while played < 6 and not by_hand.over:
        by_hand.apply(by_hand.actions()[0])
        played += 1
    buffer = np.empty(game.spec.max_actions, dtype=np.int64)
    assert first_moves(by_algorithm.record, 6, buffer, by_algorithm.rng) == played
    assert by_algorithm == by_hand


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.name)
def test_the_generic_functions_also_work_in_plain_python(game: Game) -> None:
    state = game.new(seed=5)
    assert generic.player(state.record) == state.player
    out = np.empty(game.spec.max_actions, dtype=np.int64)
    assert list(out[: generic.legal_actions(state.record, out)]) == state.actions()


def test_a_game_without_evaluation_is_judged_by_its_standing() -> None:
    state, out = Pig(players=4).new(seed=1), np.zeros(4)
    generic.evaluate(state.record, out)
    assert list(out) == state.scores() == [0.25] * 4


def functions_of(kernel: Kernel) -> dict[str, Any]:
    return {field.name: getattr(kernel, field.name) for field in dataclasses.fields(kernel) if field.name != "state"}


def test_two_games_of_the_package_may_not_share_a_state_layout() -> None:
    with pytest.raises(BadKernel, match="same state layout"):
        Kernel(state=tictactoe.STATE, **functions_of(tictactoe.KERNEL))


def test_different_rules_elsewhere_may_share_a_state_layout() -> None:
    """As when a cell of a notebook is run again, with or without a change."""
    same = Kernel(state=PIG_STATE, **PIG_FUNCTIONS)
    assert same.state == Pig.kernel.state
    other = Kernel(state=PIG_STATE, **{**PIG_FUNCTIONS, "apply": whist_apply})
    assert other.state != Pig.kernel.state


def test_a_state_needs_named_fields() -> None:
    with pytest.raises(BadKernel, match="named fields"):
        Kernel(state=np.dtype(np.int64), **PIG_FUNCTIONS)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.name)
def test_states_have_no_gaps_and_fill_whole_words(game: Game) -> None:
    dtype = game.kernel.state
    assert dtype.itemsize % 8 == 0
    assert sum(dtype[name].itemsize for name in dtype.names or ()) == dtype.itemsize


def test_rules_outside_the_package_are_told_apart_by_their_source() -> None:
    assert any(name.startswith("rules_") for name in Pig.kernel.state.names or ())
    assert not any(name.startswith("rules_") for name in st.game("tictactoe").kernel.state.names or ())


def test_playout_actions_are_legal() -> None:
    state, rng = Whistlet().new(seed=1), stream(1)
    buffer = np.empty(state.game.spec.max_actions, dtype=np.int64)
    chosen = {int(generic.playout_action(state.record, buffer, rng)) for _ in range(60)}
    assert chosen == set(state.actions())
