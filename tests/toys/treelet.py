"""Three players, no chance, pseudo-random values at every node: for maxN."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stammtisch.core import fields
from stammtisch.core.compiling import compiled
from stammtisch.core.game import Game, GameSpec, Json
from stammtisch.core.info import GameInfo
from stammtisch.core.kernel import OVER, Actions, Kernel, Record, Vector
from stammtisch.core.rng import Rng, below, next32, uniform
from toys.numbers import format_number, parse_number

TREE_STATE = np.dtype([("path", np.int64), ("depth", np.int64), ("tree", np.int64)])
TREE_DEPTH = 7
TREE_BRANCHES = 3


@compiled
def tree_new_game(state: Record, rng: Rng) -> None:
    state.tree = next32(rng)


@compiled
def tree_player(state: Record) -> int:
    # The same seat may move twice in a row: pruning must not take a player for his own opponent.
    return OVER if state.depth == TREE_DEPTH else (state.depth * state.depth) % 3


@compiled
def tree_legal_actions(state: Record, out: Actions) -> int:
    n = 0 if state.depth == TREE_DEPTH else TREE_BRANCHES
    for i in range(n):
        out[i] = i
    return n


@compiled
def tree_apply(state: Record, action: int, rng: Rng) -> None:
    state.path = state.path * TREE_BRANCHES + action + 1
    state.depth += 1


@compiled
def tree_scores(state: Record, out: Vector) -> None:
    """Shares of the three seats, some of them equal, some zero, decided by the path alone."""
    rng = np.array([state.tree, state.path, 7, 1], dtype=np.int64)
    for _ in range(12):
        next32(rng)
    total = 0.0
    for seat in range(3):
        out[seat] = float(below(rng, 5)) if below(rng, 3) else 4.0 * uniform(rng)
        total += out[seat]
    for seat in range(3):
        out[seat] = out[seat] / total if total > 0.0 else 1.0 / 3.0


@compiled
def tree_observe(state: Record, seat: int, out: NDArray[np.float32]) -> None:
    out[0] = state.depth / TREE_DEPTH


class Treelet(Game):
    info = GameInfo("treelet", "Treelet", "A random tree", (3, 3), "toys:Treelet")
    kernel = Kernel(
        state=TREE_STATE,
        new_game=tree_new_game,
        player=tree_player,
        legal_actions=tree_legal_actions,
        apply=tree_apply,
        scores=tree_scores,
        observe=tree_observe,
    )
    position_keys = ("path", "depth", "tree")

    def describe(self) -> GameSpec:
        return GameSpec(
            seats=3,
            sides=((0,), (1,), (2,)),
            hidden=False,
            chance=False,
            score_range=(0.0, 1.0),
            score_sum=1.0,
            observation_shape=(1,),
            observation_range=(0.0, 1.0),
            max_actions=TREE_BRANCHES,
            numbers=TREE_BRANCHES,
        )

    def encode(self, position: Mapping[str, Any], record: Record) -> None:
        record.path = fields.integer(position, "path", 0, 3**8)
        record.depth = fields.integer(position, "depth", 0, TREE_DEPTH)
        record.tree = fields.integer(position, "tree", 0, 2**32 - 1)

    def decode(self, record: Record) -> Json:
        over = self.kernel.player(record) == OVER
        return {"phase": "over" if over else "play", **{key: int(record[key]) for key in self.position_keys}}

    def parse(self, text: str) -> int:
        return parse_number(text, TREE_BRANCHES)

    def format(self, action: int) -> str:
        return format_number(action, TREE_BRANCHES)

    def draw(self, position: Json) -> str:
        return str(position["path"])
