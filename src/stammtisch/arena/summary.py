"""All numbers of a match, computed from its file alone: the same file gives the same numbers, byte for byte."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from stammtisch.arena.intervals import Estimate, Vector, estimates
from stammtisch.arena.match import BadMatch, By
from stammtisch.arena.outcome import Results, RunningTest, results, tallies, usual_judging
from stammtisch.arena.ratings import rate
from stammtisch.arena.store import Played
from stammtisch.core.game import Json

_DIGITS = 6


def summary(matches: Sequence[Played], anchor: str | None = None, ratings: bool = False, by: By | None = None) -> Json:
    """The numbers of a match at one table, or ratings: of a tournament, of several matches, or where asked for.

    ``by`` is what games are judged by; without it, by score where the score says more than won, drawn or lost, and as
    its sequential test does where the match has one.
    """
    matches = _without_copies(matches)
    games = {played.match.games[0].info.name for played in matches}
    if len(games) > 1:
        raise BadMatch(f"matches of different games cannot be rated together: {', '.join(sorted(games))}")
    ratings = ratings or anchor is not None or len(matches) > 1 or matches[0].match.kind == "ratings"
    ratings = ratings or len({table.entrants for table in matches[0].match.tables}) > 1
    if by is None:
        tested = [played.match.by for played in matches if played.match.sprt is not None]
        by = tested[0] if tested else usual_judging([game for played in matches for game in played.match.games])
    common: Json = {
        "game": games.pop(),
        "by": by,
        "options": [dict(game.options) for played in matches for game in played.match.games],
        "seeds": [played.match.seed for played in matches],
        "openings": [moves for played in matches for moves in played.match.openings],
        "programs": sorted({played.match.program for played in matches}),
    }
    return {**common, **(_rating_numbers(matches, anchor, by) if ratings else _match_numbers(matches[0], by))}


def _without_copies(matches: Sequence[Played]) -> list[Played]:
    """The same match given twice counts once, as far as it was played."""
    longest: dict[str, Played] = {}
    for played in matches:
        header = json.dumps(played.match.header())
        if header not in longest or len(played.deals) > len(longest[header].deals):
            longest[header] = played
    return list(longest.values())


def _match_numbers(played: Played, by: By) -> Json:
    match = played.match
    names = [match.entrants[entrant] for entrant in match.tables[0].entrants]
    found = [results(played, table, by) for table in range(len(match.tables))]
    by_seats: dict[int, list[Results]] = {}
    for one in found:
        by_seats.setdefault(len(one.spec.taken), []).append(one)
    numbers: Json = {"kind": "match", **block(names, found), "faults": faults([played])}
    for place, entrant in enumerate(match.tables[0].entrants):
        counted: Counter[str] = Counter()
        for table in range(len(match.tables)):
            counted.update(tallies(played, table)[entrant])
        if counted:
            numbers["sides"][place]["tally"] = dict(counted)
    numbers["by_players"] = {str(seats): block(names, some) for seats, some in sorted(by_seats.items())}
    if played.match.sprt is not None:
        test = RunningTest(played).test
        low, high = test.bounds
        numbers["sprt"] = {
            **played.match.sprt,
            "by": match.by,
            "llr": _round(test.llr),
            "bounds": [_round(low), _round(high)],
            "verdict": test.verdict,
        }
    return numbers


def block(names: Sequence[str], found: Sequence[Results]) -> Json:
    """The numbers of tables with the same entrants, taken together."""
    if not sum(one.deals for one in found):
        return {"deals": 0, "games": 0, "sides": [{"agent": name, "games": 0} for name in names]}
    columns = _Columns(found)
    for place in range(len(names)):
        columns.add("points", place, lambda r, e=place: r.share(e), lambda r: (0.0, 1.0))
        columns.add("scores", place, lambda r, e=place: r.scores[:, e, :].mean(axis=1), _score_bounds(len(names)))
        for side in range(_common_sides(found)):
            columns.add("seats", (place, side), lambda r, e=place, s=side: r.points[:, e, s], lambda r: (0.0, 1.0))
    if len(names) == 2:
        difference = lambda r: (r.scores[:, 0] - r.scores[:, 1]).mean(axis=1)  # noqa: E731
        columns.add("difference", 0, difference, lambda r: (-_width(r), _width(r)))
    known = columns.estimates()
    solo = found[0].solo
    alone = len(names) == 1  # an agent's score by itself, or against itself
    sides = [_side(name, place, found, known, alone) for place, name in enumerate(names)]
    first = sides[0]
    numbers: Json = {"deals": sum(one.deals for one in found), "games": sum(one.games for one in found)}
    if solo or alone:
        numbers |= {"mean": first["mean"], "ci95": first["ci95"]}
    else:
        numbers |= {"win_rate": first["win_rate"], "ci95": first["ci95"]}
    if len(names) == 2:
        numbers["difference"] = _mean(known["difference", 0])
    return {**numbers, "sides": sides}


def _side(name: str, place: int, found: Sequence[Results], known: dict[Any, Estimate], alone: bool) -> Json:
    """One entrant's numbers."""
    solo = found[0].solo
    games = sum(one.games for one in found) if not solo else sum(one.deals for one in found)
    side: Json = {"agent": name, "games": games}
    won, scored = known["points", place], known["scores", place]
    if solo or alone:
        all_scores = np.concatenate([one.scores[:, place, :].ravel() for one in found])
        low, first, middle, third, high = np.quantile(all_scores, (0, 0.25, 0.5, 0.75, 1)).tolist()
        side |= {**_mean(scored), "median": middle, "quartiles": [first, third], "range": [low, high]}
    else:
        shares = np.concatenate([one.shares[:, :, place].ravel() for one in found])
        side |= {"win_rate": _round(won.mean), "ci95": _ci(won), "score": _mean(scored)}
        side |= {"wins": int((shares == 1).sum()), "draws": int(((shares > 0) & (shares < 1)).sum())}
        side |= {"losses": int((shares == 0).sum())}
    if solo and not alone:
        side["best_of_deal"] = {"win_rate": _round(won.mean), "ci95": _ci(won)}
    if not solo:
        side["seats"] = [
            {
                "seats": list(found[0].spec.sides[s]),
                "win_rate": _round(known["seats", (place, s)].mean),
                "ci95": _ci(known["seats", (place, s)]),
            }
            for s in range(_common_sides(found))
        ]
    return side


def faults(matches: Sequence[Played]) -> list[Json]:
    """Who lost games without playing them to their end, how often and by what; and games that were broken off."""
    counts: Counter[tuple[str, str]] = Counter()
    examples: dict[tuple[str, str], Json] = {}
    for played in matches:
        for deal in played.deals:
            spec = played.match.games[played.match.tables[deal.table].game].spec
            for turn, game in enumerate(deal.games):
                where = {"table": deal.table, "deal": deal.deal, "game": turn}
                if game.broken_off:
                    counts["", "broken off"] += 1
                    examples.setdefault(("", "broken off"), {"text": f"after {game.decisions} decisions", **where})
                if game.fault is not None:
                    key = played.match.entrants[game.sides[spec.side_of[game.fault.seat]]], game.fault.kind
                    counts[key] += 1
                    examples.setdefault(key, {"text": game.fault.text, **where})
    return [
        {"agent": agent or None, "kind": kind, "games": counts[agent, kind], "first": examples[agent, kind]}
        for agent, kind in sorted(counts)
    ]


def _rating_numbers(matches: Sequence[Played], anchor: str | None, by: By) -> Json:
    every_seats = sorted({len(game.spec.taken) for played in matches for game in played.match.games})
    numbers: Json = {
        "kind": "ratings",
        "games": sum(len(deal.games) for played in matches for deal in played.deals),
        "anchor": anchor,
        "ratings": _ratings(matches, anchor, by),
        "cross": _cross(matches, by),
        "faults": faults(matches),
    }
    numbers["by_players"] = {}
    for seats in every_seats:
        try:
            part = _ratings([_only(played, seats) for played in matches], anchor, by)
        except BadMatch:  # with so many players they did not all meet
            continue
        numbers["by_players"][str(seats)] = part
    return numbers


def _ratings(matches: Sequence[Played], anchor: str | None, by: By) -> list[Json]:
    digits = 1 if by == "wins" else 4
    return [
        {
            "agent": one.name,
            "rating": _round(one.rating, digits),
            "ci95": [_round(one.low, digits), _round(one.high, digits)],
            "games": one.games,
            "win_rate": _round(one.share),
        }
        for one in rate(matches, anchor, by)
    ]


def _only(played: Played, seats: int) -> Played:
    """The deals that were played by so many players."""
    match = played.match
    deals = [deal for deal in played.deals if len(match.games[match.tables[deal.table].game].spec.taken) == seats]
    return Played(match, deals)


def _cross(matches: Sequence[Played], by: By) -> list[Json]:
    """How every two that shared a table did against each other."""
    pairs: dict[tuple[str, str], list[Results]] = {}
    for played in matches:
        for number, table in enumerate(played.match.tables):
            if len(table.entrants) == 2:
                first, second = (played.match.entrants[entrant] for entrant in table.entrants)
                found = results(played, number, by)
                if (second, first) in pairs:
                    pairs[second, first].append(found.turned())
                else:
                    pairs.setdefault((first, second), []).append(found)
    rows = []
    for pair, some in pairs.items():
        numbers = {key: value for key, value in block(pair, some).items() if key != "sides"}
        rows.append({"agent": pair[0], "against": pair[1], **numbers})
    return rows


class _Columns:
    """Columns of numbers, one row per deal, whose means are wanted with intervals."""

    def __init__(self, found: Sequence[Results]) -> None:
        self.found = found
        self.keys: list[tuple[str, Any]] = []
        self.values: list[Vector] = []
        self.bounds: list[tuple[float, float]] = []

    def add(self, name: str, key: Any, values: Any, bounds: Any) -> None:
        self.keys.append((name, key))
        self.values.append(np.concatenate([values(one) for one in self.found]))
        both = [bounds(one) for one in self.found]
        self.bounds.append((min(low for low, _ in both), max(high for _, high in both)))

    def estimates(self) -> dict[Any, Estimate]:
        lows, highs = np.array(self.bounds).T
        return dict(zip(self.keys, estimates(np.column_stack(self.values), lows, highs), strict=True))


def _score_bounds(entrants: int) -> Any:
    """What a mean score can be; alone at the table of a game with a fixed sum, only one thing."""

    def bounds(result: Results) -> tuple[float, float]:
        if entrants == 1 and result.spec.score_sum is not None:
            return (result.spec.score_sum / len(result.spec.taken),) * 2
        return result.spec.score_range

    return bounds


def _common_sides(found: Sequence[Results]) -> int:
    """The number of sides, 0 where tables differ."""
    counts = {len(one.spec.sides) for one in found}
    return counts.pop() if len(counts) == 1 else 0


def _width(result: Results) -> float:
    low, high = result.spec.score_range
    return high - low


def _mean(estimate: Estimate) -> Json:
    return {"mean": _round(estimate.mean), "ci95": _ci(estimate)}


def _ci(estimate: Estimate) -> list[float]:
    return [_round(estimate.low), _round(estimate.high)]


def _round(value: float, digits: int = _DIGITS) -> float:
    return round(float(value), digits) + 0.0  # no minus zero
