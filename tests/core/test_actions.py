"""Actions by number, for every game: masks, and the way there and back, one by one and in batches."""

import numpy as np
import pytest

import stammtisch as st
from stammtisch.core.batch import Batch
from stammtisch.core.errors import BadMove, IllegalMove
from stammtisch.core.game import Game
from toys import Pig, Treelet, Whistlet

NAMES = ("tictactoe", "chameleon", "clever", "madn", "dmadn", "dog", "tichu")
GAMES = [*map(st.game, NAMES), Treelet(), Pig(players=3), Whistlet()]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.name)
def test_games_are_played_by_numbers(game: Game) -> None:
    batch, chance = Batch(game, 8, seed=4), np.random.default_rng(1)
    for _ in range(60):
        masks = batch.masks()
        assert masks.shape == (8, game.spec.numbers)
        assert (masks.any(axis=1) == (batch.players() >= 0)).all()
        numbers = np.array([chance.choice(np.flatnonzero(row)) if row.any() else 0 for row in masks])
        actions = batch.actions_at(numbers)
        for i in range(8):
            state = batch.state(i)
            assert (state.mask() == masks[i]).all()
            if not state.over:
                assert state.action_at(int(numbers[i])) == actions[i]
                assert state.number(int(actions[i])) == numbers[i]
        assert (actions[masks.any(axis=1)] >= 0).all()
        batch.step(actions)
        batch.restart()


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.name)
def test_numbers_that_mean_nothing_are_refused(game: Game) -> None:
    state = game.new(seed=1)
    unused = np.flatnonzero(~state.mask())
    strangers = [-1, game.spec.numbers, 1 << 62, *unused[:3].tolist()]
    for number in strangers:
        with pytest.raises(IllegalMove, match=f"the number {number} now"):
            state.action_at(number)
    with pytest.raises((IllegalMove, BadMove)):
        state.number(1 << 62)


def test_a_batch_says_where_a_number_means_nothing() -> None:
    batch = Batch(st.game("tictactoe"), 3, seed=1)
    batch.step(np.array([0, 1, 2]))
    assert batch.actions_at(np.array([0, 0, 0])).tolist() == [-1, 0, 0]
