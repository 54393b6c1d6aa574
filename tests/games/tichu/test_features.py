"""Network inputs: the 375 of the concept and those of the second document, anew from what a seat sees."""

from collections.abc import Iterable
from itertools import chain
from random import Random
from typing import Any

import numpy as np
import pytest

import stammtisch as st
from games.tichu import plain
from games.tichu.deals import dealt_position, visited
from stammtisch.core.game import State
from stammtisch.games.tichu import features
from stammtisch.games.tichu.cards import NAMES
from stammtisch.games.tichu.notation import read_move

VALUES = {**plain.VALUES, "Hu": 0, "Dr": 15, "Ph": 16}
KINDS = [
    ("pass", 0),
    ("single", 1),
    ("pair", 2),
    ("triple", 3),
    *(("stair", size) for size in range(4, 15, 2)),
    ("fullhouse", 5),
    *(("street", size) for size in range(5, 15)),
    *(("bomb", size) for size in range(4, 14)),
]
TYPES = ["pass", "single", "pair", "triple", "stair", "fullhouse", "street", "bomb"]
Blocks = dict[str, list[float]]


def join(parts: Iterable[list[float]]) -> list[float]:
    return list(chain.from_iterable(parts))


def one_hot(number: int, size: int) -> list[float]:
    return [float(i == number) for i in range(size)]


def thermometer(number: int, size: int) -> list[float]:
    return [float(i < number) for i in range(size)]


def multi_hot(cards: list[str]) -> list[float]:
    return [float(card in cards) for card in plain.DECK]


def value_of(card: str | None) -> list[float]:
    return one_hot(-1 if card is None else VALUES[card], 17)


def who(other: int | None, seat: int) -> list[float]:
    """Nobody, myself, right opponent, partner, left opponent."""
    return one_hot(0 if other is None else 1 + (other - seat) % 4, 5)


def on_turn(view: dict[str, Any]) -> int | None:
    """Whose turn it is; who is asked for a bomb is not on turn, and when all have passed it is the owner's."""
    if view["phase"] in ("grand", "schupf"):
        return None
    if view["phase"] != "bomb":
        return int(view["player"])
    owner = view["trick"]["owner"]
    waiting = [(owner + i) % 4 for i in (1, 2, 3) if view["hands"][(owner + i) % 4]]
    return int([*waiting, owner][view["passes"]])


def common(view: dict[str, Any], seat: int) -> Blocks:
    """What both documents have."""
    around = [(seat + i) % 4 for i in range(4)]
    trick = view["trick"] or {"type": "pass", "length": 0, "rank": 0, "points": 0, "owner": None}
    played = [card for plays in view["tricks"] for _, text in plays for card in text.split("=")[0].split()]
    return {
        "played_cards": multi_hot(played),
        "announcements": join(one_hot(view["announced"][other], 3) for other in around),
        "wish": one_hot(1 if view["fulfilled"] else view["wish"], 15),
        "trick_owner": who(trick["owner"], seat),
        "trick_type": one_hot(TYPES.index(trick["type"]), 8),
        "trick_length": one_hot(trick["length"], 15),
        "trick_value": one_hot(int(trick["rank"]), 16),  # the Phoenix as the card it has beaten
        "trick_combination": one_hot(KINDS.index((trick["type"], trick["length"])), 31)
        + thermometer(int(trick["rank"]), 15),
        "trick_points": [trick["points"] / 100],
        "points": [view["points"][other] / 100 for other in around],
        "winner": who(view["out"][0] if view["out"] else None, seat),
        "hand": multi_hot(view["hands"][seat]),
        "given": join(map(value_of, view["schupfed"][seat] or [None] * 3)),
    }


def expected(view: dict[str, Any], seat: int) -> Blocks:
    """The 375 inputs, block by block in the order of the concept."""
    blocks = common(view, seat)
    received = [(view["schupfed"][(seat + i) % 4] or [None] * 3)[3 - i] for i in (1, 2, 3)]
    return {
        "current_turn": who(on_turn(view), seat),
        "start_player": who(view["starter"], seat),
        "count_hand_cards": join(thermometer(len(view["hands"][(seat + i) % 4]), 14) for i in range(4)),
        "played_cards": blocks["played_cards"],
        "announcements": blocks["announcements"],
        "wish": blocks["wish"],
        "dragon_recipient": who(view["dragon"], seat),
        "trick_owner": blocks["trick_owner"],
        "trick_combination": blocks["trick_combination"],
        "trick_points": blocks["trick_points"],
        "points": blocks["points"],
        "winner": blocks["winner"],
        "game_score": [max(-2.0, min(2.0, view["score"][(seat + i) % 2] / 1000)) for i in (0, 1)],
        "hand_cards": blocks["hand"],
        "given_schupf_cards": blocks["given"],
        "received_schupf_cards": join(map(value_of, received)),
    }


def expected_play(view: dict[str, Any], seat: int) -> Blocks:
    """The 248 inputs of the second document for a play."""
    blocks = common(view, seat)
    return {
        "hand": blocks["hand"],
        "schupfed_values": blocks["given"],
        "number_of_cards": [len(view["hands"][(seat + i) % 4]) / 14 for i in range(4)],
        "played_cards": blocks["played_cards"],
        "announcements": blocks["announcements"],
        "wish": blocks["wish"],
        "trick_player": blocks["trick_owner"],
        "trick_type": blocks["trick_type"],
        "trick_length": blocks["trick_length"],
        "trick_value": blocks["trick_value"],
        "trick_points": blocks["trick_points"],
        "points": blocks["points"],
        "winner": blocks["winner"],
    }


def flat(blocks: Blocks) -> np.ndarray:
    return np.array(join(blocks.values()), dtype=np.float32)


def differences(found: np.ndarray, blocks: Blocks) -> list[str]:
    """The names of the blocks that are not as expected."""
    ends = np.cumsum([len(block) for block in blocks.values()])
    parts = np.split(found, ends[:-1])
    pairs = zip(blocks.items(), parts, strict=True)
    return [name for (name, block), part in pairs if (part != np.array(block, dtype=np.float32)).any()]


def rounds() -> list[Any]:
    begins: list[tuple[str, dict[str, Any] | None, dict[str, Any]]] = [
        ("new", None, {"rounds": 1}),
        ("several rounds", None, {"rounds": 3}),
        ("bombs", dealt_position(Random(5)), {"rounds": 1}),
        ("bombs before schupfen", dealt_position(Random(6), "schupf"), {"rounds": 1}),
        ("late in a game", {**dealt_position(Random(7)), "score": [-2400, 985]}, {"rounds": None}),
    ]
    return [pytest.param(begin, options, id=name) for name, begin, options in begins]


def some_states(begin: dict[str, Any] | None, options: dict[str, Any]) -> list[State]:
    """The decisions of one biased random game, at most those of a few rounds."""
    found = []
    for state in visited(begin, Random(str(options)), **options):
        if state.over or state.to_json()["round"] > 3:
            break
        found.append(state.copy())
    return found


def test_the_blocks_are_those_of_the_concept_in_its_order() -> None:
    view = st.game("tichu").new(1).view(0)
    assert {name: len(block) for name, block in expected(view, 0).items()} == features.BLOCKS
    assert list(expected(view, 0)) == list(features.BLOCKS)
    assert list(features.BLOCKS.values()) == [5, 5, 56, 56, 12, 15, 5, 5, 46, 1, 4, 5, 2, 56, 51, 51]
    assert features.INPUTS == 375
    assert st.game("tichu").spec.observation_shape == (375,)
    assert {name: len(block) for name, block in expected_play(view, 0).items()} == features.PLAY_BLOCKS
    assert sum(features.PLAY_BLOCKS.values()) == 248


@pytest.mark.parametrize(("begin", "options"), rounds())
def test_the_observation_is_what_the_seat_sees(begin: dict[str, Any] | None, options: dict[str, Any]) -> None:
    for state in some_states(begin, options):
        for seat in range(4):
            view = state.view(seat)
            assert differences(state.seat(seat).observation(), expected(view, seat)) == []


@pytest.mark.parametrize(("begin", "options"), rounds()[::2])
def test_the_inputs_of_the_second_document_are_what_the_seat_sees(
    begin: dict[str, Any] | None, options: dict[str, Any]
) -> None:
    for state in some_states(begin, options):
        for seat in range(4):
            blocks = expected_play(state.view(seat), seat)
            assert differences(features.decision_inputs(state.record, seat), blocks) == []
            announce = {**blocks, "announcements": blocks["announcements"][3:], "winner": []}
            assert (features.decision_inputs(state.record, seat, "announce") == flat(announce)).all()
            wish = {name: block for name, block in blocks.items() if name != "wish"}
            assert (features.decision_inputs(state.record, seat, "wish") == flat(wish)).all()
            trick = ("trick_player", "trick_type", "trick_length", "trick_value")
            dragon = {name: block for name, block in blocks.items() if name not in trick}
            assert (features.decision_inputs(state.record, seat, "dragon") == flat(dragon)).all()
            early = blocks["hand"] + blocks["announcements"][3:]
            assert features.early_inputs(state.record, seat).tolist() == early
            assert (features.history_inputs(state.record, seat) == history(state.view(seat), seat)).all()


def test_the_other_decisions_leave_out_what_they_do_not_need() -> None:
    record = st.game("tichu").new(1).record
    sizes = [len(features.decision_inputs(record, 0, name)) for name in ("play", "announce", "wish", "dragon")]
    assert sizes == [248, 248 - 3 - 5, 248 - 15, 248 - 5 - 8 - 15 - 16]
    assert len(features.early_inputs(record, 0)) == 65


def history(view: dict[str, Any], seat: int) -> np.ndarray:
    """45 inputs for each play of the round."""
    lines = []
    for plays in view["tricks"]:
        rank = 1.0
        for number, (player, text) in enumerate(plays):
            cards, _, given = text.partition("=")
            (kind, size, _), *_ = plain.readings(cards.split())
            if cards != "Ph":  # a single Phoenix counts as the card it has beaten, led as one
                rank = float(given or max(float(found[2]) for found in plain.readings(cards.split())))
            line = [who(player, seat), [float(number == 0)], one_hot(TYPES.index(kind), 8), one_hot(size, 15)]
            lines.append(join([*line, one_hot(int(rank), 16)]))
    return np.array(lines, dtype=np.float32).reshape(-1, 45)


def test_the_history_has_a_line_per_play() -> None:
    hands = [["S8", "B9"], ["Ph", "S2"], ["SA", "S3"], ["Hu", "S4"]]
    state = st.game("tichu", rounds=1).from_json({"hands": hands, "player": 3})
    for move in ("Hu", "S2", "SA", "pass", "pass", "Ph"):
        state.play(move)
    lines = features.history_inputs(state.record, 2)
    assert lines.shape == (4, 45)
    assert [int(line[:5].argmax()) for line in lines] == [2, 4, 1, 4]  # right, left, myself, left
    assert lines[:, 5].tolist() == [1, 1, 0, 0]
    assert [int(line[6:14].argmax()) for line in lines] == [1, 1, 1, 1]
    assert [int(line[29:].argmax()) for line in lines] == [0, 2, 14, 14]


# --- labels ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["pass", "S2", "Ph", "Ma S2 B3 G4 R5", "S5 B5 S9 B9 Ph=5", "S8 B8 G8 R8"])
def test_the_labels_of_a_play_are_its_cards_or_the_pass(text: str) -> None:
    cards = [] if text == "pass" else text.split("=")[0].split()
    assert features.play_labels(read_move(text)).tolist() == [*multi_hot(cards), float(text == "pass")]


def test_the_labels_of_gifts_are_values_and_suits() -> None:
    for gifts in (["S2", "Dr", "B10"], ["RA", "Hu", "Ph"], ["Ma", "GK", "R3"]):
        suits = [one_hot("SBGR".index(card[0]) if card in plain.SUITED else 4, 5) for card in gifts]
        expected = join([*map(value_of, gifts), *suits])
        one, two, three = (NAMES.index(card) for card in gifts)
        assert features.schupf_labels((one, two, three)).tolist() == expected
        assert len(expected) == 66


def test_the_labels_of_wishes_dragons_and_calls() -> None:
    for wish in range(2, 15):
        assert features.wish_labels(wish).tolist() == one_hot(wish - 2, 13)
    assert features.wish_labels(0).tolist() == [0.0] * 13
    for seat in range(4):
        assert features.dragon_labels(seat, (seat + 1) % 4).tolist() == [1, 0]
        assert features.dragon_labels(seat, (seat + 3) % 4).tolist() == [0, 1]
    assert features.announce_label(read_move("tichu")).tolist() == [1]
    assert features.announce_label(read_move("pass")).tolist() == [0]
