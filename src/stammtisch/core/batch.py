"""N games stepped together in compiled code.

The legal actions of all games come as one flat list with offsets, because games differ widely in how
many they have: those of game ``i`` are ``actions[offsets[i]:offsets[i + 1]]``, none when it is over.
Each game has its own random stream, so a batch gives the same games however it is cut into parts, and however many
threads step it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.actions import actions_at, fill_masks
from stammtisch.core.checks import whole, wholes
from stammtisch.core.compiling import compiled
from stammtisch.core.errors import BadNumber, IllegalMove, StammtischError
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
from stammtisch.core.rng import WORDS, below, streams

MOST = 1 << 31  # games, and steps at a time


class Batch:
    """``n`` games of the same rules; ``threads`` share the work of every call.

    What a call fills is a new array, or the one given as ``out``, which may be somebody else's memory.

    >>> import stammtisch as st
    >>> batch = Batch(st.game("tictactoe"), 1000, seed=3)
    >>> actions, offsets = batch.legal()
    >>> batch.step(actions[offsets[:-1]])  # everybody marks the first free square
    >>> [int(seat) for seat in batch.players()[:3]]
    [1, 1, 1]
    """

    def __init__(self, game: Game, n: int, seed: int, threads: int = 1) -> None:
        self.game = game
        self._blank = game.blank()
        self.states: Records = self._blank.repeat(whole(n, "the number of games", 0, MOST))
        self.rngs = streams(seed, n)
        cuts = [n * part // threads for part in range(threads + 1)]
        self._parts = [slice(*ends) for ends in pairwise(cuts)]
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self.new_games()

    def __len__(self) -> int:
        return len(self.states)

    def part(self, which: Actions) -> Batch:
        """Some of the games, copied: what is played there is not played here."""
        some = Batch(self.game, 0, 0)
        some.states, some.rngs = self.states[which], self.rngs[which]
        some._parts = [slice(0, len(which))]
        return some

    def new_games(self, where: NDArray[np.bool_] | None = None) -> None:
        """Begin anew in these games, over or not; without a choice in all."""
        _begin_anew(self.states, self._blank, self.rngs, np.ones(len(self), dtype=np.bool_) if where is None else where)

    def state(self, i: int) -> State:
        """Game ``i`` as a State of its own (a copy)."""
        i = whole(i, "a game of the batch", 0, len(self) - 1)
        return self.game.state(self.states[i : i + 1].copy(), self.rngs[i].copy())

    def each_part(self, work: Callable[[slice], Any]) -> list[Any]:
        """Do some compiled work for all games, each thread for its part of them; the results in order."""
        return [work(part) for part in self._parts] if self._pool is None else list(self._pool.map(work, self._parts))

    def players(self, out: Actions | None = None) -> NDArray[np.int64]:
        """The seat that decides in each game, -1 where it is over."""
        filled = _room(out, (len(self),), np.int64)
        _players(self.states, filled)
        return filled

    def legal(self) -> tuple[Actions, Actions]:
        """All legal actions, flat, and the offsets of each game's part."""
        offsets = np.zeros(len(self) + 1, dtype=np.int64)
        return legal_lists(self.states, offsets, self.game.spec.max_actions), offsets

    def masks(self, out: NDArray[np.bool_] | None = None) -> NDArray[np.bool_]:
        """The numbers of the legal actions as one row of flags per game, see ``core/actions.py``."""
        filled = _room(out, (len(self), self.game.spec.numbers), np.bool_)
        filled[:] = False
        self.each_part(lambda part: fill_masks(self.states[part], self._buffer(), filled[part]))
        return filled

    def actions_at(self, numbers: Actions, out: Actions | None = None) -> Actions:
        """The actions of these numbers, one for each game; -1 where no legal action has it."""
        given = wholes(numbers, "the numbers of actions", len(self))
        given = np.where((given >= 0) & (given < self.game.spec.numbers), given, -1)
        filled = _room(out, (len(self),), np.int64)
        self.each_part(lambda part: actions_at(self.states[part], given[part], self._buffer(), filled[part]))
        return filled

    def step(self, actions: Actions, checked: bool = True) -> None:
        """Play one legal action in each game; games that are over stay as they are.

        If one is not legal, nothing is played anywhere. Whoever has the actions from :meth:`legal` or
        :meth:`actions_at` may save the look at them: without ``checked``, an illegal one can do anything, and a game
        whose action is -1 stays as it is.
        """
        given = wholes(actions, "the actions", len(self))
        if checked:
            wrong = int(_first_illegal(self.states, given, self._buffer()))
            if wrong >= 0:
                raise IllegalMove(f"action {given[wrong]} is not legal in game {wrong} of the batch")
        self.each_part(lambda part: _step(self.states[part], given[part], self.rngs[part]))

    def observations(
        self, out: NDArray[np.float32] | None = None, seats: int | Actions | None = None
    ) -> NDArray[np.float32]:
        """What the deciding seat of each game sees, zeros where the game is over; or what these seats see."""
        shape = (len(self), *self.game.spec.observation_shape)
        filled = _room(out, shape, np.float32)
        flat = filled.reshape(len(self), -1)
        eyes = self.players() if seats is None else np.broadcast_to(np.asarray(seats, dtype=np.int64), len(self)).copy()
        if seats is not None and not np.isin(eyes, self.game.spec.taken).all():
            raise ValueError(f"seats that somebody plays: {', '.join(map(str, self.game.spec.taken))}")
        self.each_part(lambda part: _observe(self.states[part], eyes[part], flat[part]))
        return filled

    def scores(self, out: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        """One row per game, one column per seat."""
        filled = _room(out, (len(self), self.game.spec.seats), np.float64)
        _scores(self.states, filled)
        return filled

    def restart(self) -> int:
        """Begin a new game wherever one is over, and say how many."""
        return int(_restart(self.states, self._blank, self.rngs))

    def save(self) -> dict[str, NDArray[Any]]:
        """All games with their luck to come, as plain arrays; :meth:`load` goes on from there."""
        return {"states": np.frombuffer(self.states.tobytes(), dtype=np.uint8), "rngs": self.rngs.copy()}

    def load(self, kept: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what was saved of as many games of these rules; ValueError where it holds no such positions."""
        states, rngs = kept_positions(self.game, kept), kept_luck(kept["rngs"])
        if len(states) != len(self) or len(rngs) != len(self):
            raise ValueError(f"{len(states)} games were saved, here are {len(self)}")
        self.states[:], self.rngs[:] = states, rngs

    def _buffer(self) -> Actions:
        return np.empty(self.game.spec.max_actions, dtype=np.int64)

    def random_steps(self, steps: int) -> int:
        """``steps`` random moves in every game, starting anew where one ends; the number of games ended."""
        steps = whole(steps, "the number of steps", 0, MOST)
        return sum(
            self.each_part(
                lambda part: int(_random_steps(self.states[part], self._blank, self.rngs[part], self._buffer(), steps))
            )
        )

    def policy_steps(self, steps: int) -> int:
        """As :meth:`random_steps`, but with the moves that the game's own policy for playouts makes."""
        steps = whole(steps, "the number of steps", 0, MOST)
        mind = self.game.mind
        return sum(
            self.each_part(
                lambda part: int(
                    _policy_steps(mind(), self.states[part], self._blank, self.rngs[part], self._buffer(), steps)
                )
            )
        )


def _room(out: NDArray[Any] | None, shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
    """Somebody else's memory, if that is what is to be filled, or new memory."""
    if out is None:
        return np.empty(shape, dtype=dtype)
    if not isinstance(out, np.ndarray) or out.shape != shape or out.dtype != dtype or not out.flags.carray:
        raise BadNumber(
            f"out is an array of {np.dtype(dtype)} in the shape {shape} that can be written to in one piece"
        )
    return out


def kept_luck(rngs: NDArray[Any]) -> NDArray[np.int64]:
    """Random streams that were saved, one per row, if they are such."""
    found = np.asarray(rngs)
    if found.ndim != 2 or found.shape[1] != WORDS or found.dtype != np.int64 or ((found < 0) | (found >> 32 > 0)).any():
        raise ValueError("these are no random streams")
    return found


def kept_positions(game: Game, kept: Mapping[str, NDArray[Any]]) -> Records:
    """The positions that were saved, if the rules know them all: what can be written as JSON and read again."""
    states: Records = np.frombuffer(kept["states"].tobytes(), dtype=game.kernel.state)
    for i in range(len(states)):
        try:
            state = game.state(states[i : i + 1].copy(), kept["rngs"][i].copy())
            known = game.from_json(state.to_json()) == state
        except (StammtischError, IndexError, ValueError, KeyError, TypeError, OverflowError):
            known = False
        if not known:
            raise ValueError(f"game {i} is no position")
    return states


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
def _begin_anew(states: Records, blank: Records, rngs: NDArray[np.int64], where: NDArray[np.bool_]) -> None:
    for i in range(len(states)):
        if where[i]:
            states[i] = blank[0]
            new_game(states[i], rngs[i])


@compiled
def _players(states: Records, out: NDArray[np.int64]) -> None:
    for i in range(len(states)):
        out[i] = player(states[i])


@compiled
def legal_lists(states: Records, offsets: Actions, max_actions: int) -> Actions:
    """The legal actions of all states as one list; ``offsets``, one longer than the states, begins with 0."""
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
        if actions[i] >= 0 and player(states[i]) != OVER:
            apply(states[i], actions[i], rngs[i])


@compiled
def _observe(states: Records, seats: Actions, out: NDArray[np.float32]) -> None:
    for i in range(len(states)):
        if seats[i] != OVER:
            observe(states[i], seats[i], out[i])
        else:
            out[i] = 0.0


@compiled
def _scores(states: Records, out: NDArray[np.float64]) -> None:
    for i in range(len(states)):
        out[i] = 0.0
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
