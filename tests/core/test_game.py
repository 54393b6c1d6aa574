"""Game, State and Seat."""

import gc
import json
from typing import Any

import numpy as np
import pytest

import stammtisch as st
from stammtisch.core.game import Game, Seat, State
from stammtisch.core.rng import stream
from toys import Pennies, Pig, Treelet, Whistlet

GAMES = [st.game("tictactoe"), Treelet(), Pig(players=4), Whistlet()]


def some_moves_in(game: Game, moves: int, seed: int = 3) -> State:
    state, rng = game.new(seed), np.random.default_rng(seed)
    for _ in range(moves):
        if not state.over:
            state.apply(int(rng.choice(state.actions())))
    return state


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.name)
def test_same_seed_same_game(game: Game) -> None:
    assert some_moves_in(game, 5) == some_moves_in(game, 5)


def test_without_a_seed_deals_differ() -> None:
    deals = {Whistlet().new().bytes() for _ in range(20)}
    assert len(deals) > 15


def test_an_illegal_move_changes_nothing_and_says_what_is_legal() -> None:
    state = st.game("tictactoe").new()
    state.play("4")
    before = state.bytes()
    with pytest.raises(st.IllegalMove, match="4 is not legal now; legal: 0, 1, 2, 3, 5, 6, 7, 8"):
        state.play("4")
    with pytest.raises(st.BadMove, match="'9' is no move"):
        state.play("9")
    with pytest.raises(st.BadMove):
        state.apply(99)
    assert state.bytes() == before


def test_after_the_end_there_are_no_moves() -> None:
    state = st.game("tictactoe").from_json({"board": "XXXOO...."})
    assert (state.over, state.player, state.actions()) == (True, None, [])
    with pytest.raises(st.IllegalMove, match="the game is over"):
        state.play("8")


def test_a_copy_goes_on_as_its_original_would() -> None:
    state = Pig().new(seed=8)
    copy = state.copy()
    for _ in range(6):
        state.play("roll")
        copy.play("roll")
    assert state == copy


def test_states_compare_by_position_and_rules() -> None:
    assert Pig(players=2).new(seed=1) != Pig(players=3).new(seed=1)
    assert Pig().new(seed=1) == Pig().new(seed=2)  # nothing is dealt in Pig
    assert Pig().new(seed=1) != "Pig"


def test_options_of_the_position_win() -> None:
    state = Pig().from_json({"options": {"players": 3}, "totals": [1, 2, 3], "pot": 0, "die": 0, "player": 2})
    assert state.game.options == {"players": 3, "target": 30}
    assert state.player == 2


@pytest.mark.parametrize(
    ("position", "field"),
    [
        ([], "game"),
        ({"game": "chess", "board": "........."}, "game"),
        ({"board": ".........", "options": 3}, "options"),
        ({"board": ".........", "bord": "x"}, "bord"),
        ({"player": 0}, "board"),
        ({"board": ".........", "player": 2}, "player"),
        ({"board": "XXXOO....", "player": 1}, "player"),
        ({"board": ".........", "player": True}, "player"),
        ({"board": ".........", "phase": "quark"}, "phase"),
    ],
)
def test_a_bad_position_names_its_field(position: Any, field: str) -> None:
    with pytest.raises(st.BadPosition) as caught:
        st.game("tictactoe").from_json(position)
    assert caught.value.field == field
    assert f"'{field}'" in str(caught.value)


def test_unknown_and_unfit_options_are_refused() -> None:
    with pytest.raises(st.UnknownOption, match="unknown option 'player' of pig: did you mean players"):
        Pig(player=3)
    with pytest.raises(st.BadOption, match="players=9: a whole number from 2 to 4"):
        Pig(players=9)
    with pytest.raises(st.BadOption):
        Pig(players=True)


def test_a_position_finds_its_game() -> None:
    state = st.position({"game": "tictactoe", "board": "X........"})
    assert state.player == 1
    for wrong in ({}, {"game": 3}, 7):
        with pytest.raises(st.BadPosition):
            st.position(wrong)  # type: ignore[arg-type]


# --- what a seat may know -------------------------------------------------------------------------------


def test_a_seat_sees_its_own_cards_only() -> None:
    state = Whistlet().new(seed=4)
    position = state.to_json()
    for index in range(4):
        view = state.seat(index).view()
        assert view["hands"][index] == position["hands"][index]
        assert [view["hands"][other] for other in range(4) if other != index] == [None] * 3
        assert view == state.view(index)
    assert state.view(None)["hands"] == [None] * 4


def test_nothing_inside_a_seat_depends_on_hidden_cards() -> None:
    """Not even an agent that digs through private attributes finds them: they are not there."""
    state = some_moves_in(Whistlet(), 5)
    seat_number = state.player or 0
    other_deal = state.seat(seat_number).sample(stream(77))
    assert other_deal.bytes() != state.bytes()
    seats = [one.seat(seat_number) for one in (state, other_deal)]
    assert everything_inside(seats[0]) == everything_inside(seats[1])


def everything_inside(seat: Seat) -> list[bytes]:
    """The contents of all arrays that can be reached from the seat, except through the shared game."""
    found: list[bytes] = []
    todo: list[Any] = [seat]
    known = {id(seat.game)}
    while todo:
        thing = todo.pop()
        if id(thing) in known or isinstance(thing, type):
            continue
        known.add(id(thing))
        if isinstance(thing, np.ndarray):
            found.append(thing.tobytes())
        todo.extend(gc.get_referents(thing))
    return sorted(found)


def test_a_seat_cannot_see_the_dice_to_come() -> None:
    state = Pig().new(seed=1)
    guesses = set()
    for seed in range(60):
        sample = state.seat(0).sample(stream(seed))
        sample.play("roll")
        guesses.add(sample.to_json()["die"])
    assert guesses == {1, 2, 3, 4, 5, 6}


def test_moves_are_told_to_those_who_may_know_them() -> None:
    state = Pennies().new()
    assert [state.told(1, seat) for seat in (0, 1, None)] == ["1", None, None]
    state.play("1")
    assert [state.told(0, seat) for seat in (0, 1, None)] == ["0", "0", "0"]


def test_only_the_deciding_seat_has_actions() -> None:
    state = st.game("tictactoe").new()
    assert state.seat(0).moves() == state.moves()
    assert state.seat(1).actions() == []
    with pytest.raises(ValueError, match="nobody has seat 2; taken: 0, 1"):
        state.seat(2)
    with pytest.raises(ValueError, match="a seat is 0 to 1"):
        state.view(5)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.name)
def test_views_are_json_and_observations_have_the_declared_size(game: Game) -> None:
    state = some_moves_in(game, 3)
    for index in range(game.spec.seats):
        seat = state.seat(index)
        assert json.loads(json.dumps(seat.view())) == seat.view()
        assert seat.observation().shape == game.spec.observation_shape
        assert seat.text() == game.draw(seat.view())


def test_texts_for_people() -> None:
    state = st.game("tictactoe").new()
    assert repr(state) == "<tictactoe, seat 0 decides>"
    assert repr(state.game) == "st.game('tictactoe')"
    assert str(state).splitlines()[0] == " 0 | 1 | 2"
