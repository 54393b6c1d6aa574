"""How fast the engines are, per CPU-second, beside a peer in the same run; and how long people wait.

The peer is OpenSpiel (package ``open_spiel``), where it is installed and has the game: once through
its Python interface, as its users step games, and once inside its C++ core, by its own rollouts.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from stammtisch.agents.catalog import usual_opponent
from stammtisch.core.batch import Batch
from stammtisch.core.game import Game
from stammtisch.core.registry import games
from stammtisch.core.rng import stream
from stammtisch.core.trace import trace
from stammtisch.search import ismcts, mcts, needs
from stammtisch.search.perft import perft

OPEN_SPIEL_NAMES = {"tictactoe": "tic_tac_toe"}
SECONDS = 1.0  # CPU time of each measurement
SIGNATURE_GAMES = 20
FIRST_MOVE = """
import time
import stammtisch as st
from stammtisch.agents.catalog import agent
from stammtisch.core.registry import games
from stammtisch.core.rng import stream
from stammtisch.core.trace import trace
game = st.game("{game}")
start = time.perf_counter()
state = game.new(seed=1)
agent("{agent}:iterations=1000", game).choose(state.seat(state.player), stream(1))
print(time.perf_counter() - start)
"""


@dataclass(frozen=True)
class Measurement:
    """One number with its unit."""

    game: str
    what: str
    who: str
    value: float
    unit: str

    @property
    def text(self) -> str:
        return f"{self.value:,.0f}" if self.value >= 100 else f"{self.value:.2f}"

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def measure(game: Game, seconds: float = SECONDS) -> Iterator[Measurement]:
    """All measurements of a game, ours first, then the peer's."""
    name = game.info.name

    def rate(what: str, who: str, work: Callable[[], int], unit: str) -> Measurement:
        return Measurement(name, what, who, _rate(work, seconds), f"{unit} per CPU-second")

    yield rate("random play", "stammtisch, batch", _fused(game), "decisions")
    yield rate("random play", "stammtisch, batch step by step", _steps(game), "decisions")
    for who, work in _open_spiel(name):
        yield rate("random play", who, work, "decisions")
    if needs.open_cards(game.info) is None:
        yield rate("mcts", "stammtisch", _mcts(game), "iterations")
    yield rate("ismcts", "stammtisch", _ismcts(game), "iterations")
    if needs.open_cards_and_no_chance(game.info) is None:
        yield rate("perft", "stammtisch", _perft(game), "leaves")


def measure_commands() -> Iterator[Measurement]:
    """The seconds that somebody waits for help and for the list of games."""
    for command in ("--help", "games"):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-m", "stammtisch.cli", command], capture_output=True, check=True)
        yield Measurement("all", f"stammtisch {command}", "stammtisch", time.perf_counter() - start, "seconds")


def measure_first_move(name: str) -> Iterator[Measurement]:
    """The seconds from import to the first move of a search, with an empty compile cache and with a full one."""
    agent = usual_opponent(games()[name])
    command = [sys.executable, "-c", FIRST_MOVE.format(game=name, agent=agent)]
    with tempfile.TemporaryDirectory() as cache:
        for start in ("cold", "warm"):
            environment = {**os.environ, "STAMMTISCH_CACHE": cache}
            done = subprocess.run(command, env=environment, capture_output=True, check=True)
            yield Measurement(name, f"first move, {start}", f"stammtisch, {agent}", float(done.stdout), "seconds")


def signature(game: Game) -> str:
    """One short text that changes exactly when the behaviour of the game changes."""
    traces = "".join(trace(game, seed) for seed in range(SIGNATURE_GAMES))
    return hashlib.sha256(traces.encode()).hexdigest()[:16]


def _rate(work: Callable[[], int], seconds: float) -> float:
    """Units of work per CPU-second of this process; the first call only loads or compiles."""
    work()
    done, start = 0, time.process_time()
    while True:
        done += work()
        used = time.process_time() - start
        if used >= seconds:
            return done / used


def _fused(game: Game) -> Callable[[], int]:
    batch, steps = Batch(game, 256, seed=1), 200

    def work() -> int:
        batch.random_steps(steps)
        return len(batch) * steps

    return work


def _steps(game: Game) -> Callable[[], int]:
    batch, chooser = Batch(game, 4096, seed=1), np.random.default_rng(1)

    def work() -> int:
        actions, offsets = batch.legal()
        picks = (chooser.random(len(batch)) * np.diff(offsets)).astype(np.int64)
        batch.step(actions[offsets[:-1] + picks])
        batch.restart()
        return len(batch)

    return work


def _mcts(game: Game) -> Callable[[], int]:
    state, rng = game.new(seed=1), stream(1)
    return lambda: mcts.search(state, rng, iterations=10_000).iterations


def _ismcts(game: Game) -> Callable[[], int]:
    state, rng = game.new(seed=1), stream(1)
    seat = state.seat(state.player or 0)
    return lambda: ismcts.search(seat, rng, iterations=10_000).iterations


def _perft(game: Game) -> Callable[[], int]:
    state, depth = game.new(seed=1), 1
    while perft(state, depth) < 100_000:
        depth += 1
    return lambda: perft(state, depth)


def _open_spiel(name: str) -> Iterator[tuple[str, Callable[[], int]]]:
    if name not in OPEN_SPIEL_NAMES:
        return
    try:
        import pyspiel
    except ImportError:
        print("OpenSpiel is not installed: no comparison (pip install open_spiel)", file=sys.stderr)
        return
    game = pyspiel.load_game(OPEN_SPIEL_NAMES[name])
    chooser = np.random.default_rng(1)

    def through_python() -> int:
        decisions = 0
        picks = chooser.random(4096).tolist()
        while decisions < 4000:
            state = game.new_initial_state()
            while not state.is_terminal():
                actions = state.legal_actions()
                state.apply_action(actions[int(picks[decisions] * len(actions))])
                decisions += 1
        return decisions

    # One simulation of OpenSpiel's own tree search plays one move and then so many random games in C++.
    rollouts = 20_000
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=rollouts, seed=1)
    length = _mean_length_after_first_move(game, chooser)

    def inside_core() -> int:
        bot = pyspiel.MCTSBot(game, evaluator, 1.0, 1, 1000, False, 1, False)
        bot.step(game.new_initial_state())
        return int(rollouts * length)

    yield "OpenSpiel, Python interface", through_python
    yield "OpenSpiel, C++ rollouts", inside_core


def _mean_length_after_first_move(game: Any, chooser: np.random.Generator) -> float:
    lengths = []
    for _ in range(2000):
        state, moves = game.new_initial_state(), 0
        while not state.is_terminal():
            state.apply_action(int(chooser.choice(state.legal_actions())))
            moves += 1
        lengths.append(moves - 1)
    return float(np.mean(lengths))
