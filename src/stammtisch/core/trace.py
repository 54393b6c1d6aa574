"""A fingerprint of one random game. The checker compares it between compiled and uncompiled runs, and
``stammtisch bench --signature`` is made of it.
"""

from __future__ import annotations

import hashlib
import json
import sys

from stammtisch.core import rng as random
from stammtisch.core.game import Game
from stammtisch.core.info import load


def trace(game: Game, seed: int, max_moves: int = 200) -> str:
    """A fingerprint of one random game: it changes exactly when the game's behaviour changes."""
    state, rng, digest = game.new(seed), random.stream(seed, 2), hashlib.sha256()
    for _ in range(max_moves):
        actions = state.actions()
        digest.update(json.dumps([state.to_json(), actions, state.scores()]).encode())
        if not actions:
            break
        state.apply(actions[int(random.below(rng, len(actions)))])
    return digest.hexdigest()


def _main(target: str, options: str, seed: str) -> None:
    print(trace(load(target)(**json.loads(options)), int(seed)))


if __name__ == "__main__":
    _main(*sys.argv[1:])
