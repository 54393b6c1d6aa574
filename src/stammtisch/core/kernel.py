"""The compiled face of a game, and generic functions that find it by the type of the state.

A game fills one :class:`Kernel` with its state layout and its compiled functions and registers it.
Searches, playouts and batches call the generic functions of this module, e.g. ``apply(state, action,
rng)``. Inside compiled code numba picks the game's own function at compile time from the record type
of the state, at no cost; in plain Python the same name looks the game up by the state's dtype. So a
search is written once, runs every game at full speed, and can still be stepped through in a debugger
with ``NUMBA_DISABLE_JIT=1``.
"""

from __future__ import annotations

import dataclasses
import functools
import keyword
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

import numba
import numpy as np
from numba.extending import overload
from numpy.typing import NDArray

from stammtisch.core.compiling import compiled
from stammtisch.core.errors import BadKernel
from stammtisch.core.fingerprint import STANDS_FOR, fingerprint
from stammtisch.core.rng import Rng, below

Record: TypeAlias = Any  # one element of a NumPy record array; numba and NumPy give it attributes
Records: TypeAlias = Any  # a record array
Actions: TypeAlias = NDArray[np.int64]
Vector: TypeAlias = NDArray[np.float64]
F = TypeVar("F", bound=Callable[..., Any])

_TAKEN = frozenset(dir(np.record))  # in plain Python a field of such a name would be hidden by NumPy's own
OVER = -1  # what ``player`` returns when nobody decides any more


@dataclass(frozen=True, eq=False)
class Kernel:
    """A game's compiled functions. Options that the rules need are fields of the state.

    ``new_game(state, rng)``
        Deal or set up. The option fields are already filled in, everything else is zero.
    ``player(state) -> int``
        The seat that decides now, ``OVER`` when the game is over.
    ``legal_actions(state, out) -> n``
        Action codes, ascending, without duplicates, at most ``GameSpec.max_actions``; 0 only when over.
    ``apply(state, action, rng)``
        Play a legal action (undefined for others: the caller checks). Dice and deals come from ``rng``.
    ``scores(state, out)``
        One number per seat; final when over, the standing before.
    ``observe(state, seat, out)``
        The network input, flat float32, every element written, only from what the seat may know.
    ``determinize(state, seat, rng)``
        Overwrite everything the seat cannot know with a sample consistent with all it can know.
        Not needed where nothing is hidden.
    ``conceals(state, seat) -> bool``
        Optional: whether the choice to be made now stays hidden from the seat (a card given face down).
        Asked only of seats that do not make it themselves.
    ``outcome(state, which) -> probability``
        Optional, where chance is a die: put throw number ``which`` in place of the one that fell, and say how likely
        it was; 0 where there is none of this number. Without chance, what is there is the only one. Games small enough
        to be solved (``search/exact.py``) list their deals in the same way, as long as nobody has acted on them.
    ``number(state, action) -> number``, ``action_at(state, number, buffer) -> action``
        Optional, where codes are no dense index: an action's place in 0 .. ``GameSpec.numbers`` - 1, seen from who
        decides, and back; -1 for a number that no legal action has. ``buffer`` has room for all legal actions. See
        ``core/actions.py``.

    What is *good* in a game is no part of its rules: see ``core/mind.py``.
    """

    state: np.dtype[Any]
    new_game: Callable[..., Any]
    player: Callable[..., Any]
    legal_actions: Callable[..., Any]
    apply: Callable[..., Any]
    scores: Callable[..., Any]
    observe: Callable[..., Any]
    determinize: Callable[..., Any] = field(default_factory=lambda: nothing_hidden)
    conceals: Callable[..., Any] = field(default_factory=lambda: conceals_nothing)
    outcome: Callable[..., Any] = field(default_factory=lambda: only_outcome)
    number: Callable[..., Any] = field(default_factory=lambda: its_code)
    action_at: Callable[..., Any] = field(default_factory=lambda: first_of_number)

    def __post_init__(self) -> None:
        if self.state.fields is None:
            raise BadKernel(f"a state is a structured dtype with named fields, not {self.state}")
        check_fields("a state", self.state.names or (), "rules_")
        members = {member.name: getattr(self, member.name) for member in dataclasses.fields(self)}
        functions = {name: member for name, member in members.items() if name != "state"}
        for name, function in functions.items():
            if not hasattr(function, "py_func") and not numba.config.DISABLE_JIT:
                raise BadKernel(f"{name} is not compiled: put @compiled before it")
        # The last field's name stands for the rules: a search that was compiled for other rules of the same
        # layout has another signature, so it is never used for these, in this process or from the cache.
        fields = [(name, self.state[name]) for name in self.state.names or ()]
        fields.append((f"rules_{fingerprint(functions.values())}", np.dtype(np.int8)))
        layout = whole_words(fields)
        object.__setattr__(self, "state", layout)
        _by_record_type[numba.from_dtype(layout)] = self
        _by_dtype[layout] = self

    def blank(self, n: int = 1) -> Records:
        """``n`` zeroed states; each has its fields as attributes also in plain Python."""
        return np.zeros(n, dtype=self.state)


def check_fields(whose: str, names: Iterable[str], mark: str) -> None:
    """Fields are attributes also in plain Python; ``mark`` begins the name of the one that is added."""
    for name in names:
        if name in _TAKEN or keyword.iskeyword(name) or name.startswith(("gap", mark)):
            raise BadKernel(f"{whose}'s field cannot be called '{name}': the name is taken")


def whole_words(fields: list[tuple[str, np.dtype[Any]]]) -> np.dtype[Any]:
    """An aligned layout without gaps, filled up to 8-byte words.

    NumPy does not copy gaps, so states could differ in bytes that nobody wrote; and whole words can be
    hashed as a row of integers.
    """
    aligned = np.dtype(fields, align=True)
    places = sorted((aligned.fields[name][1], name) for name, _ in fields)  # type: ignore[index]
    filled: list[tuple[str, Any]] = []
    end = 0
    for offset, name in [*places, (-(-aligned.itemsize // 8) * 8, "")]:
        if offset > end:
            filled.append((f"gap{end}", np.dtype((np.int8, (offset - end,)))))
        if name:
            filled.append((name, aligned[name]))
            end = offset + aligned[name].itemsize
    return np.dtype((np.record, np.dtype(filled, align=True)))  # a plain array of them is dispatched much faster


_by_record_type: dict[Any, Kernel] = {}  # numba's record type -> kernel, asked while compiling
_by_dtype: dict[np.dtype[Any], Kernel] = {}  # NumPy's dtype -> kernel, asked in plain Python


def kernel_of(state: Record) -> Kernel:
    """The kernel that a state (or an array of states) belongs to."""
    return _by_dtype[state.dtype]


def _generic(declaration: F) -> F:
    """Turn a declaration into a function that calls the state's own game, compiled or not."""
    name = declaration.__name__

    @functools.wraps(declaration)
    def plain(state: Record, *rest: Any) -> Any:
        return getattr(kernel_of(state), name)(state, *rest)

    @overload(plain)  # type: ignore[untyped-decorator]  # numba ships no types
    def _at_compile_time(state: Any, *rest: Any) -> Any:
        kernel = _by_record_type.get(state)
        if kernel is None:
            return None
        function = getattr(kernel, name)

        def call(state: Any, *rest: Any) -> Any:
            return function(state, *rest)

        return call

    setattr(plain, STANDS_FOR, f"{name} of the game {fingerprint([_at_compile_time])}")
    return plain  # type: ignore[return-value]  # the declaration is the type people and mypy see


@_generic
def new_game(state: Record, rng: Rng) -> None: ...


@_generic
def player(state: Record) -> int: ...  # type: ignore[empty-body]


@_generic
def legal_actions(state: Record, out: Actions) -> int: ...  # type: ignore[empty-body]


@_generic
def apply(state: Record, action: int, rng: Rng) -> None: ...


@_generic
def scores(state: Record, out: Vector) -> None: ...


@_generic
def observe(state: Record, seat: int, out: NDArray[np.float32]) -> None: ...


@_generic
def determinize(state: Record, seat: int, rng: Rng) -> None: ...


@_generic
def conceals(state: Record, seat: int) -> bool: ...  # type: ignore[empty-body]


@_generic
def outcome(state: Record, which: int) -> float: ...  # type: ignore[empty-body]


@_generic
def number(state: Record, action: int) -> int: ...  # type: ignore[empty-body]


@_generic
def action_at(state: Record, number: int, buffer: Actions) -> int: ...  # type: ignore[empty-body]


@compiled
def uniform_action(state: Record, buffer: Actions, rng: Rng) -> int:
    """Any legal action, all equally likely."""
    return buffer[below(rng, legal_actions(state, buffer))]


@compiled
def only_outcome(state: Record, which: int) -> float:
    """The ``outcome`` of a game without dice: what is there."""
    return 1.0 if which == 0 else 0.0


@compiled
def nothing_hidden(state: Record, seat: int, rng: Rng) -> None:
    """The ``determinize`` of a game in which everybody sees everything."""


@compiled
def conceals_nothing(state: Record, seat: int) -> bool:
    """The ``conceals`` of a game in which everybody sees every move."""
    return False


@compiled
def its_code(state: Record, action: int) -> int:
    """The ``number`` of a game whose codes are dense."""
    return action


@compiled
def first_of_number(state: Record, wanted: int, buffer: Actions) -> int:
    """The ``action_at`` of a game that says no more: the first legal action of this number."""
    for i in range(legal_actions(state, buffer)):
        if number(state, buffer[i]) == wanted:
            return buffer[i]
    return -1
