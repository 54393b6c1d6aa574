"""What must survive: tables with their journals, and finished games. One SQLite file.

A move is in the file before anybody hears of it: the process may be killed at any moment. Changes are written one
after the other by a thread, so that a slow disk or a foreign lock stops nobody who does not wait for his change.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from stammtisch.core.errors import StammtischError
from stammtisch.core.game import Json

PATIENCE_MS = 3000  # how long a change waits for a foreign program that has locked the file

# What a file's layout number means: the statements that make each layout from the one before. A file without a
# number has the first one, or is new.
_LAYOUTS = (
    (
        "create table if not exists tables ("
        "code text primary key, row text not null, touched text not null default (datetime('now')))",
        "create table if not exists journal ("
        "code text not null, number integer not null, entry text not null, primary key (code, number)) without rowid",
        "create table if not exists guests ("
        "person text not null, code text not null, primary key (person, code)) without rowid",
        "create table if not exists games ("
        "id text primary key, game text not null, record text not null, analysis text,"
        " finished text not null default (datetime('now')))",
        "create table if not exists players ("
        "person text not null, id text not null, seat integer, primary key (person, id)) without rowid",
    ),
    (  # when somebody has heard something last is everybody's own
        "alter table guests add column touched text not null default ''",
        "update guests set touched = coalesce((select touched from tables where tables.code = guests.code), '')",
        "create table new_tables (code text primary key, row text not null)",
        "insert into new_tables select code, row from tables",
        "drop table tables",
        "alter table new_tables rename to tables",
    ),
)


class Unreadable(StammtischError):
    """Something that was kept is damaged."""


@dataclass(frozen=True)
class Finished:
    """A game that is over, and who played it on which seat."""

    id: str
    game: str
    record: Json
    players: list[tuple[str, int]]


@dataclass(frozen=True)
class Change:
    """What happened at a table; it is kept all or not at all."""

    code: str
    row: Json
    first: int  # the number of the first of the entries; whatever else stands there or behind it is replaced
    entries: list[Json]
    guests: Mapping[str, bool]  # everybody at the table, and whether the change is heard by them
    game: Finished | None = None


@dataclass(frozen=True)
class Kept:
    """A table as it is in the file: its journal as far as it can be read, and whether that is all."""

    row: Json
    journal: list[Json]
    whole: bool


class Store:
    def __init__(self, place: Path, writer: Executor | None = None) -> None:
        self._writer = writer or ThreadPoolExecutor(1, "store")
        opened: list[sqlite3.Connection] = []

        def connect(path: Path) -> sqlite3.Connection:
            opened.append(sqlite3.connect(path, isolation_level=None, check_same_thread=False))
            opened[-1].execute(f"pragma busy_timeout = {PATIENCE_MS}")
            return opened[-1]

        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            _lock(connect(place.with_name(f"{place.name}-server")), place)
            self._db = connect(place)
            _check(self._db, place)
            self._db.execute("pragma journal_mode = wal")
            self._db.execute("pragma synchronous = normal")
            _bring_up_to_date(self._db, place)
            self._reader = connect(place)
        except (OSError, sqlite3.Error, StammtischError) as error:
            for connection in opened:
                connection.close()
            if isinstance(error, StammtischError):
                raise
            raise StammtischError(f"{place}: the tables cannot be kept there ({error})") from None
        self._opened = opened

    def close(self) -> None:
        self._writer.shutdown()
        for connection in reversed(self._opened):
            connection.close()

    # --- changes ------------------------------------------------------------------------------------------------

    async def _write(self, work: Callable[[sqlite3.Connection], None]) -> None:
        """In the order of the calls; sqlite3.Error where nothing was kept."""
        await asyncio.get_running_loop().run_in_executor(self._writer, self._together, work)

    def _together(self, work: Callable[[sqlite3.Connection], None]) -> None:
        if self._db.in_transaction:  # of a change that could neither be kept nor taken back then
            self._db.execute("rollback")
        self._db.execute("begin immediate")
        try:
            work(self._db)
            self._db.execute("commit")
        finally:
            if self._db.in_transaction:
                self._db.execute("rollback")

    async def keep(self, change: Change) -> None:
        """Write what happened at a table; sqlite3.Error when it is not kept."""
        row, entries = json.dumps(change.row), [json.dumps(entry) for entry in change.entries]

        def work(db: sqlite3.Connection) -> None:
            code = change.code
            if change.game is not None:
                _keep_game(db, change.game)
            db.execute(
                "insert into tables (code, row) values (?, ?) on conflict (code) do update set row = excluded.row",
                (code, row),
            )
            db.execute("delete from journal where code = ? and number >= ?", (code, change.first))
            numbered = [(code, number, entry) for number, entry in enumerate(entries, start=change.first)]
            db.executemany("insert into journal values (?, ?, ?)", numbered)
            for person, heard in change.guests.items():
                db.execute(
                    "insert into guests (person, code, touched) values (?, ?, datetime('now'))"
                    " on conflict (person, code) do "
                    + ("update set touched = excluded.touched" if heard else "nothing"),
                    (person, code),
                )

        try:
            await self._write(work)
        except sqlite3.Error:
            if not self._holds(change.code, row, change.first + len(entries)):
                raise

    def _holds(self, code: str, row: str, length: int) -> bool:
        """Whether a change that seemed to fail is there all the same; in doubt it is not, and will be replaced."""
        try:
            found = self._reader.execute("select row from tables where code = ?", (code,)).fetchone()
            counted = self._reader.execute("select count(*) from journal where code = ?", (code,)).fetchone()
        except sqlite3.Error:
            return False
        return found == (row,) and counted == (length,)

    async def drop_tables(self, codes: Iterable[str]) -> None:
        doomed = [(code,) for code in codes]

        def work(db: sqlite3.Connection) -> None:
            for name in ("tables", "journal", "guests"):
                db.executemany(f"delete from {name} where code = ?", doomed)

        await self._write(work)

    async def keep_analysis(self, id: str, analysis: Json) -> None:
        text = json.dumps(analysis)

        def work(db: sqlite3.Connection) -> None:
            db.execute("update games set analysis = ? where id = ?", (text, id))

        await self._write(work)

    # --- what is kept -------------------------------------------------------------------------------------------

    @contextmanager
    def _reading(self, what: str) -> Iterator[sqlite3.Connection]:
        try:
            yield self._reader
        except (sqlite3.Error, ValueError, KeyError, TypeError) as error:
            raise Unreadable(f"{what} cannot be read ({error})") from None

    def table(self, code: str) -> Kept | None:
        """A table's row, and its journal up to the first entry that is missing or damaged."""
        with self._reading(f"table {code}") as db:
            found = db.execute("select row from tables where code = ?", (code,)).fetchone()
            if found is None:
                return None
            row = dict(json.loads(found[0]))
            journal = list(_whole_entries(db, code))
            return Kept(row, journal, len(journal) >= row.get("length", len(journal)) and not _more(db, code, journal))

    def has_table(self, code: str) -> bool:
        with self._reading(f"table {code}") as db:
            return db.execute("select 1 from tables where code = ?", (code,)).fetchone() is not None

    def game_of(self, code: str) -> str | None:
        """The game that is played at a table."""
        with self._reading(f"table {code}") as db:
            found = db.execute("select row from tables where code = ?", (code,)).fetchone()
            return None if found is None else str(json.loads(found[0])["arrangement"]["game"])

    def tables_of(self, person: str, most: int) -> list[tuple[str, Json, str]]:
        """The tables where somebody has been, the latest first: the code, the row, when this person heard something."""
        with self._reading("the tables") as db:
            rows = db.execute(
                "select code, row, guests.touched from tables join guests using (code) where person = ?"
                " order by guests.touched desc, code limit ?",
                (person, most),
            ).fetchall()
        return [(code, row, touched) for code, text, touched in rows if (row := _object(text)) is not None]

    def game(self, id: str) -> Json | None:
        with self._reading(f"game {id}") as db:
            found = db.execute("select record from games where id = ?", (id,)).fetchone()
            return None if found is None else dict(json.loads(found[0]))

    def games_of(self, person: str, most: int) -> list[Json]:
        """The finished games of somebody, the latest first."""
        with self._reading("the games") as db:
            rows = db.execute(
                "select id, game, finished, seat, record from games join players using (id) where person = ?"
                " order by finished desc, id limit ?",
                (person, most),
            ).fetchall()
        return [
            {"id": id, "game": game, "finished": finished, "seat": seat}
            | {key: record.get(key) for key in ("players", "result")}
            for id, game, finished, seat, text in rows
            if (record := _object(text)) is not None
        ]

    def analysis(self, id: str) -> Json | None:
        with self._reading(f"game {id}") as db:
            found = db.execute("select analysis from games where id = ?", (id,)).fetchone()
            return None if found is None or found[0] is None else dict(json.loads(found[0]))


def _lock(db: sqlite3.Connection, place: Path) -> None:
    """Held until the process ends, in whatever way: two servers would write over each other's tables."""
    db.execute("pragma busy_timeout = 0")
    try:
        db.execute("begin exclusive")
    except sqlite3.OperationalError as error:
        if "locked" not in str(error):
            raise
        raise StammtischError(
            f"{place}: another Stammtisch is using this file; close it, or give this one a folder of its own"
            " (STAMMTISCH_DATA)"
        ) from None


def _check(db: sqlite3.Connection, place: Path) -> None:
    """Refuse a damaged file as a whole, before somebody plays on it."""
    try:
        found = db.execute("pragma quick_check(1)").fetchone()[0]
    except sqlite3.OperationalError:  # not the file's fault
        raise
    except sqlite3.DatabaseError as error:
        found = str(error)
    if found != "ok":
        raise StammtischError(
            f"{place}: the tables cannot be kept there, the file is damaged ({' '.join(found.split())}). Move it away,"
            f" then a new one is made; 'sqlite3 {place.name} .recover' may save what can be read of it"
        )


def _bring_up_to_date(db: sqlite3.Connection, place: Path) -> None:
    layout: int = db.execute("pragma user_version").fetchone()[0]
    if layout > len(_LAYOUTS):
        raise StammtischError(f"{place}: a newer Stammtisch has written this file (layout {layout}); use that one")
    if layout == len(_LAYOUTS):
        return
    db.execute("begin immediate")
    try:
        for statements in _LAYOUTS[layout:]:
            for statement in statements:
                db.execute(statement)
        db.execute(f"pragma user_version = {len(_LAYOUTS)}")
        db.execute("commit")
    finally:
        if db.in_transaction:
            db.execute("rollback")


def _keep_game(db: sqlite3.Connection, game: Finished) -> None:
    db.execute(
        "insert or ignore into games (id, game, record) values (?, ?, ?)", (game.id, game.game, json.dumps(game.record))
    )
    players = [(person, game.id, seat) for person, seat in game.players]
    db.executemany("insert or ignore into players values (?, ?, ?)", players)


def _whole_entries(db: sqlite3.Connection, code: str) -> Iterator[Json]:
    with closing(db.execute("select number, entry from journal where code = ? order by number", (code,))) as rows:
        for expected, (number, text) in enumerate(rows):
            entry = _object(text) if number == expected else None
            if entry is None or not isinstance(entry.get("kind"), str):
                return
            yield entry


def _more(db: sqlite3.Connection, code: str, journal: list[Json]) -> bool:
    """Whether there are entries behind those that could be read."""
    counted: int = db.execute("select count(*) from journal where code = ?", (code,)).fetchone()[0]
    return counted > len(journal)


def _object(text: str) -> Json | None:
    try:
        found = json.loads(text)
    except (ValueError, TypeError):
        return None
    return found if isinstance(found, dict) else None
