"""What differs by game for a learner that learns any: what it observes, what is rewarded, whom it meets.

A task is found by the name of its game, as an entry point of the group ``stammtisch.tasks``; a game without one is met
as ``any_game.py`` says.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from importlib.metadata import entry_points
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.errors import StammtischError, UnknownGame
from stammtisch.core.info import Option
from stammtisch.core.registry import games
from stammtisch.learning.checkpoints import Arrays
from stammtisch.learning.learner import Learner, plain
from stammtisch.learning.settings import settings_of


class Table(ABC):
    """Games side by side, all waiting for the learner; where one is over, the next begins in the same step."""

    inputs: int  # numbers that are seen of a game
    actions: int
    seats: int  # columns of the rewards
    teaches: bool = False  # whether there is ``advice``

    @abstractmethod
    def observations(self) -> NDArray[Any]:
        """What the seat that decides sees of its game, one row per game."""

    @abstractmethod
    def masks(self) -> NDArray[np.bool_]:
        """Which action numbers are legal, one row per game."""

    @abstractmethod
    def deciders(self) -> NDArray[np.int64]:
        """The seat that decides in each game."""

    @abstractmethod
    def step(self, numbers: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.float64]]:
        """Play one action in each game: rewards by game and seat, which games are over, and their final scores."""

    def advice(self) -> NDArray[np.int64]:
        """The action numbers that a teacher would choose."""
        raise NotImplementedError

    @abstractmethod
    def snapshot(self) -> Arrays:
        """The positions of all games, and their luck to come."""

    @abstractmethod
    def return_to(self, kept: Arrays) -> None:
        """Go on from a snapshot; ValueError where it holds no positions of this game."""


class Task(ABC):
    """A game to be learned, with settings of its own."""

    marks: tuple[int, int] | None = None  # scores below the first are poor, above the second great

    @classmethod
    @abstractmethod
    def settings(cls, game: str) -> dict[str, Option]:
        """Its settings by name."""

    @classmethod
    @abstractmethod
    def from_settings(cls, game: str, values: Mapping[str, Any]) -> Self:
        """The task with these settings; a game that has not what is needed is refused in one sentence."""

    @abstractmethod
    def known_settings(self) -> dict[str, Any]: ...

    @abstractmethod
    def table(self, n: int, seed: int) -> Table:
        """Games to learn from."""

    @abstractmethod
    def test_table(self, n: int, seed: int) -> Table:
        """Games in which the strength is measured."""


def task_class(game: str) -> type[Task]:
    """Who knows how this game is learned."""
    if game not in games():
        raise UnknownGame(game, games())
    for point in entry_points(group="stammtisch.tasks", name=game):
        try:
            found: type[Task] = point.load()
        except Exception as error:  # a plug-in may fail in any way
            raise StammtischError(f"the task of {game} ({point.value}) cannot be loaded: {error}") from error
        return found
    from stammtisch.learning.tasks.any_game import AnyGame

    return AnyGame


class TaskLearner(Learner):
    """A learner of any game: the setting ``game`` names its task, whose settings join the learner's own."""

    def __init__(self, config: Any, task: Task) -> None:
        self.config, self.task = config, task
        self.marks = task.marks

    @classmethod
    def settings(cls, given: Mapping[str, Any]) -> dict[str, Option]:
        own = settings_of(cls.config_class)
        game = str(given.get("game", own["game"].default))
        return {**own, **task_class(game).settings(game)}

    @classmethod
    def from_settings(cls, values: Mapping[str, Any]) -> Self:
        own = settings_of(cls.config_class)
        config = cls.config_class(**{name: value for name, value in values.items() if name in own})
        others = {name: value for name, value in values.items() if name not in own}
        return cls(config, task_class(config.game).from_settings(config.game, others))

    def known_settings(self) -> dict[str, Any]:
        return {**plain(self.config), **self.task.known_settings()}
