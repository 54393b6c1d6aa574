"""Generic functions find the game by the record type of the state."""

import numpy as np
import pytest

import stammtisch as st
from stammtisch.core import kernel as generic
from stammtisch.core.compiling import compiled
from stammtisch.core.errors import BadKernel
from stammtisch.core.game import Game
from stammtisch.core.kernel import OVER, Actions, Kernel, Record, apply, legal_actions, player
from stammtisch.core.rng import Rng
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


def test_the_same_rules_may_be_registered_again() -> None:
    """As when a module is reloaded or a cell of a notebook is run again."""
    assert Kernel(state=PIG_STATE, **PIG_FUNCTIONS).state == Pig.kernel.state


def test_other_rules_with_the_same_layout_are_told_apart() -> None:
    other = Kernel(state=PIG_STATE, **{**PIG_FUNCTIONS, "apply": whist_apply})
    assert other.state != Pig.kernel.state


@pytest.mark.parametrize("name", ["round", "size", "data", "class", "gap3", "rules_x"])
def test_field_names_that_cannot_work_are_refused(name: str) -> None:
    with pytest.raises(BadKernel, match=f"cannot be called '{name}'"):
        Kernel(state=np.dtype([(name, np.int64)]), **PIG_FUNCTIONS)


def test_a_function_that_is_not_compiled_is_refused() -> None:
    def forgotten(state: Record, action: int, rng: Rng) -> None:
        pass

    with pytest.raises(BadKernel, match="apply is not compiled: put @compiled before it"):
        Kernel(state=PIG_STATE, **{**PIG_FUNCTIONS, "apply": forgotten})


def test_a_state_needs_named_fields() -> None:
    with pytest.raises(BadKernel, match="named fields"):
        Kernel(state=np.dtype(np.int64), **PIG_FUNCTIONS)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.name)
def test_states_have_no_gaps_and_fill_whole_words(game: Game) -> None:
    dtype = game.kernel.state
    assert dtype.itemsize % 8 == 0
    assert sum(dtype[name].itemsize for name in dtype.names or ()) == dtype.itemsize
