"""Every worker of every command ends with the process that started it, however that one is ended."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from logs.corpus import make_zips

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")

SPIN = """
import sys, time
sys.path.insert(0, sys.argv[1])
from stammtisch.work.pool import pool
from work.test_ending import {work}

if __name__ == "__main__":
    with pool(2) as two:
        list(two.map({work}, [1, 2, 3, 4]))
"""


def sleep(number: int) -> None:
    time.sleep(1000)


def spin(number: int) -> None:
    """Compiled code that holds the interpreter: no thread of Python gets a turn."""
    from stammtisch.core.compiling import compiled

    @compiled
    def count(most: int) -> int:
        total = 0
        for i in range(most):
            total += total ^ i
        return total

    count(1)
    count(1 << 60)


def fork(number: int) -> None:
    """Work that starts processes itself."""
    os.fork()
    time.sleep(1000)


def children(process: int) -> set[int]:
    """The process's descendants."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if words[0] != "Z":
            parents[int(stat.parent.name)] = int(words[1])
    found = {process}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {process}


def alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def check_that_nobody_stays(command: list[str], how: signal.Signals, least: int = 2, settle: float = 1.0) -> None:
    """Start it, wait until it has workers, end it; all of them are gone soon."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(1200):
            if len(children(process.pid)) >= least:
                break
            assert process.poll() is None, "it ended before it had workers"
            time.sleep(0.05)
        time.sleep(settle)
        workers = children(process.pid)
        assert len(workers) >= least
    finally:
        process.send_signal(how)
        process.wait(60)
    for _ in range(600):
        if not (left := {worker for worker in workers if alive(worker)}):
            return
        time.sleep(0.05)
    for worker in left:
        os.kill(worker, signal.SIGKILL)
    raise AssertionError(f"{len(left)} of {len(workers)} processes are still there")


@pytest.mark.parametrize(
    ("work", "how"), [("sleep", signal.SIGTERM), ("spin", signal.SIGKILL), ("fork", signal.SIGKILL)]
)
def test_workers_end_with_a_killed_parent_whatever_they_do(work: str, how: signal.Signals, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SPIN.format(work=work))
    tests = str(Path(__file__).parent.parent)
    check_that_nobody_stays([sys.executable, str(script), tests], how, settle=2.0 if work != "sleep" else 0.5)


def commands(folder: Path) -> dict[str, list[str]]:
    """Commands that work for a while in several processes."""
    logs = str(make_zips(folder / "logs", 3000)) if not (folder / "logs").exists() else str(folder / "logs")
    match = ["tictactoe", "mcts:iterations=5000", "random", "--rounds", "100000", "--workers", "2"]
    return {
        "arena": ["arena", *match, "--out", str(folder / "m.jsonl")],
        "import": ["logs", "import", logs, "--db", str(folder / "logs.duckdb"), "--workers", "2"],
        "check": ["logs", "check", logs, "--workers", "2"],
        "make": ["logs", "make", "--games", "100000", "--out", str(folder / "made.zip"), "--workers", "2"],
        "warm": ["warm"],
        "train": ["train", "clever-small", "--out", str(folder / "run")],
    }


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("name", ["arena", "import", "check", "make", "warm", "train"])
def test_no_command_leaves_workers_behind(name: str, how: signal.Signals, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "stammtisch.cli", *commands(tmp_path)[name]]
    check_that_nobody_stays(command, how, least=0 if name == "train" else 2)
