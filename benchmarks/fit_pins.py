"""Fit the tables behind ``rules`` of madn, dmadn and dog to the results of many games; print them beside those in use.

``rules`` plays against itself in teams; now and then a random move is played instead, and the position after it is
kept. A logistic regression then asks how much every part of the evaluation says about who wins in the end.

    python benchmarks/fit_pins.py dmadn --positions 1000000

For dmadn and dog the numbers in use came from such fits, rounded. For madn the hand-made ones stayed: players with
fitted numbers won 45 % against them, though they predict results better.
"""

from __future__ import annotations

import argparse

import numpy as np
from numpy.typing import NDArray

import stammtisch as st
from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import (
    OVER,
    Actions,
    Record,
    Records,
    Vector,
    apply,
    legal_actions,
    new_game,
    player,
    scores,
)
from stammtisch.core.rng import below, streams
from stammtisch.games.dog.board import GOAL, HOME, PINS, SEATS, wrapped
from stammtisch.games.dog.policy import (
    FEAR,
    GOAL_WORTH,
    OUT_WORTH,
    TEMPO,
    TRACK_WORTH,
    danger,
    decide,
    place_worth,
    same_side,
)

OUT, TRACK, GOALS, FEARS, TURN, PARTS = 0, 1, 9, 24, 26, 27
RANDOM_MOVE = 15  # one move in so many
LONGEST = 3000  # moves of a game


@compiled
def parts_of(state: Record, out: NDArray[np.float32]) -> None:
    """What the evaluation adds up, for the side on turn and against the other."""
    out[:] = 0.0
    out[TURN] = 1.0
    turn, around = int(state.turn), 4 * int(state.distance)
    for owner in range(SEATS):
        mine = same_side(state, turn, owner)
        sign = 1.0 if mine else -1.0
        in_goal = 0
        for pin in range(PINS):
            place = int(state.pins[owner, pin])
            if place == HOME:
                continue
            out[OUT] += sign
            if place >= GOAL:
                in_goal |= 1 << (place - GOAL)
                continue
            eighths = 8.0 * wrapped(place, around) / around
            passed = int(eighths)
            if passed:
                out[TRACK + passed - 1] += sign * (1.0 - eighths + passed)
            out[TRACK + passed] += sign * (eighths - passed)
            risk = danger(state, state.pins, owner, place) * max(0.0, place_worth(state, place)) / 100.0
            out[FEARS + (0 if mine else 1)] -= sign * risk
        if in_goal:
            out[GOALS + in_goal - 1] += sign


@compiled
def collect(
    states: Records, rngs: NDArray[np.int64], buffer: Actions, opening: int, parts: NDArray[np.float32], won: Vector
) -> int:
    """Play the games until there are enough positions; how many there are."""
    n, result, turns = 0, np.zeros(SEATS), np.zeros(len(won), dtype=np.int64)
    for i in range(len(states)):
        state, rng, first, moves = states[i], rngs[i], n, 0
        new_game(state, rng)
        while player(state) != OVER and moves < LONGEST:
            legal = legal_actions(state, buffer)
            keeps = moves >= opening and legal > 1 and below(rng, RANDOM_MOVE) == 0
            if keeps or moves < opening:
                apply(state, buffer[below(rng, legal)], rng)
            else:
                apply(state, decide(state, buffer, rng), rng)
            if keeps and player(state) != OVER:
                parts_of(state, parts[n])
                turns[n] = state.turn
                n += 1
                if n == len(won):
                    return first
            moves += 1
        scores(state, result)
        for j in range(first, n):
            won[j] = result[turns[j]]
    return n


def fit(parts: NDArray[np.float32], won: Vector) -> Vector:
    """Weights that make the results most likely, by Newton's method with a little shrinking."""
    weights = np.zeros(PARTS)
    for _ in range(12):
        slope, curve = -weights, np.eye(PARTS)
        for begin in range(0, len(won), 200_000):
            x = parts[begin : begin + 200_000].astype(np.float64)
            chance = 1.0 / (1.0 + np.exp(-x @ weights))
            slope = slope + x.T @ (won[begin : begin + 200_000] - chance)
            curve = curve + (x * (chance * (1.0 - chance))[:, None]).T @ x
        weights = weights + np.linalg.solve(curve, slope)
    return weights


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=("madn", "dmadn", "dog"))
    parser.add_argument("--positions", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    settings = parser.parse_args()
    game = st.game(settings.game, teams=True)
    games = max(100, settings.positions // 5)
    states, parts = game.blank().repeat(games), np.zeros((settings.positions, PARTS), dtype=np.float32)
    won, buffer = np.zeros(settings.positions), np.empty(game.spec.max_actions, dtype=np.int64)
    opening = 20 if settings.game == "dmadn" else 0  # without luck all games would be the same
    n = collect(states, streams(settings.seed, games), buffer, opening, parts, won)
    weights = np.round(100 * fit(parts[:n], won[:n]), 1)
    i = ("madn", "dmadn", "dog").index(settings.game)
    np.set_printoptions(suppress=True, linewidth=150)
    print(f"{n:,} positions")
    for name, found, used in (
        ("OUT_WORTH", weights[OUT], OUT_WORTH[i]),
        ("TRACK_WORTH", weights[TRACK:GOALS], TRACK_WORTH[i, 1:]),
        ("GOAL_WORTH", weights[GOALS:FEARS], GOAL_WORTH[i, 1:]),
        ("FEAR", weights[FEARS:TURN] / 100, FEAR[i]),
        ("TEMPO", weights[TURN], TEMPO[i]),
    ):
        print(f"{name}\n  fitted {found}\n  in use {used}")


if __name__ == "__main__":
    main()
