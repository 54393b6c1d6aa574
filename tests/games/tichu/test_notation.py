"""Moves as text: what is read and written, in any order of the cards, and everything that is refused."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from games.tichu import plain
from stammtisch.core.errors import BadMove
from stammtisch.games.tichu import figures
from stammtisch.games.tichu.cards import read_cards, write_cards
from stammtisch.games.tichu.combinations import KIND_SHIFT, LEAD, LOWER, PAIR, PASS, SINGLE, cards_of, list_plays
from stammtisch.games.tichu.notation import read_move, write_move
from stammtisch.games.tichu.rules import (
    ANNOUNCE,
    CALL_GRAND,
    CALL_TICHU,
    GIVE_DRAGON,
    NO_GRAND,
    SCHUPF_CARDS,
    SPECIAL,
    WISH_NONE,
)

LONGEST_MESSAGE = 400  # fits into a few lines of a terminal, whatever was typed


def shuffled(text: str, rng: Random) -> str:
    """The same cards in another order; the rank stays at the end."""
    cards, _, rank = text.partition("=")
    words = cards.split()
    rng.shuffle(words)
    return " ".join(words) + (f"={rank}" if rank else "")


@pytest.mark.parametrize("style", plain.STYLES)
def test_every_play_of_a_hand_is_read_as_it_is_written(style: str) -> None:
    rng, out = Random(style), np.empty(figures.MOST_PLAYS, dtype=np.int64)
    for size in range(1, 12):
        mask = read_cards(plain.random_hand(rng, size, style, rng.sample(["Ph", "Ph", "Ma", "Dr"], 2)))
        plays = [int(play) for play in out[: list_plays(mask, mask, PASS, LEAD, out)]]
        texts = [write_move(play) for play in plays]
        assert len(set(texts)) == len(texts)
        for play, text in zip(plays, texts, strict=True):
            assert text.partition("=")[0].split() == write_cards(int(cards_of(play)))
            assert ("=" in text) == bool(play & LOWER)
            assert read_move(text) == read_move(f"  {text.replace(' ', '   ')} ") == play
            assert read_move(shuffled(text, rng)) == play


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("pass", PASS),
        ("no", NO_GRAND),
        ("grand", CALL_GRAND),
        ("tichu", CALL_TICHU),
        ("wish none", WISH_NONE),
        *((f"wish {value}", WISH_NONE + value) for value in range(2, 15)),
        *((f"dragon {seat}", GIVE_DRAGON + seat) for seat in range(4)),
        *((f"tichu {seat}", ANNOUNCE + seat) for seat in range(4)),
        ("schupf S2 Dr B10", SCHUPF_CARDS | 2 << 12 | 54 << 6 | 35),
        ("schupf Hu Ma Ph", SCHUPF_CARDS | 0 << 12 | 1 << 6 | 55),
        ("schupf Ph Ma Hu", SCHUPF_CARDS | 55 << 12 | 1 << 6 | 0),
    ],
)
def test_words_are_read_and_written(text: str, action: int) -> None:
    assert read_move(text) == read_move(f"  {text.replace(' ', '  ')} ") == action
    assert write_move(action) == text


@given(some.permutations(plain.DECK))
def test_the_order_of_schupfed_cards_matters(deck: list[str]) -> None:
    one, two, three = deck[:3]
    action = read_move(f"schupf {one} {two} {three}")
    assert write_move(action) == f"schupf {one} {two} {three}"
    assert action != read_move(f"schupf {two} {one} {three}")


# --- cards that can be meant in two ways -----------------------------------------------------------------------

TWO_WAYS = [
    ("S5 B5 Ph S9 B9", 9, 5),
    ("S2 B2 SA BA Ph", 14, 2),
    ("S4 B5 G6 R7 Ph", 8, 7),
    ("Ph S4 S5 S6 S7", 8, 7),
    ("S3 B4 Ph G5 R6", 7, 6),
    ("S9 G10 RB SD BK Ph", 14, 13),
    ("S7 Ph G8 R9 S10 BB", 12, 11),
]


@pytest.mark.parametrize(("cards", "higher", "lower"), TWO_WAYS)
def test_a_rank_chooses_between_two_readings(cards: str, higher: int, lower: int) -> None:
    mask = read_cards(cards.split())
    plays = figures.plays_of(mask)
    assert [figures.rank_text(play) for play in plays] == [str(higher), str(lower)]
    for order in (cards, " ".join(reversed(cards.split()))):
        assert read_move(order) == read_move(f"{order}={higher}") == plays[0]
        assert read_move(f"{order}={lower}") == plays[1]
    assert write_move(plays[0]) == " ".join(write_cards(mask))
    assert write_move(plays[1]) == f"{' '.join(write_cards(mask))}={lower}"


@pytest.mark.parametrize("text", ["S8", "S8 R8", "S8 Ph", "S4 B5 G6 R7 S8", "S4 B5 Ph R7 S8", "S5 B5 G5 S9 Ph"])
def test_a_needless_rank_must_be_true(text: str) -> None:
    play = read_move(text)
    rank = int(figures.rank_text(play))
    assert read_move(f"{text}={rank}") == play
    with pytest.raises(BadMove, match=f"of rank {rank}"):
        read_move(f"{text}={rank - 1}")


@pytest.mark.parametrize("rank", ["4", "7", "8", "10", "", "x", "-5", "5.5", "=5", "9" * 5000])
@pytest.mark.parametrize("cards", ["S5 B5 Ph S9 B9", "Ph"])
def test_ranks_that_cards_cannot_have_are_refused(cards: str, rank: str) -> None:
    with pytest.raises(BadMove, match="of rank 9 or 5" if " " in cards else "of rank Ph") as caught:
        read_move(f"{cards}={rank}")
    assert len(str(caught.value)) < LONGEST_MESSAGE


# --- what is refused -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "a move is cards such as"),
        ("  \t\n ", "a move is cards such as"),
        ("S1", "'S1' is no card"),
        ("S8 X9", "'X9' is no card"),
        ("S8,R8", "'S8,R8' is no card"),
        ("s8 r8", "'s8' is no card; did you mean S8"),
        ("S11", "'S11' is no card"),
        ("hello", "'hello' is no card"),
        ("pass now", "'pass' is no card"),
        ("pass S8", "'pass' is no card"),
        ("S8 S8", "S8 is there twice"),
        ("Ph Ph", "Ph is there twice"),
        ("S8=8 R8", "'S8=8' is no card"),
        ("S8 =8", "'' is no card"),
        ("=8", "'' is no card"),
        ("S5 B5 G6", "'S5 B5 G6' is no combination"),
        ("S7 B7 G7 Ph", "'S7 B7 G7 Ph' is no combination"),
        ("S7 B7 G7 R7 Ph", "is no combination"),
        ("Ma Ph", "'Ma Ph' is no combination"),
        ("Dr Ph", "'Dr Ph' is no combination"),
        ("S4 B5 G6 R7", "is no combination"),
        (" ".join(plain.DECK), "is no combination"),
        ("schupf", "three cards"),
        ("schupf S2 Dr", "three cards"),
        ("schupf S2 Dr B10 GA", "three cards"),
        ("schupf S2 S2 B10", "S2 is there twice"),
        ("schupf S2 Dr Q9", "'Q9' is no card"),
        ("wish", "wish needs"),
        ("wish 8 9", "wish needs"),
        ("wish 0", "wish 0: a value from 2 to 14"),
        ("wish 1", "wish 1: a value from 2 to 14"),
        ("wish 15", "wish 15: a value from 2 to 14"),
        ("wish -8", "wish -8: a value from 2 to 14"),
        ("wish 8.0", "wish 8.0: a value from 2 to 14"),
        ("wish ²", "wish ²: a value from 2 to 14"),
        ("wish Ma", "wish Ma: a value from 2 to 14"),
        ("wish nothing", "wish nothing: a value from 2 to 14"),
        ("dragon", "dragon needs"),
        ("dragon 7", "dragon 7: a seat from 0 to 3"),
        ("dragon -1", "dragon -1: a seat from 0 to 3"),
        ("dragon left", "dragon left: a seat from 0 to 3"),
        ("tichu 4", "tichu 4: a seat from 0 to 3"),
        ("grand tichu", "'grand' is no card"),
        ("x" * 100_000, "is no card"),
        ("S8 " * 20_000, "S8 is there twice"),
        ("schupf " + "y" * 100_000, "is no card"),
        ("schupf " + "S8 " * 20_000, "S8 is there twice"),
        ("wish " + "9" * 100_000, "a value from 2 to 14"),
        ("dragon " + "1" * 100_000, "a seat from 0 to 3"),
        ("wish " * 20_000, "wish needs"),
    ],
    ids=lambda text: text.strip()[:30],
)
def test_what_is_no_move_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(BadMove, match=reason) as caught:
        read_move(text)
    assert len(str(caught.value)) < LONGEST_MESSAGE


WORDS = [*plain.DECK, "wish", "schupf", "dragon", "tichu", "none", "8", "S8=", "=8"]


@given(some.text(max_size=20) | some.lists(some.sampled_from(WORDS), max_size=8).map(" ".join))
def test_any_text_is_a_move_or_refused(text: str) -> None:
    try:
        action = read_move(text)
    except BadMove as error:
        assert len(str(error)) < LONGEST_MESSAGE
    else:
        assert read_move(write_move(action)) == action


@pytest.mark.parametrize(
    "action",
    [
        -1,
        1,
        SINGLE << KIND_SHIFT,
        SINGLE << KIND_SHIFT | 12,  # two cards
        PAIR << KIND_SHIFT | 4 | 64,  # 2 and 3
        PAIR << KIND_SHIFT | 12 | LOWER,  # there is no lower reading
        SPECIAL + 3,
        WISH_NONE + 1,
        WISH_NONE + 15,
        GIVE_DRAGON + 4,
        ANNOUNCE + 4,
        SCHUPF_CARDS,  # the dog three times
        SCHUPF_CARDS | 2 << 12 | 2 << 6 | 3,
        SCHUPF_CARDS | 2 << 12 | 3 << 6 | 56,
        SCHUPF_CARDS + (1 << 18) + 66,
        2**63 - 1,
        2**80,
    ],
)
def test_what_is_no_action_is_refused(action: int) -> None:
    with pytest.raises(BadMove, match="is no action of tichu"):
        write_move(action)
