"""How fast the engines are, per CPU-second, beside a peer in the same run; and how long people wait.

The peer is OpenSpiel (package ``open_spiel``), where it is installed and has the game: once through
its Python interface, as its users step games, and once inside its C++ core, by its own rollouts.
"""

from __future__ import annotations

import hashlib
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

import numpy as np

from stammtisch.agents.catalog import ISMCTS, MCTS, agent
from stammtisch.agents.searcher import MonteCarlo
from stammtisch.arena.match import match
from stammtisch.arena.referee import Referee
from stammtisch.core.batch import Batch
from stammtisch.core.game import Game
from stammtisch.core.info import GameInfo, load
from stammtisch.core.mind import pick
from stammtisch.core.registry import games
from stammtisch.core.rng import stream
from stammtisch.core.trace import trace
from stammtisch.envs.vector import VectorGames
from stammtisch.search import maxn, needs
from stammtisch.search.perft import perft

Contest: TypeAlias = "tuple[str, str, str, Callable[[], int]]"  # what, who, units of work, and the work: how many
SECONDS = 1.0  # CPU time of each measurement
ROUNDS = 5
BEFORE_PLAY = ("grand", "schupf", "exchange")  # phases of calls and gifts, in which searches have little to do
ARENA_SECONDS = 0.5
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
    """The median of several rounds with its unit, and the lowest and highest round."""

    game: str
    what: str
    who: str
    value: float
    low: float
    high: float
    unit: str

    @property
    def text(self) -> str:
        return _readable(self.value)

    @property
    def spread(self) -> str:
        return f"{_readable(self.low)} - {_readable(self.high)}"

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def _readable(number: float) -> str:
    return f"{number:,.0f}" if number >= 100 else f"{number:.2f}"


def _of_rounds(game: str, what: str, who: str, rounds: list[float], unit: str) -> Measurement:
    return Measurement(game, what, who, statistics.median(rounds), min(rounds), max(rounds), unit)


def measure(game: Game, seconds: float = SECONDS) -> list[Measurement]:
    """All measurements of a game, ours and the peer's.

    Machines drift, so the contestants take turns: each has ``seconds`` of CPU time, cut into rounds.
    """
    contests = [
        ("random play", "stammtisch, batch", "decisions", _fused(game)),
        ("random play", "stammtisch, batch step by step", "decisions", _steps(game)),
        ("random play", "stammtisch, batch with observations and masks", "decisions", _steps(game, shown=True)),
        ("random play", "stammtisch, environment of a learner", "decisions", _environment(game)),
        *(("random play", who, "decisions", work) for who, work in _open_spiel(game.info.peer)),
        *_rounds(game),
        *(contest for target in game.info.measured for contest in load(target)(game)),
        ("ismcts", "stammtisch", "iterations", _search(game, ISMCTS.name)),
    ]
    if needs.open_cards(game.info) is None:
        contests.append(("mcts", "stammtisch", "iterations", _search(game, MCTS.name)))
    if needs.open_cards_and_no_chance(game.info) is None:
        contests.append(("perft", "stammtisch", "leaves", _perft(game)))
        contests.append(("maxn", "stammtisch", "positions", _maxn(game)))
    for *_, work in contests:
        work()  # load or compile
    rates: list[list[float]] = [[] for _ in contests]
    for _ in range(ROUNDS):
        for i, (*_, work) in enumerate(contests):
            rates[i].append(_rate(work, seconds / ROUNDS))
    return [
        _of_rounds(game.info.name, what, who, rates[i], f"{unit} per CPU-second")
        for i, (what, who, unit, _) in enumerate(contests)
    ]


def measure_arena(game: Game) -> Iterator[Measurement]:
    """What a match costs beyond the agents' own thinking: of a quick search, and of agents that do not think at all."""
    quick = f"{_monte_carlo(game.info)}:iterations="
    # a match needs two names: nearly the same agent, and the same one in two spellings
    for who, entrants in ((f"{quick}100", (f"{quick}100", f"{quick}101")), ("random", ("random", "random:"))):
        referee, deal, rounds = Referee(match(game, *entrants, seed=1)), 0, []
        referee.play(0, 0)
        for _ in range(ROUNDS):
            for spent in referee.times.values():
                spent.clear()
            start = time.perf_counter()
            while time.perf_counter() - start < ARENA_SECONDS:
                deal += 1
                referee.play(0, deal)
            whole, own = time.perf_counter() - start, sum(spent.seconds for spent in referee.times.values())
            rounds.append(100 * (whole - own) / own)
        yield _of_rounds(game.info.name, "arena overhead", f"stammtisch, {who}", rounds, "% of the agents' own time")


def measure_commands() -> Iterator[Measurement]:
    """The seconds that somebody waits for help and for the list of games."""
    for command in ("--help", "games"):
        waits = []
        for _ in range(ROUNDS):
            start = time.perf_counter()
            subprocess.run([sys.executable, "-m", "stammtisch.cli", command], capture_output=True, check=True)
            waits.append(time.perf_counter() - start)
        yield _of_rounds("all", f"stammtisch {command}", "stammtisch", waits, "seconds")


def measure_first_move(name: str) -> Iterator[Measurement]:
    """The seconds from import to the first move of a search, with an empty compile cache and with a full one."""
    agent = _monte_carlo(games()[name])
    command = [sys.executable, "-c", FIRST_MOVE.format(game=name, agent=agent)]

    def wait(cache: str) -> float:
        environment = {**os.environ, "STAMMTISCH_CACHE": cache}
        return float(subprocess.run(command, env=environment, capture_output=True, check=True).stdout)

    with tempfile.TemporaryDirectory() as cache:
        yield _of_rounds(name, "first move, cold", f"stammtisch, {agent}", [wait(cache)], "seconds")
        warm = [wait(cache) for _ in range(ROUNDS)]
        yield _of_rounds(name, "first move, warm", f"stammtisch, {agent}", warm, "seconds")


def signature(game: Game) -> str:
    """One short text that changes exactly when the behaviour of the game changes."""
    traces = "".join(trace(game, seed) for seed in range(SIGNATURE_GAMES))
    return hashlib.sha256(traces.encode()).hexdigest()[:16]


def _rate(work: Callable[[], int], seconds: float) -> float:
    """Units of work per CPU-second of this process."""
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


def _steps(game: Game, shown: bool = False) -> Callable[[], int]:
    """Step by step from Python; ``shown``: with all that a learner looks at."""
    batch, chooser = Batch(game, 4096, seed=1), np.random.default_rng(1)
    seen = batch.observations()

    def work() -> int:
        if shown:
            batch.observations(seen)
            batch.masks()
        actions, offsets = batch.legal()
        picks = (chooser.random(len(batch)) * np.diff(offsets)).astype(np.int64)
        batch.step(actions[offsets[:-1] + picks], checked=False)
        batch.restart()
        return len(batch)

    return work


def _environment(game: Game) -> Callable[[], int]:
    """The arrays that learners step: observations, masks, rewards, scores, new games; numbers instead of codes."""
    games = VectorGames(game, 1024, seed=1)

    def work() -> int:
        games.step(games.sample())
        return len(games)

    return work


def _rounds(game: Game) -> Iterator[Contest]:
    """Whole rounds, where a game's options can cut it down to one: with all legal actions, merged ones, a policy."""
    if "rounds" not in game.options:
        return
    one = type(game)(**{**game.options, "rounds": 1})
    merged = type(game)(**{**one.options, "merged": True})
    yield "random play", "stammtisch, batch, complete list", "rounds", _played_out(one, Batch.random_steps)
    yield "random play", "stammtisch, batch, merged list", "rounds", _played_out(merged, Batch.random_steps)
    yield "heuristic play", "stammtisch, batch", "rounds", _played_out(one, Batch.policy_steps)


def _played_out(game: Game, play: Callable[[Batch, int], int]) -> Callable[[], int]:
    batch = Batch(game, 256, seed=1)
    return lambda: play(batch, 100)


def _monte_carlo(info: GameInfo) -> str:
    """The name of the general search that plays this game; its effort can be counted."""
    return ISMCTS.name if info.hidden else MCTS.name


def _search(game: Game, name: str) -> Callable[[], int]:
    """Searches of the first move, in card games of the first trick."""
    state, rng = game.new(seed=1), stream(1)
    buffer = np.empty(game.spec.max_actions, dtype=np.int64)
    while state.to_json()["phase"] in BEFORE_PLAY:
        state.apply(int(pick(game.mind()[0], state.record, buffer, rng)))
    player = agent(name, game)
    assert isinstance(player, MonteCarlo)
    seat, actions = game.narrow(state.seat(state.player or 0))
    return lambda: player.search(seat, actions, rng, 10_000, None).iterations  # some end early


def _perft(game: Game) -> Callable[[], int]:
    state, depth = game.new(seed=1), 1
    while perft(state, depth) < 100_000:
        depth += 1
    return lambda: perft(state, depth)


def _maxn(game: Game) -> Callable[[], int]:
    state, depth = game.new(seed=1), 1
    while depth < 9 and maxn.search(state, depth).nodes < 100_000:
        depth += 1
    return lambda: maxn.search(state, depth).nodes


def _open_spiel(name: str) -> Iterator[tuple[str, Callable[[], int]]]:
    if not name:
        return
    try:
        import pyspiel
    except ImportError:
        print("OpenSpiel is not installed: no comparison (pip install open_spiel)", file=sys.stderr)
        return
    game = pyspiel.load_game(name)
    chooser = random.Random(1)

    def through_python() -> int:
        decisions = 0
        while decisions < 4000:
            decisions += _random_decisions(game.new_initial_state(), chooser)
        return decisions

    # One simulation of OpenSpiel's own tree search plays one move and then so many random games in C++.
    length = float(np.mean([_random_decisions(_first_decision(game), chooser) - 1 for _ in range(500)]))
    rollouts = int(150_000 / length)
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=rollouts, seed=1)

    def inside_core() -> int:
        bot = pyspiel.MCTSBot(game, evaluator, 1.0, 1, 1000, False, 1, False)
        bot.step(_first_decision(game))
        return int(rollouts * length)

    yield "OpenSpiel, Python interface", through_python
    yield "OpenSpiel, C++ rollouts", inside_core


def _first_decision(game: Any) -> Any:
    """The beginning of a game of OpenSpiel, after a throw of the die if there is one."""
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    return state


def _random_decisions(state: Any, chooser: random.Random) -> int:
    """Play a game of OpenSpiel to its end; how many decisions the players had."""
    decisions = 0
    while not state.is_terminal():
        decisions += not state.is_chance_node()
        actions = state.legal_actions()
        state.apply_action(actions[int(chooser.random() * len(actions))])
    return decisions
