"""Gymnasium environments for every game: one seat plays, chosen opponents have the others.

``stammtisch/Tichu-v1`` and the like are one game or, by ``make_vec``, many in one compiled step. Actions are the game's
numbers; which are legal is ``action_masks()`` (as sb3-contrib's MaskablePPO asks for it) and ``info["action_mask"]``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, get_args

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from stammtisch.core.game import Game
from stammtisch.core.registry import game as game_by_name
from stammtisch.core.rng import fresh_seed
from stammtisch.envs.opponents import Numbers, Opponent
from stammtisch.envs.picture import MODES, RenderMode, render
from stammtisch.envs.vector import Reward, VectorGames

Illegal = Literal["end", "error"]


def spaces_of(game: Game) -> tuple[spaces.Box[Any], spaces.Discrete]:
    """What is seen, and the numbers of the actions."""
    low, high = game.spec.observation_range
    return spaces.Box(low, high, game.spec.observation_shape, np.float32), spaces.Discrete(game.spec.numbers)


def checked_mode(mode: str | None) -> str | None:
    if mode is not None and mode not in MODES:
        raise ValueError(f"render_mode={mode!r}: one of {', '.join(MODES)}")
    return mode


def checked_rule(illegal: str) -> bool:
    """Whether an illegal action ends the game instead of being an error."""
    if illegal not in get_args(Illegal):
        raise ValueError(f"illegal={illegal!r}: one of {', '.join(get_args(Illegal))}")
    return illegal == "end"


class GameEnv(gymnasium.Env[NDArray[Any], np.int64]):
    """One game of any kind. ``game`` is its name, and everything else that is not named here an option of the game.

    Who plays the other seats, which seat is the learner's and what is rewarded is said as to ``VectorGames``. An
    illegal action ends the game with the reward ``illegal_reward``, or is an error. With ``opponents="itself"`` the
    learner plays all seats in turn: what is seen and rewarded is that of the seat that decides; the rewards of all
    seats are in ``info["rewards"]``.
    """

    metadata = {"render_modes": MODES, "render_fps": 1}  # noqa: RUF012  # Gymnasium wants it so

    def __init__(
        self,
        /,
        game: str,
        opponents: Opponent | Sequence[Opponent] = "random",
        *,
        partner: Opponent | None = None,
        seat: int | None = None,
        reward: Reward = "points",
        illegal: Illegal = "end",
        illegal_reward: float = -1.0,
        render_mode: RenderMode | None = None,
        **options: Any,
    ) -> None:
        made = game_by_name(game, **options)
        self.games = VectorGames(
            made, 1, 0, opponents=opponents, partner=partner, seat=seat, reward=reward, autoreset=False
        )
        self.observation_space, self.action_space = spaces_of(made)
        self.render_mode = checked_mode(render_mode)
        self._ends, self._illegal_reward = checked_rule(illegal), illegal_reward
        self._seat = int(self.games.seats[0])

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        super().reset(seed=seed)
        self.games.reset(int(self.np_random.integers(2**62)))
        self._seat = int(self.games.seats[0])
        return self.games.observations[0].copy(), self._info()

    def step(self, action: np.int64) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        games, seat = self.games, self._seat
        legal = 0 <= action < games.game.spec.numbers and bool(games.masks[0, action])
        if not legal and self._ends:
            return games.seen_by(seat)[0], self._illegal_reward, True, False, self._info()
        games.step(np.array([action]))
        over = bool(games.over[0])
        if not over:
            self._seat = int(games.seats[0])
        seen = games.seen_by(seat)[0] if over else games.observations[0].copy()
        return seen, float(games.rewards[0, seat]), over, False, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Which numbers are legal now."""
        return self.games.masks[0].copy()

    def render(self) -> Any:
        return render(self.games.batch.state(0), self.render_mode)  # type: ignore[arg-type]

    def _info(self) -> dict[str, Any]:
        games = self.games
        return {
            "action_mask": self.action_masks(),
            "player": self._seat,
            "scores": games.scores[0].copy(),
            "rewards": games.rewards[0].copy(),
        }


class GameVectorEnv(VectorEnv[NDArray[np.float32], Any, Numbers]):
    """Many games in one compiled step; where one is over, the next begins in the same step.

    As :class:`GameEnv`; what is returned is overwritten by the next step. ``info["final_score"]`` is the score of the
    learner's seat in the games that ended.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": ["ansi"]}  # noqa: RUF012  # as above

    def __init__(
        self,
        /,
        num_envs: int,
        game: str,
        opponents: Opponent | Sequence[Opponent] = "random",
        *,
        partner: Opponent | None = None,
        seat: int | None = None,
        reward: Reward = "points",
        illegal: Illegal = "end",
        illegal_reward: float = -1.0,
        threads: int = 1,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        made = game_by_name(game, **options)
        self.games = VectorGames(
            made,
            num_envs,
            fresh_seed(),
            opponents=opponents,
            partner=partner,
            seat=seat,
            reward=reward,
            threads=threads,
        )
        self.num_envs, self.render_mode = num_envs, render_mode
        self.single_observation_space, self.single_action_space = spaces_of(made)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._ends, self._illegal_reward = checked_rule(illegal), illegal_reward
        self._rows = np.arange(num_envs)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        self.games.reset(seed)
        return self.games.observations, self._info()

    def step(
        self, actions: Numbers
    ) -> tuple[NDArray[np.float32], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        games, numbers = self.games, np.asarray(actions, dtype=np.int64)
        seats = games.seats.copy()
        wrong = None
        if self._ends:
            inside = (numbers >= 0) & (numbers < games.game.spec.numbers)
            wrong = ~(inside & games.masks[self._rows, np.where(inside, numbers, 0)])
        games.step(numbers, wrong)
        rewards = games.rewards[self._rows, seats]
        if wrong is not None:
            rewards[wrong] = self._illegal_reward
        final = {"final_score": games.scores[self._rows, seats], "_final_score": games.over}
        return (
            games.observations,
            rewards,
            games.over,
            np.zeros(self.num_envs, dtype=np.bool_),
            {**self._info(), **final},
        )

    def action_masks(self) -> NDArray[np.bool_]:
        """Which numbers are legal now in every game."""
        return self.games.masks

    def render(self) -> Any:
        if self.render_mode != "ansi":
            return None
        return tuple(self.games.batch.state(i).text() for i in range(self.num_envs))

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.games.masks, "player": self.games.players, "rewards": self.games.rewards}
