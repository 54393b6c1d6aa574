"""The judge: the rules as plain loops over tuples, slow and obviously right. It shares no code with the engine.

A position is (limits, player, pawns): limits as (min row, max row, min column, max column), pawns as a frozenset of
(player, knight colour, row, column). Moves are (from row, from column, to row, to column).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

Pawn: TypeAlias = tuple[int, int, int, int]
Move: TypeAlias = tuple[int, int, int, int]
Position: TypeAlias = tuple[tuple[int, int, int, int], int, frozenset[Pawn]]

BOARD = """
B R B Y G R B Y
R G R B Y G R B
G Y R G R B B Y
Y B G Y G R Y G
B R Y B R B G R
R G G Y B Y R B
G Y B R G Y B Y
R G Y B R G Y G
"""
COLOURS = ["RGYB".index(letter) for letter in BOARD.split()]
ORDER = [0, 3, 2, 1]  # red, blue, yellow, green
STARTS = {0: "70 71 72 73", 1: "47 77 67 57", 2: "05 04 07 06", 3: "10 20 30 00"}
STRAIGHT = [(-1, 0), (1, 0), (0, -1), (0, 1)]
DIAGONAL = [(-1, -1), (-1, 1), (1, -1), (1, 1)]
JUMPS = [(a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)]


def role(k: int, row: int, column: int) -> str:
    return ("knight", "queen", "bishop", "rook")[(COLOURS[8 * row + column] - k) % 4]


def start(line_up: str) -> Position:
    players = ["RGYB".index(letter) for letter in line_up]
    pawns = frozenset((p, k, int(s[0]), int(s[1])) for p in players for k, s in enumerate(STARTS[p].split()))
    return fitted((0, 7, 0, 7), pawns), next(p for p in ORDER if p in players), pawns


def fitted(limits: tuple[int, int, int, int], pawns: frozenset[Pawn]) -> tuple[int, int, int, int]:
    rows = interval([row for _, _, row, _ in pawns], limits[0], limits[1])
    columns = interval([column for _, _, _, column in pawns], limits[2], limits[3])
    return (*rows, *columns)


def interval(lines: list[int], first: int, last: int) -> tuple[int, int]:
    low, high = min(lines), max(lines)
    while high - low < 2:
        if low > first:
            low -= 1
        if high - low < 2 and high < last:
            high += 1
    return low, high


def alive(pawns: frozenset[Pawn]) -> set[int]:
    return {player for player, *_ in pawns}


def moves(position: Position) -> Iterator[Move]:
    (min_row, max_row, min_column, max_column), mover, pawns = position
    if len(alive(pawns)) < 2:
        return
    owner = {(row, column): player for player, _, row, column in pawns}
    for player, k, row, column in pawns:
        if player != mover:
            continue
        kind = role(k, row, column)
        ways = {"knight": JUMPS, "rook": STRAIGHT, "bishop": DIAGONAL, "queen": STRAIGHT + DIAGONAL}[kind]
        for down, right in ways:
            r, c = row + down, column + right
            while min_row <= r <= max_row and min_column <= c <= max_column and owner.get((r, c)) != mover:
                yield row, column, r, c
                if (r, c) in owner or kind == "knight":
                    break
                r, c = r + down, c + right


def play(position: Position, move: Move) -> Position:
    limits, mover, pawns = position
    from_row, from_column, to_row, to_column = move
    k = next(k for p, k, row, column in pawns if (row, column) == (from_row, from_column))
    left = {pawn for pawn in pawns if pawn[2:] not in ((from_row, from_column), (to_row, to_column))}
    after = frozenset(left | {(mover, k, to_row, to_column)})
    limits = fitted(limits, after)
    if limits[1] - limits[0] == limits[3] - limits[2] == 2 and len(alive(after)) > 1:
        centre = (limits[0] + 1, limits[2] + 1)
        after = frozenset(pawn for pawn in after if pawn[2:] != centre or role(pawn[1], *centre) != "knight")
    turns = ORDER[ORDER.index(mover) + 1 :] + ORDER[: ORDER.index(mover) + 1]
    return limits, next(player for player in turns if player in alive(after)), after


def perft(position: Position, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(perft(play(position, move), depth - 1) for move in moves(position))
