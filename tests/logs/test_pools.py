"""Work is handed out a few tasks ahead and comes back in order, on processes, on Ray and on anything alike."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from logs.corpus import roll, who
from stammtisch.core.errors import StammtischError
from stammtisch.logs import pools
from stammtisch.logs.pools import AHEAD, Here, RayCluster, in_order, pool


class Late:
    """A stand-in that does the work only when the result is asked for, and counts what is under way."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.under_way = self.most = 0

    def submit(self, work: Callable[[Any], Any], task: Any) -> Any:
        self.under_way += 1
        self.most = max(self.most, self.under_way)

        def result() -> Any:
            self.under_way -= 1
            return work(task)

        return SimpleNamespace(result=result)


def square(number: int) -> int:
    return number * number


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_results_come_in_order_and_few_tasks_are_under_way(workers: int) -> None:
    late = Late(workers)
    taken = []

    def tasks() -> Any:
        for number in range(50):
            taken.append(number)
            yield number

    for done, result in enumerate(in_order(late, square, tasks())):
        assert result == done * done
        assert len(taken) <= done + AHEAD * workers + 1
    assert late.most == min(50, AHEAD * workers) and late.under_way == 0


def test_no_tasks_give_no_results() -> None:
    assert list(in_order(Here(), square, [])) == []


def test_processes_work_beside_this_one() -> None:
    with pool(2) as two:
        found = list(in_order(two, who, range(6)))
    assert [number for number, _ in found] == list(range(6))
    assert os.getpid() not in {process for _, process in found}


def test_a_process_that_had_to_compile_is_replaced(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("STAMMTISCH_CACHE", str(tmp_path))  # nothing is compiled there
    with pool(2) as two:
        first, *others = list(in_order(two, roll, range(6)))
    assert first not in others
    with pool(2) as two:  # everything is: the process stays
        first, *others = list(in_order(two, roll, range(6)))
    assert first in others


def test_workers_load_no_library_that_only_the_asking_process_needs() -> None:
    heavy = ("duckdb", "h5py", "matplotlib", "pandas", "rich", "scipy.linalg", "scipy.stats", "torch")
    code = "import sys, stammtisch.logs.pieces, stammtisch.logs.reading; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "numba" in loaded and not set(heavy) & set(loaded)


def test_a_process_that_is_ended_becomes_advice() -> None:
    with pytest.raises(StammtischError, match="run the same command again"), pool(2) as two:
        list(in_order(two, os._exit, [1, 1]))


class StandInForRay:
    """The few functions of Ray that are used."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    def init(self, **options: Any) -> None:
        self.calls.append("init")
        assert options["include_dashboard"] is False

    def shutdown(self) -> None:
        self.calls.append("shutdown")

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 3.0}

    def remote(self, work: Callable[[Any], Any]) -> Any:
        return SimpleNamespace(remote=lambda task: (work, task))

    def get(self, reference: Any) -> Any:
        work, task = reference
        return work(task)


def test_the_same_scheduling_runs_on_ray(monkeypatch: pytest.MonkeyPatch) -> None:
    ray = StandInForRay()
    monkeypatch.setattr(pools, "_ray", lambda: ray)
    with pool(on_ray=True) as cluster:
        assert isinstance(cluster, RayCluster) and cluster.workers == 3
        assert list(in_order(cluster, square, range(20))) == [n * n for n in range(20)]
    assert ray.calls == ["init", "shutdown"]


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(StammtischError, match=r"pip install .*\[cluster\]"), pool(on_ray=True):
        pass
