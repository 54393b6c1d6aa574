"""Moves and places as text."""

from __future__ import annotations

import re

from stammtisch.core.errors import BadMove
from stammtisch.core.kernel import Record
from stammtisch.games.dog.board import GOAL, HOME, field_of
from stammtisch.games.dog.cards import (
    ACTIONS,
    BACK,
    CARDS,
    DMADN_PASS,
    EXCHANGE,
    FOLD,
    FORWARD,
    FOUR,
    GIVE,
    HALF,
    JOKER,
    MADN_PASS,
    PART,
    PLAYED,
    SEVEN,
    SPLIT,
    SPLITS,
    START,
    START_CARDS,
    STEPS,
    SWAP,
)
from stammtisch.games.dog.rules import DMADN, DOG, MADN, card_of_steps

_PIN = re.compile(r"p([0-3])(?::([1-6]))?")
_START = re.compile(r"start:(1/11|13|JOKER):p([0-3])")
_MOVE = re.compile(r"move:([^:]+):p([0-3]):(-?[0-9]{1,2})")
_SEVEN = re.compile(r"seven:(7|JOKER):([0-7]),([0-7]),([0-7]),([0-7])")
_PART = re.compile(r"seven:(7|JOKER):p([0-3]):([1-7])")
_SWAP = re.compile(r"swap:(SWAP|JOKER):p([0-3]):P([0-3])\.([0-3])")
_SPLIT_NUMBERS = {tuple(map(int, parts)): number for number, parts in enumerate(SPLITS)}
EXAMPLES = {
    MADN: "p0 or pass",
    DMADN: "p0:5 or pass",
    DOG: "start:13:p2, move:4:p0:-4, seven:7:4,3,0,0, swap:SWAP:p0:P1.0, give:7 or fold",
}


def write_move(variant: int, action: int) -> str:
    """The text of an action."""
    if variant == MADN and 0 <= action <= MADN_PASS:
        return "pass" if action == MADN_PASS else f"p{action}"
    if variant == DMADN and 0 <= action <= DMADN_PASS:
        return "pass" if action == DMADN_PASS else f"p{action // 6}:{action % 6 + 1}"
    if variant == DOG and 0 <= action < ACTIONS:
        return _write_card(action)
    raise BadMove(f"{action} is no action")


def _write_card(action: int) -> str:
    if action < FOLD:
        return f"give:{CARDS[action - GIVE]}"
    if action == FOLD:
        return "fold"
    if action < PLAYED:
        return f"start:{CARDS[START_CARDS[(action - START) // 4]]}:p{(action - START) % 4}"
    use = (action - PLAYED) % HALF

    def card(own: int) -> str:
        return CARDS[JOKER if action < PLAYED + HALF else own]

    if use < BACK:
        pin, steps = (use - FORWARD) // 13, (use - FORWARD) % 13 + 1
        return f"move:{card(int(card_of_steps(steps)))}:p{pin}:{steps}"
    if use < EXCHANGE:
        return f"move:{card(FOUR)}:p{use - BACK}:-4"
    if use < SPLIT:
        pin, other, its = (use - EXCHANGE) // 16, (use - EXCHANGE) // 4 % 4, (use - EXCHANGE) % 4
        return f"swap:{card(SWAP)}:p{pin}:P{other}.{its}"
    if use < PART:
        return f"seven:{card(SEVEN)}:{','.join(map(str, SPLITS[use - SPLIT]))}"
    return f"seven:{card(SEVEN)}:p{(use - PART) // STEPS}:{(use - PART) % STEPS + 1}"


def read_move(variant: int, text: str) -> int:
    """The action of a text; BadMove where it is none."""
    text = text.strip()
    action = _read_card(text) if variant == DOG else _read_pin(variant, text)
    if action is None:
        raise BadMove(f"'{text[:60]}' is no move; moves look like {EXAMPLES[variant]}")
    return action


def _read_pin(variant: int, text: str) -> int | None:
    if text == "pass":
        return MADN_PASS if variant == MADN else DMADN_PASS
    found = _PIN.fullmatch(text)
    if found is None or (found[2] is None) != (variant == MADN):
        return None
    return int(found[1]) if variant == MADN else 6 * int(found[1]) + int(found[2]) - 1


def _read_card(text: str) -> int | None:
    if text == "fold":
        return FOLD
    if text.startswith("give:") and text[5:] in CARDS:
        return GIVE + CARDS.index(text[5:])
    if found := _START.fullmatch(text):
        return START + 4 * START_CARDS.index(CARDS.index(found[1])) + int(found[2])
    use, card = _read_use(text)
    return None if use is None else PLAYED + use + (0 if card == "JOKER" else HALF)


def _read_use(text: str) -> tuple[int | None, str]:
    if found := _MOVE.fullmatch(text):
        card, pin, steps = found[1], int(found[2]), int(found[3])
        if steps == -4 and card in ("4", "JOKER"):
            return BACK + pin, card
        if 1 <= steps <= 13 and card in ("JOKER", CARDS[int(card_of_steps(steps))]):
            return FORWARD + 13 * pin + steps - 1, card
    elif found := _SEVEN.fullmatch(text):
        parts = tuple(int(part) for part in found.groups()[1:])
        if parts in _SPLIT_NUMBERS:
            return SPLIT + _SPLIT_NUMBERS[parts], found[1]
    elif found := _PART.fullmatch(text):
        return PART + STEPS * int(found[2]) + int(found[3]) - 1, found[1]
    elif found := _SWAP.fullmatch(text):
        return EXCHANGE + 16 * int(found[2]) + 4 * int(found[3]) + int(found[4]), found[1]
    return None, ""


def write_place(record: Record, owner: int, place: int) -> str:
    """``H``, the number of the field, or ``G0`` to ``G3``."""
    if place == HOME:
        return "H"
    return f"G{place - GOAL}" if place >= GOAL else str(int(field_of(record, owner, place)))
