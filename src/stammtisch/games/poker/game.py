"""Kuhn's and Leduc poker for people: positions as JSON, moves as text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from stammtisch.core.errors import BadMove, BadPosition
from stammtisch.core.game import Game, GameSpec, Json
from stammtisch.core.kernel import Record
from stammtisch.core.rng import stream
from stammtisch.games.poker import KUHN, LEDUC, rules

MOVES = ("fold", "call", "raise")
CARDS = "JQK"


class Poker(Game):
    """What both games share; a position is its cards and the actions so far."""

    kernel = rules.KERNEL
    position_keys = ("hands", "shown", "actions")
    chance_keys = ("shown",)
    suits: ClassVar[int]
    rounds: ClassVar[int]
    raises: ClassVar[int]
    bet: ClassVar[int]
    most: ClassVar[float]  # that one can lose

    def describe(self) -> GameSpec:
        return GameSpec(
            seats=rules.SEATS,
            sides=((0,), (1,)),
            hidden=True,
            chance=self.rounds > 1,
            score_range=(-self.most, self.most),
            score_sum=0.0,
            observation_shape=(rules.INPUTS,),
            observation_range=(0.0, 1.0),
            max_actions=len(MOVES),
            numbers=len(MOVES),
        )

    def write_options(self, record: Record) -> None:
        record.suits, record.rounds, record.most_raises, record.first_bet = (
            self.suits,
            self.rounds,
            self.raises,
            self.bet,
        )

    def encode(self, position: Mapping[str, Any], record: Record) -> None:
        hands = [self._card(card, "hands") for card in self._list(position, "hands", rules.SEATS)]
        shown = rules.NOT_DEALT if position["shown"] is None else self._card(position["shown"], "shown")
        if len({*hands, shown}) < 3:
            raise BadPosition("hands", "a card is there twice")
        self.kernel.new_game(record, stream(0))
        record.hands[:] = hands
        for move in self._list(position, "actions", None):
            action = MOVES.index(move) if move in MOVES else -1
            buffer = [0] * len(MOVES)
            if action not in buffer[: rules.legal_actions(record, buffer)]:  # type: ignore[arg-type]
                raise BadPosition("actions", f"{move!r} is not legal there")
            self.kernel.apply(record, action, stream(0))
        if (shown == rules.NOT_DEALT) != (record.shown == rules.NOT_DEALT):
            raise BadPosition("shown", "a card in the second round, null before")
        record.shown = shown

    def _list(self, position: Mapping[str, Any], key: str, length: int | None) -> list[Any]:
        value = position[key]
        if not isinstance(value, list) or (length is not None and len(value) != length):
            raise BadPosition(key, f"a list{'' if length is None else f' of {length}'}")
        return value

    def _card(self, text: object, key: str) -> int:
        names = [self._name(card) for card in range(rules.RANKS * self.suits)]
        if text not in names:
            raise BadPosition(key, f"one of {', '.join(names)}, not {text!r}")
        return names.index(str(text))

    def _name(self, card: int) -> str:
        """``J``; with two suits ``J1`` and ``J2``."""
        return CARDS[card // self.suits] + (str(card % self.suits + 1) if self.suits > 1 else "")

    def decode(self, record: Record) -> Json:
        return {
            "phase": "over" if record.over else f"round {int(record.round_number) + 1}",
            "hands": [self._name(int(card)) for card in record.hands],
            "shown": None if record.shown == rules.NOT_DEALT else self._name(int(record.shown)),
            "actions": [MOVES[int(action) - 1] for action in record.log[: record.log_length]],
        }

    def hide(self, position: Json, seat: int | None) -> Json:
        hands = [card if place == seat else None for place, card in enumerate(position["hands"])]
        return {**position, "hands": hands}

    def parse(self, text: str) -> int:
        if text.strip() not in MOVES:
            raise BadMove(f"'{text}' is no move of poker: {', '.join(MOVES)}")
        return MOVES.index(text.strip())

    def format(self, action: int) -> str:
        if not 0 <= action < len(MOVES):
            raise BadMove(f"{action} is no action of poker: 0 to {len(MOVES) - 1}")
        return MOVES[action]

    def draw(self, position: Json) -> str:
        hands = "  ".join(f"{seat}: {card or '?'}" for seat, card in enumerate(position["hands"]))
        return f"{hands}  shown: {position['shown'] or '-'}  {' '.join(position['actions'])}".rstrip()


class Kuhn(Poker):
    info = KUHN
    suits, rounds, raises, bet, most = 1, 1, 1, 1, 2.0


class Leduc(Poker):
    info = LEDUC
    suits, rounds, raises, bet, most = 2, 2, 2, 2, 13.0
