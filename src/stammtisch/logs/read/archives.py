"""Zips of a hundred thousand logs: a table of contents in few bytes per member, and one member at a time.

The standard library keeps most of a kilobyte for every member, in every process that reads one of them. Here the table
stays as it is on the disk, and who has found a member says where it lies. The format is that of PKWARE's APPNOTE.TXT.
"""

from __future__ import annotations

import struct
import zipfile
import zlib
from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import BinaryIO

import numpy as np

_END = struct.Struct("<4s4H2LH")
_END_64 = struct.Struct("<4sQ2H2L4Q")
_PLACE_OF_END_64 = struct.Struct("<4sLQL")
_ENTRY = struct.Struct("<4s6H3L5H2L")
_HEADER = struct.Struct("<4s5H3L2H")
_LONGEST_COMMENT = 0xFFFF
_TOO_LARGE = 0xFFFFFFFF  # for 32 bits: see the extra field
_ENCRYPTED, _UTF8 = 0x1, 0x800  # bits of an entry

Key = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a member lies in its archive, and how it is packed; sizes in bytes."""

    offset: int
    packed: int
    size: int
    checksum: int
    method: int
    encrypted: bool


def members(path: Path, wanted: Callable[[str], bool], order: Callable[[str], Key]) -> Iterator[tuple[str, Spot]]:
    """Names and spots of some members, by the folder and number that ``order`` says, then by name."""
    with path.open("rb") as file:
        contents, shift = _contents(file)
    entries, folders, numbers = array("q"), array("q"), array("q")
    ranks: dict[str, int] = {}
    for at in _entries(contents):
        name = _name(contents, at)
        if wanted(name):
            folder, number = order(name)
            entries.append(at)
            folders.append(ranks.setdefault(folder, len(ranks)))
            numbers.append(number)
    rank = np.empty(len(ranks), dtype=np.int64)
    rank[[ranks[folder] for folder in sorted(ranks)]] = np.arange(len(ranks))
    by_folder, by_number = rank[np.array(folders, dtype=np.int64)], np.array(numbers, dtype=np.int64)
    sorted_places = np.lexsort((by_number, by_folder))
    for _, same in groupby(sorted_places, key=lambda i: (by_folder[i], by_number[i])):
        for name, at in sorted((_name(contents, entries[i]), entries[i]) for i in same):
            yield name, _spot(contents, at, shift)


def read_member(path: str, name: str, spot: Spot) -> bytes:
    """The bytes of a member."""
    if spot.encrypted or spot.method not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return _archive(path, Path(path).stat().st_mtime_ns).read(name)
    with Path(path).open("rb") as file:
        file.seek(spot.offset)
        header = file.read(_HEADER.size)
        if len(header) < _HEADER.size or header[:4] != b"PK\3\4":
            raise zipfile.BadZipFile("the archive has changed or is damaged")
        *_, name_size, extra_size = _HEADER.unpack(header)
        file.seek(name_size + extra_size, 1)
        data = file.read(spot.packed)
    if spot.method == zipfile.ZIP_DEFLATED:
        data = zlib.decompressobj(-zlib.MAX_WBITS).decompress(data, spot.size + 1)
    if len(data) != spot.size or zlib.crc32(data) != spot.checksum:
        raise zipfile.BadZipFile("the archive has changed or is damaged")
    return data


@lru_cache(maxsize=1)
def _archive(path: str, changed: int) -> zipfile.ZipFile:
    """An archive that is packed in a rare way, for the standard library. ``changed`` tells versions."""
    return zipfile.ZipFile(path)


def _contents(file: BinaryIO) -> tuple[bytes, int]:
    """The table of contents, and how many bytes stand in the file before the archive."""
    size_of_file = file.seek(0, 2)
    before = max(0, size_of_file - _END.size - _LONGEST_COMMENT)
    file.seek(before)
    tail = file.read()
    at = tail.rfind(b"PK\5\6")
    if at < 0 or len(tail) - at < _END.size:
        raise zipfile.BadZipFile("File is not a zip file")
    *_, size, offset, _ = _END.unpack_from(tail, at)
    end = before + at
    file.seek(max(0, end - _PLACE_OF_END_64.size - _END_64.size))
    large = file.read(_PLACE_OF_END_64.size + _END_64.size)
    if large[:4] == b"PK\6\6" and large[_END_64.size :][:4] == b"PK\6\7":
        *_, size, offset = _END_64.unpack_from(large)
        end -= len(large)
    begin = end - size
    if begin < offset:
        raise zipfile.BadZipFile("Bad offset for central directory")
    file.seek(begin)
    return file.read(size), begin - offset


def _entries(contents: bytes) -> Iterator[int]:
    """Where each entry begins."""
    at = 0
    while at < len(contents):
        if len(contents) - at < _ENTRY.size or contents[at : at + 4] != b"PK\1\2":
            raise zipfile.BadZipFile("Bad magic number for central directory")
        yield at
        at += _ENTRY.size + sum(struct.unpack_from("<3H", contents, at + 28))  # name, extra fields, comment


def _name(contents: bytes, at: int) -> str:
    flags, size = struct.unpack_from("<H", contents, at + 8)[0], struct.unpack_from("<H", contents, at + 28)[0]
    name = contents[at + _ENTRY.size : at + _ENTRY.size + size]
    return name.decode("utf-8" if flags & _UTF8 else "cp437")


def _spot(contents: bytes, at: int, shift: int) -> Spot:
    entry = _ENTRY.unpack_from(contents, at)
    flags, method, checksum, packed, size, name_size, extra_size, offset = (*entry[3:5], *entry[7:12], entry[16])
    if _TOO_LARGE in (packed, size, offset):
        extra = at + _ENTRY.size + name_size
        size, packed, offset = _large(contents[extra : extra + extra_size], size, packed, offset)
    return Spot(offset + shift, packed, size, checksum, method, flags & _ENCRYPTED != 0)


def _large(extra: bytes, *sizes: int) -> Iterator[int]:
    """Sizes in their order, those that are too large for an entry from its extra field 1."""
    at = 0
    found: Iterator[int] = iter(())
    while at + 4 <= len(extra):
        kind, length = struct.unpack_from("<2H", extra, at)
        if kind == 1:
            found = (value for (value,) in struct.iter_unpack("<Q", extra[at + 4 : at + 4 + length // 8 * 8]))
        at += 4 + length
    for size in sizes:
        yield next(found, size) if size == _TOO_LARGE else size
