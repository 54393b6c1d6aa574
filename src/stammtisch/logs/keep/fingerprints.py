"""Hashes of eight bytes by which files are known again, and sets of millions of them."""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import NDArray

_MERGE = 100_000  # so many new fingerprints are kept in a set before they are sorted in


def fingerprint(text: str) -> int:
    """Eight bytes of a hash, as an unsigned number."""
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def content_fingerprint(data: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little")


class Fingerprints:
    """A set of hashes in eight bytes each."""

    def __init__(self, values: NDArray[np.uint64]) -> None:
        self.sorted = np.sort(values)
        self.new: set[int] = set()

    def __contains__(self, value: int) -> bool:
        if value in self.new:
            return True
        at = int(np.searchsorted(self.sorted, np.uint64(value)))
        return at < len(self.sorted) and int(self.sorted[at]) == value

    def add(self, value: int) -> None:
        self.new.add(value)
        if len(self.new) >= _MERGE:
            self.sorted = np.sort(np.concatenate([self.sorted, np.fromiter(self.new, np.uint64, len(self.new))]))
            self.new.clear()
