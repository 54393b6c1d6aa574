"""Rounds played here through the public State API, with all that a row of a dataset should say about them."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np

import stammtisch as st
from stammtisch.core.game import State
from stammtisch.core.mind import pick
from stammtisch.core.rng import stream
from stammtisch.games.tichu.rules import CALL_TICHU, SCHUPF_CARDS
from stammtisch.logs.moves import DEAL, Rounds


@dataclass
class Decision:
    """What a seat saw and did, by way of State and Seat alone."""

    state: State
    seat: int
    what: str
    action: int


@dataclass
class PlayedRound:
    deal: Any
    actions: list[int] = field(default_factory=list)
    human: list[bool] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    end: State | None = None


WHAT = {"grand": "announce", "schupf": "schupf", "play": "play", "bomb": "play", "wish": "wish", "dragon": "dragon"}


def played_round(seed: int, before: tuple[int, int] = (0, 0)) -> PlayedRound:
    """A round in which mostly the rules of thumb play, sometimes chance, so that everything happens."""
    game = st.game("tichu", rounds=1)
    rng, dice = stream(seed), Random(seed)
    state = game.new(seed=seed)
    state.record.score[:] = before
    deal = np.zeros(1, dtype=DEAL)[0]
    deal.grand[:], deal.start[:] = state.record.hand, state.record.hand | state.record.undealt
    deal.before[:], deal.game, deal.seats, deal.year, deal.month = before, 1000 + seed // 3, 15, 2007 + seed % 3, 1
    deal.key = deal.game
    played = PlayedRound(deal)
    buffer = np.empty(game.spec.max_actions, dtype=np.int64)
    while not state.over:
        phase, seat = state.to_json()["phase"], state.player
        assert seat is not None
        legal = state.actions()
        action = int(pick(game.mind()[0], state.record, buffer, rng))
        if phase in ("play", "bomb", "wish", "dragon") and dice.random() < 0.25:
            action = dice.choice(legal)
        if phase in ("schupf", "play") and CALL_TICHU in legal and dice.random() < 0.03:
            action = CALL_TICHU
        human = not (phase == "bomb" and action == 0)
        if human:
            may_call = CALL_TICHU in legal and phase in ("schupf", "play")
            if may_call or action == CALL_TICHU:
                played.decisions.append(Decision(state.copy(), seat, "announce", action))
            if action != CALL_TICHU:
                played.decisions.append(Decision(state.copy(), seat, WHAT[phase], action))
        played.actions.append(action)
        played.human.append(human)
        state.apply(action)
    scores = state.scores()
    deal.score[:] = scores[0] - before[0], scores[1] - before[1]
    finished = state.record.finished
    deal.double_victory = state.record.out_count == 2 and (finished[0] ^ finished[1]) == 2
    played.end = state
    return played


def rounds_of(played: list[PlayedRound]) -> Rounds:
    deals = np.array([one.deal for one in played], dtype=DEAL)
    first = 0
    for deal, one in zip(deals, played, strict=True):
        deal["first_action"], deal["actions"] = first, len(one.actions)
        first += len(one.actions)
    actions = np.array([action for one in played for action in one.actions], dtype=np.int64)
    human = np.array([flag for one in played for flag in one.human], dtype=np.bool_)
    return Rounds(deals, actions, human)


def gifts(action: int) -> tuple[int, int, int]:
    assert action >= SCHUPF_CARDS
    return action >> 12 & 63, action >> 6 & 63, action & 63
