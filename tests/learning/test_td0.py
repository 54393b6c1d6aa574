"""The learner of the thesis plan: its step down the gradient, and that it learns."""

import numpy as np
import pytest

from games.chameleon.positions import many_positions, random_position
from stammtisch.agents.chameleon.td import INPUTS, judge, judge_moves, new_desk, new_net
from stammtisch.core.errors import BadOption
from stammtisch.core.rng import stream
from stammtisch.games.chameleon.game import Chameleon
from stammtisch.learning.learner import new_learner
from stammtisch.learning.td0 import Config, Td0Learner, train

GAME = Chameleon()


@pytest.mark.parametrize("encoding", INPUTS)
def test_training_goes_down_the_gradient(encoding: str) -> None:
    target = np.array([0.7, 0.0, 0.2, 0.1])
    state = random_position(3, "RGYB", 12)
    net = new_net(encoding, 6, seed=1)
    desk = new_desk(GAME, net)

    def loss() -> float:
        judge(net, desk, state.record)
        return -float((target * np.log(desk.value)).sum())

    judge(net, desk, state.record)
    assert desk.value.sum() == pytest.approx(1.0)
    places = {"rows": (int(np.flatnonzero(desk.bits)[3]), 2), "hidden_bias": (4,), "last": (1, 3), "last_bias": (0,)}
    slopes = {}
    for name, at in places.items():
        weights, found = getattr(net, name), []
        for shift in (1e-2, -2e-2):
            weights[at] += shift
            found.append(loss())
        weights[at] += 1e-2
        slopes[name] = (found[0] - found[1]) / 2e-2
    before = {name: float(getattr(net, name)[at]) for name, at in places.items()}
    assert train(net, desk, state.record, target, np.float32(0.01)) == pytest.approx(loss(), rel=0.1)
    for name, at in places.items():
        change = (before[name] - float(getattr(net, name)[at])) / 0.01
        assert change == pytest.approx(slopes[name], rel=0.05, abs=2e-3), name


def test_the_move_is_chosen_that_is_best_for_the_mover() -> None:
    net = new_net("pawns", 16, seed=2)
    desk = new_desk(GAME, net)
    for state in many_positions("RGYB", 30, first=50):
        best, n = judge_moves(net, desk, state.record, stream(1))
        assert desk.actions[:n].tolist() == state.actions()
        assert desk.values[best, state.player] == desk.values[:n, state.player].max()
        after = state.copy()
        after.apply(int(desk.actions[best]))
        if after.over:
            assert desk.values[best].tolist() == after.scores()


def test_a_small_network_learns_to_beat_random_moves() -> None:
    learner = Td0Learner(Config(hidden=40, games=3000, encoding="squares", match_every=3000, evaluation_games=20))
    while learner.done < learner.total:
        numbers = learner.step()
    assert learner.evaluate(200).mean() > 0.8
    assert {"maxn_1", "maxn_2", "maxn_3"} <= set(numbers)


def test_an_unknown_encoding_is_refused() -> None:
    with pytest.raises(BadOption, match="squares, pawns"):
        new_learner("td0", {"encoding": "planes"}, "recipe test")
