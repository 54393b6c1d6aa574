"""Looks one choice ahead: every action, the rolls that may follow, and for each the best that can be made of it."""

from __future__ import annotations

import numpy as np

from stammtisch.agents.base import Agent, Budget, Candidate, Choice, decision
from stammtisch.core.compiling import compiled
from stammtisch.core.game import Game, Seat
from stammtisch.core.kernel import OVER, Actions, Records, Vector, apply, player
from stammtisch.core.rng import Rng
from stammtisch.games.clever.policy import BEYOND, WEIGHTS, best_action, moment, worth
from stammtisch.games.clever.sheet import total_points


class Expectimax(Agent):
    """Averages over ``samples`` rolls, the same for all actions; what follows without dice is looked at once."""

    def __init__(self, game: Game, samples: int) -> None:
        self.samples = samples
        self._work = game.kernel.blank(2)
        self._buffer = np.empty(game.spec.max_actions, dtype=np.int64)

    def choose(self, seat: Seat, rng: Rng, budget: Budget | None = None) -> Choice:
        actions = np.array(decision(seat), dtype=np.int64)
        values = np.empty(len(actions))
        samples = self.samples if budget is None or budget.iterations is None else budget.iterations
        self._work[0] = seat.sample(rng).record
        expected_points(self._work, actions, self._buffer, WEIGHTS, samples, rng, values)
        order = np.argsort(-values, kind="stable")
        return Choice(int(actions[order[0]]), [Candidate(int(actions[i]), float(values[i])) for i in order])


@compiled
def expected_points(
    work: Records, actions: Actions, buffer: Actions, weights: Vector, samples: int, rng: Rng, out: Vector
) -> None:
    """Write the points to expect after each of the actions in the position ``work[0]``."""
    seat, luck = int(work[0].turn), rng.copy()
    for i in range(len(actions)):
        total, done = 0.0, 0
        rng[:] = luck
        while done < samples:
            work[1] = work[0]
            state = work[1]
            before = rng.copy()
            apply(state, actions[i], rng)
            while np.all(rng == before) and player(state) == seat:  # on to the next roll
                apply(state, best_action(state, buffer, weights)[0], rng)
            if player(state) == OVER:
                total += total_points(state, seat)
            elif state.turn != seat:
                total += worth(state, seat, weights)
            else:
                total += best_action(state, buffer, weights)[1]
                if state.players == 1 and not state.prototype:
                    total += BEYOND[state.round_number - 1, moment(state)]
            done += 1
            if np.all(rng == before):  # nothing was rolled: it is always the same
                break
        out[i] = total / done
