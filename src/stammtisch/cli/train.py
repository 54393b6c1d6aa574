"""Teaching a network: train, recipes, learners."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from stammtisch.cli.app import AsJson, announce_compiling, app, new_console, print_table
from stammtisch.cli.lists import option_json, print_details
from stammtisch.core.errors import BadOption, StammtischError


@app.command(epilog="Example: stammtisch train clever-small --out runs/small")
def train(
    recipe: Annotated[
        str,
        typer.Argument(metavar="NAME", help="A recipe (see 'stammtisch recipes'), a TOML file, or a learner."),
    ],
    out: Annotated[Path | None, typer.Option(help="The run's folder; without it, one in your data folder.")] = None,
    setting: Annotated[
        list[str] | None,
        typer.Option("--set", "-s", metavar="NAME=VALUE", help="A setting: see 'stammtisch learners NAME'."),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in the folder.")] = False,
    tensorboard: Annotated[bool, typer.Option("--tensorboard", help="Also write the numbers for TensorBoard.")] = False,
    looks: Annotated[int, typer.Option(min=1, help="How often the strength is measured and the run kept.")] = 30,
    games: Annotated[int, typer.Option(min=2, help="Games in which the finished network is measured.")] = 1000,
) -> None:
    """Train a network by a recipe: progress, checkpoints, a curve, and a card that says how strong it became."""
    from stammtisch.learning.checkpoints import POINTER
    from stammtisch.learning.training import Run, read_recipe

    chosen = read_recipe(recipe, _settings(setting or []))
    announce_compiling()
    folder = out or _usual_folder(chosen.name)
    with _Progress() as progress:
        run = Run(chosen, folder, resume, tensorboard, looks, games, progress)
        try:
            card = run.train()
        except KeyboardInterrupt:
            kept = (folder / POINTER).exists()
            words = (
                f"What was kept at the last look is in {folder}; --resume goes on." if kept else "Nothing was kept yet."
            )
            progress.console.print(f"Interrupted. {words}", markup=False, highlight=False, soft_wrap=True)
            raise typer.Exit(130) from None
    new_console().print(f"{card}\n{card.read_text(encoding='utf-8')}", markup=False, highlight=False, soft_wrap=True)


@app.command(epilog="Example: stammtisch recipes")
def recipes(as_json: AsJson = False) -> None:
    """List the recipes for training."""
    import json

    from stammtisch.learning.training import read_recipe
    from stammtisch.learning.training import recipes as known

    found = [read_recipe(name) for name in known()]
    if as_json:
        print(json.dumps([{"name": one.name, "learner": one.learner, "about": one.about} for one in found]))
    else:
        print_table(("recipe", "learner", "what it teaches"), [(one.name, one.learner, one.about) for one in found])


@app.command(epilog="Example: stammtisch learners ppo --set game=tictactoe")
def learners(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="Show one learner with its settings.")] = None,
    setting: Annotated[
        list[str] | None,
        typer.Option("--set", "-s", metavar="NAME=VALUE", help="Settings that decide which others there are: game."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List what learns, or show one learner with its settings."""
    import json

    from stammtisch.learning.learner import learner_class
    from stammtisch.learning.learner import learners as known

    if name is None:
        rows = [_learner_row(one) for one in known()]
        if as_json:
            print(json.dumps([dict(zip(("name", "games", "summary"), row, strict=True)) for row in rows]))
        else:
            print_table(("learner", "games", "what it does"), rows)
        return
    made = learner_class(name, f"learner {name}")
    options = tuple(made.settings(_settings(setting or [])).values())
    if as_json:
        print(json.dumps({"name": name, "settings": [option_json(option) for option in options]}))
    else:
        print_details(name, made.summary, options, "settings")


def _learner_row(name: str) -> tuple[str, str, str]:
    from stammtisch.learning.learner import learner_class

    try:
        made = learner_class(name, "it")
    except StammtischError as error:  # the others can be listed
        return name, "?", str(error)
    return name, ", ".join(made.games) or "any", made.summary


def _settings(texts: list[str]) -> dict[str, Any]:
    """Settings as they are written in a recipe; a word without quotes is a text."""
    found: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise BadOption(f"--set {text}: NAME=VALUE, such as games=1000")
        try:
            found[name.strip()] = tomllib.loads(f"value = {value}")["value"]
        except (ValueError, RecursionError):
            found[name.strip()] = value
    return found


def _usual_folder(name: str) -> Path:
    from stammtisch.core.places import data_home

    return data_home() / "training" / name


class _Progress:
    """A bar where there is a terminal, else a line now and then."""

    def __init__(self) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        self.console = new_console(stderr=True)
        columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
        hidden = not self.console.is_terminal
        self.bar = Progress(*columns, TimeRemainingColumn(), console=self.console, transient=True, disable=hidden)
        self.task = self.bar.add_task("Starting ...", total=None)

    def __enter__(self) -> _Progress:
        self.bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.bar.stop()

    def __call__(self, done: int, total: int, numbers: Mapping[str, float]) -> None:
        words = " · ".join(f"{name} {number:.4g}" for name, number in numbers.items() if not name.endswith("_reach"))
        self.bar.update(self.task, completed=done, total=total, description=words[:100])
        if not self.console.is_terminal and "evaluation" in numbers:
            self.console.print(f"{done:,} of {total:,} · {words}", markup=False, highlight=False, soft_wrap=True)
