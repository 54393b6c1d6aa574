"""How fast the engines are, per CPU-second, beside a peer in the same run.

The peer is OpenSpiel (package ``open_spiel``), where it is installed and has the game: once through
its Python interface, as its users step games, and once inside its C++ core, by its own rollouts.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from stammtisch.core.batch import Batch
from stammtisch.core.conformance import trace
from stammtisch.core.game import Game
from stammtisch.core.rng import stream
from stammtisch.search import ismcts, mcts, needs
from stammtisch.search.perft import perft

OPEN_SPIEL_NAMES = {"tictactoe": "tic_tac_toe"}
SECONDS = 1.0  # CPU time of each measurement
SIGNATURE_GAMES = 20


@dataclass(frozen=True)
class Measurement:
    """``rate`` is in ``unit`` per CPU-second."""

    game: str
    what: str
    who: str
    unit: str
    rate: float

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def measure(game: Game, seconds: float = SECONDS) -> Iterator[Measurement]:
    """All measurements of a game, ours first, then the peer's."""
    name = game.info.name
    yield Measurement(name, "random play", "stammtisch, batch", "decisions", _rate(_fused(game), seconds))
    yield Measurement(name, "random play", "stammtisch, batch step by step", "decisions", _rate(_steps(game), seconds))
    yield from (Measurement(name, "random play", *peer) for peer in _open_spiel(name, seconds))
    if needs.open_cards(game.info) is None:
        yield Measurement(name, "mcts", "stammtisch", "iterations", _rate(_mcts(game), seconds))
    yield Measurement(name, "ismcts", "stammtisch", "iterations", _rate(_ismcts(game), seconds))
    if needs.open_cards_and_no_chance(game.info) is None:
        yield Measurement(name, "perft", "stammtisch", "leaves", _rate(_perft(game), seconds))


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


def _open_spiel(name: str, seconds: float) -> Iterator[tuple[str, str, float]]:
    try:
        import pyspiel
    except ImportError:
        return
    if name not in OPEN_SPIEL_NAMES:
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

    yield "OpenSpiel, Python interface", "decisions", _rate(through_python, seconds)
    yield "OpenSpiel, C++ rollouts", "decisions", _rate(inside_core, seconds)


def _mean_length_after_first_move(game: Any, chooser: np.random.Generator) -> float:
    lengths = []
    for _ in range(2000):
        state, moves = game.new_initial_state(), 0
        while not state.is_terminal():
            state.apply_action(int(chooser.choice(state.legal_actions())))
            moves += 1
        lengths.append(moves - 1)
    return float(np.mean(lengths))
