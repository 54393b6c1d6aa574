"""The sheet as SVG: well-formed, nothing loaded from elsewhere, every entry visible."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest

import stammtisch as st
from stammtisch.core.rng import below, stream
from stammtisch.games.clever import svg

NAMESPACE = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("options", [{}, {"players": 4}, {"rules": "thesis"}, {"rules": "prototype", "dice": 2}])
def test_every_position_can_be_drawn(options: dict[str, Any]) -> None:
    state, rng = st.game("clever", **options).new(seed=3), stream(3)
    while True:
        drawn = ElementTree.fromstring(svg.position(state.to_json()))
        assert {element.tag.removeprefix(NAMESPACE) for element in drawn.iter()} <= {
            "svg",
            "rect",
            "text",
            "circle",
            "path",
        }
        assert not any("href" in name for element in drawn.iter() for name in element.attrib)
        if state.over:
            return
        actions = state.actions()
        state.apply(actions[int(below(rng, len(actions)))])


def test_entries_are_visible() -> None:
    sheet = st.game("clever").new(seed=1).to_json()["sheets"][0]
    empty = _texts(svg.sheet(sheet))
    filled = _texts(svg.sheet({**sheet, "yellow": [0, 13], "blue": [7], "green": 3, "orange": [6, 2], "purple": [4]}))
    assert filled.count("✕") == empty.count("✕") + 2 + 1 + 3
    assert filled.count("8") == empty.count("8") + 1  # the sum of orange
    assert filled.count("4") >= empty.count("4") + 1


def _texts(drawn: str) -> list[str]:
    return [str(element.text) for element in ElementTree.fromstring(drawn).iter(f"{NAMESPACE}text")]
