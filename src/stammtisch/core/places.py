"""Where things are kept on this computer; each place can be moved with an environment variable."""

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
