"""Random games to the end with every switch changed alone, and with any of them: nothing is lost, nobody is stuck."""

from random import Random
from typing import Any

import pytest

import stammtisch as st
from games.dog.test_rules import random_options
from stammtisch.core.game import Game, State
from stammtisch.core.registry import games

NAMES = ("madn", "dmadn", "dog")
LONGEST = 100_000  # decisions
SWITCHES = {name: [option for option in games()[name].options if isinstance(option.default, bool)] for name in NAMES}
CHANGES: list[tuple[str, dict[str, Any]]] = [
    *((name, {switch.name: not switch.default}) for name in NAMES for switch in SWITCHES[name]),
    *((name, {"rules": rules}) for name, rules in (("madn", "schmidt"), ("dog", "braendi"))),
    *((name, {"players": players}) for name in NAMES for players in (2, 3)),
    *((name, {"distance": distance}) for name in NAMES for distance in (8, 16, 29)),
    *((name, {"players": 2, "seats": "13"}) for name in NAMES),
]


def check(state: State, cards: int) -> None:
    """The position is one that may be set up: each pin in one place, no card too many; and none is missing."""
    position = state.to_json()
    assert state.game.from_json(position).to_json() == position
    assert state.over or len(state.moves()) > 0
    if "hands" in position and not state.over:
        aside = [card for card in position.get("gifts") or [] if card]
        hands = sum(len(hand) for hand in [*position["hands"], *position["folded"]])
        assert hands + len(aside) + sum(position["deck"].values()) + len(position["played"]) == cards


def play_to_the_end(game: Game, seed: int) -> None:
    rng, state = Random(seed), game.new(seed=seed)
    cards = 110 - 6 * (game.options.get("joker") is False) - 8 * (game.options.get("swap") is False)
    for step in range(LONGEST):
        if state.over:
            break
        if rng.random() < 0.02 or step < 20:
            check(state, cards)
        state.apply(rng.choice(state.actions()))
    assert state.over
    check(state, cards)
    assert sum(state.scores()) == pytest.approx(game.spec.score_sum)


@pytest.mark.parametrize(("name", "options"), CHANGES, ids=str)
def test_one_change_alone(name: str, options: dict[str, Any]) -> None:
    play_to_the_end(st.game(name, **options), seed=1)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(20))
def test_changes_together(name: str, seed: int) -> None:
    play_to_the_end(st.game(name, **random_options(name, Random(seed))), seed)
