"""Small games that no shop sells: each has one trait that tictactoe lacks.

``Treelet``: three players, no chance, pseudo-random values at every node: for maxN.
``Pig``: two to four players, dice, everything open.
``Whistlet``: four players in two teams, hidden cards, two deals.
``Pennies``: two players, a choice that stays hidden until the other has guessed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from stammtisch.core import fields
from stammtisch.core.compiling import compiled
from stammtisch.core.errors import BadMove, BadPosition
from stammtisch.core.game import Game, GameSpec, Json
from stammtisch.core.info import GameInfo, Option
from stammtisch.core.kernel import OVER, Actions, Kernel, Record, Vector
from stammtisch.core.rng import Rng, below, next32, shuffle, uniform

# --- Treelet --------------------------------------------------------------------------------------------

TREE_STATE = np.dtype([("path", np.int64), ("depth", np.int64), ("tree", np.int64)])
TREE_DEPTH = 7
TREE_BRANCHES = 3


@compiled
def tree_new_game(state: Record, rng: Rng) -> None:
    state.tree = next32(rng)


@compiled
def tree_player(state: Record) -> int:
    # The same seat may move twice in a row: pruning must not take a player for his own opponent.
    return OVER if state.depth == TREE_DEPTH else (state.depth * state.depth) % 3


@compiled
def tree_legal_actions(state: Record, out: Actions) -> int:
    n = 0 if state.depth == TREE_DEPTH else TREE_BRANCHES
    for i in range(n):
        out[i] = i
    return n


@compiled
def tree_apply(state: Record, action: int, rng: Rng) -> None:
    state.path = state.path * TREE_BRANCHES + action + 1
    state.depth += 1


@compiled
def tree_scores(state: Record, out: Vector) -> None:
    """Shares of the three seats, some of them equal, some zero, decided by the path alone."""
    rng = np.array([state.tree, state.path, 7, 1], dtype=np.int64)
    for _ in range(12):
        next32(rng)
    total = 0.0
    for seat in range(3):
        out[seat] = float(below(rng, 5)) if below(rng, 3) else 4.0 * uniform(rng)
        total += out[seat]
    for seat in range(3):
        out[seat] = out[seat] / total if total > 0.0 else 1.0 / 3.0


@compiled
def tree_observe(state: Record, seat: int, out: NDArray[np.float32]) -> None:
    out[0] = state.depth / TREE_DEPTH


class Treelet(Game):
    info = GameInfo("treelet", "Treelet", "A random tree", (3, 3), "toys:Treelet")
    kernel = Kernel(
        state=TREE_STATE,
        new_game=tree_new_game,
        player=tree_player,
        legal_actions=tree_legal_actions,
        apply=tree_apply,
        scores=tree_scores,
        observe=tree_observe,
    )
    position_keys = ("path", "depth", "tree")

    def describe(self) -> GameSpec:
        return GameSpec(
            seats=3,
            sides=((0,), (1,), (2,)),
            hidden=False,
            chance=False,
            score_range=(0.0, 1.0),
            score_sum=1.0,
            observation_shape=(1,),
            observation_range=(0.0, 1.0),
            max_actions=TREE_BRANCHES,
            action_space=TREE_BRANCHES,
        )

    def encode(self, position: Mapping[str, Any], record: Record) -> None:
        record.path = fields.integer(position, "path", 0, 3**8)
        record.depth = fields.integer(position, "depth", 0, TREE_DEPTH)
        record.tree = fields.integer(position, "tree", 0, 2**32 - 1)

    def decode(self, record: Record) -> Json:
        over = self.kernel.player(record) == OVER
        return {"phase": "over" if over else "play", **{key: int(record[key]) for key in self.position_keys}}

    def parse(self, text: str) -> int:
        return parse_number(text, TREE_BRANCHES)

    def format(self, action: int) -> str:
        return format_number(action, TREE_BRANCHES)

    def draw(self, position: Json) -> str:
        return str(position["path"])


def parse_number(text: str, n: int) -> int:
    if text.isascii() and text.isdigit() and len(text) < 9 and int(text) < n:
        return int(text)
    raise BadMove(f"'{text}' is not 0 to {n - 1}")


def format_number(action: int, n: int) -> str:
    if 0 <= action < n:
        return str(action)
    raise BadMove(f"{action} is not 0 to {n - 1}")


# --- Pig ------------------------------------------------------------------------------------------------

PIG_STATE = np.dtype(
    [
        ("totals", np.int64, 4),
        ("pot", np.int64),  # points of this turn, lost with a 1
        ("die", np.int64),  # last throw, 0 before the first
        ("turn", np.int64),
        ("players", np.int64),
        ("target", np.int64),
    ]
)
HOLD, ROLL = 0, 1


@compiled
def pig_new_game(state: Record, rng: Rng) -> None:
    pass


@compiled
def pig_winner(state: Record) -> int:
    for seat in range(state.players):
        if state.totals[seat] >= state.target:
            return seat
    return OVER


@compiled
def pig_player(state: Record) -> int:
    return state.turn if pig_winner(state) == OVER else OVER


@compiled
def pig_legal_actions(state: Record, out: Actions) -> int:
    if pig_player(state) == OVER:
        return 0
    if state.pot == 0:  # there is nothing to keep yet
        out[0] = ROLL
        return 1
    out[0], out[1] = HOLD, ROLL
    return 2


@compiled
def pig_apply(state: Record, action: int, rng: Rng) -> None:
    if action == ROLL:
        state.die = below(rng, 6) + 1
        state.pot = 0 if state.die == 1 else state.pot + state.die
    else:
        state.totals[state.turn] += state.pot
        state.pot = 0
    if state.pot == 0:
        state.turn = (state.turn + 1) % state.players


@compiled
def pig_scores(state: Record, out: Vector) -> None:
    winner = pig_winner(state)
    for seat in range(state.players):
        out[seat] = 1.0 / state.players
        if winner != OVER:
            out[seat] = 1.0 if seat == winner else 0.0


@compiled
def pig_observe(state: Record, seat: int, out: NDArray[np.float32]) -> None:
    for i in range(4):
        out[i] = min(1.0, state.totals[(seat + i) % 4] / state.target)
    out[4] = min(1.0, state.pot / state.target)


PIG_FUNCTIONS: dict[str, Any] = {
    "new_game": pig_new_game,
    "player": pig_player,
    "legal_actions": pig_legal_actions,
    "apply": pig_apply,
    "scores": pig_scores,
    "observe": pig_observe,
}


class Pig(Game):
    info = GameInfo(
        "pig",
        "Pig",
        "Throw on or keep what you have",
        (2, 4),
        "toys:Pig",
        chance=True,
        options=(
            Option("players", 2, "how many play", low=2, high=4),
            Option("target", 30, "points to win", low=1, high=1000),
        ),
    )
    kernel = Kernel(state=PIG_STATE, **PIG_FUNCTIONS)
    position_keys: ClassVar[tuple[str, ...]] = ("totals", "pot", "die")
    chance_keys: ClassVar[tuple[str, ...]] = ("die", "pot", "player")

    def describe(self) -> GameSpec:
        seats = int(self.options["players"] or 0)
        return GameSpec(
            seats=seats,
            sides=tuple((seat,) for seat in range(seats)),
            hidden=False,
            chance=True,
            score_range=(0.0, 1.0),
            score_sum=1.0,
            observation_shape=(5,),
            observation_range=(0.0, 1.0),
            max_actions=2,
            action_space=2,
        )

    def write_options(self, record: Record) -> None:
        record.players, record.target = self.options["players"], self.options["target"]

    def encode(self, position: Mapping[str, Any], record: Record) -> None:
        totals = fields.integers(position, "totals", self.spec.seats, 0, 2000)
        record.totals[: self.spec.seats] = totals
        record.pot = fields.integer(position, "pot", 0, 2000)
        record.die = fields.integer(position, "die", 0, 6)
        # When over, the turn went to the seat after the winner.
        turn = (int(np.argmax(totals)) + 1) % self.spec.seats
        record.turn = fields.integer({"player": turn, **_given(position)}, "player", 0, self.spec.seats - 1)

    def decode(self, record: Record) -> Json:
        return {
            "phase": "over" if self.kernel.player(record) == OVER else "play",
            "totals": [int(total) for total in record.totals[: self.spec.seats]],
            "pot": int(record.pot),
            "die": int(record.die),
        }

    def parse(self, text: str) -> int:
        if text in ("hold", "roll"):
            return ("hold", "roll").index(text)
        raise BadMove(f"'{text}' is neither hold nor roll")

    def format(self, action: int) -> str:
        if action in (HOLD, ROLL):
            return ("hold", "roll")[action]
        raise BadMove(f"{action} is neither 0 (hold) nor 1 (roll)")

    def draw(self, position: Json) -> str:
        return f"totals {position['totals']}, pot {position['pot']}, last throw {position['die']}"


def _given(position: Mapping[str, Any]) -> dict[str, Any]:
    """The player, where one is named."""
    return {} if position.get("player") is None else {"player": position["player"]}


# --- Whistlet -------------------------------------------------------------------------------------------

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
            action_space=CARDS,
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


# --- Pennies --------------------------------------------------------------------------------------------

PENNIES_STATE = np.dtype([("coin", np.int64), ("guess", np.int64)])  # 0 for not chosen yet, else side + 1


@compiled
def pennies_new_game(state: Record, rng: Rng) -> None:
    pass


@compiled
def pennies_player(state: Record) -> int:
    if state.coin == 0:
        return 0
    return 1 if state.guess == 0 else OVER


@compiled
def pennies_legal_actions(state: Record, out: Actions) -> int:
    if pennies_player(state) == OVER:
        return 0
    out[0], out[1] = 0, 1
    return 2


@compiled
def pennies_apply(state: Record, action: int, rng: Rng) -> None:
    if state.coin == 0:
        state.coin = action + 1
    else:
        state.guess = action + 1


@compiled
def pennies_scores(state: Record, out: Vector) -> None:
    """Seat 1 wins if it guessed right."""
    right = 0.5
    if state.guess != 0:
        right = 1.0 if state.guess == state.coin else 0.0
    out[0], out[1] = 1.0 - right, right


@compiled
def pennies_observe(state: Record, seat: int, out: NDArray[np.float32]) -> None:
    out[0] = state.coin if seat == 0 or state.guess != 0 else 0.0


@compiled
def pennies_determinize(state: Record, seat: int, rng: Rng) -> None:
    if seat == 1 and state.coin != 0 and state.guess == 0:
        state.coin = below(rng, 2) + 1


@compiled
def pennies_conceals(state: Record, seat: int) -> bool:
    return seat == 1 and state.coin == 0


PENNIES_FUNCTIONS: dict[str, Any] = {
    "new_game": pennies_new_game,
    "player": pennies_player,
    "legal_actions": pennies_legal_actions,
    "apply": pennies_apply,
    "scores": pennies_scores,
    "observe": pennies_observe,
    "determinize": pennies_determinize,
    "conceals": pennies_conceals,
}


class Pennies(Game):
    info = GameInfo("pennies", "Pennies", "Hide a coin, guess its side", (2, 2), "toys:Pennies", hidden=True)
    kernel = Kernel(state=PENNIES_STATE, **PENNIES_FUNCTIONS)
    position_keys = ("coin", "guess")

    def describe(self) -> GameSpec:
        return GameSpec(
            seats=2,
            sides=((0,), (1,)),
            hidden=True,
            chance=False,
            score_range=(0.0, 1.0),
            score_sum=1.0,
            observation_shape=(1,),
            observation_range=(0.0, 2.0),
            max_actions=2,
            action_space=2,
        )

    def encode(self, position: Mapping[str, Any], record: Record) -> None:
        record.coin = fields.integer(position, "coin", 0, 2)
        record.guess = fields.integer(position, "guess", 0, 2)
        if record.guess and not record.coin:
            raise BadPosition("guess", "there is no coin to guess yet")

    def decode(self, record: Record) -> Json:
        over = self.kernel.player(record) == OVER
        return {"phase": "over" if over else "play", "coin": int(record.coin), "guess": int(record.guess)}

    def hide(self, position: Json, seat: int | None) -> Json:
        known = seat == 0 or position["phase"] == "over" or position["coin"] == 0
        return position if known else {**position, "coin": None}

    def parse(self, text: str) -> int:
        return parse_number(text, 2)

    def format(self, action: int) -> str:
        return format_number(action, 2)

    def draw(self, position: Json) -> str:
        return f"coin {position['coin']}, guess {position['guess']}"
