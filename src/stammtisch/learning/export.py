"""Networks as ONNX, for other people's programs (extra ``lab``)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stammtisch.agents.clever.net import LAYOUT, SCALE
from stammtisch.agents.clever.sight import SLOTS
from stammtisch.core.errors import MissingExtra
from stammtisch.models.network import OUTPUTS, layers

try:
    import onnx
    from onnx import TensorProto, helper, numpy_helper
except ImportError:
    raise MissingExtra("ONNX needs") from None

OPSET, IR_VERSION = 17, 9  # old enough for every runtime of the last years


def value_network(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """The value network of clever: ``answers`` (n, SLOTS) and ``bucket`` (n), see agents/clever/sight.py, to points."""
    LAYOUT.fit(arrays, "this network")
    nodes = [
        helper.make_node("Gather", ["rows", "answers"], ["looked_up"]),
        helper.make_node("ReduceSum", ["looked_up", "slots"], ["first"], keepdims=0),
        helper.make_node("Relu", ["first"], ["first_out"]),
        helper.make_node("MatMul", ["first_out", "middle"], ["product"]),
        helper.make_node("Add", ["product", "middle_bias"], ["second"]),
        helper.make_node("Relu", ["second"], ["second_out"]),
        helper.make_node("Gather", ["last", "bucket"], ["head"]),
        helper.make_node("Mul", ["second_out", "head"], ["weighed"]),
        helper.make_node("ReduceSum", ["weighed", "slots"], ["sum"], keepdims=0),
        helper.make_node("Gather", ["last_bias", "bucket"], ["bias"]),
        helper.make_node("Add", ["sum", "bias"], ["units"]),
        helper.make_node("Mul", ["units", "scale"], ["points_to_come"]),
    ]
    constants = {**arrays, "slots": np.array([1], dtype=np.int64), "scale": np.array(SCALE, dtype=np.float32)}
    inputs = [
        helper.make_tensor_value_info("answers", TensorProto.INT64, ["n", SLOTS]),
        helper.make_tensor_value_info("bucket", TensorProto.INT64, ["n"]),
    ]
    return _model("clever_value", nodes, inputs, {"points_to_come": ["n"]}, constants)


def policy_network(arrays: Mapping[str, NDArray[Any]], inputs: int, actions: int, name: str) -> bytes:
    """The network of PPO: the full observation (n, inputs) to ``preferences`` (n, actions) and ``points`` (n, 1)."""
    layers(inputs, actions).fit(arrays, "this network")
    nodes = []
    before = "observation"
    for layer in ("one", "two"):
        nodes.append(helper.make_node("Gemm", [before, f"{layer}.weight", f"{layer}.bias"], [layer], transB=1))
        nodes.append(helper.make_node("Relu", [layer], [f"{layer}_out"]))
        before = f"{layer}_out"
    for layer, output in zip(("policy", "value"), OUTPUTS, strict=True):
        nodes.append(helper.make_node("Gemm", [before, f"{layer}.weight", f"{layer}.bias"], [output], transB=1))
    seen = [helper.make_tensor_value_info("observation", TensorProto.FLOAT, ["n", inputs])]
    outputs = dict(zip(OUTPUTS, (["n", actions], ["n", 1]), strict=True))
    return _model(name, nodes, seen, outputs, arrays)


def _model(
    name: str,
    nodes: list[Any],
    inputs: list[Any],
    outputs: Mapping[str, list[Any]],
    constants: Mapping[str, NDArray[Any]],
) -> bytes:
    results = [helper.make_tensor_value_info(output, TensorProto.FLOAT, shape) for output, shape in outputs.items()]
    kept = [numpy_helper.from_array(np.ascontiguousarray(array), key) for key, array in sorted(constants.items())]
    graph = helper.make_graph(nodes, name, inputs, results, kept)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)
    onnx.checker.check_model(model)
    content: bytes = model.SerializeToString()
    return content
