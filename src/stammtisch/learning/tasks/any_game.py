"""Any game whose actions have numbers: the game's own observation; the standing, against that of the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.batch import Batch, kept_positions
from stammtisch.core.compiling import compiled
from stammtisch.core.game import Game
from stammtisch.core.info import Option
from stammtisch.core.kernel import OVER, Actions, Records, apply, new_game, player
from stammtisch.core.mind import EMPTY, pick
from stammtisch.core.registry import game as made_game
from stammtisch.core.registry import games
from stammtisch.learning.checkpoints import Arrays
from stammtisch.learning.tasks.task import Table, Task

ITSELF, RANDOM, HAND = "itself", "random", "hand"
OPPONENTS = Option(
    "opponents",
    ITSELF,
    "who has the other seats while it learns: it plays all of them, any legal move, or the game's rules of thumb",
    choices=(ITSELF, RANDOM, HAND),
)
TESTED_BY = Option(
    "tested_by",
    HAND,
    "who has the other seats when its strength is measured",
    choices=(RANDOM, HAND),
)


class AnyGame(Task):
    """The options of the game are settings, too."""

    def __init__(self, game: Game, opponents: str, tested_by: str) -> None:
        self.game, self.opponents, self.tested_by = game, opponents, tested_by

    @classmethod
    def settings(cls, game: str) -> dict[str, Option]:
        return {option.name: option for option in (OPPONENTS, TESTED_BY, *games()[game].options)}

    @classmethod
    def from_settings(cls, game: str, values: Mapping[str, Any]) -> Self:
        options = dict(values)
        opponents, tested_by = (str(options.pop(one.name, one.default)) for one in (OPPONENTS, TESTED_BY))
        return cls(made_game(game, **options), opponents, tested_by)

    def known_settings(self) -> dict[str, Any]:
        return {"opponents": self.opponents, "tested_by": self.tested_by, **self.game.options}

    def table(self, n: int, seed: int) -> Table:
        return _Games(self.game, n, seed, self.opponents)

    def test_table(self, n: int, seed: int) -> Table:
        return _Games(self.game, n, seed, self.tested_by)


class _Games(Table):
    """The learner has one side of every game, in turn, or all of them; the others have moved when it is asked."""

    def __init__(self, game: Game, n: int, seed: int, opponents: str) -> None:
        spec = game.spec
        self.inputs, self.actions, self.seats = spec.observation_size, spec.numbers, spec.seats
        self.batch = Batch(game, n, seed)
        sides = [spec.sides[i % len(spec.sides)] for i in range(n)]
        self._first = np.array([side[0] for side in sides])
        self._mine = np.ones((n, spec.seats), dtype=np.bool_)
        if opponents != ITSELF:
            self._mine[:] = [[seat in side for seat in range(spec.seats)] for side in sides]
        self._mind = game.mind() if opponents == HAND else EMPTY.blank()
        self._buffer = np.empty(spec.max_actions, dtype=np.int64)
        low, high = spec.score_range
        self._unit = high - low
        self._against = _against(game)
        self._standing = self._worth(self.batch.scores())
        self._meet(begin=True)

    def _worth(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        return scores @ self._against / self._unit

    def _meet(self, begin: bool) -> None:
        _let_others_play(
            self._mind, self.batch.states, self.batch.game.blank(), self.batch.rngs, self._buffer, self._mine, begin
        )

    def observations(self) -> NDArray[np.float32]:
        return self.batch.observations().reshape(len(self.batch), -1)

    def masks(self) -> NDArray[np.bool_]:
        return self.batch.masks()

    def deciders(self) -> NDArray[np.int64]:
        return self.batch.players()

    def step(self, numbers: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.float64]]:
        self.batch.step(self.batch.actions_at(numbers), checked=False)
        self._meet(begin=False)
        over = self.batch.players() == OVER
        scores = self.batch.scores()
        standing = self._worth(scores)
        rewards = standing - self._standing
        self._standing = standing
        if self.batch.restart():
            self._standing[over] = self._worth(self.batch.scores())[over]
            self._meet(begin=True)
        return rewards, over, scores[np.arange(len(scores)), self._first]

    def snapshot(self) -> Arrays:
        states = np.frombuffer(self.batch.states.tobytes(), dtype=np.uint8)
        return {"states": states, "rngs": self.batch.rngs, "standing": self._standing}

    def return_to(self, kept: Arrays) -> None:
        self.batch.states[:] = kept_positions(self.batch.game, kept)
        self.batch.rngs[:] = kept["rngs"]
        self._standing[:] = kept["standing"]


def _against(game: Game) -> NDArray[np.float64]:
    """What scores times this are: those of every taken seat, less the mean of the seats of other sides."""
    spec = game.spec
    out = np.zeros((spec.seats, spec.seats))
    for seat in spec.taken:
        others = [other for other in spec.taken if spec.side_of[other] != spec.side_of[seat]]
        out[seat, seat] = 1.0
        out[others, seat] = -1.0 / max(1, len(others))
    return out


@compiled
def _let_others_play(
    mind: Records,
    states: Records,
    blank: Records,
    rngs: NDArray[np.int64],
    buffer: Actions,
    mine: NDArray[np.bool_],
    begin: bool,
) -> None:
    """Play until the learner decides or the game is over; with ``begin``, a game that ends so early begins anew."""
    for i in range(len(states)):
        state, rng = states[i], rngs[i]
        while True:
            seat = player(state)
            if seat == OVER:
                if not begin:
                    break
                states[i] = blank[0]
                new_game(state, rng)
            elif mine[i, seat]:
                break
            else:
                apply(state, pick(mind[0], state, buffer, rng), rng)
