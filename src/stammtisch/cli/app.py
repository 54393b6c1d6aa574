"""The program itself: its options, and what its commands share."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from stammtisch.core.errors import BadOption, StammtischError, UnknownGame, shown
from stammtisch.core.info import GameInfo, read_options
from stammtisch.core.registry import games as all_games

if TYPE_CHECKING:
    from rich.console import Console

    from stammtisch.core.game import Game

app = typer.Typer(
    name="stammtisch",
    help="Tabletop games with computer opponents: play them, analyse them, build your own.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game's name: see 'stammtisch games'.")]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="An option of the game; may be repeated."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]
Players = Annotated[
    str | None, typer.Option(metavar="2,3,4", help="Numbers of players; each is played and reported separately.")
]
Plots = Annotated[Path | None, typer.Option(help="Write the pictures as PNG files into this folder.")]
Seed = Annotated[int | None, typer.Option("--seed", min=0, help="Makes the run repeatable.")]


@app.callback(invoke_without_command=True)
def _root(version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False) -> None:
    if version:
        from stammtisch import __version__

        print(f"stammtisch {__version__}")
        raise typer.Exit


def game_info(name: str) -> GameInfo:
    if name not in all_games():
        raise UnknownGame(name, all_games())
    return all_games()[name]


def make_game(name: str, options: list[str] | None, quiet: bool = False) -> Game:
    info = game_info(name)
    values = read_options(options or [], info.options, f"of {name}")
    if not quiet:
        announce_compiling()
    from stammtisch.core.registry import game

    return game(name, **values)


def variants_of(name: str, options: list[str] | None, players: str | None) -> list[Game]:
    """The rules of the match, once per number of players."""
    info = game_info(name)
    if players is None:
        return [make_game(name, options)]
    low, high = info.seats
    try:
        numbers = sorted({int(text) for text in players.split(",")})
    except ValueError:
        raise BadOption(f"--players {players}: numbers with commas between them, such as 2,3,4") from None
    if not all(low <= number <= high for number in numbers):
        raise BadOption(f"--players {players}: {name} is for {low}{f' to {high}' if high > low else ''} players")
    if low == high:
        return [make_game(name, options)]
    return [make_game(name, [*(options or []), f"players={number}"]) for number in numbers]


def announce_compiling() -> None:
    from stammtisch.core.compiling import announce_compiling

    announce_compiling()


def check_place(path: Path | None) -> None:
    """Refuse a file that could not be written before anything is played or measured for it."""
    if path is None:
        return
    if path.is_dir():
        raise StammtischError(f"{path} is a folder; name a file")
    if not path.absolute().parent.is_dir():
        raise StammtischError(f"{path}: there is no folder {path.parent}")
    if not os.access(path if path.exists() else path.absolute().parent, os.W_OK):
        raise StammtischError(f"{path} cannot be written")


def check_folder(folder: Path | None) -> None:
    """Refuse a place for pictures that is a file."""
    if folder is not None and folder.exists() and not folder.is_dir():
        raise StammtischError(f"{folder} is a file; name a folder for the pictures")


def write_pictures(folder: Path, pictures: Mapping[str, bytes]) -> list[Path]:
    """Write PNG files into a folder, which is made if needed; their places."""
    folder.mkdir(parents=True, exist_ok=True)
    places = [folder / f"{name}.png" for name in pictures]
    for place, picture in zip(places, pictures.values(), strict=True):
        place.write_bytes(picture)
    return places


def say(text: object, stderr: bool = False) -> None:
    """Print text that may come from files or from other people's programs: shown, never obeyed."""
    print(shown(text, lines=True), file=sys.stderr if stderr else sys.stdout)


def print_table(head: Sequence[str], rows: Sequence[Sequence[str]], numbers: bool = False) -> None:
    """Print a table; ``numbers`` says that all columns but the first hold numbers, none of which may be cut."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table()
    for place, name in enumerate(head):
        justify: Literal["right", "left"] = "right" if numbers and place else "left"
        table.add_column(Text(shown(name)), overflow="fold", justify=justify, no_wrap=numbers)
    for row in rows:
        table.add_row(*(Text(shown(cell)) for cell in row))
    console = new_console()
    if numbers:
        console.width = max(console.width, Console(width=10_000).measure(table).maximum)
    console.print(table)


def new_console(stderr: bool = False) -> Console:
    from stammtisch.cli.console import PlainConsole

    return PlainConsole(stderr=stderr, emoji=False)  # "start:JOKER:p0" is a move, not a picture
