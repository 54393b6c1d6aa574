"""The page's files: complete in both languages, and nothing from elsewhere."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from stammtisch.core.registry import games
from stammtisch.table.catalog import offers
from stammtisch.table.pages import LANGUAGES, WEB, lacking, page_of, rules_of

PAGES = sorted({page for info in games().values() if (page := page_of(info))})
OWN_FILES = sorted(
    path for folder in (WEB, *PAGES) for path in folder.rglob("*") if path.is_file() and "vendor" not in path.parts
)
SCRIPTS = [path for path in OWN_FILES if path.suffix == ".js"]


def texts(path: Path) -> dict[str, str]:
    found: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return found


def name_of(path: Path) -> str:
    return path.relative_to(WEB.parent.parent).as_posix()


def folder_of(game: str) -> Path:
    found = page_of(games()[game])
    assert found is not None
    return found


@pytest.mark.parametrize("name", sorted(games()))
def test_nothing_is_missing_on_any_page(name: str) -> None:
    assert lacking(games()[name]) == []


@pytest.mark.parametrize("folder", [WEB / "lang", *PAGES], ids=name_of)
def test_both_languages_have_the_same_texts(folder: Path) -> None:
    english, german = (texts(folder / f"{language}.json") for language in LANGUAGES)
    assert english.keys() == german.keys()
    assert all(text.strip() for text in [*english.values(), *german.values()])


def test_both_languages_fill_in_the_same_values() -> None:
    english, german = (texts(WEB / "lang" / f"{language}.json") for language in LANGUAGES)
    for key in english:
        assert set(re.findall(r"\{(\w+)\}", english[key])) == set(re.findall(r"\{(\w+)\}", german[key])), key


@pytest.mark.parametrize("name", sorted(games()))
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_option_is_explained_in_plain_words(name: str, language: str) -> None:
    info = games()[name]
    known = texts(folder_of(name) / f"{language}.json")
    wanted = ["title", "summary", "players"]
    for option in info.options:
        if option.name != "players" and not option.expert:
            wanted += [f"option.{option.name}", f"option.{option.name}.help"]
    missing = [key for key in wanted if key not in known and f"{name}.{key}" not in known]
    assert not missing


@pytest.mark.parametrize("name", sorted(games()))
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_game_has_its_rules_on_one_page(name: str, language: str) -> None:
    text = (folder_of(name) / rules_of(games()[name], language)).read_text(encoding="utf-8")
    assert 1000 < len(text) < 30_000 and "<script" not in text and "style=" not in text and "<h2" in text
    assert unclosed(text) == []


def unclosed(text: str) -> list[str]:
    """The elements of a page that are opened and not closed, or the other way round."""
    problems: list[str] = []
    stack: list[str] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: object) -> None:
            if tag not in ("br", "hr", "img", "wbr", "col"):
                stack.append(tag)

        def handle_startendtag(self, tag: str, attrs: object) -> None:
            pass

        def handle_endtag(self, tag: str) -> None:
            if not stack or stack.pop() != tag:
                problems.append(tag)

    Reader().feed(text)
    return problems + stack


def test_every_text_that_the_page_uses_is_there() -> None:
    known = texts(WEB / "lang" / "en.json")
    for path in WEB.glob("*.js"):
        for key in re.findall(r"(?<![\w.])t\(\"([\w.]+)\"", path.read_text(encoding="utf-8")):
            assert key in known, f"{path.name}: {key}"


def test_every_refusal_has_a_sentence() -> None:
    known = texts(WEB / "lang" / "en.json")
    source = "".join(path.read_text(encoding="utf-8") for path in WEB.parent.glob("*.py"))
    words = set(re.findall(r"Refused\(\"(\w+)\"", source)) | {"no_answer", "offline", "bad_record"}
    assert sorted(word for word in words if f"refused.{word}" not in known) == []


def test_every_level_has_a_name() -> None:
    known = texts(WEB / "lang" / "en.json")
    assert all(f"level.{level['level']}" in known for offer in offers() for level in offer["levels"])


@pytest.mark.parametrize("path", OWN_FILES, ids=name_of)
def test_nothing_is_loaded_from_elsewhere(path: Path) -> None:
    text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?://|@import|url\(\s*['\"]?//", text.replace("${scheme}://", ""))


@pytest.mark.parametrize("path", SCRIPTS, ids=name_of)
def test_nothing_that_somebody_typed_becomes_markup(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"innerHTML\s*=|insertAdjacentHTML|document\.write|\beval\(|new Function", text)
    assert "dangerouslySetInnerHTML" not in text or path.name == "rules.js"


@pytest.mark.parametrize("path", SCRIPTS, ids=name_of)
def test_scripts_import_only_files_that_exist(path: Path) -> None:
    """Within a game's page by relative names, of ours by ``/web/``: the two lie together only on the server."""
    home = WEB if path.is_relative_to(WEB) else page_folder(path)
    for target in re.findall(r"from \"([^\"]+)\"", path.read_text(encoding="utf-8")):
        file = WEB / target.removeprefix("/web/") if target.startswith("/web/") else (path.parent / target).resolve()
        assert file.exists() and file.is_relative_to(WEB if target.startswith("/web/") else home), target


def page_folder(path: Path) -> Path:
    return next(folder for folder in PAGES if path.is_relative_to(folder))
