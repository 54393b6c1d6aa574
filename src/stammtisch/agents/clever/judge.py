"""What every action leads to: all that follows without dice is tried, then the value network judges.

Bonuses, their chains and the +1 actions at the end of a turn involve no chance. So an action is worth the best that can
be reached from it before dice fall; only there the network is asked.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stammtisch.agents.clever.net import Desk, Net, new_desk, points_to_come
from stammtisch.agents.clever.sight import BEFORE_BLACK, EARLY, MOMENTS, ROLL_1, TRAY_1, look
from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import Actions, Kernel, Record, Records, Vector
from stammtisch.games.clever.rules import (
    ACTIVE,
    ACTIVE_EXTRA,
    END,
    MOST_ACTIONS,
    PASSIVE,
    PASSIVE_EXTRA,
    POOL,
    ROLL_AGAIN,
    ROLLS,
    ROUNDS,
    TRAY,
    dice_on,
    legal_actions,
    place,
)
from stammtisch.games.clever.sheet import total_points

DEEPEST = 40  # bonuses and +1 actions in a row: fewer than there are on a sheet
LAST_WINDOW = 3  # after the last roll points are counted, not judged: more +1 actions can be tried
NO_DICE, OVER = -1, -2  # what follows an action, where it is not a moment of ``sight.py``


class Bench(NamedTuple):
    """Room for positions that are tried out, one per depth, with their actions."""

    states: Records
    actions: NDArray[np.int64]
    counts: NDArray[np.int64]  # of the actions
    tried: NDArray[np.int64]  # how many of them have been
    windows: NDArray[np.int64]  # how many +1 actions may still be tried
    desk: Desk


def new_bench(kernel: Kernel, net: Net) -> Bench:
    actions = np.empty((DEEPEST, MOST_ACTIONS), dtype=np.int64)
    counts, tried, windows = np.zeros((3, DEEPEST), dtype=np.int64)
    return Bench(kernel.blank(DEEPEST), actions, counts, tried, windows, new_desk(net))


@compiled
def judge(state: Record, seat: int, turn: int, moment: int, net: Net, desk: Desk) -> float:
    """The final points of the seat to expect when these dice fall next."""
    points = look(state, seat, turn, moment, desk.answers)
    return points + points_to_come(net, desk, (turn - 1) * MOMENTS + moment)


@compiled
def is_last(state: Record) -> bool:
    """Whether the active turn ends with the choice just made."""
    return state.roll == ROLLS or dice_on(state, POOL) == 0


@compiled
def ends_thesis(state: Record) -> bool:
    """Whether the game of the thesis is over with the choice just made; open bonuses are not used then."""
    return state.thesis and state.phase == ACTIVE and state.roll and state.round_number == ROUNDS[1] and is_last(state)


@compiled
def turn_end(state: Record, seat: int) -> tuple[int, int]:
    """The moment at which dice fall next for a seat whose turn ends, or ``OVER``; and its turn (``sight.look``)."""
    players, round_number, last = int(state.players), int(state.round_number), int(ROUNDS[state.players])
    order, now = (seat - int(state.starter)) % players, (int(state.active) - int(state.starter)) % players
    if players == 1:
        if state.phase == ACTIVE or state.phase == ACTIVE_EXTRA:
            return TRAY_1, round_number
        if round_number == last:
            return OVER, 0
        return (BEFORE_BLACK if round_number == 3 else ROLL_1), round_number + 1
    if now == players - 1 and round_number == last:
        return OVER, 0
    if now < order:  # the own active turn of this round is still to come
        done, passive = round_number - 1, order - now - 1
    else:
        done, passive = round_number, players - 1 - now + (order if round_number < last else 0)
    return _next_moment(done, passive, round_number)


@compiled
def _next_moment(done: int, passive: int, round_number: int) -> tuple[int, int]:
    """By the active turns that are done and the passive ones before the next."""
    if passive == 0:
        return (BEFORE_BLACK if done == 3 and round_number == 3 else ROLL_1), done + 1
    if done == 0:
        return EARLY, passive
    return TRAY_1 + passive - 1, done


@compiled
def turn_end_worth(state: Record, seat: int, net: Net, desk: Desk) -> float:
    moment, turn = turn_end(state, seat)
    if moment == OVER:
        return float(total_points(state, seat))
    return judge(state, seat, turn, moment, net, desk)


@compiled
def round_start(state: Record, seat: int) -> tuple[int, int]:
    """The moment at which dice fall first for a seat in a round that has just begun, and its turn."""
    return _next_moment(
        int(state.round_number) - 1, (seat - int(state.starter)) % int(state.players), int(state.round_number)
    )


@compiled
def worth(bench: Bench, window: int, net: Net) -> float:
    """The best that can follow in ``bench.states[0]``, where an action was just placed.

    ``window`` is the number of +1 actions that are tried. All ways are walked with an own stack: a compiled function
    that calls itself crashes when its caller is loaded from the cache on disk.
    """
    at = 0
    bench.windows[0] = window
    best = reach(bench, 0, net)
    while at >= 0:
        if bench.tried[at] == bench.counts[at]:
            at -= 1
            continue
        action = bench.actions[at, bench.tried[at]]
        bench.tried[at] += 1
        if action != END:
            state = bench.states[at]
            bench.windows[at + 1] = bench.windows[at] - (0 if state.open[state.turn] else 1)
            at += 1
            bench.states[at] = state
            place(bench.states[at], action)
            best = max(best, reach(bench, at, net))
    return best


@compiled
def reach(bench: Bench, at: int, net: Net) -> float:
    """Come to ``bench.states[at]``: list what can be done there without dice; what it is worth to do none of it."""
    state = bench.states[at]
    seat = int(state.turn)
    bench.tried[at] = bench.counts[at] = 0
    if ends_thesis(state):
        return float(total_points(state, seat))
    value = -np.inf
    if not state.open[seat]:
        if state.phase == ACTIVE and state.roll == 0:
            moment, turn = round_start(state, seat)
            return judge(state, seat, turn, moment, net, bench.desk)
        if state.phase == ACTIVE and not is_last(state):
            return judge(state, seat, int(state.round_number), ROLL_1 + int(state.roll), net, bench.desk)
        if state.phase == ACTIVE or state.phase == PASSIVE:
            open_window(state)
        value = turn_end_worth(state, seat, net, bench.desk)
        if state.extras[seat] == 0 or bench.windows[at] == 0:
            return value
    if at + 1 < DEEPEST:
        bench.counts[at] = legal_actions(state, bench.actions[at])
    return value


@compiled
def open_window(state: Record) -> None:
    """Go on to the +1 window of the turn."""
    for die in range(6):
        if state.places[die] == POOL:
            state.places[die] = TRAY
    state.phase = ACTIVE_EXTRA if state.phase == ACTIVE else PASSIVE_EXTRA
    state.extra_used = 0


@compiled
def action_worth(bench: Bench, state: Record, action: int, window: int, net: Net) -> float:
    """The final points to expect after this action."""
    seat = int(state.turn)
    first = bench.states[0]
    bench.states[0] = state
    place(first, action)
    if action == ROLL_AGAIN:
        return judge(first, seat, int(first.round_number), ROLL_1 + int(first.roll) - 1, net, bench.desk)
    if action == END:
        return turn_end_worth(first, seat, net, bench.desk)
    if turn_end(state, seat)[0] == OVER:
        window = max(window, LAST_WINDOW)
    return worth(bench, window, net)


@compiled
def judge_all(bench: Bench, state: Record, actions: Actions, n: int, window: int, net: Net, out: Vector) -> int:
    """Write what every action is worth; the place of the best."""
    best = 0
    for i in range(n):
        out[i] = action_worth(bench, state, actions[i], window, net)
        if out[i] > out[best]:
            best = i
    return best


@compiled
def reached(state: Record, action: int) -> tuple[int, int]:
    """The moment that follows in ``state``, where the action was just placed, or ``NO_DICE`` or ``OVER``; the turn."""
    seat = int(state.turn)
    if action == ROLL_AGAIN:
        return ROLL_1 + int(state.roll) - 1, int(state.round_number)
    if ends_thesis(state):
        return OVER, 0
    if state.open[seat]:
        return NO_DICE, 0
    if state.phase == ACTIVE and state.roll == 0:
        return round_start(state, seat)
    if state.phase == ACTIVE and not is_last(state):
        return ROLL_1 + int(state.roll), int(state.round_number)
    if action == END or state.extras[seat] == 0:
        return turn_end(state, seat)
    return NO_DICE, 0
