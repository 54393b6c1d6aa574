"""The process may be killed at any moment: no move that anybody has seen is lost, and every game goes on to its end."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from stammtisch.core.game import Json
from stammtisch.core.record import GameRecord
from table.server import PATIENCE, Client, ServerProcess, wait_until
from work.test_ending import alive, children

GAMES: list[tuple[str, int, Json]] = [("tictactoe", 2, {}), ("dog", 4, {}), ("tichu", 4, {"rounds": 1})]
MOST_EVENTS = 60  # the kill comes after at most so many


@dataclass
class Running:
    """The server that runs now, and how to run the next one on the same folder."""

    folder: Path
    server: ServerProcess

    def kill_and_restart(self) -> None:
        self.server.kill()
        self.server = ServerProcess(self.folder, flood_messages=10**9)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("kill")
    running = Running(folder, ServerProcess(folder, flood_messages=10**9))
    yield running
    running.server.kill()


async def play_fast(client: Client, rng: random.Random) -> None:
    """Move at once, game after game; stop in some moment with a move or two on their way."""
    enough = rng.randrange(1, MOST_EVENTS)
    while len(client.events) < enough:
        await act(client)
        await client.hear()
    await act(client)
    await asyncio.sleep(rng.choice([0, 0.0003, 0.001, 0.003, 0.01, 0.03]))


async def act(client: Client) -> None:
    if client.over:
        await client.say("again")
    elif client.moves:
        await client.move()


async def hear_the_rest(client: Client) -> None:
    """What has reached this page before the server died."""
    try:
        while True:
            await client.hear()
    except ConnectionClosed:
        pass


async def trial(running: Running, game: str, seats: int, options: Json, rng: random.Random) -> None:
    bots = dict.fromkeys(range(1, seats), "random")
    code = running.server.address.new_table(game, {0: "me", **bots}, options=options)
    async with await Client.open(running.server.address, code) as before:
        await play_fast(before, rng)
        running.kill_and_restart()
        await hear_the_rest(before)
    address = running.server.address
    async with await Client.open(address, code) as whole:
        assert whole.events[: len(before.events)] == before.events
    async with await Client.open(address, code, stream=before.state["stream"], last=before.state["n"]) as after:
        assert not after.state["reset"]
        after.events = before.events + after.events
        await after.play_on()
        check_record(running, after)


def check_record(running: Running, client: Client) -> None:
    """The finished game is kept, is legal, and has all moves that were seen, in this order."""
    found = running.server.address.get(f"/api/records/{client.state['game']['record']}").json()
    record = GameRecord.from_json(found)
    assert list(record.states())[-1].over
    start = max(at for at, event in enumerate(client.events) if event["kind"] == "start")
    seen = [event["move"] for event in client.events[start:] if event["kind"] == "move" and event["move"] is not None]
    kept = iter(record.moves)
    assert all(move in kept for move in seen)


@pytest.mark.parametrize(("game", "seats", "options"), GAMES)
def test_a_killed_server_has_lost_no_move_that_was_seen(running: Running, game: str, seats: int, options: Json) -> None:
    asyncio.run(asyncio.wait_for(trial(running, game, seats, options, random.Random(game)), 10 * PATIENCE))


@pytest.mark.slow
def test_fifty_kills_lose_no_move_that_was_seen(running: Running) -> None:
    for number in range(50):
        game, seats, options = GAMES[number % len(GAMES)]
        asyncio.run(asyncio.wait_for(trial(running, game, seats, options, random.Random(number)), 10 * PATIENCE))


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc, as Linux has it")
def test_a_killed_server_leaves_no_workers_behind(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path)
    try:
        server.address.new_table("tictactoe", {0: "random", 1: "random"})
        server.address.new_table("tictactoe", {0: "me", 1: "mcts:ms=2000"})
        code = server.address.new_table("tictactoe", {0: "maxn:depth=1", 1: "me"}, name="Ben")

        async def look() -> None:
            async with await Client.open(server.address, code, "Ben") as page:
                await page.until(lambda: bool(page.moves))

        asyncio.run(asyncio.wait_for(look(), 10 * PATIENCE))
        workers = children(server._process.pid)
        assert workers
    finally:
        server.kill()
    wait_until(lambda: not any(alive(worker) for worker in workers))
