"""Finds what promises of Chamäleon Schach's `best` come to (`TRUE_ODDS`): python benchmarks/calibrate_chameleon.py

With more than two players its search is too pessimistic: it expects all others to play together. Here it plays with
itself; a logistic regression says how often a player has won from positions of which the search promised so much.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import numpy as np
from numpy.typing import NDArray

from stammtisch.agents.catalog import agent
from stammtisch.agents.chameleon import best
from stammtisch.core.rng import below, stream
from stammtisch.games.chameleon.game import Chameleon
from stammtisch.games.chameleon.rules import survivors

OPENING = 8  # random moves before the game
SEED = 4_700  # of the openings, used for nothing else

Row = tuple[int, float, float]  # players left, what was promised to the one who moved, his share of the win


def play(number: int, depth: int) -> list[Row]:
    """One game of three or four players."""
    best.TRUE_ODDS.clear()  # promises as they are
    game, rng = Chameleon(players=str(3 + number % 2)), stream(SEED, number)
    player, state = agent(f"best:depth={depth}", game), game.new(0)
    for _ in range(OPENING):
        actions = state.actions()
        state.apply(actions[below(rng, len(actions))])
    told = []
    while state.player is not None:
        choice = player.choose(state.seat(state.player), rng)
        told.append((int(survivors(state.record)), choice.analysis[0].value, state.player))
        state.apply(choice.action)
    shares = state.scores()
    return [(players, value, shares[seat]) for players, value, seat in told if value and value < best.NEARLY_CERTAIN]


def fit(promised: NDArray[np.float64], share: NDArray[np.float64]) -> tuple[float, float]:
    """The a and b that say best what came of the promises, by Newton's method."""
    inputs = np.stack([np.ones_like(promised), np.log(promised / (1 - promised))])
    weights = np.array([0.5, 0.5])
    for _ in range(30):
        told = 1 / (1 + np.exp(-weights @ inputs))
        weights = weights + np.linalg.solve(inputs * (told * (1 - told)) @ inputs.T, inputs @ (share - told))
    return float(weights[0]), float(weights[1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1200)
    parser.add_argument("--depth", type=int, default=6)
    given = parser.parse_args()
    with ProcessPoolExecutor() as pool:
        games = pool.map(partial(play, depth=given.depth), range(given.games), chunksize=10)
        rows = np.array([row for game in games for row in game])
    for players in (3, 4):
        promised, share = rows[rows[:, 0] == players, 1:].T
        a, b = fit(promised, share)
        told = 1 / (1 + (promised / (1 - promised)) ** -b * np.exp(-a))
        print(f"{players} players, {len(share):,} decisions: ({a:.2f}, {b:.2f})")
        for part in np.array_split(np.argsort(told), 8):
            means = (100 * column[part].mean() for column in (promised, told, share))
            print("  promised {:5.1f} %, so it says {:5.1f} %, came to {:5.1f} %".format(*means))


if __name__ == "__main__":
    main()
