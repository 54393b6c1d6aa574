"""What a match is: who plays whom, on which deals, from which seats.

A *deal* is everything that chance and the opening decide; it is played once per entrant of the table,
with everybody moved on by one place, so that every entrant plays every seat of the same deal. A
*table* is the entrants that play together: one for a match, one per pair for a round robin.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import cache, cached_property
from hashlib import shake_128
from importlib.metadata import version
from itertools import combinations, product
from typing import Any, Literal, TypeAlias, cast

import numpy as np

from stammtisch.agents.base import Agent
from stammtisch.agents.catalog import agent
from stammtisch.arena import reading
from stammtisch.arena.reading import BadField
from stammtisch.core.compiling import compiled
from stammtisch.core.errors import StammtischError, brief
from stammtisch.core.game import Game, Json, State
from stammtisch.core.kernel import OVER, Actions, Records, apply, legal_actions, player
from stammtisch.core.registry import game as game_by_name
from stammtisch.core.rng import Rng, below, derive, next32, stream

FORMAT = 1
MEMORY = 4096.0  # megabytes
WARM_UP = 120.0  # seconds
MOST_OPENING = 10_000
LIMITS = ("grace", "stall", "memory", "warm_up")
By: TypeAlias = Literal["wins", "score"]
JUDGED_BY: tuple[By, ...] = ("wins", "score")
SPRT_SETTINGS = ("elo0", "elo1", "alpha", "beta")


class BadMatch(StammtischError):
    """A match that cannot be played, or a match file that cannot be read."""


@dataclass(frozen=True)
class Table:
    """The entrants that play together, by number, and the rules they play by (an index of the match's games)."""

    entrants: tuple[int, ...]
    game: int = 0


@dataclass(frozen=True)
class Limits:
    """How long an agent may take for one decision before it loses the game, in seconds.

    ``grace`` counts from the end of its time budget, ``stall`` from the start where it has none. ``memory`` is how
    many megabytes a worker may use beyond what it has before anybody plays (0: as many as there are), ``warm_up`` the
    seconds that an agent may take before its first game, for whatever is compiled or loaded once.
    """

    grace: float = 2.0
    stall: float = 60.0
    memory: float = MEMORY
    warm_up: float = WARM_UP

    def to_json(self) -> Json:
        """What differs from the limits of the first match files is written down."""
        later = {"memory": MEMORY, "warm_up": WARM_UP}
        return {name: value for name, value in asdict(self).items() if later.get(name) != value}


@dataclass(frozen=True)
class Match:
    """Everything that decides the results, and nothing else: two equal matches give equal files.

    ``opening`` is the number of random moves every deal begins with; None stands for one per seat
    where nothing else would tell two deals apart, else for none. ``sprt`` is the sequential test that
    ends the match, if there is one, and ``by`` what it counts. ``kind`` is "match", or "ratings" where
    those are asked for. ``make`` is called for every seat of every game: agents may remember what
    happened in their game, and no more.
    """

    games: tuple[Game, ...]
    entrants: tuple[str, ...]
    tables: tuple[Table, ...]
    seed: int
    opening: int | None = None
    limits: Limits = Limits()
    sprt: Mapping[str, float] | None = None
    kind: str = "match"
    program: str = field(default_factory=lambda: f"stammtisch {version('stammtisch')}")
    make: Callable[[str, Game], Agent] = field(default=agent, compare=False)
    by: By = "wins"

    def __post_init__(self) -> None:
        twice = [name for name in self.entrants if self.entrants.count(name) > 1]
        if twice:
            raise BadMatch(f"'{twice[0]}' is entered twice: for a match against itself, name one agent")
        if not self.entrants:
            raise BadMatch("name at least one agent")
        for table in self.tables:
            if len(set(table.entrants)) < len(table.entrants):
                raise BadMatch("an agent sits at a table twice: for a match against itself, name one agent")
            if self.sprt is not None and len(table.entrants) != 2:
                raise BadMatch("a sequential test is between two agents")
            sides = len(self.games[table.game].spec.sides)
            if 1 < sides < len(table.entrants):
                name = self.games[table.game].info.name
                raise BadMatch(
                    f"{len(table.entrants)} agents for {sides} sides of {name}: 'stammtisch rate {name} ...' lets them"
                    " play in pairs"
                )

    def header(self) -> Json:
        """The first line of a match file."""
        return {
            "format": FORMAT,
            "program": self.program,
            "kind": self.kind,
            "game": self.games[0].info.name,
            "options": [dict(game.options) for game in self.games],
            "entrants": list(self.entrants),
            "tables": [{"entrants": list(table.entrants), "options": table.game} for table in self.tables],
            "seed": self.seed,
            "opening": self.opening,
            "limits": self.limits.to_json(),
            "sprt": None if self.sprt is None else dict(self.sprt),
            **({"by": self.by} if self.sprt is not None and self.by != "wins" else {}),
        }

    @classmethod
    def from_header(cls, header: Any, games: tuple[Game, ...] | None = None) -> Match:
        """The match of a file's first line; ``games`` where they are not registered."""
        try:
            if reading.entry(header, "format") != FORMAT:
                raise BadMatch(f"format {brief(header['format'])}, this version reads {FORMAT}")
            options = reading.items(header, "options", least=1)
            name = reading.text(header, "game")
            if not all(isinstance(some, dict) for some in options):
                raise BadField("'options' holds something that is no object")
            variants = games or tuple(game_by_name(name, **some) for some in options)
            entrants = reading.texts(header, "entrants", least=1)
            tables = tuple(
                Table(
                    reading.wholes(table, "entrants", 0, len(entrants) - 1, least=1),
                    reading.whole(table, "options", 0, len(variants) - 1),
                )
                for table in reading.items(header, "tables", least=1)
            )
            opening = reading.entry(header, "opening")
            return cls(
                variants,
                entrants,
                tables,
                reading.whole(header, "seed", 0, (1 << 64) - 1),
                None if opening is None else reading.whole(header, "opening", 0, MOST_OPENING),
                Limits(**_numbers(header, "limits", LIMITS)),
                None if header.get("sprt") is None else _numbers(header, "sprt", SPRT_SETTINGS),
                reading.text(header, "kind", ("match", "ratings")),
                reading.text(header, "program"),
                by=cast(By, reading.text(header, "by", JUDGED_BY) if "by" in header else "wins"),
            )
        except BadField as error:
            raise BadMatch(f"this is not the first line of a match file ({error})") from None

    def schedule(self, rounds: int) -> Iterator[tuple[int, int]]:
        """Table and deal, one after the other: every table plays a deal before anybody gets the next."""
        return ((table, deal) for deal in range(rounds) for table in range(len(self.tables)))

    def seatings(self, table: int, deal: int) -> list[tuple[int, ...]]:
        """The games of this deal: for each of them the entrant on every side."""
        entrants = self.tables[table].entrants
        patterns = _patterns(len(entrants), len(self.games[self.tables[table].game].spec.sides))
        pattern = patterns[deal % len(patterns)]
        return [tuple(entrants[(place + turn) % len(entrants)] for place in pattern) for turn in range(len(entrants))]

    def start(self, table: int, deal: int) -> State:
        """The position in which every game of this deal begins; its copies meet the same dice."""
        number = self.tables[table].game
        game, moves = self.games[number], self.openings[number]
        rng = self._stream(deal, 1, number)
        buffer = np.empty(game.spec.max_actions, dtype=np.int64)
        for _ in range(1000):
            state = game.new(self.deal_seed(table, deal))
            if _open(state.records, moves, buffer, rng, state.rng):
                return state
        raise BadMatch(f"{moves} random moves end the game: choose a shorter --opening")

    def deal_seed(self, table: int, deal: int) -> int:
        """``game.new(seed=...)`` with it gives this deal; tables with the same rules get the same."""
        rng = self._stream(deal, 0, self.tables[table].game)
        return int(next32(rng)) << 31 | int(next32(rng)) >> 1

    def randomness(self, table: int, deal: int, turn: int) -> list[Rng]:
        """What the agents of a game may throw dice with, seat by seat.

        Generators can be run backwards, hashes cannot: nothing of the deal or of another seat can be
        computed from one of these.
        """
        seats = self.games[self.tables[table].game].spec.seats
        digest = shake_128(f"{self.seed} {table} {deal} {turn}".encode()).digest(16 * seats)
        words = np.frombuffer(digest, dtype="<u4").astype(np.int64).reshape(seats, 4)
        return [row.copy() for row in words]

    def _stream(self, deal: int, purpose: int, which: int) -> Rng:
        """The same as ``stream(seed, deal, which << 1 | purpose)``."""
        found = np.empty_like(self._root)
        derive(found, self._root, deal)
        derive(found, found, which << 1 | purpose)
        return found

    @cached_property
    def _root(self) -> Rng:
        return stream(self.seed)

    @cached_property
    def openings(self) -> list[int]:
        """The random moves at the start of every deal, for each of the games."""
        return [_usual_opening(game) if self.opening is None else self.opening for game in self.games]


def _numbers(header: Json, key: str, known: tuple[str, ...]) -> dict[str, float]:
    """Settings with these names."""
    given = reading.things(header, key)
    unknown = set(given) - set(known)
    if unknown:
        raise BadField(f"'{key}' has {brief(min(unknown))}, which is none of {', '.join(known)}")
    return {name: reading.number(given, name) for name in given}


def match(game: Game | str, *entrants: str, seed: int, **settings: Any) -> Match:
    """A match of everybody against everybody at one table; alone, of an agent against itself or the solo game.

    Further settings are those of :class:`Match`: ``opening``, ``limits``, ``make`` ...

    >>> match("tictactoe", "mcts", "random", seed=1).seatings(table=0, deal=0)
    [(0, 1), (1, 0)]
    """
    rules = game_by_name(game) if isinstance(game, str) else game
    return Match((rules,), entrants, (Table(tuple(range(len(entrants)))),), seed, **settings)


def pairs(entrants: int, games: int = 1, against: int = 0) -> tuple[Table, ...]:
    """A round robin: every two entrants at a table; with ``against``, only pairs with one of the last so many."""
    chosen = [(a, b) for a, b in combinations(range(entrants), 2) if not against or b >= entrants - against]
    return tuple(Table(pair, game) for game in range(games) for pair in chosen)


@cache
def _patterns(entrants: int, sides: int) -> list[tuple[int, ...]]:
    """Every way to seat all entrants, up to moving everybody on by one place; deals take them in turn.

    >>> _patterns(2, 3)
    [(0, 0, 1), (0, 1, 0), (0, 1, 1)]
    """
    if sides == 1:
        return [(0,)]
    everybody = set(range(entrants))
    return [seats for seats in product(range(entrants), repeat=sides) if seats[0] == 0 and set(seats) == everybody]


def _usual_opening(game: Game) -> int:
    """Random moves where, without cards or dice, every game would begin alike."""
    alike = not game.spec.chance and game.new(seed=1) == game.new(seed=2)
    return len(game.spec.taken) if alike else 0


@compiled
def _open(states: Records, moves: int, buffer: Actions, rng: Rng, dice: Rng) -> bool:
    """Play random moves; whether the game goes on after them."""
    for _ in range(moves):
        if player(states[0]) == OVER:
            return False
        apply(states[0], buffer[below(rng, legal_actions(states[0], buffer))], dice)
    return player(states[0]) != OVER
