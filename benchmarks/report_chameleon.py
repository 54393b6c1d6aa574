"""Draws the pictures of docs/chameleon-learning.md from what was measured: python benchmarks/report_chameleon.py"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from stammtisch.arena.plots import COLOURS, axes_of, png
from stammtisch.arena.store import read
from stammtisch.arena.summary import summary

ROOT = Path(__file__).parent.parent
MEASURED = ROOT / "benchmarks" / "chameleon"
PICTURES = ROOT / "docs" / "pictures" / "chameleon"
OPPONENTS = {"evaluation": "random moves", "maxn_1": "maxN, 1 deep", "maxn_2": "maxN, 2 deep", "maxn_3": "maxN, 3 deep"}


def plan(players: int) -> bytes:
    """How much the plan's networks win while they learn: the best of each opponent's curves, and all others pale."""
    runs = [run for run in json.loads((MEASURED / "plan.json").read_text()) if run["players"] == players]
    figure, axes = axes_of(7.2, 4.2)
    for (key, name), colour in zip(OPPONENTS.items(), COLOURS, strict=False):
        best = max(runs, key=lambda run: _last(run, key))
        for run in runs:
            points = [(look["done"], 100 * look[key]) for look in run["looks"] if key in look]
            label = f"{name} (best: {run['encoding']} {run['hidden']})" if run is best else None
            style = {"linewidth": 2.2} if run is best else {"linewidth": 0.8, "alpha": 0.35}
            axes.plot(*zip(*points, strict=True), color=colour, label=label, **style)
    axes.axhline(100 / players, color="#999999", linewidth=0.8, linestyle=":")
    axes.set_xlabel("games learned from")
    axes.set_ylabel("share of the win, %")
    axes.set_title(f"TD(0) by the plan, {players} players: one network against {players - 1} of ...")
    axes.legend(frameon=False)
    return png(figure)


def _last(run: dict[str, Any], key: str) -> float:
    return float(next(look[key] for look in reversed(run["looks"]) if key in look))


def comparison() -> bytes:
    """Learned against by hand, at equal time: points of the learned evaluation, by number of players."""
    figure, axes = axes_of(7.2, 3.6)
    paths = sorted((MEASURED / "learned").glob("*ms.jsonl"), key=lambda path: len(path.name))
    for place, path in enumerate(paths):
        numbers = summary([read(path)])
        parts = [*numbers["by_players"].items(), ("all", numbers)]
        for shift, ((players, part), colour) in enumerate(zip(parts, COLOURS, strict=False)):
            ends = np.abs(np.array(part["ci95"]) - part["win_rate"])[:, None] * 100
            label = f"{players} players" if players != "all" else "together"
            at = place + 0.15 * (shift - 1.5)
            axes.errorbar(
                at, 100 * part["win_rate"], yerr=ends, fmt="o", color=colour, capsize=3, label=None if place else label
            )
    axes.axhline(50, color="#999999", linewidth=0.8, linestyle=":")
    axes.set_xticks(range(len(paths)), [path.stem.replace("ms", " ms") for path in paths])
    axes.set_ylabel("points of the learned evaluation, %")
    axes.legend(frameon=False)
    return png(figure)


def main() -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    (PICTURES / "comparison.png").write_bytes(comparison())
    for players in (2, 3, 4) if (MEASURED / "plan.json").exists() else ():
        (PICTURES / f"plan-{players}.png").write_bytes(plan(players))


if __name__ == "__main__":
    main()
