"""From pieces to a dataset: split them by game, thin out what there is too much of, count for the scaling, write."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.errors import StammtischError
from stammtisch.logs.distribution import Distribution
from stammtisch.logs.learn.dataset import PARTS, Writer
from stammtisch.logs.learn.decisions import CLASSES, DECISIONS, PLAY_ROW
from stammtisch.logs.learn.pieces import Piece
from stammtisch.logs.learn.recipe import Recipe
from stammtisch.logs.moves import mixed

if TYPE_CHECKING:
    from stammtisch.core.game import Json

_LEAST, _MOST = -5000, 5000  # points that any number of a row lies between


def part_of(keys: NDArray[np.int64], split: tuple[float, float, float]) -> NDArray[np.int64]:
    """0, 1 or 2 for train, validation, test: from the game's key, so that no game is in two parts."""
    chance = mixed(np.asarray(keys).astype(np.uint64))
    share = (chance >> np.uint64(11)).astype(np.float64) / 2**53 * 100
    return (share >= split[0]).astype(np.int64) + (share >= split[0] + split[1])


class Balance:
    """Thins out the classes that have more than ``most`` times an even share of the rows so far."""

    def __init__(self, most: float, seed: int) -> None:
        self.most = most
        self.rng = np.random.default_rng(seed)
        self.seen = {name: np.zeros(len(CLASSES[name]), dtype=np.int64) for name in DECISIONS}

    def kept(self, rows: Any) -> Any:
        chance = np.ones(len(rows))
        for number, name in enumerate(DECISIONS):
            some = np.flatnonzero(rows["decision"] == number)
            seen = self.seen[name]
            seen += np.bincount(rows["kind"][some], minlength=len(seen))
            even = seen.sum() / len(seen)
            with np.errstate(divide="ignore"):
                chance[some] = np.minimum(1, self.most * even / seen)[rows["kind"][some]]
        return rows[self.rng.random(len(rows)) < chance]


class _Seen:
    """Histograms of the numbers of training rows, for their scaling."""

    NAMES = ("trick_points", "points", "game_score", "rtg", "value")

    def __init__(self) -> None:
        self.counts = {name: np.zeros(_MOST - _LEAST + 1, dtype=np.int64) for name in self.NAMES}

    def add(self, rows: Any) -> None:
        plays = rows[rows["decision"] == PLAY_ROW] if (rows["decision"] == PLAY_ROW).any() else rows
        numbers = plays["numbers"]
        columns = (numbers[:, :1], numbers[:, 1:5], numbers[:, 5:], plays["rtg"], plays["value"])
        for name, column in zip(self.NAMES, columns, strict=True):
            places = np.clip(column, _LEAST, _MOST).astype(np.int64).ravel() - _LEAST
            self.counts[name] += np.bincount(places, minlength=len(self.counts[name]))

    def to_json(self) -> tuple[Json, Json]:
        """Scaling and statistics by name."""
        points = np.arange(_LEAST, _MOST + 1)
        all_zero = np.eye(1, len(points), -_LEAST, dtype=np.int64)[0]
        found = {
            name: Distribution.of(name, points, counts if counts.any() else all_zero)
            for name, counts in self.counts.items()
        }
        scaling = {name: one.scaling().to_json() for name, one in found.items()}
        return scaling, {name: one.to_json() for name, one in found.items()}


@dataclass
class Built:
    """How a dataset came out."""

    files: int = 0
    rounds: int = 0
    rows: dict[str, dict[str, int]] = field(default_factory=dict)
    failures: list[tuple[str, str]] = field(default_factory=list)

    def to_json(self) -> Json:
        return asdict(self)


def build(
    pieces: Iterable[Piece], recipe: Recipe, out: Path, about: Json, tell: Callable[[Piece, Built], None] | None = None
) -> Built:
    """Write the pieces into ``out``; until all is written the file has another name."""
    unfinished = out.with_name(out.name + ".part")
    writer = Writer(unfinished, recipe.decisions, trajectories=recipe.balance is None)
    balance = None if recipe.balance is None else Balance(recipe.balance, recipe.seed)
    built, seen = Built(), _Seen()
    try:
        for one in pieces:
            rows = one.rows if balance is None else balance.kept(one.rows)
            part = part_of(one.deals["key"], recipe.split)
            for number, name in enumerate(PARTS):
                mine = part == number
                own = rows[mine[rows["round"]]] if len(rows) else rows
                own["round"] = (np.cumsum(mine) - 1)[own["round"]]
                if number == 0:
                    seen.add(own)
                writer.add(name, one.deals[mine], own)
            built.files += one.files
            built.rounds += len(one.deals)
            built.failures += one.failures
            if tell is not None:
                tell(one, built)
        scaling, statistics = seen.to_json()
        writer.finish({"recipe": recipe.to_json(), "scaling": scaling, "statistics": statistics, **about})
    except (OSError, RuntimeError) as error:  # HDF5 has both for a full disk
        writer.abandon()
        raise StammtischError(f"{out} cannot be written ({error}); free some space and run the command again") from None
    except BaseException:
        writer.abandon()
        raise
    unfinished.replace(out)
    built.rows = writer.rows
    return built
