"""Training data on disk: one HDF5 file with the decisions of many rounds, split by game.

``/train``, ``/validation`` and ``/test`` each hold ``rounds`` (game, year, month, index) and a group per decision
(``announce``, ``schupf``, ``play``, ``wish``, ``dragon``). A group has one row per decision in its columns: ``inputs``
(368 bits), ``numbers`` (the other 7 of the 375 inputs, in points), ``labels`` (bits), ``rtg`` and ``value`` (points),
``round``, ``seat``, ``step`` (the order within the round) and ``kind`` (the class, for balancing).
``play/trajectories`` says where the plays of one seat in one round begin and how many they are. The attribute
``about`` holds filters, counts, statistics and scaling as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.errors import MissingExtra, StammtischError
from stammtisch.games.tichu.features import INPUTS
from stammtisch.logs.distribution import Scaling
from stammtisch.logs.learn.decisions import BIT_COLUMNS, CLASSES, DECISIONS, LABEL_COUNTS, NUMBER_COLUMNS

if TYPE_CHECKING:
    from stammtisch.core.game import Json

try:
    import h5py
except ImportError:
    raise MissingExtra("datasets need") from None

VERSION = 1
PARTS = ("train", "validation", "test")
POINTS_PER_UNIT = 100  # of return-to-go and value
CHUNK = 4096  # rows that are compressed together
INDEX_BYTES = 1 << 20  # of the tables of chunks, kept while writing; in memory they take ten times as much
_MIXED = 32  # so many chunks from all over the file are shuffled together
OBSERVATION = {  # the scaling of features.observe, which agents at the table see
    "trick_points": Scaling("observation", -25, 125, 0, 100),
    "points": Scaling("observation", -25, 125, 0, 100),
    "game_score": Scaling("observation", -2000, 2000, 0, 1000),
}
_SCALED = ("trick_points", *["points"] * 4, *["game_score"] * 2)  # which scaling each of the numbers has


class BadDataset(StammtischError):
    """A file that is no dataset, or a question that it cannot answer."""


@dataclass(frozen=True)
class Batch:
    """Some decisions, ready for a network. Return-to-go and value are in hundreds of points."""

    inputs: NDArray[np.float32]  # [row, 375], or 376 with the return-to-go as the last
    labels: NDArray[np.float32]
    value: NDArray[np.float32]
    rtg: NDArray[np.float32]
    kind: NDArray[np.int8]
    round: NDArray[np.int32]
    seat: NDArray[np.int8]
    step: NDArray[np.int16]

    def __len__(self) -> int:
        return len(self.labels)


class Dataset:
    """An open dataset. Use it in a ``with`` statement.

    ``batches`` gives rows for networks that look at one position, ``trajectories`` the plays of a seat in one round.
    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        if not self.path.exists():
            raise BadDataset(f"{path} does not exist; make it with: stammtisch logs dataset FOLDER --out {path}")
        try:
            self.file = h5py.File(self.path, "r")
            about = json.loads(self.file.attrs["about"])
        except (OSError, KeyError, ValueError):
            raise BadDataset(f"{path} is no dataset of Tichu decisions, or its writing was interrupted") from None
        if about["version"] != VERSION:
            raise BadDataset(f"{path} has layout {about['version']}, this program reads {VERSION}: build it anew")
        self.about: Json = about
        self.scaling = {name: Scaling(**values) for name, values in about["scaling"].items()}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.file.close()

    def count(self, decision: str = "play", part: str = "train") -> int:
        """How many rows there are."""
        return len(self._group(decision, part)["kind"])

    def classes(self, decision: str = "play", part: str = "train") -> dict[str, int]:
        """How many rows each class has, such as ``free pass`` or ``bomb``."""
        numbers = np.bincount(self._group(decision, part)["kind"][:], minlength=len(CLASSES[decision]))
        return dict(zip(CLASSES[decision], numbers.tolist(), strict=True))

    def rounds(self, part: str = "train") -> dict[str, NDArray[Any]]:
        """Game, year, month and index (in the game) of the rounds that the rows point to."""
        return {name: column[:] for name, column in self.file[_checked(part, PARTS)]["rounds"].items()}

    def batches(
        self,
        decision: str = "play",
        part: str = "train",
        size: int = 4096,
        with_rtg: bool = False,
        scaling: str = "observation",
        seed: int | None = None,
    ) -> Iterator[Batch]:
        """All rows once, ``size`` at a time (the last batch may be smaller), shuffled if a seed is given.

        ``scaling`` is ``observation`` (as agents see it at the table) or ``analysis`` (clipped and scaled as the
        distribution of the training part suggests).
        """
        group = self._group(decision, part)
        starts = np.arange(0, len(group["kind"]), CHUNK)
        rng = None if seed is None else np.random.default_rng(seed)
        if rng is not None:
            rng.shuffle(starts)
        rest: dict[str, NDArray[Any]] = {}
        for first in range(0, len(starts), _MIXED):
            some = starts[first : first + _MIXED]
            rows = {name: np.concatenate([group[name][at : at + CHUNK] for at in some]) for name in _columns(group)}
            if rng is not None:
                order = rng.permutation(len(rows["kind"]))
                rows = {name: column[order] for name, column in rows.items()}
            if rest:
                rows = {name: np.concatenate([rest[name], column]) for name, column in rows.items()}
            whole = len(rows["kind"]) // size * size
            for at in range(0, whole, size):
                yield self._unpacked(rows, slice(at, at + size), decision, with_rtg, scaling)
            rest = {name: column[whole:] for name, column in rows.items()}
        if rest and len(rest["kind"]):
            yield self._unpacked(rest, slice(None), decision, with_rtg, scaling)

    def trajectories(
        self, part: str = "train", with_rtg: bool = False, scaling: str = "observation", seed: int | None = None
    ) -> Iterator[Batch]:
        """The plays of one seat in one round, in order, one batch each: for the decision transformer."""
        group = self._group("play", part)
        if "trajectories" not in group:
            raise BadDataset(f"{self.path} has no whole trajectories, because it was balanced: build one without that")
        places = group["trajectories"]
        order = np.arange(0, len(places), CHUNK)
        if seed is not None:
            np.random.default_rng(seed).shuffle(order)
        for first in order:
            some = places[first : first + CHUNK]
            begin, end = int(some[0, 0]), int(some[-1].sum())
            rows = {name: group[name][begin:end] for name in _columns(group)}
            for start, length in some - [begin, 0]:
                yield self._unpacked(rows, slice(start, start + length), "play", with_rtg, scaling)

    def _group(self, decision: str, part: str) -> Any:
        return self.file[_checked(part, PARTS)][_checked(decision, self.about["decisions"])]

    def _unpacked(
        self, rows: dict[str, NDArray[Any]], some: slice, decision: str, with_rtg: bool, scaling: str
    ) -> Batch:
        bits = np.unpackbits(rows["inputs"][some], axis=1, bitorder="little")
        n = len(bits)
        inputs = np.empty((n, INPUTS + with_rtg), dtype=np.float32)
        inputs[:, BIT_COLUMNS] = bits[:, : len(BIT_COLUMNS)]
        scales = OBSERVATION if _checked(scaling, ("observation", "analysis")) == "observation" else self.scaling
        for i, name in enumerate(_SCALED):
            inputs[:, NUMBER_COLUMNS[i]] = scales[name](rows["numbers"][some, i])
        rtg = rows["rtg"][some].astype(np.float32) / np.float32(POINTS_PER_UNIT)
        if with_rtg:
            inputs[:, -1] = rtg
        labels = np.unpackbits(rows["labels"][some], axis=1, bitorder="little")[:, : LABEL_COUNTS[decision]]
        value = rows["value"][some].astype(np.float32) / np.float32(POINTS_PER_UNIT)
        rest = (rows[name][some] for name in ("kind", "round", "seat", "step"))
        return Batch(inputs, labels.astype(np.float32), value, rtg, *rest)


def _columns(group: Any) -> list[str]:
    return [name for name in group if name != "trajectories"]


def _checked(name: str, known: Any) -> str:
    if name not in known:
        raise BadDataset(f"'{name}' is not in the dataset; there are: {', '.join(known)}")
    return name


class Writer:
    """Writes a dataset part by part into ``path``; the file is complete only after :meth:`finish`."""

    def __init__(self, path: Path, decisions: tuple[str, ...] = DECISIONS, trajectories: bool = True) -> None:
        self.path = path
        self.decisions = decisions
        self.trajectories = trajectories
        self.file = h5py.File(path, "w", rdcc_nbytes=0)  # only whole chunks are written: nothing to keep
        index = self.file.id.get_mdc_config()
        index.set_initial_size, index.initial_size, index.max_size = True, INDEX_BYTES, INDEX_BYTES
        self.file.id.set_mdc_config(index)
        self.columns: dict[str, Any] = {}
        self.pending: dict[str, list[NDArray[Any]]] = {}  # rows that do not fill a chunk yet
        self.rounds = dict.fromkeys(PARTS, 0)
        self.rows = {part: dict.fromkeys(decisions, 0) for part in PARTS}

    def add(self, part: str, deals: Any, rows: Any) -> None:
        """Rounds and their decisions; ``rows['round']`` are places in ``deals``."""
        for name in ("game", "year", "month", "index"):
            self._append(f"{part}/rounds/{name}", deals[name])
        base = self.rounds[part]
        self.rounds[part] += len(deals)
        for decision in self.decisions:
            some = rows[rows["decision"] == DECISIONS.index(decision)]
            place = f"{part}/{decision}"
            if decision == "play" and self.trajectories:
                self._append(f"{place}/trajectories", _runs(some, self.rows[part][decision]))
            label_bytes = -(-LABEL_COUNTS[decision] // 8)
            for name in ("inputs", "numbers", "rtg", "value", "seat", "step", "kind"):
                self._append(f"{place}/{name}", some[name])
            self._append(f"{place}/labels", some["labels"][:, :label_bytes])
            self._append(f"{place}/round", some["round"] + np.int32(base))
            self.rows[part][decision] += len(some)

    def finish(self, about: Json) -> None:
        """Write what the file is about; until then no reader takes it."""
        for name, parts in self.pending.items():
            self._write(name, np.concatenate(parts))
        kept = {"version": VERSION, "decisions": list(self.decisions), "rounds": self.rounds, "rows": self.rows}
        self.file.attrs["about"] = json.dumps({**kept, **about})
        self.file.close()

    def abandon(self) -> None:
        """Close and delete what has been written."""
        with suppress(OSError, RuntimeError):  # on a full disk not even closing works
            self.file.close()
        self.path.unlink(missing_ok=True)

    def _append(self, name: str, rows: NDArray[Any]) -> None:
        """Keep rows until whole chunks can be compressed at once."""
        if name not in self.columns:
            shape = rows.shape[1:]
            self.columns[name] = self.file.create_dataset(
                name, (0, *shape), rows.dtype, maxshape=(None, *shape), chunks=(CHUNK, *shape), compression=1
            )
            self.pending[name] = []
        kept = self.pending[name]
        kept.append(np.ascontiguousarray(rows))
        if sum(len(part) for part in kept) >= CHUNK:
            everything = np.concatenate(kept)
            whole = len(everything) // CHUNK * CHUNK
            self._write(name, everything[:whole])
            self.pending[name] = [everything[whole:]]

    def _write(self, name: str, rows: NDArray[Any]) -> None:
        column = self.columns[name]
        old = len(column)
        column.resize(old + len(rows), axis=0)
        column[old:] = rows


def _runs(rows: Any, base: int) -> NDArray[np.int64]:
    """Where the rows of one round and seat begin, counted from ``base``, and how many there are."""
    key = rows["round"].astype(np.int64) * 4 + rows["seat"]
    starts = np.flatnonzero(np.diff(key, prepend=-1))
    return np.stack([base + starts, np.diff(starts, append=len(rows))], axis=1)
