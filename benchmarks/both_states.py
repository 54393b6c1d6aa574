"""Speed of two states of the project in one run, in turns: what a change cost or won, line by line.

    python benchmarks/both_states.py /path/to/before /path/to/after --turns 5

Each folder is a clone with its own ``.venv``. Machines drift and share their cores with others, so the states take
turns game by game, each first as often as second, and the ratio of each line is the median over the turns; CPU time
is what is counted. The lines are those of ``stammtisch bench`` without the peers, and the recursive searches.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
from pathlib import Path

INSIDE = """
import json, sys
import stammtisch as st
from stammtisch import bench
from stammtisch.search import expectimax, hypermax, maxn, needs, paranoid
bench._open_spiel = lambda name: iter(())
seconds = float(sys.argv[1])
for name in sys.stdin:
    game = st.game(name.strip())
    lines = {f"{one.game}: {one.what}, {one.who}": one.value for one in bench.measure(game, seconds)}
    searches = [maxn, paranoid, hypermax] if needs.open_cards_and_no_chance(game.info) is None else []
    if needs.open_cards_and_known_chance(game.info) is None:
        searches.append(expectimax)
    for search in searches:
        def work(depth):
            return search.search(state, depth).nodes
        state, depth = game.new(seed=1), 1
        while depth < 9 and work(depth) < 30_000:
            depth += 1
        what = search.__name__.split(".")[-1]
        lines[f"{game.info.name}: {what} depth {depth}"] = bench._rate(lambda: work(depth), seconds)
    print(json.dumps(lines), flush=True)
"""
GAMES = ("tictactoe", "chameleon", "clever", "madn", "dmadn", "dog", "tichu")


class Measuring:
    """One state of the project, in a process of its own."""

    def __init__(self, folder: Path, seconds: float) -> None:
        command = [str(folder / ".venv/bin/python"), "-c", INSIDE, str(seconds)]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, cwd=folder, stdin=pipe, stdout=pipe, text=True)

    def lines(self, game: str) -> dict[str, float]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(game + "\n")
        self.process.stdin.flush()
        return dict(json.loads(self.process.stdout.readline()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--turns", type=int, default=6)
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU-seconds of a line in each turn")
    parser.add_argument("--games", nargs="+", default=list(GAMES))
    chosen = parser.parse_args()
    before, after = Measuring(chosen.before, chosen.seconds), Measuring(chosen.after, chosen.seconds)
    ratios: dict[str, list[float]] = {}
    for turn in range(chosen.turns):
        for game in chosen.games:
            order = (before, after) if turn % 2 == 0 else (after, before)
            found = {state: state.lines(game) for state in order}
            for line in found[before].keys() & found[after].keys():
                ratios.setdefault(line, []).append(found[after][line] / found[before][line])
        print(f"turn {turn + 1} of {chosen.turns}", file=sys.stderr)
    for line, values in sorted(ratios.items()):
        print(f"{line:<75} {statistics.median(values):6.3f}   {min(values):.3f} - {max(values):.3f}")


if __name__ == "__main__":
    main()
