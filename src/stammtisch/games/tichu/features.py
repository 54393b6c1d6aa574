"""Network inputs and labels.

``observe`` writes the 375 inputs of the concept in its order, seats counted from the one that looks: itself, the right
opponent, the partner, the left opponent. The other functions give the inputs and labels of the second document for the
five decisions. Points are given in hundreds, the score of the game in thousands.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import Actions, Record, Records
from stammtisch.games.tichu.cards import ALL_CARDS, CARDS, count, value_of
from stammtisch.games.tichu.combinations import KINDS, LEAD, LENGTH_OF, PASS, TYPE_OF, cards_of, kind_of, rank_of
from stammtisch.games.tichu.figures import plays_so_far
from stammtisch.games.tichu.numbers import number
from stammtisch.games.tichu.rules import (
    BOMB_PHASE,
    CALL_TICHU,
    GIVE_DRAGON,
    GRAND,
    NO_GRAND,
    NOBODY,
    SCHUPF,
    SCHUPF_CARDS,
    SEATS,
    SPECIAL,
    WISH_NONE,
    last_passer,
    player,
    trick_is_over,
)

BLOCKS = {
    "current_turn": 5,
    "start_player": 5,
    "count_hand_cards": 56,
    "played_cards": 56,
    "announcements": 12,
    "wish": 15,
    "dragon_recipient": 5,
    "trick_owner": 5,
    "trick_combination": 46,
    "trick_points": 1,
    "points": 4,
    "winner": 5,
    "game_score": 2,
    "hand_cards": 56,
    "given_schupf_cards": 51,
    "received_schupf_cards": 51,
}
INPUTS = sum(BLOCKS.values())
LABELS = CARDS + 1  # every card, and the pass
VALUES = 17  # dog 0, Mahjong 1, 2 .. 14, dragon 15, Phoenix 16
SCHUPF_LABELS, WISH_LABELS, DRAGON_LABELS = 3 * VALUES + 15, 13, 2

Inputs = NDArray[np.float32]


@compiled
def observe(state: Record, seat: int, out: Inputs) -> None:
    out[:] = 0.0
    dealt = state.phase != GRAND and state.phase != SCHUPF
    turn = int(state.turn) if dealt else NOBODY
    if state.phase == BOMB_PHASE and state.asked != seat and trick_is_over(state):
        turn = int(last_passer(state))  # that a bomb is asked for is not seen: he seems to think still
    at = _who(turn, seat, out, 0)
    at = _who(int(state.starter), seat, out, at)
    for i in range(SEATS):
        at = _thermometer(_held(state, (seat + i) & 3), 14, out, at)
    at = _cards(_played(state), out, at)
    for i in range(SEATS):
        out[at + int(state.announced[(seat + i) & 3])] = 1.0
        at += 3
    at = _wish(int(state.wish), out, at)
    at = _who(int(state.dragon_to), seat, out, at)
    at = _who(int(state.owner), seat, out, at)
    out[at + int(state.kind)] = 1.0
    at = _thermometer(_table_rank(state), 15, out, at + KINDS)
    out[at] = state.trick_points / 100.0
    at += 1
    at = _points(state, seat, out, at)
    at = _who(int(state.finished[0]), seat, out, at)
    for team in range(2):
        out[at + team] = min(2.0, max(-2.0, state.score[(seat + team) & 1] / 1000.0))
    at = _cards(state.hand[seat], out, at + 2)
    for i in range(3):
        at = _value(int(state.given[seat, i]), out, at)
    for i in range(3):
        at = _value(int(state.given[(seat + 1 + i) & 3, 2 - i]) if dealt else 0, out, at)


@compiled
def _who(who: int, seat: int, out: Inputs, at: int) -> int:
    """One of: nobody, myself, right opponent, partner, left opponent."""
    out[at + (0 if who == NOBODY else 1 + ((who - seat) & 3))] = 1.0
    return at + 5


@compiled
def _thermometer(number: int, length: int, out: Inputs, at: int) -> int:
    for i in range(number):
        out[at + i] = 1.0
    return at + length


@compiled
def _cards(cards: int, out: Inputs, at: int) -> int:
    for card in range(CARDS):
        out[at + card] = cards >> card & 1
    return at + CARDS


@compiled
def _wish(wish: int, out: Inputs, at: int) -> int:
    """None yet, fulfilled, or the value."""
    out[at + (wish if wish >= 0 else 1)] = 1.0
    return at + 15


@compiled
def _table_rank(state: Record) -> int:
    """The rank on the table; the Phoenix counts as the card it has beaten, led as one."""
    return 0 if state.kind == PASS else state.rank // 2


@compiled
def _points(state: Record, seat: int, out: Inputs, at: int) -> int:
    for i in range(SEATS):
        out[at + i] = state.points[(seat + i) & 3] / 100.0
    return at + SEATS


@compiled
def _value(card: int, out: Inputs, at: int) -> int:
    """The value of a card that is given as its number + 1; nothing for 0."""
    if card:
        out[at + value_of(card - 1)] = 1.0
    return at + VALUES


@compiled
def _held(state: Record, seat: int) -> int:
    return count(state.hand[seat])


@compiled
def _played(state: Record) -> int:
    """The cards that everybody has seen played."""
    if state.phase == GRAND or state.phase == SCHUPF:
        return 0
    held = 0
    for seat in range(SEATS):
        held |= state.hand[seat]
    return ALL_CARDS & ~held


# --- labels -------------------------------------------------------------------------------------------------


def play_labels(action: int) -> Inputs:
    """57 labels of a play: the cards, and the pass."""
    out = np.zeros(LABELS, dtype=np.float32)
    write_play_labels(action, out)
    return out


def schupf_labels(gifts: tuple[int, int, int]) -> Inputs:
    """66 labels of three cards: their values (3 x 17), then their suits (3 x 5, the last for cards without one)."""
    out = np.zeros(SCHUPF_LABELS, dtype=np.float32)
    for i, card in enumerate(gifts):
        write_gift_labels(i, card, out)
    return out


def wish_labels(value: int) -> Inputs:
    """13 labels, one per value; all zero for no wish."""
    out = np.zeros(WISH_LABELS, dtype=np.float32)
    write_wish_labels(value, out)
    return out


def dragon_labels(seat: int, receiver: int) -> Inputs:
    """2 labels: right opponent, left opponent."""
    out = np.zeros(DRAGON_LABELS, dtype=np.float32)
    write_dragon_labels(seat, receiver, out)
    return out


def announce_label(action: int) -> Inputs:
    """1 label: whether tichu was called."""
    return np.array([action == CALL_TICHU], dtype=np.float32)


@compiled
def write_play_labels(action: int, out: Inputs) -> None:
    """The labels of a play into zeros, as the following functions."""
    if action == PASS:
        out[CARDS] = 1.0
    else:
        _cards(cards_of(action), out, 0)


@compiled
def write_gift_labels(i: int, card: int, out: Inputs) -> None:
    out[VALUES * i + value_of(card)] = 1.0
    out[3 * VALUES + 5 * i + ((card - 2) % 4 if 2 <= card < 54 else 4)] = 1.0


@compiled
def write_wish_labels(value: int, out: Inputs) -> None:
    if value:
        out[value - 2] = 1.0


@compiled
def write_dragon_labels(seat: int, receiver: int, out: Inputs) -> None:
    out[0] = (receiver - seat) & 3 == 1
    out[1] = (receiver - seat) & 3 == 3


# --- actions --------------------------------------------------------------------------------------------------

ACTION_BLOCKS = {
    "cards": 56,  # that are played
    "combination": KINDS,  # type and length
    "rank": 15,  # as a thermometer; the Phoenix alone has none, for it follows what it beats
    "call": 3,  # no grand tichu, grand tichu, tichu
    "wish": 14,  # none, 2 .. 14
    "dragon": 2,  # to the right opponent, to the left one
    "right": 56,  # the card that is given to the right opponent
    "partner": 56,
    "left": 56,
}
ACTION_FEATURES = sum(ACTION_BLOCKS.values())
_CALL, _WISH, _DRAGON, _GIFTS = 102, 105, 119, 121


@compiled
def describe_actions(states: Records, actions: Actions, offsets: Actions, out: Inputs, numbers: Actions) -> None:
    """All legal actions of many positions as rows of ``out``, which is zero, and their numbers."""
    for i in range(len(states)):
        for row in range(offsets[i], offsets[i + 1]):
            numbers[row] = number(states[i], actions[row])
            write_action(states[i], actions[row], out[row])


@compiled
def write_action(state: Record, action: int, out: Inputs) -> None:
    """What an action is, into zeros; no two legal actions of a position look alike."""
    if action < SPECIAL:
        _cards(cards_of(action), out, 0)
        out[CARDS + kind_of(action)] = 1.0
        if action != PASS:
            _thermometer(rank_of(action, 0) // 2, 15, out, CARDS + KINDS)
    elif action >= SCHUPF_CARDS:
        for i in range(3):
            out[_GIFTS + CARDS * i + (action >> (12 - 6 * i) & 63)] = 1.0
    elif action >= GIVE_DRAGON:
        out[_DRAGON + (0 if action - GIVE_DRAGON == (player(state) + 1) & 3 else 1)] = 1.0
    elif action > CALL_TICHU:
        out[_WISH + (0 if action == WISH_NONE else action - WISH_NONE - 1)] = 1.0
    else:
        out[_CALL + action - NO_GRAND] = 1.0


# --- the inputs of the second document -----------------------------------------------------------------------

PLAY_BLOCKS = {
    "hand": 56,
    "schupfed_values": 51,
    "number_of_cards": 4,
    "played_cards": 56,
    "announcements": 12,
    "wish": 15,
    "trick_player": 5,
    "trick_type": 8,
    "trick_length": 15,
    "trick_value": 16,
    "trick_points": 1,
    "points": 4,
    "winner": 5,
}
_LEFT_OUT = {  # what the other decisions do not need
    "play": (),
    "announce": ("own announcement", "winner"),
    "wish": ("wish",),
    "dragon": ("trick_player", "trick_type", "trick_length", "trick_value"),
}
HISTORY_LINE = 45


def decision_inputs(state: Record, seat: int, decision: str = "play") -> Inputs:
    """The inputs for ``play`` (248), or without the blocks that ``announce``, ``wish`` and ``dragon`` leave out."""
    parts: dict[str, Inputs] = {}
    for name, size in PLAY_BLOCKS.items():
        parts[name] = np.zeros(size, dtype=np.float32)
    _cards(state.hand[seat], parts["hand"], 0)
    for i in range(3):
        _value(int(state.given[seat, i]), parts["schupfed_values"], VALUES * i)
        parts["announcements"][3 * (i + 1) + int(state.announced[(seat + i + 1) & 3])] = 1.0
    parts["announcements"][int(state.announced[seat])] = 1.0
    for i in range(SEATS):
        parts["number_of_cards"][i] = _held(state, (seat + i) & 3) / 14.0
    _cards(_played(state), parts["played_cards"], 0)
    _wish(int(state.wish), parts["wish"], 0)
    _who(int(state.owner), seat, parts["trick_player"], 0)
    parts["trick_type"][TYPE_OF[state.kind]] = 1.0
    parts["trick_length"][LENGTH_OF[state.kind]] = 1.0
    parts["trick_value"][_table_rank(state)] = 1.0
    parts["trick_points"][0] = state.trick_points / 100.0
    _points(state, seat, parts["points"], 0)
    _who(int(state.finished[0]), seat, parts["winner"], 0)
    if decision == "announce":
        parts["announcements"] = parts["announcements"][3:]
    return np.concatenate([part for name, part in parts.items() if name not in _LEFT_OUT[decision]])


def early_inputs(state: Record, seat: int) -> Inputs:
    """65 inputs for calling tichu before the first trick and for schupfen: the hand and the others' calls."""
    out = np.zeros(CARDS + 9, dtype=np.float32)
    _cards(state.hand[seat], out, 0)
    for i in range(3):
        out[CARDS + 3 * i + int(state.announced[(seat + i + 1) & 3])] = 1.0
    return out


def history_inputs(state: Record, seat: int) -> Inputs:
    """45 inputs per play of the round, oldest first: who, whether it was a lead, type, length and value."""
    out = np.zeros((int(state.log_length), HISTORY_LINE), dtype=np.float32)
    rank = LEAD
    for line, (who, first, play) in zip(out, plays_so_far(state), strict=True):
        rank = int(rank_of(play, LEAD if first else rank))
        kind = int(kind_of(play))
        _who(who, seat, line, 0)
        line[5] = first
        line[6 + TYPE_OF[kind]] = line[14 + LENGTH_OF[kind]] = line[29 + rank // 2] = 1.0
    return out
