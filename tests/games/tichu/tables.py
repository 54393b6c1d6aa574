"""Tables in the middle of a round: hands and moves in short, worked examples, endings with one right move."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import stammtisch as st
from games.tichu.deals import Both
from stammtisch.core.game import State

LOGS = Path(__file__).parent / "fixtures"
STRICT = {"wish_optional": False, "bomb_may_ignore_wish": False}
FOUR_2, FOUR_7, FOUR_8, FOUR_9 = (" ".join(suit + value for suit in "SBGR") for value in "2789")
FLUSH_2, FLUSH_9 = "G2 G3 G4 G5 G6", "G9 G10 GB GD GK"
EMPTY: dict[str, Any] = {"trick": None, "phase": "play", "passes": 0}
FRESH: dict[str, Any] = {"has_played": [False] * 4}


def start(hands: str, player: int = 0, **more: Any) -> Both:
    """A position in the middle of a round, hands separated by bars; options of the game may be among the rest."""
    options = {key: more.pop(key) for key in list(more) if key in st.game("tichu").options}
    position = {"hands": [hand.split() for hand in hands.split("|")], "player": player, "phase": "play", **more}
    return Both(position, **{"rounds": 1, **options})


def split(moves: str) -> list[str]:
    """Moves separated by semicolons; ``pass*3`` stands for three."""
    found: list[str] = []
    for move in filter(None, map(str.strip, moves.split(";"))):
        text, _, times = move.partition("*")
        found += [text] * int(times or 1)
    return found


def after(hands: str, player: int = 0, moves: str = "", **more: Any) -> State:
    """The state after these moves."""
    both = start(hands, player, **more)
    both.play(*split(moves))
    return both.state


class Example:
    """A position, moves, and what is true then; ``legal`` are all moves, ``illegal`` some that are not."""

    def __init__(
        self,
        hands: str,
        player: int,
        moves: str,
        more: dict[str, Any] | None = None,
        /,
        legal: str | None = None,
        illegal: str = "",
        **then: Any,
    ) -> None:
        self.begin = (hands, player, more or {})
        self.moves, self.then, self.legal, self.illegal = moves, then, legal, illegal

    def check(self) -> None:
        hands, player, more = self.begin
        both = start(hands, player, **more)
        both.play(*split(self.moves))
        found = both.state.to_json()
        trick = found["trick"] or {}
        assert {key: trick.get("owner") if key == "owner" else found[key] for key in self.then} == self.then
        moves = set(both.moves())
        assert self.legal is None or moves == set(split(self.legal))
        before = both.state.bytes()
        for move in split(self.illegal):
            with pytest.raises(st.IllegalMove):
                both.state.play(move)
        assert both.state.bytes() == before


@dataclass
class Ending:
    """A position, moves, and what seat 0 should do then."""

    best: str
    hands: str
    player: int = 0
    moves: str = ""
    more: dict[str, Any] = field(default_factory=dict)

    def state(self) -> State:
        return after(self.hands, self.player, self.moves, **self.more)


TICHU_0, TICHU_1, TICHU_2 = ({"announced": [int(caller == seat) for seat in range(4)]} for caller in range(3))
ENDINGS = {  # right whoever holds which of the cards that seat 0 does not see
    "the ace first, then out: tichu": Ending("SA", "SA S3 | S4 | S5 | S6", more=TICHU_0),
    "nobody can have a higher pair: tichu": Ending("S9 B9", "S9 B9 S3 | S4 B5 | S6 B7 | G8 G10", more=TICHU_0),
    "the bomb, then out: tichu": Ending(FOUR_7, f"{FOUR_7} S3 | SA S4 | S5 S6 | S8 S9", 1, "SA; pass*5", TICHU_0),
    "the dog for the partner, who goes out: tichu": Ending("Hu", "Hu S2 S3 | S4 | S5 | S6", more=TICHU_2),
    "the partner shall be first: tichu": Ending("pass", "Dr | S4 B5 | SA S3 | S6 B7", 2, "SA; pass", TICHU_2),
    "tichu is called before going out": Ending(
        "tichu", "SA | S4 S5 | B4 B5 | S6 S7", more={"has_played": [False, True, True, True]}
    ),
    "out as the second of the team": Ending("SA", "SA | S4 S5 | | S6 S7", 3, "S6"),
    "the king first, then out as the second of the team": Ending("SK", "SK S3 | S4 | | S5"),
    "the dragon for who will be last": Ending("dragon 3", "Dr | | | S2 S3", 0, "Dr", {"out": [2, 1]}),
}


def after_calls(seed: int) -> State:
    """A new round in which nobody has called a grand tichu: seat 0 is to schupf."""
    state = st.game("tichu", rounds=1).new(seed)
    for _ in range(4):
        state.play("no")
    return state
