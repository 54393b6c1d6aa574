"""Tries a program that wants to play (``outside.py``): every promise of the protocol, and what it did instead."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from stammtisch.agents.base import told_to
from stammtisch.agents.outside import END_SECONDS, PATIENCE_SECONDS, Outside
from stammtisch.core.errors import StammtischError
from stammtisch.core.game import Game
from stammtisch.core.rng import below, stream


@dataclass(frozen=True)
class Promise:
    """One thing that a bot promises, and what it did instead; None where it kept it."""

    what: str
    broken: str | None = None
    note: str = ""


def check(game: Game, command: str, games: int = 3, ms: float = 1000.0, seed: int = 1) -> Iterator[Promise]:
    """Each promise as soon as it is known; nothing else is tried with a program that does not even say hello."""
    trials: list[tuple[str, Callable[[], str]]] = [
        ("it starts and says hello in this protocol", lambda: _hello(game, command, ms)),
        ("it answers every turn with a legal move, in time", lambda: _plays(game, command, games, ms, seed)),
        ("it takes no notice of messages and keys that it does not know", lambda: _unknown(game, command, ms)),
        ("it ends by itself after 'end'", lambda: _ends(game, command, ms, polite=True)),
        ("it ends by itself when its input is closed", lambda: _ends(game, command, ms, polite=False)),
    ]
    for number, (what, trial) in enumerate(trials):
        try:
            note = trial()
        except StammtischError as error:
            yield Promise(what, str(error))
            if number == 0:
                return
        else:
            yield Promise(what, note=note)


def _hello(game: Game, command: str, ms: float) -> str:
    bot = Outside(game, command, ms)
    bot.close()
    return f"its name is {bot.name}"


def _plays(game: Game, command: str, games: int, ms: float, seed: int) -> str:
    """Games against any move, the bot on every seat in turn."""
    taken, longest, turns = game.spec.taken, 0.0, 0
    for number in range(games):
        mine, rng, state = taken[number % len(taken)], stream(seed, number), game.new(seed + number)
        bot = Outside(game, command, ms)
        try:
            while state.player is not None:
                legal = state.actions()
                if state.player == mine:
                    began = time.monotonic()
                    action = bot.choose(state.seat(mine), rng).action
                    longest, turns = max(longest, time.monotonic() - began), turns + 1
                    if action not in legal:
                        raise bot.program.fault(f"answered {game.format(action)}, which is not legal there")
                else:
                    action = legal[int(below(rng, len(legal)))]
                learns, move = told_to(state, action, mine)
                if learns:
                    bot.hear(mine, state.player, move)
                state.apply(action)
        finally:
            bot.close(state.scores() if state.over else None)
    if longest > ms / 1000 + PATIENCE_SECONDS / 2:
        raise StammtischError(f"its longest turn took {1000 * longest:,.0f} ms, it has {ms:,.0f}")
    return f"{turns} turns in {games} games, the longest {1000 * longest:,.0f} ms"


def _unknown(game: Game, command: str, ms: float) -> str:
    bot, state = Outside(game, command, ms), game.new(1)
    try:
        bot.program.tell("a type of a later version", number=1)
        assert state.player is not None
        bot.program.tell("event", seat=state.player, move=None, later=[1, 2])
        action = bot.choose(state.seat(state.player), stream(1)).action
        if action not in state.actions():
            raise bot.program.fault("answered a move that is not legal")
    finally:
        bot.close()
    return ""


def _ends(game: Game, command: str, ms: float, polite: bool) -> str:
    bot = Outside(game, command, ms)
    if polite:
        bot.program.tell("end", scores=None)
    if not bot.program.end():
        raise bot.program.fault(f"was still there after {END_SECONDS:g} s and had to be ended")
    return ""
