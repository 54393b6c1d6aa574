"""The command line. Every command loads what it needs and nothing more, so help and lists are instant."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from stammtisch.agents.catalog import agents as all_agents
from stammtisch.agents.catalog import refusal, usual_opponent
from stammtisch.core.errors import BadRecord, StammtischError, UnknownGame, read_json
from stammtisch.core.info import GameInfo, Option, read_options
from stammtisch.core.registry import games as all_games

if TYPE_CHECKING:
    from rich.console import Console

    from stammtisch.bench import Measurement
    from stammtisch.core.game import Game, State
    from stammtisch.core.record import GameRecord

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
Seed = Annotated[int | None, typer.Option("--seed", min=0, help="Makes the run repeatable.")]
PositionOption = Annotated[
    str | None,
    typer.Option("--position", metavar="FILE", help="A position: a JSON file, '-' for standard input, or the JSON."),
]


@app.callback(invoke_without_command=True)
def _root(version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False) -> None:
    if version:
        from stammtisch import __version__

        print(f"stammtisch {__version__}")
        raise typer.Exit


@app.command(epilog="Example: stammtisch games tictactoe")
def games(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="Show one game with its options.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the games, or show one of them with its options."""
    if game is not None:
        info = _info(game)
        _print_details(info.name, f"{info.title}. {info.summary}.", info.options, _game_json(info), as_json)
        return
    if as_json:
        print(json.dumps([_game_json(info) for info in all_games().values()]))
        return
    rows = [(i.name, i.title, _seats(i), _nature(i), i.summary) for i in all_games().values()]
    _print_table(("game", "title", "players", "nature", "what it is"), rows)


@app.command(epilog="Example: stammtisch agents tictactoe")
def agents(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="Only those that play this game.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the computer players and their options."""
    found = all_agents().values()
    if game is not None:
        info = _info(game)
        found = [agent for agent in found if refusal(agent, info) is None]  # type: ignore[assignment]
    if as_json:
        rows = [{"name": a.name, "summary": a.summary, "options": [_option_json(o) for o in a.options]} for a in found]
        print(json.dumps(rows))
        return
    _print_table(
        ("agent", "options", "how it plays"),
        [(agent.name, ", ".join(option.name for option in agent.options), agent.summary) for agent in found],
    )
    print("Options follow the name: mcts:ms=500 · maxn:depth=9 · mcts:iterations=1000,c=1")


@app.command(epilog="Example: stammtisch play tictactoe --against maxn:depth=9 --seat 1")
def play(
    game: Annotated[str, typer.Argument(metavar="[GAME]", help="A game's name: see 'stammtisch games'.")] = "tictactoe",
    terminal: Annotated[
        bool, typer.Option("--terminal", help="Play in the terminal (the only table so far).", show_default=False)
    ] = True,
    against: Annotated[
        list[str] | None, typer.Option(help="Opponent, e.g. mcts:ms=500; repeat for several seats.")
    ] = None,
    seat: Annotated[int | None, typer.Option(min=0, help="Your seat; without it, the first.")] = None,
    option: Options = None,
    position: PositionOption = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the game you left last.")] = False,
    record: Annotated[Path | None, typer.Option(help="Add the finished game to this file.")] = None,
    seed: Seed = None,
) -> None:
    """Play a game against computer opponents."""
    from stammtisch.agents.catalog import agent as make_agent
    from stammtisch.core.record import Recorder
    from stammtisch.core.rng import fresh_seed, stream
    from stammtisch.terminal import TerminalTable, finished_games, kept_games, program

    _check_place(record)
    _info(game)
    kept = None
    if resume:
        if seat is not None or option or position:
            raise StammtischError("--resume goes on with the kept game as it was: without --seat, --option, --position")
        kept, left = _kept(game, kept_games(game))
        seat = left.players.index("you")
        names = against or [name for name in left.players if name != "you"]
        players = _players(left.game(), seat, names)
        recorder = Recorder.resume(left, players)
    else:
        start = _position(_game(game, option), position, seed)
        seat, names = seat or 0, against or [usual_opponent(start.game.info)]
        players = _players(start.game, seat, names)
        recorder = Recorder(start, players)
    state = recorder.state
    if state.over:
        raise StammtischError("the game is over in this position: there is nothing to play")
    agents = [None if name == "you" else make_agent(name, state.game) for name in players]
    console = _console()
    console.print(f"[bold]{state.game.info.title}[/bold] · you have seat {seat} · against {', '.join(names)}")
    if not resume and kept_games(game):
        console.print(f"[dim]You left a game: {program()} play {game} --resume goes on with it.[/dim]")
    rng = stream(fresh_seed() if seed is None else seed, 1)
    TerminalTable(console, recorder, agents, rng, kept).play(record or finished_games())


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
        raise BadRecord("you have not finished a game yet; name a file of records")
    source = file or finished_games()
    found = list(read(source))
    if not found:
        raise BadRecord(f"{source} holds no game")
    if game is not None and game > len(found):
        raise BadRecord(f"there is no game {game}: the file holds {len(found)}")
    chosen = found[(game or len(found)) - 1]
    _announce_compiling()
    if as_json:
        print(json.dumps({**chosen.to_json(), "positions": [state.to_json() for state in chosen.states()]}))
        return
    shown = Replay(_console(), chosen)
    if sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty():
        shown.step()
    else:
        shown.show_all()


@app.command(epilog="Example: stammtisch hint tictactoe --position board.json --agent mcts:ms=500")
def hint(
    game: GameName,
    position: PositionOption = None,
    agent: Annotated[str | None, typer.Option(help="Who is asked; without it, the game's usual opponent.")] = None,
    option: Options = None,
    seed: Annotated[int, typer.Option(min=0, help="Makes the hint repeatable.")] = 0,
    as_json: AsJson = False,
) -> None:
    """What an agent would play in a position, and what it thinks of the other moves."""
    from stammtisch.agents.base import Budget
    from stammtisch.agents.catalog import agent as make_agent
    from stammtisch.core.rng import stream
    from stammtisch.terminal import candidates_table

    state = _position(_game(game, option), position, seed)
    chosen = state.game  # the position may set options of its own
    name = agent or usual_opponent(chosen.info)
    if state.player is None:
        raise StammtischError("the game is over in this position: there is nothing to decide")
    adviser = make_agent(name, chosen)
    with _console(stderr=True).status("Thinking ..."):
        choice = adviser.choose(state.seat(state.player), stream(seed), Budget(explain=True))
    if as_json:
        rows = [{"move": chosen.format(c.action), "value": c.value, "preference": c.share} for c in choice.analysis]
        best = chosen.format(choice.action)
        print(json.dumps({"game": game, "player": state.player, "agent": name, "move": best, "candidates": rows}))
        return
    console = _console()
    console.print(state.seat(state.player).text(), highlight=False, markup=False)
    console.print(f"Seat {state.player}: {name} would play [bold]{chosen.format(choice.action)}[/bold]")
    console.print(candidates_table(chosen, choice, 20))


@app.command(epilog="Example: stammtisch check tictactoe --games 100")
def check(
    game: GameName,
    option: Options = None,
    games: Annotated[int, typer.Option(min=1, help="Random games to play.")] = 30,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the first game.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Check that a game keeps every promise of the contract; exit code 1 if not."""
    from rich.progress import track

    from stammtisch.core.conformance import check as check_game

    chosen = _game(game, option)
    console = _console(stderr=True)
    steps = iter(track(range(games), description=f"Playing {game}", console=console, transient=True))
    report = check_game(chosen, games, seed, progress=lambda done: next(steps, None))
    next(steps, None)
    if as_json:
        print(json.dumps(report.to_json()))
    else:
        print(report)
        print("All promises kept." if report.ok else f"{len(report.failures)} of {len(report.outcomes)} broken.")
    if not report.ok:
        raise typer.Exit(1)


@app.command(epilog="Example: stammtisch bench tictactoe --seconds 3")
def bench(
    game: Annotated[list[str] | None, typer.Argument(metavar="[GAME]...", help="Games; without, all.")] = None,
    seconds: Annotated[float, typer.Option(min=0.01, help="CPU-seconds per measurement.")] = 1.0,
    signature: Annotated[
        bool, typer.Option("--signature", help="Only print what changes when a game's behaviour does.")
    ] = False,
    output: Annotated[Path | None, typer.Option(help="Also write the numbers to this JSON file.")] = None,
    as_json: AsJson = False,
) -> None:
    """Measure the engines, per CPU-second and beside OpenSpiel where it is installed, and the waiting times."""
    from stammtisch.bench import measure, measure_commands, measure_first_move
    from stammtisch.bench import signature as signature_of

    _check_place(output)
    chosen = [_game(name, None) for name in game or list(all_games())]
    if signature:
        found = {one.info.name: signature_of(one) for one in chosen}
        print(json.dumps(found) if as_json else "\n".join(f"{name} {text}" for name, text in found.items()))
        return
    measured: list[Measurement] = []
    jobs = (m for one in chosen for m in chain(measure(one, seconds), measure_first_move(one.info.name)))
    with _console(stderr=True).status("Measuring ...") as status:
        for measurement in chain(jobs, measure_commands()):
            measured.append(measurement)
            status.update(f"Measured {measurement.game}: {measurement.what}, {measurement.who}")
    numbers = [measurement.to_json() for measurement in measured]
    if output is not None:
        output.write_text(json.dumps(numbers, indent=1) + "\n", encoding="utf-8")
    if as_json:
        print(json.dumps(numbers))
        return
    _print_table(
        ("game", "what", "who", "median", "lowest - highest", "unit"),
        [(m.game, m.what, m.who, m.text, m.spread, m.unit) for m in measured],
    )


@app.command(epilog="Example: stammtisch warm")
def warm(
    game: Annotated[list[str] | None, typer.Argument(metavar="[GAME]...", help="Games; without, all.")] = None,
) -> None:
    """Compile everything now, so that no game has to wait for it later."""
    from rich.progress import track

    from stammtisch.agents.base import Budget
    from stammtisch.agents.catalog import agent as make_agent
    from stammtisch.core.batch import warm_batch
    from stammtisch.core.rng import stream

    names = game or list(all_games())
    games = {name: _game(name, None, quiet=True) for name in names}
    jobs = [(one, agent) for one in games.values() for agent in all_agents().values()]
    console = _console(stderr=True)
    for one, agent in track(jobs, description="Compiling, once per version", console=console):
        if refusal(agent, one.info) is None:
            state = one.new(seed=1)
            make_agent(agent.name, one).choose(state.seat(state.player or 0), stream(1), Budget(ms=1))
    for one in games.values():
        warm_batch(one)
    console.print(f"Ready: {', '.join(names)}")


def _info(name: str) -> GameInfo:
    if name not in all_games():
        raise UnknownGame(name, all_games())
    return all_games()[name]


def _game(name: str, options: list[str] | None, quiet: bool = False) -> Game:
    info = _info(name)
    values = read_options(options or [], info.options, f"of {name}")
    if not quiet:
        _announce_compiling()
    from stammtisch.core.registry import game

    return game(name, **values)


def _announce_compiling() -> None:
    from stammtisch.core.compiling import announce_compiling

    announce_compiling()


def _position(game: Game, text: str | None, seed: int | None) -> State:
    if text is None:
        return game.new(seed)
    return game.from_json(_read_position(text), seed)


def _read_position(text: str) -> Any:
    source = "the position"
    if not text.lstrip().startswith("{"):
        source = "standard input" if text == "-" else text
        try:
            text = _standard_input() if text == "-" else Path(text).read_text(encoding="utf-8-sig")
        except (OSError, ValueError) as error:
            raise StammtischError(f"{source}: cannot be read ({error})") from None
    return read_json(text, source)


def _standard_input() -> str:
    if sys.stdin is None:
        raise OSError("it is closed")
    return sys.stdin.read()


def _kept(name: str, files: list[Path]) -> tuple[Path, GameRecord]:
    """The game that was left last, and the file it is kept in."""
    from stammtisch.core.record import read

    _announce_compiling()
    if not files:
        raise BadRecord(f"there is no game of {name} to resume")
    left = list(read(files[-1]))
    if not left or "you" not in left[0].players:
        raise BadRecord(f"{files[-1]} holds no game of yours; delete it to resume the one before")
    return files[-1], left[0]


def _players(game: Game, seat: int, opponents: list[str]) -> list[str]:
    """A name per seat: you on yours, the opponents on the others, the last one on all that are left."""
    if seat >= game.spec.seats:
        raise StammtischError(f"{game.info.name} has seats 0 to {game.spec.seats - 1} here, not {seat}")
    others = [number for number in range(game.spec.seats) if number != seat]
    if len(opponents) > len(others):
        raise StammtischError(f"{len(opponents)} opponents for {len(others)} other seats")
    seated = dict(zip(others, opponents + [opponents[-1]] * len(others), strict=False))
    return [seated.get(number, "you") for number in range(game.spec.seats)]


def _check_place(path: Path | None) -> None:
    """Refuse a file that could not be written before anything is played or measured for it."""
    if path is None:
        return
    if path.is_dir():
        raise StammtischError(f"{path} is a folder; name a file")
    if not path.absolute().parent.is_dir():
        raise StammtischError(f"{path}: there is no folder {path.parent}")
    if not os.access(path if path.exists() else path.absolute().parent, os.W_OK):
        raise StammtischError(f"{path} cannot be written")


def _seats(info: GameInfo) -> str:
    low, high = info.seats
    return str(low) if low == high else f"{low}-{high}"


def _nature(info: GameInfo) -> str:
    words = [word for word, holds in (("teams", info.teams), ("hidden", info.hidden), ("chance", info.chance)) if holds]
    return ", ".join(words) or "open"


def _game_json(info: GameInfo) -> dict[str, Any]:
    return {
        "name": info.name,
        "title": info.title,
        "summary": info.summary,
        "seats": list(info.seats),
        "teams": info.teams,
        "hidden": info.hidden,
        "chance": info.chance,
        "options": [_option_json(option) for option in info.options],
    }


def _option_json(option: Option) -> dict[str, Any]:
    return {"name": option.name, "default": option.default, "help": option.help, "expects": option.expected}


def _print_details(
    name: str, sentence: str, options: tuple[Option, ...], as_data: dict[str, Any], as_json: bool
) -> None:
    if as_json:
        print(json.dumps(as_data))
        return
    print(f"{name}: {sentence}")
    rows = [(option.name, str(option.default), option.expected, option.help) for option in options]
    if rows:
        _print_table(("option", "default", "expects", "meaning"), rows)
    else:
        print("It has no options.")


def _print_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from rich.table import Table

    table = Table()
    for name in head:
        table.add_column(name, overflow="fold")
    for row in rows:
        table.add_row(*row)
    _console().print(table)


def _console(stderr: bool = False) -> Console:
    from rich.console import Console

    return Console(stderr=stderr)


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run a command. What a user got wrong is one line on standard error and exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without these characters is no reason to fail
    try:
        code = app(args=arguments, standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
    except StammtischError as error:
        _fail(str(error))
    except (typer.Abort, KeyboardInterrupt):
        sys.exit(130)
    except OSError as error:
        sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115  # what is left cannot be written either
        _fail(f"cannot write or read: {error}")
    except Exception as error:
        if not hasattr(error, "format_message"):  # a usage error of the command line itself
            raise
        message: str = error.format_message()
        if not message:  # nothing was asked for: the help has been shown
            sys.exit(0)
        if message.startswith("No such command") and "Did you mean" not in message:
            message += f" Known: {', '.join(c.callback.__name__ for c in app.registered_commands if c.callback)}"
        _fail(message)
    sys.exit(code if isinstance(code, int) else 0)


def _fail(message: str) -> NoReturn:
    print(f"stammtisch: {' '.join(message.split())}", file=sys.stderr)
    sys.exit(2)


if __name__ == "__main__":
    main()
