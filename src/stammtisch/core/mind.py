"""What a player knows, for compiled searches: functions and weights that are found by the type of their record.

A kernel says what is allowed; a mind says what is good. It is a record, as a state is: its fields are weights with
names and the working space of one thread. Searches take a mind as an argument and call the generic functions of this
module, e.g. ``pick(mind, state, buffer, rng)``; inside compiled code numba chooses the mind's own function by the
record type of the mind, and that one the game's rules by the record type of the state. Weights are values: other
weights of the same layout compile nothing.

Minds compose: a field may hold another mind, and ``Part("its name")`` in place of a function says that this mind's
answers are those of that field. Rules of thumb need no record: ``Bare(function)`` is called without it. Such detours
are resolved while compiling and cost nothing.

A mind holds working space, so two threads do not share one. Room for positions to try moves in is a field of the game's
own layout, ``("after", KERNEL.state, 1)``: the rules find it there as anywhere. What is handed to the rules, such as a
buffer or a generator, is a row of a field of two dimensions, ``("rngs", np.int64, (1, WORDS))`` and ``mind.rngs[0]``: a
field of one dimension has a type of its own, for which all rules would be compiled a second time.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

import numba
import numpy as np
from numba.extending import overload
from numpy.typing import NDArray

from stammtisch.core.compiling import compiled
from stammtisch.core.errors import BadKernel
from stammtisch.core.fingerprint import STANDS_FOR, fingerprint
from stammtisch.core.kernel import Actions, Record, Records, Vector, check_fields, scores, uniform_action, whole_words
from stammtisch.core.rng import Rng

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Part:
    """In place of a mind's function: the mind in this field answers."""

    name: str


@dataclass(frozen=True)
class Bare:
    """In place of a mind's function: one that is called without the mind, since all it knows is in its code."""

    function: Callable[..., Any]


Known: TypeAlias = "Callable[..., Any] | Bare | Part"
ANY_MOVE = Bare(uniform_action)  # a detour on the way to it costs a tenth of the playouts of small games


@dataclass(frozen=True, eq=False)
class Mind:
    """The fields of a mind's record and its compiled functions, each optional.

    ``pick(mind, state, buffer, rng) -> action``
        A good move at the price of a playout's step, of who decides and only from what this one may know.
        Default: any legal move.
    ``weigh(mind, state, actions, n, out)``
        How much each of ``n`` actions is preferred, as logarithms: a prior is their softmax. Default: all alike.
    ``judge(mind, state, seat, out)``
        The scores to expect at the end, per seat, as far as ``seat`` may know. Default: the scores so far.
    ``settle(mind, state)``
        Called when a search begins: the working space is set anew, so that nothing depends on what was looked at
        before. Default: nothing. The other functions may be called with any position in any order.

    ``state`` is the layout of the positions it is made for, ``KERNEL.state``; without, it knows nothing that not every
    game has.
    """

    fields: Sequence[tuple[Any, ...]] = ()
    pick: Known = ANY_MOVE
    weigh: Known = field(default_factory=lambda: all_alike)
    judge: Known = field(default_factory=lambda: scores_so_far)
    settle: Known = field(default_factory=lambda: nothing_to_settle)
    state: np.dtype[Any] | None = None
    layout: np.dtype[Any] = field(init=False)

    def __post_init__(self) -> None:
        check_fields("a mind", [one[0] for one in self.fields], "mind_")
        own: list[Any] = []
        for name in FUNCTIONS:
            function = getattr(self, name)
            if isinstance(function, Part):
                if function.name not in {one[0] for one in self.fields}:
                    raise BadKernel(f"{name} asks the part '{function.name}', which is no field of this mind")
                own.append(function.name)
                continue
            if isinstance(function, Bare):
                own.append("bare")
                function = function.function
            if not hasattr(function, "py_func") and not numba.config.DISABLE_JIT:
                raise BadKernel(f"{name} is not compiled: put @compiled before it")
            own.append(function)
        fields: list[tuple[str, np.dtype[Any]]] = [
            (name, np.dtype((kind, *shape) if shape else kind)) for name, kind, *shape in self.fields
        ]
        fields.append((f"mind_{fingerprint(own)}", np.dtype(np.int8)))
        layout = whole_words(fields)
        object.__setattr__(self, "layout", layout)
        if layout not in _by_dtype or (self.state is not None and _by_dtype[layout].state is None):  # it says more
            _by_record_type[numba.from_dtype(layout)] = self
            _by_dtype[layout] = self

    def blank(self) -> Records:
        """An array of one mind, zeroed: searches are given ``mind[0]`` in compiled code and the array from Python."""
        return np.zeros(1, dtype=self.layout)

    @property
    def plays(self) -> bool:
        """Whether it can choose moves: a search may follow it."""
        return self.pick != ANY_MOVE

    def filled(self, **values: Any) -> Records:
        """An array of one mind with these fields."""
        made = self.blank()
        for name, value in values.items():
            if name not in (self.layout.names or ()) or np.shape(value) != made[name][0].shape:
                known = {field[0]: made[field[0]][0].shape for field in self.fields}
                raise BadKernel(f"'{name}' of the shape {np.shape(value)} is no field of this mind; it has {known}")
            made[name][0] = value
        return made


FUNCTIONS = ("pick", "weigh", "judge", "settle")
_by_record_type: dict[Any, Mind] = {}  # numba's record type -> mind, asked while compiling
_by_dtype: dict[np.dtype[Any], Mind] = {}  # NumPy's dtype -> mind, asked in plain Python


def mind_of(record: Record) -> Mind:
    """The mind that a record (or an array of records) belongs to."""
    return _by_dtype[record.dtype]


def is_mind(record: Any) -> bool:
    """Whether this is a record of a mind, or an array of them."""
    return getattr(record, "dtype", None) in _by_dtype


def _generic(declaration: F) -> F:
    """Turn a declaration into a function that asks the mind of this record, compiled or not."""
    name = declaration.__name__

    @functools.wraps(declaration)
    def plain(mind: Record, *rest: Any) -> Any:
        function = getattr(mind_of(mind), name)
        if isinstance(function, Part):
            return plain(mind[function.name], *rest)
        return function.function(*rest) if isinstance(function, Bare) else function(mind, *rest)

    @overload(plain)  # type: ignore[untyped-decorator]  # numba ships no types
    def _at_compile_time(mind: Any, *rest: Any) -> Any:
        known = _by_record_type.get(mind)
        if known is None:
            return None
        function = getattr(known, name)
        if isinstance(function, Part):
            part = function.name

            def detour(mind: Any, *rest: Any) -> Any:
                return plain(mind[part], *rest)

            return detour
        if isinstance(function, Bare):
            bare = function.function

            def without(mind: Any, *rest: Any) -> Any:
                return bare(*rest)

            return without

        def call(mind: Any, *rest: Any) -> Any:
            return function(mind, *rest)

        return call

    setattr(plain, STANDS_FOR, f"{name} of the mind {fingerprint([_at_compile_time])}")
    return plain  # type: ignore[return-value]  # the declaration is the type people and mypy see


@_generic
def pick(mind: Record, state: Record, buffer: Actions, rng: Rng) -> int: ...  # type: ignore[empty-body]


@_generic
def weigh(mind: Record, state: Record, actions: Actions, n: int, out: NDArray[np.float64]) -> None: ...


@_generic
def judge(mind: Record, state: Record, seat: int, out: Vector) -> None: ...


@_generic
def settle(mind: Record, state: Record) -> None: ...


@compiled
def all_alike(mind: Record, state: Record, actions: Actions, n: int, out: NDArray[np.float64]) -> None:
    """The ``weigh`` of a mind without preferences."""
    out[:n] = 0.0


@compiled
def scores_so_far(mind: Record, state: Record, seat: int, out: Vector) -> None:
    """The ``judge`` of a mind that knows nothing of what is to come."""
    scores(state, out)


@compiled
def nothing_to_settle(mind: Record, state: Record) -> None:
    """The ``settle`` of a mind without working space."""


EMPTY = Mind()
