"""Networks, of the package or of somebody's own run: weights as safetensors, and a card in JSON that says where
they are from.

Nothing that is loaded here can run code.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load

from stammtisch.core.errors import StammtischError, read_json

SUFFIX = ".safetensors"
MODELS = Path(__file__).resolve().parent.parent / "models"


class BadWeights(StammtischError):
    """A file of weights that is not there, damaged, or made for another network."""


def _path(name: str, folder: Path) -> Path:
    """A network of the package by its name; one's own by its file."""
    path = Path(name) if name.endswith(SUFFIX) else folder / f"{name}{SUFFIX}"
    if not path.is_file():
        ours = ", ".join(sorted(known.stem for known in folder.glob(f"*{SUFFIX}")))
        raise BadWeights(f"there is no network '{name}': name a file {SUFFIX} of 'stammtisch train', or one of {ours}")
    return path


def card(name: str, folder: Path = MODELS) -> dict[str, Any]:
    """What is known of a network: data, command, seed, hours, measured strength, SHA-256 of its weights."""
    path = _path(name, folder).with_suffix(".json")
    try:
        known: dict[str, Any] = read_json(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError):
        raise BadWeights(f"{path}, the card of network '{name}', cannot be read") from None
    if not isinstance(known, dict):
        raise BadWeights(f"{path} is no card of a network")
    return known


@lru_cache(maxsize=16)
def weights(name: str, folder: Path = MODELS) -> dict[str, NDArray[np.float32]]:
    """The arrays of a network, checked against the fingerprint on its card."""
    path = _path(name, folder)
    expected = card(name, folder).get("sha256")
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadWeights(f"{path} cannot be read ({error.strerror})") from None
    if hashlib.sha256(content).hexdigest() != expected:
        raise BadWeights(f"{path} is not the file its card describes; copy it anew, or install the package anew")
    try:
        return {key: array.astype(np.float32) for key, array in load(content).items()}
    except SafetensorError as error:
        raise BadWeights(f"{path} cannot be read ({error})") from None
