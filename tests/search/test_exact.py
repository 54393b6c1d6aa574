"""Small games, exactly: known values, OpenSpiel as a judge, and what our searches are worth there."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from stammtisch.analysis.yardstick import strategy_of
from stammtisch.core.errors import StammtischError
from stammtisch.core.game import State
from stammtisch.games.poker.game import Kuhn, Leduc, Poker
from stammtisch.search.exact import CHANCE, END, Tree, best_response, exploitability, solve, tree, values
from toys import Pennies, Treelet

KUHN = tree(Kuhn())
both = pytest.mark.parametrize("game", [Kuhn(), Leduc()], ids=lambda game: game.info.name)


@both
def test_the_games_keep_the_contract(game: Poker) -> None:
    """In a process of its own, as ``stammtisch check`` is."""
    script = f"""
from stammtisch.core.conformance import check
from stammtisch.games.poker.game import {type(game).__name__} as Game
report = check(Game(), games=20, uncompiled=False)
print(*report.failures, sep="\\n")
raise SystemExit(not report.ok)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_tree_of_kuhn_has_its_known_size() -> None:
    """6 deals of 9 nodes each, and the deal itself; every player has 6 information states of 2 actions."""
    assert len(KUHN.decider) == 55 and (KUHN.decider == END).sum() == 30 and (KUHN.decider == CHANCE).sum() == 1
    assert len(KUHN.actions) == 12 and (KUHN.actions == 2).all()


@both
def test_chance_adds_up_to_one(game: Poker) -> None:
    whole = tree(game)
    for node in np.flatnonzero(whole.decider == CHANCE):
        first = whole.first[node]
        assert whole.chance[first : first + whole.children[node]].sum() == pytest.approx(1.0)
    assert (whole.scores.sum(axis=1) == 0).all()


def test_kuhn_is_worth_an_eighteenth_less_to_who_begins() -> None:
    found = solve(KUHN, 2000)
    assert values(KUHN, found)[0] == pytest.approx(-1 / 18, abs=1e-4)
    assert exploitability(KUHN, found) < 1e-3


def test_leduc_has_its_known_value() -> None:
    whole = tree(Leduc())
    found = solve(whole, 500)
    assert values(whole, found)[0] == pytest.approx(-0.0856, abs=1e-3)
    assert exploitability(whole, found) < 2e-3


@pytest.mark.parametrize(("game", "known"), [(Kuhn(), 0.458333), (Leduc(), 2.373611)], ids=["kuhn", "leduc"])
def test_any_move_is_as_exploitable_as_openspiel_says(game: Poker, known: float) -> None:
    whole = tree(game)
    assert exploitability(whole, whole.uniform()) == pytest.approx(known, abs=1e-6)
    pyspiel = pytest.importorskip("pyspiel", reason="comes with the extra dev")
    peer = pyspiel.load_game(game.info.peer)
    theirs = pyspiel.exploitability(peer, pyspiel.UniformRandomPolicy(peer))
    assert exploitability(whole, whole.uniform()) == pytest.approx(theirs)


def plain_best_response(whole: Tree, strategy: np.ndarray, seat: int) -> float:
    """By trying every pure strategy of the seat."""
    mine = sorted({int(whole.state_of[n]) for n in range(len(whole.decider)) if whole.decider[n] == seat})
    best = -np.inf
    for choice in range(2 ** len(mine)):
        pure = strategy.copy()
        for place, state in enumerate(mine):
            pure[state] = np.eye(2)[choice >> place & 1]
        best = max(best, float(values(whole, pure)[seat]))
    return best


def test_the_best_response_is_the_best_of_all_pure_strategies() -> None:
    chooser = np.random.default_rng(1)
    for _ in range(3):
        strategy = chooser.dirichlet([1.0, 1.0], size=len(KUHN.actions))
        for seat in (0, 1):
            assert best_response(KUHN, strategy, seat) == pytest.approx(plain_best_response(KUHN, strategy, seat))


def test_a_hidden_choice_is_solved_too() -> None:
    """Matching pennies: each side alike, and nobody can exploit that."""
    whole = tree(Pennies())
    found = solve(whole, 1000)
    assert exploitability(whole, found) < 0.01 and np.allclose(values(whole, found), 0.5, atol=0.01)


def test_open_games_are_listed_too() -> None:
    whole = tree(Treelet())
    assert np.allclose(values(whole, whole.uniform()), mean_scores(Treelet().new(seed=0)))


def mean_scores(state: State) -> np.ndarray:
    """What any moves bring on average, by plain recursion."""
    if state.over:
        return np.array(state.scores())
    found = []
    for action in state.actions():
        after = state.copy()
        after.apply(action)
        found.append(mean_scores(after))
    return np.mean(found, axis=0)


def test_what_is_too_large_or_forgets_its_course_is_refused() -> None:
    with pytest.raises(StammtischError, match="more than 100 courses"):
        tree(Leduc(), most=100)


@pytest.mark.parametrize("name", ["random", "ismcts:iterations=200", "pimc:iterations=200"])
def test_the_searches_are_better_than_chance_and_not_perfect(name: str) -> None:
    strategy = strategy_of(KUHN, name, times=30)
    assert np.allclose(strategy.sum(axis=1), 1.0)
    found = exploitability(KUHN, strategy)
    assert found > 0.005 and (name == "random" or found < 0.4)
