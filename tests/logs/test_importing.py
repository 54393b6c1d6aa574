"""Imports: idempotent, resumable, the same from folders and zips; what is bad is reported and the rest goes in."""

import os
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from typing import Any

import pytest

from logs.corpus import copies, make_folder, make_zips
from stammtisch.core.errors import StammtischError
from stammtisch.logs.keep.database import TABLES, BadDatabase, Database
from stammtisch.logs.keep.fingerprints import Fingerprints, fingerprint
from stammtisch.logs.keep.importing import Tally, import_logs
from stammtisch.logs.read.sources import number_of_logs
from stammtisch.work.pool import Here

SMALL = 100_000  # bytes of a portion: several of them in a small corpus


def imported(folder: Path, db: Path, **options: Any) -> Tally:
    with Database(db, writable=True) as database:
        return import_logs([folder], database, Here(), portion_bytes=SMALL, **options)


def content(db: Path) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of all tables; players by name, files without place and date."""
    with Database(db) as database:
        found = {name: sorted(database.rows(f"SELECT * FROM {name}"), key=repr) for name in TABLES if name != "files"}
        found["files"] = sorted(database.rows("SELECT file, size, content, same_as FROM files"), key=repr)
        return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_folder(tmp_path_factory.mktemp("corpus"), 24)


@pytest.fixture(scope="module")
def whole(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    db = tmp_path_factory.mktemp("whole") / "logs.duckdb"
    tally = imported(folder, db, with_moves=True)
    assert tally.games == tally.added == tally.files == number_of_logs([folder]) == 24
    return db


def test_a_second_import_adds_nothing(folder: Path, whole: Path) -> None:
    before = content(whole)
    tally = imported(folder, whole, with_moves=True)
    assert (tally.known, tally.added, tally.games) == (24, 0, 0)
    assert content(whole) == before


def test_zips_give_what_folders_give(whole: Path, tmp_path: Path) -> None:
    tally = imported(make_zips(tmp_path / "zips", 24), tmp_path / "zips.duckdb", with_moves=True)
    assert tally.games == 24
    with Database(whole) as one, Database(tmp_path / "zips.duckdb") as two:
        for query in (
            "SELECT id, year, month, rounds, clean_rounds, score_20, score_31, winner, points_seen FROM games",
            "SELECT id, r.* EXCLUDE (game) FROM rounds r JOIN games USING (game)",
            """SELECT id, name, p.* EXCLUDE (game, player) FROM player_rounds p JOIN games USING (game)
            JOIN players USING (player)""",
        ):
            assert sorted(one.rows(query), key=repr) == sorted(two.rows(query), key=repr)


def test_an_import_in_parts_gives_the_same_as_in_one(folder: Path, whole: Path, tmp_path: Path) -> None:
    """Stopped after every single portion."""

    class Stopped(Exception):
        pass

    def stop(tally: Tally) -> None:
        raise Stopped

    db = tmp_path / "parts.duckdb"
    stops = 0
    while True:
        try:
            imported(folder, db, with_moves=True, tell=stop)
            break
        except Stopped:
            stops += 1
    assert stops > 3
    assert content(db) == content(whole)


def changed_later(folder: Path, db: Path, contents: dict[str, bytes]) -> None:
    """Write files, as somebody does some time after an import."""
    for name, data in contents.items():
        (folder / "200701").mkdir(parents=True, exist_ok=True)
        path = folder / "200701" / name
        path.write_bytes(data)
        later = time.time_ns() + 10**9
        os.utime(path, ns=(later, later))
    imported(folder, db)


def test_where_a_file_changes_its_double_takes_its_place(folder: Path, tmp_path: Path) -> None:
    one, other = (path.read_bytes() for path in sorted(folder.rglob("*.tch"))[:2])
    games = "SELECT id, rounds FROM games ORDER BY id"
    for later in ({"1.tch": other}, {"1.tch": other, "5.tch": one}, {"1.tch": other, "2.tch": other}):
        place = tmp_path / str(len(list(tmp_path.iterdir())))
        changed_later(place / "logs", place / "changed.duckdb", {"1.tch": one, "2.tch": one})
        changed_later(place / "logs", place / "changed.duckdb", later)
        imported(place / "logs", place / "fresh.duckdb")
        with Database(place / "changed.duckdb") as changed, Database(place / "fresh.duckdb") as fresh:
            contents = "SELECT DISTINCT content FROM files JOIN games ON file = game ORDER BY content"
            assert changed.rows(contents) == fresh.rows(contents)
            assert [rounds for _, rounds in changed.rows(games)].sort() == [r for _, r in fresh.rows(games)].sort()
            assert len(changed.rows(games)) == len(fresh.rows(games))


IMPORT = """
import sys
from pathlib import Path
from stammtisch.logs.keep.database import Database
from stammtisch.logs.keep.importing import import_logs
from stammtisch.work.pool import Here
with Database(Path(sys.argv[2]), writable=True) as database:
    import_logs([Path(sys.argv[1])], database, Here(), True, lambda tally: print(tally.games, flush=True), 100_000)
"""


def test_after_a_kill_the_next_run_continues(folder: Path, whole: Path, tmp_path: Path) -> None:
    db = tmp_path / "killed.duckdb"
    command = [sys.executable, "-c", IMPORT, str(folder), str(db)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for _ in range(2):
            assert process.stdout.readline()
        process.send_signal(signal.SIGKILL)
        process.wait()
    tally = imported(folder, db, with_moves=True)
    assert tally.known > 0
    assert content(db) == content(whole)


FULL = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # then writing beyond the limit is an error, as on a full disk
def tell(tally):
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
"""


def test_a_full_disk_is_a_sentence_and_the_next_run_continues(folder: Path, whole: Path, tmp_path: Path) -> None:
    db = tmp_path / "full.duckdb"
    script = FULL + IMPORT.replace("lambda tally: print(tally.games, flush=True)", "tell")
    command = [sys.executable, "-c", script, str(folder), str(db)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "BadDatabase" in done.stderr and "run the same command again" in done.stderr
    assert imported(folder, db, with_moves=True).known > 0
    assert content(db) == content(whole)


def test_a_changed_file_replaces_what_was_there(tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "logs", 6)
    db = tmp_path / "logs.duckdb"
    imported(folder, db)
    path = sorted(folder.rglob("*.tch"))[2]
    rounds = path.read_bytes().split(b"---------------Gr.Tichukarten")
    path.write_bytes(b"---------------Gr.Tichukarten".join(rounds[:3]))  # two rounds
    os.utime(path, ns=(time.time_ns(), time.time_ns() + 10**9))
    tally = imported(folder, db)
    assert (tally.known, tally.replaced, tally.added) == (5, 1, 0)
    with Database(db) as database:
        assert database.row("SELECT rounds FROM games WHERE id = ?", [int(path.stem)]) == (2,)
        assert database.row("SELECT count(*), count(DISTINCT id) FROM games") == (6, 6)
        ((orphans,),) = database.rows("SELECT count(*) FROM rounds WHERE game NOT IN (SELECT game FROM games)")
        assert orphans == 0


def test_a_touched_file_is_read_again_but_not_imported_again(tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "logs", 3)
    db = tmp_path / "logs.duckdb"
    imported(folder, db)
    before = content(db)
    path = min(folder.rglob("*.tch"))
    os.utime(path, ns=(1, 10**15))
    tally = imported(folder, db)
    assert (tally.known, tally.added, tally.replaced) == (3, 0, 0)
    assert content(db) == before
    assert imported(folder, db).known == 3


def test_the_same_content_under_two_names_is_one_game(tmp_path: Path) -> None:
    ((_, data),) = copies(1)
    for name in ("1.tch", "2.tch", "3.tch"):
        (tmp_path / "logs").mkdir(exist_ok=True)
        (tmp_path / "logs" / name).write_bytes(data)
    tally = imported(tmp_path / "logs", tmp_path / "logs.duckdb")
    assert (tally.added, tally.doubles, tally.games) == (3, 2, 1)
    (tmp_path / "logs" / "4.tch").write_bytes(data)
    tally = imported(tmp_path / "logs", tmp_path / "logs.duckdb")
    assert (tally.known, tally.added, tally.doubles, tally.games) == (3, 1, 1, 0)


def test_bad_files_are_reported_with_their_path_and_tried_again(tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "logs", 3)
    (folder / "2009.zip").write_bytes(b"PK\3\4 this is no zip")
    (folder / "empty.tch").write_bytes(b"")
    (folder / "foreign.tch").write_text("Dear diary,\ntoday nobody played Tichu.\n")
    tally = imported(folder, tmp_path / "logs.duckdb")
    assert tally.games == 3
    assert [Path(path).name for path, _ in tally.failures] == ["2009.zip"]
    with Database(tmp_path / "logs.duckdb") as database:
        assert len(database.rows("SELECT * FROM failures")) == 1
    (folder / "2009.zip").unlink()
    with zipfile.ZipFile(folder / "2009.zip", "w") as archive:
        archive.writestr("200901/77.tch", copies(4)[3][1])
    tally = imported(folder, tmp_path / "logs.duckdb")
    assert tally.games == 1 and not tally.failures


def test_what_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StammtischError, match="there is no such file or folder"):
        imported(tmp_path / "nothing", tmp_path / "logs.duckdb")
    with pytest.raises(BadDatabase, match="logs import"):
        Database(tmp_path / "missing.duckdb")


def test_another_database_is_left_alone(tmp_path: Path) -> None:
    import duckdb

    with duckdb.connect(str(tmp_path / "other.duckdb")) as other:
        other.execute("CREATE TABLE recipes (name VARCHAR)")
    with pytest.raises(BadDatabase, match="something else"):
        Database(tmp_path / "other.duckdb", writable=True)
    (tmp_path / "text.duckdb").write_text("no database")
    with pytest.raises(BadDatabase, match="cannot be used"):
        Database(tmp_path / "text.duckdb", writable=True)


def test_fingerprints_are_found_again_old_and_new() -> None:
    import numpy as np

    values = [fingerprint(str(i)) for i in range(1000)]
    known = Fingerprints(np.array(values[:500], dtype=np.uint64))
    for value in values[500:900]:
        known.add(value)
    assert [value in known for value in values] == [True] * 900 + [False] * 100
