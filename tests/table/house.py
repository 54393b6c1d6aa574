"""The table's server without a network: pages that talk to it in this process, bots that answer at once, and a clock
that jumps to whatever happens next."""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
import selectors
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from starlette.applications import Starlette
from starlette.websockets import WebSocket

from stammtisch.core.game import Json, Seat
from stammtisch.core.registry import game as game_by_name
from stammtisch.core.registry import games
from stammtisch.table.connection import sit_down
from stammtisch.table.lobby import Lobby, person_of
from stammtisch.table.protocol import write
from stammtisch.table.room import Page, Room
from stammtisch.table.seating import Arrangement
from stammtisch.table.settings import Settings
from stammtisch.table.table import Table
from stammtisch.table.thinking import Request, Thinkers, Thought

Result = TypeVar("Result")
THINKING_SECONDS = 0.05
PATIENCE = 120.0


class QuickSelector(selectors.SelectSelector):
    """Does not wait: where nothing is ready, the time of the next alarm is now."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(PATIENCE if timeout is None else 0)  # without an alarm, a thread is at work
        assert ready or timeout is not None, "everybody waits for nothing"
        if not ready and timeout is not None:
            self.now += max(0.0, timeout)
        return ready


class QuickLoop(asyncio.SelectorEventLoop):
    """An event loop in which an hour passes at once."""

    def __init__(self) -> None:
        self._quick = QuickSelector()
        self.accidents: list[str] = []
        super().__init__(self._quick)
        self.set_exception_handler(lambda loop, context: self.accidents.append(f"{context}"))

    def time(self) -> float:
        return self._quick.now

    def do(self, work: Coroutine[Any, Any, Result]) -> Result:
        return self.run_until_complete(work)

    def pass_time(self, seconds: float) -> None:
        self.do(asyncio.sleep(seconds))

    def settle(self) -> None:
        """Everything that is not a matter of time."""
        self.do(_turn_round())

    def finish(self) -> None:
        """End what still runs; whatever went wrong unnoticed comes to light."""
        tasks = asyncio.all_tasks(self)
        for task in tasks:
            task.cancel()
        self.do(_gather(tasks))
        self.do(self.shutdown_default_executor())
        self.close()
        assert not self.accidents, self.accidents


async def _turn_round() -> None:
    for _ in range(30):
        await asyncio.sleep(0)


async def _gather(tasks: set[asyncio.Task[Any]]) -> None:
    await asyncio.gather(*tasks, return_exceptions=True)


class AtOnce(Executor):
    """Writes while everybody waits: a thread has no place on our clock."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        done: Future[Any] = Future()
        try:
            done.set_result(fn(*args, **kwargs))
        except Exception as error:
            done.set_exception(error)
        return done


class RandomThinkers(Thinkers):
    """Any legal action after a moment, and no processes."""

    def __init__(self, seed: int = 1) -> None:
        super().__init__(0, 1.0)
        self.random = random.Random(seed)
        self.requests: list[Request] = []

    def known(self, request: Request) -> bool:
        return True

    async def think(self, request: Request, urgent: bool = True) -> Thought:
        self.requests.append(request)
        await asyncio.sleep(THINKING_SECONDS)
        seat = knowledge(request)
        actions = seat.actions()
        moves = [{"move": seat.game.format(action), "value": 0.0, "share": None} for action in actions[:8]]
        return Thought(self.random.choice(actions), moves)


def knowledge(request: Request) -> Seat:
    """What a worker is told."""
    game = game_by_name(request.game, **dict(request.options))
    records = np.frombuffer(request.record, dtype=game.kernel.blank().dtype).copy()
    return Seat.knowing(game, records, request.seat)


def token(name: str) -> str:
    """The secret of somebody's browser."""
    return hashlib.sha256(name.encode()).hexdigest()[:32]


def person(name: str) -> str:
    """Under which the server knows this browser."""
    return person_of(token(name))


class Browser:
    """An open page: what it says, and the table as it knows it from what it was sent."""

    def __init__(self, house: House, code: str, name: str) -> None:
        self.house, self.code, self.name = house, code, name
        self.events: list[Json] = []
        self.stream: str | None = None
        self.n = 0  # events that were ever heard here
        self.state: Json | None = None
        self.replies: list[Json] = []
        self.frames: list[str] = []  # all that it was ever sent
        self.closed: tuple[int, str] | None = None
        self._task: asyncio.Task[None] | None = None

    def connect(self, hello: Json | None = None) -> None:
        """Say hello, by itself with what the page has."""
        self._inbox: asyncio.Queue[Json] = asyncio.Queue()
        self._inbox.put_nowait({"type": "websocket.connect"})
        self.closed, self.state, self.replies = None, None, []
        scope = {"type": "websocket", "app": self.house.app, "path_params": {"code": self.code}, "headers": []}
        websocket = WebSocket(scope, receive=self._inbox.get, send=self._hear)
        self._task = self.house.loop.create_task(sit_down(websocket))
        last = None if self.stream is None else self.n
        greeting = {"token": token(self.name), "name": self.name, "last": last, "stream": self.stream}
        self.say("hello", **{**greeting, **(hello or {})})

    async def _hear(self, sent: Any) -> None:
        if sent["type"] == "websocket.close":
            self.closed = (sent["code"], sent["reason"])
            self._inbox.put_nowait({"type": "websocket.disconnect", "code": sent["code"]})
        elif sent["type"] == "websocket.send":
            self.frames.append(sent["text"])
            self._read(json.loads(sent["text"]))

    def _read(self, message: Json) -> None:
        if message["type"] != "state":
            self.replies.append(message)
            return
        self.stream = message["stream"]
        self.events = message["events"] if message["reset"] else self.events + message["events"]
        self.n = message["n"]
        self.state = message
        assert self.n >= len(self.events)

    @property
    def connected(self) -> bool:
        return self._task is not None and not self._task.done()

    def say(self, kind: str, **fields: Any) -> None:
        self.send(json.dumps({"type": kind, **fields}))

    def send(self, frame: str | bytes) -> None:
        form = "text" if isinstance(frame, str) else "bytes"
        self._inbox.put_nowait({"type": "websocket.receive", form: frame})

    def ask(self, kind: str, **fields: Any) -> list[Json]:
        """Say something and settle; what is replied."""
        before = len(self.replies)
        self.say(kind, **fields)
        self.house.loop.settle()
        return self.replies[before:]

    def play(self, move: str, at: int | None = None) -> list[Json]:
        return self.ask("move", move=move, at=self.n if at is None else at, id=1)

    def drop(self) -> None:
        """The connection is lost."""
        self._inbox.put_nowait({"type": "websocket.disconnect", "code": 1006})
        self.house.loop.settle()

    @property
    def game(self) -> Json:
        assert self.state is not None
        found: Json = self.state["game"]
        return found

    @property
    def moves(self) -> list[str]:
        return [one["move"] for one in self.game["moves"] or []]

    def check_task(self) -> None:
        """The server's side of this page ended without an accident, if it has ended."""
        if self._task is not None and self._task.done() and not self._task.cancelled():
            self._task.result()


class House:
    """A lobby with random bots, and the pages that were opened."""

    def __init__(self, folder: Path, seed: int = 1, **settings: Any) -> None:
        self.loop = QuickLoop()
        asyncio.set_event_loop(self.loop)
        defaults: dict[str, Any] = {"database": folder / "table.sqlite", "flood_messages": 10**9, "workers": 1}
        self.settings = Settings(**{**defaults, **settings})
        self.app = Starlette()
        self.app.state.settings = self.settings
        self.browsers: list[Browser] = []
        self.thinkers = RandomThinkers(seed)
        self.open()

    def open(self) -> None:
        self.lobby = Lobby(self.settings, AtOnce())
        self.lobby.ready |= set(games())  # compiled where first needed: a thread that does it has no place on our clock
        self.lobby.thinkers = self.thinkers
        self.app.state.lobby = self.lobby

    def create(self, name: str, **wish: Any) -> Room:
        """A table as somebody wishes it."""
        return self.loop.do(self.lobby.create(person(name), {"name": name, **wish}))

    def put(self, arrangement: Arrangement, *names: str) -> Room:
        """A table of any arrangement where these sit from seat 0 on."""
        table = Table("abcdefghjk", arrangement)
        for seat, name in enumerate(names):
            table.join(person(name), name)
            table.sit(person(name), seat)

        return self.loop.do(self.lobby.open_new(table))

    def browser(self, code: str, name: str) -> Browser:
        """Open a page and wait for the table."""
        browser = Browser(self, code, name)
        self.browsers.append(browser)
        browser.connect()
        self.loop.settle()
        return browser

    def room(self, code: str) -> Room:
        async def found() -> Room | None:
            return self.lobby.room(code)

        room = self.loop.do(found())
        assert room is not None
        return room

    def fresh(self, room: Room, name: str) -> Json:
        """What a page of this person would be sent if it were opened now."""

        async def message() -> Json:
            return room.message_for(Page(person(name), Nowhere()))

        found: Json = json.loads(write(self.loop.do(message())))
        return found

    def restart(self) -> None:
        """Stop the server and start another one on the same file; all pages lose their connections."""
        self.stop()
        self.open()

    def stop(self) -> None:
        for browser in self.browsers:
            if browser.connected:
                browser.drop()
        self.loop.do(self.lobby.stop())

    def close(self) -> None:
        self.stop()
        asyncio.set_event_loop(None)
        self.loop.finish()
        for browser in self.browsers:
            browser.check_task()


class Nowhere:
    """A socket of a page that does not exist."""

    async def send(self, message: Json) -> None: ...

    async def close(self, code: int, reason: str) -> None: ...


@contextmanager
def a_house(folder: Path, seed: int = 1, **settings: Any) -> Iterator[House]:
    house = House(folder, seed, **settings)
    try:
        yield house
    finally:
        house.close()
