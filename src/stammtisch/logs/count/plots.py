"""Pictures of what is in the logs: histograms with their limits for clipping, and Q-Q plots beside the normal curve."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import stats

from stammtisch.arena.plots import ACCENT, COLOURS, INK, PALE, axes_of, png
from stammtisch.logs.count.players import Player
from stammtisch.logs.distribution import Distribution

if TYPE_CHECKING:
    from stammtisch.core.game import Json

_BARS = 60  # more different values than this share bars


def pictures(shapes: Mapping[str, Distribution], best: list[Player], years: list[Json]) -> dict[str, dict[str, bytes]]:
    """PNG files by group: ``histogram`` and ``Q-Q`` by the name of the distribution, ``years``, ``players``."""
    found = {
        "histogram": {name: png(histogram(one)) for name, one in shapes.items()},
        "Q-Q": {name: png(qq_plot(one)) for name, one in shapes.items() if len(one.values) > 1},
    }
    rated = [player for player in best if player.elo is not None]
    if rated:
        found["players"] = {"elo": png(ladder(rated))}
    if sum(bool(row["year"]) for row in years) > 1:
        found["years"] = {"games": png(by_year(years))}
    return found


def histogram(shape: Distribution) -> Any:
    """How often each value occurred; dashed: where clipping would cut."""
    figure, axes = axes_of(6.4, 3.2)
    values, counts = shape.values.astype(float), shape.counts.astype(float)
    gaps = np.diff(values)
    width = float(gaps.min()) if len(gaps) else 1.0
    span = (values[-1] - values[0]) / width + 1
    together = int(np.ceil(span / _BARS))
    places = np.floor((values - values[0]) / (width * together)).astype(int)
    heights = np.bincount(places, weights=counts)
    wide = width * together
    centres = values[0] + wide * np.arange(len(heights)) + (wide - width) / 2
    axes.bar(centres, heights, width=0.9 * wide, color=ACCENT)
    for limit in shape.limits():
        axes.axvline(limit, color=COLOURS[1], linestyle="--", linewidth=1.2)
    axes.axvline(shape.mean, color=INK, linewidth=1.2)
    axes.set_xlabel(f"{shape.name} (line: mean; dashed: limits for clipping)")
    axes.set_ylabel("how often")
    return figure


def qq_plot(shape: Distribution) -> Any:
    """Quantiles of a sample against those of the normal distribution."""
    figure, axes = axes_of(3.8, 3.2)
    sample = shape.sample()
    (theory, ordered), (slope, middle, _) = stats.probplot(sample, dist="norm")
    axes.plot(theory, ordered, ".", color=ACCENT, markersize=3)
    axes.plot(theory, slope * theory + middle, color=COLOURS[1], linewidth=1)
    axes.set_xlabel("normal quantiles")
    axes.set_ylabel(shape.name)
    return figure


def ladder(players: list[Player]) -> Any:
    """The best players with their intervals."""
    figure, axes = axes_of(6.4, 0.32 * len(players) + 1.1)
    places = np.arange(len(players))[::-1]
    elo = np.array([player.elo for player in players], dtype=float)
    ends = np.array([player.elo_ci95 for player in players], dtype=float)
    axes.errorbar(elo, places, xerr=np.abs(ends.T - elo), fmt="o", color=ACCENT, capsize=4)
    left = axes.get_xlim()[0]
    axes.hlines(places, left, elo, color=PALE, linewidth=1, zorder=1)
    axes.set_xlim(left=left)
    axes.set_yticks(places, [player.name.replace("$", r"\$") for player in players])
    axes.set_xlabel("Elo, with 95 % intervals")
    return figure


def by_year(rows: list[Json]) -> Any:
    """Games per year."""
    figure, axes = axes_of(6.4, 2.8)
    known = [row for row in rows if row["year"]]
    axes.bar([row["year"] for row in known], [row["games"] for row in known], color=ACCENT)
    axes.set_xticks([row["year"] for row in known])
    axes.set_ylabel("games")
    return figure
