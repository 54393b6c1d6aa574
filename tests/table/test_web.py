"""The page's files: complete in both languages, and nothing from elsewhere."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from stammtisch.core.registry import games
from stammtisch.table.catalog import WEB, board_of, offers

LANGUAGES = ("en", "de")
FOLDERS = sorted(path.name for path in (WEB / "games").iterdir() if path.name != "any")
OWN_FILES = sorted(path for path in WEB.rglob("*") if path.is_file() and "vendor" not in path.parts)
SCRIPTS = [path for path in OWN_FILES if path.suffix == ".js"]
HIDDEN = {("tichu", "merged"), ("tichu", "weighted")}  # for searches; the lobby does not show them


def texts(path: Path) -> dict[str, str]:
    found: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return found


def name_of(path: Path) -> str:
    return path.relative_to(WEB).as_posix()


@pytest.mark.parametrize("folder", ["lang", *(f"games/{folder}" for folder in FOLDERS)])
def test_both_languages_have_the_same_texts(folder: str) -> None:
    english, german = (texts(WEB / folder / f"{language}.json") for language in LANGUAGES)
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
    known = texts(WEB / "games" / board_of(info) / f"{language}.json")
    wanted = ["title", "summary", "players"]
    for option in info.options:
        if option.name != "players" and (name, option.name) not in HIDDEN:
            wanted += [f"option.{option.name}", f"option.{option.name}.help"]
    missing = [key for key in wanted if key not in known and f"{name}.{key}" not in known]
    assert not missing


@pytest.mark.parametrize("name", sorted(games()))
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_game_has_its_rules_on_one_page(name: str, language: str) -> None:
    folder = WEB / "games" / board_of(games()[name])
    places = [folder / f"rules.{name}.{language}.html", folder / f"rules.{language}.html"]
    text = next(place.read_text(encoding="utf-8") for place in places if place.exists())
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
    for target in re.findall(r"from \"(\.[^\"]+)\"", path.read_text(encoding="utf-8")):
        assert (path.parent / target).resolve().exists(), target
