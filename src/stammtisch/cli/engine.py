"""Under the bonnet: check, bench, warm."""

from __future__ import annotations

import json
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stammtisch.cli.app import AsJson, GameName, Options, app, check_place, make_game, new_console, print_table, say
from stammtisch.core.registry import games as all_games

if TYPE_CHECKING:
    from stammtisch.bench import Measurement


@app.command(epilog="Example: stammtisch check tictactoe --games 100")
def check(
    game: GameName,
    option: Options = None,
    games: Annotated[
        int | None, typer.Option(min=1, help="Random games to play; without it, 30, or fewer where they are long.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the first game.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Check that a game keeps every promise of the contract; exit code 1 if not."""
    from rich.progress import track

    from stammtisch.core.conformance import check as check_game
    from stammtisch.table.pages import lacking

    chosen = make_game(game, option)
    console = new_console(stderr=True)
    number = games or max(2, min(30, 4500 // chosen.spec.usual_length))
    steps = iter(track(range(number), description=f"Playing {game}", console=console, transient=True))
    tell = (lambda outcome: None) if as_json else (lambda outcome: say(outcome))
    report = check_game(chosen, number, seed, progress=lambda done: next(steps, None), finished=tell)
    next(steps, None)
    if as_json:
        print(json.dumps(report.to_json()))
    else:
        say(f"{report.game}: {report.games} games, {report.positions} positions")
        say("All promises kept." if report.ok else f"{len(report.failures)} of {len(report.outcomes)} broken.")
        for sentence in lacking(chosen.info):
            say(sentence)
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
    from stammtisch.bench import measure, measure_arena, measure_commands, measure_first_move
    from stammtisch.bench import signature as signature_of

    check_place(output)
    chosen = [make_game(name, None) for name in game or list(all_games())]
    if signature:
        found = {one.info.name: signature_of(one) for one in chosen}
        print(json.dumps(found) if as_json else "\n".join(f"{name} {text}" for name, text in found.items()))
        return
    measured: list[Measurement] = []
    jobs = (
        m for one in chosen for m in chain(measure(one, seconds), measure_arena(one), measure_first_move(one.info.name))
    )
    with new_console(stderr=True).status("Measuring ...") as status:
        for measurement in chain(jobs, measure_commands()):
            measured.append(measurement)
            status.update(f"Measured {measurement.game}: {measurement.what}, {measurement.who}")
    numbers = [measurement.to_json() for measurement in measured]
    if output is not None:
        output.write_text(json.dumps(numbers, indent=1) + "\n", encoding="utf-8")
    if as_json:
        print(json.dumps(numbers))
        return
    print_table(
        ("game", "what", "who", "median", "lowest - highest", "unit"),
        [(m.game, m.what, m.who, m.text, m.spread, m.unit) for m in measured],
    )


@app.command(epilog="Example: stammtisch warm")
def warm(
    game: Annotated[list[str] | None, typer.Argument(metavar="[GAME]...", help="Games; without, all.")] = None,
    table: Annotated[bool, typer.Option("--table", help="Only what playing in the browser needs.")] = False,
) -> None:
    """Compile everything now, so that no game has to wait for it later."""
    from rich.progress import track

    from stammtisch.cli.warming import compile_games

    names = game or list(all_games())
    for name in names:
        make_game(name, None, quiet=True)
    console = new_console(stderr=True)
    done = compile_games(names, table)
    for _ in track(done, description="Compiling, once per version", total=len(names), console=console):
        pass
    console.print(f"Ready: {', '.join(names)}")
