"""N games together are N single games."""

from functools import cache

import numpy as np
import pytest

import stammtisch as st
from stammtisch.core.batch import Batch
from stammtisch.core.game import Game
from toys import Pig, Treelet, Whistlet

GAMES = [st.game("tictactoe"), Treelet(), Pig(players=3), Whistlet()]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.name)
def test_a_batch_plays_exactly_the_single_games(game: Game) -> None:
    batch, chooser = Batch(game, 20, seed=7), np.random.default_rng(7)
    singles = [batch.state(i) for i in range(len(batch))]
    for _ in range(12):
        actions, offsets = batch.legal()
        picks = np.zeros(len(batch), dtype=np.int64)
        for i, single in enumerate(singles):
            legal = single.actions()
            assert list(actions[offsets[i] : offsets[i + 1]]) == legal
            assert batch.players()[i] == (-1 if single.player is None else single.player)
            assert list(batch.scores()[i]) == single.scores()
            if legal:
                picks[i] = chooser.choice(legal)
                single.apply(int(picks[i]))
        batch.step(picks)
    assert all(batch.state(i) == single for i, single in enumerate(singles))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.name)
def test_masks_and_observations_are_those_of_the_deciding_seats(game: Game) -> None:
    batch = Batch(game, 10, seed=2)
    batch.random_steps(3)
    masks, observations = batch.masks(), batch.observations()
    for i in range(len(batch)):
        state = batch.state(i)
        assert list(np.flatnonzero(masks[i])) == state.actions()
        assert (observations[i] == state.seat(state.player or 0).observation()).all()


def test_finished_games_wait_until_they_are_restarted() -> None:
    batch = Batch(st.game("tictactoe"), 50, seed=1)
    for _ in range(9):
        actions, offsets = batch.legal()
        picks = np.append(actions, 0)[np.minimum(offsets[:-1], len(actions))]
        batch.step(picks)
    assert (batch.players() == -1).all()
    assert len(batch.legal()[0]) == 0
    assert (batch.observations() == 0).all()
    assert batch.restart() == 50
    assert (batch.players() == 0).all()


def test_a_batch_does_not_depend_on_how_it_is_cut() -> None:
    whole = Batch(Whistlet(), 8, seed=5)
    part = Batch(Whistlet(), 3, seed=5)
    whole.random_steps(20)
    part.random_steps(20)
    assert all(whole.state(i) == part.state(i) for i in range(3))


def test_random_play_is_uniform_over_legal_actions() -> None:
    batch = Batch(st.game("tictactoe"), 100, seed=1)
    steps = 10_000
    ended = batch.random_steps(steps)
    assert 100 * steps / ended == pytest.approx(mean_length("........."), abs=0.03)


@cache
def mean_length(board: str) -> float:
    """Expected number of further moves when everybody plays at random, by brute force."""
    state = st.game("tictactoe").from_json({"board": board})
    lengths = []
    for move in state.moves():
        after = state.copy()
        after.play(move)
        lengths.append(1 + mean_length(after.to_json()["board"]))
    return float(np.mean(lengths)) if lengths else 0.0
