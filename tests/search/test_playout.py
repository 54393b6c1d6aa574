"""Random playouts reach the end of the game."""

import numpy as np
import pytest

import stammtisch as st
from stammtisch.core.game import Game
from stammtisch.core.rng import stream
from stammtisch.search.playout import playout
from toys import Pig, Treelet, Whistlet


@pytest.mark.parametrize("game", [st.game("tictactoe"), Treelet(), Pig(), Whistlet()], ids=lambda g: g.info.name)
def test_a_playout_ends_with_the_final_scores(game: Game) -> None:
    for seed in range(20):
        state, out = game.new(seed), np.zeros(game.spec.seats)
        buffer = np.empty(game.spec.max_actions, dtype=np.int64)
        moves = playout(game.mind()[0], 0, state.record, 1 << 60, buffer, stream(seed), out)
        assert state.over and moves > 0
        assert out.tolist() == state.scores()


def test_a_limited_playout_stops_and_estimates() -> None:
    state, out = st.game("tictactoe").new(), np.zeros(2)
    mind = state.game.mind()[0]
    assert playout(mind, 0, state.record, 3, np.empty(9, dtype=np.int64), stream(1), out) == 3
    assert not state.over
    assert out.tolist() == [0.5, 0.5]
