"""The board in text: the track as a square, start fields in its corners, goals inside; below, who has what.

A pin is written as in moves that exchange it: ``1.0`` is pin 0 of player 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from stammtisch.core.game import Json

STYLES = ("bold red", "bold green", "bold yellow", "bold blue")
FIELD, START, GOAL, NOTHING = " · ", " ○ ", " □ ", "   "

Piece = tuple[str, str]


def paint(position: Json, seats: Sequence[int], distance: int) -> list[Piece]:
    """The picture in pieces with their styles."""
    cells: dict[tuple[int, int], Piece] = {_square(field, distance): (FIELD, "dim") for field in range(4 * distance)}
    for seat in seats:
        style = STYLES[seat]
        cells[_square(seat * distance, distance)] = (START, style)
        for depth in range(4):
            cells[_goal(seat, depth, distance)] = (GOAL, style)
    for player, pins in enumerate(position["pins"]):
        for number, place in enumerate(pins):
            if place != "H":
                inside = place.startswith("G")
                square = _goal(seats[player], int(place[1:]), distance) if inside else _square(int(place), distance)
                cells[square] = (f"{player}.{number}", STYLES[seats[player]])
    pieces: list[Piece] = []
    for row in range(distance + 1):
        pieces += [cells.get((row, column), (NOTHING, "")) for column in range(distance + 1)]
        pieces.append(("\n", ""))
    for player, seat in enumerate(seats):
        pieces.append((f"Player {player}", STYLES[seat]))
        pieces.append((f"  {' · '.join(_facts(position, player))}\n", ""))
    pieces += [(f"{line}\n", "") for line in _common(position)]
    return pieces


def _square(field: int, distance: int) -> tuple[int, int]:
    """Row and column of a track field, clockwise from the upper left corner."""
    side, along = divmod(field, distance)
    return [(0, along), (along, distance), (distance, distance - along), (distance - along, 0)][side]


def _goal(seat: int, depth: int, distance: int) -> tuple[int, int]:
    """Row and column of a goal field: inwards from the field before the start."""
    row, column = _square((seat * distance - 1) % (4 * distance), distance)
    down, right = [(0, 1), (1, 0), (0, -1), (-1, 0)][seat]
    return row + down * (depth + 1), column + right * (depth + 1)


def _facts(position: Json, player: int) -> Iterator[str]:
    pins = position["pins"][player]
    home, goal = pins.count("H"), sum(place.startswith("G") for place in pins)
    yield f"{home} at home, {goal} in the goal"
    if "tokens" in position:
        tokens = position["tokens"][player]
        yield "tokens " + " ".join(str(value) * n for value, n in enumerate(tokens, 1) if n)
    if "hands" in position:
        hand = position["hands"][player]
        yield f"{len(hand)} cards" if None in hand or not hand else "hand " + " ".join(hand)
    if position.get("player") == player:
        yield "<- decides"


def _common(position: Json) -> Iterator[str]:
    if "die" in position and position["phase"] != "over":
        yield f"Thrown: {position['die']}"
    if position["phase"] == "exchange":
        yield "Everybody gives a card to the partner."
    if position["phase"] == "seven":
        yield f"Seven: {position['left']} steps left"
    if position.get("played"):
        seen: Counter[str] = Counter(position["played"])
        yield "Played: " + " ".join(f"{card}x{n}" if n > 1 else card for card, n in seen.items())


def draw(position: Json, seats: Sequence[int], distance: int) -> str:
    """The picture without colours."""
    lines = "".join(text for text, _ in paint(position, seats, distance)).split("\n")
    return "\n".join(line.rstrip() for line in lines).rstrip("\n")
