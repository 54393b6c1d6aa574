"""The shape of a game: how many moves there are to choose from, how long it lasts, how large its tree is."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stammtisch.agents.catalog import agent
from stammtisch.core.compiling import compiled
from stammtisch.core.errors import StammtischError
from stammtisch.core.game import Game, Json, State
from stammtisch.core.kernel import OVER, Actions, Records, apply, legal_actions, player
from stammtisch.core.rng import Rng, below, stream
from stammtisch.search.lookahead import MAX_DEPTH

LONGEST = 10_000  # moves; longer games are broken off as endless

TICTACTOE_GAMES = 255_168  # complete games, exact
CHESS = (35, 80, 120, 43)  # Shannon 1950: legal moves, length, powers of ten of the tree and of the positions


@dataclass(frozen=True)
class Shape:
    """Games of one kind of player: the number of legal moves at each decision, game by game.

    Games that did not come to an end tell nothing about lengths: they are counted, no more.
    """

    game: Game
    who: str
    choices: list[NDArray[np.int64]]
    endless: int

    @classmethod
    def of(cls, game: Game, who: str, choices: Iterable[NDArray[np.int64]], longest: int = LONGEST) -> Shape:
        """From games that end, or were broken off after ``longest`` moves."""
        everything = list(choices)
        ended = [one for one in everything if len(one) < longest]
        if not ended:
            raise StammtischError(f"none of {len(everything)} games of {who} came to an end within {longest:,} moves")
        return cls(game, who, ended, len(everything) - len(ended))

    @property
    def players(self) -> int:
        return len(self.game.spec.taken)

    @property
    def lengths(self) -> NDArray[np.int64]:
        return np.array([len(one) for one in self.choices])

    @property
    def branching(self) -> float:
        """The mean number of legal moves, over all decisions."""
        return float(np.concatenate(self.choices).mean())

    @property
    def tree(self) -> float:
        """The size of the game tree as a power of ten: branching factor to the power of the length."""
        return float(self.lengths.mean() * math.log10(self.branching))

    def branching_by_move(self) -> NDArray[np.float64]:
        """The mean number of legal moves at each move number that at least one game in twenty reached."""
        reached = int(np.quantile(self.lengths, 0.95))
        return np.array([np.mean([one[move] for one in self.choices if len(one) > move]) for move in range(reached)])

    def to_json(self) -> Json:
        positions = self.game.count_positions()
        return {
            "players": self.players,
            "options": dict(self.game.options),
            "played_by": self.who,
            "games": len(self.choices),
            "endless": self.endless,
            "branching": round(self.branching, 2),
            "length": round(float(self.lengths.mean()), 2),
            "length_sd": round(float(self.lengths.std()), 2),
            "shortest": int(self.lengths.min()),
            "longest": int(self.lengths.max()),
            "tree_log10": round(self.tree, 1),
            "positions_at_most": positions,
        }


def random_games(game: Game, games: int, seed: int, longest: int = LONGEST) -> Shape:
    """Games of players who choose any legal move."""
    buffer = np.empty(game.spec.max_actions, dtype=np.int64)
    found = []
    for number in range(games):
        state = game.new(seed + number)
        counts = np.empty(longest, dtype=np.int64)
        n = _choices(state.records, buffer, stream(seed, number), state.rng, counts)
        found.append(counts[:n].copy())
    return Shape.of(game, "random", found, longest)


@compiled
def _choices(states: Records, buffer: Actions, rng: Rng, dice: Rng, counts: Actions) -> int:
    """Play one random game; write the number of legal moves at each decision, return how many there were."""
    state = states[0]
    moves = 0
    while moves < len(counts) and player(state) != OVER:
        counts[moves] = legal_actions(state, buffer)
        apply(state, buffer[below(rng, counts[moves])], dice)
        moves += 1
    return moves


def agent_games(game: Game, name: str, games: int, seed: int, longest: int = LONGEST) -> Iterator[NDArray[np.int64]]:
    """The numbers of moves in games of an agent against itself, each begun by one random move per player."""
    for number in range(games):
        state, rng = game.new(seed + number), stream(seed, number)
        seated = {seat: agent(name, game) for seat in game.spec.taken}
        counts: list[int] = []
        while not state.over and len(counts) < longest:
            actions = state.actions()
            if len(counts) < len(seated):
                chosen = actions[int(below(rng, len(actions)))]
            else:
                chosen = seated[state.player or 0].choose(state.seat(state.player or 0), rng).action
            counts.append(len(actions))
            state.apply(chosen)
        yield np.array(counts)


@dataclass(frozen=True)
class Timing:
    """How long a search of a fixed depth takes, position by position, in milliseconds."""

    game: Game
    depth: int
    ms: NDArray[np.float64]

    def to_json(self) -> Json:
        median, high = np.quantile(self.ms, [0.5, 0.95])
        return {
            "players": len(self.game.spec.taken),
            "depth": self.depth,
            "positions": len(self.ms),
            "median_ms": round(float(median), 3),
            "p95_ms": round(float(high), 3),
            "longest_ms": round(float(self.ms.max()), 3),
        }


def timings(game: Game, search: str, positions: int, limit_ms: float, seed: int) -> Iterator[Timing]:
    """One more move of depth each time, on positions of random games, until the longest took more than the limit."""
    states, longest = _positions(game, positions, seed)
    for depth in range(1, min(longest, MAX_DEPTH) + 1):
        thinker = agent(f"{search}:depth={depth}", game)
        seats = [state.seat(state.player or 0) for state in states]
        thinker.choose(seats[0], stream(0))  # loads or compiles
        taken = []
        for seat in seats:
            began = time.perf_counter()
            thinker.choose(seat, stream(0))
            taken.append(1000 * (time.perf_counter() - began))
        yield Timing(game, depth, np.array(taken))
        if max(taken) > limit_ms:
            return


def _positions(game: Game, n: int, seed: int) -> tuple[list[State], int]:
    """Positions of random games at all stages, one per game; and the length of the longest of these games."""
    found, longest = [], 0
    for number in range(n):
        state, rng = game.new(seed + number), stream(seed, number)
        line = [state.copy()]
        while not state.over and len(line) < LONGEST:
            actions = state.actions()
            state.apply(actions[int(below(rng, len(actions)))])
            line.append(state.copy())
        found.append(line[int(below(rng, max(1, len(line) - 1)))])
        longest = max(longest, len(line) - 1)
    return found, longest
