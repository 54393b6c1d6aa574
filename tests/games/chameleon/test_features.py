"""Inputs for networks and hand evaluations: what is where, and the symmetry."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

import stammtisch as st
from games.chameleon.positions import positions
from stammtisch.core.game import State
from stammtisch.core.mind import judge
from stammtisch.games.chameleon.board import COLOUR, COLOUR_TURNED, TURNED
from stammtisch.games.chameleon.features import (
    PLAN_PAWNS_SIZE,
    PLAN_SQUARES_SIZE,
    plan_pawns,
    plan_squares,
    turn_position,
)
from stammtisch.games.chameleon.game import Chameleon

GAME = Chameleon(max_plies=None)
STATE = GAME.parse_position("3-5,3-6 B Rr33 Ry46 Bg53")


def written(encoding: object, size: int) -> np.ndarray:
    out = np.full(size, np.nan, dtype=np.float32)
    encoding(STATE.record, out)  # type: ignore[operator]
    assert set(out) <= {0.0, 1.0}
    return out.astype(int)


def test_the_board_looks_the_same_after_a_quarter_turn_with_colours_one_lower() -> None:
    for quarters in range(4):
        assert (COLOUR[TURNED[quarters]] == COLOUR_TURNED[quarters][COLOUR]).all()


def test_plan_encoding_by_squares() -> None:
    bits = written(plan_squares, PLAN_SQUARES_SIZE)
    squares = bits[:384].reshape(64, 6)
    assert bits[384:].tolist() == [1, 1]  # blue to move
    assert squares[3 * 8 + 3].tolist() == [1, 0, 0, 0, 0, 0]  # a pawn, red, knight colour red
    assert squares[4 * 8 + 6].tolist() == [1, 0, 0, 0, 1, 0]  # red, yellow
    assert squares[5 * 8 + 3].tolist() == [1, 0, 1, 1, 0, 1]  # blue, green
    assert squares[4 * 8 + 4].tolist() == [0, 0, 0, 0, 0, 0]  # free
    assert squares[0].tolist() == [0, 1, 0, 0, 0, 0]  # out of play
    assert (squares[:, 0].sum(), squares[:, 1].sum()) == (3, 64 - 12)


def test_plan_encoding_by_pawns() -> None:
    bits = written(plan_pawns, PLAN_PAWNS_SIZE)
    pawns = bits[:112].reshape(16, 7)
    assert pawns[0].tolist() == [0, 1, 1, 0, 1, 1, 1]  # row 3, column 3, alive
    assert pawns[2].tolist() == [1, 0, 0, 1, 1, 0, 1]
    assert pawns[13].tolist() == [1, 0, 1, 0, 1, 1, 1]
    assert pawns[:, 6].sum() == 3
    assert bits[112:124].reshape(4, 3).tolist() == [[0, 1, 1], [1, 0, 1], [0, 1, 1], [1, 1, 0]]
    assert bits[124:].tolist() == [1, 1]


def test_the_planes_of_a_position() -> None:
    seen = STATE.seat(0).observation()
    assert seen[:16].sum() == 3
    assert seen[2, 3, 3] == 1  # own bishop
    assert seen[3, 4, 6] == 1  # own rook
    assert seen[20].sum() == 12  # squares in play
    assert seen[21:25].sum(axis=(1, 2)).tolist() == [0, 64, 0, 0]  # blue moves after red, so it is the next
    assert seen[16].sum() == len({move[3:] for move in GAME.parse_position("3-5,3-6 R Rr33 Ry46 Bg53").moves()})


@given(positions(), some.integers(0, 3))
def test_every_seat_sees_the_turned_board_as_its_own(state: State, quarters: int) -> None:
    turned = st.game("chameleon", max_plies=None).new()
    turn_position(state.record, quarters, turned.record)
    for seat in state.game.spec.taken:
        own = state.seat(seat).observation()
        assert (turned.seat(int(COLOUR_TURNED[quarters, seat])).observation() == own).all()


@given(positions(), some.integers(0, 3))
def test_evaluations_are_shares_and_turn_with_the_board(state: State, quarters: int) -> None:
    turned = st.game("chameleon", max_plies=None).new()
    turn_position(state.record, quarters, turned.record)
    for which in GAME.minds:
        shares, other = np.zeros(4), np.zeros(4)
        judge(GAME.mind(which)[0], state.record, 0, shares)
        judge(GAME.mind(which)[0], turned.record, 0, other)
        assert shares.sum() == pytest.approx(1.0)
        assert ((shares > 0) == (state.record.alive > 0)).all()
        assert other[COLOUR_TURNED[quarters]] == pytest.approx(shares)


def test_the_named_evaluations() -> None:
    out = np.zeros(4)
    judge(GAME.mind("roles")[0], STATE.record, 0, out)
    red, blue = 102 + 103, 105  # bishop and rook against a queen
    assert out.tolist() == pytest.approx([red / (red + blue), 0, 0, blue / (red + blue)])
    judge(GAME.mind("pawns")[0], STATE.record, 0, out)
    reds = len(GAME.parse_position("3-5,3-6 R Rr33 Ry46 Bg53").moves())
    mine, theirs = 2 + 0.01 * reds, 1 + 0.01 * len(STATE.moves())
    assert out.tolist() == pytest.approx([mine / (mine + theirs), 0, 0, theirs / (mine + theirs)])
