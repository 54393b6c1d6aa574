"""What a round brings and when a game is over; no card and no point is ever lost."""

from typing import Any

import numba
import numpy as np
import pytest

import stammtisch as st
from games.tichu import plain, plain_round, real_rounds
from games.tichu.tables import LOGS, start
from stammtisch.core.batch import Batch
from stammtisch.core.kernel import OVER, Actions, Records, apply, player
from stammtisch.core.rng import Rng
from stammtisch.games.tichu.cards import ALL_CARDS, NAMES
from stammtisch.games.tichu.policy import decide
from stammtisch.games.tichu.rules import ENDED, MOST_ACTIONS, SCHUPF

LAST_3 = "| | S2 | S5 S10 S3"  # seat 2 goes out, seat 3 is left with 15 points
AFTER_0 = "| S10 S3 | S2 | SK S4"  # seat 2 makes it a double victory
CARDS_70_30, CARDS_60_40, CARDS_50_50 = (
    {"points": tricks, "out": [0, 1]} for tricks in ([30, 30, 25, 0], [20, 40, 25, 0], [20, 50, 15, 0])
)
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
    ("D9", "S10 S3 | S2 | SK S4 |", 1, {"points": TRICKS}, [0, 200]),
    ("D10", "| Ph Dr S3 | S2 |", 2, {"points": [50, 20, 20, 10], "out": [0, 3]}, [90, 10]),
    ("D11", "| Ph S3 | S2 |", 2, {"points": [50, 25, 30, 20], "out": [0, 3]}, [80, 20]),
    ("D12", "| Dr S3 | S2 |", 2, {"points": [30, 10, 20, 15], "out": [0, 3]}, [85, 15]),
    ("D13", LAST_3, 2, {**CARDS_70_30, "announced": [2, 0, 2, 0]}, [70, 30]),
    ("D14", LAST_3, 2, {**CARDS_70_30, "announced": [1, 2, 2, 0]}, [-30, -170]),
    ("D15", "S2 | S10 S3 | | SK S4", 0, {"announced": [1, 0, 2, 0]}, [300, 0]),
    ("worst", "| | S4 | S2", 3, {"points": [-25, 80, 0, 45], "out": [1, 0], "announced": [2, 0, 2, 0]}, [-425, 125]),
]


@pytest.mark.parametrize(("name", "hands", "seat", "more", "score"), SCORING, ids=[case[0] for case in SCORING])
def test_a_round_scores_as_in_the_example(
    name: str, hands: str, seat: int, more: dict[str, Any], score: list[int]
) -> None:
    both = start(hands, seat, **more)
    both.play("S2")
    assert both.state.over
    assert both.state.to_json()["score"] == score
    assert both.state.scores() == [float(points) for points in score + score]


GAMES = [  # the last trick of a round in a game; totals before and after, whether it is over
    ("D16", LAST_3, CARDS_60_40, [985, 990], [1045, 1030], True),
    ("D17", LAST_3, CARDS_50_50, [950, 950], [1000, 1000], True),
    ("D17, play on", LAST_3, {**CARDS_50_50, "play_on": True}, [950] * 2, [1000] * 2, False),
    ("D18", "S10 S3 | | SK S4 | S2", {"announced": [2, 0, 0, 0]}, [990, 400], [790, 600], False),
    ("below", LAST_3, CARDS_60_40, [935, 955], [995, 995], False),
    ("one", LAST_3, CARDS_60_40, [940, -300], [1000, -260], True),
    ("limit", LAST_3, {**CARDS_60_40, "round": 50}, [0, 0], [60, 40], True),
    ("no limit", LAST_3, {**CARDS_60_40, "round": 50, "rounds": None}, [0, 0], [60, 40], False),
]


@pytest.mark.parametrize(("name", "hands", "more", "before", "score", "over"), GAMES, ids=[case[0] for case in GAMES])
def test_a_game_ends_as_in_the_example(
    name: str, hands: str, more: dict[str, Any], before: list[int], score: list[int], over: bool
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
            apply(states[i], decide(states[i], buffer, rngs[i]), rngs[i])
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
