"""Checks that the cards and dice of a finished game were fixed before its first move.

    python docs/verify_deal.py game.json

``game.json`` is what "Save as a file" gives after a game. Write the fingerprint down when the game begins: the file
must hold the same one. The script then checks that the seed in the file has this fingerprint, that the deal follows
from the seed, and that every card and die that came later does too.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

import stammtisch as st
from stammtisch.core.record import GameRecord


def verify(record: GameRecord) -> str:
    """The fingerprint of a fair game; ValueError says what is wrong."""
    seed, fingerprint = record.header["seed"], record.header["fingerprint"]
    if hashlib.sha256(seed.encode("ascii")).hexdigest() != fingerprint:
        raise ValueError("the seed does not have this fingerprint")
    game = st.game(record.header["game"], **record.options)
    if record.header.get("from_position"):
        state = game.from_json(record.start, seed=int(seed, 16))
    else:
        state = game.new(seed=int(seed, 16))
    if state.to_json() != record.start:
        raise ValueError("the first deal does not follow from the seed")
    for number, (move, expected) in enumerate(zip(record.moves, list(record.states())[1:], strict=True)):
        state.play(move)
        if state != expected:
            raise ValueError(f"what came after move {number} ({move}) does not follow from the seed")
    return str(fingerprint)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    try:
        print("fair:", verify(GameRecord.from_json(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))))
    except (ValueError, KeyError) as error:
        sys.exit(f"not proven: {error}")
