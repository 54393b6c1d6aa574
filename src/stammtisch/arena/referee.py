"""Plays the games of a deal and judges them.

Agents get Seats only, and each seat has an agent of its own, so that not even an agent's memory can
carry one hand to another. Who crashes, names an illegal move or takes too long loses the game.
"""

from __future__ import annotations

import operator
import time
from collections.abc import Mapping, MutableSequence
from dataclasses import dataclass, field

import numpy as np

from stammtisch.agents.base import Agent, Budget, Choice
from stammtisch.arena.match import MAX_MOVES, Match
from stammtisch.core.game import Json, Seat, State
from stammtisch.core.kernel import OVER
from stammtisch.core.rng import Rng

COMPILING = 300.0  # seconds that an agent's first decision may take longer, for what is compiled or loaded once
THINKING, TABLE, DEAL, TURN, SEAT, SINCE, LIMIT = range(7)  # what a worker's status says
STATUS_SIZE = 7


@dataclass(frozen=True)
class Fault:
    """Why a game was lost without being played to its end."""

    seat: int
    kind: str  # "crash", "illegal" or "stall"
    text: str

    def to_json(self) -> Json:
        return {"seat": self.seat, "kind": self.kind, "text": self.text}


@dataclass(frozen=True)
class GameResult:
    """One game: who sat on which side, what every seat scored, how many decisions it took."""

    sides: tuple[int, ...]
    scores: tuple[float, ...]
    decisions: int
    fault: Fault | None = None
    broken_off: bool = False

    def to_json(self) -> Json:
        plain: Json = {"sides": self.sides, "scores": self.scores, "decisions": self.decisions}
        if self.fault:
            plain["fault"] = self.fault.to_json()
        if self.broken_off:
            plain["broken_off"] = True
        return plain

    @classmethod
    def from_json(cls, obj: Json) -> GameResult:
        fault = Fault(**obj["fault"]) if "fault" in obj else None
        scores = tuple(float(score) for score in obj["scores"])
        return cls(tuple(obj["sides"]), scores, int(obj["decisions"]), fault, bool(obj.get("broken_off", False)))


@dataclass(frozen=True)
class DealResult:
    """All games of one deal at one table."""

    table: int
    deal: int
    games: tuple[GameResult, ...]


@dataclass
class Times:
    """How long an agent thought: decisions, seconds of all, seconds of the longest (without the very first)."""

    decisions: int = 0
    seconds: float = 0.0
    longest: float = 0.0

    def add(self, other: Times) -> None:
        self.decisions += other.decisions
        self.seconds += other.seconds
        self.longest = max(self.longest, other.longest)


@dataclass
class Referee:
    """Plays deals of a match, one after the other, in this process.

    ``status`` is where somebody else can see who is thinking, since when and until when at most.
    """

    match: Match
    status: MutableSequence[float] = field(default_factory=lambda: [0.0] * STATUS_SIZE)
    times: dict[int, Times] = field(default_factory=dict)
    _agents: dict[tuple[int, int, int], Agent] = field(default_factory=dict)
    _seen: set[tuple[int, int]] = field(default_factory=set)

    def play(self, table: int, deal: int, known: Mapping[int, Fault] | None = None) -> DealResult:
        """All games of a deal; ``known`` are those (by their turn) of which it is known that they end in a fault."""
        start = self.match.start(table, deal)
        self.status[TABLE], self.status[DEAL] = table, deal
        results = []
        for turn, sides in enumerate(self.match.seatings(table, deal)):
            if known and turn in known:
                results.append(self._judge(start, sides, 0, known[turn]))
            else:
                results.append(self._play_game(start.copy(), sides, table, deal, turn))
        return DealResult(table, deal, tuple(results))

    def _play_game(self, state: State, sides: tuple[int, ...], table: int, deal: int, turn: int) -> GameResult:
        number, budget, status = self.match.tables[table].game, self.match.budget, self.status
        game = state.game
        kernel, record = game.kernel, state.record
        entrant_of = {seat: entrant for side, entrant in zip(game.spec.sides, sides, strict=True) for seat in side}
        players = [self._agent(number, entrant_of[seat], seat) for seat in range(game.spec.seats)]
        randomness = [self.match.randomness(table, deal, turn, seat) for seat in range(game.spec.seats)]
        limits = [self._limit(player) for player in players]
        times = [self.times.setdefault(entrant_of[seat], Times()) for seat in range(game.spec.seats)]
        buffer = np.empty(game.spec.max_actions, dtype=np.int64)
        status[TURN] = turn
        decisions = 0
        while (seat := int(kernel.player(record))) != OVER:
            if decisions == MAX_MOVES:
                return GameResult(sides, tuple(state.scores()), decisions, broken_off=True)
            place = state.seat(seat)
            first = (number, entrant_of[seat]) not in self._seen
            limit = limits[seat] + (COMPILING if first else 0.0)
            status[SEAT], status[LIMIT], status[SINCE] = seat, limit, time.monotonic()
            status[THINKING] = 1.0
            began = time.perf_counter()
            fault, action = self._ask(players[seat], place, randomness[seat], budget)
            seconds = time.perf_counter() - began
            status[THINKING] = 0.0
            if fault is None and seconds > limit:
                fault = "stall", f"{seconds:.1f} s for one decision, {limit:.1f} allowed"
            if fault is None and action not in buffer[: kernel.legal_actions(record, buffer)].tolist():
                fault = "illegal", f"action {action} is not one of the legal ones"
            if fault is not None:
                return self._judge(state, sides, decisions, Fault(seat, *fault))
            if first:
                self._seen.add((number, entrant_of[seat]))
            else:
                own = times[seat]
                own.decisions += 1
                own.seconds += seconds
                own.longest = max(own.longest, seconds)
            kernel.apply(record, action, state.rng)
            decisions += 1
        return GameResult(sides, tuple(state.scores()), decisions)

    @staticmethod
    def _ask(player: Agent, place: Seat, rng: Rng, budget: Budget | None) -> tuple[tuple[str, str] | None, int]:
        try:
            choice = player.choose(place, rng, budget)
        except (Exception, SystemExit) as error:
            return ("crash", f"{type(error).__name__}: {error}"[:300]), 0
        if not isinstance(choice, Choice):
            return ("illegal", f"{type(choice).__name__} instead of a Choice"), 0
        try:
            return None, operator.index(choice.action)
        except TypeError:
            return ("illegal", f"{type(choice.action).__name__} instead of an action code"), 0

    def _agent(self, number: int, entrant: int, seat: int) -> Agent:
        key = (number, entrant, seat)
        if key not in self._agents:
            self._agents[key] = self.match.make(self.match.entrants[entrant], self.match.games[number])
        return self._agents[key]

    def _limit(self, player: Agent) -> float:
        """Seconds for one decision."""
        budget, limits = self.match.budget, self.match.limits
        ms = player.ms if budget is None else budget.ms
        return limits.stall if ms is None else ms / 1000 + limits.grace

    @staticmethod
    def _judge(state: State, sides: tuple[int, ...], decisions: int, fault: Fault) -> GameResult:
        """The faulty side gets the worst score; the others keep theirs, or share the rest where the sum is fixed."""
        spec = state.game.spec
        guilty = next(side for side in spec.sides if fault.seat in side)
        scores = state.scores()
        others = [seat for seat in range(spec.seats) if seat not in guilty]
        for seat in guilty:
            scores[seat] = spec.score_range[0]
        if spec.score_sum is not None and others:
            rest = (spec.score_sum - spec.score_range[0] * len(guilty)) / len(others)
            scores = [rest if seat in others else scores[seat] for seat in range(spec.seats)]
        return GameResult(sides, tuple(scores), decisions, fault)
