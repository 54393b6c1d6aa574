"""Rounds that can be replayed, from logs or from a database: the deal, and the kernel's actions one after the other."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import Record
from stammtisch.games.tichu.rules import GRAND, NOBODY, SEATS, clear_trick
from stammtisch.logs.rounds import NO_SCORE, Replayed

_HUMAN = 1 << 62  # a free bit of an action: a person decided it
_NEVER = 32000  # points that no round ends a game with: the round's limit does

DEAL = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("grand", np.int64, (4,)),  # the first eight cards of each seat
                ("start", np.int64, (4,)),  # all fourteen
                ("first_action", np.int64),
                ("game", np.int64),  # its number in the log
                ("key", np.int64),  # the same for a game that lies there under two numbers
                ("before", np.int32, (2,)),  # the score of the game when the round begins
                ("actions", np.int32),
                ("score", np.int16, (2,)),  # what the round brought each team by the rules
                ("code", np.int16),  # of the first finding, 0: clean
                ("year", np.int16),
                ("index", np.int16),  # of the round in its game, from 0
                ("double_victory", np.int8),
                ("month", np.int8),
                ("seats", np.int8),  # bits of the seats whose decisions are wanted
            ],
            align=True,
        ),
    )
)
"""A round to be replayed."""


@dataclass(frozen=True)
class Rounds:
    """Some rounds, with all their actions in one array; ``human`` marks those that a person decided."""

    deals: Any  # DEAL
    actions: NDArray[np.int64]
    human: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.deals)

    def chosen(self, which: NDArray[np.bool_]) -> Rounds:
        """Some of the rounds."""
        return Rounds(self.deals[which], self.actions, self.human)

    def packed(self, number: int) -> bytes:
        """The actions of one round in about a hundred bytes."""
        one = self.deals[number]
        part = slice(int(one.first_action), int(one.first_action) + int(one.actions))
        coded = self.actions[part] | np.where(self.human[part], np.int64(_HUMAN), np.int64(0))
        return zlib.compress(coded.astype("<i8").tobytes(), 1)


def unpacked(deals: Any, packed: Sequence[bytes]) -> Rounds:
    """Rounds from :meth:`Rounds.packed`; fills in where the actions of each deal are."""
    parts = [np.frombuffer(zlib.decompress(bytes(one)), dtype="<i8") for one in packed]
    sizes = np.array([len(part) for part in parts], dtype=np.int64)
    deals["actions"], deals["first_action"] = sizes, np.cumsum(sizes) - sizes
    coded = np.concatenate(parts).astype(np.int64) if parts else np.empty(0, dtype=np.int64)
    return Rounds(deals, coded & ~_HUMAN, coded & _HUMAN != 0)


def scores_before(replayed: Replayed) -> NDArray[np.int32]:
    """The score of the game when each round begins: the sum of what was logged before."""
    rounds = replayed.parsed.rounds
    if not len(rounds):
        return np.empty((0, 2), dtype=np.int32)
    so_far = np.cumsum(rounds["score"].astype(np.int32), axis=0, dtype=np.int32) - rounds["score"]
    first = np.asarray(replayed.games["first_round"], dtype=np.int64)[rounds["file"]]
    return so_far - so_far[first]


def replayable(replayed: Replayed) -> tuple[Rounds, NDArray[np.int64]]:
    """The rounds whose replay reached the end, and which of all rounds they are."""
    parsed, judged = replayed.parsed, replayed.judged
    which = np.flatnonzero(judged["score"][:, 0] != NO_SCORE)
    deals = np.zeros(len(which), dtype=DEAL)
    for name in ("grand", "start", "index"):
        deals[name] = parsed.rounds[name][which]
    for name in ("first_action", "actions", "score", "code", "double_victory"):
        deals[name] = judged[name][which]
    deals["before"] = scores_before(replayed)[which]
    file = parsed.rounds["file"][which]
    deals["key"] = game_keys(parsed.rounds["start"][replayed.games["first_round"][file]])
    for name in ("game", "year", "month"):
        deals[name] = np.array([getattr(source, name) for source in parsed.sources], dtype=np.int64)[file]
    deals["seats"] = 15
    return Rounds(deals, replayed.actions, replayed.human), which


def game_keys(first_hands: NDArray[np.int64]) -> NDArray[np.int64]:
    """A hash of the hands that each game began with, [game, seat]: no two games begin alike, copies of one do."""
    key = np.zeros(len(first_hands), dtype=np.uint64)
    for seat in range(SEATS):
        key = mixed(key + first_hands[:, seat].astype(np.uint64))
    return key.astype(np.int64)


def mixed(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Numbers that look like chance, each from one of ``numbers`` alone (splitmix64)."""
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1)):
        numbers = (numbers ^ (numbers >> np.uint64(shift))) * np.uint64(factor)
    return numbers


@compiled
def deal(state: Record, one: Record) -> None:
    """The state at the beginning of a logged round; the game ends with this round."""
    state.round_number = state.rounds = 1
    state.target = _NEVER
    state.wish_optional = state.bomb_may_ignore_wish = 1
    for team in range(2):
        state.score[team] = one.before[team]
    for seat in range(SEATS):
        state.hand[seat] = one.grand[seat]
        state.undealt[seat] = one.start[seat] & ~one.grand[seat]
        state.points[seat] = state.announced[seat] = state.has_played[seat] = 0
        state.lacks[seat] = state.declined[seat] = 0
        state.finished[seat] = NOBODY
        for i in range(3):
            state.given[seat, i] = 0
    state.log_length = state.out_count = state.wish = 0
    state.starter = state.dragon_to = NOBODY
    clear_trick(state)
    state.phase, state.turn = GRAND, 0
