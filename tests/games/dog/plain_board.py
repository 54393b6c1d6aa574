"""The board of madn, dmadn and dog as plain lists (dog.md sections 1, 2 and the cards of 5). No code of the engine.

A place is ``H`` (home), ``0``..``39`` (a track field) or ``G0``..``G3`` (a goal field), as in the notation. A function
that tries something gives the new board, or None if it is illegal. Whose turn it is, is not known here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import permutations

from games.dog.plain_options import Options

HOME = "H"
LAST_GOAL = 3


@dataclass
class Board:
    """Where the pins stand; fresh are those that came out of home and have not moved since."""

    options: Options
    pins: list[list[str]]
    fresh: set[tuple[int, int]] = field(default_factory=set)

    def copy(self) -> Board:
        return Board(self.options, [[*row] for row in self.pins], set(self.fresh))


def new_board(options: Options) -> Board:
    board = Board(options, [[HOME] * 4 for _ in range(options.players)])
    if options.initial_free_pin:
        for player in range(options.players):
            put(board, player, 0, str(start_field(options, player)))
            board.fresh.add((player, 0))
    return board


# --- section 1: the board ----------------------------------------------------------------------------------------


def on_track(place: str) -> bool:
    return place.isdigit()


def in_goal(place: str) -> bool:
    return place.startswith("G")


def depth(place: str) -> int:
    """The number of a goal field."""
    return int(place[1:])


def track_length(options: Options) -> int:
    return 4 * options.distance


def start_field(options: Options, player: int) -> int:
    return options.seats[player] * options.distance


def progress(options: Options, player: int, place: str) -> int:
    """Steps from the own start field: 0 is the start, the last one the entrance of the goal."""
    return (int(place) - start_field(options, player)) % track_length(options)


def field_at(options: Options, player: int, steps: int) -> int:
    """The track field that many steps from the own start field; may be more than a lap, or less than nothing."""
    return (start_field(options, player) + steps) % track_length(options)


def standing_on(board: Board, number: int) -> tuple[int, int] | None:
    """The player and pin on a track field."""
    for player, row in enumerate(board.pins):
        for pin, place in enumerate(row):
            if place == str(number):
                return player, pin
    return None


def held(board: Board, number: int) -> bool:
    """Whether it is the start field of a player whose pin stands on it."""
    found = standing_on(board, number)
    return found is not None and holds_its_start(board, *found)


def holds_its_start(board: Board, player: int, pin: int) -> bool:
    """D3: any pin on its own start, or, as printed, only one that has just come out."""
    if board.pins[player][pin] != str(start_field(board.options, player)):
        return False
    return (player, pin) in board.fresh or not board.options.fresh_start_only


def put(board: Board, player: int, pin: int, place: str) -> None:
    board.pins[player][pin] = place
    board.fresh.discard((player, pin))


def send_home(board: Board, number: int) -> None:
    found = standing_on(board, number)
    if found:
        put(board, *found, HOME)


# --- section 2: moving forward -----------------------------------------------------------------------------------


def route(board: Board, player: int, pin: int, steps: int) -> tuple[list[int], str] | None:
    """The track fields on the way, the landing field included, and the destination; pins on the track do not matter.

    Held start fields need not be looked at to decide between goal and lap: a lap runs over all of the goal's way.
    """
    options, place = board.options, board.pins[player][pin]
    if place == HOME:
        return None
    if in_goal(place):
        target = depth(place) + steps
        return ([], f"G{target}") if goal_is_free(board, player, depth(place) + 1, target) else None
    here, end = progress(options, player, place), track_length(options)
    before_goal = end if options.must_traverse_start else end - 1
    if here == 0 and arrived_at_its_start(board, player, pin):
        goal, way = steps - 1, []
    else:
        goal = here + steps - before_goal - 1
        way = [field_at(options, player, step) for step in range(here + 1, before_goal + 1)]
    if goal >= 0 and goal_is_free(board, player, 0, goal):
        return way, f"G{goal}"
    if here + steps >= end and not options.circular:
        return None
    way = [field_at(options, player, here + step) for step in range(1, steps + 1)]
    return way, str(way[-1])


def arrived_at_its_start(board: Board, player: int, pin: int) -> bool:
    """D3 as printed: a pin that came to its own start otherwise than from home may enter the goal from there."""
    options = board.options
    return options.fresh_start_only and options.must_traverse_start and (player, pin) not in board.fresh


def goal_is_free(board: Board, player: int, first: int, target: int) -> bool:
    """Whether a pin can be put on a goal field, running over those from the first on."""
    if target > LAST_GOAL:
        return False
    run_over = [target] if board.options.jump_in_goal else range(first, target + 1)
    return not any(f"G{goal}" in board.pins[player] for goal in run_over)


def blocked(board: Board, way: list[int]) -> bool:
    return board.options.start_block and any(held(board, number) for number in way)


def land(board: Board, player: int, pin: int, number: int) -> Board | None:
    """On a track field: an own pin there goes home only with friendly fire, any other always."""
    there = standing_on(board, number)
    if there and there[0] == player and not board.options.friendly_fire:
        return None
    after = board.copy()
    send_home(after, number)
    put(after, player, pin, str(number))
    return after


def forward(board: Board, player: int, pin: int, steps: int) -> Board | None:
    found = route(board, player, pin, steps)
    if found is None or blocked(board, found[0]):
        return None
    destination = found[1]
    if on_track(destination):
        return land(board, player, pin, int(destination))
    after = board.copy()
    put(after, player, pin, destination)
    return after


def leave_home(board: Board, player: int, pin: int) -> Board | None:
    if board.pins[player][pin] != HOME:
        return None
    start = start_field(board.options, player)
    if str(start) in board.pins[player]:  # also with friendly fire
        return None
    after = board.copy()
    send_home(after, start)
    put(after, player, pin, str(start))
    after.fresh.add((player, pin))
    return after


# --- section 5: what the cards do --------------------------------------------------------------------------------


def backward(board: Board, player: int, pin: int, steps: int = 4) -> Board | None:
    options, place = board.options, board.pins[player][pin]
    if not on_track(place):
        return None
    here = progress(options, player, place)
    if here < steps and not options.circular:
        return None
    way = [field_at(options, player, here - step) for step in range(1, steps + 1)]
    return None if blocked(board, way) else land(board, player, pin, way[-1])


def exchange(board: Board, player: int, pin: int, other: int, other_pin: int) -> Board | None:
    here, there = board.pins[player][pin], board.pins[other][other_pin]
    if other == player or not on_track(here) or not on_track(there):
        return None
    pair = ((player, pin), (other, other_pin))
    if board.options.start_block and any(holds_its_start(board, *one) for one in pair):
        return None
    after = board.copy()
    put(after, player, pin, there)
    put(after, other, other_pin, here)
    return after


def splits(total: int, parts: int) -> list[tuple[int, ...]]:
    """All ways to distribute the steps over the pins, in lexicographic order."""
    if parts == 1:
        return [(total,)]
    return [(first, *rest) for first in range(total + 1) for rest in splits(total - first, parts - 1)]


def seven(board: Board, player: int, parts: tuple[int, ...]) -> Board | None:
    """D5: one part after the other, in an order that is right; all right orders must lead to the same."""
    places = board.pins[player]
    moving = [pin for pin in range(4) if parts[pin]]
    if any(places[pin] == HOME for pin in moving):
        return None
    goal_pins = sorted((pin for pin in moving if in_goal(places[pin])), key=lambda pin: -depth(places[pin]))
    ends: list[Board | None] = []
    for order in permutations(pin for pin in moving if on_track(places[pin])):
        right, end = one_after_the_other(board, player, parts, [*goal_pins, *order])
        if right:
            ends.append(end)
    assert ends, "two pins are in each other's way"
    assert all(end == ends[0] for end in ends), "the order matters"
    return ends[0]


def one_after_the_other(
    board: Board, player: int, parts: tuple[int, ...], order: list[int]
) -> tuple[bool, Board | None]:
    """Whether no pin runs into one that has still to move, and the board in the end, None if a part is illegal."""
    now = board.copy()
    for turn, pin in enumerate(order):
        found = route(now, player, pin, parts[pin])
        if found is None:
            return True, None
        way, destination = found
        if any(str(number) in (now.pins[player][later] for later in order[turn + 1 :]) for number in way):
            return False, None
        if blocked(now, way):
            return True, None
        for number in way:
            send_home(now, number)
        put(now, player, pin, destination)
    return True, now
