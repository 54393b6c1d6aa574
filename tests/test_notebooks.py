"""Every notebook runs from top to bottom."""

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from logs.corpus import make_folder
from stammtisch.logs.keep.database import Database
from stammtisch.logs.keep.importing import import_logs
from stammtisch.work.pool import Here

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"


def run(name: str) -> Any:
    notebook = nbformat.read(NOTEBOOKS / name, as_version=4)
    NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(NOTEBOOKS)}}).execute()
    return notebook


def test_the_notebook_about_logs_answers_every_question(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Database(tmp_path / "logs.duckdb", writable=True) as database:
        import_logs([make_folder(tmp_path / "logs", 8)], database, Here())
    monkeypatch.setenv("TICHU_LOGS", str(tmp_path / "logs.duckdb"))
    monkeypatch.setenv("TICHU_LEAST_ROUNDS", "1")
    notebook = run("tichu_logs.ipynb")
    text = "".join(str(output) for cell in notebook.cells for output in cell.get("outputs", []))
    for title in ("How much there is", "Percentiles", "Shape", "Balance", "Wishes", "Odd and even", "against", "Elo"):
        assert title in text, title
    assert text.count("image/png") >= 9


def test_notebooks_are_kept_without_results() -> None:
    for path in NOTEBOOKS.glob("*.ipynb"):
        for cell in nbformat.read(path, as_version=4).cells:
            assert not cell.get("outputs") and not cell.get("execution_count"), f"{path.name}: clear the results"
