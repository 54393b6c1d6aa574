"""Logs into a database: side by side, in portions, each portion one transaction.

Whatever was imported before is left out, so a second run adds nothing and a run after an interruption continues. A file
that has changed replaces what was there of it; a file with the content of another is noted as its double. What cannot
be read is noted too and tried again the next time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from stammtisch.logs.keep.database import Columns, Database
from stammtisch.logs.keep.facts import Facts
from stammtisch.logs.keep.fingerprints import fingerprint
from stammtisch.logs.keep.reading import Portion, Read, read_portion
from stammtisch.logs.read.sources import BATCH_BYTES, Place, batches, find
from stammtisch.work.pool import Pool

if TYPE_CHECKING:
    from stammtisch.core.game import Json


@dataclass
class Tally:
    """How far an import is."""

    files: int = 0  # found so far
    known: int = 0  # imported before and left out
    added: int = 0
    replaced: int = 0
    doubles: int = 0  # the same content as another file
    games: int = 0
    rounds: int = 0
    failures: list[tuple[str, str]] = field(default_factory=list)

    def to_json(self) -> Json:
        return asdict(self)


def import_logs(
    paths: Sequence[Path],
    database: Database,
    pool: Pool,
    with_moves: bool = False,
    tell: Callable[[Tally], None] | None = None,
    portion_bytes: int = BATCH_BYTES,
) -> Tally:
    """Add all logs at the paths; ``tell`` hears of the progress after every portion."""
    tally = Tally()
    orphans = 1
    while orphans:  # where a file changes, its doubles have to be read: nobody else has their content now
        importer = _Importer(database, tally)
        for found in pool.map(read_portion, importer.portions(paths, with_moves, portion_bytes)):
            importer.add(found)
            if tell is not None:
                tell(tally)
        orphans = importer.orphans
        if orphans:
            tally.files, tally.known = 0, 0
    return tally


@lru_cache(maxsize=4)
def _date_of_archive(path: str) -> int:
    return Path(path).stat().st_mtime_ns


def _seen(place: Place) -> int:
    """A fingerprint that changes when the file does; members of an archive share its date."""
    try:
        date = _date_of_archive(place.path) if place.member else Path(place.path).stat().st_mtime_ns
    except OSError:
        date = 0
    return fingerprint(f"{place.name}\0{place.size}\0{date}")


class _Importer:
    """Numbers what workers read, and writes it."""

    def __init__(self, database: Database, tally: Tally) -> None:
        self.database = database
        self.tally = tally
        self.orphans = 0  # doubles of files that have changed
        self.seen = database.fingerprints("seen")
        self.places = database.fingerprints("place")
        self.contents = database.fingerprints("content")
        self.players = {name: player for player, name in database.rows("SELECT player, name FROM players")}
        (self.next_file,) = database.row("SELECT COALESCE(max(file), 0) + 1 FROM files")
        _date_of_archive.cache_clear()

    def portions(self, paths: Sequence[Path], with_moves: bool, portion_bytes: int) -> Iterator[Portion]:
        for portion in batches(self._new(paths), portion_bytes):
            yield Portion(portion, [_seen(place) for place in portion], with_moves)

    def _new(self, paths: Sequence[Path]) -> Iterator[Place]:
        for path in paths:
            for place in find(path.absolute()):
                self.tally.files += 1
                if not place.problem and _seen(place) in self.seen:
                    self.tally.known += 1
                else:
                    yield place

    def add(self, read: Read) -> None:
        """One transaction."""
        tally, database = self.tally, self.database
        spots = [fingerprint(place.name) for place in read.places]
        stored = self._stored(spots)
        same = [stored.get(spot) == content for spot, content in zip(spots, read.contents, strict=True)]
        replaced = [spot for spot, known in zip(spots, same, strict=True) if not known and spot in stored]
        double_of = self._doubles(read.contents, same, replaced)
        new = np.array([not known for known in same], dtype=np.bool_)
        game = np.array([file is None for file in double_of], dtype=np.bool_) & new
        numbers = np.zeros(len(spots), dtype=np.int64)
        numbers[new] = np.arange(self.next_file, self.next_file + new.sum())
        with database.transaction():
            if replaced:
                self.orphans += database.forget(replaced)
            for i in np.flatnonzero(~new):
                database.connection.execute("UPDATE files SET seen = ? WHERE place = ?", [read.seen[i], spots[i]])
            self._write_files(read, spots, numbers, new, double_of)
            self._write_failures(read)
            self._write_games(read.facts.of(game), numbers)
        self.next_file += int(new.sum())
        for known, values in ((self.seen, read.seen), (self.places, spots), (self.contents, read.contents)):
            for value in values:
                known.add(value)
        tally.added += int(new.sum()) - len(replaced)
        tally.replaced += len(replaced)
        tally.known += int((~new).sum())
        tally.doubles += int((new & ~game).sum())
        tally.games += int(game[read.facts.games["game"]].sum())
        tally.rounds += int(read.facts.games["rounds"][game[read.facts.games["game"]]].sum())
        tally.failures += read.failures

    def _stored(self, spots: list[int]) -> dict[int, int]:
        """The contents of the paths that are there already."""
        known = [spot for spot in spots if spot in self.places]
        if not known:
            return {}
        return dict(
            self.database.rows("SELECT place, content FROM files WHERE list_contains(?::UBIGINT[], place)", [known])
        )

    def _doubles(self, contents: list[int], same: list[bool], replaced: list[int]) -> list[int | None]:
        """For every file the number of another with this content, stored or earlier in the portion; None if new.

        Files that are about to be replaced have it no longer.
        """
        known = [content for content in contents if content in self.contents]
        first: dict[int, int] = {}
        if known:
            query = """SELECT content, min(file) FROM files WHERE list_contains(?::UBIGINT[], content)
            AND NOT list_contains(?::UBIGINT[], place) AND same_as IS NULL GROUP BY content"""
            first = dict(self.database.rows(query, [known, replaced]))
        found: list[int | None] = []
        number = count(self.next_file)
        for content, is_known in zip(contents, same, strict=True):
            if is_known:
                found.append(None)
                continue
            mine = next(number)
            found.append(first.get(content))
            first.setdefault(content, mine)
        return found

    def _write_files(
        self,
        read: Read,
        spots: list[int],
        numbers: np.ndarray,
        new: np.ndarray,
        double_of: list[int | None],
    ) -> None:
        which = np.flatnonzero(new)
        columns: Columns = {
            "file": numbers[which],
            "path": np.array([read.places[i].name for i in which], dtype=object),
            "size": np.array([read.places[i].size for i in which], dtype=np.int64),
            "seen": np.array([read.seen[i] for i in which], dtype=np.uint64),
            "place": np.array([spots[i] for i in which], dtype=np.uint64),
            "content": np.array([read.contents[i] for i in which], dtype=np.uint64),
            "same_as": np.array([double_of[i] or 0 for i in which], dtype=np.int64),
        }
        query = "SELECT file, path, size, seen, place, content, NULLIF(same_as, 0) FROM given"
        self.database.insert("files", columns, query)

    def _write_failures(self, read: Read) -> None:
        tried = [place.name for place in read.places] + [path for path, _ in read.failures]
        if self.database.row("SELECT count(*) FROM failures")[0]:
            self.database.connection.execute("DELETE FROM failures WHERE list_contains(?, path)", [tried])
        for path, reason in read.failures:
            self.database.connection.execute("INSERT INTO failures VALUES (?, ?)", [path, reason])

    def _write_games(self, new: Facts, numbers: np.ndarray) -> None:
        database = self.database
        for table in (new.games, new.points, new.rounds, new.player_rounds, new.findings):
            table["game"] = numbers[table["game"]]
        database.connection.register("points", new.points)
        database.insert(
            "games",
            new.games,
            """SELECT game, id, year, month, rounds, clean_rounds, score_20, score_31, NULLIF(winner, -1),
            player_changed, code, trick, collected FROM given JOIN (SELECT game, list(trick ORDER BY value) AS trick,
            list(collected ORDER BY value) AS collected FROM points GROUP BY game) USING (game) ORDER BY game""",
        )
        database.connection.unregister("points")
        moves = "CASE WHEN octet_length(moves) > 0 THEN moves END" if "moves" in new.rounds else "NULL"
        database.insert(
            "rounds",
            new.rounds,
            f"""SELECT game, round, line, score_20, score_31, CASE WHEN complete THEN rule_20 END,
            CASE WHEN complete THEN rule_31 END, before_20, before_31, code, tricks, turns, NULLIF(winner, -1),
            NULLIF(loser, -1), double_victory, mahjong_played, wish, NULLIF(dragon_giver, -1),
            NULLIF(dragon_recipient, -1), phoenix_low, bombs_played, {moves} FROM given""",
        )
        new.player_rounds["player"] = self._players(new.names)[new.player_rounds["player"]]
        database.insert(
            "player_rounds",
            new.player_rounds,
            """SELECT game, round, seat, player, grand_hand, hand, NULLIF(to_right, -1), NULLIF(to_partner, -1),
            NULLIF(to_left, -1), bomb, call, call_position, suicidal, premature, NULLIF(place, -1) FROM given""",
        )
        database.insert("findings", new.findings)

    def _players(self, names: list[str]) -> np.ndarray:
        """The numbers of these players; new ones are written."""
        new = [name for name in names if name not in self.players]
        for name in new:
            self.players[name] = len(self.players) + 1
        if new:
            numbers = np.array([self.players[name] for name in new], dtype=np.int32)
            self.database.insert("players", {"player": numbers, "name": np.array(new, dtype=object)})
        return np.array([self.players[name] for name in names], dtype=np.int32)
