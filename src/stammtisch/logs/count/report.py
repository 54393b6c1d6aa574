"""The report of a database of logs: all answers as JSON, as tables of text, and as one HTML page with pictures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from stammtisch.arena.page import document, html_picture, html_table
from stammtisch.arena.tables import TextTable, percent
from stammtisch.logs.count.players import AVERAGE, LEAST_ROUNDS, Player, Players
from stammtisch.logs.count.statistics import distributions, statistics
from stammtisch.logs.distribution import PERCENTILES, Distribution
from stammtisch.logs.findings import NAMES
from stammtisch.logs.keep.database import Database

if TYPE_CHECKING:
    from stammtisch.core.game import Json

SHOWN = 20  # players in each list


@dataclass(frozen=True)
class Report:
    """All answers; ``shapes`` are the histograms behind the pictures."""

    numbers: Json
    shapes: dict[str, Distribution]
    best: list[Player]


def report(database: Database, shown: int = SHOWN, least_rounds: int = LEAST_ROUNDS) -> Report:
    """Ask the database everything."""
    numbers = statistics(database)
    players = Players(database)
    best = players.top_by_elo(shown)
    top = players.best_by_score(0.1, least_rounds)
    numbers["players"] = {
        "number": len(players),
        "rated": int((players.place >= 0).sum()),
        "most_experienced": [one.to_json() for one in players.most_experienced(shown)],
        "best_tenth_by_score_difference": {
            "least_rounds": least_rounds,
            "number": len(top),
            "from": float(players.table["score_diff"][top[-1]]) if len(top) else None,
            "players": [one.to_json() for one in players.top_by_score(shown, 0.1, least_rounds)],
        },
        "best_by_elo": [one.to_json() for one in best],
    }
    return Report(numbers, distributions(database), best)


# --- tables ---------------------------------------------------------------------------------------------------


def tables(numbers: Json) -> list[TextTable]:
    """Everything in tables, in the order of the questions."""
    found = [
        _counts(numbers["counts"]),
        _years(numbers["by_year"]),
        _statistics(numbers["shape"]),
        _percentiles(numbers["shape"]),
        _scaling(numbers["shape"]),
        _balance(numbers["balance"]),
        _wishes(numbers["balance"]["wish"]),
        _schupf(numbers["balance"]["schupf"]),
        _odd_even(numbers["balance"]["odd_even"]),
        _options(numbers["options"]),
        _findings(numbers["findings"]),
        *_players(numbers["players"]),
    ]
    return [table for table in found if table.rows]


def _counts(counts: Json) -> TextTable:
    return TextTable("How much there is", ("", "number"), [(_said(name), f"{n:,}") for name, n in counts.items()])


def _years(years: list[Json]) -> TextTable:
    rows = [
        (str(one["year"] or "not known"), f"{one['games']:,}", f"{one['rounds']:,}", f"{one['clean']:,}")
        for one in years
    ]
    return TextTable("By year", ("year", "games", "rounds", "clean rounds"), rows)


def _statistics(shape: Json) -> TextTable:
    rows = [
        (name, f"{one['count']:,}", f"{one['min']:,}", f"{one['max']:,}", f"{one['mean']:.2f}", f"{one['stddev']:.2f}")
        for name, one in shape.items()
    ]
    return TextTable("Size and spread", ("", "count", "min", "max", "mean", "standard deviation"), rows)


def _percentiles(shape: Json) -> TextTable:
    names = [f"{q:g}" for q in PERCENTILES]
    rows = [(name, *(f"{one['percentiles'][q]:g}" for q in names)) for name, one in shape.items()]
    return TextTable("Percentiles", ("", *(f"{q} %" for q in names)), rows)


def _scaling(shape: Json) -> TextTable:
    rows = []
    for name, one in shape.items():
        test, how = one["shapiro_wilk"], one["scaling"]
        rows.append(
            (
                name,
                "" if test is None else f"{test['w']:.3f}",
                "" if test is None else f"{test['p']:.2g}",
                f"{how['low']:g} to {how['high']:g}",
                how["method"],
                f"{how['shift']:.4g}",
                f"{how['scale']:.4g}",
            )
        )
    head = ("", "Shapiro-Wilk W", "p", "clipped to", "scaling", "subtract", "divide by")
    return TextTable("Shape, clipping and scaling", head, rows)


def _balance(balance: Json) -> TextTable:
    grand, small, dragon = balance["grand_tichu"], balance["tichu"], balance["dragon"]
    rows = [
        ("rounds with a double victory", *_cells(balance["double_victory"])),
        ("rounds with a grand tichu", *_cells(grand["in_rounds"])),
        ("grand tichu called, of all hands", *_cells(grand["of_hands"])),
        ("grand tichu won, of those called", *_cells(grand["won"])),
        ("rounds with a tichu", *_cells(small["in_rounds"])),
        ("tichu called, of all hands", *_cells(small["of_hands"])),
        ("tichu won, of those called", *_cells(small["won"])),
        ("wish made, of Mahjongs played", *_cells(balance["wish"]["made"])),
        ("dragon given, of all rounds", *_cells(dragon["given"])),
        ("dragon to the right opponent", *_cells(dragon["right"])),
        ("dragon to the left opponent", *_cells(dragon["left"])),
        ("dragon to the partner (against the rules)", *_cells(dragon["partner"])),
    ]
    return TextTable("Balance", ("", "count", "share"), rows)


def _wishes(wish: Json) -> TextTable:
    return TextTable("Wishes", ("value", "count", "share"), [(v, *_cells(one)) for v, one in wish["values"].items()])


def _schupf(schupf: Json) -> TextTable:
    sides = ("right", "partner", "left")
    rows = [
        (value, *(_cells(schupf[side]["values"][value])[1] for side in sides)) for value in schupf["right"]["values"]
    ]
    most = [", ".join(one["card"] for one in schupf[side]["most_frequent"]) for side in sides]
    return TextTable(
        "Schupfed cards, by value",
        ("value", "to the right opponent", "to the partner", "to the left opponent"),
        [*rows, ("most frequent cards", *most)],
    )


def _odd_even(teams: Json) -> TextTable:
    names = list(teams["team_20"])
    rows = [(_said(name), *(_cells(teams[team][name])[1] for team in ("team_20", "team_31"))) for name in names]
    return TextTable("Odd and even: who schupfs by the convention", ("", "team 20", "team 31"), rows)


def _options(options: Json) -> TextTable:
    flat = {name: one for name, one in options.items() if "count" in one}
    rows = [(_said(name), *_cells(one)) for name, one in flat.items()]
    rows += [
        (f"two calls in a team: {_said(name)}", *_cells(one)) for name, one in options["two_calls_in_a_team"].items()
    ]
    return TextTable("Options that were used", ("", "count", "share"), rows)


def _findings(findings: list[Json]) -> TextTable:
    rows = [
        (
            f"{one['code']} {NAMES.get(one['code'], '')}",
            f"{one['count']:,}",
            f"{one['rounds']:,}",
            f"{one['first']['path']}, line {one['first']['line']}: {one['first']['sentence']}",
        )
        for one in findings
    ]
    return TextTable("What is against the rules or the format", ("code", "count", "rounds", "first"), rows)


def _players(players: Json) -> Iterator[TextTable]:
    tenth = players["best_tenth_by_score_difference"]
    yield _people("Most experienced players", players["most_experienced"])
    least = "" if tenth["from"] is None else f", from {tenth['from']:+.1f} points per round"
    title = f"Best tenth by score difference: {tenth['number']:,} of those with {tenth['least_rounds']} rounds{least}"
    yield _people(title, tenth["players"])
    yield _people(f"Best players by Elo (average {AVERAGE:.0f})", players["best_by_elo"])


def _people(title: str, players: list[Json]) -> TextTable:
    rows = []
    for one in players:
        low, high = one["score_diff_ci95"]
        elo = one["elo_ci95"]
        rows.append(
            (
                one["name"],
                f"{one['games']:,}",
                f"{one['rounds']:,}",
                f"{one['score_diff']:+.1f}",
                f"{low:+.1f} to {high:+.1f}",
                "" if one["elo"] is None else f"{one['elo']:.0f}",
                "" if elo is None else f"{elo[0]:.0f} to {elo[1]:.0f}",
                "" if one["win_rate"] is None else percent(one["win_rate"]),
                f"{one['tichus_won']:,} of {one['tichus']:,}",
                f"{one['grand_tichus_won']:,} of {one['grand_tichus']:,}",
            )
        )
    head = ("player", "games", "rounds", "points", "95 %", "Elo", "95 %", "won", "tichus won", "grand tichus won")
    return TextTable(title, head, rows)


def _cells(share: Json) -> tuple[str, str]:
    return f"{share['count']:,}", "" if share["share"] is None else percent(share["share"])


def _said(name: str) -> str:
    return name.replace("_", " ")


# --- the page -------------------------------------------------------------------------------------------------


def page(numbers: Json, pictures: Mapping[str, Mapping[str, bytes]], source: str) -> str:
    """The whole page; ``pictures`` come from ``plots.pictures``."""
    counts = numbers["counts"]
    lead = f"{counts['games']:,} games · {counts['rounds']:,} rounds · {counts['players']:,} players · {source}"
    parts = ["<h1>Tichu logs</h1>", f"<p class=lead>{escape(lead)}</p>"]
    share = counts["rounds_clean"] / counts["rounds"] if counts["rounds"] else 0.0
    parts.append(f"<p class=said>{percent(share)} of the rounds are without any finding.</p>")
    for table in tables(numbers):
        parts.append(html_table(table))
        if table.title == "By year":
            parts += _shown(pictures, ("years",))
        elif table.title == "Shape, clipping and scaling":
            parts += _distributions(pictures)
        elif table.title.startswith("Best players by Elo"):
            parts += _shown(pictures, ("players",))
    parts.append("<h2>How it was counted</h2>")
    parts += [f"<p>{escape(text)}</p>" for text in _NOTES]
    return document("Tichu logs", parts)


_NOTES = (
    "Rounds are replayed by the rules; what is said of play (tricks, calls, wishes, gifts) is about the rounds whose"
    " replay reached the end. The owner's pass on his own trick is no turn. The dog makes no trick.",
    "Trick points and points of a player are counted whenever somebody had to play or pass. Clipping limits are round"
    " numbers near the 0.5th and 99.5th percentile; Shapiro and Wilk's test sees a sample of at most 5,000 values.",
    f"Elo: a team is as strong as the mean of its two players; {AVERAGE:.0f} is the average; games that were finished"
    " without a change of players count. Score differences are points per round of the own team minus the other's.",
)


def _distributions(pictures: Mapping[str, Mapping[str, bytes]]) -> Iterator[str]:
    for name, picture in pictures.get("histogram", {}).items():
        yield f"<h2>{escape(name.capitalize())}</h2>{html_picture(f'histogram of {name}', picture)}"
        normal: Any = pictures.get("Q-Q", {}).get(name)
        if normal is not None:
            yield html_picture(f"Q-Q plot of {name}", normal)


def _shown(pictures: Mapping[str, Mapping[str, bytes]], groups: tuple[str, ...]) -> Iterator[str]:
    for group in groups:
        for name, picture in pictures.get(group, {}).items():
            yield html_picture(name, picture)
