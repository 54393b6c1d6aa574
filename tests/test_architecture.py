"""The direction of dependencies, and one place for numba."""

import ast
import re
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from stammtisch.core.registry import games
from stammtisch.table.pages import WEB

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "stammtisch"
ALLOWED = {
    "core": set(),
    "games": {"core"},
    "search": {"core"},
    "models": {"core"},
    "work": {"core"},
    "agents": {"core", "games", "search", "models"},
    "playing": {"core", "agents", "arena"},
    "terminal": {"core", "agents"},
    "arena": {"core", "games", "search", "agents", "work"},
    "envs": {"core", "games", "search", "agents"},
    "analysis": {"core", "search", "agents", "arena"},
    "bench": {"core", "search", "agents", "arena", "envs"},
    "logs": {"core", "games", "search", "agents", "work", "arena"},
    "learning": {"core", "games", "search", "models", "agents", "work", "arena", "envs"},
    "table": {"core", "games", "search", "agents", "work"},
    "cli": {"core", "search", "agents", "terminal", "arena", "analysis", "bench", "logs", "learning", "table", "work"},
}


STEPS = {  # inside logs; what is in none of these folders belongs to all
    "read": set(),
    "judge": set(),
    "write": {"judge"},
    "keep": {"read", "judge"},
    "count": {"keep"},
    "learn": {"read", "judge", "keep", "count"},
}


def imports(file: Path, at_once: bool = False) -> Iterator[str]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for node in tree.body if at_once else ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file.name}: imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("room", sorted(ALLOWED))
def test_a_room_uses_only_the_rooms_below_it(room: str) -> None:
    for file in [PACKAGE / f"{room}.py"] if (PACKAGE / f"{room}.py").exists() else (PACKAGE / room).rglob("*.py"):
        used = {name.split(".")[1] for name in imports(file) if name.startswith("stammtisch.")} - {"__version__"}
        assert used <= ALLOWED[room] | {room}, f"{file} uses {used - ALLOWED[room] - {room}}"


@pytest.mark.parametrize("step", sorted(STEPS))
def test_a_step_of_the_logs_uses_only_earlier_ones(step: str) -> None:
    TopologicalSorter(STEPS).prepare()
    for file in (PACKAGE / "logs" / step).glob("*.py"):
        used = {name.split(".")[2] for name in imports(file) if name.startswith("stammtisch.logs.")}
        assert used & set(STEPS) <= STEPS[step] | {step}, file


def test_one_game_does_not_know_another() -> None:
    for folder in (path for path in (PACKAGE / "games").iterdir() if path.is_dir()):
        for file in folder.rglob("*.py"):
            for name in imports(file):
                assert not name.startswith("stammtisch.games.") or name.split(".")[2] == folder.name, file


def test_every_room_is_known_to_this_test_and_none_is_below_itself() -> None:
    rooms = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or list(path.glob("*.py"))}
    assert rooms - {"__init__"} == set(ALLOWED)
    TopologicalSorter(ALLOWED).prepare()  # raises CycleError


def test_no_file_needs_itself_to_be_loaded() -> None:
    """Imports that are made at once; what a function imports is loaded later."""
    names = {
        ".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): file
        for file in PACKAGE.rglob("*.py")
    }
    graph = {}
    for name, file in names.items():
        found = set(imports(file, at_once=True))
        graph[name] = ({one for one in found if one in names} | {one.rpartition(".")[0] for one in found}) & set(names)
        graph[name] -= {name, "stammtisch"}
    TopologicalSorter(graph).prepare()


def test_only_the_table_knows_of_the_web() -> None:
    for file in PACKAGE.rglob("*.py"):
        if {name.split(".")[0] for name in imports(file)} & {"starlette", "uvicorn", "websockets", "sqlite3"}:
            assert file.parent.name == "table", file


def test_only_the_core_imports_numba() -> None:
    for file in PACKAGE.rglob("*.py"):
        if any(name.split(".")[0] == "numba" for name in imports(file)):
            assert file.parent.name == "core", f"{file}: use stammtisch.core.compiling.compiled"


HOMES = {"logs": {"tichu"}}  # rooms that are about one game, besides games/<folder> and agents/<folder>


def at_home(file: Path) -> set[str]:
    """The games whose own room this file is in."""
    room, *rest = file.relative_to(PACKAGE).parts
    folders = {info.name: info.package.rpartition(".")[2] for info in games().values()}
    own = {name for name, folder in folders.items() if room in ("games", "agents") and folder in rest}
    return own | HOMES.get(room, set())


def tells_games_apart(node: ast.AST) -> Iterator[object]:
    """The constants that a comparison, a case or a table of this code turns on."""
    parts: list[ast.AST] = []
    if isinstance(node, ast.Compare):
        parts = [node.left, *node.comparators]
    elif isinstance(node, ast.Dict):
        parts = [key for key in node.keys if key is not None]
    elif isinstance(node, ast.MatchValue):
        parts = [node.value]
    for part in parts:
        inner = part.elts if isinstance(part, (ast.Tuple, ast.List, ast.Set)) else [part]
        yield from (one.value for one in inner if isinstance(one, ast.Constant))


@pytest.mark.parametrize("file", sorted(PACKAGE.rglob("*.py")), ids=lambda file: file.relative_to(PACKAGE).as_posix())
def test_no_code_but_a_game_s_own_asks_which_game_it_is(file: Path) -> None:
    """What differs by game is said by the game: in its ``GameInfo``, its ``Game``, its mind or its page."""
    found = {
        value for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))) for value in tells_games_apart(node)
    }
    assert not (found & set(games())) - at_home(file)


def test_neither_does_the_page_nor_what_builds_and_measures() -> None:
    words = "|".join(games())
    files = [*(path for path in WEB.rglob("*.js") if "vendor" not in path.parts), ROOT / "docs" / "generate.py"]
    for file in files:
        text = file.read_text(encoding="utf-8")
        assert not re.search(rf"[\"'`]({words})[\"'`.:]|\b({words})\s*:", text), file
    assert not re.search(rf"\b({words})\b", re.sub(r"GAME=\w+", "", (ROOT / "Makefile").read_text(encoding="utf-8")))
