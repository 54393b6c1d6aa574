"""A fingerprint of compiled functions: everything that decides what their machine code does.

It is taken from the loaded functions, not from files: their bytecode, the constants they use (numbers,
texts, tables), and the same of every function they call. An edited rule, a helper in another package or
a table read from a data file all change it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from types import CodeType, ModuleType
from typing import Any

import numpy as np

_FOREIGN = ("numpy", "numba", "builtins", "math")  # part of the installation, known to numba's own cache


def fingerprint(functions: Iterable[Callable[..., Any]]) -> str:
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
    elif isinstance(value, tuple | list):
        digest.update(f"{type(value).__name__} {len(value)}".encode())
        for item in value:
            _add(item, names, digest, known)
    elif isinstance(value, int | float | complex | str | bytes | bool | type(None) | np.generic):
        digest.update(f"{type(value).__name__} {value!r};".encode())


def _add_function(function: Any, digest: Any, known: set[int]) -> None:
    if id(function) in known or (function.__module__ or "").split(".")[0] in _FOREIGN:
        return
    known.add(id(function))
    digest.update(function.__qualname__.encode())
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
        elif isinstance(constant, frozenset):  # its order changes from process to process
            digest.update(f"frozenset {sorted(map(repr, constant))};".encode())
        else:
            digest.update(f"{type(constant).__name__} {constant!r};".encode())
    return names
