"""The players that judge by a learned value: what they choose, how far they look, and which rules they know."""

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import stammtisch as st
from agents.dog.test_net import NET, positions
from stammtisch.agents.base import Budget
from stammtisch.agents.catalog import agent
from stammtisch.agents.dog.ahead import look_ahead, new_desk
from stammtisch.agents.dog.net import chance_of, new_mind, worth
from stammtisch.agents.dog.value import NETWORKS, Value, model
from stammtisch.core.errors import BadOption
from stammtisch.core.rng import stream
from stammtisch.games.dog.legal import legal_actions
from stammtisch.games.dog.rules import ENDED, place
from stammtisch.models.cards import write_network

DMADN: list[dict[str, Any]] = [{"teams": True}, {"players": 3}]


@pytest.fixture(scope="module")
def net(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("nets")
    write_network(folder, "some", NET._asdict(), {})
    return str(folder / "some.safetensors")


def actions_of(record: Any) -> list[int]:
    buffer = np.empty(25, dtype=np.int64)
    return buffer[: legal_actions(record, buffer)].tolist()


def plain_value(record: Any, mind: Any, root: int, depth: int) -> float:
    """Minimax: one side against all others, in plain Python."""
    if depth == 0 or record.phase == ENDED:
        return float(chance_of(mind[0], record, root))
    found = []
    for action in actions_of(record):
        after = record.copy()
        place(after, action)
        found.append(plain_value(after, mind, root, depth - 1))
    own = record.turn == root or (record.teams and (int(record.turn) - root) % 2 == 0)
    return max(found) if own else min(found)


@pytest.mark.parametrize("options", DMADN)
def test_looking_ahead_finds_what_looking_at_everything_finds(options: dict[str, Any]) -> None:
    mind, desk = new_mind(NET), new_desk(new_mind(NET))
    for state in positions("dmadn", options, games=1, every=60):
        root = int(state.record.turn)
        for depth in (1, 2, 3):
            exact = []
            for action in state.actions():
                after = state.record.copy()
                place(after, action)
                exact.append(plain_value(after, mind, root, depth - 1))
            all_of_them, best = look_ahead(desk, state.record, root, depth, None, True)
            assert all_of_them == pytest.approx(exact)
            pruned, chosen = look_ahead(desk, state.record, root, depth, None, False)
            assert exact[best] == exact[chosen] == pruned[chosen] == max(exact)
            assert all(
                np.isnan(found) or found == pytest.approx(true) for found, true in zip(pruned, exact, strict=True)
            )


@pytest.mark.parametrize(("name", "options"), [("madn", {"teams": True}), ("dmadn", {"players": 3}), ("dog", {})])
def test_value_does_what_is_worth_most(net: str, name: str, options: dict[str, Any]) -> None:
    game, mind = st.game(name, **options), new_mind(NET)
    for state in positions(name, options, games=1, every=40):
        choice = agent(f"value:net={net}", game).choose(state.seat(state.player or 0), stream(1))
        worths = {action: worth(mind[0], state.record, action) for action in state.actions()}
        assert worths[choice.action] == max(worths.values())
        assert {candidate.action: candidate.value for candidate in choice.analysis} == worths


def test_two_moves_ahead_is_the_best_answer_to_every_throw(net: str) -> None:
    """In plain Python; the score of the own side is its chance."""
    game, mind = st.game("madn", teams=True), new_mind(NET)
    for state in positions("madn", {"teams": True}, games=1, every=120):
        seat = state.player or 0
        expected = {}
        for action in state.actions():
            after, mean = state.copy(), 0.0
            after.apply(action)
            for die in range(1, 7):
                after.record.die = die
                answers = []
                for answer in after.actions():
                    last = after.copy()
                    last.apply(answer)
                    answers.append(chance_of(mind[0], last.record, seat))
                own = (int(after.record.turn) - seat) % 2 == 0
                mean += (max(answers) if own else min(answers)) / 6
            expected[action] = mean
        choice = agent(f"best:net={net}", game).choose(state.seat(seat), stream(1), Budget(explain=True))
        assert expected[choice.action] == pytest.approx(max(expected.values()), abs=1e-5)


@pytest.mark.parametrize(
    ("name", "who"),
    [
        ("madn", "best"),
        ("dmadn", "best:depth=2"),
        ("dog", "best:iterations=24"),
        ("dog", "best:level=easy"),
        ("madn", "best:level=normal"),
    ],
)
def test_they_play_by_what_their_seat_knows_and_the_same_seed_gives_the_same(net: str, name: str, who: str) -> None:
    game, rng = st.game(name, teams=True), Random(1)
    player = agent(f"{who},net={net}" if ":" in who else f"{who}:net={net}", game)
    state = game.new(seed=5)
    for turn in range(40):
        if turn % 8 == 0:
            seat = state.seat(state.player or 0)
            first, again = (player.choose(seat, stream(turn)) for _ in range(2))
            other = seat.sample(stream(turn)).seat(seat.index)
            assert first == again == player.choose(other, stream(turn))
            assert {candidate.action for candidate in first.analysis} == set(state.actions())
        state.apply(rng.choice(state.actions()))


def test_rules_that_no_network_was_made_for_are_refused_by_name() -> None:
    with pytest.raises(BadOption, match=r"of madn: rules and mcts can play them"):
        agent("value", st.game("madn", teams=True, distance=12))
    with pytest.raises(BadOption, match=r"of dog: rules and ismcts can play them"):
        agent("value", st.game("dog", teams=True, hot_7=False))
    for name in ("madn", "dmadn", "dog"):
        assert model(st.game(name, teams=True, max_steps=500)) == f"{name}-teams"
        assert model(st.game(name, teams=True, start_block=True)) is None


def test_best_plays_on_where_there_is_no_network() -> None:
    for name, options in (("madn", {"distance": 12}), ("dmadn", {"start_block": True}), ("dog", {"swap": False})):
        game = st.game(name, **options)
        state = game.new(seed=1)
        for who in ("best", "best:level=easy", "best:level=normal"):
            choice = agent(who, game).choose(state.seat(state.player or 0), stream(1), Budget(iterations=20))
            assert choice.action in state.actions()


@pytest.mark.parametrize("name", sorted(set(NETWORKS.values())))
def test_every_network_is_there_and_fits(name: str) -> None:
    game, rules, teams = next(key for key, value in NETWORKS.items() if value == name)
    made = st.game(game, rules=rules, teams=teams)
    assert model(made) == name
    assert isinstance(Value(made), Value)


def test_a_network_cannot_look_at_a_larger_board_than_it_has_rows_for(net: str) -> None:
    with pytest.raises(BadOption, match="up to distance=16"):
        agent(f"value:net={net}", st.game("madn", distance=17))


@pytest.mark.parametrize(
    ("game", "options", "sentence"),
    [
        ("dog", {"teams": True}, "has learned game=dmadn, not game=dog"),
        ("dmadn", {}, "has learned sides=teams, not sides=each"),
    ],
)
def test_a_network_of_another_game_is_refused_by_its_card(
    tmp_path: Path, game: str, options: dict[str, Any], sentence: str
) -> None:
    write_network(tmp_path, "mine", NET._asdict(), {"config": {"game": "dmadn", "rules": "seed", "sides": "teams"}})
    with pytest.raises(BadOption, match=sentence):
        agent(f"best:net={tmp_path}/mine.safetensors", st.game(game, **options))
