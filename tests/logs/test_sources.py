"""Logs are found in files, folders and zips, and whatever cannot be read does not stop the others."""

import struct
import tempfile
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logs.judging import ROUND
from stammtisch.core.errors import StammtischError
from stammtisch.logs.findings import ARCHIVE_UNREADABLE, FILE_UNREADABLE
from stammtisch.logs.judge.replay import replay
from stammtisch.logs.read import sources
from stammtisch.logs.read.archives import _large
from stammtisch.logs.read.parse import parse
from stammtisch.logs.read.sources import Place, batches, find, load, month_of, number_of, read

LOG = ROUND.encode()


def make_zip(path: Path, *members: str) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for member in members:
            archive.writestr(member, LOG)
    return path


def test_a_year_is_read_in_the_order_of_its_numbers(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "2007.zip", "200702/100.tch", "200702/99.tch", "200701/20.tch", "200701/index.html")
    found = list(read(path))
    assert [(one.game, one.year, one.month) for one in found] == [(20, 2007, 1), (99, 2007, 2), (100, 2007, 2)]
    assert found[0].path == f"{path}:200701/20.tch" and found[0].data == LOG


def test_a_folder_holds_files_and_zips_at_any_depth(tmp_path: Path) -> None:
    (tmp_path / "2008" / "200805").mkdir(parents=True)
    (tmp_path / "2008" / "200805" / "7.tch").write_bytes(LOG)
    (tmp_path / "2008" / "notes.txt").write_text("no log")
    (tmp_path / "demo.tch").write_bytes(LOG)
    make_zip(tmp_path / "2009.ZIP", "200912/8.TCH")
    found = {Path(one.path.split(":")[-1]).name: (one.year, one.month) for one in read(tmp_path)}
    assert found == {"7.tch": (2008, 5), "demo.tch": (0, 0), "8.TCH": (2009, 12)}


def test_a_single_file_may_have_any_name(tmp_path: Path) -> None:
    (tmp_path / "log.txt").write_bytes(LOG)
    (one,) = read(tmp_path / "log.txt")
    assert one.data == LOG and one.game > 1 << 40
    assert number_of("a/b/00123.tch") == 123 and number_of("x.tch") == number_of("folder/x.tch") != number_of("y.tch")


def test_years_and_months_come_from_the_nearest_folder() -> None:
    assert month_of(Place("/data/2007/200703/5.tch")) == (2007, 3)
    assert month_of(Place("/data/2010.zip", "5.tch")) == (2010, 0)
    assert month_of(Place("/data/200713/5.tch")) == (0, 0)


def test_the_month_is_known_inside_its_folder_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "200703").mkdir()
    monkeypatch.chdir(tmp_path / "200703")
    assert month_of(Place("5.tch")) == (2007, 3)


def test_nothing_there_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(StammtischError, match=r"there is no such file or folder; name a \.tch file"):
        list(find(tmp_path / "missing"))


def test_a_wrong_zip_is_told_and_the_rest_is_read(tmp_path: Path) -> None:
    (tmp_path / "2001.zip").write_bytes(b"this is no zip")
    whole = make_zip(tmp_path / "2002.zip", "200201/1.tch").read_bytes()
    (tmp_path / "2003.zip").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "5.tch").write_bytes(LOG)
    found = {Path(one.path).name: one.code for one in read(tmp_path)}
    assert found == {"5.tch": 0, "2001.zip": ARCHIVE_UNREADABLE, "1.tch": 0, "2003.zip": ARCHIVE_UNREADABLE}
    result = replay(parse(list(read(tmp_path))))
    assert len(result.judged) == 2 and list(result.findings["code"]).count(ARCHIVE_UNREADABLE) == 2


def test_a_damaged_member_is_told_and_the_rest_is_read(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "2007.zip", "200701/1.tch", "200701/2.tch", "200701/3.tch")
    data = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as archive:
        begin = archive.getinfo("200701/2.tch").header_offset
    data[begin + 100 : begin + 140] = bytes(40)
    path.write_bytes(data)
    found = list(read(path))
    assert [one.code for one in found] == [0, FILE_UNREADABLE, 0]
    assert found[1].problem.startswith("cannot be read (")


def test_a_file_that_cannot_be_opened_is_told_and_the_rest_is_read(tmp_path: Path) -> None:
    (tmp_path / "1.tch").symlink_to(tmp_path / "nowhere")
    (tmp_path / "2.tch").write_bytes(LOG)
    (tmp_path / "3.tch").mkdir()
    found = list(read(tmp_path))
    assert [one.code for one in found] == [FILE_UNREADABLE, 0]


def test_a_giant_is_no_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "LARGEST", 1000)
    path = make_zip(tmp_path / "2007.zip", "200701/1.tch")
    (one,) = read(path)
    assert one.code == FILE_UNREADABLE and "no log of a game" in one.problem and not one.data


def test_portions_are_bounded(tmp_path: Path) -> None:
    places = [Place(f"{i}.tch", size=1000) for i in range(25)]
    sizes = [len(one) for one in batches(places, most_bytes=10_000)]
    assert sizes == [10, 10, 5]
    assert [len(one) for one in batches([Place("1.tch", size=99_999), Place("2.tch")], 10)] == [1, 1]


# --- archives -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_archives_are_read_however_they_are_packed(tmp_path: Path, method: int) -> None:
    names = ["200701/10.tch", "200701/9.tch", "200701/zu Hause.tch", "200701/7.tch", "200701/007.tch", "1.tch"]
    with zipfile.ZipFile(tmp_path / "a.zip", "w", method) as archive:
        archive.comment = b"with a comment"
        for name in names:
            archive.writestr(name, name.encode() + LOG)
    found = list(read(tmp_path / "a.zip"))
    order = ["1.tch", "200701/007.tch", "200701/7.tch", "200701/9.tch", "200701/10.tch", "200701/zu Hause.tch"]
    assert [one.path.split(":")[-1] for one in found] == order
    assert [one.data for one in found] == [name.encode() + LOG for name in order]


def test_an_archive_behind_other_bytes_and_with_large_entries_is_read(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive, archive.open("2.tch", "w", force_zip64=True) as member:
        member.write(LOG)
    (tmp_path / "b.zip").write_bytes(b"#!/bin/sh" + (tmp_path / "a.zip").read_bytes())
    for name in ("a.zip", "b.zip"):
        (one,) = read(tmp_path / name)
        assert (one.game, one.data) == (2, LOG)


def test_an_archive_of_more_members_than_two_bytes_count_is_read(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        for number in range(66_000):
            archive.writestr(f"{number}.tch", b"")
    found = list(find(tmp_path / "a.zip"))
    assert [int(place.member[:-4]) for place in found] == list(range(66_000))


def test_sizes_beyond_four_gigabytes_stand_in_the_extra_field() -> None:
    extra = struct.pack("<2HH", 9, 2, 0) + struct.pack("<2H2Q", 1, 16, 5 << 32, 6 << 32)
    assert list(_large(extra, 0xFFFFFFFF, 7, 0xFFFFFFFF)) == [5 << 32, 7, 6 << 32]


def test_an_archive_that_changes_while_it_is_read_is_told(tmp_path: Path) -> None:
    places = list(find(make_zip(tmp_path / "2007.zip", "200701/1.tch", "200701/2.tch")))
    with zipfile.ZipFile(tmp_path / "2007.zip", "w") as archive:
        archive.writestr("200701/3.tch", LOG[::-1])
    assert [one.code for one in load(places)] == [FILE_UNREADABLE, FILE_UNREADABLE]


@given(st.binary(max_size=300), st.integers(0, 400), st.integers(0, 255))
def test_no_archive_whatever_is_in_it_stops_the_others(data: bytes, at: int, byte: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = make_zip(Path(folder) / "a.zip", "1.tch", "200701/2.tch")
        damaged = bytearray(path.read_bytes())
        damaged[len(damaged) - 1 - min(at, len(damaged) - 1)] = byte
        for content in (bytes(damaged), data, bytes(damaged) + data):
            path.write_bytes(content)
            for one in read(path):
                assert one.problem or one.data == LOG
