"""Plays the games of a deal and judges them.

Agents get Seats only, and every game has new agents, one per seat, so that not even an agent's memory
can carry a hand to another seat or game. Who crashes, names an illegal move or takes too long loses.
"""

from __future__ import annotations

import operator
import re
import time
import traceback
from collections.abc import Mapping, MutableSequence
from dataclasses import asdict, dataclass, field

import numpy as np

from stammtisch.agents.base import Agent, Budget, Choice
from stammtisch.arena.match import Match
from stammtisch.core.compiling import compiled
from stammtisch.core.game import NOBODYS_RNG, Json, Seat, State
from stammtisch.core.kernel import OVER, Actions, Records, Vector, apply, determinize, legal_actions, player, scores
from stammtisch.core.rng import Rng, stream

MAX_MOVES = 10_000  # a game that is longer is broken off, and the standing counts
WARM_UP_SECONDS = 120.0  # what an agent may take before its first game, for whatever is compiled or loaded once
WARM_UP = Budget(ms=1, iterations=1)
WARM_UP_DECISIONS = 12  # a game may begin with questions of several kinds
NO_TURN = -1  # the status while agents warm up
THINKING, TABLE, DEAL, TURN, SEAT, SINCE, LIMIT = range(7)  # what a worker's status says
STATUS_SIZE = 7
ILLEGAL, BEGIN = -2, -3
_told: set[str] = set()  # crashes whose traceback was shown
_NOBODY = tuple(NOBODYS_RNG.tolist())


@dataclass(frozen=True)
class Fault:
    """Why a game was lost without being played to its end."""

    seat: int
    kind: str  # "crash", "illegal" or "stall"
    text: str


@dataclass(frozen=True)
class GameResult:
    """One game: who sat on which side, what every seat scored, how many decisions it took."""

    sides: tuple[int, ...]
    scores: tuple[float, ...]
    decisions: int
    fault: Fault | None = None
    broken_off: bool = False
    tally: dict[str, tuple[int, ...]] = field(default_factory=dict)  # by seats

    def to_json(self) -> Json:
        plain: Json = {"sides": self.sides, "scores": self.scores, "decisions": self.decisions}
        if self.fault:
            plain["fault"] = asdict(self.fault)
        if self.broken_off:
            plain["broken_off"] = True
        if self.tally:
            plain["tally"] = self.tally
        return plain

    @classmethod
    def from_json(cls, obj: Json) -> GameResult:
        fault = Fault(**obj["fault"]) if "fault" in obj else None
        scores = tuple(float(score) for score in obj["scores"])
        tally = {name: tuple(numbers) for name, numbers in obj.get("tally", {}).items()}
        return cls(tuple(obj["sides"]), scores, int(obj["decisions"]), fault, bool(obj.get("broken_off", False)), tally)


@dataclass(frozen=True)
class DealResult:
    """All games of one deal at one table."""

    table: int
    deal: int
    games: tuple[GameResult, ...]


@dataclass
class Times:
    """How long an agent thought: decisions, seconds of all, seconds of the longest."""

    decisions: int = 0
    seconds: float = 0.0
    longest: float = 0.0

    def add(self, other: Times) -> None:
        self.decisions += other.decisions
        self.seconds += other.seconds
        self.longest = max(self.longest, other.longest)

    def count(self, seconds: float) -> None:
        """One more decision."""
        self.decisions += 1
        self.seconds += seconds
        if seconds > self.longest:
            self.longest = seconds

    def clear(self) -> None:
        self.decisions, self.seconds, self.longest = 0, 0.0, 0.0


@dataclass
class Referee:
    """Plays deals of a match, one after the other, in this process.

    ``status`` is where somebody else can see who is thinking, since when and until when at most. ``cold``
    are entrants (with the number of the game) that are not warmed up, because that takes for ever.
    """

    match: Match
    status: MutableSequence[float] = field(default_factory=lambda: [0.0] * STATUS_SIZE)
    cold: set[tuple[int, int]] = field(default_factory=set)
    times: dict[int, Times] = field(default_factory=dict)
    _warm: set[tuple[int, int]] = field(default_factory=set)

    def play(self, table: int, deal: int, known: Mapping[int, Fault] | None = None) -> DealResult:
        """All games of a deal; ``known`` are those (by their turn) of which it is known that they end in a fault."""
        start = self.match.start(table, deal)
        self.status[TABLE], self.status[DEAL] = table, deal
        self._warm_up(table)
        results = []
        for turn, sides in enumerate(self.match.seatings(table, deal)):
            if known and turn in known:
                results.append(_judge(start, sides, 0, known[turn]))
            else:
                results.append(self._play_game(start.copy(), sides, table, deal, turn))
        return DealResult(table, deal, tuple(results))

    def _play_game(self, state: State, sides: tuple[int, ...], table: int, deal: int, turn: int) -> GameResult:
        game, status = state.game, self.status
        entrants = {seat: sides[side] for seat, side in game.spec.side_of.items()}
        agents = {seat: self.match.make(self.match.entrants[entrant], game) for seat, entrant in entrants.items()}
        limits = {seat: self._limit(agent) for seat, agent in agents.items()}
        times = {seat: self.times.setdefault(entrant, Times()) for seat, entrant in entrants.items()}
        randomness = self.match.randomness(table, deal, turn)
        legal, scored = np.empty(game.spec.max_actions + 1, dtype=np.int64), np.zeros(game.spec.seats)
        legal[-1] = BEGIN
        status[TURN] = turn
        decisions = action = decider = 0
        records, dice, layout = state.records, state.rng, state.records.dtype
        while True:
            known = np.empty(1, dtype=layout)
            seat = _go_on(records, known, action, dice, legal, scored)
            if seat == ILLEGAL:
                fault = Fault(decider, "illegal", f"action {action} is not one of the legal ones")
                return _judge(state, sides, decisions - 1, fault)
            if seat == OVER:
                return GameResult(sides, tuple(scored.tolist()), decisions, tally=game.tally(state.record))
            if decisions == MAX_MOVES:
                return GameResult(sides, tuple(state.scores()), decisions, broken_off=True)
            decider, limit = seat, limits[seat]
            view = Seat.knowing(game, known, seat)
            status[SEAT], status[LIMIT], status[SINCE] = seat, limit, time.monotonic()
            status[THINKING] = 1.0
            began = time.perf_counter()
            wrong, action = _ask(agents[seat], view, randomness[seat])
            seconds = time.perf_counter() - began
            status[THINKING] = 0.0
            times[seat].count(seconds)
            if wrong is None and seconds > limit:
                wrong = "stall", late(limit)
            if wrong is not None:
                return _judge(state, sides, decisions, Fault(seat, *wrong))
            decisions += 1

    def _warm_up(self, table: int) -> None:
        """Let everybody of this table who is new here make a few decisions, outside of all games."""
        number = self.match.tables[table].game
        for entrant in self.match.tables[table].entrants:
            if (number, entrant) in self._warm or (number, entrant) in self.cold:
                continue
            state = self.match.games[number].new(seed=0)
            agent = self.match.make(self.match.entrants[entrant], state.game)
            self.status[TURN], self.status[SEAT] = NO_TURN, entrant
            self.status[LIMIT], self.status[SINCE] = WARM_UP_SECONDS, time.monotonic()
            self.status[THINKING] = 1.0
            for _ in range(WARM_UP_DECISIONS):
                if state.player is None or _ask(agent, state.seat(state.player), stream(0), WARM_UP)[0] is not None:
                    break  # what goes wrong now will do so again in a game
                state.apply(state.actions()[-1])
            self.status[THINKING] = 0.0
            self._warm.add((number, entrant))

    def _limit(self, agent: Agent) -> float:
        """Seconds for one decision."""
        limits = self.match.limits
        return limits.stall if agent.ms is None else agent.ms / 1000 + limits.grace


@compiled
def _go_on(states: Records, known: Records, action: int, rng: Rng, legal: Actions, scored: Vector) -> int:
    """Play the action, unless the game begins; the seat to decide next, OVER or ILLEGAL.

    What that seat may know goes to ``known``, its actions to ``legal`` and their number to the last place
    there, the scores of a finished game to ``scored``.
    """
    state, last = states[0], len(legal) - 1
    if legal[last] != BEGIN:
        for i in range(legal[last]):
            if legal[i] == action:
                break
        else:
            return ILLEGAL
        apply(state, action, rng)
    seat = player(state)
    if seat == OVER:
        scores(state, scored)
        return OVER
    legal[last] = legal_actions(state, legal)
    known[0] = states[0]
    determinize(known[0], seat, np.array(_NOBODY))
    return seat


def _ask(agent: Agent, view: Seat, rng: Rng, budget: Budget | None = None) -> tuple[tuple[str, str] | None, int]:
    """What is wrong with the agent's answer, or None, and the action."""
    try:
        choice = agent.choose(view, rng, budget)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        text = _description(error)
        if text not in _told:
            _told.add(text)
            traceback.print_exc()  # once, for whoever wrote the agent
        return ("crash", text), 0
    if not isinstance(choice, Choice):
        return ("illegal", f"{type(choice).__name__} instead of a Choice"), 0
    try:
        action = operator.index(choice.action)
    except Exception:
        return ("illegal", f"{type(choice.action).__name__} instead of an action code"), 0
    if abs(action) >= 1 << 62:
        return ("illegal", "a number too large for an action code"), 0
    return None, action


def _description(error: BaseException) -> str:
    """An error in a few words, the same on every run."""
    try:
        text = f"{type(error).__name__}: {error}"
    except Exception:
        text = type(error).__name__
    return re.sub(r"0x[0-9a-fA-F]{6,}", "0x...", text)[:300]


def late(limit: float) -> str:
    return f"more than {1000 * limit:,.0f} ms for one decision"


def _judge(state: State, sides: tuple[int, ...], decisions: int, fault: Fault) -> GameResult:
    """Whose agent is at fault gets the worst score; the others keep theirs, or share the rest of a fixed sum.

    They share it as the standing is: in a game that players drop out of, who is out gets nothing.
    """
    spec = state.game.spec
    guilty = [seat for side in losers(sides, spec.side_of[fault.seat]) for seat in spec.sides[side]]
    given = state.scores()
    others = [seat for seat in spec.taken if seat not in guilty]
    for seat in guilty:
        given[seat] = spec.score_range[0]
    if spec.score_sum is not None and others:
        low = spec.score_range[0]
        rest = spec.score_sum - low * spec.seats  # above the lowest scores
        above = sum(given[seat] - low for seat in others)
        for seat in others:
            given[seat] = low + (rest * (given[seat] - low) / above if above else rest / len(others))
    return GameResult(sides, tuple(given), decisions, fault)


def losers(sides: tuple[int, ...], guilty: int) -> list[int]:
    """The sides that lose by the fault of one of them: all of the same entrant, but not a whole table of one."""
    same = [side for side, entrant in enumerate(sides) if entrant == sides[guilty]]
    return same if len(same) < len(sides) else [guilty]
