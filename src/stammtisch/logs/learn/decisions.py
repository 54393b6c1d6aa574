"""Every decision of replayed rounds as one row for learners: what the seat saw, what it chose, how it ended.

A row holds the 375 inputs of ``games/tichu/features.observe``: those that are 0 or 1 as packed bits, the seven numbers
(points in the trick, points of the four seats, score of the two teams) as they are, so that clipping and scaling can
be chosen when the rows are read. All five decisions share these inputs; the shorter ones of the second document
follow from them (``inputs.py``).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import Record
from stammtisch.core.rng import Rng, stream
from stammtisch.games.tichu.combinations import BOMB, PASS, TYPE_OF, kind_of
from stammtisch.games.tichu.features import (
    BLOCKS,
    DRAGON_LABELS,
    INPUTS,
    LABELS,
    SCHUPF_LABELS,
    WISH_LABELS,
    Inputs,
    observe,
    write_dragon_labels,
    write_gift_labels,
    write_play_labels,
    write_wish_labels,
)
from stammtisch.games.tichu.kernel import KERNEL
from stammtisch.games.tichu.rules import (
    ANNOUNCE,
    BOMB_PHASE,
    CALL_GRAND,
    CALL_TICHU,
    DRAGON_PHASE,
    ENDED,
    GIVE_DRAGON,
    GRAND,
    MOST_ACTIONS,
    SCHUPF,
    SCHUPF_CARDS,
    SEATS,
    SPECIAL,
    WISH,
    WISH_NONE,
    apply,
    legal_actions,
    may_announce,
    player,
)
from stammtisch.logs.moves import Rounds, deal

DECISIONS = ("announce", "schupf", "play", "wish", "dragon")
ANNOUNCE_ROW, SCHUPF_ROW, PLAY_ROW, WISH_ROW, DRAGON_ROW = range(5)
LABEL_COUNTS = {
    "announce": 1,
    "schupf": SCHUPF_LABELS,
    "play": LABELS,
    "wish": WISH_LABELS,
    "dragon": DRAGON_LABELS,
}
CLASSES = {  # what balancing keeps even; the stage of a call and whether it was made, the type of a play, ...
    "announce": (
        "no grand tichu",
        "grand tichu",
        "no tichu before schupfing",
        "tichu before schupfing",
        "no tichu on turn",
        "tichu on turn",
    ),
    "schupf": ("schupf",),
    "play": (
        "free pass",
        "single",
        "pair",
        "triple",
        "stair",
        "fullhouse",
        "street",
        "bomb",
        "forced pass",
        "forced play",
    ),
    "wish": ("no wish", *(f"wish {value}" for value in range(2, 15))),
    "dragon": ("right", "left"),
}
FORCED_PASS, FORCED_PLAY = 8, 9
NUMBERS = ("trick_points", "points_own", "points_right", "points_partner", "points_left", "score_own", "score_other")


def _number_columns() -> list[int]:
    at = 0
    found: list[int] = []
    for name, size in BLOCKS.items():
        if name in ("trick_points", "points", "game_score"):
            found += range(at, at + size)
        at += size
    return found


NUMBER_COLUMNS = np.array(_number_columns())  # where the numbers stand among the 375 inputs
BIT_COLUMNS = np.array([column for column in range(INPUTS) if column not in set(_number_columns())])
BIT_BYTES = -(-len(BIT_COLUMNS) // 8)
LABEL_BYTES = -(-max(LABEL_COUNTS.values()) // 8)

ROW = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("inputs", np.uint8, (BIT_BYTES,)),
                ("labels", np.uint8, (LABEL_BYTES,)),
                ("numbers", np.int16, (len(NUMBERS),)),
                ("rtg", np.int16),  # return-to-go in points, of the seat's team minus the other
                ("value", np.int16),  # the same of the whole round: the value target
                ("step", np.int16),  # which decision of the round it is, all seats and kinds together
                ("round", np.int32),  # which of the deals
                ("seat", np.int8),
                ("decision", np.int8),
                ("kind", np.int8),  # in CLASSES
            ],
            align=True,
        ),
    )
)
"""A decision."""

MOST_DECISIONS = 512  # of a round: up to 56 plays with three passes after each, a call to think of before all, the rest


def decisions(rounds: Rounds) -> Any:
    """All decisions as ROW, a seat's decisions of one kind in one round together and in order."""
    parts = []
    out = np.zeros(MOST_DECISIONS * min(len(rounds), 500), dtype=ROW)
    state, inputs, actions = KERNEL.blank(), np.zeros(INPUTS, np.float32), np.zeros(MOST_ACTIONS, np.int64)
    labels = np.zeros(8 * LABEL_BYTES, np.float32)
    rng = stream(0)  # one round has no chance after its deal
    done = 0
    while done < len(rounds):
        done, n = _decide(
            state[0], rounds.deals, rounds.actions, rounds.human, done, out, inputs, labels, actions, BIT_COLUMNS, rng
        )
        parts.append(out[:n].copy())
    rows = np.concatenate(parts) if parts else out[:0]
    return rows[np.lexsort((rows["step"], rows["seat"], rows["round"]))]


@compiled
def _decide(
    state: Record,
    deals: Any,
    actions: NDArray[np.int64],
    human: NDArray[np.bool_],
    first: int,
    out: Any,
    inputs: Inputs,
    labels: Inputs,
    legal: NDArray[np.int64],
    columns: NDArray[np.int64],
    rng: Rng,
) -> tuple[int, int]:
    """Fill ``out`` with the decisions of as many deals as surely fit; the next deal and the number of rows."""
    n, number = 0, first
    while number < len(deals) and n + MOST_DECISIONS <= len(out):
        one = deals[number]
        deal(state, one)
        step = 0
        for i in range(one.first_action, one.first_action + one.actions):
            action = actions[i]
            if state.phase == ENDED:
                break
            seat = int(player(state)) if action < ANNOUNCE or action >= SCHUPF_CARDS else action - ANNOUNCE
            wanted = one.seats >> seat & 1 == 1
            call = action == CALL_TICHU or ANNOUNCE <= action < SCHUPF_CARDS
            if human[i] and (call or (_own_turn(state) and may_announce(state, seat))):
                if wanted:
                    stage = 1 if state.phase == SCHUPF else 2
                    _row(state, one, number, seat, step, ANNOUNCE_ROW, 2 * stage + call, inputs, columns, out[n])
                    out[n].labels[0] = call
                    n += 1
                step += 1
            if human[i] and not call:
                if wanted:
                    decision, kind = _what(state, action, legal)
                    _row(state, one, number, seat, step, decision, kind, inputs, columns, out[n])
                    _label(action, decision, seat, labels, out[n])
                    n += 1
                step += 1
            apply(state, action, rng)
        number += 1
    return number, n


@compiled
def _own_turn(state: Record) -> bool:
    """Whether who acts now may think of calling a small tichu: before he schupfs, and on his turn."""
    return state.phase != GRAND and state.phase != BOMB_PHASE and state.phase != WISH and state.phase != DRAGON_PHASE


@compiled
def _what(state: Record, action: int, legal: NDArray[np.int64]) -> tuple[int, int]:
    """The kind of decision, and its class."""
    if action >= SCHUPF_CARDS:
        return SCHUPF_ROW, 0
    if action >= GIVE_DRAGON:
        return DRAGON_ROW, int((action - GIVE_DRAGON - state.turn) & 3 != 1)
    if action >= WISH_NONE:
        return WISH_ROW, max(0, action - WISH_NONE - 1)
    if action >= SPECIAL:
        return ANNOUNCE_ROW, int(action == CALL_GRAND)
    if state.phase != BOMB_PHASE and _forced(state, legal):
        return PLAY_ROW, FORCED_PASS if action == PASS else FORCED_PLAY
    return PLAY_ROW, TYPE_OF[min(kind_of(action), BOMB)]


@compiled
def _forced(state: Record, legal: NDArray[np.int64]) -> bool:
    """Whether there is nothing to decide: one legal play or pass."""
    n = legal_actions(state, legal)
    return n - may_announce(state, int(state.turn)) == 1


@compiled
def _row(
    state: Record,
    one: Record,
    number: int,
    seat: int,
    step: int,
    decision: int,
    kind: int,
    inputs: Inputs,
    columns: NDArray[np.int64],
    row: Record,
) -> None:
    observe(state, seat, inputs)
    for i in range(BIT_BYTES):
        byte = 0
        for bit in range(8):
            byte |= int(inputs[columns[8 * i + bit]] != 0.0) << bit
        row.inputs[i] = byte
    for i in range(LABEL_BYTES):
        row.labels[i] = 0
    row.numbers[0] = state.trick_points
    for i in range(SEATS):
        row.numbers[1 + i] = state.points[(seat + i) & 3]
    team = seat & 1
    row.numbers[5], row.numbers[6] = state.score[team], state.score[1 - team]
    row.value = one.score[team] - one.score[1 - team]
    row.rtg = return_to_go(state, seat, int(row.value), one.double_victory != 0)
    row.round, row.step, row.seat, row.decision, row.kind = number, step, seat, decision, kind


@compiled
def return_to_go(state: Record, seat: int, value: int, double_victory: bool) -> int:
    """Points that the seat's team still gains on the other from here to the end of the round.

    After a double victory the tricks do not count, so it is the whole difference at any time; otherwise the
    difference less what both teams have in their tricks already.
    """
    if double_victory:
        return value
    ahead = 0
    for i in range(SEATS):
        ahead += state.points[i] if (i ^ seat) & 1 == 0 else -state.points[i]
    return value - ahead


@compiled
def _label(action: int, decision: int, seat: int, labels: Inputs, row: Record) -> None:
    labels[:] = 0.0
    if decision == PLAY_ROW:
        write_play_labels(action, labels)
    elif decision == SCHUPF_ROW:
        for i in range(3):
            write_gift_labels(i, action >> (12 - 6 * i) & 63, labels)
    elif decision == WISH_ROW:
        write_wish_labels(action - WISH_NONE, labels)
    elif decision == DRAGON_ROW:
        write_dragon_labels(seat, action - GIVE_DRAGON, labels)
    else:
        labels[0] = action == CALL_GRAND
    for i in range(LABEL_BYTES):
        byte = 0
        for bit in range(8):
            byte |= int(labels[8 * i + bit] != 0.0) << bit
        row.labels[i] = byte
