"""The learner of the pin games: its gradient, its returns, that it learns, that it goes on bit for bit."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import stammtisch as st
from stammtisch.agents.dog.net import Net, new_mind, new_net, worth
from stammtisch.agents.dog.sight import ROWS
from stammtisch.core.errors import BadOption
from stammtisch.core.kernel import outcome
from stammtisch.core.rng import stream
from stammtisch.learning.conformance import broken_promises
from stammtisch.learning.pins import (
    ASIDE,
    GREEDY,
    MOST_ACTIONS,
    SLIP,
    TURNED,
    Config,
    Notes,
    PinsLearner,
    _decide,
    _new_notes,
    add_gradient,
    blanks,
    play_and_note,
)
from stammtisch.learning.training import read_recipe

TINY = Config(games=600, games_per_step=50, school=300, averaging=0.98, evaluation_games=100)


def some_net(wide: int = 8, narrow: int = 4) -> Net:
    rng, net = np.random.default_rng(4), new_net(wide, narrow, seed=3)
    for weights, size in ((net.rows, 0.1), (net.last, 0.5), (net.last_bias, 0.1), (net.middle_bias, 0.1)):
        weights[:] = rng.normal(size=weights.shape) * size
    net.rows[0] = 0
    return net


def losses(net: Net, answers: list[np.ndarray], targets: np.ndarray) -> float:
    """The mean cross-entropy in plain NumPy."""
    first = np.maximum(np.array([net.rows[one].sum(axis=0) for one in answers]), 0)
    total = np.maximum(first @ net.middle + net.middle_bias, 0) @ net.last + net.last_bias[0]
    return float(np.mean(np.logaddexp(0, total) - targets * total))


def test_the_gradient_is_that_of_the_loss() -> None:
    rng, net = np.random.default_rng(2), some_net()
    answers = [rng.integers(1, ROWS, size).astype(np.int16) for size in (5, 9, 1, 7)]
    ends, targets = np.cumsum([0, *map(len, answers)]), rng.random(4).astype(np.float32)
    gradient, touched = Net(*map(np.zeros_like, net)), np.zeros(ROWS, dtype=np.bool_)
    loss = add_gradient(np.concatenate(answers), ends, targets, np.arange(4), net, gradient, touched)
    assert loss / 4 == pytest.approx(losses(net, answers, targets), abs=1e-5)
    assert set(np.flatnonzero(touched)) == set(np.concatenate(answers))
    precise = Net(*(weights.astype(np.float64) for weights in net))  # type: ignore[arg-type]
    for weights, slopes in zip(precise, gradient, strict=True):
        for place in np.argsort(-np.abs(slopes), axis=None)[:4]:
            at = np.unravel_index(place, weights.shape)
            found = []
            for shift in (1e-5, -2e-5):
                weights[at] += shift
                found.append(losses(precise, answers, targets))
            weights[at] += 1e-5
            assert (found[0] - found[1]) / 2e-5 == pytest.approx(slopes[at], rel=1e-2, abs=1e-4)


def played(config: Config, school: bool = False, seed: int = 1) -> tuple[Notes, int]:
    """The notes of one game."""
    notes = _new_notes(3000)
    chances = (config.trace, config.explore, config.aside)
    mind = new_mind(some_net(64, 32))
    noted, _ = play_and_note(
        mind, blanks(config), stream(seed), 1, (school, config.all_throws), config.opening, chances, notes
    )
    return notes, noted


@pytest.mark.parametrize("name", ["madn", "dmadn", "dog"])
@pytest.mark.parametrize("sides", ["teams", "each"])
def test_returns_mix_what_is_expected_with_what_comes(name: str, sides: str) -> None:
    """The targets of a game, backwards in plain Python; random moves hold a return up."""
    config = replace(TINY, game=name, sides=sides, trace=0.7, explore=0.1, aside=0.3, all_throws=True)
    kinds = set()
    for seed in range(4):
        notes, n = played(config, seed=seed)
        assert n > 50
        kinds |= set(notes.kinds[:n].tolist())
        back: dict[int, float] = {}
        for k in range(n - 1, -1, -1):
            chain, turned = int(notes.chains[k]) % TURNED, notes.chains[k] >= TURNED
            target = 1.0 - float(notes.targets[k]) if turned else float(notes.targets[k])
            assert target == pytest.approx(back.setdefault(chain, target), abs=1e-6)
            if notes.kinds[k] != ASIDE:
                surprise = target - notes.values[k] if notes.kinds[k] == GREEDY else 0.0
                back[chain] = min(max(notes.before[k] + 0.7 * surprise, 0.0), 1.0)
    assert kinds == ({GREEDY, SLIP} if name != "dog" and sides == "teams" else {GREEDY, SLIP, ASIDE})


def test_at_school_only_the_outcome_counts() -> None:
    for seed in range(6):
        notes, n = played(replace(TINY, game="dmadn", trace=1.0), school=True, seed=seed)
        seen = {
            (float(target), chain >= TURNED) for target, chain in zip(notes.targets[:n], notes.chains, strict=False)
        }
        assert len(seen) == 2 and seen in ({(1.0, False), (0.0, True)}, {(0.0, False), (1.0, True)})


def test_a_decision_is_worth_the_mean_over_all_throws() -> None:
    mind, game = new_mind(some_net(64, 32)), st.game("madn", teams=True, rethrow=True)
    state, looks = game.new(seed=3), game.blank()
    for _ in range(80):
        actions = np.array(state.actions(), dtype=np.int64)
        room, worths = np.empty(MOST_ACTIONS, dtype=np.int64), np.empty(MOST_ACTIONS)
        room[: len(actions)] = actions
        chosen, value = _decide(mind[0], state.record, looks, room, len(actions), worths, True)
        mean = 0.0
        for which in range(6):
            other = state.copy()
            probability = outcome(other.record, which)
            mean += probability * max(worth(mind[0], other.record, action) for action in other.actions())
        assert value == pytest.approx(mean)
        assert worth(mind[0], state.record, actions[chosen]) == max(
            worth(mind[0], state.record, action) for action in actions
        )
        state.apply(int(actions[chosen]))


def test_it_keeps_the_promises_of_learners(tmp_path: Path) -> None:
    settings = {"games": 120, "games_per_step": 10, "school": 30, "evaluation_games": 8}
    assert broken_promises(read_recipe("dog-teams", settings), tmp_path) == []


def test_it_learns_from_a_few_games_of_the_rules_of_thumb() -> None:
    """At first it loses every game; what it sees of who wins makes it a match for them, now and then."""
    learner = PinsLearner(
        replace(TINY, game="dmadn", games=1000, school=950, opening=24, last_rate=1e-3, evaluation_opening=8)
    )
    assert learner.evaluate(100).mean() < 0.02
    while learner.done < learner.total:
        learner.step()
    assert learner.evaluate(200).mean() > 0.05


@pytest.mark.slow
@pytest.mark.parametrize(
    ("recipe", "games", "least"),
    [("dmadn-teams", 8000, 0.9), ("madn-teams", 12_000, 0.47), ("dog-teams", 16_000, 0.55)],
)
def test_it_soon_wins_against_the_rules_of_thumb(recipe: str, games: int, least: float) -> None:
    learner = read_recipe(recipe, {"games": games}).new_learner()
    while learner.done < learner.total:
        learner.step()
    assert learner.evaluate(1000).mean() > least


def test_a_rule_set_that_the_game_does_not_have_is_refused() -> None:
    with pytest.raises(BadOption, match="dmadn has seed"):
        PinsLearner(Config(game="dmadn", rules="braendi"))
