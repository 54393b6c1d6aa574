"""Networks from disk: their cards, and everything that can be wrong with a file that somebody else wrote."""

import json
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stammtisch as st
from models import damage
from stammtisch.agents.catalog import agent
from stammtisch.agents.clever.net import LAYOUT, new_net, read_net
from stammtisch.agents.dog.value import NETWORKS
from stammtisch.core.errors import StammtischError
from stammtisch.models.cards import MODELS, SUFFIX, BadWeights, Layout, card, network, write_network

SMALL = Layout("toy", {"a": (3, "n"), "b": ("n",)}, sizes={"n": (2, 4)}, largest={"b": 1.0}, advice="use another")
FITS = {"a": np.ones((3, 2), dtype=np.float32), "b": np.ones(2, dtype=np.float32)}


@pytest.mark.parametrize("name", sorted(path.stem for path in MODELS.glob("*.json")))
def test_every_network_has_a_card_that_says_how_strong_it_is(name: str) -> None:
    known = card(name)
    assert {"data", "command", "seed", "cpu_hours", "strength", "sha256"} <= set(known)
    assert known["strength"]["ci95"][0] < known["strength"]["mean"] < known["strength"]["ci95"][1]


def test_every_file_that_ships_is_loaded_by_a_player() -> None:
    loaded = {"chameleon": "best", "clever-ppo-taught": "ppo", "tichu": "value"}
    loaded |= {f"chameleon-td0-{players}": "td" for players in (2, 3, 4)}
    loaded |= {f"clever-official{players}": "value" for players in ("", "-2", "-3", "-4")} | {"clever-thesis": "value"}
    loaded |= dict.fromkeys(NETWORKS.values(), "value")
    options: dict[str, dict[str, Any]] = {f"chameleon-td0-{players}": {"players": players} for players in (2, 3, 4)}
    options |= {name: {"rules": rules, "teams": teams} for (_, rules, teams), name in NETWORKS.items()}
    files = {path.name for path in MODELS.iterdir() if path.suffix != ".py" and path.is_file()}
    assert files == {f"{name}{end}" for name in loaded for end in (SUFFIX, ".json")}
    for name, player in loaded.items():
        agent(f"{player}:net={name}", st.game(name.split("-")[0], **options.get(name, {})))


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"a": None}, "it lacks a"),
        ({"c": np.ones(1, dtype=np.float32)}, "it also has c"),
        ({"a": np.ones((3, 3), dtype=np.float32)}, "a is 3 by 3, not 3 by n"),
        ({"a": np.ones((2, 2), dtype=np.float32)}, "a is 2 by 2, not 3 by n"),
        ({"a": np.ones((3, 2, 1), dtype=np.float32)}, "a is 3 by 2 by 1"),
        ({"b": np.ones(4, dtype=np.float32)}, "b is 4, not 2"),
        ({"b": np.ones((), dtype=np.float32)}, "b is a single number, not 2"),
        ({"a": np.ones((3, 2))}, "a holds float64, not float32"),
        ({"a": np.full((3, 2), np.nan, dtype=np.float32)}, "no finite numbers"),
        ({"a": np.full((3, 2), 1e5, dtype=np.float32)}, "a has weights beyond 10000"),
        ({"b": np.full(2, -2.0, dtype=np.float32)}, "b has weights beyond 1"),
    ],
)
def test_what_has_another_layout_is_refused(wrong: dict[str, np.ndarray | None], reason: str) -> None:
    assert SMALL.fit(FITS, "it") == FITS
    arrays = {name: array for name, array in {**FITS, **wrong}.items() if array is not None}
    with pytest.raises(BadWeights, match=f"'it' is no toy: .*{reason}.*; use another"):
        SMALL.fit(arrays, "it")


def test_damaged_and_foreign_files_are_refused(tmp_path: Path) -> None:
    write_network(tmp_path, "net", FITS, {})
    assert network("net", SMALL, tmp_path)["a"].shape == (3, 2)
    (tmp_path / "net.safetensors").write_bytes(b"x")
    with pytest.raises(BadWeights, match="there is no network 'other'"):
        network("other", SMALL, tmp_path)
    with pytest.raises(BadWeights, match="there is no network"):
        read_net("x" * 5000)
    (tmp_path / "net.json").write_text("[]")
    with pytest.raises(BadWeights, match="no card of a network"):
        network("net", SMALL, tmp_path)


def test_a_file_that_was_changed_is_read_anew(tmp_path: Path) -> None:
    for value in (1.0, 0.5):
        write_network(tmp_path, "net", {**FITS, "b": np.full(2, value, dtype=np.float32)}, {})
        assert network("net", SMALL, tmp_path)["b"].tolist() == [value, value]
    (tmp_path / "net.json").write_text(json.dumps({"sha256": "0"}))
    with pytest.raises(BadWeights, match="install the package anew"):
        network("net", SMALL, tmp_path)


def test_what_is_exported_is_a_network() -> None:
    from stammtisch.learning.export import policy_network, value_network

    arrays = new_net(4, 2, 1)._asdict()
    for export in (value_network, partial(policy_network, inputs=3, actions=2, name="it")):
        with pytest.raises(StammtischError, match="this network' is no"):
            export({**arrays, "last": arrays["last"][:-1]})
    assert LAYOUT.fit(arrays, "it")


def test_damaged_networks_are_one_sentence_each(tmp_path: Path) -> None:
    found = damage.meet(90, 1, tmp_path)
    for kind, counts in found.items():
        assert set(counts) <= {"refused", "played"}, (kind, counts)
        assert counts["refused"], kind


@pytest.mark.slow
def test_two_thousand_damaged_networks_with_checked_indices(tmp_path: Path, bounds: dict[str, str]) -> None:
    found = subprocess.run(
        [sys.executable, damage.__file__, "2000", "2", str(tmp_path)], text=True, capture_output=True, env=bounds
    )
    assert found.returncode == 0 and found.stderr == "" and "foreign" not in found.stdout, found.stdout + found.stderr
    assert all(f"{kind} {{" in found.stdout for kind in damage.KINDS)
