"""Tichu for people: options, moves, calls out of turn. Positions are read and written by layout.py."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from stammtisch.core.checks import code, whole
from stammtisch.core.errors import IllegalMove
from stammtisch.core.game import NOBODYS_RNG, Game, GameSpec, Json, Seat, State
from stammtisch.core.kernel import Record, Records
from stammtisch.core.rng import Rng
from stammtisch.games.tichu import INFO, layout, notation, picture, selection
from stammtisch.games.tichu.cards import ALL_CARDS, count, points_of
from stammtisch.games.tichu.combinations import PASS, holds_bomb
from stammtisch.games.tichu.features import ACTION_FEATURES, INPUTS, describe_actions
from stammtisch.games.tichu.figures import describe
from stammtisch.games.tichu.kernel import KERNEL
from stammtisch.games.tichu.mind import MINDS
from stammtisch.games.tichu.numbers import NUMBERS
from stammtisch.games.tichu.policy import likely_gifts
from stammtisch.games.tichu.rules import (
    ANNOUNCE,
    BOMB_PHASE,
    CALL_TICHU,
    ENDED,
    GRAND,
    MOST_ACTIONS,
    PLAY,
    SCHUPF,
    SCHUPF_CARDS,
    SEATS,
    SPECIAL,
    may_announce,
    round_is_over,
)

GIFTS = 3  # cards that a search considers for each of the others


class TichuState(State):
    """A position with calls out of turn: ``announce(seat)``, in records the move ``tichu 2``."""

    __slots__ = ()

    def announce(self, seat: int) -> None:
        """Call tichu for a seat, whoever is on turn."""
        self.apply(ANNOUNCE + whole(seat, "a seat", 0, SEATS - 1))

    def calls(self, seat: int) -> list[int]:
        seat = whole(seat, "a seat", 0, SEATS - 1)
        return [ANNOUNCE + seat] if may_announce(self.record, seat) else []

    def might_step_in(self, action: int | None = None) -> list[int]:
        """Who might throw a bomb at a new play, or when everybody has passed: seats with cards enough, while among all
        cards that have not been played is a bomb that beats the trick.
        """
        record = self.record
        if record.phase not in (PLAY, BOMB_PHASE) or record.owner < 0:
            return []
        others = sum(bool(record.hand[seat]) for seat in range(SEATS) if seat != record.owner)
        closes = action == PASS and record.phase == PLAY and record.passes + 1 >= others
        if action is not None and not closes:
            return []
        if action is None and record.passes:  # asked are the same as after the play: the others need not wait again
            return []
        unplayed = int(np.bitwise_or.reduce(record.hand))
        if not holds_bomb(unplayed, int(record.kind), int(record.rank)):
            return []
        return [seat for seat in range(SEATS) if count(record.hand[seat]) >= 4 and (closes or seat != record.turn)]

    def together(self) -> dict[int, State]:
        """Grand tichu and schupfen: all who have not been asked yet."""
        record, order = self.record, [(int(self.record.turn) + i) % SEATS for i in range(SEATS)]
        if record.phase == GRAND:
            return self._asked_first(range(int(record.turn), SEATS))
        return self._asked_first(seat for seat in order if record.phase == SCHUPF and not record.given[seat, 0])

    def _asked_first(self, seats: Iterable[int]) -> dict[int, State]:
        found: dict[int, State] = {seat: self.copy() for seat in seats}
        for seat, state in found.items():
            state.record.turn = seat
        return found if len(found) > 1 else {}

    def apply(self, action: int) -> None:
        action = code(action)
        if ANNOUNCE <= action < ANNOUNCE + SEATS:
            seat = action - ANNOUNCE
            if not may_announce(self.record, seat):
                raise IllegalMove(f"seat {seat} cannot call tichu now: {self._why_not(seat)}")
            self.game.kernel.apply(self.record, action, self.rng)
        else:
            super().apply(action)

    def _why_not(self, seat: int) -> str:
        record = self.record
        if record.phase == ENDED:
            return "the game is over"
        if record.phase == GRAND:
            return "not all cards are dealt yet"
        if record.announced[seat]:
            return "it has called already"
        return "it has played a card"

    def told(self, action: int, seat: int | None) -> str | None:
        """As for every game; besides, a call is heard also while schupfing, and who keeps a bomb back stays unknown."""
        if action in (CALL_TICHU, *range(ANNOUNCE, ANNOUNCE + SEATS)):
            return self.game.format(action)
        if self.record.phase == BOMB_PHASE and action == PASS and seat != self.player:
            return None
        return super().told(action, seat)


class Tichu(Game):
    info = INFO
    kernel = KERNEL
    minds = MINDS
    position_keys = layout.KEYS
    optional_keys = layout.OPTIONAL_KEYS
    chance_keys = ("hands", "undealt")
    describe_actions = staticmethod(describe_actions)
    action_features = ACTION_FEATURES

    def describe(self) -> GameSpec:
        rounds = self.options["rounds"]
        low = -425.0 * int(rounds) if isinstance(rounds, int) else -1e9
        most = 1e9 if self.options["play_on"] else float(int(self.options["target"] or 0) + 399)
        return GameSpec(
            seats=SEATS,
            sides=((0, 2), (1, 3)),
            hidden=True,
            chance=rounds != 1,
            score_range=(low, 400.0 if rounds == 1 else most),
            score_sum=None,
            observation_shape=(INPUTS,),
            observation_range=(-2.0, 2.0),
            max_actions=MOST_ACTIONS,
            numbers=NUMBERS,
            alike=True,
            won_or_lost=rounds != 1,
            usual_length=120 * (int(rounds) if rounds and int(rounds) < 20 else 20),
        )

    def write_options(self, record: Record) -> None:
        record.target = self.options["target"]
        record.rounds = self.options["rounds"] or 0
        record.play_on = self.options["play_on"]
        record.wish_optional = self.options["wish_optional"]
        record.bomb_may_ignore_wish = self.options["bomb_may_ignore_wish"]
        record.merged = self.options["merged"]
        record.weighted = self.options["weighted"]

    def state(self, records: Records, rng: Rng) -> TichuState:
        return TichuState(self, records, rng)

    def encode(self, position: Mapping[str, Any], record: Record) -> None:
        layout.read_position(position, record)

    def decode(self, record: Record) -> Json:
        return layout.write_position(record)

    def hide(self, position: Json, seat: int | None) -> Json:
        return layout.hide(position, seat)

    def problems(self, record: Record) -> list[str]:
        """No card twice; in a round that was played from the deal, all cards and all hundred points are somewhere."""
        found = []
        hands = [int(hand) for hand in record.hand]
        aside = [1 << (int(card) - 1) for gifts in record.given for card in gifts if card]
        parts = [*hands, *(int(cards) for cards in record.undealt), *(aside if record.phase == SCHUPF else [])]
        parts += [int(line) & ALL_CARDS for line in record.log[: record.log_length]]
        together = 0
        for part in parts:
            if together & part:
                found.append("hands: a card is there twice")
            together |= part
        if together != ALL_CARDS:
            found.append(f"hands: {56 - int(count(together))} cards are missing")
        counted = int(record.points.sum()) + int(record.trick_points) + sum(int(points_of(hand)) for hand in hands)
        if record.phase not in (GRAND, SCHUPF, ENDED) and counted != 100:
            found.append(f"points: {counted} in tricks and hands together, not 100")
        if record.phase not in (GRAND, SCHUPF, ENDED) and record.owner < 0 and round_is_over(record):
            found.append("out: the round is over but was not counted")
        return found

    def tally(self, record: Record) -> dict[str, tuple[int, ...]]:
        """Calls won and lost, and who was first out, of games of one round."""
        if self.options["rounds"] != 1:
            return {}
        first = [seat == int(record.finished[0]) for seat in range(SEATS)]
        found: dict[str, tuple[int, ...]] = {"first out": tuple(map(int, first))}
        for call, name in ((1, "tichu"), (2, "grand tichu")):
            called = [int(one) == call for one in record.announced]
            found[f"{name} won"] = tuple(int(c and f) for c, f in zip(called, first, strict=True))
            found[f"{name} lost"] = tuple(int(c and not f) for c, f in zip(called, first, strict=True))
        return found

    def narrow(self, seat: Seat) -> tuple[Seat, list[int]]:
        """Search this round only, one of plays that are the same, and only gifts that make sense."""
        near = seat.under(Tichu(**{**self.options, "rounds": 1, "merged": True, "weighted": True}))
        actions = near.actions()
        if actions and actions[-1] >= SCHUPF_CARDS:
            out = np.empty(GIFTS**3 + 1, dtype=np.int64)
            n = likely_gifts(near.sample(NOBODYS_RNG.copy()).record, seat.index, GIFTS, out)
            actions = [*(action for action in actions if action < SCHUPF_CARDS), *sorted(int(a) for a in out[:n])]
        return near, actions

    def explain(self, seat: Seat, text: str) -> Json:
        return selection.explain(seat, text)

    def seat_name(self, seat: int) -> str:
        return f"Seat {seat} (team {'20' if seat % 2 == 0 else '31'})"

    def parse(self, text: str) -> int:
        return notation.read_move(text)

    def format(self, action: int) -> str:
        return notation.write_move(action)

    def comment(self, state: State, action: int) -> str:
        """What was played, and what became of it."""
        if action == PASS and state.record.phase == BOMB_PHASE:
            return "keeps the bomb"
        if not 0 < action < SPECIAL:
            return ""
        seat = state.player
        found = [describe(action)]
        if seat is not None and int(count(state.record.hand[seat])) == int(count(action & ALL_CARDS)):
            found.append(f"seat {seat} is out")
        return ", ".join(found)

    def draw(self, position: Json) -> str:
        return "".join(text for text, _ in self.paint(position))

    def paint(self, position: Json) -> list[tuple[str, str]]:
        return picture.paint(position)
