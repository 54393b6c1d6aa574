"""Sequential halving with made-up results: who is tried how often, when it ends, who is chosen."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from stammtisch.core.kernel import Actions
from stammtisch.search import halving
from stammtisch.search.clock import StopFlag
from stammtisch.search.halving import CLEARLY, HARDLY, LEAST_VISITS, LOOKS, PRIOR, Halving, Prior, compare
from stammtisch.search.tree import Result


def scattered(action: int, sample: int) -> float:
    """More and less in turn, for every action a little more than for the one before."""
    return (1.0 - 2.0 * (sample % 2)) * (1.0 + 0.2 * action)


def common(action: int, sample: int) -> float:
    """The same for all actions."""
    return scattered(0, sample)


@dataclass
class Trial:
    """A search that makes its results up: each is the worth of the action and a stray number."""

    worths: list[float]
    favourite: int = -1
    stray: Callable[[int, int], float] = scattered  # by action and sample
    asked: list[tuple[list[int], int]] = field(default_factory=list)  # who was alive, how many iterations

    def __post_init__(self) -> None:
        self.root = Halving(range(len(self.worths)), self.favourite)

    def run(self, iterations: int | None, ms: float | None = None) -> Result:
        return self.root.run(self.search, iterations, ms)

    def search(self, alive: Actions, n: int, stop: StopFlag) -> int:
        if n:
            self.asked.append((alive.tolist(), n))
        rounds = math.ceil(n / len(alive))
        for _ in range(rounds):
            results = [self.worths[i] + self.stray(i, int(self.root.visits[i])) for i in alive.tolist()]
            compare(self.root.totals, self.root.visits, self.root.products, alive, np.array(results))
        return rounds * len(alive)


def known(means: list[float], visits: list[int], favourite: int) -> Halving:
    """A root at which the actions have been tried so often, with these mean results."""
    root = Halving(range(len(means)), favourite)
    root.visits[:] = visits
    root.totals[:] = np.array(means) * visits
    root.products[:] = np.diag(np.array(means) ** 2 * visits)
    return root


def test_equal_results_keep_the_favourite() -> None:
    assert Trial([5.0] * 4, favourite=2, stray=lambda action, sample: 0.0).run(400).action == 2


# --- stages --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("actions", "sizes"),
    [
        (2, [2]),
        (3, [3, 2]),
        (4, [4, 2]),
        (5, [5, 3, 2]),
        (8, [8, 4, 2]),
        (9, [9, 5, 3, 2]),
        (27, [27, 14, 7, 4, 2]),
    ],
)
def test_each_stage_keeps_the_better_half_until_two_are_left(
    monkeypatch: pytest.MonkeyPatch, actions: int, sizes: list[int]
) -> None:
    monkeypatch.setattr(halving, "HARDLY", 0.0)
    trial = Trial([0.001 * action for action in range(actions)])
    found = trial.run(2 * LOOKS * len(sizes) * math.lcm(*sizes))
    assert [len(alive) for alive, _ in trial.asked] == [size for size in sizes for _ in range(LOOKS)]
    assert all(alive == list(range(actions))[-len(alive) :] for alive, _ in trial.asked)
    assert found.action == actions - 1


def test_what_is_clearly_worse_is_dropped_before_the_stage_ends() -> None:
    trial = Trial([0.0, -9.0, 0.0, 0.0])
    found = trial.run(1600)
    assert [alive for alive, _ in trial.asked[:2]] == [[0, 1, 2, 3], [0, 2, 3]]
    assert found.visits[1] == 50  # a quarter of the first of eight looks
    assert found.means[1] == -9.0


def test_what_may_have_had_bad_luck_is_not_dropped() -> None:
    """After 20 tries, three standard errors are more than the distance, after 40 less."""
    trial = Trial([0.0, -0.1])
    trial.run(2 * LOOKS * 20)
    assert [alive for alive, _ in trial.asked] == [[0, 1]] * 2
    assert CLEARLY * trial.root.errors(0, np.array([1]))[0] == pytest.approx(0.6 / math.sqrt(40))


def test_the_last_two_are_compared_until_the_end() -> None:
    trial = Trial([0.0, -9.0, 0.0, -9.0, -9.0, -9.0])
    assert trial.run(2880).iterations == 2880
    assert [alive for alive, _ in trial.asked] == [[0, 1, 2, 3, 4, 5], *[[0, 2]] * (3 * LOOKS - 1)]


def test_a_search_with_one_action_left_ends_early() -> None:
    trial = Trial([0.0, 9.0, 0.0])
    found = trial.run(2400)
    assert len(trial.asked) == 1
    assert (found.action, found.iterations, found.visits) == (1, 300, [100, 100, 100])


def test_a_single_action_is_looked_at_once() -> None:
    trial = Trial([3.0])
    found = trial.run(100)
    assert (found.action, found.visits, found.iterations) == (0, [25], 25)


def test_results_that_are_all_the_same_leave_nothing_to_think_about() -> None:
    trial = Trial([5.0] * 4, stray=lambda action, sample: 0.0)
    assert trial.run(400).action == 0
    assert len(trial.asked) == 2  # twelve tries of each say nothing yet, twenty-five do


def test_common_luck_shows_small_differences_at_once() -> None:
    alone, together = Trial([0.0, 0.04]), Trial([0.0, 0.04], stray=common)
    assert (alone.run(400).iterations, together.run(400).iterations) == (400, 100)
    assert together.run(400).action == 1


def test_what_can_hardly_be_better_is_not_compared_to_the_end() -> None:
    near = 0.5 * HARDLY * Trial([0.0]).root.spread()
    trial = Trial([0.0, near], stray=common, favourite=0)
    assert trial.run(400).iterations == 100


def test_a_few_tries_make_nothing_clear() -> None:
    trial = Trial([0.0, 9.0], stray=common)
    trial.run(2 * LOOKS * (LEAST_VISITS - 1))
    assert [n for _, n in trial.asked[:2]] == [2 * (LEAST_VISITS - 1)] * 2


# --- limits --------------------------------------------------------------------------------------------------------


@given(some.integers(1, 40), some.integers(1, 5000))
def test_iterations_are_a_limit_but_for_one_round_of_all_in_each_stage(actions: int, iterations: int) -> None:
    trial = Trial([0.0] * actions)
    found = trial.run(iterations)
    stages = max(1, math.ceil(math.log2(actions)))
    assert found.iterations == sum(found.visits) == sum(n for _, n in trial.asked)
    if iterations >= stages * actions:
        assert found.iterations <= iterations
    else:
        assert len(trial.asked) <= stages
    assert all(n % len(alive) == 0 for alive, n in trial.asked)
    assert min(found.visits) >= 1


class Clock:
    """A clock that goes on while a search thinks: so many times as long as it may."""

    def __init__(self, patch: pytest.MonkeyPatch, pace: list[float]) -> None:
        self.now, self.pace = 0.0, pace
        self.allowed: list[float] = []
        patch.setattr(halving, "time", SimpleNamespace(perf_counter=lambda: self.now))
        patch.setattr(halving, "run_timed", self.run_timed)

    def run_timed(self, search: Callable[[int, StopFlag], int], iterations: int | None, ms: float) -> int:
        self.now += ms * self.pace[len(self.allowed) % len(self.pace)] / 1000
        self.allowed.append(ms)
        return search(12 if iterations is None else iterations, np.zeros(1, dtype=np.int64))


def test_every_look_gets_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch, [1.0])
    Trial([0.0] * 4).run(None, ms=800)
    assert clock.allowed == pytest.approx([100.0] * 2 * LOOKS)


@pytest.mark.parametrize("pace", [[0.5], [1.2], [3.0, 0.1], [20.0]], ids=str)
def test_who_takes_too_long_has_less_time_later(monkeypatch: pytest.MonkeyPatch, pace: list[float]) -> None:
    clock = Clock(monkeypatch, pace)
    Trial([0.0] * 4).run(None, ms=800)
    late = 0.0  # behind the plan
    for ms, factor in zip(clock.allowed, pace * 2 * LOOKS, strict=False):
        assert ms == pytest.approx(max(0.0, 100.0 - late), abs=1e-6)
        late += ms * factor - 100.0


def test_loading_the_code_takes_no_time_from_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch, [1.0])
    trial = Trial([0.0] * 2)

    def load(alive: Actions, n: int, stop: StopFlag) -> int:
        clock.now += 5.0 if n == 0 else 0.0
        return trial.search(alive, n, stop)

    trial.root.run(load, None, 400)
    assert clock.allowed == pytest.approx([100.0] * LOOKS)


def test_both_limits_hold_together(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch, [1.0])
    assert Trial([0.0] * 2).run(400, ms=800).iterations == 400
    assert clock.allowed == pytest.approx([200.0] * LOOKS)


def test_a_search_needs_a_limit() -> None:
    with pytest.raises(ValueError, match="a search needs a limit: iterations or ms"):
        Trial([0.0, 0.0]).run(None)


# --- the favourite -------------------------------------------------------------------------------------------------


def test_a_lucky_streak_does_not_beat_the_favourite_but_many_results_do() -> None:
    assert Trial([0.0, 0.1], favourite=0).run(40).action == 0
    assert Trial([0.0, 0.1], favourite=0).run(4000).action == 1
    assert Trial([0.0, 0.1]).run(40).action == 1


def test_a_favourite_that_is_trusted_more_is_given_up_later() -> None:
    for visits, expected in ((40.0, 1), (4000.0, 0)):
        trial = Trial([0.0, 0.3], favourite=0)
        trial.root = Halving(range(2), 0, Prior(visits, 0.5))
        assert trial.run(4000).action == expected


def test_between_equals_the_favourite_is_chosen() -> None:
    assert [Trial([0.0] * 4, favourite=favourite).run(400).action for favourite in range(4)] == [0, 1, 2, 3]


def test_a_prior_draws_all_others_to_a_little_less_than_the_favourite() -> None:
    root = known([10.0, 0.0, 30.0], [5, 0, int(PRIOR.visits)], favourite=0)
    prior = 10.0 - root.spread() * PRIOR.loss
    assert root.worths() == pytest.approx([10.0, prior, (30.0 + prior) / 2])


@pytest.mark.parametrize(("favourite", "visits"), [(7, [5, 2, 1]), (0, [0, 2, 1])], ids=["unknown", "not tried"])
def test_without_a_favourite_the_mean_counts(favourite: int, visits: list[int]) -> None:
    root = known([0.0, 4.0, 6.0], visits, favourite=favourite)
    assert root.worths() == pytest.approx([0.0, 4.0, 6.0])


@given(some.lists(some.tuples(*[some.floats(-9, 9)] * 3), min_size=1, max_size=30))
def test_errors_are_those_of_the_mean_difference_in_the_same_sample(results: list[tuple[float, float, float]]) -> None:
    root, table = Halving(range(3), favourite=0), np.array(results)
    for row in table:
        compare(root.totals, root.visits, root.products, np.arange(3), row)
    expected = [(table[:, 0] - table[:, i]).std() / math.sqrt(len(table)) for i in range(3)]
    assert root.errors(0, np.arange(3)) == pytest.approx(expected, abs=1e-6)
    assert root.spread() == pytest.approx(table.std(), abs=1e-6)


# --- the result ----------------------------------------------------------------------------------------------------


def test_actions_are_given_back_in_ascending_order() -> None:
    root = Halving([30, 10, 20], favourite=20)
    trial = Trial([0.0, 0.0, 9.0])
    trial.root = root
    found = root.run(trial.search, 300, None)
    assert (found.actions, found.action, root.favourite) == ([10, 20, 30], 30, 1)


def test_an_action_that_was_never_tried_has_no_mean() -> None:
    root = Halving([1, 2], favourite=1)

    def only_the_first(alive: Actions, n: int, stop: StopFlag) -> int:
        root.totals[0] += n
        root.visits[0] += n
        root.products[0, 0] += n
        return n

    found = root.run(only_the_first, 2, None)
    assert found.visits == [2, 0]
    assert found.means[0] == 1.0 and math.isnan(found.means[1])


def test_the_same_results_give_the_same_choice() -> None:
    def luck(seed: int) -> Result:
        rng = np.random.default_rng(seed)
        return Trial([0.0] * 9, favourite=3, stray=lambda action, sample: float(rng.normal())).run(3000)

    assert repr(luck(1)) == repr(luck(1))
    assert repr(luck(1)) != repr(luck(2))


def test_what_is_dropped_shows_what_it_lacked() -> None:
    """Luck that only the first samples had must not make a dropped action look better than the best."""

    def lucky_start(action: int, sample: int) -> float:
        chance = np.random.default_rng([action, sample]).normal()
        return float(chance) + max(0.0, 10.0 - sample / 4)

    trial = Trial([1.0, 0.97, 0.5, 0.2], stray=lucky_start)
    found = trial.run(4000)
    assert found.visits[0] > found.visits[3]
    assert trial.root.totals[3] / trial.root.visits[3] > trial.root.totals[0] / trial.root.visits[0]
    assert found.means[0] - found.means[3] == pytest.approx(0.8, abs=0.3)
