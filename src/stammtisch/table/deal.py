"""Fair deals: the server fixes all cards and dice before the first move, shows a fingerprint, and proves it at the end.

The seed has 256 random bits. Its SHA-256 is shown when the game begins; the seed itself when the game is over. Nobody
can compute the seed from the fingerprint, and the server cannot find another seed with the same one.
"""

from __future__ import annotations

import hashlib
import secrets

from stammtisch.core.game import Game, State


def new_seed() -> str:
    return secrets.token_hex(32)


def fingerprint(seed: str) -> str:
    """SHA-256 of the seed's 64 hexadecimal digits.

    >>> fingerprint("00" * 32)[:16]
    '60e05bd1b195af2f'
    """
    return hashlib.sha256(seed.encode("ascii")).hexdigest()


def deal(game: Game, seed: str) -> State:
    """The game that belongs to a seed; its dice follow from the seed too."""
    return game.new(int(seed, 16))
