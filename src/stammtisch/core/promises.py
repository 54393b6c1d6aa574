"""The promises of the contract, each with a test that any game can be put to.

:func:`stammtisch.core.conformance.check` runs them on the positions of random games.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from stammtisch.core import rng as random
from stammtisch.core.batch import Batch
from stammtisch.core.errors import BadMove, IllegalMove, StammtischError
from stammtisch.core.game import COMMON_KEYS, State
from stammtisch.core.kernel import number
from stammtisch.core.record import GameRecord
from stammtisch.core.scene import Broken, NotApplicable, Scene, Unsafe, told
from stammtisch.core.trace import trace


@dataclass(frozen=True)
class Promise:
    """What every game promises, in a sentence, and what to repair when it is broken."""

    name: str
    promise: str
    repair: str
    run: Callable[[Scene], None]
    when: str  # "position", "end" (a finished game) or "last" (once, after all games)


PROMISES: list[Promise] = []


def _promise(name: str, promise: str, repair: str, when: str = "position") -> Callable[[Any], Any]:
    def add(run: Callable[[Scene], None]) -> Callable[[Scene], None]:
        PROMISES.append(Promise(name, promise, repair, run, when))
        return run

    return add


def _demand(holds: bool, otherwise: str) -> None:
    if not holds:
        raise Broken(otherwise)


def _applied(state: State, action: int, rng: random.Rng) -> State:
    after = state.copy()
    after.rng = rng
    after.apply(action)
    return after


# --- the form of actions and positions ---------------------------------------------------------------


@_promise(
    "spec",
    "the spec, the info and the keys of positions agree with each other",
    "compare GameSpec and GameInfo: seats, sides, hidden, chance; and to_json() with position_keys",
)
def _spec(scene: Scene) -> None:
    spec, info = scene.game.spec, scene.game.info
    players = len(spec.taken)
    _demand(info.seats[0] <= players <= info.seats[1], f"{players} players, the info says {info.seats}")
    _demand(set(spec.taken) <= set(range(spec.seats)), f"the sides {spec.sides} hold seats that do not exist")
    _demand(len(set(spec.taken)) == players, f"the sides {spec.sides} hold a seat twice")
    _demand(spec.hidden <= info.hidden, "the spec says hidden, the info does not")
    _demand(spec.chance <= info.chance, "the spec says chance, the info does not")
    needed = {*COMMON_KEYS, *scene.game.position_keys}
    _demand(
        needed <= set(scene.state.to_json()) <= needed | set(scene.game.optional_keys),
        f"the keys of to_json() {sorted(scene.state.to_json())} are not the common ones and position_keys",
    )


@_promise(
    "actions",
    "legal actions are ascending, unique, and there are some exactly while somebody decides",
    "let legal_actions write codes in ascending order, each once, at most max_actions, and none when player() is OVER",
)
def _actions(scene: Scene) -> None:
    most = scene.game.spec.max_actions
    n = scene.game.kernel.legal_actions(scene.state.record, np.empty(4 * most + 4096, dtype=np.int64))
    if n > most:
        raise Unsafe(f"{n} legal actions, the spec says at most {most}: buffers would overflow, the check ends here")
    actions = scene.state.actions()
    _demand(actions == sorted(set(actions)), f"not ascending and unique: {actions[:40]}")
    _demand(bool(actions) != scene.state.over, f"player is {scene.state.player} with {len(actions)} legal actions")
    if not scene.state.over:
        _demand(scene.state.player in scene.game.spec.taken, f"nobody has the seat {scene.state.player}")


@_promise(
    "numbers",
    "every legal action has one number below spec.numbers, and action_at leads back from it",
    "let number and action_at agree; give each action a number of its own, or set spec.alike and one for all that "
    "are the same for play",
)
def _numbers(scene: Scene) -> None:
    most, marked = scene.game.spec.numbers, set()
    for action in scene.state.actions():
        its = int(number(scene.state.record, action))
        _demand(0 <= its < most, f"action {action} has the number {its}, the spec says they go to {most - 1}")
        marked.add(its)
        back = scene.state.action_at(its)
        if scene.game.spec.alike:
            _demand(back == action or int(number(scene.state.record, back)) == its, f"number {its} leads to {back}")
        else:
            _demand(back == action, f"action {action} has the number {its}, which leads to {back}")
    found = {int(one) for one in np.flatnonzero(scene.state.mask())}
    _demand(found == marked, f"the mask has {sorted(found)[:40]}, the legal actions {sorted(marked)[:40]}")


@_promise(
    "notation",
    "parse(format(action)) is the action, and different actions have different texts",
    "make parse the exact inverse of format for every action code",
)
def _notation(scene: Scene) -> None:
    texts: dict[str, int] = {}
    for action in scene.state.actions():
        text = scene.game.format(action)
        _demand(texts.setdefault(text, action) == action, f"{texts[text]} and {action} are both written '{text}'")
        back = scene.game.parse(text)
        _demand(back == action, f"{action} is written '{text}', which is read as {back}")


@_promise(
    "positions",
    "from_json(to_json) is the same state to the last bit, also after a round through JSON text",
    "store every field of the record in to_json (or compute it from what is stored), nothing else may matter",
)
def _positions(scene: Scene) -> None:
    position = scene.state.to_json()
    back = scene.game.from_json(json.loads(json.dumps(position)))
    _demand(back.bytes() == scene.state.bytes(), _difference(scene.state, back, "written", "read back"))


@_promise(
    "possible",
    "play leads to possible positions only: the game itself finds nothing wrong and from_json accepts them",
    "legal_actions offers a move it should not, or apply plays it wrongly",
)
def _possible(scene: Scene) -> None:
    for action in scene.some(scene.state.actions()):
        after = _applied(scene.state, action, scene.fresh())
        move = scene.game.format(action)
        _demand(after.bytes() != scene.state.bytes(), f"move {move} changes nothing")
        problems = scene.game.problems(after.record)
        _demand(not problems, f"after {move}: {'; '.join(problems)}")
        scene.game.from_json(after.to_json())


@_promise(
    "refusal",
    "apply refuses every action that is not legal, with IllegalMove or BadMove, and changes nothing",
    "check the action against actions() before touching the record",
)
def _refusal(scene: Scene) -> None:
    legal = set(scene.state.actions())
    known = set(range(scene.game.spec.numbers)) | {scene.game.parse(move) for move in scene.moves}
    strangers = [-1, max(legal | known, default=0) + 1, 1 << 62, *scene.some(sorted(known - legal))]
    before = scene.state.bytes()
    for action in strangers:
        try:
            scene.state.apply(action)
        except (IllegalMove, BadMove):
            _demand(scene.state.bytes() == before, f"action {action} was refused, but the state has changed")
        else:
            raise Broken(f"action {action} is not legal ({sorted(legal)[:20]}), but was accepted")


@_promise(
    "copies",
    "a copy is independent: playing on one leaves the other as it was",
    "copy the record and the generator, not references to them",
)
def _copies(scene: Scene) -> None:
    before, chance = scene.state.bytes(), scene.state.rng.copy()
    copy = scene.state.copy()
    _demand(copy.bytes() == before, "a fresh copy differs from its original")
    for action in scene.state.actions()[:1]:
        copy.apply(action)
    _demand(scene.state.bytes() == before, "a move on the copy changed the original")
    _demand(bool((scene.state.rng == chance).all()), "a move on the copy used up the original's chance")


NONSENSE: list[Any] = [None, "", "x", "²", -1, 10**30, 0.5, True, [], ["x"], [None], {}, {"x": 1}, [[]], [-1], [10**30]]


@_promise(
    "bad input",
    "nonsense is refused with an error of ours: BadMove for a move, BadPosition for a position",
    "check the type and the limits of everything before using it; core/fields.py reads positions field by field",
)
def _bad_input(scene: Scene) -> None:
    if scene.moves and scene.tally["bad input"] > 3:
        return  # it costs much and does not depend on the position
    scene.tally["bad input"] += 1
    for text in ("", " ", "x", "²", "-1", "9" * 40, "\ud800", "none", scene.game.info.name, "a" * 1000):
        try:
            scene.game.format(scene.game.parse(text))
        except BadMove:
            pass
        except Exception as error:
            raise Broken(f"parse({text[:20]!r}) {told(error)}, not BadMove") from error
    position = scene.state.to_json()
    for key in ("player", "phase", *scene.game.position_keys):
        for value in NONSENSE:
            try:
                scene.game.from_json({**position, key: value})
            except StammtischError:
                pass
            except Exception as error:
                raise Broken(f"from_json with {key}={value!r} {told(error)}, not BadPosition") from error


@_promise(
    "batch",
    "the kernel runs inside compiled algorithms, many games at once",
    "see the error: numba cannot compile the function it names",
    when="last",
)
def _batch(scene: Scene) -> None:
    batch = Batch(scene.game, 4, seed=scene.seed)
    batch.random_steps(20)
    batch.observations()
    for i in range(len(batch)):
        _demand(not batch.state(i).over, "a game that is over was not started anew")
        _demand(not scene.game.problems(batch.states[i]), "random play in a batch leads to impossible positions")


@_promise(
    "ending",
    "random games come to an end",
    "let the rules end every game, or give it an option that ends long ones as a draw",
    when="last",
)
def _ending(scene: Scene) -> None:
    _demand(scene.tally["ended"] > 0, "none of the games ended within the allowed number of moves")


# --- chance and scores --------------------------------------------------------------------------------


@_promise(
    "determinism",
    "the same action with the same generator gives the same state",
    "take all chance from the rng argument: no global generator, no clock, no memory between calls",
)
def _determinism(scene: Scene) -> None:
    for action in scene.some(scene.state.actions()):
        rng = scene.fresh()
        first, second = _applied(scene.state, action, rng.copy()), _applied(scene.state, action, rng.copy())
        _demand(
            first.bytes() == second.bytes(),
            f"move {scene.game.format(action)}: {_difference(first, second, 'first time', 'second time')}",
        )
    again = [scene.game.new(scene.seed).bytes() for _ in range(2)]
    _demand(again[0] == again[1], "two new games with the same seed differ")


@_promise(
    "chance",
    "chance is used as declared: without it every generator gives the same state",
    "declare chance=True in GameSpec and GameInfo, or do not draw from rng",
)
def _chance(scene: Scene) -> None:
    for action in scene.some(scene.state.actions()):
        results = {_applied(scene.state, action, scene.fresh()).bytes() for _ in range(4)}
        scene.tally["applied"] += 1
        scene.tally["varied"] += len(results) > 1
        _demand(scene.game.spec.chance or len(results) == 1, f"move {scene.game.format(action)} depends on chance")


@_promise(
    "no fate",
    "in a game with chance the outcome is open: the generator decides it, not something inside the state",
    "draw dice and deals from the rng argument when they happen; a generator or a pre-drawn future in the record"
    " lets planners see it",
    when="last",
)
def _no_fate(scene: Scene) -> None:
    if scene.game.spec.chance and scene.tally["applied"]:
        _demand(
            scene.tally["varied"] > 0,
            f"none of {scene.tally['applied']} moves gave different results with different generators:"
            " the future is already decided inside the state",
        )


@_promise(
    "scores",
    "scores are one number per seat within score_range",
    "correct scores(), or widen score_range in the spec",
)
def _scores(scene: Scene) -> None:
    scores = scene.state.scores()
    low, high = scene.game.spec.score_range
    _demand(len(scores) == scene.game.spec.seats, f"{len(scores)} scores for {scene.game.spec.seats} seats")
    _demand(all(low <= score <= high for score in scores), f"{scores} outside {low}..{high}")


@_promise(
    "conservation",
    "final scores add up to score_sum where the spec states it",
    "correct scores(), or set score_sum to None where the rules do not fix the sum",
    when="end",
)
def _conservation(scene: Scene) -> None:
    total, expected = sum(scene.state.scores()), scene.game.spec.score_sum
    _demand(
        expected is None or abs(total - expected) < 1e-9,
        f"scores {scene.state.scores()} add up to {total}, not to {expected}",
    )


# --- what a seat may know -------------------------------------------------------------------------------


@_promise(
    "secrecy",
    "states that a seat cannot tell apart give it the same view, actions and observation, byte for byte",
    "hide() must set to null, and observe() and legal_actions() must not read, what determinize() overwrites",
)
def _secrecy(scene: Scene) -> None:
    for seat in scene.game.spec.taken:
        known = _knowledge(scene.state, seat)
        for _ in range(2):
            other = _sampled(scene.state, seat, scene.fresh())
            for what, seen in _knowledge(other, seat).items():
                _demand(seen == known[what], f"the {what} of seat {seat} depends on what it cannot know")
            if scene.state.player == seat:  # who decides knows it, and the rules themselves offer the same
                same = other.player == seat and other.actions() == scene.state.actions()
                _demand(same, f"the list of actions of seat {seat} depends on what it cannot know")


@_promise(
    "hidden moves",
    "a seat is told a move only if it may know all of its effect",
    "let conceals(state, seat) be true while a choice is made that the seat does not, or not fully, see",
)
def _hidden_moves(scene: Scene) -> None:
    if not scene.game.spec.hidden or scene.state.player is None:
        return
    rng = scene.fresh()
    after = [_applied(scene.state, action, rng.copy()) for action in scene.some(scene.state.actions())]
    for seat in scene.game.spec.taken:
        if seat == scene.state.player:
            continue
        views: dict[str, set[bytes]] = {}
        for state in after:
            views.setdefault(json.dumps(state.view(seat)), set()).add(state.bytes())
        hidden = any(len(states) > 1 for states in views.values())
        if scene.game.kernel.conceals(scene.state.record, seat):
            scene.tally["concealed"] += len(after) > 1
            scene.tally["really hidden"] += hidden
        else:
            _demand(
                not hidden, f"seat {seat} is told the move of seat {scene.state.player}, but must not know its effect"
            )


@_promise(
    "open moves",
    "moves that everybody sees are not concealed",
    "let conceals(state, seat) be false where the seat sees what was chosen",
    when="last",
)
def _open_moves(scene: Scene) -> None:
    if scene.tally["concealed"]:
        _demand(scene.tally["really hidden"] > 0, "choices are concealed, but every seat sees their whole effect")


@_promise(
    "together",
    "seats that decide at the same time may choose the same, whatever the others choose, and see nothing of it",
    "let together() list only seats whose choices do not depend on each other, each with itself as the player",
)
def _together(scene: Scene) -> None:
    together, state = scene.state.together(), scene.state.copy()
    _demand(not together or next(iter(together)) == state.player, "together() does not begin with the player")
    for seat, first in together.items():
        _demand(first.player == seat, f"in its own position seat {seat} does not decide")
        _demand(state.player == seat, f"by the rules it is {state.player}, not seat {seat}, who chooses next")
        _demand(state.actions() == first.actions(), f"what seat {seat} may choose depends on what others chose")
        other = _sampled(first, seat, scene.fresh())
        _demand(other.view(seat) == first.view(seat), f"seat {seat} sees what it cannot know")
        while state.player == seat and not state.over:
            actions = state.actions()
            state.apply(actions[int(random.below(scene.rng, len(actions)))])


@_promise(
    "sampling",
    "determinize() gives possible positions, and the same one for states the seat cannot tell apart",
    "overwrite every hidden field, and let the sample depend only on what the seat knows and on rng",
)
def _sampling(scene: Scene) -> None:
    for seat in scene.game.spec.taken:
        rng = scene.fresh()
        first = _sampled(scene.state, seat, rng.copy())
        again = _sampled(_sampled(scene.state, seat, scene.fresh()), seat, rng.copy())
        problems = scene.game.problems(first.record)
        _demand(not problems, f"a sample for seat {seat} is impossible: {'; '.join(problems)}")
        scene.game.from_json(first.to_json())
        _demand(
            first.bytes() == again.bytes(),
            f"seat {seat}: the sample depends on hidden values. {_difference(first, again, 'sample', 'its twin')}",
        )
        scene.tally["sampled"] += first.bytes() != scene.state.bytes()


@_promise(
    "hidden part",
    "determinize() varies what is hidden, and only in games that declare something hidden",
    "hand over a determinize() that redraws what a seat cannot know, or correct hidden in spec and info",
    when="last",
)
def _hidden_part(scene: Scene) -> None:
    if scene.game.spec.hidden:
        _demand(scene.tally["sampled"] > 0, "the spec says hidden, but no sample ever differed from the real state")
    else:
        _demand(scene.tally["sampled"] == 0, "determinize() changes states of a game with nothing hidden")


@_promise(
    "observation",
    "observe() writes every element, within observation_range",
    "write all observation_size elements on every call, and scale them or widen the range in the spec",
)
def _observation(scene: Scene) -> None:
    low, high = scene.game.spec.observation_range
    for seat in scene.game.spec.taken:
        out = np.full(scene.game.spec.observation_size, np.nan, dtype=np.float32)
        scene.game.kernel.observe(scene.state.record, seat, out)
        missing, outside = np.flatnonzero(np.isnan(out)), np.flatnonzero((out < low) | (out > high))
        _demand(len(missing) == 0, f"seat {seat}: element {missing[:5]} is not written")
        _demand(len(outside) == 0, f"seat {seat}: element {outside[:5]} is {out[outside[:5]]}, outside {low}..{high}")


# --- records and machines -------------------------------------------------------------------------------


@_promise(
    "records",
    "a record replays to the same end without the seed",
    "list in chance_keys every key of the position that dice and deals decide during play",
    when="end",
)
def _records(scene: Scene) -> None:
    record = GameRecord.from_json(json.loads(json.dumps(scene.recorder.record().to_json())))
    last = list(record.states(scene.game))[-1]
    _demand(last.bytes() == scene.state.bytes(), _difference(scene.state, last, "played", "replayed"))


@_promise(
    "compilation",
    "the same seed gives the same game with and without compilation",
    "avoid unsigned and overflowing arithmetic in the kernel; run with NUMBA_DISABLE_JIT=1 to debug",
    when="last",
)
def _compilation(scene: Scene) -> None:
    kind = type(scene.game)
    if not scene.tally["uncompiled"] or "<locals>" in kind.__qualname__ or kind.__module__ == "__main__":
        raise NotApplicable  # not asked for, or a second process could not import the game
    names = [f"{kind.__module__}:{kind.__qualname__}", json.dumps(scene.game.options), str(scene.seed)]
    paths = os.pathsep.join(path for path in sys.path if path)
    done = subprocess.run(
        [sys.executable, "-m", "stammtisch.core.trace", *names],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": paths},
        capture_output=True,
        text=True,
    )
    _demand(done.returncode == 0, f"it does not run uncompiled: {done.stderr.strip().splitlines()[-1:]}")
    _demand(done.stdout.strip() == trace(scene.game, scene.seed), "compiled and uncompiled games differ")


def _sampled(state: State, seat: int, rng: random.Rng) -> State:
    copy = state.copy()
    state.game.kernel.determinize(copy.record, seat, rng)
    return copy


def _knowledge(state: State, seat: int) -> dict[str, Any]:
    """Everything the seat is shown; a spectator is shown no more than any seat."""
    out = np.zeros(state.game.spec.observation_size, dtype=np.float32)
    state.game.kernel.observe(state.record, seat, out)
    return {
        "view": json.dumps(state.view(seat)),
        "spectators' view (as seen from here)": json.dumps(state.view(None)),
        "list of actions": state.seat(seat).actions(),
        "observation": out.tobytes(),
    }


def _difference(a: State, b: State, name_a: str, name_b: str) -> str:
    """The first field in which two records differ."""
    for name in a.record.dtype.names:
        if bytes(np.asarray(a.record[name]).tobytes()) != bytes(np.asarray(b.record[name]).tobytes()):
            return f"field '{name}' is {a.record[name]} ({name_a}) and {b.record[name]} ({name_b})"
    return f"{name_a} and {name_b} differ"
