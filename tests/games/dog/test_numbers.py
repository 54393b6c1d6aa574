"""The fixed index of DOG's actions: both ways for every number, and in random games the legal ones of the twin."""

from random import Random
from typing import Any

import numpy as np
import pytest

import stammtisch as st
from games.dog import plain
from games.dog.cases import LAYOUTS
from games.dog.test_rules import for_twin, random_options
from stammtisch.core.errors import BadMove
from stammtisch.games.dog import numbers


@pytest.mark.parametrize("distance", [8, 10, 16, 29])
def test_every_number_has_one_meaning(distance: int) -> None:
    meanings = [numbers.decode(number, distance) for number in range(numbers.size(distance))]
    assert len(set(meanings)) == len(meanings) == 32 * distance + 472 + 14
    assert [numbers.encode(use, distance) for use in meanings] == list(range(len(meanings)))
    assert numbers.size(distance, exchange=False) == 32 * distance + 472


@pytest.mark.parametrize("number", [-1, 806, 10**6])
def test_other_numbers_are_refused(number: int) -> None:
    with pytest.raises(BadMove, match="they go from 0 to 805"):
        numbers.decode(number, 10)


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: str(layout["id"]))
def test_blocks_and_examples_are_those_of_the_stored_layout(layout: dict[str, Any]) -> None:
    distance = layout["distance"]
    kinds = [(use.kind, use.joker) for use in (numbers.decode(n, distance) for n in range(layout["play_actions"]))]
    for block in layout["blocks"]:
        assert set(kinds[block["begin"] : block["end"]]) == {(block["kind"], block["card"] == "JOKER")}
    for example in layout["examples"]:
        use = numbers.decode(example["index"], distance)
        assert use.kind == example["kind"]
        assert use.joker == (example["card"] == "JOKER")
        if "pin" in example:
            assert use.pin == example["pin"]


@pytest.mark.parametrize("seed", range(12))
def test_legal_numbers_are_those_of_the_twin(seed: int) -> None:
    rng = Random(seed)
    state = st.game("dog", **random_options("dog", rng)).new(seed=seed)
    for _ in range(60):
        if state.over:
            return
        twin = plain.actions(plain.from_json(for_twin(state.to_json())))
        assert {
            int(number): state.game.format(numbers.action_of(state, int(number))) for number in legal(state)
        } == twin
        state.play(rng.choice(state.moves()))


def legal(state: Any) -> list[int]:
    return [int(number) for number in np.flatnonzero(numbers.mask(state))]


def test_what_means_nothing_in_a_position_is_refused() -> None:
    state = st.game("dog", hot_7=False).from_json(
        {"pins": [["5", "H", "H", "H"], *[["H"] * 4] * 3], "hands": [["7"], ["2"], ["2"], ["2"]], "player": 0}
    )
    for use, reason in (
        (numbers.Use("split", False, 0, 1), "a plain seven is for one pin"),
        (numbers.Use("swap", False, 0, 9), "nobody stands on field 9"),
        (numbers.Use("move", False, 1, 5), "pin 1 is at home"),
    ):
        with pytest.raises(BadMove, match=reason):
            numbers.action_of(state, numbers.encode(use, 10))
    assert state.moves() == ["move:7:p0:7"]
    assert numbers.numbers_of(state, state.actions()[0]) == [620 + 119]


def test_folding_and_parts_of_a_seven_have_no_number() -> None:
    state = st.game("dog", stepwise=True).from_json(
        {"pins": [["5", "H", "H", "H"], *[["H"] * 4] * 3], "hands": [["7"], ["2"], ["2"], ["2"]], "player": 0}
    )
    assert all(move.startswith("seven:7:p0:") for move in state.moves())
    assert not numbers.mask(state).any()
    state.play("seven:7:p0:7")
    assert state.moves() == ["fold"]
    assert not numbers.mask(state).any()
