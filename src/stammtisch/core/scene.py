"""A position of a random game while it is being checked, and how a promise says that it is broken."""

from __future__ import annotations

import re
import traceback
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from stammtisch.core import rng as random
from stammtisch.core.game import Game, State
from stammtisch.core.record import Recorder

MANY = 24  # at positions with more legal actions than this, a random choice of them is tried


class Broken(Exception):
    """A promise does not hold; the text says what was seen."""


class Unsafe(Broken):
    """So broken that going on could damage memory."""


class NotApplicable(Exception):
    """The promise says nothing about this game, or cannot be tried here."""


@dataclass
class Scene:
    """A position in one of the random games, and counters that only make sense over all of them."""

    game: Game
    state: State
    rng: random.Rng  # the checker's own chance, apart from the game's
    seed: int
    moves: list[str]
    recorder: Recorder
    tally: Counter[str]

    @property
    def where(self) -> str:
        moves = " ".join(self.moves) or "(none)"
        return f"{self.game!r}.new(seed={self.seed}), moves {moves}"

    def some(self, items: list[int]) -> list[int]:
        """All of them, or a random choice where there are many."""
        if len(items) <= MANY:
            return items
        picked = {int(random.below(self.rng, len(items))) for _ in range(MANY)}
        return [items[i] for i in sorted(picked)]

    def fresh(self) -> random.Rng:
        """A new generator, another one at each call."""
        return random.stream(int(random.next32(self.rng)))


def told(error: Exception) -> str:
    """What was raised, and the line of the game that raised it; of what cannot be compiled, the line that it names."""
    places = [(line.filename, line.lineno or 0) for line in traceback.extract_tb(error.__traceback__)]
    places += [(name, int(number)) for name, number in re.findall(r'File "([^"]+)", line (\d+)', str(error))]
    own = [place for place in places if not _is_ours(Path(place[0]))]
    name, number = (own or places)[-1]
    said = " ".join(str(error).split("File")[0].split())[:400]
    return f"raised {type(error).__name__}: {said} ({Path(name).name}, line {number})"


def _is_ours(path: Path) -> bool:
    """Whether a line is of the frame or of the compiler, not of a game."""
    return path.parent == Path(__file__).parent or any(one in path.parts for one in ("numba", "numpy", "llvmlite"))
