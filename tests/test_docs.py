"""The documentation is complete and current."""

import ast
import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

from stammtisch.arena.match import WARM_UP
from stammtisch.arena.referee import WARM_UP_DECISIONS
from stammtisch.cli.app import app
from stammtisch.core.registry import games

ROOT = Path(__file__).parent.parent
SOURCES = sorted(path.relative_to(ROOT / "src" / "stammtisch") for path in (ROOT / "src" / "stammtisch").rglob("*.py"))


def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("source", SOURCES, ids=str)
def test_every_source_file_says_what_it_is(source: Path) -> None:
    """The list in the architecture is made of these sentences, by ``make docs``."""
    tree = ast.parse((ROOT / "src" / "stammtisch" / source).read_text(encoding="utf-8"))
    assert not tree.body or ast.get_docstring(tree)


def test_the_page_of_the_arena_names_the_warm_up_as_it_is() -> None:
    page = (ROOT / "docs" / "arena.md").read_text(encoding="utf-8")
    assert f"by {WARM_UP_DECISIONS} decisions outside of all games ({WARM_UP:.0f} seconds at most)" in page


def test_generated_pages_are_current() -> None:
    for path, text in generator().pages().items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name} is out of date: make docs"


OWN_GAMES = sorted(name for name, info in games().items() if info.loader.startswith("stammtisch."))


@pytest.mark.parametrize("game", OWN_GAMES)
def test_every_game_has_a_page_with_the_common_headings(game: str) -> None:
    def headings(name: str) -> list[str]:
        page = (ROOT / "docs" / "games" / f"{name}.md").read_text(encoding="utf-8")
        return re.findall(r"^## (.+)$", page, re.MULTILINE)

    assert set(headings("tictactoe")) <= set(headings(game))


def test_every_command_is_in_the_reference() -> None:
    page = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    for command in app.registered_commands:
        assert command.callback
        assert f"## stammtisch {command.callback.__name__}\n" in page


@pytest.mark.parametrize("page", [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))], ids=lambda p: p.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
        if not target.startswith("http"):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


NOT_OURS = ("mygame", "page/", "tensorboard/", "recipes/tictactoe-openings.toml")  # what readers make


@pytest.mark.parametrize("page", [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))], ids=lambda p: p.name)
def test_files_and_folders_that_are_named_exist(page: Path) -> None:
    package = ROOT / "src" / "stammtisch"
    places = (ROOT, package, package / "table", package / "games", page.parent)
    for name in re.findall(
        r"`((?:[\w.-]+/)+(?:[\w-]+\.(?:py|js|css|sh|toml|json|jsonl|ipynb))?)`", page.read_text("utf-8")
    ):
        known = any((place / name).exists() for place in places)
        assert known or any(word in name for word in NOT_OURS), f"{page.name} names {name}"


def test_the_readme_shows_the_two_commands() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "make play\nmake test\n" in text
    assert "make test" in (ROOT / ".ci" / "run").read_text()
