"""Every algorithm also runs as plain Python, for debugging, with the same results."""

import os
import subprocess
import sys
from pathlib import Path

SCRIPT = """
from toys import Pig, Treelet, Whistlet
import stammtisch as st
from stammtisch.core.batch import Batch
from stammtisch.core.rng import stream
from stammtisch.search import ismcts, maxn, mcts
from stammtisch.search.perft import perft

tictactoe = st.game("tictactoe")
print(maxn.search(tictactoe.from_json({"board": "XO..X...."}), depth=4))
print(maxn.search(Treelet().new(seed=1), depth=3))
print(mcts.search(tictactoe.new(), stream(1), iterations=60))
print(mcts.search(Pig(players=3).new(seed=1), stream(1), iterations=30))
print(ismcts.search(Whistlet().new(seed=1).seat(0), stream(1), iterations=30))
print(perft(tictactoe.new(), 3))
batch = Batch(Whistlet(), 3, seed=1)
print(batch.random_steps(20), batch.legal(), batch.scores(), batch.observations().sum())
"""


def run(**environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", SCRIPT],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent), **environment},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_searches_and_batches_give_the_same_without_compilation() -> None:
    assert run(NUMBA_DISABLE_JIT="1") == run()
