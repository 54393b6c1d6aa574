"""Training as software: recipes, checkpoints, runs that go on as if never stopped."""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stammtisch as st
from stammtisch.agents.catalog import agent
from stammtisch.core.errors import BadOption, MissingExtra, StammtischError
from stammtisch.core.rng import stream
from stammtisch.learning.checkpoints import BadCheckpoint, read_checkpoint, write_checkpoint
from stammtisch.learning.conformance import broken_promises
from stammtisch.learning.learner import learner_class
from stammtisch.learning.metrics import Metrics, curve, strength
from stammtisch.learning.settings import check_settings
from stammtisch.learning.training import Recipe, Run, UnknownRecipe, read_recipe, recipes

RECIPES: dict[str, dict[str, Any]] = {
    "afterstate": {"games": 60, "games_per_step": 10, "batch": 32, "wide": 16, "narrow": 8, "evaluation_games": 5},
    "ppo": {"steps": 384, "envs": 8, "horizon": 8, "batch": 32, "units": 16, "evaluation_games": 4},
    "search": {"games": 12, "games_per_step": 2, "depth": 2, "memory": 2000, "batch": 32, "evaluation_games": 6},
    "td0": {"games": 60, "games_per_step": 10, "hidden": 8, "match_every": 30, "evaluation_games": 4},
    "thesis": {
        "stages": [[192, 0.1], [192, 0.0]],
        "envs": 4,
        "horizon": 16,
        "batch": 32,
        "layers": 1,
        "units": 16,
        "evaluation_games": 4,
    },
}


def recipe(learner: str, **settings: Any) -> Recipe:
    return Recipe("test", "a test", learner, {**RECIPES[learner], **settings})


@pytest.mark.parametrize("learner", RECIPES)
def test_every_learner_keeps_the_promises(learner: str, tmp_path: Path) -> None:
    """Above all: a resumed run equals an uninterrupted one bit for bit."""
    assert broken_promises(recipe(learner), tmp_path) == []


def test_a_run_leaves_a_network_a_card_and_a_curve(tmp_path: Path) -> None:
    card = Run(recipe("afterstate"), tmp_path, looks=3, final_games=20).train()
    known = json.loads(card.read_text())
    assert known["strength"]["games"] == 20
    assert known["strength"]["ci95"][0] < known["strength"]["mean"] < known["strength"]["ci95"][1]
    assert {"command", "config", "seed", "cpu_hours", "data", "sha256"} <= set(known)
    assert (tmp_path / "test.onnx").stat().st_size > 10_000
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert len((tmp_path / "metrics.jsonl").read_text().splitlines()) == 3


def test_a_run_is_neither_overwritten_nor_continued_with_other_settings(tmp_path: Path) -> None:
    Run(recipe("afterstate"), tmp_path, looks=1, final_games=4).train()
    with pytest.raises(BadCheckpoint, match="--resume"):
        Run(recipe("afterstate"), tmp_path).train()
    with pytest.raises(BadCheckpoint, match=r"other settings \(seed = 1\): use those"):
        Run(recipe("afterstate", seed=9), tmp_path, resume=True).train()
    with pytest.raises(BadCheckpoint, match="without --resume"):
        Run(recipe("afterstate"), tmp_path / "nothing", resume=True).train()


def test_a_damaged_checkpoint_is_refused(tmp_path: Path) -> None:
    write_checkpoint(tmp_path, {"a": np.arange(3)}, {"done": 1})
    write_checkpoint(tmp_path, {"a": np.arange(4)}, {"done": 2})
    (file,) = tmp_path.glob("state-*.safetensors")
    arrays, about = read_checkpoint(tmp_path)
    assert arrays["a"].tolist() == [0, 1, 2, 3] and about["done"] == 2
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(BadCheckpoint, match="damaged"):
        read_checkpoint(tmp_path)


def test_every_recipe_can_be_read_and_its_settings_exist() -> None:
    assert {"clever-official", "clever-small", "clever-ppo", "clever-thesis-ppo"} <= set(recipes())
    for name in recipes():
        found = read_recipe(name)
        assert found.about
        made = learner_class(found.learner, name)
        check_settings(found.config, made.settings(found.config), name, found.learner)


def test_mistakes_in_recipes_are_explained(tmp_path: Path) -> None:
    with pytest.raises(UnknownRecipe, match="did you mean clever-small"):
        read_recipe("clever-smal")
    with pytest.raises(BadOption, match="'gmes' is no setting of afterstate, which learns clever; did you mean games"):
        recipe("afterstate", gmes=3).new_learner()
    with pytest.raises(BadOption, match="games = 'many'"):
        recipe("afterstate", games="many").new_learner()
    own = tmp_path / "own.toml"
    own.write_text('learner = "magic"')
    with pytest.raises(StammtischError, match="afterstate, pins-value, ppo, search, td0, thesis, tichu"):
        read_recipe(str(own))
    own.write_text("learner = ")
    with pytest.raises(StammtischError, match="not TOML"):
        read_recipe(str(own))


def test_the_thesis_settings_are_the_default_of_its_recipe() -> None:
    from stammtisch.learning.thesis import Config

    config = Config(**read_recipe("clever-thesis-ppo-full").config)
    assert (config.layers, config.units, config.discount, config.rate) == (7, 1024, 1.0, 0.0006)
    assert (config.clip, config.envs, config.envs * config.horizon, config.epochs, config.batch) == (
        0.2,
        32,
        2048,
        5,
        128,
    )
    assert [entropy for _, entropy in config.stages] == [0.1, 0.0] * 3


def test_numbers_beyond_the_last_checkpoint_are_forgotten(tmp_path: Path) -> None:
    metrics = Metrics(tmp_path, 0, tensorboard=False)
    for done in (10, 20, 30):
        metrics.add(done, {"score": done})
    assert [row["done"] for row in Metrics(tmp_path, 20, tensorboard=False).rows] == [10, 20]


def test_numbers_also_go_to_tensorboard(tmp_path: Path) -> None:
    metrics = Metrics(tmp_path, 0, tensorboard=True)
    metrics.add(10, {"score": 1.0})
    metrics.close()
    assert list((tmp_path / "tensorboard").glob("events*"))


def test_strength_has_an_interval_and_shares() -> None:
    found = strength(np.array([150.0, 250.0, 290.0, 300.0]), (200, 280))
    assert (found["mean"], found["median"], found["above_280"], found["below_200"]) == (247.5, 270.0, 0.5, 0.25)
    assert curve([{"done": 1, "score": 2.0}, {"done": 2, "score": 3.0}], "games", ("score",), "t").startswith(
        b"\x89PNG"
    )


@pytest.mark.parametrize(
    ("learner", "setting", "value"),
    [
        ("afterstate", "games", 0),
        ("afterstate", "games_per_step", 0),
        ("afterstate", "batch", 100_000),
        ("afterstate", "rate", float("nan")),
        ("afterstate", "rate", -1.0),
        ("afterstate", "trace", 7),
        ("afterstate", "averaging", 2.0),
        ("afterstate", "window", -1),
        ("afterstate", "wide", 0),
        ("afterstate", "seed", -1),
        ("afterstate", "seed", 10**9),
        ("afterstate", "evaluation_games", 0),
        ("afterstate", "rules", "prototype"),
        ("td0", "hidden", 0),
        ("td0", "match_every", 0),
        ("search", "depth", 0),
        ("search", "memory", 0),
        ("thesis", "layers", 0),
        ("thesis", "stages", []),
        ("thesis", "stages", 5),
        ("thesis", "stages", [[1000]]),
        ("thesis", "stages", [["a", "b"]]),
    ],
)
def test_settings_that_teach_nothing_are_refused_by_name(learner: str, setting: str, value: Any) -> None:
    with pytest.raises(BadOption, match=setting):
        recipe(learner, **{setting: value}).new_learner()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("learner = 'td0'\n[confg]\ngames = 5", "confg"),
        ("learner = 'td0'\ngames = 5", "games"),
        ("learner = 'td0'\nabuot = 'x'", "did you mean about"),
        ("learner = 'td0'\nconfig = 5", "config is a table"),
        ("learner = ['td0']", "learner = one of"),
    ],
)
def test_a_recipe_with_a_mistake_is_refused(tmp_path: Path, text: str, reason: str) -> None:
    file = tmp_path / "own.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(StammtischError, match=reason):
        read_recipe(str(file))
    file.write_bytes(b"about = '\xff\xfe'")
    with pytest.raises(StammtischError, match="UTF-8"):
        read_recipe(str(file))


def test_the_card_names_the_command_that_was_given(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text("learner = 'td0'\n[config]\ngames_per_step = 10\nhidden = 8\n", encoding="utf-8")
    own = read_recipe(str(file), {"games": 20, "match_every": 10, "evaluation_games": 2})
    card = json.loads(Run(own, tmp_path / "run", looks=1, final_games=2).train().read_text(encoding="utf-8"))
    assert card["command"] == f"stammtisch train {file} --set games=20 --set match_every=10 --set evaluation_games=2"


@pytest.mark.parametrize("content", [b"[1, 2]", b"5", b"\xff\xfe", b"{}", b'{"arrays": 3, "sha256": ""}'])
def test_a_damaged_checkpoint_is_one_sentence(tmp_path: Path, content: bytes) -> None:
    Run(recipe("td0"), tmp_path, looks=1, final_games=2).train()
    (tmp_path / "checkpoint.json").write_bytes(content)
    with pytest.raises(BadCheckpoint, match="damaged; delete the folder, or name another --out"):
        Run(recipe("td0"), tmp_path, resume=True).start()


@pytest.mark.parametrize("torn", [b'{"done": 12', b"\0\0\0", b"{}\n", b"\xff"])
def test_a_line_of_numbers_that_was_not_written_to_its_end_is_left_out(tmp_path: Path, torn: bytes) -> None:
    metrics = Metrics(tmp_path, 0, tensorboard=False)
    metrics.add(10, {"score": 1.0})
    with metrics.path.open("ab") as file:
        file.write(torn)
    assert Metrics(tmp_path, 20, tensorboard=False).rows == [{"done": 10, "score": 1.0}]


def test_an_own_network_plays_where_an_agent_is_named(tmp_path: Path) -> None:
    Run(recipe("td0"), tmp_path, looks=1, final_games=2).train()
    game = st.game("chameleon", players="RY")
    state = game.new(seed=1)
    own = agent(f"td:net={tmp_path / 'test.safetensors'}", game).choose(state.seat(0), stream(1))
    ours = agent("td", game).choose(state.seat(0), stream(1))
    assert [one.value for one in own.analysis] != [one.value for one in ours.analysis]
    with pytest.raises(StammtischError, match="no value network of clever"):
        agent(f"value:net={tmp_path / 'test.safetensors'}", st.game("clever"))
    with pytest.raises(StammtischError, match="was taught with 2 players, this game has 3"):
        agent(f"td:net={tmp_path / 'test.safetensors'}", st.game("chameleon", players=3))
    with pytest.raises(StammtischError, match="those of the plan play as td:net="):
        agent(f"best:net={tmp_path / 'test.safetensors'}", game)
    with pytest.raises(StammtischError, match="evaluation=hand asks no network"):
        agent(f"best:net={tmp_path / 'test.safetensors'},evaluation=hand", game)
    for wrong in (tmp_path / "none.safetensors", tmp_path, "chameleon-td0-9"):
        with pytest.raises(StammtischError, match="there is no network .* of 'stammtisch train', or one of chameleon"):
            agent(f"td:net={wrong}", game)
    (tmp_path / "test.json").unlink()
    with pytest.raises(StammtischError, match="the card of network .* cannot be read"):
        agent(f"td:net={tmp_path / 'test.safetensors'}", game)


def test_a_recipe_without_its_packages_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "stammtisch.learning.ppo", raising=False)
    with pytest.raises(
        MissingExtra, match="recipe clever-ppo needs the extra 'lab', which is not installed: make setup"
    ):
        read_recipe("clever-ppo").new_learner()
