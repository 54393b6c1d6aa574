"""madn with the options of OpenSpiel's ``maedn`` is that game, move for move, on its dice.

One rule cannot be matched: a six that moves nothing gives another turn there, here only a moved six does. After such a
pass the turn is handed back; nothing else is passed over.
"""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import stammtisch as st
from stammtisch.core.game import Game
from stammtisch.core.rng import stream
from stammtisch.games.dog.board import GOAL, HOME, PINS
from stammtisch.games.dog.cards import MADN_PASS

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel has no build for this system")

PASS, BRING_IN, FIELD = 0, 1, 2  # its actions
FIELDS, SIDES = 40, 4  # of its observation, in which every field has a flag for each player
GAMES = 10_000
SETTINGS = [
    ({"players": 2, "seats": "02"}, {"players": 2, "twoPlayersOpposite": True}),
    ({"players": 2, "seats": "01"}, {"players": 2, "twoPlayersOpposite": False}),
    ({"players": 3}, {"players": 3}),
    ({"players": 4}, {"players": 4}),
]


def play(game: Game, peer: Any, seed: int) -> None:
    """Play one random game in both and compare all that can be seen."""
    rng = np.random.default_rng(seed)
    ours, theirs = game.new(seed=seed), peer.new_initial_state()
    record, kernel, unused = ours.record, game.kernel, stream(seed)
    buffer = np.empty(game.spec.max_actions, dtype=np.int64)
    while not theirs.is_terminal():
        roll = int(rng.random() * 6)
        theirs.apply_action(roll)
        record.die = roll + 1
        turn = kernel.player(record)
        assert turn == theirs.current_player()
        assert _pins(record) == _their_pins(theirs, record)
        actions = buffer[: kernel.legal_actions(record, buffer)].tolist()
        named = {_name(record.pins[turn], action): action for action in actions}
        assert sorted(named) == theirs.legal_actions()
        choice = sorted(named)[int(rng.random() * len(named))]
        kernel.apply(record, named[choice], unused)
        theirs.apply_action(choice)
        if choice == PASS and roll == 5:
            record.turn = turn
    scores = np.empty(record.players)
    kernel.scores(record, scores)
    assert kernel.player(record) < 0
    assert (scores > 0).tolist() == [value > 0 for value in theirs.returns()]


def _name(pins: NDArray[np.int8], action: int) -> int:
    """Our action in its numbers."""
    if action == MADN_PASS:
        return PASS
    place = int(pins[action])
    return BRING_IN if place == HOME else FIELD + (place if place < GOAL else FIELDS + place - GOAL)


def _pins(record: np.record) -> list[list[int]]:
    """How far everybody's pins are: -1 at home, 40 and more in the goal."""
    return [
        sorted(FIELDS + place - GOAL if place >= GOAL else place for place in pins.tolist())
        for pins in record.pins[: record.players]
    ]


def _their_pins(state: Any, record: np.record) -> list[list[int]]:
    """The same of its state, as the first player sees it."""
    seen = np.array(state.observation_tensor(0), dtype=np.int64)
    track, goals, out = np.split(seen, [FIELDS * SIDES, (FIELDS + PINS * SIDES) * SIDES])
    result = []
    for player in range(record.players):
        fields = np.flatnonzero(track[player::SIDES]) - record.start[player]
        goal = np.flatnonzero(goals[player * PINS * SIDES :][player : PINS * SIDES : SIDES])
        result.append([HOME] * int(out[player]) + sorted((fields % FIELDS).tolist()) + (FIELDS + goal).tolist())
    return result


@pytest.mark.parametrize(("options", "parameters"), SETTINGS, ids=["opposite", "adjacent", "three", "four"])
@pytest.mark.parametrize(
    "games", [pytest.param(25, id="some"), pytest.param(GAMES // len(SETTINGS), id="all", marks=pytest.mark.slow)]
)
def test_all_games_are_the_same(options: dict[str, Any], parameters: dict[str, Any], games: int) -> None:
    game = st.game("madn", **options, start_on_1=False, forced_start=True, circular=False)
    peer = pyspiel.load_game("maedn", parameters)
    for seed in range(games):
        play(game, peer, seed)
