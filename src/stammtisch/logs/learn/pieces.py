"""Pieces of a dataset, cut side by side: a worker makes decisions of some logs, or of some moves of a database.

Workers load nothing but this and what reads logs: neither the database nor the libraries of files and statistics.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from stammtisch.logs.judge.replay import replay
from stammtisch.logs.keep.facts import names_of
from stammtisch.logs.learn.decisions import DECISIONS, FORCED_PASS, FORCED_PLAY, PLAY_ROW, decisions
from stammtisch.logs.learn.recipe import Recipe
from stammtisch.logs.moves import Rounds, replayable, unpacked
from stammtisch.logs.read.parse import parse
from stammtisch.logs.read.sources import Place, load


@dataclass(frozen=True)
class FromLogs:
    """Logs to be read by a worker."""

    places: list[Place]
    recipe: Recipe


@dataclass(frozen=True)
class FromDatabase:
    """Moves for a worker; ``deals`` do not say yet where each one's actions are."""

    games: int
    deals: Any
    moves: list[bytes]
    recipe: Recipe


@dataclass(frozen=True)
class Piece:
    """The rounds of some files and their decisions."""

    files: int
    deals: Any
    rows: Any
    failures: list[tuple[str, str]] = field(default_factory=list)  # path, reason


def piece(rounds: Rounds, recipe: Recipe, files: int, failures: list[tuple[str, str]] | None = None) -> Piece:
    """What a recipe makes of some rounds; compiled."""
    rounds = rounds.chosen(recipe.wants(rounds.deals))
    rows = decisions(rounds)
    if recipe.decisions != DECISIONS:
        rows = rows[np.isin(rows["decision"], [DECISIONS.index(name) for name in recipe.decisions])]
    if not recipe.forced:
        rows = rows[(rows["decision"] != PLAY_ROW) | ~np.isin(rows["kind"], (FORCED_PASS, FORCED_PLAY))]
    return Piece(files, rounds.deals, rows, failures or [])


def cut_logs(task: FromLogs) -> Piece:
    """Read, replay and cut into decisions."""
    sources = load(task.places)
    failures = [(source.path, source.problem) for source in sources if source.problem]
    replayed = replay(parse([source for source in sources if not source.problem]))
    rounds, which = replayable(replayed)
    if task.recipe.players is not None:
        names, seated = names_of(replayed)
        good = np.array([name in task.recipe.players for name in names], dtype=np.bool_)
        rounds.deals["seats"] = seat_bits(good[seated[which]]) if len(which) else 0
    return piece(rounds, task.recipe, len(sources), failures)


def cut_moves(task: FromDatabase) -> Piece:
    """Cut the moves that a database has kept into decisions."""
    return piece(unpacked(task.deals, task.moves), task.recipe, task.games)


def seat_bits(seats: Any) -> Any:
    """Four flags per round as one number."""
    return (seats * np.array([1, 2, 4, 8])).sum(axis=1)
