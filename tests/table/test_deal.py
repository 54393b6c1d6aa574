"""Fair deals: what "Save as a file" gives proves that all cards and dice were fixed before the first move."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from stammtisch.core.game import Json
from stammtisch.table import deal
from table.house import a_house

SCRIPT = Path(__file__).parents[2] / "docs" / "verify_deal.py"


def bots_play(folder: Path, game: str, options: Json) -> tuple[str, Json]:
    """The fingerprint that was shown at the beginning, and the saved game."""
    with a_house(folder) as house:
        room = house.create("Anna", game=game, options=options, pace=0)
        page = house.browser(room.table.code, "Anna")
        for seat in room.table.places:
            page.ask("arrange", seat=seat, agent="random")
        page.ask("start")
        shown = page.game["fingerprint"]
        while not page.game["over"]:
            house.loop.pass_time(10)
        return str(shown), json.loads(json.dumps(room.table.record().to_json()))


def verify(record: Json, folder: Path) -> tuple[int, str]:
    file = folder / "game.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    done = subprocess.run([sys.executable, SCRIPT, file], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("game", "options"), [("tichu", {"rounds": 1}), ("madn", {"players": 2}), ("clever", {"players": 2})]
)
def test_a_saved_game_proves_its_deal(tmp_path: Path, game: str, options: Json) -> None:
    fingerprint, record = bots_play(tmp_path, game, options)
    assert verify(record, tmp_path) == (0, f"fair: {fingerprint}\n")


def other_seed(record: Json) -> None:
    record["header"]["seed"] = deal.new_seed()


def other_seed_and_fingerprint(record: Json) -> None:
    other_seed(record)
    record["header"]["fingerprint"] = deal.fingerprint(record["header"]["seed"])


def no_seed(record: Json) -> None:
    del record["header"]["seed"]


@pytest.mark.parametrize("cheat", [other_seed, other_seed_and_fingerprint, no_seed])
def test_another_seed_proves_nothing(tmp_path: Path, cheat: Callable[[Json], None]) -> None:
    _, record = bots_play(tmp_path, "madn", {"players": 2})
    changed = copy.deepcopy(record)
    cheat(changed)
    code, said = verify(changed, tmp_path)
    assert code == 1
    assert "not proven" in said
