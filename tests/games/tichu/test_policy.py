"""The player by rules of thumb: its conventions, what a search looks at, and the agents built on both."""

from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

import stammtisch as st
from games.tichu import plain
from games.tichu.deals import dealt_position, late_position, visited
from games.tichu.tables import FOUR_7, TICHU_1, TICHU_2, Ending, after, after_calls
from stammtisch.agents.catalog import agent
from stammtisch.core.game import Seat, State
from stammtisch.core.rng import stream
from stammtisch.games.tichu.cards import ALL_CARDS
from stammtisch.games.tichu.combinations import LEAD, PASS, flush_cards, kind_of, list_plays, rank_of
from stammtisch.games.tichu.hands import chance_of, chances, hand_cost
from stammtisch.games.tichu.policy import decide
from stammtisch.games.tichu.rules import MOST_ACTIONS

GAME = st.game("tichu", rounds=1)
GREAT = "Ma Ph Dr SA BA GA RA SK BK GK RK SD BD GD"
TERRIBLE = "Ma Hu S2 B2 S4 B5 S7 B7 S9 B9 G10 RB SB GD"
PLAIN = "S2 B3 G4 R5 S7 B8 G10 RB SD BK SA BA Dr Hu"


@pytest.mark.parametrize("own", [GREAT, TERRIBLE, PLAIN])
def test_the_chance_of_every_play_is_known(own: str) -> None:
    """Whatever was in the memory of the table before."""
    hand = int(dealt(own, "play").record.hand[0])
    plays = np.empty(MOST_ACTIONS, dtype=np.int64)
    table = np.full((3, 16), np.nan)
    chances(ALL_CARDS & ~hand, table)
    for play in plays[: list_plays(hand, flush_cards(hand), PASS, LEAD, plays)]:
        assert 0.0 <= chance_of(kind_of(play), rank_of(play, LEAD), table) <= 1.0
    assert np.isfinite(hand_cost(hand, table))


def decision(state: State) -> str:
    return state.game.format(int(decide(state.record, np.empty(MOST_ACTIONS, dtype=np.int64), stream(1))))


def dealt(own: str, phase: str, seed: int = 0, seat: int = 0, **more: Any) -> State:
    """A seat has these cards and decides; the others have the rest of the deck in any order."""
    mine = own.split()
    rest = [card for card in plain.DECK if card not in mine]
    Random(seed).shuffle(rest)
    size = len(mine)
    hands = [rest[size * i : size * (i + 1)] for i in range(3)]
    hands.insert(seat, mine)
    undealt = [rest[i::4] for i in range(3 * size, 3 * size + 4)]
    return GAME.from_json({"hands": hands, "undealt": undealt, "player": seat, "phase": phase, **more})


# --- before the first trick ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "call"),
    [("Ph Dr SA BA GA SK S2 B3", "grand"), ("Ph Dr SA BA S4 B5 S7 S9", "grand"), ("Hu S2 B3 S4 B6 S7 B8 S9", "no")],
)
def test_a_grand_tichu_is_called_with_power_alone(cards: str, call: str) -> None:
    assert [decision(dealt(cards, "grand", seed)) for seed in range(5)] == [call] * 5


def test_nobody_calls_a_grand_tichu_against_his_partner() -> None:
    for calls, call in (([2, 0, 0, 0], "no"), ([0, 2, 0, 0], "grand")):
        assert decision(dealt("Ph Dr SA BA GA RA SK BK", "grand", seat=2, announced=calls)) == call


def test_a_tichu_is_called_with_an_overwhelming_hand_only() -> None:
    assert {decision(dealt(GREAT, "play", seed)) for seed in range(5)} == {"tichu"}
    assert all(decision(dealt(TERRIBLE, "play", seed)) != "tichu" for seed in range(5))


@pytest.mark.parametrize("announced", [[0, 0, 1, 0], [0, 0, 2, 0]])
def test_nobody_calls_tichu_against_his_partner(announced: list[int]) -> None:
    assert decision(dealt(GREAT, "play", announced=announced)) != "tichu"


def test_nobody_calls_tichu_when_somebody_is_out() -> None:
    played = [False, True, True, True]
    assert decision(after("SA BA GA | S4 S5 S6 | B4 B5 B6 | G4 G5 G6", has_played=played)) == "tichu"
    assert decision(after("SA BA GA | S4 S5 S6 | B4 B5 B6 |", has_played=played)) != "tichu"


def test_an_opponent_gets_a_low_card_odd_to_the_right_and_even_to_the_left_and_the_partner_a_good_one() -> None:
    assert {decision(dealt(PLAIN, "schupf", seed)) for seed in range(5)} == {"schupf B3 SA S2"}


def test_conventions_of_schupfing_hold_in_most_deals() -> None:
    given = np.array([[plain.VALUES.get(card, 0) for card in gifts(GAME.new(seed))] for seed in range(300)])
    right, partner, left = (cards[(cards >= 2) & (cards <= 14)] for cards in given.T)
    assert (right % 2 == 1).mean() > 0.6 and (left % 2 == 0).mean() > 0.6
    assert partner.mean() > 10 and max(right.mean(), left.mean()) < 6


def gifts(state: State) -> list[str]:
    """What seat 0 schupfs when nobody has called a grand tichu."""
    for _ in range(4):
        state.play("no")
    return decision(state).split()[1:]


def test_who_has_called_keeps_his_good_cards_and_a_partner_who_has_called_gets_one() -> None:
    calls = ([1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 2, 0])
    values = [plain.value(decision(dealt(PLAIN, "schupf", announced=call)).split()[2]) for call in calls]
    assert values[0] < 10 and values[1:] == [14, 14]


# --- playing ---------------------------------------------------------------------------------------------------------

BOMBER = f"{FOUR_7} S9 B10 SB BD"
PLAYS = {
    "out with a pair": Ending("S5 B5", "S5 B5 | S6 B6 B8 | G4 G5 G6 | B9 G9 S3"),
    "out with a street": Ending("S5 B6 G7 R8 S9", "S5 B6 G7 R8 S9 | S6 B8 | G4 | B9 G9"),
    "out with the bomb": Ending(FOUR_7, f"{FOUR_7} | SA S3 | G4 G5 | B4 B5", 1, "SA; pass*2"),
    "out over the partner's trick": Ending("Dr", "Dr | B9 G6 G7 | SA S3 S4 | B4 B5 B6", 2, "SA; pass"),
    "the last card": Ending("S9", "S9 | B4 BA | | B9"),
    "the partner's king stays": Ending("pass", "SA S7 S8 G9 | B9 G6 G7 | SK S3 S4 | B4 B5 B6", 2, "SK; pass"),
    "the partner's tichu": Ending("pass", "Dr S7 S8 G9 | B9 G6 G7 | SA S3 S4 | B4 B5 B6", 2, "SA; pass", TICHU_2),
    "his low single, too": Ending("pass", "S7 S9 G9 GK | B9 G6 G7 | S3 S4 S8 | B4 B5 B6", 2, "S3; pass", TICHU_2),
    "an opponent's tichu is bombed": Ending(FOUR_7, f"{BOMBER} | SA S3 | G4 G5 G6 | B4 B5 B6", 1, "SA", TICHU_1),
    "the partner's is not": Ending("pass", f"{BOMBER} | G4 G5 G6 | SA S3 | B4 B5 B6", 2, "SA", TICHU_2),
    "nor a harmless trick": Ending("pass", f"{BOMBER} | S3 S4 R3 R4 R5 R8 R9 | G4 G5 G6 | B4 B5 B6", 1, "S3"),
    "who has one card left is beaten": Ending("SA", "SA S3 S4 S5 | SK S8 | G4 G5 G6 | B4 B5 B6", 1, "SK; pass*2"),
    "the dog for the partner's tichu": Ending("Hu", "Hu S3 S9 SK | B4 B5 B6 | Dr S5 S6 | B9 G6 G7", more=TICHU_2),
    "a pair against a last card": Ending("S8 B8", "S3 S8 B8 | B4 | S4 S5 S6 | B9 GA B10 BB"),
    "a long street first": Ending("S3 B4 S5 B6 S7", "S3 B4 S5 B6 S7 SK | B5 G4 BA B8 | S4 S8 S6 | B10 GA"),
    "a wish is fulfilled": Ending("B8", "B8 SK SA | S3 S4 | S5 S6 | S7 S9", 1, "S3; pass*2", {"wish": 8}),
}


@pytest.mark.parametrize("one", PLAYS.values(), ids=PLAYS)
def test_the_play_is_the_one_of_the_rule_of_thumb(one: Ending) -> None:
    state = one.state()
    assert (state.player, decision(state)) == (0, one.best)


def test_the_dog_is_kept_when_the_partner_is_out() -> None:
    assert decision(after("Hu S3 S9 SK | B4 B5 B6 | | B9 G6 G7")) != "Hu"


@pytest.mark.parametrize(
    ("right", "left", "taker"), [("B4 B5 B6", "B9", 1), ("B4", "B9 G6", 3), ("", "B9 G6", 3), ("B4 B5", "", 1)]
)
def test_the_dragon_goes_to_the_opponent_with_more_cards(right: str, left: str, taker: int) -> None:
    state = after(f"Dr S3 | {right} | S4 S5 | {left}", moves="Dr")
    while state.to_json()["phase"] == "play":
        state.play("pass")
    assert decision(state) == f"dragon {taker}"


def test_the_wish_is_what_was_given_to_the_next_seat() -> None:
    gifts = [["S8", "S5", "B9"], ["S2", "B2", "S3"], ["G2", "R2", "R3"], ["R4", "R5", "R6"]]
    assert decision(after("Ma S3 | B4 S8 | S5 SA | B9 G6", moves="Ma", schupfed=gifts)) == "wish 8"
    assert decision(after("Ma S3 | B4 | S5 SA | B9 G6", moves="Ma", schupfed=gifts)) == "wish 14"  # the 8 is gone


def test_else_the_wish_is_the_highest_value_that_others_alone_have() -> None:
    assert decision(after("Ma S3 SA | B4 BA | S4 S5 | B9 GK", moves="Ma")) == "wish 13"
    assert decision(after("Ma S3 SA SK | B4 BA | S4 S5 | B9 GK", moves="Ma")) == "wish 9"


@settings(max_examples=60)
@given(some.integers(0, 2**32), some.sampled_from(["new", "schupf", "play", "late"]), some.booleans())
def test_it_decides_legally_and_by_what_its_seat_knows(seed: int, begin: str, merged: bool) -> None:
    for number, state in enumerate(visited(position(begin, seed), Random(seed), rounds=1, merged=merged)):
        if state.player is not None:
            move = decision(state)
            assert state.game.parse(move) in state.actions()
            assert decision(state.seat(state.player).sample(stream(number))) == move


def position(begin: str, seed: int) -> dict[str, Any] | None:
    rng = Random(seed)
    if begin == "new":
        return None
    return late_position(rng) if begin == "late" else dealt_position(rng, begin)


# --- what a search looks at ------------------------------------------------------------------------------------------


def without_options(seat: Seat) -> dict[str, Any]:
    return {key: value for key, value in seat.view().items() if key != "options"}


def test_a_search_looks_at_one_round_of_merged_plays_and_weighted_deals() -> None:
    game = st.game("tichu", target=500, wish_optional=False)
    seat = game.new(seed=1).seat(0)
    near, _ = game.narrow(seat)
    assert near.game.options == {**game.options, "rounds": 1, "merged": True, "weighted": True}
    assert (near.index, without_options(near)) == (0, without_options(seat))
    assert seat.game.options == game.options


def test_the_round_that_a_search_looks_at_ends_the_game() -> None:
    state = after("S2 | S10 S3 | | SK S4", score=[5, 10], round=7, rounds=50)
    near, _ = state.game.narrow(state.seat(0))
    sampled = near.sample(stream(1))
    sampled.play("S2")
    assert sampled.over
    assert sampled.scores()[:2] == [205.0, 10.0]


@pytest.mark.parametrize("begin", ["new", "schupf", "play", "late"])
@pytest.mark.parametrize("seed", range(3))
def test_narrowed_actions_are_legal_ascending_and_do_not_betray_hidden_cards(begin: str, seed: int) -> None:
    for state in visited(position(begin, seed), Random(seed), rounds=2):
        if state.player is not None:
            near, actions = state.game.narrow(state.seat(state.player))
            other = state.seat(state.player).sample(stream(seed)).seat(state.player)
            assert actions == state.game.narrow(other)[1]
            assert actions == sorted(set(actions) & set(state.actions()))
            assert state.to_json()["phase"] == "schupf" or actions == near.actions()


@pytest.mark.parametrize("seed", range(20))
def test_a_search_looks_at_28_ways_to_schupf_at_most(seed: int) -> None:
    state = GAME.from_json(dealt_position(Random(seed), "schupf"))
    _, actions = GAME.narrow(state.seat(0))
    moves = [GAME.format(action).split() for action in actions]
    assert moves[0] == ["tichu"]
    ways = [cards for word, *cards in moves if word == "schupf"]
    assert 9 <= len(ways) == len(moves) - 1 <= 28
    assert all(len({cards[place] for cards in ways}) <= 4 for place in range(3))
    assert all(len({*cards}) == 3 and {*cards} <= {*state.to_json()["hands"][0]} for cards in ways)


def test_the_usual_way_to_schupf_is_among_those_a_search_looks_at() -> None:
    for seed in range(100):
        state = after_calls(seed)
        assert GAME.parse(decision(state)) in GAME.narrow(state.seat(0))[1]


def test_nobody_goes_out_before_a_partner_who_has_called() -> None:
    assert decision(after("Dr | S4 B5 | SA S3 | S6 B7", 2, "SA; pass", announced=[0, 0, 1, 0])) == "pass"
    assert decision(after("Dr | S4 B5 | SA S3 | S6 B7", 2, "SA; pass")) == "Dr"
    assert decision(after("Dr | S4 B5 | SA S3 | S6 B7", announced=[0, 0, 1, 0])) == "Dr"  # who leads must


def test_a_seat_under_other_options_knows_the_same() -> None:
    state = after("S3 B3 G3 SA | S4 B4 | B5 G5 | S6 B6")
    seat = state.seat(0)
    before = seat.moves()
    other = seat.under(st.game("tichu", rounds=1, merged=True))
    assert (other.index, other.player, without_options(other)) == (0, 0, without_options(seat))
    assert other.view()["options"]["merged"] is True
    assert len(other.moves()) < len(before) == len(seat.moves())
    assert other.sample(stream(1)).to_json()["hands"] == seat.sample(stream(1)).to_json()["hands"]


# --- agents ----------------------------------------------------------------------------------------------------------

AGENTS = ["heuristic", "pimc:iterations=40", "ismcts:iterations=40"]


@pytest.mark.parametrize("name", AGENTS)
@pytest.mark.parametrize("options", [{"rounds": 1}, {"rounds": 1, "wish_optional": False, "merged": True}], ids=str)
def test_every_agent_plays_a_round_by_the_rules(name: str, options: dict[str, Any]) -> None:
    game = st.game("tichu", **options)
    player, state, rng = agent(name, game), game.new(seed=3), stream(3)
    while state.player is not None:
        choice = player.choose(state.seat(state.player), rng)
        assert {choice.action, *(candidate.action for candidate in choice.analysis)} <= {*state.actions()}
        assert choice.analysis[0].action == choice.action
        assert name == "heuristic" or sum(c.share or 0.0 for c in choice.analysis) == pytest.approx(1.0)
        state.apply(choice.action)


@pytest.mark.parametrize("name", AGENTS)
def test_the_same_seed_gives_the_same_choice_whatever_is_hidden(name: str) -> None:
    for state in visited(dealt_position(Random(1)), Random(1), rounds=1):
        if state.player is not None:
            seats = [state.seat(state.player), state.seat(state.player).sample(stream(9)).seat(state.player)]
            first, second = (agent(name, state.game).choose(seat, stream(4)).action for seat in seats)
            assert first == second


def test_the_heuristic_agent_is_the_policy() -> None:
    for state in visited(dealt_position(Random(2)), Random(2), rounds=1):
        if state.player is not None:
            choice = agent("heuristic", GAME).choose(state.seat(state.player), stream(1))
            assert GAME.format(choice.action) == decision(state)


@pytest.mark.parametrize("name", AGENTS)
def test_who_has_nothing_to_decide_is_not_asked(name: str) -> None:
    with pytest.raises(ValueError, match="seat 2 has nothing to decide"):
        agent(name, GAME).choose(GAME.new(seed=1).seat(2), stream(1))


def test_the_heuristic_agents_play_their_games_only() -> None:
    with pytest.raises(st.UnsuitableAgent, match="'heuristic' does not play tictactoe: it plays only clever, tichu"):
        agent("heuristic", st.game("tictactoe"))
    with pytest.raises(st.UnsuitableAgent, match=r"'pimc' does not play tictactoe: .* use mcts"):
        agent("pimc", st.game("tictactoe"))
