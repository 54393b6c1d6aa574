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
from stammtisch.agents.base import Budget
from stammtisch.agents.catalog import agent
from stammtisch.search import hypermax, ismcts, maxn, mcts, paranoid
from stammtisch.search.perft import perft

tictactoe = st.game("tictactoe")
print(maxn.search(tictactoe.from_json({"board": "XO..X...."}), depth=4))
print(maxn.search(Treelet().new(seed=1), depth=3))
print(mcts.search(tictactoe.new(), stream(1), iterations=60))
print(mcts.search(Pig(players=3).new(seed=1), stream(1), iterations=30))
print(ismcts.search(Whistlet().new(seed=1).seat(0), stream(1), iterations=30))
print(perft(tictactoe.new(), 3))
chameleon = st.game("chameleon", players="RGY")
state = chameleon.parse_position("2-6,1-5 R Rr33 Rg21 Ry45 Gy65 Gb35 Yr22")
print(perft(chameleon.new(), 2), perft(state, 2), state.seat(1).observation().sum())
for search in (maxn.search, paranoid.search, hypermax.search):
    print(search(state, depth=2, minds=state.game.mind("pawns")))
print(agent("best:depth=2", chameleon).choose(state.seat(0), stream(1), Budget(explain=True)))
print(agent("best:level=normal", chameleon).choose(state.seat(0), stream(1)))
for game in (tictactoe, Whistlet(), Pig(players=3)):
    print(agent("guided:iterations=40,samples=2", game).choose(game.new(seed=1).seat(0), stream(1)))
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
