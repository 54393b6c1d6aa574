"""From a name such as ``mcts:ms=500`` to an agent.

Agents announce themselves as entry points of the group ``stammtisch.agents``, each an
:class:`AgentInfo`; the ones of this module play every game whose nature allows it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from stammtisch.core.errors import UnknownAgent, UnsuitableAgent
from stammtisch.core.info import AgentInfo, GameInfo, Option, Value, check_options, load, read_options
from stammtisch.core.registry import installed
from stammtisch.search.needs import open_cards, open_cards_and_no_chance

if TYPE_CHECKING:
    from stammtisch.agents.base import Agent
    from stammtisch.core.game import Game


_MS = Option("ms", None, "milliseconds per decision (500 if nothing else is set)", low=1, high=86_400_000, kind=float)
_LIMITS = ("ms", "iterations", "depth")  # options that say how long an agent thinks
_MONTE_CARLO = (
    _MS,
    Option("iterations", None, "games played out per decision; reproducible with a seed", low=1, high=10**12, kind=int),
    Option("c", 0.7, "how much it explores", low=0, high=1000),
    Option("playout_limit", None, "break playouts off after so many moves and estimate", low=0, high=10**9, kind=int),
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
    options=(Option("depth", None, "moves to look ahead", low=1, high=64, kind=int), _MS),
    refuses=open_cards_and_no_chance,
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
BEST_CHAMELEON = AgentInfo(
    name="best",
    summary="The strongest: best-reply search, alpha-beta once two are left; easy and normal choose among good moves",
    loader="stammtisch.agents.chameleon.best:Best",
    options=(
        Option("depth", None, "moves to look ahead", low=1, high=40, kind=int),
        Option("ms", None, "milliseconds per decision (1000 if nothing else is set)", low=1, high=86_400_000, kind=float),
        Option("level", "hard", "how strong; easy and normal look only a few moves ahead", ("easy", "normal", "hard")),
    ),
    games=("chameleon",),
)


@cache
def agents() -> dict[str, AgentInfo]:
    """All installed agents by name."""
    return {info.name: info for info in installed("stammtisch.agents")}


def refusal(info: AgentInfo, game: GameInfo) -> str | None:
    """Why this agent cannot play this game, None if it can."""
    if info.games and game.name not in info.games:
        return f"it plays only {', '.join(info.games)}"
    return info.refuses(game)


def usual_opponent(info: GameInfo) -> str:
    """Who plays a game, or is asked for a hint, when nobody is named."""
    return ISMCTS.name if info.hidden else MCTS.name


def full_name(name: str, **budget: float | None) -> str:
    """The name in one spelling, with a budget where the agent takes it and its name sets no limit of its own.

    >>> full_name("mcts:c=1,iterations=010"), full_name("mcts:c=1", ms=50), full_name("maxn:depth=3", ms=50)
    ('mcts:iterations=10,c=1', 'mcts:ms=50,c=1', 'maxn:depth=3')
    """
    kind, _, texts = name.partition(":")
    if kind not in agents():
        raise UnknownAgent(kind, agents())
    options = agents()[kind].options
    given = read_options((text for text in texts.split(",") if text), options, f"of agent {kind}")
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
    kind, _, texts = name.partition(":")
    if kind not in agents():
        raise UnknownAgent(kind, [known for known, i in agents().items() if not refusal(i, game)])
    info = agents()[kind]
    reason = refusal(info, game)
    if reason:
        raise UnsuitableAgent(f"agent '{kind}' does not play {game.name}: {reason}")
    where = f"of agent {kind}"
    given = read_options((text for text in texts.split(",") if text), info.options, where)
    return load(info.loader), check_options(given, info.options, where)
