"""Monte-Carlo tree search, with and without chance."""

import threading
import time

import numpy as np
import pytest

import stammtisch as st
from stammtisch.core.game import Game
from stammtisch.core.rng import stream
from stammtisch.search import maxn, mcts
from stammtisch.search.clock import time_limit
from toys import Pig, Treelet, Whistlet

TICTACTOE = st.game("tictactoe")


@pytest.mark.parametrize("game", [TICTACTOE, Treelet(), Pig(players=3)], ids=lambda game: game.info.name)
def test_the_same_seed_gives_the_same_search(game: Game) -> None:
    state = game.new(seed=2)
    first, second = (mcts.search(state, stream(5), iterations=500) for _ in range(2))
    assert repr(first) == repr(second)
    assert repr(first) != repr(mcts.search(state, stream(6), iterations=500))
    assert sum(first.visits) == first.iterations == 500


def test_the_state_itself_is_not_touched() -> None:
    state = Pig().new(seed=1)
    before, chance = state.bytes(), state.rng.copy()
    mcts.search(state, stream(1), iterations=200)
    assert state.bytes() == before
    assert (state.rng == chance).all()


def test_it_wins_at_once_and_stops_threats() -> None:
    for board, player, best in (("XX.OO....", 0, 2), ("XX..O....", 1, 2), ("X.XO.O...", 0, 1), ("O.O.X.X..", 0, 1)):
        state = TICTACTOE.from_json({"board": board, "player": player})
        assert mcts.search(state, stream(1), iterations=3000).action == best


def test_with_enough_iterations_it_never_loses() -> None:
    """Against every reply of the other side, from every opening: mcts holds the draw."""
    for seed in range(30):
        state, chooser = TICTACTOE.new(), np.random.default_rng(seed)
        me = seed % 2
        while not state.over:
            if state.player == me:
                state.apply(mcts.search(state, stream(seed), iterations=4000).action)
            else:
                state.apply(int(chooser.choice(state.actions())))
        assert state.scores()[me] >= 0.5


def test_three_players_find_the_maxn_move_in_a_clear_case() -> None:
    agreed = 0
    for seed in range(20):
        state = Treelet().new(seed)
        exact = maxn.search(state, exact=True)
        mine = sorted(exact.values[:, state.player or 0], reverse=True)
        if mine[0] - mine[1] > 0.1:
            agreed += mcts.search(state, stream(seed), iterations=20_000).action == exact.action
        else:
            agreed += 1
    assert agreed >= 18


def test_chance_is_averaged_not_foreseen() -> None:
    """Pig, 6 points to go with 5 in the pot and the other far behind: one more throw is worth it only on average."""
    game = Pig(target=20)
    state = game.from_json({"totals": [14, 0], "pot": 6, "die": 6, "player": 0})
    found = mcts.search(state, stream(1), iterations=4000)
    assert game.format(found.action) == "hold"  # holding wins for certain
    assert found.means[found.actions.index(game.parse("hold"))] == 1.0
    roll = found.means[found.actions.index(game.parse("roll"))]
    assert 0.5 < roll < 1.0


def test_a_known_chance_has_its_known_value() -> None:
    """The pot must reach 2 more: any throw but a 1 and then hold wins, a 1 passes the turn to a winner."""
    game = Pig(target=20)
    state = game.from_json({"totals": [18, 19], "pot": 0, "die": 0, "player": 0})
    found = mcts.search(state, stream(3), iterations=30_000)
    # Win chance p of the seat to throw: 5/6 at once, else the other has the same chance 5/6 first.
    expected = (5 / 6) / (1 - (1 / 6) ** 2)
    assert found.means[0] == pytest.approx(expected, abs=0.03)


def test_a_full_tree_goes_on_with_playouts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcts, "MAX_NODES", 20)
    found = mcts.search(TICTACTOE.new(), stream(1), iterations=2000)
    assert sum(found.visits) == 2000


def test_a_playout_limit_uses_the_evaluation() -> None:
    found = mcts.search(TICTACTOE.new(), stream(1), iterations=9, playout_limit=0)
    assert found.means == [0.5] * 9


def test_time_limits_end_the_search() -> None:
    found = mcts.search(TICTACTOE.new(), stream(1), ms=30)
    assert found.iterations > 10


def test_another_thread_can_break_a_search_off() -> None:
    with time_limit(None) as flag:
        threading.Timer(0.05, flag.__setitem__, (0, 1)).start()
        start = time.perf_counter()
        while not flag[0]:
            assert time.perf_counter() - start < 30
            time.sleep(0.01)


def test_senseless_calls_are_refused() -> None:
    with pytest.raises(st.UnsuitableAgent, match="use ismcts"):
        mcts.search(Whistlet().new(seed=1), stream(1), iterations=10)
    with pytest.raises(ValueError, match="needs a limit"):
        mcts.search(TICTACTOE.new(), stream(1))
    with pytest.raises(ValueError, match="at least one iteration"):
        mcts.search(TICTACTOE.new(), stream(1), iterations=0)
    with pytest.raises(ValueError, match="the game is over"):
        mcts.search(TICTACTOE.from_json({"board": "XXXOO...."}), stream(1), iterations=10)
