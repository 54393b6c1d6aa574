"""Search over information sets, guided by the policy of the game."""

from random import Random

import pytest

import stammtisch as st
from games.tichu.deals import dealt_position, late_position, visited
from games.tichu.tables import ENDINGS, FOUR_7, Ending, after, after_calls
from stammtisch.core.game import Game, Seat
from stammtisch.core.rng import stream
from stammtisch.search import ismcts
from stammtisch.search.clock import NO_LIMIT
from stammtisch.search.tree import Result
from toys import Pennies, Whistlet

TICHU = st.game("tichu", rounds=1)


def search(seat: Seat, seed: int = 1, iterations: int = 100, expand_after: int = 1) -> Result:
    near, actions = seat.game.narrow(seat)
    return ismcts.search(near, stream(seed), iterations, actions=actions, guided=True, expand_after=expand_after)


@pytest.mark.parametrize("expand_after", [1, 50])
@pytest.mark.parametrize("game", [Whistlet(), TICHU], ids=lambda game: game.info.name)
def test_the_same_seed_gives_the_same_search(game: Game, expand_after: int) -> None:
    seat = game.new(seed=2).seat(0)
    first, again, other = (search(seat, seed, 300, expand_after) for seed in (5, 5, 6))
    assert repr(first) == repr(again) != repr(other)


@pytest.mark.parametrize("game", [Whistlet(), TICHU], ids=lambda game: game.info.name)
def test_hidden_cards_have_no_influence(game: Game) -> None:
    state = game.new(seed=2)
    other = state.seat(0).sample(stream(99))
    assert other != state
    assert repr(search(state.seat(0), 5, 300)) == repr(search(other.seat(0), 5, 300))


@pytest.mark.parametrize("begin", ["new", "schupf", "play", "late", "late again"])
def test_in_a_whole_round_it_sees_no_hidden_cards_and_chooses_legally(begin: str) -> None:
    rng = Random(begin)
    position = {"new": None, "schupf": dealt_position(rng, "schupf"), "play": dealt_position(rng)}
    for state in visited(position.get(begin, late_position(rng)), rng, rounds=1):
        if state.player is not None:
            found = search(state.seat(state.player), iterations=30)
            assert found.action in state.actions()
            other = state.seat(state.player).sample(stream(2))
            assert repr(search(other.seat(state.player), iterations=30)) == repr(found)


@pytest.mark.parametrize("expand_after", [1, 50])
@pytest.mark.parametrize("ending", ENDINGS.values(), ids=ENDINGS)
def test_the_best_move_of_an_ending_is_found(ending: Ending, expand_after: int) -> None:
    state = ending.state()
    for seed in range(3):
        assert state.game.format(search(state.seat(0), seed, expand_after=expand_after).action) == ending.best


def test_the_tree_finds_what_the_policy_would_do_wrong_later() -> None:
    """The dog gives the lead to the partner, who has called: good only for who does not go out before him."""
    state = after("Hu Dr | S5 S6 | SA S3 | S7 S8", announced=[0, 0, 1, 0])
    for seed in range(3):
        assert state.game.format(search(state.seat(0), seed, iterations=400).action) == "Hu"


def test_before_a_position_was_met_often_the_policy_goes_on() -> None:
    """The dragon is given to who will be last; only the tree tries the other one, too."""
    state = after("Dr | | | S2 S3", out=[2, 1])
    assert search(state.seat(0), expand_after=NO_LIMIT).means == [25.0]
    assert search(state.seat(0), expand_after=1).means[0] < 25.0


def test_a_hidden_choice_is_not_seen_in_the_tree() -> None:
    state = Pennies().new()
    state.play("1")
    found = search(state.seat(1), iterations=2000)
    assert all(mean == pytest.approx(0.5, abs=0.05) for mean in found.means)


def test_only_the_actions_asked_for_are_tried() -> None:
    state = after("S3 S5 S7 SA | S4 B4 | B5 G5 | S6 B6")
    actions = [state.game.parse(move) for move in ("S3", "S7")]
    found = ismcts.search(state.seat(0), stream(1), iterations=40, actions=actions, guided=True)
    assert found.actions == actions
    assert found.action in actions


def test_a_full_tree_goes_on_with_playouts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ismcts, "MAX_NODES", 8)
    ending = ENDINGS["the ace first, then out: tichu"]
    state = ending.state()
    assert state.game.format(search(state.seat(0), iterations=400).action) == ending.best


def test_every_action_is_tried_however_little_time_there_is() -> None:
    found = ismcts.search(Whistlet().new(seed=1).seat(0), stream(1), ms=0.001, guided=True)
    assert min(found.visits) >= 1


def test_senseless_calls_are_refused() -> None:
    seats = [Whistlet().new(seed=1).seat(index) for index in (0, 2)]
    with pytest.raises(ValueError, match="seat 2 has nothing to decide"):
        ismcts.search(seats[1], stream(1), iterations=10, guided=True)
    with pytest.raises(ValueError, match="a search needs a limit: iterations or ms"):
        ismcts.search(seats[0], stream(1), guided=True)


def test_what_the_others_would_win_counts_too() -> None:
    state = after(f"S2 B2 {FOUR_7} | SA S4 | S5 S6 | S8 S9", 1, "SA; pass*5", announced=[0, 1, 0, 0])
    assert state.game.format(search(state.seat(0), iterations=400).action) == FOUR_7


def test_every_iteration_is_booked() -> None:
    state = Pennies().new()
    state.play("1")
    found = search(state.seat(1), iterations=400)
    assert sum(found.visits) == found.iterations


def test_every_action_is_tried_however_few_iterations_there_are() -> None:
    assert min(search(after_calls(3).seat(0), iterations=10).visits) >= 1


@pytest.mark.parametrize("iterations", [0, -5])
def test_a_search_needs_an_iteration(iterations: int) -> None:
    with pytest.raises(ValueError, match="at least one iteration"):
        search(Whistlet().new(seed=1).seat(0), iterations=iterations)
