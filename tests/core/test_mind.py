"""Minds are found by the record type of their weights, and compose."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import stammtisch as st
from stammtisch.core import mind as generic
from stammtisch.core.compiling import compiled
from stammtisch.core.errors import BadKernel, UnsuitableAgent
from stammtisch.core.kernel import OVER, Actions, Record, Records, Vector, apply, legal_actions, player, scores
from stammtisch.core.mind import ANY_MOVE, EMPTY, Bare, Mind, Part, judge, mind_of, pick, settle, weigh
from stammtisch.core.rng import WORDS, Rng, stream
from stammtisch.models.cards import Layout
from stammtisch.search import guided, ismcts, maxn, mcts, pimc
from stammtisch.search.halving import Prior
from toys import Pig, Treelet, Whistlet

GAMES = [st.game("tictactoe"), Treelet(), Pig(players=3), Whistlet()]


@compiled
def last_legal(mind: Record, state: Record, buffer: Actions, rng: Rng) -> int:
    mind.asked += 1
    return buffer[legal_actions(state, buffer) - 1]


@compiled
def by_weights(mind: Record, state: Record, actions: Actions, n: int, out: Vector) -> None:
    for i in range(n):
        out[i] = mind.weights[actions[i] % 4]


@compiled
def fixed(mind: Record, state: Record, seat: int, out: Vector) -> None:
    out[:] = mind.worth


STUBBORN = Mind([("asked", np.int64)], pick=last_legal)
TABLE = Mind([("weights", np.float32, 4)], weigh=by_weights)
FLAT = Mind([("worth", np.float64)], judge=fixed)
TRIO = Mind(
    [("playouts", STUBBORN.layout), ("prior", TABLE.layout), ("leaves", FLAT.layout)],
    pick=Part("playouts"),
    weigh=Part("prior"),
    judge=Part("leaves"),
)


@compiled
def best_by_far_sight(mind: Record, state: Record, buffer: Actions, rng: Rng) -> int:
    """Try every move with the room that the mind has, and judge what follows."""
    me, chosen, best = player(state), 0, -np.inf
    for i in range(legal_actions(state, buffer)):
        mind.after[0] = state
        mind.rngs[0] = rng
        apply(mind.after[0], buffer[i], mind.rngs[0])
        judge(mind, mind.after[0], me, mind.values[0])
        if mind.values[0, me] > best:
            chosen, best = i, mind.values[0, me]
    return buffer[chosen]


@compiled
def weighted_scores(mind: Record, state: Record, seat: int, out: Vector) -> None:
    scores(state, out)
    for i in range(len(out)):
        out[i] *= mind.weights[0, i]


NET = Layout("network", {"weights": (1, "seats")})


def far_sighted(game: Any) -> Mind:
    room = [("after", game.kernel.state, 1), ("rngs", np.int64, (1, WORDS)), ("values", np.float64, (1, 4))]
    return Mind([*NET.fields(seats=4), *room], pick=best_by_far_sight, judge=weighted_scores)


@compiled
def play_out(minds: Records, state: Record, buffer: Actions, rng: Rng, out: Vector) -> int:
    """A generic algorithm: any game, any mind."""
    moves = 0
    settle(minds[0], state)
    while player(state) != OVER and moves < 50:
        apply(state, pick(minds[0], state, buffer, rng), rng)
        moves += 1
    judge(minds[0], state, 0, out)
    weigh(minds[0], state, buffer, 2, out)
    return moves


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.name)
@pytest.mark.parametrize("mind", [EMPTY, STUBBORN, TRIO], ids=["empty", "own", "parts"])
def test_one_algorithm_runs_every_game_with_every_mind(game: Any, mind: Mind) -> None:
    buffer, out = np.zeros(max(2, game.spec.max_actions), dtype=np.int64), np.zeros(max(2, game.spec.seats))
    state, plain, minds = game.new(seed=3), game.new(seed=3), mind.blank()
    moves = play_out(minds, state.record, buffer, state.rng, out)
    rng, steps = plain.rng, 0
    while plain.player is not None and not plain.over and steps < 50:
        if mind is EMPTY:
            plain.apply(int(pick(minds[0], plain.record, buffer, rng)))
        else:
            plain.apply(plain.actions()[-1])
        steps += 1
    assert (moves, state) == (steps, plain)
    if mind is not EMPTY:
        asked = minds if mind is STUBBORN else minds["playouts"]
        assert asked["asked"][0] == moves


def test_the_empty_mind_knows_the_scores_so_far_and_prefers_nothing() -> None:
    state, out, known = Pig(players=4).new(seed=1), np.ones(4), np.ones(4)
    judge(EMPTY.blank()[0], state.record, 0, out)
    scores(state.record, known)
    assert list(out) == list(known)
    buffer, rng = np.empty(9, dtype=np.int64), stream(1)
    assert {int(pick(EMPTY.blank()[0], state.record, buffer, rng)) for _ in range(60)} == set(state.actions())
    weigh(EMPTY.blank()[0], state.record, np.array([1, 2]), 2, out)
    assert list(out[:2]) == [0.0, 0.0]


def test_parts_answer_with_their_own_weights() -> None:
    trio = TRIO.blank()
    trio["prior"]["weights"][0] = [1, 2, 3, 4]
    trio["leaves"]["worth"][0] = 7.5
    state, out = Pig(players=2).new(seed=1), np.zeros(2)
    weigh(trio[0], state.record, np.array([3, 1]), 2, out)
    assert list(out) == [4.0, 2.0]
    judge(trio[0], state.record, 0, out)
    assert list(out) == [7.5, 7.5]
    assert mind_of(trio) is TRIO


def test_new_weights_compile_nothing() -> None:
    state, out = Pig(players=2).new(seed=1), np.zeros(4)
    buffer, rng = np.zeros(8, dtype=np.int64), stream(1)
    play_out(FLAT.filled(worth=1.0), state.record, buffer, rng, out)
    known = len(getattr(play_out, "signatures", ()))
    play_out(FLAT.filled(worth=2.0), Pig(players=2).new(seed=1).record, buffer, rng, out)
    assert len(getattr(play_out, "signatures", ())) == known


def test_other_functions_with_the_same_fields_are_told_apart() -> None:
    other = Mind([("asked", np.int64)])
    assert other.layout != STUBBORN.layout
    assert mind_of(STUBBORN.blank()) is STUBBORN


def test_a_mind_with_weights_and_room_of_its_own_plays_inside_the_searches() -> None:
    game = Whistlet()
    minds = far_sighted(game).filled(weights=np.ones((1, 4), dtype=np.float32))
    state = game.new(seed=2)
    seat = state.seat(0)
    own = int(pick(minds[0], state.record.copy(), np.zeros(game.spec.max_actions, dtype=np.int64), stream(1)))
    trusting = ismcts.search(seat, stream(1), 100, guided=True, minds=minds, prior=Prior(10**9, 1.0))
    assert trusting.action == own
    for search in (ismcts.search, pimc.search):
        first, again = (search(seat, stream(1), 200, minds=minds, playout_limit=3) for _ in range(2))
        assert repr(first) == repr(again)
    won_at_once = st.game("tictactoe").from_json({"board": "XX.OO....", "player": 0})
    judged = far_sighted(won_at_once.game).filled(weights=np.ones((1, 4), dtype=np.float32))
    assert maxn.search(won_at_once, 2, minds=judged).action == 2


def test_a_mind_that_cannot_be_is_refused() -> None:
    with pytest.raises(BadKernel, match="a mind's field cannot be called 'data'"):
        Mind([("data", np.int64)])
    with pytest.raises(BadKernel, match=r"'worths' of the shape \(\) is no field of this mind; it has {'worth': \(\)}"):
        FLAT.filled(worths=1.0)
    with pytest.raises(BadKernel, match=r"'weights' of the shape \(\) is no field"):
        TABLE.filled(weights=1.0)
    with pytest.raises(BadKernel, match="'nowhere', which is no field"):
        Mind([("asked", np.int64)], pick=Part("nowhere"))
    if getattr(last_legal, "py_func", None):
        with pytest.raises(BadKernel, match="put @compiled before it"):
            Mind(pick=lambda mind, state, buffer, rng: 0)


def test_a_mind_of_another_game_is_one_sentence() -> None:
    tichu = st.game("tichu").mind()
    searches: list[Callable[[], object]] = [
        lambda: maxn.search(GAMES[0].new(), minds=tichu),
        lambda: mcts.search(GAMES[0].new(), stream(1), 10, minds=tichu),
        lambda: ismcts.search(GAMES[0].new().seat(0), stream(1), 10, minds=tichu),
        lambda: pimc.search(Whistlet().new(seed=1).seat(0), stream(1), 10, minds=tichu),
        lambda: guided.by_mind(GAMES[0], tichu),
    ]
    for search in searches:
        with pytest.raises(UnsuitableAgent, match="knows the positions of another game, not of .*: hand over one"):
            search()
    with pytest.raises(UnsuitableAgent, match=r"an array of one mind, as Mind.blank\(\) and"):
        mcts.search(GAMES[0].new(), stream(1), 10, minds=np.zeros(1))


def test_every_generic_function_is_one_of_the_minds() -> None:
    assert all(hasattr(generic, name) for name in generic.FUNCTIONS)


def test_a_mind_that_knows_no_more_than_the_empty_one_changes_nothing_for_it() -> None:
    """Both have the same functions, so the same record; whoever follows one asks which is meant."""
    assert not EMPTY.plays
    twin = Mind(pick=Bare(ANY_MOVE.function))
    assert twin.layout == EMPTY.layout
    assert not twin.plays and not mind_of(EMPTY.blank()).plays
    hand = st.game("tichu").mind()
    assert Mind(pick=mind_of(hand).pick).layout == hand.dtype
    assert mind_of(hand).state is not None  # it still says which positions it knows
