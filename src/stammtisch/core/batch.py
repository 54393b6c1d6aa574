"""N games stepped together in compiled code.

The legal actions of all games come as one flat list with offsets, because games differ widely in how
many they have: those of game ``i`` are ``actions[offsets[i]:offsets[i + 1]]``, none when it is over.
Each game has its own random stream, so a batch gives the same games however it is cut into parts.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.actions import actions_at, fill_masks
from stammtisch.core.checks import whole, wholes
from stammtisch.core.compiling import compiled
from stammtisch.core.errors import IllegalMove
from stammtisch.core.game import Game, State
from stammtisch.core.kernel import (
    OVER,
    Actions,
    Records,
    apply,
    legal_actions,
    new_game,
    observe,
    player,
    scores,
)
from stammtisch.core.mind import pick
from stammtisch.core.rng import below, streams

MOST = 1 << 31  # games, and steps at a time


class Batch:
    """``n`` games of the same rules.

    >>> import stammtisch as st
    >>> batch = Batch(st.game("tictactoe"), 1000, seed=3)
    >>> actions, offsets = batch.legal()
    >>> batch.step(actions[offsets[:-1]])  # everybody marks the first free square
    >>> [int(seat) for seat in batch.players()[:3]]
    [1, 1, 1]
    """

    def __init__(self, game: Game, n: int, seed: int) -> None:
        self.game = game
        self._blank = game.blank()
        self.states: Records = self._blank.repeat(whole(n, "the number of games", 0, MOST))
        self.rngs = streams(seed, n)
        _new_games(self.states, self.rngs)

    def __len__(self) -> int:
        return len(self.states)

    def state(self, i: int) -> State:
        """Game ``i`` as a State of its own (a copy)."""
        i = whole(i, "a game of the batch", 0, len(self) - 1)
        return self.game.state(self.states[i : i + 1].copy(), self.rngs[i].copy())

    def players(self) -> NDArray[np.int64]:
        """The seat that decides in each game, -1 where it is over."""
        out = np.empty(len(self), dtype=np.int64)
        _players(self.states, out)
        return out

    def legal(self) -> tuple[Actions, Actions]:
        """All legal actions, flat, and the offsets of each game's part."""
        offsets = np.zeros(len(self) + 1, dtype=np.int64)
        return _legal(self.states, offsets, self.game.spec.max_actions), offsets

    def masks(self) -> NDArray[np.bool_]:
        """The numbers of the legal actions as one row of flags per game, see ``core/actions.py``."""
        out = np.zeros((len(self), self.game.spec.numbers), dtype=np.bool_)
        fill_masks(self.states, np.empty(self.game.spec.max_actions, dtype=np.int64), out)
        return out

    def actions_at(self, numbers: Actions) -> Actions:
        """The actions of these numbers, one for each game; -1 where no legal action has it."""
        numbers = wholes(numbers, "the numbers of actions", len(self))
        numbers = np.where((numbers >= 0) & (numbers < self.game.spec.numbers), numbers, -1)
        out = np.empty(len(self), dtype=np.int64)
        buffer = np.empty(self.game.spec.max_actions, dtype=np.int64)
        actions_at(self.states, numbers, buffer, out)
        return out

    def step(self, actions: Actions, checked: bool = True) -> None:
        """Play one legal action in each game; games that are over stay as they are.

        If one is not legal, nothing is played anywhere. Whoever has the actions from :meth:`legal` or
        :meth:`actions_at` may save the look at them: without ``checked``, an illegal one can do anything.
        """
        actions = wholes(actions, "the actions", len(self))
        if checked:
            buffer = np.empty(self.game.spec.max_actions, dtype=np.int64)
            wrong = int(_first_illegal(self.states, actions, buffer))
            if wrong >= 0:
                raise IllegalMove(f"action {actions[wrong]} is not legal in game {wrong} of the batch")
        _step(self.states, actions, self.rngs)

    def observations(self) -> NDArray[np.float32]:
        """What the deciding seat of each game sees; zeros where the game is over."""
        out = np.zeros((len(self), self.game.spec.observation_size), dtype=np.float32)
        _observe(self.states, out)
        return out.reshape(len(self), *self.game.spec.observation_shape)

    def scores(self) -> NDArray[np.float64]:
        """One row per game, one column per seat."""
        out = np.zeros((len(self), self.game.spec.seats))
        _scores(self.states, out)
        return out

    def restart(self) -> int:
        """Begin a new game wherever one is over, and say how many."""
        return int(_restart(self.states, self._blank, self.rngs))

    def random_steps(self, steps: int) -> int:
        """``steps`` random moves in every game, starting anew where one is over; the number of games ended."""
        steps = whole(steps, "the number of steps", 0, MOST)
        buffer = np.empty(self.game.spec.max_actions, dtype=np.int64)
        return int(_random_steps(self.states, self._blank, self.rngs, buffer, steps))

    def policy_steps(self, steps: int) -> int:
        """As :meth:`random_steps`, but with the moves that the game's own policy for playouts makes."""
        steps = whole(steps, "the number of steps", 0, MOST)
        buffer = np.empty(self.game.spec.max_actions, dtype=np.int64)
        return int(_policy_steps(self.game.mind(), self.states, self._blank, self.rngs, buffer, steps))


def warm_batch(game: Game) -> None:
    """Compile everything a batch does, so that later ones start at once."""
    batch = Batch(game, 2, seed=1)
    batch.random_steps(1)
    batch.policy_steps(1)
    actions, offsets = batch.legal()
    batch.step(actions[offsets[:-1]])
    batch.actions_at(batch.masks().argmax(axis=1))
    batch.players()
    batch.observations()
    batch.scores()
    batch.restart()


@compiled
def _new_games(states: Records, rngs: NDArray[np.int64]) -> None:
    for i in range(len(states)):
        new_game(states[i], rngs[i])


@compiled
def _players(states: Records, out: NDArray[np.int64]) -> None:
    for i in range(len(states)):
        out[i] = player(states[i])


@compiled
def _legal(states: Records, offsets: Actions, max_actions: int) -> Actions:
    flat = np.empty(max_actions * 4 + len(states) * 8, dtype=np.int64)
    for i in range(len(states)):
        begin = offsets[i]
        if begin + max_actions > len(flat):
            larger = np.empty(2 * len(flat), dtype=np.int64)
            larger[:begin] = flat[:begin]
            flat = larger
        offsets[i + 1] = begin + legal_actions(states[i], flat[begin:])
    return flat[: offsets[-1]].copy()


@compiled
def _first_illegal(states: Records, actions: Actions, buffer: Actions) -> int:
    """The first game whose action is not legal, -1 if all are; legal actions are ascending."""
    for i in range(len(states)):
        if player(states[i]) == OVER:
            continue
        low, high = 0, legal_actions(states[i], buffer)
        end = high
        while low < high:
            middle = (low + high) // 2
            if buffer[middle] < actions[i]:
                low = middle + 1
            else:
                high = middle
        if low == end or buffer[low] != actions[i]:
            return i
    return -1


@compiled
def _step(states: Records, actions: Actions, rngs: NDArray[np.int64]) -> None:
    for i in range(len(states)):
        if player(states[i]) != OVER:
            apply(states[i], actions[i], rngs[i])


@compiled
def _observe(states: Records, out: NDArray[np.float32]) -> None:
    for i in range(len(states)):
        seat = player(states[i])
        if seat != OVER:
            observe(states[i], seat, out[i])


@compiled
def _scores(states: Records, out: NDArray[np.float64]) -> None:
    for i in range(len(states)):
        scores(states[i], out[i])


@compiled
def _restart(states: Records, blank: Records, rngs: NDArray[np.int64]) -> int:
    n = 0
    for i in range(len(states)):
        if player(states[i]) == OVER:
            states[i] = blank[0]
            new_game(states[i], rngs[i])
            n += 1
    return n


@compiled
def _random_steps(states: Records, blank: Records, rngs: NDArray[np.int64], buffer: Actions, steps: int) -> int:
    ended = 0
    for i in range(len(states)):
        state, rng = states[i], rngs[i]
        if steps and player(state) == OVER:
            states[i] = blank[0]
            new_game(state, rng)
        for _ in range(steps):
            apply(state, buffer[below(rng, legal_actions(state, buffer))], rng)
            if player(state) == OVER:
                states[i] = blank[0]
                new_game(state, rng)
                ended += 1
    return ended


@compiled
def _policy_steps(
    minds: Records, states: Records, blank: Records, rngs: NDArray[np.int64], buffer: Actions, steps: int
) -> int:
    ended = 0
    for i in range(len(states)):
        state, rng = states[i], rngs[i]
        if steps and player(state) == OVER:
            states[i] = blank[0]
            new_game(state, rng)
        for _ in range(steps):
            apply(state, pick(minds[0], state, buffer, rng), rng)
            if player(state) == OVER:
                states[i] = blank[0]
                new_game(state, rng)
                ended += 1
    return ended
