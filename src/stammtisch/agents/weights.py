"""Networks that come with the package: weights as safetensors, and a card in JSON that says where they are from.

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

MODELS = Path(__file__).resolve().parent.parent / "models"


class BadWeights(StammtischError):
    """A file of weights that is not there, damaged, or made for another network."""


def card(name: str, folder: Path = MODELS) -> dict[str, Any]:
    """What is known of a network: data, command, seed, hours, measured strength, SHA-256 of its weights."""
    path = folder / f"{name}.json"
    try:
        known: dict[str, Any] = read_json(path.read_text(encoding="utf-8"), str(path))
    except OSError:
        raise BadWeights(f"there is no network '{name}' in {folder}; install the package anew") from None
    return known


@lru_cache(maxsize=16)
def weights(name: str, folder: Path = MODELS) -> dict[str, NDArray[np.float32]]:
    """The arrays of a network by name, checked against the fingerprint on its card."""
    path = folder / f"{name}.safetensors"
    expected = card(name, folder).get("sha256")
    try:
        content = path.read_bytes()
    except OSError:
        raise BadWeights(f"{path} is not there; install the package anew") from None
    if hashlib.sha256(content).hexdigest() != expected:
        raise BadWeights(f"{path} is not the file its card describes; install the package anew")
    try:
        return {key: array.astype(np.float32) for key, array in load(content).items()}
    except SafetensorError as error:
        raise BadWeights(f"{path} cannot be read ({error}); install the package anew") from None
