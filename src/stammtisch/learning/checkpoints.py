"""Runs on disk: arrays as safetensors, everything else as JSON. Nothing that is loaded here can run code.

A checkpoint is complete or not there: its arrays are written first, then the JSON file that names them takes the place
of the one before.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save

from stammtisch.core.errors import StammtischError, read_json
from stammtisch.core.places import replace_file
from stammtisch.models.cards import read_arrays

Arrays = dict[str, NDArray[Any]]
POINTER = "checkpoint.json"


class BadCheckpoint(StammtischError):
    """A run that cannot be continued from what is on disk."""


def damaged(folder: Path) -> BadCheckpoint:
    return BadCheckpoint(f"{folder}: the checkpoint is damaged; delete the folder, or name another --out")


def write_checkpoint(folder: Path, arrays: Mapping[str, NDArray[Any]], about: Mapping[str, Any]) -> None:
    """Keep a run's state; the checkpoint before is deleted once this one is safe."""
    content = save({name: np.ascontiguousarray(array) for name, array in arrays.items()})
    digest = hashlib.sha256(content).hexdigest()
    file = folder / f"state-{digest[:16]}.safetensors"
    replace_file(file, content)
    replace_file(folder / POINTER, _json({**about, "arrays": file.name, "sha256": digest}))
    for old in folder.glob("state-*.safetensors"):
        if old != file:
            old.unlink()


def read_checkpoint(folder: Path) -> tuple[Arrays, dict[str, Any]]:
    """The arrays and what else was kept."""
    if not (folder / POINTER).exists():
        raise BadCheckpoint(f"{folder}: no run to continue; start one without --resume")
    try:
        about = read_json((folder / POINTER).read_text(encoding="utf-8"), str(folder / POINTER))
        file = about["arrays"]
        content = (folder / file).read_bytes()
        if hashlib.sha256(content).hexdigest() == about["sha256"]:
            return read_arrays(content, file), about
    except (OSError, KeyError, TypeError, ValueError, StammtischError):
        pass
    raise damaged(folder)


def fitting(arrays: Arrays, like: Mapping[str, NDArray[Any]]) -> Arrays:
    """The kept arrays, if they are those of such a run; ValueError otherwise.

    Compiled code takes the shapes on trust, and what is no number would never be one again.
    """
    if arrays.keys() != like.keys():
        raise ValueError("other arrays")
    for name, array in arrays.items():
        if array.shape != (like[name].shape or (1,)) or array.dtype != like[name].dtype:
            raise ValueError(f"{name} has another shape")
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise ValueError(f"{name} holds what is no number")
    if "counts" in arrays and arrays["counts"].min() < 0:
        raise ValueError("less than nothing was done")
    return arrays


def _json(value: Mapping[str, Any]) -> bytes:
    return (json.dumps(value, indent=1) + "\n").encode()
