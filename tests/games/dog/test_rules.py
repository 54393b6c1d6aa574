"""The rules of madn, dmadn and dog: worked examples, stored positions, and the plain twin in random games."""

from collections import Counter
from random import Random
from typing import Any

import pytest

import stammtisch as st
from games.dog import plain
from games.dog.cases import (
    EXAMPLES,
    POSITIONS,
    PROBES,
    example_position,
    fixture_move,
    fixture_pins,
    fixture_position,
    rows,
)
from stammtisch.core.game import State

SWITCHES = {
    name: [option.name for option in st.game(name).info.options if option.type is bool]
    for name in ("madn", "dmadn", "dog")
}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example[0])
def test_every_worked_example_holds(example: list[str]) -> None:
    *_, turn, legal, move_and_rows, end, _ = example
    if " dist " in turn:
        return  # throws: test_throws.py
    before = example_position(example)
    state = st.position(before)
    kind, *words = legal.split()
    if kind == "legal":
        assert sorted(state.moves()) == sorted(words)
    elif kind == "has":
        assert set(words) <= set(state.moves())
    else:
        assert len(state.moves()) == int(words[0])
    move, changed = (part.strip() for part in move_and_rows.split("=>"))
    state.play(move)
    after = state.to_json()
    assert after["pins"] == [rows(changed).get(player, row) for player, row in enumerate(before["pins"])]
    if "tokens" in changed:
        assert after["tokens"][before["player"]] == [int(word) for word in changed.split("tokens")[1].split()]
    if end.startswith("next"):
        assert state.player == int(end.split()[1])
    if end.startswith("over"):
        assert [player for player, score in enumerate(state.scores()) if score] == [int(w) for w in end.split()[1:]]
        assert state.over


@pytest.mark.parametrize("fixture", POSITIONS, ids=lambda fixture: str(fixture["id"]))
def test_every_stored_position_has_its_moves_and_results(fixture: dict[str, Any]) -> None:
    state = st.position(fixture_position(fixture))
    assert sorted(state.moves()) == sorted(fixture_move(move) for move in fixture["legal"])
    for result in fixture["results"]:
        after = state.copy()
        after.play(fixture_move(result["move"]))
        position = after.to_json()
        assert position["pins"] == fixture_pins(result["pins"])
        assert after.over == result["over"]
        assert [player for player, score in enumerate(after.scores()) if score] == result["winners"]
        if not after.over:
            assert after.player == result["player"]
        if "tokens" in result:
            assert position["tokens"] == result["tokens"]
        if "hands" in result:
            assert [Counter(hand) for hand in position["hands"]] == [Counter(hand) for hand in result["hands"]]


@pytest.mark.parametrize("fixture", PROBES, ids=lambda fixture: str(fixture["id"]))
def test_every_probe_of_one_move_holds(fixture: dict[str, Any]) -> None:
    state = st.position(fixture_position(fixture))
    for probe in fixture["probes"]:
        move = fixture_move(probe["move"])
        assert (move in state.moves()) == probe["legal"]
        if probe["legal"]:
            after = state.copy()
            after.play(move)
            assert after.to_json()["pins"] == fixture_pins(probe["pins"])


# --- the plain twin ----------------------------------------------------------------------------------------------


def random_options(name: str, rng: Random) -> dict[str, Any]:
    players = rng.choice((2, 3, 4, 4))
    options: dict[str, Any] = {"players": players, "distance": rng.choice((8, 10, 10, 16, 29)), "max_steps": 4000}
    options["seats"] = sorted(rng.sample(range(4), players))
    for switch in SWITCHES[name]:
        if rng.random() < 0.5 and switch not in ("special_cards", "stepwise"):
            options[switch] = rng.random() < 0.5
    if options.get("teams") and players < 4:
        del options["teams"]
    return options


def for_twin(position: dict[str, Any], unknown: tuple[str, ...] = ()) -> dict[str, Any]:
    """The twin knows nothing of what was played, and lists seats."""
    options = {name: value for name, value in position["options"].items() if name not in ("stepwise", "special_cards")}
    options["seats"] = None if options["seats"] is None else [int(seat) for seat in options["seats"]]
    unknown = ("played", "folded", "given", *unknown)
    return {**{key: value for key, value in position.items() if key not in unknown}, "options": options}


def check_against_twin(state: State, moves: int, rng: Random) -> None:
    """Play at random and compare each position with the twin's."""
    for _ in range(moves):
        if state.over:
            return
        position = state.to_json()
        twin = plain.from_json(for_twin(position))
        assert sorted(state.moves()) == sorted(plain.moves(twin)), position
        move = rng.choice(state.moves())
        state.play(move)
        after = plain.play(twin, move)
        found = state.to_json()
        assert found["pins"] == after.board.pins, (position, move)
        if state.over:
            assert state.scores() == pytest.approx(plain.scores(after)), (position, move)
            return
        assert found["player"] == after.player, (position, move)
        if "tokens" in found:
            assert found["tokens"] == after.tokens
        if "hands" in found:
            dealt = after.phase == "deal"
            assert (found["deal"], found["starter"]) == (after.deal, after.starter)
            if dealt:
                assert all(len(hand) == found["deal"] for hand in found["hands"])
            else:
                assert [Counter(hand) for hand in found["hands"]] == [Counter(hand) for hand in after.hands]


@pytest.mark.parametrize("name", ["madn", "dmadn", "dog"])
@pytest.mark.parametrize("seed", range(30))
def test_random_games_with_any_switches_are_those_of_the_twin(name: str, seed: int) -> None:
    rng = Random(seed)
    game = st.game(name, **random_options(name, rng))
    check_against_twin(game.new(seed=seed), 150, rng)


@pytest.mark.parametrize("traverse", [True, False])
@pytest.mark.parametrize("distance", [8, 10, 29])
def test_tokens_bring_no_pin_round_again_where_the_board_is_not_circular(traverse: bool, distance: int) -> None:
    for back in range(1, 13):
        pin = [str(4 * distance - back), "H", "H", "H"]
        options = {"circular": False, "must_traverse_start": traverse, "distance": distance}
        state = st.game("dmadn", **options).from_json(
            {"player": 0, "pins": [pin, *[["H"] * 4] * 3], "tokens": [[1] * 6] * 4}
        )
        after_goal = 4 + back - (not traverse)
        fitting = [n for n in range(1, 7) if n < back or back - (not traverse) < n <= after_goal]
        assert [move for move in state.moves() if move.startswith("p0")] == [f"p0:{n}" for n in fitting]
