"""PettingZoo's loop, with a table of values that all seats share and fill by playing with themselves.

    python examples/pettingzoo_loop.py 20000

What the table knows of a position is what the games from there brought to whoever decided in it (Monte Carlo).
"""

from __future__ import annotations

import random
import sys
from collections import defaultdict
from typing import Any

from stammtisch.envs.zoo import env

Values = dict[tuple[bytes, int], float]


def chosen(values: Values, seen: dict[str, Any], explore: float, chooser: random.Random) -> int:
    """The action of the highest value, or any legal one."""
    legal = [number for number, flag in enumerate(seen["action_mask"]) if flag]
    if chooser.random() < explore:
        return chooser.choice(legal)
    key = seen["observation"].tobytes()
    return max(legal, key=lambda number: values[key, number])


def learn(games: int) -> Values:
    table, chooser = env("tictactoe"), random.Random(1)
    values: Values = defaultdict(float)
    for number in range(games):
        table.reset(seed=number)
        moves: dict[str, list[tuple[bytes, int]]] = defaultdict(list)
        won: dict[str, float] = defaultdict(float)
        for agent in table.agent_iter():
            seen, reward, over, _, _ = table.last()
            won[agent] += reward
            action = None if over else chosen(values, seen, 0.2, chooser)
            if action is not None:
                moves[agent].append((seen["observation"].tobytes(), action))
            table.step(action)
        for agent, made in moves.items():
            for move in made:
                values[move] += 0.1 * (won[agent] - values[move])
    return values


def score(values: Values, games: int) -> float:
    """What it wins, from 0 to 1, on both seats in turn against any move."""
    table, chooser, total = env("tictactoe"), random.Random(2), 0.5 * games
    for number in range(games):
        table.reset(seed=number)
        for agent in table.agent_iter():
            seen, reward, over, _, _ = table.last()
            mine = agent == f"player_{number % 2}"
            total += reward * mine
            table.step(None if over else chosen(values, seen, 0.0 if mine else 1.0, chooser))
    return total / games


if __name__ == "__main__":
    print(f"{score(learn(int(sys.argv[1])), 500):.1%} of the points against any move")
