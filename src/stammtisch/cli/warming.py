"""Compiling ahead, game by game, so that nobody has to wait for it later."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from os import cpu_count

from stammtisch.agents.catalog import agents_of, find
from stammtisch.core.errors import BadOption, StammtischError
from stammtisch.core.game import Game
from stammtisch.core.info import load
from stammtisch.core.registry import game as game_by_name
from stammtisch.work.pool import pool


def compile_games(names: list[str], table_only: bool) -> Iterator[str]:
    """The games as they are ready; several side by side. ``table_only``: what playing in the browser needs."""
    with pool(min(len(names), cpu_count() or 1), rehearse=False) as workers:
        yield from workers.map(partial(compile_game, table_only=table_only), names)


def compile_game(name: str, table_only: bool) -> str:
    """Call everything of a game once; its name."""
    from stammtisch.table.lobby import rehearse
    from stammtisch.table.opponents import ladder

    game = game_by_name(name)
    rehearse(name)
    agents = {level.agent.partition(":")[0] for level in ladder(game.info)} if table_only else agents_of(game.info)
    for options in ({}, *game.info.gathered.values()):
        for agent in (agent for agent in agents if find(agent, game.info).complete):
            with suppress(BadOption):  # these rules it does not play
                _think(game_by_name(name, **options), agent)
    if not table_only:
        _measure(game)
        for target in game.info.warmed:
            load(target)()
    return name


def _think(game: Game, agent: str) -> None:
    from stammtisch.agents.base import Budget
    from stammtisch.agents.catalog import agent as make_agent
    from stammtisch.arena.referee import WARM_UP_DECISIONS
    from stammtisch.core.rng import stream

    state, player = game.new(seed=1), make_agent(agent, game)
    for turn in range(WARM_UP_DECISIONS):
        if state.player is not None:
            player.choose(state.seat(state.player), stream(1), Budget(ms=1, explain=turn == 0))
            state.apply(state.actions()[-1])


def _measure(game: Game) -> None:
    """What arena, batches, traces and analyses call."""
    from stammtisch.analysis.shape import random_games
    from stammtisch.arena.match import match
    from stammtisch.arena.referee import Referee
    from stammtisch.core.batch import warm_batch
    from stammtisch.core.trace import trace

    trace(game, seed=1, max_moves=3)
    game.from_json(game.new(seed=1).to_json())
    with suppress(StammtischError):  # a game may be too long for this: it is compiled all the same
        random_games(game, 1, seed=1)
    warm_batch(game)
    Referee(match(game, "random", seed=1)).play(table=0, deal=0)
