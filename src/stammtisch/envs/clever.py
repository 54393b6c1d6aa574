"""Ganz schön clever for learners: one game, or thousands stepped together in the kernel.

``stammtisch/Clever-v0`` is the environment of the thesis: its rules, 247 actions, 85 observations and rewards.
``stammtisch/Clever-v1`` has the official rules and the full observation of the game. Both have ``action_masks()``.
"""

from __future__ import annotations

from typing import Any, Literal, get_args

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from stammtisch.core.checks import code, wholes
from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import OVER, Actions, Records, apply, new_game, observe, player
from stammtisch.core.registry import game
from stammtisch.core.rng import fresh_seed, stream, streams
from stammtisch.games.clever import svg, thesis
from stammtisch.games.clever.game import Clever
from stammtisch.games.clever.rules import PASS
from stammtisch.games.clever.sheet import total_points

Observation = Literal["thesis", "full"]
Illegal = Literal["end", "lose", "error"]

END_REWARD = -1000.0  # of an illegal action that ends the game
STUCK = 1000  # so many steps no game takes, unless illegal actions change nothing
NO_ACTION = -1


class _Table:
    """What both environments share: the game, its spaces, and what to do with an illegal action."""

    def __init__(self, rules: str, observation: Observation, dice: int | None, illegal: Illegal, options: Any) -> None:
        made = game("clever", rules=rules, dice=dice, **options)
        assert isinstance(made, Clever)
        if made.players != 1:
            raise ValueError("the environment is for one player")
        self.game = made
        self.full = observation == "full"
        if illegal not in get_args(Illegal):
            raise ValueError(f"illegal={illegal!r}: one of {', '.join(get_args(Illegal))}")
        self.illegal = illegal
        self.prototype = int(self.game.blank()[0].prototype)
        self.actions = thesis.PROTOTYPE_ACTIONS if self.prototype else thesis.ACTIONS
        self.buffer = np.empty(self.game.spec.max_actions, dtype=np.int64)
        self.action_space = spaces.Discrete(self.actions)
        self.observation_space = self._observation_space()

    def _observation_space(self) -> spaces.Box:
        if self.full:
            return spaces.Box(*self.game.spec.observation_range, self.game.spec.observation_shape, np.float32)
        if self.prototype:
            high = np.array([6] * (16 + self.prototype) + [10], dtype=np.int8)
            return spaces.Box(np.zeros_like(high), high, dtype=np.int8)
        return spaces.Box(np.zeros_like(thesis.HIGHEST), thesis.HIGHEST, dtype=np.int8)

    @property
    def size(self) -> int:
        return int(self.observation_space.shape[0])


class CleverEnv(gymnasium.Env[NDArray[Any], np.int64]):
    """One game alone. Rewards are the points gained; foxes count at the end, a roll in which nothing fits costs one.

    ``illegal`` says what happens to an action that is not legal: the game ends at -1000 as in the thesis (``end``), the
    action costs one point and, in the prototype, the roll (``lose``), or it is an error.
    """

    metadata = {"render_modes": ["ansi", "svg"], "render_fps": 1}  # noqa: RUF012  # Gymnasium wants it so

    def __init__(
        self,
        /,
        rules: str = "thesis",
        observation: Observation = "thesis",
        dice: int | None = None,
        illegal: Illegal = "end",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.table = _Table(rules, observation, dice, illegal, options)
        self.action_space, self.observation_space = self.table.action_space, self.table.observation_space
        self.render_mode = render_mode
        self.state = self.table.game.new(seed=0)
        self._steps = 0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[NDArray[Any], Any]:
        super().reset(seed=seed)
        self.state = self.table.game.new(seed=int(self.np_random.integers(2**62)))
        self._steps = 0
        return self._observation(), self._info()

    def step(self, action: np.int64) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        number = code(action)
        legal = int(thesis.action_of(self.state.record, number, self.table.buffer))
        self._steps += 1
        if legal != NO_ACTION:
            reward = float(thesis.step(self.state.record, legal, self.state.rng))
            return self._observation(), reward, self.state.over, False, self._info()
        if self.table.illegal == "error":
            raise ValueError(f"action {int(action)} is not legal now; see action_masks()")
        if self.table.illegal == "end":
            return self._observation(), END_REWARD, True, False, self._info()
        if self.table.prototype and not self.state.over:
            self.table.game.kernel.apply(self.state.record, PASS, self.state.rng)
        return self._observation(), thesis.NOTHING_FITS, self.state.over, self._steps >= STUCK, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal now, as sb3-contrib's MaskablePPO asks for it."""
        mask = np.empty(self.table.actions, dtype=np.bool_)
        thesis.fill_mask(self.state.record, self.table.buffer, mask)
        return mask

    def render(self) -> str | None:
        if self.render_mode == "svg":
            return svg.position(self.state.to_json())
        return self.state.text() if self.render_mode == "ansi" else None

    def _observation(self) -> NDArray[Any]:
        if self.table.full:
            return self.state.seat(0).observation()
        out = np.empty(self.table.size, dtype=np.int8)
        (thesis.observe_prototype if self.table.prototype else thesis.observe)(self.state.record, out)
        return out

    def _info(self) -> dict[str, Any]:
        return {"score": int(self.state.scores()[0])}


class CleverVectorEnv(VectorEnv[NDArray[Any], Any, NDArray[np.int64]]):
    """Many games in one compiled step. A game that is over begins anew in the same step; its score is in the info.

    ``step`` and ``reset`` return the legal actions of every game as ``info["action_mask"]``. What is returned is
    overwritten by the next step.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012  # Gymnasium wants it so

    def __init__(
        self,
        /,
        num_envs: int,
        rules: str = "thesis",
        observation: Observation = "thesis",
        dice: int | None = None,
        illegal: Illegal = "end",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.table = _Table(rules, observation, dice, illegal, options)
        self.num_envs, self.render_mode = num_envs, render_mode
        self.single_action_space, self.single_observation_space = self.table.action_space, self.table.observation_space
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._blank = self.table.game.blank()
        self._states = self.table.game.kernel.blank(num_envs)
        self._rngs = streams(fresh_seed(), num_envs)
        kind = np.float32 if self.table.full else np.int8
        self._observations = np.zeros((num_envs, self.table.size), dtype=kind)
        self._masks = np.zeros((num_envs, self.table.actions), dtype=np.bool_)
        self._rewards, self._over = np.zeros(num_envs), np.zeros(num_envs, dtype=np.bool_)
        self._scores = np.zeros(num_envs, dtype=np.int64)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        if isinstance(seed, list):
            self._rngs[:] = [stream(fresh_seed() if one is None else one) for one in seed]
        elif seed is not None:
            self._rngs = streams(seed, self.num_envs)
        _reset_all(self._states, self._blank, self._rngs)
        self._show()
        return self._observations, {"action_mask": self._masks}

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        numbers = wholes(actions, "the actions", self.num_envs)
        if self.table.illegal == "error":  # before anything is played
            within = np.clip(numbers, 0, self.table.actions - 1)
            for i in np.flatnonzero((within != numbers) | ~self._masks[np.arange(self.num_envs), within]):
                raise ValueError(f"action {numbers[i]} of game {i} is not legal; see action_masks()")
        known = (self._states, self._blank, self._rngs, numbers, self.table.buffer)
        _step_all(*known, self.table.illegal == "lose", self._rewards, self._over, self._scores)
        self._show()
        info = {"action_mask": self._masks, "final_score": self._scores, "_final_score": self._over}
        return self._observations, self._rewards, self._over, np.zeros(self.num_envs, dtype=np.bool_), info

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal now in every game."""
        return self._masks

    def _show(self) -> None:
        if self.table.full:
            _show_all(self._states, self.table.buffer, self._observations, self._masks)
        else:
            _show_thesis(self._states, self.table.buffer, self._observations, self._masks)


@compiled
def _reset_all(states: Records, blank: Records, rngs: NDArray[np.int64]) -> None:
    for i in range(len(states)):
        states[i] = blank[0]
        new_game(states[i], rngs[i])


@compiled
def _step_all(
    states: Records,
    blank: Records,
    rngs: NDArray[np.int64],
    numbers: Actions,
    buffer: Actions,
    lose: bool,
    rewards: NDArray[np.float64],
    over: NDArray[np.bool_],
    scores: NDArray[np.int64],
) -> None:
    """One action in every game, and new games for those that end."""
    for i in range(len(states)):
        state, rng = states[i], rngs[i]
        action = thesis.action_of(state, numbers[i], buffer)
        if action != NO_ACTION:
            rewards[i] = thesis.step(state, action, rng)
            over[i] = player(state) == OVER
        else:
            rewards[i] = thesis.NOTHING_FITS if lose else END_REWARD
            if lose and state.prototype:
                apply(state, PASS, rng)
            over[i] = not lose or player(state) == OVER
        if over[i]:
            scores[i] = total_points(state, 0)
            states[i] = blank[0]
            new_game(states[i], rng)


@compiled
def _show_all(states: Records, buffer: Actions, observations: NDArray[np.float32], masks: NDArray[np.bool_]) -> None:
    for i in range(len(states)):
        observe(states[i], 0, observations[i])
        thesis.fill_mask(states[i], buffer, masks[i])


@compiled
def _show_thesis(states: Records, buffer: Actions, observations: NDArray[np.int8], masks: NDArray[np.bool_]) -> None:
    for i in range(len(states)):
        if states[i].prototype:
            thesis.observe_prototype(states[i], observations[i])
        else:
            thesis.observe(states[i], observations[i])
        thesis.fill_mask(states[i], buffer, masks[i])
