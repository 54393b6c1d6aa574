"""The websocket of a table: one connected page, from its hello to its goodbye."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from contextlib import suppress

from starlette.websockets import WebSocket, WebSocketDisconnect

from stammtisch.core.errors import StammtischError
from stammtisch.core.game import Json
from stammtisch.table.addresses import is_local
from stammtisch.table.analysis import hint
from stammtisch.table.lobby import Lobby, person_of
from stammtisch.table.protocol import BAD_TABLE, LATER, NO_TABLE, POLICY, Closing, Refused, read_message, write
from stammtisch.table.room import Page, Room
from stammtisch.table.settings import Settings

MOST_REASON = 100  # characters of the reason for closing; the protocol has room for 123 bytes


class _Socket:
    """A page that is gone is told nothing; that it is gone is noticed where messages are received."""

    def __init__(self, websocket: WebSocket) -> None:
        self._websocket = websocket

    async def send(self, message: Json) -> None:
        with suppress(RuntimeError, WebSocketDisconnect):
            await self._websocket.send_text(write(message))

    async def close(self, code: int, reason: str) -> None:
        with suppress(RuntimeError, WebSocketDisconnect):
            await self._websocket.close(code, reason)


class _Flood:
    """Counts messages; too many in a short time close the connection."""

    def __init__(self, settings: Settings) -> None:
        self._most, self._seconds = settings.flood_messages, settings.flood_seconds
        self._times: deque[float] = deque()

    def count(self) -> None:
        now = time.monotonic()
        self._times.append(now)
        while self._times[0] < now - self._seconds:
            self._times.popleft()
        if len(self._times) > self._most:
            raise Closing(POLICY, "too many messages")


async def sit_down(websocket: WebSocket) -> None:
    """One page at one table, from hello to goodbye."""
    lobby: Lobby = websocket.app.state.lobby
    settings: Settings = websocket.app.state.settings
    await websocket.accept()
    socket = _Socket(websocket)
    room: Room | None = None
    page: Page | None = None
    teller: asyncio.Task[None] | None = None
    try:
        game = lobby.game_of(websocket.path_params["code"])
        if game is None:
            raise Closing(NO_TABLE, "there is no such table")
        flood = _Flood(settings)
        hello = await asyncio.wait_for(_receive(websocket, flood), settings.hello_seconds)
        if hello["type"] != "hello":
            raise Closing(POLICY, "say hello first")
        await lobby.prepare(game)
        room = lobby.room(websocket.path_params["code"])
        if room is None:
            raise Closing(NO_TABLE, "there is no such table")
        page = Page(person_of(hello["token"]), socket, is_local(websocket, settings))
        page.resume(hello["stream"], hello["last"])
        await room.enter(page, hello["name"])
        teller = asyncio.create_task(room.tell(page))
        while True:
            await _hear(lobby, room, page, await _receive(websocket, flood))
    except Closing as closing:
        await socket.close(closing.code, closing.reason)
    except StammtischError as error:
        await socket.close(BAD_TABLE, str(error)[:MOST_REASON])
    except (TimeoutError, Refused) as error:
        why = getattr(error, "why", "no hello")
        await socket.close(LATER if why == "not_kept" else POLICY, why)
    except (WebSocketDisconnect, RuntimeError):
        pass
    finally:
        if teller is not None:
            teller.cancel()
        if room is not None and page is not None:
            room.leave(page)


async def _receive(websocket: WebSocket, flood: _Flood) -> Json:
    message = await websocket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    flood.count()
    return read_message(message.get("text") if message.get("text") is not None else message.get("bytes"))


async def _hear(lobby: Lobby, room: Room, page: Page, message: Json) -> None:
    """What a page says after its hello."""
    kind = message["type"]
    try:
        if kind == "hello":
            raise Closing(POLICY, "hello was said already")
        if page.person not in room.table.guests:
            raise Closing(1000, "left")
        if kind in ("ask", "hint"):
            await room.look(lambda: _advise(lobby, room, page, message))
            return
        await room.hear(page, message)
        if kind == "leave":
            raise Closing(1000, "left")
    except Refused as refused:
        page.reply({"type": "refused", "why": refused.why, "text": refused.text, "id": message.get("id")})


def _advise(lobby: Lobby, room: Room, page: Page, message: Json) -> None:
    """Say what picked cards can mean, or let the adviser think."""
    table, id = room.table, message["id"]
    seat = table.seat_of(page.person)
    if seat is None or table.state is None or table.stage != "playing":
        raise Refused("no_game")
    known = table.seen(str(seat)).seat(seat)
    if message["type"] == "ask":
        page.reply({"type": "answer", "id": id, **table.game.explain(known, message["text"])})
        return
    if not table.arrangement.hints:
        raise Refused("no_hints")
    if known.player != seat:
        raise Refused("not_your_turn")
    room.answer_later(page, id, lambda: hint(known, lobby.thinkers, room.asker))
