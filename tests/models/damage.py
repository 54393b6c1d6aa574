"""Damaged networks: what can be wrong with a file of weights and its card, made at random.

``python damage.py N SEED FOLDER`` meets N of them, in turns for every loader, and prints what became of them. Run in a
process of its own with NUMBA_BOUNDSCHECK=1 it also sees every index that is out of bounds.
"""

import hashlib
import json
import struct
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from safetensors.numpy import save

import stammtisch as st
from stammtisch.agents.catalog import agent
from stammtisch.agents.chameleon import net as search_net
from stammtisch.agents.chameleon import td
from stammtisch.agents.clever import net as value_net
from stammtisch.agents.clever import ppo
from stammtisch.core.errors import StammtischError
from stammtisch.core.game import Game
from stammtisch.core.rng import stream
from stammtisch.learning.bootstrap import Config as SearchConfig
from stammtisch.learning.bootstrap import SearchLearner
from stammtisch.learning.checkpoints import BadCheckpoint, write_checkpoint
from stammtisch.learning.td0 import Config as TdConfig
from stammtisch.learning.td0 import Td0Learner
from stammtisch.learning.training import Recipe, Run

Arrays = dict[str, NDArray[Any]]


def ppo_arrays() -> Arrays:
    shapes = {
        name: [4 if size == "units" else int(size) for size in shape] for name, shape in ppo.LAYOUT.shapes.items()
    }
    return {name: np.full(shape, 0.1, dtype=np.float32) for name, shape in shapes.items()}


NETWORKS: dict[str, tuple[str, Game, Callable[[], Arrays]]] = {
    "value": ("value:net=", st.game("clever"), lambda: value_net.new_net(6, 3, 1)._asdict()),
    "ppo": ("ppo:net=", st.game("clever"), ppo_arrays),
    "td": ("td:net=", st.game("chameleon", players="RY"), lambda: td.new_net("pawns", 5, 1)._asdict()),
    "search": (
        "best:depth=1,net=",
        st.game("chameleon", players="RY"),
        lambda: search_net.new_net(1)._asdict(),
    ),
}
LEARNERS: dict[str, Callable[[], Any]] = {
    "run of td0": lambda: Td0Learner(TdConfig(hidden=4, games=4, games_per_step=1, evaluation_games=1, match_every=9)),
    "run of search": lambda: SearchLearner(
        SearchConfig(games=4, games_per_step=1, depth=1, memory=1000, batch=16, evaluation_games=2)
    ),
}
KINDS = (*NETWORKS, *LEARNERS)


def some_name(arrays: Arrays, rng: Generator) -> str:
    return str(rng.choice(sorted(arrays)))


def other_values(array: NDArray[Any], rng: Generator) -> NDArray[Any]:
    """The array with some other numbers in it."""
    worse = array.copy().reshape(-1)
    values = (np.nan, np.inf, -np.inf, 1e38, -1e38, 1e20, -1e5, 9e3, -9e3, 0.0)
    if array.dtype.kind in "iu":
        values = (-1, -2, 100, 127, -128, 5, 0, 1, 2, 3)
    if worse.size:
        worse[rng.integers(worse.size, size=3)] = np.array(rng.choice(values, 3)).astype(array.dtype)
    return worse.reshape(array.shape)


def damaged_array(array: NDArray[Any], rng: Generator) -> NDArray[Any]:
    """The array with something wrong."""
    shape = list(array.shape) or [1]
    axis = int(rng.integers(len(shape)))
    match rng.integers(9):
        case 0:
            shape[axis] = max(0, shape[axis] + int(rng.choice([-1, 1, 2, -shape[axis], 1 - shape[axis]])))
            return np.resize(array, shape).astype(array.dtype) if array.size else np.zeros(shape, dtype=array.dtype)
        case 1:
            return array.T.copy()
        case 2:
            return array.reshape(-1)
        case 3:
            return array[None]
        case 4:
            return np.zeros((), dtype=array.dtype)
        case 5:
            kinds = ("float16", "float64", "int8", "int32", "int64", "uint8", "bool", "uint16", "float32")
            return array.astype(str(rng.choice(kinds)))
        case 6 | 7:
            return other_values(array, rng)
    return np.zeros_like(array)


def damaged_arrays(arrays: Arrays, rng: Generator) -> Arrays:
    worse = dict(arrays)
    for _ in range(int(rng.integers(1, 3))):
        name = some_name(worse, rng)
        match rng.integers(8):
            case 0 if len(worse) > 1:
                del worse[name]
            case 1:
                worse["more" * int(rng.integers(1, 40))] = np.zeros(3, dtype=np.float32)
            case 2:
                worse[name + "s"] = worse.pop(name)
            case 3:
                other = some_name(worse, rng)
                worse[name], worse[other] = worse[other], worse[name]
            case _:
                worse[name] = damaged_array(worse[name], rng)
    return worse


def damaged_bytes(content: bytes, rng: Generator) -> bytes:
    """Bytes of the file changed, most often in its header."""
    worse = bytearray(content)
    header = 8 + struct.unpack("<Q", content[:8])[0]
    match rng.integers(6):
        case 0:
            return bytes(worse[: rng.integers(len(worse))])
        case 1:
            worse[:8] = struct.pack("<Q", int(rng.choice([0, 1, 2**40, 2**63, header, len(content)])))
        case 2:
            text = content[8:header].decode()
            text = text.replace("F32", str(rng.choice(["F64", "BF16", "F8_E4M3", "X", "I64", "U8"])), 1)
            return struct.pack("<Q", len(text.encode())) + text.encode() + content[header:]
        case 3:
            return bytes(worse) + bytes(int(rng.integers(1, 9)))
        case _:
            for _ in range(int(rng.integers(1, 4))):
                worse[int(rng.integers(8, header))] = int(rng.integers(256))
    return bytes(worse)


CARDS: tuple[Any, ...] = (
    None,
    5,
    [],
    "card",
    {"config": 5},
    {"config": {"players": 3}},
    {"config": {"players": []}},
    {"config": {"players": -1}},
    {"config": {"players": 10**400}},
    {"config": None},
    {},
)


def write_damaged(folder: Path, kind: str, rng: Generator) -> Path:
    """A damaged network of this kind, most often with a card that vouches for it."""
    _, _, new = NETWORKS[kind]
    arrays = new()
    if rng.random() < 0.1:
        arrays = NETWORKS[str(rng.choice(sorted(NETWORKS)))][2]()
    if rng.random() < 0.6:
        arrays = damaged_arrays(arrays, rng)
    content = save({name: np.ascontiguousarray(array) for name, array in arrays.items()})
    if rng.random() < 0.4:
        content = damaged_bytes(content, rng)
    file = folder / "net.safetensors"
    file.write_bytes(content)
    known: Any = {"config": {"players": 2}}
    if rng.random() < 0.15:
        known = CARDS[rng.integers(len(CARDS))]
    if isinstance(known, dict) and rng.random() < 0.95:
        known = {**known, "sha256": hashlib.sha256(content).hexdigest()}
    text = json.dumps(known).encode()
    if rng.random() < 0.03:
        text = text[: rng.integers(len(text))] + bytes([rng.integers(256)]) * int(rng.integers(2))
    file.with_suffix(".json").write_bytes(text)
    return file


def meet_network(folder: Path, kind: str, rng: Generator) -> str:
    """Load a damaged network, and play a move by it if it is taken."""
    name, game, _ = NETWORKS[kind]
    file = write_damaged(folder, kind, rng)
    state = game.new(seed=1)
    try:
        choice = agent(f"{name}{file}", game).choose(state.seat(0), stream(1))
    except StammtischError as error:
        assert len(str(error)) < 600 and "\n" not in str(error), error
        return "refused"
    assert choice.action in state.actions()
    return "played"


def meet_run(folder: Path, kind: str, rng: Generator) -> str:
    """Go on with a damaged run, and learn a little if it is taken."""
    recipe = Recipe("test", "", "td0", {})
    object.__setattr__(recipe, "new_learner", LEARNERS[kind])
    run = Run(recipe, folder, resume=True)
    learner = LEARNERS[kind]()
    config = dict(learner.config.__dict__)
    seconds = rng.choice([np.nan, np.inf, -1.0]) if rng.random() < 0.1 else 1.0
    about = {"config": config, "done": int(rng.choice([0, 1, 3])), "cpu_seconds": float(seconds)}
    kept = dict(learner.arrays())
    if rng.random() < 0.5:
        name = some_name(kept, rng)
        kept[name] = other_values(kept[name], rng)
    else:
        kept = damaged_arrays(kept, rng)
    write_checkpoint(folder, kept, about)
    try:
        taken = run.start()
    except BadCheckpoint:
        return "refused"
    taken.step()
    return "played"


def meet(n: int, seed: int, folder: Path, kinds: tuple[str, ...] = KINDS) -> dict[str, Counter[str]]:
    """What became of ``n`` damaged files, in turns for these loaders."""
    found = {kind: Counter[str]() for kind in kinds}
    for i in range(n):
        rng, kind = np.random.default_rng((seed, i)), kinds[i % len(kinds)]
        place = folder / f"{i}"
        place.mkdir(parents=True)
        try:
            with np.errstate(all="ignore"):
                found[kind][(meet_network if kind in NETWORKS else meet_run)(place, kind, rng)] += 1
        except BaseException as error:
            print(f"number {i}, {kind}: {type(error).__name__}: {error}", flush=True)
            found[kind][f"foreign {type(error).__name__}"] += 1
        for file in place.iterdir():
            file.unlink()
        place.rmdir()
    return found


if __name__ == "__main__":
    for kind, counts in meet(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])).items():
        print(kind, dict(counts), flush=True)
