"""The plain twin of madn, dmadn and dog: the worked examples, the fixtures, and what always holds in random games."""

import json
from collections import Counter
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from games.dog import plain, plain_board, plain_options
from games.dog.cases import (
    EXAMPLES,
    LAYOUTS,
    POSITIONS,
    PROBES,
    example_position,
    fixture_move,
    fixture_pins,
    fixture_position,
    rows,
)
from games.dog.plain import State

COMMON = (
    "teams",
    "start_block",
    "jump_in_goal",
    "initial_free_pin",
    "friendly_fire",
    "circular",
    "must_traverse_start",
)
SWITCHES = {
    "madn": (*COMMON, "extra_move_on_6", "start_on_1", "rethrow", "forced_start", "forced_attack"),
    "dmadn": (*COMMON, "extra_move_on_6", "start_on_1", "forced_attack"),
    "dog": (*COMMON, "joker", "hot_7", "swap", "neg_4", "special_cards", "fresh_start_only"),
}
ACTIONS = {"madn": 4, "dmadn": 24}


# --- the worked examples -----------------------------------------------------------------------------------------


def test_there_are_85_examples() -> None:
    assert [example[0] for example in EXAMPLES] == [f"E{number:02}" for number in range(1, 86)]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example[0])
def test_the_twin_agrees_with_every_worked_example(example: list[str]) -> None:
    state = plain.from_json(example_position(example))
    *_, turn, legal, move_and_rows, end, _ = example
    if " dist " in turn:
        assert plain.die_chances(state) == [Fraction(chance) for chance in turn.split(" dist ")[1].split()]
        return
    kind, *words = legal.split()
    if kind == "legal":
        assert sorted(plain.moves(state)) == sorted(words)
    elif kind == "has":
        assert set(words) <= set(plain.moves(state))
    else:
        assert kind == "count" and len(plain.moves(state)) == int(words[0])
    move, changed = (part.strip() for part in move_and_rows.split("=>"))
    after = plain.play(state, move)
    pins = [rows(changed).get(player, row) for player, row in enumerate(state.board.pins)]
    assert after.board.pins == pins
    if "tokens" in changed:
        assert after.tokens[state.player] == [int(word) for word in changed.split("tokens")[1].split()]
    if end.startswith("next"):
        assert after.phase != "over" and after.player == int(end.split()[1])
    if end.startswith("over"):
        assert after.phase == "over" and after.winners == [int(word) for word in end.split()[1:]]
    if state.game == "dog":
        assert len(after.hands[state.player]) == (0 if move == "fold" else len(state.hands[state.player]) - 1)


# --- the fixtures ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fixture", POSITIONS, ids=lambda fixture: str(fixture["id"]))
def test_the_twin_agrees_with_every_stored_position(fixture: dict[str, Any]) -> None:
    state = plain.from_json(fixture_position(fixture))
    assert sorted(plain.moves(state)) == sorted(fixture_move(move) for move in fixture["legal"])
    for result in fixture["results"]:
        after = plain.play(state, fixture_move(result["move"]))
        assert after.board.pins == fixture_pins(result["pins"])
        assert (after.phase == "over", after.winners) == (result["over"], result["winners"])
        if not result["over"]:
            assert after.player == result["player"]
        if "tokens" in result:
            assert after.tokens == result["tokens"]
        if "hands" in result:
            assert [Counter(hand) for hand in after.hands] == [Counter(hand) for hand in result["hands"]]


@pytest.mark.parametrize("fixture", PROBES, ids=lambda fixture: str(fixture["id"]))
def test_the_twin_agrees_with_every_probe_of_one_move(fixture: dict[str, Any]) -> None:
    state = plain.from_json(fixture_position(fixture))
    for probe in fixture["probes"]:
        move = fixture_move(probe["move"])
        assert (move in plain.moves(state)) == probe["legal"]
        if probe["legal"]:
            assert plain.play(state, move).board.pins == fixture_pins(probe["pins"])


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: str(layout["id"]))
def test_the_numbers_of_moves_are_those_of_the_stored_layout(layout: dict[str, Any]) -> None:
    state = plain.new("dog", {"distance": layout["distance"]})
    assert plain_board.track_length(state.options) + 16 == layout["total_fields"]
    begins = {(block["card"], block["kind"]): block["begin"] for block in layout["blocks"]}
    ends = {(block["card"], block["kind"]): block["end"] for block in layout["blocks"]}
    for card, own in (("JOKER", "JOKER"), ("own", "4")):
        assert plain.numbers(state, f"move:{own}:p3:-4") == [ends[card, "minus4"] - 1]
        assert plain.numbers(state, f"move:{own}:p0:-4") == [begins[card, "minus4"]]
    assert plain.numbers(state, "give:JOKER") == [layout["play_actions"]]
    assert plain.numbers(state, "give:13") == [layout["with_exchange"] - 1]
    for example in layout["examples"]:
        state.board.pins[1][0] = str(example.get("field", "H"))
        kind, card, pin = example["kind"], example["card"], example.get("pin")
        if kind == "minus4":
            move = f"move:{card}:p{pin}:-4"
        elif kind == "swap":
            move = f"swap:{card}:p{pin}:P1.0"
        else:
            move = fixture_move({**example, "type": kind})
        assert plain.numbers(state, move) == [example["index"]]


def test_bringing_out_has_the_numbers_of_1_and_11_and_with_a_joker_also_of_13() -> None:
    state = plain.new("dog")
    assert plain.numbers(state, "start:JOKER:p1") == [344 + 12, 344 + 12 + 9, 344 + 12 + 11]
    assert plain.numbers(state, "start:1/11:p1") == [740 + 12, 740 + 12 + 9]
    assert plain.numbers(state, "start:13:p1") == [740 + 12 + 11]
    assert len(plain.SPLITS) == 120


# --- what the examples leave out ---------------------------------------------------------------------------------


def position(game: str, pins: str, player: int = 0, **more: Any) -> State:
    """A position of four players; those not listed are at home. All but named keys are options."""
    keys = {"die", "tokens", "hands", "deck", "gifts", "deal", "phase", "starter", "fresh"}
    return plain.from_json(
        {
            "game": game,
            "options": {key: value for key, value in more.items() if key not in keys},
            "player": player,
            "pins": [rows(pins).get(seat, ["H"] * 4) for seat in range(4)],
            "tokens": [[4] * 6 for _ in range(4)],
            "hands": [["2"] for _ in range(4)],
            **{key: value for key, value in more.items() if key in keys},
        }
    )


def test_in_teams_everybody_gives_a_card_before_the_starter_plays() -> None:
    state = plain.new("dog", {"teams": True}, starter=2)
    hands = [["2"] * 6, ["3"] * 6, ["5"] * 6, ["6", *["8"] * 5]]
    state = plain.deal(state, hands)
    assert (state.phase, state.player, plain.moves(state)) == ("exchange", 2, ["give:5"])
    state = plain.play(state, "give:5")
    assert plain.moves(state) == ["give:6", "give:8"]
    state = plain.play(state, "give:6")
    assert plain.to_json(state)["gifts"] == [None, None, "5", "6"]
    state = plain.play(plain.from_json(plain.to_json(state)), "give:2")
    assert state.hands[0] == ["2"] * 5, "nobody sees the received card before giving"
    state = plain.play(state, "give:3")
    assert (state.phase, state.player, state.gifts) == ("play", 2, [None] * 4)
    assert state.hands == [["2"] * 5 + ["5"], ["3"] * 5 + ["6"], ["2"] + ["5"] * 5, ["3"] + ["8"] * 5]


def test_the_deals_shrink_from_six_to_two_and_begin_anew_with_the_next_starter() -> None:
    rng, state = Random(1), plain.new("dog", starter=3)
    seen: list[tuple[int, ...]] = []
    while len(seen) < 7:
        if state.phase == "deal":
            before = state
            state = plain.let_chance_decide(state, rng)
            seen.append((state.deal, state.player, before.starter, len(state.deck)))
        state = plain.play(state, plain.moves(state)[-1])
    assert seen == [
        (6, 3, 3, 86),
        (5, 0, 0, 66),
        (4, 1, 1, 50),
        (3, 2, 2, 38),
        (2, 3, 3, 30),
        (6, 0, 0, 6),
        (5, 1, 1, 90),
    ]


def test_players_without_cards_are_skipped_and_a_fold_drops_all_cards() -> None:
    state = position("dog", "P0 5 H H H", hands=[["2", "3"], [], ["9", "9"], []])
    state = plain.play(state, "move:2:p0:2")
    assert (state.player, plain.moves(state)) == (2, ["fold"])
    state = plain.play(state, "fold")
    assert (state.player, state.hands) == (0, [["3"], [], [], []])
    state = plain.play(state, "move:3:p0:3")
    assert (state.phase, state.starter, state.deal, state.player) == ("deal", 1, 5, 1)
    assert state.used == ["2", "3", "9", "9"]


def test_cards_that_are_switched_off_are_not_in_the_deck() -> None:
    def size(**options: bool) -> int:
        return len(plain.full_deck(plain_options.options_of("dog", options)))

    assert size() == 110
    assert size(joker=False) == 104
    assert size(swap=False) == 102
    assert size(hot_7=False) == size(neg_4=False) == 110
    assert size(special_cards=False) == 96


def test_a_joker_does_only_what_the_switches_allow() -> None:
    state = position("dog", "P0 5 H H H; P2 22 H H H", hands=[["JOKER"], ["2"], ["2"], ["2"]], hot_7=False, swap=False)
    assert "move:JOKER:p0:7" in plain.moves(state) and "move:JOKER:p0:-4" in plain.moves(state)
    assert not any(move.startswith(("seven", "swap")) for move in plain.moves(state))
    assert plain.actions(state)[343] == "move:JOKER:p0:7"


def test_a_player_who_finishes_with_a_six_goes_on_with_the_pins_of_the_partner() -> None:
    state = position("madn", "P0 G0 G1 G2 37; P2 15 H H H", die=6, teams=True)
    state = plain.play(state, "p3")
    assert (state.player, state.phase) == (0, "throw")
    assert plain.moves(plain.throw(state, 2)) == ["p0"]


def test_the_three_tries_of_a_helper_depend_on_the_pins_of_the_partner() -> None:
    driving = position("madn", "P0 G0 G1 G2 G3; P2 15 H H H", teams=True, rethrow=True)
    waiting = position("madn", "P0 G0 G1 G2 G3; P2 G3 H H H", teams=True, rethrow=True)
    assert plain.die_chances(driving)[5] == Fraction(1, 6)
    assert plain.die_chances(waiting)[5] == Fraction(76, 216)


def test_a_helper_pays_with_tokens_of_its_own() -> None:
    state = position("dmadn", "P0 G0 G1 G2 G3; P2 15 H H H", teams=True)
    state = plain.play(state, "p0:5")
    assert state.tokens[0] == [4, 4, 4, 4, 3, 4] and state.tokens[2] == [4] * 6


def test_forced_attack_comes_after_forced_start_and_counts_hits_of_the_partner() -> None:
    forced: dict[str, Any] = {"forced_start": True, "forced_attack": True, "teams": True}
    assert plain.moves(position("madn", "P0 5 H H H; P1 11 H H H", die=6, **forced)) == ["p1", "p2", "p3"]
    assert plain.moves(position("madn", "P0 5 7 H H; P2 9 H H H", die=4, **forced)) == ["p0"]
    assert plain.moves(position("madn", "P0 0 7 H H; P1 11 H H H", die=4, **forced)) == ["p0"]
    assert plain.moves(position("madn", "P0 0 7 8 9; P1 11 H H H", die=4, **forced)) == ["p1"]


def test_forced_attack_looks_at_all_tokens_of_dmadn() -> None:
    assert plain.moves(position("dmadn", "P0 5 20 H H; P1 8 22 H H", forced_attack=True)) == ["p0:3", "p1:2"]


def test_a_pin_on_its_start_need_not_be_cleared_if_it_cannot_move() -> None:
    assert plain.moves(position("madn", "P0 0 3 H H", die=3, forced_start=True)) == ["p1"]


def test_initial_free_pins_stand_on_the_start_fields() -> None:
    assert plain.new("madn", {"initial_free_pin": True, "players": 2, "seats": [1, 3]}).board.pins == [
        ["10", "H", "H", "H"],
        ["30", "H", "H", "H"],
    ]


def test_presets_set_all_switches_and_single_ones_can_be_changed() -> None:
    schmidt = plain_options.options_of("madn", {"rules": "schmidt"})
    assert schmidt.initial_free_pin and schmidt.forced_start and schmidt.jump_in_goal and schmidt.extra_move_on_6
    assert not (schmidt.start_on_1 or schmidt.friendly_fire or schmidt.circular or schmidt.rethrow)
    braendi = plain_options.options_of("dog", {"rules": "braendi", "distance": 10})
    assert braendi.teams and braendi.start_block and braendi.fresh_start_only and braendi.must_traverse_start
    assert braendi.friendly_fire and braendi.circular and not braendi.jump_in_goal and braendi.distance == 10
    assert plain_options.options_of("dog", {"rules": "seed"}) == plain_options.options_of("dog")
    with pytest.raises(ValueError, match="no rule set"):
        plain_options.options_of("dog", {"rules": "schmidt"})


def test_after_max_steps_the_game_is_a_draw() -> None:
    state = plain.new("dmadn", {"max_steps": 2})
    state = plain.play(plain.play(state, "p0:6"), "p0:1")
    assert (state.phase, state.winners, plain.scores(state)) == ("over", [], [0.25] * 4)
    assert plain.moves(state) == [] and plain.to_json(state)["player"] is None


def test_winners_score_one() -> None:
    state = position("madn", "P0 G0 G1 G2 G3; P2 G1 G2 G3 19", die=1, teams=True)
    assert plain.scores(plain.play(state, "p3")) == [1, 0, 1, 0]


# --- pins that have just come out (D3, the printed rule) ---------------------------------------------------------


def test_as_printed_only_a_pin_fresh_from_home_blocks_its_start_and_is_safe_from_swaps() -> None:
    pins, hands = "P0 7 H H H; P1 10 H H H", [["5", "SWAP"], ["2"], ["2"], ["2"]]
    printed: dict[str, Any] = {"start_block": True, "fresh_start_only": True, "hands": hands}
    assert plain.moves(position("dog", pins, fresh=[True] * 4, **printed)) == ["fold"]
    assert plain.moves(position("dog", pins, fresh=[False] * 4, **printed)) == ["swap:SWAP:p0:P1.0", "move:5:p0:5"]


def test_as_printed_a_pin_that_came_back_to_its_start_enters_the_goal_from_there() -> None:
    state = position("dog", "P0 4 H H H", hands=[["4", "3", "5"], ["2"], ["2"], ["2"]], fresh_start_only=True)
    state = plain.play(state, "move:4:p0:-4")
    assert plain.to_json(state)["fresh"] == [False] * 4
    state.player = 0
    assert plain.play(state, "move:3:p0:3").board.pins[0][0] == "G2"
    assert plain.play(state, "move:5:p0:5").board.pins[0][0] == "5"
    came_out = position("dog", "P0 0 H H H", hands=[["3"], ["2"], ["2"], ["2"]], fresh_start_only=True)
    assert plain.play(came_out, "move:3:p0:3").board.pins[0][0] == "3"


# --- the hot seven -----------------------------------------------------------------------------------------------


def after_seven(pins: str, parts: str, **options: Any) -> list[str] | None:
    state = position("dog", pins, hands=[["7"], ["2"], ["2"], ["2"]], **options)
    move = f"seven:7:{parts}"
    return plain.play(state, move).board.pins[0] if move in plain.moves(state) else None


def test_the_first_of_two_pins_takes_the_goal_field_and_the_second_drives_a_lap() -> None:
    assert after_seven("P0 36 39 H H", "5,2,0,0", must_traverse_start=False) == ["1", "G1", "H", "H"]
    assert after_seven("P0 36 39 H H", "5,2,0,0", must_traverse_start=False, circular=False) is None


def test_pins_in_the_goal_are_never_burned_but_may_be_jumped_if_jumping_is_allowed() -> None:
    assert after_seven("P0 36 G0 H H", "7,0,0,0") == ["G2", "G0", "H", "H"]
    assert after_seven("P0 36 G0 H H", "7,0,0,0", jump_in_goal=False) == ["3", "G0", "H", "H"]


def test_a_pin_that_leaves_the_start_opens_it_for_the_pins_behind() -> None:
    assert after_seven("P0 38 0 H H", "4,3,0,0", start_block=True) == ["G1", "3", "H", "H"]
    assert after_seven("P0 38 0 H H", "3,4,0,0", start_block=True) == ["G0", "4", "H", "H"]
    assert after_seven("P0 38 0 H H", "7,0,0,0", start_block=True) is None
    assert after_seven("P0 38 0 H H", "7,0,0,0") == ["5", "H", "H", "H"]


def test_a_pin_that_stops_on_the_start_closes_it_for_the_pins_behind() -> None:
    assert after_seven("P0 38 37 H H", "2,5,0,0", start_block=True) is None
    assert after_seven("P0 38 37 H H", "2,5,0,0") == ["H", "G1", "H", "H"]


def test_a_seven_into_the_goal_burns_the_start_field_only_if_it_runs_over_it() -> None:
    burned = position("dog", "P0 38 H H H; P1 0 H H H; P2 39 H H H", hands=[["7"], ["2"], ["2"], ["2"]], neg_4=False)
    assert plain.play(burned, "seven:7:7,0,0,0").board.pins[1][0] == "H"
    into_goal = "P0 37 G0 H H; P1 0 H H H; P2 39 H H H"
    for traverse, end in ((True, "H"), (False, "0")):
        options: dict[str, Any] = {"must_traverse_start": traverse, "hands": [["7"], ["2"], ["2"], ["2"]]}
        state = plain.play(position("dog", into_goal, **options), "seven:7:6,1,0,0" if traverse else "seven:7:4,3,0,0")
        assert state.board.pins[0][0].startswith("G") and state.board.pins[1][0] == end
        assert state.board.pins[2][0] == "H"


def random_board(rng: Random, options: plain_options.Options) -> plain_board.Board:
    """Pins close together, most of them near the first player's start."""
    track, goals = plain_board.track_length(options), [f"G{goal}" for goal in range(4)]
    fields = rng.sample([number % track for number in range(-12, 12)], 8)
    pins = [["H"] * 4 for _ in range(options.players)]
    for number in fields:
        pins[rng.choice([0, 0, 1, 2])][rng.randrange(4)] = str(number)
    for goal in rng.sample(goals, rng.randrange(3)):
        pins[0][rng.randrange(4)] = goal
    return plain_board.Board(options, pins)


@pytest.mark.parametrize("seed", range(8))
def test_a_moved_pin_is_lost_only_to_an_own_pin_that_passes_its_old_and_its_new_field(seed: int) -> None:
    """The consequence that section 5 draws from the order of the parts, on boards where nobody reaches the goal."""
    rng, lost_pins = Random(seed), 0
    options = plain_options.options_of("dog", {"start_block": seed % 2 == 1, "distance": rng.choice([10, 16])})
    for _ in range(12):
        board = random_board(rng, options)
        board.pins[0] = ["H" if place.startswith("G") else place for place in board.pins[0]]
        for parts in plain.SPLITS:
            after = plain_board.seven(board, 0, parts)
            if after is None or any(place.startswith("G") for place in after.pins[0]):
                continue
            track = plain_board.track_length(options)
            ways = [
                {(int(place) + step) % track for step in range(1, steps + 1)} if steps else set()
                for place, steps in zip(board.pins[0], parts, strict=True)
            ]
            for pin in range(4):
                if not parts[pin]:
                    continue
                old = int(board.pins[0][pin])
                new = (old + parts[pin]) % track
                lost = any({old, new} <= ways[other] for other in range(4) if other != pin)
                assert after.pins[0][pin] == ("H" if lost else str(new))
                lost_pins += lost
    assert lost_pins


@pytest.mark.parametrize("seed", range(8))
def test_every_right_order_of_a_seven_leads_to_the_same(seed: int) -> None:
    """The twin tries all orders and checks that itself; here on crowded boards with all switches."""
    rng = Random(seed)
    switches = ("start_block", "jump_in_goal", "circular", "must_traverse_start", "fresh_start_only")
    legal = 0
    for _ in range(15):
        options = plain_options.options_of("dog", {name: rng.random() < 0.5 for name in switches})
        board = random_board(rng, options)
        for parts in plain.SPLITS:
            after = plain_board.seven(board, 0, parts)
            if after is not None:
                legal += 1
                check_pins(after)
    assert legal > 50


# --- random games ------------------------------------------------------------------------------------------------


def check_pins(board: plain_board.Board) -> None:
    """Each pin in one place, each place of the track and the goals with one pin."""
    fields = {str(number) for number in range(plain_board.track_length(board.options))}
    tracks = [place for row in board.pins for place in row if place.isdigit()]
    assert set(tracks) <= fields and len(set(tracks)) == len(tracks)
    for row in board.pins:
        goals = [place for place in row if place.startswith("G")]
        assert len(row) == 4 and set(goals) <= {"G0", "G1", "G2", "G3"} and len(set(goals)) == len(goals)
        assert all(place == "H" or place in fields or place in goals for place in row)


def check(state: State) -> None:
    """What holds in every state."""
    options = state.options
    check_pins(state.board)
    if state.game == "dmadn":
        assert all(0 <= number <= 4 for row in state.tokens for number in row)
        assert all(any(row) for row in state.tokens)
    if state.game == "dog":
        gifts = [card for card in state.gifts if card]
        cards = Counter(card for pile in (state.deck, state.used, gifts, *state.hands) for card in pile)
        assert cards == Counter(plain.full_deck(options))
        assert (state.phase == "deal") == (state.phase != "over" and not gifts and not any(state.hands))
        if state.phase == "play":
            assert state.hands[state.player]
    again = plain.from_json(json.loads(json.dumps(plain.to_json(state))))
    assert plain.to_json(again) == plain.to_json(state)
    assert (again.used, plain.moves(again)) == (state.used, plain.moves(state))


def check_moves(state: State) -> None:
    moves = plain.moves(state)
    assert moves and len(set(moves)) == len(moves)
    if state.phase == "exchange":
        assert all(move.startswith("give:") for move in moves)
    elif not plain.boards_after(state):
        assert moves == ["fold" if state.game == "dog" else "pass"]
    else:
        assert "fold" not in moves and "pass" not in moves
    numbers = [number for move in moves for number in plain.numbers(state, move)]
    size = ACTIONS.get(state.game, 32 * state.options.distance + 486)
    assert len(set(numbers)) == len(numbers) and all(0 <= number < size for number in numbers)
    assert all(plain.numbers(state, move) for move in moves if move not in ("pass", "fold"))


def play_to_the_end(game: str, options: dict[str, Any], seed: int) -> State:
    rng = Random(f"{game} {options} {seed}")
    state = plain.new(game, options, starter=rng.randrange(options.get("players", 4)))
    check(state)
    for _ in range(20_000):
        state = plain.let_chance_decide(state, rng)
        if rng.random() < 0.05:
            check(state)
            check_moves(state)
        state = plain.play(state, rng.choice(plain.moves(state)))
        check_pins(state.board)
        if state.phase == "over":
            check(state)
            return state
    raise AssertionError("the game does not end")


def check_winners(state: State) -> None:
    for winner in state.winners:
        assert all(place.startswith("G") for place in state.board.pins[winner])
    expected = [[0, 2], [1, 3]] if state.options.in_teams else [[player] for player in range(state.options.players)]
    assert state.winners in expected
    assert sum(plain.scores(state)) == len(state.winners)


@pytest.mark.parametrize(("game", "switch"), [(game, switch) for game in SWITCHES for switch in SWITCHES[game]])
def test_random_games_end_with_every_switch_changed_alone(game: str, switch: str) -> None:
    default = True if switch == "special_cards" else getattr(plain_options.options_of(game), switch)
    check_winners(play_to_the_end(game, {switch: not default}, 1))


@pytest.mark.parametrize(("game", "rules"), list(plain_options.PRESETS))
def test_random_games_end_with_every_rule_set(game: str, rules: str) -> None:
    check_winners(play_to_the_end(game, {"rules": rules}, 2))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("game", plain_options.GAMES)
def test_random_games_end_with_random_switches_and_numbers_of_players(game: str, seed: int) -> None:
    rng = Random(seed)
    options: dict[str, Any] = {switch: rng.random() < 0.5 for switch in SWITCHES[game] if switch != "special_cards"}
    options["players"] = rng.choice([2, 3, 4])
    options["seats"] = sorted(rng.sample(range(4), options["players"]))
    options["distance"] = rng.choice([6, 10, 16])
    check_winners(play_to_the_end(game, options, seed))
