"""Plays the games of a deal and judges them.

Agents get Seats only, and every game has new agents, one per seat, so that not even an agent's memory
can carry a hand to another seat or game. Who crashes, names an illegal move or takes too long loses, from the moment it
is made.
"""

from __future__ import annotations

import operator
import re
import sys
import time
import traceback
from collections.abc import Callable, Mapping, MutableSequence, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from numbers import Real
from typing import TypeAlias

import numpy as np

from stammtisch.agents.base import Agent, Budget, Choice, told_to, who_hears
from stammtisch.arena import reading
from stammtisch.arena.match import Match
from stammtisch.core.compiling import compiled
from stammtisch.core.errors import StammtischError, shown
from stammtisch.core.game import NOBODYS_RNG, Game, Json, Seat, State
from stammtisch.core.kernel import OVER, Actions, Records, Vector, apply, determinize, legal_actions, player, scores
from stammtisch.core.rng import Rng, stream

MAX_MOVES = 10_000  # a game that is longer is broken off, and the standing counts
WARM_UP = Budget(ms=1, iterations=1)
WARM_UP_DECISIONS = 12  # a game may begin with questions of several kinds
NO_TURN = -1  # the status while agents warm up
MOST_MS = 3_600_000  # the longest time budget an agent may give itself: an hour
NOBODY, DECIDING, MADE = 0.0, 1.0, 2.0  # THINKING: whether somebody decides, or is being made
THINKING, TABLE, DEAL, TURN, SEAT, SINCE, LIMIT = range(7)  # what a worker's status says
STATUS_SIZE = 7
ILLEGAL, BEGIN = -2, -3
FAULTS = ("crash", "illegal", "stall")
_told: set[str] = set()  # crashes whose traceback was shown
Wrong: TypeAlias = tuple[str, str]  # the kind of a fault, and its text
NOTHING_WRONG = "", ""
_NOBODY = tuple(NOBODYS_RNG.tolist())


@dataclass(frozen=True)
class Fault:
    """Why a game was lost without being played to its end."""

    seat: int
    kind: str  # one of FAULTS
    text: str

    @classmethod
    def from_json(cls, obj: Json) -> Fault:
        return cls(reading.whole(obj, "seat"), reading.text(obj, "kind", FAULTS), reading.text(obj, "text"))


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
        plain: Json = {"sides": list(self.sides), "scores": list(self.scores), "decisions": self.decisions}
        if self.fault:
            plain["fault"] = asdict(self.fault)
        if self.broken_off:
            plain["broken_off"] = True
        if self.tally:
            plain["tally"] = {name: list(values) for name, values in self.tally.items()}
        return plain

    @classmethod
    def from_json(cls, obj: Json) -> GameResult:
        """A game as it is written in a match file; BadField where it is none."""
        sides = reading.wholes(obj, "sides")  # so it is an object
        tally = reading.things(obj, "tally") if "tally" in obj else {}
        return cls(
            sides,
            reading.numbers(obj, "scores"),
            reading.whole(obj, "decisions"),
            Fault.from_json(reading.things(obj, "fault")) if "fault" in obj else None,
            reading.flag(obj, "broken_off") if "broken_off" in obj else False,
            {name: reading.wholes(tally, name, -(1 << 40)) for name in tally},
        )


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
    are entrants (with the number of the game) that are not warmed up, because that takes for ever, ``unfit`` those that
    cannot even be made, and why: they lose without playing. ``check`` is called after everything an agent did, while it
    is still the one who thinks: to end a process that the agent has made useless. ``out_of_memory`` may end it too.
    """

    match: Match
    status: MutableSequence[float] = field(default_factory=lambda: [0.0] * STATUS_SIZE)
    check: Callable[[], None] = lambda: None
    out_of_memory: Callable[[], None] = lambda: None
    cold: set[tuple[int, int]] = field(default_factory=set)
    unfit: dict[tuple[int, int], tuple[str, str]] = field(default_factory=dict)
    times: dict[int, Times] = field(default_factory=dict)
    _warm: set[tuple[int, int]] = field(default_factory=set)

    def play(self, table: int, deal: int, known: Mapping[int, Fault] | None = None) -> DealResult:
        """All games of a deal; ``known`` are those (by their turn) of which it is known that they end in a fault."""
        start = self.match.start(table, deal)
        self.status[TABLE], self.status[DEAL] = table, deal
        self._warm_up(table)
        results = []
        for turn, sides in enumerate(self.match.seatings(table, deal)):
            fault = known[turn] if known and turn in known else self._forfeit(table, sides)
            if fault is not None:
                results.append(_judge(start, sides, 0, fault))
            else:
                results.append(self._play_game(start.copy(), sides, table, deal, turn))
        return DealResult(table, deal, tuple(results))

    def _forfeit(self, table: int, sides: tuple[int, ...]) -> Fault | None:
        """The fault of the first seat whose entrant cannot be made."""
        number = self.match.tables[table].game
        for seat, side in sorted(self.match.games[number].spec.side_of.items()):
            if (number, sides[side]) in self.unfit:
                return Fault(seat, *self.unfit[number, sides[side]])
        return None

    def _play_game(self, state: State, sides: tuple[int, ...], table: int, deal: int, turn: int) -> GameResult:
        game = state.game
        self.status[TURN] = turn
        entrants = {seat: sides[side] for seat, side in game.spec.side_of.items()}
        agents: dict[int, Agent] = {}
        limits: dict[int, float] = {}
        try:
            for seat, entrant in entrants.items():
                why, made = self._make(entrant, game, seat, self.match.limits.stall)
                if made is None:
                    return _judge(state, sides, 0, Fault(seat, *why))
                agents[seat], limits[seat] = made
            return self._course(state, sides, agents, limits, self.match.randomness(table, deal, turn))
        finally:
            self._let_go(agents, limits, state.scores() if state.over else None)

    def _course(
        self,
        state: State,
        sides: tuple[int, ...],
        agents: dict[int, Agent],
        limits: dict[int, float],
        randomness: Sequence[Rng],
    ) -> GameResult:
        """The game from its first decision to its end."""
        game, status = state.game, self.status
        listeners = who_hears(agents)
        times = {seat: self.times.setdefault(sides[side], Times()) for seat, side in game.spec.side_of.items()}
        legal, scored = np.empty(game.spec.max_actions + 1, dtype=np.int64), np.zeros(game.spec.seats)
        legal[-1] = BEGIN
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
            status[THINKING] = DECIDING
            began = time.perf_counter()
            wrong, action = self._ask(agents[seat], view, randomness[seat])
            seconds = time.perf_counter() - began
            status[THINKING] = NOBODY
            times[seat].count(seconds)
            if wrong is None and seconds > limit:
                wrong = "stall", late(limit)
            if wrong is not None:
                return _judge(state, sides, decisions, Fault(seat, *wrong))
            decisions += 1
            if listeners and action in legal[: legal[-1]]:
                deaf = self._tell(listeners, limits, state, action)
                if deaf is not None:
                    return _judge(state, sides, decisions, deaf)

    def _tell(
        self, listeners: Mapping[int, Agent], limits: Mapping[int, float], state: State, action: int
    ) -> Fault | None:
        """Tell who wants to hear it of an action that is about to be played; a fault where one cannot listen."""
        by = state.player
        assert by is not None
        for seat, agent in listeners.items():
            learns, move = told_to(state, action, seat)
            if learns:
                wrong = self._watched(seat, limits[seat], partial(agent.hear, seat, by, move))
                if wrong is not None:
                    return Fault(seat, *wrong)
        return None

    def _let_go(self, agents: Mapping[int, Agent], limits: Mapping[int, float], scores: list[float] | None) -> None:
        """The game is over: agents that hold something let it go. What goes wrong now is no fault of the game."""
        for seat, agent in agents.items():
            if isinstance(agent, Agent) and type(agent).close is not Agent.close:
                self._watched(seat, limits[seat], partial(agent.close, scores))

    def _watched(self, seat: int, seconds: float, work: Callable[[], None]) -> Wrong | None:
        """Let an agent do something that is no decision, on the same clock; what went wrong."""
        wrong: Wrong | None = None
        self.status[SEAT], self.status[LIMIT], self.status[SINCE] = seat, seconds, time.monotonic()
        self.status[THINKING] = DECIDING
        try:
            work()
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            wrong = self._crash(error)
        self.check()
        self.status[THINKING] = NOBODY
        return wrong

    def _warm_up(self, table: int) -> None:
        """Let everybody of this table who is new here make a few decisions, outside of all games."""
        number, patience = self.match.tables[table].game, self.match.limits.warm_up
        for entrant in self.match.tables[table].entrants:
            if any((number, entrant) in some for some in (self._warm, self.cold, self.unfit)):
                continue
            state = self.match.games[number].new(seed=0)
            self.status[TURN] = NO_TURN
            _, made = self._make(entrant, state.game, entrant, patience, refusals=True)
            self.status[LIMIT], self.status[SINCE] = patience, time.monotonic()
            self.status[THINKING] = DECIDING
            for _ in range(WARM_UP_DECISIONS if made is not None else 0):
                if state.player is None:
                    break
                assert made is not None
                wrong, _ = self._ask(made[0], state.seat(state.player), stream(0), WARM_UP)
                if wrong is not None:
                    break  # what goes wrong now will do so again in a game
                state.apply(state.actions()[-1])
            self.status[THINKING] = NOBODY
            if made is not None:
                self._let_go({entrant: made[0]}, {entrant: patience}, None)
            self._warm.add((number, entrant))

    def _make(
        self, entrant: int, game: Game, who: int, seconds: float, refusals: bool = False
    ) -> tuple[Wrong, tuple[Agent, float] | None]:
        """A new agent and its seconds for one decision, or what is wrong with it.

        ``refusals``: what the agent says of its own accord about names and rules ends the match, before it began.
        """
        self.status[SEAT], self.status[LIMIT], self.status[SINCE] = who, seconds, time.monotonic()
        self.status[THINKING] = MADE
        wrong, made = NOTHING_WRONG, None
        try:
            agent = self.match.make(self.match.entrants[entrant], game)
            made = agent, self._limit(agent)
        except KeyboardInterrupt:
            raise
        except StammtischError as error:
            if refusals:
                raise
            wrong = self._crash(error)
        except BaseException as error:
            wrong = self._crash(error)
        self.check()
        self.status[THINKING] = NOBODY
        return wrong, made

    def _limit(self, agent: Agent) -> float:
        """Seconds for one decision."""
        limits, ms = self.match.limits, agent.ms
        if ms is None:
            return limits.stall
        if isinstance(ms, bool) or not isinstance(ms, Real) or not 0 <= ms <= MOST_MS:
            raise TypeError(f"its time budget is no number of milliseconds up to {MOST_MS:,} (a {type(ms).__name__})")
        return float(ms) / 1000 + limits.grace

    def _ask(self, agent: Agent, view: Seat, rng: Rng, budget: Budget | None = None) -> tuple[Wrong | None, int]:
        """What is wrong with the agent's answer, or None, and the action."""
        wrong: Wrong | None = None
        action = 0
        try:
            choice = agent.choose(view, rng, budget)
            if isinstance(choice, Choice):
                wrong, action = _number(choice)
            else:
                wrong = "illegal", f"{type(choice).__name__} instead of a Choice"
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            wrong = self._crash(error)
        self.check()
        return wrong, action

    def _crash(self, error: BaseException) -> Wrong:
        """An error in a few words; its traceback is shown once, to whoever wrote the agent."""
        if isinstance(error, MemoryError):
            self.out_of_memory()
        text = _description(error)
        if text not in _told:
            _told.add(text)
            try:
                trace = traceback.format_exc()
            except BaseException:  # errors can have errors
                trace = text
            print(shown(trace, lines=True), file=sys.stderr)
        return "crash", text


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


def _number(choice: Choice) -> tuple[Wrong | None, int]:
    """The action as a plain number: whatever an agent puts there, it has no say in what happens to it later."""
    try:
        action = int.__add__(operator.index(choice.action), 0)
    except KeyboardInterrupt:
        raise
    except BaseException:
        return ("illegal", f"{type(choice.action).__name__} instead of an action code"), 0
    if abs(action) >= 1 << 62:
        return ("illegal", "a number too large for an action code"), 0
    return None, action


def _description(error: BaseException) -> str:
    """An error in a few words, the same on every run."""
    try:
        text = f"{type(error).__name__}: {error}"
    except BaseException:
        text = type(error).__name__
    return re.sub(r"0x[0-9a-fA-F]{6,}", "0x...", text)[:300]


def late(limit: float) -> str:
    return f"more than {1000 * limit:,.0f} ms for one decision"


def never_made(limit: float) -> str:
    return f"more than {1000 * limit:,.0f} ms to be made"


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
