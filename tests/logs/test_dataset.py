"""Datasets: what is written is what the seats saw; no game is in two parts; scaling, balance, trajectories."""

from pathlib import Path

import h5py
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from logs.corpus import make_folder
from logs.played import PlayedRound, played_round, rounds_of
from stammtisch.core.errors import BadOption, StammtischError
from stammtisch.games.tichu import features
from stammtisch.logs.keep.database import Database
from stammtisch.logs.keep.importing import import_logs
from stammtisch.logs.learn.building import Balance, Built, build, part_of
from stammtisch.logs.learn.dataset import PARTS, BadDataset, Dataset, Writer
from stammtisch.logs.learn.decisions import CLASSES, DECISIONS, PLAY_ROW, decisions
from stammtisch.logs.learn.inputs import decision_inputs, early_inputs
from stammtisch.logs.learn.material import from_database, from_logs
from stammtisch.logs.learn.pieces import Piece, piece
from stammtisch.logs.learn.recipe import Recipe
from stammtisch.logs.moves import unpacked
from stammtisch.logs.write.making import made_sources
from stammtisch.work.pool import Here

RECIPE = Recipe(split=(60.0, 20.0, 20.0))


@pytest.fixture(scope="module")
def played() -> list[PlayedRound]:
    return [played_round(seed, before=(5 * seed, -10 * seed)) for seed in range(90)]


def make(played: list[PlayedRound], out: Path, recipe: Recipe = RECIPE) -> Built:
    pieces = [piece(rounds_of(played[at : at + 30]), recipe, 10) for at in range(0, len(played), 30)]
    return build(pieces, recipe, out, {})


@pytest.fixture(scope="module")
def dataset(played: list[PlayedRound], tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    out = tmp_path_factory.mktemp("dataset") / "tichu.h5"
    make(played, out)
    return Dataset(out)


def test_all_five_decisions_come_back_as_the_seats_saw_them(played: list[PlayedRound], dataset: Dataset) -> None:
    expected: dict[str, list[np.ndarray]] = {name: [] for name in DECISIONS}
    second: dict[str, list[np.ndarray]] = {name: [] for name in DECISIONS}
    for one in played:
        for d in one.decisions:
            expected[d.what].append(d.state.seat(d.seat).observation().ravel())
            early = d.what in ("announce", "schupf") and d.state.to_json()["phase"] in ("grand", "schupf")
            inputs = features.early_inputs if early else features.decision_inputs
            second[d.what].append(inputs(d.state.record, d.seat, *([] if early else [d.what])))
    for what in DECISIONS:
        found = np.concatenate([b.inputs for part in PARTS for b in dataset.batches(what, part)])
        assert found.dtype == np.float32 and found.shape == (len(expected[what]), 375)
        order, wanted = np.lexsort(found.T), np.array(expected[what])
        assert np.allclose(found[order], wanted[np.lexsort(wanted.T)])
    seen = np.array(expected["play"])
    assert np.allclose(decision_inputs(seen, "play"), np.array(second["play"]), atol=1e-6)
    for what in ("wish", "dragon"):
        assert np.allclose(decision_inputs(np.array(expected[what]), what), np.array(second[what]), atol=1e-6)
    for seen_one, wanted_one in zip(expected["announce"], second["announce"], strict=True):
        row = seen_one[None]
        given_inputs = early_inputs(row) if len(wanted_one) == 65 else decision_inputs(row, "announce")
        assert np.allclose(given_inputs[0], wanted_one, atol=1e-6)
    assert np.array_equal(early_inputs(np.array(expected["schupf"])), np.array(second["schupf"]))


def test_no_game_is_in_two_parts(dataset: Dataset) -> None:
    games = [set(dataset.rounds(part)["game"].tolist()) for part in PARTS]
    assert all(games)
    assert not games[0] & games[1] and not games[0] & games[2] and not games[1] & games[2]


@given(st.lists(st.integers(0, 2**62), min_size=1, unique=True))
def test_the_part_of_a_game_depends_on_nothing_but_its_key(games: list[int]) -> None:
    parts = part_of(np.array(games), (80.0, 10.0, 10.0))
    assert [int(part_of(np.array([game]), (80.0, 10.0, 10.0))[0]) for game in games] == parts.tolist()


def test_the_split_has_the_wanted_shares() -> None:
    parts = part_of(np.arange(1, 100_001), (90.0, 5.0, 5.0))
    assert np.allclose(np.bincount(parts) / 1000, [90, 5, 5], atol=0.3)


def test_with_return_to_go_there_are_376_inputs_in_hundreds_of_points(dataset: Dataset) -> None:
    for batch in dataset.batches(with_rtg=True):
        assert batch.inputs.shape[1] == 376
        assert np.array_equal(batch.inputs[:, -1], batch.rtg)
        assert abs(batch.rtg).max() <= 12 and (batch.rtg * 20 == np.round(batch.rtg * 20)).all()
        assert batch.labels.shape[1] == 57


def test_a_trajectory_is_one_seat_s_round_in_order(dataset: Dataset) -> None:
    seen = 0
    for part in PARTS:
        for one in dataset.trajectories(part, with_rtg=True):
            assert len(set(one.round.tolist())) == len(set(one.seat.tolist())) == 1
            assert (np.diff(one.step) > 0).all()
            assert len(set(one.value.tolist())) == 1
            seen += len(one)
    assert seen == sum(dataset.count("play", part) for part in PARTS)


def test_shuffling_gives_every_row_once_and_is_repeatable(dataset: Dataset) -> None:
    def keys(seed: int | None) -> list[tuple[int, int, int]]:
        batches = list(dataset.batches(size=100, seed=seed))
        assert all(len(batch) == 100 for batch in batches[:-1])
        return [key for b in batches for key in zip(b.round.tolist(), b.seat.tolist(), b.step.tolist(), strict=True)]

    assert sorted(keys(1)) == sorted(keys(None)) and keys(1) != keys(None)
    assert keys(1) == keys(1) != keys(2)


def test_the_scaling_of_the_analysis_clips_and_scales(dataset: Dataset) -> None:
    plain = np.concatenate([b.inputs for b in dataset.batches()])
    scaled = np.concatenate([b.inputs for b in dataset.batches(scaling="analysis")])
    points = dataset.scaling["trick_points"]
    assert np.allclose(scaled[:, 205], points(100 * plain[:, 205]), atol=1e-5)
    score = dataset.scaling["game_score"]
    expected = (np.clip(1000 * plain[:, 215], score.low, score.high) - score.shift) / score.scale
    assert np.allclose(scaled[:, 215], expected, atol=1e-4)
    assert np.array_equal(
        np.delete(scaled, [*range(205, 210), 215, 216], 1), np.delete(plain, [*range(205, 210), 215, 216], 1)
    )


def test_filters_leave_clean_rounds_of_the_years_and_seats(played: list[PlayedRound], tmp_path: Path) -> None:
    rounds = rounds_of(played)
    rounds.deals["code"][::2] = 61
    rounds.deals["seats"][:] = 0b0010
    one = piece(rounds, Recipe(years=(2008, 2008)), 1)
    assert set(one.deals["year"].tolist()) == {2008} and set(one.deals["code"].tolist()) == {0}
    assert set(one.rows["seat"].tolist()) == {1}
    everything = piece(rounds, Recipe(clean=False, forced=False, decisions=("play",)), 1)
    assert len(everything.deals) == len(played)
    assert set(everything.rows["decision"].tolist()) == {PLAY_ROW}
    assert not {CLASSES["play"][kind] for kind in everything.rows["kind"]} & {"forced pass", "forced play"}


def test_balancing_thins_out_frequent_classes_only(played: list[PlayedRound]) -> None:
    rows = decisions(rounds_of(played))
    kept = Balance(1.0, seed=1).kept(rows)
    for number, name in enumerate(DECISIONS):
        before = np.bincount(rows["kind"][rows["decision"] == number], minlength=len(CLASSES[name]))
        after = np.bincount(kept["kind"][kept["decision"] == number], minlength=len(CLASSES[name]))
        even = before.sum() / len(before)
        assert np.array_equal(before[before <= even], after[before <= even])
        assert (after[before > even] <= even + 5 * np.sqrt(even) + 1).all()


def test_a_balanced_dataset_says_that_it_has_no_whole_trajectories(played: list[PlayedRound], tmp_path: Path) -> None:
    make(played[:30], tmp_path / "even.h5", Recipe(balance=1.0))
    with Dataset(tmp_path / "even.h5") as dataset, pytest.raises(BadDataset, match="balanced"):
        next(dataset.trajectories())


def test_packed_actions_come_back(played: list[PlayedRound]) -> None:
    rounds = rounds_of(played)
    again = unpacked(rounds.deals.copy(), [rounds.packed(number) for number in range(len(rounds))])
    assert np.array_equal(again.actions, rounds.actions) and np.array_equal(again.human, rounds.human)
    assert np.array_equal(again.deals, rounds.deals)


def test_the_same_pieces_give_the_same_file(played: list[PlayedRound], tmp_path: Path) -> None:
    for name in ("a.h5", "b.h5"):
        make(played[:60], tmp_path / name, Recipe(balance=2.0, seed=7))
    with h5py.File(tmp_path / "a.h5") as one, h5py.File(tmp_path / "b.h5") as two:
        names: list[str] = []
        one.visit(names.append)
        for name in names:
            if isinstance(one[name], h5py.Dataset):
                assert np.array_equal(one[name][:], two[name][:]), name
        assert one.attrs["about"] == two.attrs["about"]


def test_an_interrupted_build_leaves_nothing_that_looks_finished(played: list[PlayedRound], tmp_path: Path) -> None:
    def pieces() -> object:
        yield piece(rounds_of(played[:5]), RECIPE, 1)
        raise StammtischError("the disk of the logs is gone")

    with pytest.raises(StammtischError, match="is gone"):
        build(pieces(), RECIPE, tmp_path / "x.h5", {})  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


def test_nothing_that_fits_gives_an_empty_dataset(played: list[PlayedRound], tmp_path: Path) -> None:
    built = make(played[:5], tmp_path / "none.h5", Recipe(years=(1990, 1991)))
    assert built.rounds == 0
    with Dataset(tmp_path / "none.h5") as dataset:
        assert dataset.count() == 0 and list(dataset.batches()) == [] and list(dataset.trajectories()) == []


def test_what_is_no_dataset_is_refused_with_advice(tmp_path: Path) -> None:
    (tmp_path / "x.h5").write_bytes(b"no HDF5 at all")
    with pytest.raises(BadDataset, match="is no dataset"):
        Dataset(tmp_path / "x.h5")
    with pytest.raises(BadDataset, match="logs dataset FOLDER"):
        Dataset(tmp_path / "missing.h5")
    with pytest.raises(BadOption, match="make 100"):
        Recipe(split=(50.0, 10.0, 10.0))


def test_an_unknown_part_or_decision_is_refused(dataset: Dataset) -> None:
    with pytest.raises(BadDataset, match="train, validation, test"):
        dataset.count("play", "training")
    with pytest.raises(BadDataset, match="announce, schupf"):
        next(dataset.batches("pass"))


def test_pieces_carry_failures(played: list[PlayedRound], tmp_path: Path) -> None:
    empty = piece(rounds_of(played[:1]), RECIPE, 1)
    built = build([Piece(1, empty.deals, empty.rows, [("a.zip", "no zip")])], RECIPE, tmp_path / "x.h5", {})
    assert built.failures == [("a.zip", "no zip")]


# --- the same game twice -------------------------------------------------------------------------------------


def test_copies_of_a_game_are_in_one_part_whatever_their_numbers(tmp_path: Path) -> None:
    games = [source.data for source in made_sources(8)]
    folder = tmp_path / "200701"
    folder.mkdir()
    for number in range(80):
        data = games[number % 8]
        if number % 3 == 1:
            data = data[:-300]  # cut off within the last round
        if number % 3 == 2:
            data = data.replace(b"\n", b"\r\n")
        (folder / f"{number}.tch").write_bytes(data)
    recipe = Recipe(decisions=("schupf",), split=(34.0, 33.0, 33.0))
    build(from_logs([tmp_path], recipe, Here()), recipe, tmp_path / "x.h5", {})
    with Dataset(tmp_path / "x.h5") as dataset:
        parts = [{int(game) % 8 for game in dataset.rounds(part)["game"]} for part in PARTS]
    assert sum(len(part) for part in parts) == 8 and sum(bool(part) for part in parts) > 1


def test_logs_and_database_give_the_same_parts(tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "logs", 24)
    recipe = Recipe(decisions=("schupf",), clean=False, split=(40.0, 30.0, 30.0))
    with Database(tmp_path / "logs.duckdb", writable=True) as database:
        import_logs([folder], database, Here(), with_moves=True)
    with Database(tmp_path / "logs.duckdb") as database:
        build(from_database(database, recipe, Here()), recipe, tmp_path / "database.h5", {})
    build(from_logs([folder], recipe, Here()), recipe, tmp_path / "logs.h5", {})
    with Dataset(tmp_path / "database.h5") as one, Dataset(tmp_path / "logs.h5") as two:
        for part in PARTS:
            first, second = (
                sorted(zip(rounds["game"].tolist(), rounds["index"].tolist(), strict=True))
                for rounds in (one.rounds(part), two.rounds(part))
            )
            assert first == second and first


def test_a_full_disk_is_a_sentence_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(writer: Writer, about: object) -> None:
        monkeypatch.setattr(type(writer.file), "close", closed)
        raise OSError(28, "No space left on device")

    def closed(file: object) -> None:
        raise RuntimeError("cannot flush")

    monkeypatch.setattr(Writer, "finish", full)
    with pytest.raises(StammtischError, match="free some space"):
        build([], Recipe(), tmp_path / "x.h5", {})
    assert list(tmp_path.iterdir()) == []
