"""Who plays well: experience, points won over opponents, and Elo with intervals.

A game is won by a team, so a team's strength is the mean of its two players' ratings, and the chance to win follows the
Elo curve of the difference. The ratings are the most likely ones given all finished games without a change of players
and a prior that players scatter with a standard deviation of PRIOR around the average; so a newcomer with two wins is
not the best player of all. Intervals (95 %) come from the curvature of the same likelihood, solved for each player that
is shown, with everybody else's uncertainty in it.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.sparse.linalg import LinearOperator, cg
from scipy.special import expit, ndtri

from stammtisch.logs.keep.database import Database

if TYPE_CHECKING:
    from stammtisch.core.game import Json

AVERAGE = 1500.0
PRIOR = 150.0  # Elo
LEAST_ROUNDS = 100  # to be counted among the good players by score difference
_ELO = 400 / np.log(10)  # Elo per unit of log odds
_REACH = float(ndtri(0.975))
_STEPS = 50

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Player:
    """What the logs say of a player. Score differences are points per round, own team minus the other, as logged."""

    name: str
    games: int
    rounds: int
    score_diff: float
    score_diff_ci95: tuple[float, float]
    win_rate: float | None
    tichus: int
    tichus_won: int
    grand_tichus: int
    grand_tichus_won: int
    elo: float | None = None
    elo_ci95: tuple[float, float] | None = None

    def to_json(self) -> Json:
        return asdict(self)


_PLAYERS = """
WITH played AS (
    SELECT p.player, p.game, p.round, p.call, p.place, p.seat, g.winner,
        CASE WHEN p.seat % 2 = 0 THEN r.score_20 - r.score_31 ELSE r.score_31 - r.score_20 END AS diff
    FROM player_rounds p JOIN rounds r USING (game, round) JOIN games g USING (game)
), per_game AS (
    SELECT player, game, any_value(winner) AS winner, min(seat % 2) AS low, max(seat % 2) AS high
    FROM played GROUP BY player, game
), wins AS (
    SELECT player, count(*) AS games,
        avg(CASE WHEN winner = 0 THEN 0.5 WHEN winner IS NULL OR low <> high THEN NULL
            WHEN (winner = 20) = (low = 0) THEN 1.0 ELSE 0.0 END) AS win_rate
    FROM per_game GROUP BY player
)
SELECT n.player AS player, n.name AS name, any_value(w.games) AS games, count(*) AS rounds, avg(diff) AS score_diff,
    COALESCE(stddev_samp(diff), 0) AS spread, COALESCE(any_value(w.win_rate), -1) AS win_rate,
    count(*) FILTER (call = 1) AS tichus, count(*) FILTER (call = 1 AND place = 1) AS tichus_won,
    count(*) FILTER (call = 2) AS grand_tichus, count(*) FILTER (call = 2 AND place = 1) AS grand_tichus_won
FROM played JOIN players n USING (player) JOIN wins w USING (player)
WHERE n.name <> '' GROUP BY n.player, n.name ORDER BY n.player
"""


class Players:
    """All players of a database, with their ratings."""

    def __init__(self, database: Database) -> None:
        self.table = database.columns(_PLAYERS)
        self.ratings = Ratings.of(database)
        rated = {int(player): i for i, player in enumerate(self.ratings.players)}
        places = np.array([rated.get(int(player), -1) for player in self.table["player"]], dtype=np.int64)
        self.place = places  # of each player in the ratings; -1: no game counted
        elo = np.full(len(places), np.nan)
        elo[places >= 0] = self.ratings.elo[places[places >= 0]]
        self.elo = elo

    def __len__(self) -> int:
        return len(self.place)

    def most_experienced(self, number: int) -> list[Player]:
        """By rounds played."""
        return self._shown(np.lexsort((self.table["player"], -self.table["rounds"]))[:number])

    def best_by_score(self, share: float = 0.1, least_rounds: int = LEAST_ROUNDS) -> NDArray[np.int64]:
        """Places of the best ``share`` of those with enough rounds, by mean score difference, best first."""
        enough = np.flatnonzero(self.table["rounds"] >= least_rounds)
        order = enough[np.lexsort((self.table["player"][enough], -self.table["score_diff"][enough]))]
        return order[: int(np.ceil(share * len(order)))]

    def top_by_score(self, number: int, share: float = 0.1, least_rounds: int = LEAST_ROUNDS) -> list[Player]:
        return self._shown(self.best_by_score(share, least_rounds)[:number])

    def top_by_elo(self, number: int) -> list[Player]:
        rated = np.flatnonzero(self.place >= 0)
        return self._shown(rated[np.lexsort((self.table["player"][rated], -self.elo[rated]))][:number])

    def names(
        self, least_elo: float | None = None, least_rounds: int = 0, best_share: float | None = None
    ) -> frozenset[str]:
        """The names of players who are at least so strong and experienced."""
        wanted = self.table["rounds"] >= least_rounds
        if least_elo is not None:
            wanted &= np.nan_to_num(self.elo, nan=-np.inf) >= least_elo
        if best_share is not None:
            best = np.zeros(len(self), dtype=np.bool_)
            best[self.best_by_score(best_share, max(least_rounds, 1))] = True
            wanted &= best
        return frozenset(str(name) for name in self.table["name"][wanted])

    def _shown(self, which: NDArray[np.int64]) -> list[Player]:
        return [self._player(int(i)) for i in which]

    def _player(self, i: int) -> Player:
        row = {name: column[i] for name, column in self.table.items()}
        mean, rounds = float(row["score_diff"]), int(row["rounds"])
        reach = float(_REACH * float(row["spread"]) / np.sqrt(rounds))
        elo = self.ratings.interval(int(self.place[i])) if self.place[i] >= 0 else None
        return Player(
            name=str(row["name"]),
            games=int(row["games"]),
            rounds=rounds,
            score_diff=mean,
            score_diff_ci95=(mean - reach, mean + reach),
            win_rate=float(row["win_rate"]) if row["win_rate"] >= 0 else None,
            tichus=int(row["tichus"]),
            tichus_won=int(row["tichus_won"]),
            grand_tichus=int(row["grand_tichus"]),
            grand_tichus_won=int(row["grand_tichus_won"]),
            elo=None if elo is None else elo[0],
            elo_ci95=None if elo is None else (elo[1], elo[2]),
        )


_GAMES = """
SELECT s.seats[1] AS a, s.seats[3] AS b, s.seats[2] AS c, s.seats[4] AS d,
    CASE winner WHEN 20 THEN 1.0 WHEN 31 THEN 0.0 ELSE 0.5 END AS won, count(*) AS times
FROM games JOIN (SELECT game, list(player ORDER BY seat) AS seats FROM player_rounds WHERE round = 0 GROUP BY game) s
    USING (game)
WHERE winner IS NOT NULL AND NOT player_changed GROUP BY ALL ORDER BY ALL
"""


class Ratings:
    """Elo of all players of finished games, fitted together."""

    def __init__(self, players: NDArray[np.int64], design: Any, won: Vector, times: Vector) -> None:
        self.players = players
        self.design = design  # [game, player]: +1/2 and -1/2 of a team's strength
        self.times = times
        self.precision = (_ELO / PRIOR) ** 2
        self.strength = self._fit(won)
        self.curvature = times * expit(design @ self.strength) * expit(-(design @ self.strength))

    @classmethod
    def of(cls, database: Database) -> Ratings:
        """Of the games in a database; vacant seats and people who sat twice at a table are left out."""
        found = database.columns(_GAMES)
        seats = np.stack([found[name].astype(np.int64) for name in "abcd"], axis=1)
        nobody = [player for (player,) in database.rows("SELECT player FROM players WHERE name = ''")]
        ordered = np.sort(seats, axis=1)
        good = ~np.isin(seats, nobody).any(axis=1) & (np.diff(ordered, axis=1) > 0).all(axis=1)
        players, where = np.unique(seats[good], return_inverse=True)
        where = where.reshape(-1, 4)
        n = len(where)
        values = np.tile([0.5, 0.5, -0.5, -0.5], n)
        design = csr_matrix((values, where.ravel(), np.arange(0, 4 * n + 1, 4)), shape=(n, len(players)))
        return cls(players, design, found["won"][good].astype(float), found["times"][good].astype(float))

    @property
    def elo(self) -> Vector:
        return AVERAGE + _ELO * self.strength

    def interval(self, place: int) -> tuple[float, float, float]:
        """Rating and the two ends of its 95 % interval."""
        against = np.full(len(self.players), -1 / len(self.players))  # a rating is a distance from the average
        against[place] += 1.0
        variance = float(against @ self._solve(self.curvature, against))
        reach = float(_REACH * _ELO * np.sqrt(variance))
        elo = float(self.elo[place])
        return elo, elo - reach, elo + reach

    def _fit(self, won: Vector) -> Vector:
        """Newton's method on the penalised likelihood, which has one maximum."""
        strength = np.zeros(len(self.players))
        for _ in range(_STEPS):
            expected = expit(self.design @ strength)
            slope = self.design.T @ (self.times * (won - expected)) - self.precision * strength
            step = self._solve(self.times * expected * (1 - expected), slope)
            strength = strength + step
            if not len(step) or np.abs(step).max() < 1e-6:
                break
        return strength

    def _solve(self, curvature: Vector, right: Vector) -> Vector:
        """The inverse of the curvature of the likelihood, applied to a vector."""
        n = len(right)
        if not n or not right.any():
            return np.zeros(n)
        diagonal = self.design.multiply(self.design).T @ curvature + self.precision

        def times(vector: Vector) -> Vector:
            return self.design.T @ (curvature * (self.design @ vector)) + self.precision * vector

        hessian = LinearOperator((n, n), matvec=times, dtype=np.float64)
        scaled = LinearOperator((n, n), matvec=lambda vector: vector / diagonal, dtype=np.float64)
        solution, _ = cg(hessian, right, rtol=1e-9, M=scaled)
        return solution
