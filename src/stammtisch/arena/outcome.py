"""Who won, and by how much: from the scores of a game to points, from the games of a deal to one row of numbers.

Where a score says no more than won, drawn or lost, games are judged by wins: a point each, shared by the best. Else
they are judged by score: who wins little and often may lose more than that in the other games.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stammtisch.arena.match import By, Match
from stammtisch.arena.referee import DealResult, GameResult, losers
from stammtisch.arena.sprt import LeadTest, Sprt
from stammtisch.arena.store import Played
from stammtisch.core.game import Game, GameSpec


def usual_judging(games: Sequence[Game]) -> By:
    """By score, unless that is only another word for won, drawn and lost, or the game itself says otherwise."""
    for game in games:
        low, high = game.spec.score_range
        if not game.spec.won_or_lost and not (low >= 0.0 and high <= 1.0):
            return "score"
    return "wins"


@dataclass
class Seen:
    """The scores of sides in games without faults: what a fault counts, where games are judged by score.

    Whoever is at fault gets the worst score that was seen, everybody else the mean: a standing that somebody broke off
    says nothing, and to break off while ahead must not pay.
    """

    worst: float = inf
    total: float = 0.0
    number: int = 0

    def add(self, deal: DealResult, spec: GameSpec) -> None:
        for game in deal.games:
            if game.fault is None:
                scores = side_scores(game, spec)
                self.worst = min(self.worst, *scores)
                self.total += sum(scores)
                self.number += len(scores)

    def judge(self, game: GameResult, spec: GameSpec) -> list[float]:
        """What a game counts, side by side."""
        if game.fault is None:
            return side_scores(game, spec)
        lost = losers(game.sides, spec.side_of[game.fault.seat])
        usual = self.total / self.number if self.number else 0.0
        worst = self.worst if isfinite(self.worst) and self.worst < usual else usual - 1.0
        return [worst if side in lost else usual for side in range(len(spec.sides))]


def seen_in(played: Played, variant: int) -> Seen:
    """In all games of a match by the same rules."""
    match, seen = played.match, Seen()
    for deal in played.deals:
        if match.tables[deal.table].game == variant:
            seen.add(deal, match.games[variant].spec)
    return seen


def lead_of_first(played: Played, deal: DealResult, seen: Seen) -> float:
    """How much more the table's first entrant scored than the others, per game of this deal: for a sequential test."""
    table = played.match.tables[deal.table]
    spec = played.match.games[table.game].spec
    if len(spec.sides) == 1:
        alone = [seen.judge(game, spec)[0] for game in deal.games]
        return alone[0] - sum(alone[1:]) / (len(alone) - 1)
    leads = []
    for game in deal.games:
        scores = seen.judge(game, spec)
        mine = [score for side, score in zip(game.sides, scores, strict=True) if side == table.entrants[0]]
        rest = [score for side, score in zip(game.sides, scores, strict=True) if side != table.entrants[0]]
        leads.append(sum(mine) / len(mine) - sum(rest) / len(rest))
    return sum(leads) / len(leads)


class RunningTest:
    """The sequential test of a match, deal by deal; what a fault counts is known from the deals so far."""

    def __init__(self, played: Played) -> None:
        self.match: Match = played.match
        assert self.match.sprt is not None
        settings: dict[str, Any] = dict(self.match.sprt)
        self.test: Sprt | LeadTest = LeadTest(**settings) if self.match.by == "score" else Sprt(**settings)
        self._seen: defaultdict[int, Seen] = defaultdict(Seen)
        for deal in played.deals:
            self.add(played, deal)

    def add(self, played: Played, deal: DealResult) -> None:
        if self.match.by == "wins":
            self.test.add(share_of_first(played, deal))
            return
        variant = self.match.tables[deal.table].game
        seen = self._seen[variant]
        seen.add(deal, self.match.games[variant].spec)
        self.test.add(lead_of_first(played, deal, seen))


def side_scores(result: GameResult, spec: GameSpec) -> list[float]:
    """The mean score of each side's seats."""
    return [sum(result.scores[seat] for seat in side) / len(side) for side in spec.sides]


def points(result: GameResult, spec: GameSpec) -> list[float]:
    """One point per game, to the side with the best score; several share it. Whose agent was at fault gets nothing.

    Without a fixed sum of scores a game that was broken off by a fault says nothing about the others: all share.
    """
    scores = side_scores(result, spec)
    winners = [side for side, score in enumerate(scores) if score == max(scores)]
    if result.fault is not None:
        lost = losers(result.sides, spec.side_of[result.fault.seat])
        winners = [side for side in range(len(scores)) if side not in lost]
        if spec.score_sum is not None:  # the others share as the standing is
            winners = [side for side in winners if scores[side] == max(scores[side] for side in winners)]
    return [1 / len(winners) if side in winners else 0.0 for side in range(len(scores))]


def share_of_first(played: Played, deal: DealResult) -> float:
    """The share of this deal's points that the table's first entrant got: what a sequential test counts."""
    table = played.match.tables[deal.table]
    spec = played.match.games[table.game].spec
    if len(spec.sides) == 1:
        return _solo_points(deal.games)[0]
    won = sum(
        share
        for game in deal.games
        for entrant, share in zip(game.sides, points(game, spec), strict=True)
        if entrant == table.entrants[0]
    )
    return won / len(deal.games)


def _solo_points(games: Sequence[GameResult]) -> list[float]:
    """Solo games of one deal are compared: the best score on the same dice gets the point, who is at fault does not."""
    scores = [-inf if game.fault else game.scores[0] for game in games]
    best = [score == max(scores) for score in scores]
    return [share / sum(best) for share in best]


def tallies(played: Played, table: int) -> dict[int, Counter[str]]:
    """What was counted besides the scores, for each entrant of the table."""
    spec = played.match.games[played.match.tables[table].game].spec
    found: dict[int, Counter[str]] = {entrant: Counter() for entrant in played.match.tables[table].entrants}
    for deal in played.of_table(table):
        for game in deal.games:
            for name, numbers in game.tally.items():
                for side, entrant in enumerate(game.sides):
                    found[entrant][name] += sum(numbers[seat] for seat in spec.sides[side])
    return found


@dataclass(frozen=True)
class Results:
    """The games of one table in numbers. The first axis is the deals.

    ``points`` and ``scores`` are [deal, entrant of the table, side]: what this entrant got when it had
    this side. Every entrant has every side exactly once per deal, so all means are fair.
    """

    spec: GameSpec
    points: NDArray[np.float64]
    scores: NDArray[np.float64]  # with what a fault counts, if it is judged by score
    shares: NDArray[np.float64]  # [deal, game, entrant]: the entrant's points in this game

    @property
    def deals(self) -> int:
        return len(self.points)

    @property
    def games(self) -> int:
        return self.shares.shape[0] * self.shares.shape[1]

    @property
    def solo(self) -> bool:
        return len(self.spec.sides) == 1

    def share(self, entrant: int) -> NDArray[np.float64]:
        """The entrant's share of the points of every deal; of a solo game there is one point per deal."""
        won: NDArray[np.float64] = self.points[:, entrant].sum(axis=1)
        return won if self.solo else won / self.shares.shape[1]

    def turned(self) -> Results:
        """The same with the entrants in the opposite order."""
        return Results(self.spec, self.points[:, ::-1], self.scores[:, ::-1], self.shares[:, :, ::-1])


def results(played: Played, table: int, by: By = "wins") -> Results:
    """The numbers of one table."""
    seated = played.match.tables[table]
    spec = played.match.games[seated.game].spec
    deals = played.of_table(table)
    entrants, sides = len(seated.entrants), len(spec.sides)
    all_points, all_scores = np.zeros((2, len(deals), entrants, sides))
    shares = np.zeros((len(deals), entrants, entrants))
    place = {entrant: i for i, entrant in enumerate(seated.entrants)}
    seen = seen_in(played, seated.game) if by == "score" else None
    for row, deal in enumerate(deals):
        for turn, game in enumerate(deal.games):
            won, scored = points(game, spec), seen.judge(game, spec) if seen else side_scores(game, spec)
            for side, entrant in enumerate(game.sides):
                # alone at the table, an entrant has all sides of the one game
                all_points[row, place[entrant], side] = won[side]
                all_scores[row, place[entrant], side] = scored[side]
                shares[row, turn, place[entrant]] += won[side]
        if sides == 1:
            all_points[row, :, 0] = _solo_points(deal.games)
    return Results(spec, all_points, all_scores, shares)
