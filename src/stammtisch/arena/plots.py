"""Pictures of a match: ladder, scores, strength against thinking time or against an option of the agents."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from stammtisch.arena.match import BadMatch
from stammtisch.arena.outcome import results
from stammtisch.arena.store import Played
from stammtisch.core.errors import MissingExtra
from stammtisch.core.game import Json

try:
    from matplotlib.figure import Figure
except ImportError:
    raise MissingExtra("plots need") from None

INK, ACCENT, PALE = "#22312b", "#1f7a5a", "#b9c9c0"
COLOURS = ("#1f7a5a", "#c4572c", "#3a6ea5", "#8a5a9e", "#b08a1e", "#5b6770", "#a63d57", "#2f8f9d")


def plots(numbers: Json, matches: Sequence[Played], times: Mapping[str, float], curve: str | None) -> dict[str, bytes]:
    """Every picture the numbers allow, by name, as PNG."""
    found: dict[str, Figure] = {}
    if numbers["kind"] == "ratings":
        unit = "Elo" if numbers["by"] == "wins" else "points a game more than average"
        found["ladder"] = ladder(numbers["ratings"], unit)
        points = [(times[one["agent"]], one) for one in numbers["ratings"] if one["agent"] in times]
        if len(points) > 1:
            found["thinking-time"] = strength(points, "mean thinking time per decision, ms", _family, unit)
        if curve is not None:
            found["curve"] = learning_curve(numbers["ratings"], curve, unit)
    elif curve is not None:
        raise BadMatch("a curve needs ratings: 'stammtisch rate' with several agents that differ in this option")
    else:
        found["scores"] = histograms(matches[0])
    return {name: png(figure) for name, figure in found.items()}


def ladder(ratings: list[Json], unit: str) -> Figure:
    """Who stands where, with 95 % intervals."""
    figure, axes = axes_of(7.2, 0.42 * len(ratings) + 1.3)
    places = np.arange(len(ratings))[::-1]
    values = np.array([one["rating"] for one in ratings])
    ends = np.array([one["ci95"] for one in ratings])
    axes.errorbar(values, places, xerr=np.abs(ends.T - values), fmt="o", color=ACCENT, capsize=4, markersize=7)
    left = axes.get_xlim()[0]
    axes.hlines(places, left, values, color=PALE, linewidth=1, zorder=1)
    axes.set_xlim(left=left)
    axes.set_yticks(places, [one["agent"] for one in ratings])
    axes.set_ylim(-0.7, len(ratings) - 0.3)
    axes.set_xlabel(f"{unit}, with 95 % intervals")
    return figure


def histograms(played: Played) -> Figure:
    """How often every agent scored what, on the same deals."""
    entrants = played.match.tables[0].entrants
    scores = [
        np.concatenate([results(played, t).scores[:, i, :].ravel() for t in range(len(played.match.tables))])
        for i in range(len(entrants))
    ]
    figure, axes = axes_of(7.2, 4.0)
    everything = np.concatenate(scores)
    different = np.unique(everything)
    bins: Any = np.linspace(everything.min(), everything.max() + 1e-9, 31)
    if len(different) <= 30:
        gap = np.diff(different).min() if len(different) > 1 else 1.0
        bins = np.unique(np.concatenate([different - gap / 2, different + gap / 2]).round(9))
        axes.set_xticks(different, [f"{score:g}" for score in different])
    names = [played.match.entrants[entrant] for entrant in entrants]
    axes.hist(scores, bins=bins, label=names, color=[COLOURS[i % len(COLOURS)] for i in range(len(names))])
    for i, some in enumerate(scores):
        axes.axvline(some.mean(), color=INK, linestyle=(0, (1 + 3 * (i + 1), 3)), linewidth=1.2, zorder=3)
    axes.set_xlabel("score of a seat (dashed: means)")
    axes.set_ylabel("how often")
    _legend_above(axes)
    return figure


def check_curve(names: Iterable[str], option: str) -> None:
    """Refuse a curve of fewer than two points."""
    if sum(_option_number(name, option) is not None for name in names) < 2:
        raise BadMatch(f"no curve: fewer than two agents have a number in the option '{option}'")


def _option_number(name: str, option: str) -> float | None:
    """The last number in this option of an agent: ``checkpoint=run7-04000`` is 4000."""
    digits = re.findall(r"\d+(?:\.\d+)?", _options(name).get(option, ""))
    return float(digits[-1]) if digits else None


def learning_curve(ratings: list[Json], option: str, unit: str) -> Figure:
    """Strength against a numeric option, such as the checkpoint a network was saved at."""
    check_curve((one["agent"] for one in ratings), option)
    numbers = [(_option_number(one["agent"], option), one) for one in ratings]
    points = [(number, one) for number, one in numbers if number is not None]
    return strength(points, option, lambda name: _without(name, option), unit)


def strength(points: list[tuple[float, Json]], label: str, family: Any, unit: str) -> Figure:
    """Rating against a number; agents of one family are joined by a line."""
    figure, axes = axes_of(7.2, 4.2)
    families: dict[str, list[tuple[float, Json]]] = {}
    for x, one in points:
        families.setdefault(family(one["agent"]), []).append((x, one))
    kinds = sorted({_family(name) for name in families})
    for name, some in sorted(families.items()):
        some.sort(key=lambda point: point[0])
        xs, ys = [x for x, _ in some], np.array([one["rating"] for _, one in some])
        ends = np.array([one["ci95"] for _, one in some])
        colour = COLOURS[kinds.index(_family(name)) % len(COLOURS)]
        axes.errorbar(xs, ys, yerr=np.abs(ends.T - ys), fmt="o-", color=colour, capsize=3, label=name)
    positive = [x for x, _ in points if x > 0]
    if len(positive) == len(points) and max(positive) > 30 * min(positive):
        axes.set_xscale("log")
    axes.set_xlabel(label)
    axes.set_ylabel(f"{unit}, with 95 % intervals")
    _legend_above(axes)
    return figure


def png(figure: Figure) -> bytes:
    out = io.BytesIO()
    figure.savefig(out, format="png", dpi=130, metadata={"Software": None})
    return out.getvalue()


def axes_of(width: float, height: float) -> tuple[Figure, Any]:
    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots()
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(colors=INK)
    axes.grid(alpha=0.25)
    axes.set_axisbelow(True)
    return figure, axes


def _legend_above(axes: Any) -> None:
    axes.legend(frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=4, borderaxespad=0.2)


def _family(name: str) -> str:
    return name.partition(":")[0]


def _options(name: str) -> dict[str, str]:
    pairs = (text.partition("=") for text in name.partition(":")[2].split(",") if text)
    return {key.strip(): value.strip() for key, _, value in pairs}


def _without(name: str, option: str) -> str:
    """The agent's name without one of its options."""
    rest = ",".join(f"{key}={value}" for key, value in _options(name).items() if key != option)
    return _family(name) + (f":{rest}" if rest else "")
