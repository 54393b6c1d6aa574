"""What the value of the pin games sees, how it is worked out, and that it knows nothing that its seat cannot know."""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

import stammtisch as st
from stammtisch.agents.dog.net import FINE, Net, best_of, chance, chance_of, judge, new_mind, new_net, pick, worth
from stammtisch.agents.dog.sight import BEHIND_ROWS, DOOR_ROWS, DOORSTEP_ROWS, QUARTERS, REACH, SLOTS_OF, see
from stammtisch.core.game import State
from stammtisch.core.rng import stream
from stammtisch.games.dog.board import GOAL, HOME
from stammtisch.games.dog.rules import DEAL, TRADE, place, scores

TABLES: list[tuple[str, dict[str, Any]]] = [
    ("madn", {"teams": True}),
    ("dmadn", {"teams": True}),
    ("dog", {"teams": True}),
    ("dog", {"rules": "braendi"}),
    ("madn", {"players": 2, "seats": "02"}),
    ("dmadn", {"players": 3, "seats": "013"}),
    ("dog", {"players": 2}),
]


def some_net() -> Net:
    rng, net = np.random.default_rng(3), new_net(64, 32, 3)
    for weights, size in ((net.rows, 0.3), (net.last, 0.3), (net.last_bias, 0.5)):
        weights[:] = rng.normal(size=weights.shape) * size
    net.rows[0] = 0.0
    return net


NET = some_net()


def positions(name: str, options: dict[str, Any], games: int = 2, every: int = 7) -> Iterator[State]:
    """Positions of games in which people mostly move on: all stages of a game."""
    game = st.game(name, **options)
    for seed in range(games):
        state, rng = game.new(seed=seed), Random(seed)
        for turn in range(600):
            if state.over:
                break
            if turn % every == 0:
                yield state
            state.apply(rng.choice(state.actions()))


def rows_of(mind: Any, state: State, seat: int) -> list[int]:
    n = see(mind[0], state.record, seat)
    slots = mind["new_slots"][0, : SLOTS_OF[state.record.variant]]
    return [int(row) for row in (*slots, *mind["new_pairs"][0, :n])]


def plain_chance(net: Net, rows: list[int]) -> float:
    sums = np.rint(net.rows * FINE)[rows].sum(axis=0) / FINE
    units = np.maximum(np.maximum(sums, 0) @ net.middle + net.middle_bias, 0)
    return float(1 / (1 + np.exp(-(units @ net.last + net.last_bias[0]))))


@pytest.mark.parametrize(("name", "options"), TABLES)
def test_positions_one_after_another_give_what_the_whole_network_gives(name: str, options: dict[str, Any]) -> None:
    mind = new_mind(NET)
    for state in positions(name, options):
        for seat in range(state.game.spec.seats):
            found = chance(mind[0], state.record, seat)
            assert found == pytest.approx(plain_chance(NET, rows_of(mind, state, seat)), abs=1e-5)
            assert found == chance(new_mind(NET)[0], state.record, seat)  # whatever was looked at before
    assert not mind["surplus"].any()


@pytest.mark.parametrize(("name", "options"), TABLES)
def test_who_stands_behind_whom_is_what_the_position_says(name: str, options: dict[str, Any]) -> None:
    mind = new_mind(NET)
    for state in positions(name, options, every=23):
        distance, starts = int(state.record.distance), state.record.start.tolist()
        for seat in range(state.game.spec.seats):
            pins = [
                ((starts[player] - starts[seat]) // distance % 4, int(pin) % (4 * distance), starts[player])
                for player in range(state.game.spec.seats)
                for pin in state.record.pins[player]
                if HOME < pin < GOAL
            ]
            behind: Counter[tuple[int, int, int, int]] = Counter()
            for a, one, first in pins:
                for b, other, second in pins:
                    steps = (other + second - one - first) % (4 * distance)
                    if 0 < steps <= (12 if name != "dog" else 13):
                        behind[a, b, steps, other // distance] += 1
            found: Counter[tuple[int, int, int, int]] = Counter()
            for row in rows_of(mind, state, seat):
                if BEHIND_ROWS <= row < DOORSTEP_ROWS:
                    pair, quarter = divmod(row - BEHIND_ROWS, QUARTERS)
                    who, steps = divmod(pair, REACH)
                    found[who // 4, who % 4, steps + 1, quarter] += 1
            assert found == behind


def test_turned_boards_look_alike() -> None:
    """What seat 1 sees is what seat 0 would see if everybody sat one corner further."""
    mind = new_mind(NET)
    for state in positions("dmadn", {"teams": True}):
        other = state.copy()
        for field in ("pins", "tokens"):
            other.record[field][:] = np.roll(state.record[field], 1, axis=0)
        other.record.turn = (state.record.turn + 1) % 4
        assert sorted(rows_of(mind, state, 0)) == sorted(rows_of(mind, other, 1))


def test_who_stands_before_a_door_is_seen() -> None:
    state = st.position(
        {
            "game": "madn",
            "pins": [["H", "10", "H", "H"], ["H"] * 4, ["20", "H", "H", "H"], ["H"] * 4],
            "player": 0,
            "die": 1,
        }
    )
    rows = rows_of(new_mind(NET), state, 0)
    assert DOOR_ROWS + 25 * 1 + 5 * 4 + 3 in rows  # four of player 1 wait; who stands there sits three corners on
    assert DOOR_ROWS + 25 * 2 + 5 * 3 + 0 in rows  # his own


# --- what nobody can know -----------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{"teams": True}, {"rules": "braendi"}, {"players": 3}])
def test_no_value_changes_when_what_the_seat_cannot_know_is_dealt_anew(options: dict[str, Any]) -> None:
    """Neither the partner's gift nor other hands nor the pile, before an action and after it."""
    mind, seen = new_mind(NET), Counter[str]()
    for state in positions("dog", options, games=4, every=1):
        seat = state.player
        assert seat is not None
        actions = np.array(state.actions(), dtype=np.int64)
        values, again = np.empty(len(actions)), np.empty(len(actions))
        best_of(mind[0], state.record, actions, len(actions), values)
        for deal in range(3):
            other = state.seat(seat).sample(stream(deal))
            best_of(mind[0], other.record, actions, len(actions), again)
            assert (values == again).all()
            assert chance_of(mind[0], state.record, seat) == chance_of(mind[0], other.record, seat)
        for action in actions:
            after = state.record.copy()
            follows = place(after, action)
            seen["gift taken up" if follows == TRADE else "dealt" if follows == DEAL else "else"] += 1
    assert seen["dealt"] > 20 and (not options.get("teams") or seen["gift taken up"] > 20)


@pytest.mark.parametrize(("name", "options"), TABLES)
def test_an_action_that_is_judged_is_the_action_that_is_played(name: str, options: dict[str, Any]) -> None:
    """What everybody sees is the same after both, unless the game deals, throws or trades."""
    for state in positions(name, options, every=1, games=1):
        for action in state.actions()[:5]:
            after, played = state.record.copy(), state.copy()
            follows = place(after, action)
            played.apply(action)
            for field in ("pins", "tokens", "turn", "starter", "winners", "played"):
                unsaid = (field == "played" and follows == DEAL) or (field == "turn" and played.over)
                if not unsaid:
                    assert (after[field] == played.record[field]).all(), field


# --- whose value it is --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "options"), [TABLES[0], TABLES[1], TABLES[4]])
def test_one_sides_chance_is_what_the_other_side_lacks(name: str, options: dict[str, Any]) -> None:
    """Also where the same side goes on after a six, and where somebody passes."""
    mind, again, passed = new_mind(NET), 0, 0
    for state in positions(name, options, every=1, games=3):
        first, second = (chance_of(mind[0], state.record, seat) for seat in (0, 1))
        assert first + second == pytest.approx(1.0)
        me = int(state.record.turn)
        assert chance_of(mind[0], state.record, me) == chance(mind[0], state.record, me)
        for action in state.actions():
            after = state.record.copy()
            place(after, action)
            if after.winners == 0:
                turn = int(after.turn)
                own = turn == me or (state.record.teams and (turn - me) % 2 == 0)
                sees = chance(mind[0], after, turn)
                assert worth(mind[0], state.record, action) == (sees if own else 1.0 - sees)
                again += turn == me
                passed += state.game.format(action) == "pass"
    assert again > 20 and passed > 0


@pytest.mark.parametrize(("name", "options"), TABLES)
def test_what_is_expected_adds_up_to_what_can_be_won(name: str, options: dict[str, Any]) -> None:
    mind = new_mind(NET)
    for state in positions(name, options):
        for seat in range(state.game.spec.seats):
            found = np.empty(state.game.spec.seats)
            judge(mind[0], state.record, seat, found)
            assert found.sum() == pytest.approx(state.game.spec.score_sum)


@pytest.mark.parametrize(("name", "options"), TABLES)
def test_a_finished_game_is_worth_its_score(name: str, options: dict[str, Any]) -> None:
    mind, game = new_mind(NET), st.game(name, **options)
    state, rng = game.new(seed=1), stream(1)
    buffer, result = np.empty(game.spec.max_actions, dtype=np.int64), np.empty(game.spec.seats)
    for _ in range(3000):
        if state.over:
            break
        state.apply(int(pick(mind[0], state.record, buffer, rng)))
    assert not state.over or [chance_of(mind[0], state.record, s) for s in range(game.spec.seats)] == state.scores()
    ended = game.new(seed=2).record
    ended.phase, ended.winners = 3, 1 if not ended.teams else 5
    scores(ended, result)
    assert [chance_of(mind[0], ended, seat) for seat in range(game.spec.seats)] == result.tolist()
