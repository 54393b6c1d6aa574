"""What must survive: tables with their journals, and finished games. One SQLite file.

A move is in the file before anybody hears of it: the process may be killed at any moment.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from pathlib import Path

from stammtisch.core.errors import StammtischError
from stammtisch.core.game import Json

_SCHEMA = """
create table if not exists tables (
  code text primary key, row text not null, touched text not null default (datetime('now'))
);
create table if not exists journal (
  code text not null, number integer not null, entry text not null, primary key (code, number)
) without rowid;
create table if not exists guests (
  person text not null, code text not null, primary key (person, code)
) without rowid;
create table if not exists games (
  id text primary key, game text not null, record text not null, analysis text,
  finished text not null default (datetime('now'))
);
create table if not exists players (
  person text not null, id text not null, seat integer, primary key (person, id)
) without rowid;
"""


class Store:
    def __init__(self, place: Path | str) -> None:
        try:
            if isinstance(place, Path):
                place.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(place, isolation_level=None, check_same_thread=False)
            self._db.execute("pragma journal_mode = wal")
            self._db.execute("pragma synchronous = normal")
            self._db.execute("pragma busy_timeout = 5000")
            self._db.executescript(_SCHEMA)
        except (OSError, sqlite3.Error) as error:
            raise StammtischError(f"{place}: the tables cannot be kept there ({error})") from None

    def close(self) -> None:
        self._db.close()

    def keep_table(self, code: str, row: Json, first: int, entries: Iterable[Json], people: Iterable[str]) -> None:
        """Write a table and the new entries of its journal, numbered from ``first``; all or nothing."""
        with self.together():
            self._db.execute(
                "insert into tables (code, row) values (?, ?) on conflict (code) do update"
                " set row = excluded.row, touched = datetime('now')",
                (code, json.dumps(row)),
            )
            self._db.executemany(
                "insert into journal values (?, ?, ?)",
                [(code, first + at, json.dumps(entry)) for at, entry in enumerate(entries)],
            )
            self._db.executemany("insert or ignore into guests values (?, ?)", [(person, code) for person in people])

    def table(self, code: str) -> tuple[Json, list[Json]] | None:
        """A table's row and journal."""
        found = self._db.execute("select row from tables where code = ?", (code,)).fetchone()
        if found is None:
            return None
        entries = self._db.execute("select entry from journal where code = ? order by number", (code,))
        return json.loads(found[0]), [json.loads(entry) for (entry,) in entries]

    def tables_of(self, person: str, most: int) -> list[tuple[str, Json, str]]:
        """The tables where somebody has been, the latest first."""
        rows = self._db.execute(
            "select code, row, touched from tables join guests using (code) where person = ?"
            " order by touched desc, code limit ?",
            (person, most),
        )
        return [(code, json.loads(row), touched) for code, row, touched in rows]

    def drop_table(self, code: str) -> None:
        with self.together():
            for name in ("tables", "journal", "guests"):
                self._db.execute(f"delete from {name} where code = ?", (code,))

    def keep_game(self, id: str, game: str, record: Json, people: Iterable[tuple[str, int]]) -> None:
        """Write a finished game, for those who played it."""
        with self.together():
            self._db.execute(
                "insert or ignore into games (id, game, record) values (?, ?, ?)", (id, game, json.dumps(record))
            )
            self._db.executemany(
                "insert or ignore into players values (?, ?, ?)", [(person, id, seat) for person, seat in people]
            )

    def game(self, id: str) -> Json | None:
        found = self._db.execute("select record from games where id = ?", (id,)).fetchone()
        return None if found is None else json.loads(found[0])

    def games_of(self, person: str, most: int) -> list[Json]:
        """The finished games of somebody, the latest first."""
        rows = self._db.execute(
            "select id, game, finished, seat, record from games join players using (id) where person = ?"
            " order by finished desc, id limit ?",
            (person, most),
        )
        return [
            {"id": id, "game": game, "finished": finished, "seat": seat}
            | {key: json.loads(record)[key] for key in ("players", "result")}
            for id, game, finished, seat, record in rows
        ]

    def keep_analysis(self, id: str, analysis: Json) -> None:
        self._db.execute("update games set analysis = ? where id = ?", (json.dumps(analysis), id))

    def analysis(self, id: str) -> Json | None:
        found = self._db.execute("select analysis from games where id = ?", (id,)).fetchone()
        return None if found is None or found[0] is None else json.loads(found[0])

    def together(self) -> _Transaction:
        """What is kept inside is kept all or not at all."""
        return _Transaction(self._db)


class _Transaction:
    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._inside = db.in_transaction  # of a larger one, which decides

    def __enter__(self) -> None:
        if not self._inside:
            self._db.execute("begin immediate")

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._inside:
            return
        try:
            if kind is None:
                self._db.execute("commit")
        finally:
            if self._db.in_transaction:
                self._db.execute("rollback")
