"""Agents by name."""

import pytest

import stammtisch as st
from stammtisch.agents.base import Agent, Budget
from stammtisch.agents.catalog import agent, agents
from stammtisch.core.game import Game
from stammtisch.core.rng import stream
from toys import Pig, Treelet, Whistlet

TICTACTOE = st.game("tictactoe")
PLAYERS = [
    ("random", TICTACTOE),
    ("maxn:depth=9", TICTACTOE),
    ("maxn:ms=5", Treelet()),
    ("mcts:iterations=100", TICTACTOE),
    ("mcts:iterations=100,c=1,playout_limit=3", Pig(players=4)),
    ("ismcts:iterations=100", Whistlet()),
    ("ismcts:ms=5", Pig()),
    ("random", Whistlet()),
]


@pytest.mark.parametrize(("name", "game"), PLAYERS, ids=str)
def test_every_agent_plays_a_whole_game(name: str, game: Game) -> None:
    player, state, rng = agent(name, game), game.new(seed=3), stream(3)
    assert isinstance(player, Agent)
    while state.player is not None:
        choice = player.choose(state.seat(state.player), rng)
        assert choice.action in state.actions()
        assert sorted(candidate.action for candidate in choice.analysis) == state.actions()
        state.apply(choice.action)


@pytest.mark.parametrize("name", ["random", "mcts:iterations=200", "ismcts:iterations=200", "maxn:depth=4"])
def test_the_same_seed_gives_the_same_choice(name: str) -> None:
    choices = [agent(name, TICTACTOE).choose(TICTACTOE.new().seat(0), stream(8)) for _ in range(2)]
    assert choices[0] == choices[1]


def test_the_best_candidate_comes_first() -> None:
    seat = TICTACTOE.from_json({"board": "XX.OO....", "player": 0}).seat(0)
    for name in ("maxn:depth=9", "mcts:iterations=2000", "ismcts:iterations=2000"):
        choice = agent(name, TICTACTOE).choose(seat, stream(1), Budget(explain=True))
        assert choice.action == choice.analysis[0].action == 2
        assert choice.analysis[0].value == pytest.approx(1.0, abs=0.01)


def test_explaining_gives_every_candidate_a_value() -> None:
    seat = TICTACTOE.from_json({"board": "X...O....", "player": 0}).seat(0)
    plain = agent("maxn:depth=9", TICTACTOE).choose(seat, stream(1))
    explained = agent("maxn:depth=9", TICTACTOE).choose(seat, stream(1), Budget(explain=True))
    assert any(candidate.value is None for candidate in plain.analysis)
    assert all(candidate.value == 0.5 for candidate in explained.analysis)


def test_a_budget_goes_before_the_agents_own_limits() -> None:
    player = agent("mcts:iterations=100000", TICTACTOE)
    choice = player.choose(TICTACTOE.new().seat(0), stream(1), Budget(iterations=9))
    assert all(candidate.share == pytest.approx(1 / 9) for candidate in choice.analysis)


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        ("mxn", st.UnknownAgent, "unknown agent 'mxn': did you mean maxn"),
        ("", st.UnknownAgent, "known: expectimax, guided, hypermax, ismcts, maxn, mcts, outside, paranoid, random"),
        ("maxn:dept=3", st.UnknownOption, "unknown option 'dept' of agent maxn: did you mean depth"),
        ("maxn:depth", st.BadOption, "option depth needs a value"),
        ("maxn:depth=x", st.BadOption, "option depth=x: a whole number from 1 to 64"),
        ("maxn:depth=99", st.BadOption, "a whole number from 1 to 64"),
        ("mcts:ms=0", st.BadOption, "a number from 1 to 86,400,000"),
        ("random:ms=3", st.UnknownOption, "there are none"),
    ],
)
def test_wrong_names_are_refused_with_the_nearest_right_ones(name: str, error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        agent(name, TICTACTOE)


def test_agents_refuse_games_they_cannot_play() -> None:
    with pytest.raises(st.UnsuitableAgent, match="'maxn' does not play pig: it needs a game without dice"):
        agent("maxn", Pig())
    with pytest.raises(st.UnsuitableAgent, match=r"'mcts' does not play whistlet: .* use ismcts"):
        agent("mcts", Whistlet())


def test_the_catalog_lists_the_generic_agents() -> None:
    assert {"random", "maxn", "mcts", "ismcts"} <= {info.name for info in agents()}
    assert all(info.summary for info in agents())
