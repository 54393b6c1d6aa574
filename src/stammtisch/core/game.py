"""The face of a game for people: Game, State, Seat. A thin shell over the compiled kernel.

A :class:`Game` is a set of rules with its options, a :class:`State` a full position that somebody who
runs the table holds, a :class:`Seat` what one player at that table can know. Agents get Seats only.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from stammtisch.core import rng as random
from stammtisch.core.actions import fill_mask
from stammtisch.core.checks import code, generator, whole
from stammtisch.core.errors import (
    BadNumber,
    BadOption,
    BadPosition,
    IllegalMove,
    UnsuitableAgent,
    brief,
    read_json,
    suggestion,
)
from stammtisch.core.info import GameInfo, Value, check_options
from stammtisch.core.kernel import OVER, Kernel, Record, Records, action_at, number
from stammtisch.core.mind import EMPTY, is_mind, mind_of
from stammtisch.core.rng import Rng

Json: TypeAlias = dict[str, Any]

NOBODYS_RNG = random.stream(0)  # seats are made with copies of it: nothing of the real generator gets out
COMMON_KEYS = ("game", "options", "player", "phase")  # what every position has


@dataclass(frozen=True)
class GameSpec:
    """What algorithms check before they run.

    ``sides`` are the seats that win together; in a free-for-all every seat is its own side. A seat that
    is in none of them is empty: it never decides and always has the lowest score.
    ``chance`` says that dice or deals happen during play (a first deal alone is no chance in this sense).
    ``score_sum`` is the sum over all seats of the final scores where the rules fix it (searches
    prune with it), else None. ``numbers`` is how many numbers actions can have (``core/actions.py``): the width of
    masks and policy heads. Where ``alike`` is set, actions that are the same for play share a number. Where
    ``won_or_lost`` is set, the arena judges by wins though the scores say more (a race to so many points).
    ``usual_length`` is about how many moves a random game has: the checker waits for four times as many.
    """

    seats: int
    sides: tuple[tuple[int, ...], ...]
    hidden: bool
    chance: bool
    score_range: tuple[float, float]
    score_sum: float | None
    observation_shape: tuple[int, ...]
    observation_range: tuple[float, float]
    max_actions: int
    numbers: int
    alike: bool = False
    won_or_lost: bool = False
    usual_length: int = 150

    @cached_property
    def side_of(self) -> dict[int, int]:
        """The side that every taken seat belongs to."""
        return {seat: i for i, side in enumerate(self.sides) for seat in side}

    @cached_property
    def taken(self) -> tuple[int, ...]:
        """The seats that somebody plays."""
        return tuple(sorted(seat for side in self.sides for seat in side))

    @property
    def observation_size(self) -> int:
        return math.prod(self.observation_shape)


class Game(ABC):
    """The rules with their options. A new game implements the abstract methods and hands over a kernel."""

    info: ClassVar[GameInfo]  # all that is said of it outside its folder
    kernel: ClassVar[Kernel]  # its compiled rules
    position_keys: ClassVar[tuple[str, ...]]  # the keys of a JSON position besides the common ones
    optional_keys: ClassVar[tuple[str, ...]] = ()  # further keys that a position may have
    chance_keys: ClassVar[tuple[str, ...]] = ()  # the keys that dice and deals decide during play
    minds: ClassVar[Mapping[str, Callable[[], Records]]] = {"standing": EMPTY.blank}  # what can be known of it, by name
    playout_limit: ClassVar[int | None] = None  # after so many moves a mind's judgement says more than playing on
    describe_actions: ClassVar[Callable[..., None] | None] = None  # many actions as rows of ``action_features`` flags
    action_features: ClassVar[int] = 0  # how wide such a row is; 0 where actions are not described

    def __init__(self, /, **options: Any) -> None:
        self.options: dict[str, Value] = check_options(options, self.info.options, f"of {self.info.name}")
        self.spec = self.describe()

    def mind(self, name: str | None = None) -> Records:
        """What searches know of the game, for one thread: the mind of this name; the first, by hand, without one."""
        if name is not None and name not in self.minds:
            raise UnsuitableAgent(f"{self.info.name} has no evaluation '{name}', only: {', '.join(self.minds)}")
        return self.minds[name or next(iter(self.minds))]()

    def knowing(self, minds: Records | None) -> Records:
        """These minds, if they know this game; none: its own, by hand."""
        if minds is None:
            return self.mind()
        if not is_mind(minds) or minds.shape != (1,):
            raise UnsuitableAgent("a search takes an array of one mind, as Mind.blank() and Mind.filled() make it")
        if mind_of(minds).state not in (None, self.kernel.state):
            raise UnsuitableAgent(
                f"this mind knows the positions of another game, not of {self.info.name}: hand over one that is made"
                f" for it, or none for {next(iter(self.minds))}"
            )
        return minds

    @abstractmethod
    def describe(self) -> GameSpec:
        """The spec for these options; the place to refuse options that do not go together."""

    @abstractmethod
    def encode(self, position: Mapping[str, Any], record: Record) -> None:
        """Fill the record from JSON (options are in it already); BadPosition names the wrong field."""

    @abstractmethod
    def decode(self, record: Record) -> Json:
        """The position as JSON: ``phase`` and all ``position_keys``, complete enough to rebuild the record."""

    @abstractmethod
    def parse(self, text: str) -> int:
        """The action code of a move's text; BadMove where it is no move of this game."""

    @abstractmethod
    def format(self, action: int) -> str:
        """The text of an action code; BadMove where it is no action of this game."""

    @abstractmethod
    def draw(self, position: Json) -> str:
        """The position, or a seat's view of it with nulls, as a picture in text."""

    def paint(self, position: Json) -> list[tuple[str, str]]:
        """The same picture in pieces, each with a style for terminals, such as ``bold white on red`` or none."""
        return [(self.draw(position), "")]

    def comment(self, state: State, action: int) -> str:
        """What a legal action does, in words, where its text does not tell; only what everybody may know."""
        return ""

    def remark(self, state: State) -> str:
        """What to say of a game that is over, besides who has won."""
        return ""

    def explain(self, seat: Seat, text: str) -> Json:
        """For a person who picks a move piece by piece: the legal moves that ``text`` can mean, or why there is none.

        ``moves`` is a list of texts, ``why`` a word that the page has a sentence for, or None.
        """
        legal = text in seat.moves()
        return {"moves": [text] if legal else [], "why": None if legal else "not_legal"}

    def seat_name(self, seat: int) -> str:
        """What people call this seat."""
        return f"Seat {seat}"

    def hide(self, position: Json, seat: int | None) -> Json:
        """The position with everything null that the seat (None: a spectator) cannot know."""
        return position

    def write_options(self, record: Record) -> None:  # noqa: B027  # many games have none
        """Copy the options that the compiled rules need into the record's fields."""

    def problems(self, record: Record) -> list[str]:
        """Everything that is wrong with a position reached by play, for the conformance check."""
        return []

    def tally(self, record: Record) -> dict[str, tuple[int, ...]]:
        """What the arena should count of a game that is over besides its score: a number for each seat."""
        return {}

    def narrow(self, seat: Seat) -> tuple[Seat, list[int]]:
        """What a search should look at: the seat, perhaps under simpler rules, and the actions worth trying."""
        return seat, seat.actions()

    def count_positions(self) -> int | None:
        """How many positions there are at most, where that can be computed."""
        return None

    def new(self, seed: int | None = None) -> State:
        """A new game. The same seed gives the same deal and the same dice for the same moves."""
        rng = random.stream(random.fresh_seed() if seed is None else seed)
        records = self.blank()
        self.kernel.new_game(records[0], rng)
        return self.state(records, rng)

    def from_json(self, position: Mapping[str, Any], seed: int | None = None) -> State:
        """The state of a JSON position, also a hand-made one. ``seed`` decides the chance that follows."""
        if not isinstance(position, Mapping):
            raise BadPosition("game", "a position is a JSON object")
        if position.get("game", self.info.name) != self.info.name:
            raise BadPosition("game", f"this is {self.info.name}, the position is for {position['game']}")
        options = {} if position.get("options") is None else position["options"]
        if not isinstance(options, Mapping):
            raise BadPosition("options", "an object with the options' names and values")
        meant = check_options(options, self.info.options, f"of {self.info.name}")
        if any(self.options[name] != meant[name] for name in options):
            other = type(self)(**{**self.options, **options})
            for name in options:
                if other.options[name] != meant[name]:
                    raise BadPosition("options", f"{name}={meant[name]} does not go with the other options")
            return other.from_json(position, seed)
        keys = (*COMMON_KEYS, *self.position_keys, *self.optional_keys)
        for key in position:
            if key not in keys:
                raise BadPosition(key, f"unknown; {suggestion(key, keys)}")
        for key in self.position_keys:
            if key not in position:
                raise BadPosition(key, "missing")
        records = self.blank()
        self.encode(position, records[0])
        state = self.state(records, random.stream(random.fresh_seed() if seed is None else seed))
        given = position.get("player", state.player)
        if given != state.player or isinstance(given, bool):
            raise BadPosition("player", f"{given!r} is given, but by the rules it is {state.player}")
        phase = self.decode(records[0])["phase"]
        if "phase" in position and position["phase"] != phase:
            raise BadPosition("phase", f"{position['phase']!r} is given, but by the rules it is {phase}")
        return state

    def parse_position(self, text: str, seed: int | None = None) -> State:
        """The state of a position written as text: JSON, or the game's own form where it has one."""
        return self.from_json(read_json(text, "the position"), seed)

    def blank(self) -> Records:
        """One empty record with the options filled in."""
        records = self.kernel.blank()
        self.write_options(records[0])
        return records

    def state(self, records: Records, rng: Rng) -> State:
        """The State around a record; games with moves of their own (calls out of turn) extend it."""
        return State(self, records, rng)

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.options.items())
        return f"st.game({self.info.name!r}{options})"


class State:
    """A full position in play. Whoever holds it sees everything: for the table, not for its players."""

    __slots__ = ("_records", "game", "rng")

    def __init__(self, game: Game, records: Records, rng: Rng) -> None:
        self.game = game
        self._records = records
        self.rng = rng

    @property
    def record(self) -> Record:
        """The compiled rules' own form of the position."""
        return self._records[0]

    @property
    def records(self) -> Records:
        """The record in an array of one, as compiled loops take it."""
        return self._records

    @property
    def player(self) -> int | None:
        """The seat that decides now, None when the game is over."""
        seat = int(self.game.kernel.player(self.record))
        return None if seat == OVER else seat

    @property
    def over(self) -> bool:
        return self.player is None

    def actions(self) -> list[int]:
        """The legal action codes, ascending."""
        out = np.empty(self.game.spec.max_actions, dtype=np.int64)
        n = self.game.kernel.legal_actions(self.record, out)
        return [int(action) for action in out[:n]]

    def moves(self) -> list[str]:
        """The legal moves as text, in the order of their codes."""
        return [self.game.format(action) for action in self.actions()]

    def mask(self) -> NDArray[np.bool_]:
        """The numbers of the legal actions, as flags."""
        out = np.zeros(self.game.spec.numbers, dtype=np.bool_)
        fill_mask(self.record, np.empty(self.game.spec.max_actions, dtype=np.int64), out)
        return out

    def number(self, action: int) -> int:
        """The number of a legal action code, see :mod:`stammtisch.core.actions`."""
        return int(number(self.record, self.legal(action)))

    def legal(self, action: int) -> int:
        """The action code, if it is legal now."""
        wanted = code(action)
        out = np.empty(self.game.spec.max_actions, dtype=np.int64)
        legal = out[: self.game.kernel.legal_actions(self.record, out)]
        if not (legal == wanted).any():
            raise self._refusal(self.game.format(wanted))
        return wanted

    def action_at(self, number: int) -> int:
        """The legal action of this number; the inverse of :meth:`number`."""
        buffer = np.empty(self.game.spec.max_actions, dtype=np.int64)
        number = code(number)
        within = not self.over and 0 <= number < self.game.spec.numbers
        found = int(action_at(self.record, number, buffer)) if within else -1
        if found < 0:
            raise IllegalMove(
                f"no legal action has the number {number} now; numbers go to {self.game.spec.numbers - 1}"
            )
        return found

    def calls(self, seat: int) -> list[int]:
        """The action codes that this seat may play now though another one decides; ``actions`` has none of them."""
        return []

    def might_step_in(self, action: int | None = None) -> list[int]:
        """The seats that, for all that everybody knows, might now be asked something that the others must not know of.

        With the action of the seat that decides: the seats that might be asked after it, if it would show in what
        follows that somebody is asked. A table then waits, so that its waiting tells nothing.
        """
        return []

    def together(self) -> dict[int, State]:
        """The seats that decide at the same time now, in the order in which the rules take their choices; none where
        one decides alone. Each comes with the position as if it were asked first, before anybody has chosen.

        What one chooses must not change what another may choose. A table collects the choices before it plays any.
        """
        return {}

    def apply(self, action: int) -> None:
        """Play an action code. An illegal one raises and changes nothing."""
        self.game.kernel.apply(self.record, self.legal(action), self.rng)

    def play(self, text: str) -> None:
        """Play a move given as text."""
        self.apply(self.game.parse(text))

    def _refusal(self, move: str) -> IllegalMove:
        if self.over:
            return IllegalMove(f"{move} cannot be played: the game is over")
        legal = self.moves()
        shown = ", ".join(legal[:12]) + (f" and {len(legal) - 12} more" if len(legal) > 12 else "")
        return IllegalMove(f"{move} is not legal now; legal: {shown}")

    def scores(self) -> list[float]:
        """One number per seat, final when the game is over."""
        out = np.zeros(self.game.spec.seats)
        self.game.kernel.scores(self.record, out)
        return [float(score) for score in out]

    def to_json(self) -> Json:
        """The full position: ``game.from_json(state.to_json())`` is the same state."""
        common = {"game": self.game.info.name, "options": dict(self.game.options), "player": self.player}
        return {**common, **self.game.decode(self.record)}

    def view(self, seat: int | None) -> Json:
        """What this seat (None: a spectator) may see: the position with null for all that is hidden."""
        return self.game.hide(self.to_json(), self._listener(seat))

    def _listener(self, seat: int | None) -> int | None:
        return None if seat is None else whole(seat, "a seat", 0, self.game.spec.seats - 1)

    def told(self, action: int, seat: int | None) -> str | None:
        """A legal action, about to be played, as this seat (None: a spectator) is told of it; None if it is hidden.

        The player knows the own move; a spectator is told no more than everybody else.
        """
        decider, seat = self.player, self._listener(seat)
        others = [other for other in range(self.game.spec.seats) if other != decider]
        listeners = others if seat is None else [seat] if seat != decider else []
        hidden = any(self.game.kernel.conceals(self.record, listener) for listener in listeners)
        return None if hidden else self.game.format(action)

    def text(self) -> str:
        """The full position drawn in text."""
        return self.game.draw(self.to_json())

    def seat(self, index: int) -> Seat:
        """What an agent on this seat gets."""
        return Seat(self, index)

    def copy(self) -> State:
        """An independent state that goes on exactly as this one would, dice included."""
        return self.game.state(self._records.copy(), self.rng.copy())

    def __eq__(self, other: object) -> bool:
        """Same rules, same position; the chance to come does not count."""
        if not isinstance(other, State):
            return NotImplemented
        return self.game.options == other.game.options and self.bytes() == other.bytes()

    __hash__ = None  # type: ignore[assignment]  # states change

    def bytes(self) -> bytes:
        """The record's memory, for exact comparison."""
        return bytes(self._records.tobytes())

    def __repr__(self) -> str:
        return f"<{self.game.info.name}, {'over' if self.over else f'seat {self.player} decides'}>"

    def __str__(self) -> str:
        return self.text()


class Seat:
    """A place at the table, as its player knows it.

    The real hidden cards and the coming dice are not in here, not even privately: the record is a
    copy in which everything the seat cannot know was overwritten by one fixed sample.
    """

    __slots__ = ("_known", "index")

    def __init__(self, state: State, index: int) -> None:
        if isinstance(index, bool) or not isinstance(index, int | np.integer) or index not in state.game.spec.taken:
            taken = ", ".join(str(seat) for seat in state.game.spec.taken)
            raise BadNumber(f"nobody has seat {brief(index)}; taken: {taken}")
        self.index = index = int(index)
        self._known = state.game.state(state._records.copy(), NOBODYS_RNG.copy())
        state.game.kernel.determinize(self._known.record, index, NOBODYS_RNG.copy())

    @classmethod
    def knowing(cls, game: Game, records: Records, index: int) -> Seat:
        """The seat around a record of which ``determinize`` has overwritten what it cannot know, by NOBODYS_RNG."""
        seat = cls.__new__(cls)
        seat.index = index
        seat._known = game.state(records, NOBODYS_RNG.copy())
        return seat

    @property
    def game(self) -> Game:
        return self._known.game

    @property
    def player(self) -> int | None:
        """The seat that decides now, None when the game is over."""
        return self._known.player

    @property
    def records(self) -> Records:
        """A copy of what the seat knows in the compiled rules' form; the unknown is overwritten by a fixed sample."""
        return self._known.records.copy()

    def view(self) -> Json:
        """The position as JSON, null for all that is hidden from this seat."""
        return self._known.view(self.index)

    def text(self) -> str:
        """The view drawn in text."""
        return self.game.draw(self.view())

    def actions(self) -> list[int]:
        """The legal action codes if this seat decides, else none."""
        return self._known.actions() if self.player == self.index else []

    def moves(self) -> list[str]:
        """The legal moves as text if this seat decides, else none."""
        return [self.game.format(action) for action in self.actions()]

    def number(self, action: int) -> int:
        """The number of one of the actions, as learners count them."""
        return self._known.number(action)

    def observation(self) -> NDArray[np.float32]:
        """The network input of this seat."""
        out = np.empty(self.game.spec.observation_size, dtype=np.float32)
        self.game.kernel.observe(self._known.record, self.index, out)
        return out.reshape(self.game.spec.observation_shape)

    def under(self, game: Game) -> Seat:
        """The same place in a game with other options."""
        if game.kernel is not self.game.kernel:
            raise BadOption(f"a seat of {self.game.info.name} cannot be looked at as one of {game.info.name}")
        records = self._known.records.copy()
        game.write_options(records[0])
        return Seat.knowing(game, records, self.index)

    def sample(self, rng: Rng) -> State:
        """A full state that agrees with all this seat knows; the unknown is drawn from ``rng``."""
        state = self._known.copy()
        self.game.kernel.determinize(state.record, self.index, generator(rng))
        random.derive(state.rng, rng, random.next32(rng))
        return state
