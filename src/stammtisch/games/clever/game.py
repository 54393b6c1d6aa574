"""Ganz schön clever for people: options, positions as JSON, moves as text, the sheet as a picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from stammtisch.core.errors import BadOption
from stammtisch.core.game import Game, GameSpec, Json, State
from stammtisch.core.kernel import Record
from stammtisch.games.clever import INFO, features, layout, notation, picture, rules
from stammtisch.games.clever.kernel import KERNEL
from stammtisch.games.clever.mind import MINDS
from stammtisch.games.clever.sheet import ALL_BLUE, AREAS, BONUSES, CELLS, PRINTED, area_points, last_purple, usable

RATINGS = (  # from how many points, and what the rule book calls it
    (281, "You're so clever!"),
    (260, "Are you Einstein?"),
    (240, "What a genius!"),
    (220, "That's impressive!"),
    (200, "Hat's off!"),
    (180, "Great result!"),
    (160, "Pretty good!"),
    (140, "Not bad."),
    (0, "Try harder!"),
)


def rating(points: float) -> str:
    """What the rule book says to a player alone.

    >>> rating(139), rating(260), rating(281)
    ('Try harder!', 'Are you Einstein?', "You're so clever!")
    """
    return next(text for least, text in RATINGS if points >= least)


class Clever(Game):
    info = INFO
    kernel = KERNEL
    minds = MINDS
    position_keys = ("sheets", "dice")
    optional_keys = ("round", "roll", "active", "starter", "place", "extra_used")
    chance_keys = ("dice", "place")

    @property
    def players(self) -> int:
        return int(self.options["players"] or 1)

    def describe(self) -> GameSpec:
        kind = self.options["rules"]
        if kind != "official" and self.players > 1:
            raise BadOption(f"option players={self.players}: with rules={kind} one plays alone")
        if self.options["dice"] is not None and kind != "prototype":
            raise BadOption(f"option dice={self.options['dice']}: only the prototype has fewer dice")
        return GameSpec(
            seats=self.players,
            sides=tuple((seat,) for seat in range(self.players)),
            hidden=False,
            chance=True,
            score_range=(0.0, 625.0),
            score_sum=None,
            observation_shape=(features.size(self.players),),
            observation_range=(0.0, 1.0),
            max_actions=rules.MOST_ACTIONS,
            numbers=rules.ACTIONS,
        )

    def write_options(self, record: Record) -> None:
        kind = self.options["rules"]
        record.players = self.players
        record.thesis = kind == "thesis"
        record.prototype = (self.options["dice"] or 4) if kind == "prototype" else 0
        record.queue = self.options["bonus_order"] == "queue"
        for name in ("bonus_optional", "pass_anytime", "passive_optional", "passive_fallback"):
            record[name] = self.options[name]

    def encode(self, position: Mapping[str, Any], record: Record) -> None:
        layout.read_position(position, record)

    def decode(self, record: Record) -> Json:
        return layout.write_position(record)

    def parse(self, text: str) -> int:
        return notation.read_move(text)

    def format(self, action: int) -> str:
        return notation.write_move(action)

    def draw(self, position: Json) -> str:
        return picture.draw(position)

    def paint(self, position: Json) -> list[tuple[str, str]]:
        return picture.paint(position)

    def seat_name(self, seat: int) -> str:
        return f"Player {seat}"

    def comment(self, state: State, action: int) -> str:
        """What the action brings: points, bonuses, and the dice that it costs."""
        action = state.legal(action)
        before, after = state.record, state.copy().record
        rules.place(after, action)
        seat = int(before.turn)
        points = sum(int(area_points(after, seat, i)) - int(area_points(before, seat, i)) for i in range(len(AREAS)))
        found = [f"{points} point{'s' if points > 1 else ''}"] if points else []
        for name, what in (("foxes", "a fox"), ("rerolls", "a re-roll"), ("extras", "a +1")):
            spent = (
                name == "extras" and before.phase in (rules.ACTIVE_EXTRA, rules.PASSIVE_EXTRA) and action < rules.END
            )
            found += [what] if after[name][seat] + spent > before[name][seat] else []
        waiting = list(before.pending[seat, : before.open[seat]])
        if action >= rules.BONUS:
            waiting.remove((action - rules.BONUS) // (CELLS + 1))
        found += [BONUSES[bonus].replace("_", " ") for bonus in after.pending[seat, len(waiting) : after.open[seat]]]
        gone = [
            die for i, die in enumerate(rules.DICE) if before.places[i] == rules.POOL and after.places[i] == rules.TRAY
        ]
        return ", ".join(found + ([f"{' '.join(gone)} to the tray"] if gone else []))

    def remark(self, state: State) -> str:
        """How the points add up, and what the rule book says to a player alone."""
        lines = []
        for seat in range(self.players):
            areas = [int(area_points(state.record, seat, area)) for area in range(len(AREAS))]
            parts = " + ".join(f"{name} {points}" for name, points in zip(AREAS, areas, strict=True))
            foxes, total = int(state.record.foxes[seat]), int(state.scores()[seat])
            who = f"{self.seat_name(seat)}: " if self.players > 1 else ""
            lines.append(f"{who}{parts} + {foxes} foxes x {min(areas)} = {total}")
        if self.players == 1 and self.options["rules"] != "prototype":
            lines.append(rating(total))
        return "\n".join(lines)

    def tally(self, record: Record) -> dict[str, tuple[int, ...]]:
        """The points of the areas, and the foxes."""
        seats = range(self.players)
        areas = {name: tuple(int(area_points(record, seat, i)) for seat in seats) for i, name in enumerate(AREAS)}
        return {**areas, "foxes": tuple(int(record.foxes[seat]) for seat in seats)}

    def problems(self, record: Record) -> list[str]:
        found = []
        for seat in range(self.players):
            if record.yellow[seat] & PRINTED != PRINTED or record.blue[seat] & ~ALL_BLUE:
                found.append(f"seat {seat}: crosses where no cells are")
            if not 0 <= record.extras[seat] <= 7 or not 0 <= record.rerolls[seat] <= 7 or record.foxes[seat] > 5:
                found.append(f"seat {seat}: more actions or foxes than the sheet has")
            lost = [bonus for bonus in record.pending[seat, : record.open[seat]] if not usable(record, seat, bonus)]
            if lost:
                found.append(f"seat {seat}: an open bonus that has no cell")
            if record.purples[seat] and not 0 <= last_purple(record, seat) < 6:
                found.append(f"seat {seat}: a purple number that no die has")
        return found
