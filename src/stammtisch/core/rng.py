"""A small portable random generator that runs inside compiled rules.

The algorithm is sfc32 (Chris Doty-Humphrey's "small fast chaotic" generator, 32 bit): four 32-bit
words, additions, shifts and xors only. It is written in int64 arithmetic that never overflows, so
compiled code, plain Python and a few lines of JavaScript give the same numbers on every machine.

A generator is an int64 array of four words. It is always an argument and never part of a game
state: a planner that holds the state cannot read the future.
"""

from __future__ import annotations

import secrets
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.compiling import compiled
from stammtisch.core.errors import BadNumber, brief

Rng: TypeAlias = NDArray[np.int64]

_MASK = 0xFFFFFFFF
WORDS = 4
_MIXING_ROUNDS = 12  # after so many rounds every bit of an absorbed word has reached every word


@compiled
def next32(rng: Rng) -> int:
    """The next 32 random bits, as an integer 0 .. 2**32 - 1."""
    a, b, c, counter = rng[0], rng[1], rng[2], rng[3]
    result = (a + b + counter) & _MASK
    rng[0] = b ^ (b >> 9)
    rng[1] = (c + (c << 3)) & _MASK
    rng[2] = ((((c << 21) & _MASK) | (c >> 11)) + result) & _MASK
    rng[3] = (counter + 1) & _MASK
    return result


@compiled
def below(rng: Rng, n: int) -> int:
    """A uniform integer 0 .. n-1, exactly uniform for 1 <= n < 2**31."""
    product = next32(rng) * n
    if (product & _MASK) < n:  # reject the few values that would favour small results
        threshold = (_MASK + 1 - n) % n
        while (product & _MASK) < threshold:
            product = next32(rng) * n
    return product >> 32


@compiled
def uniform(rng: Rng) -> float:
    """A uniform float in [0, 1) with 32 bits of resolution."""
    return next32(rng) / 4294967296.0


@compiled
def shuffle(rng: Rng, items: NDArray[np.int64], n: int) -> None:
    """Put the first ``n`` items in random order, every order equally likely."""
    for i in range(n - 1, 0, -1):
        j = below(rng, i + 1)
        items[i], items[j] = items[j], items[i]


@compiled
def _absorb(rng: Rng, word: int) -> None:
    rng[0] = rng[0] ^ (word & _MASK)
    for _ in range(_MIXING_ROUNDS):
        next32(rng)


@compiled
def derive(child: Rng, parent: Rng, key: int) -> None:
    """Make ``child`` the stream number ``key`` of ``parent``, which itself does not advance."""
    for i in range(WORDS):
        child[i] = parent[i]
    _absorb(child, key & _MASK)
    _absorb(child, (key >> 32) & _MASK)


def stream(seed: int, *path: int) -> Rng:
    """The generator for ``seed``; with a path of numbers, an independent one for each path.

    >>> first, again, other = stream(7, 1), stream(7, 1), stream(7, 2)
    >>> [int(below(first, 6)) for _ in range(5)] == [int(below(again, 6)) for _ in range(5)]
    True
    >>> [int(below(other, 6)) for _ in range(5)] == [int(below(again, 6)) for _ in range(5)]
    False
    """
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or seed < 0:
        raise BadNumber(f"a seed is 0 or more, not {brief(seed)}")
    rng = np.array([0, 0, 0, 1], dtype=np.int64)
    rest, words = int(seed), 0
    while rest or words < 2:
        _absorb(rng, rest & _MASK)
        rest >>= 32
        words += 1
    for key in path:
        child = np.empty(WORDS, dtype=np.int64)
        derive(child, rng, key)
        rng = child
    return rng


def streams(seed: int, n: int) -> NDArray[np.int64]:
    """``n`` independent generators as the rows of one array: row ``i`` is ``stream(seed, i)``."""
    return _derive_rows(stream(seed), n)


@compiled
def _derive_rows(parent: Rng, n: int) -> NDArray[np.int64]:
    """The streams 0 .. n-1 of ``parent`` as the rows of one array."""
    rows = np.empty((n, WORDS), dtype=np.int64)
    for i in range(n):
        derive(rows[i], parent, i)
    return rows


def fresh_seed() -> int:
    """A seed from the system's entropy, for a game whose deal nobody chose (63 bits)."""
    return secrets.randbits(63)
