"""All numbers of a match, its tables, its page and its pictures."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import stammtisch as st
from stammtisch.arena.match import BadMatch, Match, Table, match, pairs
from stammtisch.arena.page import page
from stammtisch.arena.plots import plots
from stammtisch.arena.referee import Referee
from stammtisch.arena.run import run
from stammtisch.arena.store import Played, RunNotes, read
from stammtisch.arena.summary import summary
from stammtisch.arena.tables import sentences, tables
from stammtisch.core.game import Game
from toys import Climb, Pig, Treelet, Whistlet
from toys.players import player


def played(game: Game, *names: str, deals: int = 30, **settings: Any) -> Played:
    plan = match(game, *names, seed=3, make=player, **settings)
    return Played(plan, [Referee(plan).play(0, deal) for deal in range(deals)])


def tournament(tmp_path: Path, name: str = "t", seed: int = 5) -> Path:
    names = ("random", "mcts:iterations=10", "mcts:iterations=100")
    path = tmp_path / f"{name}.jsonl"
    run(Match((st.game("tictactoe"),), names, pairs(3), seed), 15, path, command="stammtisch rate ...")
    return path


def test_a_match_of_two_has_win_rates_that_add_up() -> None:
    for game in (Whistlet(), Pig(players=2), Pig(players=3), Pig(players=4), st.game("tictactoe")):
        numbers = summary([played(game, "mixed", "last")])
        first, second = numbers["sides"]
        assert numbers["games"] == 60 and numbers["deals"] == 30
        assert first["win_rate"] + second["win_rate"] == pytest.approx(1)
        assert numbers["win_rate"] == first["win_rate"] and numbers["ci95"] == first["ci95"]
        assert first["ci95"][0] <= first["win_rate"] <= first["ci95"][1]
        assert first["wins"] + first["draws"] + first["losses"] == 60
        assert first["wins"] == second["losses"] and first["draws"] == second["draws"]
        difference = first["score"]["mean"] - second["score"]["mean"]
        assert numbers["difference"]["mean"] == pytest.approx(difference, abs=1e-5)
        assert numbers["by_players"] == {str(game.spec.seats): {k: numbers[k] for k in block_keys(numbers)}}


def block_keys(numbers: dict[str, Any]) -> list[str]:
    return [k for k in numbers if k in ("deals", "games", "win_rate", "ci95", "difference", "sides")]


def test_equal_play_is_worth_its_share_whatever_the_seats() -> None:
    """Everybody has every seat of every deal once: an advantage of the first seat cancels out exactly."""
    tic = st.game("tictactoe")
    plan = match(tic, "first", "same", seed=3, make=lambda name, game: player("first", game))
    numbers = summary([Played(plan, [Referee(plan).play(0, deal) for deal in range(40)])])
    assert numbers["win_rate"] == 0.5 and numbers["difference"]["mean"] == 0
    seats = [one["win_rate"] for one in numbers["sides"][0]["seats"]]
    assert seats[0] != seats[1] and seats == [one["win_rate"] for one in numbers["sides"][1]["seats"]]


def test_free_for_all_of_three_agents() -> None:
    for game in (Treelet(), Pig(players=3), Pig(players=4)):
        numbers = summary([played(game, "mixed", "last", "random")])
        assert numbers["games"] == 90
        assert sum(side["win_rate"] for side in numbers["sides"]) == pytest.approx(1, abs=1e-5)
        assert "difference" not in numbers


def test_a_solo_game_has_a_distribution_of_scores() -> None:
    numbers = summary([played(Climb(), "last", deals=100)])
    (side,) = numbers["sides"]
    assert numbers["games"] == 100 and numbers["mean"] == side["mean"]
    assert side["range"][0] <= side["quartiles"][0] <= side["median"] <= side["quartiles"][1] <= side["range"][1]
    assert numbers["ci95"][0] < numbers["mean"] < numbers["ci95"][1]
    numbers = summary([played(Climb(), "first", "last", deals=100)])
    first, second = numbers["sides"]
    assert first["mean"] == 12 and first["range"] == [12, 12]  # two steps, six times
    assert numbers["difference"]["mean"] == pytest.approx(first["mean"] - second["mean"])
    assert first["best_of_deal"]["win_rate"] + second["best_of_deal"]["win_rate"] == pytest.approx(1)


def test_an_agent_against_itself_shows_what_the_seats_are_worth() -> None:
    numbers = summary([played(st.game("tictactoe"), "random", deals=200)])
    assert numbers["games"] == 200 and numbers["mean"] == 0.5
    first, second = (one["win_rate"] for one in numbers["sides"][0]["seats"])
    assert first > 0.55 and first + second == pytest.approx(1)


def test_several_numbers_of_players_are_reported_apart_and_together() -> None:
    games = tuple(Pig(players=number) for number in (2, 3, 4))
    plan = Match(games, ("mixed", "last"), tuple(Table((0, 1), i) for i in range(3)), seed=1, make=player)
    referee = Referee(plan)
    whole = Played(plan, [referee.play(*task) for task in plan.schedule(20)])
    numbers = summary([whole])
    parts = numbers["by_players"]
    assert list(parts) == ["2", "3", "4"] and all(part["games"] == 40 for part in parts.values())
    assert numbers["games"] == 120
    assert numbers["win_rate"] == pytest.approx(sum(part["win_rate"] for part in parts.values()) / 3, abs=1e-5)
    titles = [table.title for table in tables(numbers)]
    assert [title for title in titles if "players" in title] == [
        f"{n} players: 40 games on 20 deals" for n in (2, 3, 4)
    ]


def test_numbers_are_computed_from_the_file_byte_for_byte(tmp_path: Path) -> None:
    path = tournament(tmp_path)
    found = json.dumps(summary([read(path)], anchor="random"))
    RunNotes.place(path).unlink()
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(path.read_bytes())
    assert json.dumps(summary([read(copy)], anchor="random")) == found
    assert json.dumps(summary([read(path), read(copy)], anchor="random")) == found  # the same match counts once


def test_a_cross_table_puts_the_matches_of_a_pair_together(tmp_path: Path) -> None:
    one, two = read(tournament(tmp_path, "one", 1)), read(tournament(tmp_path, "two", 2))
    turned = Match(one.match.games, ("mcts:iterations=10", "random"), (Table((0, 1)),), 9)
    three = Played(turned, [Referee(turned).play(0, deal) for deal in range(10)])
    numbers = summary([one, two, three])
    assert [(row["agent"], row["against"]) for row in numbers["cross"]].count(("random", "mcts:iterations=10")) == 1
    row = numbers["cross"][0]
    assert row["games"] == 30 + 30 + 20
    shares = [summary([part])["cross"][0]["win_rate"] for part in (one, two)]
    share = (30 * sum(shares) + 20 * (1 - summary([three])["win_rate"])) / 80
    assert row["win_rate"] == pytest.approx(share, abs=1e-5)


def test_matches_of_different_games_are_not_mixed() -> None:
    with pytest.raises(BadMatch, match="different games"):
        summary([played(Pig(), "first", "last", deals=2), played(Whistlet(), "first", "last", deals=2)])


def test_faults_are_told(tmp_path: Path) -> None:
    numbers = summary([played(st.game("tictactoe"), "crash", "last", deals=5)])
    (fault,) = numbers["faults"]
    assert fault["agent"] == "crash" and fault["kind"] == "crash" and fault["games"] == 10
    assert any("crash lost 10 games by crashing" in text and "out of ideas" in text for text in sentences(numbers))
    assert numbers["win_rate"] == 0


def test_a_match_without_a_deal_is_an_empty_table() -> None:
    numbers = summary([played(Pig(), "first", "last", deals=0)])
    assert numbers["games"] == 0 and tables(numbers)[0].rows == [("first", "0"), ("last", "0")]


@pytest.mark.parametrize("game", [st.game("tictactoe"), Climb(), Whistlet(), Pig(players=4)], ids=lambda g: g.info.name)
def test_every_kind_of_match_has_tables_a_page_and_pictures(game: Game) -> None:
    for names in (("mixed",), ("mixed", "last")):
        match_played = played(game, *names)
        numbers = summary([match_played])
        for table in tables(numbers, {"last": 0.123}):
            assert all(len(row) == len(table.head) for row in table.rows)
        pictures = plots(numbers, [match_played], {}, None)
        assert list(pictures) == ["scores"] and pictures["scores"].startswith(b"\x89PNG")
        text = page(numbers, [match_played], RunNotes(), pictures)
        assert "mixed" in text and "data:image/png;base64," in text and "http" not in text


def test_a_tournament_has_a_ladder_and_curves(tmp_path: Path) -> None:
    path = tournament(tmp_path)
    notes, whole = RunNotes.read(path), read(path)
    numbers = summary([whole], "random")
    pictures = plots(numbers, [whole], notes.milliseconds(), "iterations")
    assert set(pictures) == {"ladder", "thinking-time", "curve"}
    text = page(numbers, [whole], notes, pictures)
    assert text.count("<img") == 3 and "stammtisch rate ..." in text
    assert len(re.findall(r"<tr>", text)) == 2 * (1 + 3)
    with pytest.raises(BadMatch, match="fewer than two agents"):
        plots(numbers, [whole], {}, "depth")
    with pytest.raises(BadMatch, match="needs ratings"):
        plots(summary([played(Pig(), "first", "last", deals=2)]), [whole], {}, "depth")


def test_names_cannot_smuggle_markup_into_the_page() -> None:
    plan = match(Pig(), "<b>x", "last", seed=1, make=lambda name, game: player("last", game))
    whole = Played(plan, [Referee(plan).play(0, deal) for deal in range(3)])
    assert "<b>" not in page(summary([whole]), [whole], RunNotes(), {})
