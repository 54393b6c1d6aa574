"""The cards of DOG, and the numbers of the actions that the compiled rules use."""

from __future__ import annotations

import numpy as np

CARDS = ("JOKER", "SWAP", "2", "3", "4", "5", "6", "7", "8", "9", "10", "1/11", "12", "13")
KINDS = len(CARDS)
JOKER, SWAP, FOUR, SEVEN, ONE_ELEVEN, THIRTEEN = 0, 1, 4, 7, 11, 13
FULL_DECK = np.array([6] + [8] * 13, dtype=np.int8)

STEPS = 7  # of the hot seven
SPLITS = np.array(
    [
        (a, b, c, STEPS - a - b - c)
        for a in range(STEPS + 1)
        for b in range(STEPS + 1 - a)
        for c in range(STEPS + 1 - a - b)
    ],
    dtype=np.int8,
)

# Actions of dog. Those that play a card come twice: with the joker, with the card itself.
GIVE = 0  # + card
FOLD = 14
START = 15  # + 4 * (0: 1/11, 1: 13, 2: joker) + pin
PLAYED = 27  # + HALF if no joker + one of these
FORWARD = 0  # + 13 * pin + steps - 1
BACK = 52  # + pin
EXCHANGE = 56  # + 16 * pin + 4 * other player + his pin
SPLIT = 120  # + number of the split
PART = 240  # + 7 * pin + steps - 1
HALF = 268
ACTIONS = PLAYED + 2 * HALF

START_CARDS = (ONE_ELEVEN, THIRTEEN, JOKER)

# Actions of madn: the pin, or PASS; of dmadn: 6 * pin + value - 1, or PASS
MADN_PASS = 4
DMADN_PASS = 24
