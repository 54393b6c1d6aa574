"""Where logs lie: single files, folders of them, yearly zips ``2007.zip`` with members ``200701/123.tch``.

Finding is separate from loading, so that one process finds and many load. What cannot be read becomes a source with a
``problem`` and no bytes; everything else goes on.
"""

from __future__ import annotations

import os
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from stammtisch.core.errors import StammtischError
from stammtisch.logs.findings import ARCHIVE_UNREADABLE, FILE_UNREADABLE
from stammtisch.logs.read.archives import Spot, members, read_member
from stammtisch.logs.rounds import Source

SUFFIX = ".tch"
LARGEST = 16 << 20  # bytes; a game has about 25,000
BATCH_BYTES = 4 << 20
_NAMED = 1 << 40  # numbers of games whose files have names
_MONTH = re.compile(r"(19|20)\d\d(0[1-9]|1[0-2])")
_YEAR = re.compile(r"(19|20)\d\d")
_BROKEN = (OSError, zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError, ValueError)


@dataclass(frozen=True, slots=True)
class Place:
    """A log that was found: a file, or a member of an archive. ``size`` in bytes, unpacked."""

    path: str
    member: str = ""
    size: int = 0
    problem: str = ""
    code: int = 0
    spot: Spot | None = None  # of a member

    @property
    def name(self) -> str:
        """Where it is, for people."""
        return f"{self.path}:{self.member}" if self.member else self.path


def find(path: Path) -> Iterator[Place]:
    """All logs at a path, in the order of their numbers within each folder."""
    if path.is_dir():
        yield from _in_folder(path)
    elif path.exists():
        yield from _in_archive(path) if path.suffix.lower() == ".zip" or _is_zip(path) else [_file(path)]
    else:
        raise StammtischError(f"{path}: there is no such file or folder; name a .tch file, a folder of them or a zip")


def number_of_logs(paths: Sequence[Path]) -> int:
    """How many files there are to look at, for the time left."""
    return sum(1 for path in paths for _ in find(path))


def check_paths(paths: Sequence[Path]) -> None:
    """Refuse a path that is not there before anything is done."""
    for path in paths:
        if not path.exists():
            raise StammtischError(
                f"{path}: there is no such file or folder; name a .tch file, a folder of them or a zip"
            )


def batches(places: Iterable[Place], most_bytes: int = BATCH_BYTES) -> Iterator[list[Place]]:
    """Places in portions of about ``most_bytes``, which bounds the memory of whatever reads them."""
    batch: list[Place] = []
    size = 0
    for place in places:
        if batch and (size + place.size > most_bytes or len(batch) >= 4096):
            yield batch
            batch, size = [], 0
        batch.append(place)
        size += place.size
    if batch:
        yield batch


def load(places: Sequence[Place]) -> list[Source]:
    """Read the bytes of some places."""
    return [_load(place) for place in places]


def read(path: Path) -> Iterator[Source]:
    """All logs at a path, one after the other."""
    for place in find(path):
        yield _load(place)


def _in_folder(folder: Path) -> Iterator[Place]:
    refused: list[OSError] = []
    for root, folders, files in os.walk(folder, onerror=refused.append):
        folders.sort()
        for error in refused:
            yield _problem(str(error.filename), "", f"cannot be opened ({error.strerror})")
        refused.clear()
        for name in sorted(files, key=_order):
            path = Path(root, name)
            if name.lower().endswith(SUFFIX):
                yield _file(path)
            elif name.lower().endswith(".zip"):
                yield from _in_archive(path)
    for error in refused:
        yield _problem(str(error.filename), "", f"cannot be opened ({error.strerror})")


def _in_archive(path: Path) -> Iterator[Place]:
    name = str(path)
    try:
        for member, spot in members(path, lambda member: member.lower().endswith(SUFFIX), _folder_and_number):
            yield Place(name, member, spot.size, spot=spot)
    except _BROKEN as error:
        yield Place(name, problem=f"is no zip that can be read ({_reason(error)})", code=ARCHIVE_UNREADABLE)


def _file(path: Path) -> Place:
    try:
        return Place(str(path), size=path.stat().st_size)
    except OSError as error:
        return _problem(str(path), "", f"cannot be read ({_reason(error)})")


def _order(name: str) -> tuple[str, int, str]:
    """By folder, then by number."""
    return *_folder_and_number(name), name


def _folder_and_number(name: str) -> tuple[str, int]:
    folder, _, file = name.rpartition("/")
    stem = PurePosixPath(file).stem
    return folder, int(stem) if stem.isascii() and stem.isdigit() and len(stem) < 18 else 1 << 62


def _load(place: Place) -> Source:
    game, year, month = number_of(place.member or place.path), *month_of(place)
    if place.problem:
        return Source(place.name, b"", game, year, month, place.problem, place.code)
    try:
        if place.size > LARGEST:
            raise ValueError(f"{place.size:,} bytes are no log of a game")
        if place.spot is not None:
            data = read_member(place.path, place.member, place.spot)
        else:
            data = Path(place.path).read_bytes()
    except (*_BROKEN, KeyError) as error:
        problem = f"cannot be read ({_reason(error)})"
        return Source(place.name, b"", game, year, month, problem, FILE_UNREADABLE)
    return Source(place.name, data, game, year, month)


def number_of(name: str) -> int:
    """The game's number from the name of its file; names that are no number get one that is always the same."""
    stem = PurePosixPath(name.replace("\\", "/")).stem
    if stem.isascii() and stem.isdigit() and len(stem) <= 12:
        return int(stem)
    return _NAMED + zlib.crc32(stem.encode("utf-8", "surrogateescape"))


def month_of(place: Place) -> tuple[int, int]:
    """Year and month from the nearest folder ``YYYYMM``, else the year from a folder or zip ``YYYY``; 0 for unknown."""
    inside = PurePosixPath(place.member).parts[:-1] if place.member else ()
    outside = Path(place.path).absolute().parts
    if not place.member:
        outside = outside[:-1]
    folders = [*outside, *inside][::-1]
    for folder in folders:
        if _MONTH.fullmatch(folder):
            return int(folder[:4]), int(folder[4:])
    for folder in folders:
        if _YEAR.fullmatch(folder.removesuffix(".zip")):
            return int(folder[:4]), 0
    return 0, 0


def _is_zip(path: Path) -> bool:
    try:
        return path.suffix.lower() != SUFFIX and zipfile.is_zipfile(path)
    except OSError:
        return False


def _problem(path: str, member: str, problem: str) -> Place:
    return Place(path, member, problem=problem, code=FILE_UNREADABLE)


def _reason(error: BaseException) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
