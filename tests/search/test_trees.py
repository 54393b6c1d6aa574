"""Trees grown side by side under a judge, compared with one tree in plain Python."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
import pytest
from numpy.typing import NDArray

import stammtisch as st
from stammtisch.agents.base import Budget
from stammtisch.agents.catalog import agent
from stammtisch.core.compiling import compiled
from stammtisch.core.game import Game
from stammtisch.core.kernel import OVER, Actions, Record, Records, Vector, number, player, scores
from stammtisch.core.mind import Mind
from stammtisch.core.rng import Rng, next32, stream, streams
from stammtisch.search.guided import EXPLORATION, Judge, Result, by_mind, by_network, search, together
from toys import Pig, Whistlet

Floats = NDArray[np.float32]
TICTACTOE = st.game("tictactoe")
GAMES = [TICTACTOE, Pig(players=3), Whistlet(), st.game("chameleon", players="GY"), st.game("clever")]


def uniform(seen: Floats, masks: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """A network that knows nothing."""
    return np.zeros(masks.shape, dtype=np.float32), np.zeros(len(seen), dtype=np.float32)


def whimsical(seen: Floats, masks: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """A network with an opinion on everything, each row by itself."""
    rng = np.random.default_rng(1)
    first, second = rng.normal(size=seen.shape[1]), rng.normal(size=masks.shape[1])
    whims = np.array([np.dot(row.astype(float), first) for row in seen])
    preferences = np.sin(whims[:, None] + second)
    return preferences.astype(np.float32), (0.2 * np.cos(whims)).astype(np.float32)


@dataclass
class Edge:
    action: int
    prior: float
    visits: int = 0
    total: float = 0.0
    children: dict[bytes, Node] = field(default_factory=dict)


@dataclass
class Node:
    edges: list[Edge] = field(default_factory=list)
    worth: float = 0.0


class PlainTree:
    """What ``search`` does in one world, as one would write it down."""

    def __init__(self, game: Game, root: Records, judge: Judge, rng: Rng) -> None:
        self.game, self.root, self.judge, self.rng = game, root.copy(), judge, rng
        self.node = Node()
        self.seen: list[float] = []

    def leads(self, standing: list[float]) -> list[float]:
        spec, found = self.game.spec, []
        for side in spec.sides:
            mine = sum(standing[seat] for seat in side) / len(side)
            others = [standing[seat] for seat in spec.taken if seat not in side]
            unit = spec.score_range[1] - spec.score_range[0]
            found.append((mine - (sum(others) / len(others) if others else 0.0)) / unit)
        return found

    def iterate(self) -> None:
        spec, node, way = self.game.spec, self.node, []
        state = self.game.state(self.root.copy(), self.rng)
        while not state.over and node.edges:
            visits = 1 + sum(edge.visits for edge in node.edges)
            usual = (node.worth + sum(edge.total for edge in node.edges)) / visits
            spread = max(self.seen) - min(self.seen)
            scale = 1.0 / spread if spread > 0 else 1.0
            chosen, best = node.edges[0], -math.inf
            for edge in node.edges:
                mean = edge.total / edge.visits if edge.visits else usual
                bound = mean * scale + EXPLORATION * edge.prior * math.sqrt(visits) / (1 + edge.visits)
                if bound > best:
                    chosen, best = edge, bound
            assert state.player is not None
            way.append((chosen, spec.side_of[state.player]))
            self.game.kernel.apply(state.record, chosen.action, self.rng)
            key = state.bytes() if spec.chance else b""
            node = chosen.children.setdefault(key, Node())
        preferences, leads = np.zeros((1, spec.numbers), dtype=np.float32), np.zeros((1, len(spec.sides)))
        if state.over:
            leads[0] = self.leads(state.scores())
        else:
            self.judge(state.records, preferences, leads)
            assert state.player is not None
            node.worth = leads[0, spec.side_of[state.player]]
            numbers = {action: state.number(action) for action in state.actions()}
            chances = {action: math.exp(preferences[0, number]) for action, number in numbers.items()}
            node.edges = [Edge(action, chance / sum(chances.values())) for action, chance in chances.items()]
        self.seen += leads[0].tolist()
        for edge, side in way:
            edge.visits += 1
            edge.total += leads[0, side]


@pytest.mark.parametrize("network", [uniform, whimsical])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.name)
def test_every_tree_is_the_plain_one(game: Game, network: object) -> None:
    state = game.new(seed=4)
    worlds = game.kernel.blank(3)
    for i in range(len(worlds)):
        assert state.player is not None
        worlds[i] = state.seat(state.player).sample(stream(i)).record
    judge = by_network(game, network)  # type: ignore[arg-type]
    found = search(game, worlds, judge, 80, stream(7))
    for world, rng, one in zip(worlds, streams(int(next32(stream(7))), 3), found, strict=True):
        plain = PlainTree(game, np.array([world]), judge, rng)
        for _ in range(80):
            plain.iterate()
        assert one.visits == {edge.action: edge.visits for edge in plain.node.edges}
        expected = {edge.action: edge.total / edge.visits if edge.visits else math.nan for edge in plain.node.edges}
        assert one.leads == pytest.approx(expected, nan_ok=True)
        assert one.priors == pytest.approx({edge.action: edge.prior for edge in plain.node.edges})


@pytest.mark.parametrize(("board", "player", "best"), [("XX.OO....", 0, 2), ("XX.OO....", 1, 5), ("XX..O....", 1, 2)])
def test_without_any_knowledge_it_finds_a_win_and_prevents_one(board: str, player: int, best: int) -> None:
    state = TICTACTOE.from_json({"board": board, "player": player})
    (found,) = search(TICTACTOE, state.records, by_network(TICTACTOE, uniform), 300, stream(1))
    assert found.action == best


def test_after_one_iteration_it_prefers_what_the_network_prefers() -> None:
    state = TICTACTOE.new()
    (found,) = search(TICTACTOE, state.records, by_network(TICTACTOE, whimsical), 1, stream(1))
    seen, mask = state.seat(0).observation().reshape(1, -1), state.mask()[None]
    assert set(found.visits.values()) == {0}
    assert found.action == int(np.argmax(whimsical(seen, mask)[0][0]))


def test_the_judge_has_no_say_in_finished_games() -> None:
    def babbling(positions: Records, preferences: Floats, leads: NDArray[np.float64]) -> None:
        by_network(TICTACTOE, whimsical)(positions, preferences, leads)
        over = [player(position) == OVER for position in positions]
        preferences[over], leads[over] = 1e9, 1e9

    roots = TICTACTOE.from_json({"board": "XO.XO....", "player": 0}).records
    quiet, loud = (
        search(TICTACTOE, roots, one, 200, stream(1)) for one in (by_network(TICTACTOE, whimsical), babbling)
    )
    assert repr(quiet) == repr(loud)


@pytest.mark.parametrize("game", [Whistlet(), st.game("tichu", rounds=1), st.game("dog")], ids=lambda g: g.info.name)
def test_hidden_cards_have_no_influence(game: Game) -> None:
    state = game.new(seed=2)
    while len(state.actions()) < 2:
        state.apply(state.actions()[0])
    assert state.player is not None
    other = state.seat(state.player).sample(stream(99))
    assert other != state
    player = agent("guided:iterations=30,samples=3", game)
    first, second = (repr(player.choose(one.seat(state.player), stream(5))) for one in (state, other))
    assert first == second


def test_a_leaf_is_shown_as_the_seat_that_decides_there_sees_it() -> None:
    """Nor does it tell anything that this seat could not know: another sample of it looks the same."""
    game, shown = Whistlet(), []

    def watched(positions: Records, preferences: Floats, leads: NDArray[np.float64]) -> None:
        judge = by_network(game, lambda seen, masks: (shown.append(seen.copy()), uniform(seen, masks))[1])  # type: ignore[func-returns-value]
        judge(positions, preferences, leads)
        for position, row in zip(positions, shown[-1] if len(positions) else [], strict=True):
            seat = int(player(position))
            if seat != OVER:
                imagined = game.state(np.array([position]), stream(3)).seat(seat).sample(stream(len(shown)))
                assert row.tolist() == imagined.seat(seat).observation().reshape(-1).tolist()

    worlds = game.kernel.blank(4)
    for i in range(len(worlds)):
        worlds[i] = game.new(seed=5).seat(0).sample(stream(i)).record
    search(game, worlds, watched, 40, stream(1))
    assert len(shown) == 40


def test_actions_that_are_alike_are_one() -> None:
    game = st.game("tichu", rounds=1)
    state = game.new(seed=1)
    while len({state.number(action) for action in state.actions()}) == len(state.actions()):
        state.apply(state.actions()[-1])
    (found,) = search(game, state.records, by_mind(game, game.mind()), 2, stream(1))
    numbers = {state.number(action) for action in state.actions()}
    assert sorted(found.visits) == sorted({state.action_at(number) for number in numbers})
    choice = agent("guided:iterations=20,samples=2", game).choose(state.seat(state.player or 0), stream(1))
    assert sorted(one.action for one in choice.analysis) == state.actions()


@compiled
def likes_the_middle(mind: Record, state: Record, actions: Actions, n: int, out: Vector) -> None:
    for i in range(n):
        out[i] = mind.liking if number(state, actions[i]) == 4 else 0.0


@compiled
def expects_a_win(mind: Record, state: Record, seat: int, out: Vector) -> None:
    scores(state, out)
    out[seat] = 1.0
    out[1 - seat] = 0.0


def test_a_mind_is_asked_for_its_preferences_and_for_the_end() -> None:
    mind = Mind([("liking", np.float64)], weigh=likes_the_middle, judge=expects_a_win)
    judge = by_mind(TICTACTOE, mind.filled(liking=math.log(8)))
    (found,) = search(TICTACTOE, TICTACTOE.new().records, judge, 2, stream(1))
    assert found.priors == pytest.approx({square: 8 / 16 if square == 4 else 1 / 16 for square in range(9)})
    assert (found.visits[4], found.leads[4]) == (1, -1.0)  # the other one decides there, and expects to win


def test_worlds_are_added_up() -> None:
    one = Result({1: 3, 2: 0}, {1: 0.5, 2: math.nan}, {1: 0.9, 2: 0.1})
    two = Result({1: 1, 2: 4}, {1: -0.5, 2: 0.25}, {1: 0.9, 2: 0.1})
    both = together([one, two])
    assert (both.visits, both.leads) == ({1: 4, 2: 4}, {1: 0.25, 2: 0.25})
    assert both.action == 1


def test_a_full_tree_goes_on_from_its_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stammtisch.search.guided.MOST_NODES", 20)
    (found,) = search(TICTACTOE, TICTACTOE.new().records, by_network(TICTACTOE, uniform), 500, stream(1))
    assert sum(found.visits.values()) == 499


def test_the_clock_ends_it_after_one_iteration_at_the_earliest() -> None:
    player = agent("guided:iterations=100000", TICTACTOE)
    choice = player.choose(TICTACTOE.new().seat(0), stream(1), Budget(ms=1e-6))
    assert [one.value for one in choice.analysis] == [None] * 9
    assert sum(one.share or 0.0 for one in choice.analysis) == pytest.approx(1.0)


def test_a_search_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one iteration"):
        search(TICTACTOE, TICTACTOE.new().records, by_network(TICTACTOE, uniform), 0, stream(1))


@pytest.mark.parametrize(
    ("game", "expected"), [(TICTACTOE, 1.0), (st.game("chameleon", players="GY"), None), (st.game("madn"), None)]
)
def test_values_are_scores(game: Game, expected: float | None) -> None:
    state = TICTACTOE.from_json({"board": "XX.OO....", "player": 0}) if expected else game.new(seed=1)
    assert state.player is not None
    choice = agent("guided:iterations=60", game).choose(state.seat(state.player), stream(1))
    low, high = game.spec.score_range
    assert all(one.value is None or low <= one.value <= high for one in choice.analysis)
    assert expected is None or choice.analysis[0].value == expected
