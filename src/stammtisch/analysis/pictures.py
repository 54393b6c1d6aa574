"""The shape of a game in pictures (extra ``lab``)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from stammtisch.analysis.shape import Shape, Timing
from stammtisch.arena.plots import COLOURS, axes_of, png


def pictures(shapes: Sequence[Shape], timings: Sequence[Timing]) -> dict[str, bytes]:
    """Every picture the numbers allow, by name, as PNG."""
    found = {"lengths": lengths(shapes), "branching": branching(shapes)}
    if timings:
        found["time-per-move"] = time_per_move(timings)
    return {name: png(figure) for name, figure in found.items()}


def lengths(shapes: Sequence[Shape]) -> Figure:
    """How long the games were."""
    figure, axes = axes_of(7.2, 4.0)
    bins = np.linspace(0, max(float(np.quantile(shape.lengths, 0.99)) for shape in shapes), 41)
    for colour, shape in zip(COLOURS, shapes, strict=False):
        axes.hist(shape.lengths, bins, density=True, histtype="step", linewidth=2, color=colour, label=_name(shape))
    axes.set_xlabel("moves in a game")
    axes.set_ylabel("share of the games, per move")
    axes.legend(frameon=False)
    return figure


def branching(shapes: Sequence[Shape]) -> Figure:
    """How many moves there are to choose from as the game goes on."""
    figure, axes = axes_of(7.2, 4.0)
    for colour, shape in zip(COLOURS, shapes, strict=False):
        means = shape.branching_by_move()
        axes.plot(1 + np.arange(len(means)), means, color=colour, label=_name(shape))
    axes.set_xlabel("move number")
    axes.set_ylabel("legal moves, mean")
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False)
    return figure


def time_per_move(timings: Sequence[Timing]) -> Figure:
    """How long a decision takes, depth by depth: median, and the longest as a thin line."""
    figure, axes = axes_of(7.2, 4.0)
    players = sorted({len(one.game.spec.taken) for one in timings})
    for colour, number in zip(COLOURS, players, strict=False):
        mine = [one for one in timings if len(one.game.spec.taken) == number]
        depths = [one.depth for one in mine]
        axes.plot(depths, [np.median(one.ms) for one in mine], "o-", color=colour, label=f"{number} players")
        axes.plot(depths, [one.ms.max() for one in mine], ":", color=colour)
    axes.set_yscale("log")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("moves looked ahead")
    axes.set_ylabel("ms per decision: median, dotted the longest")
    axes.legend(frameon=False)
    return figure


def _name(shape: Shape) -> str:
    return f"{shape.players} players, {shape.who}"
