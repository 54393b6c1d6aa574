"""Search that imagines what it cannot see."""

import numpy as np
import pytest

import stammtisch as st
from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import Actions, Kernel, Record
from stammtisch.core.rng import Rng, stream
from stammtisch.search import ismcts
from toys import (
    PENNIES_FUNCTIONS,
    PENNIES_STATE,
    Pennies,
    Pig,
    Whistlet,
    pennies_apply,
    pennies_legal_actions,
    pennies_player,
)


def test_the_same_seed_gives_the_same_search() -> None:
    seat = Whistlet().new(seed=2).seat(0)
    first, second = (ismcts.search(seat, stream(5), iterations=500) for _ in range(2))
    assert repr(first) == repr(second)
    assert sum(first.visits) == first.iterations == 500


def test_hidden_cards_have_no_influence() -> None:
    """The same knowledge gives the same tree, whatever the others really hold."""
    state = Whistlet().new(seed=2)
    other = state.seat(0).sample(stream(99))
    assert other != state
    found = [ismcts.search(one.seat(0), stream(5), iterations=500) for one in (state, other)]
    assert repr(found[0]) == repr(found[1])


def test_it_takes_the_trick_that_decides_the_game() -> None:
    """Seat 0 is last to play: its 7 wins the second of three tricks; after its 5 the third is a lottery."""
    game = Whistlet(deals=1)
    state = game.from_json(
        {
            "hands": [[5, 7], [0], [1], [2]],
            "seen": [3, 4, 6, 8, 9, 10, 11],
            "voids": [0, 0, 0, 0b10],
            "trick": [None, 6, 4, 3],
            "leader": 1,
            "tricks": [1, 0],
            "deal": 0,
        }
    )
    found = ismcts.search(state.seat(0), stream(1), iterations=3000)
    assert found.action == 7
    assert found.means[found.actions.index(7)] == 1.0
    assert found.means[found.actions.index(5)] < 0.8


def test_a_hidden_choice_is_not_seen_in_the_tree() -> None:
    """Before the coin is hidden and after: whoever guesses has an even chance, not a sure win."""
    state = Pennies().new()
    state.play("1")
    found = ismcts.search(state.seat(1), stream(1), iterations=4000)
    assert all(mean == pytest.approx(0.5, abs=0.05) for mean in found.means)


def test_a_hidden_choice_inside_the_tree_is_one_edge() -> None:
    """Seat 1 of a longer game: the coin is hidden deeper in the tree, and guessing it stays even."""
    state = PenniesWithAPause().new()
    assert state.player == 1
    found = ismcts.search(state.seat(1), stream(1), iterations=4000)
    assert found.means[0] == pytest.approx(0.5, abs=0.05)


@compiled
def pause_player(state: Record) -> int:
    return 1 if state.pause == 0 else pennies_player(state)


@compiled
def pause_legal_actions(state: Record, out: Actions) -> int:
    if state.pause == 0:
        out[0] = 0
        return 1
    return pennies_legal_actions(state, out)


@compiled
def pause_apply(state: Record, action: int, rng: Rng) -> None:
    if state.pause == 0:
        state.pause = 1
    else:
        pennies_apply(state, action, rng)


class PenniesWithAPause(Pennies):
    """Seat 1 first says that it is ready."""

    kernel = Kernel(
        state=np.dtype([*PENNIES_STATE.descr, ("pause", np.int64)]),
        **{
            **PENNIES_FUNCTIONS,
            "player": pause_player,
            "legal_actions": pause_legal_actions,
            "apply": pause_apply,
        },
    )


def test_it_beats_random_play_at_cards() -> None:
    wins = 0.0
    games = 60
    for seed in range(games):
        state, chooser, rng = Whistlet().new(seed), np.random.default_rng(seed), stream(seed, 1)
        team = seed % 2
        while state.player is not None:
            if state.player % 2 == team:
                state.apply(ismcts.search(state.seat(state.player), rng, iterations=300).action)
            else:
                state.apply(int(chooser.choice(state.actions())))
        wins += state.scores()[team]
    assert wins / games > 0.62  # seeded: the same number on every machine


def test_open_games_work_too() -> None:
    tictactoe = st.game("tictactoe")
    for board, player, best in (("XX.OO....", 0, 2), ("XX..O....", 1, 2)):
        state = tictactoe.from_json({"board": board, "player": player})
        assert ismcts.search(state.seat(player), stream(1), iterations=3000).action == best
    hold = Pig(target=20).from_json({"totals": [14, 0], "pot": 6, "die": 6, "player": 0})
    assert ismcts.search(hold.seat(0), stream(1), iterations=2000).action == 0


def test_a_full_tree_goes_on_with_playouts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ismcts, "MAX_NODES", 20)
    found = ismcts.search(Whistlet().new(seed=1).seat(0), stream(1), iterations=2000)
    assert sum(found.visits) == 2000


def test_time_limits_end_the_search() -> None:
    assert ismcts.search(Whistlet().new(seed=1).seat(0), stream(1), ms=30).iterations > 10


def test_a_seat_that_does_not_decide_is_refused() -> None:
    with pytest.raises(ValueError, match="seat 2 has nothing to decide"):
        ismcts.search(Whistlet().new(seed=1).seat(2), stream(1), iterations=10)
