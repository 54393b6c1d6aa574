"""The players that have learned: td, and best with its network."""

import numpy as np
import pytest

from games.chameleon.positions import many_positions
from stammtisch.agents.catalog import agent
from stammtisch.agents.chameleon import net, td
from stammtisch.arena.match import match
from stammtisch.arena.referee import Referee
from stammtisch.core.errors import BadOption
from stammtisch.core.rng import stream
from stammtisch.games.chameleon.game import Chameleon
from stammtisch.models.cards import BadWeights


@pytest.mark.parametrize("line_up", ["RY", "GB", "RGY", "RYB", "RGYB"])
def test_td_plays_every_line_up(line_up: str) -> None:
    game = Chameleon(players=line_up)
    player = agent("td", game)
    for state in many_positions(line_up, 10, first=30):
        seat = state.seat(state.player or 0)
        choice = player.choose(seat, stream(1))
        assert sorted(one.action for one in choice.analysis) == state.actions()
        values = [one.value or 0.0 for one in choice.analysis]
        assert choice.analysis[0].action == choice.action
        assert values == sorted(values, reverse=True)


def test_td_beats_random_moves() -> None:
    referee = Referee(match(Chameleon(players="RY"), "td", "random", seed=3))
    games = [game for deal in range(20) for game in referee.play(0, deal).games]
    won = [scores for game in games for side, scores in zip(game.sides, game.scores[::2], strict=True) if side == 0]
    assert np.mean(won) > 0.9


def test_best_judges_by_its_network_or_by_hand() -> None:
    game = Chameleon(players="RY")
    players = [agent(f"best:depth=4,evaluation={name}", game) for name in ("learned", "hand")]
    told = []
    for state in many_positions("RY", 20, first=70):
        seat = state.seat(state.player or 0)
        told.append([player.choose(seat, stream(1)).analysis[0].value for player in players])
    assert sum(learned != by_hand for learned, by_hand in told) >= 5
    with pytest.raises(BadOption, match="learned, hand"):
        agent("best:evaluation=guess", game)


def test_a_network_of_another_player_is_refused() -> None:
    with pytest.raises(BadWeights, match="no network for the search"):
        net.read_net("chameleon-td0-2")
    with pytest.raises(BadWeights, match="no network of the plan"):
        td.read_net("chameleon")
