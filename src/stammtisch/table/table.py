"""A table: who sits where, the game that is played, and what each of its guests has heard. No network, no clock.

Everything that happens is an entry of the table's journal. What a guest hears is the journal filtered for the own
place: entries have no number of their own, only a place in each listener's stream, so a question that only one seat
knows of leaves no gap for the others.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from stammtisch.core.errors import BadMove, IllegalMove
from stammtisch.core.game import NOBODYS_RNG, Game, Json, State
from stammtisch.core.record import GameRecord, Recorder
from stammtisch.core.registry import game as game_by_name
from stammtisch.table import deal
from stammtisch.table.opponents import BOT_NAMES, Rights, usual_level
from stammtisch.table.protocol import LONGEST_CHAT, LONGEST_NAME, MOST_MOVES, Refused, plain_text

WATCHING = "watch"  # the listener that all who have no seat share
Kind = Literal["open", "person", "bot"]
Stage = Literal["gathering", "playing", "over"]


@dataclass
class Place:
    """A seat: open, or with a person or a bot on it. Where the person is away, a bot stands in."""

    kind: Kind = "open"
    person: str | None = None
    agent: str | None = None


@dataclass
class Guest:
    """Somebody who came to the table; ``here`` while a page is connected, or just has been."""

    name: str
    here: bool = True


@dataclass
class Arrangement:
    """What the host has chosen. ``pace``: milliseconds between the moves of bots; None: they wait to be told."""

    game: str
    options: Json = field(default_factory=dict)
    pace: int | None = 700
    hints: bool = True
    open_cards: bool = False  # where only bots play, those who watch may see all cards
    start: Json | None = None  # a position to begin from, instead of a new game


@dataclass
class Shown:
    """What was worked out of the present position, once for all pages and messages."""

    wholes: dict[int, Json] = field(default_factory=dict)  # by the identity of a state, which lives as long as this
    views: dict[str, Json] = field(default_factory=dict)
    moves: dict[str, tuple[list[Json] | None, list[str]]] = field(default_factory=dict)


class Table:
    """Methods raise Refused where something is not possible, and change nothing then."""

    def __init__(self, code: str, arrangement: Arrangement) -> None:
        self.code = code
        self.arrangement = arrangement
        self.game: Game = game_by_name(arrangement.game, **arrangement.options)
        self.places: dict[int, Place] = {seat: Place() for seat in self.game.spec.taken}
        self.guests: dict[str, Guest] = {}
        self.host: str | None = None
        self.stage: Stage = "gathering"
        self.open = False  # whether all cards are shown: only where nobody plays who could use it
        self.seed = ""
        self.record_id: str | None = None
        self.recorder: Recorder | None = None
        self.journal: list[Json] = []
        self.streams: dict[str, list[Json]] = {audience: [] for audience in (WATCHING, *map(str, self.places))}
        self._asked: dict[int, int] = {}  # the seats whose turn it is, as they see it; how much each had heard then
        self._mover: int | None = None  # who made the last move that all know of
        self._dark: dict[str, int] = {}  # listeners who must not know who is asked something; who decides, for them
        self._behind: dict[str, State] = {}  # listeners who would see it by that nothing goes on: they see this still
        self._held: dict[str, list[Json]] = {audience: [] for audience in self.streams}  # what these hear later
        self._steps = 0  # moves that bots may make though their pace is None
        self._shown = Shown()

    # --- people ---------------------------------------------------------------------------------------------

    def join(self, person: str, name: str) -> None:
        """Somebody opens the table's page, for the first time or again."""
        name = plain_text(name, LONGEST_NAME) or "Guest"
        guest = self.guests.get(person)
        if guest is None:
            self.guests[person] = Guest(name)
            self._enter({"kind": "joined", "name": name})
        else:
            self._rename(guest, name)
        self.back(person)

    def back(self, person: str) -> None:
        """A page of this person is connected again: the bot gives the seat back."""
        guest = self.guests[person]
        if not guest.here:
            guest.here = True
            self._enter({"kind": "back", "name": guest.name})
        if self.host is None or not self.guests[self.host].here:
            self.host = person

    def away(self, person: str) -> None:
        """Somebody has left, or lost the connection for long: a bot takes over, and somebody else is host."""
        guest = self.guests.get(person)
        if guest is None or not guest.here:
            return
        guest.here = False
        self._enter({"kind": "away", "name": guest.name})
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

    def rename(self, person: str, name: str) -> None:
        self._rename(self.guests[person], plain_text(name, LONGEST_NAME) or "Guest")

    def _rename(self, guest: Guest, name: str) -> None:
        if name != guest.name:
            self._enter({"kind": "renamed", "name": name, "before": guest.name})
            guest.name = name

    def chat(self, person: str, text: str) -> None:
        text = plain_text(text, LONGEST_CHAT)
        if text:
            self._enter({"kind": "chat", "name": self.guests[person].name, "text": text})

    def seat_of(self, person: str) -> int | None:
        return next((seat for seat, place in self.places.items() if place.person == person), None)

    # --- seats ----------------------------------------------------------------------------------------------

    def sit(self, person: str, seat: int) -> None:
        self._only_between_games()
        if seat not in self.places or self._is_taken(seat, person):
            raise Refused("seat_taken")
        self.stand(person)
        self.places[seat] = Place("person", person)
        self._enter({"kind": "sat", "name": self.guests[person].name, "seat": seat})

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

    def step(self, person: str) -> None:
        """Let the bots, which wait, make one move."""
        self._only_host(person)
        self._steps = 1

    def _only_host(self, person: str) -> None:
        if person != self.host:
            raise Refused("only_host")

    def _only_between_games(self) -> None:
        if self.stage == "playing":
            raise Refused("game_runs")

    # --- the game -------------------------------------------------------------------------------------------

    def start(self, person: str) -> None:
        """The host begins, or begins again; seats that are still open get bots."""
        self._only_host(person)
        self._only_between_games()
        for place in self.places.values():
            if place.kind == "open":
                place.kind, place.agent = "bot", usual_level(self.game.info).agent
        self.seed = deal.new_seed()
        entry = {"kind": "start", "fingerprint": deal.fingerprint(self.seed), "players": self.player_names()}
        self._enter({**entry, "open": self.arrangement.open_cards and self._only_bots()})
        self._begin(self.journal[-1])

    def _begin(self, entry: Json) -> None:
        given = self.arrangement.start
        state = deal.deal(self.game, self.seed) if given is None else self.game.from_json(given, int(self.seed, 16))
        self.recorder = Recorder(state, entry["players"])
        self.open = entry["open"]
        self.stage = "playing"
        self.record_id = None
        self._asked, self._mover, self._behind, self._shown = {}, None, {}, Shown()
        self._dark = self._unaware()
        self._begin_turns(None)

    @property
    def state(self) -> State | None:
        return None if self.recorder is None else self.recorder.state

    @property
    def decider(self) -> int | None:
        """The seat that decides now."""
        return None if self.recorder is None or self.stage != "playing" else self.recorder.state.player

    def bot_at(self, seat: int) -> str | None:
        """The agent that decides for a seat now: its bot, or the one that stands in; None while a person does."""
        place = self.places[seat]
        if place.kind == "bot":
            return place.agent
        assert place.person is not None
        return None if self.guests[place.person].here else usual_level(self.game.info).agent

    def _only_bots(self) -> bool:
        return all(place.kind == "bot" for place in self.places.values())

    @property
    def bots_may_move(self) -> bool:
        return self.arrangement.pace is not None or self._steps > 0

    def question(self) -> str | None:
        """The move of the seat that decides that nobody would hear of, where nobody else knows that it is asked."""
        state = self.state
        if state is None or WATCHING not in self._dark:
            return None
        unheard = (action for action in state.actions() if state.told(action, None) is None)
        return next(map(self.game.format, unheard), None)

    def move(self, person: str, text: str, at: int) -> None:
        """A person plays. ``at`` is how much the page had heard: a move for an earlier turn is refused.

        Judged is what the seat may know. If another one is asked something meanwhile, it was too slow with its answer.
        """
        seat = self.seat_of(person)
        if seat is None:
            raise Refused("not_seated")
        if self.recorder is None or self.stage != "playing":
            raise Refused("no_game")
        try:
            action = self.game.parse(text)
        except BadMove as error:
            raise Refused("not_a_move", str(error)) from None
        seen, behind = self.seen(str(seat)), str(seat) in self._behind
        if behind:
            action = self._as_call(seen, seat, action)
        if action not in seen.calls(seat):
            if seat not in self._asked:
                raise Refused("not_your_turn")
            if at < self._asked[seat]:
                raise Refused("stale")
            if action not in seen.seat(seat).actions():
                raise Refused("illegal", f"{text} is not legal now")
            while self.decider != seat and not behind:
                self._let_be()
        if not behind or action in self.recorder.state.calls(seat):  # who is behind has played already
            self._play(seat, action)

    def _let_be(self) -> None:
        """The seat that is asked without the others' knowledge does nothing."""
        seat, unheard = self.decider, self.question()
        assert seat is not None
        assert unheard is not None
        self._play(seat, self.game.parse(unheard))

    def bot_move(self, seat: int, action: int) -> None:
        """A bot, or the clock, plays for the seat that decides."""
        if self.recorder is None or self.decider != seat or action not in self.recorder.state.actions():
            raise Refused("illegal")
        if self.bot_at(seat) is not None and self.arrangement.pace is None and self.question() is None:
            self._steps = 0
        self._play(seat, action)

    def _play(self, seat: int, action: int) -> None:
        assert self.recorder is not None
        before = self.recorder.state.copy()
        entry = self._describe_move(before, seat, self._as_call(before, seat, action))
        try:
            self.recorder.play(entry["move"])
        except IllegalMove as error:
            raise Refused("illegal", str(error)) from None
        self._follow(entry, before)
        if self.recorder.state.over:
            self._finish()

    def _as_call(self, state: State, seat: int, action: int) -> int:
        """Who is asked without the others' knowledge and says what could be said at any time, says it in that form."""
        if self._dark and action in state.actions():
            after = _after(state, action)
            return next((call for call in state.calls(seat) if _after(state, call) == after), action)
        return action

    def _describe_move(self, state: State, seat: int, action: int) -> Json:
        """The journal's entry of a move that is about to be played: who will be told what."""
        entry: Json = {"kind": "move", "seat": seat, "move": self.game.format(action)}
        entry["comment"] = self.game.comment(state, action) if action in state.actions() else ""
        if self.game.spec.hidden and not self.open:
            told = {name: state.told(action, _seat(name)) for name in self.streams}
            entry["told"] = told
            entry["unheard"] = [name for name in told if told[name] is None and name in self._dark]
        return entry

    def _follow(self, entry: Json, before: State) -> None:
        """After a move: who sees and hears what."""
        self._shown = Shown()
        self._dark = self._unaware()
        if not entry.get("unheard") and self.game.parse(entry["move"]) in before.actions():
            self._mover = entry["seat"]
        late = [name for name, player in self._dark.items() if player == self._mover]
        self._behind = {name: self._behind.get(name, before) for name in late}
        if late:
            entry["late"] = late
        self._enter(entry)
        self._begin_turns(entry["seat"])

    def _unaware(self) -> dict[str, int]:
        """The listeners who must not know what the seat that decides is asked, since that tells of its cards."""
        state = self.state
        if state is None or not self.game.spec.hidden or self.open:
            return {}
        whole = self._whole(state)
        views = {name: self.game.hide(whole, _seat(name)) for name in self.streams}
        unaware = [name for name in views if any(views[name][key] != whole[key] for key in ("player", "phase"))]
        return {name: views[name]["player"] for name in unaware}

    def _begin_turns(self, mover: int | None) -> None:
        """After a start or a move; somebody's call does not end the turn of the seat that is thinking."""
        deciding = [seat for seat in self.places if self._shown_player(str(seat)) == seat]
        since = {seat: len(self.streams[str(seat)]) for seat in deciding}
        self._asked = since | {seat: at for seat, at in self._asked.items() if seat in since and seat != mover}

    def _finish(self) -> None:
        assert self.recorder is not None
        self.stage = "over"
        self._enter({"kind": "end", "scores": self.recorder.state.scores(), "seed": self.seed})

    def record(self) -> GameRecord:
        """The game so far, with what proves that its deal was fair."""
        assert self.recorder is not None
        given = {} if self.arrangement.start is None else {"from_position": True}
        return self.recorder.record(table=self.code, seed=self.seed, fingerprint=deal.fingerprint(self.seed), **given)

    # --- what guests hear and see ---------------------------------------------------------------------------

    def _enter(self, entry: Json) -> None:
        self.journal.append(entry)
        for audience, stream in self.streams.items():
            heard = hear(entry, audience)
            if entry["kind"] != "move":
                stream.append(entry)
                continue
            held = self._held[audience]
            if heard is not None:
                held.append(heard)
            if audience not in entry.get("late", ()):
                stream += held
                held.clear()

    def audience_of(self, person: str) -> str:
        seat = self.seat_of(person)
        return WATCHING if seat is None else str(seat)

    def seen(self, audience: str) -> State:
        """The position that these listeners are at."""
        assert self.recorder is not None
        return self._behind.get(audience, self.recorder.state)

    def view(self, audience: str) -> Json:
        """The position as these listeners may see it."""
        if audience not in self._shown.views:
            whole = self._whole(self.seen(audience))
            self._shown.views[audience] = whole if self.open else self.game.hide(whole, _seat(audience))
        return self._shown.views[audience]

    def _whole(self, state: State) -> Json:
        if id(state) not in self._shown.wholes:
            self._shown.wholes[id(state)] = state.to_json()
        return self._shown.wholes[id(state)]

    def _shown_player(self, audience: str) -> int | None:
        """Who decides, as far as these listeners know."""
        player: int | None = self.view(audience)["player"] if self.game.spec.hidden else self.decider
        return player

    def game_for(self, audience: str) -> Json | None:
        """The running or finished game for a page: position, legal moves, scores."""
        if self.recorder is None:
            return None
        if self.stage == "playing" and audience not in self._shown.moves:
            self._shown.moves[audience] = self._moves_for(audience)
        moves, calls = self._shown.moves[audience] if self.stage == "playing" else ([], [])
        state = self.seen(audience)
        return {
            "view": self.view(audience),
            "moves": moves,
            "calls": calls,
            "scores": state.scores(),
            "over": state.over,
            "remark": self.game.remark(state) if state.over else "",
            "fingerprint": deal.fingerprint(self.seed),
            "seed": self.seed if state.over else None,
            "record": self.record_id if state.over else None,
        }

    def _moves_for(self, audience: str) -> tuple[list[Json] | None, list[str]]:
        """What a seat may play, None where that is too much to list, and what it may call out of turn."""
        state, seat = self.seen(audience), _seat(audience)
        if seat is None:
            return [], []
        calls = [self.game.format(action) for action in state.calls(seat)]
        if self._shown_player(audience) != seat:
            return [], calls
        known = state.seat(seat).sample(NOBODYS_RNG.copy())
        actions = known.actions() if known.player == seat else []
        if len(actions) > MOST_MOVES:
            return None, calls
        return [{"move": self.game.format(a), "comment": self.game.comment(known, a)} for a in actions], calls

    def table_for(self, person: str) -> Json:
        """The table itself for this person's page."""
        return {
            "code": self.code,
            "game": self.arrangement.game,
            "options": self.game.options,
            "stage": self.stage,
            "pace": self.arrangement.pace,
            "hints": self.arrangement.hints,
            "open": self.open,
            "seats": [self._describe_seat(seat) for seat in range(self.game.spec.seats)],
            "sides": self.game.spec.sides,
            "watching": sorted(one.name for who, one in self.guests.items() if one.here and self.seat_of(who) is None),
            "you": {"seat": self.seat_of(person), "host": person == self.host, "name": self.guests[person].name},
        }

    def _describe_seat(self, seat: int) -> Json:
        place = self.places.get(seat)
        if place is None:
            return {"kind": "empty", "name": "", "agent": None, "away": False, "host": False}
        guest = self.guests.get(place.person or "")
        return {
            "kind": place.kind,
            "name": self._seat_name(seat),
            "agent": place.agent,
            "away": guest is not None and not guest.here,
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

    # --- keeping --------------------------------------------------------------------------------------------

    def to_row(self) -> Json:
        """All that is not in the journal."""
        return {
            "arrangement": vars(self.arrangement).copy(),
            "places": {str(seat): vars(place).copy() for seat, place in self.places.items()},
            "guests": {person: vars(guest).copy() for person, guest in self.guests.items()},
            "host": self.host,
            "stage": self.stage,
            "seed": self.seed,
            "record": self.record_id,
        }

    @classmethod
    def from_row(cls, code: str, row: Json, journal: list[Json]) -> Table:
        """The table as it was: the running game is played again from its seed."""
        table = cls(code, Arrangement(**row["arrangement"]))
        table.places = {int(seat): Place(**place) for seat, place in row["places"].items()}
        table.guests = {person: Guest(**guest) for person, guest in row["guests"].items()}
        table.host, table.seed = row["host"], row["seed"]
        last_start = max((at for at, entry in enumerate(journal) if entry["kind"] == "start"), default=len(journal))
        for at, entry in enumerate(journal):
            if at > last_start and entry["kind"] == "move":
                assert table.recorder is not None
                before = table.recorder.state.copy()
                table.recorder.play(entry["move"])
                table._follow(entry, before)
            else:
                table._enter(entry)
            if at == last_start:
                table._begin(entry)
        table.stage, table.record_id = row["stage"], row["record"]
        return table


def hear(entry: Json, audience: str) -> Json | None:
    """What these listeners hear of a journal's entry; None where they must not even know that it was made."""
    if "told" not in entry:
        return entry
    if audience in entry["unheard"]:
        return None
    told = entry["told"][audience]
    return {"kind": "move", "seat": entry["seat"], "move": told, "comment": entry["comment"] if told else ""}


def _after(state: State, action: int) -> bytes:
    after = state.copy()
    after.apply(action)
    return after.bytes()


def _seat(audience: str) -> int | None:
    return None if audience == WATCHING else int(audience)
