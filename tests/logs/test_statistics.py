"""The numbers of a report equal a plain recount of the same files, line by line."""

import re
import statistics as plain_statistics
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

from logs.corpus import copies, make_folder
from stammtisch.core.game import Json
from stammtisch.logs.count.report import Report, page, report, tables
from stammtisch.logs.keep.database import Database
from stammtisch.logs.keep.importing import import_logs
from stammtisch.work.pool import Here

NUMBER = 12
VALUES = {"B": 11, "D": 12, "K": 13, "A": 14}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Report:
    place = tmp_path_factory.mktemp("statistics")
    with Database(place / "logs.duckdb", writable=True) as database:
        import_logs([make_folder(place / "logs", NUMBER)], database, Here())
        return report(database, least_rounds=5)


@pytest.fixture(scope="module")
def numbers(found: Report) -> Json:
    return found.numbers


def recount() -> dict[str, Any]:
    """By regular expressions and counters."""
    total: dict[str, Any] = defaultdict(Counter)
    total["diffs"], total["turns"], total["rounds per game"], total["odd_even"] = [], [], [], Counter()
    for _, data in copies(NUMBER):
        rounds = data.decode().split("---------------Gr.Tichukarten------------------\n")[1:]
        rounds = [text for text in rounds if "Ergebnis:" in text]
        total["rounds per game"].append(len(rounds))
        for text in rounds:
            _recount_round(text, total)
    return total


def _recount_round(text: str, total: dict[str, Any]) -> None:
    a, b = map(int, re.findall(r"Ergebnis: (-?\d+) - (-?\d+)", text)[0])
    total["diffs"].append(a - b)
    calls = {int(seat): 2 for seat in re.findall(r"^Grosses Tichu: \((\d)\)", text, re.M)}
    for seat in re.findall(r"^Tichu: \((\d)\)", text, re.M):
        calls.setdefault(int(seat), 1)
    total["wish"].update(re.findall(r"^Wunsch:(\S+)", text, re.M))
    for seat, *cards in re.findall(r"^\((\d)\)\S* gibt: \S*: (\S+) - \S*: (\S+) - \S*: (\S+) -", text, re.M):
        for side, card in zip(("right", "partner", "left"), cards, strict=True):
            total[f"schupf {side}"][card] += 1
        parity = [_parity(cards[0]), _parity(cards[2])]
        total["odd_even"][int(seat) % 2, "none" if None in parity else tuple(parity)] += 1
    course = text.split("Rundenverlauf")[1]
    left, out, owner, turns, dragon = [14] * 4, [], -1, 0, -1
    for line in course.splitlines():
        if play := re.match(r"\((\d)\)\S*?: (.+)", line):
            owner = int(play[1])
            cards = play[2].split()
            left[owner] -= len(cards)
            turns += 1
            dragon = owner if "Dr" in cards else dragon
            if left[owner] == 0:
                out.append(owner)
        elif passed := re.match(r"\((\d)\)\S*? passt", line):
            turns += int(passed[1]) != owner
        elif gift := re.match(r"Drache an: \((\d)\)", line):
            total["dragon"][(int(gift[1]) - dragon) % 4] += 1
    total["turns"].append(turns)
    total["double"]["yes"] += len(out) == 2
    for seat, call in calls.items():
        total["calls"][call] += 1
        total["won"][call] += out[0] == seat


def _parity(card: str) -> int | None:
    value = VALUES.get(card[1:], card[1:])
    return int(value) % 2 if str(value).isdigit() and card[0] in "SBGR" else None


def test_counts_and_shapes_equal_a_plain_recount(numbers: Json) -> None:
    plain = recount()
    assert numbers["counts"]["files"] == numbers["counts"]["games"] == NUMBER
    assert numbers["counts"]["rounds"] == sum(plain["rounds per game"])
    assert numbers["counts"]["turns"] == sum(plain["turns"])
    for name, values in (
        ("rounds per game", plain["rounds per game"]),
        ("turns per round", plain["turns"]),
        ("score difference", plain["diffs"]),
    ):
        shape = numbers["shape"][name]
        assert (shape["count"], shape["min"], shape["max"]) == (len(values), min(values), max(values))
        assert shape["mean"] == pytest.approx(plain_statistics.mean(values))
        assert shape["stddev"] == pytest.approx(plain_statistics.stdev(values))


def test_the_balance_equals_a_plain_recount(numbers: Json) -> None:
    plain, balance = recount(), numbers["balance"]
    assert balance["double_victory"]["count"] == plain["double"]["yes"]
    for name, call in (("tichu", 1), ("grand_tichu", 2)):
        assert (balance[name]["called"], balance[name]["won"]["count"]) == (plain["calls"][call], plain["won"][call])
    assert {v: one["count"] for v, one in balance["wish"]["values"].items() if one["count"]} == dict(plain["wish"])
    sides = {"right": 1, "partner": 2, "left": 3}
    assert {name: balance["dragon"][name]["count"] for name in sides} == {
        name: plain["dragon"][where] for name, where in sides.items()
    }
    for side in sides:
        assert balance["schupf"][side]["cards"] == dict(plain[f"schupf {side}"])


def test_the_odd_and_even_convention_equals_a_plain_recount(numbers: Json) -> None:
    plain = recount()["odd_even"]
    for team, parity in (("team_20", 0), ("team_31", 1)):
        one = numbers["balance"]["odd_even"][team]
        assert one["right_even_left_odd"]["count"] == plain[parity, (0, 1)]
        assert one["right_odd_left_even"]["count"] == plain[parity, (1, 0)]
        assert one["neither"]["count"] == plain[parity, (0, 0)] + plain[parity, (1, 1)]
        assert one["a_card_without_value"]["count"] == plain[parity, "none"]


def test_points_are_counted_once_per_turn(numbers: Json) -> None:
    turns = numbers["counts"]["turns"]
    assert numbers["shape"]["trick points"]["count"] == turns
    assert numbers["shape"]["points of a player"]["count"] == 4 * turns


def test_every_player_is_counted_in_all_rounds(numbers: Json) -> None:
    players = numbers["players"]
    assert players["number"] == numbers["counts"]["players"]
    for one in players["most_experienced"]:
        assert one["score_diff_ci95"][0] <= one["score_diff"] <= one["score_diff_ci95"][1]
        if one["elo"] is not None:
            assert one["elo_ci95"][0] < one["elo"] < one["elo_ci95"][1]
    rounds = [one["rounds"] for one in players["most_experienced"]]
    assert rounds == sorted(rounds, reverse=True)


def test_tables_and_page_show_every_answer(found: Report) -> None:
    from stammtisch.logs.count.plots import pictures

    titles = [table.title for table in tables(found.numbers)]
    for word in (
        "How much",
        "Percentiles",
        "Shape",
        "Balance",
        "Wishes",
        "Schupfed",
        "Odd",
        "Options",
        "against",
        "Elo",
    ):
        assert any(word in title for title in titles), word
    drawn = pictures(found.shapes, found.best, found.numbers["by_year"])
    assert set(drawn["histogram"]) == set(found.shapes)
    text = page(found.numbers, drawn, "logs <&> more")
    assert text.count("data:image/png;base64,") == sum(len(group) for group in drawn.values())
    assert "logs &lt;&amp;&gt; more" in text and "http" not in text.replace("http-equiv", "")


def test_an_empty_database_gives_a_report_of_zeros(tmp_path: Path) -> None:
    from stammtisch.logs.count.plots import pictures

    with Database(tmp_path / "empty.duckdb", writable=True) as database:
        nothing = report(database)
    assert nothing.numbers["counts"]["games"] == 0
    assert nothing.numbers["balance"]["tichu"]["won"]["share"] is None
    assert "0 games" in page(nothing.numbers, pictures(nothing.shapes, nothing.best, []), "nothing")
