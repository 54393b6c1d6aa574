"""Fast masked PPO for Ganz schön clever alone, over the batched kernel (extra ``lab``).

Hundreds of games are stepped together. What is not legal has probability zero, in playing and in learning. The reward
is the points that an action gains, as in the thesis; the network sees the full observation of the game. With
``shaped``, the reward also has what the heuristic then expects of the rest, less what it expected before. That changes
nothing about which play is best (the sum over a game is the same but for its start), only how soon it is found.

With a ``teacher``, the first part of a run is school: the learner plays, and after every decision it is told what the
teacher, a value network of the package, would have done. Only then it goes on by PPO, from points alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from stammtisch.agents.clever.judge import new_bench
from stammtisch.agents.clever.net import read_net
from stammtisch.learning.games import Games

EVALUATION = 1_000_000_000  # seed of the games for evaluation, never trained on
POINTS = 20.0  # per unit of reward
FORBIDDEN = -1e9  # the preference of an illegal action


@dataclass(frozen=True)
class Config:
    """What a run is made of."""

    rules: str = "thesis"
    steps: int = 6_000_000  # decisions in total
    envs: int = 64  # games side by side
    horizon: int = 64  # decisions of each between two updates
    epochs: int = 4
    batch: int = 256
    teacher: str = ""  # a value network of the package
    school: float = 0.0  # part of the run that it teaches
    shaped: bool = True  # by what the heuristic expects
    rate: float = 5e-4  # of Adam at the start; falls to zero
    clip: float = 0.2
    entropy: float = 0.02  # at the start; falls to zero
    trace: float = 0.95  # lambda of the advantages
    value_weight: float = 0.5
    units: int = 256
    evaluation_games: int = 500
    seed: int = 1


def usable_luck(kept: NDArray[Any]) -> Tensor:
    """The state of torch's generator, if it is one."""
    luck = torch.from_numpy(kept.copy())
    try:
        torch.Generator().set_state(luck)
    except RuntimeError as error:
        raise ValueError(f"no state of a generator ({error})") from None
    return luck


class Network(nn.Module):
    """Two shared layers, then preferences of all actions and the points to come."""

    def __init__(self, inputs: int, units: int, actions: int) -> None:
        super().__init__()
        self.one, self.two = nn.Linear(inputs, units), nn.Linear(units, units)
        self.policy, self.value = nn.Linear(units, actions), nn.Linear(units, 1)
        nn.init.orthogonal_(self.policy.weight, 0.01)

    def forward(self, seen: Tensor, legal: Tensor) -> tuple[Tensor, Tensor]:
        hidden = functional.relu(self.two(functional.relu(self.one(seen))))
        preferences = self.policy(hidden).masked_fill(~legal, FORBIDDEN)
        return functional.log_softmax(preferences, -1), self.value(hidden).squeeze(-1)


class PpoLearner:
    """A run over ``config.steps`` decisions."""

    config_class = Config
    unit = "steps"
    plotted = ("evaluation", "score")
    marks = (200, 280)

    def __init__(self, config: Config) -> None:
        torch.set_num_threads(1)  # one is faster than two that wait for each other
        self.config = config
        self.env = Games(config.envs, rules=config.rules, observation="full", illegal="error")
        self.inputs, self.actions = self.env.table.size, self.env.table.actions
        torch.manual_seed(config.seed)
        self.net = Network(self.inputs, config.units, self.actions)
        self.adam = torch.optim.Adam(self.net.parameters(), lr=config.rate, eps=1e-5)
        self.luck = torch.Generator().manual_seed(config.seed)
        self.counts = np.zeros(1, dtype=np.int64)
        self._teacher = read_net(config.teacher) if config.teacher else None
        self._bench = new_bench(self.env.table.game.kernel, self._teacher) if self._teacher else None
        self._start_adam()
        self.env.reset(seed=config.seed)
        shape = (config.horizon, config.envs)
        self._seen = torch.empty((*shape, self.inputs))
        self._legal = torch.empty((*shape, self.actions), dtype=torch.bool)
        self._chosen = torch.empty(shape, dtype=torch.int64)
        self._advice = torch.zeros(shape, dtype=torch.int64)
        self._chance, self._values = torch.empty(shape), torch.empty(shape)
        self._rewards, self._over = torch.empty(shape), torch.empty(shape)

    def _start_adam(self) -> None:
        """One update by nothing: makes Adam's memory, so that it can be kept and restored from the first step on."""
        for parameter in self.net.parameters():
            parameter.grad = torch.zeros_like(parameter)
        self.adam.step()

    @property
    def done(self) -> int:
        return int(self.counts[0])

    @property
    def total(self) -> int:
        return self.config.steps

    def step(self) -> dict[str, float]:
        """Play ``horizon`` decisions in every game and learn from them."""
        left = max(0.0, 1.0 - self.done / self.total)
        for group in self.adam.param_groups:
            group["lr"] = self.config.rate * left
        school = self._teacher is not None and self.done < self.config.school * self.total
        scores, last = self._play(school)
        advantages = self._advantages(last)
        returns = advantages + self._values
        numbers = self._learn(advantages.flatten(), returns.flatten(), self.config.entropy * left, school)
        self.counts[0] += self._chosen.numel()
        return {"score": float(np.mean(scores)) if scores else 0.0, **numbers}

    @torch.no_grad()
    def _play(self, school: bool) -> tuple[list[int], Tensor]:
        scores: list[int] = []
        for t in range(self.config.horizon):
            if school and self._teacher and self._bench:
                self._advice[t] = torch.from_numpy(self.env.advice(self._teacher, self._bench))
            self._seen[t] = torch.from_numpy(self.env.observations)
            self._legal[t] = torch.from_numpy(self.env.action_masks())
            chances, self._values[t] = self.net(self._seen[t], self._legal[t])
            chosen = torch.multinomial(chances.exp(), 1, generator=self.luck).squeeze(-1)
            self._chosen[t], self._chance[t] = chosen, chances.gather(1, chosen[:, None]).squeeze(-1)
            before = self.env.promises() if self.config.shaped else 0.0
            _, rewards, over, _, info = self.env.step(chosen.numpy())
            after = np.where(over, 0.0, self.env.promises()) if self.config.shaped else 0.0
            self._rewards[t] = torch.from_numpy((rewards + after - before) / POINTS)
            self._over[t] = torch.from_numpy(over).float()
            scores += info["final_score"][over].tolist()
        seen, legal = torch.from_numpy(self.env.observations), torch.from_numpy(self.env.action_masks())
        return scores, self.net(seen, legal)[1]

    def _advantages(self, following: Tensor) -> Tensor:
        """By how much each action was better than expected (generalised advantage estimation without discount)."""
        out, later = torch.empty_like(self._values), torch.zeros_like(following)
        for t in range(self.config.horizon - 1, -1, -1):
            goes_on = 1.0 - self._over[t]
            surprise = self._rewards[t] + goes_on * following - self._values[t]
            later = surprise + self.config.trace * goes_on * later
            out[t], following = later, self._values[t]
        return out

    def _learn(self, advantages: Tensor, returns: Tensor, entropy_weight: float, school: bool) -> dict[str, float]:
        config = self.config
        seen, legal = self._seen.flatten(0, 1), self._legal.flatten(0, 1)
        chosen, before, advice = self._chosen.flatten(), self._chance.flatten(), self._advice.flatten()
        sums = np.zeros(3)
        updates = 0
        for _ in range(config.epochs):
            order = torch.randperm(len(chosen), generator=self.luck)
            for start in range(0, len(order), config.batch):
                part = order[start : start + config.batch]
                chances, values = self.net(seen[part], legal[part])
                chance = chances.gather(1, chosen[part, None]).squeeze(-1)
                gain = advantages[part]
                gain = (gain - gain.mean()) / (gain.std() + 1e-8)
                ratio = (chance - before[part]).exp()
                policy_loss = -torch.min(ratio * gain, ratio.clamp(1 - config.clip, 1 + config.clip) * gain).mean()
                if school:
                    policy_loss = -chances.gather(1, advice[part, None]).mean()
                value_loss = functional.mse_loss(values, returns[part])
                entropy = -(chances.exp() * chances.clamp(min=FORBIDDEN / 10)).sum(-1).mean()
                loss = policy_loss + config.value_weight * value_loss - entropy_weight * entropy
                self.adam.zero_grad(set_to_none=False)
                loss.backward()
                nn.utils.clip_grad_norm_(self.net.parameters(), 0.5)
                self.adam.step()
                sums += [policy_loss.item(), value_loss.item(), entropy.item()]
                updates += 1
        means = sums / updates
        return {"policy_loss": means[0], "value_loss": means[1], "entropy": means[2]}

    @torch.no_grad()
    def evaluate(self, games: int | None = None) -> NDArray[np.float64]:
        """Final scores when always the most likely action is played."""
        wanted = games or self.config.evaluation_games
        env = Games(wanted, rules=self.config.rules, observation="full", illegal="error")
        env.reset(seed=EVALUATION)
        scores, found = np.empty(wanted), np.zeros(wanted, dtype=np.bool_)
        while not found.all():
            chances, _ = self.net(torch.from_numpy(env.observations), torch.from_numpy(env.action_masks()))
            _, _, over, _, info = env.step(chances.argmax(-1).numpy())
            first = over & ~found
            scores[first] = info["final_score"][first]
            found |= over
        return scores

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The network, Adam's memory, the games on the table, and all luck."""
        kept: dict[str, NDArray[Any]] = {"counts": self.counts, "luck": self.luck.get_state().numpy().copy()}
        for name, parameter in self.net.named_parameters():
            kept[f"net.{name}"] = parameter.detach().numpy()
            for key, value in self.adam.state[parameter].items():
                kept[f"adam.{name}.{key}"] = value.numpy()
        return {**kept, **self.env.snapshot()}

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        for name, array in self.arrays().items():
            if name not in ("luck", "states", "rngs"):
                array[...] = arrays[name]
        self.luck.set_state(usable_luck(arrays["luck"]))
        self.env.return_to(arrays)

    def network(self) -> dict[str, NDArray[Any]]:
        return {name: parameter.detach().numpy() for name, parameter in self.net.named_parameters()}
