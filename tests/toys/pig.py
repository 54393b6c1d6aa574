"""Two to four players, dice, everything open."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from stammtisch.core import fields
from stammtisch.core.compiling import compiled
from stammtisch.core.errors import BadMove
from stammtisch.core.game import Game, GameSpec, Json
from stammtisch.core.info import GameInfo, Option
from stammtisch.core.kernel import OVER, Actions, Kernel, Record, Vector
from stammtisch.core.rng import Rng, below

PIG_STATE = np.dtype(
    [
        ("totals", np.int64, 4),
        ("pot", np.int64),  # points of this turn, lost with a 1
        ("die", np.int64),  # last throw, 0 before the first
        ("turn", np.int64),
        ("players", np.int64),
        ("target", np.int64),
    ]
)
HOLD, ROLL = 0, 1


@compiled
def pig_new_game(state: Record, rng: Rng) -> None:
    pass


@compiled
def pig_winner(state: Record) -> int:
    for seat in range(state.players):
        if state.totals[seat] >= state.target:
            return seat
    return OVER


@compiled
def pig_player(state: Record) -> int:
    return state.turn if pig_winner(state) == OVER else OVER


@compiled
def pig_legal_actions(state: Record, out: Actions) -> int:
    if pig_player(state) == OVER:
        return 0
    if state.pot == 0:  # there is nothing to keep yet
        out[0] = ROLL
        return 1
    out[0], out[1] = HOLD, ROLL
    return 2


@compiled
def pig_apply(state: Record, action: int, rng: Rng) -> None:
    if action == ROLL:
        state.die = below(rng, 6) + 1
        state.pot = 0 if state.die == 1 else state.pot + state.die
    else:
        state.totals[state.turn] += state.pot
        state.pot = 0
    if state.pot == 0:
        state.turn = (state.turn + 1) % state.players


@compiled
def pig_scores(state: Record, out: Vector) -> None:
    winner = pig_winner(state)
    for seat in range(state.players):
        out[seat] = 1.0 / state.players
        if winner != OVER:
            out[seat] = 1.0 if seat == winner else 0.0


@compiled
def pig_observe(state: Record, seat: int, out: NDArray[np.float32]) -> None:
    for i in range(4):
        out[i] = min(1.0, state.totals[(seat + i) % 4] / state.target)
    out[4] = min(1.0, state.pot / state.target)


PIG_FUNCTIONS: dict[str, Any] = {
    "new_game": pig_new_game,
    "player": pig_player,
    "legal_actions": pig_legal_actions,
    "apply": pig_apply,
    "scores": pig_scores,
    "observe": pig_observe,
}


class Pig(Game):
    info = GameInfo(
        "pig",
        "Pig",
        "Throw on or keep what you have",
        (2, 4),
        "toys:Pig",
        chance=True,
        options=(
            Option("players", 2, "how many play", low=2, high=4),
            Option("target", 30, "points to win", low=1, high=1000),
        ),
    )
    kernel = Kernel(state=PIG_STATE, **PIG_FUNCTIONS)
    position_keys: ClassVar[tuple[str, ...]] = ("totals", "pot", "die")
    chance_keys: ClassVar[tuple[str, ...]] = ("die", "pot", "player")

    def describe(self) -> GameSpec:
        seats = int(self.options["players"] or 0)
        return GameSpec(
            seats=seats,
            sides=tuple((seat,) for seat in range(seats)),
            hidden=False,
            chance=True,
            score_range=(0.0, 1.0),
            score_sum=1.0,
            observation_shape=(5,),
            observation_range=(0.0, 1.0),
            max_actions=2,
            numbers=2,
        )

    def write_options(self, record: Record) -> None:
        record.players, record.target = self.options["players"], self.options["target"]

    def encode(self, position: Mapping[str, Any], record: Record) -> None:
        totals = fields.integers(position, "totals", self.spec.seats, 0, 2000)
        record.totals[: self.spec.seats] = totals
        record.pot = fields.integer(position, "pot", 0, 2000)
        record.die = fields.integer(position, "die", 0, 6)
        # When over, the turn went to the seat after the winner.
        turn = (int(np.argmax(totals)) + 1) % self.spec.seats
        record.turn = fields.integer({"player": turn, **_given(position)}, "player", 0, self.spec.seats - 1)

    def decode(self, record: Record) -> Json:
        return {
            "phase": "over" if self.kernel.player(record) == OVER else "play",
            "totals": [int(total) for total in record.totals[: self.spec.seats]],
            "pot": int(record.pot),
            "die": int(record.die),
        }

    def parse(self, text: str) -> int:
        if text in ("hold", "roll"):
            return ("hold", "roll").index(text)
        raise BadMove(f"'{text}' is neither hold nor roll")

    def format(self, action: int) -> str:
        if action in (HOLD, ROLL):
            return ("hold", "roll")[action]
        raise BadMove(f"{action} is neither 0 (hold) nor 1 (roll)")

    def draw(self, position: Json) -> str:
        return f"totals {position['totals']}, pot {position['pot']}, last throw {position['die']}"


def _given(position: Mapping[str, Any]) -> dict[str, Any]:
    """The player, where one is named."""
    return {} if position.get("player") is None else {"player": position["player"]}
