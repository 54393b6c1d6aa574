"""Ratings from games of two sides or of many: on the Elo scale where games are judged by wins, else in points.

The model gives every entrant a strength, and a side wins in proportion to the strength of who plays
it (Bradley and Terry 1952 for two sides, Luce 1959 for more); a shared win counts in shares. Its
likelihood depends only on who sat at the table, how many sides each had and how many points it got.

Intervals come from how much the deals really scatter (a sandwich estimate, the deal as the unit), so
draws make them narrower and games of one deal that resemble each other make them wider, as they
should. By score a rating is how many points more than an average entrant somebody scores in a game, by least squares.
A fraction of a win and of a loss that nobody played stands between every two entrants that met,
altogether half a game per entrant, which is what removes the bias of few games (Firth 1993): a clean
sweep then gives a finite rating, and an honest, wide interval.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from stammtisch.arena.intervals import LEVEL
from stammtisch.arena.match import BadMatch, By
from stammtisch.arena.outcome import points, seen_in
from stammtisch.arena.store import Played

Matrix: TypeAlias = NDArray[np.float64]

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
class _Games:
    """All games in arrays: the sides of every entrant and its points in each, its weight, the deal it belongs to."""

    sides: Matrix  # [game, entrant]
    won: Matrix
    weight: NDArray[np.float64]
    deal: NDArray[np.int64]
    leads: Matrix  # the mean score of an entrant's sides, beyond the mean of all entrants at the table

    def __add__(self, other: _Games) -> _Games:
        deal = np.concatenate([self.deal, other.deal + self.deal.max() + 1])
        weight = np.concatenate([self.weight, other.weight])
        both = [np.concatenate([getattr(self, name), getattr(other, name)]) for name in ("sides", "won", "leads")]
        return _Games(both[0], both[1], weight, deal, both[2])


def rate(matches: Iterable[Played], anchor: str | None = None, by: By = "wins") -> list[Rating]:
    """The ratings of everybody who met somebody, best first; zero is their average, or ``anchor``."""
    names, games = _collect(list(matches), by)
    if not names:
        raise BadMatch("no ratings: nobody has played against anybody")
    if anchor is not None and anchor not in names:
        raise BadMatch(f"'{anchor}' did not play; these did: {', '.join(names)}")
    met = _who_met(games)
    _check_connected(met, names)
    unit = ELO if by == "wins" else 1.0
    strengths, covariance = _fit(games + _virtual(met)) if by == "wins" else _levels(games)
    zero = np.full(len(names), 1 / len(names)) if anchor is None else np.eye(len(names))[names.index(anchor)]
    contrast = np.eye(len(names)) - zero
    ratings = unit * contrast @ strengths
    deals = int(games.deal.max()) + 1
    spare = max(deals - 1, 1)  # few deals scatter less than they should: a t interval, as for any mean
    wider = stdtrit(spare, 0.5 + LEVEL / 2) * np.sqrt(deals / spare)
    reach = unit * wider * np.sqrt(np.clip(np.einsum("ij,jk,ik->i", contrast, covariance, contrast), 0, None))
    played, won = (games.sides > 0).sum(axis=0), games.won.sum(axis=0)
    found = [
        Rating(name, float(r), float(r - d), float(r + d), int(n), float(w / n))
        for name, r, d, n, w in zip(names, ratings, reach, played, won, strict=True)
    ]
    return sorted(found, key=lambda one: (-one.rating, one.name))


def _collect(matches: list[Played], by: By) -> tuple[list[str], _Games]:
    """Who met somebody, and the games; the same deal at several tables is one unit, because its luck is the same."""
    found: list[tuple[int, dict[str, list[float]]]] = []
    units: dict[tuple[int, int, int], int] = {}
    for played in matches:
        match = played.match
        seen = [seen_in(played, variant) for variant in range(len(match.games))] if by == "score" else []
        for deal in played.deals:
            table = match.tables[deal.table]
            spec = match.games[table.game].spec
            if len(spec.sides) == 1 or len(table.entrants) == 1:
                continue
            unit = units.setdefault((match.seed, table.game, deal.deal), len(units))
            for game in deal.games:
                seated: dict[str, list[float]] = {}
                scores = seen[table.game].judge(game, spec) if seen else [0.0] * len(game.sides)
                for entrant, share, score in zip(game.sides, points(game, spec), scores, strict=True):
                    all_three = seated.setdefault(match.entrants[entrant], [0.0, 0.0, 0.0])
                    all_three[0] += 1
                    all_three[1] += share
                    all_three[2] += score
                found.append((unit, seated))
    names = sorted({name for _, seated in found for name in seated})
    place = {name: i for i, name in enumerate(names)}
    sides, won, leads = np.zeros((3, len(found), len(names)))
    for row, (_, seated) in enumerate(found):
        usual = sum(total / number for number, _, total in seated.values()) / len(seated)
        for name, (number, share, total) in seated.items():
            sides[row, place[name]], won[row, place[name]], leads[row, place[name]] = (
                number,
                share,
                total / number - usual,
            )
    units_of = np.array([unit for unit, _ in found], dtype=np.int64)
    return names, _Games(sides, won, np.ones(len(found)), units_of, leads)


def _who_met(games: _Games) -> NDArray[np.bool_]:
    seated = (np.unique(games.sides, axis=0) > 0).astype(np.int64)
    met: NDArray[np.bool_] = seated.T @ seated > 0
    return met


def _check_connected(met: NDArray[np.bool_], names: list[str]) -> None:
    """Ratings compare only those who met, directly or through others."""
    reached = met[0]
    for _ in names:
        reached = met[reached].any(axis=0)
    apart = [name for name, is_reached in zip(names, reached, strict=True) if not is_reached]
    if apart:
        group = ", ".join(name for name in names if name not in apart)
        raise BadMatch(f"no ratings: {group} never met {', '.join(apart)}, not even through others")


def _virtual(met: NDArray[np.bool_]) -> _Games:
    """A fraction of a win and of a loss between every two that met, together half a game for everybody."""
    opponents = met.sum(axis=0) - 1
    pairs = np.argwhere(np.triu(met, 1))
    sides, won = np.zeros((2, 2 * len(pairs), len(met)))
    weight = np.empty(2 * len(pairs))
    for row, (a, b) in enumerate(pairs):
        sides[2 * row : 2 * row + 2, [a, b]] = 1
        won[2 * row, a] = won[2 * row + 1, b] = 1
        weight[2 * row : 2 * row + 2] = 1 / (opponents[a] + opponents[b])
    return _Games(sides, won, weight, np.arange(2 * len(pairs)), np.zeros_like(sides))


def _fit(games: _Games) -> tuple[NDArray[np.float64], Matrix]:
    """The most likely strengths (Newton's method; the likelihood is concave) and their covariance."""
    kinds, which = np.unique(games.sides, axis=0, return_inverse=True)
    which = which.ravel()
    number = np.bincount(which, games.weight, minlength=len(kinds))
    totals = games.weight @ games.won
    strengths = np.zeros(kinds.shape[1])

    def likelihood(at: NDArray[np.float64]) -> float:
        together = np.log((kinds * np.exp(at - at.max())).sum(axis=1)) + at.max()
        return float(totals @ at - number @ together)

    for _ in range(_STEPS):
        chances = _chances(kinds, strengths)
        inverse = np.linalg.pinv(np.diag(number @ chances) - (chances * number[:, None]).T @ chances, hermitian=True)
        step = inverse @ (totals - number @ chances)
        before, size = likelihood(strengths), 1.0
        while likelihood(strengths + size * step) < before - 1e-12 and size > 1e-6:
            size /= 2
        strengths = strengths + size * step
        strengths -= strengths.mean()
        if np.abs(size * step).max() < 1e-12:
            break
    chances = _chances(kinds, strengths)
    inverse = np.linalg.pinv(np.diag(number @ chances) - (chances * number[:, None]).T @ chances, hermitian=True)
    gradients = np.zeros((int(games.deal.max()) + 1, kinds.shape[1]))
    # a virtual game of weight w scatters as w games would, not as one of w times the size
    np.add.at(gradients, games.deal, (games.won - chances[which]) * np.sqrt(games.weight)[:, None])
    return strengths, inverse @ (gradients.T @ gradients) @ inverse


def _levels(games: _Games) -> tuple[NDArray[np.float64], Matrix]:
    """The levels that explain the leads best (least squares) and their covariance, from the scatter of the deals."""
    there = (games.sides > 0).astype(float)
    number = there.sum(axis=1, keepdims=True)
    # whoever is there leads by the own level minus the mean level at the table
    normal = np.diag(there.sum(axis=0)) - (there / number).T @ there
    inverse = np.linalg.pinv(normal, hermitian=True)
    levels = inverse @ games.leads.sum(axis=0)
    expected = there * (levels - (there @ levels)[:, None] / number)
    gradients = np.zeros((int(games.deal.max()) + 1, there.shape[1]))
    np.add.at(gradients, games.deal, games.leads - expected)
    return levels, inverse @ (gradients.T @ gradients) @ inverse


def _chances(sides: Matrix, strengths: NDArray[np.float64]) -> Matrix:
    """What the model expects every entrant to win, per game."""
    weights = sides * np.exp(strengths - strengths.max())
    return weights / weights.sum(axis=1, keepdims=True)
