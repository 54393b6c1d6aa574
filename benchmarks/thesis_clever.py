"""Chapter 6 of the thesis on Ganz schön clever (S. Schubert, Coburg 2023) again: its trainings, its pictures.

python benchmarks/thesis_clever.py      (about ten minutes of one core; what was done before is kept, a run goes on)

Teaches the prototypes (the yellow area alone: two dice, four dice, four without the mask), then the full game in the
size for one core, and lets every finished network play 1,000 games. Writes benchmarks/thesis_clever.json, the history
of every run with score and invalid actions of every game, and the pictures in docs/pictures/clever. Invalid actions are
illegal ones, and rolls in which nothing fits.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, PercentFormatter, StrMethodFormatter
from PIL import Image

from stammtisch.arena.plots import COLOURS, INK, png
from stammtisch.core.places import data_home, replace_file
from stammtisch.learning.checkpoints import POINTER
from stammtisch.learning.metrics import FILE, strength
from stammtisch.learning.thesis import ThesisLearner
from stammtisch.learning.training import Run, read_recipe

TWO, FOUR, UNMASKED, FULL = (
    "clever-prototype-2",
    "clever-prototype-4",
    "clever-prototype-unmasked",
    "clever-thesis-ppo",
)
NAMES = {TWO: "two dice", FOUR: "four dice", UNMASKED: "four dice, no mask", FULL: "full game"}
COLOUR = dict(zip((FOUR, UNMASKED, TWO, FULL), COLOURS, strict=False))
GAMES, SHOWN = 1000, 200
MAXIMUM = 86  # points of the prototype
RESULT = Path(__file__).with_suffix(".json")
PICTURES = Path(__file__).parent.parent / "docs" / "pictures" / "clever"

Taught = Mapping[str, Any]  # what is kept of a run


@dataclass(frozen=True)
class Row:
    """Games of one network, one after the other, as in the thesis's figures."""

    run: str
    what: str  # "scores" or "invalid"
    title: str
    top: float
    thesis: Mapping[str, tuple[float, float]]  # its own means, from - to, by what to call them


def main() -> None:
    found: dict[str, Taught] = {}
    for name in (FOUR, UNMASKED, TWO, FULL):
        found[name] = taught(name)
        print(summary(name, found[name]), flush=True)
        lines = (f"{json.dumps(name)}: {json.dumps(run)}" for name, run in found.items())
        replace_file(RESULT, ("{\n" + ",\n".join(lines) + "\n}\n").encode())
    draw(found)


def taught(name: str) -> Taught:
    """The history of a recipe's run, which goes on if it is not finished, and games of its network."""
    folder = data_home() / "training" / name
    card = folder / f"{name}.json"
    if not card.exists():
        print(f"{name}: training in {folder}", flush=True)
        Run(read_recipe(name), folder, resume=(folder / POINTER).exists()).train()
    learner = Run(read_recipe(name), folder, resume=True).start()
    assert isinstance(learner, ThesisLearner)
    scores, invalid = learner.play(GAMES)
    known = json.loads(card.read_text(encoding="utf-8"))
    return {
        "config": known["config"],
        "cpu_hours": known["cpu_hours"],
        "history": [json.loads(line) for line in (folder / FILE).read_text(encoding="utf-8").splitlines()],
        "scores": scores.tolist(),
        "invalid": invalid.tolist(),
    }


def summary(name: str, run: Taught) -> str:
    known, invalid = strength(np.array(run["scores"], dtype=float)), np.array(run["invalid"])
    low, high = known["ci95"]
    return (
        f"{name}: {known['mean']:.1f} points (95 % {low:.1f} to {high:.1f}), median {known['median']:.0f},"
        f" best {max(run['scores'])} in {np.mean(np.array(run['scores']) == max(run['scores'])):.1%} of the games;"
        f" invalid {invalid.mean():.2f}, at most {invalid.max()}, at most one in {np.mean(invalid <= 1):.1%}"
    )


def draw(found: Mapping[str, Taught]) -> None:
    """All pictures."""
    most = max(found[TWO]["invalid"])
    others = {
        "thesis after 16.7 million steps": 205,
        "thesis after 3.3 million steps": 190,
        "its human players": 160,
        "its first full version": 110,
    }
    pictures = {
        "prototype-training": training(
            found, (FOUR, TWO, UNMASKED), "Training on the prototype, two layers of 64", {"maximum": MAXIMUM}
        ),
        "mask": game_by_game(
            found,
            "Points of the prototype with four dice (the thesis's figures 11, 12 and 15)",
            Row(UNMASKED, "scores", "Without the mask", MAXIMUM, {"thesis: about 50": (50, 50)}),
            Row(
                FOUR,
                "scores",
                "With the mask",
                MAXIMUM,
                {"thesis: about 65": (65, 65), "thesis, tuned: a little over 80": (80, 82)},
            ),
        ),
        "dice": game_by_game(
            found,
            "Invalid moves of the prototype (the thesis's figures 13 and 14)",
            Row(TWO, "invalid", "With two dice", most, {"thesis: about 1 to 2": (1, 2)}),
            Row(FOUR, "invalid", "With four dice", most, {}),
        ),
        "full-training": training(found, (FULL,), "Training on the full game, two layers of 256", others),
        "full": game_by_game(
            found,
            "The full game (the thesis's figures 17 and 18)",
            Row(FULL, "scores", "Points", max(found[FULL]["scores"]), {"thesis: about 205": (205, 205)}),
            Row(FULL, "invalid", "Invalid moves", max(found[FULL]["invalid"]), {}),
        ),
    }
    PICTURES.mkdir(parents=True, exist_ok=True)
    for name, figure in pictures.items():
        replace_file(PICTURES / f"{name}.png", small(png(figure)))


def training(found: Mapping[str, Taught], runs: Sequence[str], title: str, marks: Mapping[str, float]) -> Figure:
    """Points and invalid moves against the steps of training; marks are what is known of others."""
    figure = Figure(figsize=(9, 4.2), layout="constrained")
    figure.suptitle(title, color=INK)
    points, invalid = figure.subplots(1, 2)
    for run in runs:
        history, colour = found[run]["history"], COLOUR[run]
        steps, means, reach, tried, lost = (
            np.array([row[name] for row in history])
            for name in ("done", "evaluation", "evaluation_reach", "score", "invalid")
        )
        points.plot(steps, means, color=colour, label=NAMES[run])
        points.fill_between(steps, means - reach, means + reach, color=colour, alpha=0.2, linewidth=0)
        points.plot(steps, tried, color=colour, linestyle=":")
        invalid.plot(steps, lost, color=colour, linestyle=":")
    points.plot([], [], color=INK, linestyle=":", label="games of the training itself, in which it explores")
    for text, mean in marks.items():
        points.axhline(mean, color=INK, linewidth=1, linestyle=(0, (6, 3)), zorder=1)
        label = points.text(1, mean, f"{text}: {mean}", transform=points.get_yaxis_transform(), fontsize=8, color=INK)
        label.set(ha="right", va="center", zorder=1.5, bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.5})
    stages = found[runs[0]]["config"]["stages"]
    for axes, what in ((points, "points per game"), (invalid, "invalid moves per game")):
        plain(axes)
        axes.axvline(stages[0][0], color=INK, linewidth=1, alpha=0.5, zorder=1)
        axes.text(
            stages[0][0], 1.01, "entropy bonus off", transform=axes.get_xaxis_transform(), ha="center", fontsize=8
        )
        axes.set_xlabel("steps")
        axes.set_ylabel(what)
        axes.xaxis.set_major_locator(MaxNLocator(5))
        axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
        axes.set_xlim(0, sum(steps for steps, _ in stages))
        axes.set_ylim(bottom=0)
    points.set_ylim(top=1.08 * max(marks.values()))
    figure.legend(loc="outside lower center", ncols=4, frameon=False, fontsize=9)
    return figure


def game_by_game(found: Mapping[str, Taught], title: str, *rows: Row) -> Figure:
    """Each row: one game after the other, and beside them how often everything happened."""
    figure = Figure(figsize=(9, 5.6), layout="constrained")
    figure.suptitle(title, color=INK)
    grid = figure.subplots(len(rows), 2, sharey="row", width_ratios=(3, 1))
    for row, (series, often) in zip(rows, grid, strict=True):
        values, colour, games = np.array(found[row.run][row.what]), COLOUR[row.run], np.arange(1, SHOWN + 1)
        if row.what == "scores":
            series.plot(games, values[:SHOWN], "o", color=colour, markersize=3)
            width, mean = 2 if row.top == MAXIMUM else 10, f"{values.mean():.1f}"
            series.set_ylabel("points")
            series.set_ylim(-0.03 * row.top, max(row.top, *(high for _, high in row.thesis.values())) * 1.06)
        else:
            series.bar(games, values[:SHOWN], width=0.8, color=colour)
            width, mean = 1, f"{values.mean():.2f}"
            series.set_ylabel("invalid moves")
            series.set_ylim(-0.5, row.top + 0.5)
            series.yaxis.set_major_locator(MaxNLocator(integer=True))
        edges = np.arange(-width / 2, row.top + width, width)
        share = np.histogram(values, edges)[0] / len(values)
        often.barh(edges[:-1] + width / 2, share, height=0.85 * width, color=colour)
        often.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        for axes in (series, often):
            plain(axes)
            axes.axhline(values.mean(), color=INK, linewidth=1.3, label=f"mean of {len(values):,} games: {mean}")
            for label, (low, high) in row.thesis.items():
                if low == high:
                    axes.axhline(low, color=INK, linewidth=1.3, linestyle="--", label=label)
                else:
                    axes.axhspan(low, high, color=INK, alpha=0.18, linewidth=0, zorder=0, label=label)
        series.set_title(row.title, loc="left", fontsize=10)
        series.set_xlim(0, SHOWN + 1)
        above = {"loc": "lower right", "bbox_to_anchor": (1, 1), "ncols": 3, "borderaxespad": 0.2}
        legend = often.legend(*series.get_legend_handles_labels(), frameon=False, fontsize=9, **above)
        legend.set_in_layout(False)  # it is wider than its axes
    grid[-1][0].set_xlabel(f"game (the first {SHOWN})")
    grid[-1][1].set_xlabel(f"share of {GAMES:,} games")
    return figure


def plain(axes: Any) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(colors=INK)
    axes.grid(alpha=0.25)
    axes.set_axisbelow(True)


def small(picture: bytes) -> bytes:
    """The same PNG with as few colours as it needs."""
    out = io.BytesIO()
    Image.open(io.BytesIO(picture)).convert("RGB").quantize(64).save(out, format="PNG", optimize=True)
    return out.getvalue()


if __name__ == "__main__":
    main()
