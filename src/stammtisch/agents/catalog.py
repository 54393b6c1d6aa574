"""From a name such as ``mcts:ms=500`` to an agent.

Agents announce themselves as entry points of the group ``stammtisch.agents``, each an
:class:`AgentInfo`; those that play every game whose nature allows it are described here. A game
describes those that are made for it alone (``GameInfo.agents``).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from stammtisch.core.errors import BadOption, UnknownAgent, UnsuitableAgent
from stammtisch.core.info import AgentInfo, GameInfo, Option, Value, check_options, load, read_options, thinking_time
from stammtisch.core.registry import games, installed
from stammtisch.search.needs import hidden_cards, open_cards, open_cards_and_known_chance, open_cards_and_no_chance

if TYPE_CHECKING:
    from stammtisch.agents.base import Agent
    from stammtisch.core.game import Game


_MS = thinking_time(500)
_LIMITS = ("ms", "iterations", "depth", "level")  # options that say how long an agent thinks
_MONTE_CARLO = (
    _MS,
    Option(
        "iterations",
        None,
        "games played out per decision; reproducible with a seed",
        low=1,
        high=10**12,
        kind=int,
        touches="iterations",
    ),
    Option("c", 0.7, "how much it explores", low=0, high=1000, touches="style"),
    Option(
        "playout_limit",
        None,
        "break playouts off after so many moves and estimate",
        low=0,
        high=10**9,
        kind=int,
        touches="moves",
    ),
)
_LOOKAHEAD = (
    Option("depth", None, "moves to look ahead", low=1, high=64, kind=int, touches="depth"),
    _MS,
    Option("evaluation", None, "the estimate at the leaves, where a game offers several", kind=str, touches="style"),
)

RANDOM = AgentInfo(
    name="random",
    summary="Any legal move, all equally likely",
    loader="stammtisch.agents.random:RandomAgent",
)
MAXN = AgentInfo(
    name="maxn",
    summary="Looks ahead with every player maximising the own score; exact where it sees the end",
    loader="stammtisch.agents.searcher:MaxN",
    options=_LOOKAHEAD,
    refuses=open_cards_and_no_chance,
)
PARANOID = AgentInfo(
    name="paranoid",
    summary="Looks ahead expecting that all others play together against it; with two players, minimax",
    loader="stammtisch.agents.searcher:Paranoid",
    options=_LOOKAHEAD,
    refuses=open_cards_and_no_chance,
)
HYPERMAX = AgentInfo(
    name="hypermax",
    summary="Looks ahead as maxn does, but cuts deeper: further, and not always exact with more than two players",
    loader="stammtisch.agents.searcher:Hypermax",
    options=_LOOKAHEAD,
    refuses=open_cards_and_no_chance,
)
EXPECTIMAX = AgentInfo(
    name="expectimax",
    summary="Looks ahead over all throws of the die with every player maximising the own expected score",
    loader="stammtisch.agents.searcher:Expectimax",
    options=_LOOKAHEAD,
    refuses=open_cards_and_known_chance,
)
MCTS = AgentInfo(
    name="mcts",
    summary="Monte-Carlo tree search for open games, with or without dice",
    loader="stammtisch.agents.searcher:MonteCarlo",
    options=_MONTE_CARLO,
    refuses=open_cards,
)
ISMCTS = AgentInfo(
    name="ismcts",
    summary="Monte-Carlo tree search that imagines what it cannot see",
    loader="stammtisch.agents.searcher:InformationSetMonteCarlo",
    options=_MONTE_CARLO,
)
PIMC = AgentInfo(
    name="pimc",
    summary="Imagines the hidden cards and plays every move out on the same deals, without a tree",
    loader="stammtisch.agents.searcher:PerfectInformationMonteCarlo",
    options=tuple(option for option in _MONTE_CARLO if option.name != "c"),
    refuses=hidden_cards,
)
GUIDED = AgentInfo(
    name="guided",
    summary="Tree search guided by a network, or by what is known of the game by hand",
    loader="stammtisch.agents.guided:Guided",
    options=(
        replace(_MS, help="milliseconds per decision"),
        Option(
            "iterations",
            None,
            "positions judged per sample (200 if nothing else is set); reproducible with a seed",
            low=1,
            high=100_000,
            kind=int,
            touches="iterations",
        ),
        Option(
            "samples",
            8,
            "of what it cannot know, where there is such; a tree for each",
            low=1,
            high=1000,
            touches="samples",
        ),
        Option("c", 1.25, "how much it explores", low=0, high=1000, touches="style"),
        Option(
            "net",
            "",
            "a network of your own, as a file .safetensors or .onnx of 'stammtisch train ppo'; without it, by hand",
            touches="file",
        ),
    ),
)
OUTSIDE = AgentInfo(
    name="outside",
    summary="A program of your own, in any language, that speaks JSON lines",
    loader="stammtisch.agents.outside:Outside",
    options=(
        Option(
            "command",
            None,
            "the program with its arguments, without commas",
            kind=str,
            touches="file",
            required=True,
        ),
        Option("ms", 1000.0, "milliseconds it has for a decision", low=1, high=3_600_000, touches="ms"),
    ),
)


@cache
def agents() -> tuple[AgentInfo, ...]:
    """All installed agents; those of one game may have the name of one for all games, or of another game's."""
    made: dict[AgentInfo, tuple[str, ...]] = {}
    for game in games().values():
        for info in game.agents:
            made[info] = (*made.get(info, ()), game.name)
    return (*installed("stammtisch.agents"), *(replace(info, games=names) for info, names in made.items()))


def agents_of(game: GameInfo) -> dict[str, AgentInfo]:
    """Who plays this game, by name; an agent made for the game comes before a general one of the same name."""
    playing = [info for info in agents() if refusal(info, game) is None]
    return {info.name: info for info in sorted(playing, key=lambda info: (bool(info.games), info.name))}


def refusal(info: AgentInfo, game: GameInfo) -> str | None:
    """Why this agent cannot play this game, None if it can."""
    if info.games and game.name not in info.games:
        return f"it plays only {', '.join(info.games)}"
    return info.refuses(game)


def find(name: str, game: GameInfo) -> AgentInfo:
    """The agent of this name for this game, or an error that says why there is none."""
    playing = agents_of(game)
    if name in playing:
        return playing[name]
    named = [info for info in agents() if info.name == name]
    if named:
        general = [refusal(info, game) for info in named if not info.games]
        only = ", ".join(sorted({played for info in named for played in info.games}))
        reason = general[0] if general else f"it plays only {only}"
        raise UnsuitableAgent(f"agent '{name}' does not play {game.name}: {reason}")
    raise UnknownAgent(name, playing)


def usual_opponent(game: GameInfo) -> str:
    """Who plays a game when nobody is named: an opponent for people, where the game has levels."""
    best = agents_of(game).get("best")
    return "best:level=normal" if best and any(o.name == "level" for o in best.options) else usual_adviser(game)


def usual_adviser(game: GameInfo) -> str:
    """Who is asked for a hint when nobody is named."""
    return "best" if "best" in agents_of(game) else ISMCTS.name if game.hidden else MCTS.name


def given_options(name: str, game: GameInfo) -> list[tuple[Option, Value]]:
    """The options that a name sets, with their values.

    >>> from stammtisch.games.tictactoe import INFO
    >>> [(option.name, option.touches, value) for option, value in given_options("mcts:c=1,iterations=010", INFO)]
    [('iterations', 'iterations', 10), ('c', 'style', 1.0)]
    """
    kind, _, texts = name.partition(":")
    options = find(kind, game).options
    given = read_options((text for text in texts.split(",") if text), options, f"of agent {kind}")
    for option in options:
        if option.required and given.get(option.name) is None:
            raise BadOption(f"agent {kind} needs {option.name}: {kind}:{option.name}=..., {option.help}")
    return [(option, given[option.name]) for option in options if option.name in given]


def full_name(name: str, game: GameInfo, **budget: float | None) -> str:
    """The name in one spelling, with a budget where the agent takes it and its name sets no limit of its own.

    >>> from stammtisch.games.tictactoe import INFO
    >>> [full_name(name, INFO, ms=50) for name in ("mcts:c=1,iterations=010", "mcts:c=1", "maxn:depth=3")]
    ['mcts:iterations=10,c=1', 'mcts:ms=50,c=1', 'maxn:depth=3']
    """
    kind = name.partition(":")[0]
    options = find(kind, game).options
    given = {option.name: value for option, value in given_options(name, game)}
    if not any(limit in given for limit in _LIMITS):
        known = {option.name: option for option in options}
        given |= {key: known[key].check(value) for key, value in budget.items() if value is not None and key in known}
    written = ",".join(f"{option.name}={_plain(given[option.name])}" for option in options if option.name in given)
    return f"{kind}:{written}" if written else kind


def _plain(value: Value) -> Value:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def agent(name: str, game: Game) -> Agent:
    """A new agent of a name with its options, e.g. ``maxn:depth=9`` or ``mcts:iterations=1000,c=1``."""
    made, options = _loader(name, game.info)
    new: Agent = made(game, **options)
    return new


@lru_cache(maxsize=1000)
def _loader(name: str, game: GameInfo) -> tuple[Callable[..., Agent], dict[str, Value]]:
    """What makes this agent, and with which options."""
    kind = name.partition(":")[0]
    info = find(kind, game)
    given = {option.name: value for option, value in given_options(name, game)}
    return load(info.loader), check_options(given, info.options, f"of agent {kind}")
