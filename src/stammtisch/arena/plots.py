"""Pictures of a match: ladder, scores, strength against thinking time or against an option of the agents."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from stammtisch.arena.match import BadMatch
from stammtisch.arena.outcome import results
from stammtisch.arena.store import Played
from stammtisch.core.game import Json

try:
    from matplotlib.figure import Figure
except ImportError:
    raise BadMatch("plots need the extra 'lab': pip install 'stammtisch[lab]'") from None

INK, ACCENT, PALE = "#22312b", "#1f7a5a", "#b9c9c0"
COLOURS = ("#1f7a5a", "#c4572c", "#3a6ea5", "#8a5a9e", "#b08a1e", "#5b6770", "#a63d57", "#2f8f9d")


def plots(numbers: Json, matches: Sequence[Played], times: Mapping[str, float], curve: str | None) -> dict[str, bytes]:
    """Every picture the numbers allow, by name, as PNG."""
    found: dict[str, Figure] = {}
    if numbers["kind"] == "ratings":
        found["ladder"] = ladder(numbers["ratings"])
        points = [(times[one["agent"]], one) for one in numbers["ratings"] if one["agent"] in times]
        if len(points) > 1:
            found["thinking-time"] = strength(points, "mean thinking time per decision, ms", _family)
        if curve is not None:
            found["curve"] = learning_curve(numbers["ratings"], curve)
    elif curve is not None:
        raise BadMatch("a curve needs ratings: 'stammtisch rate' with several agents that differ in this option")
    else:
        found["scores"] = histograms(matches[0])
    return {name: png(figure) for name, figure in found.items()}


def ladder(ratings: list[Json]) -> Figure:
    """Who stands where, with 95 % intervals."""
    figure, axes = _axes(7.2, 0.42 * len(ratings) + 1.3)
    places = np.arange(len(ratings))[::-1]
    values = np.array([one["rating"] for one in ratings])
    ends = np.array([one["ci95"] for one in ratings])
    axes.hlines(places, values.min() - 30, values, color=PALE, linewidth=1, zorder=1)
    axes.errorbar(values, places, xerr=np.abs(ends.T - values), fmt="o", color=ACCENT, capsize=4, markersize=7)
    axes.set_yticks(places, [one["agent"] for one in ratings])
    axes.set_ylim(-0.7, len(ratings) - 0.3)
    axes.set_xlabel("Elo, with 95 % intervals")
    return figure


def histograms(played: Played) -> Figure:
    """How often every agent scored what, on the same deals."""
    entrants = played.match.tables[0].entrants
    scores = [
        np.concatenate([results(played, t).scores[:, i, :].ravel() for t in range(len(played.match.tables))])
        for i in range(len(entrants))
    ]
    figure, axes = _axes(7.2, 4.0)
    everything = np.concatenate(scores)
    different = np.unique(everything)
    bins: Any = np.linspace(everything.min(), everything.max() + 1e-9, 31)
    if len(different) <= 30:
        gap = np.diff(different).min() if len(different) > 1 else 1.0
        bins = np.concatenate([different - gap / 2, [different[-1] + gap / 2]])
    names = [played.match.entrants[entrant] for entrant in entrants]
    axes.hist(scores, bins=bins, label=names, color=[COLOURS[i % len(COLOURS)] for i in range(len(names))])
    for i, some in enumerate(scores):
        axes.axvline(some.mean(), color=COLOURS[i % len(COLOURS)], linestyle="--", linewidth=1.2)
    axes.set_xlabel("score of a game (dashed: mean)")
    axes.set_ylabel("games")
    axes.legend(frameon=False)
    return figure


def learning_curve(ratings: list[Json], option: str) -> Figure:
    """Strength against a numeric option, such as the checkpoint a network was saved at."""
    points = []
    for one in ratings:
        text = _options(one["agent"]).get(option)
        digits = re.findall(r"\d+(?:\.\d+)?", text or "")
        if digits:
            points.append((float(digits[-1]), one))
    if len(points) < 2:
        raise BadMatch(f"no curve: fewer than two agents have a number in the option '{option}'")
    return strength(points, option, lambda name: _without(name, option))


def strength(points: list[tuple[float, Json]], label: str, family: Any) -> Figure:
    """Rating against a number; agents of one family are joined by a line."""
    figure, axes = _axes(7.2, 4.2)
    families: dict[str, list[tuple[float, Json]]] = {}
    for x, one in points:
        families.setdefault(family(one["agent"]), []).append((x, one))
    for i, (name, some) in enumerate(sorted(families.items())):
        some.sort(key=lambda point: point[0])
        xs, ys = [x for x, _ in some], np.array([one["rating"] for _, one in some])
        ends = np.array([one["ci95"] for _, one in some])
        colour = COLOURS[i % len(COLOURS)]
        axes.errorbar(xs, ys, yerr=np.abs(ends.T - ys), fmt="o-", color=colour, capsize=3, label=name)
    positive = [x for x, _ in points if x > 0]
    if len(positive) == len(points) and max(positive) > 30 * min(positive):
        axes.set_xscale("log")
    axes.set_xlabel(label)
    axes.set_ylabel("Elo, with 95 % intervals")
    axes.legend(frameon=False)
    return figure


def png(figure: Figure) -> bytes:
    out = io.BytesIO()
    figure.savefig(out, format="png", dpi=130, metadata={"Software": None})
    return out.getvalue()


def _axes(width: float, height: float) -> tuple[Figure, Any]:
    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots()
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(colors=INK)
    axes.grid(alpha=0.25)
    axes.set_axisbelow(True)
    return figure, axes


def _family(name: str) -> str:
    return name.partition(":")[0]


def _options(name: str) -> dict[str, str]:
    pairs = (text.partition("=") for text in name.partition(":")[2].split(",") if text)
    return {key.strip(): value.strip() for key, _, value in pairs}


def _without(name: str, option: str) -> str:
    """The agent's name without one of its options."""
    rest = ",".join(f"{key}={value}" for key, value in _options(name).items() if key != option)
    return _family(name) + (f":{rest}" if rest else "")
