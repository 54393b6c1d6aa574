"""Tic-Tac-Toe: solved, counted, and equal to a plain twin."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

import stammtisch as st
from stammtisch.core.batch import Batch
from stammtisch.core.conformance import check
from stammtisch.search import maxn
from stammtisch.search.perft import perft

GAME = st.game("tictactoe")
LINES = ["012", "345", "678", "036", "147", "258", "048", "246"]
SYMMETRIES = [  # where each square comes from, for the eight turns and reflections of the board
    "012345678",
    "630741852",
    "876543210",
    "258147036",
    "210543876",
    "678345012",
    "036147258",
    "852741630",
]


def winner(board: str) -> str | None:
    """The judge: slow and obviously right."""
    for line in LINES:
        marks = {board[int(square)] for square in line}
        if marks in ({"X"}, {"O"}):
            return marks.pop()
    return None


def plain_moves(board: str) -> list[int]:
    return [] if winner(board) else [square for square in range(9) if board[square] == "."]


def plain_play(board: str, square: int) -> str:
    mark = "O" if board.count("X") > board.count("O") else "X"
    return board[:square] + mark + board[square + 1 :]


@cache
def plain_value(board: str) -> float:
    """X's score with best play on both sides."""
    if winner(board):
        return 1.0 if winner(board) == "X" else 0.0
    values = [plain_value(plain_play(board, square)) for square in plain_moves(board)]
    if not values:
        return 0.5
    return min(values) if board.count("X") > board.count("O") else max(values)


@cache
def all_positions() -> frozenset[str]:
    found, todo = {"." * 9}, ["." * 9]
    while todo:
        new = set(successors(todo.pop())) - found
        found |= new
        todo += new
    return frozenset(found)


def test_conformance() -> None:
    report = check(GAME, games=100)
    assert report.ok, str(report)


def test_perft() -> None:
    expected = [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
    assert [perft(GAME.new(), depth) for depth in range(1, 10)] == expected
    assert perft(GAME.new(), 10) == 0


def test_number_of_complete_games() -> None:
    @cache
    def games_from(board: str) -> int:
        state = GAME.from_json({"board": board})
        return 1 if state.over else sum(games_from(after) for after in successors(board))

    assert games_from("." * 9) == 255_168


def successors(board: str) -> list[str]:
    """The boards after each legal move, by the engine."""
    found = []
    for action in GAME.from_json({"board": board}).actions():
        state = GAME.from_json({"board": board})
        state.apply(action)
        found.append(state.to_json()["board"])
    return found


def test_number_of_positions() -> None:
    assert len(all_positions()) == 5_478
    classes = {min("".join(board[int(i)] for i in symmetry) for symmetry in SYMMETRIES) for board in all_positions()}
    assert len(classes) == 765


def test_every_position_equals_the_plain_twin() -> None:
    for board in all_positions():
        state = GAME.from_json({"board": board})
        assert state.actions() == plain_moves(board)
        scores = {"X": [1.0, 0.0], "O": [0.0, 1.0], None: [0.5, 0.5]}[winner(board)]
        assert state.scores() == scores
        assert state.over == (not plain_moves(board))
        for square in plain_moves(board):
            after = state.copy()
            after.apply(square)
            assert after.to_json()["board"] == plain_play(board, square)


def test_best_play_is_a_draw() -> None:
    found = maxn.search(GAME.new(), depth=9, exact=True)
    assert found.values.tolist() == [[0.5, 0.5]] * 9


def test_maxn_solves_every_position() -> None:
    for board in sorted(all_positions())[::7]:
        state = GAME.from_json({"board": board})
        if not state.over:
            found = maxn.search(state, depth=9)
            x = plain_value(board)
            assert found.value.tolist() == [x, 1 - x]
            assert plain_value(plain_play(board, found.action)) == x


def test_the_observation_is_own_marks_then_the_others() -> None:
    state = GAME.from_json({"board": "X.O..X...", "player": 1})
    own, other = state.seat(1).observation().reshape(2, 9)
    assert np.flatnonzero(own).tolist() == [2]
    assert np.flatnonzero(other).tolist() == [0, 5]


def test_the_position_of_the_notation_page() -> None:
    """A hand-made position: X has a mark more and is to move again."""
    state = GAME.from_json({"game": "tictactoe", "player": 0, "board": "XO.....X."})
    assert (state.player, state.moves()) == (0, ["2", "3", "4", "5", "6", "8"])
    state.play("8")
    assert state.to_json() == {"game": "tictactoe", "options": {}, "player": 1, "phase": "play", "board": "XO.....XX"}


@given(some.text(alphabet="XO.", min_size=9, max_size=9), some.sampled_from([0, 1, None]))
def test_every_accepted_position_can_be_played_to_its_end(board: str, player: int | None) -> None:
    position = {"board": board} if player is None else {"board": board, "player": player}
    try:
        state = GAME.from_json(position)
    except st.BadPosition:
        return
    while not state.over:
        assert GAME.from_json(state.to_json()) == state
        assert not GAME.problems(state.record)
        state.apply(state.actions()[-1])
    assert GAME.from_json(state.to_json()) == state


@given(some.text(max_size=12))
def test_any_text_is_a_move_or_a_bad_move(text: str) -> None:
    try:
        assert GAME.format(GAME.parse(text)) == text.strip()
    except st.BadMove as error:
        assert "squares are 0 to 8" in str(error)


@pytest.mark.parametrize("board", ["XXXX.....", "XXXOOO...", "XO", "XO.....Z.", "", None, 3, ["X"]])
def test_impossible_boards_are_refused(board: object) -> None:
    with pytest.raises(st.BadPosition, match="'board'"):
        GAME.from_json({"board": board})


def test_a_batch_of_random_games_has_the_known_results() -> None:
    """Random play: X wins 58.5 %, O 28.8 %, draws 12.7 % of all games."""
    batch = Batch(GAME, 20_000, seed=4)
    chooser = np.random.default_rng(4)
    for _ in range(9):
        actions, offsets = batch.legal()
        picks = offsets[:-1] + (chooser.random(len(batch)) * np.diff(offsets)).astype(np.int64)
        batch.step(np.append(actions, 0)[np.minimum(picks, len(actions))])
    x_wins, o_wins = (batch.scores() == 1).mean(axis=0)
    assert x_wins == pytest.approx(0.585, abs=0.012)
    assert o_wins == pytest.approx(0.288, abs=0.012)
