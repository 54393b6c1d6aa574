"""Every move on the same imagined deals: fair comparison, endings that can be counted out, limits and errors."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pytest

import stammtisch as st
from games.tichu.tables import ENDINGS, FOUR_7, Ending, after, after_calls
from stammtisch.core.game import Game, State
from stammtisch.core.rng import stream
from stammtisch.games.tichu.policy import decide
from stammtisch.search import halving, pimc
from toys import Pennies, Pig, Whistlet

TICTACTOE = st.game("tictactoe")
TICHU = st.game("tichu", rounds=1)


@pytest.mark.parametrize("game", [Whistlet(), Pig(players=3), TICHU], ids=lambda game: game.info.name)
def test_the_same_seed_gives_the_same_search(game: Game) -> None:
    seat = game.new(seed=2).seat(0)
    first, again, other = (pimc.search(seat, stream(seed), iterations=60) for seed in (5, 5, 6))
    assert repr(first) == repr(again) != repr(other)
    assert sum(first.visits) == first.iterations


@pytest.mark.parametrize("game", [Whistlet(), TICHU], ids=lambda game: game.info.name)
def test_hidden_cards_have_no_influence(game: Game) -> None:
    state = game.new(seed=2)
    other = state.seat(0).sample(stream(99))
    assert other != state
    found = [pimc.search(one.seat(0), stream(5), iterations=60) for one in (state, other)]
    assert repr(found[0]) == repr(found[1])


def test_all_actions_are_tried_on_the_same_deals() -> None:
    """On every deal one of the two guesses is right, so the luck of one is the bad luck of the other."""
    state = Pennies().new()
    state.play("1")
    found = pimc.search(state.seat(1), stream(1), iterations=1001)
    assert found.visits[0] == found.visits[1]
    assert sum(found.means) == pytest.approx(1.0)
    assert found.means[0] == pytest.approx(0.5, abs=0.05)


def test_it_takes_the_trick_that_decides_the_game() -> None:
    """Seat 0 is last to play: its 7 wins the second of three tricks; after its 5 the third is a lottery."""
    state = Whistlet(deals=1).from_json(
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
    found = pimc.search(state.seat(0), stream(1), iterations=400)
    assert found.action == 7
    assert found.means[found.actions.index(7)] == 1.0


def test_a_move_that_ends_the_game_counts_with_its_score() -> None:
    found = pimc.search(TICTACTOE.from_json({"board": "XX.OO....", "player": 0}).seat(0), stream(1), iterations=500)
    assert (found.action, found.means[0]) == (2, 1.0)


def test_it_beats_random_play_at_cards() -> None:
    wins, games = 0.0, 60
    for seed in range(games):
        state, chooser, rng = Whistlet().new(seed), np.random.default_rng(seed), stream(seed, 1)
        while state.player is not None:
            if state.player % 2 == seed % 2:
                state.apply(pimc.search(state.seat(state.player), rng, iterations=300).action)
            else:
                state.apply(int(chooser.choice(state.actions())))
        wins += state.scores()[seed % 2]
    assert wins / games > 0.6  # seeded: the same number on every machine


# --- Tichu, counted out --------------------------------------------------------------------------------------------


def every_deal(state: State, seat: int) -> Iterator[State]:
    """All positions that the seat holds possible, where nothing but the hands is unknown."""
    position = state.to_json()
    others = [other for other in range(4) if other != seat]
    sizes = [len(position["hands"][other]) for other in others]
    unseen = [card for other in others for card in position["hands"][other]]
    for first in combinations(unseen, sizes[0]):
        rest = [card for card in unseen if card not in first]
        for second in combinations(rest, sizes[1]):
            third = tuple(card for card in rest if card not in second)
            hands = {seat: position["hands"][seat], **dict(zip(others, (first, second, third), strict=True))}
            yield state.game.from_json({**position, "hands": [list(hands[at]) for at in range(4)]})


def played_out(state: State, action: int) -> float:
    """The lead the action brings seat 0 when all go on by rules of thumb."""
    end, buffer = state.copy(), np.empty(state.game.spec.max_actions, dtype=np.int64)
    end.apply(action)
    while not end.over:
        end.apply(int(decide(end.record, buffer, end.rng)))
    own, others, *_ = end.scores()
    return own - others


@pytest.mark.parametrize("ending", ENDINGS.values(), ids=ENDINGS)
def test_the_best_move_of_an_ending_is_found(ending: Ending) -> None:
    """It is never worse than another on any deal, and better on average."""
    state = ending.state()
    best = state.game.parse(ending.best)
    results = {action: [played_out(deal, action) for deal in every_deal(state, 0)] for action in state.actions()}
    for action in set(state.actions()) - {best}:
        assert all(mine >= its for mine, its in zip(results[best], results[action], strict=True))
        assert np.mean(results[best]) > np.mean(results[action]) + 10
    for seed in range(3):
        assert pimc.search(state.seat(0), stream(seed), iterations=60).action == best


def test_mean_results_are_those_of_all_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(halving, "LEAST_VISITS", 10**9)
    state = after("S9 B9 S3 | S4 B5 | S6 B7 | G8 G10", announced=[1, 0, 0, 0])
    actions = [state.game.parse(move) for move in ("S3", "S9 B9")]
    exact = [np.mean([played_out(deal, action) for deal in every_deal(state, 0)]) for action in actions]
    found = pimc.search(state.seat(0), stream(1), iterations=8000, actions=actions)
    assert found.visits == [4000, 4000]
    assert found.means == pytest.approx(exact, abs=5)


def test_what_the_others_would_win_counts_too() -> None:
    """To pass costs nothing oneself but lets the right opponent win his tichu."""
    state = after(f"S2 B2 {FOUR_7} | SA S4 | S5 S6 | S8 S9", 1, "SA; pass*5", announced=[0, 1, 0, 0])
    assert state.game.format(pimc.search(state.seat(0), stream(1), iterations=400).action) == FOUR_7


# --- narrowing, limits, errors -------------------------------------------------------------------------------------


def test_only_the_actions_asked_for_are_tried() -> None:
    state = after("S3 S5 S7 SA | S4 B4 | B5 G5 | S6 B6")
    actions = [state.game.parse(move) for move in ("S7", "S3")]
    found = pimc.search(state.seat(0), stream(1), iterations=40, actions=actions)
    assert found.actions == sorted(actions)
    assert found.action in actions


def test_a_single_action_is_the_choice() -> None:
    state = after("S3 S5 S7 SA | S4 B4 | B5 G5 | S6 B6")
    action = state.game.parse("S5")
    assert pimc.search(state.seat(0), stream(1), iterations=40, actions=[action]).action == action


def test_the_seat_itself_is_not_touched() -> None:
    seat = TICHU.new(seed=3).seat(0)
    before = seat.sample(stream(1)).bytes()
    pimc.search(seat, stream(1), iterations=20)
    assert seat.sample(stream(1)).bytes() == before


def test_a_playout_limit_uses_the_evaluation() -> None:
    state = after("S3 SA | S4 B4 | B5 G5 | S6 B6", score=[45, 55], target=1000, rounds=50)
    found = pimc.search(state.seat(0), stream(1), iterations=8, playout_limit=0)
    assert found.means == [-10.0, -10.0]  # the lead


@pytest.mark.parametrize("seed", range(3))
def test_iterations_are_a_limit_but_for_the_last_round_of_each_look(seed: int) -> None:
    state = TICHU.new(seed)
    for _ in range(4):
        state.play("no")
    near, actions = TICHU.narrow(state.seat(0))
    looks = halving.LOOKS * int(np.ceil(np.log2(len(actions))))
    assert pimc.search(near, stream(1), iterations=600, actions=actions).iterations < 600 + looks * len(actions)


def test_every_action_is_tried_however_little_time_there_is() -> None:
    found = pimc.search(Whistlet().new(seed=1).seat(0), stream(1), ms=0.001)
    assert min(found.visits) >= 1


def test_senseless_calls_are_refused() -> None:
    with pytest.raises(ValueError, match="seat 2 has nothing to decide"):
        pimc.search(Whistlet().new(seed=1).seat(2), stream(1), iterations=10)
    with pytest.raises(ValueError, match="seat 0 has nothing to decide"):
        pimc.search(TICTACTOE.from_json({"board": "XXXOO...."}).seat(0), stream(1), iterations=10)
    with pytest.raises(ValueError, match="seat 0 has nothing to decide"):
        pimc.search(Whistlet().new(seed=1).seat(0), stream(1), iterations=10, actions=[])
    with pytest.raises(ValueError, match="a search needs a limit: iterations or ms"):
        pimc.search(Whistlet().new(seed=1).seat(0), stream(1))


@pytest.mark.parametrize(("iterations", "most"), [(10, 25), (400, 425)])
def test_iterations_are_a_limit_but_for_one_round_of_all_actions(iterations: int, most: int) -> None:
    state = after_calls(3)
    near, actions = TICHU.narrow(state.seat(0))
    assert len(actions) == 25
    assert pimc.search(near, stream(1), iterations=iterations, actions=actions).iterations <= most


@pytest.mark.parametrize("iterations", [0, -5])
def test_a_search_needs_an_iteration(iterations: int) -> None:
    with pytest.raises(ValueError, match="at least one iteration"):
        pimc.search(Whistlet().new(seed=1).seat(0), stream(1), iterations=iterations)
