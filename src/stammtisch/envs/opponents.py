"""Who has the other seats of games that somebody learns from: agents by name, functions, a pool of both.

A name whose agent only follows a compiled policy (``heuristic``, ``rules``, ``random``) is followed in compiled code, a
thousand games at once. Every other agent is asked as at a table: a new one for every game and seat, which gets a Seat.
A function gets observations and masks, one row per game that waits for it, and gives numbers: a copy of the learner's
own network, say.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from stammtisch.agents.base import Agent
from stammtisch.agents.catalog import agent
from stammtisch.core.batch import Batch
from stammtisch.core.compiling import compiled
from stammtisch.core.game import NOBODYS_RNG, Game, Seat
from stammtisch.core.kernel import OVER, Actions, Record, Records, apply, determinize, player
from stammtisch.core.mind import Bare, Mind, pick
from stammtisch.core.rng import Rng, below

Numbers: TypeAlias = NDArray[np.int64]
Policy: TypeAlias = Callable[[NDArray[np.float32], NDArray[np.bool_]], Numbers]
Opponent: TypeAlias = "str | Policy"
LEARNER, UNDRAWN = -1, -2  # in ``who``: the seat is played by whoever steps the games
ITSELF = "itself"


class Opponents:
    """Everybody who may sit in the other seats; ``who`` says in which games and seats each of them does."""

    def __init__(self, game: Game, pool: Sequence[Opponent], partner: Opponent | None, n: int) -> None:
        self.game = game
        self.pool = len(pool)
        self.size = len(pool) + (partner is not None)
        self._known = [_Known.of(game, one) for one in (*pool, *([partner] if partner is not None else []))]
        spec = game.spec
        self._sides = np.array([spec.side_of.get(seat, -1) for seat in range(spec.seats)])
        self._taken = np.array(spec.taken)
        self._has_partner = partner is not None
        self.who = np.full((n, spec.seats), LEARNER, dtype=np.int64)
        self.seats = np.full(n, spec.taken[0], dtype=np.int64)  # the learner's
        self._agents: dict[tuple[int, int], Agent] = {}

    def sit_down(self, where: NDArray[np.bool_], seat: int | None, lucks: NDArray[np.int64]) -> None:
        """Draw who sits where in the games that begin; the learner on this seat, or on any."""
        if not self._known:
            return
        fixed = -1 if seat is None else seat
        sizes = (fixed, self.pool, self.pool if self._has_partner else LEARNER)
        _sit_down(where, self._sides, self._taken, sizes, lucks, self.who, self.seats)
        for place in [place for place in self._agents if where[place[0]]]:
            self._agents.pop(place).close()

    def forget(self) -> None:
        """Nobody remembers anything of the games so far."""
        while self._agents:
            self._agents.popitem()[1].close()

    def move(self, batch: Batch, lucks: NDArray[np.int64]) -> None:
        """Play until the learner decides or the game is over, in every game."""
        while sum(known.moves(self, batch, lucks, number) for number, known in enumerate(self._known)):
            pass

    def seated(self, i: int, seat: int, name: str) -> Agent:
        """The agent on this seat of game ``i``, as long as the game lasts."""
        if (i, seat) not in self._agents:
            self._agents[i, seat] = agent(name, self.game)
        return self._agents[i, seat]


class _Known:
    """One of the pool. ``moves`` lets it play wherever it is its turn and says whether it was anywhere."""

    def moves(self, opponents: Opponents, batch: Batch, lucks: NDArray[np.int64], number: int) -> bool:
        raise NotImplementedError

    @staticmethod
    def of(game: Game, one: Opponent) -> _Known:
        if not isinstance(one, str):
            return _Asked(one)
        decide = agent(one, game).at_once
        return _Named(one) if decide is None else _Followed(game, decide)


class _Followed(_Known):
    """A compiled policy; it looks at a position in which everything that its seat cannot know is drawn anew."""

    def __init__(self, game: Game, decide: Callable[..., int]) -> None:
        self._mind = Mind(pick=Bare(decide)).blank()
        self._blank = game.blank()

    def moves(self, opponents: Opponents, batch: Batch, lucks: NDArray[np.int64], number: int) -> bool:
        def play(part: slice) -> int:
            buffer = np.empty(batch.game.spec.max_actions, dtype=np.int64)
            games = batch.states[part], batch.rngs[part], lucks[part]
            return int(_follow(self._mind, *games, self._blank.copy(), buffer, opponents.who[part], number))

        return sum(batch.each_part(play)) > 0


class _Waiting(_Known):
    """Who is asked by Python, about all games in which it is its turn."""

    def moves(self, opponents: Opponents, batch: Batch, lucks: NDArray[np.int64], number: int) -> bool:
        players = batch.players()
        mine = opponents.who[np.arange(len(batch)), np.maximum(players, 0)] == number
        waiting = np.flatnonzero(mine & (players != OVER))
        if len(waiting):
            actions = self.answers(opponents, batch, waiting, players, lucks)
            for i, action in zip(waiting, actions, strict=True):
                batch.game.kernel.apply(batch.states[i], action, batch.rngs[i])
        return len(waiting) > 0

    def answers(
        self, opponents: Opponents, batch: Batch, waiting: Numbers, players: Numbers, lucks: NDArray[np.int64]
    ) -> Sequence[int]:
        raise NotImplementedError


class _Named(_Waiting):
    """Any other agent of the catalog."""

    def __init__(self, name: str) -> None:
        self.name = name

    def answers(
        self, opponents: Opponents, batch: Batch, waiting: Numbers, players: Numbers, lucks: NDArray[np.int64]
    ) -> Sequence[int]:
        found = []
        for i in map(int, waiting):
            seat = int(players[i])
            known = batch.states[i : i + 1].copy()
            batch.game.kernel.determinize(known[0], seat, NOBODYS_RNG.copy())
            view = Seat.knowing(batch.game, known, seat)
            action = opponents.seated(i, seat, self.name).choose(view, lucks[i]).action
            if action not in view.actions():
                raise ValueError(f"{self.name} chose the action {action}, which is not legal")
            found.append(action)
        return found


class _Asked(_Waiting):
    """Somebody's function."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy

    def answers(
        self, opponents: Opponents, batch: Batch, waiting: Numbers, players: Numbers, lucks: NDArray[np.int64]
    ) -> Sequence[int]:
        some = batch.part(waiting)
        numbers = np.asarray(self.policy(some.observations(), some.masks()), dtype=np.int64)
        actions = some.actions_at(numbers)
        for i in np.flatnonzero(actions < 0):
            raise ValueError(f"the function chose number {numbers[i]}, which is not legal; see its masks")
        return [int(action) for action in actions]


@compiled
def _follow(
    minds: Records,
    states: Records,
    rngs: NDArray[np.int64],
    lucks: NDArray[np.int64],
    known: Records,
    buffer: Actions,
    who: Numbers,
    number: int,
) -> int:
    """Let one policy play wherever it is its turn, until it is nowhere; how many moves that were."""
    moves = 0
    for i in range(len(states)):
        state = states[i]
        seat = player(state)
        while seat != OVER and who[i, seat] == number:
            known[0] = states[i]
            apply(state, _choice(minds, known[0], seat, buffer, lucks[i]), rngs[i])
            moves += 1
            seat = player(state)
    return moves


@compiled
def _choice(minds: Records, known: Record, seat: int, buffer: Actions, luck: Rng) -> int:
    determinize(known, seat, luck)
    return pick(minds[0], known, buffer, luck)


@compiled
def _sit_down(
    where: NDArray[np.bool_],
    sides: Numbers,
    taken: Numbers,
    sizes: tuple[int, int, int],
    lucks: NDArray[np.int64],
    who: Numbers,
    seats: Numbers,
) -> None:
    """The learner has a seat and, unless there is a ``partner``, its side; every other side has one of the pool."""
    fixed, pool, partner = sizes
    for i in range(len(where)):
        if not where[i]:
            continue
        luck = lucks[i]
        mine = fixed if fixed >= 0 else taken[below(luck, len(taken))]
        seats[i] = mine
        for seat in taken:
            if sides[seat] == sides[mine]:
                who[i, seat] = LEARNER if seat == mine else partner
                continue
            who[i, seat] = UNDRAWN
            for other in taken:
                if other < seat and sides[other] == sides[seat]:
                    who[i, seat] = who[i, other]
            if who[i, seat] == UNDRAWN:
                who[i, seat] = below(luck, pool)
