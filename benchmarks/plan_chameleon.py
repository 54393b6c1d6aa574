"""The experiment of the thesis plan for Chamäleon Schach: all its networks, taught by TD(0), against maxN.

python benchmarks/plan_chameleon.py          (about 90 minutes of one core; what was done before is kept)

Both encodings with the plan's numbers of hidden units, for 2, 3 and 4 players. Writes benchmarks/chameleon/plan.json:
for every network its share of the win against random moves and against maxN one, two and three moves deep, over the
games it has learned from.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from stammtisch.core.places import data_home, replace_file
from stammtisch.learning.checkpoints import POINTER
from stammtisch.learning.metrics import FILE
from stammtisch.learning.training import Run, read_recipe

HIDDEN = {"squares": (20, 40, 80, 160, 320), "pawns": (32, 64, 128)}
GAMES = 50_000
LOOKS = 5
MATCH = 400  # games against each opponent, at every look
RESULT = Path(__file__).parent / "chameleon" / "plan.json"


def main() -> None:
    found = []
    for players in (2, 3, 4):
        for encoding, sizes in HIDDEN.items():
            for hidden in sizes:
                name = f"chameleon-plan-{players}-{encoding}-{hidden}"
                settings = {"encoding": encoding, "hidden": hidden, "games": GAMES, "match_every": GAMES // LOOKS}
                settings["evaluation_games"] = MATCH
                recipe = replace(read_recipe(f"chameleon-td0-{players}", settings), name=name)
                folder = data_home() / "training" / name
                if not (folder / f"{name}.json").exists():
                    print(name, flush=True)
                    Run(recipe, folder, resume=(folder / POINTER).exists(), looks=LOOKS, final_games=MATCH).train()
                card = json.loads((folder / f"{name}.json").read_text())
                looks = [json.loads(line) for line in (folder / FILE).read_text().splitlines()]
                about = {"players": players, **settings, "cpu_hours": card["cpu_hours"], "command": card["command"]}
                found.append({**about, "random": card["strength"], "looks": looks})
                replace_file(RESULT, (json.dumps(found, indent=1) + "\n").encode())


if __name__ == "__main__":
    main()
