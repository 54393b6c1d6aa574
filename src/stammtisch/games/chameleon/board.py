"""The board and its pawns as tables: colours, roles, start squares, jumps, the fourfold symmetry.

Squares are numbered row by row from 0 (top left) to 63; colours and players R=0 G=1 Y=2 B=3; a pawn is
4 * player + its knight colour. Sections refer to the rules in docs/games/chameleon.md.
"""

from __future__ import annotations

import numpy as np

COLOURS = "RGYB"
COLOUR_NAMES = ("red", "green", "yellow", "blue")
ROLES = ("knight", "queen", "bishop", "rook")
KNIGHT, QUEEN, BISHOP, ROOK = range(4)

SIZE = 8
SQUARES = SIZE * SIZE
PLAYERS = 4
PAWNS = 16
GONE = -1  # the square of a pawn that is no longer in play
LEAST = 3  # the board never gets narrower than so many lines

# Section "Board": the colour of every square.
_ROWS = ("BRBYGRBY", "RGRBYGRB", "GYRGRBBY", "YBGYGRYG", "BRYBRBGR", "RGGYBYRB", "GYBRGYBY", "RGYBRGYG")
COLOUR = np.array([COLOURS.index(letter) for row in _ROWS for letter in row])

# The role of a pawn with this knight colour on this square: the colours from the knight colour on, going round.
ROLE = np.array([[(colour - k) % 4 for colour in COLOUR] for k in range(4)])

# Turn order is clockwise: red, blue, yellow, green.
NEXT = np.array([3, 0, 1, 2])
TURN_ORDER = (0, 3, 2, 1)

_START = (
    (70, 71, 72, 73),  # red, knight colours r g y b, as row and column
    (47, 77, 67, 57),  # green
    (5, 4, 7, 6),  # yellow
    (10, 20, 30, 0),  # blue
)
START = np.array([place // 10 * SIZE + place % 10 for side in _START for place in side])

# Directions in the order of the squares they lead to: those with smaller numbers first.
NORTH_WEST, NORTH, NORTH_EAST, WEST, EAST, SOUTH_WEST, SOUTH, SOUTH_EAST = range(8)
STEP = np.array([-9, -8, -7, -1, 1, 7, 8, 9], dtype=np.int64)

_JUMPS = ((-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1))


def _jumps(square: int) -> list[int]:
    row, column = divmod(square, SIZE)
    places = [(row + down, column + right) for down, right in _JUMPS]
    return [r * SIZE + c for r, c in places if 0 <= r < SIZE and 0 <= c < SIZE]


# The squares a knight reaches on the full board, ascending, and how many.
JUMPS = np.array([(_jumps(square) + [0] * 8)[:8] for square in range(SQUARES)])
JUMP_COUNT = np.array([len(_jumps(square)) for square in range(SQUARES)])

# The symmetry: the board turned clockwise by a quarter, with every colour, player and knight colour one lower, is the
# same board. TURNED[n][square] is where a square goes by n quarters, COLOUR_TURNED[n][colour] what becomes of a colour.
_quarter = np.array([(square % SIZE) * SIZE + 7 - square // SIZE for square in range(SQUARES)])
TURNED = np.array([np.arange(SQUARES), _quarter, _quarter[_quarter], _quarter[_quarter[_quarter]]])
COLOUR_TURNED = np.array([[(colour - quarters) % 4 for colour in range(4)] for quarters in range(4)])

# Zobrist keys (63 bits): of a pawn on a square, of the player to move, of the four limits.
_random = np.random.default_rng(1982)
PAWN_KEY = _random.integers(1, 2**63 - 1, (PAWNS, SQUARES))
TURN_KEY = _random.integers(1, 2**63 - 1, PLAYERS)
LIMIT_KEY = _random.integers(1, 2**63 - 1, (4, SIZE))
