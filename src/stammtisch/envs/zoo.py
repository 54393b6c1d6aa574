"""PettingZoo environments for every game: all seats play, one after the other (extra ``lab``).

``env("tichu")`` is an AEC environment, ``parallel_env("tichu")`` the same game for those who want an action of
everybody in every step: only that of the agent whose turn it is counts. Agents are ``player_0`` and so on, by seats.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from stammtisch.core.errors import MissingExtra
from stammtisch.core.game import Game, State
from stammtisch.core.registry import game as game_by_name
from stammtisch.core.rng import fresh_seed
from stammtisch.envs.gym import Illegal, checked_mode, checked_rule, spaces_of
from stammtisch.envs.picture import MODES, RenderMode, render

try:
    from pettingzoo import AECEnv, ParallelEnv
except ImportError:
    raise MissingExtra("PettingZoo's environments need") from None

Seen = dict[str, NDArray[Any]]
Spaces = dict[str, "spaces.Space[Any]"]


class _Table:
    """What both kinds of environment share: the game, its agents and spaces, and how an action becomes rewards."""

    def __init__(self, game: Game, illegal: str, illegal_reward: float) -> None:
        self.game = game
        self.ends, self.illegal_reward = checked_rule(illegal), illegal_reward
        self.agents = [f"player_{seat}" for seat in game.spec.taken]
        self.seat_of = dict(zip(self.agents, game.spec.taken, strict=True))
        board, self.actions = spaces_of(game)
        self.seen_spaces: Spaces = {}
        self.action_spaces: Spaces = {}
        for name in self.agents:
            mask = spaces.Box(0, 1, (game.spec.numbers,), np.int8)
            self.seen_spaces[name] = spaces.Dict(
                {"observation": spaces.Box(board.low, board.high, dtype=np.float32), "action_mask": mask}
            )
            self.action_spaces[name] = spaces.Discrete(game.spec.numbers)
        self.state: State = game.new(0)
        self._standing = np.array(self.state.scores())

    def begin(self, seed: int) -> None:
        self.state = self.game.new(seed)
        self._standing = np.array(self.state.scores())

    @property
    def turn(self) -> str | None:
        """Whose turn it is, None when the game is over."""
        return None if self.state.player is None else f"player_{self.state.player}"

    def seen(self, agent: str) -> Seen:
        """What an agent sees, and which numbers are legal for it: none when it is not its turn."""
        looks = self.state.seat(self.seat_of[agent]).observation()
        mask = self.state.mask() if agent == self.turn else np.zeros(self.game.spec.numbers, dtype=np.bool_)
        return {"observation": looks, "action_mask": mask.astype(np.int8)}

    def all_seen(self) -> NDArray[np.float32]:
        """What all seats see, one after the other: for critics that may look into every hand."""
        return np.stack([self.state.seat(seat).observation() for seat in self.seat_of.values()])

    def play(self, number: int) -> tuple[dict[str, float], bool]:
        """The rewards of an action, by agent, and whether the game is over."""
        mover = self.turn
        legal = 0 <= number < self.game.spec.numbers and bool(self.state.mask()[number])
        if not legal and self.ends:
            return {name: self.illegal_reward if name == mover else 0.0 for name in self.agents}, True
        if not legal:
            raise ValueError(f"number {number} is not legal for {mover}; see action_mask")
        self.state.apply(self.state.action_at(number))
        standing = np.array(self.state.scores())
        won = standing - self._standing
        self._standing = standing
        return {name: float(won[seat]) for name, seat in self.seat_of.items()}, self.state.over


def _metadata(game: Game) -> dict[str, Any]:
    return {"name": f"{game.info.name}_v1", "render_modes": MODES, "render_fps": 1, "is_parallelizable": True}


class GameAEC(AECEnv):  # type: ignore[misc]  # PettingZoo ships no types
    """One agent after the other, as the rules say. ``game`` is a game's name, ``options`` are its options.

    Rewards are the points that a seat wins with a move, whoever makes it. An illegal action ends the game, with
    ``illegal_reward`` for whoever did it; or it is an error.
    """

    def __init__(
        self,
        /,
        game: str,
        *,
        illegal: Illegal = "end",
        illegal_reward: float = -1.0,
        render_mode: RenderMode | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self.table = _Table(game_by_name(game, **options), illegal, illegal_reward)
        self.metadata = _metadata(self.table.game)
        self.render_mode = checked_mode(render_mode)
        self.possible_agents = list(self.table.agents)
        self.state_space = _all_seen_space(self.table)
        self.agents: list[str] = []
        self._luck = np.random.default_rng(fresh_seed())

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.table.seen_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.table.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self._luck = np.random.default_rng(seed)
        self.table.begin(int(self._luck.integers(2**62)))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {name: {} for name in self.agents}
        self.agent_selection = self.table.turn or self.agents[0]

    def observe(self, agent: str) -> Seen:
        return self.table.seen(agent)

    def step(self, action: int | None) -> None:
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{self.agent_selection} has to act: a number, see action_mask")
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.rewards, over = self.table.play(int(action))
        self.terminations = dict.fromkeys(self.agents, over)
        self._accumulate_rewards()
        self.agent_selection = self.table.turn or self.agents[0]
        if over:
            self._deads_step_first()

    def state(self) -> NDArray[np.float32]:
        return self.table.all_seen()

    def render(self) -> Any:
        return render(self.table.state, self.render_mode)  # type: ignore[arg-type]

    def close(self) -> None:
        """There is no window to close, but PettingZoo's checker wants it said."""


class GameParallel(ParallelEnv):  # type: ignore[misc]
    """Everybody acts in every step, and what those do whose turn it is not changes nothing; see :class:`GameAEC`."""

    def __init__(
        self,
        /,
        game: str,
        *,
        illegal: Illegal = "end",
        illegal_reward: float = -1.0,
        render_mode: RenderMode | None = None,
        **options: Any,
    ) -> None:
        self.table = _Table(game_by_name(game, **options), illegal, illegal_reward)
        self.metadata = _metadata(self.table.game)
        self.render_mode = checked_mode(render_mode)
        self.possible_agents = list(self.table.agents)
        self.state_space = _all_seen_space(self.table)
        self.agents: list[str] = []
        self._luck = np.random.default_rng(fresh_seed())

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.table.seen_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.table.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Seen], dict[str, dict[str, Any]]]:
        if seed is not None:
            self._luck = np.random.default_rng(seed)
        self.table.begin(int(self._luck.integers(2**62)))
        self.agents = list(self.possible_agents)
        return self._seen(), {name: {} for name in self.agents}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Seen], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        mover = self.table.turn
        if not self.agents or mover is None:
            raise ValueError("the game is over: reset() begins the next")
        if mover not in actions:
            raise ValueError(f"it is the turn of {mover}, who has no action here")
        rewards, over = self.table.play(int(actions[mover]))
        here = self.agents
        seen = self._seen()
        self.agents = [] if over else here
        return seen, rewards, dict.fromkeys(here, over), dict.fromkeys(here, False), {name: {} for name in here}

    def _seen(self) -> dict[str, Seen]:
        return {name: self.table.seen(name) for name in self.agents}

    def state(self) -> NDArray[np.float32]:
        return self.table.all_seen()

    def render(self) -> Any:
        return render(self.table.state, self.render_mode)  # type: ignore[arg-type]

    def close(self) -> None:
        """There is no window to close, but PettingZoo's checker wants it said."""


def _all_seen_space(table: _Table) -> spaces.Box:
    low, high = table.game.spec.observation_range
    return spaces.Box(low, high, (len(table.agents), *table.game.spec.observation_shape), np.float32)


env, parallel_env = GameAEC, GameParallel
