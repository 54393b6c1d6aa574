"""How strong the networks of madn, dmadn and dog are, one ply or two, in compiled games: more than an arena would play.

``python benchmarks/pins.py madn-teams --games 20000`` plays against ``rules`` and ``greedy``, each stream of luck from
all seats, and writes ``benchmarks/pins.json``. With ``--against a.safetensors`` it plays against another network and
writes nothing.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

from stammtisch.agents.dog.net import new_mind, read_net
from stammtisch.agents.dog.throws import new_far_mind
from stammtisch.core.kernel import Records
from stammtisch.core.mind import Bare, Mind
from stammtisch.core.rng import streams
from stammtisch.games.dog.mind import HAND
from stammtisch.games.dog.policy import greedy
from stammtisch.learning.pins import TABLES, blanks, compete, seats_of
from stammtisch.learning.training import read_recipe

RESULTS = Path(__file__).with_suffix(".json")
FIRST_SEED = 2_000_000_000  # no run has learned or been looked at with these


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("recipe", nargs="+")
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--far", action="store_true", help="two moves ahead, over all throws: only madn")
    parser.add_argument("--net", default="", help="instead of the network of the recipe's name")
    parser.add_argument("--against", default="", help="a network, instead of rules and greedy")
    asked = parser.parse_args()
    known = {}
    for recipe in asked.recipe:
        config = read_recipe(recipe).new_learner().config
        net, boards = read_net(asked.net or recipe), blanks(config)
        mind, plies = (new_far_mind(net), 2) if asked.far else (new_mind(net), 1)
        others = {"rules": HAND.blank(), "greedy": Mind(pick=Bare(greedy)).blank()}
        if asked.against:
            others = {asked.against: new_mind(read_net(asked.against))}
        for name, other in others.items():
            for board, seats in enumerate(TABLES[config.sides]):
                found = match(mind, other, boards[board : board + 1], config.evaluation_opening, asked.games)
                title = f"{recipe}, {plies} ply, against {name}, seats {seats}"
                print(f"{title}: {found}", flush=True)
                known[title] = found
    if not (asked.net or asked.against):
        before = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
        RESULTS.write_text(json.dumps(before | known, indent=1) + "\n")


def match(mind: Records, other: Records, board: Records, opening: int, games: int) -> dict[str, Any]:
    """The share of the points that a mind wins against another on all other seats, with its 95 % interval."""
    places = seats_of(board)
    scores = np.empty(games // len(places) * len(places))
    compete(mind, other, board, places, streams(FIRST_SEED, len(scores) // len(places)), opening, scores)
    deals = scores.reshape(-1, len(places)).mean(axis=1)
    share, reach = deals.mean(), 1.96 * deals.std(ddof=1) / len(deals) ** 0.5
    return {"games": len(scores), "share": round(float(share), 4), "reach": round(float(reach), 4)}


if __name__ == "__main__":
    main()
