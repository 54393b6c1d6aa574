"""Tasks in, results in order out: here, in processes and on Ray alike, also when workers die."""

import os
import signal
import subprocess
import sys
import time
import types
from collections.abc import Iterator
from pathlib import Path

import pytest

from logs.corpus import roll, who
from stammtisch.core.errors import BadPosition, StammtischError
from stammtisch.work import processes as processes_module
from stammtisch.work.pool import AHEAD, Here, LostWork, Pool, pool
from stammtisch.work.processes import Processes


def square(number: int) -> int:
    return number * number


def refuse(number: int) -> int:
    if number == 3:
        raise BadPosition("board", "three")  # an error that cannot be pickled as it is
    return number


def break_down(number: int) -> int:
    return 1 // number


def slow(seconds: float) -> float:
    time.sleep(seconds)
    return seconds


def die_once(folder: str) -> str:
    """Ends its process, the first time."""
    marker = Path(folder) / "died"
    if not marker.exists():
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return folder


def large(number: int) -> bytes:
    return bytes([number]) * 1_000_000


def count_up(most: int, taken: list[int]) -> Iterator[int]:
    for number in range(most):
        taken.append(number)
        yield number


def test_results_come_in_order_and_few_tasks_are_under_way() -> None:
    taken: list[int] = []
    with pool(2) as two:
        for done, result in enumerate(two.map(square, count_up(30, taken))):
            assert result == done * done
            assert len(taken) <= done + 1 + AHEAD * 2
        assert list(two.map(square, [])) == []


def test_a_task_that_the_workers_cannot_read_is_an_error_and_no_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    lost = types.ModuleType("lost_module")
    lost.work = lambda number: number  # type: ignore[attr-defined]
    lost.work.__module__, lost.work.__qualname__ = "lost_module", "work"
    monkeypatch.setitem(sys.modules, "lost_module", lost)
    with pool(2) as two, pytest.raises(ModuleNotFoundError, match="lost_module"):
        list(two.map(lost.work, range(3)))


def test_the_process_that_asks_can_do_it_itself() -> None:
    with pool(1) as one:
        assert isinstance(one, Here) and list(one.map(who, [1, 2])) == [(1, os.getpid()), (2, os.getpid())]


def test_processes_work_beside_this_one() -> None:
    with pool(2) as two:
        found = list(two.map(who, range(6)))
        assert [number for number, _ in found] == list(range(6))
        assert os.getpid() not in {process for _, process in found}
        assert [len(one) for one in two.map(large, range(8))] == [1_000_000] * 8  # more than a pipe holds


def test_a_process_that_had_to_compile_is_replaced(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("STAMMTISCH_CACHE", str(tmp_path))  # nothing is compiled there
    with pool(2) as two:
        first, *others = list(two.map(roll, range(6)))
    assert first not in others
    with pool(2) as two:  # everything is: the process stays
        first, *others = list(two.map(roll, range(6)))
    assert first in others


def test_workers_load_no_library_that_only_the_asking_process_needs() -> None:
    heavy = ("duckdb", "h5py", "matplotlib", "pandas", "ray", "rich", "scipy.linalg", "scipy.stats", "torch")
    ours = "stammtisch.logs.learn.pieces, stammtisch.logs.keep.reading, stammtisch.work.processes"
    code = f"import sys, {ours}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "numba" in loaded and not set(heavy) & set(loaded)


def test_errors_are_raised_in_their_turn_and_the_pool_goes_on() -> None:
    with pool(2) as two:
        found = two.map(refuse, range(10))
        assert [next(found) for _ in range(3)] == [0, 1, 2]
        with pytest.raises(StammtischError, match="three"):
            next(found)
        with pytest.raises(ZeroDivisionError) as error:
            list(two.map(break_down, [0]))
        assert "in break_down" in error.value.__notes__[0]
        assert list(two.map(square, range(4))) == [0, 1, 4, 9]


def check_a_worker_that_dies(some: Pool, folder: Path) -> None:
    assert list(some.map(die_once, [str(folder)])) == [str(folder)]
    assert list(some.map(square, range(4))) == [0, 1, 4, 9]


def test_a_worker_that_dies_is_replaced_and_its_task_done_again(tmp_path: Path) -> None:
    with pool(2) as two:
        check_a_worker_that_dies(two, tmp_path)


def test_a_worker_killed_in_the_middle_costs_nothing_but_time() -> None:
    team = Processes(2)
    found = team.map(slow, [0.3] * 6)
    results = [next(found)]
    for worker in team.team:
        assert worker is not None and worker.process.pid is not None
        os.kill(worker.process.pid, signal.SIGKILL)
    assert [*results, *found] == [0.3] * 6
    team.close()


def test_a_task_that_ends_every_process_becomes_advice() -> None:
    with pytest.raises(LostWork, match="run the same command again"), pool(2) as two:
        list(two.map(os._exit, [1]))


def test_a_task_that_takes_too_long_is_given_up() -> None:
    with pool(2) as two:
        assert list(two.map(slow, [0.01], seconds=60)) == [0.01]
        with pytest.raises(LostWork, match=r"longer than 0\.5 seconds"):
            list(two.map(slow, [100.0], seconds=0.5))
        assert list(two.map(square, range(4))) == [0, 1, 4, 9]


def test_work_that_nobody_waits_for_any_more_is_ended() -> None:
    team = Processes(2)
    found = team.map(slow, [0.01, 100.0, 100.0])
    assert next(found) == 0.01
    found.close()  # type: ignore[attr-defined]  # it is a generator
    assert list(team.map(square, range(4))) == [0, 1, 4, 9]
    team.close()


def test_a_task_is_not_late_because_everything_was_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes_module, "STOPPED_SECONDS", -1.0)
    with pool(2) as two:
        assert list(two.map(slow, [0.5], seconds=0.01)) == [0.5]


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(StammtischError, match=r"pip install .*\[cluster\]"), pool(on_ray=True):
        pass
