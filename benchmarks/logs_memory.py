"""How much memory reading logs takes, and whether it grows with the corpus.

Corpora of several sizes are made by self-play; from each, a database and two datasets are made by the command line.
While a command runs, the resident memory of its process and of all processes that it has started is summed up every
few hundredths of a second. Pages that processes share, such as libraries, count once for each of them: the sum is an
upper bound of what the machine must have. It is read from /proc, so this runs on Linux.

    python benchmarks/logs_memory.py --games 5000 20000 --workers 2

prints a table and writes it to benchmarks/logs_memory.json. Commands that have to compile first are measured with that;
``stammtisch warm`` before it leaves it out.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

LIMIT = 1000.0  # megabytes, of a million bytes each
PAUSE = 0.03  # seconds between two looks
PAGE = os.sysconf("SC_PAGE_SIZE")
Json = dict[str, Any]


def family(process: int) -> list[int]:
    """The process and all that it has started, and so on; some may have ended meanwhile."""
    found = [process]
    for thread in Path(f"/proc/{process}/task").glob("*"):
        try:
            found += [one for child in (thread / "children").read_text().split() for one in family(int(child))]
        except OSError:
            continue
    return found


def resident(process: int) -> float:
    """Megabytes."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * PAGE / 1e6
    except (OSError, IndexError):
        return 0.0


def watch(command: list[str]) -> Json:
    """Run a command; the highest sum, in its first half and in its second, and the highest of its first process."""
    start = time.perf_counter()
    seen: list[tuple[float, float]] = []  # when, and the sum then
    first = 0.0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            sizes = [resident(one) for one in family(process.pid)]
            first = max(first, sizes[0])
            seen.append((time.perf_counter() - start, sum(sizes)))
            time.sleep(PAUSE)
    if process.returncode:
        raise SystemExit(f"failed: {' '.join(command)}")
    seconds = time.perf_counter() - start
    halves = [max((size for at, size in seen if (at > seconds / 2) == late), default=0.0) for late in (False, True)]
    return {
        "peak": round(max(halves), 1),
        "first_half": round(halves[0], 1),
        "second_half": round(halves[1], 1),
        "first_process": round(first, 1),
        "seconds": round(seconds, 1),
    }


def measure(games: int, workers: int, folder: Path) -> list[Json]:
    logs, db = str(folder / f"{games}" / "2007.zip"), str(folder / f"{games}.duckdb")
    Path(logs).parent.mkdir()
    program = [str(Path(sys.executable).with_name("stammtisch")), "logs"]
    side_by_side = ["--workers", str(workers)]
    made = [*program, "make", "--games", str(games), "--agents", "heuristic", "--out", logs, *side_by_side]
    subprocess.run(made, check=True, stdout=subprocess.DEVNULL)
    commands = {
        "import --moves": [*program, "import", logs, "--db", db, "--moves", *side_by_side],
        "dataset of logs": [*program, "dataset", logs, "--out", str(folder / "logs.h5"), *side_by_side],
        "dataset of the database": [*program, "dataset", "--db", db, "--out", str(folder / "db.h5"), *side_by_side],
    }
    return [{"what": what, "games": games, **watch(command)} for what, command in commands.items()]


def show(result: Json) -> None:
    columns = ("games", "peak", "first_half", "second_half", "first_process", "seconds")
    table = Table(title=f"Megabytes of all processes together, {result['workers']} workers")
    table.add_column("command")
    for name in columns:
        table.add_column(name.replace("_", " "), justify="right")
    for one in result["rows"]:
        table.add_row(one["what"], *(f"{one[name]:,}" for name in columns))
    console = Console()
    console.print(table)
    peak = max(one["peak"] for one in result["rows"])
    console.print(f"Target: under {LIMIT:.0f} MB: {'met' if peak < LIMIT else 'not met'} ({peak:.0f} MB).")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, nargs="+", default=[5000, 20000], help="sizes of the corpora")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--output", type=Path, default=Path(__file__).with_name("logs_memory.json"))
    chosen = parser.parse_args()
    rows: list[Json] = []
    with tempfile.TemporaryDirectory() as folder:
        for games in chosen.games:
            rows += measure(games, chosen.workers, Path(folder))
    result = {"workers": chosen.workers, "cpus": os.cpu_count(), "unit": "MB", "rows": rows}
    show(result)
    chosen.output.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
