"""The database of logs: one DuckDB file with games, rounds, players, what each player did in a round, and findings.

One file of the corpus is one game and one transaction adds some of them, so that whatever interrupts an import leaves
whole games behind. What has been imported is recognised by two hashes of each file, eight bytes apiece: of its place,
size and date (then it need not be opened again), and of its content (then it is there under another name).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.errors import MissingExtra, StammtischError
from stammtisch.logs.keep.fingerprints import Fingerprints

try:
    import duckdb
except ImportError:
    raise MissingExtra("the database needs") from None

Columns: TypeAlias = dict[str, NDArray[Any]]
Row: TypeAlias = tuple[Any, ...]

VERSION = 1
ASKING, WRITING, HANDING_OUT = "400MB", "150MB", "40MB"  # for DuckDB itself; beyond it, it sorts and joins on disk

TABLES = {
    "about": "version INTEGER, program VARCHAR",
    "files": """
        file BIGINT,          -- the game's number here
        path VARCHAR,
        size BIGINT,          -- bytes
        seen UBIGINT,         -- hash of path, size and date (of a zip's member: its checksum)
        place UBIGINT,        -- hash of the path
        content UBIGINT,      -- hash of the content
        same_as BIGINT        -- the file with the same content that was there before; NULL: none""",
    "failures": "path VARCHAR, reason VARCHAR",  # tried again at the next import
    "games": """
        game BIGINT,          -- its file
        id BIGINT,            -- the number in the file's name
        year SMALLINT, month SMALLINT,  -- 0: not known
        rounds SMALLINT, clean_rounds SMALLINT,
        score_20 INTEGER, score_31 INTEGER,  -- as logged
        winner SMALLINT,      -- the team 20 or 31; 0: a tie, NULL: not finished
        player_changed BOOLEAN,
        code SMALLINT,        -- of the first finding about the game as a whole
        trick_points_seen INTEGER[],  -- how often -25, -20, .. 125 points lay in the trick when somebody had to act
        points_seen INTEGER[]         -- how often a player had so many points then""",
    "rounds": """
        game BIGINT, round SMALLINT,  -- the index of the round, from 0
        line INTEGER,
        score_20 SMALLINT, score_31 SMALLINT,  -- as logged
        rule_20 SMALLINT, rule_31 SMALLINT,    -- by the rules; NULL: the replay broke off
        before_20 INTEGER, before_31 INTEGER,  -- the score of the game when the round began
        code SMALLINT,        -- of the first finding, 0: clean
        tricks SMALLINT, turns SMALLINT,
        winner SMALLINT, loser SMALLINT,       -- seats; NULL: none
        double_victory BOOLEAN,
        mahjong_played BOOLEAN, wish SMALLINT, -- 0: none was made
        dragon_giver SMALLINT, dragon_recipient SMALLINT,
        phoenix_low BOOLEAN, bombs_played SMALLINT,
        moves BLOB            -- optional: the kernel's actions (rounds_of in moves.py)""",
    "player_rounds": """
        game BIGINT, round SMALLINT, seat SMALLINT, player INTEGER,
        grand_hand BIGINT, hand BIGINT,        -- the first eight cards, all fourteen: bits
        to_right SMALLINT, to_partner SMALLINT, to_left SMALLINT,  -- schupfed cards: numbers; NULL: not readable
        bomb BOOLEAN,         -- after schupfing
        call SMALLINT,        -- 0 none, 1 tichu, 2 grand tichu
        call_position SMALLINT,  -- -3 none, -2 grand, -1 before the first trick, else the index in the history
        suicidal BOOLEAN, premature BOOLEAN,   -- called when somebody was out; called without playing at once
        place SMALLINT""",  # 1: first out .. 4; NULL: not known
    "players": "player INTEGER, name VARCHAR",
    "findings": "game BIGINT, round SMALLINT, line INTEGER, code SMALLINT, sentence VARCHAR",
}
_OF_A_GAME = ("games", "rounds", "player_rounds", "findings")


class BadDatabase(StammtischError):
    """A file that is no database of logs, or that cannot be used now."""


class Database:
    """An open database of logs. Use it in a ``with`` statement."""

    def __init__(self, path: Path, writable: bool = False) -> None:
        self.path = path
        if not writable and not path.exists():
            raise BadDatabase(f"{path} does not exist; make it with: stammtisch logs import FOLDER --db {path}")
        try:
            self.connection = duckdb.connect(str(path), read_only=not writable)
            self.connection.execute(f"SET memory_limit = '{WRITING if writable else ASKING}'")
            self.connection.execute("SET preserve_insertion_order = false")
            if writable:
                self.connection.execute("SET threads = 1")  # the workers need the cores
                self._lay_out()
            self._check()
        except duckdb.Error as error:
            raise BadDatabase(_explained(path, error)) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.connection.close()

    def make_room(self) -> None:
        """Leave memory and cores to workers from now on: rows are only handed out, one game after the other."""
        self.connection.execute(f"SET memory_limit = '{HANDING_OUT}'")
        self.connection.execute("SET threads = 1")

    def _lay_out(self) -> None:
        tables = {name for (name,) in self.rows("SELECT table_name FROM duckdb_tables()")}
        if tables and "about" not in tables:
            raise BadDatabase(f"{self.path} is a database of something else; name another file")
        with self.transaction():
            for name, columns in TABLES.items():
                self.connection.execute(f"CREATE TABLE IF NOT EXISTS {name} ({columns}\n)")
            if not self.rows("SELECT version FROM about"):
                program = f"stammtisch {version('stammtisch')}"
                self.connection.execute("INSERT INTO about VALUES (?, ?)", [VERSION, program])

    def _check(self) -> None:
        tables = {name for (name,) in self.rows("SELECT table_name FROM duckdb_tables()")}
        if not set(TABLES) <= tables:
            raise BadDatabase(f"{self.path} is no database of logs; name another file")
        ((layout,),) = self.rows("SELECT version FROM about")
        if layout != VERSION:
            raise BadDatabase(f"{self.path} has layout {layout}, this program reads {VERSION}: import the logs anew")

    # --- reading -----------------------------------------------------------------------------------------

    def rows(self, query: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> list[Row]:
        return self.connection.execute(query, values or None).fetchall()

    def row(self, query: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> Row:
        """The only row of an answer."""
        (found,) = self.rows(query, values)
        return found

    def columns(self, query: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> Columns:
        """An answer as arrays; what is NULL becomes 0 (use COALESCE where that matters)."""
        found = self.connection.execute(query, values or None).fetchnumpy()
        return {
            name: column.filled(0) if isinstance(column, np.ma.MaskedArray) else np.asarray(column)
            for name, column in found.items()
        }

    def batches(self, query: str, size: int) -> Iterator[list[Row]]:
        """A long answer in parts, on a connection of its own."""
        cursor = self.connection.cursor()
        try:
            cursor.execute(query)
            while part := cursor.fetchmany(size):
                yield part
        finally:
            cursor.close()

    def fingerprints(self, column: str) -> Fingerprints:
        """All values of ``seen``, ``place`` or ``content``."""
        found = self.connection.execute(f"SELECT {column} FROM files").fetchnumpy()[column]
        return Fingerprints(np.asarray(found, dtype=np.uint64))

    # --- writing -----------------------------------------------------------------------------------------

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing; a full disk becomes a sentence."""
        try:
            self.connection.execute("BEGIN")
            yield
            self.connection.execute("COMMIT")
        except duckdb.Error as error:
            raise BadDatabase(_explained(self.path, error)) from None
        except BaseException:
            self.connection.execute("ROLLBACK")
            raise

    def insert(self, table: str, columns: Columns, query: str = "SELECT {names} FROM given") -> None:
        """Append rows; ``query`` may compute the columns from ``given``."""
        if not len(next(iter(columns.values()))):
            return
        self.connection.register("given", columns)
        try:
            names = ", ".join(columns)
            target = f"({names})" if "{names}" in query else ""
            self.connection.execute(f"INSERT INTO {table} {target} {query.format(names=names)}")
        finally:
            self.connection.unregister("given")

    def forget(self, places: Sequence[int]) -> int:
        """Remove files that have changed, by the hashes of their paths, and all that came from them.

        Their doubles are removed too, since the content that they share is gone; the number of these.
        """
        files = [file for (file,) in self.rows("SELECT file FROM files WHERE list_contains(?, place)", [list(places)])]
        for table in _OF_A_GAME:
            self.connection.execute(f"DELETE FROM {table} WHERE list_contains(?, game)", [files])
        doubles = "SELECT file FROM files WHERE list_contains(?, same_as) AND NOT list_contains(?, file)"
        orphans = [file for (file,) in self.rows(doubles, [files, files])]
        self.connection.execute("DELETE FROM files WHERE list_contains(?, file)", [files + orphans])
        return len(orphans)


def _explained(path: Path, error: Exception) -> str:
    text = " ".join(str(error).split())
    low = text.lower()
    if "no space" in low or "file too large" in low or "could not write" in low:
        return f"{path}: the disk is full ({text[:200]}); free some space and run the same command again, it continues"
    if "lock" in low:
        return f"{path} is in use by another program; wait until it has finished ({text[:120]})"
    return f"{path} cannot be used as a database of logs: {text[:200]}"
