"""Reading positions field by field."""

from typing import Any

import pytest

import stammtisch as st
from stammtisch.core import fields


def test_values_within_their_limits_are_returned() -> None:
    position = {"pot": 3, "totals": [1, 2], "hands": [["x"], None], "phase": "play"}
    assert fields.integer(position, "pot", 0, 3) == 3
    assert fields.integers(position, "totals", 2, 0, 9) == [1, 2]
    assert fields.items(position, "hands", None) == [["x"], None]
    assert fields.text(position, "phase", ("play", "over")) == "play"


@pytest.mark.parametrize("value", [None, "3", 4, -1, 10**30, True, 2.0, [3], {}])
def test_everything_else_is_refused_by_name(value: Any) -> None:
    with pytest.raises(st.BadPosition, match="field 'pot': a whole number from 0 to 3"):
        fields.integer({"pot": value}, "pot", 0, 3)


@pytest.mark.parametrize("value", [None, 3, [1], [1, 2, 3], "12", [1, "2"], [1, None], [[1], 2]])
def test_lists_are_checked_entry_by_entry(value: Any) -> None:
    with pytest.raises(st.BadPosition, match="field 'totals'"):
        fields.integers({"totals": value}, "totals", 2, 0, 9)


@pytest.mark.parametrize("value", [None, "quark", 3, ["play"], {}])
def test_words_are_checked(value: Any) -> None:
    with pytest.raises(st.BadPosition, match="field 'phase': one of play, over"):
        fields.text({"phase": value}, "phase", ("play", "over"))


def test_a_view_is_recognised_and_long_values_are_shortened() -> None:
    with pytest.raises(st.BadPosition, match="a seat's view is not enough"):
        fields.items({"hands": None}, "hands", 4)
    with pytest.raises(st.BadPosition) as caught:
        fields.items({"hands": "x" * 500}, "hands", 4)
    assert len(str(caught.value)) < 150
