"""Where things are kept on this computer, each place to be moved with an environment variable; files that are whole."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_cache_path, user_data_path


def cache_home() -> Path:
    """Compiled rules; may be deleted at any time (``STAMMTISCH_CACHE``)."""
    return Path(os.environ.get("STAMMTISCH_CACHE") or user_cache_path("stammtisch"))


def data_home() -> Path:
    """The games people played (``STAMMTISCH_DATA``)."""
    return Path(os.environ.get("STAMMTISCH_DATA") or user_data_path("stammtisch"))


def replace_file(path: Path, content: bytes) -> None:
    """Write a file so that at any time either the old or the new content is there."""
    beside = path.with_name(f".{path.name}.new")
    with beside.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
