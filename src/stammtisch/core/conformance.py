"""The public checker: what every game must pass before anybody plays, searches or learns it.

``check(game)`` plays random games and tries each promise of the contract at every step. A failed
promise comes with the place where it broke (seed and moves to get there) and with what to repair.

>>> import stammtisch as st
>>> check(st.game("tictactoe"), games=5, uncompiled=False).ok
True
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from stammtisch.core import rng as random
from stammtisch.core.game import Game
from stammtisch.core.promises import PROMISES
from stammtisch.core.record import Recorder
from stammtisch.core.scene import Broken, NotApplicable, Scene, Unsafe, told

_TESTED = 150  # positions of a game of the usual length


@dataclass
class Outcome:
    """One promise: how often it was put to the test, and the first failure, if any."""

    name: str
    promise: str
    repair: str
    times: int = 0
    failure: str | None = None
    where: str | None = None

    def __str__(self) -> str:
        mark = "FAIL" if self.failure is not None else "ok  " if self.times else "--  "
        lines = [f"{mark} {self.name}: {self.promise} ({self.times})"]
        if self.failure is not None:
            lines += [f"     {self.failure}", f"     where: {self.where}", f"     repair: {self.repair}"]
        return "\n".join(lines)


@dataclass
class Report:
    """The result for one game."""

    game: str
    games: int
    positions: int
    outcomes: list[Outcome]

    @property
    def ok(self) -> bool:
        return not self.failures

    @property
    def failures(self) -> list[Outcome]:
        return [outcome for outcome in self.outcomes if outcome.failure is not None]

    def to_json(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "ok": self.ok,
            "games": self.games,
            "positions": self.positions,
            "checks": [vars(outcome) for outcome in self.outcomes],
        }

    def __str__(self) -> str:
        head = f"{self.game}: {self.games} games, {self.positions} positions"
        return "\n".join([head, *map(str, self.outcomes)])


def check(
    game: Game,
    games: int = 30,
    seed: int = 1,
    max_moves: int | None = None,
    uncompiled: bool = True,
    progress: Callable[[int], object] = lambda done: None,
    finished: Callable[[Outcome], object] = lambda outcome: None,
) -> Report:
    """Play ``games`` random games (each broken off after ``max_moves``) and test every promise.

    Without ``max_moves`` a game has four times its usual length; of long games every few positions are tested.
    ``uncompiled`` also replays one game in a second
    process without compilation. ``progress`` is called with the number of games done, ``finished`` with every promise
    as soon as no more is to be learned of it.
    """
    max_moves = max(2000, 4 * game.spec.usual_length) if max_moves is None else max_moves
    every = max(1, game.spec.usual_length // _TESTED)
    outcomes = {p.name: Outcome(p.name, p.promise, p.repair) for p in PROMISES}
    playing = Outcome("play", "random games can be set up and played", "see the error: the game itself raised it")
    tally: Counter[str] = Counter(uncompiled=int(uncompiled))
    positions = 0
    scene = None
    for number in range(games):
        playing.times += 1
        try:
            scene = _first_scene(game, seed + number, tally)
            for move in _walk(scene, max_moves):
                if (move + number) % every == 0:
                    positions += 1
                    _run("position", scene, outcomes)
            if scene.state.over:
                tally["ended"] += 1
                _run("end", scene, outcomes)
        except Unsafe:
            return Report(game.info.name, number + 1, positions, [playing, *outcomes.values()])
        except Exception as error:  # a game under development may raise anything: that is a finding, not a crash
            if playing.failure is None:
                playing.failure = told(error)
                playing.where = scene.where if scene else f"{game!r}.new(seed={seed + number})"
        progress(number + 1)
    first = {promise.name for promise in PROMISES if promise.when != "last"}
    for outcome in (playing, *(outcomes[name] for name in outcomes if name in first)):
        finished(outcome)
    if scene:
        _run("last", scene, outcomes, finished)
    return Report(game.info.name, games, positions, [playing, *outcomes.values()])


def _first_scene(game: Game, seed: int, tally: Counter[str]) -> Scene:
    state = game.new(seed)
    return Scene(game, state, random.stream(seed, 1), seed, [], Recorder(state.copy(), ["random"]), tally)


def _walk(scene: Scene, max_moves: int) -> Iterator[int]:
    """Visit the position of the scene, then play a random move, to the end of the game."""
    for move in range(max_moves):
        yield move
        actions = scene.state.actions()
        if not actions:
            return
        action = actions[int(random.below(scene.rng, len(actions)))]
        scene.moves.append(scene.game.format(action))
        scene.recorder.apply(action)
        scene.state.apply(action)


def _run(
    when: str, scene: Scene, outcomes: dict[str, Outcome], finished: Callable[[Outcome], object] = lambda outcome: None
) -> None:
    for promise in PROMISES:
        outcome = outcomes[promise.name]
        if promise.when != when or outcome.failure is not None:
            continue
        outcome.times += 1
        try:
            promise.run(scene)
        except NotApplicable:
            outcome.times -= 1
        except Broken as broken:
            outcome.failure, outcome.where = str(broken), scene.where
            if isinstance(broken, Unsafe):
                raise
        except Exception as error:  # as above
            outcome.failure, outcome.where = told(error), scene.where
        finished(outcome)
