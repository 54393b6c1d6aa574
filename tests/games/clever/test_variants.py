"""The thesis's game, the prototype, and the switches: what the worked examples of the printed game leave out."""

from collections import Counter
from typing import Any

import pytest

import stammtisch as st
from games.clever.tables import DICE, MIXED, faces, lying, moves_of, on, points, sheet, table
from stammtisch.core.game import State

LAST_ROLL: dict[str, Any] = {"field": "WB", "roll": 3, "round": 6, "rules": "thesis"}
FOX: dict[str, Any] = {"yellow": [0, 4, 8, 13, 14], "blue": [5], "green": 1, "orange": [1], "purple": [1]}


# --- the thesis's game -------------------------------------------------------------------------------------------


def test_the_thesis_ends_with_the_third_roll_of_round_6() -> None:
    state = table("W1 Y2 B1 G4 O5 P6", **LAST_ROLL, extras=2)
    state.play("O>o1")
    assert (state.over, state.to_json()["phase"], state.scores()) == (True, "over", [5.0])


def test_the_thesis_ends_when_the_last_roll_is_passed() -> None:
    full: dict[str, Any] = {"orange": [1] * 11, "purple": [6] * 11, "green": 11}
    state = table("W1 Y3 B1 G4 O5 P6", **LAST_ROLL, **full, yellow=[0, 13], extras=2)
    assert state.moves() == ["pass"]
    state.play("pass")
    assert state.over


def test_the_thesis_ends_when_the_dice_of_round_6_are_used_up() -> None:
    state = table("W1 Y2 B3 G4 O6 P5", round=6, extras=2, rules="thesis")
    state.play("O>o1")
    assert state.over


def test_bonuses_of_the_last_mark_are_not_used_in_the_thesis() -> None:
    state = table("W1 Y5 B1 G4 O5 P6", **LAST_ROLL, yellow=[0, 1])
    state.play("Y>y2")
    assert (state.over, sheet(state)["pending"], sheet(state)["blue"]) == (True, [], [])


def test_a_bonus_of_an_earlier_mark_of_round_6_is_used_in_the_thesis() -> None:
    state = table("W1 Y5 B1 G4 O5 P6", field="B", roll=2, round=6, yellow=[0, 1], rules="thesis")
    state.play("Y>y2")
    assert (state.over, sheet(state)["pending"]) == (False, ["blue_x"])


def test_a_fox_of_the_last_mark_counts_in_the_thesis() -> None:
    state = table("W1 Y6 B1 G4 O5 P6", **LAST_ROLL, **FOX)
    state.play("Y>y15")
    assert (points(state, "foxes"), state.scores()) == (1, [10.0 + 1 + 1 + 1 + 1 + 1])


def test_without_the_last_mark_the_printed_game_goes_on() -> None:
    state = table("W1 Y5 B1 G4 O5 P6", **LAST_ROLL | {"rules": "official"}, yellow=[0, 1])
    state.play("Y>y2")
    state.play("*blue_x>b2")
    assert state.to_json()["phase"] == "passive"


@pytest.mark.parametrize(("rules", "kinds"), [("official", False), ("thesis", True)])
def test_the_tray_has_any_three_dice_in_the_thesis_and_the_lowest_in_print(rules: str, kinds: bool) -> None:
    """How often the tray has a die higher than one aside, and how often each die lies on it: half of the time."""
    higher, seen = 0, Counter[str]()
    for seed in range(400):
        state = table(MIXED, field="WOP", tray="YBG", roll=3, phase="active_extra", extras=1, rules=rules, seed=seed)
        state.play("end")
        dice = state.to_json()["dice"]
        higher += max(dice[die] for die in on(state, "tray")) > min(dice[die] for die in on(state, "aside"))
        seen.update(on(state, "tray"))
    assert (higher > 300) == kinds and (higher == 0) != kinds
    assert all(abs(seen[die] - 200) < 45 for die in DICE)


def test_a_used_up_active_turn_goes_on_without_filler_passes_in_the_thesis() -> None:
    state = table("W1 Y2 B3 G4 O6 P5", round=2, rules="thesis")
    state.play("O>o1")
    assert state.to_json()["phase"] == "passive"


# --- the prototype -----------------------------------------------------------------------------------------------


def prototype(dice: str, number: int = 1, **cells: Any) -> State:
    position = {"dice": faces(dice), "round": number, "sheets": [cells]}
    return st.game("clever", rules="prototype", dice=len(dice.split())).from_json(position, seed=1)


def test_the_prototype_crosses_a_cell_with_a_rolled_number() -> None:
    assert set(prototype("W1 Y1 B6 G3", yellow=[5, 15]).moves()) == {"Y>y8", "Y>y1", "Y>y0", "Y>y13"}
    assert set(prototype("W5 Y5").moves()) == {"Y>y2", "Y>y7"}


def test_the_prototype_passes_only_if_nothing_fits() -> None:
    state = prototype("W5 Y5", yellow=[2, 7])
    assert state.moves() == ["pass"]
    state.play("pass")
    assert (state.to_json()["round"], sheet(state)["yellow"]) == (2, [2, 7])


def test_the_prototype_has_neither_bonuses_nor_a_second_roll() -> None:
    state = prototype("W5 Y5", yellow=[0, 1])
    state.play("Y>y2")
    assert sheet(state) == {**sheet(prototype("W5 Y5")), "yellow": [0, 1, 2]}
    assert (state.to_json()["round"], state.to_json()["roll"], on(state, "pool")) == (2, 1, "WY")


def test_the_prototype_ends_after_ten_rolls() -> None:
    state = prototype("W5 Y5", number=10, yellow=[0, 1])
    state.play("Y>y2")
    assert (state.over, state.scores()) == (True, [10.0])


@pytest.mark.parametrize(
    ("cells", "worth"),
    [
        ([0, 1, 2], 10),
        ([4, 5, 7], 14),
        ([8, 10, 11], 16),
        ([13, 14, 15], 20),
        ([0, 4, 8], 10),
        ([1, 5, 13], 14),
        ([2, 10, 14], 16),
        ([7, 11, 15], 20),
        ([0, 1, 2, 4, 8], 20),
        ([0, 5, 10, 15], 0),
    ],
    ids=str,
)
def test_rows_and_columns_score_in_the_prototype(cells: list[int], worth: int) -> None:
    position = {"dice": faces("W1 Y1 B1 G1"), "phase": "over", "round": 10, "sheets": [{"yellow": cells}]}
    assert st.game("clever", rules="prototype").from_json(position).scores() == [float(worth)]


# --- the switches ------------------------------------------------------------------------------------------------


def test_a_bonus_may_be_declined_if_bonuses_are_optional() -> None:
    state = table("W1 Y5 B2 G4 O5 P6", yellow=[0, 1], bonus_optional=True)
    state.play("Y>y2")
    assert state.moves()[-1] == "*blue_x>none"
    state.play("*blue_x>none")
    assert (sheet(state)["blue"], sheet(state)["pending"], state.to_json()["roll"]) == ([], [], 2)


def test_a_queue_puts_new_bonuses_behind() -> None:
    state = table("W2 Y2 B1 G4 O5 P6", blue=[2, 4, 7, 11], orange=[1] * 4, bonus_order="queue")
    state.play("B>b3")
    state.play("*orange_5>o5")
    assert sheet(state)["pending"] == ["purple_6", "yellow_x"]
    assert state.moves() == ["*purple_6>p1"]


def test_a_bonus_is_lost_when_another_fills_its_area() -> None:
    state = table("W2 Y2 B1 G4 O5 P6", blue=[2, 4, 7, 11], orange=[1] * 10, purple=[6] * 9)
    state.play("B>b3")
    state.play("*purple_6>p10")
    assert sorted(sheet(state)["pending"]) == ["orange_5", "orange_6"]
    state.play("*orange_6>o11")
    assert (sheet(state)["pending"], state.to_json()["phase"]) == ([], "active")


def test_a_roll_may_be_passed_any_time_if_that_is_allowed() -> None:
    state = table(MIXED, pass_anytime=True, rerolls=1)
    assert {"pass", "reroll", "O>o1"} <= set(state.moves())
    state.play("pass")
    assert (state.to_json()["roll"], on(state, "pool"), sheet(state)["rerolls"]) == (2, DICE, 1)


PASSIVE: dict[str, Any] = {"dice": MIXED, "tray": "WYB", "aside": "GOP", "phase": "passive"}


def test_a_tray_die_must_be_used_if_that_is_not_optional() -> None:
    assert "pass" in table(**PASSIVE).moves()
    assert "pass" not in table(**PASSIVE, passive_optional=False).moves()
    nothing: dict[str, Any] = {"yellow": [4, 5, 8, 10], "blue": [4], "green": 11, "orange": [1] * 11, "purple": [2]}
    assert table(**PASSIVE, **nothing, passive_optional=False).moves() == ["pass"]


def test_several_players_have_the_fallback_without_the_option() -> None:
    position = {
        "player": 1,
        "active": 0,
        "phase": "passive",
        "dice": faces("W6 Y3 B5 G1 O6 P2"),
        "place": lying("", "WBO", "YGP"),
        "sheets": [{}, {"yellow": [0, 13], "purple": [5], "green": 4}],
    }
    state = st.game("clever", players=2, passive_fallback=False).from_json(position)
    assert {die for die in DICE if moves_of(state, die)} == set("WBO")
