"""The numbers of a match as tables of text: the terminal prints them, the HTML page frames them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from stammtisch.arena.store import Played
from stammtisch.core.game import Json

MANY = 0.1  # from this share of games on that were not played to their end, the result is in doubt


@dataclass(frozen=True)
class TextTable:
    """A heading, the columns' names and rows of text; all columns but the first hold numbers."""

    title: str
    head: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]


def tables(numbers: Json, milliseconds: Mapping[str, float] | None = None) -> list[TextTable]:
    """Everything a report shows in tables; ``milliseconds`` is the mean thinking time per decision by agent.

    Times are known for the whole match only, so the tables by number of players have none.
    """
    times = milliseconds or {}
    by = numbers["by"]
    if numbers["kind"] == "ratings":
        found = [_ratings("Ratings", numbers["ratings"], times, by)]
        if numbers["cross"]:
            found.append(_cross(numbers))
        if len(numbers["by_players"]) > 1:
            found += [_ratings(f"{seats} players", part, {}, by) for seats, part in numbers["by_players"].items()]
        return found
    found = _match("Result", numbers, times, by)
    if any(side.get("seats") for side in numbers["sides"]):
        found.append(_seats(numbers))
    if len(numbers["by_players"]) > 1:
        for seats, part in numbers["by_players"].items():
            found += _match(f"{seats} players", part, {}, by)
    return found


def heading(matches: Sequence[Played]) -> str:
    """The game, and what decided the deals."""
    said = [matches[0].match.games[0].info.title]
    for played in matches:
        match = played.match
        opening = f", {_opening(match.openings)} to begin with" if any(match.openings) else ""
        said.append(f"seed {match.seed}{opening}")
    return " · ".join(said)


def sentences(numbers: Json) -> list[str]:
    """What has to be said besides: the answer of a test, faults, games broken off."""
    said = []
    if "sprt" in numbers:
        said.append(_verdict(numbers))
    for fault in numbers["faults"]:
        count = _count(fault["games"], "game")
        first = fault["first"]
        where = f"first: deal {first['deal']}, game {first['game']}, {first['text']}"
        if fault["agent"] is None:
            said.append(f"{count} broken off, the standing counts ({where})")
        else:
            what = {"crash": "crashing", "illegal": "illegal moves", "stall": "taking too long"}[fault["kind"]]
            said.append(f"{fault['agent']} lost {count} by {what} ({where})")
    bad, games = sum(fault["games"] for fault in numbers["faults"]), numbers["games"]
    if bad >= MANY * games > 0:
        said.append(f"{bad:,} of {_count(games, 'game')} were not played to their end and say little about skill")
    return said


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def interval(ci95: list[float], scale: float = 1.0, digits: int = 1) -> str:
    """Its two ends; nothing for the anchor of a rating, which has no width."""
    if ci95[0] == ci95[1]:
        return ""
    return f"{scale * ci95[0]:.{digits}f} to {scale * ci95[1]:.{digits}f}"


def _match(title: str, numbers: Json, times: Mapping[str, float], by: str) -> list[TextTable]:
    """What it is judged by first; or only scores, where nobody plays against anybody."""
    title = f"{title}: {_count(numbers['games'], 'game')} on {_count(numbers['deals'], 'deal')}"
    sides = numbers["sides"]
    if not numbers["deals"]:
        return [TextTable(title, ("agent", "games"), [(side["agent"], "0") for side in sides])]
    if "win_rate" not in numbers:
        return [_solo(title, numbers, times), *_counts(sides)]
    won = [
        (
            side["agent"],
            percent(side["win_rate"]),
            interval(side["ci95"], 100),
            f"{side['wins']:,} / {side['draws']:,} / {side['losses']:,}",
        )
        for side in sides
    ]
    scored = [(side["agent"], _number(side["score"]["mean"]), _interval(side["score"])) for side in sides]
    ends = [_time(times, side["agent"]) for side in sides]
    heads = ("agent", "points", "95 %", "won / drawn / lost"), ("agent", "mean score", "95 %")
    if by == "score":
        rows = [(*row, end) for row, end in zip(scored, ends, strict=True)]
        rows += [(*row, "") for row in _difference(numbers)]
        found = [_timed(title, heads[1], rows, times), TextTable("Games won", heads[0], won)]
    else:
        found = [_timed(title, heads[0], [(*row, end) for row, end in zip(won, ends, strict=True)], times)]
        if any(side["score"]["mean"] != side["win_rate"] for side in sides):
            found.append(TextTable("Scores", heads[1], scored + _difference(numbers)))
    return [*found, *_counts(sides)]


def _counts(sides: Sequence[Json]) -> list[TextTable]:
    """What the game counts besides scores, such as calls won and lost."""
    names = list(dict.fromkeys(name for side in sides for name in side.get("tally", {})))
    rows = [(side["agent"], *(f"{side.get('tally', {}).get(name, 0):,}" for name in names)) for side in sides]
    return [TextTable("Counts", ("agent", *names), rows)] if names else []


def _solo(title: str, numbers: Json, times: Mapping[str, float]) -> TextTable:
    rows = [
        (
            side["agent"],
            _number(side["mean"]),
            _interval(side),
            _number(side["median"]),
            f"{_number(side['range'][0])} to {_number(side['range'][1])}",
            _time(times, side["agent"]),
        )
        for side in numbers["sides"]
    ]
    rows += [(*row, "", "", "") for row in _difference(numbers)]
    return _timed(title, ("agent", "mean score", "95 %", "median", "range"), rows, times)


def _difference(numbers: Json) -> list[tuple[str, str, str]]:
    if "difference" not in numbers:
        return []
    return [("difference", f"{numbers['difference']['mean']:+.4g}", _interval(numbers["difference"]))]


def _seats(numbers: Json) -> TextTable:
    seats = [side["seats"] for side in numbers["sides"][0]["seats"]]
    head = ("agent", *(f"seat {' + '.join(str(seat) for seat in some)}" for some in seats))
    rows = [
        (side["agent"], *(f"{percent(one['win_rate'])} ({interval(one['ci95'], 100)})" for one in side["seats"]))
        for side in numbers["sides"]
    ]
    return TextTable("Points seat by seat", head, rows)


def _ratings(title: str, ratings: list[Json], times: Mapping[str, float], by: str) -> TextTable:
    rows = [
        (
            f"{rank}. {one['agent']}",
            f"{one['rating']:+.0f}" if by == "wins" else f"{one['rating']:+.3g}",
            interval(one["ci95"], digits=0) if by == "wins" else _interval(one, ""),
            percent(one["win_rate"]),
            f"{one['games']:,}",
            _time(times, one["agent"]),
        )
        for rank, one in enumerate(ratings, start=1)
    ]
    unit = "Elo" if by == "wins" else "score"
    return _timed(title, ("agent", unit, "95 %", "points", "games"), rows, times)


def _cross(numbers: Json) -> TextTable:
    """Row against column, in what it is judged by."""
    names = [one["agent"] for one in numbers["ratings"]]
    cells: dict[tuple[str, str], str] = {}
    for row in numbers["cross"]:
        if "win_rate" in row and numbers["by"] == "score":
            lead = row["difference"]
            reach = (lead["ci95"][1] - lead["ci95"][0]) / 2
            cells[row["agent"], row["against"]] = f"{lead['mean']:+.3g}±{reach:.2g}"
            cells[row["against"], row["agent"]] = f"{-lead['mean']:+.3g}±{reach:.2g}"
        elif "win_rate" in row:
            reach = max(1.0, 50 * (row["ci95"][1] - row["ci95"][0]))
            cells[row["agent"], row["against"]] = f"{100 * row['win_rate']:.0f}±{reach:.0f}"
            cells[row["against"], row["agent"]] = f"{100 - 100 * row['win_rate']:.0f}±{reach:.0f}"
    ranks = [f"{rank}." for rank in range(1, len(names) + 1)]
    rows = [(rank, *(cells.get((a, b), "") for b in names)) for rank, a in zip(ranks, names, strict=True)]
    what = "per cent of the points" if numbers["by"] == "wins" else "points more in a game"
    return TextTable(f"Who against whom, by rank: {what}", ("", *ranks), rows)


def _verdict(numbers: Json) -> str:
    test, (first, second) = numbers["sprt"], (side["agent"] for side in numbers["sides"])
    low, high = test["bounds"]
    why = f"log likelihood ratio {test['llr']:.2f}, bounds {low:.2f} and {high:.2f}, {_count(numbers['deals'], 'deal')}"
    more, less = f"{test['elo1']:+g} Elo", f"{test['elo0']:+g}"
    if test["verdict"] == "H1":
        answer = f"Yes, {first} is stronger than {second}" if test["elo0"] >= 0 else f"{first} against {second}"
        return f"{answer}: {more} fits better than {less} ({why})"
    if test["verdict"] == "H0":
        return f"No: {less} Elo fits {first} against {second} better than {test['elo1']:+g} ({why})"
    return f"Not clear yet whether {more} or {less} fits {first} against {second} ({why})"


def _opening(moves: list[int]) -> str:
    """How many random moves; more than one number where the numbers of players differ."""
    *most, last = sorted(set(moves))
    return f"{', '.join(map(str, most))} or {last} random moves" if most else _count(last, "random move")


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _interval(numbers: Any, alike: str = "always") -> str:
    low, high = numbers["ci95"]
    return f"{_number(low)} to {_number(high)}" if low < high else alike


def _number(value: float) -> str:
    return f"{value:.1f}" if abs(value) >= 100 else f"{value:.3g}"


def _timed(title: str, head: tuple[str, ...], rows: Sequence[tuple[str, ...]], times: Mapping[str, float]) -> TextTable:
    """A table with times in its last column, where they are known."""
    if times:
        return TextTable(title, (*head, "ms / move"), rows)
    return TextTable(title, head, [row[:-1] for row in rows])


def _time(times: Mapping[str, float], agent: str) -> str:
    return f"{times[agent]:.3g}" if agent in times else ""
