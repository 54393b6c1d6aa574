"""Whatever cannot be written, whenever the server is killed: what anybody was told is there after a restart."""

from __future__ import annotations

import random
import shutil
import sqlite3
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from stammtisch.core.game import Json
from stammtisch.table import deal
from stammtisch.table.seating import Arrangement
from stammtisch.table.table import Table
from table.house import Browser, House, person
from table.test_state_machine import bomb_position, everything

NAMES = ("Anna", "Ben", "Cleo")
GAMES: list[tuple[str, Json]] = [
    ("tictactoe", {}),
    ("tictactoe", {}),
    ("madn", {"players": 2}),
    ("dog", {}),
    ("tichu", {}),
]
WAYS = ("full", "full", "late", "gone", "locked")


class Flaky:
    """A connection that fails when it is told to.

    ``full``: the statement fails and does nothing. ``late``: it has worked and fails all the same. ``locked``: the
    change cannot begin. ``gone``: from then on everything fails, also what takes the change back, until it is mended.
    """

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self.fail_at: tuple[int, str] | None = None
        self.gone = False

    @property
    def in_transaction(self) -> bool:
        return self._db.in_transaction

    def execute(self, sql: str, *rest: Any) -> sqlite3.Cursor:
        return self._do(self._db.execute, sql, *rest)

    def executemany(self, sql: str, *rest: Any) -> sqlite3.Cursor:
        return self._do(self._db.executemany, sql, *rest)

    def _do(self, call: Any, sql: str, *rest: Any) -> sqlite3.Cursor:
        if self.gone:
            raise sqlite3.OperationalError("disk I/O error")
        if self.fail_at is not None:
            left, how = self.fail_at
            self.fail_at = (left - 1, how)
            if left == 0 or (how == "locked" and sql.startswith("begin")):
                self.fail_at = None
                self.gone = how == "gone"
                if how == "late":
                    call(sql, *rest)
                raise sqlite3.OperationalError("database or disk is full")
        found: sqlite3.Cursor = call(sql, *rest)
        return found


class Evening:
    """One table, three people, a disk and a server that fail."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.random = folder, random.Random(seed)
        self.met: Counter[str] = Counter()
        self.servers = 0
        name, options = self.random.choice(GAMES)
        self.house = self.open()
        pace = self.random.choice([0, 0, None])
        if name == "tichu":
            room = self.house.put(Arrangement(name, {"rounds": 1}, pace, start=bomb_position()), *NAMES)
        else:
            room = self.house.create(NAMES[0], game=name, options=options, pace=pace)
        self.code = room.table.code
        self.pages = [self.house.browser(self.code, who) for who in NAMES]
        for seat, page in enumerate(self.pages[: len(room.table.places)]):
            page.ask("sit", seat=seat)
        self.pages[0].ask("start")

    def open(self) -> House:
        house = House(self.folder / str(self.servers), self.random.randrange(2**32))
        self.disk = Flaky(house.lobby.store._db)
        house.lobby.store._db = self.disk  # type: ignore[assignment]
        return house

    @property
    def table(self) -> Table:
        return self.house.room(self.code).table

    # --- what happens ---------------------------------------------------------------------------------------

    def step(self) -> None:
        kind = self.random.choices(
            ["move", "talk", "seat", "time", "fail", "mend", "drop", "kill"], [40, 8, 8, 12, 14, 10, 5, 3]
        )[0]
        self.met[kind] += 1
        getattr(self, kind)()
        self.check()

    def somebody(self) -> Browser | None:
        here = [page for page in self.pages if page.connected]
        return self.random.choice(here) if here else None

    def move(self) -> None:
        pages = [page for page in self.pages if page.connected and page.state and page.state["game"]]
        ready = [page for page in pages if page.game["moves"] or page.game["moves"] is None]
        if not ready:
            self.again()
            return
        page = self.random.choice(ready)
        moves = page.moves or self.table.seen(page.stream or "watch").moves()
        before = page.n
        replies = page.play(self.random.choice([*moves[:40], *page.game["calls"]]))
        if any(reply.get("why") == "not_kept" for reply in replies):
            self.met["not kept"] += 1
            assert page.n == before

    def again(self) -> None:
        page = self.somebody()
        if page is not None:
            page.ask("again")

    def talk(self) -> None:
        page = self.somebody()
        if page is not None:
            page.ask("chat", text=f"hello {self.random.randrange(1000)}")

    def seat(self) -> None:
        page = self.somebody()
        if page is not None:
            kind, fields = self.random.choice([("stand", {}), ("sit", {"seat": 1}), ("swap", {"seat": 0, "other": 1})])
            page.ask(kind, **fields)

    def time(self) -> None:
        self.house.loop.pass_time(self.random.choice([0.1, 1.0, 3.0, 25.0]))

    def fail(self) -> None:
        self.disk.fail_at = (self.random.randrange(9), self.random.choice(WAYS))

    def mend(self) -> None:
        self.disk.fail_at, self.disk.gone = None, False

    def drop(self) -> None:
        page = self.somebody()
        if page is not None:
            page.drop()
        for page in self.pages:
            if not page.connected and self.random.random() < 0.7:
                page.connect()
                self.house.loop.settle()

    def kill(self) -> None:
        """The file as it is at this moment is all that a new server has."""
        self.servers += 1
        shutil.copytree(self.folder / str(self.servers - 1), self.folder / str(self.servers))
        told = [(page, list(page.events), page.n) for page in self.pages]
        self.mend()
        self.house.close()
        self.house = self.open()
        self.look_back(told)
        for page in self.pages:
            page.house = self.house
            self.house.browsers.append(page)
            page.connect()
            self.house.loop.settle()

    # --- what holds -----------------------------------------------------------------------------------------

    def look_back(self, told: list[tuple[Browser, list[Json], int]]) -> None:
        """Whatever a page was told is there after the restart, at the same place."""
        table = self.table
        assert table.journal, "the table is lost"
        for page, events, n in told:
            if page.stream is None:
                continue
            stream = table.streams[page.stream]
            assert stream.n >= n, (page.name, n, stream.n)
            kept = stream.entries[: n - stream.dropped]
            assert kept == events[len(events) - len(kept) :], page.name
            self.met["compared"] += len(kept)

    def check(self) -> None:
        """What is shown is what is on disk, and pages have put together what a new page would be shown."""
        self.house.loop.settle()
        assert not self.house.loop.accidents, self.house.loop.accidents
        table = self.table
        if self.disk.gone or self.disk.in_transaction:
            return
        found = self.house.lobby.store.table(self.code)
        assert found is not None and found.whole
        assert everything(Table.from_row(self.code, found)) == everything(table)
        for page in self.pages:
            page.check_task()
            if page.connected and page.state is not None:
                fresh = self.house.fresh(self.house.room(self.code), page.name)
                assert (
                    page.n == fresh["n"] and page.events[len(page.events) - len(fresh["events"]) :] == fresh["events"]
                )
                assert page.state["game"] == fresh["game"]

    def end(self) -> None:
        self.mend()
        self.kill()
        for page in self.pages:
            assert page.connected
        self.check()
        self.house.close()


def play(folder: Path, seed: int) -> Counter[str]:
    chosen = random.Random(f"deals {seed}")
    with patch.object(deal, "new_seed", lambda: f"{chosen.getrandbits(256):064x}"):
        evening = Evening(folder, seed)
        for _ in range(evening.random.randrange(5, 25)):
            evening.step()
        evening.end()
    return evening.met


def play_many(folder: Path, seeds: range) -> Counter[str]:
    met: Counter[str] = Counter()
    for seed in seeds:
        place = folder / f"{seed}"
        try:
            met += play(place, seed)
        except BaseException:
            print(f"schedule {seed}")
            raise
        shutil.rmtree(place)
    print(dict(met))
    return met


def test_what_anybody_was_told_is_there_after_500_schedules(tmp_path: Path) -> None:
    met = play_many(tmp_path, range(500))
    assert met["not kept"] > 50 and met["kill"] > 100 and met["compared"] > 5000


@pytest.mark.slow
def test_what_anybody_was_told_is_there_after_10000_schedules(tmp_path: Path) -> None:
    met = play_many(tmp_path, range(500, 10_500))
    assert met["not kept"] > 1000 and met["kill"] > 2000 and met["compared"] > 100_000


# --- a disk that is really full -----------------------------------------------------------------------------


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 256 KiB, where one can be made: that needs the rights of root, and Linux."""
    place = tmp_path / "small"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(place)]
    try:
        made = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    except OSError:
        made = False
    if not made:
        pytest.skip("no file system of its own can be mounted here (that needs root)")
    try:
        yield place
    finally:
        subprocess.run(["umount", str(place)], check=False)


def test_a_full_disk_loses_nothing_that_was_told(small_disk: Path, tmp_path: Path) -> None:
    house = House(small_disk)
    code = house.create("Anna", game="tictactoe", pace=0).table.code
    page = house.browser(code, "Anna")
    page.ask("sit", seat=0)
    refused, most = 0, 3000
    while refused <= 5 and most:
        most -= 1
        replies = page.ask("chat", text="x" * 300)
        refused += any(reply.get("why") == "not_kept" for reply in replies)
        house.loop.pass_time(4)
    assert refused > 5, "the disk was never full"
    assert most < 2980, "it was full from the beginning"
    told = list(page.events)
    shutil.copytree(small_disk, tmp_path / "copy")
    house.close()
    again = House(tmp_path / "copy")
    entries = again.room(code).table.streams[page.stream or ""].entries
    assert entries[-100:] == told[-100:]
    assert page.name == "Anna" and person("Anna") in again.room(code).table.guests
    again.close()
