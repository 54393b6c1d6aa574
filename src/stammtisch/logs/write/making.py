"""Corpora of any size by self-play: games between agents, written as logs into a folder or a zip.

Game number ``n`` depends on the seed and ``n`` alone, however the work is divided. The rules of thumb and random play
run in compiled code, thousands of rounds a second; other agents think as they do at the table.
"""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stammtisch.agents.catalog import RANDOM, agent, full_name
from stammtisch.core.compiling import compiled
from stammtisch.core.errors import BadOption, StammtischError
from stammtisch.core.game import Game
from stammtisch.core.kernel import OVER, Actions, Record
from stammtisch.core.registry import game as game_by_name
from stammtisch.core.rng import Rng, below, stream
from stammtisch.games.tichu import HEURISTIC, INFO
from stammtisch.games.tichu.policy import decide
from stammtisch.games.tichu.rules import (
    GRAND,
    MOST_ACTIONS,
    SEATS,
    apply,
    legal_actions,
    new_game,
    player,
)
from stammtisch.logs.moves import DEAL, Rounds
from stammtisch.logs.rounds import Source
from stammtisch.logs.write.games import nickname, played_rounds, write_rounds
from stammtisch.work.pool import Pool

COMPILED = {HEURISTIC.name: 0, RANDOM.name: 1}
MOST_ROUNDS = 50  # of a game, as at the table
_ACTIONS_OF_ROUND = 1200  # more than 56 plays, three passes after each and the questions for bombs can be
PEOPLE = 50  # nicknames per agent, so that a corpus has regulars
GAMES_PER_TASK = 100
_LEVEL = 1  # of compression: logs shrink to a sixth even so


@dataclass(frozen=True)
class Task:
    """Games ``first`` .. ``first + games - 1`` between agents, one per seat."""

    agents: tuple[str, ...]
    seed: int
    first: int
    games: int


def read_agents(text: str) -> tuple[str, ...]:
    """One agent for all seats, two for the two teams, or four; with commas between them.

    >>> read_agents("heuristic,random")
    ('heuristic', 'random', 'heuristic', 'random')
    """
    names: list[str] = []
    for part in text.split(","):
        if names and "=" in part and ":" not in part:  # an option of the agent before
            names[-1] += f",{part}"
        else:
            names.append(part.strip())
    if len(names) not in (1, 2, SEATS):
        raise BadOption(f"--agents {text}: one agent for all seats, two for the teams, or four")
    return tuple(full_name(name, INFO) for name in names * (SEATS // len(names)))


def make(
    agents: tuple[str, ...],
    games: int,
    seed: int,
    out: Path,
    pool: Pool,
    month: str = "200701",
    tell: Callable[[int], None] | None = None,
) -> int:
    """Play games and write them to ``out``, a zip or a folder, as ``YYYYMM/1.tch`` and so on; how many bytes."""
    tasks = [Task(agents, seed, first, min(GAMES_PER_TASK, games - first)) for first in range(0, games, GAMES_PER_TASK)]
    written = 0
    with _place(out, month) as keep:
        for task, logs in zip(tasks, pool.map(play_task, tasks), strict=True):
            for number, log in enumerate(logs, start=task.first + 1):
                keep(f"{number}.tch", log)
                written += len(log)
            if tell is not None:
                tell(task.first + task.games)
    return written


@contextmanager
def _place(out: Path, month: str) -> Iterator[Callable[[str, bytes], None]]:
    """Where logs are put. A zip appears under its name when it is complete."""
    if out.suffix.lower() == ".zip":
        part = out.with_name(f"{out.name}.part")
        try:
            out.absolute().parent.mkdir(parents=True, exist_ok=True)
            with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED, compresslevel=_LEVEL) as archive:
                yield lambda name, log: archive.writestr(f"{month}/{name}", log)
            part.replace(out)
        except OSError as error:
            raise StammtischError(f"{out} cannot be written: {error.strerror or error}") from None
        finally:
            part.unlink(missing_ok=True)
        return
    folder = out / month
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield lambda name, log: _write_file(folder / name, log)
    except OSError as error:
        place = error.filename or out
        raise StammtischError(f"{place} cannot be written: {error.strerror or error}") from None


def _write_file(path: Path, log: bytes) -> None:
    path.write_bytes(log)


def made_sources(games: int, seed: int = 1) -> list[Source]:
    """Logs of games by rules of thumb, as a reader would find them."""
    logs = play_task(Task((HEURISTIC.name,) * SEATS, seed, 0, games))
    return [Source(f"{number}.tch", log, number) for number, log in enumerate(logs, start=1)]


def play_task(task: Task) -> list[bytes]:
    """The logs of some games; in a worker."""
    return [_log(task.agents, task.seed, number) for number in range(task.first, task.first + task.games)]


def _log(agents: tuple[str, ...], seed: int, number: int) -> bytes:
    rng = stream(seed, number)
    names = _names(agents, rng)
    if all(name in COMPILED for name in agents):
        rounds = _Player.shared().rounds([COMPILED[name] for name in agents], rng)
    else:
        rounds = _by_agents(agents, rng)
    return write_rounds(rounds, [names] * len(rounds))


def _names(agents: Sequence[str], rng: Rng) -> list[str]:
    """Four different nicknames."""
    names: list[str] = []
    for one in agents:
        name = ""
        while not name or name in names:
            name = f"{nickname(one)}_{int(below(rng, PEOPLE)) + 1}"
        names.append(name)
    return names


class _Player:
    """Plays whole games in compiled code, with room for the longest."""

    def __init__(self) -> None:
        self.blank = _game().blank()
        self.state = self.blank.copy()
        self.deals = np.zeros(MOST_ROUNDS, dtype=DEAL)
        self.actions = np.empty(MOST_ROUNDS * _ACTIONS_OF_ROUND, dtype=np.int64)
        self.buffer = np.empty(MOST_ACTIONS, dtype=np.int64)

    @staticmethod
    @lru_cache(maxsize=1)
    def shared() -> _Player:
        return _Player()

    def rounds(self, policies: Sequence[int], rng: Rng) -> Rounds:
        self.state[0] = self.blank[0]
        kinds = np.array(policies, dtype=np.int64)
        n = _play_game(self.state[0], kinds, rng, self.deals, self.actions, self.buffer)
        deals = self.deals[:n]
        end = int(deals[-1].first_action + deals[-1].actions)
        return Rounds(deals, self.actions[:end], np.ones(end, dtype=np.bool_))


@lru_cache(maxsize=1)
def _game() -> Game:
    return game_by_name("tichu", rounds=MOST_ROUNDS)


def _by_agents(agents: Sequence[str], rng: Rng) -> Rounds:
    game = _game()
    players = [agent(name, game) for name in agents]
    state = game.new(seed=int(below(rng, 1 << 30)))
    states, actions = [state.copy()], []
    while state.player is not None:
        action = players[state.player].choose(state.seat(state.player), rng).action
        state.apply(action)
        actions.append(action)
        states.append(state.copy())
    return played_rounds(states, actions)


@compiled
def _play_game(
    state: Record, policies: NDArray[np.int64], rng: Rng, deals: Any, actions: Actions, buffer: Actions
) -> int:
    """A game to its end; the number of its rounds."""
    new_game(state, rng)
    n, at = 0, 0
    while player(state) != OVER:
        if state.phase == GRAND and state.turn == 0:
            one = deals[n]
            for seat in range(SEATS):
                one.grand[seat], one.start[seat] = state.hand[seat], state.hand[seat] | state.undealt[seat]
            one.first_action = at
            n += 1
        if policies[player(state)] == 0:
            action = decide(state, buffer, rng)
        else:
            action = buffer[below(rng, legal_actions(state, buffer))]
        actions[at] = action
        at += 1
        deals[n - 1].actions = at - deals[n - 1].first_action
        apply(state, action, rng)
    return n
