"""Tic-Tac-Toe for people: positions as JSON, moves as text, a picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from stammtisch.core.errors import BadMove, BadPosition
from stammtisch.core.game import Game, GameSpec, Json
from stammtisch.core.kernel import Record
from stammtisch.games.tictactoe import INFO
from stammtisch.games.tictactoe.kernel import KERNEL, SQUARES, has_line

MARKS = ".XO"  # a free square, seat 0, seat 1


class TicTacToe(Game):
    info = INFO
    kernel = KERNEL
    position_keys = ("board",)

    def describe(self) -> GameSpec:
        return GameSpec(
            seats=2,
            sides=((0,), (1,)),
            hidden=False,
            chance=False,
            score_range=(0.0, 1.0),
            score_sum=1.0,
            observation_size=KERNEL.observation_size,
            observation_range=(0.0, 1.0),
            max_actions=SQUARES,
            action_space=SQUARES,
        )

    def encode(self, position: Mapping[str, Any], record: Record) -> None:
        board = position["board"]
        if not isinstance(board, str) or len(board) != SQUARES or any(mark not in MARKS for mark in board):
            raise BadPosition("board", f"nine characters out of {MARKS}, row by row, not {board!r}")
        record.board[:] = [MARKS.index(mark) for mark in board]
        record.filled = SQUARES - board.count(".")
        lines = [mark for mark in (1, 2) if has_line(record, mark)]
        if len(lines) == 2:
            raise BadPosition("board", "X and O both have three in a row")
        record.winner = lines[0] if lines else 0
        record.turn = self._turn(position, board, bool(lines))
        problems = self.problems(record)
        if problems:
            raise BadPosition("board", problems[0])

    def _turn(self, position: Mapping[str, Any], board: str, decided: bool) -> int:
        """The seat to move: as given, else the one with fewer marks, X when even (X begins)."""
        ahead = board.count("X") - board.count("O")
        given = position.get("player")
        if given is None or decided:
            return 1 if ahead > 0 else 0
        if given not in (0, 1) or isinstance(given, bool):
            raise BadPosition("player", f"0 (X), 1 (O) or null when the game is over, not {given!r}")
        return int(given)

    def problems(self, record: Record) -> list[str]:
        """A hand-made position may give one side an extra mark, more cannot come from play."""
        ahead = int((record.board == 1).sum() - (record.board == 2).sum())
        allowed = (-1, 0, 1, 2) if record.turn == 1 else (-2, -1, 0, 1)
        found = [] if ahead in allowed else ["the numbers of X and O do not fit together"]
        if record.filled != (record.board != 0).sum():
            found.append("the count of marks is not the number of marks")
        return found

    def decode(self, record: Record) -> Json:
        over = self.kernel.player(record) < 0
        return {"phase": "over" if over else "play", "board": "".join(MARKS[mark] for mark in record.board)}

    def parse(self, text: str) -> int:
        word = text.strip()
        if len(word) == 1 and word in "012345678":
            return int(word)
        raise BadMove(f"'{text}' is no move of Tic-Tac-Toe: squares are 0 to 8, row by row")

    def format(self, action: int) -> str:
        if 0 <= action < SQUARES:
            return str(action)
        raise BadMove(f"{action} is no action of Tic-Tac-Toe: squares are 0 to 8")

    def draw(self, position: Json) -> str:
        squares = [str(i) if mark == "." else mark for i, mark in enumerate(position["board"])]
        rows = [" " + " | ".join(squares[i : i + 3]) for i in (0, 3, 6)]
        return "\n---+---+---\n".join(rows)
