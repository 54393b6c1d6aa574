"""The real server for tests, in a thread or in a process of its own, and a small client that talks to it."""

from __future__ import annotations

import asyncio
import hashlib
import http.client
import json
import os
import random
import re
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from stammtisch.core.game import Json
from stammtisch.table.serve import listen, web_server
from stammtisch.table.settings import Settings

PATIENCE = 120.0  # seconds that a busy machine may need for anything at all
QUICK_BOTS: Json = {"pace": 0}
_SERVE = """
import json, sys
from stammtisch.table.serve import serve
from stammtisch.table.settings import Settings
settings = Settings(port=0, **json.loads(sys.argv[1]))
serve(settings, "/", False, lambda text: print(text, flush=True), prepare=False)
"""


def token(name: str) -> str:
    """The secret of a person's browser."""
    return hashlib.sha256(name.encode()).hexdigest()[:32]


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Address:
    """Where a server listens."""

    port: int

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    def request(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Answer:
        """One HTTP request; an underscore in a header's name stands for a hyphen."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request(method, path, body, {name.replace("_", "-"): text for name, text in headers.items()})
            response = connection.getresponse()
            found = {name.lower(): value for name, value in response.getheaders()}
            return Answer(response.status, found, response.read())
        finally:
            connection.close()

    def get(self, path: str, **headers: str) -> Answer:
        return self.request("GET", path, None, **headers)

    def post(self, wish: Any, name: str = "Anna") -> Answer:
        """Ask for a new table."""
        return self.request("POST", "/api/tables", json.dumps(wish).encode(), x_token=token(name))

    def new_table(self, game: str, seats: dict[int, str], start: bool = True, name: str = "Anna", **more: Any) -> str:
        """A table's code; bots do not wait."""
        wish = {"game": game, "seats": {str(seat): who for seat, who in seats.items()}, "start": start, "name": name}
        answer = self.post({**QUICK_BOTS, **wish, **more}, name)
        assert answer.status == 201, answer.body
        return str(answer.json()["code"])


@contextmanager
def served(folder: Path, **settings: Any) -> Iterator[Address]:
    """A server in a thread of this process, with settings of its own."""
    chosen = Settings(**{"port": 0, "workers": 1, "database": folder / "table.sqlite", **settings})
    listening = listen(chosen)
    server = web_server(chosen, prepare=False)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listening])))
    thread.start()
    try:
        wait_until(lambda: server.started or not thread.is_alive())
        assert server.started
        yield Address(listening.getsockname()[1])
    finally:
        server.should_exit = True
        thread.join(PATIENCE)
        listening.close()
        assert not thread.is_alive(), "the server does not stop"


class ServerProcess:
    """A server in a process of its own, that can be killed."""

    def __init__(self, folder: Path, command: list[str] | None = None, **settings: Any) -> None:
        arguments = command or ["-c", _SERVE, json.dumps({"workers": 1, **settings})]
        with (folder / "errors.txt").open("a") as errors:
            self._process = subprocess.Popen(
                [sys.executable, *arguments],
                env={**os.environ, "STAMMTISCH_DATA": str(folder)},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        try:
            self.greeting = self._read_line()
            found = re.search(r"http://127\.0\.0\.1:(\d+)/", self.greeting)
            assert found is not None, self.greeting
        except BaseException:
            self.kill()
            raise
        self.address = Address(int(found[1]))

    def _read_line(self) -> str:
        assert self._process.stdout is not None
        ready, _, _ = select.select([self._process.stdout], [], [], PATIENCE)
        assert ready, "the server says nothing"
        return self._process.stdout.readline()

    def kill(self) -> None:
        """The end that nobody can prepare for."""
        self._process.kill()
        self._process.communicate()

    def interrupt(self) -> tuple[int, str]:
        """Ctrl+C: the exit code, and what it says."""
        self._process.send_signal(signal.SIGINT)
        said, _ = self._process.communicate(timeout=PATIENCE)
        return self._process.returncode, said


def wait_until(check: Callable[[], bool]) -> None:
    """Poll, as long as a busy machine may need."""
    deadline = time.monotonic() + PATIENCE
    while not check():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.01)


async def dial(address: Address, code: str, origin: str | None = "", host: str = "") -> ClientConnection:
    """A websocket as browsers open it, from a page of another origin or by another host name if wished."""
    host = host or address.host
    return await connect(
        f"ws://{host}/ws/{code}",
        host="127.0.0.1",
        port=address.port,
        origin=Origin(f"http://{host}") if origin == "" else None if origin is None else Origin(origin),
        max_size=None,
        open_timeout=PATIENCE,
    )


class Client:
    """One page of a person: what it was sent, and what it says."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.state: Json = {}
        self.events: list[Json] = []  # the stream as this page knows it
        self.replies: list[Json] = []
        self._id = 0
        self._random = random.Random(1)

    @classmethod
    async def open(
        cls,
        address: Address,
        code: str,
        name: str = "Anna",
        stream: str | None = None,
        last: int | None = None,
        knock: bool = True,
    ) -> Client:
        """Connect, say hello and wait for the table; without ``knock`` only connect."""
        client = cls(await dial(address, code))
        if knock:
            await client.say("hello", token=token(name), name=name, last=last, stream=stream)
            await client.until(lambda: bool(client.state))
        return client

    async def close(self) -> None:
        await self.socket.close()

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def cut(self) -> None:
        """Lose the connection without a word."""
        self.socket.transport.abort()

    async def say(self, type: str, **fields: Any) -> None:
        await self.socket.send(json.dumps({"type": type, **fields}))

    async def move(self, text: str | None = None) -> int:
        """Play a move, any legal one if none is named; the number under which an answer comes."""
        self._id += 1
        chosen = self._random.choice(self.moves) if text is None else text
        await self.say("move", move=chosen, at=self.state["n"], id=self._id)
        return self._id

    async def hear(self) -> Json:
        """The next message, whatever it is."""
        async with asyncio.timeout(PATIENCE):
            message: Json = json.loads(await self.socket.recv())
        if message["type"] == "state":
            self._take(message)
        else:
            self.replies.append(message)
        return message

    def _take(self, state: Json) -> None:
        self.state = state
        if state["reset"]:
            self.events = []
        self.events += state["events"]

    async def until(self, check: Callable[[], bool]) -> None:
        """Listen until what was heard satisfies the check."""
        async with asyncio.timeout(PATIENCE):
            while not check():
                await self.hear()

    async def answer(self) -> Json:
        """The next message that is no state."""
        known = len(self.replies)
        await self.until(lambda: len(self.replies) > known)
        return self.replies[known]

    async def ending(self) -> tuple[int | None, str]:
        """Listen until the server closes the connection: the code and the reason."""
        try:
            while True:
                await self.hear()
        except ConnectionClosed as closed:
            return (closed.rcvd.code, closed.rcvd.reason) if closed.rcvd else (None, "")

    # --- what the page shows --------------------------------------------------------------------------------

    @property
    def moves(self) -> list[str]:
        """What may be played now; of a list that is too long to be sent, one."""
        game = self.state["game"]
        if game is None or (game["choosing"] or {}).get("chosen"):
            return []
        if game["moves"] is None:
            cards = game["view"]["hands"][self.seat]
            return [f"schupf {' '.join(cards[:3])}" if game["view"]["phase"] == "schupf" else cards[-1]]
        return [one["move"] for one in game["moves"]]

    @property
    def seat(self) -> int | None:
        seat: int | None = self.state["table"]["you"]["seat"]
        return seat

    @property
    def over(self) -> bool:
        return self.state["game"] is not None and bool(self.state["game"]["over"])

    def heard(self, kind: str) -> list[Json]:
        return [event for event in self.events if event["kind"] == kind]

    def seat_of(self, name: str) -> Json:
        """What the page shows of the seat of somebody."""
        found: Json = next(seat for seat in self.state["table"]["seats"] if seat["name"] == name)
        return found

    async def play_on(self, enough: Callable[[], bool] = lambda: False) -> None:
        """Play any legal move whenever there is one, until the game is over or it is enough."""
        asked = -1
        async with asyncio.timeout(10 * PATIENCE):
            while not self.over and not enough():
                if self.moves and self.state["n"] != asked:
                    asked = self.state["n"]
                    await self.move()
                heard = await self.hear()
                assert heard["type"] == "state", heard
