"""The rules of madn, dmadn and dog: one kernel, every difference a switch in the state.

madn: a throw, then a pin. dmadn: a pin and one of the own tokens. dog: a card and what it does; with partners each deal
begins with an exchange of cards; a seven can be played part by part (``stepwise``), each part a decision.
"""

from __future__ import annotations

import numpy as np

from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import OVER, Record, Vector
from stammtisch.core.rng import Rng, below
from stammtisch.games.dog.board import (
    HOME,
    PINS,
    SEATS,
    Pins,
    all_in_goal,
    backward,
    came_to,
    field_of,
    forward,
    may_be_exchanged,
    may_leave_home,
    move_part,
    move_split,
    place_of,
    put,
    soft_locked,
)
from stammtisch.games.dog.cards import (
    BACK,
    DMADN_PASS,
    EXCHANGE,
    FOLD,
    FORWARD,
    FOUR,
    FULL_DECK,
    GIVE,
    HALF,
    JOKER,
    KINDS,
    MADN_PASS,
    ONE_ELEVEN,
    PART,
    PLAYED,
    SEVEN,
    SPLIT,
    SPLITS,
    START,
    STEPS,
    SWAP,
    THIRTEEN,
)

VARIANTS = ("madn", "dmadn", "dog")
MADN, DMADN, DOG = range(3)
PHASES = ("play", "exchange", "seven", "over")
PLAY, GIFTS, PARTS, ENDED = range(4)
VALUES = 6  # of a die
TOKENS = 4  # of each value
FIRST_DEAL, LAST_DEAL = 6, 2
DROPS = 6  # of every player that are told apart: four players have six deals between two shuffles
NOTHING, THROW, TRADE, DEAL = range(4)  # what is thrown, taken up or dealt behind an action

STATE = np.dtype(
    [
        ("steps", np.int32),  # decisions so far, counted where max_steps limits them
        ("max_steps", np.int32),  # 0: no limit
        ("pins", np.int8, (SEATS, PINS)),
        ("tokens", np.int8, (SEATS, VALUES)),
        ("hands", np.int8, (SEATS, KINDS)),
        ("folded", np.int8, (SEATS, KINDS)),  # dropped hands, since the last shuffle
        ("deck", np.int8, (KINDS,)),
        ("played", np.int8, (KINDS,)),  # face up, since the last shuffle
        ("gifts", np.int8, (SEATS,)),  # card + 1 that the seat has laid down for its partner
        ("given", np.int8, (SEATS,)),  # card + 1 that the seat knows its partner to have from it; 0: none, or played
        ("dropped", np.int8, (SEATS, DROPS)),  # sizes of the hands dropped since the last shuffle, the first of them
        ("lacked", np.int16, (SEATS, DROPS)),  # bits of cards that could have been played then: it held none of them
        ("lost", np.int8, (SEATS, DROPS)),  # card + 1 that the partner knows to be in it, his gift
        ("start", np.int8, (SEATS,)),  # the players' start fields
        ("variant", np.int8),
        ("players", np.int8),
        ("distance", np.int8),
        ("phase", np.int8),
        ("turn", np.int8),
        ("starter", np.int8),
        ("die", np.int8),
        ("deal", np.int8),  # size of the current deal
        ("left", np.int8),  # steps of a seven still to be made
        ("seven", np.int8),  # the card that is being played part by part: SEVEN or JOKER
        ("winners", np.int8),  # bits of the players
        ("teams", np.int8),
        ("start_block", np.int8),
        ("fresh_start_only", np.int8),
        ("jump_in_goal", np.int8),
        ("initial_free_pin", np.int8),
        ("extra_move_on_6", np.int8),
        ("start_on_1", np.int8),
        ("rethrow", np.int8),
        ("forced_start", np.int8),
        ("forced_attack", np.int8),
        ("friendly_fire", np.int8),
        ("circular", np.int8),
        ("must_traverse_start", np.int8),
        ("joker", np.int8),
        ("hot_7", np.int8),
        ("swap", np.int8),
        ("neg_4", np.int8),
        ("stepwise", np.int8),
    ]
)


@compiled
def player(state: Record) -> int:
    return OVER if state.phase == ENDED else state.turn


@compiled
def mover(state: Record, pins: Pins) -> int:
    """Whose pins the player on turn moves: the partner's when all own are in the goal."""
    turn = int(state.turn)
    return (turn + 2) & 3 if state.teams and all_in_goal(pins, turn) else turn


@compiled
def brings_out(state: Record, value: int) -> bool:
    """Whether a throw or token brings a pin out of home."""
    return value == VALUES or (value == 1 and state.start_on_1 != 0)


@compiled
def new_game(state: Record, rng: Rng) -> None:
    state.pins[:] = HOME
    if state.initial_free_pin:
        state.pins[: state.players, 0] = 0
    if state.variant == DOG:
        fill_deck(state)
        _deal(state, FIRST_DEAL, rng)
    else:
        state.tokens[: state.players] = TOKENS if state.variant == DMADN else 0
        if state.variant == MADN:
            _throw(state, rng)


# --- what happens -------------------------------------------------------------------------------------------


@compiled
def apply(state: Record, action: int, rng: Rng) -> None:
    state.steps += state.max_steps > 0
    follows = place(state, action)
    if follows == THROW:
        _throw(state, rng)
    elif follows == TRADE:
        _take_up(state)
    elif follows == DEAL:
        _deal(state, FIRST_DEAL if state.deal == LAST_DEAL else int(state.deal) - 1, rng)
    if state.phase == ENDED or 0 < state.max_steps <= state.steps:
        state.phase, state.turn, state.left, state.seven = ENDED, 0, 0, 0


@compiled
def place(state: Record, action: int) -> int:
    """Do what the player on turn can see himself do; what is to follow of which he does not know how it comes."""
    return _play_card(state, action) if state.variant == DOG else _move_pin(state, action)


@compiled
def card_of_steps(n: int) -> int:
    """The card that moves a pin so many steps forward."""
    return ONE_ELEVEN if n == 1 else n


@compiled
def move_pins(state: Record, pins: Pins, owner: int, action: int) -> None:
    """What a legal action does to the pins, which need not be those of the state; the owner's pins move."""
    fire = True  # whether an own pin may be hit was asked before
    if state.variant != DOG:
        pin, value = (action // 6, action % 6 + 1) if state.variant == DMADN else (action, int(state.die))
        home = pins[owner, pin] == HOME
        put(state, pins, owner, pin, 0 if home else forward(state, pins, owner, pin, value, fire))
    elif START <= action < PLAYED:
        put(state, pins, owner, (action - START) % 4, 0)
    elif action >= PLAYED:
        use = (action - PLAYED) % HALF
        if use < BACK:
            pin, steps = (use - FORWARD) // 13, (use - FORWARD) % 13 + 1
            put(state, pins, owner, pin, forward(state, pins, owner, pin, steps, fire))
        elif use < EXCHANGE:
            put(state, pins, owner, use - BACK, backward(state, pins, owner, use - BACK, 4, fire))
        elif use < SPLIT:
            _exchange(state, pins, owner, use - EXCHANGE)
        elif use < PART:
            move_split(state, pins, owner, SPLITS[use - SPLIT])
        else:
            move_part(state, pins, owner, (use - PART) // STEPS, (use - PART) % STEPS + 1)


@compiled
def _exchange(state: Record, pins: Pins, owner: int, which: int) -> None:
    pin, other, its = which // 16, which // 4 % 4, which % 4
    here = field_of(state, owner, int(pins[owner, pin]))
    there = field_of(state, other, int(pins[other, its]))
    pins[owner, pin] = came_to(state, place_of(state, owner, there))
    pins[other, its] = came_to(state, place_of(state, other, here))


@compiled
def _move_pin(state: Record, action: int) -> int:
    value = 0
    if state.variant == MADN and action != MADN_PASS:
        value = int(state.die)
    elif state.variant == DMADN and action != DMADN_PASS:
        value = action % 6 + 1
    if state.variant == DMADN:
        _spend_token(state, value)
    owner = mover(state, state.pins)
    if value:
        move_pins(state, state.pins, owner, action)
        if _won(state, owner):
            return NOTHING
    if value != VALUES or not state.extra_move_on_6:
        turn = int(state.turn) + 1
        state.turn = turn if turn < state.players else 0
    return THROW if state.variant == MADN else NOTHING


@compiled
def _spend_token(state: Record, value: int) -> None:
    """Spend a token, 0 for a pass; who passes or has none left gets a full set."""
    tokens, left = state.tokens[state.turn], 0
    if value:
        tokens[value - 1] -= 1
        for i in range(VALUES):
            left += tokens[i]
    if left == 0:
        for i in range(VALUES):
            tokens[i] = TOKENS


@compiled
def _throw(state: Record, rng: Rng) -> None:
    """Throw the die, up to three times where only a pin from home could move."""
    tries = 3 if state.rethrow and soft_locked(state.pins, mover(state, state.pins)) else 1
    for _ in range(tries):
        state.die = 1 + below(rng, VALUES)
        if brings_out(state, int(state.die)):
            return


@compiled
def throw(state: Record, which: int) -> float:
    """Put another throw in place of the one that fell; its probability."""
    if state.variant != MADN:
        return 1.0 if which == 0 else 0.0
    if which >= VALUES:
        return 0.0
    state.die = which + 1
    if not (state.rethrow and soft_locked(state.pins, mover(state, state.pins))):
        return 1.0 / VALUES
    again = 0.0  # that a throw brings nobody out
    for value in range(1, VALUES + 1):
        again += 0.0 if brings_out(state, value) else 1.0 / VALUES
    return (1.0 + again + again**2 if brings_out(state, which + 1) else again**2) / VALUES


@compiled
def _won(state: Record, owner: int) -> bool:
    """Whether the game is over with this move of the owner's pins."""
    if not all_in_goal(state.pins, owner) or (state.teams and not all_in_goal(state.pins, (owner + 2) & 3)):
        return False
    state.winners = 1 << owner | (1 << ((owner + 2) & 3) if state.teams else 0)
    state.phase = ENDED
    return True


@compiled
def _play_card(state: Record, action: int) -> int:
    if action < FOLD:
        return _give(state, action - GIVE)
    if action == FOLD:
        _drop(state)
        return _next_player(state)
    owner = mover(state, state.pins)
    use = (action - PLAYED) % HALF
    if state.phase == PLAY:
        _spend(state, card_played(action))
        if action >= PLAYED and use >= PART:
            state.phase, state.left, state.seven = PARTS, STEPS, card_played(action)
    if state.phase == PARTS:
        state.left -= (use - PART) % STEPS + 1
    move_pins(state, state.pins, owner, action)
    if _won(state, owner) or state.left > 0:
        return NOTHING
    state.phase, state.seven = PLAY, 0
    return _next_player(state)


@compiled
def _drop(state: Record) -> None:
    """Drop the hand: nobody sees it, but all see what could have been played, and the partner knows his gift."""
    turn = int(state.turn)
    giver = (turn + 2) & 3
    for drop in range(DROPS):
        if state.dropped[turn, drop] == 0:
            size = 0
            for card in range(KINDS):
                size += int(state.hands[turn, card])
            state.dropped[turn, drop], state.lacked[turn, drop] = size, playable(state)
            state.lost[turn, drop] = state.given[giver]
            break
    state.folded[turn] += state.hands[turn]
    state.hands[turn] = 0
    state.given[giver] = 0


@compiled
def playable(state: Record) -> int:
    """Bits of cards that anybody in this place could play, whatever he holds; of a hot seven only what is certain."""
    owner, fire, found = mover(state, state.pins), state.friendly_fire != 0, 0
    others_there = False
    for other in range(state.players):
        for pin in range(PINS):
            others_there |= other != owner and may_be_exchanged(state, int(state.pins[other, pin]))
    leaves = may_leave_home(state, state.pins, owner)
    for pin in range(PINS):
        place = int(state.pins[owner, pin])
        if place == HOME:
            found |= (1 << ONE_ELEVEN | 1 << THIRTEEN) if leaves else 0
            continue
        for steps in range(1, 14):
            if forward(state, state.pins, owner, pin, steps, fire or (steps == SEVEN and state.hot_7 != 0)) >= 0:
                found |= 1 << card_of_steps(steps)
        if state.neg_4 and backward(state, state.pins, owner, pin, 4, fire) >= 0:
            found |= 1 << FOUR
        if state.swap and others_there and may_be_exchanged(state, place):
            found |= 1 << SWAP
    return found | (1 << JOKER if found else 0)


@compiled
def card_played(action: int) -> int:
    """The card that an action of dog plays; not for gifts and folding."""
    if action < PLAYED:
        which = (action - START) // 4
        return ONE_ELEVEN if which == 0 else THIRTEEN if which == 1 else JOKER
    use = (action - PLAYED) % HALF
    if action < PLAYED + HALF:
        return JOKER
    if use < BACK:
        return card_of_steps((use - FORWARD) % 13 + 1)
    return FOUR if use < EXCHANGE else SWAP if use < SPLIT else SEVEN


@compiled
def _spend(state: Record, card: int) -> None:
    turn = int(state.turn)
    state.hands[turn, card] -= 1
    state.played[card] += 1
    partner = (turn + 2) & 3
    if state.given[partner] == card + 1:  # whether it was this one or another, nobody can tell
        state.given[partner] = 0


@compiled
def _give(state: Record, card: int) -> int:
    """Lay a card down for the partner."""
    turn = int(state.turn)
    state.hands[turn, card] -= 1
    state.gifts[turn] = card + 1
    state.turn = (turn + 1) & 3
    return TRADE if state.gifts[state.turn] else NOTHING


@compiled
def _take_up(state: Record) -> None:
    """Everybody takes up what his partner has laid down."""
    for giver in range(SEATS):
        state.hands[(giver + 2) & 3, int(state.gifts[giver]) - 1] += 1
    state.given[:] = state.gifts
    state.gifts[:] = 0
    state.phase, state.turn = PLAY, state.starter


@compiled
def _next_player(state: Record) -> int:
    """On to the next player who has cards; when nobody has, to who begins the next deal."""
    turn, players = int(state.turn), int(state.players)
    for i in range(1, players + 1):
        state.turn = (turn + i) % players
        if state.hands[state.turn].any():
            return NOTHING
    state.starter = (int(state.starter) + 1) % players
    state.turn = state.starter
    return DEAL


@compiled
def fill_deck(state: Record) -> None:
    """All cards into the pile."""
    state.deck[:] = FULL_DECK
    if not state.joker:
        state.deck[JOKER] = 0
    if not state.swap:
        state.deck[SWAP] = 0
    state.played[:] = 0
    state.folded[:] = 0
    state.dropped[:] = 0
    state.lacked[:] = 0
    state.lost[:] = 0


@compiled
def _deal(state: Record, size: int, rng: Rng) -> None:
    """Deal to everybody, of all cards anew if the pile is too small."""
    players = int(state.players)
    pile = 0
    for card in range(KINDS):
        pile += state.deck[card]
    if pile < players * size:
        fill_deck(state)
        pile = 0
        for card in range(KINDS):
            pile += state.deck[card]
    for seat in range(players):
        for _ in range(size):
            place = below(rng, pile)
            card = 0
            while place >= state.deck[card]:
                place -= state.deck[card]
                card += 1
            state.deck[card] -= 1
            state.hands[seat, card] += 1
            pile -= 1
    state.given[:] = 0
    state.deal = size
    state.phase, state.turn = GIFTS if state.teams else PLAY, state.starter


@compiled
def scores(state: Record, out: Vector) -> None:
    """One point for each winner; a draw is shared."""
    out[:] = 0.0
    share = (2.0 if state.teams else 1.0) / state.players if state.phase == ENDED and state.winners == 0 else 0.0
    for seat in range(state.players):
        out[seat] = 1.0 if state.winners >> seat & 1 else share


@compiled
def conceals(state: Record, seat: int) -> bool:
    """Cards for the partner are laid face down."""
    return state.phase == GIFTS
