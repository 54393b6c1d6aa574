"""The same on the real Ray, on one machine."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("ray", reason="the extra 'cluster' is not installed")

SCRIPT = """
import os, sys
sys.path.insert(0, sys.argv[1])
from logs.corpus import who
from work.test_pool import LostWork, break_down, check_a_worker_that_dies, refuse, slow, square
from stammtisch.work.pool import pool
from stammtisch.core.errors import StammtischError
from pathlib import Path

if __name__ == "__main__":
    with pool(on_ray=True) as cluster:
        assert list(cluster.map(square, range(20))) == [n * n for n in range(20)]
        assert os.getpid() not in {process for _, process in cluster.map(who, range(4))}
        for work, task, error, words in (
            (refuse, 3, StammtischError, "three"), (break_down, 0, ZeroDivisionError, "zero"),
            (slow, 100.0, LostWork, "longer than 1 seconds"), (os._exit, 1, LostWork, "run the same command again"),
        )[: int(sys.argv[3])]:
            try:
                list(cluster.map(work, [task], seconds=1 if work is slow else None))
            except error as told:
                assert words in str(told), told
            else:
                raise AssertionError(work)
        check_a_worker_that_dies(cluster, Path(sys.argv[2]))
        print("all well")
"""


@pytest.mark.parametrize("cases", [2, pytest.param(4, marks=pytest.mark.slow)])
def test_ray_does_what_the_other_pools_do(cases: int, tmp_path: Path) -> None:
    """In a process of its own, because Ray leaves threads and warnings behind."""
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    tests = str(Path(__file__).parent.parent)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([tests, os.environ.get("PYTHONPATH", "")])}
    command = [sys.executable, str(script), tests, str(tmp_path), str(cases)]
    found = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300, check=False)
    assert "all well\n" in found.stdout, found.stdout + found.stderr
