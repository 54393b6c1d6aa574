"""Ganz schön clever alone, as learners of any game meet it (extra ``lab``).

The numbers of the actions and the reward, the points that an action gains, are the thesis's; the observation is the
full one of the game. With ``shaped``, the reward also has what the heuristic then expects of the rest, less what it
expected before. That changes nothing about which play is best (the sum over a game is the same but for its start), only
how soon it is found. A teacher is a value network that says what it would have done.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from stammtisch.agents.clever.judge import Bench, judge_all, new_bench
from stammtisch.agents.clever.net import Net, clear, read_net
from stammtisch.core.batch import kept_positions
from stammtisch.core.compiling import compiled
from stammtisch.core.info import Option
from stammtisch.core.kernel import Actions, Records, Vector
from stammtisch.envs.clever import CleverVectorEnv
from stammtisch.games.clever import thesis
from stammtisch.games.clever.policy import WEIGHTS, worth
from stammtisch.games.clever.rules import legal_actions
from stammtisch.learning.checkpoints import Arrays
from stammtisch.learning.learner import plain
from stammtisch.learning.settings import setting, settings_of
from stammtisch.learning.tasks.task import Table, Task

POINTS = 20.0  # per unit of reward


@dataclass(frozen=True)
class Settings:
    """How the game is met."""

    rules: str = setting("thesis", "of the game", choices=("official", "thesis", "prototype"))
    teacher: str = setting("", "a value network of the package, or a file of your own, that says what it would do")
    shaped: bool = setting(True, "reward also what the heuristic expects of the rest of the game")


class Clever(Task):
    """Alone, for points."""

    marks = (200, 280)

    def __init__(self, chosen: Settings) -> None:
        self.chosen = chosen
        self.teacher = read_net(chosen.teacher) if chosen.teacher else None

    @classmethod
    def settings(cls, game: str) -> dict[str, Option]:
        return settings_of(Settings)

    @classmethod
    def from_settings(cls, game: str, values: Mapping[str, Any]) -> Self:
        return cls(Settings(**values))

    def known_settings(self) -> dict[str, Any]:
        return plain(self.chosen)

    def table(self, n: int, seed: int) -> Table:
        return _Solo(n, seed, self.chosen, self.teacher)

    def test_table(self, n: int, seed: int) -> Table:
        return self.table(n, seed)


class _Solo(Table):
    seats = 1

    def __init__(self, n: int, seed: int, chosen: Settings, teacher: Net | None) -> None:
        self.games = Games(n, rules=chosen.rules, observation="full", illegal="error")
        self.games.reset(seed=seed)
        self.inputs, self.actions = self.games.table.size, self.games.table.actions
        self.shaped, self.teacher, self.teaches = chosen.shaped, teacher, teacher is not None
        self._bench = new_bench(self.games.table.game.kernel, teacher) if teacher else None
        self._deciders = np.zeros(n, dtype=np.int64)

    def observations(self) -> NDArray[Any]:
        return self.games.observations

    def masks(self) -> NDArray[np.bool_]:
        return self.games.action_masks()

    def deciders(self) -> NDArray[np.int64]:
        return self._deciders

    def step(self, numbers: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.float64]]:
        before = self.games.promises() if self.shaped else 0.0
        _, rewards, over, _, info = self.games.step(numbers)
        after = np.where(over, 0.0, self.games.promises()) if self.shaped else 0.0
        return ((rewards + after - before) / POINTS)[:, None], over, info["final_score"]

    def advice(self) -> NDArray[np.int64]:
        assert self.teacher is not None
        assert self._bench is not None
        return self.games.advice(self.teacher, self._bench)

    def snapshot(self) -> Arrays:
        return self.games.snapshot()

    def return_to(self, kept: Arrays) -> None:
        self.games.return_to(kept)


class Games(CleverVectorEnv):
    """The batched environment, with what a checkpoint needs of it."""

    @property
    def observations(self) -> NDArray[Any]:
        """What is seen of every game now."""
        return self._observations

    def promises(self) -> NDArray[np.float64]:
        """The points that the heuristic expects from every game beyond those it has."""
        out = np.empty(self.num_envs)
        _promises(self._states, WEIGHTS, out)
        return out

    def advice(self, net: Net, bench: Bench) -> NDArray[np.int64]:
        """The number of the action that a value network would choose in every game."""
        out = np.empty(self.num_envs, dtype=np.int64)
        _advice(self._states, net, bench, self.table.buffer, out)
        return out

    def snapshot(self) -> dict[str, NDArray[Any]]:
        """The positions of all games, and their luck to come."""
        return {"states": np.frombuffer(self._states.tobytes(), dtype=np.uint8), "rngs": self._rngs}

    def return_to(self, kept: dict[str, NDArray[Any]]) -> None:
        """Go on from a snapshot; ValueError where it holds no positions of this game."""
        self._states[:] = kept_positions(self.table.game, kept)
        self._rngs[:] = kept["rngs"]
        self._show()


@compiled
def _promises(states: Records, weights: Vector, out: Vector) -> None:
    for i in range(len(states)):
        out[i] = worth(states[i], 0, weights) - thesis.points(states[i])


@compiled
def _advice(states: Records, net: Net, bench: Bench, buffer: Actions, out: Actions) -> None:
    values = np.empty(len(buffer))
    clear(net, bench.desk)
    for i in range(len(states)):
        n = legal_actions(states[i], buffer)
        best = judge_all(bench, states[i], buffer, n, 0, net, values) if n > 1 else 0
        out[i] = thesis.number_of(states[i], buffer[best])
