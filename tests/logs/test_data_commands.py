"""The commands import, report and dataset, as a person types them."""

from pathlib import Path

import pytest

from commands import json_of, output_of, run
from logs.corpus import make_folder
from stammtisch.logs.learn.dataset import Dataset


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_folder(tmp_path_factory.mktemp("logs"), 6)


@pytest.fixture(scope="module")
def db(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("db") / "tichu.duckdb"
    assert run("logs", "import", str(folder), "--db", str(place), "--moves", "--workers", "1") == 0
    return place


def test_import_says_what_it_did(folder: Path, db: Path, capsys: pytest.CaptureFixture[str]) -> None:
    again = json_of(capsys, "logs", "import", str(folder), "--db", str(db), "--workers", "1")
    assert (again["files"], again["known"], again["added"], again["failures"]) == (6, 6, 0, [])
    assert "6 known, 0 added" in output_of(capsys, "logs", "import", str(folder), "--db", str(db), "--workers", "1")


def test_import_names_what_it_cannot_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "2011.zip").write_bytes(b"PK\3\4 no zip")
    assert run("logs", "import", str(tmp_path), "--db", str(tmp_path / "x.duckdb"), "--workers", "1") == 0
    said = capsys.readouterr()
    assert "1 not readable" in said.out and "2011.zip" in said.err


def test_report_prints_tables_writes_a_page_and_gives_json(
    db: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = output_of(capsys, "logs", "report", "--db", str(db), "--html", str(tmp_path / "report.html"))
    assert "Odd and even" in text and "Elo" in text
    assert (tmp_path / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    numbers = json_of(capsys, "logs", "report", "--db", str(db))
    assert numbers["counts"]["games"] == 6
    assert set(numbers) == {"counts", "by_year", "shape", "balance", "options", "findings", "players"}


def test_a_dataset_from_the_database_equals_one_from_the_logs(
    folder: Path, db: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = json_of(capsys, "logs", "dataset", str(folder), "--out", str(tmp_path / "a.h5"), "--workers", "1")
    two = json_of(capsys, "logs", "dataset", "--db", str(db), "--out", str(tmp_path / "b.h5"), "--workers", "1")
    assert one["rows"] == two["rows"] and one["rounds"] == two["rounds"] > 0
    with Dataset(tmp_path / "a.h5") as first, Dataset(tmp_path / "b.h5") as second:
        assert first.scaling == second.scaling
        assert first.classes() == second.classes()


def test_a_dataset_of_strong_players_of_some_years(
    folder: Path, db: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ("--workers", "1", "--split", "100,0,0", "--decisions", "play")
    every = json_of(capsys, "logs", "dataset", "--db", str(db), "--out", str(tmp_path / "a.h5"), *options)
    strong = ("--best", "50", "--min-rounds", "1", "--years", "2007-2008")
    best = json_of(capsys, "logs", "dataset", "--db", str(db), "--out", str(tmp_path / "b.h5"), *options, *strong)
    logs = ("logs", "dataset", str(folder), "--db", str(db), "--out", str(tmp_path / "c.h5"))
    assert json_of(capsys, *logs, *options, *strong)["rows"] == best["rows"]
    assert 0 < best["rows"]["train"]["play"] < every["rows"]["train"]["play"]
    with Dataset(tmp_path / "b.h5") as dataset:
        assert set(dataset.rounds()["year"].tolist()) <= {2007, 2008}
    rated = json_of(
        capsys, "logs", "dataset", "--db", str(db), "--out", str(tmp_path / "d.h5"), *options, "--min-elo", "1501"
    )
    assert 0 < rated["rows"]["train"]["play"] < every["rows"]["train"]["play"]


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        (["dataset", "--out", "x.h5"], "name logs, or a database"),
        (["dataset", "LOGS", "--out", "x.h5", "--min-elo", "1600"], "name it with --db"),
        (["dataset", "LOGS", "--out", "x.h5", "--split", "a,b"], "three numbers"),
        (["dataset", "LOGS", "--out", "x.h5", "--split", "50,50,50"], "make 100"),
        (["dataset", "LOGS", "--out", "x.h5", "--years", "old"], "a year"),
        (["dataset", "LOGS", "--out", "x.h5", "--decisions", "think"], "announce, schupf"),
        (["dataset", "LOGS", "--out", "x.h5", "--balance", "0.5"], "1 or more"),
        (["dataset", "nowhere", "--out", "x.h5"], "no such file or folder"),
        (["dataset", "LOGS", "--out", "no/folder/x.h5"], "there is no folder"),
        (["report", "--db", "missing.duckdb"], "logs import"),
        (["import", "nowhere", "--db", "x.duckdb"], "no such file or folder"),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value[:5]),
)
def test_what_was_typed_wrong_is_one_line_with_advice(
    arguments: list[str],
    advice: str,
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("logs", *(str(folder) if one == "LOGS" else one for one in arguments)) == 2
    said = capsys.readouterr().err
    assert advice in said and said.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_a_database_without_moves_says_how_to_keep_them(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    db = str(tmp_path / "x.duckdb")
    assert run("logs", "import", str(min(folder.rglob("*.tch"))), "--db", db) == 0
    assert run("logs", "dataset", "--db", db, "--out", str(tmp_path / "x.h5"), "--workers", "1") == 2
    assert "--moves" in capsys.readouterr().err
    assert not [path for path in tmp_path.iterdir() if path.name.startswith("x.h5")]
