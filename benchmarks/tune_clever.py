"""Find the numbers behind ``heuristic`` of clever: an evolution of weight vectors, each judged by the same many games.

Every generation draws vectors around the present one, plays ``--games`` solo games with each (the same seeds for all),
and moves towards the best quarter; the spread of every number follows what worked. Prints the best numbers at the end.

    python benchmarks/tune_clever.py --generations 100 --seed 1
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from numpy.typing import NDArray

import stammtisch as st
from stammtisch.agents.clever.expectimax import expected_points
from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import OVER, Actions, Records, Vector, apply, legal_actions, new_game, player
from stammtisch.core.rng import streams
from stammtisch.games.clever.policy import BEYOND, NUMBERS, WEIGHTS, best_action, moment
from stammtisch.games.clever.sheet import total_points

MOST_DECISIONS = 200  # of a game


@compiled
def play(states: Records, rngs: NDArray[np.int64], buffer: Actions, weights: Vector, out: Vector) -> None:
    """Play every state to its end with these weights."""
    for i in range(len(states)):
        state, rng = states[i], rngs[i]
        new_game(state, rng)
        while player(state) != OVER:
            apply(state, best_action(state, buffer, weights)[0], rng)
        out[i] = total_points(state, 0)


@compiled
def play_ahead(
    states: Records,
    rngs: NDArray[np.int64],
    buffers: Actions,
    work: Records,
    samples: int,
    weights: Vector,
    out: Vector,
) -> None:
    """The same with the agent that looks one choice ahead."""
    values = np.empty(buffers.shape[1])
    for i in range(len(states)):
        state, rng = states[i], rngs[i]
        new_game(state, rng)
        while player(state) != OVER:
            n = legal_actions(state, buffers[0])
            work[0] = state
            actions = buffers[0, :n]
            if n > 1:
                expected_points(work, actions, buffers[1], weights, samples, rng, values)
            apply(state, actions[np.argmax(values[:n]) if n > 1 else 0], rng)
        out[i] = total_points(state, 0)


@compiled
def surplus(states: Records, rngs: NDArray[np.int64], buffer: Actions, weights: Vector, out: Vector) -> None:
    """Add up what games bring in the end beyond ``worth``, and how often, for every kind of moment."""
    moments, worths = np.empty((MOST_DECISIONS, 2), dtype=np.int64), np.empty(MOST_DECISIONS)
    for i in range(len(states)):
        state, rng, n = states[i], rngs[i], 0
        new_game(state, rng)
        while player(state) != OVER:
            action, worths[n] = best_action(state, buffer, weights)
            moments[n] = state.round_number - 1, moment(state)
            apply(state, action, rng)
            n += 1
        for j in range(n):
            out[moments[j, 0], moments[j, 1], 0] += total_points(state, 0) - worths[j]
            out[moments[j, 0], moments[j, 1], 1] += 1.0


def judge(weights: Vector, seed: int, games: int, samples: int) -> Vector:
    """The points of so many games."""
    game = st.game("clever")
    states = game.kernel.blank(games)
    states[:] = game.blank()[0]
    out = np.empty(games)
    buffers = np.empty((2, game.spec.max_actions), dtype=np.int64)
    if samples:
        play_ahead(states, streams(seed, games), buffers, game.kernel.blank(2), samples, weights, out)
    else:
        play(states, streams(seed, games), buffers[0], weights, out)
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1500)
    parser.add_argument("--generations", type=int, default=100)
    parser.add_argument("--children", type=int, default=20)
    parser.add_argument("--samples", type=int, default=0, help="tune expectimax with so many rolls, not heuristic")
    parser.add_argument("--seed", type=int, default=1)
    settings = parser.parse_args()
    check = 500 if settings.samples else 10_000
    random = np.random.default_rng(settings.seed)
    center, spread = WEIGHTS.copy(), 0.15 * np.maximum(np.abs(WEIGHTS), 0.3)
    spread[[name == "nothing" for name, _ in NUMBERS]] = 0.0
    best, record = center, judge(center, 10**6, check, settings.samples).mean()
    print(f"begins with {record:.2f}")
    parents = settings.children // 4
    shares = np.log(parents + 0.5) - np.log(np.arange(1, parents + 1))
    shares /= shares.sum()
    for generation in range(settings.generations):
        start = time.perf_counter()
        steps = random.normal(size=(settings.children, len(center)))
        steps[settings.children // 2 :] = -steps[: settings.children // 2]  # mirrored: less luck
        seed = settings.seed * 1000 + generation
        points = [judge(center + spread * step, seed, settings.games, settings.samples).mean() for step in steps]
        chosen = steps[np.argsort(points)[::-1][:parents]]
        center = center + spread * (shares @ chosen)
        spread *= np.exp(0.1 * (shares @ (chosen**2 - 1.0)))
        if generation % 5 == 4:
            mean = judge(center, 10**6, check, settings.samples).mean()
            print(f"{generation + 1:>4}  {mean:.2f}  ({time.perf_counter() - start:.0f} s a generation)", flush=True)
            if mean > record:
                best, record = center.copy(), mean
    print(
        f"best {record:.2f}, on games not used before {judge(best, 2 * 10**6, 2 * check, settings.samples).mean():.2f}"
    )
    sums, states = np.zeros((*BEYOND.shape, 2)), st.game("clever").blank().repeat(100_000)
    surplus(states, streams(3 * 10**6, len(states)), np.empty(MOST_DECISIONS, dtype=np.int64), best, sums)
    print(
        np.array2string(sums[..., 0] / np.maximum(1.0, sums[..., 1]), precision=1, separator=", ", suppress_small=True)
    )
    for (name, _), number in zip(NUMBERS, best, strict=True):
        print(f'    ("{name}", {number:.3g}),')


if __name__ == "__main__":
    main()
