"""Games of the policy, stepped together, are single games of the policy."""

import numpy as np
import pytest

import stammtisch as st
from stammtisch.core.batch import Batch
from stammtisch.core.game import Game, State
from stammtisch.core.mind import pick
from toys import Pig, Treelet, Whistlet

TICHU = st.game("tichu", rounds=1)
GAMES = [st.game("tictactoe"), Treelet(), Pig(players=3), Whistlet(), TICHU]


def step(state: State) -> State:
    """One move of the policy by the game's own generator; a new game with the same one if it ends this."""
    game, buffer = state.game, np.empty(state.game.spec.max_actions, dtype=np.int64)
    state.apply(int(pick(game.mind()[0], state.record, buffer, state.rng)))
    if not state.over:
        return state
    records = game.blank()
    game.kernel.new_game(records[0], state.rng)
    return game.state(records, state.rng)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.name)
def test_a_batch_plays_exactly_the_single_games(game: Game) -> None:
    batch, steps, ended = Batch(game, 5, seed=7), 130, 0
    singles = [batch.state(i) for i in range(len(batch))]
    for _ in range(steps):
        before = singles
        singles = [step(single) for single in singles]
        ended += sum(new is not old for new, old in zip(singles, before, strict=True))
    assert batch.policy_steps(steps) == ended > 0
    for i, single in enumerate(singles):
        assert batch.state(i) == single
        assert (batch.rngs[i] == single.rng).all()


@pytest.mark.parametrize("game", [Whistlet(), TICHU], ids=lambda game: game.info.name)
def test_a_batch_does_not_depend_on_how_it_is_cut(game: Game) -> None:
    whole, part = Batch(game, 6, seed=5), Batch(game, 2, seed=5)
    whole.policy_steps(100)
    for steps in (0, 1, 29, 70):
        part.policy_steps(steps)
    assert all(whole.state(i) == part.state(i) for i in range(2))


@pytest.mark.parametrize("game", [st.game("tictactoe"), Whistlet()], ids=lambda game: game.info.name)
def test_without_a_policy_moves_are_random(game: Game) -> None:
    policy, chance = Batch(game, 20, seed=3), Batch(game, 20, seed=3)
    assert policy.policy_steps(50) == chance.random_steps(50)
    assert all(policy.state(i) == chance.state(i) for i in range(20))


def test_rounds_of_the_policy_are_shorter_than_random_ones() -> None:
    policy, chance = Batch(TICHU, 50, seed=3), Batch(TICHU, 50, seed=3)
    assert policy.policy_steps(600) > 1.2 * chance.random_steps(600)
