"""The thesis's own recipe (S. Schubert, Coburg 2023): sb3-contrib's MaskablePPO on its environment (extra ``lab``).

``Config`` has the hyperparameters of the thesis; recipes for one processor core make the network smaller. Exploration
is bought by an entropy bonus in one stage and given up in the next, to consolidate. Besides the full game there are its
prototypes, the yellow area with two or four dice, and learning without the mask.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecEnv
from torch import nn

from stammtisch.core.info import Option
from stammtisch.learning.checkpoints import Arrays
from stammtisch.learning.learner import EVALUATION, LAST_SEED, Learner
from stammtisch.learning.ppo import usable_luck
from stammtisch.learning.settings import MANY, setting
from stammtisch.learning.tasks.clever import Games


@dataclass(frozen=True)
class Config:
    """The thesis's settings; its three cycles of two stages take about 16.7 million steps."""

    rules: str = setting("thesis", "of the game", choices=("thesis", "official", "prototype"))
    dice: int = setting(0, "of the prototype: 2 or 4; 0 for all", choices=(0, 2, 4))
    masked: bool = setting(True, "without the mask, an illegal action costs a point")
    stages: tuple[tuple[int, float], ...] = setting(
        (
            (2_220_000, 0.1),
            (1_110_000, 0.0),
            (4_440_000, 0.1),
            (2_220_000, 0.0),
            (4_440_000, 0.1),
            (2_220_000, 0.0),
        ),
        "one after the other",
        columns=(
            Option("steps", 1, "of all games together", low=1, high=MANY),
            Option("entropy", 0.0, "bonus for trying many actions", low=0, high=100),
        ),
    )
    layers: int = setting(7, "of the network", 1, 100)
    units: int = setting(1024, "of each layer", 1, 65_536)
    rate: float = setting(0.0006, "of Adam", 1e-9, 1.0)
    clip: float = setting(0.2, "how far one update may move the chances of an action", 1e-6, 10.0)
    discount: float = setting(1.0, "of rewards to come, per step", 0.0, 1.0)
    envs: int = setting(32, "games side by side", 1, MANY)
    horizon: int = setting(64, "steps of each game between two updates: 2048 in all", 1, MANY)
    epochs: int = setting(5, "how often each step is learned from", 1, MANY)
    batch: int = setting(128, "steps per update", 1, MANY)
    evaluation_games: int = setting(200, "games of every look at its strength", 2, 10**7)
    seed: int = setting(1, "of all luck", 0, LAST_SEED)


class Table(VecEnv):
    """The batched games as Stable-Baselines3 wants them; counts what became of them."""

    def __init__(self, number: int, config: Config) -> None:
        rules = {"rules": config.rules, "illegal": "end" if config.masked else "lose"}
        self.games = Games(number, dice=config.dice or None, **rules)  # type: ignore[arg-type]
        super().__init__(number, self.games.single_observation_space, self.games.single_action_space)
        self.masked = config.masked
        self.scores: list[int] = []  # of the games that ended since they were asked for
        self.invalid: list[int] = []  # actions that brought nothing, in each of them
        self._lost = np.zeros(number, dtype=np.int64)
        self._actions = np.zeros(number, dtype=np.int64)

    def reset(self) -> NDArray[np.int8]:
        return self.games.reset(seed=self._seeds[0])[0].copy()

    def step_async(self, actions: NDArray[np.int64]) -> None:
        self._actions = actions

    def step_wait(self) -> tuple[NDArray[np.int8], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        nothing_fits = self._actions == self.action_space.n - 1  # type: ignore[attr-defined]
        self._lost += nothing_fits | ~self.games.action_masks()[np.arange(self.num_envs), self._actions]
        seen, rewards, over, _, info = self.games.step(self._actions)
        self.scores += info["final_score"][over].tolist()
        self.invalid += self._lost[over].tolist()
        self._lost[over] = 0
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for i in np.flatnonzero(over):
            infos[i]["terminal_observation"] = seen[i]
        return seen.copy(), rewards.astype(np.float32), over.copy(), infos

    def env_method(self, method_name: str, *arguments: Any, indices: Any = None, **named: Any) -> list[Any]:
        assert method_name == "action_masks"
        return list(self.games.action_masks().copy())

    def has_attr(self, attr_name: str) -> bool:
        return self.masked and attr_name == "action_masks"

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [None] * self.num_envs

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        raise AttributeError(attr_name)

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        return [False] * self.num_envs

    def close(self) -> None:
        self.games.close()

    def snapshot(self) -> dict[str, NDArray[Any]]:
        return {**self.games.snapshot(), "lost": self._lost}

    def return_to(self, kept: dict[str, NDArray[Any]]) -> None:
        self.games.return_to(kept)
        self._lost[:] = kept["lost"]


class ThesisLearner(Learner):
    """A run through all stages."""

    summary = "The thesis's own recipe: MaskablePPO of sb3-contrib on its environment"
    config_class = Config
    games = ("clever",)
    unit = "steps"
    plotted = ("evaluation", "score", "invalid")
    marks = (200, 280)

    def __init__(self, config: Config) -> None:
        torch.set_num_threads(1)
        self.config = config
        self.table = Table(config.envs, config)
        self.table.seed(config.seed)
        self.model = MaskablePPO(
            "MlpPolicy",
            self.table,
            learning_rate=config.rate,
            n_steps=config.horizon,
            batch_size=config.batch,
            n_epochs=config.epochs,
            gamma=config.discount,
            clip_range=config.clip,
            seed=config.seed,
            device="cpu",
            policy_kwargs={"net_arch": [config.units] * config.layers, "activation_fn": nn.ReLU},
        )
        self.counts = np.zeros(1, dtype=np.int64)
        self.luck = torch.get_rng_state().numpy().copy()
        self.shuffling = np.random.RandomState(config.seed).get_state()[1].astype(np.uint32)  # type: ignore[index]
        self.shuffled = np.array([624], dtype=np.int64)
        self.model._last_obs = self.table.reset()
        self.model._last_episode_starts = np.ones(config.envs, dtype=np.bool_)
        for parameter in self.model.policy.parameters():  # makes Adam's memory, so that it can be kept from the start
            parameter.grad = torch.zeros_like(parameter)
        self.model.policy.optimizer.step()

    @property
    def total(self) -> int:
        return sum(steps for steps, _ in self.config.stages)

    def step(self) -> dict[str, float]:
        """One round of collecting and learning, with the entropy bonus of the stage."""
        self.model.ent_coef = self._entropy()
        self.table.scores, self.table.invalid = [], []
        torch.set_rng_state(torch.from_numpy(self.luck))
        np.random.set_state(("MT19937", self.shuffling, int(self.shuffled[0]), 0, 0.0))  # SB3 uses this one
        steps, masked = self.config.envs * self.config.horizon, self.config.masked
        self.model.learn(steps, reset_num_timesteps=False, use_masking=masked)
        self.luck[:] = torch.get_rng_state().numpy()
        state: Any = np.random.get_state()
        self.shuffling[:], self.shuffled[0] = state[1], state[2]
        self.counts[0] += steps
        if not self.table.scores:
            return {"entropy_bonus": self.model.ent_coef}
        score, invalid = float(np.mean(self.table.scores)), float(np.mean(self.table.invalid))
        return {"score": score, "invalid": invalid, "entropy_bonus": self.model.ent_coef}

    def _entropy(self) -> float:
        end = 0
        for steps, entropy in self.config.stages:
            end += steps
            if self.done < end:
                return entropy
        return 0.0

    def evaluate(self, games: int | None = None) -> NDArray[np.float64]:
        """Final scores when always the most likely action is played."""
        return self.play(games or self.config.evaluation_games)[0].astype(np.float64)

    def play(self, games: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Score and invalid actions of single games in which always the most likely action is played."""
        table = Table(games, self.config)
        table.seed(EVALUATION)
        seen, found = table.reset(), np.zeros(games, dtype=np.bool_)
        scores, invalid = np.zeros((2, games), dtype=np.int64)
        for _ in range(200 if self.config.masked else 1000):
            masks = table.games.action_masks() if self.config.masked else None
            actions, _state = self.model.predict(seen, deterministic=True, action_masks=masks)
            table.scores, table.invalid = [], []
            table.step_async(np.asarray(actions, dtype=np.int64))
            seen, _rewards, over, _infos = table.step_wait()
            for i, score, lost in zip(np.flatnonzero(over), table.scores, table.invalid, strict=True):
                if not found[i]:
                    scores[i], invalid[i], found[i] = score, lost, True
            if found.all():
                break
        if not found.any():  # without the mask, a game may never end
            return scores[:1], invalid[:1]
        return scores[found], invalid[found]

    def arrays(self) -> Arrays:
        """Network, Adam's memory, the games on the table, and all luck."""
        kept: Arrays = {
            "counts": self.counts,
            "luck": self.luck,
            "shuffling": self.shuffling,
            "shuffled": self.shuffled,
            "seen": self.model._last_obs,  # type: ignore[dict-item]
            "starts": self.model._last_episode_starts,  # type: ignore[dict-item]
        }
        for name, parameter in self.model.policy.named_parameters():
            kept[f"net.{name}"] = parameter.detach().numpy()
            for key, value in self.model.policy.optimizer.state[parameter].items():
                kept[f"adam.{name}.{key}"] = value.numpy()
        return {**kept, **self.table.snapshot()}

    def restore(self, arrays: Arrays) -> None:
        usable_luck(arrays["luck"])
        if not 0 <= arrays["shuffled"][0] <= len(self.shuffling):
            raise ValueError("NumPy's generator stands beyond its end")
        for name, array in self.arrays().items():
            if name != "states":
                array[...] = arrays[name]
        self.table.return_to(arrays)

    def network(self) -> Arrays:
        parameters: Sequence[tuple[str, Any]] = list(self.model.policy.named_parameters())
        return {name: parameter.detach().numpy() for name, parameter in parameters}
