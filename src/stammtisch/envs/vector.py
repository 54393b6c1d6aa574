"""Games of one kind side by side, as learners step them: everything in plain arrays that stay where they are.

After ``reset`` and every ``step`` the arrays hold the new position of all games; torch and NumPy read them without a
copy (``torch.from_numpy(games.observations)``). Where a game is over, the next begins in the same step: ``over`` says
so, ``scores`` has its final scores and ``rewards`` the last ones of it. What a seat wins is booked once, when it is
won: over a game, the rewards of a seat add up to its score at the end less that at the beginning.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.batch import Batch, kept_luck, legal_lists
from stammtisch.core.compiling import compiled
from stammtisch.core.errors import StammtischError
from stammtisch.core.game import Game
from stammtisch.core.kernel import OVER, Actions, Records, action_at, number
from stammtisch.core.rng import below, fresh_seed, stream, streams
from stammtisch.envs.opponents import ITSELF, LEARNER, Numbers, Opponent, Opponents

Reward = Literal["points", "margin"]
Lists: TypeAlias = "tuple[Actions, Numbers, Numbers]"  # legal actions of some games, their numbers, and the offsets
LUCK = 1  # the path of the random streams of seats and opponents; the games have their own


class VectorGames:
    """``n`` games that all wait for a decision.

    ``opponents`` is who has the seats that are not the learner's: ``itself`` (the learner plays all seats, in turn),
    the name of an agent, a function from observations and masks to numbers, or several of them, of which every game
    draws one for each side. The learner has ``seat``, by default another one in every game, with the other seats of its
    side unless a ``partner`` is named. ``reward`` is in points, or ``margin``: the own points less the mean of those of
    other sides, as a share of the range of scores. ``autoreset=False`` leaves games that are over as they are.

    >>> import stammtisch as st
    >>> games = VectorGames(st.game("tictactoe"), 100, seed=1, opponents="random")
    >>> for _ in range(10):
    ...     games.step(games.sample())
    >>> games.observations.shape, games.masks.shape, games.rewards.shape
    ((100, 2, 3, 3), (100, 9), (100, 2))
    """

    def __init__(
        self,
        game: Game,
        n: int,
        seed: int | None = None,
        *,
        opponents: Opponent | Sequence[Opponent] = ITSELF,
        partner: Opponent | None = None,
        seat: int | None = None,
        reward: Reward = "points",
        autoreset: bool = True,
        threads: int = 1,
        out: Mapping[str, NDArray[Any]] | None = None,
    ) -> None:
        spec = game.spec
        if n < 1 or threads < 1:
            raise ValueError(f"n={n}, threads={threads}: at least one game and one thread")
        if reward not in get_args(Reward):
            raise ValueError(f"reward={reward!r}: one of {', '.join(get_args(Reward))}")
        if seat is not None and seat not in spec.taken:
            raise ValueError(f"seat={seat}: one of {', '.join(map(str, spec.taken))}")
        pool: Sequence[Opponent] = [opponents] if isinstance(opponents, str) or callable(opponents) else opponents
        if ITSELF in pool:
            if len(pool) > 1 or partner is not None or seat is not None:
                raise ValueError(f"opponents='{ITSELF}' goes with nothing else: the learner plays all seats")
            pool = []
        elif not pool:
            raise ValueError("opponents: at least one")
        self.game, self.seat, self.autoreset = game, seat, autoreset
        self.batch = Batch(game, n, 0, threads)
        self._opponents = Opponents(game, pool, partner, n)
        self._lucks = streams(0, n)
        self._worth = np.eye(spec.seats) if reward == "points" else margins(game)
        self._standing = np.zeros((n, spec.seats))
        self._actions = np.empty(n, dtype=np.int64)
        shapes: dict[str, tuple[tuple[int, ...], type]] = {
            "observations": ((n, *spec.observation_shape), np.float32),
            "masks": ((n, spec.numbers), np.bool_),
            "players": ((n,), np.int64),
            "rewards": ((n, spec.seats), np.float64),
            "over": ((n,), np.bool_),
            "scores": ((n, spec.seats), np.float64),
        }
        made: dict[str, NDArray[Any]] = {name: np.zeros(*shape) for name, shape in shapes.items()}
        for name, array in (out or {}).items():
            if name not in made or (array.shape, array.dtype) != (made[name].shape, made[name].dtype):
                wanted = f"{made[name].dtype} of shape {made[name].shape}" if name in made else ", ".join(made)
                raise ValueError(f"out: {name} is {array.dtype} of shape {array.shape}, wanted is {wanted}")
            made[name] = array
        self.observations: NDArray[np.float32] = made["observations"]  # what the seat that decides sees
        self.masks: NDArray[np.bool_] = made["masks"]  # the numbers of its legal actions
        self.players: Numbers = made["players"]  # which seat that is; -1 where the game is over
        self.rewards: NDArray[np.float64] = made["rewards"]  # of the last step, by game and seat
        self.over: NDArray[np.bool_] = made["over"]  # whether a game ended with the last step
        self.scores: NDArray[np.float64] = made["scores"]  # its final scores then, the standing of the others
        self.masks[:] = False
        self._lists: dict[int, Lists] = {}
        self.reset(seed)

    def __len__(self) -> int:
        return len(self.batch)

    @property
    def seats(self) -> Numbers:
        """The learner's seat in each game; where it plays itself, the one that decides."""
        return self._opponents.seats if self._opponents.pool else self.players

    def reset(self, seed: int | Sequence[int | None] | None = None) -> None:
        """Begin anew, all games with one seed or each with its own; None is a seed that nobody knows."""
        if seed is None or isinstance(seed, int | np.integer):
            number = fresh_seed() if seed is None else int(seed)
            self.batch.rngs[:] = streams(number, len(self))
            self._lucks[:] = [stream(number, LUCK, i) for i in range(len(self))]
        else:
            numbers = [fresh_seed() if one is None else one for one in seed]
            self.batch.rngs[:] = [stream(one) for one in numbers]
            self._lucks[:] = [stream(one, LUCK) for one in numbers]
        self.batch.new_games()
        self._opponents.forget()
        self._begin(np.ones(len(self), dtype=np.bool_))
        self.rewards[:], self.over[:] = 0.0, False
        self._standing[:] = self.batch.scores(self.scores) @ self._worth
        self._show()

    def step(self, numbers: Numbers, ended: NDArray[np.bool_] | None = None) -> None:
        """Play one action number in every game that is not over, and let the opponents go on until the next decision.

        One that is not legal is an error, before anything is played; but the games that are ``ended`` here stop as they
        are and begin anew.
        """
        given, most = np.asarray(numbers, dtype=np.int64), self.game.spec.max_actions
        self.batch.each_part(
            lambda part: _look_up(
                self.batch.states[part],
                given[part],
                *self._lists[part.start],
                np.empty(most, np.int64),
                self._actions[part],
            )
        )
        running = self.players != OVER
        wrong = running & (self._actions < 0) if ended is None else running & (self._actions < 0) & ~ended
        for i in np.flatnonzero(wrong):
            raise ValueError(f"number {given[i]} is not legal in game {i}; see masks")
        if ended is not None:
            self._actions[ended] = -1
        self.batch.step(self._actions, checked=False)
        self._opponents.move(self.batch, self._lucks)
        self.batch.players(self.players)
        np.logical_and(self.players == OVER, running, out=self.over)
        if ended is not None:
            self.over |= ended & running
        standing = self.batch.scores(self.scores) @ self._worth
        np.subtract(standing, self._standing, out=self.rewards)
        self._standing = standing
        if self.autoreset and self.over.any():
            self.batch.new_games(self.over)
            self._begin(self.over)
            self._standing[self.over] = (self.batch.scores() @ self._worth)[self.over]
        self._show()

    def _begin(self, where: NDArray[np.bool_]) -> None:
        """Seat everybody in the games that begin, and play on to the learner's first decision."""
        while where.any():
            self._opponents.sit_down(where, self.seat, self._lucks)
            self._opponents.move(self.batch, self._lucks)
            where = where & (self.batch.players() == OVER)  # over before the learner was asked
            self.batch.restart()

    def _show(self) -> None:
        self.batch.players(self.players)
        self._lists = dict(self.batch.each_part(self._look))
        self.batch.observations(self.observations)

    def _look(self, part: slice) -> tuple[int, Lists]:
        """List what is legal in these games, once for everything that asks for it, and renew their masks."""
        states, masks = self.batch.states[part], self.masks[part]
        if part.start in self._lists:
            _, old, ends = self._lists[part.start]
            _mark(old, ends, False, masks)
        offsets = np.zeros(len(states) + 1, dtype=np.int64)
        actions = legal_lists(states, offsets, self.game.spec.max_actions)
        numbers = np.empty(len(actions), dtype=np.int64)
        _number(states, actions, offsets, numbers)
        _mark(numbers, offsets, True, masks)
        return part.start, (actions, numbers, offsets)

    def seen_by(self, seats: int | Actions, out: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
        """What one seat sees of all games now, or in each game another; also while another one decides."""
        return self.batch.observations(out, seats)

    def sample(self, out: Numbers | None = None) -> Numbers:
        """The number of any legal action of every game, all actions equally likely: random play; 0 where it is over."""
        chosen = np.empty(len(self), dtype=np.int64) if out is None else out
        self.batch.each_part(lambda part: _any_number(*self._lists[part.start][1:], self._lucks[part], chosen[part]))
        return chosen

    def legal(self) -> tuple[NDArray[np.float32], Numbers, Numbers]:
        """All legal actions flat, as features and as numbers, and the offsets of each game's part.

        For networks that judge one action after the other (as Deep Monte Carlo does), in games that describe their
        actions: Tichu does.
        """
        describe, width = self.game.describe_actions, self.game.action_features
        if describe is None:
            raise StammtischError(f"{self.game.info.name} does not describe its actions; use their numbers")
        actions, offsets = self.batch.legal()
        features, numbers = np.zeros((len(actions), width), dtype=np.float32), np.empty(len(actions), dtype=np.int64)
        describe(self.batch.states, actions, offsets, features, numbers)
        return features, numbers, offsets

    def save(self) -> dict[str, NDArray[Any]]:
        """Everything that decides how the games go on, as plain arrays."""
        luck = {"lucks": self._lucks.copy(), "who": self._opponents.who.copy(), "seats": self._opponents.seats.copy()}
        return {**self.batch.save(), **luck, "standing": self._standing.copy()}

    def load(self, kept: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what was saved; opponents that remember their game begin to remember from here."""
        who, seats, lucks = kept["who"], kept["seats"], kept_luck(kept["lucks"])
        if who.shape != self._opponents.who.shape or who.max() >= self._opponents.size or who.min() < LEARNER:
            raise ValueError("these games were saved with other opponents")
        if not np.isin(seats, self.game.spec.taken).all():
            raise ValueError("these games were saved with seats that nobody has")
        self.batch.load(kept)
        self._opponents.forget()
        self._lucks[:], self._opponents.who[:] = lucks, who
        self._opponents.seats[:], self._standing[:] = seats, kept["standing"]
        self.rewards[:], self.over[:] = 0.0, False
        self.batch.scores(self.scores)
        self._show()


def margins(game: Game) -> NDArray[np.float64]:
    """What scores times this are: those of every taken seat less the mean of other sides' seats, in score ranges."""
    spec = game.spec
    low, high = spec.score_range
    out = np.zeros((spec.seats, spec.seats))
    for seat in spec.taken:
        others = [other for other in spec.taken if spec.side_of[other] != spec.side_of[seat]]
        out[seat, seat] = 1.0
        out[others, seat] = -1.0 / max(1, len(others))
    return out / (high - low)


@compiled
def _number(states: Records, actions: Actions, offsets: Numbers, out: Numbers) -> None:
    for i in range(len(states)):
        for j in range(offsets[i], offsets[i + 1]):
            out[j] = number(states[i], actions[j])


@compiled
def _mark(numbers: Numbers, offsets: Numbers, how: bool, masks: NDArray[np.bool_]) -> None:
    for i in range(len(masks)):
        for j in range(offsets[i], offsets[i + 1]):
            masks[i, numbers[j]] = how


@compiled
def _any_number(numbers: Numbers, offsets: Numbers, lucks: NDArray[np.int64], out: Numbers) -> None:
    for i in range(len(out)):
        n = offsets[i + 1] - offsets[i]
        out[i] = numbers[offsets[i] + below(lucks[i], n)] if n else 0


@compiled
def _look_up(
    states: Records,
    wanted: Numbers,
    actions: Actions,
    numbers: Numbers,
    offsets: Numbers,
    buffer: Actions,
    out: Actions,
) -> None:
    """The actions of these numbers, -1 where none is legal; the game is asked only where several share one."""
    for i in range(len(states)):
        found = 0
        out[i] = -1
        for j in range(offsets[i], offsets[i + 1]):
            if numbers[j] == wanted[i]:
                found += 1
                out[i] = actions[j]
        if found > 1:
            out[i] = action_at(states[i], wanted[i], buffer)
