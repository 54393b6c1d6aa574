"""Positions as JSON: written and read back, everything that is refused, what each seat sees and is told."""

import json
from random import Random
from typing import Any

import pytest

import stammtisch as st
from games.tichu import plain
from games.tichu.deals import dealt_position, late_position, visited
from stammtisch.core.conformance import check
from stammtisch.core.errors import BadPosition
from stammtisch.core.game import State

GAME = st.game("tichu", rounds=1)
DECK = plain.DECK
TRICK = {"owner": 1, "cards": ["S8", "R8"], "type": "pair", "length": 2, "rank": 8, "points": 0}
PLAY: dict[str, Any] = {
    "game": "tichu",
    "player": 2,
    "phase": "play",
    "hands": [["S9", "B9"], ["S2", "B3"], ["Dr", "SA", "BA"], ["B10", "G4"]],
    "trick": TRICK,
}
GRAND: dict[str, Any] = {
    "player": 0,
    "phase": "grand",
    "hands": [DECK[14 * seat : 14 * seat + 8] for seat in range(4)],
    "undealt": [DECK[14 * seat + 8 : 14 * seat + 14] for seat in range(4)],
}
SCHUPF: dict[str, Any] = {"player": 0, "phase": "schupf", "hands": [DECK[14 * i : 14 * i + 14] for i in range(4)]}
BOMBER: dict[str, Any] = {**PLAY, "hands": [["S9", "B9"], ["S2", "B3"], ["SA", "BA"], ["S7", "B7", "G7", "R7"]]}


def games(n: int) -> list[tuple[dict[str, Any] | None, int]]:
    """Where ``n`` biased random rounds begin: new, dealt with bombs, near the end."""
    begins = [lambda rng: None, lambda rng: dealt_position(rng, "schupf"), dealt_position, late_position, late_position]
    return [(begins[seed % 5](Random(seed)), seed) for seed in range(n)]


# --- writing and reading -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("begin", "seed"), games(10))
def test_every_position_of_a_round_is_read_as_it_is_written(begin: dict[str, Any] | None, seed: int) -> None:
    for state in visited(begin, Random(seed), rounds=1):
        position = state.to_json()
        assert state.game.from_json(json.loads(json.dumps(position))) == state
        if position["phase"] not in ("grand", "schupf"):
            enough = ("hands", "player", "phase", "trick", "passes", "wish", "out", "announced", "has_played")
            assert GAME.from_json({key: position[key] for key in enough}).moves() == state.moves()


def test_positions_of_a_game_of_several_rounds_are_read_as_they_are_written() -> None:
    for state in visited(None, Random(3), rounds=3, target=500):
        assert state.game.from_json(json.loads(json.dumps(state.to_json()))) == state


def test_the_example_of_the_notation_is_a_template() -> None:
    template: dict[str, Any] = {
        "game": "tichu",
        "options": {"bomb_may_ignore_wish": True, "wish_optional": True, "target": 1000},
        "player": 2,
        "phase": "play",
        "hands": [["S9", "B9"], ["S2", "B3"], ["SA", "BA", "Dr"], ["G4", "B10"]],
        "undealt": [[], [], [], []],
        "schupfed": [["S2", "Dr", "B10"], None, None, None],
        "announced": [0, 0, 1, 2],
        "has_played": [True, False, True, True],
        "wish": 0,
        "trick": {"owner": 1, "cards": ["S8", "Ph"], "type": "pair", "length": 2, "rank": 8, "points": 0},
        "passes": 1,
        "points": [0, 10, 0, 5],
        "out": [],
        "score": [340, 215],
    }
    state = st.game("tichu").from_json(template)
    assert state.moves() == ["pass", "SA BA"]
    expected = {**template, "passes": 0}  # follows from the owner of the trick and the player
    found = state.to_json()
    assert {key: found[key] for key in template if key != "options"} == {
        key: value for key, value in expected.items() if key != "options"
    }
    assert found["options"].items() >= template["options"].items()


def test_hands_and_a_player_are_a_position() -> None:
    state = GAME.from_json({"hands": [["S8", "R8", "Ph"], ["S9"], ["Dr"], ["Hu", "G2"]], "player": 0})
    assert state.moves() == ["S8", "R8", "Ph", "S8 R8", "S8 Ph", "R8 Ph", "S8 R8 Ph"]
    found = state.to_json()
    assert (found["phase"], found["trick"], found["out"], found["score"]) == ("play", None, [], [0, 0])
    assert GAME.from_json({"hands": [["S8"], [], ["Dr"], ["G2"]], "player": 0}).to_json()["out"] == [1]
    full = GAME.from_json({"hands": SCHUPF["hands"], "player": 0, "phase": "play"}).to_json()
    assert (full["starter"], full["has_played"]) == (0, [False] * 4)


def test_a_trick_on_the_table_needs_no_plays_before_it() -> None:
    state = GAME.from_json(PLAY)
    for move in ("SA BA", "pass", "pass", "pass"):
        state.play(move)
        assert GAME.from_json(state.to_json()) == state
    assert state.to_json()["tricks"][-1][-1] == [2, "SA BA"]


@pytest.mark.parametrize(
    ("cards", "rank", "beats"),
    [
        (["Ph"], 8.5, {"S9", "B9", "GA"}),
        (["Ph"], None, {"S3", "S8", "S9", "B9", "GA"}),  # led: one and a half
        (["S3"], None, {"S8", "S9", "B9", "GA"}),
        (["Dr"], 15, set()),
        (["S4", "B5", "G6", "R7", "Ph"], 7, {"G4 G5 B6 B7 S8"}),
        (["S4", "B5", "G6", "R7", "Ph"], 8, set()),
        (["S4", "B5", "G6", "R7", "Ph"], None, set()),  # the higher
    ],
)
def test_the_rank_of_the_phoenix_on_the_table_is_what_is_given(
    cards: list[str], rank: float | None, beats: set[str]
) -> None:
    hand = ["S3", "S8", "S9", "B9", "GA"] if len(cards) == 1 else ["G4", "G5", "B6", "B7", "S8"]
    hand = [card for card in hand if card not in cards]
    trick = {"owner": 3, "cards": cards} | ({} if rank is None else {"rank": rank})
    state = GAME.from_json({"hands": [hand, ["S2"], ["B2"], ["G2"]], "player": 0, "trick": trick})
    assert set(state.moves()) == beats | {"pass"}
    assert GAME.from_json(state.to_json()) == state


def test_passes_follow_from_owner_and_player() -> None:
    for player, out, passes in ((2, [], 0), (3, [], 1), (0, [], 2), (0, [3], 1), (3, [2], 0)):
        hands = [[] if seat in out else hand for seat, hand in enumerate(PLAY["hands"])]
        state = GAME.from_json({**PLAY, "hands": hands, "player": player, "passes": 3})
        assert (state.to_json()["passes"], state.player) == (passes, player)


def test_cards_laid_aside_may_still_be_listed_in_the_hand() -> None:
    gifts = [DECK[:3], None, None, None]
    listed = GAME.from_json({**SCHUPF, "schupfed": gifts, "player": 1})
    without = [DECK[3:14], *SCHUPF["hands"][1:]]
    assert listed == GAME.from_json({**SCHUPF, "hands": without, "schupfed": gifts, "player": 1})
    assert listed.to_json()["hands"] == without


# --- what is refused ---------------------------------------------------------------------------------------------


def hands(*changed: list[Any]) -> dict[str, Any]:
    return {"hands": [*changed, *PLAY["hands"][len(changed) :]]}


def trick(**changed: Any) -> dict[str, Any]:
    return {"trick": {**TRICK, **changed}}


REFUSED: list[tuple[dict[str, Any], dict[str, Any], str, str]] = [
    # cards
    (PLAY, hands(["S9", "S9"]), "hands", "S9 is there twice"),
    (PLAY, hands(["S9", "S2"]), "hands", "S2 is there twice"),
    (PLAY, hands(["S1"]), "hands", "'S1' is no card"),
    (PLAY, hands(["s9"]), "hands", "did you mean S9"),
    (PLAY, hands([9]), "hands", "'9' is no card"),
    (PLAY, hands([["S9"]]), "hands", "is no card"),
    (PLAY, hands([None, None]), "hands", "a seat's view is not enough"),
    (PLAY, {"hands": ["S9", "B9", "G9", "R9"]}, "hands", "each is a list of cards"),
    (PLAY, {"hands": PLAY["hands"][:3]}, "hands", "a list of 4 entries"),
    (PLAY, {"hands": None}, "hands", "a list of 4 entries"),
    (PLAY, hands(DECK[20:35]), "hands", "seat 0 has 15 cards; 14 is the most"),
    (PLAY, {"undealt": [["G2"], [], [], []]}, "undealt", "seat 0 has 1 undealt cards after the deal"),
    (PLAY, {"undealt": [["S9"], [], [], []]}, "hands", "S9 is there twice"),
    (GRAND, {"hands": [DECK[:7], *GRAND["hands"][1:]]}, "hands", "seat 0 has 7 cards and 6 undealt; before the call"),
    (GRAND, {"undealt": [*GRAND["undealt"][:3], DECK[50:55]]}, "hands", "seat 3 has 8 cards and 5 undealt"),
    (GRAND, {"undealt": [*GRAND["undealt"][:3], DECK[:6]]}, "hands", "Hu is there twice"),
    (GRAND, {"undealt": [[], [], [], []]}, "hands", "seat 0 has 8 cards and 0 undealt"),
    (GRAND, {"undealt": [[None] * 6] * 4}, "undealt", "a seat's view is not enough"),
    (SCHUPF, {"hands": [DECK[:13], *SCHUPF["hands"][1:]]}, "hands", "seat 0 has 13 cards; before schupfen it is 14"),
    # schupfed
    (GRAND, {"schupfed": [DECK[8:11], None, None, None]}, "schupfed", "nothing is schupfed before all cards are dealt"),
    (SCHUPF, {"schupfed": [DECK[14:17], None, None, None], "player": 1}, "schupfed", "S5 is in the hand of seat 1"),
    (SCHUPF, {"schupfed": [DECK[:2], None, None, None], "player": 1}, "schupfed", "seat 0: three cards"),
    (SCHUPF, {"schupfed": ["Hu", None, None, None], "player": 1}, "schupfed", "seat 0: three cards"),
    (SCHUPF, {"schupfed": [DECK[:3], DECK[:3], None, None], "player": 2}, "schupfed", "Hu is there twice"),
    (SCHUPF, {"schupfed": [DECK[:3], None, None, None]}, "player", "seat 0 has schupfed already"),
    (SCHUPF, {"schupfed": [[None] * 3, None, None, None], "player": 1}, "schupfed", "no card"),
    (
        PLAY,
        {"schupfed": [["B9", "G5", "G6"], None, None, None]},
        "schupfed",
        "B9 is in the hand of seat 0, who did not",
    ),
    (PLAY, {"schupfed": [["S2", "S2", "G6"], None, None, None]}, "schupfed", "S2 is there twice"),
    (PLAY, {"schupfed": [["X2", "S2", "G6"], None, None, None]}, "schupfed", "'X2' is no card"),
    (PLAY, {"schupfed": [None, None, None]}, "schupfed", "a list of 4 entries"),
    # the trick
    (PLAY, trick(cards=["S8", "R9"]), "trick", "S8 R9: no combination that can lie there"),
    (PLAY, trick(cards=["Hu"]), "trick", "Hu: no combination that can lie there"),
    (PLAY, trick(cards=[]), "trick", "no cards: no combination"),
    (PLAY, trick(cards=["S8", "S8"]), "trick", "S8 is there twice"),
    (PLAY, trick(cards=["S8", "Q8"]), "trick", "'Q8' is no card"),
    (PLAY, trick(cards=["S9", "R9"], rank=9), "trick", "S9 lies on the table and is in a hand"),
    (PLAY, trick(type="triple", length=3), "trick", "S8 R8 is no triple of 3"),
    (PLAY, trick(type="couple"), "trick", "type 'couple': one of single, pair"),
    (PLAY, trick(length=3), "trick", "length 3: there is no pair of this length"),
    (PLAY, trick(length=[2]), "trick", "length [2]: there is no pair of this length"),
    (PLAY, trick(rank=9), "trick", "rank 9 does not fit S8 R8"),
    (PLAY, trick(rank=8.5), "trick", "rank 8.5 does not fit S8 R8"),
    (PLAY, trick(rank="8"), "trick", "rank 8 does not fit S8 R8"),
    (PLAY, {"trick": {"owner": 1, "cards": ["Ph"], "rank": 8}}, "trick", "rank 8 does not fit Ph"),
    (PLAY, {"trick": {"owner": 1, "cards": ["Ph"], "rank": 15.5}}, "trick", "rank 15.5 does not fit Ph"),
    (PLAY, trick(owner=4), "trick", "a whole number from 0 to 3, not 4"),
    (PLAY, trick(owner=None), "trick", "a whole number from 0 to 3"),
    (PLAY, trick(points=130), "trick", "a whole number from -25 to 125, not 130"),
    (PLAY, trick(colour="red"), "trick", "an object with owner, cards, type"),
    (PLAY, {"trick": {"owner": 1}}, "trick", "an object with owner, cards, type"),
    (PLAY, {"trick": ["S8", "R8"]}, "trick", "null, or an object"),
    (SCHUPF, trick(), "trick", "in phase schupf nothing lies on the table"),
    (PLAY, {"phase": "bomb", "trick": None}, "trick", "in phase bomb something lies on the table"),
    (PLAY, {"phase": "wish", "trick": None}, "trick", "in phase wish something lies on the table"),
    # the plays so far
    (PLAY, {"tricks": [[[0, "S9"]]], "trick": None}, "tricks", "S9 cannot have been played"),
    (PLAY, {"tricks": [[[0, "S3"], [1, "S3"]]], "trick": None}, "tricks", "S3 cannot have been played"),
    (PLAY, {"tricks": [[[0, "S8"]], [[1, "S6"]]]}, "trick", "S8"),
    (PLAY, {"tricks": [[[0, "S3 S4"]]], "trick": None}, "tricks", "'S3 S4' is no combination"),
    (PLAY, {"tricks": [[[4, "S3"]]], "trick": None}, "tricks", "a whole number from 0 to 3, not 4"),
    (PLAY, {"tricks": [[[0, 3]]], "trick": None}, "tricks", "a play is a seat and cards"),
    (PLAY, {"tricks": [[]], "trick": None}, "tricks", "each is a list of plays"),
    (PLAY, {"tricks": ["S3"], "trick": None}, "tricks", "each is a list of plays"),
    *((PLAY, {"tricks": [[[0, word]]], "trick": None}, "tricks", "no play") for word in ("pass", "no", "dragon 1")),
    *((PLAY, {"tricks": [[[0, word]]], "trick": None}, "tricks", "no play") for word in ("tichu", "grand", "wish 8")),
    # wish, calls, points
    *((PLAY, {"wish": value}, "wish", "0 for none, or a value from 2 to 14") for value in (1,)),
    *((PLAY, {"wish": value}, "wish", "a whole number from 0 to 14") for value in (15, -1, True, "8", 8.0, None)),
    (PLAY, {"fulfilled": 1}, "fulfilled", "0 for none, or a value from 2 to 14"),
    (PLAY, {"wish": 8, "fulfilled": 8}, "fulfilled", "a wish is open"),
    (PLAY, {"announced": [0, 0, 0, 3]}, "announced", "a whole number from 0 to 2, not 3"),
    (PLAY, {"announced": [0, 0, 0]}, "announced", "a list of 4 entries"),
    (PLAY, {"has_played": [1, 1, 1, 1]}, "has_played", "true or false for each seat"),
    (PLAY, {"points": [0, 0, 0, 126]}, "points", "a whole number from -25 to 125"),
    (PLAY, {"score": [0, 0, 0]}, "score", "a list of 2 entries"),
    (PLAY, {"score": [0.5, 0]}, "score", "a whole number"),
    (PLAY, {"round": 0}, "round", "a whole number from 1 to 1000"),
    (PLAY, {"starter": 4}, "starter", "a whole number from 0 to 3"),
    (PLAY, hands(["Ma"]) | {"starter": 1}, "starter", "1, but seat 0 has the Mahjong"),
    (PLAY, {"dragon": 4}, "dragon", "a whole number from 0 to 3"),
    (PLAY, {"passes": 4}, "passes", "a whole number from 0 to 3"),
    # who is out
    (PLAY, {"out": [0]}, "out", "[0], but the seats without cards are []"),
    (PLAY, hands([]) | {"out": []}, "out", "[], but the seats without cards are [0]"),
    (PLAY, hands([]) | {"out": [0, 0]}, "out", "[0, 0], but the seats without cards are [0]"),
    (PLAY, hands([], []), "out", "the seats 0, 1 have no cards: who went out first?"),
    (PLAY, {"hands": [[], ["S2"], [], ["S3"]], "out": [0, 2], "player": 3}, "out", "[0, 2]: then the round is over"),
    (PLAY, {"hands": [[], [], ["S2"], []], "out": [0, 1, 3]}, "out", "[0, 1, 3]: then the round is over"),
    (SCHUPF, {"out": [0]}, "out", "nobody can be out before the first trick"),
    (PLAY, {"phase": "over", "player": None, "trick": None}, "phase", "over, but the round is not"),
    # who decides what
    (PLAY, {"phase": "deal"}, "phase", "one of grand, schupf, play, bomb, wish, dragon, over, not 'deal'"),
    (PLAY, {"phase": None}, "phase", "one of grand"),
    (PLAY, {"player": None}, "player", "the seat that decides"),
    (PLAY, {"player": 4}, "player", "a whole number from 0 to 3, not 4"),
    (PLAY, {"player": True}, "player", "a whole number from 0 to 3, not True"),
    (PLAY, {"player": 1}, "player", "seat 1 owns the trick and is not asked again"),
    (PLAY, hands([]) | {"player": 0}, "player", "seat 0 has no cards"),
    (PLAY, {"phase": "wish", "player": 1}, "phase", "wish, but the Mahjong does not lie on the table"),
    (PLAY, {"phase": "wish", "player": 2}, "player", "seat 2, but the trick belongs to seat 1"),
    (PLAY, {"phase": "dragon", "player": 1}, "phase", "dragon, but the dragon does not lie on the table"),
    (PLAY, {"phase": "bomb", "player": 3}, "player", "seat 3 has no bomb that beats the trick"),
    (BOMBER, {"phase": "bomb", "player": 3, "passes": 1}, "player", "seat 3 is on turn: its phase is play"),
    (
        BOMBER,
        {"phase": "bomb", "player": 3, **trick(cards=["SK", "BK", "GK", "RK"], type="bomb", length=4, rank=13)},
        "player",
        "seat 3 has no bomb that beats",
    ),
    # what play cannot reach
    (GRAND, {"announced": [1, 0, 0, 0]}, "announced", "when all cards are dealt"),
    (GRAND, {"announced": [0, 0, 0, 2]}, "announced", "seat 3 has not been asked yet"),
    (SCHUPF, {"has_played": [True, False, False, False]}, "has_played", "nobody has played"),
    (SCHUPF, {"points": [5, 0, 0, 0]}, "points", "none before the first trick"),
    (SCHUPF, {"wish": 5}, "wish", "the Mahjong has not been played"),
    (PLAY, {**hands(["S9", "Ma"]), "wish": 5}, "wish", "the Mahjong has not been played"),
    (PLAY, {**hands(["S9", "Ma"]), "fulfilled": 5}, "wish", "the Mahjong has not been played"),
    (
        PLAY,
        {"phase": "wish", "player": 1, "wish": 4, **trick(cards=["Ma"], type="single", length=1, rank=1)},
        "wish",
        "still to be made",
    ),
    (PLAY, {"dragon": 1}, "dragon", "it has not been played"),
    (PLAY, {"phase": "over", "hands": [[]] * 4, "out": [0, 1, 2, 3], "trick": None}, "out", "keeps his cards"),
    (
        PLAY,
        {
            "phase": "dragon",
            "player": 1,
            "hands": [["S9"], [], ["SA"], []],
            "out": [3, 1],
            **trick(cards=["Dr"], type="single", length=1, rank=15),
        },
        "phase",
        "a double victory ends the round",
    ),
    (
        PLAY,
        {
            "phase": "dragon",
            "player": 1,
            "hands": [[], [], [], ["S9"]],
            "out": [1, 2, 0],
            **trick(cards=["Dr"], type="single", length=1, rank=15),
        },
        "phase",
        "the round ended before",
    ),
    (
        BOMBER,
        {"phase": "bomb", "player": 3, "passes": 3, "hands": [[], *BOMBER["hands"][1:]]},
        "passes",
        "3, more than others with cards",
    ),
    (PLAY, {"tricks": [[[0, "S6"], [1, "S5"]]]}, "tricks", "'S5' does not beat what lay there"),
    (PLAY, {"tricks": [[[0, "S6"], [1, "S7 B7"]]]}, "tricks", "'S7 B7' does not beat what lay there"),
    # the rest
    (PLAY, {"hand": []}, "hand", "did you mean hands"),
    (PLAY, {"game": "dog"}, "game", "this is tichu, the position is for dog"),
]


@pytest.mark.parametrize(
    ("base", "changed", "key", "reason"),
    REFUSED,
    ids=[f"{case[0]['phase']} {case[2]} {case[3]}"[:60] for case in REFUSED],
)
def test_a_bad_position_is_refused_with_its_field(
    base: dict[str, Any], changed: dict[str, Any], key: str, reason: str
) -> None:
    GAME.from_json(base)
    with pytest.raises(BadPosition) as caught:
        GAME.from_json({**base, **changed})
    assert caught.value.field == key
    assert reason in str(caught.value)
    assert len(str(caught.value)) < 400


def test_a_question_for_a_bomb_can_be_given() -> None:
    state = GAME.from_json({**BOMBER, "phase": "bomb", "player": 3, "passes": 0})
    assert state.moves() == ["pass", "S7 B7 G7 R7"]
    assert state.to_json()["phase"] == "bomb"
    state.play("pass")
    assert (state.player, state.to_json()["phase"]) == (2, "play")
    last = GAME.from_json({**BOMBER, "phase": "bomb", "player": 3, "passes": 3})
    last.play("pass")
    assert (last.player, last.to_json()["trick"]) == (1, None)


def test_the_view_of_a_seat_is_no_position() -> None:
    for begin, seed in games(4):
        for state in visited(begin, Random(seed), rounds=1):
            for seat in range(4):
                if not state.over:
                    with pytest.raises(BadPosition, match="a seat's view is not enough"):
                        GAME.from_json(state.view(seat))


# --- what is seen and told ---------------------------------------------------------------------------------------


def seen_gifts(position: dict[str, Any], giver: int, seat: int | None) -> list[str | None] | None:
    """The own gifts, and when all have been taken up those that one got; null where one knows nothing."""
    gifts = position["schupfed"][giver]
    if gifts is None or (position["phase"] == "schupf" and giver != seat):
        return None
    found = [card if seat in (giver, (giver + 1 + i) % 4) else None for i, card in enumerate(gifts)]
    return found if any(found) else None


def seen(position: dict[str, Any], seat: int | None) -> dict[str, Any]:
    """The position as a seat, or a spectator, may see it."""
    found = dict(position)
    if position["phase"] == "over":
        return found
    found["hands"] = [hand if holder == seat else [None] * len(hand) for holder, hand in enumerate(position["hands"])]
    found["undealt"] = [[None] * len(cards) for cards in position["undealt"]]
    found["schupfed"] = [seen_gifts(position, giver, seat) for giver in range(4)]
    if position["phase"] == "bomb" and position["player"] != seat:
        owner = position["trick"]["owner"]
        waiting = [(owner + i) % 4 for i in (1, 2, 3) if position["hands"][(owner + i) % 4]]
        passes = min(position["passes"], len(waiting) - 1)  # who passed last still seems to think
        found |= {"phase": "play", "passes": passes, "player": waiting[passes]}
    return found


@pytest.mark.parametrize(("begin", "seed"), games(10))
def test_a_seat_sees_exactly_what_it_may_know(begin: dict[str, Any] | None, seed: int) -> None:
    phases = set()
    for state in visited(begin, Random(seed), rounds=1):
        position = state.to_json()
        phases.add(position["phase"])
        for seat in (0, 1, 2, 3, None):
            view = state.view(seat)
            assert view == seen(position, seat)
            assert seat is None or state.seat(seat).view() == view
        check_told(state)
    assert phases >= {"play", "over"}


def check_told(state: State) -> None:
    """Gifts and bombs kept back are known to who decides alone, all else to all."""
    phase = state.to_json()["phase"]
    for action in state.actions()[:20] + state.actions()[-20:]:
        text = state.game.format(action)
        hidden = text.startswith("schupf") or (phase == "bomb" and text == "pass")
        for seat in (0, 1, 2, 3, None):
            assert state.told(action, seat) == (None if hidden and seat != state.player else text)


def test_a_call_out_of_turn_is_told_to_all_also_while_schupfing() -> None:
    for base in (SCHUPF, BOMBER | {"phase": "bomb", "player": 3, "has_played": [False] * 4}):
        state = GAME.from_json(base)
        action = GAME.parse("tichu 2")
        assert [state.told(action, seat) for seat in (0, 1, 2, 3, None)] == ["tichu 2"] * 5


def test_the_question_for_a_bomb_shows_only_who_is_asked() -> None:
    """All views of the others are those of a position in which nobody holds a bomb."""
    asked = GAME.from_json({**BOMBER, "phase": "bomb", "player": 3, "passes": 0})
    harmless = GAME.from_json({**BOMBER, "hands": [*BOMBER["hands"][:3], ["S7", "B7", "G7", "R6"]]})
    for seat in (0, 1, 2, None):
        assert asked.view(seat) == harmless.view(seat)
    assert asked.view(3)["phase"] == "bomb"


# --- the contract ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        {"rounds": 1},
        {"rounds": 1, "merged": True, "wish_optional": False, "bomb_may_ignore_wish": False},
        *(
            pytest.param(options, marks=pytest.mark.slow)
            for options in (
                {},
                {"rounds": 1, "merged": True},
                {"rounds": 1, "wish_optional": False, "bomb_may_ignore_wish": False},
                {"rounds": 2, "target": 100, "play_on": True},
            )
        ),
    ],
    ids=str,
)
def test_the_contract_is_kept(options: dict[str, Any]) -> None:
    report = check(st.game("tichu", **options), games=1, seed=1, max_moves=10_000)
    assert report.ok, str(report)
