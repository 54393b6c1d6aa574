"""The numbers of a run: one line of JSON for every look at it, also for TensorBoard, and a picture at the end."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.errors import MissingExtra
from stammtisch.core.places import replace_file

FILE = "metrics.jsonl"


class Metrics:
    """Numbers by name against ``done``, the unit of the run's progress (games or steps)."""

    def __init__(self, folder: Path, done: int, tensorboard: bool) -> None:
        """Go on after ``done``: what an interrupted run wrote beyond its last checkpoint is forgotten."""
        self.path = folder / FILE
        lines = self.path.read_bytes().splitlines() if self.path.exists() else []
        self.rows = [row for row in map(_row, lines) if row is not None and row["done"] <= done]
        replace_file(self.path, "".join(json.dumps(row) + "\n" for row in self.rows).encode())
        self._board = _board(folder, done) if tensorboard else None

    def add(self, done: int, numbers: Mapping[str, float]) -> None:
        row = {"done": done, **{name: round(float(number), 6) for name, number in numbers.items()}}
        self.rows.append(row)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        if self._board is not None:
            for name, number in numbers.items():
                self._board.add_scalar(name, number, done)

    def close(self) -> None:
        if self._board is not None:
            self._board.close()


def _row(line: bytes) -> dict[str, Any] | None:
    """A line that was written to its end."""
    try:
        row = json.loads(line)
    except ValueError:
        return None
    return row if isinstance(row, dict) and "done" in row else None


def _board(folder: Path, done: int) -> Any:
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        raise MissingExtra("--tensorboard needs") from None
    return SummaryWriter(str(folder / "tensorboard"), purge_step=done)


def strength(scores: NDArray[np.float64], marks: tuple[int, int] | None = None) -> dict[str, Any]:
    """Mean with its 95 % interval, median, and how often a game was below the first mark or above the second."""
    reach = 1.96 * float(scores.std(ddof=1)) / len(scores) ** 0.5
    mean = float(scores.mean())
    ends = np.clip((mean - reach, mean + reach), scores.min(), scores.max())  # a share is never more than all
    known = {
        "games": len(scores),
        "mean": round(mean, 4),
        "ci95": [round(float(end), 4) for end in ends],
        "median": float(np.median(scores)),
    }
    if marks:
        low, high = marks
        known[f"above_{high}"] = round(float((scores > high).mean()), 4)
        known[f"below_{low}"] = round(float((scores < low).mean()), 4)
    return known


def curve(rows: Sequence[Mapping[str, float]], unit: str, names: Sequence[str], title: str) -> bytes:
    """Numbers of a run against its progress, as PNG; where ``<name>_reach`` was measured, with its interval."""
    from stammtisch.arena.plots import COLOURS, axes_of, png

    figure, axes = axes_of(7.2, 4.2)
    for name, colour in zip(names, COLOURS, strict=False):
        points = [(row["done"], row[name], row.get(f"{name}_reach", 0.0)) for row in rows if name in row]
        if points:
            done, values, reach = (np.array(column) for column in zip(*points, strict=True))
            axes.plot(done, values, color=colour, label=name.replace("_", " "))
            axes.fill_between(done, values - reach, values + reach, color=colour, alpha=0.2, linewidth=0)
    axes.set_xlabel(unit)
    axes.set_title(title)
    axes.legend(frameon=False)
    return png(figure)
