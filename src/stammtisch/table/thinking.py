"""Where bots think: worker processes, each busy with one decision at a time, that are replaced when they do not answer.

A worker gets a Seat's record, in which everything that the seat cannot know has been overwritten, never the state.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import secrets
import threading
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from stammtisch.core.game import NOBODYS_RNG, Game, Json, Seat
from stammtisch.core.registry import game as game_by_name

FIRST_TIME_SECONDS = 900.0  # the first decision of an agent may have to compile its rules ...
LOADING_SECONDS = 60.0  # ... which a new process then only has to load


@dataclass(frozen=True)
class Request:
    """A decision to take: everything that a worker needs, and nothing that the seat may not know."""

    game: str
    options: tuple[tuple[str, object], ...]
    record: bytes
    seat: int
    agent: str
    ms: float | None = None
    explain: bool = False
    seed: int = field(default_factory=lambda: secrets.randbits(63))

    @classmethod
    def of(cls, seat: Seat, agent: str, ms: float | None = None, explain: bool = False) -> Request:
        game = seat.game
        record = seat.records.tobytes()
        return cls(game.info.name, tuple(game.options.items()), record, seat.index, agent, ms, explain)

    @property
    def kind(self) -> tuple[str, str]:
        """What has to be compiled for it."""
        return self.game, self.agent.partition(":")[0]


@dataclass(frozen=True)
class Thought:
    """The action, and where it was asked to explain, what it thought of the moves, best first:
    ``{move, comment, value, share}``.
    """

    action: int
    candidates: list[Json]


def think(request: Request) -> Thought:
    """Take a decision, in this process."""
    from stammtisch.agents.base import Budget
    from stammtisch.agents.catalog import agent
    from stammtisch.core.rng import stream

    game = _game(request.game, request.options)
    records = np.frombuffer(request.record, dtype=game.kernel.blank().dtype).copy()
    seat = Seat.knowing(game, records, request.seat)
    budget = Budget(ms=request.ms, explain=request.explain)
    choice = agent(request.agent, game).choose(seat, stream(request.seed), budget)
    known = seat.sample(NOBODYS_RNG.copy())
    rows = [
        {"move": game.format(c.action), "comment": game.comment(known, c.action), "value": c.value, "share": c.share}
        for c in (choice.analysis if request.explain else ())
    ]
    return Thought(choice.action, rows)


@cache
def _game(name: str, options: tuple[tuple[str, object], ...]) -> Game:
    return game_by_name(name, **dict(options))


def _end_with_the_server() -> None:
    """A worker whose server was killed would wait for requests for ever."""
    server = multiprocessing.parent_process()
    assert server is not None

    def wait() -> None:
        server.join()
        os._exit(0)

    threading.Thread(target=wait, daemon=True).start()


class Worker:
    """One process; it is started when first needed."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self.known: set[tuple[str, str]] = set()  # what it has compiled or loaded already

    def submit(self, request: Request) -> Future[Thought]:
        if self._pool is None:
            context = multiprocessing.get_context("spawn")  # a forked server would share its sockets and locks
            self._pool = ProcessPoolExecutor(1, mp_context=context, initializer=_end_with_the_server)
        return self._pool.submit(think, request)

    def stop(self) -> None:
        """End the process, whatever it is doing."""
        if self._pool is None:
            return
        for process in list((self._pool._processes or {}).values()):
            process.kill()
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = None
        self.known = set()


class Thinkers:
    """All workers. A request waits for a free one; bots' moves go before hints and analyses."""

    def __init__(self, workers: int, limit: float) -> None:
        self.limit = limit
        self._all = [Worker() for _ in range(workers)]
        self._waiting: list[tuple[int, int, asyncio.Future[Worker]]] = []
        self._idle = list(self._all)
        self._count = 0
        self._met: set[tuple[str, str]] = set()  # what has had its first time

    def known(self, request: Request) -> bool:
        """Whether some worker has this agent ready, so that it can answer in time."""
        return any(request.kind in worker.known for worker in self._all)

    async def think(self, request: Request, urgent: bool = True) -> Thought:
        """TimeoutError when there is no answer in time, or RuntimeError when the agent fails."""
        worker = await self._take(request, urgent)
        try:
            thought = await asyncio.wait_for(asyncio.wrap_future(worker.submit(request)), self._limit(request, worker))
        except asyncio.CancelledError:
            worker.stop()
            raise
        except (TimeoutError, BrokenProcessPool):
            worker.stop()
            self._met.add(request.kind)
            raise
        except Exception as error:
            raise RuntimeError(f"{request.agent} failed: {error!r}") from error
        finally:
            self._give_back(worker)
        worker.known.add(request.kind)
        self._met.add(request.kind)
        return thought

    def _limit(self, request: Request, worker: Worker) -> float:
        if request.kind not in self._met:
            return FIRST_TIME_SECONDS
        loading = 0.0 if request.kind in worker.known else LOADING_SECONDS
        return self.limit + loading + (request.ms or 0) / 1000

    async def _take(self, request: Request, urgent: bool) -> Worker:
        """A free worker, best one that has this agent ready."""
        if self._idle:
            worker = next((one for one in self._idle if request.kind in one.known), self._idle[0])
            self._idle.remove(worker)
            return worker
        self._count += 1
        turn: asyncio.Future[Worker] = asyncio.get_running_loop().create_future()
        self._waiting.append((0 if urgent else 1, self._count, turn))
        self._waiting.sort(key=lambda one: one[:2])
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._give_back(turn.result())
            raise

    def _give_back(self, worker: Worker) -> None:
        while self._waiting:
            _, _, turn = self._waiting.pop(0)
            if not turn.done():
                turn.set_result(worker)
                return
        self._idle.append(worker)

    def stop(self) -> None:
        for worker in self._all:
            worker.stop()
