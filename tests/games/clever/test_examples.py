"""The worked examples E01-E65 and M1-M6 of clever.md, in its order and named after it."""

from collections import Counter
from random import Random
from typing import Any

import pytest

import stammtisch as st
from games.clever.tables import (
    ALL_BLUE,
    DICE,
    MIXED,
    areas_of,
    faces,
    lying,
    moves_of,
    on,
    points,
    rolled,
    sheet,
    table,
)
from stammtisch.core.errors import BadPosition
from stammtisch.core.game import State
from stammtisch.games.clever.game import rating

# --- E01-E08: yellow ---------------------------------------------------------------------------------------------


def test_e01_a_yellow_3_crosses_one_of_two_cells_and_sends_lower_dice_to_the_tray() -> None:
    state = table("W1 Y3 B2 G4 O5 P6")
    assert moves_of(state, "Y") == {"Y>y0", "Y>y13"}
    state.play("Y>y0")
    assert (on(state, "field"), on(state, "tray"), on(state, "pool")) == ("Y", "WB", "GOP")
    assert sheet(state)["yellow"] == [0] and points(state, "yellow") == 0


def test_e02_without_a_free_3_the_yellow_die_cannot_be_chosen() -> None:
    assert moves_of(table("W1 Y3 B2 G4 O5 P6", yellow=[0, 13]), "Y") == set()


def test_e03_a_column_is_complete_with_its_printed_cross() -> None:
    state = table("W1 Y1 B2 G4 O5 P6", yellow=[0, 4])
    state.play("Y>y8")
    assert points(state, "yellow") == 10


def test_e04_row_1_gives_a_blue_x_that_comes_before_everything_else() -> None:
    state = table("W1 Y5 B2 G4 O5 P6", yellow=[0, 1])
    state.play("Y>y2")
    assert sheet(state)["pending"] == ["blue_x"]
    assert state.moves() == [f"*blue_x>b{number}" for number in range(2, 13)]


def test_e05_the_diagonal_gives_a_plus_1() -> None:
    state = table("W6 Y6 B6 G6 O6 P6", yellow=[0, 5, 10])
    state.play("Y>y15")
    assert (sheet(state)["extras"], sheet(state)["foxes"]) == (1, 0)


def test_e06_row_4_and_diagonal_give_fox_and_plus_1_at_once() -> None:
    state = table("W6 Y6 B6 G6 O6 P6", yellow=[0, 5, 10, 13, 14])
    state.play("Y>y15")
    assert (sheet(state)["extras"], sheet(state)["foxes"], points(state, "yellow")) == (1, 1, 0)


def test_e07_a_green_x_needs_no_die() -> None:
    state = table("W1 Y4 B2 G4 O5 P6", yellow=[8, 10], green=4)
    state.play("Y>y11")
    assert state.moves() == ["*green_x>g5"]
    state.play("*green_x>g5")
    assert (sheet(state)["green"], points(state, "green")) == (5, 15)


def test_e08_white_as_yellow_lies_on_the_field_and_yellow_stays() -> None:
    state = table("W5 Y6 B2 G4 O5 P6", yellow=[4, 5])
    state.play("W>y7")
    assert state.moves() == ["*orange_4>o1"]
    assert (on(state, "field"), on(state, "tray"), on(state, "pool")) == ("W", "BG", "YOP")
    state.play("*orange_4>o1")
    assert sheet(state)["orange"] == [4]


# --- E09-E18: blue -----------------------------------------------------------------------------------------------

SEVEN = "W4 Y2 B3 G3 O5 P1"


def test_e09_blue_crosses_the_sum_and_sends_away_what_is_below_its_own_face() -> None:
    state = table(SEVEN)
    assert moves_of(state, "B") == {"B>b7"}
    state.play("B>b7")
    assert (sheet(state)["blue"], on(state, "tray"), on(state, "pool")) == ([7], "YP", "WGO")


def test_e10_white_as_blue_crosses_the_same_cell_but_sends_more_away() -> None:
    state = table(SEVEN)
    state.play("W>b7")
    assert (sheet(state)["blue"], on(state, "tray"), on(state, "pool")) == ([7], "YBGP", "O")


def test_e11_white_on_a_field_counts_for_blue() -> None:
    state = table("W2 Y3 B6 G4 O5 P6", field="W", roll=2)
    assert moves_of(state, "B") == {"B>b8"}


def test_e12_white_on_the_tray_counts_for_blue_but_cannot_be_chosen() -> None:
    state = table("W1 Y3 B5 G4 O2 P6", field="O", tray="W", roll=2)
    assert moves_of(state, "B") == {"B>b6"}
    assert moves_of(state, "W") == set()


def test_e13_a_crossed_sum_leaves_blue_without_entry_and_white_everywhere_but_blue() -> None:
    state = table(SEVEN, blue=[7])
    assert moves_of(state, "B") == set()
    assert areas_of(state, "W") == set("ygop")


def test_e14_two_blue_crosses_in_one_turn() -> None:
    state = table(SEVEN)
    state.play("B>b7")
    state = rolled(state, "W5 G1 O1")
    state.play("W>b8")
    assert sheet(state)["blue"] == [7, 8]


def test_e15_column_5_9_gives_a_reroll() -> None:
    state = table("W4 Y2 B5 G3 O5 P1", blue=[5])
    state.play("B>b9")
    assert sheet(state)["rerolls"] == 1


def test_e16_row_and_column_together_give_fox_and_plus_1() -> None:
    state = table("W6 Y2 B6 G3 O5 P6", blue=[4, 8, 9, 10, 11])
    state.play("B>b12")
    assert (sheet(state)["foxes"], sheet(state)["extras"]) == (1, 1)


def test_e17_orange_5_is_doubled_in_cell_4() -> None:
    state = table("W2 Y2 B2 G3 O5 P6", blue=[2, 3], orange=[1, 2, 3])
    state.play("B>b4")
    state.play("*orange_5>o4")
    assert points(state, "orange") == 16


@pytest.mark.parametrize(("crosses", "worth"), [*enumerate([0, 1, 2, 4, 7, 11, 16, 22, 29, 37, 46, 56])])
def test_e18_blue_points(crosses: int, worth: int) -> None:
    assert points(table(blue=Random(crosses).sample(ALL_BLUE, crosses)), "blue") == worth


# --- E19-E23: green ----------------------------------------------------------------------------------------------


def test_e19_a_green_1_is_enough_for_cell_1_only() -> None:
    state = table("W1 Y2 B3 G1 O5 P6")
    state.play("G>g1")
    assert points(state, "green") == 1
    assert moves_of(table("W1 Y2 B3 G1 O5 P6", green=1), "G") == set()


def test_e20_cell_5_needs_a_5() -> None:
    assert moves_of(table("W1 Y2 B3 G4 O5 P6", green=4), "G") == set()
    state = table("W1 Y2 B3 G5 O5 P6", green=4)
    state.play("G>g5")
    assert points(state, "green") == 15


def test_e21_cell_6_needs_a_1_and_gives_a_blue_x() -> None:
    state = table("W1 Y2 B3 G1 O5 P6", green=5)
    state.play("G>g6")
    assert (points(state, "green"), sheet(state)["pending"]) == (21, ["blue_x"])


@pytest.mark.parametrize("die", ["G", "W"])
def test_e22_the_last_green_cell_needs_a_6(die: str) -> None:
    for face in range(1, 6):
        assert "g" not in areas_of(table(f"W{face} Y2 B3 G{face} O5 P6", green=10), die)
    state = table("W6 Y6 B6 G6 O6 P6", green=10)
    state.play(f"{die}>g11")
    assert points(state, "green") == 66
    assert sheet(state) == sheet(table("W6 Y6 B6 G6 O6 P6", green=11))


def test_e23_a_green_x_for_a_full_row_is_lost() -> None:
    state = table("W1 Y4 B2 G4 O5 P6", yellow=[8, 10], green=11)
    state.play("Y>y11")
    assert sheet(state)["pending"] == []
    assert (state.to_json()["phase"], state.to_json()["roll"]) == ("active", 2)


# --- E24-E27: orange ---------------------------------------------------------------------------------------------


def test_e24_cell_4_counts_twice() -> None:
    state = table("W1 Y2 B3 G4 O4 P6", orange=[1, 1, 1])
    state.play("O>o4")
    assert points(state, "orange") == 11


def test_e25_cell_11_counts_three_times() -> None:
    state = table("W1 Y2 B3 G4 O6 P6", orange=[1] * 10)
    assert points(state, "orange") == 13
    state.play("O>o11")
    assert points(state, "orange") == 31


def gained(state: State, move: str) -> list[str]:
    """What a move brings besides its mark."""
    before = sheet(state)
    state.play(move)
    after = sheet(state)
    counted = [key for key in ("rerolls", "extras", "foxes") for _ in range(after[key] - before[key])]
    return counted + after["pending"]


@pytest.mark.parametrize("cell", range(1, 12))
def test_e26_orange_bonuses(cell: int) -> None:
    expected = {3: ["rerolls"], 5: ["yellow_x"], 6: ["extras"], 8: ["foxes"], 10: ["purple_6"]}
    assert gained(table("W6 Y6 B6 G6 O5 P6", orange=[1] * (cell - 1)), f"O>o{cell}") == expected.get(cell, [])


def test_e27_a_full_orange_row_takes_neither_orange_nor_white() -> None:
    state = table(MIXED, orange=[1] * 11)
    assert moves_of(state, "O") == set()
    assert areas_of(state, "W") == set("ybgp")


# --- E28-E33: purple ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("face", range(1, 7))
def test_e28_the_first_purple_number_is_free(face: int) -> None:
    state = table(f"W1 Y2 B3 G4 O5 P{face}")
    state.play("P>p1")
    assert points(state, "purple") == face


def test_e29_purple_must_rise() -> None:
    assert moves_of(table("W1 Y2 B3 G4 O5 P3", purple=[3]), "P") == set()
    assert moves_of(table("W1 Y2 B3 G4 O5 P4", purple=[3]), "P") == {"P>p2"}


def test_e30_after_a_6_everything_is_allowed() -> None:
    state = table("W1 Y2 B3 G4 O5 P3", purple=[2, 5, 6])
    state.play("P>p4")
    assert (sheet(state)["purple"], points(state, "purple")) == ([2, 5, 6, 3], 16)
    assert sheet(state)["pending"] == ["blue_x"]


def test_e31_after_a_6_another_6() -> None:
    state = table("W1 Y2 B3 G4 O5 P6", purple=[6])
    state.play("P>p2")
    assert sheet(state)["purple"] == [6, 6]


@pytest.mark.parametrize("cell", range(1, 12))
def test_e32_purple_bonuses(cell: int) -> None:
    expected = {
        3: ["rerolls"],
        4: ["blue_x"],
        5: ["extras"],
        6: ["yellow_x"],
        7: ["foxes"],
        8: ["rerolls"],
        9: ["green_x"],
        10: ["orange_6"],
        11: ["extras"],
    }
    assert gained(table("W6 Y6 B6 G6 O6 P5", purple=[6] * (cell - 1)), f"P>p{cell}") == expected.get(cell, [])


def test_e33_purple_6_fits_after_any_number() -> None:
    state = table("W4 Y2 B3 G3 O5 P1", purple=[4], blue=[3, 11])
    state.play("B>b7")
    assert state.moves() == ["*purple_6>p2"]
    state.play("*purple_6>p2")
    assert sheet(state)["purple"] == [4, 6]


# --- E34-E42: the active turn ------------------------------------------------------------------------------------


def test_e34_a_full_active_turn() -> None:
    state = table("G1 B3 P3 W5 Y4 O6", extras=1)
    state.play("P>p1")
    assert (on(state, "tray"), on(state, "pool")) == ("G", "WYBO")
    state = rolled(state, "B3 Y2 O5 W4")
    state.play("W>p2")
    assert (on(state, "tray"), on(state, "pool")) == ("YBG", "O")
    state = rolled(state, "O3")
    state.play("O>o1")
    assert (sheet(state)["purple"], sheet(state)["orange"]) == ([3, 4], [3])
    assert (on(state, "field"), on(state, "tray")) == ("WOP", "YBG")


def test_e35_if_all_others_are_lower_the_turn_ends_after_one_roll() -> None:
    state = table("W1 Y2 B3 G4 O6 P5", extras=1)
    state.play("O>o1")
    assert (state.to_json()["phase"], on(state, "field"), on(state, "tray")) == ("active_extra", "O", "WYBGP")
    without = table("W1 Y2 B3 G4 O6 P5")
    without.play("O>o1")
    assert without.to_json()["phase"] == "passive"


def test_e36_after_the_lowest_die_five_are_rolled() -> None:
    state = table("W1 Y2 B3 G4 O5 P6")
    state.play("W>o1")
    assert (state.to_json()["roll"], on(state, "tray"), on(state, "pool")) == (2, "", "YBGOP")


def test_e37_after_the_third_choice_the_rest_goes_to_the_tray() -> None:
    state = table("W1 Y2 B3 G4 O5 P6", field="WY", tray="B", roll=3, extras=1)
    state.play("G>g1")
    assert (state.to_json()["phase"], on(state, "field"), on(state, "tray")) == ("active_extra", "WYG", "BOP")


NOTHING_FITS: dict[str, Any] = {"field": "O", "tray": "WBG", "roll": 2, "yellow": [0, 13], "purple": [5]}


def test_e38_when_nothing_fits_the_roll_is_lost_and_the_pool_stays() -> None:
    state = table("W1 Y3 B3 G4 O5 P2", **NOTHING_FITS)
    assert state.moves() == ["pass"]
    state.play("pass")
    assert (state.to_json()["roll"], on(state, "pool"), on(state, "field")) == (3, "YP", "O")


def test_e39_or_it_is_rolled_again() -> None:
    assert set(table("W1 Y3 B3 G4 O5 P2", **NOTHING_FITS, rerolls=1).moves()) == {"pass", "reroll"}


def test_e40_while_a_die_fits_nobody_may_pass() -> None:
    assert "pass" not in table("W6 Y3 B6 G1 O1 P2", yellow=[0, 13], purple=[5], green=1).moves()


def test_e41_a_reroll_rolls_exactly_the_pool_and_is_no_roll() -> None:
    seen = Counter[str]()
    for seed in range(60):
        state = table(MIXED, field="W", tray="YP", roll=2, rerolls=2, seed=seed)
        for left in (1, 0):
            before = state.to_json()
            state.play("reroll")
            after = state.to_json()
            assert (after["roll"], after["place"], sheet(state)["rerolls"]) == (2, before["place"], left)
            seen.update(die for die in DICE if after["dice"][die] != before["dice"][die])
        assert "reroll" not in state.moves()
    assert set(seen) == set("BGO") and min(seen.values()) > 60


def test_e42_nobody_rerolls_in_the_passive_turn() -> None:
    state = table(MIXED, tray="WYB", aside="GOP", phase="passive", rerolls=3)
    assert "reroll" not in state.moves()


# --- E43-E46: the +1 window --------------------------------------------------------------------------------------

AFTER_TURN: dict[str, Any] = {"field": "WOP", "tray": "YBG", "roll": 3, "phase": "active_extra"}


def test_e43_each_die_once_also_the_one_just_chosen() -> None:
    state = table("P3 W4 O3 B3 Y4 G1", **AFTER_TURN, extras=2)
    state.play("+W>y11")
    assert (sheet(state)["yellow"], sheet(state)["extras"]) == ([11], 1)
    assert moves_of(state, "W") == set()
    assert moves_of(state, "B") == {"+B>b7"}


def test_e44_a_plus_1_gained_in_the_window_may_be_used_in_it() -> None:
    state = table("P3 W4 O3 B3 Y4 G1", **AFTER_TURN, extras=1, orange=[1] * 5)
    state.play("+O>o6")
    assert (state.to_json()["phase"], sheet(state)["extras"]) == ("active_extra", 1)
    assert moves_of(state, "O") == set()
    assert "+W>o7" in state.moves()


def test_e45_the_limit_starts_afresh_in_the_passive_turn() -> None:
    state = table("P3 W4 O3 B3 Y4 G1", **AFTER_TURN, extras=2)
    for move in ("+O>o1", "end", "pass"):
        state.play(move)
    assert state.to_json()["phase"] == "passive_extra"
    assert moves_of(state, "O") == {"+O>o2"}


def test_e46_a_plus_1_needs_a_legal_entry() -> None:
    assert moves_of(table("P2 W4 O3 B3 Y4 G1", **AFTER_TURN, extras=1, purple=[5]), "P") == set()


# --- E47-E51: the passive turn -----------------------------------------------------------------------------------


def test_e47_the_tray_gets_the_three_lowest() -> None:
    for third, others in (("W", "YGO"), ("Y", "WGO"), ("O", "WYG")):
        state = table("W3 Y3 B1 G6 O3 P2", tray=f"BP{third}", aside=others, phase="passive")
        assert set(on(state, "tray")) == {"B", "P", third}


def test_e47_no_higher_die_lies_on_the_tray() -> None:
    with pytest.raises(BadPosition, match="place"):
        table("W3 Y3 B1 G6 O3 P2", tray="BGP", aside="WYO", phase="passive")


def test_e47_ties_for_the_tray_are_random() -> None:
    """Of many passive rolls: the share of the tied dice that get a place is the same for each of them."""
    tied, taken = Counter[str](), Counter[str]()
    expected = dict.fromkeys(DICE, 0.0)
    for seed in range(1500):
        state = table("P3 W4 O3 B3 Y4 G1", **AFTER_TURN, extras=1, seed=seed)
        state.play("end")
        dice, tray = state.to_json()["dice"], on(state, "tray")
        limit = sorted(dice.values())[2]
        lower = {die for die in DICE if dice[die] < limit}
        equal = {die for die in DICE if dice[die] == limit}
        assert len(tray) == 3 and lower <= set(tray) <= lower | equal
        tied.update(equal)
        taken.update(equal & set(tray))
        for die in equal:
            expected[die] += (3 - len(lower)) / len(equal)
    for die in DICE:
        assert abs(taken[die] - expected[die]) < 4 * (tied[die] / 4) ** 0.5


def test_e48_white_aside_counts_for_blue() -> None:
    state = table("W3 Y3 B1 G6 O3 P2", tray="BOP", aside="WYG", phase="passive")
    assert moves_of(state, "B") == {"B>b4"}


def test_e49_nothing_is_removed_and_a_plus_1_may_take_any_die() -> None:
    state = table("W3 Y3 B1 G6 O3 P2", tray="BOP", aside="WYG", phase="passive", extras=1)
    state.play("P>p1")
    assert (on(state, "tray"), on(state, "aside"), sheet(state)["purple"]) == ("BOP", "WYG", [2])
    assert state.to_json()["phase"] == "passive_extra"
    assert {die for die in DICE if moves_of(state, die)} == set("WYBGO")
    assert "+G>g1" in state.moves()


NO_TRAY_DIE_FITS: dict[str, Any] = {
    "dice": "W4 Y3 B5 G1 O6 P2",
    "tray": "YGP",
    "aside": "WBO",
    "phase": "passive",
    "yellow": [0, 13],
    "purple": [5],
    "green": 4,
}


def test_e50_no_tray_die_fits() -> None:
    state = table(**NO_TRAY_DIE_FITS, extras=1)
    assert state.moves() == ["pass"]
    state.play("pass")
    assert state.to_json()["phase"] == "passive_extra"


def test_e51_the_fallback_offers_the_others_only_then() -> None:
    state = table(**NO_TRAY_DIE_FITS, passive_fallback=True)
    assert {die for die in DICE if moves_of(state, die)} == set("WBO")
    usable = table(**{**NO_TRAY_DIE_FITS, "green": 0}, passive_fallback=True)
    assert set(usable.moves()) == {"G>g1", "pass"}


# --- E52-E55: rounds ---------------------------------------------------------------------------------------------


def test_e52_a_new_game() -> None:
    state = st.game("clever").new(seed=1)
    position = state.to_json()
    assert (position["round"], position["phase"], position["roll"]) == (1, "active", 1)
    assert (sheet(state)["rerolls"], sheet(state)["extras"], sheet(state)["pending"]) == (1, 0, [])
    assert on(state, "pool") == DICE


@pytest.mark.parametrize(
    ("ended", "brings"),
    [(1, ["extras"]), (2, ["rerolls"]), (3, ["black"]), (4, []), (5, [])],
)
def test_e53_round_bonuses(ended: int, brings: list[str]) -> None:
    state = table(MIXED, tray="WYB", aside="GOP", phase="passive", round=ended)
    assert gained(state, "pass") == brings
    assert (state.to_json()["round"], state.to_json()["phase"]) == (ended + 1, "active")


def test_e54_the_black_bonus_has_26_possibilities_on_an_empty_sheet() -> None:
    state = table(MIXED, tray="WYB", aside="GOP", phase="passive", round=3)
    state.play("pass")
    yellow = {f"y{cell}" for cell in range(16) if cell not in (3, 6, 9, 12)}
    blue = {f"b{number}" for number in ALL_BLUE}
    assert {move.removeprefix("*black>") for move in state.moves()} == yellow | blue | {"g1", "o1", "p1"}
    assert len(state.moves()) == 26
    assert state.to_json()["dice"] == faces(MIXED), "not rolled yet"
    state.play("*black>o1")
    assert (sheet(state)["orange"], state.to_json()["roll"]) == ([6], 1)


def test_e55_after_the_last_passive_turn_plus_1_may_be_used_and_the_rest_is_worth_nothing() -> None:
    state = table(MIXED, tray="WYB", aside="GOP", phase="passive", round=6, extras=3, rerolls=2)
    for move in ("pass", "+G>g1", "+O>o1", "end"):
        assert not state.over
        state.play(move)
    assert (state.over, state.scores(), sheet(state)["extras"]) == (True, [6.0], 1)


# --- E56-E59: the end --------------------------------------------------------------------------------------------


def final(**areas: Any) -> State:
    return table(MIXED, tray="WYB", aside="GOP", phase="over", round=6, **areas)


def test_e56_foxes_count_the_weakest_area() -> None:
    state = final(yellow=[0, 4, 8], blue=[2, 3, 5, 6, 9], green=5, orange=[5], purple=[5, 6, 5], foxes=3)
    assert [points(state, area) for area in ("yellow", "blue", "green", "orange", "purple")] == [10, 11, 15, 5, 16]
    assert state.scores() == [72.0]


def test_e57_an_area_without_points_makes_foxes_worthless() -> None:
    eight = [0, 4, 1, 5, 2, 10, 7, 11]
    state = final(yellow=eight, blue=[2, 3, 5, 6, 9], green=5, orange=[5], purple=[5, 6, 5], foxes=3)
    assert (points(state, "yellow"), state.scores()) == (0, [47.0])


def test_e58_the_full_sheet() -> None:
    cells = [cell for cell in range(16) if cell not in (3, 6, 9, 12)]
    state = final(yellow=cells, blue=ALL_BLUE, green=11, orange=[6] * 11, purple=[6] * 11, foxes=5)
    assert [points(state, area) for area in ("yellow", "blue", "green", "orange", "purple")] == [60, 56, 66, 96, 66]
    assert state.scores() == [624.0]


@pytest.mark.parametrize(
    ("total", "words"),
    [
        (139, "Try harder"),
        (140, "Not bad"),
        (259, "What a genius"),
        (260, "Are you Einstein"),
        (280, "Are you Einstein"),
        (281, "You're so clever"),
    ],
)
def test_e59_rating(total: int, words: str) -> None:
    assert rating(total).startswith(words)


# --- E60-E64: bonuses --------------------------------------------------------------------------------------------


def test_e60_a_chain() -> None:
    state = table("W1 Y5 B2 G4 O5 P6", yellow=[0, 1], blue=[2, 3, 8, 12], orange=[6, 6, 6, 6])
    state.play("Y>y2")
    state.play("*blue_x>b4")
    assert (sheet(state)["pending"], sheet(state)["extras"]) == (["orange_5"], 1)
    state.play("*orange_5>o5")
    assert sheet(state)["pending"] == ["yellow_x"]
    state.play("*yellow_x>y5")
    assert (sheet(state)["yellow"], sheet(state)["extras"], sheet(state)["pending"]) == ([0, 1, 2, 5], 1, [])
    assert (len(sheet(state)["blue"]), points(state, "blue"), points(state, "orange")) == (5, 11, 35)


TWO_BONUSES: dict[str, Any] = {
    "dice": "W2 Y2 B1 G4 O5 P6",
    "blue": [2, 4, 7, 11],
    "orange": [1, 1, 1],
    "purple": [6] * 9,
}


@pytest.mark.parametrize(
    ("order", "worth"),
    [
        (["*orange_5>o4", "*purple_6>p10", "*orange_6>o5"], 19),
        (["*purple_6>p10", "*orange_6>o4", "*orange_5>o5"], 20),
    ],
)
def test_e61_the_player_orders_simultaneous_bonuses(order: list[str], worth: int) -> None:
    state = table(**TWO_BONUSES)
    state.play("B>b3")
    for move in order:
        state.play(move)
    assert points(state, "orange") == worth


def test_e62_a_queue_offers_the_row_first() -> None:
    state = table(**TWO_BONUSES, bonus_order="queue")
    state.play("B>b3")
    assert (sheet(state)["pending"], state.moves()) == (["orange_5", "purple_6"], ["*orange_5>o4"])


def test_e63_bonuses_come_before_the_window_and_before_the_next_roll() -> None:
    third = table("W1 Y5 B2 G4 O5 P6", field="WB", roll=3, yellow=[0, 1], extras=1)
    third.play("Y>y2")
    assert all(move.startswith("*blue_x") for move in third.moves())
    third.play("*blue_x>b2")
    assert (third.to_json()["phase"], "+G>g1" in third.moves()) == ("active_extra", True)
    first = table("W1 Y5 B2 G4 O5 P6", yellow=[0, 1])
    first.play("Y>y2")
    assert first.to_json()["dice"] == faces("W1 Y5 B2 G4 O5 P6")
    first.play("*blue_x>b2")
    assert first.to_json()["roll"] == 2


@pytest.mark.parametrize("seed", range(4))
def test_e64_a_whole_sheet_has_seven_rerolls_and_seven_plus_1s(seed: int) -> None:
    """Black bonuses fill all cells in some order; on the track are two more re-rolls and one more +1."""
    rng, game = Random(seed), st.game("clever")
    state = table(MIXED, pending=["black"], round=4, roll=0)
    used = Counter[str]()
    for _ in range(56):
        move = rng.choice(state.moves())
        used[move[1:].split(">")[0]] += 1
        state.play(move)
        if not sheet(state)["pending"] and sum(used.values()) < 56:
            refilled = {**sheet(state), "pending": ["black"]}
            state = game.from_json({"dice": faces(MIXED), "sheets": [refilled], "round": 4, "roll": 0}, seed=seed)
    full = sheet(state)
    assert (full["rerolls"] + 2, full["extras"] + 1, full["foxes"]) == (7, 7, 5)
    assert (len(full["yellow"]), len(full["blue"]), full["green"]) == (12, 11, 11)


# --- E65: 334 points ---------------------------------------------------------------------------------------------

SCRIPT = """
R WYBGOP 3 4 3 1 3 5 ; choose white green 0 ; R YBOP 2 6 6 2 ; choose orange orange 0 ; R B 5 ; choose blue blue 8 ; end
T WYBGOP 6 6 6 4 6 6 / G P B ; tray blue blue 12 ; end
R WYBGOP 3 6 2 6 1 6 ; choose green green 1 ; R YP 6 6 ; choose purple purple 0 ; R Y 2 ; choose yellow yellow 10 ; \
extra purple purple 1 ; end
T WYBGOP 6 6 5 5 6 6 / B G W ; tray white yellow 1 ; end
R WYBGOP 4 6 2 6 1 6 ; choose purple purple 2 ; R YG 4 3 ; choose green green 2 ; R Y 3 ; choose yellow yellow 0 ; end
T WYBGOP 6 6 5 6 6 6 / B P G ; tray blue blue 11 ; end ; bonus black blue 4
R WYBGOP 4 6 6 5 6 2 ; choose orange orange 1 ; R YB 6 6 ; choose yellow yellow 15 ; R B 2 ; choose blue blue 6 ; \
extra white yellow 14 ; end
T WYBGOP 6 2 4 6 1 6 / O Y B ; tray blue blue 10 ; end
R WYBGOP 6 4 6 6 6 6 ; choose white orange 2 ; R BGOP 5 4 6 2 ; choose green green 3 ; R BO 6 6 ; \
choose orange orange 3 ; extra orange orange 4 ; bonus yellow_x yellow 2 ; bonus blue_x blue 2 ; \
bonus green_x green 4 ; end
T WYBGOP 6 3 3 4 4 3 / Y B P ; tray blue blue 9 ; end
R WYBGOP 6 5 6 6 3 4 ; choose white green 5 ; bonus blue_x blue 3 ; bonus orange_5 orange 5 ; R BG 6 5 ; \
choose green green 6 ; R B 1 ; choose blue blue 7 ; bonus purple_6 purple 3 ; bonus blue_x blue 5 ; \
bonus yellow_x yellow 5 ; extra white green 7 ; extra green green 8 ; bonus purple_6 purple 4 ; end
T WYBGOP 6 5 6 6 2 6 / O Y P ; tray purple purple 5 ; bonus yellow_x yellow 13 ; extra purple purple 6 ; end
"""


def translated(kind: str, what: str, area: str, cell: str) -> str:
    """An action of the script as a move; its cells of tracks count from 0."""
    place = f"{area[0]}{cell if area in ('yellow', 'blue') else int(cell) + 1}"
    return f"*{what}>{place}" if kind == "bonus" else f"{'+' if kind == 'extra' else ''}{what[0].upper()}>{place}"


def test_e65_a_scripted_game_reaches_334() -> None:
    state = st.game("clever").new(seed=1)
    for step in SCRIPT.replace("\n", ";").split(";"):
        kind, *words = step.split() or [""]
        if kind in ("R", "T"):
            dice = " ".join(die + face for die, face in zip(words[0], words[1:], strict=False))
            state = rolled(state, dice, "".join(words[8:]) if kind == "T" else None)
        elif kind == "end":
            if state.to_json()["phase"].endswith("extra"):  # without a +1 there is no window to end
                state.play("end")
        elif kind:
            state.play(translated(kind, *words))
    assert [points(state, area) for area in ("yellow", "blue", "green", "orange", "purple")] == [30, 56, 45, 41, 42]
    assert (state.over, points(state, "foxes"), state.scores()) == (True, 4, [334.0])


# --- M1-M6: several players --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "rounds", "passive"), [(4, 4, 12), (3, 5, 10), (2, 6, 6)])
def test_m1_m2_rounds_and_turns(players: int, rounds: int, passive: int) -> None:
    """M1 is the row of 4 players, M2 those of 3 and 2."""
    rng, state = Random(1), st.game("clever", players=players).new(seed=1)
    turns, black = set[tuple[int | None, int]](), set[int | None]()
    choices = Counter[int | None]()
    while not state.over:
        position, seat = state.to_json(), state.player
        pending = position["sheets"][seat]["pending"]
        if position["phase"] == "active" and position["roll"] == 1:
            turns.add((seat, position["round"]))
        if position["phase"] == "passive" and not pending:
            choices[seat] += 1
        if "black" in pending:
            assert (position["round"], position["roll"]) == (4, 0)
            black.add(seat)
        state.play(rng.choice(state.moves()))
    assert turns == {(seat, number) for seat in range(players) for number in range(1, rounds + 1)}
    assert choices == dict.fromkeys(range(players), passive)
    assert black == set(range(players))


def passive_table(*sheets: dict[str, Any]) -> State:
    """Player 0 was active; fields P3 W4 O3, tray B3 Y4 G1. Player 1 chooses."""
    position = {
        "player": 1,
        "active": 0,
        "phase": "passive",
        "roll": 3,
        "dice": faces("P3 W4 O3 B3 Y4 G1"),
        "place": lying("", "WOP", "YBG"),
        "sheets": [{}, *sheets],
    }
    return st.game("clever", players=1 + len(sheets)).from_json(position, seed=1)


def test_m3_several_players_may_use_the_same_die() -> None:
    state = passive_table({}, {})
    state.play("Y>y11")
    assert (state.player, state.to_json()["phase"]) == (2, "passive")
    state.play("Y>y11")
    assert (sheet(state, 1)["yellow"], sheet(state, 2)["yellow"]) == ([11], [11])


def test_m4_who_can_use_no_tray_die_may_use_one_of_the_fields() -> None:
    state = passive_table({"yellow": [11, 14], "blue": [7], "green": 1})
    assert {die for die in DICE if moves_of(state, die)} == set("WOP")


def test_m5_not_if_a_tray_die_fits() -> None:
    state = passive_table({"yellow": [11, 14], "blue": [7]})
    assert set(state.moves()) == {"G>g1", "pass"}


BEST_56: dict[str, Any] = {
    "yellow": [0, 1, 4, 5, 7, 8, 10, 13, 14],
    "blue": ALL_BLUE,
    "green": 6,
    "orange": [3, 3, 4, 4, 3, 1],
    "purple": [2, 3, 4, 6, 2, 5, 6, 6, 2, 4, 5],
    "foxes": 2,
}
ALSO_56: dict[str, Any] = {
    "yellow": [0, 1, 2, 4, 8],
    "blue": ALL_BLUE,
    "green": 8,
    "orange": [1, 6, 1, 6, 5, 6],
    "purple": [4, 5, 6, 1, 3, 4, 5, 6, 3, 4, 6],
    "foxes": 3,
}
BEST_61: dict[str, Any] = {
    "yellow": [0, 2, 4, 5, 7, 8, 10, 11, 13, 15],
    "blue": ALL_BLUE,
    "green": 5,
    "orange": [5, 3, 4, 3, 4, 5, 2, 6, 3, 3, 5],
    "purple": [2, 6, 1, 3, 6],
    "foxes": 2,
}


def final_scores(*sheets: dict[str, Any]) -> list[float]:
    end = {"phase": "over", "round": 6, "dice": faces(MIXED), "place": lying("", "GOP", "WYB")}
    return st.game("clever", players=2).from_json({**end, "sheets": [*sheets]}).scores()


def test_m6_the_best_area_breaks_ties() -> None:
    better = final_scores(BEST_56, BEST_61)
    assert [int(score) for score in better] == [210, 210]
    assert better[0] < better[1]
    shared = final_scores(BEST_56, ALSO_56)
    assert [int(score) for score in shared] == [210, 210]
    assert shared[0] == shared[1]
