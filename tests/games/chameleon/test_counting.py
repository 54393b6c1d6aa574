"""The number of positions, against plain enumeration on small boards."""

from itertools import product

import pytest

from stammtisch.games.chameleon.counting import positions


@pytest.mark.parametrize(("size", "players", "pawns"), [(3, 2, 1), (4, 2, 1), (5, 2, 1), (4, 2, 2), (4, 3, 1)])
def test_positions_equal_plain_enumeration(size: int, players: int, pawns: int) -> None:
    squares = [None, *product(range(size), repeat=2)]
    total = 0
    for places in product(squares, repeat=players * pawns):
        taken = [place for place in places if place is not None]
        alive = len({i // pawns for i, place in enumerate(places) if place is not None})
        if alive < 2 or len(set(taken)) < len(taken):
            continue
        axes = [[place[axis] for place in taken] for axis in (0, 1)]
        total += alive * _limits(axes[0], size) * _limits(axes[1], size)
    assert positions(players, size, pawns) == total


def _limits(lines: list[int], size: int) -> int:
    """How many limits an axis with pawns in these lines can have."""
    low, high = min(lines), max(lines)
    if high - low >= 2:
        return 1
    return sum(first <= low and high <= first + 2 for first in range(size - 2))
