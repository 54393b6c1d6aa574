"""The strongest player: it plays wins, the shorter first, keeps winning, and its levels err mildly."""

import numpy as np
import pytest

import stammtisch as st
from games.chameleon.positions import many_positions
from stammtisch.agents.base import Budget
from stammtisch.agents.catalog import agent, usual_adviser, usual_opponent
from stammtisch.agents.chameleon.best import Best
from stammtisch.core.game import State
from stammtisch.core.kernel import evaluate
from stammtisch.core.rng import stream
from stammtisch.games.chameleon.game import Chameleon
from stammtisch.search import maxn

GAME = Chameleon(max_plies=None)
WINS_AT = 5  # the longest forced win to look for


def moves_to_win(state: State, most: int = WINS_AT) -> int | None:
    """The length of the shortest forced win of the side to move, by the exact search."""
    me = state.player or 0
    for depth in range(1, most + 1, 2):
        if maxn.search(state, depth).value[me] == 1.0:
            return depth
    return None


def test_certain_wins_are_played_on_the_shortest_way() -> None:
    """Two players, so that a win is certain: every move must keep it and come nearer."""
    tried = 0
    for state in many_positions("RY", 400, first=5000):
        length = moves_to_win(state)
        if length is None:
            continue
        tried += 1
        player = agent("best:depth=8", GAME)
        after = state.copy()
        after.apply(player.choose(state.seat(state.player or 0), stream(1)).action)
        assert after.over == (length == 1)
        for action in after.actions():
            answer = after.copy()
            answer.apply(action)
            assert answer.over or moves_to_win(answer, length - 2) is not None
    assert tried > 100


def test_who_is_ahead_does_not_repeat_a_position() -> None:
    """From positions with a clear lead it makes no position twice, and wins or at least never falls behind."""
    won = played = 0
    for state in many_positions("RY", 200, first=9000):
        lead = np.zeros(4)
        evaluate(state.record, 0, lead)
        me = state.player or 0
        if lead[me] < 0.6:
            continue
        played += 1
        ahead, behind = agent("best:depth=6", GAME), agent("paranoid:depth=3", GAME)
        made: list[bytes] = []
        for _ in range(60):
            if state.over:
                break
            mover = ahead if state.player == me else behind
            state.apply(mover.choose(state.seat(state.player or 0), stream(1)).action)
            if mover is ahead:
                made.append(state.bytes())
        assert len(set(made)) == len(made)
        won += state.over and state.scores()[me] == 1.0
    assert played >= 20
    assert won >= 0.9 * played


@pytest.mark.parametrize("players", ["RY", "RGY", "RGYB"])
def test_a_free_pawn_is_taken_and_the_last_enemy_captured(players: str) -> None:
    game = st.game("chameleon", players=players)
    state = game.from_json({"limits": [0, 7, 0, 7], "player": 0, "pawns": [[0, 0, 0, 0], [0, 1, 7, 4], [2, 0, 7, 7]]})
    for name in ("best:depth=1", "best:depth=5", "best:ms=20", "best:level=easy", "best:level=normal"):
        choice = agent(name, game).choose(state.seat(0), stream(1))
        assert game.format(choice.action) == "74>77"
        assert choice.analysis[0].value == 1.0


def test_the_same_question_gets_the_same_answer() -> None:
    for state in many_positions("RGYB", 10, first=70):
        seat = state.seat(state.player or 0)
        answers = {agent("best:depth=4", GAME).choose(seat, stream(seed)).action for seed in range(3)}
        assert len(answers) == 1


def test_a_hint_values_every_move() -> None:
    state = GAME.new()
    choice = agent("best:depth=3", GAME).choose(state.seat(0), stream(1), Budget(explain=True))
    assert sorted(candidate.action for candidate in choice.analysis) == state.actions()
    values = [candidate.value for candidate in choice.analysis]
    assert all(value is not None and 0 <= value <= 1 for value in values)
    assert values[0] == max(value for value in values if value is not None)


@pytest.mark.parametrize(("level", "slack"), [("easy", 0.5), ("normal", 0.25)])
def test_levels_choose_among_moves_that_are_nearly_the_best(level: str, slack: float) -> None:
    """Less than a pawn is given away, by its own judgement; and different games get different moves."""
    different = 0
    for state in many_positions("RGYB", 30, first=300):
        share = np.zeros(4)
        evaluate(state.record, 0, share)
        me = state.player or 0
        pawn = share[me] / state.record.alive[me]
        chosen = set()
        for seed in range(6):
            choice = agent(f"best:level={level}", GAME).choose(state.seat(me), stream(seed))
            values = [candidate.value or 0.0 for candidate in choice.analysis]
            assert values[0] >= max(values) - slack * pawn - 1e-3
            chosen.add(choice.action)
        different += len(chosen) > 1
    assert different > 10


def test_people_meet_the_normal_level_and_ask_the_strongest() -> None:
    assert usual_opponent(GAME.info) == "best:level=normal"
    assert usual_adviser(GAME.info) == "best"
    assert usual_adviser(st.game("tictactoe").info) == "mcts"


def test_it_thinks_for_a_second_unless_told_otherwise() -> None:
    assert agent("best", GAME).ms == 1000
    assert agent("best:depth=3", GAME).ms is None
    assert agent("best:ms=50", GAME).ms == 50
    made = agent("best:level=easy", GAME)
    assert isinstance(made, Best)
    assert made.depth == 1
    with pytest.raises(st.BadOption, match="level=easy decides how deep it looks"):
        agent("best:level=easy,depth=5", GAME)


def test_the_limit_of_moves_is_seen() -> None:
    """One move before the end of the game whoever is behind is content with a share; a capture is worth nothing."""
    game = Chameleon(players="RY", max_plies=50)
    state = game.from_json(
        {"limits": [0, 7, 0, 7], "player": 2, "ply": 49, "pawns": [[0, 0, 0, 0], [0, 1, 7, 4], [2, 0, 7, 7]]}
    )
    choice = agent("best:depth=4", game).choose(state.seat(2), stream(1))
    assert choice.analysis[0].value == 0.5
