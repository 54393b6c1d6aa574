"""Settings of learners: fields of a dataclass, each with its usual value, a sentence and what it may be.

They are written once, where the learner's code reads them. The command line, the check of a recipe and the
documentation ask the fields; what is wrong with a value is said in the same words as for options of games and agents.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from stammtisch.core.errors import BadOption, suggestion
from stammtisch.core.info import Option, Value

T = TypeVar("T")
MANY = 10**9


@dataclass(frozen=True)
class Rows(Option):
    """An option whose values are lists of rows, such as the stages of a run; every column is an option."""

    columns: tuple[Option, ...] = ()

    def check(self, value: Any) -> Any:
        if not isinstance(value, list | tuple) or not value:
            raise BadOption(f"option {self.name}={value}: {self.expected}")
        return tuple(self._row(row) for row in value)

    def _row(self, row: Any) -> tuple[Value, ...]:
        if not isinstance(row, list | tuple) or len(row) != len(self.columns):
            raise BadOption(f"option {self.name}: {self.expected}")
        return tuple(column.check(value) for column, value in zip(self.columns, row, strict=True))

    @property
    def _values(self) -> str:
        columns = " and ".join(f"{column.name} ({column.expected})" for column in self.columns)
        return f"a list of one or more rows, each a list of {columns}"


def setting(
    usual: T,
    help: str,  # as an Option calls it
    low: float | None = None,
    high: float | None = None,
    choices: tuple[Value, ...] = (),
    columns: tuple[Option, ...] = (),
) -> T:
    """A field of a dataclass of settings.

    >>> @dataclass
    ... class Config:
    ...     rate: float = setting(1e-3, "of Adam at the start", 1e-9, 1.0)
    >>> settings_of(Config)["rate"].expected
    'a number from 1e-09 to 1.0'
    """
    about = {"help": help, "low": low, "high": high, "choices": choices, "columns": columns}
    return dataclasses.field(default=usual, metadata=about)


def settings_of(config_class: Any) -> dict[str, Option]:
    """The settings of a dataclass by name."""
    return {field.name: _option(field) for field in dataclasses.fields(config_class)}


def _option(field: dataclasses.Field[Any]) -> Option:
    usual: Any = field.default
    if field.metadata["columns"]:
        return Rows(field.name, usual, **field.metadata)
    return Option(field.name, usual, **{key: value for key, value in field.metadata.items() if key != "columns"})


def check_settings(given: Mapping[str, Any], known: Mapping[str, Option], where: str, whose: str) -> dict[str, Any]:
    """The given settings, if all of them exist and may be so; else one sentence, which begins with ``where``."""
    found = {}
    for name, value in given.items():
        if name not in known:
            raise BadOption(f"{where}: '{name}' is no setting of {whose}; {suggestion(name, known)}")
        try:
            found[name] = known[name].check(value)
        except BadOption:
            raise BadOption(f"{where}: {name} = {value!r}, but it is {known[name].expected}") from None
    return found
