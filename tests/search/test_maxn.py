"""MaxN with pruning is maxN without pruning, only faster."""

import time

import numpy as np
import pytest

import stammtisch as st
from stammtisch.core.game import State
from stammtisch.core.kernel import scores
from stammtisch.search import maxn
from stammtisch.search.lookahead import round_values
from toys import TREE_DEPTH, Pig, Treelet, Whistlet

TICTACTOE = st.game("tictactoe")


def plain_maxn(state: State, depth: int) -> list[float]:
    """The judge: no pruning, no deepening, the first best move counts."""
    if state.over or depth == 0:
        out = np.zeros(state.game.spec.seats)
        scores(state.record, out)
        round_values(out, state.game.spec.score_sum or np.inf)
        return [float(value) for value in out]
    best: list[float] | None = None
    for action in state.actions():
        after = state.copy()
        after.apply(action)
        values = plain_maxn(after, depth - 1)
        if best is None or values[state.player or 0] > best[state.player or 0]:
            best = values
    assert best is not None
    return best


@pytest.mark.parametrize("depth", [1, 2, 3, 4, 5])
def test_pruned_equals_plain_with_three_players(depth: int) -> None:
    for seed in range(25):
        state = Treelet().new(seed)
        assert maxn.search(state, depth).value.tolist() == plain_maxn(state, depth)


def test_pruned_equals_plain_with_two_players() -> None:
    chooser = np.random.default_rng(1)
    for _ in range(60):
        state = TICTACTOE.new()
        for _ in range(int(chooser.integers(2, 6))):
            if not state.over:
                state.apply(int(chooser.choice(state.actions())))
        if not state.over:
            assert maxn.search(state, depth=6).value.tolist() == plain_maxn(state, 6)


def test_exact_gives_every_root_move_its_own_value() -> None:
    state = Treelet().new(seed=5)
    found = maxn.search(state, depth=5, exact=True)
    for action, values in zip(found.actions, found.values, strict=True):
        after = state.copy()
        after.apply(action)
        assert values.tolist() == plain_maxn(after, 4)


def test_pruning_prunes() -> None:
    plain = sum(3**level for depth in range(1, TREE_DEPTH + 1) for level in range(1, depth + 1))  # with deepening
    visited = [maxn.search(Treelet().new(seed), TREE_DEPTH).nodes for seed in range(20)]
    assert max(visited) < plain
    assert np.mean(visited) < 0.85 * plain


def test_leaf_values_add_up_exactly() -> None:
    out = np.zeros(3)
    for seed in range(50):
        scores(Treelet().new(seed).record, out)
        round_values(out, 1.0)
        assert out.sum() == 1.0
        assert (out * 2**20 == np.round(out * 2**20)).all()


def test_the_shortest_win_is_played() -> None:
    # X can win at once with 2, or prepare a fork with 6 and win later.
    found = maxn.search(TICTACTOE.from_json({"board": "XX.OO....", "player": 0}), depth=5)
    assert (found.action, found.depth) == (2, 1)


def test_the_shortest_win_is_played_also_when_all_moves_are_explained() -> None:
    # O wins at once with 5; it would also win later after the fork 2.
    state = TICTACTOE.from_json({"board": "XX.OO....", "player": 1})
    found = maxn.search(state, depth=3, exact=True)
    assert found.action == 5
    assert found.values[found.actions.index(2)].tolist() == [0.0, 1.0]


def test_a_lost_position_is_defended_as_long_as_possible() -> None:
    # X threatens 8; after that parry X forks. Everything loses, but 8 loses latest.
    state = TICTACTOE.from_json({"board": "XO..X....", "player": 1})
    for exact in (False, True):
        found = maxn.search(state, depth=8, exact=exact)
        assert found.value.tolist() == [1.0, 0.0]
        assert found.action == 8


def test_a_threat_is_parried() -> None:
    assert maxn.search(TICTACTOE.from_json({"board": "XX..O....", "player": 1}), depth=4).action == 2


def test_a_time_limit_gives_the_answer_of_the_last_finished_depth() -> None:
    found = maxn.search(TICTACTOE.new(), ms=1)
    assert found.value.tolist() == [0.5, 0.5]
    assert 1 <= found.depth <= 9


def test_the_search_ends_early_when_everything_is_seen() -> None:
    start = time.perf_counter()
    found = maxn.search(TICTACTOE.from_json({"board": "XOXOXO..."}), ms=60_000)
    assert found.depth <= 3
    assert time.perf_counter() - start < 30


@pytest.mark.parametrize("game", [Pig(), Whistlet()], ids=repr)
def test_games_with_chance_or_hidden_cards_are_refused(game: object) -> None:
    with pytest.raises(st.UnsuitableAgent):
        maxn.search(game.new(seed=1), depth=2)  # type: ignore[attr-defined]


def test_senseless_calls_are_refused() -> None:
    with pytest.raises(ValueError, match="a depth is 1 to 64"):
        maxn.search(TICTACTOE.new(), depth=0)
    with pytest.raises(ValueError, match="the game is over"):
        maxn.search(TICTACTOE.from_json({"board": "XXXOO...."}), depth=3)
