"""One player, dice, points: the smallest solo game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from stammtisch.core import fields
from stammtisch.core.compiling import compiled
from stammtisch.core.game import Game, GameSpec, Json
from stammtisch.core.info import GameInfo
from stammtisch.core.kernel import OVER, Actions, Kernel, Record, Vector
from stammtisch.core.rng import Rng, below
from toys.numbers import format_number, parse_number

CLIMB_STATE = np.dtype([("height", np.int64), ("turns", np.int64)])
CLIMB_TURNS = 6
SAFE, DARING = 0, 1  # two steps, or a throw of the die of which a 1 leads back to the ground


@compiled
def climb_new_game(state: Record, rng: Rng) -> None:
    pass


@compiled
def climb_player(state: Record) -> int:
    return OVER if state.turns == CLIMB_TURNS else 0


@compiled
def climb_legal_actions(state: Record, out: Actions) -> int:
    if state.turns == CLIMB_TURNS:
        return 0
    out[0], out[1] = SAFE, DARING
    return 2


@compiled
def climb_apply(state: Record, action: int, rng: Rng) -> None:
    die = below(rng, 6) + 1  # thrown in any case: the same dice for every way to play
    if action == SAFE:
        state.height += 2
    else:
        state.height = 0 if die == 1 else state.height + die
    state.turns += 1


@compiled
def climb_scores(state: Record, out: Vector) -> None:
    out[0] = state.height


@compiled
def climb_observe(state: Record, seat: int, out: NDArray[np.float32]) -> None:
    out[0], out[1] = state.height / 36, state.turns / CLIMB_TURNS


class Climb(Game):
    info = GameInfo("climb", "Climb", "Two steps or a throw", (1, 1), "toys:Climb", chance=True)
    kernel = Kernel(
        state=CLIMB_STATE,
        new_game=climb_new_game,
        player=climb_player,
        legal_actions=climb_legal_actions,
        apply=climb_apply,
        scores=climb_scores,
        observe=climb_observe,
    )
    position_keys: ClassVar[tuple[str, ...]] = ("height", "turns")
    chance_keys: ClassVar[tuple[str, ...]] = ("height",)

    def describe(self) -> GameSpec:
        return GameSpec(
            seats=1,
            sides=((0,),),
            hidden=False,
            chance=True,
            score_range=(0.0, 36.0),
            score_sum=None,
            observation_shape=(2,),
            observation_range=(0.0, 1.0),
            max_actions=2,
            numbers=2,
        )

    def encode(self, position: Mapping[str, Any], record: Record) -> None:
        record.height = fields.integer(position, "height", 0, 36)
        record.turns = fields.integer(position, "turns", 0, CLIMB_TURNS)

    def decode(self, record: Record) -> Json:
        phase = "over" if record.turns == CLIMB_TURNS else "play"
        return {"phase": phase, "height": int(record.height), "turns": int(record.turns)}

    def parse(self, text: str) -> int:
        return parse_number(text, 2)

    def format(self, action: int) -> str:
        return format_number(action, 2)

    def draw(self, position: Json) -> str:
        return f"height {position['height']}, turn {position['turns']}"
