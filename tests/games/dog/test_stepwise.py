"""Sevens part by part: every part that leads to all seven steps, and no other."""

from random import Random
from typing import Any

import pytest

import stammtisch as st
from games.dog import plain_board
from games.dog.plain import from_json
from games.dog.plain_board import Board
from games.dog.test_rules import for_twin
from stammtisch.core.game import State


def mover(board: Board, turn: int, teams: bool) -> int:
    done = all(plain_board.in_goal(place) for place in board.pins[turn])
    return (turn + 2) % 4 if teams and done else turn


def after_part(board: Board, turn: int, teams: bool, pin: int, steps: int) -> Board | None:
    return plain_board.seven(board, mover(board, turn, teams), tuple(steps * (pin == other) for other in range(4)))


def parts(board: Board, turn: int, teams: bool, left: int) -> set[tuple[int, int]]:
    """All first parts of ways to make so many steps."""
    return {
        (pin, steps)
        for pin in range(4)
        for steps in range(1, left + 1)
        if (after := after_part(board, turn, teams, pin, steps)) is not None
        and (steps == left or parts(after, turn, teams, left - steps))
    }


def crowded(rng: Random, **options: Any) -> State:
    """A position in which many pins are near their goal, and a seven is to be played."""
    pins = []
    taken: set[str] = set()
    for player in range(4):
        free = ["H", *(str((10 * player + r) % 40) for r in (0, 1, 2, *range(30, 40))), "G0", "G1", "G2", "G3"]
        row: list[str] = []
        while len(row) < 4:
            place = rng.choice(free)
            if place == "H" or (place not in taken and place not in row):
                row.append(place)
                taken |= {place} if place[0] not in "HG" else set()
        pins.append(row)
    if options["teams"] and rng.random() < 0.3:
        pins[0] = ["G3", "G1", "G2", rng.choice([place for place in ("37", "38", "39") if place not in taken])]
    hands = [["7"], ["2"], ["2"], ["2"]]
    return st.game("dog", stepwise=True, **options).from_json({"pins": pins, "hands": hands, "player": 0})


@pytest.mark.parametrize("seed", range(30))
def test_parts_are_those_that_can_be_finished(seed: int) -> None:
    rng = Random(seed)
    switches = ("teams", "start_block", "jump_in_goal", "circular", "must_traverse_start", "fresh_start_only")
    options = {name: rng.random() < 0.5 for name in switches}
    try:
        state = crowded(rng, **options)
    except st.StammtischError:  # somebody has won already
        return
    left = 7
    while state.to_json()["phase"] == "seven" or left == 7:
        board = from_json(for_twin({**state.to_json(), "phase": "play"}, ("left", "seven"))).board
        expected = parts(board, 0, options["teams"], left)
        found = {tuple(map(int, move.removeprefix("seven:7:p").split(":"))) for move in state.moves() if move != "fold"}
        assert found == expected
        if not found:
            return
        move = rng.choice(state.moves())
        after = after_part(board, 0, options["teams"], *map(int, move.removeprefix("seven:7:p").split(":")))
        state.play(move)
        assert after is not None
        assert state.to_json()["pins"] == after.pins
        left -= int(move[-1])
        if state.over or left == 0:
            return


def test_the_rest_of_a_seven_goes_to_the_partner() -> None:
    pins = [["G3", "G1", "G2", "39"], ["H"] * 4, ["25", "H", "H", "H"], ["H"] * 4]
    state = st.game("dog", rules="braendi", distance=10).from_json(
        {"pins": pins, "hands": [["7"], ["2"], ["2"], ["2"]], "player": 0}
    )
    state.play("seven:7:p3:2")
    assert state.to_json()["phase"] == "seven"
    assert state.player == 0
    state.play("seven:7:p0:5")
    assert state.to_json()["pins"][2][0] == "30"
    assert (state.player, state.to_json()["phase"]) == (1, "play")
