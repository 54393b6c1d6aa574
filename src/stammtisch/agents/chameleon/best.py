"""The strongest player of Chamäleon Schach, and its levels for people."""

from __future__ import annotations

import time
from math import exp

from stammtisch.agents.base import Agent, Budget, Candidate, Choice, decision
from stammtisch.agents.chameleon.engine import (
    CERTAIN,
    DEEPEST,
    INFINITE,
    WIN,
    new_desk,
    play,
    visit,
    worth,
)
from stammtisch.agents.chameleon.hand import WHOLE
from stammtisch.agents.chameleon.net import read_net
from stammtisch.core.errors import BadOption
from stammtisch.core.game import Game, Seat, State
from stammtisch.core.kernel import Record
from stammtisch.core.rng import Rng, uniform
from stammtisch.games.chameleon.board import GONE
from stammtisch.games.chameleon.rules import survivors
from stammtisch.search.clock import LONG_MS, interruptible, time_limit

DEFAULT_MS = 1000.0
ENTRIES = 1 << 20  # of the transposition table, 16 bytes each
FEW_ENTRIES = 1 << 16  # where it looks a few moves ahead and starts with an empty table each time

DEEP_ENOUGH = 4  # moves of all players that must be looked at before a win of best-reply search is doubted
NEARLY_CERTAIN = 0.99  # what such a win is worth until it holds against all replies

# With more than two players the search expects all others to play together, so the network has learned to promise too
# little. What a promise of p comes to has the log odds a + b * log(p / (1 - p)); here are a and b by the number of
# players left, as `python benchmarks/calibrate_chameleon.py` finds them. What is played does not depend on them.
TRUE_ODDS = {3: (1.03, 0.49), 4: (1.17, 0.47)}

# How deep a level looks, and how much of a pawn it gives away by choosing among moves that look nearly as good.
LEVELS = {"easy": (1, 0.5), "normal": (3, 0.25)}


class Best(Agent):
    """Looks ahead as far as ``ms`` or ``depth`` allow; what it sees there is judged by a network, or by hand.

    It remembers the positions of the game it plays, as long as its moves are really played: an agent that is asked
    about another game, or whose advice was not taken, begins anew.
    """

    def __init__(
        self, game: Game, depth: int | None, ms: float | None, level: str, evaluation: str, net: str = ""
    ) -> None:
        if level in LEVELS and depth is not None:
            raise BadOption(f"level={level} decides how deep it looks: without depth")
        if net and evaluation != "learned":
            raise BadOption(f"evaluation={evaluation} asks no network: without net")
        self.depth, self.slack = LEVELS.get(level, (depth, 0.0))
        self.ms = DEFAULT_MS if self.depth is None and ms is None else ms
        judge = read_net(net or "chameleon") if evaluation == "learned" else None
        self.desk = new_desk(game.kernel.state, FEW_ENTRIES if self.ms is None else ENTRIES, judge)
        self._memory = _Memory()

    def choose(self, seat: Seat, rng: Rng, budget: Budget | None = None) -> Choice:
        began = time.perf_counter()
        decision(seat)
        budget = budget or Budget()
        ms = self.ms if budget.ms is None else budget.ms
        state = seat.sample(rng)
        if ms is None:  # the same question gets the same answer, whatever was asked before
            self.desk.table[:] = 0
            self.desk.history = 0
        self._memory.recall(state, self.desk)
        exact = bool(budget.explain or self.slack)
        search = _Search(self.desk, state, self.depth or DEEPEST, exact)
        search.step()  # always finished; the first time, it also loads the code
        rest = None if ms is None else _rest(ms, 1000 * (time.perf_counter() - began))
        with time_limit(rest, self.desk.stop) as stop:
            if ms is not None and ms < LONG_MS:
                search.deepen()
            else:
                interruptible(search.deepen, stop)
        action = search.choice(self.slack, rng)
        self._memory.keep(state, action)
        return Choice(action, search.candidates(action))


class _Memory:
    """The positions of the game so far that could come again, as an agent saw them: before and after its moves."""

    def __init__(self) -> None:
        self._seen: list[tuple[bytes, int]] = []  # what cannot be restored (pawns and limits), and the key
        self._asked: int | None = None
        self._after: State | None = None  # after the last choice

    def recall(self, state: State, desk: Record) -> None:
        """Write the keys of earlier positions to ``desk.seen``; forget them if this is another game."""
        key = int(state.record.key)
        if key == self._asked:  # the same question again: the answer was not played yet
            del self._seen[-2:]
        elif self._after is None or not _follows(self._after, state):
            self._seen.clear()
        kind, seen = _unrestorable(state), desk.seen
        keys = [seen for its_kind, seen in self._seen if its_kind == kind][1 - len(seen) :]
        seen[: len(keys)] = keys
        seen[len(keys)] = 0

    def keep(self, state: State, action: int) -> None:
        """Remember the position and the one that the action leads to."""
        self._asked = int(state.record.key)
        self._after = state.copy()
        self._after.apply(action)
        self._seen += [(_unrestorable(one), int(one.record.key)) for one in (state, self._after)]


def _unrestorable(state: State) -> bytes:
    return bytes(state.record.limits.tobytes() + state.record.alive.tobytes())


def _follows(after: State, now: State) -> bool:
    """Whether the game can have gone on from one position to the other by moves of the other players alone."""
    old, new = after.record, now.record
    mine = slice(4 * int(new.turn), 4 * int(new.turn) + 4)
    stayed = (new.square[mine] == old.square[mine]) | (new.square[mine] == GONE)
    gone = (old.square != GONE) | (new.square == GONE)  # nobody came back
    return bool(stayed.all() and gone.all() and old.turn != new.turn and now.game.options == after.game.options)


class _Search:
    """One decision: how deep it was searched so far and what that found."""

    def __init__(self, desk: Record, state: State, deepest: int, exact: bool) -> None:
        self.desk = desk
        self.deepest = deepest
        self.exact = exact
        self.actions = state.actions()
        self.root = int(state.record.turn)
        self.players = int(survivors(state.record))
        self.replies = int(self.players > 2)
        self.depth = 0
        self.scores: dict[int, int] = {}  # of the best move; of all, where they were asked for
        desk.stop[0] = 0
        desk.states[0] = state.record
        self.desk.path[0] = state.record.key
        self.desk.nodes = 0
        self.desk.killers = 0
        self.desk.choice = self.actions[0]

    def deepen(self) -> None:
        """One move deeper each time, until the clock, the depth or the end of the game ends it."""
        while self._more() and self.step():
            if self.replies and max(self.scores.values()) > CERTAIN:
                self._verify()
                return

    def _verify(self) -> None:
        """A win if only one of the others answers each move: look whether it is one when all of them do."""
        claim, choice = self.scores, int(self.desk.choice)
        self.replies, self.depth = 0, 0
        while self._more() and self.step():
            pass
        if self.depth < DEEP_ENOUGH and self._more():  # too early to say: the claim stays
            self.replies, self.scores, self.desk.choice = 1, claim, choice

    def _more(self) -> bool:
        """Not if nothing is to be chosen, or if a win cannot be any shorter and a loss not any later."""
        score = max(self.scores.values())
        settled = abs(score) > CERTAIN and self.depth >= WIN - abs(score)
        return self.depth < self.deepest and len(self.actions) > 1 and not settled

    def step(self) -> bool:
        """Search one move deeper than before; False if the clock ended it."""
        depth = self.depth + 1
        if self.exact:
            scores = {action: self._score(action, depth) for action in self.actions}
        else:
            score = int(visit(self.desk, 0, depth, -INFINITE, INFINITE, self.root, self.replies))
            scores = {int(self.desk.choice): score}
        if self.desk.stop[0]:
            return False
        self.depth, self.scores = depth, scores
        return True

    def _score(self, action: int, depth: int) -> int:
        """The true score of one move."""
        play(self.desk, 0, action, self.root, self.replies, True)
        score = int(visit(self.desk, 1, depth - 1, -INFINITE, INFINITE, self.root, self.replies))
        return score if self.desk.states[1].turn == self.root else -score

    def choice(self, slack: float, rng: Rng) -> int:
        """The best move; with slack (in pawns), any that is nearly as good, better ones more often."""
        if not self.exact:
            return int(self.desk.choice)
        best = max(self.actions, key=lambda action: self.scores[action])
        if not slack or abs(self.scores[best]) > CERTAIN:
            return best
        give = slack * _worth_of_a_pawn(self.desk, self.desk.states[0], self.root)
        if not give:
            return best
        close = [action for action in self.actions if self.scores[best] - self.scores[action] <= give]
        weights = [exp(-2 * (self.scores[best] - self.scores[action]) / give) for action in close]
        pick = uniform(rng) * sum(weights)
        for action, weight in zip(close, weights, strict=True):
            pick -= weight
            if pick < 0:
                return action
        return best

    def candidates(self, chosen: int) -> list[Candidate]:
        """The share of the win to be expected of each move, the chosen one first."""
        order = sorted(self.actions, key=lambda action: (action != chosen, -self.scores.get(action, -INFINITE)))
        return [Candidate(action, self._expected(self.scores.get(action))) for action in order]

    def _expected(self, score: int | None) -> float | None:
        if score is None:
            return None
        if abs(score) > CERTAIN:
            return 0.0 if score < 0 else NEARLY_CERTAIN if self.replies else 1.0
        if not self.desk.learned or self.players not in TRUE_ODDS:
            return score / WHOLE
        a, b = TRUE_ODDS[self.players]
        promised = min(max(score, 1), WHOLE - 1)
        return 1 / (1 + exp(-a) * (WHOLE / promised - 1) ** b)


def _rest(ms: float, gone: float) -> float:
    """How long to think on: the answer is to be out in time, also on a busy machine."""
    return max(0.0, max(0.99 * ms - 2, ms / 2) - gone)


def _worth_of_a_pawn(desk: Record, state: Record, root: int) -> float:
    """By how much the judgement of the position falls, on average, when the root loses a pawn."""
    now = int(worth(desk, state, root))
    if state.alive[root] == 1:
        return now
    own = [pawn for pawn in range(4 * root, 4 * root + 4) if state.square[pawn] != GONE]
    without = 0
    for pawn in own:
        fewer = state.copy()
        fewer.square[pawn] = GONE
        fewer.alive[root] -= 1
        without += int(worth(desk, fewer, root))
    return max(0.0, now - without / len(own))
