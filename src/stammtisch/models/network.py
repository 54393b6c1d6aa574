"""Networks in batches: observations and masks in, preferences and values out, thousands of positions at once.

A network says how much its deciding seat prefers every action number (as logarithms), and what this seat will still
gain on the others, as a part of the range of scores. That is what ``stammtisch train ppo`` learns in any game. Two
kinds of files play: ``.safetensors`` with a card, as our own runs write them, run by NumPy; and ``.onnx`` from
anywhere, with an input of observations and the outputs ``preferences`` and ``points``, as our own runs write them too.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.game import Game, GameSpec
from stammtisch.models.cards import MOST_BYTES, BadWeights, Layout, Weights, card, network

Floats = NDArray[np.float32]
ONNX = ".onnx"
OUTPUTS = ("preferences", "points")
OUT_OF_QUESTION = np.float32(-1e9)  # the preference of what is not legal
ADVICE = "take one that was trained for this game and these options"


class Network(Protocol):
    """Who judges positions in batches."""

    def judge(self, observations: Floats, masks: NDArray[np.bool_]) -> tuple[Floats, Floats]:
        """Preferences (n, numbers), those of illegal numbers far below all others, and values (n)."""


def read_network(name: str, game: Game) -> Network:
    """The network in this file, if it is made for such a game."""
    if name.endswith(ONNX):
        return OnnxNetwork(Path(name), game.spec)
    config = card(name).get("config")
    taught = config.get("game", game.info.name) if isinstance(config, dict) else game.info.name
    if taught != game.info.name:
        raise BadWeights(f"'{name}' was taught {taught}, not {game.info.name}; {ADVICE}")
    return LayeredNetwork(network(name, layers(game.spec.observation_size, game.spec.numbers)))


def layers(inputs: int, actions: int) -> Layout:
    """Two shared layers and two heads: the networks of PPO."""
    shapes: dict[str, tuple[int | str, int | str]] = {
        "one": ("units", inputs),
        "two": ("units", "units"),
        "policy": (actions, "units"),
        "value": (1, "units"),
    }
    return Layout(
        title=f"network for {inputs} observations and {actions} actions",
        shapes={
            **{f"{layer}.weight": shape for layer, shape in shapes.items()},
            **{f"{layer}.bias": shape[:1] for layer, shape in shapes.items()},
        },
        advice=ADVICE,
    )


class LayeredNetwork:
    """A network of PPO, run by NumPy."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights

    def judge(self, observations: Floats, masks: NDArray[np.bool_]) -> tuple[Floats, Floats]:
        hidden = observations
        for layer in ("one", "two"):
            hidden = np.maximum(self._after(layer, hidden), 0.0)
        return np.where(masks, self._after("policy", hidden), OUT_OF_QUESTION), self._after("value", hidden)[:, 0]

    def _after(self, layer: str, hidden: Floats) -> Floats:
        return hidden @ self._weights[f"{layer}.weight"].T + self._weights[f"{layer}.bias"]


class OnnxNetwork:
    """A network from anywhere, run by onnxruntime on one thread."""

    def __init__(self, path: Path, spec: GameSpec) -> None:
        import onnxruntime

        try:
            if path.stat().st_size > MOST_BYTES:
                raise BadWeights(f"{path} is larger than any network here: name another file")
            content = path.read_bytes()
        except OSError as error:
            raise BadWeights(f"{path} cannot be read ({error.strerror}): name another file") from None
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4
        try:
            self._session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # the library has many
            raise BadWeights(f"{path} is no ONNX network that can be run: {str(error)[:60]}") from None
        self._check(path, spec)

    def _check(self, path: Path, spec: GameSpec) -> None:
        """Try it on two positions of nothing, whatever it says of itself."""
        inputs, outputs = self._session.get_inputs(), {one.name for one in self._session.get_outputs()}
        if len(inputs) != 1 or not outputs.issuperset(OUTPUTS):
            raise BadWeights(f"{path}: one input of observations is expected, and the outputs {' and '.join(OUTPUTS)}")
        self._input = inputs[0].name
        try:
            preferences, values = self._run(np.zeros((2, spec.observation_size), dtype=np.float32))
        except Exception:  # of the library: other shapes or types
            raise BadWeights(
                f"{path} does not take {spec.observation_size} observations a position; {ADVICE}"
            ) from None
        if preferences.shape != (2, spec.numbers) or values.shape != (2,):
            raise BadWeights(f"{path} is made for other actions: this game has {spec.numbers} numbers; {ADVICE}")

    def _run(self, observations: Floats) -> tuple[Any, Any]:
        preferences, values = self._session.run(list(OUTPUTS), {self._input: observations})
        values = np.asarray(values, dtype=np.float32)
        return np.asarray(preferences, dtype=np.float32), values[:, 0] if values.shape[1:] == (1,) else values

    def judge(self, observations: Floats, masks: NDArray[np.bool_]) -> tuple[Floats, Floats]:
        preferences, values = self._run(observations)
        told = np.nan_to_num(preferences, nan=0.0, posinf=1e4, neginf=-1e4)
        return np.where(masks, told, OUT_OF_QUESTION), np.nan_to_num(values, nan=0.0, posinf=1.0, neginf=-1.0)
