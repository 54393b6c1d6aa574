"""The one decorator for compiled code, and a compile cache that never serves an old rule.

Numba keeps compiled functions on disk, but it looks only at the file of the cached function itself:
a search would go on with an old rule after the rule's file was edited. Two things prevent it. The
cache folder of the rules is named by a hash over the files of ``core``, ``games`` and ``search`` and the
packages of plug-in games: one changed line, a new folder. Other files that use :func:`compiled` call
the rules and are never called by them; they share a second folder, named by a hash over all of these.
And the type of a game's states carries a fingerprint of its loaded rules (``core/kernel.py``), so what
was compiled for one version of the rules has no signature in common with another.

Functions of other files (a game in a notebook or a test), or of a file that was edited since the hash
was taken, are compiled anew in each process.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import event

from stammtisch.core.places import cache_home

F = TypeVar("F", bound=Callable[..., Any])

PACKAGE = Path(__file__).resolve().parent.parent
_RULE_FOLDERS = ("core", "games", "search")
_LARGEST = 1_000_000  # bytes; larger files are data, not rules
_KEEP_SECONDS = 30 * 24 * 3600  # unused caches of older sources are deleted after a month


def compiled(function: F) -> F:
    """Compile ``function`` to machine code on its first call (``NUMBA_DISABLE_JIT=1``: leave it as it is)."""
    path = Path(function.__code__.co_filename).resolve()
    folder = cache_folder(path in rule_sources())
    previous = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder or "")  # read while decorating; other users of numba keep theirs
    on_disk = folder is not None and _is_hashed(path)
    try:
        return cast(F, numba.njit(cache=on_disk, nogil=True, error_model="numpy")(function))
    finally:
        numba.config.CACHE_DIR = previous


@cache
def rule_sources() -> dict[Path, str]:
    """Every file whose change must make compiled rules invalid, with a hash of its content."""
    files = {path for folder in _RULE_FOLDERS for path in _files(PACKAGE / folder)}
    return {path: _hash(path) for path in sorted(files | set(_plugin_files()))}


@cache
def other_sources() -> dict[Path, str]:
    """All other files with compiled functions."""
    files = (path for path in sorted(PACKAGE.rglob("*.py")) if "@compiled" in path.read_text(encoding="utf-8"))
    return {path: _hash(path) for path in files if path not in rule_sources()}


def _files(folder: Path) -> Iterator[Path]:
    """Sources and small data files: a table of the rules may be read from one."""
    for path in folder.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts and path.stat().st_size <= _LARGEST:
            yield path.resolve()


def _plugin_files() -> Iterator[Path]:
    for group in ("stammtisch.games", "stammtisch.agents"):
        for top in {point.module.split(".")[0] for point in entry_points(group=group)} - {"stammtisch"}:
            try:
                spec = find_spec(top)
            except (ImportError, ValueError):
                continue
            if spec and spec.submodule_search_locations:
                for folder in spec.submodule_search_locations:
                    yield from _files(Path(folder))
            elif spec and spec.origin:
                yield Path(spec.origin).resolve()


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _is_hashed(path: Path) -> bool:
    """Whether this file is one of the sources and still what it was when they were hashed."""
    known = rule_sources().get(path) or other_sources().get(path)
    return known is not None and _hash(path) == known


@cache
def cache_folder(of_rules: bool) -> Path | None:
    """Where compiled code of exactly these sources is kept; None where the disk cannot be written."""
    sources = rule_sources() if of_rules else {**rule_sources(), **other_sources()}
    everything = "".join(f"{path}\0{content}\0" for path, content in sources.items())
    root = cache_home() / "compiled"
    folder = root / hashlib.sha256(everything.encode()).hexdigest()[:20]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
    except OSError:
        return None
    _forget_old_caches(root)
    return folder


def _forget_old_caches(root: Path) -> None:
    for folder in root.iterdir():
        if time.time() - folder.stat().st_mtime > _KEEP_SECONDS:
            shutil.rmtree(folder, ignore_errors=True)


class CompileNotice(event.Listener):  # type: ignore[misc]  # numba ships no types
    """Says once, when the first function is really compiled and not loaded, why the start takes a while."""

    LINE = "Compiling the rules for this machine: once per version, some seconds ..."

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
