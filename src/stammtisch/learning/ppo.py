"""Masked PPO for any game whose actions have numbers, over games stepped together (extra ``lab``).

What is not legal has probability zero, in playing and in learning. What is seen and rewarded, and who sits in the other
seats, is the game's task (``tasks/``). Where the learner has more than one seat, every seat's decisions are a course of
their own: what happens until its next decision is the reward of the one before.

With a teacher, the first part of a run is school: the learner plays, and after every decision it is told what the
teacher would have done. Only then it goes on by PPO.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from stammtisch.core.errors import BadOption
from stammtisch.learning.checkpoints import Arrays
from stammtisch.learning.learner import EVALUATION, LAST_SEED
from stammtisch.learning.settings import MANY, setting
from stammtisch.learning.tasks.task import Table, Task, TaskLearner

FORBIDDEN = -1e9  # the preference of an illegal action


@dataclass(frozen=True)
class Config:
    """What a run is made of, whatever the game."""

    game: str = setting("clever", "that is learned; its own settings join these")
    steps: int = setting(6_000_000, "decisions in total", 1, MANY)
    envs: int = setting(64, "games side by side", 1, MANY)
    horizon: int = setting(64, "decisions of each game between two updates", 1, MANY)
    epochs: int = setting(4, "how often each decision is learned from", 1, MANY)
    batch: int = setting(256, "decisions per update", 1, MANY)
    school: float = setting(0.0, "part of the run in which it learns what a teacher says, if the game has one", 0, 1)
    rate: float = setting(5e-4, "of Adam at the start; falls to zero", 1e-9, 1.0)
    clip: float = setting(0.2, "how far one update may move the chances of an action", 1e-6, 10.0)
    entropy: float = setting(0.02, "bonus for trying many actions, at the start; falls to zero", 0.0, 100.0)
    trace: float = setting(0.95, "lambda of the advantages: 0 trusts the network's values, 1 what came of it", 0.0, 1.0)
    value_weight: float = setting(0.5, "of the value's error beside that of the policy", 0.0, 100.0)
    units: int = setting(256, "of each of the two shared layers", 1, 65_536)
    evaluation_games: int = setting(500, "games of every look at its strength", 2, 10**7)
    seed: int = setting(1, "of all luck", 0, LAST_SEED)


def usable_luck(kept: NDArray[np.uint8]) -> Tensor:
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


class PpoLearner(TaskLearner):
    """A run over ``config.steps`` decisions."""

    summary = "Masked PPO, by games with itself or against others; for games whose actions have numbers"
    config_class = Config
    unit = "steps"
    plotted = ("evaluation", "score")

    def __init__(self, config: Config, task: Task) -> None:
        super().__init__(config, task)
        torch.set_num_threads(1)  # one is faster than two that wait for each other
        self.table = task.table(config.envs, config.seed)
        if config.school and not self.table.teaches:
            raise BadOption(f"school = {config.school}, but nobody teaches: name a teacher, or leave school out")
        torch.manual_seed(config.seed)
        self.net = Network(self.table.inputs, config.units, self.table.actions)
        self.adam = torch.optim.Adam(self.net.parameters(), lr=config.rate, eps=1e-5)
        self.luck = torch.Generator().manual_seed(config.seed)
        self.counts = np.zeros(1, dtype=np.int64)
        self._start_adam()
        shape = (config.horizon, config.envs)
        self._seen = torch.empty((*shape, self.table.inputs))
        self._legal = torch.empty((*shape, self.table.actions), dtype=torch.bool)
        self._chosen = torch.empty(shape, dtype=torch.int64)
        self._advice = torch.zeros(shape, dtype=torch.int64)
        self._seats = torch.empty(shape, dtype=torch.int64)
        self._chance, self._values = torch.empty(shape), torch.empty(shape)
        self._rewards, self._over = torch.empty((*shape, self.table.seats)), torch.empty(shape, dtype=torch.bool)

    def _start_adam(self) -> None:
        """One update by nothing: makes Adam's memory, so that it can be kept and restored from the first step on."""
        for parameter in self.net.parameters():
            parameter.grad = torch.zeros_like(parameter)
        self.adam.step()

    @property
    def total(self) -> int:
        return self.config.steps

    def step(self) -> dict[str, float]:
        """Play ``horizon`` decisions in every game and learn from them."""
        left = max(0.0, 1.0 - self.done / self.total)
        for group in self.adam.param_groups:
            group["lr"] = self.config.rate * left
        school = self.done < self.config.school * self.total
        scores, last = self._play(school)
        seats = torch.from_numpy(self.table.deciders())
        course = Course(self._rewards, self._over, self._seats, self._values)
        advantages, known = advantages_of(course, last, seats, self.config.trace)
        returns = advantages + self._values
        numbers = self._learn(advantages, returns, known, self.config.entropy * left, school)
        self.counts[0] += self._chosen.numel()
        return {"score": float(np.mean(scores)) if scores else 0.0, **numbers}

    @torch.no_grad()
    def _play(self, school: bool) -> tuple[list[float], Tensor]:
        scores: list[float] = []
        for t in range(self.config.horizon):
            if school:
                self._advice[t] = torch.from_numpy(self.table.advice())
            self._seen[t], self._legal[t] = self._look(self.table)
            self._seats[t] = torch.from_numpy(self.table.deciders())
            chances, self._values[t] = self.net(self._seen[t], self._legal[t])
            chosen = torch.multinomial(chances.exp(), 1, generator=self.luck).squeeze(-1)
            self._chosen[t], self._chance[t] = chosen, chances.gather(1, chosen[:, None]).squeeze(-1)
            rewards, over, final = self.table.step(chosen.numpy())
            self._rewards[t], self._over[t] = torch.from_numpy(rewards), torch.from_numpy(over)
            scores += final[over].tolist()
        return scores, self.net(*self._look(self.table))[1]

    def _look(self, table: Table) -> tuple[Tensor, Tensor]:
        return torch.from_numpy(table.observations()), torch.from_numpy(table.masks())

    def _learn(
        self, advantages: Tensor, returns: Tensor, known: Tensor, entropy_weight: float, school: bool
    ) -> dict[str, float]:
        config, used = self.config, known.flatten()
        advantages, returns = advantages.flatten()[used], returns.flatten()[used]
        seen, legal = self._seen.flatten(0, 1)[used], self._legal.flatten(0, 1)[used]
        chosen, before, advice = (one.flatten()[used] for one in (self._chosen, self._chance, self._advice))
        sums = np.zeros(3)
        updates = 0
        for _ in range(config.epochs):
            order = torch.randperm(len(chosen), generator=self.luck)
            for start in range(0, len(order), config.batch):
                part = order[start : start + config.batch]
                if len(part) < 2:  # one alone has no spread to be measured by
                    continue
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
        means = sums / max(1, updates)
        return {"policy_loss": means[0], "value_loss": means[1], "entropy": means[2]}

    @torch.no_grad()
    def evaluate(self, games: int | None = None) -> NDArray[np.float64]:
        """Final scores when always the most likely action is played."""
        wanted = games or self.config.evaluation_games
        table = self.task.test_table(wanted, EVALUATION)
        scores, found = np.empty(wanted), np.zeros(wanted, dtype=np.bool_)
        while not found.all():
            chances, _ = self.net(*self._look(table))
            _, over, final = table.step(chances.argmax(-1).numpy())
            first = over & ~found
            scores[first] = final[first]
            found |= over
        return scores

    def arrays(self) -> Arrays:
        """The network, Adam's memory, the games on the table, and all luck."""
        kept: Arrays = {"counts": self.counts, "luck": self.luck.get_state().numpy().copy()}
        for name, parameter in self.net.named_parameters():
            kept[f"net.{name}"] = parameter.detach().numpy()
            for key, value in self.adam.state[parameter].items():
                kept[f"adam.{name}.{key}"] = value.numpy()
        return {**kept, **self.table.snapshot()}

    def restore(self, arrays: Arrays) -> None:
        snapshot = self.table.snapshot()
        for name, array in self.arrays().items():
            if name != "luck" and name not in snapshot:
                array[...] = arrays[name]
        self.luck.set_state(usable_luck(arrays["luck"]))
        self.table.return_to(arrays)

    def network(self) -> Arrays:
        return {name: parameter.detach().numpy() for name, parameter in self.net.named_parameters()}

    def onnx(self) -> bytes:
        from stammtisch.learning.export import policy_network

        return policy_network(self.network(), self.table.inputs, self.table.actions, f"{self.config.game}_ppo")


class Course(NamedTuple):
    """What was played: one row per decision, one column per game."""

    rewards: Tensor  # by row, game and seat
    over: Tensor  # whether the game ended with this decision
    seats: Tensor  # who decided
    values: Tensor  # and what was expected


def advantages_of(course: Course, following: Tensor, seats: Tensor, trace: float) -> tuple[Tensor, Tensor]:
    """By how much each action was better than expected, and where that is known.

    Generalised advantage estimation without discount, for each seat by its own decisions: what it gets until its next
    one is the reward of the one before. ``following`` is what the ``seats`` that decide after the last row expect; of
    every other seat's last decision it is not known what comes next, so that decision teaches nothing.
    """
    rewards, over, deciders, values = course
    out, known = torch.zeros_like(values), torch.zeros_like(over)
    columns = torch.arange(values.shape[1])
    gathered = torch.zeros_like(rewards[0])  # since the seat's next decision, by game and seat
    later, ahead = torch.zeros_like(gathered), torch.zeros_like(gathered)  # its advantage and value then
    ready = torch.zeros_like(gathered, dtype=torch.bool)  # whether there is such a decision, or an end
    ahead[columns, seats], ready[columns, seats] = following, True
    for t in range(len(values) - 1, -1, -1):
        goes_on = ~over[t][:, None]
        gathered, later, ahead = gathered * goes_on + rewards[t], later * goes_on, ahead * goes_on
        ready |= over[t][:, None]
        mover = columns, deciders[t]
        surprise = gathered[mover] + ahead[mover] - values[t]
        known[t] = ready[mover]
        out[t] = torch.where(known[t], surprise + trace * later[mover], 0.0)
        later[mover], ahead[mover] = out[t], values[t]
        gathered[mover], ready[mover] = 0.0, True
    return out, known
