"""Expectimax against the same sum in plain Python, and what it asks of a game."""

from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

import stammtisch as st
from stammtisch.core.errors import UnsuitableAgent
from stammtisch.core.game import Game, State
from stammtisch.core.mind import judge
from stammtisch.core.rng import stream
from stammtisch.search import expectimax, maxn
from toys.pig import Pig

SETTINGS = [{"players": 2}, {"teams": True, "rethrow": True}, {"players": 3, "rethrow": True, "start_on_1": False}]


def played(name: str, moves: int, seed: int, **options: object) -> State:
    """A position of a random game."""
    rng, state = Random(seed), st.game(name, **options).new(seed=seed)
    while moves > 0 or len(state.actions()) < 2:
        state.apply(rng.choice(state.actions()))
        moves -= 1
    return state


def plain(state: State, depth: int) -> NDArray[np.float64]:
    """The mean over all throws of what the player to move then gets at best."""
    kernel, out = state.game.kernel, np.zeros(state.game.spec.seats)
    if state.over:
        return np.array(state.scores())
    if depth == 0:
        judge(state.game.mind()[0], state.record, 0, out)
        return out
    which = 0
    while (probability := kernel.outcome(state.record, which)) > 0:
        me = state.player
        out += probability * max((plain(after(state, a), depth - 1) for a in state.actions()), key=lambda v: v[me])
        which += 1
    return out


def after(state: State, action: int) -> State:
    copy = state.copy()
    copy.apply(action)
    return copy


@pytest.mark.parametrize("options", SETTINGS, ids=str)
@pytest.mark.parametrize(("moves", "depth"), [(5, 1), (40, 2), (110, 2), (90, 3)])
def test_values_are_those_of_the_plain_sum(options: dict[str, object], moves: int, depth: int) -> None:
    state = played("madn", moves, moves, **options)
    found = expectimax.search(state, depth)
    expected = [plain(after(state, action), depth - 1) for action in state.actions()]
    assert found.values == pytest.approx(np.array(expected), abs=1e-5)
    assert found.values[found.best, state.player or 0] == pytest.approx(
        max(v[state.player or 0] for v in expected), abs=1e-5
    )
    assert found.depth == depth


@pytest.mark.parametrize("options", SETTINGS, ids=str)
@pytest.mark.parametrize("moves", [0, 60])
def test_all_throws_are_listed_as_likely_as_they_are(options: dict[str, object], moves: int) -> None:
    state = played("madn", moves, 3, **options)
    before, kernel = state.record.copy(), state.game.kernel
    action, rng, fallen = state.actions()[0], stream(1), np.zeros(6)
    for _ in range(6000):
        record = before.copy()
        kernel.apply(record, action, rng)
        fallen[record.die - 1] += 1
    listed = [kernel.outcome(record, which) for which in range(6)]
    assert kernel.outcome(record, 6) == 0.0
    assert sum(listed) == pytest.approx(1.0)
    assert fallen / 6000 == pytest.approx(listed, abs=0.025)


@pytest.mark.parametrize(("name", "depth"), [("tictactoe", 4), ("chameleon", 2), ("dmadn", 2)])
def test_without_dice_it_is_maxn(name: str, depth: int) -> None:
    state = played(name, 4, 1)
    assert expectimax.search(state, depth).value == pytest.approx(maxn.search(state, depth, exact=True).value)


def test_a_certain_win_is_taken() -> None:
    position = {"pins": [["G0", "G1", "G2", "38"], *[["H"] * 4] * 3], "player": 0, "die": 5}
    found = expectimax.search(st.game("madn").from_json(position), 1)
    assert found.values[found.best, 0] == 1.0


def test_it_stops_in_time_with_the_last_whole_depth() -> None:
    found = expectimax.search(played("madn", 100, 1), ms=20)
    assert found.depth >= 1 and not np.isnan(found.values).any()


@pytest.mark.parametrize("game", [st.game("dog"), st.game("tichu"), Pig()], ids=lambda game: game.info.name)
def test_hidden_cards_and_unknown_chance_are_refused(game: Game) -> None:
    with pytest.raises(UnsuitableAgent, match="it has to"):
        expectimax.search(game.new(seed=1), 1)
