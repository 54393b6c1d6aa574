"""Four players in two teams, hidden cards, two deals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stammtisch.core import fields
from stammtisch.core.compiling import compiled
from stammtisch.core.errors import BadPosition
from stammtisch.core.game import Game, GameSpec, Json
from stammtisch.core.info import GameInfo, Option
from stammtisch.core.kernel import OVER, Actions, Kernel, Record, Vector
from stammtisch.core.rng import Rng, shuffle
from toys.numbers import format_number, parse_number

SUITS, RANKS, SEATS = 3, 4, 4
CARDS = SUITS * RANKS  # card = suit * RANKS + rank
HAND = CARDS // SEATS
WHIST_STATE = np.dtype(
    [
        ("hands", np.int64, SEATS),  # sets of cards, one bit each
        ("seen", np.int64),  # cards that lay on the table in this deal
        ("voids", np.int64, SEATS),  # suits a seat has shown not to have
        ("trick", np.int64, SEATS),  # card of each seat in this trick plus one, 0 for none
        ("leader", np.int64),
        ("played", np.int64),  # cards in this trick
        ("tricks", np.int64, 2),  # won by each team
        ("deal", np.int64),
        ("deals", np.int64),
    ]
)


@compiled
def whist_deal(state: Record, rng: Rng) -> None:
    cards = np.arange(CARDS)
    shuffle(rng, cards, CARDS)
    for seat in range(SEATS):
        state.hands[seat] = 0
        state.voids[seat] = 0
        for i in range(HAND):
            state.hands[seat] |= 1 << cards[seat * HAND + i]
    state.seen = 0


@compiled
def whist_new_game(state: Record, rng: Rng) -> None:
    whist_deal(state, rng)


@compiled
def whist_player(state: Record) -> int:
    return OVER if state.deal == state.deals else (state.leader + state.played) % SEATS


@compiled
def whist_suit(suit: int) -> int:
    return ((1 << RANKS) - 1) << (suit * RANKS)


@compiled
def whist_legal_actions(state: Record, out: Actions) -> int:
    seat = whist_player(state)
    if seat == OVER:
        return 0
    allowed = state.hands[seat]
    if state.played > 0:
        led = whist_suit((state.trick[state.leader] - 1) // RANKS)
        if allowed & led:
            allowed &= led
    n = 0
    for card in range(CARDS):
        if allowed >> card & 1:
            out[n] = card
            n += 1
    return n


@compiled
def whist_apply(state: Record, action: int, rng: Rng) -> None:
    seat = whist_player(state)
    state.hands[seat] &= ~(1 << action)
    state.seen |= 1 << action
    state.trick[seat] = action + 1
    state.played += 1
    led = (state.trick[state.leader] - 1) // RANKS
    if action // RANKS != led:
        state.voids[seat] |= 1 << led
    if state.played < SEATS:
        return
    winner = state.leader
    for i in range(SEATS):
        card = state.trick[i] - 1
        if card // RANKS == led and card > state.trick[winner] - 1:
            winner = i
    state.tricks[winner % 2] += 1
    state.leader = winner
    state.played = 0
    for i in range(SEATS):
        state.trick[i] = 0
    if state.hands[0] == 0 and state.hands[1] == 0 and state.hands[2] == 0 and state.hands[3] == 0:
        state.deal += 1
        if state.deal < state.deals:
            whist_deal(state, rng)


@compiled
def whist_scores(state: Record, out: Vector) -> None:
    for seat in range(SEATS):
        mine, theirs = state.tricks[seat % 2], state.tricks[1 - seat % 2]
        out[seat] = 0.5
        if state.deal == state.deals and mine != theirs:
            out[seat] = 1.0 if mine > theirs else 0.0


@compiled
def whist_observe(state: Record, seat: int, out: NDArray[np.float32]) -> None:
    for card in range(CARDS):
        out[card] = state.hands[seat] >> card & 1
        out[CARDS + card] = state.seen >> card & 1


@compiled
def whist_determinize(state: Record, seat: int, rng: Rng) -> None:
    """Deal the unseen cards anew to the others, until nobody holds a suit he is known not to have."""
    unseen = np.empty(CARDS, dtype=np.int64)
    sizes = np.zeros(SEATS, dtype=np.int64)
    n = 0
    for card in range(CARDS):
        if not (state.seen | state.hands[seat]) >> card & 1:
            unseen[n] = card
            n += 1
    for other in range(SEATS):
        for card in range(CARDS):
            sizes[other] += state.hands[other] >> card & 1
    fits = False
    while not fits:
        shuffle(rng, unseen, n)
        fits = True
        next_card = 0
        for other in range(SEATS):
            if other == seat:
                continue
            hand = 0
            for _ in range(sizes[other]):
                hand |= 1 << unseen[next_card]
                next_card += 1
            for suit in range(SUITS):
                if state.voids[other] >> suit & 1 and hand & whist_suit(suit):
                    fits = False
            state.hands[other] = hand


WHIST_FUNCTIONS: dict[str, Any] = {
    "new_game": whist_new_game,
    "player": whist_player,
    "legal_actions": whist_legal_actions,
    "apply": whist_apply,
    "scores": whist_scores,
    "observe": whist_observe,
    "determinize": whist_determinize,
}


class Whistlet(Game):
    info = GameInfo(
        "whistlet",
        "Whistlet",
        "Three tricks with twelve cards",
        (4, 4),
        "toys:Whistlet",
        teams=True,
        hidden=True,
        chance=True,
        options=(Option("deals", 2, "deals in a game", low=1, high=9),),
    )
    kernel = Kernel(state=WHIST_STATE, **WHIST_FUNCTIONS)
    position_keys = ("hands", "seen", "voids", "trick", "leader", "tricks", "deal")
    chance_keys = ("hands",)

    def describe(self) -> GameSpec:
        return GameSpec(
            seats=SEATS,
            sides=((0, 2), (1, 3)),
            hidden=True,
            chance=self.options["deals"] != 1,
            score_range=(0.0, 1.0),
            score_sum=2.0,
            observation_shape=(2 * CARDS,),
            observation_range=(0.0, 1.0),
            max_actions=HAND,
            numbers=CARDS,
        )

    def write_options(self, record: Record) -> None:
        record.deals = self.options["deals"]

    def encode(self, position: Mapping[str, Any], record: Record) -> None:
        for seat, hand in enumerate(fields.items(position, "hands", SEATS)):
            cards = fields.integers({"hands": hand}, "hands", None, 0, CARDS - 1)
            record.hands[seat] = sum(1 << card for card in cards)
        record.seen = sum(1 << card for card in fields.integers(position, "seen", None, 0, CARDS - 1))
        record.voids[:] = fields.integers(position, "voids", SEATS, 0, 2**SUITS - 1)
        trick = fields.items(position, "trick", SEATS)
        played = fields.integers({"trick": [card for card in trick if card is not None]}, "trick", None, 0, CARDS - 1)
        record.trick[:] = [0 if card is None else card + 1 for card in trick]
        record.played = len(played)
        record.leader = fields.integer(position, "leader", 0, SEATS - 1)
        record.deal = fields.integer(position, "deal", 0, int(record.deals))
        record.tricks[:] = fields.integers(position, "tricks", 2, 0, 3 * int(record.deals))
        problems = self.problems(record)
        if problems:
            raise BadPosition("hands", problems[0])

    def problems(self, record: Record) -> list[str]:
        cards = sum(int(hand).bit_count() for hand in (*record.hands, record.seen))
        union = int(record.hands[0] | record.hands[1] | record.hands[2] | record.hands[3] | record.seen)
        finished = record.deal == record.deals
        return [] if finished or (cards == CARDS and union == 2**CARDS - 1) else ["a card is missing or there twice"]

    def decode(self, record: Record) -> Json:
        return {
            "phase": "over" if self.kernel.player(record) == OVER else "play",
            "hands": [_cards(hand) for hand in record.hands],
            "seen": _cards(record.seen),
            "voids": [int(suits) for suits in record.voids],
            "trick": [None if card == 0 else int(card) - 1 for card in record.trick],
            "leader": int(record.leader),
            "tricks": [int(n) for n in record.tricks],
            "deal": int(record.deal),
        }

    def hide(self, position: Json, seat: int | None) -> Json:
        hands = [hand if other == seat else None for other, hand in enumerate(position["hands"])]
        return {**position, "hands": hands}

    def parse(self, text: str) -> int:
        return parse_number(text, CARDS)

    def format(self, action: int) -> str:
        return format_number(action, CARDS)

    def draw(self, position: Json) -> str:
        return f"hands {position['hands']}, trick {position['trick']}, tricks {position['tricks']}"


def _cards(bits: int) -> list[int]:
    return [card for card in range(CARDS) if int(bits) >> card & 1]
