"""The engine beside a plain twin of the rules, move by move: what is legal, what follows, what it is worth."""

from random import Random
from typing import Any

import pytest

import stammtisch as st
from games.clever import referee
from games.clever.referee import Position
from games.clever.tables import VARIANTS, random_options, random_sheet
from stammtisch.core.game import State

IDLE = ("pass", "end", "reroll")


# --- games to compare --------------------------------------------------------------------------------------------


def late_position(rng: Random, players: int) -> Position:
    """The first roll of some turn, on sheets that are rather full: many bonuses, many of them lost."""
    active = rng.randrange(players)
    fullness = rng.uniform(0.3, 1)
    return {
        "player": active,
        "active": active,
        "starter": rng.randrange(players),
        "round": rng.randint(1, referee.ROUNDS[players]),
        "dice": {die: rng.randint(1, 6) for die in referee.DICE},
        "sheets": [random_sheet(rng, fullness) for _ in range(players)],
    }


def begin(options: dict[str, Any], rng: Random, late: bool) -> State:
    game = st.game("clever", **options)
    seed = rng.getrandbits(32)
    if late and options.get("rules") != "prototype":
        return game.from_json(late_position(rng, options.get("players", 1)), seed=seed)
    return game.new(seed=seed)


def compare(state: State, rng: Random, eager: bool) -> None:
    """Play to the end and look at every position; eager players use what they have."""
    while not state.over:
        position, moves = state.to_json(), state.moves()
        assert sorted(moves) == sorted(referee.legal_moves(position)), position
        busy = [move for move in moves if move not in IDLE and not move.endswith("none")]
        move = rng.choice(busy if eager and busy else moves)
        expected = referee.play(position, move)
        state.play(move)
        assert not referee.differences(expected, state.to_json()), (position, move)
    end = state.to_json()
    assert [int(score) for score in state.scores()] == referee.scores(end), end


# --- comparing ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_a_new_game_is_what_the_rules_say(options: dict[str, Any]) -> None:
    for seed in range(20):
        position = st.game("clever", **options).new(seed=seed).to_json()
        prototype = options.get("rules") == "prototype"
        sheet = {**referee.empty_sheet(), "rerolls": 0 if prototype else 1}
        dice = referee.DICE[: options["dice"]] if prototype else referee.DICE
        assert position["sheets"] == [sheet] * options.get("players", 1)
        assert (position["round"], position["phase"], position["roll"]) == (1, "active", 1)
        assert position["player"] == position["active"] == position["starter"]
        assert position["place"] == dict.fromkeys(dice, "pool")
        assert all(face in range(1, 7) for face in position["dice"].values())


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_games_by_the_rules(options: dict[str, Any]) -> None:
    rng = Random(1)
    for number in range(6):
        compare(begin(options, rng, late=False), rng, eager=number % 2 == 1)


@pytest.mark.parametrize("seed", range(4))
def test_games_by_any_options(seed: int) -> None:
    rng = Random(seed)
    for number in range(10):
        compare(begin(random_options(rng), rng, late=number % 2 == 1), rng, eager=number % 4 > 1)


@pytest.mark.slow
@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_many_games_by_the_rules(options: dict[str, Any]) -> None:
    rng = Random(2)
    for number in range(300):
        compare(begin(options, rng, late=False), rng, eager=number % 5 == 4)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_many_games_by_any_options(seed: int) -> None:
    rng = Random(100 + seed)
    for number in range(200):
        compare(begin(random_options(rng), rng, late=number % 2 == 1), rng, eager=number % 4 > 1)
