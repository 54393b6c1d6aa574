"""A training run, whoever learns: recipe, steps, looks at the strength, checkpoints, the finished network, its card."""

from __future__ import annotations

import dataclasses
import importlib.resources
import platform
import time
import tomllib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.errors import BadOption, MissingExtra, StammtischError, UnknownName, suggestion
from stammtisch.core.info import load
from stammtisch.learning.checkpoints import (
    POINTER,
    Arrays,
    BadCheckpoint,
    damaged,
    fitting,
    read_checkpoint,
    write_checkpoint,
)
from stammtisch.learning.metrics import Metrics, curve, strength
from stammtisch.models.cards import write_network

LEARNERS = {
    "afterstate": "stammtisch.learning.afterstate:AfterstateLearner",
    "ppo": "stammtisch.learning.ppo:PpoLearner",
    "search": "stammtisch.learning.bootstrap:SearchLearner",
    "td0": "stammtisch.learning.td0:Td0Learner",
    "thesis": "stammtisch.learning.thesis:ThesisLearner",
}


EXPORTS = {
    "afterstate": "stammtisch.learning.export:value_network",
    "ppo": "stammtisch.learning.export:policy_network",
}


class Learner(Protocol):
    """What a run needs of a learner. ``arrays`` is everything that changes: with it a run goes on bit for bit."""

    config: Any  # a dataclass; has ``seed``
    unit: str  # of ``done``: games or steps
    plotted: tuple[str, ...]  # numbers that belong in the picture of the run
    marks: tuple[int, int] | None  # scores below the first are poor, above the second great

    @property
    def done(self) -> int: ...

    @property
    def total(self) -> int: ...

    def step(self) -> dict[str, float]:
        """Play and learn a little; the numbers of this step."""

    def evaluate(self, games: int | None = None) -> NDArray[np.float64]:
        """Final scores on seeds that are never trained on."""

    def arrays(self) -> Arrays: ...

    def restore(self, arrays: Arrays) -> None:
        """Go on from arrays of the same names, shapes and types; ValueError where they are no such run's."""

    def network(self) -> Arrays:
        """What is needed to play."""


class UnknownRecipe(UnknownName):
    """There is no such recipe, nor a file of this name."""

    kind = "recipe"


@dataclass(frozen=True)
class Recipe:
    """A learner and its settings, from a TOML file."""

    name: str
    about: str
    learner: str
    config: Mapping[str, Any]
    command: str = ""  # that begins such a run

    def new_learner(self) -> Learner:
        try:
            made = load(LEARNERS[self.learner])
        except ModuleNotFoundError as error:
            if str(error.name).startswith("stammtisch"):
                raise
            raise MissingExtra(f"recipe {self.name} needs") from None
        config_class = made.config_class
        known = {field.name: field for field in dataclasses.fields(config_class)}
        for key, value in self.config.items():
            if key not in known:
                raise BadOption(
                    f"recipe {self.name}: '{key}' is no setting of {self.learner}; {suggestion(key, known)}"
                )
            _check_value(self.name, key, value, known[key].default)
        learner: Learner = made(config_class(**self.config))
        return learner


def recipes() -> dict[str, Path]:
    """The recipes that come with the package, by name."""
    folder = Path(str(importlib.resources.files("stammtisch.learning"))) / "recipes"
    return {path.stem: path for path in sorted(folder.glob("*.toml"))}


def read_recipe(name: str, settings: Mapping[str, Any] | None = None) -> Recipe:
    """A recipe by its name, or from a file; ``settings`` go before what it says."""
    path = recipes().get(name, Path(name))
    try:
        text = path.read_text(encoding="utf-8")
    except OSError:
        raise UnknownRecipe(name, recipes()) from None
    except UnicodeDecodeError:
        raise StammtischError(f"{path}: not TOML (no UTF-8)") from None
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise StammtischError(f"{path}: not TOML ({error})") from None
    for key in content:
        if key not in ("about", "learner", "config"):
            raise StammtischError(f"{path}: '{key}' is unknown here; {suggestion(key, ('about', 'learner', 'config'))}")
    learner, config = content.get("learner"), content.get("config", {})
    if not isinstance(learner, str) or learner not in LEARNERS:
        raise StammtischError(f"{path}: learner = one of {', '.join(LEARNERS)}, not {learner!r}")
    if not isinstance(config, dict):
        raise StammtischError(f"{path}: config is a table, [config], with one setting per line")
    given = "".join(f" --set {key}={_toml(value)}" for key, value in (settings or {}).items())
    command = f"stammtisch train {name}{given}"
    return Recipe(path.stem, str(content.get("about", "")), learner, {**config, **(settings or {})}, command)


def _toml(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value).replace(" ", "")


# What settings may be, whichever learner has them.
SHARE = (0.0, 1.0)
RANGES: dict[str, tuple[float, float]] = {
    **dict.fromkeys(
        ("games", "steps", "games_per_step", "batch", "epochs", "envs", "horizon", "match_every"), (1, 10**9)
    ),
    **dict.fromkeys(("wide", "narrow", "hidden", "units"), (1, 65_536)),
    **dict.fromkeys(
        ("trace", "trace_many", "explore", "explore_until", "aside", "school", "discount", "last_rate"), SHARE
    ),
    **dict.fromkeys(("entropy", "value_weight"), (0.0, 100.0)),
    "rate": (1e-9, 1.0),
    "clip": (1e-6, 10.0),
    "averaging": (0.0, 0.999_999),
    "repeats": (1e-3, 1000.0),
    "memory": (1000, 10**9),
    **dict.fromkeys(("depth", "evaluation_depth"), (1, 20)),
    "opening": (0, 100),
    "aside_moves": (1, 100),
    "layers": (1, 100),
    "window": (0, 6),
    "evaluation_games": (2, 10**7),
    "seed": (0, 10**9 - 1),  # above are the seeds of evaluation
}


def _check_value(recipe: str, name: str, value: Any, usual: Any) -> None:
    """A setting is of the kind of its usual value, and in its range."""
    good = type(value) is type(usual) or (isinstance(usual, float) and type(value) is int)
    if isinstance(usual, tuple):  # stages: steps and entropy bonus
        good = isinstance(value, list | tuple) and len(value) > 0 and all(map(_is_stage, value))
    if not good:
        raise BadOption(f"recipe {recipe}: {name} = {value!r}, but it is such as {usual!r}")
    low, high = RANGES.get(name, (-np.inf, np.inf)) if isinstance(value, int | float) else (0, 0)
    if isinstance(value, int | float) and not low <= value <= high:
        raise BadOption(f"recipe {recipe}: {name} = {value}, but it is from {low:g} to {high:g}")


def _is_stage(stage: Any) -> bool:
    if not isinstance(stage, list | tuple) or len(stage) != 2:
        return False
    steps, entropy = stage
    return type(steps) is int and steps > 0 and type(entropy) in (int, float) and 0 <= entropy <= 100


Report = Callable[[int, int, Mapping[str, float]], None]


@dataclass
class Run:
    """A run in its folder. ``looks`` is how often in all its strength is measured; every look is a checkpoint."""

    recipe: Recipe
    folder: Path
    resume: bool = False
    tensorboard: bool = False
    looks: int = 30
    final_games: int = 1000
    report: Report = lambda done, total, numbers: None

    def start(self) -> Learner:
        """A learner at the beginning, or where the run in the folder stands."""
        learner = self.recipe.new_learner()
        self.seconds, self._last_look = 0.0, 0
        if self.resume:
            arrays, about = read_checkpoint(self.folder)
            _check_settings(self.folder, about.get("config"), _plain(learner.config))
            try:
                learner.restore(fitting(arrays, learner.arrays()))
                self.seconds, self._last_look = float(about["cpu_seconds"]), int(about["done"])
                if not 0.0 <= self.seconds < np.inf:
                    raise ValueError("a run takes some time")
            except (KeyError, TypeError, ValueError, OverflowError):
                raise damaged(self.folder) from None
        elif (self.folder / POINTER).exists():
            raise BadCheckpoint(
                f"{self.folder} has a run already: continue it with --resume, delete it, or name another --out"
            )
        self.folder.mkdir(parents=True, exist_ok=True)
        return learner

    def train(self) -> Path:
        """Go on to the end; the place of the finished network's card."""
        learner = self.start()
        metrics = Metrics(self.folder, learner.done, self.tensorboard)
        began = time.process_time() - self.seconds
        every = max(1, learner.total // self.looks)
        gathered: list[dict[str, float]] = []
        while learner.done < learner.total:
            gathered.append(learner.step())
            self._tell(learner, gathered[-1])
            if learner.done // every > self._last_look // every or learner.done >= learner.total:
                self._look(learner, metrics, gathered, time.process_time() - began)
                gathered = []
        metrics.close()
        return self._finish(learner, metrics, time.process_time() - began)

    def _look(self, learner: Learner, metrics: Metrics, gathered: list[dict[str, float]], seconds: float) -> None:
        scores = learner.evaluate()
        names = {name: None for one in gathered for name in one}
        means = {name: float(np.mean([one[name] for one in gathered if name in one])) for name in names}
        reach = 1.96 * float(scores.std()) / len(scores) ** 0.5
        numbers = {**means, "evaluation": float(scores.mean()), "evaluation_reach": reach}
        metrics.add(learner.done, numbers)
        self._tell(learner, numbers)
        self._last_look = learner.done
        about = {"recipe": self.recipe.name, "config": _plain(learner.config), "done": learner.done}
        write_checkpoint(self.folder, learner.arrays(), {**about, "cpu_seconds": round(seconds, 1)})

    def _tell(self, learner: Learner, numbers: Mapping[str, float]) -> None:
        self.report(min(learner.done, learner.total), learner.total, numbers)  # the last step may go a little beyond

    def _finish(self, learner: Learner, metrics: Metrics, seconds: float) -> Path:
        title = f"{self.recipe.name}: {learner.total:,} {learner.unit}"
        with suppress(StammtischError):  # without the extra 'lab' there is neither picture nor ONNX, but all else
            picture = curve(metrics.rows, learner.unit, learner.plotted, title)
            (self.folder / "curve.png").write_bytes(picture)
            if self.recipe.learner in EXPORTS:
                exported: bytes = load(EXPORTS[self.recipe.learner])(learner.network())
                (self.folder / f"{self.recipe.name}.onnx").write_bytes(exported)
        about = {
            "recipe": self.recipe.name,
            "about": self.recipe.about,
            "data": f"{learner.done:,} {learner.unit} that it played itself",
            "command": self.recipe.command,
            "config": _plain(learner.config),
            "seed": learner.config.seed,
            "cpu_hours": round(seconds / 3600, 2),
            "made_with": {
                "stammtisch": version("stammtisch"),
                "python": platform.python_version(),
                "numpy": np.__version__,
            },
            "strength": strength(learner.evaluate(self.final_games), learner.marks),
        }
        return write_network(self.folder, self.recipe.name, learner.network(), about)


def _check_settings(folder: Path, kept: Any, wished: Mapping[str, Any]) -> None:
    """A run is continued with the settings it was begun with."""
    if not isinstance(kept, dict):
        raise damaged(folder)
    other = [f"{key} = {kept.get(key)}" for key in sorted({*kept, *wished}) if kept.get(key) != wished.get(key)]
    if other:
        raise BadCheckpoint(f"{folder} has a run with other settings ({', '.join(other)}): use those, or another --out")


def _plain(config: Any) -> dict[str, Any]:
    return {
        key: list(value) if isinstance(value, tuple) else value for key, value in dataclasses.asdict(config).items()
    }
