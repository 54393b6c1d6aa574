"""The rules: the worked examples, 300 positions, perft, and a plain twin move by move."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

import stammtisch as st
from games.chameleon import plain
from games.chameleon.positions import as_plain, positions
from stammtisch.bench import signature
from stammtisch.core.conformance import check
from stammtisch.core.game import State
from stammtisch.games.chameleon import LINE_UPS
from stammtisch.games.chameleon.board import COLOUR_TURNED, ROLE, ROLES
from stammtisch.games.chameleon.features import turn_action, turn_position
from stammtisch.games.chameleon.game import Chameleon
from stammtisch.search.perft import perft

FIXTURES = Path(__file__).parent / "fixtures"
EXAMPLES = json.loads((FIXTURES / "examples.json").read_text())["examples"]
POSITIONS = json.loads((FIXTURES / "positions.json").read_text())["positions"]

PERFT = {
    "RG": (13, 130, 2112, 27722, 440761),
    "RY": (13, 169, 3496, 71470, 1576357),
    "GB": (13, 169, 3496, 71470, 1576357),
    "RB": (10, 130, 1736, 27494, 387766),
    "GY": (10, 130, 1736, 27494, 387766),
    "YB": (10, 130, 1736, 27494, 387766),
    "RGY": (13, 169, 2197, 44620, 898653),
    "RGB": (13, 169, 2197, 43954, 883751),
    "RYB": (13, 169, 2197, 44725, 886904),
    "GYB": (13, 169, 2197, 44725, 886904),
    "RGYB": (13, 169, 2197, 28561, 570778),
}


def text(move: list[int]) -> str:
    return f"{move[0]}{move[1]}>{move[2]}{move[3]}"


@pytest.mark.parametrize("example", EXAMPLES + POSITIONS, ids=lambda example: str(example["id"]))
def test_the_rules_hold_in_every_example(example: dict[str, Any]) -> None:
    state = st.game("chameleon").from_json(example["position"])
    if "start" in example and "seed" not in example:
        assert st.game("chameleon", players=example["start"]).new().to_json()["pawns"] == state.to_json()["pawns"]
        assert st.game("chameleon", players=example["start"]).new().to_json()["limits"] == state.to_json()["limits"]
    for row, column, role in example.get("roles", []):
        pawn = int(state.record.board[8 * row + column]) - 1
        assert ROLES[ROLE[pawn & 3, 8 * row + column]] == role
    if "moves" in example:
        assert state.moves() == [text(move) for move in example["moves"]]
    if "destinations" in example:
        row, column = example["from"]
        reached = [move[3:] for move in state.moves() if move.startswith(f"{row}{column}>")]
        assert reached == [f"{r}{c}" for r, c in example["destinations"]]
    if "illegal" in example:
        with pytest.raises(st.IllegalMove):
            state.play(text(example["illegal"]))
    for move in [example["move"]] if "move" in example else example.get("sequence", []):
        state.play(text(move))
    after = example.get("after") or example.get("end")
    if after:
        found = state.to_json()
        assert (found["limits"], found["pawns"]) == (after["limits"], after["pawns"])
        winner = example.get("winner", example.get("winner_after"))
        assert found["player"] == (after["player"] if winner is None else None)
        assert winner is None or state.scores()[winner] == 1.0


@pytest.mark.parametrize("line_up", LINE_UPS)
def test_perft(line_up: str) -> None:
    state = st.game("chameleon", players=line_up).new()
    assert tuple(perft(state, depth) for depth in range(1, 6)) == PERFT[line_up]


@pytest.mark.slow
@pytest.mark.parametrize("line_up", LINE_UPS)
def test_perft_of_the_plain_twin(line_up: str) -> None:
    assert plain.perft(plain.start(line_up), 5) == PERFT[line_up][4]


@given(positions())
def test_moves_and_their_effects_are_those_of_the_plain_twin(state: State) -> None:
    position = as_plain(state)
    moves = sorted(plain.moves(position))
    assert state.moves() == [text(list(move)) for move in moves]
    for move in moves:
        after = state.copy()
        after.play(text(list(move)))
        expected = plain.play(position, move)
        assert as_plain(after)[::2] == expected[::2]
        assert after.over == (len(plain.alive(expected[2])) == 1)
        assert after.over or after.player == expected[1]


@given(positions(), some.integers(0, 3))
def test_the_board_turned_with_its_colours_is_the_same_game(state: State, quarters: int) -> None:
    turned = st.game("chameleon", max_plies=None).new()
    turn_position(state.record, quarters, turned.record)
    assert sorted(turn_action(action, quarters) for action in state.actions()) == turned.actions()
    for action in state.actions():
        after, turned_after, expected = state.copy(), turned.copy(), turned.copy()
        after.apply(action)
        turned_after.apply(int(turn_action(action, quarters)))
        turn_position(after.record, quarters, expected.record)
        if after.over:  # the turn of a finished game is nobody's
            assert [turned_after.scores()[COLOUR_TURNED[quarters, player]] for player in range(4)] == after.scores()
        else:
            assert turned_after == expected


@given(positions())
def test_the_board_only_shrinks_and_holds_every_pawn(state: State) -> None:
    before = state.to_json()
    for action in state.actions():
        after = state.copy()
        after.apply(action)
        position = after.to_json()
        assert len(before["pawns"]) - len(position["pawns"]) in (0, 1, 2)
        for axis in (0, 1):
            low, high = position["limits"][2 * axis : 2 * axis + 2]
            lines = [pawn[2 + axis] for pawn in position["pawns"]]
            assert before["limits"][2 * axis] <= low <= min(lines) <= max(lines) <= high
            assert high <= before["limits"][2 * axis + 1]
            assert high - low >= 2
            assert high - low == 2 or (low, high) == (min(lines), max(lines))
        if not after.over:
            assert after.record.alive[after.player]
            assert after.actions()


@given(positions())
def test_positions_and_keys_survive_writing_and_reading(state: State) -> None:
    game = state.game
    assert isinstance(game, Chameleon)
    assert game.from_json(state.to_json()) == state
    assert game.parse_position(game.format_position(state)) == state


def test_the_key_tells_different_positions_apart() -> None:
    seen: dict[int, str] = {}
    game = st.game("chameleon", max_plies=None)
    assert isinstance(game, Chameleon)
    for seed in range(60):
        state = game.new(seed)
        for turn in range(60):
            if state.over:
                break
            actions = state.actions()
            state.apply(actions[(seed * 31 + turn * 17) % len(actions)])
            text = game.format_position(state)
            assert seen.setdefault(int(state.record.key), text) == text
    assert len(seen) > 2000


@pytest.mark.parametrize("line_up", ["RY", "GB", "RGB", "RGYB"])
@pytest.mark.parametrize("max_plies", [None, 30])
def test_the_contract_is_kept(line_up: str, max_plies: int | None) -> None:
    report = check(st.game("chameleon", players=line_up, max_plies=max_plies), games=3, seed=1)
    assert report.ok, str(report)


def test_the_behaviour_is_what_it_was() -> None:
    """Changes only when the rules do: say so in the commit that changes it."""
    assert signature(st.game("chameleon")) == "994731ea3fe5685d"


def test_the_limit_of_moves_ends_the_game_and_the_survivors_share() -> None:
    state = st.game("chameleon", players="RGY", max_plies=3).new()
    for _ in range(3):
        assert not state.over
        state.apply(state.actions()[0])
    assert state.over
    assert state.to_json()["ply"] == 3
    assert state.scores() == [1 / 3, 1 / 3, 1 / 3, 0.0]


def test_without_a_limit_positions_repeat_for_ever() -> None:
    game = st.game("chameleon", max_plies=None)
    assert isinstance(game, Chameleon)
    state = game.parse_position("3-5,3-5 R Rr33 Yr34")
    before = state.bytes()
    for _ in range(100):
        for move in ["33>55", "34>54", "55>33", "54>34"]:
            state.play(move)
        assert state.bytes() == before
    assert "ply" not in state.to_json()


@pytest.mark.parametrize(("number", "line_up"), [(2, "RY"), (3, "RGY"), (4, "RGYB"), ("3", "RGY")])
def test_a_number_of_players_stands_for_a_line_up(number: int | str, line_up: str) -> None:
    game = st.game("chameleon", players=number)
    assert game.options["players"] == line_up
    assert len(game.spec.taken) == len(line_up)
    position = {**game.new().to_json(), "options": {"players": number, "max_plies": 100}}
    assert game.from_json(position) == game.new()
