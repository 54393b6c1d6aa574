"""What there is: games, agents."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from stammtisch.agents.catalog import agents as all_agents
from stammtisch.agents.catalog import agents_of
from stammtisch.cli.app import AsJson, app, game_info, print_table, say
from stammtisch.core.info import AgentInfo, GameInfo, Option
from stammtisch.core.registry import games as all_games


@app.command(epilog="Example: stammtisch games tictactoe")
def games(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="Show one game with its options.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the games, or show one of them with its options."""
    if game is not None:
        info = game_info(game)
        if as_json:
            print(json.dumps(_game_json(info)))
        else:
            print_details(info.name, f"{info.title}. {info.summary}.", info.options)
        return
    if as_json:
        print(json.dumps([_game_json(info) for info in all_games().values()]))
        return
    rows = [(i.name, i.title, _seats(i), _nature(i), i.summary) for i in all_games().values()]
    print_table(("game", "title", "players", "nature", "what it is"), rows)


@app.command(epilog="Example: stammtisch agents tictactoe")
def agents(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="Only those that play this game.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the computer players and their options."""
    found = all_agents() if game is None else agents_of(game_info(game)).values()
    if as_json:
        rows = [
            {
                "name": agent.name,
                "summary": agent.summary,
                "games": list(agent.games),
                "options": [option_json(option) for option in agent.options],
            }
            for agent in found
        ]
        print(json.dumps(rows))
        return
    print_table(
        ("agent", "options", "how it plays"),
        [(_agent_name(agent), ", ".join(map(_brief, agent.options)), agent.summary) for agent in found],
    )
    say("Options follow the name: mcts:ms=500 · maxn:depth=9 · mcts:iterations=1000,c=1")


def _agent_name(agent: AgentInfo) -> str:
    return f"{agent.name} ({', '.join(agent.games)})" if agent.games else agent.name


def _brief(option: Option) -> str:
    """An option with the words it takes."""
    return f"{option.name} ({', '.join(map(str, option.choices))})" if option.choices else option.name


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
        "options": [option_json(option) for option in info.options],
    }


def option_json(option: Option) -> dict[str, Any]:
    """An option for machines."""
    return {"name": option.name, "default": option.default, "help": option.help, "expects": option.expected}


def print_details(name: str, sentence: str, options: tuple[Option, ...], what: str = "options") -> None:
    """Something with a sentence and what can be chosen about it."""
    say(f"{name}: {sentence}")
    rows = [(option.name, str(option.default), option.expected, option.help) for option in options]
    if rows:
        print_table((what.removesuffix("s"), "default", "expects", "meaning"), rows)
    else:
        say(f"It has no {what}.")
