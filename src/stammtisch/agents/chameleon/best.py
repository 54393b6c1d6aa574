"""The strongest player of Chamäleon Schach, and its levels for people."""

from __future__ import annotations

import numpy as np

from stammtisch.agents.base import Agent, Budget, Candidate, Choice
from stammtisch.agents.chameleon.engine import CERTAIN, DEEPEST, INFINITE, Mind, new_mind, visit
from stammtisch.core.game import Game, Seat
from stammtisch.core.rng import Rng, stream
from stammtisch.games.chameleon.rules import survivors
from stammtisch.search.clock import time_limit

DEFAULT_MS = 1000.0
ENTRIES = 1 << 19


class Best(Agent):
    def __init__(self, game: Game, depth: int | None, ms: float | None, replies: bool) -> None:
        self.depth = depth
        self.ms = DEFAULT_MS if depth is None and ms is None else ms
        self.replies = replies
        self.mind: Mind = new_mind(game.kernel.state, ENTRIES)
        self.seen: list[int] = []
        self.sort = b""

    def choose(self, seat: Seat, rng: Rng, budget: Budget | None = None) -> Choice:
        budget = budget or Budget()
        ms = self.ms if budget.ms is None else budget.ms
        state = seat.sample(rng)
        mind = self.mind
        mind.states[0] = state.record
        root = int(state.record.turn)
        replies = int(self.replies and survivors(state.record) > 2)
        mind.nodes[0] = 0
        mind.killers[:] = 0
        actions = state.actions()
        mind.choice[0] = actions[0]
        sort = state.record.limits.tobytes() + state.record.alive.tobytes()
        if sort != self.sort:
            self.seen, self.sort = [], sort
        self.seen = self.seen[-60:]
        mind.seen[: len(self.seen)] = self.seen
        mind.seen[len(self.seen)] = 0
        self.seen.append(int(state.record.key))
        nobody = stream(0)
        with time_limit(None if ms is None else ms - 3) as stop:
            mind = mind._replace(stop=stop)
            for depth in range(1, (self.depth or DEEPEST) + 1):
                if len(actions) == 1:
                    break
                score = visit(mind, 0, depth, -INFINITE, INFINITE, root, replies, nobody)
                if stop[0]:
                    break
                self.last = (depth, int(score), int(mind.nodes[0]))
                if abs(score) > CERTAIN:
                    break
        best = int(mind.choice[0])
        state.apply(best)
        self.seen.append(int(state.record.key))
        return Choice(best)
