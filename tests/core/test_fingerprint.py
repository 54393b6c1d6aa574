"""The fingerprint changes with everything that decides what a compiled function does."""

import enum
import types
from collections.abc import Callable
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest

from stammtisch.core.compiling import compiled
from stammtisch.core.fingerprint import fingerprint
from stammtisch.games.tictactoe.kernel import KERNEL

SOURCE = """
def helper(x):
    return x {operator} LIMIT

def rule(x):
    return helper(x) + TABLE[0] + module.other(x)
"""


def rules(operator: str = ">", limit: Any = 3, table: Any = (1, 2), other: Callable[[int], int] = abs) -> Any:
    module = types.ModuleType("somewhere_else")
    module.other = other  # type: ignore[attr-defined]
    names = {"LIMIT": limit, "TABLE": np.array(table), "module": module, "__name__": "rules"}
    exec(SOURCE.format(operator=operator), names)
    return names["rule"]


def double(x: int) -> int:
    return 2 * x


def triple(x: int) -> int:
    return 3 * x


def test_the_same_rules_have_the_same_fingerprint() -> None:
    assert fingerprint([rules()]) == fingerprint([rules()])
    assert fingerprint([rules()]) == fingerprint([compiled(rules())])


def test_every_change_counts() -> None:
    variants = [
        rules(),
        rules(operator=">="),  # in a function that is called
        rules(limit=4),  # a constant
        rules(limit=3.0),  # of another type
        rules(table=(1, 3)),  # a table, wherever it was read from
        rules(other=double),  # a function of another module
        rules(other=triple),
    ]
    assert len({fingerprint([variant]) for variant in variants}) == len(variants)


def test_closures_count() -> None:
    def made_with(n: int) -> Callable[[int], int]:
        return lambda x: x + n

    assert fingerprint([made_with(1)]) != fingerprint([made_with(2)])


class Pair(NamedTuple):
    left: int
    right: int = 0


class Other(NamedTuple):
    left: int
    right: int = 1


class Colour(enum.IntEnum):
    RED = 0
    BLUE = 1


def made_of(limit: Any) -> Any:
    """A rule whose global ``LIMIT`` is this."""
    return rules(limit=limit)


LAYOUT = np.dtype([("board", np.int64), ("player", np.int8)])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (LAYOUT, np.dtype([("board", np.int64), ("player", np.int16)])),
        (LAYOUT, np.dtype([("board", np.int64), ("seat", np.int8)])),
        (np.int32, np.int64),
        (numba.int32, numba.int64),
        ({"a": 1}, {"a": 2}),
        ({"a": LAYOUT}, {"a": np.dtype(np.int8)}),
        (Pair, Other),
        (Pair(1, 2), Other(1, 2)),
        (Pair(1, 2), (1, 2)),
        (Colour, enum.IntEnum("Colour", {"RED": 0, "BLUE": 2})),
        (Colour.RED, Colour.BLUE),
        ({1, 2}, {1, 3}),
    ],
    ids=lambda value: str(value)[:20],
)
def test_layouts_named_tuples_and_tables_by_name_count(one: Any, other: Any) -> None:
    assert fingerprint([made_of(one)]) == fingerprint([made_of(one)])
    assert fingerprint([made_of(one)]) != fingerprint([made_of(other)])


def test_recursion_ends() -> None:
    def down(n: int) -> int:
        return 0 if n == 0 else down(n - 1)

    assert len(fingerprint([down])) == 12


def test_states_carry_the_fingerprint_of_their_rules() -> None:
    assert sum(name.startswith("rules_") for name in KERNEL.state.names or ()) == 1
