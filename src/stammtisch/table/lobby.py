"""All tables: new ones, and those that are kept on disk."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import sqlite3
from collections.abc import Mapping
from concurrent.futures import Executor
from typing import Any

from stammtisch.core.errors import StammtischError
from stammtisch.core.game import Json
from stammtisch.core.record import GameRecord
from stammtisch.core.registry import game as game_by_name
from stammtisch.core.registry import games
from stammtisch.table.opponents import Rights, usual_level
from stammtisch.table.protocol import Refused
from stammtisch.table.room import Room
from stammtisch.table.seating import Arrangement
from stammtisch.table.settings import Settings
from stammtisch.table.store import Store, Unreadable
from stammtisch.table.table import Table
from stammtisch.table.thinking import Thinkers

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # no signs that are mistaken for others
_KEYS = {"game", "options", "seats", "agent", "seat", "name", "start", "hints", "pace", "open", "from"}


def person_of(token: str) -> str:
    """The name under which the server knows a browser; its secret itself is never kept."""
    return hashlib.sha256(f"stammtisch {token}".encode()).hexdigest()[:24]


class Lobby:
    def __init__(self, settings: Settings, writer: Executor | None = None) -> None:
        self.settings = settings
        self.store = Store(settings.database, writer)
        self.thinkers = Thinkers.of(settings)
        self.rooms: dict[str, Room] = {}
        self.ready: set[str] = set()  # games whose rules are compiled in this process
        self._preparing: dict[str, asyncio.Task[None]] = {}
        self._watchers: set[asyncio.Task[None]] = set()

    async def prepare(self, name: str) -> None:
        """Compile a game's rules, or load what has been compiled; the server answers meanwhile."""
        if name in self.ready:
            return
        if name not in self._preparing:
            self._preparing[name] = asyncio.create_task(asyncio.to_thread(rehearse, name))
        await asyncio.shield(self._preparing[name])
        self.ready.add(name)

    async def prepare_all(self) -> None:
        """All games, from the end of the lobby's list: there are the small ones, which are quickly compiled."""
        for name in sorted(games(), key=lambda name: -games()[name].place):
            await self.prepare(name)

    async def create(self, person: str, wish: Any, local: bool = False) -> Room:
        """A new table as somebody wishes it; Refused says what is wrong with the wish."""
        arrangement = await self._read(wish)
        try:
            table = Table(self._new_code(), arrangement)
            if arrangement.start is not None and table.game.from_json(arrangement.start).over:
                raise Refused("game_over")
        except StammtischError as error:
            raise Refused("bad_options", str(error)) from None
        table.join(person, str(wish.get("name") or ""))
        for seat, occupant in _occupants(table, wish).items():
            if occupant == "me":
                table.sit(person, seat)
            elif occupant != "open":
                table.arrange(person, seat, occupant, Rights(self.settings, local))
        if wish.get("start"):
            table.start(person)
        await self._drop_oldest(person)
        return await self.open_new(table)

    async def open_new(self, table: Table) -> Room:
        """A table that is not kept yet; there is none if it cannot be."""
        room = self._open(table)
        try:
            await room.do(lambda: None)
        except Refused:
            self.rooms.pop(table.code, None)
            await room.stop()
            raise
        return room

    async def _read(self, wish: Any) -> Arrangement:
        if not isinstance(wish, Mapping) or not set(wish) <= _KEYS:
            raise Refused("bad_request", f"an object with some of {', '.join(sorted(_KEYS))}")
        name, options, start = wish.get("game"), wish.get("options") or {}, None
        if wish.get("from") is not None:
            name, options, start = await asyncio.to_thread(self._position, wish["from"])
        if not isinstance(name, str) or name not in games():
            raise Refused("unknown_game")
        if not isinstance(options, Mapping):
            raise Refused("bad_options", "options are an object")
        await self.prepare(name)
        pace = wish.get("pace", 700)
        if not (pace is None or (type(pace) is int and 0 <= pace <= 10_000)):
            raise Refused("bad_request", "pace is a number of milliseconds or null")
        hints, open_cards = wish.get("hints", True) is True, wish.get("open") is True
        return Arrangement(name, dict(options), pace, hints, open_cards, start)

    def _position(self, source: Any) -> tuple[str, Json, Json]:
        """The game, the options and a position of a finished game: {"game": id, "at": moves}."""
        if not isinstance(source, Mapping) or not isinstance(source.get("game"), str):
            raise Refused("bad_request", "from is an object with game and at")
        found, at = self.store.game(source["game"]), source.get("at")
        if found is None:
            raise Refused("unknown_record")
        record = GameRecord.from_json(found)
        if type(at) is not int or not 0 <= at < len(record.moves):
            raise Refused("no_such_move")
        position = next(state for number, state in enumerate(record.states()) if number == at).to_json()
        return record.header["game"], record.options, position

    def room(self, code: str) -> Room | None:
        """A table that is open, or is kept."""
        if code in self.rooms:
            return self.rooms[code]
        kept = self.store.table(code)
        if kept is None:
            return None
        try:
            return self._open(Table.from_row(code, kept))
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise Unreadable(f"table {code} cannot be read ({error!r})") from None

    def game_of(self, code: str) -> str | None:
        """The game of a table, without opening it."""
        if code in self.rooms:
            return self.rooms[code].table.arrangement.game
        return self.store.game_of(code)

    def _open(self, table: Table) -> Room:
        room = Room(table, self.store, self.thinkers, self.settings)
        self.rooms[table.code] = room
        task = asyncio.get_running_loop().create_task(self._close_when_empty(room))
        self._watchers.add(task)
        task.add_done_callback(self._watchers.discard)
        return room

    async def _close_when_empty(self, room: Room) -> None:
        """A table where nobody is needs no memory."""
        while True:
            await room.empty.wait()
            room.empty.clear()
            await room.settled()
            if not room.pages and self.rooms.get(room.table.code) is room:
                del self.rooms[room.table.code]
                await room.stop()
                return

    def _new_code(self) -> str:
        while True:
            code = "".join(secrets.choice(_LETTERS) for _ in range(10))
            if not self.store.has_table(code):
                return code

    async def _drop_oldest(self, person: str) -> None:
        """Nobody needs hundreds of tables; finished games are kept anyway."""
        kept = self.store.tables_of(person, 1000)[self.settings.tables_per_person - 1 :]
        old = [code for code, row, _ in kept if code not in self.rooms and row.get("host") == person]
        try:
            await self.store.drop_tables(old)
        except sqlite3.Error as error:
            raise Refused("not_kept", f"the change could not be written: {error}") from None

    def of_person(self, person: str) -> Json:
        """The tables where somebody can go on, playing or as the host who watches, and the games that are finished."""
        tables = [
            {"code": code, "game": row["arrangement"]["game"], "stage": row["stage"], "touched": touched}
            for code, row, touched in self.store.tables_of(person, 20)
            if {"arrangement", "stage", "host", "places"} <= set(row) and _can_go_on(person, row)
        ]
        return {"tables": tables, "games": self.store.games_of(person, 50)}

    async def stop(self) -> None:
        for task in [*self._watchers, *self._preparing.values()]:
            task.cancel()
        for room in list(self.rooms.values()):
            await room.stop()
        self.thinkers.stop()
        self.store.close()


def _can_go_on(person: str, row: Json) -> bool:
    sits = any(one.get("person") == person for one in row["places"].values())
    return row["stage"] != "over" and (sits or row["host"] == person)


def _occupants(table: Table, wish: Mapping[str, Any]) -> dict[int, str]:
    """Who is to sit where: "me", "open" or an agent; by seat, or in a word for all: solo, friends or watch."""
    seats, taken = wish.get("seats") or {}, list(table.places)
    if isinstance(seats, str):
        agent = wish.get("agent") or usual_level(table.game.info).agent
        own = wish.get("seat", taken[0])
        others = {"solo": agent, "friends": "open", "watch": agent}
        if seats not in others or own not in taken or not isinstance(agent, str):
            raise Refused("bad_request", "seats are solo, friends or watch; seat is a seat of the game")
        return {seat: "me" if seat == own and seats != "watch" else others[seats] for seat in taken}
    if not isinstance(seats, Mapping) or not all(isinstance(one, str) for one in seats.values()):
        raise Refused("bad_request", "seats are an object of texts")
    if not all(seat.isascii() and seat.isdigit() and len(seat) < 3 for seat in seats):
        raise Refused("no_such_seat")
    return {int(seat): str(one) for seat, one in seats.items()}


def rehearse(name: str) -> None:
    """Call everything that a table needs of the rules once."""
    state = game_by_name(name).new(1)
    assert state.player is not None
    state.view(state.player)
    state.seat(state.player)
    state.told(state.actions()[0], None)
    state.calls(state.player)
    state.apply(state.actions()[0])
    state.scores()
