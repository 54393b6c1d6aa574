"""The one decorator for compiled code, and a compile cache that goes by content and never serves an old rule.

Numba keeps compiled functions on disk, but looks only at the file of the function itself: a search would go on with an
old rule after the rule's file was edited, and a moved line in the same file compiles everything anew. Here what was
compiled is kept under a fingerprint of the loaded functions (``core/fingerprint.py``): bytecode and constants, followed
through all calls. The rules of a game are part of the type of its states, and so is what a mind knows of its record
(``core/kernel.py``, ``core/mind.py``), so they are in every signature. Whatever has not changed in effect is found
again, also from another copy of the sources, and versions lie side by side.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import event
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile

from stammtisch.core.fingerprint import fingerprint
from stammtisch.core.places import cache_home

F = TypeVar("F", bound=Callable[..., Any])

OPTIONS = {"nogil": True, "error_model": "numpy"}
_KEEP_SECONDS = 30 * 24 * 3600  # compiled code that was not used for a month is deleted
_DAY = 24 * 3600


def compiled(function: F) -> F:
    """Compile ``function`` to machine code on its first call (``NUMBA_DISABLE_JIT=1``: leave it as it is)."""
    made = numba.njit(**OPTIONS)(function)
    if hasattr(made, "py_func") and cache_folder() is not None:
        made._cache = ByContent(function)
    return cast(F, made)


class ByContent(FunctionCache):  # type: ignore[misc]  # numba ships no types
    """Numba's cache of one function, kept under what the function does instead of where it stands.

    The fingerprint is taken when code is looked for or kept: only then are all callees there, and a constant that was
    exchanged meanwhile counts.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._name = repr(function)
        self._py_func = function
        self._impl = _Kept(function)
        self._cache_path = str(cache_folder())
        self.enable()

    @property
    def _cache_file(self) -> Any:
        stamp = fingerprint([self._py_func, *OPTIONS.items()])
        name = hashlib.sha256(f"{self._py_func.__module__}.{self._py_func.__qualname__}".encode()).hexdigest()[:12]
        label = self._py_func.__name__.strip("<>")
        python = f"py{sys.version_info[0]}{sys.version_info[1]}"
        file = IndexDataCacheFile(self._cache_path, f"{label}-{name}-{stamp}.{python}", stamp)
        _mark_as_used(Path(file._index_path))
        return file

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        return sig, codegen.magic_tuple()


class _Kept(CompileResultCacheImpl):  # type: ignore[misc]
    """How results are written and read; without a place in the sources."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._lineno = function.__code__.co_firstlineno
        self._locator = _Place(function)


class _Place:
    def __init__(self, function: Callable[..., Any]) -> None:
        self._py_file = function.__code__.co_filename  # for numba's warnings

    def ensure_cache_path(self) -> None:
        Path(str(cache_folder())).mkdir(parents=True, exist_ok=True)


def _mark_as_used(index: Path) -> None:
    """Once a day is enough to tell what is used from what is not."""
    with suppress(OSError):
        if time.time() - index.stat().st_mtime > _DAY:
            os.utime(index)
            for data in index.parent.glob(f"{index.name.removesuffix('.nbi')}.*.nbc"):
                os.utime(data)


@cache
def cache_folder() -> Path | None:
    """Where compiled code is kept; None where the disk cannot be written."""
    folder = cache_home() / "compiled" / "by-content"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"writable-{os.getpid()}").touch()
        (folder / f"writable-{os.getpid()}").unlink()
    except OSError:
        return None
    _forget_the_unused(folder)
    return folder


def _forget_the_unused(folder: Path) -> None:
    """Once a day."""
    swept = folder / "swept"
    with suppress(OSError):
        if swept.exists() and time.time() - swept.stat().st_mtime < _DAY:
            return
        swept.touch()
        for path in (*folder.iterdir(), *(other for other in folder.parent.iterdir() if other != folder)):
            if time.time() - path.stat().st_mtime > _KEEP_SECONDS:
                shutil.rmtree(path) if path.is_dir() else path.unlink()


class CompileNotice(event.Listener):  # type: ignore[misc]  # numba ships no types
    """Says once, when the first function is really compiled and not loaded, why the start takes a while."""

    LINE = "Compiling the rules for this machine: once per version, up to a minute ..."

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self.compilations = 0

    def on_start(self, event: Any) -> None:
        self.compilations += 1
        if self.compilations == 1:
            self._say(self.LINE)

    def on_end(self, event: Any) -> None:
        pass

    def install(self) -> None:
        event.register("numba:compile", self)


@cache
def announce_compiling() -> None:
    """Print the notice on standard error when this process has to compile."""
    CompileNotice(lambda line: print(line, file=sys.stderr, flush=True)).install()


class NotCompiled(Exception):
    """What was asked for would have to be compiled first."""


class _Refusal(event.Listener):  # type: ignore[misc]
    def on_start(self, event: Any) -> None:
        raise NotCompiled

    def on_end(self, event: Any) -> None:
        pass


@contextmanager
def only_loading() -> Iterator[None]:
    """Inside, code is loaded from the cache; where it would have to be compiled, NotCompiled is raised at once."""
    with event.install_listener("numba:compile", _Refusal()):
        yield
