"""The generator: portable, uniform, and reproducible streams."""

import json
import os
import shutil
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from stammtisch.core import rng as random


def reference_sfc32(words: list[int]) -> int:
    """sfc32 as its author states it, in plain integers."""
    a, b, c, counter = words
    mask = 0xFFFFFFFF
    result = (a + b + counter) & mask
    words[:] = [b ^ (b >> 9), (c + (c << 3)) & mask, (((c << 21) | (c >> 11)) + result) & mask, (counter + 1) & mask]
    return result


@given(some.lists(some.integers(0, 2**32 - 1), min_size=4, max_size=4))
def test_next32_is_sfc32(words: list[int]) -> None:
    rng = np.array(words, dtype=np.int64)
    for _ in range(20):
        assert random.next32(rng) == reference_sfc32(words)


@pytest.mark.parametrize("n", [1, 2, 3, 6, 52, 56, 1000])
def test_below_is_uniform(n: int) -> None:
    rng = random.stream(11)
    draws = 200 * n
    counts = np.bincount([random.below(rng, n) for _ in range(draws)], minlength=n)
    assert len(counts) == n
    chi_square = ((counts - 200) ** 2 / 200).sum()
    assert chi_square < n + 6 * np.sqrt(2 * n) + 6  # about six standard deviations


def test_below_rejects_what_would_be_biased() -> None:
    """With n just over 2**30 a plain product would give some values 4 chances in 2**32 and others 3."""
    n, rng = 3 * 2**29, random.stream(5)
    low = sum(random.below(rng, n) % 3 == 0 for _ in range(30_000))
    assert abs(low - 10_000) < 500


def test_uniform_stays_below_one() -> None:
    rng = random.stream(1)
    numbers = [random.uniform(rng) for _ in range(10_000)]
    assert min(numbers) >= 0 and max(numbers) < 1
    assert abs(np.mean(numbers) - 0.5) < 0.02


def test_every_order_of_a_shuffle_is_equally_likely() -> None:
    rng, counts = random.stream(2), dict[tuple[int, ...], int]()
    for _ in range(12_000):
        items = np.arange(4)
        random.shuffle(rng, items, 4)
        counts[tuple(items)] = counts.get(tuple(items), 0) + 1
    assert len(counts) == 24
    assert all(abs(count - 500) < 150 for count in counts.values())


@given(some.integers(0, 2**80), some.lists(some.integers(0, 2**62), max_size=3))
def test_same_seed_and_path_same_stream(seed: int, path: list[int]) -> None:
    assert (random.stream(seed, *path) == random.stream(seed, *path)).all()


@given(some.integers(0, 2**62), some.integers(0, 2**62), some.integers(0, 2**62))
def test_different_paths_different_streams(seed: int, a: int, b: int) -> None:
    if a != b:
        assert (random.stream(seed, a) != random.stream(seed, b)).any()
        assert (random.stream(a) != random.stream(b)).any()


def test_rows_of_streams_are_the_single_streams() -> None:
    rows = random.streams(9, 50)
    for i in (0, 1, 49):
        assert (rows[i] == random.stream(9, i)).all()


def test_deriving_does_not_advance_the_parent() -> None:
    parent = random.stream(3)
    before = parent.copy()
    random.derive(np.empty(4, dtype=np.int64), parent, 7)
    assert (parent == before).all()


def test_a_negative_seed_is_refused() -> None:
    with pytest.raises(ValueError, match="0 or more"):
        random.stream(-1)


NUMBERS = "import json; from stammtisch.core import rng as r; s = r.stream(123456789012345678901, 4, 5); " + (
    "print(json.dumps([int(r.below(s, n)) for n in range(1, 60)] + [float(r.uniform(s))]))"
)


def test_same_numbers_without_compilation() -> None:
    def run(**environment: str) -> list[float]:
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", NUMBERS],
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            check=True,
        )
        numbers: list[float] = json.loads(done.stdout)
        return numbers

    assert run() == run(NUMBA_DISABLE_JIT="1")


SFC32_IN_JAVASCRIPT = """
let [a, b, c, n] = JSON.parse(process.argv[1]);
const out = [];
for (let i = 0; i < 10; i++) {
  const t = (a + b + n) >>> 0;
  n = (n + 1) >>> 0;
  a = (b ^ (b >>> 9)) >>> 0;
  b = (c + (c << 3)) >>> 0;
  c = (((c << 21) | (c >>> 11)) + t) >>> 0;
  out.push(t);
}
console.log(JSON.stringify(out));
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="compares with JavaScript where Node is installed")
def test_a_browser_can_compute_the_same_numbers() -> None:
    rng = random.stream(42)
    words = json.dumps([int(word) for word in rng])
    done = subprocess.run(["node", "-e", SFC32_IN_JAVASCRIPT, words], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [int(random.next32(rng)) for _ in range(10)]
