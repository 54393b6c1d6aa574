"""How fast clever's value network is in play: afterstates per CPU-second, milliseconds per hint.

python benchmarks/judge_clever.py
"""

from __future__ import annotations

import time

import numpy as np

import stammtisch as st
from stammtisch.agents.catalog import agent
from stammtisch.agents.clever.judge import judge, new_bench
from stammtisch.agents.clever.sight import ROLL_1
from stammtisch.agents.clever.value import read_net
from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import Records
from stammtisch.core.rng import stream

GAMES = 20


@compiled
def judge_many(states: Records, net: object, desk: object, times: int) -> float:
    total = 0.0
    for _ in range(times):
        for i in range(len(states)):
            state = states[i]
            total += judge(state, 0, int(state.round_number), ROLL_1, net, desk)  # type: ignore[arg-type]
    return total


def main() -> None:
    game, net = st.game("clever"), read_net("clever-official")
    bench, best = new_bench(game.kernel, net), agent("best", game)
    positions, times = [], []
    for seed in range(GAMES):
        state = game.new(seed=seed)
        while state.player is not None:
            positions.append(state.record.copy())
            began = time.process_time()
            choice = best.choose(state.seat(0), stream(1))
            times.append(1000 * (time.process_time() - began))
            state.apply(choice.action)
    states = game.kernel.blank(len(positions))
    for i, record in enumerate(positions):
        states[i] = record
    judge_many(states, net, bench.desk, 1)
    began = time.process_time()
    judge_many(states, net, bench.desk, 200)
    rate = 200 * len(states) / (time.process_time() - began)
    print(f"{rate:,.0f} afterstates per CPU-second, positions of {GAMES} games one after another")
    print(f"{np.mean(times[1:]):.2f} ms of CPU per hint on average, {max(times[1:]):.1f} at most, {len(times)} hints")


if __name__ == "__main__":
    main()
