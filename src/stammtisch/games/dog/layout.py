"""Positions as JSON: writing, reading with every field checked, and hiding what a seat cannot know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stammtisch.core import fields
from stammtisch.core.errors import BadPosition
from stammtisch.core.game import Json
from stammtisch.core.kernel import Record
from stammtisch.core.rng import stream
from stammtisch.games.dog.beliefs import fill_drops
from stammtisch.games.dog.board import GOAL, HOME, PINS, SEATS, all_in_goal
from stammtisch.games.dog.cards import CARDS, FULL_DECK, JOKER, KINDS, SEVEN, STEPS, SWAP
from stammtisch.games.dog.legal import legal_actions
from stammtisch.games.dog.notation import write_place
from stammtisch.games.dog.rules import (
    DMADN,
    DOG,
    DROPS,
    ENDED,
    FIRST_DEAL,
    GIFTS,
    LAST_DEAL,
    MADN,
    PARTS,
    PHASES,
    PLAY,
    TOKENS,
    VALUES,
)

# --- writing ------------------------------------------------------------------------------------------------


def write_position(record: Record) -> Json:
    """All that the record holds, in the words of the notation."""
    players = range(int(record.players))
    position: Json = {
        "phase": PHASES[record.phase],
        "starter": int(record.starter),
        "pins": [[write_place(record, owner, int(place)) for place in record.pins[owner]] for owner in players],
    }
    if record.fresh_start_only:
        position["fresh"] = [bool((record.pins[owner] != _around(record)).all()) for owner in players]
    if record.max_steps:
        position["steps"] = int(record.steps)
    if record.variant == MADN:
        position["die"] = int(record.die)
    elif record.variant == DMADN:
        position["tokens"] = [[int(n) for n in record.tokens[owner]] for owner in players]
    else:
        position |= {
            "hands": [_write_hand(record.hands[owner]) for owner in players],
            "deck": {CARDS[card]: int(n) for card, n in enumerate(record.deck) if n},
            "gifts": [_write_card(record.gifts[owner]) for owner in players],
            "deal": int(record.deal),
            "played": _write_hand(record.played),
            "folded": [_write_hand(record.folded[owner]) for owner in players],
            "given": [_write_card(record.given[owner]) for owner in players],
            "dropped": [[_write_drop(record, owner, i) for i in _drops(record, owner)] for owner in players],
        }
        if record.phase == PARTS:
            position |= {"left": int(record.left), "seven": CARDS[record.seven]}
    return position


def _around(record: Record) -> int:
    return 4 * int(record.distance)


def _write_hand(counts: Any) -> list[str]:
    return [CARDS[card] for card in range(KINDS) for _ in range(int(counts[card]))]


def _write_card(code: int) -> str | None:
    return CARDS[code - 1] if code else None


def _drops(record: Record, owner: int) -> list[int]:
    return np.flatnonzero(record.dropped[owner]).tolist()


def _write_drop(record: Record, owner: int, drop: int) -> Json:
    return {
        "size": int(record.dropped[owner, drop]),
        "without": [CARDS[card] for card in range(KINDS) if record.lacked[owner, drop] >> card & 1],
        "gift": _write_card(record.lost[owner, drop]),
    }


# --- hiding -------------------------------------------------------------------------------------------------


def hide(position: Json, seat: int | None) -> Json:
    """The position of dog as the seat (None: a spectator) sees it."""
    shown = dict(position)
    shown["hands"] = _own(position["hands"], seat)
    shown["folded"] = _own(position["folded"], seat)
    shown["deck"] = None
    shown["gifts"] = [gift if giver == seat else None for giver, gift in enumerate(position["gifts"])]
    known = (None,) if seat is None else (seat, (seat + 2) % SEATS)
    shown["given"] = [gift if giver in known else None for giver, gift in enumerate(position["given"])]
    shown["dropped"] = [
        [drop if owner in known else {**drop, "gift": None} for drop in drops]
        for owner, drops in enumerate(position["dropped"])
    ]
    return shown


def _own(hands: Sequence[list[str]], seat: int | None) -> list[list[str | None]]:
    return [list(hand) if owner == seat else [None] * len(hand) for owner, hand in enumerate(hands)]


# --- reading ------------------------------------------------------------------------------------------------


def read_position(position: Mapping[str, Any], record: Record) -> None:
    """Fill a blank record whose options are set; BadPosition names the field that is wrong."""
    players = int(record.players)
    phases = PHASES if record.variant == DOG else (PHASES[PLAY], PHASES[ENDED])
    record.phase = PHASES.index(fields.text({"phase": "play", **position}, "phase", phases))
    record.pins[:] = HOME
    _read_pins(position, record)
    record.starter = fields.integer({"starter": 0, **position}, "starter", 0, players - 1)
    if "steps" in position:
        if not record.max_steps:
            raise BadPosition("steps", "they are counted only if max_steps limits them")
        record.steps = fields.integer(position, "steps", 0, int(record.max_steps))
    _read_end(position, record)
    if record.phase != ENDED:
        if position.get("player") is None:
            raise BadPosition("player", "the player who decides")
        record.turn = fields.integer(position, "player", 0, players - 1)
    if record.variant == MADN:
        record.die = fields.integer(position, "die", 1, VALUES)
    elif record.variant == DMADN:
        _read_tokens(position, record)
    else:
        _read_cards(position, record)


def _read_pins(position: Mapping[str, Any], record: Record) -> None:
    taken: dict[tuple[str, int], str] = {}
    for owner, places in enumerate(fields.items(position, "pins", int(record.players))):
        for pin, text in enumerate(fields.items({"pins": places}, "pins", PINS)):
            place = _read_place(record, owner, text)
            if place != HOME:
                key = ("goal of player", owner * PINS + place - GOAL) if place >= GOAL else ("field", int(str(text)))
                name = f"pin {pin} of player {owner}"
                if key in taken:
                    raise BadPosition("pins", f"{taken[key]} and {name} stand both on {text}")
                taken[key] = name
            record.pins[owner, pin] = place
    if "fresh" in position:
        if not record.fresh_start_only:
            raise BadPosition("fresh", "it matters only with the option fresh_start_only")
        for owner, fresh in enumerate(fields.items(position, "fresh", int(record.players))):
            if not isinstance(fresh, bool):
                raise BadPosition(
                    "fresh", "true or false for each player: whether the pin on its start has just come out"
                )
            for pin in range(PINS):
                if record.pins[owner, pin] == 0 and not fresh:
                    record.pins[owner, pin] = _around(record)


def _read_place(record: Record, owner: int, text: Any) -> int:
    if text == "H":
        return HOME
    if isinstance(text, str) and len(text) == 2 and text[0] == "G" and text[1] in "0123":
        return GOAL + int(text[1])
    number = int(text) if isinstance(text, str) and text.isascii() and text.isdigit() and len(text) < 4 else text
    if type(number) is not int or not 0 <= number < _around(record):
        raise BadPosition("pins", f"{str(text)[:20]!r}: H, a field from 0 to {_around(record) - 1}, or G0 to G3")
    return (number - int(record.start[owner])) % _around(record)


def _read_end(position: Mapping[str, Any], record: Record) -> None:
    """Who has won, if anybody."""
    done = [bool(all_in_goal(record.pins, owner)) for owner in range(int(record.players))]
    sides = [(0, 2), (1, 3)] if record.teams else [(owner,) for owner in range(int(record.players))]
    winners = [side for side in sides if all(done[owner] for owner in side)]
    if len(winners) > 1:
        raise BadPosition("pins", "two sides have all pins in the goal")
    drawn = 0 < record.max_steps <= record.steps
    if bool(winners or drawn) != (record.phase == ENDED):
        raise BadPosition("phase", "over, but nobody has won" if record.phase == ENDED else "the game is over")
    if winners:
        record.winners = sum(1 << owner for owner in winners[0])


def _read_tokens(position: Mapping[str, Any], record: Record) -> None:
    record.tokens[: record.players] = TOKENS
    if "tokens" not in position:
        return
    for owner, counts in enumerate(fields.items(position, "tokens", int(record.players))):
        record.tokens[owner] = fields.integers({"tokens": counts}, "tokens", VALUES, 0, TOKENS)
        if not record.tokens[owner].any():
            raise BadPosition("tokens", f"player {owner} has none: the set is refilled when the last is spent")


def _read_cards(position: Mapping[str, Any], record: Record) -> None:
    players = int(record.players)
    for owner, hand in enumerate(fields.items(position, "hands", players)):
        record.hands[owner] = _counts("hands", hand)
    for key, rows in (("gifts", record.gifts), ("given", record.given)):
        for owner, card in enumerate(fields.items(position, key, players) if key in position else []):
            rows[owner] = 0 if card is None else 1 + _card(key, card)
    record.deal = fields.integer({"deal": FIRST_DEAL, **position}, "deal", LAST_DEAL, FIRST_DEAL)
    for owner, hand in enumerate(fields.items(position, "folded", players) if "folded" in position else []):
        record.folded[owner] = _counts("folded", hand)
    if "played" in position:
        record.played[:] = _counts("played", position["played"])
    _read_deck(position, record)
    _read_drops(position, record)
    _check_phase(position, record)


def _read_drops(position: Mapping[str, Any], record: Record) -> None:
    """What is certain of dropped hands; of those that are not told apart, nothing is."""
    if "dropped" not in position:
        return
    for owner, drops in enumerate(fields.items(position, "dropped", int(record.players))):
        if not isinstance(drops, list) or len(drops) > DROPS:
            raise BadPosition("dropped", f"of every player a list of at most {DROPS} hands")
        for i, drop in enumerate(drops):
            if not isinstance(drop, Mapping):
                raise BadPosition("dropped", 'a hand such as {"size": 2, "without": ["13"]}')
            record.dropped[owner, i] = fields.integer({"size": 0, **drop}, "size", 1, FIRST_DEAL)
            without = drop.get("without", [])
            if not isinstance(without, list):
                raise BadPosition("dropped", "without: a list of cards")
            record.lacked[owner, i] = sum(1 << card for card in {_card("dropped", name) for name in without})
            gift = drop.get("gift")
            record.lost[owner, i] = 0 if gift is None else 1 + _card("dropped", gift)
            if gift is not None and not record.teams:
                raise BadPosition("dropped", "a gift, but nobody has a partner")
            if gift is not None and record.lacked[owner, i] >> _card("dropped", gift) & 1:
                raise BadPosition("dropped", f"player {owner} is said to have held no {gift}")
        _check_drops(record, owner)


def _check_drops(record: Record, owner: int) -> None:
    """Whether the cards that somebody has dropped can have been these hands."""
    alone = record.copy()
    alone.dropped[np.arange(SEATS) != owner] = 0
    alone.lost[np.arange(SEATS) != owner] = 0
    cards, drops = record.folded[owner].astype(np.int64), np.zeros((SEATS * DROPS, KINDS), dtype=np.int64)
    if not fill_drops(alone, (owner + 1) % SEATS, cards, drops, stream(0)):
        raise BadPosition("dropped", f"what player {owner} has dropped cannot have been these hands")


def _card(key: str, name: Any) -> int:
    if name not in CARDS:
        raise BadPosition(key, f"{str(name)[:20]!r} is no card: {', '.join(CARDS)}")
    return CARDS.index(name)


def _counts(key: str, names: Any) -> NDArray[np.int8]:
    if not isinstance(names, list):
        raise BadPosition(key, f"a list of cards, not {str(names)[:60]!r}")
    if None in names:
        raise BadPosition(key, "null: a full position is needed, a seat's view is not enough")
    counted = Counter(_card(key, name) for name in names)
    return np.array([min(counted[card], 100) for card in range(KINDS)], dtype=np.int8)


def _read_deck(position: Mapping[str, Any], record: Record) -> None:
    """The pile: given, or all cards that are nowhere else. Cards of which nothing is known have been played."""
    full = FULL_DECK.astype(np.int64)
    full[JOKER] *= int(record.joker)
    full[SWAP] *= int(record.swap)
    known = record.hands.sum(axis=0, dtype=np.int64) + record.folded.sum(axis=0, dtype=np.int64) + record.played
    for gift in record.gifts:
        if gift:
            known[gift - 1] += 1
    deck = full - known
    if (deck < 0).any():
        card = int(np.argmax(deck < 0))
        raise BadPosition("hands", f"{CARDS[card]} is there {int(known[card])} times: there are {int(full[card])}")
    if position.get("deck") is not None:
        given = position["deck"]
        if not isinstance(given, Mapping):
            raise BadPosition("deck", 'how many of each card, such as {"7": 3}')
        for name in given:
            _card("deck", name)
        counts = np.array([fields.integer({"deck": given.get(n, 0)}, "deck", 0, 8) for n in CARDS], dtype=np.int64)
        rest = deck - counts
        if (rest < 0).any():
            card = int(np.argmax(rest < 0))
            raise BadPosition("deck", f"{CARDS[card]} is there too often: there are {int(full[card])}")
        if "played" in position and rest.any():
            card = int(np.argmax(rest > 0))
            raise BadPosition("deck", f"{CARDS[card]} is there too seldom: there are {int(full[card])}")
        record.played += rest.astype(np.int8)
        deck = counts
    record.deck[:] = deck


def _check_phase(position: Mapping[str, Any], record: Record) -> None:
    players = range(int(record.players))
    if record.phase == GIFTS and not record.teams:
        raise BadPosition("phase", "exchange, but nobody has a partner")
    if record.phase == GIFTS:
        for i in players:
            seat = (int(record.starter) + i) % SEATS
            before = (seat - int(record.starter)) % SEATS < (int(record.turn) - int(record.starter)) % SEATS
            if before != bool(record.gifts[seat]):
                raise BadPosition("gifts", f"seat {seat} {'has not given' if before else 'gives later'}")
            if not before and not record.hands[seat].any():
                raise BadPosition("hands", f"seat {seat} has no card to give")
    elif record.gifts.any():
        raise BadPosition("gifts", "they lie on the table in phase exchange only")
    if record.given.any() and not record.teams:
        raise BadPosition("given", "nobody has a partner")
    for seat in players:
        card = int(record.given[seat]) - 1
        if card >= 0 and not record.hands[(seat + 2) % SEATS, card]:
            raise BadPosition("given", f"seat {(seat + 2) % SEATS} has no {CARDS[card]}")
    if record.phase in (PLAY, GIFTS) and not record.hands[record.turn].any():
        raise BadPosition("player", f"player {int(record.turn)} has no cards")
    if record.phase == PARTS:
        if not record.stepwise:
            raise BadPosition("phase", "seven, but sevens are not played part by part")
        record.left = fields.integer({"left": 0, **position}, "left", 1, STEPS - 1)
        seven = fields.text({"seven": "7", **position}, "seven", ("7", "JOKER"))
        record.seven = SEVEN if seven == "7" else JOKER
        if legal_actions(record, np.empty(PINS * STEPS, dtype=np.int64)) == 0:
            raise BadPosition("left", f"{int(record.left)} steps cannot be made")
