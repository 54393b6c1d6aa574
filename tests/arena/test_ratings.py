"""Ratings find known strengths and say how sure they are."""

import numpy as np
import pytest

from stammtisch.arena.match import BadMatch, Match, Table, pairs
from stammtisch.arena.ratings import ELO, Rating, rate
from stammtisch.arena.referee import DealResult, GameResult
from stammtisch.arena.store import Played
from toys import Pig

NAMES = ("a", "b", "c", "d")


def tournament(
    elo: dict[str, float], deals: int, seed: int, seats: int = 2, draw: float = 0.0, pairwise: bool = True
) -> Played:
    """A round robin as the model says it goes; with draws, of which each side of two gets half."""
    rng = np.random.default_rng(seed)
    names = tuple(elo)
    tables = pairs(len(names)) if pairwise else (Table(tuple(range(len(names)))),)
    match = Match((Pig(players=seats),), names, tables, seed)
    strength = np.exp(np.array([elo[name] for name in names]) / ELO)
    found = []
    for table, deal in match.schedule(deals):
        games = []
        for sides in match.seatings(table, deal):
            chances = strength[list(sides)] / strength[list(sides)].sum()
            scores = np.zeros(seats)
            if rng.random() < draw * 2 * chances.min():  # halves the distance of both chances to the draw
                scores[:] = 1 / seats
            else:
                corrected = chances if draw == 0 else (chances - draw * chances.min()) / (1 - 2 * draw * chances.min())
                scores[rng.choice(seats, p=corrected)] = 1
            games.append(GameResult(sides, tuple(scores), 10))
        found.append(DealResult(table, deal, tuple(games)))
    return Played(match, found)


def by_name(ratings: list[Rating]) -> dict[str, Rating]:
    return {one.name: one for one in ratings}


def test_two_players_get_the_difference_of_their_score() -> None:
    match = Match((Pig(),), ("a", "b"), (Table((0, 1)),), 1)
    won, lost = GameResult((0, 1), (1.0, 0.0), 9), GameResult((1, 0), (1.0, 0.0), 9)
    deals = [DealResult(0, i, (won, won) if i % 2 else (won, lost)) for i in range(1000)]  # three of four for a
    first, second = rate([Played(match, deals)])
    assert (first.name, second.name) == ("a", "b")
    assert first.rating - second.rating == pytest.approx(400 * np.log10(1500.5 / 500.5))
    assert first.rating == -second.rating and first.share == 0.75 and first.games == 2000


def test_draws_count_half_and_make_the_interval_narrower() -> None:
    lively = by_name(rate([tournament({"a": 100, "b": 0}, 400, 1)]))
    drawish = by_name(rate([tournament({"a": 100, "b": 0}, 400, 1, draw=0.8)]))
    for found in (lively, drawish):
        assert found["a"].low < 50 < found["a"].high
    assert drawish["a"].high - drawish["a"].low < 0.75 * (lively["a"].high - lively["a"].low)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_known_strengths_are_found(seats: int) -> None:
    elo = {"a": 300.0, "b": 100.0, "c": -50.0, "d": -350.0}
    found = rate([tournament(elo, 600, 2, seats)])
    assert [one.name for one in found] == list(NAMES)
    for one in found:
        assert one.low < elo[one.name] < one.high and one.high - one.low < 90


def test_an_anchor_is_zero_and_differences_stay() -> None:
    played = tournament({"a": 100, "b": 0, "c": -80}, 200, 3)
    free, fixed = by_name(rate([played])), by_name(rate([played], anchor="c"))
    assert fixed["c"].rating == fixed["c"].low == fixed["c"].high == 0
    assert sum(one.rating for one in free.values()) == pytest.approx(0, abs=1e-9)
    for name in "ab":
        assert fixed[name].rating == pytest.approx(free[name].rating - free["c"].rating)
    with pytest.raises(BadMatch, match="did not play"):
        rate([played], anchor="z")


def test_a_clean_sweep_gives_a_finite_rating_with_a_wide_interval() -> None:
    played = tournament({"a": 5000, "b": 0}, 50, 4)
    first, _ = rate([played])
    assert first.share == 1
    assert 300 < 2 * first.rating < 1500
    assert first.high - first.low > 150


def test_games_that_always_agree_are_one_observation() -> None:
    """The same results as one game per deal and as two equal ones: the interval hardly shrinks."""
    rng = np.random.default_rng(5)
    wins = rng.integers(0, 2, 400)
    match = Match((Pig(),), ("a", "b"), (Table((0, 1)),), 1)

    def result(win: int) -> GameResult:
        return GameResult((0, 1), (float(win), 1.0 - win), 9)

    once = rate([Played(match, [DealResult(0, i, (result(w),)) for i, w in enumerate(wins)])])[0]
    twice = rate([Played(match, [DealResult(0, i, (result(w), result(w))) for i, w in enumerate(wins)])])[0]
    assert twice.high - twice.low == pytest.approx(once.high - once.low, rel=0.02)


def test_several_matches_are_rated_together_if_somebody_connects_them() -> None:
    one = tournament({"a": 100, "b": 0}, 300, 6)
    two = tournament({"b": 0, "c": -100}, 300, 7)
    three = tournament({"d": 0, "e": -100}, 10, 8)
    found = by_name(rate([one, two]))
    assert found["a"].rating - found["c"].rating == pytest.approx(200, abs=80)
    with pytest.raises(BadMatch, match="never met"):
        rate([one, three])
    with pytest.raises(BadMatch, match="no ratings"):
        rate([Played(one.match, [])])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("elo", "deals", "seats", "draw", "pairwise"),
    [
        ((150, 40, -30, -160), 40, 2, 0.0, True),
        ((150, 40, -30, -160), 40, 2, 0.7, True),
        ((150, 40, -30, -160), 40, 3, 0.0, True),
        ((150, 40, -30, -160), 40, 4, 0.0, True),
        ((600, 200, -100, -700), 50, 2, 0.0, True),
        ((400, 100, -100, -400), 100, 4, 0.0, False),
        ((200, 0, -200), 30, 4, 0.0, False),
        ((250, -250), 50, 2, 0.0, True),
    ],
)
def test_ratings_are_covered_as_often_as_promised(
    elo: tuple[float, ...], deals: int, seats: int, draw: float, pairwise: bool
) -> None:
    """1,000 simulated tournaments with known truth, of pairs or of everybody at one table."""
    truth = dict(zip(NAMES, elo, strict=False))
    hits = dict.fromkeys(truth, 0)
    for seed in range(1000):
        for one in rate([tournament(truth, deals, seed, seats, draw, pairwise)]):
            hits[one.name] += one.low <= truth[one.name] - sum(elo) / len(elo) <= one.high
    print(f"{elo} Elo, {deals} deals, {seats} seats, draws {draw}, pairs {pairwise}: {hits} of 1000 covered")
    assert 0.93 <= sum(hits.values()) / len(hits) / 1000 <= 0.97
    assert min(hits.values()) >= 930
