"""The strongest player: it plays wins, the shorter first, keeps winning, and its levels err mildly."""

from collections.abc import Iterator
from contextlib import AbstractContextManager

import numpy as np
import pytest

import stammtisch as st
from agents.chameleon.plain_replies import share, value
from games.chameleon.positions import many_positions, random_position
from stammtisch.agents.base import Budget
from stammtisch.agents.catalog import agent, usual_adviser, usual_opponent
from stammtisch.agents.chameleon import best
from stammtisch.agents.chameleon.best import FEW_ENTRIES, Best, _Memory, _Search
from stammtisch.agents.chameleon.engine import INFINITE, WIN, _from_table, _to_table, new_desk, visit, worth
from stammtisch.core.game import State
from stammtisch.core.kernel import Record
from stammtisch.core.mind import judge
from stammtisch.core.rng import stream
from stammtisch.games.chameleon.game import Chameleon
from stammtisch.games.chameleon.rules import survivors
from stammtisch.search import maxn
from stammtisch.search.clock import StopFlag, time_limit

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
        judge(GAME.mind()[0], state.record, 0, lead)
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


@pytest.mark.parametrize("line_up", ["RY", "RGY", "RGYB"])
@pytest.mark.parametrize("evaluation", ["learned", "hand"])
@pytest.mark.parametrize("level", ["easy", "normal"])
def test_levels_choose_among_moves_that_are_nearly_the_best(level: str, evaluation: str, line_up: str) -> None:
    """A part of a pawn is given away, by its own judgement; and different games get different moves."""
    different = 0
    depth, slack = best.LEVELS[level]
    player = agent(f"best:level={level},evaluation={evaluation}", GAME)
    assert isinstance(player, Best)
    for state in many_positions(line_up, 30, first=300):
        me = state.player or 0
        pawn = worth_of_a_pawn(player.desk, state, me)
        search = _Search(player.desk, state, depth, exact=True)
        for _ in range(depth):
            search.step()
        most = max(search.scores.values())
        chosen = {search.choice(slack, stream(seed)) for seed in range(6)}
        assert all(most - search.scores[action] <= slack * max(0.0, pawn) for action in chosen)
        different += len(chosen) > 1
    assert different > 10


def worth_of_a_pawn(desk: Record, state: State, me: int) -> float:
    """What the position is worth, less what it is worth without one of the own pawns, on average."""
    position = state.to_json()
    own = [pawn for pawn in position["pawns"] if pawn[0] == me]
    now = worth(desk, state.record, me)
    if len(own) == 1:
        return float(now)
    fewer = [GAME.from_json({**position, "pawns": [p for p in position["pawns"] if p != pawn]}) for pawn in own]
    return float(now - np.mean([worth(desk, one.record, me) for one in fewer]))


@pytest.mark.parametrize(("line_up", "fair"), [("RGY", 1 / 3), ("RGYB", 1 / 4)])
def test_values_are_shares_of_the_win(line_up: str, fair: float) -> None:
    """On average the one who moves has a fair share, a little more for being allowed to move, and moves differ."""
    player, values, spread = agent("best:depth=3", GAME), [], 0
    for state in many_positions(line_up, 80, first=700):
        if survivors(state.record) == len(line_up):
            choice = player.choose(state.seat(state.player or 0), stream(1), Budget(explain=True))
            told = [candidate.value or 0.0 for candidate in choice.analysis]
            values.append(told[0])
            spread += max(told) - min(told) > 0.1
    assert fair < np.mean(values) < fair + 0.2
    assert spread > len(values) / 2


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


@pytest.mark.parametrize(("line_up", "replies"), [("RY", 0), ("RGY", 1), ("RGYB", 1), ("RGYB", 0)])
def test_the_engine_finds_the_values_of_a_plain_search(line_up: str, replies: int) -> None:
    """Depth 1 and 2, where it does not look at late moves less deep than at others."""
    few = [state for state in many_positions(line_up, 200, first=600) if 4 <= (state.record.square >= 0).sum() <= 6]
    assert len(few) >= 20
    for state in few[:30]:
        me = state.player or 0
        desk = new_desk(GAME.kernel.state, FEW_ENTRIES)
        for depth in (1, 2):
            desk.states[0] = state.record
            found = visit(desk, 0, depth, -INFINITE, INFINITE, me, replies)
            assert found == value(state, me, depth, bool(replies), share)


def test_with_three_players_one_of_the_others_replies_with_two_it_is_minimax() -> None:
    desk = new_desk(GAME.kernel.state, FEW_ENTRIES)
    three, two = random_position(1, "RGY", 5), random_position(1, "RY", 5)
    assert [_Search(desk, state, 3, exact=False).replies for state in (three, two)] == [1, 0]


def test_a_win_against_single_replies_is_doubted() -> None:
    """Best-reply search sees a win here by 43>63; when all others answer, it is none."""
    state = Chameleon(players="RGY", max_plies=None).parse_position("4-7,3-6 R Rr43 Rg64 Ry76 Gr56 Gg63 Yy55")
    choice = agent("best:depth=6", state.game).choose(state.seat(0), stream(1))
    assert choice.analysis[0].value is not None
    assert choice.analysis[0].value < 0.9


def test_wins_in_the_table_count_from_their_own_position() -> None:
    stored = _to_table(WIN - 7, 3)  # a win after four more moves, seen three moves deep
    assert _from_table(stored, 5) == WIN - 9
    assert _from_table(_to_table(7 - WIN, 3), 5) == 9 - WIN
    assert _from_table(_to_table(4321, 3), 5) == 4321


def there_and_back(first: int) -> Iterator[tuple[State, int, State, int]]:
    """Positions with a lead, a quiet move and the way back: (before, move, two moves later, move that returns)."""
    for state in many_positions("RY", 120, first=first):
        me = state.player or 0
        lead = np.zeros(4)
        judge(GAME.mind()[0], state.record, 0, lead)
        if lead[me] < 0.55:
            continue
        for go in state.actions():
            after = state.copy()
            after.apply(go)
            for answer in after.actions():
                later = after.copy()
                later.apply(answer)
                back, undo = (go & 63) << 6 | go >> 6, (answer & 63) << 6 | answer >> 6
                if later.over or back not in later.actions():
                    continue
                again = later.copy()
                again.apply(back)
                if undo in again.actions():
                    again.apply(undo)
                    if again.bytes() == state.bytes():
                        yield state, go, later, back
                        break
            else:
                continue
            break


@pytest.mark.parametrize("depth", [1, 3])
def test_a_position_of_the_game_is_worth_a_share_when_it_comes_again(depth: int) -> None:
    tried = 0
    for state, go, later, back in there_and_back(first=0):
        seat = state.seat(state.player or 0)
        player = agent(f"best:depth={depth}", GAME)
        assert isinstance(player, Best)
        fresh = {c.action: c.value for c in player.choose(seat, stream(1), Budget(explain=True)).analysis}
        player = agent(f"best:depth={depth}", GAME)
        assert isinstance(player, Best)
        for before, action in ((state, go), (later, back)):  # as if it had played them
            player._memory.recall(before, player.desk)
            player._memory.keep(before, action)
        again = {c.action: c.value for c in player.choose(seat, stream(1), Budget(explain=True)).analysis}
        assert again[go] == 0.5
        tried += fresh[go] != 0.5
    assert tried >= 3


def test_advice_that_was_not_taken_is_forgotten() -> None:
    for state, go, later, _ in there_and_back(first=0):
        memory, desk = _Memory(), new_desk(GAME.kernel.state, FEW_ENTRIES)
        other = next(action for action in state.actions() if action != go)
        for advice, known in ((go, 2), (other, 0)):
            memory.recall(state, desk)
            memory.keep(state, advice)
            memory.recall(later, desk)
            assert desk.seen.tolist().index(0) == known
            memory.recall(state, desk)


def test_the_same_agent_can_play_the_next_game() -> None:
    player = agent("best:depth=3", GAME)
    for seed in (1, 2):
        state = random_position(seed, "RGYB", 30)
        seat = state.seat(state.player or 0)
        assert player.choose(seat, stream(1)) == agent("best:depth=3", GAME).choose(seat, stream(1))


def test_the_clock_is_set_to_less_than_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[float | None] = []

    def recorded(ms: float | None, flag: StopFlag) -> AbstractContextManager[StopFlag]:
        given.append(ms)
        return time_limit(ms, flag)

    monkeypatch.setattr(best, "time_limit", recorded)
    seat = GAME.new().seat(0)
    for ms in (2, 40):
        agent(f"best:ms={ms}", GAME).choose(seat, stream(1))
        agent("best:depth=2", GAME).choose(seat, stream(1), Budget(ms=ms))
    limits = [limit for limit in given if limit is not None]
    assert len(limits) == 4
    assert all(0 <= limit < ms for limit, ms in zip(limits, (2, 2, 40, 40), strict=True))


def test_the_limit_of_moves_is_seen_also_where_the_position_was_looked_at_before() -> None:
    """What the table knows of a position with many moves left is not used with few."""
    game = Chameleon(players="RY", max_plies=60)
    for state in many_positions("RY", 15, first=4000):
        pawns = {key: state.to_json()[key] for key in ("limits", "player", "pawns")}
        player = agent("best:depth=4,ms=600000", game)
        for ply in (0, 20, 57, 58):
            asked = game.from_json({**pawns, "ply": ply})
            seat = asked.seat(asked.player or 0)
            used = player.choose(seat, stream(1), Budget(explain=True))
            fresh = agent("best:depth=4,ms=600000", game).choose(seat, stream(1), Budget(explain=True))
            if ply >= 57:
                assert {c.action: c.value for c in used.analysis} == {c.action: c.value for c in fresh.analysis}


def test_who_is_not_to_move_cannot_be_asked() -> None:
    for name in ("best", "maxn", "mcts", "random"):
        with pytest.raises(ValueError, match="seat 2 has nothing to decide"):
            agent(name, GAME).choose(GAME.new().seat(2), stream(1))
    with pytest.raises(ValueError, match="nobody has seat 1; taken: 0, 2"):
        st.game("chameleon", players="RY").new().seat(1)
