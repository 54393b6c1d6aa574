"""What a learner is, and how one is found: entry points of the group ``stammtisch.learners`` lead to the classes.

A learner is one file: a dataclass of settings and a class that a :class:`~stammtisch.learning.training.Run` drives.
Nothing of it is loaded before it is asked for, so the names can be listed without PyTorch.
"""

from __future__ import annotations

import dataclasses
import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.errors import MissingExtra, StammtischError, UnknownName
from stammtisch.core.info import Option
from stammtisch.learning.checkpoints import Arrays
from stammtisch.learning.settings import check_settings, settings_of

EVALUATION = 1_000_000_000  # seeds from here on are for evaluation and never trained on
LAST_SEED = EVALUATION - 1


class Learner(ABC):
    """A run: ``step`` plays and learns, ``arrays`` is all that changes: with it a run goes on bit for bit.

    ``counts`` begins with what the run has done so far, in its ``unit``.
    """

    summary: ClassVar[str]  # what it does, in a few words
    config_class: ClassVar[Any]  # a dataclass of settings, see settings.py; one of them is ``seed``
    games: ClassVar[tuple[str, ...]] = ()  # that it is made for; empty: every game that has what it needs
    unit: ClassVar[str] = "games"
    plotted: ClassVar[tuple[str, ...]] = ("evaluation",)  # numbers that belong in the picture of the run
    marks: tuple[int, int] | None = None  # scores below the first are poor, above the second great
    config: Any
    counts: NDArray[np.int64]

    @classmethod
    def settings(cls, given: Mapping[str, Any]) -> dict[str, Option]:
        """Its settings by name; the given ones may decide which others there are."""
        return settings_of(cls.config_class)

    @classmethod
    def from_settings(cls, values: Mapping[str, Any]) -> Self:
        """A learner at the beginning of a run; the values are checked already."""
        return cls(cls.config_class(**values))  # type: ignore[call-arg]  # its own __init__ takes the settings

    def known_settings(self) -> dict[str, Any]:
        """All settings of this run, as JSON keeps them."""
        return plain(self.config)

    @property
    def done(self) -> int:
        return int(self.counts[0])

    @property
    @abstractmethod
    def total(self) -> int:
        """What is done at the end of the run."""

    @abstractmethod
    def step(self) -> dict[str, float]:
        """Play and learn a little; the numbers of this step."""

    @abstractmethod
    def evaluate(self, games: int | None = None) -> NDArray[np.float64]:
        """Final scores on seeds that are never trained on; changes nothing in the run."""

    @abstractmethod
    def arrays(self) -> Arrays:
        """Everything that changes during the run."""

    def restore(self, arrays: Arrays) -> None:
        """Go on from there."""
        for name, array in self.arrays().items():
            array[...] = arrays[name]

    @abstractmethod
    def network(self) -> Arrays:
        """What is needed to play."""

    def onnx(self) -> bytes | None:
        """The network for other people's programs, where the learner knows how to write it."""
        return None


class UnknownLearner(UnknownName):
    """No learner is announced under this name."""

    kind = "learner"


@cache
def learners() -> dict[str, EntryPoint]:
    """All installed learners by name; of two with one name, ours."""
    found = entry_points(group="stammtisch.learners")
    return {point.name: point for point in sorted(found, key=lambda point: (point.name, _is_ours(point)))}


def _is_ours(point: EntryPoint) -> bool:
    return point.module.startswith("stammtisch.")


def learner_class(name: str, where: str) -> type[Learner]:
    """The learner of this name; ``where`` begins the sentence if a package is missing."""
    if name not in learners():
        raise UnknownLearner(name, learners())
    point = learners()[name]
    try:
        found = point.load()
    except Exception as error:  # a plug-in may fail in any way
        if not _is_ours(point):
            raise StammtischError(
                f"{where}: learner {name} ({point.value}) cannot be loaded ({error}); ask those who made it"
            ) from error
        if isinstance(error, ModuleNotFoundError) and not str(error.name).startswith("stammtisch"):
            raise MissingExtra(f"{where} needs") from None
        raise
    if not (isinstance(found, type) and issubclass(found, Learner)):
        raise StammtischError(f"{where}: {point.value} is no class made from stammtisch.learning.learner.Learner")
    return found


def new_learner(name: str, given: Mapping[str, Any], where: str) -> Learner:
    """A learner with these settings, at the beginning; what is wrong with them in one sentence."""
    made = learner_class(name, where)
    return made.from_settings(check_settings(given, made.settings(given), where, whose(name, made, given)))


def whose(name: str, made: type[Learner], given: Mapping[str, Any]) -> str:
    """The learner with its games, for sentences."""
    if made.games:
        return f"{name}, which learns {' and '.join(made.games)}"
    return f"{name} with game={given['game']}" if "game" in given else name


def plain(config: Any) -> dict[str, Any]:
    """Settings as JSON gives them back."""
    found: dict[str, Any] = json.loads(json.dumps(dataclasses.asdict(config)))
    return found
