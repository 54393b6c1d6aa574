"""What the network of Tichu sees: nothing hidden, the same by all ways, and exact where the round ends."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from stammtisch.agents.tichu.net import (
    OUTPUTS,
    POINTS,
    UNITS,
    Net,
    begin,
    mind_with,
    new_net,
    note,
    options,
    worth_of,
)
from stammtisch.agents.tichu.sight import BUCKETS, ROWS, SLOTS, VIEW, ends_round, foresee, look, result_of
from stammtisch.core.game import State
from stammtisch.core.kernel import determinize
from stammtisch.core.rng import below, stream
from stammtisch.games.tichu.game import Tichu
from stammtisch.games.tichu.policy import decide
from stammtisch.games.tichu.rules import MOST_ACTIONS, PLAY, SPECIAL

GAME = Tichu(rounds=1, merged=True)


def positions(rounds: int, seed: int = 5) -> Iterator[State]:
    """Positions of rounds in which rules of thumb and chance take turns."""
    rng = stream(seed)
    buffer = np.empty(MOST_ACTIONS, dtype=np.int64)
    for number in range(rounds):
        state = GAME.new(number)
        while not state.over:
            yield state
            if below(rng, 4):
                state.apply(int(decide(state.record, buffer, rng)))
            else:
                actions = state.actions()
                state.apply(actions[below(rng, len(actions))])


def lively(seed: int) -> Net:
    """A network in which every weight counts."""
    rng = np.random.default_rng(seed)
    return Net(
        rows=(rng.standard_normal((ROWS, UNITS)) * 0.08).astype(np.float32),
        last=(rng.standard_normal((BUCKETS, OUTPUTS, UNITS)) * 0.1).astype(np.float32),
        last_bias=rng.standard_normal((BUCKETS, OUTPUTS)).astype(np.float32),
    )


def seen(mind: np.ndarray, state: State, seat: int, action: int) -> list[int]:
    answers = np.empty(SLOTS, dtype=np.int16)
    stage = int(note(mind[0], state.record, seat, action, answers))
    return [stage, *sorted(int(answer) for answer in answers if answer >= 0)]


def test_what_a_seat_cannot_know_changes_nothing() -> None:
    mind, rng = mind_with(new_net(1)), stream(3)
    buffer = np.empty(MOST_ACTIONS, dtype=np.int64)
    looks = 0
    for state in positions(12):
        seat = int(state.player or 0)
        n = int(options(state.record, seat, buffer))
        other = state.copy()
        determinize(other.record, seat, rng)
        for action in [-1, *(int(action) for action in buffer[: min(n, 6)])]:
            assert seen(mind, state, seat, action) == seen(mind, other, seat, action)
            looks += 1
        watcher = (seat + 1) & 3
        hidden = state.copy()
        determinize(hidden.record, watcher, rng)
        assert seen(mind, state, watcher, -1) == seen(mind, hidden, watcher, -1)
    assert looks > 2000


def test_what_is_foreseen_is_what_is_seen_then() -> None:
    """After a play that nobody can bomb, nothing else happens before the next seat acts."""
    compared = 0
    before, after = np.zeros(1, dtype=VIEW), np.zeros(1, dtype=VIEW)
    for state in positions(30, seed=8):
        seat = int(state.player or 0)
        if state.record.phase != PLAY:
            continue
        for action in state.actions():
            then = state.copy()
            then.apply(action)
            if (
                then.over
                or then.record.phase != PLAY
                or (then.record.kind == 0 and action < SPECIAL and not _dog(action))
            ):
                continue  # the round or the trick is over, or somebody is asked for more
            look(state.record, seat, before[0])
            foresee(state.record, seat, action, before[0])
            look(then.record, seat, after[0])
            assert before.tobytes() == after.tobytes(), (state.to_json(), action)
            compared += 1
    assert compared > 3000


def _dog(action: int) -> bool:
    return action & ((1 << 56) - 1) == 1


def test_the_end_of_a_round_is_counted_exactly() -> None:
    view = np.zeros(1, dtype=VIEW)
    ends = 0
    for state in positions(150, seed=21):
        seat = int(state.player or 0)
        for action in state.actions():
            if action >= SPECIAL or state.record.phase > PLAY + 1:
                continue
            look(state.record, seat, view[0])
            foresee(state.record, seat, action, view[0])
            if not ends_round(state.record, seat, action, view[0]):
                continue
            points = []
            then = state.copy()
            then.apply(action)
            for way in then.actions() or [-1]:  # a dragon may be left to give away
                end = then.copy()
                if way >= 0:
                    end.apply(way)
                assert end.over
                points.append(own_lead(end, seat))
            assert max(points) == int(result_of(state.record, seat, action, view[0]))
            ends += 1
    assert ends > 150


def own_lead(state: State, seat: int) -> int:
    """The points of a finished round without the calls."""
    record = state.record
    lead = int(record.score[seat & 1] - record.score[(seat & 1) ^ 1])
    for other in range(4):
        bet = 100 * int(record.announced[other])
        won = other == record.finished[0]
        lead -= (bet if won else -bet) * (1 if (other - seat) & 1 == 0 else -1)
    return lead


def test_a_value_does_not_depend_on_the_way_it_is_worked_out() -> None:
    net = lively(4)
    mind = mind_with(net)
    chance = np.empty((3, 16))
    buffer = np.empty(MOST_ACTIONS, dtype=np.int64)
    compared = 0
    for state in positions(6, seed=2):
        seat = int(state.player or 0)
        if state.record.announced.any():
            continue  # then the calls count as well
        n = int(options(state.record, seat, buffer))
        begin(mind[0], state.record, seat, chance)
        for action in buffer[: min(n, 12)].tolist():
            begin(mind[0], state.record, seat, chance)
            fast = float(worth_of(mind[0], state.record, seat, action, chance))
            if ends_round(state.record, seat, action, mind["after"][0]) or (mind["after"]["calls"][0] % 3).any():
                continue
            stage, *answers = seen(mind, state, seat, action)
            units = np.clip(np.rint(net.rows * 181)[answers].sum(axis=0) / 181, 0.0, 1.0) ** 2
            plain = POINTS * (net.last_bias[stage, 0] + float(units @ net.last[stage, 0].astype(np.float64)))
            assert fast == pytest.approx(plain, abs=2.0)  # whole numbers in the last layer
            compared += 1
    assert compared > 300
