"""The direction of dependencies, and one place for numba."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "src" / "stammtisch"
ALLOWED = {
    "core": {"core"},
    "games": {"core", "games"},
    "search": {"core", "search"},
    "agents": {"core", "games", "search", "agents"},
    "arena": {"core", "games", "search", "agents", "arena"},
    "envs": {"core", "games", "search", "agents", "envs"},
    "logs": {"core", "games", "search", "agents", "arena", "logs"},
    "learning": {"core", "games", "search", "agents", "arena", "envs", "learning"},
    "table": {"core", "games", "search", "agents", "table"},
}
TOP = {"stammtisch", *ALLOWED, "analysis", "announcing", "bench", "cli", "terminal"}


def imports(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file.name}: imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("room", sorted(ALLOWED))
def test_a_room_uses_only_the_rooms_below_it(room: str) -> None:
    for file in (PACKAGE / room).rglob("*.py"):
        used = {name.split(".")[1] for name in imports(file) if name.startswith("stammtisch.")}
        assert used <= ALLOWED[room], f"{file} uses {used - ALLOWED[room]}"


def test_one_game_does_not_know_another() -> None:
    for folder in (path for path in (PACKAGE / "games").iterdir() if path.is_dir()):
        for file in folder.rglob("*.py"):
            for name in imports(file):
                assert not name.startswith("stammtisch.games.") or name.split(".")[2] == folder.name, file


def test_every_room_is_known_to_this_test() -> None:
    rooms = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert rooms - {"__init__"} <= TOP


def test_only_the_table_knows_of_the_web() -> None:
    for file in PACKAGE.rglob("*.py"):
        if {name.split(".")[0] for name in imports(file)} & {"starlette", "uvicorn", "websockets", "sqlite3"}:
            assert file.parent.name == "table", file


def test_only_the_core_imports_numba() -> None:
    for file in PACKAGE.rglob("*.py"):
        if any(name.split(".")[0] == "numba" for name in imports(file)):
            assert file.parent.name == "core", f"{file}: use stammtisch.core.compiling.compiled"
