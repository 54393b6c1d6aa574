"""Rows of decisions say what the public State says."""

from collections import Counter

import numpy as np
import pytest

from logs.played import Decision, PlayedRound, gifts, played_round, rounds_of
from stammtisch.games.tichu import features
from stammtisch.games.tichu.rules import CALL_GRAND, CALL_TICHU, GIVE_DRAGON, WISH_NONE
from stammtisch.logs.learn.decisions import (
    BIT_COLUMNS,
    CLASSES,
    DECISIONS,
    FORCED_PASS,
    FORCED_PLAY,
    LABEL_COUNTS,
    NUMBER_COLUMNS,
    decisions,
)


@pytest.fixture(scope="module")
def played() -> list[PlayedRound]:
    return [played_round(seed, before=(5 * seed, -10 * seed)) for seed in range(60)]


def expected_labels(one: Decision) -> np.ndarray:
    if one.what == "announce":
        return np.array([one.action in (CALL_TICHU, CALL_GRAND)], dtype=np.float32)
    if one.what == "schupf":
        return features.schupf_labels(gifts(one.action))
    if one.what == "wish":
        return features.wish_labels(one.action - WISH_NONE)
    if one.what == "dragon":
        return features.dragon_labels(one.seat, one.action - GIVE_DRAGON)
    return features.play_labels(one.action)


def test_rows_equal_what_the_seat_observes_and_does(played: list[PlayedRound]) -> None:
    rows = decisions(rounds_of(played))
    assert len(rows) == sum(len(one.decisions) for one in played)
    for number, one in enumerate(played):
        mine = rows[rows["round"] == number]
        mine = mine[np.argsort(mine["step"])]
        for row, decision in zip(mine, one.decisions, strict=True):
            seen = decision.state.seat(decision.seat).observation()
            bits = np.unpackbits(row["inputs"], bitorder="little")[: len(BIT_COLUMNS)]
            assert np.array_equal(bits, seen[BIT_COLUMNS])
            scaled = row["numbers"] / np.array([100] * 5 + [1000] * 2, dtype=np.float32)
            assert np.allclose(scaled, seen[NUMBER_COLUMNS])
            assert (row["seat"], DECISIONS[row["decision"]]) == (decision.seat, decision.what)
            labels = np.unpackbits(row["labels"], bitorder="little")[: LABEL_COUNTS[decision.what]]
            assert np.array_equal(labels, expected_labels(decision))


def test_return_to_go_is_what_is_still_to_come(played: list[PlayedRound]) -> None:
    rows = decisions(rounds_of(played))
    doubles = 0
    for number, one in enumerate(played):
        mine = rows[rows["round"] == number]
        mine = mine[np.argsort(mine["step"])]
        doubles += int(one.deal.double_victory)
        for row, decision in zip(mine, one.decisions, strict=True):
            seat = decision.seat
            own, other = one.deal.score[seat & 1], one.deal.score[1 - (seat & 1)]
            points = decision.state.record.points
            taken = points[seat] + points[(seat + 2) & 3] - points[(seat + 1) & 3] - points[(seat + 3) & 3]
            assert row["value"] == own - other
            assert row["rtg"] == (own - other if one.deal.double_victory else own - other - taken)
    assert 0 < doubles < len(played)


def test_decisions_without_a_choice_are_marked(played: list[PlayedRound]) -> None:
    rows = decisions(rounds_of(played))
    kinds: Counter[str] = Counter()
    for number, one in enumerate(played):
        mine = rows[rows["round"] == number]
        for row, decision in zip(mine[np.argsort(mine["step"])], one.decisions, strict=True):
            kinds[CLASSES[decision.what][row["kind"]]] += 1
            if decision.what == "play" and decision.state.to_json()["phase"] == "play":
                choices = [action for action in decision.state.actions() if action != CALL_TICHU]
                assert (len(choices) == 1) == (row["kind"] in (FORCED_PASS, FORCED_PLAY))
                assert (decision.action == 0) == (row["kind"] in (0, FORCED_PASS))
    assert kinds["free pass"] and kinds["forced pass"] and kinds["bomb"] and kinds["tichu before schupfing"]


def test_a_seat_s_decisions_stand_together_in_order(played: list[PlayedRound]) -> None:
    rows = decisions(rounds_of(played))
    keys = list(zip(rows["round"].tolist(), rows["seat"].tolist(), rows["step"].tolist(), strict=True))
    assert keys == sorted(keys)
    assert len(set(keys)) == len(keys)


def test_only_the_wanted_seats_give_rows(played: list[PlayedRound]) -> None:
    rounds = rounds_of(played)
    everything = decisions(rounds)
    rounds.deals["seats"] = 0b0101
    rows = decisions(rounds)
    assert np.array_equal(rows, everything[everything["seat"] % 2 == 0])
