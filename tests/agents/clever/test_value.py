"""The players by learned value: legal, sound, strong, quick, and levels that are weaker."""

from typing import Any

import numpy as np
import pytest

import stammtisch as st
from games.clever import referee
from stammtisch.agents.catalog import agent
from stammtisch.core.game import State
from stammtisch.core.rng import stream

OPTIONS: list[dict[str, Any]] = [
    {},
    {"rules": "thesis"},
    {"rules": "prototype", "dice": 2},
    {"players": 2},
    {"players": 3},
    {"players": 4, "bonus_order": "queue", "bonus_optional": True},
]


def play(name: str, seed: int, **options: Any) -> State:
    game = st.game("clever", **options)
    player, state, rng = agent(name, game), game.new(seed=seed), stream(seed)
    while state.player is not None:
        choice = player.choose(state.seat(state.player), rng)
        assert choice.action in state.actions()
        assert sorted(candidate.action for candidate in choice.analysis) == state.actions()
        state.apply(choice.action)
    return state


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("name", ["value", "best", "best:level=easy", "best:throws=3,window=1"])
def test_it_plays_whole_games_of_all_kinds(name: str, options: dict[str, Any]) -> None:
    assert min(play(name, 1, **options).scores()) > 20


def test_its_moves_are_legal_by_the_second_referee() -> None:
    game = st.game("clever")
    player, rng = agent("value", game), stream(3)
    for seed in range(3):
        state = game.new(seed=seed)
        while state.player is not None:
            move = game.format(player.choose(state.seat(0), rng).action)
            assert move in referee.legal_moves(state.to_json())
            state.play(move)
        assert referee.scores(state.to_json()) == [int(score) for score in state.scores()]


def test_it_is_far_stronger_than_the_heuristic() -> None:
    scores = [play("value", seed).scores()[0] for seed in range(100, 130)]
    assert np.mean(scores) > 260


def test_levels_are_for_people() -> None:
    means = {}
    for level in ("easy", "normal", "hard"):
        means[level] = np.mean([play(f"best:level={level}", seed).scores()[0] for seed in range(200, 220)])
    assert 90 < means["easy"] < means["normal"] - 20 < means["hard"] - 30


def test_a_hint_says_what_every_choice_is_worth_in_points() -> None:
    state = st.game("clever").new(seed=4)
    choice = agent("best", state.game).choose(state.seat(0), stream(1))
    values = [candidate.value for candidate in choice.analysis]
    assert choice.analysis[0].action == choice.action
    assert all(value is not None and 200 < value < 334 for value in values)
    assert values == sorted(values, reverse=True)  # type: ignore[type-var]


def test_the_last_choice_is_worth_the_points_it_brings() -> None:
    sheet = {"orange": [1, 1], "purple": [2], "green": 3, "blue": [7], "yellow": [0, 4, 8], "extras": 1, "foxes": 1}
    state = st.game("clever").from_json(
        {
            "phase": "passive_extra",
            "round": 6,
            "dice": {"W": 1, "Y": 1, "B": 1, "G": 1, "O": 6, "P": 1},
            "place": {"W": "tray", "Y": "tray", "B": "tray", "G": "aside", "O": "aside", "P": "aside"},
            "sheets": [sheet],
        },
        seed=1,
    )
    for candidate in agent("value", state.game).choose(state.seat(0), stream(1)).analysis:
        after = state.copy()
        after.apply(candidate.action)
        while after.player is not None:
            after.apply(max(after.actions()))
        assert candidate.value == pytest.approx(after.scores()[0])


def test_the_same_question_gets_the_same_answer_whatever_was_asked_before() -> None:
    game = st.game("clever")
    asked, fresh = agent("value", game), agent("value", game)
    for seed in range(5):
        asked.choose(game.new(seed=seed).seat(0), stream(1))
    seat = game.new(seed=9).seat(0)
    assert asked.choose(seat, stream(1)) == fresh.choose(seat, stream(1))
