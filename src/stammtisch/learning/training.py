"""A training run, whoever learns: recipe, steps, looks at the strength, checkpoints, the finished network, its card."""

from __future__ import annotations

import importlib.resources
import json
import platform
import time
import tomllib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from stammtisch.core.errors import StammtischError, UnknownName, brief, suggestion
from stammtisch.learning.checkpoints import (
    POINTER,
    BadCheckpoint,
    damaged,
    fitting,
    read_checkpoint,
    write_checkpoint,
)
from stammtisch.learning.learner import Learner, learners, new_learner
from stammtisch.learning.metrics import Metrics, curve, strength
from stammtisch.models.cards import write_network

KEYS = ("about", "learner", "config")  # of a recipe


class UnknownRecipe(UnknownName):
    """There is no such recipe, nor a learner or a file of this name."""

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
        return new_learner(self.learner, self.config, f"recipe {self.name}")


def recipes() -> dict[str, Path]:
    """The recipes that come with installed learners, by name: what lies in a folder ``recipes`` beside a learner."""
    found: dict[str, Path] = {}
    for package in sorted({point.module.rpartition(".")[0] for point in learners().values()} - {""}):
        with suppress(ImportError):  # a package that is gone; whoever asks for its learner is told
            folder = Path(str(importlib.resources.files(package))) / "recipes"
            found = {path.stem: path for path in sorted(folder.glob("*.toml"))} | found
    return dict(sorted(found.items()))


def read_recipe(name: str, settings: Mapping[str, Any] | None = None) -> Recipe:
    """A recipe by its name or from a file, or a learner with its usual settings; ``settings`` go before all that."""
    given = "".join(f" --set {key}={_toml(value)}" for key, value in (settings or {}).items())
    command = f"stammtisch train {name}{given}"
    if name not in recipes() and name in learners() and not Path(name).is_file():
        return Recipe(name, f"{name} with its usual settings", name, dict(settings or {}), command)
    path = recipes().get(name, Path(name))
    try:
        text = path.read_text(encoding="utf-8")
    except OSError:
        raise UnknownRecipe(name, {*recipes(), *learners()}) from None
    except UnicodeDecodeError:
        raise StammtischError(f"{path}: not TOML (no UTF-8)") from None
    try:
        content = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # numbers or nesting beyond all measure as well
        raise StammtischError(f"{path}: not TOML ({error})") from None
    for key in content:
        if key not in KEYS:
            raise StammtischError(f"{path}: '{key}' is unknown here; {suggestion(key, KEYS)}")
    learner, config = content.get("learner"), content.get("config", {})
    if not isinstance(learner, str) or learner not in learners():
        raise StammtischError(f"{path}: learner = one of {', '.join(learners())}, not {brief(learner)}")
    if not isinstance(config, dict):
        raise StammtischError(f"{path}: config is a table, [config], with one setting per line")
    return Recipe(path.stem, str(content.get("about", "")), learner, {**config, **(settings or {})}, command)


def _toml(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value).replace(" ", "")


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
            self._check_run(about, learner)
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
        about = {"recipe": self.recipe.name, "learner": self.recipe.learner, "config": learner.known_settings()}
        write_checkpoint(
            self.folder, learner.arrays(), {**about, "done": learner.done, "cpu_seconds": round(seconds, 1)}
        )

    def _tell(self, learner: Learner, numbers: Mapping[str, float]) -> None:
        self.report(min(learner.done, learner.total), learner.total, numbers)  # the last step may go a little beyond

    def _finish(self, learner: Learner, metrics: Metrics, seconds: float) -> Path:
        title = f"{self.recipe.name}: {learner.total:,} {learner.unit}"
        with suppress(StammtischError):  # without the extra 'lab' there is neither picture nor ONNX, but all else
            picture = curve(metrics.rows, learner.unit, learner.plotted, title)
            (self.folder / "curve.png").write_bytes(picture)
            exported = learner.onnx()
            if exported is not None:
                (self.folder / f"{self.recipe.name}.onnx").write_bytes(exported)
        about = {
            "recipe": self.recipe.name,
            "about": self.recipe.about,
            "data": f"{learner.done:,} {learner.unit} that it played itself",
            "command": self.recipe.command,
            "config": learner.known_settings(),
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

    def _check_run(self, about: Mapping[str, Any], learner: Learner) -> None:
        """A run is continued by the learner and with the settings it was begun with."""
        kept = about.get("config")
        if not isinstance(kept, dict):
            raise damaged(self.folder)
        begun_by = about.get("learner", self.recipe.learner)  # old checkpoints do not say
        if begun_by != self.recipe.learner:
            raise BadCheckpoint(
                f"{self.folder} has a run of the learner {begun_by}, this is {self.recipe.learner}: name another --out"
            )
        wished = learner.known_settings()
        usual = {name: option.default for name, option in learner.settings(wished).items()}
        kept = {**json.loads(json.dumps(usual)), **kept}  # a setting that is younger than the run was as usual
        other = [f"{key} = {kept[key]}" for key in sorted(kept) if key not in wished or kept[key] != wished[key]]
        if other:
            raise BadCheckpoint(
                f"{self.folder} has a run with other settings ({', '.join(other)}): use those, or another --out"
            )
