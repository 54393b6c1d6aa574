"""A certain way out is certain: whatever the others hold and do, the seat is first."""

import numpy as np

from stammtisch.agents.tichu.sure import MOST_CARDS, sure_actions
from stammtisch.core.game import State
from stammtisch.core.kernel import determinize
from stammtisch.core.rng import Rng, below, stream
from stammtisch.games.tichu.cards import count
from stammtisch.games.tichu.combinations import PASS
from stammtisch.games.tichu.game import Tichu
from stammtisch.games.tichu.policy import decide
from stammtisch.games.tichu.rules import MOST_ACTIONS, PLAY

GAME = Tichu(rounds=1, merged=True)


def test_who_takes_a_certain_way_is_first() -> None:
    rng = stream(12)
    buffer, sure = np.empty(MOST_ACTIONS, dtype=np.int64), np.empty(MOST_ACTIONS, dtype=np.bool_)
    tried = 0
    for number in range(160):
        state = GAME.new(number)
        while not state.over:
            seat = state.player
            assert seat is not None
            actions = np.array(state.actions(), dtype=np.int64)
            if state.record.phase == PLAY and count(state.record.hand[seat]) <= MOST_CARDS:
                sure_actions(state.record, seat, actions, len(actions), sure)
                for action in actions[sure[: len(actions)]].tolist():
                    tried += 1
                    world = state.copy()
                    determinize(world.record, seat, rng)
                    assert goes_out_first(world, seat, action, rng), (state.to_json(), action)
            state.apply(
                int(decide(state.record, buffer, rng)) if below(rng, 8) else int(actions[below(rng, len(actions))])
            )
    assert tried > 60


def goes_out_first(state: State, seat: int, action: int, rng: Rng) -> bool:
    """Whether the seat is first when the others beat it wherever they can."""
    sure = np.empty(MOST_ACTIONS, dtype=np.bool_)
    while True:
        state.apply(action)
        while not state.over and state.player != seat and state.record.out_count == 0:
            known = state.actions()
            others = [one for one in known if one != PASS]
            assert state.player is not None
            partner = (state.player - seat) & 3 == 2
            state.apply(PASS if partner and PASS in known else others[below(rng, len(others))] if others else PASS)
        if state.over or state.record.out_count:
            return int(state.record.finished[0]) == seat
        actions = np.array(state.actions(), dtype=np.int64)
        if state.record.phase != PLAY:
            action = int(actions[0])
            continue
        if not sure_actions(state.record, seat, actions, len(actions), sure):
            return False
        action = int(actions[sure[: len(actions)]][0])
