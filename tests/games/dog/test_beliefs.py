"""What a seat of DOG knows for certain of cards that it does not see: of dropped hands, and of its own gifts."""

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest

import stammtisch as st
from games.dog.test_rules import random_options
from stammtisch.core.errors import BadPosition
from stammtisch.core.game import State
from stammtisch.core.rng import stream
from stammtisch.games.dog.beliefs import fill_drops
from stammtisch.games.dog.board import SEATS
from stammtisch.games.dog.cards import FOLD, JOKER, KINDS, SEVEN
from stammtisch.games.dog.legal import legal_actions
from stammtisch.games.dog.rules import DROPS, playable

HOME = ["H"] * 4


def cards_that_can_be_played(state: State) -> int:
    """Bit by bit: a hand of this one card, asked of the rules."""
    found, buffer = 0, np.empty(state.game.spec.max_actions, dtype=np.int64)
    for card in range(KINDS):
        alone = state.copy().record
        alone.hands[alone.turn] = 0
        alone.hands[alone.turn, card] = 1
        n = legal_actions(alone, buffer)
        found |= (1 << card) if n and buffer[0] != FOLD else 0
    return found


@pytest.mark.parametrize("seed", range(6))
def test_what_could_be_played_is_what_the_rules_allow(seed: int) -> None:
    """Of a hot seven, and so of a joker, only what is certain."""
    rng = Random(seed)
    game = st.game("dog", **{**random_options("dog", rng), "max_steps": None})
    state, compared = game.new(seed=seed), 0
    for _ in range(150):
        if state.over:
            break
        if state.to_json()["phase"] == "play":
            found, true = int(playable(state.record)), cards_that_can_be_played(state)
            assert found & ~true == 0
            missing = true & ~found
            assert missing & ~(1 << SEVEN | 1 << JOKER) == 0 and (not missing or game.options["hot_7"])
            compared += 1
        state.apply(rng.choice(state.actions()))
    assert compared > 20


def test_a_dropped_hand_held_nothing_that_could_be_played() -> None:
    """Who had no pin out of home had neither 1/11 nor 13 nor a joker; whoever did not see it knows that, too."""
    state = st.position(
        {
            "game": "dog",
            "pins": [HOME, HOME, HOME, HOME],
            "hands": [["2", "3", "SWAP"], ["13", "13"], ["5", "5"], ["6", "6"]],
            "player": 0,
        }
    )
    state.play("fold")
    assert state.to_json()["dropped"][0] == [{"size": 3, "without": ["JOKER", "1/11", "13"], "gift": None}]
    for seat in (1, 2, 3):
        samples = [state.seat(seat).sample(stream(seed)).to_json()["folded"][0] for seed in range(60)]
        assert len({tuple(sorted(cards)) for cards in samples}) > 20
        assert not {card for cards in samples for card in cards} & {"JOKER", "1/11", "13"}


def test_nobody_forgets_a_gift_that_the_partner_has_dropped() -> None:
    state = st.position(
        {
            "game": "dog",
            "options": {"teams": True},
            "phase": "exchange",
            "pins": [HOME, HOME, HOME, HOME],
            "hands": [["2", "13"], ["13", "13"], ["5", "6"], ["6", "13"]],
            "player": 0,
        }
    )
    for move in ("give:2", "give:13", "give:5", "give:13", "start:13:p0", "start:13:p0", "fold"):
        state.play(move)
    assert state.to_json()["dropped"][2] == [{"size": 2, "without": ["JOKER", "1/11", "13"], "gift": "2"}]
    for seed in range(40):
        assert "2" in state.seat(0).sample(stream(seed)).to_json()["folded"][2]
    assert state.view(0)["dropped"][2][0]["gift"] == "2" == state.view(2)["dropped"][2][0]["gift"]
    assert state.view(1)["dropped"][2][0]["gift"] is None is state.view(None)["dropped"][2][0]["gift"]
    others = [state.seat(1).sample(stream(seed)).to_json() for seed in range(40)]
    assert any("2" not in one["folded"][2] for one in others)
    assert all(one["dropped"][2][0]["gift"] is None for one in others)


@pytest.mark.parametrize("options", [{"teams": True}, {"players": 2}, {"rules": "braendi"}])
def test_samples_can_have_been_played(options: dict[str, Any]) -> None:
    """A sample is a position that is read back as it is: its dropped hands can be what is known of them."""
    game, drops = st.game("dog", **options), 0
    for seed in range(3):
        state, rng = game.new(seed=seed), Random(seed)
        for turn in range(260):
            if state.over:
                break
            if turn % 9 == 0:
                for seat in range(game.spec.seats):
                    sample = state.seat(seat).sample(stream(turn))
                    assert game.from_json(sample.to_json()).bytes() == sample.bytes()
                drops = max(drops, sum(map(len, state.to_json()["dropped"])))
            state.apply(rng.choice(state.actions()))
    assert drops >= (4 if game.spec.seats == 2 else 8)


def test_where_nothing_fits_hands_hand_cards_on() -> None:
    """Three hands, each of which can only have what the one before may have taken; all ways end well."""
    state = st.game("dog").new(seed=1).record
    ways = ((1, 0, {2, 3, 4}), (2, 0, {2, 3}), (3, 0, {2}))  # player, hand, cards that fit
    for player, drop, fitting in ways:
        state.dropped[player, drop] = 1
        state.lacked[player, drop] = sum(1 << card for card in range(KINDS) if card not in fitting)
    found = Counter[tuple[int, ...]]()
    for seed in range(30):
        unseen, drops = np.zeros(KINDS, dtype=np.int64), np.zeros((SEATS * DROPS, KINDS), dtype=np.int64)
        unseen[[2, 3, 4]] = 1
        assert fill_drops(state, 0, unseen, drops, stream(seed))
        assert not unseen.any()
        found[tuple(int(drops[player * DROPS + drop].argmax()) for player, drop, _ in ways)] += 1
    assert set(found) == {(4, 3, 2)}


@pytest.mark.parametrize(
    ("dropped", "sentence"),
    [
        ([[{"size": 0}], [], [], []], "size"),
        ([[{"size": 2, "without": ["4"]}], [], [], []], "cannot have been"),
        ([[{"size": 3}], [], [], []], "cannot have been"),
        ([[{"size": 2, "gift": "9"}], [], [], []], "cannot have been"),
        ([[{"size": 2, "gift": "4", "without": ["4"]}], [], [], []], "held no 4"),
        ([[{"size": 1}] * 7, [], [], []], "at most 6"),
        ([[3], [], [], []], "a hand such as"),
        ([[{"size": 1, "without": "4"}], [], [], []], "list of cards"),
        ([[{"size": 1, "without": ["14"]}], [], [], []], "no card"),
    ],
)
def test_dropped_hands_that_cannot_be_are_refused(dropped: Any, sentence: str) -> None:
    position = {
        "game": "dog",
        "options": {"teams": True},
        "pins": [HOME] * 4,
        "hands": [["2"]] * 4,
        "folded": [["4", "4"], [], [], []],
        "player": 0,
        "dropped": dropped,
    }
    with pytest.raises(BadPosition, match=sentence):
        st.position(position)


def test_a_gift_needs_a_partner() -> None:
    with pytest.raises(BadPosition, match="partner"):
        st.position(
            {
                "game": "dog",
                "pins": [HOME] * 4,
                "hands": [["2"]] * 4,
                "folded": [["4"], [], [], []],
                "player": 0,
                "dropped": [[{"size": 1, "gift": "4"}], [], [], []],
            }
        )
