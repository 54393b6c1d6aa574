"""What lies on the table is read as the lists of plays say, for combinations and for everything else."""

from random import Random

import numpy as np
import pytest

from stammtisch.games.tichu.cards import CARDS
from stammtisch.games.tichu.combinations import LEAD, LOWER, PASS, cards_of, kind_of, list_plays, rank_of
from stammtisch.games.tichu.figures import MOST_PLAYS, plays_of
from stammtisch.games.tichu.readings import is_higher, lower_reading, read_play


def hand_of(dice: Random, size: int = 14) -> int:
    """Cards of few values, so that there is much to combine; often with the Phoenix."""
    low = dice.randrange(2, 40)
    deck = [*range(low, min(low + 24, 54)), 0, 1, 54, 55, 55]
    return sum(1 << card for card in set(dice.sample(deck, min(size, len(deck)))))


def plays_from(hand: int, kind: int = PASS, rank: int = LEAD) -> list[int]:
    buffer = np.empty(MOST_PLAYS, dtype=np.int64)
    return [int(play) for play in buffer[: list_plays(hand, hand, kind, rank, buffer)]]


@pytest.mark.parametrize("seed", range(30))
def test_every_play_of_a_hand_is_read_back(seed: int) -> None:
    for play in plays_from(hand_of(Random(seed))):
        high = int(read_play(cards_of(play)))
        assert play in (high, int(lower_reading(high)))
        assert high & ~LOWER == play & ~LOWER


@pytest.mark.parametrize("seed", range(40))
def test_any_cards_are_what_the_lists_say(seed: int) -> None:
    dice = Random(seed)
    for _ in range(50):
        cards = hand_of(dice, dice.randrange(1, 9)) if dice.random() < 0.8 else 1 << dice.randrange(CARDS)
        listed = plays_of(cards)
        high = int(read_play(cards))
        assert listed == ([] if high == PASS else list(dict.fromkeys([high, int(lower_reading(high))])))


def test_no_cards_and_too_many_are_no_play() -> None:
    assert read_play(0) == PASS
    assert read_play((1 << CARDS) - 1) == PASS


@pytest.mark.parametrize("seed", range(40))
def test_a_play_is_higher_exactly_when_it_is_listed(seed: int) -> None:
    dice = Random(seed)
    ours, theirs = plays_from(hand_of(dice)), plays_from(hand_of(dice))
    for top in dice.sample(theirs, min(20, len(theirs))):
        kind, rank = int(kind_of(top)), int(rank_of(top, LEAD))
        listed = set(
            plays_from(sum({1 << card for play in ours for card in range(CARDS) if play >> card & 1}), kind, rank)
        )
        for play in ours:
            assert is_higher(play, kind, rank) == (play in listed)
        assert all(is_higher(play, PASS, LEAD) for play in ours)
