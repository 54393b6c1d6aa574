"""Numbers of actions: one for each meaning, as plain code tells meanings apart, and the suits that they find again."""

from itertools import pairwise
from random import Random

import numpy as np
import pytest

import stammtisch as st
from stammtisch.core.game import State
from stammtisch.games.tichu.cards import ALL_CARDS, NAMES, count, read_cards
from stammtisch.games.tichu.combinations import BOMB, flush_cards, kind_of, rank_of
from stammtisch.games.tichu.numbers import NUMBERS
from stammtisch.games.tichu.rules import SCHUPF_CARDS, SPECIAL

GAMES = {merged: st.game("tichu", rounds=1, merged=merged) for merged in (True, False)}


def faces(cards: int) -> tuple[str, ...]:
    """The cards of a set without their suits."""
    names = [NAMES[card] for card in range(56) if cards >> card & 1]
    return tuple(sorted(name if name in ("Hu", "Ma", "Dr", "Ph") else name[1:] for name in names))


def meaning(state: State, action: int) -> tuple[object, ...]:
    """What an action is when suits do not count, by its text and its cards."""
    text = state.game.format(action)
    if action < SPECIAL:
        kind, cards = kind_of(action), action & ALL_CARDS
        suits = cards if kind > BOMB else None
        return ("play", kind, faces(cards), int(rank_of(action, 0)) if count(cards) > 1 else None, suits)
    if action >= SCHUPF_CARDS:
        return ("gifts", *(faces(1 << (action >> shift & 63)) for shift in (12, 6, 0)))
    if "dragon" in text:
        assert state.player is not None
        return ("dragon", (int(text.split()[-1]) - state.player) % 4)
    return ("other", text)


def walk(merged: bool, games: int) -> list[State]:
    """Positions of random games."""
    chance, found = Random(3), []
    for seed in range(games):
        state = GAMES[merged].new(seed)
        while not state.over:
            found.append(state.copy())
            state.apply(chance.choice(state.actions()))
    return found


@pytest.mark.parametrize("merged", [True, False])
def test_a_number_is_a_meaning(merged: bool) -> None:
    known: dict[int, tuple[object, ...]] = {}
    for state in walk(merged, 60):
        actions = state.actions()
        for action in actions if len(actions) < 300 else Random(1).sample(actions, 300):
            number = int(state.game.kernel.number(state.record, action))
            assert 0 <= number < NUMBERS
            meant = meaning(state, action)
            assert known.setdefault(number, meant) == meant
    assert len(set(known.values())) == len(known) > 800


def test_every_number_leads_to_a_legal_action_that_spares_the_flushes() -> None:
    for state in walk(True, 40):
        legal = state.actions()
        by_number: dict[int, list[int]] = {}
        for action in legal:
            by_number.setdefault(int(state.game.kernel.number(state.record, action)), []).append(action)
        assert np.flatnonzero(state.mask()).tolist() == sorted(by_number)
        flushes = int(flush_cards(state.record.hand[state.player]))
        for number, alike in list(by_number.items())[:: 1 + len(by_number) // 40]:
            action = state.action_at(number)
            assert action in alike
            if action < SPECIAL:
                assert count(action & flushes) == min(count(one & flushes) for one in alike)


def test_merged_plays_have_numbers_of_their_own_but_for_straight_flushes() -> None:
    for state in walk(True, 40):
        if state.to_json()["phase"] == "play" and not flush_cards(state.record.hand[state.player]):
            numbers = [int(state.game.kernel.number(state.record, action)) for action in state.actions()]
            assert len(set(numbers)) == len(numbers)


def test_cards_of_a_straight_flush_are_given_away_last() -> None:
    hand = read_cards(["S2", "S3", "S4", "S5", "S6", "B5", "R6", "G6", "B9", "R10", "BA", "GA", "Dr", "Ph"])
    state = next(one for one in walk(True, 1) if one.to_json()["phase"] == "schupf")
    state.record.hand[state.player] = hand
    for five, six in ((0, 1), (1, 0)):
        wanted = next(a for a in state.actions() if state.game.format(a).split()[1:3] == ["S5", "S6"][:: 1 - 2 * five])
        given = state.game.format(state.action_at(state.number(wanted))).split()[1:]
        assert given[five] == "B5" and given[six] in ("G6", "R6")


def test_the_table_of_the_docs_is_in_order() -> None:
    from stammtisch.games.tichu.numbers import CALLS, DRAGONS, FIRST, GIFTS, WISHES

    places = [*FIRST.tolist(), WISHES, DRAGONS, GIFTS, NUMBERS]
    assert FIRST[-1] == CALLS and all(a < b for a, b in pairwise(places))
