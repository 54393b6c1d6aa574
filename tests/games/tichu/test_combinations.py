"""Combinations: the worked examples, a plain twin on thousands of hands, the order of lists, and what beats what."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from games.tichu import plain
from stammtisch.core.kernel import Actions
from stammtisch.games.tichu import figures
from stammtisch.games.tichu.cards import (
    CARDS,
    MAHJONG_BIT,
    NAMES,
    PHOENIX_BIT,
    SUITED,
    BadCards,
    count,
    highest_value,
    lowest_value,
    points_of,
    read_cards,
    value_of,
    write_cards,
)
from stammtisch.games.tichu.combinations import (
    KINDS,
    LEAD,
    LENGTH_OF,
    LOWER,
    PASS,
    TYPE_OF,
    TYPES,
    beats,
    cards_of,
    flush_cards,
    holds_bomb,
    kind_of,
    list_bombs,
    list_plays,
    rank_of,
)
from stammtisch.games.tichu.kernel import KERNEL
from stammtisch.games.tichu.rules import MOST_ACTIONS, PLAY, legal_actions

EXAMPLES = json.loads((Path(__file__).parent / "examples.json").read_text())
MOST = 1857  # plays of a hand, see the tests at the end
ROOM = 1 << 14  # more than any list needs, so that too long a list is seen and not suffered


def top_of(found: list[Any] | None) -> plain.Top | None:
    return None if found is None else (found[0].lower(), found[1], found[2])


def code_of(top: plain.Top | None) -> tuple[int, int]:
    """Kind and rank in halves, as the engine keeps them."""
    return (PASS, LEAD) if top is None else (figures.read_kind(top[0], top[1]), int(2 * top[2]))


def as_set(found: list[figures.Combination]) -> set[plain.Play]:
    assert len(set(found)) == len(found)
    return {(frozenset(one.cards), one.type, one.length, one.rank) for one in found}


def as_play(code: int, beaten: int) -> plain.Play:
    kind = int(kind_of(code))
    cards = frozenset(write_cards(int(cards_of(code))))
    return cards, TYPES[TYPE_OF[kind]], int(LENGTH_OF[kind]), int(rank_of(code, beaten)) / 2


def listed(hand: int, special: int, top: plain.Top | None) -> list[int]:
    out = np.empty(ROOM, dtype=np.int64)
    return [int(play) for play in out[: list_plays(hand, special, *code_of(top), out)]]


def engine_legal(
    hand: list[str], top: plain.Top | None, wish: int, bomb_may_ignore_wish: bool
) -> tuple[set[plain.Play], bool]:
    """What the rules offer to a player on turn, and whether a pass is among it."""
    state = KERNEL.blank()[0]
    state.phase, state.wish, state.bomb_may_ignore_wish, state.has_played[0] = PLAY, wish, bomb_may_ignore_wish, 1
    state.hand[0], (state.kind, state.rank) = read_cards(hand), code_of(top)
    out = np.empty(ROOM, dtype=np.int64)
    codes = [int(code) for code in out[: legal_actions(state, out)]]
    assert codes == sorted(set(codes))
    return {as_play(code, code_of(top)[1]) for code in codes if code != PASS}, PASS in codes


def hands(style: str, per_size: int, seed: int = 0) -> Iterator[list[str]]:
    """Hands of all sizes, some with special cards for sure."""
    rng = Random(f"{style} {seed}")
    for size in [*range(1, 15)] * per_size:
        specials = rng.sample(["Ph", "Ph", "Ma", "Dr", "Hu"], rng.choice([0, 0, 1, 1, 1, 2, 3]))
        yield plain.random_hand(rng, size, style, specials)


def tables(rng: Random, hand: list[str], n: int) -> Iterator[tuple[plain.Top | None, int]]:
    """What may lie on the table, mostly what the hand can nearly or just beat, and wishes, mostly for its cards."""
    everything, own = plain.tops(), sorted(plain.all_plays(hand), key=str)
    kinds = sorted({play[1:3] for play in own})
    for i in range(n):
        kind = rng.choice(kinds)
        near = [top for top in everything if top[:2] == kind]
        low = min((play[3] for play in own if play[1:3] == kind and not isinstance(play[3], str)), default=2.0)
        near = [top for top in near if abs(top[2] - low) <= 4] or near
        top = None if i == 0 else rng.choice(near if rng.random() < 0.7 else everything)
        held = [plain.value(card) for card in hand if card in plain.SUITED]
        yield top, rng.choice([0, rng.randint(2, 14), *held[:4]])


def some_hands(most: int = 10) -> some.SearchStrategy[list[str]]:
    return some.lists(some.sampled_from(plain.DECK), min_size=1, max_size=most, unique=True)


# --- the examples of the rules ---------------------------------------------------------------------------------


@pytest.mark.parametrize("example", EXAMPLES["combination"], ids=lambda example: " ".join(example["cards"]))
def test_cards_are_what_the_examples_say(example: dict[str, Any]) -> None:
    expected = [top_of(found) for found in example["interpretations"]]
    for cards in (example["cards"], example["cards"][::-1]):
        assert [(one.type, one.length, one.rank) for one in figures.interpretations(cards)] == expected
    assert plain.readings(example["cards"]) == set(expected)


@pytest.mark.parametrize("example", EXAMPLES["legality"], ids=lambda example: " ".join(example["hand"]))
def test_a_play_is_as_legal_as_the_examples_say(example: dict[str, Any]) -> None:
    hand, top, wish, cards = example["hand"], top_of(example["top"]), example["wish"], frozenset(example["play"])
    for plays, may_pass in (engine_legal(hand, top, wish, True), plain.legal(hand, top, wish)):
        assert (cards in {play[0] for play in plays} if cards else may_pass) == example["legal"]
    playable = {frozenset(one.cards) for one in figures.playable(hand, top, wish)}
    assert not cards or (cards in playable) == example["legal"]


def test_without_the_option_a_bomb_must_fulfil_the_wish_too() -> None:
    hand = ["S9", "B9", "G9", "R9", "S5", "SK"]
    assert as_set(figures.playable(hand, ("single", 1, 3), 5, bomb_may_ignore_wish=False)) == {
        (frozenset(["S5"]), "single", 1, 5)
    }


# --- the plain twin --------------------------------------------------------------------------------------------


def check_with_twin(hand: list[str], rng: Random, n: int) -> None:
    """The hand's combinations, and what may be played on ``n`` tables, are those of the plain twin."""
    assert as_set(figures.combinations(hand)) == plain.all_plays(hand)
    for top, wish in tables(rng, hand, n):
        strict = rng.random() < 0.3
        expected, may_pass = plain.legal(hand, top, wish, not strict)
        assert as_set(figures.playable(hand, top, wish, not strict)) == expected
        assert engine_legal(hand, top, wish, not strict) == (expected, may_pass)
        check_bombs(hand, top)


def check_bombs(hand: list[str], top: plain.Top | None) -> None:
    mask, out = read_cards(hand), np.empty(ROOM, dtype=np.int64)
    found = [int(play) for play in out[3 : list_bombs(mask, *code_of(top), out, 3)]]
    assert found == sorted(set(found))
    assert {as_play(code, LEAD) for code in found} == {play for play in plain.legal(hand, top)[0] if play[1] == "bomb"}
    assert bool(holds_bomb(mask, *code_of(top))) == bool(found)


def check_readings(hand: list[str], rng: Random) -> None:
    """Any cards, also those that are nothing, and one card too many or too few, are read as the twin reads them."""
    plays = [sorted(play[0]) for play in sorted(plain.all_plays(hand), key=str)]
    for cards in rng.sample(plays, min(8, len(plays))):
        for tried in (cards, [*cards, rng.choice([c for c in plain.DECK if c not in cards])], cards[1:]):
            found = figures.interpretations(rng.sample(tried, len(tried)))
            assert {(one.type, one.length, one.rank) for one in found} == plain.readings(tried)
            assert all(set(one.cards) == set(tried) for one in found)
            assert len(found) < 2 or found[0].rank > found[1].rank  # type: ignore[operator]  # the higher one first


@pytest.mark.parametrize("style", plain.STYLES)
def test_plays_are_those_of_the_plain_twin(style: str) -> None:
    rng = Random(style)
    for hand in hands(style, per_size=5):
        check_with_twin(hand, rng, 6)
        check_readings(hand, rng)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 5))
@pytest.mark.parametrize("style", plain.STYLES)
def test_plays_of_thousands_of_hands_are_those_of_the_plain_twin(style: str, seed: int) -> None:
    rng = Random(f"{style} {seed}")
    for hand in hands(style, 8, seed):
        check_with_twin(hand, rng, 12)
        check_readings(hand, rng)
        check_lists(hand, None)


@given(some_hands(), some.randoms(use_true_random=False))
def test_plays_of_odd_hands_are_those_of_the_plain_twin(hand: list[str], rng: Random) -> None:
    check_with_twin(hand, rng, 3)


def test_everything_that_can_lie_on_the_table_is_beaten_by_the_same_plays() -> None:
    rng = Random(7)
    for style in plain.STYLES:
        hand = plain.random_hand(rng, 12, style, ["Ph"])
        for top in plain.tops():
            assert as_set(figures.playable(hand, top)) == plain.legal(hand, top)[0]


# --- lists: complete and merged --------------------------------------------------------------------------------


def check_lists(hand: list[str], top: plain.Top | None) -> None:
    """Both lists ascend; the merged one is a part of the complete one and offers something equal for all it drops."""
    mask = read_cards(hand)
    complete, merged = listed(mask, mask, top), listed(mask, int(flush_cards(mask)), top)
    assert complete == sorted(set(complete)) and merged == sorted(set(merged))
    assert set(merged) <= set(complete)
    for play in merged if top is None else []:
        if play & LOWER:  # then these cards have a higher reading, too
            assert play - LOWER in merged and rank_of(play - LOWER, LEAD) > rank_of(play, LEAD)
    flushes = [read_cards(run) for run in plain.straight_flushes(hand)]
    essence = [what_matters(mask, play, flushes) for play in merged]
    assert set(essence) == {what_matters(mask, play, flushes) for play in complete}
    if not flushes:
        assert len(set(essence)) == len(essence)  # nothing is there twice


def what_matters(hand: int, play: int, flushes: list[int]) -> tuple[Any, ...]:
    """How a play counts, and the hand it leaves: cards per value, special cards, straight flushes to the card."""
    rest = hand & ~int(cards_of(play))
    values = tuple((rest >> shift & 15).bit_count() for shift in range(2, 54, 4))
    straight = frozenset(run for run in flushes if run & rest == run)
    phoenix, lower = bool(play & PHOENIX_BIT), bool(play & LOWER)
    return int(kind_of(play)), int(rank_of(play, LEAD)), phoenix, lower, values, rest & ~SUITED, straight


@pytest.mark.parametrize("style", plain.STYLES)
def test_lists_ascend_and_the_merged_list_loses_nothing(style: str) -> None:
    rng = Random(style)
    for hand in hands(style, per_size=6, seed=9):
        for top in (None, rng.choice(plain.tops())):
            check_lists(hand, top)


def test_the_cards_of_straight_flushes_are_found() -> None:
    for style in ("flush", "suit", "street"):
        for hand in hands(style, per_size=20, seed=5):
            expected = {card for run in plain.straight_flushes(hand) for card in run}
            assert set(write_cards(int(flush_cards(read_cards(hand))))) == expected


# --- figures and what beats what ---------------------------------------------------------------------------------


def test_there_are_226_figures_of_30_kinds() -> None:
    found = figures.figures()
    expected = {"single": 17, "pair": 13, "triple": 13, "stair": 57, "fullhouse": 13, "street": 55, "bomb": 58}
    assert Counter(one[0] for one in found) == expected
    whole = {top for top in plain.tops() if top[2] == int(top[2])}
    assert len(found) == len(set(found)) == 226
    assert set(found) == whole | {("single", 1, 0), ("single", 1, 16)}  # the dog and the Phoenix
    kinds = [(TYPES[TYPE_OF[kind]], int(LENGTH_OF[kind])) for kind in range(KINDS)]
    assert KINDS == len(set(kinds)) == 31 and kinds[0] == ("pass", 0)
    assert set(kinds[1:]) == {one[:2] for one in found}


def test_every_play_has_the_number_of_its_figure() -> None:
    assert figures.figure_number(PASS) == 0
    for style in plain.STYLES:
        hand = plain.random_hand(Random(style), 10, style, ["Ph", "Ma"])
        for play in listed(read_cards(hand), read_cards(hand), None):
            _, kind, length, rank = as_play(play, LEAD)
            rank = 16 if int(cards_of(play)) == PHOENIX_BIT else rank
            assert figures.figures()[figures.figure_number(play) - 1] == (kind, length, rank)


def test_beating_is_strict_and_transitive() -> None:
    tops: list[plain.Top] = [("single", 1, 0), *plain.tops()]
    codes = [code_of(top) for top in tops]
    table = np.array([[bool(beats(*code, *other)) for other in codes] for code in codes])
    assert (table == [[plain.beats(top, other) for other in tops] for top in tops]).all()
    assert not (table & table.T).any()  # neither itself, nor each other
    two_steps = table.astype(np.int64) @ table.astype(np.int64) > 0
    assert not (two_steps & ~table).any()
    bomb, length = (np.array([top[0] == "bomb" for top in tops]), np.array([top[1] for top in tops]))
    assert table[np.ix_(bomb, ~bomb)].all() and not table[np.ix_(~bomb, bomb)].any()
    assert (table | ~(bomb[:, None] & bomb & (length[:, None] > length))).all()  # the longer bomb wins


def follows(later: figures.Combination, earlier: figures.Combination) -> bool:
    assert not isinstance(earlier.rank, str)
    found = figures.playable(later.cards, (earlier.type, earlier.length, earlier.rank))
    return any(one.cards == later.cards and one.rank == later.rank for one in found)


@given(some_hands(9), some.data())
def test_plays_follow_each_other_strictly_upwards(hand: list[str], data: some.DataObject) -> None:
    plays = [one for one in figures.combinations(hand) if one.cards not in (("Ph",), ("Hu",))]
    if plays:
        a, b, c = (data.draw(some.sampled_from(plays)) for _ in range(3))
        assert not follows(a, a)
        assert not (follows(a, b) and follows(b, a))
        assert follows(c, a) or not (follows(b, a) and follows(c, b))
        if a.type == "bomb" and (b.type != "bomb" or b.length < a.length):
            assert follows(a, b)


# --- how long lists get ----------------------------------------------------------------------------------------


def climb(rng: Random, steps: int) -> int:
    """The number of plays of a hand that was made richer card by card."""
    out, best = np.empty(ROOM, dtype=np.int64), 0
    hand = rng.sample(range(CARDS), 14)
    for _ in range(steps):
        cards = list(hand)
        for place in rng.sample(range(14), rng.choice((1, 1, 2, 3))):
            cards[place] = rng.choice([card for card in range(CARDS) if card not in cards])
        mask = sum(1 << card for card in cards)
        n = int(list_plays(mask, mask, PASS, LEAD, out))
        if n >= best:
            best, hand = n, cards
    return best


def test_no_hand_found_by_climbing_has_too_many_plays() -> None:
    rng = Random(3)
    assert 1500 < max(climb(rng, 1000) for _ in range(4)) <= MOST
    assert MOST < MOST_ACTIONS // 2
    assert figures.MOST_PLAYS >= MOST


def test_the_richest_hand_has_as_many_plays_as_the_plain_twin_says() -> None:
    hand = ["S3", "B3", "G3", "S4", "B4", "G4", "R4", "S5", "B5", "G5", "R5", "S6", "B6", "Ph"]
    assert as_set(figures.combinations(hand)) == plain.all_plays(hand)
    assert len(plain.all_plays(hand)) == MOST


@numba.njit(nogil=True)  # type: ignore[untyped-decorator]
def most_plays(specials: int, left: int, out: Actions) -> int:
    """The most plays of these special cards and ``left`` others, over all numbers of cards per value."""
    best, held, numbers = 0, 0, np.zeros(13, dtype=np.int64)
    while True:
        if 0 <= left - held <= 4:
            numbers[12] = left - held
            hand = specials
            for i in range(13):
                hand |= ((1 << numbers[i]) - 1) << (4 * i + 2)
            best = max(best, list_plays(hand, hand, PASS, LEAD, out))
        i = 0
        while i < 12 and (numbers[i] == 4 or held == left):
            held -= numbers[i]
            numbers[i] = 0
            i += 1
        if i == 12:
            return best
        numbers[i] += 1
        held += 1


@pytest.mark.slow
def test_no_hand_at_all_has_more_plays_than_the_richest() -> None:
    """Suits only decide which streets are bombs, so one hand per numbers of values is enough; any card in the place of
    dog or dragon adds a single as they do.
    """
    out = np.empty(ROOM, dtype=np.int64)
    assert most_plays(PHOENIX_BIT, 13, out) == MOST
    for specials, left in ((PHOENIX_BIT | MAHJONG_BIT, 12), (0, 14), (MAHJONG_BIT, 13)):
        assert most_plays(specials, left, out) < MOST


# --- cards and bad questions -----------------------------------------------------------------------------------


def test_cards_have_the_names_values_and_points_of_the_rules() -> None:
    assert list(NAMES) == plain.DECK
    for card, name in enumerate(NAMES):
        mask = read_cards([name])
        assert mask == 1 << card and write_cards(mask) == [name]
        assert value_of(card) == (16 if name == "Ph" else plain.value(name))
        expected = {"Dr": 25, "Ph": -25}.get(name) or {"5": 5, "10": 10, "K": 10}.get(name[1:], 0)
        assert points_of(mask) == expected
        has_value = name not in ("Hu", "Dr", "Ph")
        assert highest_value(mask) == (plain.value(name) if has_value else 0)
        assert lowest_value(mask) == (plain.value(name) if has_value else 15)
    assert points_of(read_cards(NAMES)) == 100


@given(some.lists(some.sampled_from(plain.DECK), unique=True))
def test_sets_of_cards_are_counted_and_written_in_order(cards: list[str]) -> None:
    mask = read_cards(cards)
    assert count(mask) == len(cards)
    assert write_cards(mask) == sorted(cards, key=plain.DECK.index)
    values = [plain.value(card) for card in cards if card not in ("Hu", "Dr", "Ph")]
    assert (highest_value(mask), lowest_value(mask)) == (max(values, default=0), min(values, default=15))


@pytest.mark.parametrize(
    ("arguments", "error", "reason"),
    [
        ((["S1"],), BadCards, "'S1' is no card"),
        ((["S8", "S8"],), BadCards, "S8 is there twice"),
        ((["s8"],), BadCards, "'s8' is no card; did you mean S8"),
        (([8],), BadCards, "'8' is no card"),
        ((plain.DECK[:15],), figures.BadCombination, "15 cards: a hand has 14 at most"),
        ((["S8"], ("trio", 3, 4)), figures.BadCombination, "type 'trio': one of single, pair"),
        ((["S8"], ("street", 4, 9)), figures.BadCombination, "length 4: there is no street"),
        ((["S8"], ("single", 1)), figures.BadCombination, "type, length, rank"),
        ((["S8"], ("single", 1, "Ph")), figures.BadCombination, "rank Ph"),
        ((["S8"], ("single", 1, float("nan"))), figures.BadCombination, "rank nan"),
        ((["S8"], ("single", 1, 1e300)), figures.BadCombination, "rank 1e"),
        ((["S8"], None, 1), figures.BadCombination, "wish 1: 0 for none, or a value from 2 to 14"),
        ((["S8"], None, 15), figures.BadCombination, "wish 15"),
        ((["S8"], None, "8"), figures.BadCombination, "wish '8'"),
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_bad_questions_are_refused_with_the_reason(arguments: tuple[Any, ...], error: type, reason: str) -> None:
    with pytest.raises(error, match=reason):
        figures.playable(*arguments)


def test_nothing_comes_of_no_cards() -> None:
    assert figures.combinations([]) == figures.interpretations([]) == figures.playable([]) == []
    assert figures.interpretations(plain.DECK) == []
    with pytest.raises(figures.BadCombination, match="56 cards: a hand has 14 at most"):
        figures.combinations(plain.DECK)
