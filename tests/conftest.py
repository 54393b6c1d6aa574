"""Settings for all tests."""

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("any machine", deadline=None)  # the first call compiles
settings.load_profile("any machine")

collect_ignore = ["toys", "commands.py", "agents/bad_bots.py"]  # imported by the tests; not a test itself

# People's own games are nobody's test data: everything a test plays is kept somewhere else.
os.environ["STAMMTISCH_DATA"] = tempfile.mkdtemp(prefix="stammtisch-test-")


@pytest.fixture
def bounds(tmp_path: Path) -> dict[str, str]:
    """The environment of a process whose compiled code checks every index; its cache is its own, as its code is."""
    own = {"NUMBA_BOUNDSCHECK": "1", "STAMMTISCH_CACHE": str(tmp_path / "cache"), "STAMMTISCH_DATA": str(tmp_path)}
    return {**os.environ, **own, "PYTHONPATH": str(Path(__file__).parent)}


@pytest.fixture
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of its own for one test."""
    monkeypatch.setenv("STAMMTISCH_DATA", str(tmp_path / "data"))
    return tmp_path / "data"
