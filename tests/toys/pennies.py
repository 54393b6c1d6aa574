"""Two players, a choice that stays hidden until the other has guessed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stammtisch.core import fields
from stammtisch.core.compiling import compiled
from stammtisch.core.errors import BadPosition
from stammtisch.core.game import Game, GameSpec, Json
from stammtisch.core.info import GameInfo
from stammtisch.core.kernel import OVER, Actions, Kernel, Record, Vector
from stammtisch.core.rng import Rng, below
from toys.numbers import format_number, parse_number

PENNIES_STATE = np.dtype([("coin", np.int64), ("guess", np.int64)])  # 0 for not chosen yet, else side + 1


@compiled
def pennies_new_game(state: Record, rng: Rng) -> None:
    pass


@compiled
def pennies_player(state: Record) -> int:
    if state.coin == 0:
        return 0
    return 1 if state.guess == 0 else OVER


@compiled
def pennies_legal_actions(state: Record, out: Actions) -> int:
    if pennies_player(state) == OVER:
        return 0
    out[0], out[1] = 0, 1
    return 2


@compiled
def pennies_apply(state: Record, action: int, rng: Rng) -> None:
    if state.coin == 0:
        state.coin = action + 1
    else:
        state.guess = action + 1


@compiled
def pennies_scores(state: Record, out: Vector) -> None:
    """Seat 1 wins if it guessed right."""
    right = 0.5
    if state.guess != 0:
        right = 1.0 if state.guess == state.coin else 0.0
    out[0], out[1] = 1.0 - right, right


@compiled
def pennies_observe(state: Record, seat: int, out: NDArray[np.float32]) -> None:
    out[0] = state.coin if seat == 0 or state.guess != 0 else 0.0


@compiled
def pennies_determinize(state: Record, seat: int, rng: Rng) -> None:
    if seat == 1 and state.coin != 0 and state.guess == 0:
        state.coin = below(rng, 2) + 1


@compiled
def pennies_conceals(state: Record, seat: int) -> bool:
    return seat == 1 and state.coin == 0


PENNIES_FUNCTIONS: dict[str, Any] = {
    "new_game": pennies_new_game,
    "player": pennies_player,
    "legal_actions": pennies_legal_actions,
    "apply": pennies_apply,
    "scores": pennies_scores,
    "observe": pennies_observe,
    "determinize": pennies_determinize,
    "conceals": pennies_conceals,
}


class Pennies(Game):
    info = GameInfo("pennies", "Pennies", "Hide a coin, guess its side", (2, 2), "toys:Pennies", hidden=True)
    kernel = Kernel(state=PENNIES_STATE, **PENNIES_FUNCTIONS)
    position_keys = ("coin", "guess")

    def describe(self) -> GameSpec:
        return GameSpec(
            seats=2,
            sides=((0,), (1,)),
            hidden=True,
            chance=False,
            score_range=(0.0, 1.0),
            score_sum=1.0,
            observation_shape=(1,),
            observation_range=(0.0, 2.0),
            max_actions=2,
            numbers=2,
        )

    def encode(self, position: Mapping[str, Any], record: Record) -> None:
        record.coin = fields.integer(position, "coin", 0, 2)
        record.guess = fields.integer(position, "guess", 0, 2)
        if record.guess and not record.coin:
            raise BadPosition("guess", "there is no coin to guess yet")

    def decode(self, record: Record) -> Json:
        over = self.kernel.player(record) == OVER
        return {"phase": "over" if over else "play", "coin": int(record.coin), "guess": int(record.guess)}

    def hide(self, position: Json, seat: int | None) -> Json:
        known = seat == 0 or position["phase"] == "over" or position["coin"] == 0
        return position if known else {**position, "coin": None}

    def parse(self, text: str) -> int:
        return parse_number(text, 2)

    def format(self, action: int) -> str:
        return format_number(action, 2)

    def draw(self, position: Json) -> str:
        return f"coin {position['coin']}, guess {position['guess']}"
