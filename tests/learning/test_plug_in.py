"""The learner of docs/add-a-learner.md, as a package of its own: found, trained, stopped, continued, exported."""

import doctest
import importlib
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from safetensors.numpy import load_file

from commands import json_of, output_of, run
from stammtisch.learning import learner as finding
from stammtisch.learning.conformance import broken_promises
from stammtisch.learning.training import Run, read_recipe

PAGE = (Path(__file__).parent.parent.parent / "docs" / "add-a-learner.md").read_text(encoding="utf-8")
ONNX = """
    def onnx(self):
        from onnx import helper, numpy_helper

        kept = [numpy_helper.from_array(self.values, "kept")]
        output = helper.make_tensor_value_info("values", 11, [9])
        graph = helper.make_graph([helper.make_node("Identity", ["kept"], ["values"])], "openings", [], [output], kept)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
        return model.SerializeToString()
"""


def block(before: str) -> str:
    """The page's block of TOML with these words."""
    return next(text for text in re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL) if before in text)


@pytest.fixture
def plug_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder as an installer leaves it: the package, its recipes, and what it announces."""
    site = tmp_path / "site"
    (site / "my_learners" / "recipes").mkdir(parents=True)
    (site / "my_learners-1.dist-info").mkdir()
    examples = doctest.DocTestParser().get_examples(PAGE)
    code = "".join(one.source for one in examples if re.match(r"import |from |@|class ", one.source))
    (site / "my_learners" / "__init__.py").touch()
    (site / "my_learners" / "openings.py").write_text(code + ONNX, encoding="utf-8")
    (site / "my_learners" / "recipes" / "tictactoe-openings.toml").write_text(block("about"), encoding="utf-8")
    announced = re.sub(r'project\.entry-points\."(.+)"', r"\1", block("stammtisch.learners")).replace('"', "")
    (site / "my_learners-1.dist-info" / "entry_points.txt").write_text(announced, encoding="utf-8")
    (site / "my_learners-1.dist-info" / "METADATA").write_text("Name: my_learners\nVersion: 1\n", encoding="utf-8")
    monkeypatch.syspath_prepend(site)
    finding.learners.cache_clear()
    yield tmp_path
    forget()


def forget() -> None:
    for module in ("my_learners", "my_learners.openings"):
        sys.modules.pop(module, None)
    finding.learners.cache_clear()
    importlib.invalidate_caches()


def test_it_is_trained_stopped_continued_and_exported(plug_in: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "openings" in {one["name"] for one in json_of(capsys, "learners")}
    assert {"name": "tictactoe-openings", "learner": "openings", "about": "How to begin"} in json_of(capsys, "recipes")
    folder = plug_in / "run"
    command = (
        "train",
        "tictactoe-openings",
        "--set",
        "rate=0.05",
        "--out",
        str(folder),
        "--looks",
        "5",
        "--games",
        "50",
    )
    stopped = Run(read_recipe("tictactoe-openings", {"rate": 0.05}), folder, looks=5, report=pull_the_plug)
    with pytest.raises(ZeroDivisionError):
        stopped.train()
    assert json.loads((folder / "checkpoint.json").read_text())["done"] == 8000
    assert run(*command) == 2  # there is a run already
    assert "--resume" in capsys.readouterr().err
    card = json.loads(output_of(capsys, *command, "--resume").partition("\n")[2])
    assert card["config"] == {"games": 20_000, "rate": 0.05, "seed": 1}
    assert card["strength"]["games"] == 50
    values = load_file(folder / "tictactoe-openings.safetensors")["values"]
    assert values.argmax() == 4
    session = onnxruntime.InferenceSession(folder / "tictactoe-openings.onnx")
    np.testing.assert_array_equal(session.run(None, {})[0], values)


def pull_the_plug(done: int, total: int, numbers: object) -> None:
    if done > total // 2:
        raise ZeroDivisionError


def test_it_keeps_the_promises(plug_in: Path) -> None:
    assert broken_promises(read_recipe("openings", {"games": 800}), plug_in / "runs") == []


def test_its_settings_are_shown_and_checked_as_ours_are(plug_in: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = json_of(capsys, "learners", "openings")["settings"]
    assert shown[1] == {"name": "rate", "default": 0.1, "help": "of learning", "expects": "a number from 0.0 to 1.0"}
    for setting, sentence in {
        "rate=2": "recipe openings: rate = 2, but it is a number from 0.0 to 1.0",
        "rat=2": "recipe openings: 'rat' is no setting of openings, which learns tictactoe; did you mean rate",
        "game=clever": "recipe openings: 'game' is no setting of openings, which learns tictactoe; did you mean games",
    }.items():
        assert run("train", "openings", "--set", setting) == 2
        error = capsys.readouterr().err
        assert sentence in error and error.count("\n") == 1


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("import no_such_package", "cannot be loaded (No module named 'no_such_package'); ask those who made it"),
        ("OpeningLearner = 5", "my_learners.openings:OpeningLearner is no class made from stammtisch.learning.learner"),
    ],
)
def test_a_plug_in_that_is_broken_is_one_sentence_and_the_others_go_on(
    plug_in: Path, capsys: pytest.CaptureFixture[str], code: str, sentence: str
) -> None:
    (plug_in / "site" / "my_learners" / "openings.py").write_text(code, encoding="utf-8")
    assert run("train", "openings") == 2
    error = capsys.readouterr().err
    assert sentence in error and error.count("\n") == 1
    listed = {one["name"]: one["summary"] for one in json_of(capsys, "learners")}
    assert sentence in listed["openings"] and "PPO" in listed["ppo"]
