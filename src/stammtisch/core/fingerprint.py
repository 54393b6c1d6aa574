"""A fingerprint of compiled functions: everything that decides what their machine code does.

It is taken from the loaded functions, not from files: their bytecode, the constants they use (numbers, texts, tables,
layouts of records, named tuples), and the same of every function they call. An edited rule, a helper in another package
or a table read from a data file all change it; a comment, a moved line or another folder do not.

What is found by the record type of a state or a mind stops here: such types carry a fingerprint of their own functions,
and are part of every signature that they are compiled for.
"""

from __future__ import annotations

import enum
import hashlib
from collections.abc import Callable, Iterable, Mapping
from types import CodeType, ModuleType
from typing import Any

import numpy as np
from numba.core import types

_FOREIGN = ("numpy", "numba", "builtins", "math")  # part of the installation, known to numba's own cache
STANDS_FOR = "__stands_for__"  # an attribute of functions that are known by this text, and not looked into


def fingerprint(functions: Iterable[Any]) -> str:
    """Twelve hexadecimal digits that differ for functions that behave differently."""
    digest = hashlib.sha256()
    known: set[int] = set()
    for function in functions:
        _add(function, (), digest, known)
    return digest.hexdigest()[:12]


def _add(value: Any, names: tuple[str, ...], digest: Any, known: set[int]) -> None:
    """Take in one value that a function refers to; ``names`` are the attributes it may ask a module for."""
    function = getattr(value, "py_func", value)
    if isinstance(value, ModuleType):
        if value.__name__.split(".")[0] not in _FOREIGN:
            for name in names:
                if hasattr(value, name):
                    _add(getattr(value, name), names, digest, known)
    elif hasattr(function, "__code__"):
        _add_function(function, digest, known)
    elif isinstance(value, np.ndarray):
        digest.update(f"array {value.dtype} {value.shape}".encode() + value.tobytes())
    elif isinstance(value, type):
        _add_class(value, digest, known)
    elif isinstance(value, tuple | list):
        digest.update(f"{type(value).__qualname__} {len(value)}".encode())
        for item in value:
            _add(item, names, digest, known)
    elif isinstance(value, Mapping):
        digest.update(f"{type(value).__qualname__} {len(value)}".encode())
        for key, item in value.items():
            _add(key, names, digest, known)
            _add(item, names, digest, known)
    elif isinstance(value, frozenset | set):  # its order changes from process to process
        digest.update(f"set {sorted(map(repr, value))};".encode())
    elif isinstance(value, int | float | complex | str | bytes | bool | type(None) | np.generic | np.dtype):
        digest.update(f"{type(value).__name__} {value!r};".encode())
    elif isinstance(value, types.Type):
        digest.update(f"type {value};".encode())


def _add_class(kind: type, digest: Any, known: set[int]) -> None:
    """Named tuples are what their fields are; enumerations their members; of other classes the name decides."""
    digest.update(f"class {kind.__module__}.{kind.__qualname__} {getattr(kind, '_fields', '')};".encode())
    if issubclass(kind, enum.Enum):
        _add([(name, member.value) for name, member in kind.__members__.items()], (), digest, known)
    elif hasattr(kind, "_field_defaults"):
        _add(kind._field_defaults, (), digest, known)


def _add_function(function: Callable[..., Any], digest: Any, known: set[int]) -> None:
    if id(function) in known or (function.__module__ or "").split(".")[0] in _FOREIGN:
        return
    known.add(id(function))
    digest.update(function.__qualname__.encode())
    if hasattr(function, STANDS_FOR):
        digest.update(getattr(function, STANDS_FOR).encode())
        return
    names = tuple(_add_code(function.__code__, digest))
    for name in names:
        if name in function.__globals__:
            digest.update(name.encode())
            _add(function.__globals__[name], names, digest, known)
    for value in (*(function.__defaults__ or ()), *(cell.cell_contents for cell in function.__closure__ or ())):
        _add(value, names, digest, known)


def _add_code(code: CodeType, digest: Any) -> list[str]:
    """Take in bytecode and constants; the names it looks up, in a fixed order."""
    digest.update(code.co_code)
    names = list(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names += _add_code(constant, digest)
        elif isinstance(constant, frozenset):
            digest.update(f"frozenset {sorted(map(repr, constant))};".encode())
        else:
            digest.update(f"{type(constant).__name__} {constant!r};".encode())
    return names
