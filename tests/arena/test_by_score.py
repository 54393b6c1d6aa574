"""Judged by score: who wins little and often, and loses much in the other games, is not the better one."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.special import ndtri

import stammtisch as st
from commands import run
from stammtisch.arena.match import Match, Table, match, pairs
from stammtisch.arena.outcome import RunningTest, Seen, usual_judging
from stammtisch.arena.page import page
from stammtisch.arena.plots import plots
from stammtisch.arena.ratings import rate
from stammtisch.arena.referee import DealResult, Fault, GameResult
from stammtisch.arena.sprt import LeadTest, expected_share
from stammtisch.arena.store import Played, RunNotes
from stammtisch.arena.summary import summary
from stammtisch.arena.tables import tables
from toys import Climb, Pig, Whistlet
from toys.players import player


def chips(levels: dict[str, float], deals: int, seed: int, seats: int = 2, often: str = "") -> Played:
    """Everybody against everybody: ``levels`` more per game, spread widely; ``often`` wins most games, by little."""
    rng = np.random.default_rng(seed)
    names = tuple(levels)
    plan = Match((Pig(players=seats),), names, pairs(len(names)), seed)
    found = []
    for table, deal in plan.schedule(deals):
        games = []
        for sides in plan.seatings(table, deal):
            scores = [levels[names[entrant]] + rng.normal(0, 5) for entrant in sides]
            if often in (names[entrant] for entrant in sides):
                lucky = rng.random() < 0.8
                scores = [
                    levels[names[entrant]] + (1 if names[entrant] == often else -1) * (1 if lucky else -4)
                    for entrant in sides
                ]
            games.append(GameResult(sides, tuple(scores), 9))
        found.append(DealResult(table, deal, tuple(games)))
    return Played(plan, found)


def test_what_games_are_judged_by() -> None:
    wins = [st.game("tictactoe"), st.game("dog"), st.game("madn"), st.game("chameleon"), Pig(), Whistlet()]
    assert [usual_judging([game]) for game in [*wins, st.game("tichu")]] == ["wins"] * 7  # a race to 1,000
    for game in (st.game("tichu", rounds=1), st.game("clever", players=2), Climb()):
        assert usual_judging([game]) == "score"


def test_who_wins_often_and_little_is_rated_by_what_it_scores() -> None:
    played = chips({"fox": 0.0, "hedgehog": 0.0}, 300, 1, often="fox")
    by_wins, by_score = rate([played]), rate([played], by="score")
    assert [one.name for one in by_wins] == ["fox", "hedgehog"] and by_wins[0].rating > 50
    assert abs(by_score[0].rating) < 0.5
    scored = summary([played], ratings=True, by="score")
    assert scored["by"] == "score" and abs(scored["ratings"][0]["rating"]) < 0.5
    assert [row["win_rate"] for row in scored["cross"]] == [
        row["win_rate"] for row in summary([played], ratings=True)["cross"]
    ]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_levels_in_points_are_found_with_their_intervals(seats: int) -> None:
    levels = {"a": 3.0, "b": 1.0, "c": -0.5, "d": -3.5}
    hits = 0
    for seed in range(40):
        found = rate([chips(levels, 40, seed, seats)], by="score")
        hits += sum(one.low <= levels[one.name] <= one.high for one in found)
        assert found[0].name == "a" and found[-1].name == "d"
    assert 0.9 <= hits / 160 <= 0.99
    anchored = rate([chips(levels, 40, 1, seats)], anchor="c", by="score")
    assert {one.name: one.rating for one in anchored}["c"] == 0


def test_an_interval_comes_from_deals_and_not_from_games() -> None:
    """The two games of a deal that always agree are one observation."""
    plan = Match((Pig(),), ("a", "b"), (Table((0, 1)),), 1)
    rng = np.random.default_rng(5)
    leads = rng.normal(1, 10, 400)
    games = [(GameResult((0, 1), (x, -x), 9), GameResult((1, 0), (-x, x), 9)) for x in leads]
    once = rate([Played(plan, [DealResult(0, i, pair[:1]) for i, pair in enumerate(games)])], by="score")[0]
    twice = rate([Played(plan, [DealResult(0, i, pair) for i, pair in enumerate(games)])], by="score")[0]
    assert twice.rating == pytest.approx(once.rating)
    assert twice.high - twice.low == pytest.approx(once.high - once.low, rel=0.02)


def test_to_break_off_while_ahead_does_not_pay() -> None:
    plan = Match((Pig(),), ("coward", "b"), (Table((0, 1)),), 1)
    fault = Fault(0, "crash", "out of nerves")
    deals = []
    for number in range(50):
        clean = GameResult((1, 0), (3.0, -3.0), 9)
        deals.append(DealResult(0, number, (GameResult((0, 1), (40.0, -40.0), 9, fault), clean)))
    played = Played(plan, deals)
    found = {one.name: one.rating for one in rate([played], by="score")}
    assert found["coward"] < found["b"]
    numbers = summary([played], by="score")
    assert numbers["difference"]["mean"] == pytest.approx((-3 - 0 - 6) / 2)
    first = Seen()
    assert first.judge(deals[0].games[0], plan.games[0].spec) == [-1.0, 0.0]  # nothing else has been seen


# --- the sequential test ------------------------------------------------------------------------------------


def test_the_test_by_score_asks_for_the_lead_and_is_the_same_when_resumed() -> None:
    plan = Match((Pig(),), ("a", "b"), (Table((0, 1)),), 1, sprt={"elo0": 0.0, "elo1": 60.0}, by="score")
    played = Played(plan, chips({"a": 2.0, "b": 0.0}, 400, 3).deals)
    whole = RunningTest(played)
    parts = RunningTest(Played(plan, played.deals[:100]))
    for deal in played.deals[100:]:
        parts.add(played, deal)
    assert whole.test == parts.test and whole.test.verdict == "H1"
    assert Match.from_header(json.loads(json.dumps(plan.header())), plan.games).by == "score"
    assert summary([played])["sprt"]["by"] == summary([played])["by"] == "score"
    assert "by" not in Match((Pig(),), ("a", "b"), (Table((0, 1)),), 1).header()


def test_leads_that_never_change_have_an_answer() -> None:
    for lead, verdict in ((0.0, "H0"), (-1.0, "H0"), (1.0, "H1")):
        test = LeadTest(0.0, 100.0)
        for _ in range(1000):
            test.add(lead)
        assert test.verdict == verdict
    assert LeadTest(leads=[1.0] * 39).verdict is None


SPREADS = {
    "normal": lambda rng, n: rng.normal(size=n),
    "heavy": lambda rng, n: rng.standard_t(3, size=n) / 3**0.5,
    "rare": lambda rng, n: (rng.random(n) < 0.02) * 7.0 - 0.14 + 0.1 * rng.normal(size=n),
    "rounds": lambda rng, n: rng.choice([-2.0, -0.5, 0.0, 0.5, 2.0], size=n),
}


@pytest.mark.slow
@pytest.mark.parametrize("truth", ["H0", "H1"])
@pytest.mark.parametrize("spread", SPREADS)
@pytest.mark.parametrize(("elo0", "elo1"), [(0, 100), (-20, 60)])
def test_it_errs_at_most_as_often_as_promised(spread: str, elo0: float, elo1: float, truth: str) -> None:
    """1,000 simulated matches with known truth."""
    rng = np.random.default_rng(7)
    sample = SPREADS[spread](rng, 400_000)
    lead = float(ndtri(expected_share(elo0 if truth == "H0" else elo1))) * float(sample.std())
    wrong, deals = 0, 0
    for _ in range(1000):
        test = LeadTest(elo0, elo1)
        while test.verdict is None:
            for one in SPREADS[spread](rng, 10):
                test.add(float(one) + lead)
        wrong += test.verdict != truth
        deals += len(test.leads)
    print(f"{spread}, {elo0} or {elo1} Elo, {truth} true: {wrong / 10} % wrong, {deals / 1000} deals")
    assert wrong <= 50


# --- what is shown ------------------------------------------------------------------------------------------


def test_tables_pages_and_pictures_say_what_was_judged() -> None:
    played = chips({"a": 2.0, "b": 0.0, "c": -1.0}, 30, 3)
    for by, unit in (("wins", "Elo"), ("score", "score")):
        numbers = summary([played], by=by)  # type: ignore[arg-type]
        first, cross = tables(numbers)[:2]
        assert unit in first.head
        assert ("per cent" in cross.title) == (by == "wins")
        pictures = plots(numbers, [played], {"a": 1.0, "b": 2.0}, None)
        text = page(numbers, [played], RunNotes(), pictures)
        assert ("Judged by score" in text) == (by == "score")
    one = Played(match(Pig(), "first", "last", seed=1, make=player), chips({"first": 2.0, "last": 0.0}, 30, 3).deals)
    titles = [[table.title.partition(":")[0] for table in tables(summary([one], by=by))] for by in ("wins", "score")]
    assert titles[0][:2] == ["Result", "Scores"] and titles[1][:2] == ["Result", "Games won"]


def test_the_command_line_says_by_what(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "m.jsonl"
    few = ("--rounds", "2", "--workers", "1", "--seed", "1")
    assert run("arena", "clever", "random", "greedy", "-o", "players=2", *few, "--out", str(out), "--json") == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["by"] == "score"
    for by in ("wins", "score"):
        assert run("report", str(out), "--by", by, "--json") == 0
        assert json.loads(capsys.readouterr().out)["by"] == by
    assert run("report", str(out), "--by", "luck") == 2
    assert "score or wins" in capsys.readouterr().err
