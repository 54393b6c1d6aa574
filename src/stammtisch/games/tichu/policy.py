"""A player that can be read: what to play, schupf, wish, call and give away, in compiled code.

Every play is judged by what it leaves in the hand (hands.py), by the chance that it wins the trick, and by what the
trick is worth: points, a tichu to be won or stopped, a partner who should keep it.
"""

from __future__ import annotations

import numpy as np

from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import Actions, Record, Vector
from stammtisch.core.rng import Rng
from stammtisch.games.tichu.cards import (
    ACE,
    CARDS,
    DOG_BIT,
    DRAGON_BIT,
    HIGHEST,
    LOWEST,
    PHOENIX_BIT,
    count,
    nibble,
    points_of,
)
from stammtisch.games.tichu.combinations import (
    BOMB,
    LENGTH_OF,
    PASS,
    cards_of,
    flush_cards,
    kind_of,
    list_bombs,
    list_plays,
    obey_wish,
    rank_of,
)
from stammtisch.games.tichu.hands import NUMBER, ONE, chance_of, chances, hand_cost
from stammtisch.games.tichu.rules import (
    BOMB_PHASE,
    CALL_GRAND,
    CALL_TICHU,
    DRAGON_PHASE,
    GIVE_DRAGON,
    GRAND,
    NO_GRAND,
    SCHUPF,
    SCHUPF_CARDS,
    SEATS,
    WISH,
    WISH_NONE,
    may_announce,
    player,
)

LEAD_WORTH = 0.55  # of winning a trick that somebody else has led
POINTS_WORTH = 1 / 80  # of a point in the trick
PARTNERS_TRICK = 0.9  # what it costs to take a trick from the partner
GRAND_LIMIT = 2.5  # call a grand tichu with eight cards that are worth more
TICHU_COST = 1.2  # call a tichu with fourteen cards that cost less


@compiled
def decide(state: Record, buffer: Actions, rng: Rng) -> int:
    """The action of the seat that decides."""
    phase = state.phase
    seat = int(player(state))
    if phase == GRAND:
        return CALL_GRAND if _calls_grand(state, seat) else NO_GRAND
    if phase == WISH:
        return WISH_NONE + _wish(state, seat)
    if phase == DRAGON_PHASE:
        return GIVE_DRAGON + _dragon_taker(state, seat)
    if phase == SCHUPF:
        return _gifts(state, seat, _chances(state, seat))
    n, must = _plays(state, seat, buffer)
    if n == 0:
        return PASS
    chance = _chances(state, seat)
    play = buffer[0] if n == 1 and must else _best_play(state, seat, chance, buffer, n, must)
    if play != PASS and may_announce(state, seat) and _calls_tichu(state, seat, chance):
        return CALL_TICHU
    return play


@compiled
def _chances(state: Record, seat: int) -> Vector:
    """How likely groups win a trick against the cards that the seat does not see."""
    chance = np.empty((3, 16))
    chances(unseen_cards(state, seat), chance)
    return chance


@compiled
def unseen_cards(state: Record, seat: int) -> int:
    """The cards that are still out: in hands one does not see, whoever has them."""
    cards = state.undealt[seat]
    for other in range(SEATS):
        if other != seat:
            cards |= state.hand[other] | state.undealt[other]
            if state.phase == SCHUPF:
                for i in range(3):
                    if state.given[other, i]:
                        cards |= 1 << (int(state.given[other, i]) - 1)
    return cards


# --- before the first trick ---------------------------------------------------------------------------------


@compiled
def _calls_grand(state: Record, seat: int) -> bool:
    """Eight cards say little of the groups to come, but much of the power: weights from games of this player."""
    hand = state.hand[seat]
    if state.announced[(seat + 2) & 3]:
        return False
    worth = 1.0 * (hand & DRAGON_BIT != 0) + 1.5 * (hand & PHOENIX_BIT != 0) - 0.5 * (hand & DOG_BIT != 0)
    worth += 0.6 * NUMBER[nibble(hand, ACE)] + 0.2 * NUMBER[nibble(hand, ACE - 1)]
    return worth > GRAND_LIMIT


@compiled
def _calls_tichu(state: Record, seat: int, chance: Vector) -> bool:
    if state.out_count or state.announced[(seat + 2) & 3]:
        return False
    return hand_cost(state.hand[seat], chance) < TICHU_COST


@compiled
def _gifts(state: Record, seat: int, chance: Vector) -> int:
    """A good card for the partner, the least useful low ones for the opponents: odd to the right, even to the left."""
    hand = state.hand[seat]
    worth = np.empty(CARDS)
    for_partner(state, seat, chance, worth)
    partner = int(np.argmax(worth))
    hand &= ~(1 << partner)
    for_opponent(hand, 1, chance, worth)
    right = int(np.argmax(worth))
    hand &= ~(1 << right)
    for_opponent(hand, 0, chance, worth)
    return SCHUPF_CARDS | right << 12 | partner << 6 | int(np.argmax(worth))


@compiled
def for_opponent(hand: int, parity: int, chance: Vector, worth: Vector) -> None:
    """How gladly each card of the hand is given to an opponent, who gets the odd or the even ones."""
    for card in range(CARDS):
        if not hand >> card & 1:
            worth[card] = -np.inf
            continue
        worth[card] = -hand_cost(hand & ~(1 << card), chance) - 2.0 * _harm(card, chance)
        if 2 <= card < 54 and ((card + 6) // 4) & 1 != parity:
            worth[card] -= 0.15


@compiled
def _harm(card: int, chance: Vector) -> float:
    """How much a card helps an opponent."""
    if card >= 54:
        return 5.0
    if card == 0:
        return 0.0
    if card == 1:
        return 0.1
    value = (card + 6) // 4
    return chance[ONE, value] + 0.01 * value + (0.1 if value == 5 or value == 10 or value == 13 else 0.0)


@compiled
def for_partner(state: Record, seat: int, chance: Vector, worth: Vector) -> None:
    """How gladly each card is given to the partner: the weaker the own hand, the better; the best if he has called."""
    hand = state.hand[seat]
    whole = hand_cost(hand, chance)
    called = state.announced[(seat + 2) & 3] != 0
    generous = 2.2 if called else 1.0 if whole > 3.0 else 0.6
    if state.announced[seat]:
        generous = 0.2
    for card in range(CARDS):
        if not hand >> card & 1:
            worth[card] = -np.inf
            continue
        if card == 0:
            help_ = -0.5
        elif card == 1:
            help_ = 0.0
        elif card == 54:
            help_ = 1.0
        elif card == 55:
            help_ = 1.2
        else:
            value = (card + 6) // 4
            help_ = chance[ONE, value] + 0.02 * value
        worth[card] = generous * help_ - hand_cost(hand & ~(1 << card), chance)


# --- playing ------------------------------------------------------------------------------------------------


@compiled
def _plays(state: Record, seat: int, buffer: Actions) -> tuple[int, bool]:
    """List what the seat may play; how many, and whether it must play one of them."""
    hand = state.hand[seat]
    kind, rank = int(state.kind), int(state.rank)
    if state.phase == BOMB_PHASE:
        return list_bombs(hand, kind, rank, buffer, 0), False
    n = list_plays(hand, flush_cards(hand), kind, rank, buffer)
    must = kind == PASS
    if state.wish > 0:
        n = obey_wish(hand, int(state.wish), state.bomb_may_ignore_wish != 0, buffer, n)
        must |= n < 0
    return abs(n), must


@compiled
def _best_play(state: Record, seat: int, chance: Vector, plays: Actions, n: int, must: bool) -> int:
    """The play of the highest worth; a pass, where it is allowed, is worth nothing."""
    hand = state.hand[seat]
    kind, rank = int(state.kind), int(state.rank)
    whole = hand_cost(hand, chance)
    waits = state.announced[(seat + 2) & 3] != 0 and state.out_count == 0  # for the partner to be first
    best, chosen = -np.inf if must else 0.0, PASS
    for i in range(n):
        play = plays[i]
        cards = cards_of(play)
        if cards == hand and not waits:
            return play  # out
        if cards == hand:  # and the partner, who has called, would lose by it
            if must and chosen == PASS:
                chosen = play
            continue
        gain = whole - hand_cost(hand & ~cards, chance)
        wins = chance_of(kind_of(play), rank_of(play, rank), chance)
        if kind == PASS:
            worth = _lead_worth(state, seat, play, gain, wins)
        else:
            worth = _follow_worth(state, seat, play, gain, wins)
        if worth > best:
            best, chosen = worth, play
    return chosen


@compiled
def _lead_worth(state: Record, seat: int, play: int, gain: float, wins: float) -> float:
    """Get rid of what wins nothing, long before short and low before high."""
    cards, kind = cards_of(play), kind_of(play)
    size = LENGTH_OF[kind]
    rest = count(state.hand[seat]) - size
    worth = gain + 0.04 * size + POINTS_WORTH * _points_won(state, cards, wins)
    partner, right, left = (seat + 2) & 3, (seat + 1) & 3, (seat + 3) & 3
    if cards == DOG_BIT:
        return worth + _dog_worth(state, partner)
    for opponent in (right, left):
        held = count(state.hand[opponent])
        if held == size or (held and held <= 2 and size == 1):
            worth -= 1.2 * (1.0 - wins)  # he could go out
    if count(state.hand[partner]) == size and wins < 0.5:
        worth += 0.4
    if kind >= BOMB and rest > 4:
        worth -= 1.5
    if rest <= 5:
        worth += 0.6 * wins  # nearly out: stay in the lead
    return worth


@compiled
def _dog_worth(state: Record, partner: int) -> float:
    held = count(state.hand[partner])
    if held == 0:
        return -1.0
    if state.announced[partner]:
        return 1.5
    return 0.3 if held <= 4 else 0.0


@compiled
def _points_won(state: Record, cards: int, wins: float) -> float:
    """The points that a play can expect to bring: it wins the trick, or its own cards are lost."""
    own = points_of(cards)
    if cards == DRAGON_BIT:
        return -0.5 * wins * (state.trick_points + own)
    return wins * (state.trick_points + own) - (1.0 - wins) * own


@compiled
def _follow_worth(state: Record, seat: int, play: int, gain: float, wins: float) -> float:
    cards, kind = cards_of(play), kind_of(play)
    owner = int(state.owner)
    points = _points_won(state, cards, wins)
    rest = count(state.hand[seat]) - LENGTH_OF[kind]
    worth = gain + wins * LEAD_WORTH + POINTS_WORTH * points
    partner = (seat + 2) & 3
    if owner == partner:
        worth -= PARTNERS_TRICK * wins + 0.3
        if state.announced[partner] and not state.out_count:
            worth -= 2.0
    else:
        held = count(state.hand[owner])
        danger = 0.0
        if held <= 3:
            danger = 0.25 * (4 - held)
        if state.announced[owner] and not state.out_count:
            danger += 0.5
        worth += danger * wins
    for opponent in ((seat + 1) & 3, (seat + 3) & 3):
        if 0 < count(state.hand[opponent]) <= 2:
            worth += 0.2 * wins
    if rest <= 3:
        worth += 0.4 * wins
    if kind >= BOMB:
        worth -= _bomb_price(state, seat, owner, rest)
    return worth


@compiled
def _bomb_price(state: Record, seat: int, owner: int, rest: int) -> float:
    """A bomb is kept for a reason: a tichu to stop, a rich trick, the way out."""
    price = 1.2
    if owner == (seat + 2) & 3:
        return 5.0 if rest > 4 else 2.0
    if state.announced[owner] and not state.out_count:
        price -= 0.8
    if count(state.hand[owner]) <= 3:
        price -= 0.5
    if rest <= 5:
        price -= 0.6
    return price


# --- wish and dragon ----------------------------------------------------------------------------------------


@compiled
def _wish(state: Record, seat: int) -> int:
    """The highest value that is out and that one does not hold; most gladly what one has given to the next seat."""
    unseen = unseen_cards(state, seat)
    gift = int(state.given[seat, 0]) - 1
    if 2 <= gift < 54 and unseen >> gift & 1:
        value = (gift + 6) // 4
        if not nibble(state.hand[seat], value):
            return value
    for value in range(HIGHEST, LOWEST - 1, -1):
        if nibble(unseen, value) and not nibble(state.hand[seat], value):
            return value
    for value in range(HIGHEST, LOWEST - 1, -1):
        if nibble(unseen, value):
            return value
    return LOWEST


@compiled
def _dragon_taker(state: Record, seat: int) -> int:
    """The opponent with more cards, who is more likely to be last."""
    right, left = (seat + 1) & 3, (seat + 3) & 3
    return right if count(state.hand[right]) >= count(state.hand[left]) else left


@compiled
def likely_gifts(state: Record, seat: int, choices: int, out: Actions) -> int:
    """Write the schupf actions that make sense: for everybody one of the ``choices`` cards given most gladly.

    The policy's own choice, which takes one card after the other out of the hand, comes last if it is another.
    """
    chance = _chances(state, seat)
    hand = state.hand[seat]
    worth = np.empty((3, CARDS))
    for_partner(state, seat, chance, worth[1])
    rest = hand & ~(1 << np.argmax(worth[1]))
    for_opponent(rest, 1, chance, worth[0])
    for_opponent(rest, 0, chance, worth[2])
    picked = np.empty((3, choices), dtype=np.int64)
    for place in range(3):
        for i in range(choices):
            picked[place, i] = np.argmax(worth[place])
            worth[place, picked[place, i]] = -np.inf
    n = 0
    for right in picked[0]:
        for partner in picked[1]:
            for left in picked[2]:
                if right != partner and partner != left and left != right:
                    out[n] = SCHUPF_CARDS | right << 12 | partner << 6 | left
                    n += 1
    own = _gifts(state, seat, chance)
    for i in range(n):
        if out[i] == own:
            return n
    out[n] = own
    return n + 1
