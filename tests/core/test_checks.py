"""Every public function that hands numbers to compiled code: whatever it is given, it plays on or says what is wrong.

Before numbers were checked, each group of these ended somewhere in a garbage position, an endless loop or a crash.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import stammtisch as st
from stammtisch.core import checks
from stammtisch.core.batch import Batch
from stammtisch.core.errors import BadNumber, IllegalMove, StammtischError, brief
from stammtisch.core.game import Game, State
from stammtisch.core.rng import stream
from stammtisch.search import expectimax, hypermax, ismcts, maxn, mcts, paranoid, perft, pimc
from toys import Pig, Treelet, Whistlet

HUGE = (1 << 62, -(1 << 62), 1 << 64, -(1 << 200), 10**5000)
NO_NUMBERS: tuple[Any, ...] = (None, "0", 0.0, 1.5, float("nan"), True, [0], np.array([0]), b"0", 1j)
WRONG: tuple[Any, ...] = (*NO_NUMBERS, *HUGE, -1, 10**6)
REFUSED = (StammtischError, ValueError)
GAMES: list[Game] = [st.game("tictactoe"), st.game("dog"), st.game("clever"), st.game("tichu"), Whistlet()]


def named(game: Game) -> str:
    return game.info.name


def begun(game: Game, moves: int = 3) -> State:
    state = game.new(5)
    for _ in range(moves):
        state.apply(state.actions()[-1])
    return state


ONE_NUMBER: dict[str, Callable[[State, Any], object]] = {
    "State.apply": State.apply,
    "State.number": State.number,
    "State.legal": State.legal,
    "State.action_at": State.action_at,
    "State.told": lambda state, value: state.told(state.actions()[0], value if value is not None else -1),
    "State.view": lambda state, value: state.view(value if value is not None else -1),
    "State.seat": State.seat,
    "Game.comment": lambda state, value: state.game.comment(state, state.legal(value)),
    "Seat.sample": lambda state, value: state.seat(0).sample(value),
    "Batch.state": lambda state, value: Batch(state.game, 2, 1).state(value),
    "Batch.random_steps": lambda state, value: Batch(state.game, 2, 1).random_steps(checks.whole(value, "n", 0, 99)),
}


@pytest.mark.parametrize("game", GAMES, ids=named)
@pytest.mark.parametrize("name", ONE_NUMBER)
def test_one_number(name: str, game: Game) -> None:
    for value in WRONG:
        state = begun(game)
        before = state.bytes()
        with pytest.raises(REFUSED):
            ONE_NUMBER[name](state, value)
        assert state.bytes() == before


@pytest.mark.parametrize("game", [st.game("dog"), st.game("clever")], ids=named)
def test_a_comment_is_for_legal_actions(game: Game) -> None:
    state = begun(game)
    for action in (*range(-5, 400), 10**6, -(10**6), 1 << 62):
        if action in state.actions():
            assert isinstance(game.comment(state, action), str)
        else:
            with pytest.raises(StammtischError):
                game.comment(state, action)


def test_tichu_s_calls_out_of_turn() -> None:
    for value in WRONG:
        with pytest.raises(REFUSED):
            begun(st.game("tichu")).calls(value)
        with pytest.raises(REFUSED):
            begun(st.game("tichu")).announce(value)  # type: ignore[attr-defined]


@pytest.mark.parametrize("value", [*NO_NUMBERS, -1, -(10**5000)], ids=brief)
def test_seeds_and_sizes(value: Any) -> None:
    if value is not None:
        with pytest.raises(REFUSED):
            st.game("tictactoe").new(value)
    for n, seed in ((value, 1), (2, value)):
        with pytest.raises(REFUSED):
            Batch(st.game("tictactoe"), n, seed)
    for steps in (Batch.random_steps, Batch.policy_steps):
        with pytest.raises(REFUSED):
            steps(Batch(st.game("tictactoe"), 2, 1), value)


# --- a batch ------------------------------------------------------------------------------------------------


def first_legal(batch: Batch) -> Any:
    actions, offsets = batch.legal()
    return actions[offsets[:-1]]


BENT: dict[str, Callable[[Any], Any]] = {
    "too short": lambda good: good[:-1],
    "too long": lambda good: np.append(good, good[0]),
    "none": lambda good: good[:0],
    "one": lambda good: good[0],
    "rows": lambda good: good.reshape(2, -1),
    "floats": lambda good: good.astype(float),
    "truth": lambda good: good.astype(bool),
    "words": lambda good: [str(one) for one in good],
    "objects": lambda good: [*good[:-1], None],
    "uneven": lambda good: [*good[:-1], [1, 2]],
    "too large": lambda good: [*good[:-1].tolist(), 10**30],
    "beyond": lambda good: np.full(len(good), 1 << 63, dtype=np.uint64),
    "nothing": lambda good: None,
}


@pytest.mark.parametrize("game", GAMES, ids=named)
@pytest.mark.parametrize("bend", BENT)
def test_a_batch_takes_as_many_whole_numbers_as_it_has_games(bend: str, game: Game) -> None:
    batch = Batch(game, 6, seed=3)
    before = batch.states.copy()
    for take in (batch.step, batch.actions_at, lambda given: batch.step(given, checked=False)):
        with pytest.raises(BadNumber):
            take(BENT[bend](first_legal(batch)))
    assert (batch.states == before).all()


@pytest.mark.parametrize("game", GAMES, ids=named)
@pytest.mark.parametrize("wrong", [-1, 10**6, 1 << 62, -(1 << 62)])
def test_the_first_game_with_an_illegal_action_is_named_and_nothing_is_played(game: Game, wrong: int) -> None:
    batch = Batch(game, 6, seed=3)
    before = batch.states.copy()
    actions = first_legal(batch)
    actions[[2, 4]] = wrong
    with pytest.raises(IllegalMove, match=f"action {wrong} is not legal in game 2 of"):
        batch.step(actions)
    assert (batch.states == before).all()


@pytest.mark.parametrize("game", [*GAMES, Pig(), Treelet()], ids=named)
def test_whatever_is_legal_is_played_in_every_integer_type(game: Game) -> None:
    batch, again, chooser = Batch(game, 6, seed=3), Batch(game, 6, seed=3), np.random.default_rng(1)
    for _ in range(12):
        actions, offsets = batch.legal()
        picks = [int(chooser.choice(actions[a:b])) if a < b else -7 for a, b in pairwise(offsets)]
        batch.step(picks)  # type: ignore[arg-type]
        again.step(np.array(picks), checked=False)
    assert (batch.states == again.states).all()


def test_every_action_that_is_not_legal_is_refused() -> None:
    game = st.game("dog")
    state = begun(game, 5)
    for action in range(-3, 2000):
        batch = Batch(game, 1, 1)
        batch.states[0] = state.record
        if action in state.actions():
            batch.step(np.array([action]))
        else:
            with pytest.raises(IllegalMove):
                batch.step(np.array([action]))


@pytest.mark.parametrize("game", GAMES, ids=named)
def test_numbers_that_no_action_has_mean_none(game: Game) -> None:
    batch = Batch(game, 4, seed=3)
    for wrong in (-1, game.spec.numbers, 1 << 62, -(1 << 62)):
        assert (batch.actions_at(np.full(4, wrong)) == -1).all()


@pytest.mark.parametrize("steps", [Batch.random_steps, Batch.policy_steps])
def test_games_that_are_over_begin_anew_before_they_are_played_on(steps: Callable[[Batch, int], int]) -> None:
    batch = Batch(st.game("tictactoe"), 20, seed=1)
    while (batch.players() != -1).any():
        actions, offsets = batch.legal()
        batch.step(np.append(actions, 0)[np.minimum(offsets[:-1], len(actions))])
    assert steps(batch, 0) == 0
    assert (batch.players() == -1).all()
    steps(batch, 3)
    assert (batch.players() == 1).all()


# --- searches -----------------------------------------------------------------------------------------------

OPEN: dict[str, Callable[..., Any]] = {"maxn": maxn.search, "paranoid": paranoid.search, "hypermax": hypermax.search}


@pytest.mark.parametrize("depth", [*WRONG, 0, 1000], ids=brief)
def test_depths(depth: Any) -> None:
    state = st.game("tictactoe").new(1)
    for search in OPEN.values():
        with pytest.raises(REFUSED):
            search(state, depth)
    with pytest.raises(REFUSED):
        expectimax.search(Pig().new(1), depth)
    if depth != 0 or isinstance(depth, float):
        with pytest.raises(REFUSED):
            perft.perft(state, depth)


BAD_SETTINGS: list[dict[str, Any]] = [
    *({"iterations": value} for value in (0, -1, 2.5, "10", True, 1 << 70)),
    *({"ms": value} for value in (-1.0, float("nan"), float("inf"), "5", True)),
    *({"playout_limit": value} for value in (-1, 0.5, None, 1 << 70)),
    *(
        {"rng": value}
        for value in (None, 5, np.zeros(3, np.int64), np.zeros(4), [0, 0, 0, 1], np.zeros((1, 4), np.int64))
    ),
    *({"minds": value} for value in (5, np.zeros(0), np.zeros(1), st.game("tictactoe").blank())),
]
ONLY_TREES: list[dict[str, Any]] = [{"exploration": value} for value in (float("nan"), -1.0, float("inf"), "1")]


@pytest.mark.parametrize("settings", BAD_SETTINGS + ONLY_TREES, ids=brief)
def test_settings_of_searches(settings: dict[str, Any]) -> None:
    given = {"rng": stream(1), **({} if {"iterations", "ms"} & set(settings) else {"iterations": 10}), **settings}
    with pytest.raises(REFUSED):
        mcts.search(st.game("tictactoe").new(1), **given)
    state = Whistlet().new(1)
    with pytest.raises(REFUSED):
        ismcts.search(state.seat(state.player or 0), **given)
    if "exploration" not in settings:
        with pytest.raises(REFUSED):
            pimc.search(state.seat(state.player or 0), **given)


@pytest.mark.parametrize("actions", [[99], [-1], [0, 99], [1.5], ["0"], [None], [1 << 70]])
def test_a_search_chooses_among_legal_actions(actions: list[Any]) -> None:
    state = Whistlet().new(1)
    for search in (ismcts.search, pimc.search):
        with pytest.raises(REFUSED):
            search(state.seat(state.player or 0), stream(1), iterations=5, actions=actions)


# --- environments -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("illegal", ["end", "lose", "error"])
def test_gymnasium_s_environments(illegal: Any) -> None:
    pytest.importorskip("gymnasium")
    from stammtisch.envs.clever import CleverEnv, CleverVectorEnv

    env = CleverEnv(illegal=illegal)
    for value in (None, "0", 0.0, 1.5, [0], 10**30, True):
        env.reset(seed=1)
        with pytest.raises(REFUSED):
            env.step(value)  # type: ignore[arg-type]
    for number in (-1, 10**6, -(1 << 62)):
        env.reset(seed=1)
        if illegal == "error":
            with pytest.raises(ValueError, match="is not legal now"):
                env.step(number)  # type: ignore[arg-type]
        else:
            assert env.step(number)[1] < 0  # type: ignore[arg-type]
    many = CleverVectorEnv(4, illegal=illegal)
    many.reset(seed=1)
    good = many.action_masks().argmax(axis=1)
    for bend in BENT.values():
        with pytest.raises(BadNumber):
            many.step(bend(good))
    for wrong in (-1, 10**6, 1 << 62):
        if illegal == "error":
            with pytest.raises(ValueError, match=f"action {wrong} of game 0"):
                many.step(np.full(4, wrong))
        else:
            assert (many.step(np.full(4, wrong))[1] < 0).all()
    many.step(many.action_masks().argmax(axis=1))
