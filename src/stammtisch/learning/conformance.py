"""What every learner promises, for its test: ``assert broken_promises(recipe, folder) == []`` with a run of seconds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from stammtisch.learning.checkpoints import Arrays, read_checkpoint
from stammtisch.learning.learner import Learner
from stammtisch.learning.settings import settings_of
from stammtisch.learning.training import Recipe, Run

LOOKS, GAMES = 4, 4


class _PowerFailure(Exception):
    """Somebody pulls the plug, to see what is left."""


@dataclass(frozen=True)
class _Plug:
    """Pulls it between two looks, after so much of the run."""

    after: int

    def __call__(self, done: int, total: int, numbers: Mapping[str, float]) -> None:
        if done >= self.after and "evaluation" not in numbers:
            raise _PowerFailure


def broken_promises(recipe: Recipe, folder: Path) -> list[str]:
    """What this learner does not keep, each with what to repair; the runs are left in the folder."""
    learner = recipe.new_learner()
    return [*_settings(learner), *_looking(learner), *_going_on(recipe, learner.total, folder)]


def _settings(learner: Learner) -> Iterator[str]:
    options = learner.settings(learner.known_settings())
    if "seed" not in options:
        yield "there is no setting 'seed': all luck of a run comes from it"
    for name, option in options.items():
        if not option.help:
            yield f"setting {name}: say in setting(..., help) what it means"
    for name, option in settings_of(learner.config_class).items():
        if option.type in (int, float) and not option.choices and None in (option.low, option.high):
            yield f"setting {name}: say from where to where it goes, setting(usual, help, low, high)"


def _looking(learner: Learner) -> Iterator[str]:
    learner.step()
    before = _copy(learner.arrays())
    learner.evaluate(GAMES)
    for name in _different(before, learner.arrays()):
        yield f"evaluate() changes {name}: play on games and with luck of its own"


def _going_on(recipe: Recipe, total: int, folder: Path) -> Iterator[str]:
    whole, broken = folder / "whole", folder / "broken"
    Run(recipe, whole, looks=LOOKS, final_games=GAMES).train()
    try:
        Run(recipe, broken, looks=LOOKS, final_games=GAMES, report=_Plug(total * 2 // 3)).train()
    except _PowerFailure:
        Run(recipe, broken, resume=True, looks=LOOKS, final_games=GAMES).train()
    else:
        yield "the run is over within a step or two: check the learner with more steps"
    for name in _different(read_checkpoint(whole)[0], read_checkpoint(broken)[0]):
        yield f"a run that was stopped and continued ends with other {name}: arrays() must hold all that changes"
    for file in (f"{recipe.name}.safetensors", "metrics.jsonl"):
        if (whole / file).read_bytes() != (broken / file).read_bytes():
            yield f"a run that was stopped and continued writes another {file}: arrays() must hold all that changes"


def _copy(arrays: Arrays) -> Arrays:
    return {name: array.copy() for name, array in arrays.items()}


def _different(one: Arrays, other: Arrays) -> list[str]:
    return [
        name
        for name in sorted({*one, *other})
        if name not in one or name not in other or one[name].tobytes() != other[name].tobytes()
    ]
