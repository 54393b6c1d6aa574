"""Options and rule sets, positions as JSON and all that is refused, what a seat sees, throws, cards that stay 110."""

import json
from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest

import stammtisch as st
from games.dog.test_rules import random_options
from stammtisch.core.batch import Batch
from stammtisch.core.conformance import check
from stammtisch.core.errors import BadMove, BadPosition, StammtischError
from stammtisch.core.rng import stream

HOME = ["H"] * 4
PINS = [["5", "G1", "H", "H"], ["14", "H", "H", "H"], HOME, HOME]
MADN: dict[str, Any] = {"game": "madn", "player": 0, "phase": "play", "pins": PINS, "die": 3}
DMADN: dict[str, Any] = {"game": "dmadn", "player": 0, "phase": "play", "pins": PINS}
DOG: dict[str, Any] = {
    "game": "dog",
    "player": 0,
    "phase": "play",
    "pins": PINS,
    "hands": [["7", "2"], ["13"], ["2"], []],
}
TEAMS: dict[str, Any] = {**DOG, "options": {"teams": True}}

# --- options -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "options", "reason"),
    [
        ("madn", {"teams": True, "players": 3}, "teams need 4 players, not 3"),
        ("dog", {"teams": True, "players": 2}, "teams need 4 players, not 2"),
        ("dog", {"players": 2, "seats": [0, 1, 2]}, "2 players need 2 seats"),
        ("dog", {"seats": [3, 2, 1, 0]}, "seats=3210"),
        ("madn", {"players": 5}, "players=5"),
        ("madn", {"distance": 7}, "distance=7"),
        ("madn", {"distance": 30}, "distance=30"),
        ("madn", {"rules": "braendi"}, "rules=braendi"),
        ("dog", {"rules": "schmidt"}, "rules=schmidt"),
        ("dmadn", {"rethrow": True}, "rethrow"),
        ("dog", {"max_steps": 0}, "max_steps=0"),
    ],
)
def test_impossible_options_are_refused(name: str, options: dict[str, Any], reason: str) -> None:
    with pytest.raises(StammtischError, match=reason):
        st.game(name, **options)


def test_a_rule_set_sets_what_is_not_given_by_name() -> None:
    game = st.game("dog", rules="braendi", jump_in_goal=True)
    assert (game.options["distance"], game.options["teams"], game.options["stepwise"]) == (16, True, True)
    assert game.options["jump_in_goal"] is True
    schmidt = st.game("madn", rules="schmidt").new(seed=1)
    assert [row[0] for row in schmidt.to_json()["pins"]] == ["0", "10", "20", "30"]
    assert st.game("dog", rules="braendi", players=2).options["teams"] is False


def test_a_rule_set_can_be_named_in_a_position() -> None:
    state = st.position({**DOG, "options": {"rules": "braendi"}})
    assert state.game.options["distance"] == 16
    assert st.position(state.to_json()) == state
    assert state.game.from_json(DOG).game.options["rules"] == "braendi"


def test_a_position_for_fewer_players_leaves_the_teams_of_a_rule_set() -> None:
    state = st.game("dog", rules="braendi", players=2).new(seed=1)
    assert st.game("dog", rules="braendi").from_json({**state.to_json(), "options": {"players": 2}}) == state


def test_options_that_contradict_each_other_are_refused_in_a_position() -> None:
    with pytest.raises(BadPosition, match="joker=True does not go with the other options"):
        st.game("dog", special_cards=False).from_json({**DOG, "options": {"joker": True}})


def test_without_special_cards_there_are_none_of_the_four() -> None:
    game = st.game("dog", special_cards=False)
    assert not any(game.options[name] for name in ("joker", "hot_7", "swap", "neg_4"))
    assert not {"JOKER", "SWAP"} & set(game.new(seed=1).to_json()["deck"])


# --- positions ---------------------------------------------------------------------------------------------------

REFUSED: list[tuple[dict[str, Any], dict[str, Any], str, str]] = [
    (MADN, {"pins": [["5", "5", "H", "H"], HOME, HOME, HOME]}, "pins", "pin 0 of player 0 and pin 1 of player 0"),
    (
        MADN,
        {"pins": [["5", "H", "H", "H"], ["5", "H", "H", "H"], HOME, HOME]},
        "pins",
        "pin 0 of player 1 stand both on 5",
    ),
    (MADN, {"pins": [["G1", "G1", "H", "H"], HOME, HOME, HOME]}, "pins", "stand both on G1"),
    (MADN, {"pins": [["40", "H", "H", "H"], HOME, HOME, HOME]}, "pins", "a field from 0 to 39"),
    (MADN, {"pins": [["G4", "H", "H", "H"], HOME, HOME, HOME]}, "pins", "'G4'"),
    (MADN, {"pins": [["x", "H", "H", "H"], HOME, HOME, HOME]}, "pins", "'x'"),
    (MADN, {"pins": [[-1, "H", "H", "H"], HOME, HOME, HOME]}, "pins", "'-1'"),
    (MADN, {"pins": [[True, "H", "H", "H"], HOME, HOME, HOME]}, "pins", "'True'"),
    (MADN, {"pins": [HOME, HOME]}, "pins", "a list of 4 entries"),
    (MADN, {"pins": [["H"] * 3, HOME, HOME, HOME]}, "pins", "a list of 4 entries"),
    (MADN, {"pins": [["G0", "G1", "G2", "G3"], HOME, HOME, HOME]}, "phase", "the game is over"),
    (MADN, {"pins": [["G0", "G1", "G2", "G3"]] * 2 + [HOME, HOME]}, "pins", "two sides"),
    (MADN, {"phase": "over", "player": None}, "phase", "nobody has won"),
    (MADN, {"phase": "exchange"}, "phase", "one of play, over"),
    (MADN, {"die": 7}, "die", "from 1 to 6"),
    (MADN, {"die": None}, "die", "null"),
    (MADN, {"player": 4}, "player", "from 0 to 3"),
    (MADN, {"player": None}, "player", "the player who decides"),
    (MADN, {"steps": 3}, "steps", "only if max_steps"),
    (MADN, {"fresh": [True] * 4}, "fresh", "fresh_start_only"),
    (MADN, {"hands": [[]] * 4}, "hands", "unknown"),
    (DMADN, {"tokens": [[4] * 6] * 3}, "tokens", "a list of 4 entries"),
    (DMADN, {"tokens": [[5] * 6] * 4}, "tokens", "from 0 to 4"),
    (DMADN, {"tokens": [[0] * 6] * 4}, "tokens", "player 0 has none"),
    (DOG, {"hands": [["1"], [], [], []]}, "hands", "'1' is no card"),
    (DOG, {"hands": [["7"] * 9, [], [], []]}, "hands", "7 is there 9 times: there are 8"),
    (DOG, {"hands": [["JOKER"] * 4, ["JOKER"] * 3, [], []]}, "hands", "JOKER is there 7 times: there are 6"),
    (DOG, {"hands": [[None], [], [], []]}, "hands", "a seat's view is not enough"),
    (DOG, {"hands": [[], ["2"], [], []]}, "player", "player 0 has no cards"),
    (DOG, {"deck": {"7": 8}}, "deck", "7 is there too often"),
    (DOG, {"deck": {"7": 2}, "played": []}, "deck", "JOKER is there too seldom"),
    (DOG, {"deck": {"seven": 2}}, "deck", "'seven' is no card"),
    (DOG, {"deal": 7}, "deal", "from 2 to 6"),
    (DOG, {"gifts": ["7", None, None, None]}, "gifts", "in phase exchange only"),
    (DOG, {"given": ["2", None, None, None]}, "given", "nobody has a partner"),
    (DOG, {"phase": "exchange"}, "phase", "nobody has a partner"),
    (DOG, {"phase": "seven", "left": 3}, "phase", "not played part by part"),
    (TEAMS, {"given": ["7", None, None, None]}, "given", "seat 2 has no 7"),
    (TEAMS, {"phase": "exchange", "gifts": [None, "4", None, None]}, "gifts", "seat 1 gives later"),
    (TEAMS, {"phase": "exchange", "player": 1}, "gifts", "seat 0 has not given"),
    (TEAMS, {"phase": "exchange", "hands": [["2"], [], ["3"], ["4"]]}, "hands", "seat 1 has no card to give"),
    ({**DOG, "options": {"stepwise": True}}, {"phase": "seven", "left": 7}, "left", "from 1 to 6"),
]


@pytest.mark.parametrize(("base", "changed", "key", "reason"), REFUSED, ids=[f"{c[2]} {c[3]}"[:50] for c in REFUSED])
def test_a_bad_position_is_refused_with_its_field(
    base: dict[str, Any], changed: dict[str, Any], key: str, reason: str
) -> None:
    st.position(base)
    with pytest.raises(BadPosition) as caught:
        st.position({**base, **changed})
    assert caught.value.field == key
    assert reason in str(caught.value)


@pytest.mark.parametrize("name", ["madn", "dmadn", "dog"])
@pytest.mark.parametrize("seed", range(6))
def test_positions_are_read_as_they_are_written(name: str, seed: int) -> None:
    rng = Random(seed)
    state = st.game(name, **random_options(name, rng)).new(seed=seed)
    for _ in range(100):
        assert st.position(json.loads(json.dumps(state.to_json()))) == state
        if state.over:
            return
        state.play(rng.choice(state.moves()))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("madn", "p4"),
        ("madn", "p0:3"),
        ("dmadn", "p0"),
        ("dmadn", "p0:7"),
        ("dog", "p0"),
        ("dog", "move:3:p0:4"),
        ("dog", "move:4:p0:-3"),
        ("dog", "start:12:p0"),
        ("dog", "seven:7:1,1,1,1"),
        ("dog", "swap:7:p0:P1.0"),
        ("dog", "give:1"),
    ],
)
def test_what_is_no_move_is_refused_with_examples(name: str, text: str) -> None:
    with pytest.raises(BadMove, match="moves look like"):
        st.game(name).new(seed=1).play(text)


@pytest.mark.parametrize("name", ["madn", "dmadn", "dog"])
def test_every_action_has_its_own_text(name: str) -> None:
    game = st.game(name)
    texts = [game.format(action) for action in range(game.spec.numbers)]
    assert len(set(texts)) == len(texts)
    assert [game.parse(text) for text in texts] == list(range(len(texts)))
    with pytest.raises(BadMove):
        game.format(len(texts))


# --- what a seat knows -------------------------------------------------------------------------------------------


def test_a_seat_sees_its_own_cards_only() -> None:
    state = st.game("dog", teams=True).new(seed=1)
    state.play(state.moves()[0])
    view = state.view(1)
    assert [None in hand for hand in view["hands"]] == [True, False, True, True]
    assert view["deck"] is None
    assert view["gifts"] == [None] * 4
    assert state.view(0)["gifts"][0] == state.to_json()["gifts"][0]


def test_who_gave_a_card_knows_it_until_it_is_played() -> None:
    state = st.position({**TEAMS, "phase": "exchange", "hands": [["7", "2"], ["13", "3"], ["13", "5"], ["2", "12"]]})
    for move in ("give:7", "give:3", "give:5", "give:12"):
        state.play(move)
    assert state.view(0)["given"] == ["7", None, "5", None]
    assert state.view(1)["given"] == [None, "3", None, "12"]
    assert all("7" in state.seat(0).sample(stream(seed)).to_json()["hands"][2] for seed in range(20))
    assert not all("7" in state.seat(1).sample(stream(seed)).to_json()["hands"][2] for seed in range(20))
    state.play("move:5:p0:5")
    assert state.to_json()["given"] == ["7", "3", None, "12"]


def test_dropped_hands_stay_hidden() -> None:
    state = st.position({**DOG, "pins": [HOME] * 4, "hands": [["7", "2"], ["2"], ["2"], ["3"]]})
    state.play("fold")
    assert state.to_json()["folded"][0] == ["2", "7"]
    assert state.view(1)["folded"][0] == [None, None]
    assert state.view(0)["folded"][0] == ["2", "7"]
    samples = [state.seat(1).sample(stream(seed)).to_json()["folded"][0] for seed in range(20)]
    assert len({tuple(folded) for folded in samples}) > 5


# --- chance ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "pins", "chances"),
    [
        ({"rethrow": True}, HOME, [76, 16, 16, 16, 16, 76]),
        ({"rethrow": True, "start_on_1": False}, ["G3", "H", "H", "H"], [25, 25, 25, 25, 25, 91]),
        ({"rethrow": True}, ["G2", "H", "H", "H"], [36] * 6),
        ({"rethrow": True}, ["5", "H", "H", "H"], [36] * 6),
        ({}, HOME, [36] * 6),
    ],
    ids=str,
)
def test_throws_have_the_chances_of_the_rules(options: dict[str, Any], pins: list[str], chances: list[int]) -> None:
    """Chances in 216; of 4,000 throws."""
    game = st.game("madn", **options)
    position = {"pins": [["20", "H", "H", "H"], pins, HOME, HOME], "die": 2, "player": 0}
    thrown: Counter[int] = Counter()
    for seed in range(4000):
        state = game.from_json(position, seed=seed)
        state.play("p0")
        thrown[state.to_json()["die"]] += 1
    for value, chance in enumerate(chances, 1):
        expected = 4000 * chance / 216
        assert abs(thrown[value] - expected) < 4.5 * np.sqrt(expected)


@pytest.mark.parametrize(
    "options", [{}, {"teams": True}, {"rules": "braendi"}, {"players": 3}, {"joker": False}], ids=str
)
def test_no_card_gets_lost(options: dict[str, Any]) -> None:
    game = st.game("dog", **options)
    batch = Batch(game, 64, seed=5)
    full = 8 * 13 + (6 if game.options["joker"] else 0)
    for _ in range(40):
        batch.random_steps(25)
        for i in range(len(batch)):
            record = batch.state(i).record
            laid = sum(1 for gift in record.gifts if gift)
            cards = sum(int(part.sum()) for part in (record.hands, record.folded, record.deck, record.played))
            assert cards + laid == full
            places = [
                (place if place.isdigit() else f"{place} of {player}")
                for player, row in enumerate(batch.state(i).to_json()["pins"])
                for place in row
                if place != "H"
            ]
            assert len(set(places)) == len(places)


def test_deals_go_from_six_to_two_and_the_starter_moves_on() -> None:
    state = st.game("dog", players=3).new(seed=4)
    seen = [(state.to_json()["deal"], state.to_json()["starter"])]
    rng = Random(1)
    while len(seen) < 8 and not state.over:
        state.play(rng.choice(state.moves()))
        now = (state.to_json()["deal"], state.to_json()["starter"])
        if now != seen[-1]:
            seen.append(now)
    assert seen == [(6, 0), (5, 1), (4, 2), (3, 0), (2, 1), (6, 2), (5, 0), (4, 1)]


def test_a_game_can_end_as_a_draw() -> None:
    state = st.game("dmadn", players=2, max_steps=3).new(seed=1)
    for _ in range(3):
        state.play(state.moves()[0])
    assert (state.over, state.scores()) == (True, [0.5, 0.5])
    assert state.game.from_json(state.to_json()) == state


# --- the contract ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("madn", {"rules": "schmidt", "rethrow": True, "players": 3}),
        ("dmadn", {"teams": True, "players": 4}),
        ("dog", {"rules": "braendi"}),
        pytest.param("madn", {}, marks=pytest.mark.slow),
        pytest.param("dmadn", {"players": 2, "seats": "02", "forced_attack": True}, marks=pytest.mark.slow),
        pytest.param("dog", {}, marks=pytest.mark.slow),
        pytest.param("dog", {"teams": True, "start_block": True, "friendly_fire": True}, marks=pytest.mark.slow),
        pytest.param("dog", {"players": 2, "seats": "13", "circular": False}, marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_the_contract_is_kept(name: str, options: dict[str, Any]) -> None:
    report = check(st.game(name, **options), games=1, seed=1, max_moves=10_000)
    assert report.ok, str(report)


# --- moves in words ------------------------------------------------------------------------------------------------


HIT = "12 to 18, sends a pin of Player 1 home"


@pytest.mark.parametrize(
    ("name", "position", "move", "words"),
    [
        ("madn", {"pins": [["H", "12", "H", "H"], ["18", "H", "H", "H"]], "die": 6}, "p0", "out to 0"),
        (
            "madn",
            {"pins": [["H", "12", "H", "H"], ["18", "H", "H", "H"]], "die": 6},
            "p1",
            "12 to 18, sends a pin of Player 1 home",
        ),
        ("madn", {"pins": [["38", "H", "H", "H"], ["H"] * 4], "die": 5}, "p0", "38 to G3"),
        ("madn", {"pins": [["H"] * 4, ["H"] * 4], "die": 5}, "pass", ""),
        ("dmadn", {"pins": [["3", "H", "H", "H"], ["H"] * 4]}, "p0:2", "3 to 5"),
    ],
)
def test_moves_are_told_in_words(name: str, position: dict[str, Any], move: str, words: str) -> None:
    state = st.game(name, players=2).from_json({**position, "player": 0})
    assert state.game.comment(state, state.game.parse(move)) == words
