"""Who won: from the scores of a game to points, and from the games of a deal to one row of numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from stammtisch.arena.referee import DealResult, GameResult, losers
from stammtisch.arena.store import Played
from stammtisch.core.game import GameSpec


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
    scores: NDArray[np.float64]
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


def results(played: Played, table: int) -> Results:
    """The numbers of one table."""
    seated = played.match.tables[table]
    spec = played.match.games[seated.game].spec
    deals = played.of_table(table)
    entrants, sides = len(seated.entrants), len(spec.sides)
    all_points, all_scores = np.zeros((2, len(deals), entrants, sides))
    shares = np.zeros((len(deals), entrants, entrants))
    place = {entrant: i for i, entrant in enumerate(seated.entrants)}
    for row, deal in enumerate(deals):
        for turn, game in enumerate(deal.games):
            won, scored = points(game, spec), side_scores(game, spec)
            for side, entrant in enumerate(game.sides):
                # alone at the table, an entrant has all sides of the one game
                all_points[row, place[entrant], side] = won[side]
                all_scores[row, place[entrant], side] = scored[side]
                shares[row, turn, place[entrant]] += won[side]
        if sides == 1:
            all_points[row, :, 0] = _solo_points(deal.games)
    return Results(spec, all_points, all_scores, shares)
