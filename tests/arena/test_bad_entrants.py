"""Whatever an entrant does, from the moment it is made: it loses, is told plainly, and the match goes on."""

from pathlib import Path

import pytest

import stammtisch as st
from stammtisch.arena.match import Limits, Match, match
from stammtisch.arena.run import run
from stammtisch.arena.store import read
from stammtisch.arena.summary import summary
from stammtisch.arena.tables import sentences
from stammtisch.core.errors import UnsuitableAgent
from stammtisch.core.game import Game
from toys.players import player

TICTACTOE = st.game("tictactoe")
QUICK = Limits(stall=0.3, memory=500, warm_up=2.0)


def faults(habit: str, path: Path, rounds: int = 2, limits: Limits = QUICK) -> list[tuple[str, str]]:
    """The kind and text of every fault; the bad one has both seats in turn, all its games are lost by it alone."""
    plan = match(TICTACTOE, "first", habit, seed=1, make=player, limits=limits)
    played = run(plan, rounds, path, 1)
    assert read(path).deals == played.deals
    games = [game for deal in played.deals for game in deal.games]
    assert len(games) == 2 * rounds
    for game in games:
        if game.fault is not None:
            assert game.sides[game.fault.seat] == 1 and game.scores[game.fault.seat] == 0
    return [(game.fault.kind, game.fault.text) for game in games if game.fault is not None]


@pytest.mark.parametrize(
    ("habit", "kind", "text"),
    [
        ("made: raise", "crash", "LookupError: no such player"),
        ("made: exit", "crash", "SystemExit: 3"),
        ("ms text", "crash", "no number of milliseconds up to 3,600,000 (a str)"),
        ("ms nan", "crash", "(a float)"),
        ("ms huge", "crash", "(a int)"),
        ("ms less", "crash", "(a int)"),
        ("ms list", "crash", "(a list)"),
        ("leave in a number", "illegal", "Number instead of an action code"),
    ],
)
def test_who_cannot_sit_down_or_answer_loses(habit: str, kind: str, text: str, tmp_path: Path) -> None:
    plan = match(TICTACTOE, "first", habit, seed=1, make=player, limits=QUICK)
    (first, second), *_ = [deal.games for deal in run(plan, 1, tmp_path / "m.jsonl").deals]
    for game in (first, second):
        assert game.fault is not None and game.fault.kind == kind and text in game.fault.text


@pytest.mark.parametrize(
    ("habit", "kind", "text"),
    [
        ("made: die", "crash", "it ended the process it ran in"),
        pytest.param("made: close", "crash", "it ended the process it ran in", marks=pytest.mark.slow),
        ("close", "crash", "it ended the process it ran in"),
        ("hoard", "crash", "more than 500 MB of memory"),
        ("hang in a number", "stall", "more than 300 ms for one decision"),
    ],
)
def test_who_spoils_the_process_loses(habit: str, kind: str, text: str, tmp_path: Path) -> None:
    assert faults(habit, tmp_path / "m.jsonl", 1) == [(kind, text)] * 2


@pytest.mark.slow
def test_so_does_a_busy_loop(tmp_path: Path) -> None:
    assert faults("busy", tmp_path / "m.jsonl") == [("stall", "more than 300 ms for one decision")] * 4


def test_a_constructor_that_hangs_is_waited_for_once(tmp_path: Path) -> None:
    plan = match(TICTACTOE, "first", "made: hang", seed=1, make=player, limits=QUICK)
    games = [game for deal in run(plan, 3, tmp_path / "m.jsonl", 1).deals for game in deal.games]
    found = [(game.fault.kind, game.fault.text) for game in games if game.fault]
    assert found == [("stall", "more than 2,000 ms to be made")] * 6


@pytest.mark.parametrize("habit", ["fork", "two answers", "made: fork"])
def test_copies_of_the_process_change_nothing(habit: str, tmp_path: Path) -> None:
    assert faults(habit, tmp_path / "m.jsonl", 5) == []


def test_a_worker_killed_from_outside_changes_nothing(tmp_path: Path) -> None:
    bad = match(TICTACTOE, "first", f"kill once {tmp_path / 'killed'}", seed=1, make=player)
    killed = run(bad, 3, tmp_path / "killed.jsonl", 1)
    good = run(match(TICTACTOE, "first", f"kill once {tmp_path / 'killed'}", seed=1, make=player), 3, tmp_path / "2")
    assert (tmp_path / "killed").exists() and killed.deals == good.deals


def refuse(name: str, game: Game) -> object:
    raise UnsuitableAgent(f"{name} plays with nobody")


@pytest.mark.parametrize("workers", [0, 1])
def test_an_agent_that_refuses_the_game_ends_the_match_before_it_begins(workers: int, tmp_path: Path) -> None:
    with pytest.raises(UnsuitableAgent, match="plays with nobody"):
        run(match(TICTACTOE, "a", "b", seed=1, make=refuse), 3, tmp_path / "m.jsonl", workers)


def test_the_summary_of_many_bad_games_says_so(tmp_path: Path) -> None:
    def numbers(*names: str) -> str:
        path = tmp_path / f"{names[1]}.jsonl"
        return " ".join(sentences(summary([run(match(TICTACTOE, *names, seed=1, make=player), 20, path)])))

    said = numbers("first", "crash")
    assert "crash lost 39 games by crashing" in said
    assert "39 of 40 games were not played to their end and say little about skill" in said
    assert numbers("first", "last") == ""


def test_limits_that_are_usual_leave_no_trace_in_the_file() -> None:
    plan = match(TICTACTOE, "first", "last", seed=1)
    assert plan.header()["limits"] == {"grace": 2.0, "stall": 60.0}
    other = match(TICTACTOE, "first", "last", seed=1, limits=Limits(memory=100))
    assert Match.from_header(other.header()).limits == Limits(memory=100)
