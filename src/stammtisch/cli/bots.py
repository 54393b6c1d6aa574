"""Programs that want to play: bot check."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from stammtisch.cli.app import AsJson, Options, app, make_game

bot = typer.Typer(help="Bots in any language: programs that speak JSON lines (docs/bots.md).", no_args_is_help=True)
app.add_typer(bot, name="bot")


@bot.command(epilog='Example: stammtisch bot check "python3 examples/bots/bot.py" --game tictactoe')
def check(
    command: Annotated[str, typer.Argument(metavar="COMMAND", help="The program with its arguments, in quotes.")],
    game: Annotated[str, typer.Option(help="The game it plays: see 'stammtisch games'.")] = "tictactoe",
    option: Options = None,
    games: Annotated[int, typer.Option(min=1, help="Games to play.")] = 4,
    ms: Annotated[float, typer.Option(min=1, max=3_600_000, help="Milliseconds it has for a decision.")] = 1000.0,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the first game.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Try a program that wants to play; exit code 1 if it breaks a promise of the protocol."""
    from stammtisch.agents.bot_check import check as check_bot

    chosen = make_game(game, option)
    found = []
    for promise in check_bot(chosen, command, games, ms, seed):
        found.append(promise)
        if not as_json:
            print(f"{'NO ' if promise.broken else 'yes'}  {promise.what}{f': {promise.note}' if promise.note else ''}")
            if promise.broken:
                print(f"     {promise.broken}")
    broken = sum(promise.broken is not None for promise in found)
    if as_json:
        print(json.dumps([vars(promise) for promise in found]))
    elif broken:
        print(f"{broken} of {len(found)} promises broken.")
    else:
        print(f"All promises kept. Enter it as: 'outside:command={command}'")
    if broken:
        raise typer.Exit(1)
