"""A network that learns a game by itself, with PyTorch and nothing else, and then plays in the arena.

    python examples/learn_with_torch.py tictactoe 4000

Q-learning on 256 games at once: the worth of an action is what it brings, and then the best that follows.
"""

from __future__ import annotations

import sys

import torch
from torch import nn

import stammtisch as st
from stammtisch.agents.base import Agent, Budget, Choice
from stammtisch.core.game import Game, Seat
from stammtisch.core.rng import Rng
from stammtisch.envs.vector import VectorGames


def learn(game: Game, steps: int, opponents: str = "random") -> nn.Module:
    torch.manual_seed(1)
    torch.set_num_threads(1)
    games = VectorGames(game, 256, seed=1, opponents=opponents, reward="margin")
    seen, legal = torch.from_numpy(games.observations), torch.from_numpy(games.masks)  # the same memory: always current
    layers = nn.LazyLinear(128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, game.spec.numbers)
    net, rows = nn.Sequential(nn.Flatten(), *layers), torch.arange(len(games))
    net(seen)  # now it knows how wide its input is
    adam = torch.optim.Adam(net.parameters(), lr=1e-3)
    for _ in range(steps):
        worth = net(seen)
        best = worth.masked_fill(~legal, -9).argmax(1)
        number = torch.where(torch.rand(len(games)) < 0.1, torch.from_numpy(games.sample()), best)
        seats = torch.from_numpy(games.seats.copy())
        games.step(number.numpy())
        with torch.no_grad():
            ahead = net(seen).masked_fill(~legal, -9).amax(1) * ~torch.from_numpy(games.over)
        target = torch.from_numpy(games.rewards)[rows, seats].float() + ahead
        loss = (worth[rows, number] - target).square().mean()
        adam.zero_grad()
        loss.backward()
        adam.step()
    return net


def player(net: nn.Module) -> type[Agent]:
    """For the arena: it plays what the network finds worth most."""

    class Learned(Agent):
        def __init__(self, game: Game) -> None:
            self.net = net

        def choose(self, seat: Seat, rng: Rng, budget: Budget | None = None) -> Choice:
            with torch.no_grad():
                worth = self.net(torch.from_numpy(seat.observation())[None])[0]
            return Choice(max(seat.actions(), key=lambda action: float(worth[seat.number(action)])))

    return Learned


if __name__ == "__main__":
    name, steps = sys.argv[1:]
    print(st.match(name, player(learn(st.game(name), int(steps))), "random", rounds=100))
