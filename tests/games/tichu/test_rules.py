"""The rules of a round and a game: a plain referee, the worked examples, real rounds, and what always holds."""

from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import numba
import numpy as np
import pytest

import stammtisch as st
from games.tichu import plain, plain_round, real_rounds
from games.tichu.deals import Both, dealt_position, late_position
from stammtisch.core.batch import Batch
from stammtisch.core.kernel import OVER, Actions, Records, apply, player, playout_action
from stammtisch.core.rng import Rng
from stammtisch.games.tichu.cards import ALL_CARDS, NAMES
from stammtisch.games.tichu.rules import ENDED, MOST_ACTIONS, SCHUPF

LOGS = Path(__file__).parent / "fixtures"
STRICT = {"wish_optional": False, "bomb_may_ignore_wish": False}


def start(hands: list[str], player: int, **more: Any) -> Both:
    """A position in the middle of a round; options of the game may be among the rest."""
    options = {key: more.pop(key) for key in list(more) if key in st.game("tichu").options}
    position = {"hands": [hand.split() for hand in hands], "player": player, "phase": "play", **more}
    return Both(position, **{"rounds": 1, **options})


def split(moves: str) -> list[str]:
    """Moves separated by semicolons; ``pass*3`` stands for three."""
    found: list[str] = []
    for move in filter(None, map(str.strip, moves.split(";"))):
        text, _, times = move.partition("*")
        found += [text] * int(times or 1)
    return found


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
    [
        {"target": 150, "rounds": None},
        {"target": 150, "rounds": None, "play_on": True},
        {"target": 1000, "rounds": 3},
    ],
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


@dataclass
class Example:
    """A position, moves, and what is true then; ``legal`` are all moves, ``illegal`` some that are not."""

    name: str
    hands: list[str]
    player: int
    moves: str
    then: dict[str, Any]
    more: dict[str, Any] = field(default_factory=dict)
    legal: set[str] | None = None
    illegal: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.name

    def check(self) -> None:
        both = start(self.hands, self.player, **self.more)
        both.play(*split(self.moves))
        found = both.state.to_json()
        trick = found["trick"] or {}
        assert {key: trick.get("owner") if key == "owner" else found[key] for key in self.then} == self.then
        moves = set(both.moves())
        assert self.legal is None or moves == self.legal
        before = both.state.bytes()
        for move in self.illegal:
            with pytest.raises(st.IllegalMove):
                both.state.play(move)
        assert both.state.bytes() == before


FOUR_8, FLUSH_9 = "S8 B8 G8 R8", "G9 G10 GB GD GK"
EMPTY: dict[str, Any] = {"trick": None, "phase": "play", "passes": 0}

FLOW = [
    Example("C1", ["S3 B4", f"{FOUR_8} S4", "Ma Hu S5", FLUSH_9], 2, "Hu", {**EMPTY, "player": 0, "starter": 2}),
    Example("C2", ["S3 B4", "Hu S4", "S5 S7", ""], 1, "Hu", {**EMPTY, "player": 0}),
    Example("C3", ["", "Hu S4", "S5 S7", ""], 1, "Hu", {**EMPTY, "player": 1}, {"out": [3, 0]}),
    Example(
        "C4",
        ["BA", "S3 S4", "B3 B4", "S10 G3 G4"],
        3,
        "S10; BA; pass*3",
        {**EMPTY, "player": 1, "points": [10, 0, 0, 0], "out": [0]},
    ),
    Example(
        "C5",
        ["BA", "", "B3 B4", "S10 G3 G4"],
        3,
        "S10; BA; pass*2",
        {**EMPTY, "player": 2, "points": [10, 0, 0, 0], "out": [1, 0]},
    ),
    Example(
        "C6",
        ["R3 B3", "RK S4", "R9 S6", "S2 B2"],
        0,
        "R3; pass; R9; pass*2; RK",
        {"owner": 1, "player": 2, "phase": "play", "passes": 0},
    ),
    Example(
        "C7",
        ["RA S3", "S4 B5", "S6 B6", f"{FOUR_8} S2"],
        0,
        f"RA; pass*5; {FOUR_8}",
        {"owner": 3, "player": 0, "phase": "play", "passes": 0},
    ),
    Example(
        "C8",
        [f"Dr {FOUR_8} S3", "S4 B5", "S6 B6", "S2 B2"],
        0,
        f"Dr; pass*6; {FOUR_8}; pass*3",
        {**EMPTY, "player": 0, "points": [25, 0, 0, 0], "dragon": None},
    ),
    Example(
        "C9",
        ["Dr S3", "S5 B5 G5 R5 S4", "S6 B6", "S2 B2"],
        0,
        "Dr; S5 B5 G5 R5; pass*3",
        {**EMPTY, "player": 1, "points": [0, 45, 0, 0], "dragon": None},
    ),
    Example(
        "C10, asked",
        ["Dr S3", "S4", "S6 B6", "S2 B2"],
        0,
        "Dr; pass*3",
        {"player": 0, "phase": "dragon", "owner": 0},
        legal={"dragon 1", "dragon 3"},
        illegal=("dragon 0", "dragon 2", "pass", "S3"),
    ),
    *(
        Example(
            f"C10, seat {taker}",
            ["Dr S3", "", "S6 B6", "S2 B2"],
            0,
            f"Dr; pass*2; dragon {taker}",
            {**EMPTY, "player": 0, "points": [25 * (seat == taker) for seat in range(4)], "dragon": taker},
        )
        for taker in (1, 3)
    ),
    *(
        Example(
            f"C11, {'seat 1 out' if next_seat == 2 else 'all in'}",
            ["Dr", "S4 S5" if next_seat == 1 else "", "S6 B6", "S2 B2"],
            0,
            f"Dr; pass*{4 - next_seat}; dragon 1",
            {**EMPTY, "player": next_seat, "points": [0, 25, 0, 0]},
        )
        for next_seat in (1, 2)
    ),
    Example(
        "C12",
        ["S4 B4", "S6 B6", "RA S3", f"{FOUR_8} S2"],
        2,
        "RA; pass*6",
        {**EMPTY, "player": 2},
        legal={"S3"},
        illegal=(FOUR_8, "pass"),
    ),
    Example(
        "C13, asked for a bomb",
        ["S3 B3", "S4 B5", f"S9 {FOUR_8}", "S2 B2"],
        0,
        "S3",
        {"player": 2, "phase": "bomb"},
        legal={"pass", FOUR_8},
        illegal=("S9", "S8", "S4"),
    ),
    Example("C13", ["S3 B3", "S4 B5", "S9 B9", "S2 B2"], 0, "S3", {"player": 1}, illegal=("S9", "B2", "B3")),
    Example(
        "C14",
        ["Ma S2 B3 G4 R5 SK", "S3 B4 G5 R6 S7 B8 G9", "S6 B6", "SA BA"],
        0,
        "Ma S2 B3 G4 R5; wish 9",
        {"player": 1, "wish": 9},
        legal={"G5 R6 S7 B8 G9"},
    ),
    Example(
        "C15",
        ["RK S3", "S4 B6 Dr", "S9 S2", "SA S6"],
        0,
        "RK; pass*2; SA; pass; Dr; pass*3; dragon 0",
        {**EMPTY, "player": 1, "wish": 9, "fulfilled": 0},
        {"wish": 9},
        legal={"S4", "B6"},
    ),
    Example(
        "C16",
        ["S2 SK", "S3 S4", "B3 B4", "S6 B6 G6 R6 S9"],
        0,
        "S2; S6 B6 G6 R6",
        {"owner": 3, "player": 0, "wish": 0, "fulfilled": 6},
        {"wish": 6},
    ),
    Example(
        "C17, asked",
        ["S2 SK", "S3 S4", "B3 B4", "S9 B9 G9 R9 S6"],
        0,
        "S2",
        {"player": 3, "phase": "bomb"},
        {"wish": 6},
        legal={"pass", "S9 B9 G9 R9"},
    ),
    Example(
        "C17",
        ["S2 SK", "S3 S4", "B3 B4", "S9 B9 G9 R9 S6"],
        0,
        "S2; S9 B9 G9 R9",
        {"owner": 3, "player": 0, "wish": 6, "fulfilled": 0},
        {"wish": 6},
    ),
    Example(
        "C18",
        ["S3 B3", "S4 B4", "S5 B5", "S6 B6"],
        0,
        "S3; pass*3",
        {"player": 0},
        {"has_played": [False] * 4},
        legal={"B3"},
        illegal=("tichu", "tichu 0"),
    ),
    Example(
        "C19",
        ["", " ".join(plain.SUITED[::3][:14]), "SA", "BA"],
        1,
        "tichu; S2",
        {"player": 2, "announced": [0, 1, 0, 0]},
    ),
    Example(
        "C20",
        ["", f"{FOUR_8} S3", "SA", f"{FLUSH_9} S4"],
        2,
        "SA",
        {"player": None, "phase": "over", "out": [0, 2], "score": [200, 0], "trick": None},
    ),
    Example(
        "C21",
        ["", "", "SK", f"{FLUSH_9} S4"],
        2,
        "SK",
        {"player": None, "phase": "over", "out": [0, 1, 2], "points": [0, 0, 10, 0]},
        {"out": [0, 1]},
    ),
]


@pytest.mark.parametrize("example", FLOW, ids=str)
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


# --- the examples of scoring -------------------------------------------------------------------------------------

LAST_3 = ["", "", "S2", "S5 S10 S3"]  # seat 2 goes out, seat 3 is left with 15 points
AFTER_0 = ["", "S10 S3", "S2", "SK S4"]  # seat 2 makes it a double victory
CARDS_70_30 = {"points": [30, 30, 25, 0], "out": [0, 1]}
TRICKS = [30, 20, 25, 10]

SCORING = [
    ("D1", LAST_3, 2, {"points": TRICKS, "out": [0, 1]}, [80, 20]),
    ("D2", LAST_3, 2, {"points": TRICKS, "out": [1, 0]}, [70, 30]),
    ("D3", AFTER_0, 2, {"points": TRICKS}, [200, 0]),
    ("D4", AFTER_0, 2, {"announced": [1, 0, 0, 0]}, [300, 0]),
    ("D5", AFTER_0, 2, {"announced": [0, 0, 1, 0]}, [100, 0]),
    ("D6", AFTER_0, 2, {"announced": [2, 0, 0, 0]}, [400, 0]),
    ("D7", AFTER_0, 2, {"announced": [0, 2, 0, 0]}, [200, -200]),
    ("D8", LAST_3, 2, {"points": TRICKS, "out": [0, 1], "announced": [0, 1, 0, 0]}, [80, -80]),
    ("D9", ["S10 S3", "S2", "SK S4", ""], 1, {"points": TRICKS}, [0, 200]),
    ("D10", ["", "Ph Dr S3", "S2", ""], 2, {"points": [50, 20, 20, 10], "out": [0, 3]}, [90, 10]),
    ("D11", ["", "Ph S3", "S2", ""], 2, {"points": [50, 25, 30, 20], "out": [0, 3]}, [80, 20]),
    ("D12", ["", "Dr S3", "S2", ""], 2, {"points": [30, 10, 20, 15], "out": [0, 3]}, [85, 15]),
    ("D13", LAST_3, 2, {**CARDS_70_30, "announced": [2, 0, 2, 0]}, [70, 30]),
    ("D14", LAST_3, 2, {**CARDS_70_30, "announced": [1, 2, 2, 0]}, [-30, -170]),
    ("D15", ["S2", "S10 S3", "", "SK S4"], 0, {"announced": [1, 0, 2, 0]}, [300, 0]),
    (
        "worst",
        ["", "", "S4", "S2"],
        3,
        {"points": [-25, 80, 0, 45], "out": [1, 0], "announced": [2, 0, 2, 0]},
        [-425, 125],
    ),
]


@pytest.mark.parametrize(("name", "hands", "seat", "more", "score"), SCORING, ids=[case[0] for case in SCORING])
def test_a_round_scores_as_in_the_example(
    name: str, hands: list[str], seat: int, more: dict[str, Any], score: list[int]
) -> None:
    both = start(hands, seat, **more)
    both.play("S2")
    assert both.state.over
    assert both.state.to_json()["score"] == score
    assert both.state.scores() == [float(points) for points in score + score]


GAMES = [  # the last trick of a round in a game; totals before and after, whether it is over
    ("D16", LAST_3, {"points": [20, 40, 25, 0], "out": [0, 1]}, [985, 990], [1045, 1030], True),
    ("D17", LAST_3, {"points": [20, 50, 15, 0], "out": [0, 1]}, [950, 950], [1000, 1000], True),
    ("D17, play on", LAST_3, {"points": [20, 50, 15, 0], "out": [0, 1], "play_on": True}, [950] * 2, [1000] * 2, False),
    ("D18", ["S10 S3", "", "SK S4", "S2"], {"announced": [2, 0, 0, 0]}, [990, 400], [790, 600], False),
    ("below", LAST_3, {"points": [20, 40, 25, 0], "out": [0, 1]}, [935, 955], [995, 995], False),
    ("one", LAST_3, {"points": [20, 40, 25, 0], "out": [0, 1]}, [940, -300], [1000, -260], True),
    ("limit", LAST_3, {"points": [20, 40, 25, 0], "out": [0, 1], "round": 50}, [0, 0], [60, 40], True),
    (
        "no limit",
        LAST_3,
        {"points": [20, 40, 25, 0], "out": [0, 1], "round": 50, "rounds": None},
        [0] * 2,
        [60, 40],
        False,
    ),
]


@pytest.mark.parametrize(("name", "hands", "more", "before", "score", "over"), GAMES, ids=[case[0] for case in GAMES])
def test_a_game_ends_as_in_the_example(
    name: str, hands: list[str], more: dict[str, Any], before: list[int], score: list[int], over: bool
) -> None:
    both = start(hands, 3 if name == "D18" else 2, score=before, **{"rounds": 50, **more})
    both.play("S2")
    found = both.state.to_json()
    assert (found["score"], both.state.over) == (score, over)
    if not over:
        assert (found["phase"], found["player"], found["round"]) == ("grand", 0, more.get("round", 1) + 1)
        assert sorted(card for cards in found["hands"] + found["undealt"] for card in cards) == sorted(plain.DECK)
        assert (found["points"], found["out"], found["announced"], found["tricks"]) == ([0] * 4, [], [0] * 4, [])


@pytest.mark.parametrize(("number", "score"), [(0, [25, 75]), (2, [300, -100])], ids=["D19", "D20"])
def test_a_real_round_scores_as_in_the_example(number: int, score: list[int]) -> None:
    both = real_rounds.play_again(list(real_rounds.read(LOGS / "y2007_00.tch"))[number])
    assert both.state.to_json()["score"] == score


# --- bombs -------------------------------------------------------------------------------------------------------

FOUR_7, FOUR_9, FOUR_2, FLUSH_2 = "S7 B7 G7 R7", "S9 B9 G9 R9", "S2 B2 G2 R2", "G2 G3 G4 G5 G6"
THREE_BOMBS = [f"S3 SA {FOUR_2}", "BA B4", f"{FOUR_7} S4", f"{FOUR_9} G4"]
HIGHER_BOMBS = [f"S3 {FOUR_9} SA", "BA B4", f"{FOUR_7} S4", f"GA {FLUSH_2}"]
BOMBING = [
    Example(
        "the owner bombs his own trick before anybody acts",
        [f"S3 {FOUR_7} S4", "SA", "BA", "GA"],
        0,
        f"S3; {FOUR_7}",
        {"owner": 0, "player": 1, "phase": "play"},
    ),
    Example(
        "the owner bombs his own dragon before anybody acts",
        [f"Dr {FOUR_7} S4", "SA S3", "BA B3", "GA G3"],
        0,
        f"Dr; {FOUR_7}; pass*3",
        {**EMPTY, "player": 0, "points": [25, 0, 0, 0], "dragon": None},
    ),
    Example(
        "who has passed before bombs",
        ["S3 SK", f"{FOUR_7} S4", "BA B4", "GA G4"],
        0,
        f"S3; pass*2; BA; {FOUR_7}",
        {"owner": 1, "player": 2, "phase": "play", "passes": 0},
    ),
    Example(
        "the next seat after a bomb is on turn and not asked",
        HIGHER_BOMBS,
        0,
        f"S3; {FOUR_7}",
        {"owner": 2, "player": 0, "phase": "bomb"},
        legal={"pass", FOUR_9},
    ),
    Example(
        "a bomb is bombed in turn",
        HIGHER_BOMBS,
        0,
        f"S3; {FOUR_7}; pass; {FLUSH_2}",
        {"owner": 3, "player": 0, "phase": "play"},
        legal={"pass"},
    ),
    Example(
        "bombs are bombed out of turn",
        HIGHER_BOMBS,
        0,
        f"S3; {FOUR_7}; {FOUR_9}; {FLUSH_2}",
        {"owner": 3, "player": 0, "phase": "play"},
    ),
    *(
        Example(name, THREE_BOMBS, 0, moves, {"player": seat, "phase": "bomb", "passes": passes}, legal={"pass", bomb})
        for name, moves, seat, passes, bomb in [
            ("the first after the owner is asked first", "S3", 2, 0, FOUR_7),
            ("then the second", "S3; pass", 3, 0, FOUR_9),
            ("last the owner", "S3; pass*2", 0, 0, FOUR_2),
            ("after a pass those not on turn are asked again", "S3; pass*4", 3, 1, FOUR_9),
            ("also after the next", "S3; pass*7", 2, 2, FOUR_7),
            ("when all have passed everybody is asked, first", "S3; pass*10", 2, 3, FOUR_7),
            ("when all have passed everybody is asked, last", "S3; pass*12", 0, 3, FOUR_2),
        ]
    ),
    Example("then the next seat acts", THREE_BOMBS, 0, "S3; pass*3", {"player": 1, "phase": "play", "passes": 0}),
    Example("at the end the trick is taken", THREE_BOMBS, 0, "S3; pass*13", {**EMPTY, "player": 0}),
    Example(
        "who has only a lower bomb is not asked",
        ["S3 SA", f"{FOUR_9} B4", f"{FOUR_7} S4", "GA G4"],
        0,
        f"S3; pass; {FOUR_9}",  # seat 2 is asked once, seat 1 bombs on turn
        {"owner": 1, "player": 2, "phase": "play"},
        legal={"pass"},
    ),
    Example(
        "who is on turn is not asked", ["S3 SA", f"{FOUR_7} B4", "S4", "G4"], 0, "S3", {"player": 1, "phase": "play"}
    ),
    Example("nobody is asked before a lead", [FOUR_9, FOUR_7, "Dr S3", FLUSH_2], 2, "", {**EMPTY, "player": 2}),
    Example("nobody is asked on the dog", [FOUR_9, FOUR_7, "Hu S3", FLUSH_2], 2, "Hu", {**EMPTY, "player": 0}),
    Example(
        "a bomb may be led",
        [f"{FOUR_9} S3", FOUR_7, "S4 S5", "B4"],
        0,
        FOUR_9,
        {"owner": 0, "player": 1, "phase": "play"},
        legal={"pass"},
    ),
    Example(
        "no bomb comes between the Mahjong and the wish",
        ["Ma S3", "SA S4", f"{FOUR_7} B4", "GA G4"],
        0,
        "Ma",
        {"player": 0, "phase": "wish"},
        illegal=(FOUR_7, "pass"),
    ),
    Example(
        "who is out is not asked, his trick can be bombed",
        ["S3", "SA S4", f"{FOUR_7} B4", "GA G4"],
        0,
        f"S3; pass*5; {FOUR_7}",  # asked, seat 1, seat 2, asked, seat 3, and asked when all have passed
        {"owner": 2, "player": 3, "out": [0]},
    ),
    Example(
        "somebody goes out with a bomb out of turn",
        ["S3 S5", "SA S4", FOUR_7, "GA G4"],
        0,
        f"S3; {FOUR_7}; pass*3",
        {**EMPTY, "player": 3, "out": [2]},
    ),
    Example(
        "a bomb out of turn ends the round",
        ["S3 S5", "", "SA S6", FOUR_7],
        0,
        f"S3; {FOUR_7}",
        {"phase": "over", "player": None, "out": [1, 3], "score": [0, 200]},
    ),
]


@pytest.mark.parametrize("example", BOMBING, ids=str)
def test_bombs_come_when_they_may(example: Example) -> None:
    example.check()


def test_tichu_is_called_just_before_a_bomb_that_is_the_first_play() -> None:
    both = start(["S3 SA", "S4", f"{FOUR_7} B4", "G4"], 0, has_played=[False] * 4)
    both.play("S3")
    assert set(both.moves()) == {"pass", "tichu", FOUR_7}
    both.play("tichu")
    assert set(both.moves()) == {"pass", FOUR_7}
    both.play(FOUR_7)
    assert both.state.to_json()["announced"] == [0, 0, 1, 0]


# --- the wish ----------------------------------------------------------------------------------------------------

WISHES = {f"wish {value}" for value in range(2, 15)}
WISHING = [
    Example(
        "a wish is optional", ["Ma S3", "S4", "S5", "S6"], 0, "Ma", {"phase": "wish"}, legal={"wish none", *WISHES}
    ),
    Example("a wish is compulsory", ["Ma S3", "S4", "S5", "S6"], 0, "Ma", {"phase": "wish"}, STRICT, WISHES),
    Example("no wish binds nobody", ["Ma S3", "S4 B6", "S5", "S6"], 0, "Ma; wish none", {"wish": 0, "fulfilled": 0}),
    Example(
        "the Mahjong in a street entitles to a wish",
        ["Ma S2 B3 G4 R5 S3", "SA", "BA", "GA"],
        0,
        "Ma S2 B3 G4 R5",
        {"player": 0, "phase": "wish"},
    ),
    Example(
        "who goes out with the Mahjong wishes",
        ["Ma", "S4 B6", "S5 B5", "S6 B7"],
        0,
        "Ma; wish 6",
        {"player": 1, "phase": "play", "wish": 6, "out": [0]},
        legal={"B6"},
    ),
    Example(
        "there is no wish when the Mahjong ends the round",
        ["", "S4", "Ma", "S6"],
        2,
        "Ma",
        {"phase": "over", "wish": 0, "score": [200, 0]},
    ),
    Example(
        "the wisher is bound, too",
        ["Ma S3 B8 SK", "S2 S4", "S5 B5", "S6 B7"],
        0,
        "Ma; wish 8; S2; S5; S6",
        {"player": 0, "phase": "play", "wish": 8},
        legal={"B8"},
    ),
    Example(
        "a leader is bound",
        ["S8 Hu B9 B8", "S2", "S5", "S6"],
        0,
        "",
        {"wish": 8},
        {"wish": 8},
        legal={"S8", "B8", "S8 B8"},
    ),
    Example(
        "any combination with the value will do",
        ["S3 S5", "S8 B8 Ph S9 B9 SK", "S6", "B7"],
        0,
        "S3",
        {"player": 1},
        {"wish": 8},
        legal={"S8", "B8"},
    ),
    Example(
        "who can fulfil only with the Phoenix must",
        ["S3 B3 S5", "S8 Ph SK BK", "S6", "B7"],
        0,
        "S3 B3",
        {"player": 1},
        {"wish": 8},
        legal={"S8 Ph"},
    ),
    Example(
        "the Phoenix alone binds nobody and fulfils nothing",
        ["S3 S5", "Ph S9", "S6 B6", "B7"],
        0,
        "S3; Ph",
        {"player": 2, "wish": 8, "fulfilled": 0},
        {"wish": 8},
    ),
    Example(
        "the Phoenix in the place of the value does not fulfil",
        ["S3 S5", "S6 B7 Ph G9 R10 SA", "SK BK", "S4"],
        1,
        "S6 B7 G9 R10 Ph",
        {"wish": 8, "fulfilled": 0},
        {"wish": 8},
    ),
    Example(
        "who cannot fulfil is free and may pass",
        ["S9 S5", "S8 B10 SK", "S6", "B7"],
        0,
        "S9",
        {"player": 1, "wish": 8},
        {"wish": 8},
        legal={"B10", "SK", "pass"},
    ),
    Example(
        "a bomb is forced where only it fulfils",
        ["S9 S5", f"{FOUR_8} SK", "S6", "B7"],
        0,
        "S9",
        {"player": 1},
        {"wish": 8},
        legal={FOUR_8},
    ),
    Example(
        "another bomb may be thrown instead",
        ["S3 S5", f"{FOUR_7} S8 SK", "S6", "B6"],
        0,
        "S3",
        {"player": 1},
        {"wish": 8},
        legal={"S8", FOUR_7},
    ),
    Example(
        "another bomb may not be thrown instead",
        ["S3 S5", f"{FOUR_7} S8 SK", "S6", "B6"],
        0,
        "S3",
        {"player": 1},
        {"wish": 8, **STRICT},
        legal={"S8"},
    ),
    Example(
        "out of turn a bomb may be thrown under any rules",
        ["S3 S5", "S9 S10", f"{FOUR_7} S8 SK", "B6"],
        0,
        "S3",
        {"player": 2, "phase": "bomb"},
        {"wish": 8, **STRICT},
        legal={"pass", FOUR_7},
    ),
    Example(
        "a pair fulfils a wish",
        ["S3 B3 S5", "S9 B9 S4", "S8", "SK BK GA"],
        0,
        "S3 B3; pass*2; SK BK",
        {"wish": 0, "fulfilled": 13},
        {"wish": 13},
    ),
    Example(
        "a wish survives tricks",
        ["SA S5", "S9 B9", "S7 S4", "S6 S10"],
        0,
        "SA; pass*3; S5; S9; pass*2",
        {**EMPTY, "player": 1, "wish": 8},
        {"wish": 8},
    ),
    Example(
        "a wish that was fulfilled binds nobody",
        ["S3 S5", "S8 B9", "B8 SK", "S4"],
        0,
        "S3; S8",
        {"player": 2, "wish": 0, "fulfilled": 8},
        {"wish": 8},
        legal={"pass", "SK"},
    ),
]


@pytest.mark.parametrize("example", WISHING, ids=str)
def test_a_wish_binds_as_it_should(example: Example) -> None:
    example.check()


# --- calls -------------------------------------------------------------------------------------------------------


def test_tichu_is_called_out_of_turn_by_whoever_has_not_played() -> None:
    both = start(["S3 B3", "S4 B4", "S5 B5", "S6 B6"], 0, has_played=[False] * 4, announced=[0, 0, 0, 2])
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
    with pytest.raises(st.BadMove):
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
    state = start(["S3 B3", "S4 B4", "S5 B5", "S6 B6"], 0, has_played=[False] * 4).state
    before = state.to_json()
    state.play("tichu")
    assert state.to_json() == {**before, "announced": [1, 0, 0, 0]}


# --- what always holds -------------------------------------------------------------------------------------------

POINTS = np.zeros(56, dtype=np.int64)
POINTS[[NAMES.index(card) for card in plain_round.POINTS]] = list(plain_round.POINTS.values())


def points_in(hands: np.ndarray) -> np.ndarray:
    """The points of the cards in each set."""
    return ((hands[..., None] >> np.arange(56) & 1) * POINTS).sum(axis=-1)


def check_cards(game: Any, states: Records) -> None:
    """Every card is in exactly one place, and so is every point."""
    held, undealt, log = states["hand"], states["undealt"], states["log"] & ALL_CARDS
    gifts = np.where(states["given"] > 0, 1 << np.maximum(states["given"].astype(np.int64) - 1, 0), 0).reshape(-1, 12)
    gifts[states["phase"] != SCHUPF] = 0
    places = np.concatenate([held, undealt, log, gifts], axis=1)
    assert (places.sum(axis=1) == ALL_CARDS).all()
    assert (np.bitwise_or.reduce(places, axis=1) == ALL_CARDS).all()
    playing = (states["phase"] != SCHUPF) & (states["phase"] != ENDED) & (states["starter"] >= 0)
    counted = points_in(held).sum(axis=1) + states["points"].sum(axis=1) + states["trick_points"]
    assert (counted[playing] == 100).all()
    for state in states[:3]:
        assert game.problems(state) == []


def check_scores(states: Records) -> None:
    """Rounds that are over: the range, and the hundred points apart from calls."""
    score, first, second = states["score"], states["finished"][:, 0], states["finished"][:, 1]
    assert (states["phase"] == ENDED).all()
    assert (score % 5 == 0).all() and (score >= -425).all() and (score <= 400).all()
    bonus = np.where(np.arange(4) == first[:, None], 100, -100) * states["announced"]
    cards = score - np.stack([bonus[:, 0] + bonus[:, 2], bonus[:, 1] + bonus[:, 3]], axis=1)
    double = (first + 2) % 4 == second
    assert (cards.sum(axis=1) == np.where(double, 200, 100)).all()
    assert (cards[double, first[double] % 2] == 200).all()
    assert (cards[~double] >= -25).all() and (cards[~double] <= 125).all()
    assert (states["out_count"] == np.where(double, 2, 3)).all()


def random_rounds(rounds: int, seed: int) -> Batch:
    """Play so many rounds with random moves, looking at all of them after every few moves."""
    batch, rng = Batch(st.game("tichu", rounds=1), rounds, seed), np.random.default_rng(seed)
    steps = 0
    while (batch.players() != OVER).any():
        actions, offsets = batch.legal()
        number = np.diff(offsets)
        assert ((number > 0) == (batch.players() != OVER)).all()
        chosen = offsets[:-1] + (rng.random(rounds) * number).astype(np.int64)
        batch.step(np.append(actions, 0)[chosen])
        steps += 1
        if steps % 7 == seed % 7:
            check_cards(batch.game, batch.states)
    return batch


def test_cards_and_points_are_kept_in_thousands_of_random_rounds() -> None:
    for seed in range(10):
        check_scores(random_rounds(1000, seed).states)


@pytest.mark.slow
def test_cards_and_points_are_kept_in_100000_random_rounds() -> None:
    for seed in range(100, 200):
        check_scores(random_rounds(1000, seed).states)


@numba.njit(nogil=True)  # type: ignore[untyped-decorator]
def policy_step(states: Records, rngs: Rng, buffer: Actions) -> int:
    """One move of the heuristic policy in every round that is not over; how many there are."""
    n = 0
    for i in range(len(states)):
        if player(states[i]) != OVER:
            apply(states[i], playout_action(states[i], buffer, rngs[i]), rngs[i])
            n += 1
    return n


@pytest.mark.slow
def test_cards_and_points_are_kept_in_10000_rounds_of_the_heuristic_policy() -> None:
    buffer = np.empty(MOST_ACTIONS, dtype=np.int64)
    for seed in range(10):
        batch = Batch(st.game("tichu", rounds=1), 1000, seed)
        while policy_step(batch.states, batch.rngs, buffer):
            check_cards(batch.game, batch.states)
        check_scores(batch.states)
