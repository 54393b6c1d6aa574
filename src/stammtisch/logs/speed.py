"""How fast logs are read, judged and made into data, for ``stammtisch bench``."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

from stammtisch.core.errors import StammtischError
from stammtisch.core.game import Game
from stammtisch.logs.judge.replay import replay
from stammtisch.logs.moves import replayable
from stammtisch.logs.read.parse import parse
from stammtisch.logs.rounds import Replayed, Source
from stammtisch.logs.write.making import made_sources

Contest: TypeAlias = "tuple[str, str, str, Callable[[], int]]"
LOGGED_GAMES = 100
PORTIONS = 10  # of so many games, in a dataset
ROUNDS_PER_GAME = 9.5  # the average of 2.4 million games on BrettspielWelt


def contests(game: Game) -> Iterator[Contest]:
    """Logs made by self-play; counted in games of as many rounds as people's have."""
    sources = made_sources(LOGGED_GAMES)
    unit = f"games of {ROUNDS_PER_GAME} rounds"

    def in_games(rounds: int) -> int:
        return round(rounds / ROUNDS_PER_GAME)

    yield "logs read", "stammtisch", unit, lambda: in_games(len(parse(sources).rounds))
    yield "logs read, replayed and judged", "stammtisch", unit, lambda: in_games(len(replay(parse(sources)).judged))
    yield from _datasets(sources)


def _datasets(sources: list[Source]) -> Iterator[Contest]:
    """All decisions of replayed rounds into a file; and the whole way from the logs."""
    try:
        from stammtisch.logs.learn.building import build
        from stammtisch.logs.learn.pieces import piece
        from stammtisch.logs.learn.recipe import Recipe
    except StammtischError as error:
        print(f"{error}: no datasets", file=sys.stderr)
        return
    recipe, kept = Recipe(), replay(parse(sources))

    def write(replayed: Callable[[], Replayed]) -> int:
        pieces = (piece(replayable(replayed())[0], recipe, len(sources)) for _ in range(PORTIONS))
        with tempfile.TemporaryDirectory() as folder:
            built = build(pieces, recipe, Path(folder) / "tichu.h5", {})
        return sum(sum(rows.values()) for rows in built.rows.values())

    yield "dataset of replayed rounds", "stammtisch", "decisions", lambda: write(lambda: kept)
    yield "dataset of logs", "stammtisch", "decisions", lambda: write(lambda: replay(parse(sources)))
