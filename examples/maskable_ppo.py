"""MaskablePPO of sb3-contrib on any game, unchanged; it asks the environment which actions are legal.

python examples/maskable_ppo.py tictactoe 20000
python examples/maskable_ppo.py madn 50000
"""

from __future__ import annotations

import sys

import gymnasium
import numpy as np
import torch
from gymnasium.wrappers import FlattenObservation
from sb3_contrib import MaskablePPO


def table(game: str) -> gymnasium.Env:
    """One seat against players of any move; Stable-Baselines3 wants flat observations."""
    env = gymnasium.make("stammtisch.envs:stammtisch/Game-v1", game=game, opponents="random", reward="margin")
    return FlattenObservation(env)


def learn(game: str, steps: int) -> MaskablePPO:
    torch.set_num_threads(1)
    model = MaskablePPO("MlpPolicy", table(game), n_steps=1024, batch_size=256, gamma=1.0, seed=1, device="cpu")
    return model.learn(steps)


def mean_reward(model: MaskablePPO, game: str, games: int) -> float:
    """Its lead over the others at the end, from -1 to 1, when it plays what it likes best."""
    env, total = table(game), 0.0
    for seed in range(games):
        seen, info = env.reset(seed=seed)
        over = False
        while not over:
            action, _ = model.predict(seen, action_masks=info["action_mask"], deterministic=True)
            seen, reward, over, _, info = env.step(np.int64(action))
            total += float(reward)
    return total / games


if __name__ == "__main__":
    name, steps = sys.argv[1:]
    print(f"{mean_reward(learn(name, int(steps)), name, 200):+.3f} against players of any move")
