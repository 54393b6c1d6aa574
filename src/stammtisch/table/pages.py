"""What the page shows of a game: the files in the folder ``page`` beside its rules."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from stammtisch.agents.catalog import agents_of
from stammtisch.core.game import Json
from stammtisch.core.info import GameInfo

WEB = Path(__file__).parent / "web"
LANGUAGES = ("en", "de")


@cache
def page_of(info: GameInfo) -> Path | None:
    """The folder with a game's board, style, texts, rules and emblem; None if it has none."""
    try:
        found = find_spec(info.package)
    except ModuleNotFoundError:
        return None
    places = found.submodule_search_locations if found else None
    folders = (Path(place) / "page" for place in places or ())
    return next((folder for folder in folders if folder.is_dir()), None)


@cache
def files_of(info: GameInfo) -> tuple[str, ...]:
    """What there is of a game's page; for what is not there the table has something plain."""
    folder = page_of(info)
    return () if folder is None else tuple(sorted(path.name for path in folder.iterdir() if path.is_file()))


def drawn(info: GameInfo, draw: Callable[[Json], str], view: Json) -> Json:
    """A view for the page: where the game has no board of its own, with its picture in text."""
    if "board.js" in files_of(info):
        return view
    try:
        return {**view, "picture": draw(view)}
    except Exception:  # a game under development: then the page shows the position itself
        return view


def rules_of(info: GameInfo, language: str) -> str:
    """The file with the rules; where several games share a folder, each may have its own."""
    own = f"rules.{info.name}.{language}.html"
    return own if own in files_of(info) else f"rules.{language}.html"


def lacking(info: GameInfo) -> list[str]:
    """What people miss of this game at the table: for each thing a sentence that says what to do."""
    files, place = files_of(info), info.package.replace(".", "/") + "/page"
    wanted = {
        "board.js": "the table shows the position as text and the moves as buttons",
        "emblem.js": "the lobby shows the first letter of its title",
        **{f"{language}.json": f"title and options have no words in '{language}'" for language in LANGUAGES},
        **{rules_of(info, language): f"nobody can read the rules in '{language}'" for language in LANGUAGES},
    }
    found = [
        f"{info.name}: add {place}/{name}, without it {so} (docs/table.md)"
        for name, so in wanted.items()
        if name not in files
    ]
    playing = agents_of(info)
    for agent in info.ladder:
        if agent.partition(":")[0] not in playing:
            found.append(f"{info.name}: its ladder names '{agent}', which does not play it; add it to GameInfo.agents")
    return found
