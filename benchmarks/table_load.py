"""How long a move takes to reach the others at a table, when a hundred tables of four are busy on one machine.

Every table has four people, each of them a websocket of this process, which move after a moment of thought; the server
runs in a process of its own. Measured is the time from sending a move to the arrival of the new state at each of the
three others. Some further tables with bots keep the server's workers busy. Beside it, in the same run and by the same
process, an idle server that only echoes is measured: what the machine and this process itself need.

    python benchmarks/table_load.py

prints a table and writes it to benchmarks/table.json. The times mean something on a machine that does nothing else.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import http.client
import json
import multiprocessing
import os
import random
import tempfile
import threading
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np
import uvicorn
from rich.console import Console
from rich.table import Table
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from stammtisch.core.registry import game, games
from stammtisch.table.serve import listen, web_server
from stammtisch.table.settings import Settings

SEATS = 4
GAMES: dict[str, dict[str, Any]] = {  # those in which four sit down
    name: {"rounds": 1} if any(option.name == "rounds" for option in info.options) else {}
    for name, info in games().items()
    if len(game(name).spec.taken) == SEATS
}
ECHO_BYTES = 3000  # about as long as a state
ECHO_PAUSE = 0.05
WARM_UP = 5.0  # seconds in which nothing is counted
TARGET = 100.0  # milliseconds of the 95th percentile
Json = dict[str, Any]


# --- the two servers, each in a process of its own ----------------------------------------------------------


def serve_tables(pipe: Connection, folder: str) -> None:
    many = {"connections_per_address": 10**4, "tables_per_address": 10**4, "requests_per_address": 10**6}
    settings = Settings(port=0, database=Path(folder) / "table.sqlite", **many)
    _serve(web_server(settings, prepare=False), settings, pipe)


def serve_echo(pipe: Connection) -> None:
    async def echo(websocket: WebSocket) -> None:
        await websocket.accept()
        async for text in websocket.iter_text():
            await websocket.send_text(text)

    app = Starlette(routes=[WebSocketRoute("/ws/echo", echo)])
    _serve(uvicorn.Server(uvicorn.Config(app, log_level="warning")), Settings(port=0), pipe)


def _serve(server: uvicorn.Server, settings: Settings, pipe: Connection) -> None:
    """Tell the port, then the used CPU time whenever asked, until told to stop."""
    listening = listen(settings)

    def obey() -> None:
        while not server.started:
            time.sleep(0.01)
        pipe.send(listening.getsockname()[1])
        while pipe.recv() != "stop":
            pipe.send(time.process_time())
        server.should_exit = True

    threading.Thread(target=obey, daemon=True).start()
    asyncio.run(server.serve(sockets=[listening]))


class Server:
    """One of the servers, seen from this process."""

    def __init__(self, target: Callable[..., None], *arguments: str) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, other = context.Pipe()
        self._process = context.Process(target=target, args=(other, *arguments))
        self._process.start()
        self.port: int = self._pipe.recv()

    def cpu(self) -> float:
        self._pipe.send("cpu")
        return float(self._pipe.recv())

    def stop(self) -> None:
        self._pipe.send("stop")
        self._process.join()

    async def dial(self, code: str) -> ClientConnection:
        host = f"127.0.0.1:{self.port}"
        return await connect(
            f"ws://{host}/ws/{code}",
            origin=Origin(f"http://{host}"),
            max_size=None,
            open_timeout=60,
            ping_interval=None,
        )


# --- people -------------------------------------------------------------------------------------------------


class Stopwatch:
    """Collects times while it runs."""

    def __init__(self) -> None:
        self.times: dict[str, list[float]] = {}
        self.moves = 0
        self.running = False

    def count(self, what: str, seconds: float) -> None:
        if self.running:
            self.times.setdefault(what, []).append(1000 * seconds)


class Party:
    """The people at one table; ``under_way``: who has moved when, and who has not heard of it yet."""

    def __init__(self, game: str, people: int, think: float, stopwatch: Stopwatch, rng: random.Random) -> None:
        self.game = game
        self.people = people
        self.think = think
        self.stopwatch = stopwatch
        self.rng = rng
        self.code = ""
        self.under_way: tuple[int, float, set[int]] = (0, 0.0, set())

    def wish(self) -> Json:
        seats = {str(seat): "me" if seat == 0 else "open" if seat < self.people else "random" for seat in range(SEATS)}
        return {"game": self.game, "options": GAMES[self.game], "seats": seats, "pace": 300, "name": "Person 0"}

    def moves(self, seat: int) -> None:
        self.stopwatch.moves += self.stopwatch.running
        self.under_way = (seat, time.perf_counter(), set(range(self.people)) - {seat})

    def heard(self, seat: int, state: Json, now: float) -> None:
        mover, sent, waiting = self.under_way
        if seat in waiting and any(event["kind"] == "move" and event["seat"] == mover for event in state["events"]):
            waiting.discard(seat)
            self.stopwatch.count(self.game, now - sent)


class Person:
    """One websocket that plays any legal move after a moment of thought."""

    def __init__(self, party: Party, seat: int, socket: ClientConnection) -> None:
        self.party = party
        self.seat = seat
        self.socket = socket
        self.seated = asyncio.Event()
        self._thought_about = -1
        self._thoughts: set[asyncio.Task[None]] = set()

    async def say(self, type: str, **fields: Any) -> None:
        await self.socket.send(json.dumps({"type": type, **fields}))

    async def listen(self) -> None:
        async for text in self.socket:
            now = time.perf_counter()
            message = json.loads(text)
            if message["type"] == "state":
                self.party.heard(self.seat, message, now)
                self._act(message)

    def _act(self, state: Json) -> None:
        if state["table"]["you"]["seat"] == self.seat:
            self.seated.set()
        game = state["game"]
        if game is None or state["n"] == self._thought_about:
            return
        if game["over"] and self.seat == 0:
            self._later(state["n"], lambda: self.say("again"))
        elif game["moves"] != []:
            move, at = self._choose(game), state["n"]
            together = game["choosing"] is not None  # then nobody hears of it before all have chosen
            self._later(at, lambda: self._move(move, at, together))

    def _choose(self, game: Json) -> str:
        if game["moves"] is not None:
            return str(self.party.rng.choice(game["moves"])["move"])
        cards = game["view"]["hands"][self.seat]  # too many to be listed: three cards are given away
        return f"schupf {' '.join(self.party.rng.sample(cards, 3))}" if game["view"]["phase"] == "schupf" else cards[-1]

    async def _move(self, move: str, at: int, together: bool) -> None:
        if not together:
            self.party.moves(self.seat)
        await self.say("move", move=move, at=at, id=at)

    def _later(self, at: int, action: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self._thought_about = at

        async def think() -> None:
            await asyncio.sleep(self.party.rng.expovariate(1 / self.party.think))
            with suppress(ConnectionClosed):  # it is time to go
                await action()

        task = asyncio.get_running_loop().create_task(think())
        self._thoughts.add(task)
        task.add_done_callback(self._thoughts.discard)

    async def go(self) -> None:
        for task in list(self._thoughts):
            task.cancel()
        await self.socket.close()


def token(party: int, seat: int) -> str:
    return hashlib.sha256(f"{party} {seat}".encode()).hexdigest()[:32]


def new_table(server: Server, number: int, party: Party) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=600)
    connection.request("POST", "/api/tables", json.dumps(party.wish()), {"x-token": token(number, 0)})
    party.code = json.loads(connection.getresponse().read())["code"]
    connection.close()


@asynccontextmanager
async def playing(server: Server, parties: list[Party]) -> AsyncIterator[None]:
    """Everybody sits down and begins; at the end everybody goes."""
    everybody, listening = [], []
    for number, party in enumerate(parties):
        await asyncio.to_thread(new_table, server, number, party)
        for seat in range(party.people):
            person = Person(party, seat, await server.dial(party.code))
            everybody.append(person)
            listening.append(asyncio.create_task(person.listen()))
            await person.say("hello", token=token(number, seat), name=f"Person {seat}", last=None, stream=None)
            if seat:
                await person.say("sit", seat=seat)
            await person.seated.wait()
        await everybody[-party.people].say("start")
    yield
    await asyncio.gather(*(person.go() for person in everybody))
    await asyncio.gather(*listening)


async def echo(server: Server, what: str, stopwatch: Stopwatch) -> None:
    """Ask the idle server again and again."""
    text = "x" * ECHO_BYTES
    async with await server.dial("echo") as socket:
        while True:
            start = time.perf_counter()
            await socket.send(text)
            await socket.recv()
            stopwatch.count(what, time.perf_counter() - start)
            await asyncio.sleep(ECHO_PAUSE)


async def measure(tables: Server, idle: Server, chosen: argparse.Namespace) -> tuple[Stopwatch, float]:
    """The times, and the share of a CPU that the server used."""
    stopwatch, rng = Stopwatch(), random.Random(chosen.seed)
    games = [list(GAMES)[number % len(GAMES)] for number in range(chosen.tables + chosen.bot_tables)]
    people = [SEATS] * chosen.tables + [1] * chosen.bot_tables
    parties = [Party(game, n, chosen.think, stopwatch, rng) for game, n in zip(games, people, strict=True)]
    stopwatch.running = True
    with_nothing_else = asyncio.create_task(echo(idle, "echo, nobody plays", stopwatch))
    await asyncio.sleep(WARM_UP)
    with_nothing_else.cancel()
    stopwatch.running = False
    async with playing(tables, parties):
        await asyncio.sleep(WARM_UP)
        echoing = asyncio.create_task(echo(idle, "echo, all play", stopwatch))
        stopwatch.running, before, start = True, tables.cpu(), time.perf_counter()
        await asyncio.sleep(chosen.seconds)
        stopwatch.running, busy = False, (tables.cpu() - before) / (time.perf_counter() - start)
        echoing.cancel()
        await asyncio.gather(with_nothing_else, echoing, return_exceptions=True)
    return stopwatch, busy


# --- the result ---------------------------------------------------------------------------------------------


def rows_of(stopwatch: Stopwatch) -> list[Json]:
    games = {name: times for name, times in stopwatch.times.items() if name in GAMES}
    everything = {"all tables": [time for times in games.values() for time in times], **dict(sorted(games.items()))}
    return [row(name, times) for name, times in {**everything, **stopwatch.times}.items()]


def row(name: str, times: list[float]) -> Json:
    p50, p95, p99 = (round(float(value), 2) for value in np.percentile(times, (50, 95, 99)))
    return {"what": name, "count": len(times), "p50": p50, "p95": p95, "p99": p99, "worst": round(max(times), 2)}


def show(result: Json) -> None:
    table = Table(title=f"{result['tables']} tables of {SEATS}, {result['moves_per_second']} moves a second")
    for name in ("milliseconds", "times", "p50", "p95", "p99", "worst"):
        table.add_column(name, justify="left" if name == "milliseconds" else "right")
    for one in result["rows"]:
        table.add_row(one["what"], str(one["count"]), *(f"{one[key]:.1f}" for key in ("p50", "p95", "p99", "worst")))
    console = Console()
    console.print(table)
    console.print(f"The server used {result['server_cpu']:.0%} of a CPU; the load of the machine: {result['load']}.")
    p95 = result["rows"][0]["p95"]
    console.print(f"Target: p95 under {TARGET:.0f} ms: {'met' if p95 < TARGET else 'not met'} ({p95:.1f} ms).")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=100, help="tables of four people, which are measured")
    parser.add_argument("--bot-tables", type=int, default=10, help="further tables of one person and three bots")
    parser.add_argument("--think", type=float, default=1.0, help="seconds of thought before a move, on average")
    parser.add_argument("--seconds", type=float, default=30.0, help="how long to measure")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", type=Path, default=Path(__file__).with_name("table.json"))
    chosen = parser.parse_args()
    load = [round(value, 2) for value in os.getloadavg()] if hasattr(os, "getloadavg") else []
    with tempfile.TemporaryDirectory() as folder:
        tables, idle = Server(serve_tables, folder), Server(serve_echo)
        try:
            stopwatch, busy = asyncio.run(measure(tables, idle, chosen))
        finally:
            tables.stop()
            idle.stop()
    result = {
        "tables": chosen.tables,
        "people": SEATS * chosen.tables,
        "tables_with_bots": chosen.bot_tables,
        "seconds": chosen.seconds,
        "think_seconds": chosen.think,
        "moves_per_second": round(stopwatch.moves / chosen.seconds, 1),
        "server_cpu": round(busy, 3),
        "cpus": os.cpu_count(),
        "load": load,
        "unit": "ms",
        "rows": rows_of(stopwatch),
    }
    show(result)
    chosen.output.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
