"""Ratings on the Elo scale, from games of two sides or of many.

The model gives every entrant a strength, and a side wins in proportion to the strength of who plays
it (Bradley and Terry 1952 for two sides, Luce 1959 for more); a shared win counts in shares. Its
likelihood depends only on who sat at the table, how many sides each had and how many points it got.

Intervals come from how much the deals really scatter (a sandwich estimate, the deal as the unit), so
draws make them narrower and games of one deal that resemble each other make them wider, as they
should. One win and one loss that nobody played stand between every two entrants that met: a clean
sweep then gives a finite rating, and an honest, wide interval.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from stammtisch.arena.intervals import LEVEL
from stammtisch.arena.match import BadMatch
from stammtisch.arena.outcome import points
from stammtisch.arena.store import Played

ELO = 400 / np.log(10)  # Elo per unit of log strength
_STEPS = 100


@dataclass(frozen=True)
class Rating:
    """An entrant's rating with its 95 % interval, and its share of the points in all its games."""

    name: str
    rating: float
    low: float
    high: float
    games: int
    share: float


@dataclass(frozen=True)
class _Deal:
    """Observations that belong together: per game the sides of every entrant and the points it got."""

    sides: NDArray[np.float64]  # [game, entrant]
    points: NDArray[np.float64]


def rate(matches: Iterable[Played], anchor: str | None = None) -> list[Rating]:
    """The ratings of everybody who played, best first; zero is their average, or ``anchor``."""
    played = list(matches)
    names = sorted({name for one in played for name in one.match.entrants})
    deals = _collect(played, names)
    _check_connected(deals, names)
    if anchor is not None and anchor not in names:
        raise BadMatch(f"'{anchor}' did not play; these did: {', '.join(names)}")
    virtual = _virtual(deals, len(names))
    strengths = _fit([*deals, *virtual], len(names))
    covariance = _sandwich([*deals, *virtual], strengths)
    zero = np.full(len(names), 1 / len(names)) if anchor is None else np.eye(len(names))[names.index(anchor)]
    contrast = np.eye(len(names)) - zero
    ratings = ELO * contrast @ strengths
    spare = max(len(deals) - 1, 1)  # few deals scatter less than they should: a t interval, as for any mean
    wider = stdtrit(spare, 0.5 + LEVEL / 2) * np.sqrt(len(deals) / spare)
    reach = ELO * wider * np.sqrt(np.clip(np.einsum("ij,jk,ik->i", contrast, covariance, contrast), 0, None))
    found = []
    for i, name in enumerate(names):
        took_part = [(deal.sides[:, i] > 0, deal) for deal in deals]
        games = int(sum(part.sum() for part, _ in took_part))
        won = sum(float(deal.points[part, i].sum()) for part, deal in took_part)
        low, high = float(ratings[i] - reach[i]), float(ratings[i] + reach[i])
        found.append(Rating(name, float(ratings[i]), low, high, games, won / games))
    return sorted(found, key=lambda one: (-one.rating, one.name))


def _collect(matches: Sequence[Played], names: list[str]) -> list[_Deal]:
    """The observations by deal: the same deal at several tables is one unit, because its luck is the same."""
    units: dict[tuple[int, int, int], tuple[list[list[float]], list[list[float]]]] = {}
    for played in matches:
        match = played.match
        for deal in played.deals:
            table = match.tables[deal.table]
            spec = match.games[table.game].spec
            if len(spec.sides) == 1 or len(table.entrants) == 1:
                continue  # nobody met anybody
            all_sides, all_won = units.setdefault((match.seed, table.game, deal.deal), ([], []))
            for game in deal.games:
                sides, won = [0.0] * len(names), [0.0] * len(names)
                for entrant, share in zip(game.sides, points(game, spec), strict=True):
                    place = names.index(match.entrants[entrant])
                    sides[place] += 1
                    won[place] += share
                all_sides.append(sides)
                all_won.append(won)
    return [_Deal(np.array(sides), np.array(won)) for sides, won in units.values()]


def _check_connected(deals: list[_Deal], names: list[str]) -> None:
    """Ratings compare only those who met, directly or through others."""
    met = np.eye(len(names), dtype=bool)
    for deal in deals:
        for sides in np.unique(deal.sides, axis=0):
            met |= np.outer(sides > 0, sides > 0)
    for _ in names:
        met = met @ met
    apart = [name for name, reached in zip(names, met[0], strict=True) if not reached]
    if not deals or apart:
        group = ", ".join(name for name in names if name not in apart)
        raise BadMatch(f"no ratings: {group} never met {', '.join(apart)}, not even through others")


def _virtual(deals: list[_Deal], entrants: int) -> list[_Deal]:
    """A win and a loss between every two that met."""
    met = np.zeros((entrants, entrants), dtype=bool)
    for deal in deals:
        for sides in np.unique(deal.sides, axis=0):
            met |= np.outer(sides > 0, sides > 0)
    found = []
    for a, b in zip(*np.nonzero(np.triu(met, 1)), strict=True):
        both = np.zeros((1, entrants))
        both[0, [a, b]] = 1
        for winner in (a, b):
            won = np.zeros((1, entrants))
            won[0, winner] = 1
            found.append(_Deal(both, won))
    return found


def _chances(sides: NDArray[np.float64], strengths: NDArray[np.float64]) -> NDArray[np.float64]:
    """What the model expects every entrant to win, per game."""
    weights = sides * np.exp(strengths - strengths.max())
    return weights / weights.sum(axis=1, keepdims=True)


def _information(chances: NDArray[np.float64]) -> NDArray[np.float64]:
    information: NDArray[np.float64] = np.diag(chances.sum(axis=0)) - chances.T @ chances
    return information


def _fit(deals: list[_Deal], entrants: int) -> NDArray[np.float64]:
    """Newton's method with halved steps where it would overshoot; the likelihood is concave."""
    sides = np.concatenate([deal.sides for deal in deals])
    won = np.concatenate([deal.points for deal in deals])
    kinds, which = np.unique(sides, axis=0, return_inverse=True)
    totals = np.zeros_like(kinds)
    np.add.at(totals, which.ravel(), won)
    games = np.bincount(which.ravel(), minlength=len(kinds)).astype(float)
    strengths = np.zeros(entrants)

    def likelihood(at: NDArray[np.float64]) -> float:
        together = np.log((kinds * np.exp(at - at.max())).sum(axis=1)) + at.max()
        return float((totals @ at).sum() - games @ together)

    for _ in range(_STEPS):
        chances = _chances(kinds, strengths)
        gradient = totals.sum(axis=0) - games @ chances
        information = np.diag(games @ chances) - (chances * games[:, None]).T @ chances
        step = np.linalg.pinv(information, hermitian=True) @ gradient
        before, size = likelihood(strengths), 1.0
        while likelihood(strengths + size * step) < before - 1e-12 and size > 1e-6:
            size /= 2
        strengths = strengths + size * step
        strengths -= strengths.mean()
        if np.abs(size * step).max() < 1e-12:
            break
    return strengths


def _sandwich(deals: list[_Deal], strengths: NDArray[np.float64]) -> NDArray[np.float64]:
    """The covariance of the strengths: curvature of the likelihood around the scatter of the deals' gradients."""
    information = np.zeros((len(strengths), len(strengths)))
    scatter = np.zeros_like(information)
    for deal in deals:
        chances = _chances(deal.sides, strengths)
        information += _information(chances)
        gradient = (deal.points - chances).sum(axis=0)
        scatter += np.outer(gradient, gradient)
    inverse = np.linalg.pinv(information, hermitian=True)
    covariance: NDArray[np.float64] = inverse @ scatter @ inverse
    return covariance
