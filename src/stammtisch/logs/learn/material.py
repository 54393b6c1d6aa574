"""What a dataset is made from: logs as they lie in a folder, or the moves that a database keeps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from stammtisch.core.errors import BadOption, StammtischError
from stammtisch.logs.learn.pieces import FromDatabase, FromLogs, Piece, cut_logs, cut_moves, seat_bits
from stammtisch.logs.learn.recipe import Recipe
from stammtisch.logs.moves import DEAL, game_keys
from stammtisch.logs.read.sources import batches, find
from stammtisch.work.pool import Pool

if TYPE_CHECKING:
    from stammtisch.logs.keep.database import Database

PORTION_BYTES = 1 << 20  # of logs; their decisions take three times as much
GAMES_AT_ONCE = 40  # about as much


def chosen_players(
    recipe: Recipe, database: Database | None, least_elo: float | None, least_rounds: int, best: float | None
) -> Recipe:
    """The recipe with the players who are strong enough; ``best`` in per cent of those with enough rounds."""
    if least_elo is None and not least_rounds and best is None:
        return recipe
    if database is None:
        raise BadOption("how strong players are is in a database: name it with --db")
    if best is not None and not 0 < best <= 100:
        raise BadOption(f"--best {best:g}: per cent, more than 0 and at most 100")
    from stammtisch.logs.count.players import Players  # with what solves equations: most datasets are made without

    names = Players(database).names(least_elo, least_rounds, None if best is None else best / 100)
    database.make_room()
    return replace(recipe, players=names)


def from_logs(paths: Sequence[Path], recipe: Recipe, pool: Pool, portion_bytes: int = PORTION_BYTES) -> Iterator[Piece]:
    """Read, replay and cut into decisions."""
    found = chain.from_iterable(find(path) for path in paths)
    tasks = (FromLogs(places, recipe) for places in batches(found, portion_bytes))
    yield from pool.map(cut_logs, tasks)


_MOVES = """
SELECT g.id, g.year, g.month, r.round, r.before_20, r.before_31, r.rule_20, r.rule_31, r.code, r.double_victory,
    r.moves, p.grand_hands, p.hands, p.players, f.first_hands
FROM rounds r JOIN games g USING (game) JOIN (
    SELECT game, list(hand ORDER BY seat) AS first_hands
    FROM player_rounds WHERE game BETWEEN $first AND $last AND round = 0 GROUP BY game) f USING (game) JOIN (
    SELECT game, round, list(grand_hand ORDER BY seat) AS grand_hands, list(hand ORDER BY seat) AS hands,
        list(player ORDER BY seat) AS players
    FROM player_rounds WHERE game BETWEEN $first AND $last GROUP BY game, round) p USING (game, round)
WHERE r.game BETWEEN $first AND $last AND r.moves IS NOT NULL ORDER BY r.game, r.round
"""


def from_database(database: Database, recipe: Recipe, pool: Pool) -> Iterator[Piece]:
    """Cut the kept moves into decisions."""
    if not database.row("SELECT count(moves) FROM rounds")[0]:
        raise StammtischError(
            f"{database.path} holds no moves: name the logs too, or import them with --moves into a new database"
        )
    database.make_room()
    yield from pool.map(cut_moves, _tasks(database, recipe))


def _tasks(database: Database, recipe: Recipe) -> Iterator[FromDatabase]:
    good = None
    if recipe.players is not None:
        rows = database.rows("SELECT player, name FROM players")
        good = np.zeros(max((player for player, _ in rows), default=0) + 1, dtype=np.bool_)
        good[[player for player, name in rows if name in recipe.players]] = True
    (last,) = database.row("SELECT COALESCE(max(game), 0) FROM games")
    for first in range(1, last + 1, GAMES_AT_ONCE):
        end = first + GAMES_AT_ONCE - 1
        rows = database.rows(_MOVES, {"first": first, "last": end})
        (games,) = database.row("SELECT count(*) FROM games WHERE game BETWEEN ? AND ?", [first, end])
        deals = np.zeros(len(rows), dtype=DEAL)
        if rows:
            game, year, month, number, b20, b31, s20, s31, code, double, moves, grand, hands, players, first_hands = (
                zip(*rows, strict=True)
            )
            deals["game"], deals["year"], deals["month"], deals["index"] = game, year, month, number
            deals["before"], deals["score"] = np.stack([b20, b31], axis=1), np.stack([s20, s31], axis=1)
            deals["code"], deals["double_victory"] = code, double
            deals["grand"], deals["start"], deals["key"] = grand, hands, game_keys(np.array(first_hands))
            deals["seats"] = 15 if good is None else seat_bits(good[np.array(players)])
        yield FromDatabase(games, deals, [bytes(one) for one in moves] if rows else [], recipe)
