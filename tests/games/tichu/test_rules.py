"""The rules of a round: a plain referee, real rounds, the worked examples, schupfing and calls."""

from random import Random
from typing import Any

import pytest

import stammtisch as st
from games.tichu import plain, real_rounds
from games.tichu.deals import Both, dealt_position, late_position
from games.tichu.tables import EMPTY, FLUSH_9, FOUR_8, FOUR_9, FRESH, LOGS, STRICT, Example, start

# --- the plain referee -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, STRICT], ids=["", "strict"])
@pytest.mark.parametrize("part", range(4))
def test_ends_of_rounds_are_those_of_the_plain_referee(part: int, options: dict[str, bool]) -> None:
    for seed in range(25):
        rng = Random(f"{part} {seed} {options}")
        Both(late_position(rng), seed, rounds=1, **options).play_on(rng)


@pytest.mark.parametrize("phase", ["play", "schupf"])
@pytest.mark.parametrize("seed", range(6))
def test_rounds_with_bombs_are_those_of_the_plain_referee(phase: str, seed: int) -> None:
    rng = Random(seed)
    Both(dealt_position(rng, phase), seed, rounds=1).play_on(rng)


@pytest.mark.parametrize("seed", range(6))
def test_rounds_from_the_deal_are_those_of_the_plain_referee(seed: int) -> None:
    Both(None, seed, rounds=1, **(STRICT if seed % 2 else {})).play_on(Random(seed))


@pytest.mark.parametrize(
    "options",
    [{"target": 150, "rounds": None}, {"target": 150, "rounds": None, "play_on": True}, {"target": 1000, "rounds": 3}],
)
def test_games_are_those_of_the_plain_referee(options: dict[str, Any]) -> None:
    for seed in range(2):
        Both(None, seed, **options).play_on(Random(seed))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_many_rounds_are_those_of_the_plain_referee(part: int) -> None:
    for seed in range(500 * part, 500 * part + 500):
        rng = Random(seed)
        options = {"rounds": 1, **rng.choice([{}, STRICT, {"bomb_may_ignore_wish": False}])}
        Both(late_position(rng), seed, **options).play_on(rng)
        if seed % 25 == 0:
            Both(dealt_position(rng, rng.choice(["play", "schupf"])), seed, **options).play_on(rng)
            Both(None, seed, target=rng.choice([1, 100, 300]), rounds=10, play_on=rng.random() < 0.5).play_on(rng)


@pytest.mark.parametrize("log", ["y2007_00", pytest.param("y2007_02", marks=pytest.mark.slow), "y2007_03"])
def test_real_rounds_are_legal_and_have_the_score_of_their_log(log: str) -> None:
    for one in real_rounds.read(LOGS / f"{log}.tch"):
        both = real_rounds.play_again(one)
        assert both.state.over
        assert both.state.to_json()["score"] == one.result


# --- the examples of the flow ------------------------------------------------------------------------------------

FLOW = {
    "C1": Example(f"S3 B4 | {FOUR_8} S4 | Ma Hu S5 | {FLUSH_9}", 2, "Hu", **EMPTY, player=0, starter=2),
    "C2": Example("S3 B4 | Hu S4 | S5 S7 |", 1, "Hu", **EMPTY, player=0),
    "C3": Example("| Hu S4 | S5 S7 |", 1, "Hu", {"out": [3, 0]}, **EMPTY, player=1),
    "C4": Example(
        "BA | S3 S4 | B3 B4 | S10 G3 G4", 3, "S10; BA; pass*3", **EMPTY, player=1, points=[10, 0, 0, 0], out=[0]
    ),
    "C5": Example(
        "BA | | B3 B4 | S10 G3 G4", 3, "S10; BA; pass*2", **EMPTY, player=2, points=[10, 0, 0, 0], out=[1, 0]
    ),
    "C6": Example(
        "R3 B3 | RK S4 | R9 S6 | S2 B2", 0, "R3; pass; R9; pass*2; RK", owner=1, player=2, phase="play", passes=0
    ),
    "C7": Example(
        f"RA S3 | S4 B5 | S6 B6 | {FOUR_8} S2", 0, f"RA; pass*5; {FOUR_8}", owner=3, player=0, phase="play", passes=0
    ),
    "C8": Example(
        f"Dr {FOUR_8} S3 | S4 B5 | S6 B6 | S2 B2",
        0,
        f"Dr; pass*6; {FOUR_8}; pass*3",
        **EMPTY,
        player=0,
        points=[25, 0, 0, 0],
        dragon=None,
    ),
    "C9": Example(
        "Dr S3 | S5 B5 G5 R5 S4 | S6 B6 | S2 B2",
        0,
        "Dr; S5 B5 G5 R5; pass*3",
        **EMPTY,
        player=1,
        points=[0, 45, 0, 0],
        dragon=None,
    ),
    "C10, asked": Example(
        "Dr S3 | S4 | S6 B6 | S2 B2",
        0,
        "Dr; pass*3",
        legal="dragon 1; dragon 3",
        illegal="dragon 0; dragon 2; pass; S3",
        player=0,
        phase="dragon",
        owner=0,
    ),
    "C10, seat 1": Example(
        "Dr S3 | | S6 B6 | S2 B2", 0, "Dr; pass*2; dragon 1", **EMPTY, player=0, points=[0, 25, 0, 0], dragon=1
    ),
    "C10, seat 3": Example(
        "Dr S3 | | S6 B6 | S2 B2", 0, "Dr; pass*2; dragon 3", **EMPTY, player=0, points=[0, 0, 0, 25], dragon=3
    ),
    "C11, all in": Example(
        "Dr | S4 S5 | S6 B6 | S2 B2", 0, "Dr; pass*3; dragon 1", **EMPTY, player=1, points=[0, 25, 0, 0]
    ),
    "C11, seat 1 out": Example(
        "Dr | | S6 B6 | S2 B2", 0, "Dr; pass*2; dragon 1", **EMPTY, player=2, points=[0, 25, 0, 0]
    ),
    "C12": Example(
        f"S4 B4 | S6 B6 | RA S3 | {FOUR_8} S2",
        2,
        "RA; pass*6",
        legal="S3",
        illegal=f"{FOUR_8}; pass",
        **EMPTY,
        player=2,
    ),
    "C13, asked for a bomb": Example(
        f"S3 B3 | S4 B5 | S9 {FOUR_8} | S2 B2",
        0,
        "S3",
        legal=f"pass; {FOUR_8}",
        illegal="S9; S8; S4",
        player=2,
        phase="bomb",
    ),
    "C13": Example("S3 B3 | S4 B5 | S9 B9 | S2 B2", 0, "S3", illegal="S9; B2; B3", player=1),
    "C14": Example(
        "Ma S2 B3 G4 R5 SK | S3 B4 G5 R6 S7 B8 G9 | S6 B6 | SA BA",
        0,
        "Ma S2 B3 G4 R5; wish 9",
        legal="G5 R6 S7 B8 G9",
        player=1,
        wish=9,
    ),
    "C15": Example(
        "RK S3 | S4 B6 Dr | S9 S2 | SA S6",
        0,
        "RK; pass*2; SA; pass; Dr; pass*3; dragon 0",
        {"wish": 9},
        legal="B6; S4",
        **EMPTY,
        player=1,
        wish=9,
        fulfilled=0,
    ),
    "C16": Example(
        "S2 SK | S3 S4 | B3 B4 | S6 B6 G6 R6 S9",
        0,
        "S2; S6 B6 G6 R6",
        {"wish": 6},
        owner=3,
        player=0,
        wish=0,
        fulfilled=6,
    ),
    "C17, asked": Example(
        f"S2 SK | S3 S4 | B3 B4 | {FOUR_9} S6", 0, "S2", {"wish": 6}, legal=f"pass; {FOUR_9}", player=3, phase="bomb"
    ),
    "C17": Example(
        f"S2 SK | S3 S4 | B3 B4 | {FOUR_9} S6", 0, f"S2; {FOUR_9}", {"wish": 6}, owner=3, player=0, wish=6, fulfilled=0
    ),
    "C18": Example(
        "S3 B3 | S4 B4 | S5 B5 | S6 B6", 0, "S3; pass*3", FRESH, legal="B3", illegal="tichu; tichu 0", player=0
    ),
    "C19": Example(
        "| S2 R2 G3 B4 S5 R5 G6 B7 S8 R8 G9 B10 SB RB | SA | BA", 1, "tichu; S2", player=2, announced=[0, 1, 0, 0]
    ),
    "C20": Example(
        f"| {FOUR_8} S3 | SA | {FLUSH_9} S4", 2, "SA", player=None, phase="over", out=[0, 2], score=[200, 0], trick=None
    ),
    "C21": Example(
        f"| | SK | {FLUSH_9} S4",
        2,
        "SK",
        {"out": [0, 1]},
        player=None,
        phase="over",
        out=[0, 1, 2],
        points=[0, 0, 10, 0],
    ),
}


@pytest.mark.parametrize("example", FLOW.values(), ids=FLOW)
def test_play_flows_as_in_the_example(example: Example) -> None:
    example.check()


def test_schupfed_cards_go_to_the_next_seat_the_partner_and_the_one_before() -> None:  # C22
    hands = [plain.DECK[14 * seat : 14 * seat + 14] for seat in range(4)]
    both = Both({"hands": hands, "player": 0, "phase": "schupf"}, rounds=1)
    gifts = [[hands[seat][1], hands[seat][5], hands[seat][9]] for seat in range(4)]
    for seat in range(4):
        assert both.state.player == seat
        both.play(" ".join(["schupf", *gifts[seat]]))
    found = both.state.to_json()
    assert (found["schupfed"], found["phase"], found["player"], found["starter"]) == (gifts, "play", 1, 1)
    x, y, z = gifts[0]
    assert (x in found["hands"][1], y in found["hands"][2], z in found["hands"][3]) == (True, True, True)
    for seat in range(4):
        own = set(hands[seat]) - set(gifts[seat])
        received = {gifts[(seat + 1) % 4][2], gifts[(seat + 2) % 4][1], gifts[(seat + 3) % 4][0]}
        assert set(found["hands"][seat]) == own | received


# --- calls -------------------------------------------------------------------------------------------------------


def test_tichu_is_called_out_of_turn_by_whoever_has_not_played() -> None:
    both = start("S3 B3 | S4 B4 | S5 B5 | S6 B6", announced=[0, 0, 0, 2], **FRESH)
    both.play("S3")
    called = both.state.copy()
    called.announce(2)  # type: ignore[attr-defined]
    both.announce(2)
    assert called == both.state
    assert (both.state.player, both.state.to_json()["announced"]) == (1, [0, 0, 1, 2])
    for seat, reason in ((0, "it has played a card"), (2, "it has called already"), (3, "it has called already")):
        with pytest.raises(st.IllegalMove, match=f"seat {seat} cannot call tichu now: {reason}"):
            both.state.play(f"tichu {seat}")
    assert called == both.state
    with pytest.raises(ValueError, match="a seat is 0 to 3"):
        both.state.announce(4)  # type: ignore[attr-defined]


def test_small_tichu_is_called_from_the_fourteenth_card_on_and_grand_before() -> None:
    both = Both(None, seed=5, rounds=1)
    for seat in range(4):
        with pytest.raises(st.IllegalMove, match="not all cards are dealt yet"):
            both.state.play(f"tichu {seat}")
        assert both.moves() == ["no", "grand"]
        both.play("grand" if seat == 1 else "no")
    both.announce(3)
    both.play("tichu")  # seat 0 decides again
    assert both.state.player == 0
    both.play(*(f"schupf {' '.join(both.table.hands[seat][:3])}" for seat in range(4)))
    assert both.state.to_json()["announced"] == [1, 2, 0, 1]
    both.announce(2)
    both.play_on(Random(5))
    with pytest.raises(st.IllegalMove, match="the game is over"):
        both.state.play("tichu 2")


def test_a_call_changes_nothing_but_the_call() -> None:
    state = start("S3 B3 | S4 B4 | S5 B5 | S6 B6", **FRESH).state
    before = state.to_json()
    state.play("tichu")
    assert state.to_json() == {**before, "announced": [1, 0, 0, 0]}
