"""Games side by side for learners: the same games as single ones, booked once, against whom one wants."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import stammtisch as st
from stammtisch.agents.catalog import agent
from stammtisch.core.batch import Batch
from stammtisch.core.compiling import compiled
from stammtisch.core.errors import StammtischError
from stammtisch.core.game import Game
from stammtisch.core.kernel import Actions, Record, legal_actions
from stammtisch.core.mind import Bare, Mind
from stammtisch.core.rng import Rng, stream
from stammtisch.envs.opponents import LEARNER, _choice
from stammtisch.envs.vector import VectorGames
from toys import Pig, Whistlet

TOYS = [st.game("tictactoe"), Pig(players=3), Whistlet()]
named = pytest.mark.parametrize("game", TOYS, ids=lambda game: game.info.name)


def lowest(observations: NDArray[np.float32], masks: NDArray[np.bool_]) -> Actions:
    """An opponent: the first legal number."""
    assert masks.any(axis=1).all()
    return masks.argmax(axis=1)


@named
def test_what_is_shown_is_what_single_games_are(game: Game) -> None:
    games = VectorGames(game, 6, seed=3)
    for _ in range(60):
        singles = [games.batch.state(i) for i in range(len(games))]
        numbers = games.sample()
        for i, single in enumerate(singles):
            assert single.player is not None
            assert games.players[i] == games.seats[i] == single.player
            assert (games.masks[i] == single.mask()).all()
            assert (games.observations[i] == single.seat(single.player).observation()).all()
            for seat in range(game.spec.seats):
                assert (games.seen_by(seat)[i] == single.seat(seat).observation()).all()
        before = [np.array(single.scores()) for single in singles]
        games.step(numbers)
        for i, single in enumerate(singles):
            single.apply(single.action_at(int(numbers[i])))
            assert games.over[i] == single.over
            assert list(games.scores[i]) == single.scores()
            assert np.allclose(games.rewards[i], np.array(single.scores()) - before[i])


@named
@pytest.mark.parametrize("opponents", ["itself", "random", lowest], ids=["itself", "random", "function"])
def test_rewards_are_booked_once(game: Game, opponents: Any) -> None:
    """Over a game, every seat's rewards are its score at the end less that at the beginning."""
    games = VectorGames(game, 8, seed=5, opponents=opponents)
    start, won = games.batch.scores(), np.zeros((8, game.spec.seats))
    ended = 0
    for _ in range(150):
        games.step(games.sample())
        won += games.rewards
        for i in np.flatnonzero(games.over):
            ended += 1
            assert np.allclose(won[i], games.scores[i] - start[i])
            won[i], start[i] = 0.0, games.batch.scores()[i]
    assert ended > 8


def test_the_learner_is_asked_on_its_side_only() -> None:
    game = Whistlet()
    for seat, partner, asked in ((1, None, {1, 3}), (1, "random", {1}), (None, None, {0, 1, 2, 3})):
        games = VectorGames(game, 20, seed=1, opponents="random", seat=seat, partner=partner)
        seen: set[int] = set()
        for _ in range(30):
            sides = games.seats % 2
            assert (games.players % 2 == sides).all()
            seen |= set(games.players.tolist())
            games.step(games.sample())
        assert seen == asked


def test_a_pool_is_drawn_from_anew_in_every_game() -> None:
    games = VectorGames(st.game("tictactoe"), 40, seed=1, opponents=["random", lowest, "maxn:depth=1"], seat=0)
    assert set(games._opponents.who[:, 1].tolist()) == {0, 1, 2}
    before = games._opponents.who.copy()
    while not games.over.any():
        games.step(games.sample())
    assert (games._opponents.who[~games.over] == before[~games.over]).all()
    for _ in range(30):
        games.step(games.sample())
    assert (games._opponents.who[:, 0] == LEARNER).all()
    assert (games._opponents.who != before).any()


def test_who_follows_a_policy_is_asked_in_compiled_code() -> None:
    tichu = st.game("tichu")
    assert agent("heuristic", tichu).at_once is not None and agent("random", tichu).at_once is not None
    assert agent("heuristic:slips=0.5", tichu).at_once is None and agent("ismcts", tichu).at_once is None


@compiled
def follow_the_next_hand(state: Record, buffer: Actions, rng: Rng) -> int:
    """A cheat: which card it plays depends on what its neighbour holds."""
    n = legal_actions(state, buffer)
    return buffer[state.hands[(state.leader + state.played + 1) % 4] % n]


def test_an_opponent_in_compiled_code_sees_no_hidden_card() -> None:
    """It decides alike in positions that its seat cannot tell apart, even if it tries not to."""
    game, minds = Whistlet(), Mind(pick=Bare(follow_the_next_hand)).blank()
    buffer = np.empty(game.spec.max_actions, dtype=np.int64)
    for seed in range(20):
        state = game.new(seed)
        assert state.player is not None
        for other in range(3):
            same = state.seat(state.player).sample(stream(other))
            chosen = {
                int(_choice(minds, one.copy().record, state.player, buffer, stream(seed, 9))) for one in (state, same)
            }
            assert len(chosen) == 1


def test_what_is_not_legal_is_refused_before_anything_is_played() -> None:
    games = VectorGames(st.game("tictactoe"), 3, seed=1)
    before = games.batch.states.copy()
    for wrong in (9, -1, 10**6):
        with pytest.raises(ValueError, match=f"number {wrong} is not legal in game 1"):
            games.step(np.array([0, wrong, 0]))
    assert (games.batch.states == before).all()
    wishes: list[dict[str, Any]] = [{"opponents": "itself", "seat": 1}, {"opponents": []}, {"seat": 7}]
    for wish in (*wishes, {"reward": "gold"}):
        with pytest.raises(ValueError):
            VectorGames(st.game("tictactoe"), 3, 1, **wish)
    with pytest.raises(StammtischError, match="unknown agent"):
        VectorGames(st.game("tictactoe"), 3, 1, opponents="nobody")
    with pytest.raises(ValueError, match="the function chose number 77"):
        VectorGames(st.game("tictactoe"), 1, 1, opponents=lambda o, m: np.full(len(m), 77), seat=1)


@named
def test_saved_games_go_on_as_they_would_have(game: Game) -> None:
    def course(games: VectorGames) -> list[Any]:
        found = []
        for _ in range(25):
            games.step(games.sample())
            found.append([games.rewards.tolist(), games.players.tolist(), games.observations.sum(axis=0).tolist()])
        return found

    games = VectorGames(game, 5, seed=2, opponents="random")
    for _ in range(7):
        games.step(games.sample())
    kept = {name: array.copy() for name, array in games.save().items()}
    expected = course(games)
    other = VectorGames(game, 5, seed=99, opponents="random")
    other.load(kept)
    assert course(other) == expected


def test_what_was_not_saved_here_is_refused() -> None:
    games = VectorGames(st.game("tictactoe"), 5, seed=2, opponents="random")
    with pytest.raises(ValueError, match="other opponents"):
        games.load(VectorGames(st.game("tictactoe"), 5, seed=2, opponents=["random", "random", "random"]).save())
    with pytest.raises(ValueError, match="3 games were saved, here are 5"):
        games.batch.load(Batch(games.game, 3, 1).save())
    for name, wrong in (("rngs", -1), ("lucks", 1 << 40), ("seats", 9)):
        with pytest.raises(ValueError, match="no random streams|seats that nobody has"):
            games.load({**games.save(), name: np.full_like(games.save()[name], wrong)})
    kept = games.save()
    kept["states"] = np.full_like(kept["states"], 127)
    with pytest.raises(ValueError, match="is no position"):
        games.load(kept)


@named
def test_threads_change_nothing(game: Game) -> None:
    one, three = (VectorGames(game, 10, seed=4, opponents="random", threads=threads) for threads in (1, 3))
    for _ in range(30):
        numbers = one.sample()
        assert (numbers == three.sample()).all()
        one.step(numbers)
        three.step(numbers)
        assert (one.observations == three.observations).all() and (one.rewards == three.rewards).all()
    batches = [Batch(game, 10, 4, threads) for threads in (1, 3)]
    assert batches[0].random_steps(50) == batches[1].random_steps(50)
    assert (batches[0].states == batches[1].states).all()


def test_everything_can_lie_in_somebody_else_s_memory() -> None:
    game = st.game("tictactoe")
    mine = {"observations": np.ones((4, 2, 3, 3), dtype=np.float32), "masks": np.zeros((4, 9), dtype=np.bool_)}
    games = VectorGames(game, 4, seed=1, out=mine)
    assert games.observations is mine["observations"] and (mine["observations"] == 0).all() and mine["masks"].all()
    games.step(games.sample())
    assert mine["masks"].sum() == 32
    with pytest.raises(ValueError, match=r"wanted is bool of shape \(4, 9\)"):
        VectorGames(game, 4, seed=1, out={"masks": np.zeros((3, 9), dtype=np.bool_)})
    with pytest.raises(ValueError, match="wanted is observations, masks"):
        VectorGames(game, 4, seed=1, out={"mask": np.zeros((3, 9), dtype=np.bool_)})


def test_torch_reads_it_without_a_copy() -> None:
    torch = pytest.importorskip("torch", reason="comes with the extra lab")
    games = VectorGames(st.game("tictactoe"), 4, seed=1)
    seen = torch.from_numpy(games.observations)
    assert seen.sum() == 0
    games.step(games.sample())
    assert seen.sum() == 4  # the marks of the player before


def test_without_autoreset_finished_games_wait() -> None:
    games = VectorGames(st.game("tictactoe"), 30, seed=1, autoreset=False)
    ends = np.zeros(30)
    for _ in range(12):
        games.step(games.sample())
        ends += games.over
    assert (ends == 1).all() and (games.players == -1).all() and not games.masks.any() and not games.over.any()


def test_a_margin_is_the_lead_over_the_other_sides() -> None:
    games = VectorGames(Whistlet(), 10, seed=1, reward="margin")
    for _ in range(40):
        games.step(games.sample())
        assert np.allclose(games.rewards[:, 0], -games.rewards[:, 1])
        assert np.allclose(games.rewards[:, 0], games.rewards[:, 2])


def test_the_actions_of_tichu_as_features() -> None:
    """No two legal actions look alike, and numbers are the game's own."""
    game = st.game("tichu", rounds=1)
    games = VectorGames(game, 20, seed=1)
    kinds: set[str] = set()
    for _ in range(120):
        features, numbers, offsets = games.legal()
        actions, _ = games.batch.legal()
        for i in range(len(games)):
            part = slice(offsets[i], offsets[i + 1])
            assert len({row.tobytes() for row in features[part]}) == len(features[part])
            assert games.masks[i, numbers[part]].all()
            kinds |= {game.format(int(action)).split()[0] for action in actions[part][:3]}
        games.step(games.sample())
    assert {"no", "grand", "schupf", "pass", "tichu"} <= kinds
    with pytest.raises(StammtischError, match="tictactoe does not describe its actions"):
        VectorGames(st.game("tictactoe"), 1, 1).legal()
