"""Games of Ganz schön clever side by side that can be kept in the middle of everything (extra ``lab``)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stammtisch.agents.clever.judge import Bench, judge_all
from stammtisch.agents.clever.net import Net, clear
from stammtisch.core.compiling import compiled
from stammtisch.core.errors import StammtischError
from stammtisch.core.kernel import Actions, Records, Vector
from stammtisch.envs.clever import CleverVectorEnv
from stammtisch.games.clever import thesis
from stammtisch.games.clever.policy import WEIGHTS, worth
from stammtisch.games.clever.rules import legal_actions


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
        states = np.frombuffer(kept["states"].tobytes(), dtype=self._states.dtype)
        for i in range(self.num_envs):
            self._check(states[i : i + 1].copy(), i)
        self._states[:] = states
        self._rngs[:] = kept["rngs"]
        self._show()

    def _check(self, states: Records, i: int) -> None:
        """A position that can be written as JSON and read again is one that the rules know."""
        try:
            state = self.table.game.state(states, self._rngs[i])
            known = self.table.game.from_json(state.to_json()) == state
        except (StammtischError, IndexError, ValueError, KeyError, TypeError, OverflowError):
            known = False
        if not known:
            raise ValueError(f"game {i} is no position")


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
