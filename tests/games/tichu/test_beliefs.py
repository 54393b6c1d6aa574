"""Samples of what a seat cannot see: they keep all it knows, vary in all it does not, and are fair."""

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

import stammtisch as st
from games.tichu import plain
from games.tichu.deals import dealt_position, late_position, visited
from stammtisch.core.game import State
from stammtisch.core.rng import stream
from stammtisch.games.tichu.policy import decide
from stammtisch.games.tichu.rules import MOST_ACTIONS

GAME = st.game("tichu", rounds=1)


def samples(state: State, seat: int, n: int, first: int = 0) -> list[dict[str, Any]]:
    """Full positions that the seat holds possible."""
    known = state.seat(seat)
    return [known.sample(stream(number)).to_json() for number in range(first, first + n)]


def begins() -> list[Any]:
    found: list[tuple[str, dict[str, Any] | None]] = [("new", None), ("new again", None)]
    found += [("bombs", dealt_position(Random(1))), ("schupfen", dealt_position(Random(2), "schupf"))]
    found += [(f"late {seed}", late_position(Random(seed))) for seed in range(4)]
    return [pytest.param(begin, seed, id=name) for seed, (name, begin) in enumerate(found)]


# --- what a seat knows -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("begin", "seed"), begins())
def test_a_sample_keeps_all_that_the_seat_knows(begin: dict[str, Any] | None, seed: int) -> None:
    for number, state in enumerate(visited(begin, Random(seed), rounds=1, weighted=seed % 2 == 1)):
        full = state.to_json()
        for seat in range(4):
            sampled = state.seat(seat).sample(stream(number))
            found = sampled.to_json()
            assert sampled.view(seat) == state.view(seat)
            assert state.game.from_json(found) == sampled
            places = ("hands", "undealt", "schupfed") if full["phase"] == "schupf" else ("hands", "undealt")
            assert cards_in(found, places) == cards_in(full, places)
            assert full["phase"] in ("grand", "schupf") or known_places(found, seat) == known_places(full, seat)
            assert begin is not None or GAME.problems(sampled.record) == []


def cards_in(position: dict[str, Any], places: tuple[str, ...]) -> list[str]:
    return sorted(card for key in places for part in position[key] for card in part or [])


def known_places(position: dict[str, Any], seat: int) -> list[tuple[str, int]]:
    """Cards that the seat has given away, and the Mahjong, where they are held."""
    gifts = position["schupfed"][seat] or []
    return [(card, at) for at in range(4) for card in position["hands"][at] if card in gifts or card == "Ma"]


@pytest.mark.parametrize(("begin", "seed"), begins())
def test_nothing_that_a_seat_is_given_depends_on_what_it_cannot_know(begin: dict[str, Any] | None, seed: int) -> None:
    """The real state and a sample of it look the same: view, moves, observation, and the next sample."""
    for number, state in enumerate(visited(begin, Random(seed), rounds=1, weighted=seed % 2 == 0)):
        for seat in range(4):
            other = state.copy()
            GAME.kernel.determinize(other.record, seat, stream(number))
            again, once = other.seat(seat), state.seat(seat)
            assert other.view(None) == state.view(None)
            assert (again.view(), again.actions()) == (once.view(), once.actions())
            assert again.sample(stream(5)) == once.sample(stream(5))
            assert (observed(other, seat) == observed(state, seat)).all()


def observed(state: State, seat: int) -> np.ndarray:
    out = np.empty(GAME.spec.observation_size, dtype=np.float32)
    GAME.kernel.observe(state.record, seat, out)
    return out


@pytest.mark.parametrize(("begin", "seed"), begins()[1:6])
def test_the_heuristic_policy_decides_legally_and_by_what_its_seat_knows(
    begin: dict[str, Any] | None, seed: int
) -> None:
    buffer = np.empty(MOST_ACTIONS, dtype=np.int64)
    for number, state in enumerate(visited(begin, Random(seed), rounds=1)):
        if state.player is not None:
            action = decide(state.record, buffer, stream(1))
            assert action in state.actions()
            sampled = state.seat(state.player).sample(stream(number))
            assert decide(sampled.record, buffer, stream(1)) == action


def test_given_cards_stay_with_their_receivers_until_they_are_played() -> None:
    hands = [["S2", "S3"], ["SK", "S4", "B4"], ["Dr", "S5", "B5"], ["S6", "Ma", "B6"]]
    gifts = [["SK", "Dr", "B9"], ["G4", "G5", "S3"], ["R5", "S2", "R6"], ["GA", "RA", "BA"]]
    state = GAME.from_json({"hands": hands, "player": 0, "schupfed": gifts})
    for found in samples(state, 0, 200):
        assert found["hands"][0] == ["S2", "S3"]
        assert "SK" in found["hands"][1] and "Dr" in found["hands"][2] and "Ma" in found["hands"][3]
        assert [len(hand) for hand in found["hands"]] == [2, 3, 3, 3]
        assert found["schupfed"][0] == gifts[0]
        assert [found["schupfed"][giver][3 - giver] for giver in (1, 2, 3)] == ["S3", "S2", "GA"]
    state.play("S3")
    state.play("SK")
    assert any("S4" not in found["hands"][1] for found in samples(state, 0, 50))
    assert all("SK" not in cards_in(found, ("hands",)) for found in samples(state, 0, 50))


def test_gifts_between_others_are_guessed_from_what_they_hold() -> None:
    hands = [["S2"], ["S4", "B4"], ["S5", "B5"], ["S6", "B6"]]
    gifts = [["S4", "S5", "S6"], ["B5", "B6", "S2"], ["G9", "R2", "B4"], ["R3", "G3", "R9"]]
    state = GAME.from_json({"hands": hands, "player": 0, "schupfed": gifts})
    guessed = set()
    for found in samples(state, 0, 100):
        for giver in (1, 2, 3):
            for i, card in enumerate(found["schupfed"][giver]):
                receiver = (giver + 1 + i) % 4
                if receiver != 0 and card is not None:
                    assert card in found["hands"][receiver] and card not in gifts[0]
                    guessed.add((giver, receiver, card))
    assert {card for giver, receiver, card in guessed if (giver, receiver) == (1, 2)} == {"B4", "B5", "B6"}


def test_gifts_of_which_only_some_are_on_record_are_not_betrayed() -> None:
    hands = [["RA", "S3"], ["S4", "B5"], ["S2", "B6"], ["S8", "B8"]]
    state = GAME.from_json({"hands": hands, "player": 0, "schupfed": [None, ["S2", None, None], None, None]})
    for found in samples(state, 0, 50):
        GAME.from_json(found)
    other = [["RA", "S3"], ["S4", "B5"], ["B8", "B6"], ["S8", "S2"]]
    changed = GAME.from_json({"hands": other, "player": 0, "schupfed": [None, ["B8", None, None], None, None]})
    assert samples(state, 0, 20) == samples(changed, 0, 20)


# --- the phases before the first trick ---------------------------------------------------------------------------


def test_before_the_call_only_the_own_eight_cards_are_known() -> None:
    state = GAME.new(4)
    full = state.to_json()
    seen: list[set[str]] = [set(), set()]
    for found in samples(state, 0, 100):
        assert found["hands"][0] == full["hands"][0]
        assert [len(cards) for cards in found["hands"] + found["undealt"]] == [8] * 4 + [6] * 4
        assert cards_in(found, ("hands", "undealt")) == sorted(plain.DECK)
        seen[0] |= set(found["undealt"][0])
        seen[1] |= set(found["hands"][1])
    assert seen == [set(plain.DECK) - set(full["hands"][0])] * 2


def test_before_the_gifts_are_taken_up_only_the_own_are_known() -> None:
    state = GAME.from_json(dealt_position(Random(3), "schupf"))
    for seat in (0, 1):
        state.play(" ".join(["schupf", *state.to_json()["hands"][seat][:3]]))
    full = state.to_json()
    for seat in range(4):
        aside: set[str] = set()
        for found in samples(state, seat, 60):
            assert found["hands"][seat] == full["hands"][seat]
            assert found["schupfed"][seat] == full["schupfed"][seat]
            assert [gifts and len(gifts) for gifts in found["schupfed"]] == [3, 3, None, None]
            assert cards_in(found, ("hands", "schupfed")) == sorted(plain.DECK)
            aside |= set(found["schupfed"][0 if seat else 1])
        assert len(aside) > 30  # anything may have been laid aside


def test_when_the_round_is_over_all_cards_lie_open() -> None:
    state = list(visited(late_position(Random(9)), Random(9), rounds=1))[-1]
    assert state.over
    assert all(state.seat(seat).sample(stream(1)) == state for seat in range(4))


# --- questions for a bomb ----------------------------------------------------------------------------------------

BOMBER = [["RA", "S3"], ["S4", "B5"], ["S6", "B6"], ["S8", "B8", "G8", "R8", "S2"]]


@pytest.mark.parametrize(("passes", "thinking"), [(0, 1), (1, 2), (5, 3)])
def test_who_is_asked_for_a_bomb_alone_knows_of_it(passes: int, thinking: int) -> None:
    """To the others the next seat, or the last who passed, seems to think."""
    state = GAME.from_json({"hands": BOMBER, "player": 0})
    for move in ["RA", *["pass"] * {0: 0, 1: 2, 5: 5}[passes]]:
        state.play(move)
    assert (state.to_json()["phase"], state.player) == ("bomb", 3)
    for seat in (0, 1, 2):
        known = state.seat(seat)
        assert (known.player, known.view()["phase"]) == (thinking, "play")
        assert (observed(state, seat) == known.observation()).all()
        held = Counter(len(set(found["hands"][3]) & {"S8", "B8", "G8", "R8"}) for found in samples(state, seat, 200))
        assert held[4] < 100  # nobody must hold the bomb
        assert {found["phase"] for found in samples(state, seat, 20)} == {"play"}
    assert {(found["phase"], found["player"]) for found in samples(state, 3, 20)} == {("bomb", 3)}
    assert state.seat(3).moves() == ["pass", "S8 B8 G8 R8"]


# --- fair samples ------------------------------------------------------------------------------------------------


def likely(counts: list[int]) -> bool:
    return bool(chisquare(counts).pvalue > 0.001)


def test_all_deals_of_the_unknown_cards_are_equally_likely() -> None:
    hands = [["S2"], ["S3"], ["S4", "S5"], ["S6", "S7", "S8"]]
    state = GAME.from_json({"hands": hands, "player": 0})
    deals = Counter(str(found["hands"]) for found in samples(state, 0, 3000))
    assert len(deals) == 60  # one, two and three of six cards
    assert likely([*deals.values()])


def test_all_deals_around_the_known_cards_are_equally_likely() -> None:
    hands = [["S2"], ["S3", "SK"], ["Ma", "S5", "S4"], ["S6", "S7"]]
    state = GAME.from_json({"hands": hands, "player": 0, "schupfed": [["SK", "R2", "R3"], None, None, None]})
    deals = Counter(str(found["hands"]) for found in samples(state, 0, 3000))
    assert len(deals) == 30  # one, two and two of five cards
    assert likely([*deals.values()])


def test_every_seat_gets_every_card_as_often_before_the_call() -> None:
    state = GAME.new(8)
    unseen = [card for card in plain.DECK if card not in state.to_json()["hands"][0]]
    where = Counter(
        (card, part)
        for found in samples(state, 0, 3000)
        for part, cards in enumerate([found["undealt"][0], found["hands"][1], found["undealt"][3]])
        for card in cards
    )
    for part in range(3):
        assert likely([where[card, part] for card in unseen])


def test_gifts_laid_aside_are_any_card_in_any_order() -> None:
    state = GAME.from_json(dealt_position(Random(3), "schupf"))
    state.play(" ".join(["schupf", *state.to_json()["hands"][0][:3]]))
    first = Counter(found["schupfed"][0][0] for found in samples(state, 1, 4200))
    assert len(first) == 42
    assert likely([*first.values()])


def test_other_seeds_give_other_samples() -> None:
    state = GAME.from_json(dealt_position(Random(3)))
    found = [str(one["hands"]) for one in samples(state, 0, 50)]
    assert len(set(found)) == 50
    assert found == [str(one["hands"]) for one in samples(state, 0, 50)]


# --- weighted samples --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
def test_a_seat_has_no_card_that_it_is_said_to_lack(seed: int) -> None:
    rng = Random(seed)
    for _ in range(8):
        for state in visited(late_position(rng), rng, rounds=1):
            found = state.to_json()
            for hand, lacks in zip(found["hands"], found["lacks"], strict=True):
                assert not any(plain.contains(hand, value) for value in lacks)


def test_who_did_not_fulfil_a_wish_is_said_to_lack_the_value() -> None:
    hands = [["S3", "B3", "Dr"], ["S5", "B5"], ["S6", "B8"], ["S9", "SA"]]
    state = GAME.from_json({"hands": hands, "player": 0, "wish": 8})
    for move, lacks, declined in [
        ("S3", [[8], [], [], []], [0, 0, 0, 0]),  # a leader could always have
        ("S5", [[8], [8], [], []], [0, 0, 0, 0]),
        ("B8", [[8], [8], [], []], [0, 0, 0, 0]),
        ("pass", [[8], [8], [], []], [0, 0, 0, 8]),
        ("pass", [[8], [8], [], []], [0, 0, 0, 8]),  # the partner's
        ("pass", [[8], [8], [], []], [0, 8, 0, 8]),
    ]:
        state.play(move)
        assert (state.to_json()["lacks"], state.to_json()["declined"]) == (lacks, declined)


@pytest.mark.parametrize(
    ("shown", "seat", "values"),
    [({"lacks": [[], [8], [], []]}, 1, {8}), ({"declined": [0, 0, 0, 7.5]}, 3, {8, 9, 10, 11})],
    ids=["did not fulfil a wish", "passed on a low single"],
)
def test_weighted_samples_heed_what_players_did(shown: dict[str, Any], seat: int, values: set[int]) -> None:
    hands = [["S3", "B3"], ["S5", "B5"], ["S8", "B9"], ["S10", "SB"]]
    held = []
    for weighted in (False, True):
        state = st.game("tichu", rounds=1, weighted=weighted).from_json({"hands": hands, "player": 0, **shown})
        held.append(sum(plain.value(card) in values for one in samples(state, 0, 1000) for card in one["hands"][seat]))
    assert held[1] < 0.95 * held[0]
