"""Networks in batches, from our own runs and from anywhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import stammtisch as st
from stammtisch.agents.catalog import agent
from stammtisch.core.rng import stream
from stammtisch.learning.export import policy_network
from stammtisch.models.cards import BadWeights, Weights, write_network
from stammtisch.models.network import OUT_OF_QUESTION, layers, read_network

GAME = st.game("tictactoe")
INPUTS, ACTIONS = GAME.spec.observation_size, GAME.spec.numbers


def weights(inputs: int = INPUTS, actions: int = ACTIONS) -> Weights:
    rng, free = np.random.default_rng(1), {"units": 5}
    fields = layers(inputs, actions).fields(**free)
    return {name: rng.normal(size=shape).astype(np.float32) for name, _, shape in fields}


def written(folder: Path, arrays: Weights, game: str = "tictactoe") -> str:
    return str(write_network(folder, "mine", arrays, {"config": {"game": game}}).with_suffix(".safetensors"))


def exported(folder: Path, arrays: Weights) -> str:
    inputs, actions = arrays["one.weight"].shape[1], len(arrays["policy.bias"])
    path = folder / "mine.onnx"
    path.write_bytes(policy_network(arrays, inputs, actions, "mine"))
    return str(path)


def text_file(folder: Path, text: str) -> str:
    path = folder / "text.onnx"
    path.write_text(text)
    return str(path)


def test_both_kinds_of_files_say_the_same_of_many_positions(tmp_path: Path) -> None:
    rng, arrays = np.random.default_rng(2), weights()
    seen, masks = rng.random((500, INPUTS), dtype=np.float32), rng.random((500, ACTIONS)) < 0.5
    hidden = seen.astype(np.float64)
    for layer in ("one", "two"):
        hidden = np.maximum(hidden @ arrays[f"{layer}.weight"].T + arrays[f"{layer}.bias"], 0)
    liked = hidden @ arrays["policy.weight"].T + arrays["policy.bias"]
    for name in (written(tmp_path, arrays), exported(tmp_path, arrays)):
        preferences, values = read_network(name, GAME).judge(seen, masks)
        np.testing.assert_allclose(preferences[masks], liked[masks], rtol=1e-4, atol=1e-4)
        np.testing.assert_allclose(values, (hidden @ arrays["value.weight"].T + arrays["value.bias"])[:, 0], rtol=1e-4)
        assert (preferences[~masks] == OUT_OF_QUESTION).all()


def test_an_agent_plays_by_a_file(tmp_path: Path) -> None:
    arrays = weights()
    choices = []
    for name in (written(tmp_path, arrays), exported(tmp_path, arrays)):
        player = agent(f"guided:iterations=50,net={name}", GAME)
        choices.append(player.choose(GAME.new().seat(0), stream(1)))
    assert choices[0].action == choices[1].action


def test_nonsense_from_a_network_is_no_number_in_the_search(tmp_path: Path) -> None:
    broken = {name: np.full_like(array, np.nan) for name, array in weights().items()}
    with pytest.raises(BadWeights, match="no finite numbers"):
        policy_network(broken, INPUTS, ACTIONS, "broken")
    huge = {name: np.full_like(array, 9e3) for name, array in weights().items()}
    network = read_network(exported(tmp_path, huge), GAME)
    found = network.judge(np.full((1, INPUTS), 1e30, dtype=np.float32), np.ones((1, ACTIONS), dtype=np.bool_))
    assert np.isfinite(found[0]).all() and np.isfinite(found[1]).all()


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda at: written(at, weights(actions=7)), "is 7.*, not 9.*; take one that was trained for this game"),
        (lambda at: written(at, weights(), game="dmadn"), "was taught dmadn, not tictactoe; take one"),
        (lambda at: exported(at, weights(inputs=3)), "does not take 18 observations a position; take one"),
        (lambda at: exported(at, weights(actions=7)), "made for other actions: this game has 9 numbers; take one"),
        (lambda at: text_file(at, "no network"), "is no ONNX network that can be run"),
        (lambda at: text_file(at, ""), "is no ONNX network that can be run"),
        (lambda at: "clever-official", "is no network for 18 observations and 9 actions"),
        (lambda at: str(at / "none.onnx"), "cannot be read .*: name another file"),
        (lambda at: str(at / "none.safetensors"), "there is no network"),
    ],
)
def test_what_does_not_fit_is_one_sentence(make: Callable[[Path], str], sentence: str, tmp_path: Path) -> None:
    with pytest.raises(BadWeights, match=sentence) as found:
        agent(f"guided:net={make(tmp_path)}", GAME)
    assert "\n" not in str(found.value)
