"""MaxN, paranoid and hypermax against plain searches without any pruning, on Chamäleon Schach."""

from collections.abc import Callable

import numpy as np
import pytest

import stammtisch as st
from games.chameleon.positions import many_positions, random_position
from stammtisch.core.game import State
from stammtisch.core.mind import judge
from stammtisch.search import hypermax, maxn, paranoid
from stammtisch.search.lookahead import Result, round_values
from toys import Pig, Treelet

SEARCHES: dict[str, Callable[..., Result]] = {
    "maxn": maxn.search,
    "paranoid": paranoid.search,
    "hypermax": hypermax.search,
}


def plain(state: State, depth: int, root: int | None = None, evaluation: str | None = None) -> list[float]:
    """The judge: every player takes the best for himself; with a root, the others take the worst for it."""
    if state.over or depth == 0:
        out = np.zeros(state.game.spec.seats)
        if state.over:
            out[:] = state.scores()
        else:
            judge(state.game.mind(evaluation)[0], state.record, 0, out)
        round_values(out, state.game.spec.score_sum or np.inf)
        return [float(value) for value in out]
    me = state.player or 0
    best: list[float] | None = None
    for action in state.actions():
        after = state.copy()
        after.apply(action)
        values = plain(after, depth - 1, root, evaluation)
        if best is None or (values[me] > best[me] if root in (None, me) else values[root] < best[root]):
            best = values
    assert best is not None
    return best


@pytest.mark.parametrize("line_up", ["RY", "RB", "RGY", "RGYB"])
def test_pruned_searches_find_the_values_of_the_plain_ones(line_up: str) -> None:
    """400 positions of each search."""
    for state in many_positions(line_up, 100):
        depth = 2 if len(state.actions()) > 15 else 3
        root = state.player or 0
        assert maxn.search(state, depth).value.tolist() == plain(state, depth)
        assert paranoid.search(state, depth).value[root] == plain(state, depth, root)[root]


@pytest.mark.parametrize("evaluation", ["roles", "pawns"])
def test_the_named_evaluation_is_used(evaluation: str) -> None:
    for state in many_positions("RGYB", 20, first=500):
        found = maxn.search(state, 2, minds=state.game.mind(evaluation))
        assert found.value.tolist() == plain(state, 2, evaluation=evaluation)


def test_every_root_move_gets_its_true_value_when_asked() -> None:
    for state in many_positions("RGY", 20, first=300):
        root = state.player or 0
        for name, search in SEARCHES.items():
            if name == "hypermax":
                continue  # its values depend on the window with three players
            found = search(state, 2, exact=True)
            for action, values in zip(found.actions, found.values, strict=True):
                after = state.copy()
                after.apply(action)
                judged = plain(after, 1, root if name == "paranoid" else None)
                assert values[root] == judged[root]


def test_with_two_players_left_all_searches_agree() -> None:
    """Also where the line-up had more players and the others are out."""
    two = list(many_positions("RY", 100, first=1000))
    two += [s for s in many_positions("RGYB", 900, first=2000) if (s.record.alive > 0).sum() == 2]
    assert len(two) > 150
    for state in two:
        depth = 3 if len(state.actions()) > 15 else 4
        found = {name: search(state, depth) for name, search in SEARCHES.items()}
        for one in found.values():
            assert one.value.tolist() == found["maxn"].value.tolist()
            assert one.action == found["maxn"].action


def plain_hypermax(state: State, depth: int, sure: list[float]) -> list[float]:
    """The algorithm as published, with shares that add up to 1: stop when all sure shares together are everything."""
    if state.over or depth == 0:
        return plain(state, 0)
    me = state.player or 0
    best: list[float] | None = None
    for action in state.actions():
        after = state.copy()
        after.apply(action)
        values = plain_hypermax(after, depth - 1, list(sure))
        if best is None or values[me] > best[me]:
            best = values
            sure[me] = max(sure[me], values[me])
            if sum(sure) >= 1:
                break
    assert best is not None
    return best


@pytest.mark.parametrize("line_up", ["RGY", "RGYB"])
def test_hypermax_is_the_published_algorithm_with_any_number_of_players(line_up: str) -> None:
    for state in many_positions(line_up, 60, first=40):
        depth = 2 if len(state.actions()) > 12 else 3
        assert hypermax.search(state, depth).value.tolist() == plain_hypermax(state, depth, [0.0] * 4)


def test_alpha_beta_visits_fewer_positions_than_maxn() -> None:
    states = list(many_positions("RY", 20))
    nodes = {name: sum(search(state, 4).nodes for state in states) for name, search in SEARCHES.items()}
    assert nodes["paranoid"] < nodes["maxn"]
    assert nodes["hypermax"] < nodes["maxn"]


def test_the_first_child_counts_for_the_bounds() -> None:
    """The first move of the only position after the root is the best answer; a search that forgets it errs."""
    for seed in range(300):
        state = random_position(seed, "RG", 40)
        root = state.player or 0
        assert paranoid.search(state, 2).value[root] == plain(state, 2, root)[root]


@pytest.mark.parametrize("search", SEARCHES.values())
def test_searches_refuse_what_they_cannot_search(search: Callable[..., Result]) -> None:
    with pytest.raises(st.UnsuitableAgent, match="needs a game without dice"):
        search(Pig().new(seed=1), 2)
    with pytest.raises(st.UnsuitableAgent, match="has no evaluation 'magic', only: standing"):
        Treelet().mind("magic")
    with pytest.raises(ValueError, match="a depth is 1 to 64"):
        search(Treelet().new(seed=1), 0)
    with pytest.raises(ValueError, match="the game is over"):
        search(st.game("tictactoe").from_json({"board": "XXXOO...."}), 3)
