"""The rules: a round from the deal to the score, and rounds until a team has won.

After every play and every pass, before the next seat acts or the trick is taken, all other seats that hold a bomb
which beats the trick are asked for it one by one, beginning after the owner and ending with the owner: phase ``BOMB``.
"""

from __future__ import annotations

import numpy as np

from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import OVER, Actions, Record, Vector
from stammtisch.core.rng import Rng, shuffle
from stammtisch.games.tichu.cards import (
    CARDS,
    DOG_BIT,
    DRAGON_BIT,
    HIGHEST,
    LOWEST,
    MAHJONG_BIT,
    nibble,
    points_of,
)
from stammtisch.games.tichu.combinations import (
    BOMB,
    KIND_SHIFT,
    LEAD,
    LOWER,
    PASS,
    SINGLE,
    cards_of,
    flush_cards,
    holds_bomb,
    list_bombs,
    list_plays,
    obey_wish,
    rank_of,
)

SEATS = 4
NOBODY = -1

PHASES = ("grand", "schupf", "play", "bomb", "wish", "dragon", "over")
GRAND, SCHUPF, PLAY, BOMB_PHASE, WISH, DRAGON_PHASE, ENDED = range(7)

# Actions: a play (combinations.py), 0 for a pass, or one of these; ascending in this order.
SPECIAL = 31 << KIND_SHIFT
NO_GRAND = SPECIAL
CALL_GRAND = SPECIAL + 1
CALL_TICHU = SPECIAL + 2
WISH_NONE = SPECIAL + 16  # WISH_NONE + value wishes a value
GIVE_DRAGON = SPECIAL + 32  # + seat
ANNOUNCE = SPECIAL + 40  # + seat: tichu called out of turn; never listed, see game.py
SCHUPF_CARDS = SPECIAL + (1 << 20)  # + the cards for the next three seats, six bits each

LOG_SEAT, LOG_FIRST, LOG_LOWER = 56, 58, 59  # in a line of the log: the cards, who, whether it begins a trick
MOST_ACTIONS = 4096  # 2185 while schupfing; plays of 14 cards stay far below

STATE = np.dtype(
    [
        ("hand", np.int64, (SEATS,)),
        ("undealt", np.int64, (SEATS,)),  # the last six cards, before anybody has seen them
        ("log", np.int64, (CARDS,)),  # all plays of the round
        ("top", np.int64),  # the cards of the highest combination of the trick; 0 if none lies
        ("score", np.int32, (2,)),
        ("points", np.int16, (SEATS,)),  # in the tricks that each seat has taken
        ("trick_points", np.int16),
        ("round_number", np.int16),  # of the round being played, from 1
        ("target", np.int16),
        ("rounds", np.int16),  # at most so many are played; 0: no limit
        ("given", np.int8, (SEATS, 3)),  # schupfed to the next three seats: card + 1, 0 if not known
        ("announced", np.int8, (SEATS,)),  # 1: tichu, 2: grand tichu
        ("has_played", np.int8, (SEATS,)),
        ("lacks", np.int16, (SEATS,)),  # bits of the values that a seat cannot have: it did not fulfil the wish
        ("declined", np.int8, (SEATS,)),  # the lowest single of an opponent that the seat passed on; 0: none
        ("finished", np.int8, (SEATS,)),  # the seats in the order they went out, -1 where nobody has yet
        ("out_count", np.int8),
        ("log_length", np.int8),
        ("phase", np.int8),
        ("turn", np.int8),  # who acts, or will when the bombs have been asked for; the owner when the trick is over
        ("asked", np.int8),  # for a bomb; -1 outside that phase
        ("kind", np.int8),  # of the combination on the table
        ("rank", np.int8),
        ("owner", np.int8),
        ("passes", np.int8),  # in a row
        ("wish", np.int8),  # a value, negative when it has been fulfilled
        ("starter", np.int8),  # who held the Mahjong after schupfing; -1 before
        ("dragon_to", np.int8),  # who was given the dragon; -1 if nobody
        ("wish_optional", np.int8),
        ("bomb_may_ignore_wish", np.int8),
        ("play_on", np.int8),
        ("merged", np.int8),
        ("weighted", np.int8),
    ]
)


@compiled
def player(state: Record) -> int:
    if state.phase == ENDED:
        return OVER
    return state.asked if state.phase == BOMB_PHASE else state.turn


@compiled
def new_game(state: Record, rng: Rng) -> None:
    state.round_number = 1
    _deal(state, rng)


@compiled
def _deal(state: Record, rng: Rng) -> None:
    cards = np.arange(CARDS)
    shuffle(rng, cards, CARDS)
    for seat in range(SEATS):
        hand = 0
        for i in range(8):
            hand |= 1 << cards[14 * seat + i]
        undealt = 0
        for i in range(8, 14):
            undealt |= 1 << cards[14 * seat + i]
        state.hand[seat], state.undealt[seat] = hand, undealt
        state.points[seat] = 0
        state.announced[seat] = 0
        state.has_played[seat] = 0
        state.lacks[seat] = 0
        state.declined[seat] = 0
        state.finished[seat] = NOBODY
        for i in range(3):
            state.given[seat, i] = 0
    for i in range(state.log_length):
        state.log[i] = 0
    state.log_length = 0
    state.out_count = 0
    state.wish = 0
    state.starter = state.dragon_to = NOBODY
    clear_trick(state)
    state.phase, state.turn = GRAND, 0


@compiled
def clear_trick(state: Record) -> None:
    state.top, state.kind, state.rank, state.owner = 0, PASS, LEAD, NOBODY
    state.passes, state.trick_points = 0, 0
    state.asked = NOBODY


# --- what may be done ---------------------------------------------------------------------------------------


@compiled
def legal_actions(state: Record, out: Actions) -> int:
    phase = state.phase
    if phase == PLAY:
        return _legal_plays(state, out)
    if phase == GRAND:
        out[0], out[1] = NO_GRAND, CALL_GRAND
        return 2
    seat = int(player(state))
    n = 0
    if phase == BOMB_PHASE:
        out[0] = PASS
        n = list_bombs(state.hand[seat], int(state.kind), int(state.rank), out, 1)
    elif phase == WISH:
        if state.wish_optional:
            out[0] = WISH_NONE
            n = 1
        for value in range(LOWEST, HIGHEST + 1):
            out[n] = WISH_NONE + value
            n += 1
    elif phase == DRAGON_PHASE:
        first, second = (seat + 1) & 3, (seat + 3) & 3
        out[0], out[1] = GIVE_DRAGON + min(first, second), GIVE_DRAGON + max(first, second)
        n = 2
    if may_announce(state, seat):
        out[n] = CALL_TICHU
        n += 1
    if phase == SCHUPF:
        n = _legal_gifts(state.hand[seat], out, n)
    return n


@compiled
def may_announce(state: Record, seat: int) -> bool:
    """Whether the seat may call a small tichu: with 14 cards seen, before its first card."""
    if state.phase == GRAND or state.phase == ENDED:
        return False
    return state.announced[seat] == 0 and state.has_played[seat] == 0 and state.hand[seat] != 0


@compiled
def _legal_plays(state: Record, out: Actions) -> int:
    seat = state.turn
    hand = state.hand[seat]
    special = flush_cards(hand) if state.merged else hand
    leads = state.kind == PASS
    # plays stand behind the pass, which is the lowest code
    n = list_plays(hand, special, int(state.kind), int(state.rank), out[1:])
    if state.wish > 0:
        n = obey_wish(hand, int(state.wish), state.bomb_may_ignore_wish != 0, out[1:], n)
    first = 1 if leads or n < 0 else 0
    n = abs(n)
    if first:
        for i in range(n):
            out[i] = out[i + 1]
    else:
        out[0] = PASS
        n += 1
    if may_announce(state, seat):
        out[n] = CALL_TICHU
        n += 1
    return n


@compiled
def _legal_gifts(hand: int, out: Actions, n: int) -> int:
    """Every ordered choice of three cards, the first for the next seat."""
    cards = np.empty(14, dtype=np.int64)
    size = 0
    for card in range(CARDS):
        if hand >> card & 1 and size < 14:
            cards[size] = card
            size += 1
    for i in range(size):
        for j in range(size):
            if j != i:
                for k in range(size):
                    if k != i and k != j:
                        out[n] = SCHUPF_CARDS | cards[i] << 12 | cards[j] << 6 | cards[k]
                        n += 1
    return n


# --- what happens -------------------------------------------------------------------------------------------


@compiled
def apply(state: Record, action: int, rng: Rng) -> None:
    if action < SPECIAL:
        if state.phase == PLAY:
            _learn(state, int(state.turn), action)
        if action != PASS:
            _play(state, int(player(state)), action, rng)
        elif state.phase == BOMB_PHASE:
            _ask(state, (state.asked - state.owner - 1) % SEATS + 1, rng)
        else:
            _pass(state, rng)
    elif action >= SCHUPF_CARDS:
        _schupf(state, action)
    elif action == CALL_TICHU:
        state.announced[player(state)] = 1
    elif action >= ANNOUNCE:
        state.announced[action - ANNOUNCE] = 1
    elif action >= GIVE_DRAGON:
        state.dragon_to = action - GIVE_DRAGON
        _take(state, state.dragon_to, rng)
    elif action >= WISH_NONE:
        state.wish = action - WISH_NONE
        _go_on(state, rng)
    else:
        state.announced[state.turn] = 2 if action == CALL_GRAND else 0
        _after_grand(state)


@compiled
def _after_grand(state: Record) -> None:
    state.turn += 1
    if state.turn == SEATS:
        for seat in range(SEATS):
            state.hand[seat] |= state.undealt[seat]
            state.undealt[seat] = 0
        state.phase, state.turn = SCHUPF, 0


@compiled
def _schupf(state: Record, action: int) -> None:
    """Lay three cards aside; when all have, everybody takes up his own."""
    seat = state.turn
    for i in range(3):
        card = (action >> (12 - 6 * i)) & 63
        state.hand[seat] &= ~(1 << card)
        state.given[seat, i] = card + 1
    for i in range(1, SEATS):
        state.turn = (seat + i) & 3
        if state.given[state.turn, 0] == 0:
            return
    for giver in range(SEATS):
        for i in range(3):
            state.hand[(giver + 1 + i) & 3] |= 1 << (int(state.given[giver, i]) - 1)
    for holder in range(SEATS):
        if state.hand[holder] & MAHJONG_BIT:
            state.starter = holder
    state.phase, state.turn = PLAY, state.starter


@compiled
def next_active(state: Record, seat: int) -> int:
    """The next seat after this one that has cards; itself if it is the only one."""
    for i in range(1, SEATS):
        if state.hand[(seat + i) & 3]:
            return (seat + i) & 3
    return seat


@compiled
def _play(state: Record, seat: int, play: int, rng: Rng) -> None:
    cards = cards_of(play)
    line = cards | seat << LOG_SEAT | (1 << LOG_FIRST if state.kind == PASS else 0)
    state.log[state.log_length] = line | (1 << LOG_LOWER if play & LOWER else 0)
    state.log_length += 1
    state.hand[seat] &= ~cards
    state.has_played[seat] = 1
    state.asked = NOBODY
    state.phase = PLAY
    if state.wish > 0 and nibble(cards, int(state.wish)):
        state.wish = -state.wish
    if state.hand[seat] == 0:
        state.finished[state.out_count] = seat
        state.out_count += 1
    over = round_is_over(state)
    if cards == DOG_BIT:
        if over:
            _score(state, rng)
        else:
            partner = (seat + 2) & 3
            state.turn = partner if state.hand[partner] else next_active(state, partner)
        return
    state.rank = rank_of(play, int(state.rank))
    state.kind = play >> KIND_SHIFT
    state.top, state.owner, state.passes = cards, seat, 0
    state.trick_points += points_of(cards)
    if over:
        if _dragon_lies(state) and not double_victory(state):
            state.phase, state.turn = DRAGON_PHASE, seat
        else:
            _take(state, seat, rng)
    elif cards & MAHJONG_BIT:
        state.phase, state.turn = WISH, seat
    else:
        _go_on(state, rng)


@compiled
def _go_on(state: Record, rng: Rng) -> None:
    """After a play: on to the next seat."""
    state.turn = next_active(state, state.owner)
    _ask(state, 0, rng)


@compiled
def _learn(state: Record, seat: int, play: int) -> None:
    """What everybody can conclude from a play or a pass on turn."""
    wish = int(state.wish)
    could = state.kind == PASS or (state.kind == SINGLE and state.rank < 2 * wish)
    if wish > 0 and could and play >> KIND_SHIFT < BOMB and nibble(cards_of(play), wish) == 0:
        state.lacks[seat] |= 1 << wish
    lowest = int(state.declined[seat])
    opponents = state.kind == SINGLE and (seat ^ state.owner) & 1 == 1
    if play == PASS and opponents and (lowest == 0 or state.rank < lowest):
        state.declined[seat] = state.rank


@compiled
def _pass(state: Record, rng: Rng) -> None:
    state.passes += 1
    state.turn = state.owner if trick_is_over(state) else next_active(state, state.turn)
    _ask(state, 0, rng)


@compiled
def trick_is_over(state: Record) -> bool:
    """Whether everybody but the owner has passed in a row."""
    others = 0
    for seat in range(SEATS):
        others += state.hand[seat] != 0 and seat != state.owner
    return state.passes >= others


@compiled
def last_passer(state: Record) -> int:
    """Who has passed last, when everybody has: the seat with cards before the owner."""
    seat = (state.owner + 3) & 3
    while state.hand[seat] == 0:
        seat = (seat + 3) & 3
    return seat


@compiled
def _ask(state: Record, asked: int, rng: Rng) -> None:
    """Ask for bombs from the ``asked + 1``-th seat after the owner on; when nobody is left, the trick goes on."""
    over = trick_is_over(state)
    for i in range(asked + 1, SEATS + 1):
        seat = (state.owner + i) & 3
        on_turn = seat == state.turn and not over
        if not on_turn and state.hand[seat] and holds_bomb(state.hand[seat], int(state.kind), int(state.rank)):
            state.phase, state.asked = BOMB_PHASE, seat
            return
    state.phase, state.asked = PLAY, NOBODY
    if over:
        if _dragon_lies(state):
            state.phase, state.turn = DRAGON_PHASE, state.owner
        else:
            _take(state, state.owner, rng)


@compiled
def _dragon_lies(state: Record) -> bool:
    return state.kind == SINGLE and state.top == DRAGON_BIT


@compiled
def _take(state: Record, taker: int, rng: Rng) -> None:
    """The trick goes to ``taker``, the lead to its owner or the next seat after him."""
    state.points[taker] += state.trick_points
    if round_is_over(state):
        _score(state, rng)
        return
    owner = state.owner
    clear_trick(state)
    state.phase = PLAY
    state.turn = owner if state.hand[owner] else next_active(state, owner)


# --- the end ------------------------------------------------------------------------------------------------


@compiled
def double_victory(state: Record) -> bool:
    return state.out_count >= 2 and (state.finished[0] ^ state.finished[1]) == 2


@compiled
def round_is_over(state: Record) -> bool:
    return state.out_count >= 3 or double_victory(state)


@compiled
def round_score(state: Record, team: int) -> int:
    """What a round that is over brings the team of the seats ``team`` and ``team + 2``."""
    total = 0
    first = state.finished[0]
    if double_victory(state):
        total = 200 if first & 1 == team else 0
    else:
        for seat in range(SEATS):
            last = seat != first and seat != state.finished[1] and seat != state.finished[2]
            # the last one's tricks go to who was first, his cards to the other team
            holder = first if last else seat
            if holder & 1 == team:
                total += state.points[seat]
            if last and seat & 1 != team:
                total += points_of(state.hand[seat])
    for seat in range(team, SEATS, 2):
        bet = 100 * int(state.announced[seat])
        total += bet if seat == first else -bet
    return total


@compiled
def _score(state: Record, rng: Rng) -> None:
    """Add the round to the score; the game ends, or the next round is dealt."""
    state.score[0] += round_score(state, 0)
    state.score[1] += round_score(state, 1)
    best = max(state.score[0], state.score[1])
    done = best >= state.target and not (state.play_on and state.score[0] == state.score[1])
    if done or 0 < state.rounds <= state.round_number:
        clear_trick(state)
        state.phase, state.turn = ENDED, 0
    else:
        state.round_number += 1
        _deal(state, rng)


@compiled
def scores(state: Record, out: Vector) -> None:
    """The points of each seat's team."""
    for seat in range(SEATS):
        out[seat] = state.score[seat & 1]


@compiled
def conceals(state: Record, seat: int) -> bool:
    """Cards are schupfed face down. Bombs are seen by all; that somebody was asked for one is not told: game.py."""
    return state.phase == SCHUPF
