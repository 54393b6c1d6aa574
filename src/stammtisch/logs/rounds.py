"""What everything about logs is made of: rounds as read, rounds as judged, and many games of both in plain arrays.

``sources.read`` finds files, ``parse.parse`` makes a :class:`Parsed` of some of them, ``replay.replay`` a
:class:`Replayed` of that. All rows are records of flat arrays, so that compiled code fills and reads them; the
dataclass :class:`BWRoundData` is one round for people.

Seats are 0 .. 3, teams are 0 (seats 0 and 2) and 1 (seats 1 and 3), cards are numbers or bits of ``games/tichu/cards``.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from stammtisch.games.tichu.cards import CARDS, NAMES, PHOENIX, PHOENIX_BIT

Rows: TypeAlias = Any  # an array of the records below

PLAY, PASS, TAKE, WISH, TICHU, DRAGON, EARLY_TICHU = range(7)  # kinds of events
EVENT_KINDS = ("play", "pass", "take", "wish", "tichu", "dragon", "early tichu")
NO_CALL, GRAND_CALL, EARLY_CALL = -3, -2, -1  # positions of tichu calls; from 0 on: an index into the history
NO_SCORE = -32768  # the computed score of a round whose replay broke off
UNFINISHED = -1  # the winner of a game that no team has won

EVENT = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("cards", np.int64),  # of a play, as a mask
                ("line", np.int32),  # in the file, from 1
                ("kind", np.int8),  # PLAY, PASS, TAKE (the owner's pass on his own trick), WISH, TICHU, ...
                ("seat", np.int8),  # who; of a wish -1, of DRAGON the recipient
                ("value", np.int8),  # of a wish, 2 .. 14
                ("phoenix", np.int8),  # its place among the printed cards, from 0; -1: not among them
            ],
            align=True,
        ),
    )
)
"""One line of a round's course (Rundenverlauf); before them, calls before or while schupfing (EARLY_TICHU)."""

ROUND = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("grand", np.int64, (4,)),  # the first eight cards of each seat
                ("start", np.int64, (4,)),  # all fourteen, before schupfing
                ("names", np.int64, (4, 2)),  # begin and end of each seat's name in ``Parsed.text``
                ("first_event", np.int64),  # in ``Parsed.events``
                ("events", np.int32),
                ("file", np.int32),  # in ``Parsed.files``
                ("line", np.int32),  # of the first header, from 1
                ("last_line", np.int32),  # of the result
                ("part_lines", np.int32, (3, 4)),  # of each seat's eight cards, fourteen cards and gifts; 0: not there
                ("bomb_line", np.int32),  # of the owners of bombs, or of the course where they would stand before
                ("index", np.int16),  # of the round within its game, from 0, finished rounds only
                ("score", np.int16, (2,)),  # as logged, with tichu bonuses
                ("tichu", np.int16, (4,)),  # NO_CALL, GRAND_CALL, EARLY_CALL, or an index into the history
                ("problem", np.int16),  # the code of the first finding while reading; 0: none
                ("given", np.int8, (4, 3)),  # card numbers for seat + 1, + 2, + 3; -1 where it could not be read
                ("bombs", np.int8),  # bits of the seats in the line BOMBE
                ("wish", np.int8),  # 2 .. 14, 0: no wish
                ("dragon", np.int8),  # the recipient; -1: nobody
                ("readable", np.int8),  # 1: complete enough to be replayed
            ],
            align=True,
        ),
    )
)
"""One finished round as the log tells it. The history counts plays and passes; the owner's passes are left out."""

JUDGED = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("first_action", np.int64),  # in ``Replayed.actions``
                ("actions", np.int32),  # complete when ``finished`` is full or the round ended otherwise
                ("line", np.int32),  # of the first finding; 0: none
                ("code", np.int16),  # of the first finding; 0: the round is clean
                ("score", np.int16, (2,)),  # computed by the rules; NO_SCORE where the replay broke off
                ("tricks", np.int16),  # taken by somebody, the last one included; the dog makes none
                ("turns", np.int16),  # plays and passes, without the owner's
                ("tichu", np.int16, (4,)),  # as in ROUND; a call that came late stands before the first own play
                ("winner_turn", np.int16),  # index in the history of the play with which the first went out; -1
                ("finished", np.int8, (4,)),  # the seats in the order they went out, -1 where nobody did
                ("winner", np.int8),  # first out; -1 where the replay broke off before
                ("loser", np.int8),  # the one left over; -1 in a double victory
                ("double_victory", np.int8),
                ("dragon_giver", np.int8),  # -1: nobody
                ("dragon_recipient", np.int8),
                ("phoenix_low", np.int8),  # 1: a Phoenix was meant as the lower of two possible ranks
                ("wish", np.int8),  # 2 .. 14, 0: none was made, -1: the Mahjong was not played
                ("bombs", np.int8),  # bits of the seats that hold a bomb after schupfing
                ("bombs_played", np.int8),
                ("suicidal", np.int8, (4,)),  # 1: tichu was called when somebody else was already out
                ("premature", np.int8, (4,)),  # 1: a small tichu was called without playing a card directly after it
            ],
            align=True,
        ),
    )
)
"""One round as the rules tell it. Actions are complete when ``score`` is not NO_SCORE."""

FINDING = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("detail", np.int64),  # what it is about: cards, a seat, a score (findings.py knows which)
                ("file", np.int32),
                ("round", np.int32),  # in ``Parsed.rounds``; -1: the game as a whole
                ("line", np.int32),  # from 1; 0: the file as a whole
                ("code", np.int16),  # findings.py
            ],
            align=True,
        ),
    )
)
"""Something that is not as it should be."""

GAME = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("first_round", np.int64),  # in ``Parsed.rounds``
                ("rounds", np.int32),  # finished ones
                ("lines", np.int32),
                ("code", np.int16),  # of the first finding about the game as a whole; 0: none
                ("total", np.int32, (2,)),  # of the logged scores
                ("winner", np.int8),  # the team 0 or 1; 2: a tie; UNFINISHED
                ("player_changed", np.int8),
                ("clean_rounds", np.int32),
            ],
            align=True,
        ),
    )
)
"""One file."""


@dataclass(frozen=True)
class Source:
    """A file that was found: its bytes, and what its place says. ``problem`` is set when it could not be read.

    ``game`` is the number in the file's name; a name that is none gets a number above 2**40 that is always the same.
    ``year`` and ``month`` come from a folder ``YYYYMM`` (or a folder or zip ``YYYY``); 0 where there is none.
    """

    path: str
    data: bytes
    game: int
    year: int = 0
    month: int = 0
    problem: str = ""
    code: int = 0


@dataclass(frozen=True)
class BWRoundData:
    """One round for people, with the fields of the concept; cards are text as in the log."""

    game_id: int
    round_index: int
    player_names: list[str]
    grand_tichu_hands: list[str]
    start_hands: list[str]
    tichu_positions: list[int]
    given_schupf_cards: list[str]
    bomb_owners: list[bool]
    wish_value: int
    dragon_recipient: int
    score_entry: tuple[int, int]
    history: list[tuple[int, str] | int]
    year: int
    month: int

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass
class Parsed:
    """Some files as read. ``text`` holds all their bytes; names are places in it."""

    sources: list[Source]
    text: NDArray[np.uint8]
    games: Any  # GAME, one per source; only first_round, rounds and lines are filled in
    rounds: Any  # ROUND
    events: Any  # EVENT
    findings: Any  # FINDING, of reading alone

    def name(self, number: int, seat: int) -> str:
        """The nickname of a seat in a round, ``""`` where the seat has none."""
        begin, end = self.rounds[number].names[seat]
        return decode(self.text[begin:end].tobytes())

    def round_data(self, number: int) -> BWRoundData:
        """Round ``number`` (of all files here) for people."""
        one = self.rounds[number]
        source = self.sources[one.file]
        events = self.events[one.first_event : one.first_event + one.events]
        return BWRoundData(
            game_id=source.game,
            round_index=int(one["index"]),
            player_names=[self.name(number, seat) for seat in range(4)],
            grand_tichu_hands=[cards_text(int(cards)) for cards in one.grand],
            start_hands=[cards_text(int(cards)) for cards in one.start],
            tichu_positions=[int(place) for place in one.tichu],
            given_schupf_cards=[" ".join(NAMES[card] if card >= 0 else "?" for card in gifts) for gifts in one.given],
            bomb_owners=[bool(one.bombs >> seat & 1) for seat in range(4)],
            wish_value=int(one.wish),
            dragon_recipient=int(one.dragon),
            score_entry=(int(one.score[0]), int(one.score[1])),
            history=[
                (int(event.seat), cards_text(int(event.cards), int(event.phoenix)))
                if event.kind == PLAY
                else int(event.seat)
                for event in events
                if event.kind in (PLAY, PASS)
            ],
            year=source.year,
            month=source.month,
        )


@dataclass
class Replayed:
    """Some files as read and judged.

    ``actions`` are those of the Tichu kernel: from the deal (``replay.dealt``), ``rules.apply`` of a round's actions
    one after the other reproduces it, bomb questions and the answers to them included. ``human`` marks those that a
    person decided; a declined bomb that nobody asked for, and what a call out of turn interrupts, is not marked.
    """

    parsed: Parsed
    judged: Any  # JUDGED, one per round
    games: Any  # GAME, complete
    findings: Any  # FINDING, all, by file and line
    actions: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    human: NDArray[np.bool_] = field(default_factory=lambda: np.empty(0, dtype=np.bool_))

    def actions_of(self, number: int) -> NDArray[np.int64]:
        """The kernel's actions of round ``number``."""
        one = self.judged[number]
        return self.actions[one.first_action : one.first_action + one.actions]


def cards_text(cards: int, phoenix: int = -1) -> str:
    """Cards as the log prints them: descending, the Phoenix at its printed place, in a hand after the dragon.

    >>> cards_text(0b111000011, phoenix=-1)
    'G3 B3 S3 Ma Hu'
    """
    found = [card for card in range(CARDS - 1, -1, -1) if cards >> card & 1]
    found.sort(key=lambda card: 53.5 if card == PHOENIX else card, reverse=True)
    if cards & PHOENIX_BIT and phoenix >= 0:
        found.remove(PHOENIX)
        found.insert(phoenix, PHOENIX)
    return " ".join(NAMES[card] for card in found)


def decode(name: bytes) -> str:
    """A nickname as text; the logs are UTF-8, a few pages of the archive are not."""
    try:
        return name.decode("utf-8")
    except UnicodeDecodeError:
        return name.decode("latin-1")
