"""Players by rules of thumb: legal, blind for what is hidden, and doing the obvious."""

from random import Random
from typing import Any

import numpy as np
import pytest

import stammtisch as st
from games.dog.test_rules import random_options
from stammtisch.agents.catalog import agent
from stammtisch.core.rng import stream

HOME = ["H"] * 4


@pytest.mark.parametrize("agent_name", ["greedy", "rules"])
@pytest.mark.parametrize("name", ["madn", "dmadn", "dog"])
@pytest.mark.parametrize("seed", range(4))
def test_they_play_any_game_to_its_end_by_the_rules(agent_name: str, name: str, seed: int) -> None:
    game = st.game(name, **{**random_options(name, Random(seed)), "max_steps": 400})
    state, player = game.new(seed=seed), agent(agent_name, game)
    while not state.over:
        state.apply(player.choose(state.seat(state.player or 0), stream(seed)).action)


@pytest.mark.parametrize("agent_name", ["greedy", "rules"])
def test_they_decide_by_what_their_seat_knows(agent_name: str) -> None:
    game = st.game("dog", teams=True)
    state, player, rng = game.new(seed=5), agent(agent_name, game), Random(1)
    for turn in range(60):
        seat = state.seat(state.player or 0)
        other = seat.sample(stream(turn)).seat(seat.index)
        assert player.choose(seat, stream(1)).action == player.choose(other, stream(1)).action
        state.play(rng.choice(state.moves()))


def choice(agent_name: str, position: dict[str, Any]) -> str:
    state = st.position(position)
    return state.game.format(agent(agent_name, state.game).choose(state.seat(position["player"]), stream(1)).action)


@pytest.mark.parametrize("agent_name", ["greedy", "rules"])
def test_they_hit_and_go_in(agent_name: str) -> None:
    hit = {"game": "madn", "player": 0, "die": 3, "pins": [["5", "20", "H", "H"], ["8", "H", "H", "H"], HOME, HOME]}
    assert choice(agent_name, hit) == "p0"
    win = {"game": "madn", "player": 0, "die": 1, "pins": [["G1", "G2", "G3", "39"], HOME, HOME, HOME]}
    assert choice(agent_name, win) == "p3"


def test_rules_run_from_danger() -> None:
    """Player 3 stands two fields behind pin 1; nobody is near pin 0."""
    position = {
        "game": "madn",
        "player": 0,
        "die": 5,
        "pins": [["2", "24", "H", "H"], HOME, HOME, ["22", "H", "H", "H"]],
    }
    assert choice("rules", position) == "p1"


def test_rules_keep_the_joker_when_another_card_does_the_same() -> None:
    position = {
        "game": "dog",
        "player": 0,
        "pins": [HOME] * 4,
        "hands": [["13", "JOKER"], ["2"], ["2"], ["2"]],
    }
    assert choice("rules", position).startswith("start:13:")


def test_rules_give_a_partner_who_is_stuck_a_way_out() -> None:
    position = {
        "game": "dog",
        "options": {"teams": True},
        "phase": "exchange",
        "player": 0,
        "pins": [HOME] * 4,
        "hands": [["13", "1/11", "5", "9"], ["2"], ["2"], ["2"]],
    }
    assert choice("rules", position) in ("give:13", "give:1/11")


def test_rules_beat_greedy_and_greedy_beats_random_in_a_few_games() -> None:
    """No measurement: only that nothing is upside down."""
    for first, second in (("rules", "greedy"), ("greedy", "random")):
        won = []
        for seed in range(30):
            game = st.game("dog", teams=True)
            state = game.new(seed=seed)
            players = [agent((first, second)[(seat + seed) % 2], game) for seat in range(4)]
            while not state.over:
                seat = state.player or 0
                state.apply(players[seat].choose(state.seat(seat), stream(seed, seat)).action)
            won.append(state.scores()[seed % 2])
        assert np.mean(won) > 0.6
