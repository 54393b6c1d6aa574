"""Who is at a table and who sits where: the part of a table that has nothing to do with the game's rules.

Methods raise Refused where something is not possible, and change nothing then.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal, TypeVar

from stammtisch.core.game import Game, Json
from stammtisch.core.registry import game as game_by_name
from stammtisch.table.history import WATCHING, Counts, History, Stream
from stammtisch.table.opponents import BOT_NAMES, Rights, usual_level
from stammtisch.table.protocol import LONGEST_CHAT, LONGEST_NAME, Refused, plain_text

Kind = Literal["open", "person", "bot"]
Stage = Literal["gathering", "playing", "over"]
Kept = TypeVar("Kept")


@dataclass
class Place:
    """A seat: open, or with a person or a bot on it. Where the person is away, a bot stands in."""

    kind: Kind = "open"
    person: str | None = None
    agent: str | None = None


@dataclass
class Guest:
    """Somebody who came to the table; ``here`` while a page is connected, or just has been.

    Who is ``asleep`` let a clock run out, or the others wait: a bot plays until the person does something.
    """

    name: str = "Guest"
    here: bool = True
    asleep: bool = False


@dataclass
class Arrangement:
    """What the host has chosen. ``pace``: milliseconds between the moves of bots; None: they wait to be told.

    ``clock``: one of CLOCKS. Where a decision may take days, nobody has to stay: no bot stands in for who is away.
    """

    game: str
    options: Json = field(default_factory=dict)
    pace: int | None = 700
    hints: bool = True
    open_cards: bool = False  # where only bots play, those who watch may see all cards
    start: Json | None = None  # a position to begin from, instead of a new game
    clock: str = "off"


def read_kept(form: type[Kept], kept: Mapping[str, Any]) -> Kept:
    """What an earlier or later version has kept: fields that it did not know, or had and we have not, do no harm."""
    return form(**{one.name: kept[one.name] for one in fields(form) if one.name in kept})  # type: ignore[arg-type]


class Seating:
    """The people of a table, its seats, and what has happened there."""

    def __init__(self, code: str, arrangement: Arrangement, counts: Counts) -> None:
        self.code = code
        self.arrangement = arrangement
        self.game: Game = game_by_name(arrangement.game, **arrangement.options)
        self.places: dict[int, Place] = {seat: Place() for seat in self.game.spec.taken}
        self.guests: dict[str, Guest] = {}
        self.host: str | None = None
        self.stage: Stage = "gathering"
        self.nudges: dict[int, list[str]] = {}  # who wants a bot to play for a seat that does not move
        self.ending: list[str] = []  # who wants to end the game as it is
        self.open = False  # whether all cards are shown: only where nobody plays who could use it
        self.history = History((WATCHING, *map(str, self.places)), counts)

    @property
    def journal(self) -> list[Json]:
        return self.history.journal

    @property
    def streams(self) -> dict[str, Stream]:
        return self.history.streams

    # --- people ---------------------------------------------------------------------------------------------

    def join(self, person: str, name: str) -> None:
        """Somebody opens the table's page, for the first time or again."""
        name = plain_text(name, LONGEST_NAME) or "Guest"
        guest = self.guests.get(person)
        if guest is None:
            self.guests[person] = Guest(name)
            self.history.enter({"kind": "joined", "name": name})
        else:
            self._rename(guest, name)
        self.back(person)

    def back(self, person: str) -> None:
        """A page of this person is connected again: the bot gives the seat back."""
        guest = self.guests[person]
        if not guest.here:
            guest.here = True
            self.history.enter({"kind": "back", "name": guest.name})
        if self.host is None or not self.guests[self.host].here:
            self.host = person

    def away(self, person: str) -> None:
        """Somebody has left, or lost the connection for long: a bot takes over, and somebody else is host."""
        guest = self.guests.get(person)
        if guest is None or not guest.here:
            return
        guest.here = False
        self.history.enter({"kind": "away", "name": guest.name})
        seat = self.seat_of(person)
        if self.stage == "gathering" and seat is not None:
            self.places[seat] = Place()
        if self.host == person:
            self.host = next((other for other, one in self.guests.items() if one.here), person)
        if seat is None or self.stage == "gathering":
            self._forget_if_unneeded(person)

    def _forget_if_unneeded(self, person: str) -> None:
        if self.host != person and self.seat_of(person) is None:
            del self.guests[person]

    # --- who keeps the others waiting -----------------------------------------------------------------------

    def doze(self, seats: Iterable[int]) -> None:
        """Bots play for these people until they are back."""
        for seat in seats:
            guest = self.guests[self.places[seat].person or ""]
            guest.asleep = True
            self.nudges.pop(seat, None)
            self.history.enter({"kind": "asleep", "name": guest.name})

    def wake(self, person: str) -> None:
        guest = self.guests[person]
        if guest.asleep:
            guest.asleep = False
            self.history.enter({"kind": "back", "name": guest.name})

    def nudge(self, person: str, seat: int) -> None:
        """Somebody wants a bot to play for a seat: the host's word counts, else more than half of the others' votes."""
        if self.seat_of(person) is None and person != self.host:
            raise Refused("not_seated")
        if seat not in self.waited_for() or self.bot_at(seat) is not None or seat == self.seat_of(person):
            raise Refused("nobody_waits")
        votes = self.nudges.setdefault(seat, [])
        if person not in votes:
            votes.append(person)
        others = [one for one in self.people_playing() if one != self.places[seat].person]
        if person == self.host or 2 * sum(one in votes for one in others) > len(others):
            self.doze([seat])

    def waited_for(self) -> list[int]:
        """The seats that decide now as far as everybody knows."""
        return []

    def people_playing(self) -> list[str]:
        """Who sits here and is awake."""
        people = [place.person for place in self.places.values() if place.person is not None]
        return [one for one in people if self.guests[one].here and not self.guests[one].asleep]

    def give_up(self, person: str) -> None:
        """Leave the seat to a bot for the rest of the game."""
        seat = self.seat_of(person)
        if seat is None:
            raise Refused("not_seated")
        if self.stage != "playing":
            raise Refused("no_game")
        self._hand_over(seat, "gave_up")

    def remove(self, person: str, seat: int) -> None:
        """The host takes somebody's seat away."""
        self._only_host(person)
        place = self.places.get(seat)
        if place is None or place.person in (None, person):
            raise Refused("no_such_seat")
        self._hand_over(seat, "removed")

    def _hand_over(self, seat: int, how: str) -> None:
        person = self.places[seat].person
        assert person is not None
        self.history.enter({"kind": how, "name": self.guests[person].name})
        self.guests[person].asleep = False
        self.places[seat] = (
            Place("bot", agent=usual_level(self.game.info).agent) if self.stage == "playing" else Place()
        )
        self.nudges.pop(seat, None)
        if person in self.ending:
            self.ending.remove(person)
        if not self.guests[person].here:
            self._forget_if_unneeded(person)

    def set_clock(self, person: str, clock: str) -> None:
        self._only_host(person)
        self.arrangement.clock = clock

    def rename(self, person: str, name: str) -> None:
        self._rename(self.guests[person], plain_text(name, LONGEST_NAME) or "Guest")

    def _rename(self, guest: Guest, name: str) -> None:
        if name != guest.name:
            self.history.enter({"kind": "renamed", "name": name, "before": guest.name})
            guest.name = name

    def chat(self, person: str, text: str) -> None:
        text = plain_text(text, LONGEST_CHAT)
        if text:
            self.history.enter({"kind": "chat", "name": self.guests[person].name, "text": text})

    def seat_of(self, person: str) -> int | None:
        return next((seat for seat, place in self.places.items() if place.person == person), None)

    # --- seats ----------------------------------------------------------------------------------------------

    def sit(self, person: str, seat: int) -> None:
        self._only_between_games()
        if seat not in self.places or self._is_taken(seat, person):
            raise Refused("seat_taken")
        self.stand(person)
        self.places[seat] = Place("person", person)
        self.history.enter({"kind": "sat", "name": self.guests[person].name, "seat": seat})

    def _is_taken(self, seat: int, person: str) -> bool:
        """Whether somebody else sits there who is still at the table."""
        owner = self.places[seat].person
        return owner is not None and owner != person and self.guests[owner].here

    def stand(self, person: str) -> None:
        self._only_between_games()
        seat = self.seat_of(person)
        if seat is not None:
            self.places[seat] = Place()

    def arrange(self, person: str, seat: int, agent: str | None, rights: Rights) -> None:
        """The host puts a bot on a seat, or keeps it open for somebody."""
        self._only_host(person)
        self._only_between_games()
        if seat not in self.places:
            raise Refused("no_such_seat")
        if agent is None:
            self.places[seat] = Place()
            return
        self.places[seat] = Place("bot", agent=rights.check(agent, self.game.info))

    def swap(self, person: str, seat: int, other: int) -> None:
        """The host exchanges who sits on two seats."""
        self._only_host(person)
        self._only_between_games()
        if seat not in self.places or other not in self.places:
            raise Refused("no_such_seat")
        self.places[seat], self.places[other] = self.places[other], self.places[seat]

    def set_pace(self, person: str, ms: int | None) -> None:
        self._only_host(person)
        self.arrangement.pace = ms

    def _only_host(self, person: str) -> None:
        if person != self.host:
            raise Refused("only_host")

    def _only_between_games(self) -> None:
        if self.stage == "playing":
            raise Refused("game_runs")

    # --- what is shown of it ---------------------------------------------------------------------------------

    def bot_at(self, seat: int) -> str | None:
        """The agent that decides for a seat now: its bot, or the one that stands in; None while a person does."""
        place = self.places[seat]
        if place.kind == "bot":
            return place.agent
        assert place.person is not None
        guest = self.guests[place.person]
        stands_in = guest.asleep or not (guest.here or self.arrangement.clock == "days")
        return usual_level(self.game.info).agent if stands_in else None

    def _only_bots(self) -> bool:
        return all(place.kind == "bot" for place in self.places.values())

    def audience_of(self, person: str) -> str:
        seat = self.seat_of(person)
        return WATCHING if seat is None else str(seat)

    def table_for(self, person: str) -> Json:
        """The table itself for this person's page."""
        return {
            "code": self.code,
            "game": self.arrangement.game,
            "options": self.game.options,
            "stage": self.stage,
            "pace": self.arrangement.pace,
            "clock": self.arrangement.clock,
            "hints": self.arrangement.hints,
            "open": self.open,
            "seats": [self._describe_seat(seat) for seat in range(self.game.spec.seats)],
            "sides": self.game.spec.sides,
            "watching": sorted(one.name for who, one in self.guests.items() if one.here and self.seat_of(who) is None),
            "ending": [self.guests[one].name for one in self.ending],
            "you": {
                "seat": self.seat_of(person),
                "host": person == self.host,
                "name": self.guests[person].name,
                "asleep": self.guests[person].asleep,
                "ends": person in self.ending,
            },
        }

    def _describe_seat(self, seat: int) -> Json:
        place = self.places.get(seat)
        if place is None:
            return {"kind": "empty", "name": "", "agent": None, "away": False, "nudges": 0, "host": False}
        guest = self.guests.get(place.person or "")
        return {
            "kind": place.kind,
            "name": self._seat_name(seat),
            "agent": place.agent,
            "away": guest is not None and (guest.asleep or not guest.here),
            "nudges": len(self.nudges.get(seat, ())),
            "host": place.person is not None and place.person == self.host,
        }

    def _seat_name(self, seat: int) -> str:
        place = self.places[seat]
        if place.kind == "person" and place.person is not None:
            return self.guests[place.person].name
        return BOT_NAMES[seat % len(BOT_NAMES)] if place.kind == "bot" else ""

    def player_names(self) -> list[str]:
        """Who plays, per seat, for the record."""
        names = []
        for seat in range(self.game.spec.seats):
            place = self.places.get(seat)
            agent = f" ({place.agent})" if place and place.agent else ""
            names.append(f"{self._seat_name(seat)}{agent}" if place else "")
        return names
