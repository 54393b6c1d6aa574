"""The rules, compiled, and positions as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from stammtisch.core import fields
from stammtisch.core.compiling import compiled
from stammtisch.core.errors import BadMove
from stammtisch.core.game import Game, GameSpec, Json
from stammtisch.core.kernel import OVER, Actions, Kernel, Record, Vector
from stammtisch.core.rng import Rng

from . import INFO

MOST = 3
STATE = np.dtype([("stones", np.int64), ("first", np.int64), ("turn", np.int64)])


@compiled
def new_game(state: Record, rng: Rng) -> None:
    state.stones = state.first


@compiled
def player(state: Record) -> int:
    return state.turn if state.stones else OVER


@compiled
def legal_actions(state: Record, out: Actions) -> int:
    n = min(MOST, state.stones)
    for i in range(n):
        out[i] = i
    return n


@compiled
def apply(state: Record, action: int, rng: Rng) -> None:
    state.stones -= action + 1
    state.turn = 1 - state.turn


@compiled
def scores(state: Record, out: Vector) -> None:
    for seat in range(2):
        out[seat] = 0.5
        if state.stones == 0:
            out[seat] = 0.0 if seat == state.turn else 1.0


@compiled
def observe(state: Record, seat: int, out: NDArray[np.float32]) -> None:
    out[0] = state.stones / state.first


class Nim(Game):
    info = INFO
    kernel = Kernel(
        state=STATE,
        new_game=new_game,
        player=player,
        legal_actions=legal_actions,
        apply=apply,
        scores=scores,
        observe=observe,
    )
    position_keys: ClassVar[tuple[str, ...]] = ("stones", "next")

    def write_options(self, record: Record) -> None:
        record.first = self.options["stones"]

    def describe(self) -> GameSpec:
        return GameSpec(
            seats=2,
            sides=((0,), (1,)),
            hidden=False,
            chance=False,
            score_range=(0.0, 1.0),
            score_sum=1.0,
            observation_shape=(1,),
            observation_range=(0.0, 1.0),
            max_actions=MOST,
            numbers=MOST,
        )

    def encode(self, position: Mapping[str, Any], record: Record) -> None:
        record.stones = fields.integer(position, "stones", 0, int(record.first))
        record.turn = fields.integer(position, "next", 0, 1)

    def decode(self, record: Record) -> Json:
        return {"phase": "play" if record.stones else "over", "stones": int(record.stones), "next": int(record.turn)}

    def parse(self, text: str) -> int:
        if text not in ("1", "2", "3"):
            raise BadMove(f"{text!r} is no number of stones from 1 to {MOST}")
        return int(text) - 1

    def format(self, action: int) -> str:
        if not 0 <= action < MOST:
            raise BadMove(f"{action} is no action of Nim")
        return str(action + 1)

    def draw(self, position: Json) -> str:
        return "o " * int(position["stones"])
