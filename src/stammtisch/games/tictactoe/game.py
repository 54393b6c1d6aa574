"""Tic-Tac-Toe for people: positions as JSON, moves as text, a picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from stammtisch.core.errors import BadMove, BadPosition
from stammtisch.core.game import Game, GameSpec, Json
from stammtisch.core.kernel import OVER, Record
from stammtisch.games.tictactoe import INFO
from stammtisch.games.tictactoe.kernel import HAS_LINE, KERNEL, SQUARES

MARKS = "XO."  # seat 0, seat 1, a free square


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
            observation_shape=(2, 3, 3),
            observation_range=(0.0, 1.0),
            max_actions=SQUARES,
            numbers=SQUARES,
        )

    def encode(self, position: Mapping[str, Any], record: Record) -> None:
        board = position["board"]
        if not isinstance(board, str) or len(board) != SQUARES or not set(board) <= set(MARKS):
            raise BadPosition("board", f"nine characters out of {MARKS}, row by row, not {board!r}")
        for seat, mark in enumerate("XO"):
            record.marks[seat] = sum(1 << square for square in range(SQUARES) if board[square] == mark)
        record.turn = self._turn(position, board)
        problems = self.problems(record)
        if problems:
            raise BadPosition("board", problems[0])
        if self.kernel.player(record) == OVER:
            record.turn = 0

    def _turn(self, position: Mapping[str, Any], board: str) -> int:
        """The seat to move: as given, else the one with fewer marks, X when even (X begins)."""
        given = position.get("player")
        if given is None:
            return int(board.count("X") > board.count("O"))
        if given not in (0, 1) or isinstance(given, bool):
            raise BadPosition("player", f"0 (X), 1 (O) or null when the game is over, not {given!r}")
        return int(given)

    def problems(self, record: Record) -> list[str]:
        """A hand-made position may give one side an extra mark; more cannot come from play."""
        x, o = (int(marks) for marks in record.marks)
        found = ["a square is marked twice"] if x & o else []
        if HAS_LINE[x] and HAS_LINE[o]:
            found.append("X and O both have three in a row")
        ahead = x.bit_count() - o.bit_count()
        if abs(ahead) > 2 or (ahead, self.kernel.player(record)) in ((2, 0), (-2, 1)):
            found.append("the numbers of X and O do not fit together")
        return found

    def decode(self, record: Record) -> Json:
        x, o = (int(marks) for marks in record.marks)
        board = "".join(MARKS[0 if x >> square & 1 else 1 if o >> square & 1 else 2] for square in range(SQUARES))
        return {"phase": "over" if self.kernel.player(record) == OVER else "play", "board": board}

    def parse(self, text: str) -> int:
        word = text.strip()
        if len(word) == 1 and word in "012345678":
            return int(word)
        raise BadMove(f"'{text}' is no move of Tic-Tac-Toe: squares are 0 to 8, row by row")

    def format(self, action: int) -> str:
        if 0 <= action < SQUARES:
            return str(action)
        raise BadMove(f"{action} is no action of Tic-Tac-Toe: squares are 0 to 8")

    def count_positions(self) -> int:
        return 5478  # those that play can reach; counted in the tests

    def draw(self, position: Json) -> str:
        squares = [str(i) if mark == "." else mark for i, mark in enumerate(position["board"])]
        rows = [" " + " | ".join(squares[i : i + 3]) for i in (0, 3, 6)]
        return "\n---+---+---\n".join(rows)
