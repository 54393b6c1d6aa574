"""Exported networks say what the players think."""

import numpy as np
import onnxruntime
import pytest

import stammtisch as st
from stammtisch.agents.clever.net import new_desk, points_to_come, read_net
from stammtisch.agents.clever.sight import BUCKETS, FIRST, SIZES, SLOTS
from stammtisch.learning.export import policy_network, value_network


def test_the_value_network_as_onnx_agrees_with_the_compiled_one() -> None:
    rng = np.random.default_rng(1)
    net = read_net("clever-official")
    answers = FIRST + rng.integers(0, np.array(SIZES), size=(100, SLOTS))
    buckets = rng.integers(0, BUCKETS, 100)
    session = onnxruntime.InferenceSession(value_network(net._asdict()))
    (points,) = session.run(None, {"answers": answers.astype(np.int64), "bucket": buckets})
    desk = new_desk(net)
    for one, bucket, expected in zip(answers, buckets, points, strict=True):
        desk.answers[:] = one
        assert points_to_come(net, desk, bucket) == pytest.approx(float(expected), abs=0.01)


def test_the_policy_network_as_onnx_agrees_with_plain_numpy() -> None:
    rng = np.random.default_rng(2)
    size = st.game("clever").spec.observation_shape[0]
    shapes = {"one": (16, size), "two": (16, 16), "policy": (247, 16), "value": (1, 16)}
    arrays = {f"{name}.weight": rng.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
    arrays |= {f"{name}.bias": rng.normal(size=shape[0]).astype(np.float32) for name, shape in shapes.items()}
    seen = rng.random((5, size), dtype=np.float32)
    session = onnxruntime.InferenceSession(policy_network(arrays, size, 247, "clever_ppo"))
    preferences, _ = session.run(None, {"observation": seen})
    hidden = seen
    for layer in ("one", "two"):
        hidden = np.maximum(hidden @ arrays[f"{layer}.weight"].T + arrays[f"{layer}.bias"], 0)
    expected = hidden @ arrays["policy.weight"].T + arrays["policy.bias"]
    np.testing.assert_allclose(preferences, expected, rtol=1e-3, atol=1e-3)
