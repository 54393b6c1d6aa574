"""What can be said of a game or an agent without loading it: names, options, a sentence.

Listing games and agents must be instant, so nothing here imports NumPy or numba.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Literal, TypeAlias

from stammtisch.core.errors import BadOption, UnknownOption

Value: TypeAlias = "bool | int | float | str | None"
LADDER = 4  # opponents for people: beginner, regular, strong, best
Effort: TypeAlias = Literal["ms", "iterations", "depth", "samples", "moves"]
EFFORTS: tuple[Effort, ...] = ("ms", "iterations", "depth", "samples", "moves")


@dataclass(frozen=True)
class Option:
    """One switch of a game or an agent. The type of its values is the type of the default.

    ``kind`` names the type where the default is None; ``choices``, ``low`` and ``high`` narrow it.
    ``optional`` allows None beside them; ``aliases`` are other ways to give a value, with what they mean.
    ``expert`` options are for searches and learners; the lobby does not show them. An agent is nothing without
    its ``required`` options.

    ``touches`` is for agents: what a decision takes more of, the higher the value (an effort), only the agent's
    ``style``, or a ``file`` (or a program) of the computer. People who come to a table over the network may choose
    styles, and efforts up to the table's limits; never files, nor what does not say what it touches.
    """

    name: str
    default: Value
    help: str
    choices: tuple[Value, ...] = ()
    low: float | None = None
    high: float | None = None
    kind: type | None = None
    optional: bool = False
    aliases: tuple[tuple[Value, Value], ...] = ()
    expert: bool = False
    touches: Effort | Literal["style", "file"] | None = None
    required: bool = False

    @property
    def type(self) -> type:
        return self.kind or type(self.default)

    def check(self, value: Any) -> Value:
        """The value itself, or an error that says what would fit."""
        if value is None and self._may_be_none:
            return None
        value = next((meant for alias, meant in self.aliases if value == alias and type(value) is type(alias)), value)
        if self.type is float and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        fits = isinstance(value, self.type) and (self.type is bool or not isinstance(value, bool))
        if fits and self.choices:
            fits = value in self.choices
        if fits and self.low is not None:
            fits = value >= self.low
        if fits and self.high is not None:
            fits = value <= self.high
        if not fits:
            raise BadOption(f"option {self.name}={value}: {self.expected}")
        return value

    def read(self, text: str) -> Value:
        """The value that a person typed."""
        words: dict[str, Value] = {"true": True, "on": True, "yes": True, "false": False, "off": False, "no": False}
        try:
            if text.lower() == "none" and self._may_be_none:
                return None
            if self.type is bool:
                return self.check(words[text.lower()])
            return self.check(self.type(text))
        except (ValueError, KeyError):
            raise BadOption(f"option {self.name}={text}: {self.expected}") from None

    @property
    def _may_be_none(self) -> bool:
        return self.optional or self.default is None

    @property
    def expected(self) -> str:
        return f"{self._values} or none" if self.optional else self._values

    @property
    def _values(self) -> str:
        if self.choices:
            aliases = dict.fromkeys(str(alias) for alias, _ in self.aliases)
            known = "one of " + ", ".join(str(choice) for choice in self.choices)
            return f"{known}, or {', '.join(aliases)}" if aliases else known
        if self.type is bool:
            return "true or false"
        kind = {int: "a whole number", float: "a number", str: "a word"}[self.type]
        if self.low is not None and self.high is not None:
            return f"{kind} from {self.low:,} to {self.high:,}"
        if self.low is not None:
            return f"{kind}, {self.low:,} or more"
        return kind


def thinking_time(usual: int) -> Option:
    """How long an agent thinks about a decision."""
    text = f"milliseconds per decision ({usual} if nothing else is set)"
    return Option("ms", None, text, low=1, high=86_400_000, kind=float, touches="ms")


OWN_NETWORK = Option(
    "net", "", "a network of your own, as a file .safetensors of 'stammtisch train'; without it, ours", touches="file"
)


def check_options(given: Mapping[str, Any], options: Iterable[Option], where: str) -> dict[str, Value]:
    """All options with their values: the given ones, checked, and the defaults of the others."""
    known = {option.name: option for option in options}
    for name in given:
        if name not in known:
            raise UnknownOption(name, known, where)
    return {name: option.check(given[name]) if name in given else option.default for name, option in known.items()}


def read_options(texts: Iterable[str], options: Iterable[Option], where: str) -> dict[str, Value]:
    """Options as a person types them, ``name=value`` each."""
    known = {option.name: option for option in options}
    values: dict[str, Value] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        name = name.strip()
        if name not in known:
            raise UnknownOption(name, known, where)
        if not equals:
            raise BadOption(f"option {name} needs a value: {name}=..., {known[name].expected}")
        values[name] = known[name].read(value.strip())
    return values


def load(target: str) -> Any:
    """The object behind ``package.module:name``."""
    module, _, name = target.partition(":")
    return getattr(import_module(module), name)


@dataclass(frozen=True)
class AgentInfo:
    """An agent as the list of agents shows it; ``loader`` is called with the game and the options.

    ``refuses`` gives the reason why the agent cannot play a game, or None; ``games`` names the games
    of an agent that is made for some only (empty: every game that it does not refuse). What a game
    brings itself (``GameInfo.agents``) is for that game.
    """

    name: str
    summary: str
    loader: str
    options: tuple[Option, ...] = ()
    games: tuple[str, ...] = ()
    refuses: Callable[[GameInfo], str | None] = field(default=lambda info: None)

    @property
    def complete(self) -> bool:
        """Whether its name alone is somebody who can play."""
        return not any(option.required for option in self.options)


@dataclass(frozen=True, eq=False)  # there is one of each: looked up by identity, which is quick
class GameInfo:
    """All that is said of a game outside its folder; ``loader`` is the Game class, ``module:Class``.

    What the table in the browser shows of it lies in the folder ``page`` of the package that holds the loader.
    """

    name: str
    title: str
    summary: str
    seats: tuple[int, int]
    loader: str
    teams: bool = False
    hidden: bool = False
    chance: bool = False
    dice: bool = False  # chance is a die alone, whose throws the kernel can list
    options: tuple[Option, ...] = ()
    presets: Mapping[str, Mapping[str, Any]] = field(
        default_factory=dict, hash=False
    )  # what the values of ``rules`` set
    sheet: tuple[str, ...] = ()  # played in rounds: what of a position the table notes when a round has been counted
    gathered: Mapping[int, Mapping[str, Any]] = field(
        default_factory=dict, hash=False
    )  # what the lobby proposes to so many people, besides the defaults
    agents: tuple[AgentInfo, ...] = ()  # players made for this game
    ladder: tuple[str, ...] = ()  # four opponents for people, weakest first; none: the usual search, thinking longer
    unit: Literal["chance", "points"] = "chance"  # in which searches expect: to win, or points
    slips: tuple[float, float, float] = (0.05, 0.1, 0.2)  # what an inaccuracy, a mistake and a blunder lose of it
    place: int = 100  # in the lobby, the lowest first
    helper: str = ""  # the module that is found as ``stammtisch.<name>``
    peer: str = ""  # its name in OpenSpiel, for comparing speed
    measured: tuple[str, ...] = ()  # ``module:function`` each: what else ``stammtisch bench`` measures
    warmed: tuple[str, ...] = ()  # ``module:function`` each: what else ``stammtisch warm`` calls

    def __post_init__(self) -> None:
        if len(self.ladder) not in (0, LADDER):
            raise ValueError(f"{self.name}: a ladder has {LADDER} opponents, weakest first, not {len(self.ladder)}")

    @property
    def package(self) -> str:
        """The package that holds the game: its rules, and its page."""
        module = self.loader.partition(":")[0]
        return module.rpartition(".")[0] or module
