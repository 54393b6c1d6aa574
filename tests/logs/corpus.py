"""A small folder of logs: real games with other people at the table, so that no two files are the same."""

from __future__ import annotations

import os
import time
import zipfile
from pathlib import Path

REAL = sorted((Path(__file__).parent.parent / "games" / "tichu" / "fixtures").glob("*.tch"))


def copies(number: int) -> list[tuple[str, bytes]]:
    """Names ``YYYYMM/id.tch`` and contents; the players of every copy have their own names, a few return."""
    found = []
    for i in range(number):
        data = REAL[i % len(REAL)].read_bytes()
        turn = i // len(REAL)
        if turn:  # shift the cards' owners' names: the number goes behind the closing bracket of the seat
            for seat in range(4):
                data = data.replace(b"(%d)" % seat, b"(%d)x%d_" % (seat, turn))
        if i % 5 == 4:
            data = data[:-300]  # cut off within the last round
        found.append((f"{2007 + i % 4}{1 + i % 12:02}/{1000 + i}.tch", data))
    return found


def make_folder(folder: Path, number: int) -> Path:
    for name, data in copies(number):
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    return folder


def make_zips(folder: Path, number: int) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in copies(number):
        with zipfile.ZipFile(folder / f"{name[:4]}.zip", "a") as archive:
            archive.writestr(name, data)
    return folder


def who(number: int) -> tuple[int, int]:
    """The number and the process that was asked; other processes find it here."""
    return number, os.getpid()


def roll(number: int) -> int:
    """The process that was asked, after some work that is compiled."""
    from stammtisch.core.rng import below, stream

    below(stream(number), 6)
    time.sleep(0.05)  # so that all processes get a share
    return os.getpid()
