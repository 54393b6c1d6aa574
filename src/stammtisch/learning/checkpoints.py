"""Runs on disk: arrays as safetensors, everything else as JSON. Nothing that is loaded here can run code.

A checkpoint is complete or not there: its arrays are written first, then the JSON file that names them takes the place
of the one before.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load, save

from stammtisch.core.errors import StammtischError, read_json

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
        content = (folder / about["arrays"]).read_bytes()
        if hashlib.sha256(content).hexdigest() == about["sha256"]:
            return load(content), about
    except (OSError, KeyError, TypeError, ValueError, StammtischError, SafetensorError):
        pass
    raise damaged(folder)


def write_model(folder: Path, name: str, arrays: Mapping[str, NDArray[Any]], card: Mapping[str, Any]) -> Path:
    """Write a finished network and its card, which gets the fingerprint of the weights; the place of the card."""
    content = save({key: np.ascontiguousarray(array) for key, array in arrays.items()})
    replace_file(folder / f"{name}.safetensors", content)
    path = folder / f"{name}.json"
    replace_file(path, _json({"name": name, **card, "sha256": hashlib.sha256(content).hexdigest()}))
    return path


def replace_file(path: Path, content: bytes) -> None:
    """Write a file so that at any time either the old or the new content is there."""
    beside = path.with_name(f".{path.name}.new")
    with beside.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)


def _json(value: Mapping[str, Any]) -> bytes:
    return (json.dumps(value, indent=1) + "\n").encode()
