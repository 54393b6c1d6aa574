"""At the table: play, replay, hint."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stammtisch.agents.catalog import usual_adviser, usual_opponent
from stammtisch.cli.app import (
    AsJson,
    GameName,
    Options,
    Seed,
    announce_compiling,
    app,
    check_place,
    game_info,
    make_game,
    new_console,
    variants_of,
)
from stammtisch.core.errors import BadRecord, StammtischError

if TYPE_CHECKING:
    from stammtisch.core.game import Game, State
    from stammtisch.core.record import GameRecord

Position = Annotated[
    str | None,
    typer.Option(
        "--position",
        metavar="POSITION",
        help="A position, in JSON or in the game's own text form; or a file with it, or '-' for standard input.",
    ),
]


@app.command(epilog="Example: stammtisch play tictactoe --against maxn:depth=9 --seat 1")
def play(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="A game's name: see 'stammtisch games'; without it, choose.")
    ] = None,
    terminal: Annotated[
        bool, typer.Option("--terminal", help="Play in the terminal; the options that follow imply it.")
    ] = False,
    against: Annotated[
        list[str] | None, typer.Option(help="Opponent, e.g. mcts:ms=500; repeat for several seats.")
    ] = None,
    seat: Annotated[int | None, typer.Option(min=0, help="Your seat; without it, the first.")] = None,
    players: Annotated[int | None, typer.Option(min=1, help="Number of players, where several are possible.")] = None,
    option: Options = None,
    position: Position = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the game you left last.")] = False,
    record: Annotated[Path | None, typer.Option(help="Add the finished game to this file.")] = None,
    seed: Seed = None,
    host: Annotated[
        str, typer.Option(help="Where the browser's table listens; 0.0.0.0 lets friends in your network join.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Its port; without it, another one if it is taken.")
    ] = 8765,
    name: Annotated[
        list[str] | None, typer.Option(help="A further host name under which friends reach it; may be repeated.")
    ] = None,
    proxy: Annotated[
        str, typer.Option(metavar="HEADER", help="Believe this header (X-Forwarded-For) of the proxy in front of it.")
    ] = "",
    limit: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="Change a limit of the table; may be repeated.")
    ] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the browser.")] = True,
) -> None:
    """Play a game against computer opponents and friends, in the browser or in the terminal."""
    if game is not None:
        game_info(game)
    if not (
        terminal
        or resume
        or any(given is not None for given in (against, seat, players, option, position, record, seed))
    ):
        _set_the_table(game, browser, limit or [], host=host, port=port, names=tuple(name or ()), proxy=proxy)
        return
    game = game or "tictactoe"
    from stammtisch.agents.catalog import agent as make_agent
    from stammtisch.core.record import Recorder
    from stammtisch.core.rng import fresh_seed, stream
    from stammtisch.terminal import TerminalTable, finished_games, kept_games, program

    check_place(record)
    kept = None
    if resume:
        if seat is not None or players or option or position:
            raise StammtischError(
                "--resume goes on with the kept game as it was: without --seat, --players, --option, --position"
            )
        kept, left = _kept(game, kept_games(game))
        seat = left.players.index("you")
        names = against or [name for name in left.players if name not in ("you", "")]
        seated = _seated(left.game(), seat, names)
        recorder = Recorder.resume(left, seated)
    else:
        (rules,) = variants_of(game, option, None if players is None else str(players))
        start = _position(rules, position, seed)
        seat = start.game.spec.taken[0] if seat is None else seat
        alone = len(start.game.spec.taken) == 1
        names = against or ([] if alone else [usual_opponent(start.game.info)])
        seated = _seated(start.game, seat, names)
        recorder = Recorder(start, seated)
    state = recorder.state
    if state.over:
        raise StammtischError("the game is over in this position: there is nothing to play")
    agents = {place: make_agent(name, state.game) for place, name in enumerate(seated) if name not in ("you", "")}
    adviser = make_agent(usual_adviser(state.game.info), state.game)
    console = new_console()
    others = ", ".join(f"{state.game.seat_name(place)}: {seated[place]}" for place in agents)
    table = f"you are {state.game.seat_name(seat)} · {others}" if agents else "you play alone"
    console.print(f"[bold]{state.game.info.title}[/bold] · {table}", highlight=False)
    if not resume and kept_games(game):
        console.print(f"[dim]You left a game: {program()} play {game} --resume goes on with it.[/dim]")
    rng = stream(fresh_seed() if seed is None else seed, 1)
    TerminalTable(console, recorder, agents, seat, adviser, rng, kept).play(record or finished_games())


def _set_the_table(game: str | None, browser: bool, limits: list[str], **chosen: Any) -> None:
    from stammtisch.table.serve import serve
    from stammtisch.table.settings import Settings, read_limits

    settings = Settings(**{**chosen, **read_limits(limits)})
    serve(settings, f"/?game={game}" if game else "/", browser, lambda text: print(text, flush=True))


@app.command(epilog="Example: stammtisch replay games.jsonl --game 2")
def replay(
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="A file of records; without it, your own games.")
    ] = None,
    game: Annotated[int | None, typer.Option(min=1, help="Which game of the file; without it, the last.")] = None,
    as_json: AsJson = False,
) -> None:
    """Step through a recorded game; without a terminal to ask, print all of it."""
    from stammtisch.core.record import read
    from stammtisch.terminal import Replay, finished_games

    if file is None and not finished_games().exists():
        raise BadRecord(
            "you have not finished a game in the terminal yet; name a file of records, as the browser saves"
        )
    source = file or finished_games()
    found = list(read(source))
    if not found:
        raise BadRecord(f"{source} holds no game")
    if game is not None and game > len(found):
        raise BadRecord(f"there is no game {game}: the file holds {len(found)}")
    chosen = found[(game or len(found)) - 1]
    announce_compiling()
    if as_json:
        print(json.dumps({**chosen.to_json(), "positions": [state.to_json() for state in chosen.states()]}))
        return
    shown = Replay(new_console(), chosen)
    if sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty():
        shown.step()
    else:
        shown.show_all()


@app.command(epilog="Example: stammtisch hint tictactoe --position board.json --agent mcts:ms=500")
def hint(
    game: GameName,
    position: Position = None,
    agent: Annotated[str | None, typer.Option(help="Who is asked; without it, the game's strongest.")] = None,
    option: Options = None,
    seed: Annotated[int, typer.Option(min=0, help="Makes the hint repeatable.")] = 0,
    as_json: AsJson = False,
) -> None:
    """What an agent would play in a position, and what it thinks of the other moves."""
    from stammtisch.agents.base import Budget
    from stammtisch.agents.catalog import agent as make_agent
    from stammtisch.core.rng import stream
    from stammtisch.terminal import candidates_table, picture

    state = _position(make_game(game, option), position, seed)
    chosen = state.game  # the position may set options of its own
    name = agent or usual_adviser(chosen.info)
    if state.player is None:
        raise StammtischError("the game is over in this position: there is nothing to decide")
    adviser = make_agent(name, chosen)
    with new_console(stderr=True).status("Thinking ..."):
        choice = adviser.choose(state.seat(state.player), stream(seed), Budget(explain=True))
    if as_json:
        rows = [{"move": chosen.format(c.action), "value": c.value, "preference": c.share} for c in choice.analysis]
        best = chosen.format(choice.action)
        print(json.dumps({"game": game, "player": state.player, "agent": name, "move": best, "candidates": rows}))
        return
    console = new_console()
    console.print(picture(chosen, state.view(state.player)))
    console.print(f"{chosen.seat_name(state.player)}: {name} would play [bold]{chosen.format(choice.action)}[/bold]")
    console.print(candidates_table(chosen, choice, 20))


def _position(game: Game, text: str | None, seed: int | None) -> State:
    if text is None:
        return game.new(seed)
    written = text.lstrip().startswith(("{", "[")) or " " in text.strip()
    source = text if written else _read(text)
    return game.parse_position(source, seed)


def _read(place: str) -> str:
    try:
        return _standard_input() if place == "-" else Path(place).read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        source = "standard input" if place == "-" else place
        raise StammtischError(f"{source}: neither a position nor a file that can be read ({error})") from None


def _standard_input() -> str:
    if sys.stdin is None:
        raise OSError("it is closed")
    return sys.stdin.read()


def _kept(name: str, files: list[Path]) -> tuple[Path, GameRecord]:
    """The game that was left last, and the file it is kept in."""
    from stammtisch.core.record import read

    announce_compiling()
    if not files:
        raise BadRecord(f"there is no game of {name} to resume")
    left = list(read(files[-1]))
    if not left or "you" not in left[0].players:
        raise BadRecord(f"{files[-1]} holds no game of yours; delete it to resume the one before")
    return files[-1], left[0]


def _seated(game: Game, seat: int, opponents: list[str]) -> list[str]:
    """A name per seat: you on yours, the opponents on the others, the last one on all that are left."""
    if seat not in game.spec.taken:
        seats = ", ".join(game.seat_name(number) for number in game.spec.taken)
        raise StammtischError(f"nobody has seat {seat} here; there are: {seats}")
    others = [number for number in game.spec.taken if number != seat]
    if len(opponents) > len(others):
        raise StammtischError(f"{len(opponents)} opponents for {len(others)} other seats")
    names = {seat: "you", **dict(zip(others, opponents + opponents[-1:] * len(others), strict=False))}
    return [names.get(number, "") for number in range(game.spec.seats)]
