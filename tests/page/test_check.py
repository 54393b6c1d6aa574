"""What `make check` finds in the page's scripts."""

from pathlib import Path

import pytest

from page.check import PLACE, look_through, prepare
from page.node import NODE

MISTAKES = """
const forgotten = 1;
/** @param {import("../../board.js").BoardProps} props */
export function Board(props) {
  if (props.seet === 0) undefinedName();
  return [props.last.move, props.play(3)];
}
"""


@pytest.mark.skipif(NODE is None or not PLACE.exists(), reason="no TypeScript here: make check fetches it, with npm")
def test_mistakes_in_a_board_are_found_and_ours_have_none(tmp_path: Path) -> None:
    mine = prepare(tmp_path) / "games" / "mine"
    mine.mkdir()
    (mine / "board.js").write_text(MISTAKES)
    found = look_through(tmp_path).splitlines()
    assert all(line.startswith("web/games/mine/board.js") for line in found)
    for line, word in zip(found, ("forgotten", "seet", "undefinedName", "number"), strict=True):
        assert word in line
