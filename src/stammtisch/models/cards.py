"""Networks, of the package or of somebody's own run: weights as safetensors, and a card in JSON that says where
they are from.

Nothing that is loaded here can run code, and what has another shape than the player's code expects is refused: compiled
code takes the sizes of a network on trust.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load, save

from stammtisch.core.errors import StammtischError, read_json
from stammtisch.core.places import replace_file

Weights: TypeAlias = dict[str, NDArray[np.float32]]

SUFFIX = ".safetensors"
MODELS = Path(__file__).resolve().parent
LARGEST = 1e4  # no weight that was learned is larger; so no sum overflows
MOST_BYTES = 1 << 30  # of a file


class BadWeights(StammtischError):
    """A file of weights that is not there, damaged, or made for another network."""


@dataclass(frozen=True)
class Layout:
    """What a player's network looks like: the names of its arrays and their shapes.

    A word in a shape is a size that the network chooses, the same wherever the word stands; ``sizes`` names those it
    can choose from, where not all will do. ``largest`` limits the weights of an array further than ``LARGEST``.
    ``advice`` says what to do with a network that is not like this.
    """

    title: str
    shapes: Mapping[str, tuple[int | str, ...]]
    sizes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    largest: Mapping[str, float] = field(default_factory=dict)
    advice: str = "name another with net=, or leave net= out"

    def fit(self, arrays: Mapping[str, NDArray[Any]], name: str) -> Weights:
        """The arrays, if they are such a network."""
        wrong = self._difference(arrays)
        if wrong is not None:
            raise BadWeights(f"'{name}' is no {self.title}: {wrong}; {self.advice}")
        return dict(arrays)

    def fields(self, **chosen: int) -> list[tuple[str, type[np.float32], tuple[int, ...]]]:
        """The arrays as fields of a mind's record (``core/mind.py``), with the sizes that are free in the layout.

        >>> Layout("network", {"rows": (7, "units"), "bias": ("units",)}).fields(units=3)
        [('rows', <class 'numpy.float32'>, (7, 3)), ('bias', <class 'numpy.float32'>, (3,))]
        """
        return [
            (name, np.float32, tuple(chosen[size] if isinstance(size, str) else size for size in shape))
            for name, shape in self.shapes.items()
        ]

    def _difference(self, arrays: Mapping[str, NDArray[Any]]) -> str | None:
        for kind, names in (("lacks", self.shapes.keys() - arrays.keys()), ("also has", arrays.keys() - self.shapes)):
            if names:
                return f"it {kind} {_short(', '.join(sorted(names)))}"
        chosen: dict[str, int] = {}
        for name, shape in self.shapes.items():
            array = arrays[name]
            if array.dtype != np.float32:
                return f"{name} holds {array.dtype}, not float32"
            known = [chosen.get(size, size) if isinstance(size, str) else size for size in shape]
            if len(array.shape) != len(shape) or not all(map(self._is_size, array.shape, known)):
                return f"{name} is {_by(array.shape)}, not {_by(known)}"
            chosen |= {word: size for word, size in zip(shape, array.shape, strict=True) if isinstance(word, str)}
            if not np.isfinite(array).all():
                return f"{name} has weights that are no finite numbers"
            limit = self.largest.get(name, LARGEST)
            if np.abs(array).max() > limit:
                return f"{name} has weights beyond {limit:g}"
        return None

    def _is_size(self, size: int, expected: int | str) -> bool:
        if isinstance(expected, int):
            return size == expected
        return size in self.sizes[expected] if expected in self.sizes else size > 0


def _by(shape: Any) -> str:
    return " by ".join(map(str, shape)) or "a single number"


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."


def card(name: str, folder: Path = MODELS) -> dict[str, Any]:
    """What is known of a network: data, command, seed, hours, measured strength, SHA-256 of its weights."""
    path = _path(name, folder).with_suffix(".json")
    try:
        known: dict[str, Any] = read_json(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError):
        raise BadWeights(f"{path}, the card of network '{name}', cannot be read: keep it beside the weights") from None
    if not isinstance(known, dict):
        raise BadWeights(f"{path} is no card of a network: copy it anew, or train the network anew")
    return known


def network(name: str, layout: Layout, folder: Path = MODELS) -> Weights:
    """The arrays of a network, if its file is the one its card describes and they are laid out like this."""
    path = _path(name, folder)
    return layout.fit(_arrays(path, str(card(name, folder).get("sha256"))), name)


def write_network(folder: Path, name: str, arrays: Mapping[str, NDArray[Any]], about: Mapping[str, Any]) -> Path:
    """Write a finished network and its card, which gets the fingerprint of the weights; the place of the card."""
    content = save({key: np.ascontiguousarray(array) for key, array in arrays.items()})
    replace_file(folder / f"{name}{SUFFIX}", content)
    path = folder / f"{name}.json"
    known = {"name": name, **about, "sha256": hashlib.sha256(content).hexdigest()}
    replace_file(path, (json.dumps(known, indent=1) + "\n").encode())
    return path


def _path(name: str, folder: Path) -> Path:
    """A network of the package by its name; one's own by its file."""
    path = Path(name) if name.endswith(SUFFIX) else folder / f"{name}{SUFFIX}"
    try:
        there = path.is_file()
    except OSError:  # a name that no file can have
        there = False
    if not there:
        ours = ", ".join(sorted(known.stem for known in folder.glob(f"*{SUFFIX}")))
        raise BadWeights(
            f"there is no network '{_short(name)}': name a file {SUFFIX} of 'stammtisch train', or one of {ours}"
        )
    return path


@lru_cache(maxsize=16)
def _arrays(path: Path, sha256: str) -> dict[str, NDArray[Any]]:
    """The arrays of the file with this fingerprint, which are not to be changed."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise BadWeights(f"{path} is larger than any network here: name another file")
        content = path.read_bytes()
    except OSError as error:
        raise BadWeights(f"{path} cannot be read ({error.strerror}): see to it, or name another file") from None
    if hashlib.sha256(content).hexdigest() != sha256:
        raise BadWeights(f"{path} is not the file its card describes; copy it anew, or install the package anew")
    return read_arrays(content, str(path))


def read_arrays(content: bytes, source: str) -> dict[str, NDArray[Any]]:
    """All arrays of a safetensors file, as copies that may be written to."""
    try:
        return {key: array.copy() for key, array in load(content).items()}
    except Exception as error:  # the library says it of a damaged file in many ways
        raise BadWeights(f"{source} is no file of weights ({_short(str(error))}); copy it anew") from None
