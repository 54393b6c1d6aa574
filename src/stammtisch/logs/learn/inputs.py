"""The inputs of the second document for each decision, computed from the 375 that a dataset holds."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stammtisch.games.tichu.combinations import KINDS, LENGTH_OF, TYPE_OF
from stammtisch.games.tichu.features import BLOCKS

Matrix = NDArray[np.float32]

_STARTS = dict(zip(BLOCKS, np.cumsum([0, *BLOCKS.values()]).tolist(), strict=False))


def block(inputs: Matrix, name: str) -> Matrix:
    """The columns of one block of the 375 inputs, such as ``hand_cards``."""
    return inputs[:, _STARTS[name] : _STARTS[name] + BLOCKS[name]]


def decision_inputs(inputs: Matrix, decision: str) -> Matrix:
    """What ``features.decision_inputs`` gives, for many rows: 248 for a play, fewer for a call, a wish, the dragon.

    The points need the scaling of observations (hundreds).
    """
    kind, thermometer = np.split(block(inputs, "trick_combination"), [KINDS], axis=1)
    types, lengths = np.eye(8, dtype=np.float32)[TYPE_OF], np.eye(15, dtype=np.float32)[LENGTH_OF]
    calls = block(inputs, "announcements")
    held = block(inputs, "count_hand_cards").reshape(-1, 4, 14).sum(axis=2) / np.float32(14)
    parts = [
        block(inputs, "hand_cards"),
        block(inputs, "given_schupf_cards"),
        held,
        block(inputs, "played_cards"),
        calls[:, 3:] if decision == "announce" else calls,
    ]
    if decision != "wish":
        parts.append(block(inputs, "wish"))
    if decision != "dragon":
        parts += [block(inputs, "trick_owner"), kind @ types, kind @ lengths, _one_hot(thermometer)]
    parts += [block(inputs, "trick_points"), block(inputs, "points")]
    if decision != "announce":
        parts.append(block(inputs, "winner"))
    return np.concatenate(parts, axis=1)


def early_inputs(inputs: Matrix) -> Matrix:
    """What ``features.early_inputs`` gives: the hand and the others' calls, for calls before play and for schupfing."""
    return np.concatenate([block(inputs, "hand_cards"), block(inputs, "announcements")[:, 3:]], axis=1)


def _one_hot(thermometer: Matrix) -> Matrix:
    """A thermometer of n lights as one of n + 1 values."""
    ends = np.ones((len(thermometer), 1), dtype=np.float32)
    return np.concatenate([ends, thermometer], axis=1) - np.concatenate([thermometer, 0 * ends], axis=1)
