"""Tic-Tac-Toe: the smallest complete game. Read it first, copy it to add a game."""

from stammtisch.core.info import GameInfo

INFO = GameInfo(
    name="tictactoe",
    title="Tic-Tac-Toe",
    summary="Three in a row on a 3x3 board; the template for new games",
    seats=(2, 2),
    loader="stammtisch.games.tictactoe.game:TicTacToe",
    ladder=("random", "maxn:depth=1", "maxn:depth=3", "maxn:depth=9"),
    place=7,
    peer="tic_tac_toe",
)
