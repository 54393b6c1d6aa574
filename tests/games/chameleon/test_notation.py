"""Positions and moves as text and JSON, and everything that is refused."""

import re
from typing import Any

import pytest

import stammtisch as st
from stammtisch.games.chameleon.game import Chameleon

GAME = Chameleon()
POSITION: dict[str, Any] = {"limits": [3, 5, 3, 6], "player": 0, "pawns": [[0, 0, 3, 3], [0, 2, 4, 6], [2, 0, 5, 3]]}


def test_text_and_json_describe_the_same_position() -> None:
    state = GAME.parse_position("3-5,3-6 R Rr33 Ry46 Yr53")
    assert state == GAME.from_json(POSITION)
    assert GAME.format_position(state) == "3-5,3-6 R Rr33 Ry46 Yr53"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"pawns": [[0, 0, 3, 3], [2, 0, 3, 3]]}, "pawns: two pawns stand on 33"),
        ({"pawns": [[0, 0, 3, 3], [0, 0, 4, 6], [2, 0, 5, 3]]}, "pawns: .* this pawn of red is there twice"),
        ({"pawns": [[0, 0, 3, 3], [2, 0, 6, 3]]}, "pawns: a pawn stands outside the rows 3-5"),
        ({"pawns": [[0, 0, 3, 2], [2, 0, 5, 3]]}, "pawns: a pawn stands outside the columns 3-6"),
        ({"limits": [3, 4, 3, 6]}, "limits: rows 3-4 are fewer than 3"),
        ({"limits": [5, 3, 3, 6]}, "limits: rows 5-3 are fewer than 3"),
        ({"limits": [3, 5, 3]}, "limits: a list of 4 entries"),
        ({"limits": [3, 8, 3, 6]}, "limits: a whole number from 0 to 7, not 8"),
        ({"limits": None}, "limits: a list of 4 entries, not null"),
        ({"pawns": []}, "pawns: nobody is alive"),
        ({"limits": [0, 7, 0, 7], "pawns": [[0, 0, 3, 3]]}, "pawns: only red is alive"),
        ({"limits": [0, 7, 0, 7], "pawns": [[0, 0, 3, 3]], "player": None}, "pawns: only red is alive"),
        ({"player": 2, "pawns": [[0, 0, 3, 3], [0, 2, 4, 6]]}, "player: 2 is given"),
        ({"player": 3}, "player: blue is to move but has no pawn"),
        ({"player": None}, "player: who is to move"),
        ({"player": 4}, "player: a whole number from 0 to 3, not 4"),
        ({"player": True}, "player: a whole number"),
        ({"pawns": [[0, 4, 3, 3], [2, 0, 5, 3]]}, "pawns: .* players and knight colours are 0"),
        ({"pawns": [[0, 0, 3], [2, 0, 5, 3]]}, "pawns: each is"),
        ({"pawns": [[0, 0, 3, "3"], [2, 0, 5, 3]]}, "pawns: a whole number"),
        ({"pawns": "Rr33"}, "pawns: a list"),
        ({"limits": [3, 5, 3, 5], "pawns": [[0, 0, 4, 4], [2, 0, 5, 3]]}, "pawns: the knight on 44 is stuck"),
        ({"options": {"players": "RB"}}, "pawns: .* yellow does not play in RB"),
        ({"ply": 101}, "ply: a whole number from 0 to 100"),
        ({"options": {"max_plies": None}, "ply": 3}, "ply: moves are counted only if"),
        ({"pawn": []}, "pawn: unknown; did you mean pawns"),
    ],
)
def test_impossible_positions_are_refused_with_the_reason(change: dict[str, Any], reason: str) -> None:
    field, _, text = reason.partition(": ")
    with pytest.raises(st.BadPosition, match=f"'{field}': {text}"):
        GAME.from_json({**POSITION, **change})


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "limits, player and pawns"),
        ("3-5 R Rr33 Yr53", "'limits': rows and columns"),
        ("3-5,3-6 X Rr33 Yr53", "'player': one of R, G, Y, B"),
        ("3-5,3-6 R Rr33 Yr5", "'pawns': player, knight colour"),
        ("3-5,3-6 R Rr33 Yr33", "two pawns stand on 33"),
    ],
)
def test_text_that_is_no_position_is_refused(text: str, reason: str) -> None:
    with pytest.raises(st.BadPosition, match=reason):
        GAME.parse_position(text)


@pytest.mark.parametrize("line_up", ["R", "", "RR", "GR", "rgyb", "RGYBX", "1", "5"])
def test_unknown_line_ups_are_refused(line_up: str) -> None:
    with pytest.raises(st.BadOption, match="one of RG, RY"):
        st.game("chameleon", players=line_up)


@pytest.mark.parametrize("limit", [0, -1, 1.5, "x", True])
def test_impossible_limits_of_moves_are_refused(limit: object) -> None:
    with pytest.raises(st.BadOption, match="or none"):
        st.game("chameleon", max_plies=limit)


@pytest.mark.parametrize("move", ["", "70", "70-51", "70>51>32", "88>51", "70>70", "a1>b2"])
def test_what_is_no_move_is_refused(move: str) -> None:
    with pytest.raises(st.BadMove, match="is no move of Chamäleon Schach"):
        GAME.parse(move)


@pytest.mark.parametrize("action", [-1, 0, 65, 4096])
def test_what_is_no_action_is_refused(action: int) -> None:
    with pytest.raises(st.BadMove, match="is no action"):
        GAME.format(action)


def test_a_finished_game_is_a_position_too() -> None:
    won = {"limits": [3, 5, 3, 5], "pawns": [[0, 0, 3, 3], [0, 1, 5, 5]]}
    for player in (0, None):
        state = GAME.from_json({**won, "player": player})
        assert state.over
        assert state.moves() == []
        assert state.scores() == [1.0, 0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("position", "move", "comment"),
    [
        ("0-7,0-7 R Rb44 Yr00 Yg77", "44>45", "now a knight"),
        ("0-7,0-7 R Rr60 Rg74 Yr24 Yg07", "74>24", "now a rook, takes Yr, the board shrinks to rows 0-6, columns 0-7"),
        ("3-5,3-6 R Rr33 Ry46 Yr44 Yb53", "46>45", "Yr, a knight stuck in the centre, leaves the game"),
        ("3-5,3-5 R Rr33 Rg55 Gg35 Yy44", "33>44", "Rr, a knight stuck in the centre, .*takes Yy, yellow is out"),
        ("0-7,0-7 R Rr00 Rg74 Yr77", "74>77", "takes Yr, yellow is out"),
    ],
)
def test_what_a_move_does_is_told(position: str, move: str, comment: str) -> None:
    state = GAME.parse_position(position)
    assert re.search(comment, GAME.comment(state, GAME.parse(move)))


def test_the_picture_shows_colours_roles_and_whose_turn_it_is() -> None:
    picture = GAME.parse_position("3-5,3-6 R Rr33 Ry46 Yr53").text()
    assert picture.splitlines()[1] == "3  y Rr♝ g     r     y"
    assert "> red    Rr bishop 33, Ry rook 46" in picture
    assert "  blue   out" in picture
    assert "Move 0 of 100" in picture
