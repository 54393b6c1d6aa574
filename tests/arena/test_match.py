"""Who plays whom, on which deals, from which seats."""

from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

import stammtisch as st
from stammtisch.arena.match import BadMatch, Match, Table, match, pairs
from stammtisch.core.rng import uniform
from toys import Climb, Pig, Treelet, Whistlet
from toys.players import player


def four(entrants: int, sides: int) -> Match:
    names = tuple(f"player{i}" for i in range(entrants))
    return Match((Pig(players=sides),), names, (Table(tuple(range(entrants))),), seed=1, make=player)


@given(some.integers(2, 4).flatmap(lambda n: some.tuples(some.integers(1, n), some.just(n))), some.integers(0, 500))
def test_everybody_plays_every_side_of_a_deal_exactly_once(shape: tuple[int, int], deal: int) -> None:
    entrants, sides = shape
    games = four(entrants, sides).seatings(0, deal)
    assert len(games) == entrants
    for side in range(sides):
        assert sorted(seating[side] for seating in games) == list(range(entrants))
    assert all(set(seating) == set(range(entrants)) for seating in games)


def test_over_the_deals_every_way_to_sit_comes_equally_often() -> None:
    plan = four(2, 4)
    seen = Counter(seating for deal in range(7 * 3) for seating in plan.seatings(0, deal))
    assert len(seen) == 2**4 - 2 and set(seen.values()) == {3}
    seen = Counter(seating for deal in range(6) for seating in four(4, 4).seatings(0, deal))
    assert len(seen) == 24 and set(seen.values()) == {1}


def test_teams_sit_as_teams_and_solo_players_alone() -> None:
    assert match(Whistlet(), "a", "b", seed=1).seatings(0, 3) == [(0, 1), (1, 0)]
    assert match(Climb(), "a", "b", "c", seed=1).seatings(0, 3) == [(0,), (1,), (2,)]


def test_a_deal_has_one_start_and_its_own() -> None:
    plan = match(Whistlet(), "a", "b", seed=1)
    assert plan.start(0, 5) == plan.start(0, 5)
    assert (plan.start(0, 5).rng == plan.start(0, 5).rng).all()
    starts = {plan.start(0, deal).bytes() for deal in range(50)}
    assert len(starts) > 45
    assert plan.start(0, 5) == Whistlet().new(seed=plan.deal_seed(0, 5))
    assert plan.start(0, 5) != match(Whistlet(), "a", "b", seed=2).start(0, 5)


def test_games_that_begin_alike_get_random_openings() -> None:
    plan = match(st.game("tictactoe"), "a", "b", seed=1)
    starts = [plan.start(0, deal) for deal in range(300)]
    assert {len(state.moves()) for state in starts} == {7}
    assert len({state.bytes() for state in starts}) > 60
    assert match(st.game("tictactoe"), "a", "b", seed=1, opening=0).start(0, 1).moves() == [str(i) for i in range(9)]
    for game in (Pig(), Whistlet(deals=1), Treelet()):  # dice or a deal make the difference
        assert match(game, "a", "b", seed=1).openings == [0]


def test_openings_leave_something_to_play() -> None:
    plan = match(st.game("tictactoe"), "a", "b", seed=1, opening=7)
    assert all(not plan.start(0, deal).over for deal in range(50))
    with pytest.raises(BadMatch, match="shorter --opening"):
        match(st.game("tictactoe"), "a", "b", seed=1, opening=9).start(0, 0)


def test_the_agents_dice_differ_between_seats_games_tables_and_deals() -> None:
    plan = Match((Pig(players=4),), ("a", "b", "c"), pairs(3), seed=1)
    games = product(range(3), range(3), range(2))
    dice = [rng for game in games for rng in plan.randomness(*game)]
    assert len({tuple(rng.tolist()) for rng in dice}) == 3 * 3 * 2 * 4
    assert all(rng.base is None for rng in dice)  # the other seats' are not in the same memory
    assert (np.array(plan.randomness(0, 5, 0)) == plan.randomness(0, 5, 0)).all()
    assert np.mean([uniform(rng) for rng in dice for _ in range(1000)]) == pytest.approx(0.5, abs=0.01)


def test_a_round_robin_has_every_pair_and_a_gauntlet_only_some() -> None:
    assert [table.entrants for table in pairs(3)] == [(0, 1), (0, 2), (1, 2)]
    assert [table.entrants for table in pairs(4, against=1)] == [(0, 3), (1, 3), (2, 3)]
    assert [table.game for table in pairs(2, games=3)] == [0, 1, 2]


def test_every_table_plays_a_deal_before_the_next_begins() -> None:
    plan = Match((Pig(),), ("a", "b", "c"), pairs(3), seed=1)
    assert list(plan.schedule(2)) == [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)]


def test_matches_that_cannot_be_played_are_refused() -> None:
    with pytest.raises(BadMatch, match="entered twice"):
        match(Pig(), "a", "a", seed=1)
    with pytest.raises(BadMatch, match="in pairs"):
        match(Pig(), "a", "b", "c", seed=1)
    with pytest.raises(BadMatch, match="at least one"):
        match(Pig(), seed=1)


def test_the_header_is_the_whole_match() -> None:
    plan = Match((st.game("tictactoe"),), ("random", "mcts"), pairs(2), 7, opening=3, sprt={"elo0": 0.0})
    assert Match.from_header(plan.header()).header() == plan.header()
    for wrong in ({}, {**plan.header(), "format": 99}, {**plan.header(), "limits": None}, [1], {"format": 1}):
        with pytest.raises(BadMatch):
            Match.from_header(wrong)
