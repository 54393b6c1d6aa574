"""The learned evaluation: incremental sums, the symmetry, and the engine that asks it."""

import numpy as np
import pytest

from agents.chameleon.plain_replies import value
from games.chameleon.positions import many_positions
from stammtisch.agents.chameleon.best import FEW_ENTRIES
from stammtisch.agents.chameleon.engine import INFINITE, new_desk, visit
from stammtisch.agents.chameleon.hand import WHOLE
from stammtisch.agents.chameleon.net import (
    FINE,
    SLOTS,
    Net,
    answers_of,
    bucket_of,
    chance,
    new_judge,
    new_net,
    odds,
)
from stammtisch.core.game import State
from stammtisch.games.chameleon.board import COLOUR_TURNED
from stammtisch.games.chameleon.features import turn_position
from stammtisch.games.chameleon.game import Chameleon

GAME = Chameleon(max_plies=None)


def some_net(strong: float = 0.5) -> Net:
    rng = np.random.default_rng(3)
    net = new_net(3)
    for weights, size in ((net.rows, 0.2), (net.last, strong), (net.last_bias, 0.5)):
        weights[:] = rng.normal(size=weights.shape) * size
    return net


def positions() -> list[tuple[State, int]]:
    found = [state for line_up in ("RY", "RGB", "RGYB") for state in many_positions(line_up, 40, first=100)]
    return [(state, seat) for state in found for seat in range(4) if state.record.alive[seat]]


def plain_chance(net: Net, state: State, seat: int) -> float:
    """The network in plain NumPy, with the rows rounded as the search rounds them."""
    answers = np.empty(SLOTS, dtype=np.int32)
    answers_of(state.record, seat, answers)
    bucket = bucket_of(state.record, seat)
    units = (np.clip(np.rint(net.rows * FINE)[answers].sum(axis=0), 0, FINE) / FINE) ** 2
    total = units @ net.last[bucket] + net.last_bias[bucket] + net.by_hand[bucket] * odds(state.record, seat)
    return float(1 / (1 + np.exp(-total)))


@pytest.mark.parametrize(("strong", "rounding"), [(0.01, 1e-4), (0.1, 1e-3), (2.0, 0.02)])
def test_positions_one_after_another_give_what_the_whole_network_gives(strong: float, rounding: float) -> None:
    net = some_net(strong)
    judge = new_judge(net)
    for state, seat in positions():
        found = chance(judge[0], state.record, seat)
        assert found == pytest.approx(plain_chance(net, state, seat), abs=rounding)
        assert found == chance(new_judge(net)[0], state.record, seat)  # whatever was looked at before


def test_everybody_sees_the_same_in_a_turned_position() -> None:
    judge = new_judge(some_net())
    for state, seat in positions():
        for quarters in (1, 2, 3):
            turned = state.game.blank()
            turn_position(state.record, quarters, turned[0])
            expected = chance(judge[0], state.record, seat)
            assert chance(judge[0], turned[0], int(COLOUR_TURNED[quarters, seat])) == expected


def test_a_new_network_says_what_the_hand_says() -> None:
    judge = new_judge(new_net(1))
    for state, seat in positions():
        told = chance(judge[0], state.record, seat)
        assert told == pytest.approx(1 / (1 + np.exp(-3 * odds(state.record, seat))), abs=1e-5)


@pytest.mark.parametrize(("line_up", "replies"), [("RY", 0), ("RGYB", 1)])
def test_the_engine_asks_the_network(line_up: str, replies: int) -> None:
    net = some_net()
    judge = new_judge(net)
    few = [state for state in many_positions(line_up, 150, first=600) if 4 <= (state.record.square >= 0).sum() <= 6]
    for state in few[:12]:
        me = state.player or 0
        desk = new_desk(GAME.kernel.state, FEW_ENTRIES, net)
        desk.states[0] = state.record
        found = visit(desk, 0, 2, -INFINITE, INFINITE, me, replies)
        expected = value(state, me, 2, bool(replies), lambda at, seat: int(WHOLE * chance(judge[0], at.record, seat)))
        assert found == expected
