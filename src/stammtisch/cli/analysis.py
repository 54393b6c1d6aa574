"""What kind of game it is: analyse, perft."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from stammtisch.agents.catalog import MAXN, refusal
from stammtisch.cli.app import (
    AsJson,
    GameName,
    Options,
    Players,
    Plots,
    app,
    check_folder,
    game_info,
    make_game,
    new_console,
    print_table,
    say,
    variants_of,
    write_pictures,
)
from stammtisch.core.errors import StammtischError

if TYPE_CHECKING:
    from stammtisch.analysis.shape import Shape, Timing


@app.command(epilog="Example: stammtisch analyse chameleon --players 2,3,4 --plots pictures")
def analyse(
    game: GameName,
    players: Players = None,
    option: Options = None,
    games: Annotated[int, typer.Option(min=1, help="Random games to play.")] = 2000,
    agent: Annotated[
        str | None, typer.Option(help="Also let this agent play against itself, e.g. maxn:depth=3.")
    ] = None,
    agent_games: Annotated[int, typer.Option(min=1, help="How many games the agent plays.")] = 50,
    positions: Annotated[int, typer.Option(min=1, help="Positions on which the time per move is measured.")] = 40,
    most_ms: Annotated[
        float, typer.Option(min=0, help="Look deeper until a move takes longer than this; 0: measure no times.")
    ] = 1000.0,
    longest: Annotated[int, typer.Option(min=1, help="A game with more moves is broken off as endless.")] = 10_000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the first game.")] = 1,
    plots: Plots = None,
    as_json: AsJson = False,
) -> None:
    """Branching factor, length and size of a game, beside Tic-Tac-Toe and chess; time per move against depth."""
    from rich.progress import track

    from stammtisch.agents.catalog import full_name
    from stammtisch.analysis.shape import Shape, random_games, timings
    from stammtisch.analysis.shape import agent_games as play

    check_folder(plots)
    if plots is not None:
        import stammtisch.arena.plots  # noqa: F401  # says what is missing before the work begins
    name = full_name(agent, game_info(game)) if agent else None
    shapes: list[Shape] = []
    times: list[Timing] = []
    console = new_console(stderr=True)
    for one in variants_of(game, option, players):
        count = len(one.spec.taken)
        with console.status(f"{count} players: random games ..."):
            shapes.append(random_games(one, games, seed, longest))
        if name:
            played = track(
                play(one, name, agent_games, seed, longest),
                f"{count} players: {name}",
                agent_games,
                console=console,
                transient=True,
            )
            shapes.append(Shape.of(one, name, played, longest))
        if most_ms and refusal(MAXN, one.info) is None:
            with console.status(f"{count} players: time per move ...") as status:
                for timing in timings(one, MAXN.name, positions, most_ms, seed):
                    times.append(timing)
                    status.update(f"{count} players: time per move, depth {timing.depth} done ...")
    drawn = []
    if plots is not None:
        from stammtisch.analysis.pictures import pictures

        drawn = write_pictures(plots, pictures(shapes, times))
    if as_json:
        print(json.dumps({"shapes": [s.to_json() for s in shapes], "time_per_move": [t.to_json() for t in times]}))
        return
    _print(shapes, times)
    if drawn:
        say(f"Written: {', '.join(str(path) for path in drawn)}")


def _print(shapes: Sequence[Shape], times: Sequence[Timing]) -> None:
    head = ("game", "players", "played by", "games", "endless", "choice", "length", "from - to", "tree", "positions")
    say("Choice: mean number of legal moves. Tree (choice to the power of the length) and positions are powers of ten.")
    print_table(head, [*(_row(shape) for shape in shapes), *_comparison()], numbers=True)
    if times:
        say("Time per move of maxn, ms")
        print_table(
            ("players", "depth", "positions", "median", "95 %", "longest"),
            [
                (
                    str(t["players"]),
                    str(t["depth"]),
                    str(t["positions"]),
                    *(f"{t[key]:,.2f}" for key in ("median_ms", "p95_ms", "longest_ms")),
                )
                for t in (timing.to_json() for timing in times)
            ],
            numbers=True,
        )


def _row(shape: Shape) -> tuple[str, ...]:
    numbers = shape.to_json()
    return (
        shape.game.info.title,
        str(shape.players),
        shape.who,
        f"{numbers['games']:,}",
        str(numbers["endless"]),
        f"{numbers['branching']:.1f}",
        f"{numbers['length']:.1f} ± {numbers['length_sd']:.1f}",
        f"{numbers['shortest']} - {numbers['longest']}",
        f"{numbers['tree_log10']:.1f}",
        _power(numbers["positions_at_most"]),
    )


def _comparison() -> Iterator[tuple[str, ...]]:
    """Tic-Tac-Toe, whose tree is known exactly, and chess as Shannon estimated it."""
    from stammtisch.analysis.shape import CHESS, TICTACTOE_GAMES, random_games
    from stammtisch.core.registry import game

    *most, _, positions = _row(random_games(game("tictactoe"), 2000, seed=1))
    yield (*most, f"{math.log10(TICTACTOE_GAMES):.1f} exact", positions)
    branching, length, tree, positions = (f"{number:g}" for number in CHESS)
    yield ("Chess (Shannon 1950)", "2", "", "", "", branching, length, "", tree, positions)


def _power(number: object) -> str:
    return f"{math.log10(number):.1f}" if isinstance(number, int) else ""


@app.command(epilog="Example: stammtisch perft chameleon --depth 4 -o players=2")
def perft(
    game: GameName,
    depth: Annotated[int, typer.Option(min=1, max=64, help="Moves to look ahead.")] = 3,
    option: Options = None,
    position: Annotated[
        str | None, typer.Option(metavar="POSITION", help="From this position, in JSON or the game's own text form.")
    ] = None,
    divide: Annotated[bool, typer.Option("--divide", help="Also how many begin with each move.")] = False,
    as_json: AsJson = False,
) -> None:
    """Count all sequences of so many moves, depth by depth: what two programs with the same rules agree on."""
    from stammtisch.search.needs import open_cards_and_no_chance
    from stammtisch.search.perft import divided
    from stammtisch.search.perft import perft as count

    reason = open_cards_and_no_chance(game_info(game))
    if reason is not None:
        raise StammtischError(f"perft cannot count {game}: it needs a game without chance and hidden cards")
    rules = make_game(game, option)
    state = rules.new(seed=0) if position is None else rules.parse_position(position)
    counts = [count(state, moves) for moves in range(1, depth + 1)]
    parts = divided(state, depth) if divide else {}
    if as_json:
        print(json.dumps({"counts": counts, **({"divided": parts} if divide else {})}))
        return
    for moves, number in enumerate(counts, start=1):
        print(f"{moves:2}  {number:,}")
    for move, number in parts.items():
        print(f"{move}  {number:,}")
