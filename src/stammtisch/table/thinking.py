"""Where bots think: worker processes, each busy with one decision at a time, that are replaced when they do not answer.

A worker gets a Seat's record, in which everything that the seat cannot know has been overwritten, never the state.

The queue for the workers is fair, so that no person and no table can take them from the others:

- Every decision ends: agents that look at the clock get a limit on it, others are killed when they do not answer.
- Turns go to whoever has used least so far (start-time fair queuing), by person and then by table; one person never
  holds more than half of the workers.
- Where more tables wait than there are workers, bots think shorter instead of later.
- What has been quick so far has a worker of its own, so it never waits for what is slow.
- What is not compiled yet is compiled in a process of its own; nobody who needs no compiler waits for it.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import secrets
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np

from stammtisch.agents.base import Budget
from stammtisch.core.compiling import NotCompiled, cache_folder, only_loading
from stammtisch.core.game import NOBODYS_RNG, Game, Json, Seat
from stammtisch.core.registry import game as game_by_name
from stammtisch.table.protocol import Refused
from stammtisch.table.settings import Settings
from stammtisch.work.ending import end_with_parent
from stammtisch.work.memory import limit_memory

FIRST_TIME_SECONDS = 900.0  # the first decision of an agent may have to compile its rules ...
LOADING_SECONDS = 30.0  # ... which a new process then only has to load
QUICK_SECONDS = 0.5  # decisions that take less go before those that take longer
LEAST_MS = 20.0  # however many tables wait
MOST_MEASURED = 10_000


@dataclass(frozen=True)
class Asker:
    """Whom a decision is for: the shares of persons and of tables are fair."""

    table: str = ""
    person: str = ""


NOBODY = Asker()


@dataclass(frozen=True)
class Request:
    """A decision to take: everything that a worker needs, and nothing that the seat may not know.

    ``ms`` is the time the agent shall take (None: its own), ``most_ms`` what the table allows.
    """

    game: str
    options: tuple[tuple[str, object], ...]
    record: bytes
    seat: int
    agent: str
    ms: float | None = None
    explain: bool = False
    asker: Asker = NOBODY
    most_ms: float | None = None
    share: float = 1.0  # of the time, where many tables wait
    may_compile: bool = False
    seed: int = field(default_factory=lambda: secrets.randbits(63))

    @classmethod
    def of(
        cls, seat: Seat, agent: str, ms: float | None = None, explain: bool = False, asker: Asker = NOBODY
    ) -> Request:
        game = seat.game
        record = seat.records.tobytes()
        return cls(game.info.name, tuple(game.options.items()), record, seat.index, agent, ms, explain, asker)

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
    """Take a decision, in this process; NotCompiled where that would need the compiler and it may not be asked."""
    with nullcontext() if request.may_compile or cache_folder() is None else only_loading():
        return _think(request)


def _think(request: Request) -> Thought:
    from stammtisch.agents.catalog import agent
    from stammtisch.core.rng import stream

    game = _game(request.game, request.options)
    records = np.frombuffer(request.record, dtype=game.kernel.blank().dtype).copy()
    seat = Seat.knowing(game, records, request.seat)
    player = agent(request.agent, game)
    try:
        choice = player.choose(seat, stream(request.seed), _budget(request, game, player.ms))
    finally:
        player.close()
    known = seat.sample(NOBODYS_RNG.copy())
    rows = [
        {"move": game.format(c.action), "comment": game.comment(known, c.action), "value": c.value, "share": c.share}
        for c in (choice.analysis if request.explain else ())
    ]
    return Thought(choice.action, rows)


def _budget(request: Request, game: Game, usual: float | None) -> Budget:
    """The agent's own limits, and the clock beside them: also a search to a depth or by iterations ends in time."""
    from stammtisch.agents.catalog import given_options

    wished = usual if request.ms is None else request.ms
    times = [ms for ms in (wished, request.most_ms) if ms is not None]
    ms = min(times) * request.share if times else None
    given = {option.touches: value for option, value in given_options(request.agent, game.info)}
    iterations = given.get("iterations") if request.ms is None else None
    return Budget(ms, iterations if isinstance(iterations, int) else None, request.explain)


@cache
def _game(name: str, options: tuple[tuple[str, object], ...]) -> Game:
    return game_by_name(name, **dict(options))


def _begin(megabytes: int, nice: bool) -> None:
    """What a worker does first: it limits its memory, and stays behind the others where it only compiles."""
    end_with_parent()
    limit_memory(megabytes)
    if nice and hasattr(os, "nice"):
        os.nice(10)


def wake_up() -> None:
    """Load what all decisions need."""
    import stammtisch.agents.searcher  # noqa: F401


class Worker:
    """One process; it is started when first needed."""

    def __init__(self, megabytes: int = 2048, compiles: bool = False) -> None:
        self.compiles = compiles
        self.known: set[tuple[str, str]] = set()  # what it has compiled or loaded already
        self._megabytes = megabytes
        self._pool: ProcessPoolExecutor | None = None

    async def start(self) -> None:
        """Be ready to think at once."""
        await asyncio.wrap_future(self._process().submit(wake_up))

    async def think(self, request: Request) -> Thought:
        return await asyncio.wrap_future(self._process().submit(think, request))

    def _process(self) -> ProcessPoolExecutor:
        if self._pool is None:
            context = multiprocessing.get_context("spawn")  # a forked server would share its sockets and locks
            start = (self._megabytes, self.compiles)
            self._pool = ProcessPoolExecutor(1, mp_context=context, initializer=_begin, initargs=start)
        return self._pool

    def stop(self) -> None:
        """End the process, whatever it is doing."""
        if self._pool is None:
            return
        for process in list((self._pool._processes or {}).values()):
            process.kill()
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = None
        self.known = set()


class Shares:
    """Who has used how much. Who did nothing for a while has nothing saved up, and nothing to pay."""

    def __init__(self) -> None:
        self._now = 0.0
        self._used: dict[str, float] = {}

    def turn(self, who: str) -> float:
        """Who has the lowest is next."""
        return max(self._now, self._used.get(who, 0.0))

    def begin(self, who: str) -> None:
        self._now = self._used[who] = self.turn(who)

    def end(self, who: str, seconds: float) -> None:
        self._used[who] = self._used.get(who, self._now) + seconds
        self._used = {one: used for one, used in self._used.items() if used > self._now}


@dataclass(eq=False)
class _Turn:
    """A request that waits, and then the worker that it gets."""

    request: Request
    urgent: bool
    number: int
    worker: asyncio.Future[tuple[Worker, Request]]


class Thinkers:
    """All workers. Bots' moves go before hints and analyses."""

    def __init__(
        self,
        workers: int,
        limit: float,
        most_ms: float = 2000.0,
        most_waiting: int = 8,
        new_worker: Callable[[bool], Worker] = lambda compiles: Worker(compiles=compiles),
    ) -> None:
        self.limit, self.most_ms, self.most_waiting = limit, most_ms, most_waiting
        self._general = [new_worker(False) for _ in range(workers)]
        self._quick, self._compiler = new_worker(False), new_worker(True)
        self._idle = [*self._general, self._compiler]
        self._quick_is_started = False
        self._waiting: list[_Turn] = []
        self._running: dict[Worker, _Turn] = {}
        self._starting: set[asyncio.Task[None]] = set()
        self._count = 0
        self._shares = {compiles: (Shares(), Shares()) for compiles in (False, True)}  # of persons, of tables
        self._seconds: dict[tuple[str, str], float] = {}  # how long agents have taken lately
        self._hung: set[tuple[str, str]] = set()  # what had to be killed the last time

    @classmethod
    def of(cls, settings: Settings) -> Thinkers:
        def new_worker(compiles: bool) -> Worker:
            return Worker(settings.worker_megabytes, compiles)

        limits = (settings.think_seconds, settings.most_ms, settings.hints_per_table)
        return cls(settings.workers, *limits, new_worker)

    def known(self, request: Request) -> bool:
        """Whether some worker has this agent ready, so that it can answer in time."""
        return any(request.kind in worker.known for worker in self._workers)

    @property
    def _workers(self) -> list[Worker]:
        return [*self._general, self._quick, self._compiler]

    async def think(self, request: Request, urgent: bool = True) -> Thought:
        """TimeoutError when there is no answer in time, RuntimeError when the agent fails; Refused for one too many."""
        mine = sum(not turn.urgent and turn.request.asker.table == request.asker.table for turn in self._waiting)
        if not urgent and mine >= self.most_waiting:
            raise Refused("too_many_questions")
        if not self._quick_is_started:
            self._quick_is_started = True
            self._bring(self._quick)
        request = replace(request, most_ms=self.most_ms)
        try:
            return await self._serve(request, urgent)
        except NotCompiled:
            return await self._serve(replace(request, may_compile=True), urgent)

    async def _serve(self, request: Request, urgent: bool) -> Thought:
        worker, request = await self._take(request, urgent)
        loop = asyncio.get_running_loop()
        began, dead = loop.time(), False
        try:
            async with asyncio.timeout(self._limit(request, worker)):
                thought = await worker.think(request)
        except asyncio.CancelledError:
            dead = True
            raise
        except (TimeoutError, BrokenProcessPool):
            dead = True
            self._hung.add(request.kind)
            raise
        except NotCompiled:
            raise
        except Exception as error:
            raise RuntimeError(f"{request.agent} failed: {error!r}") from error
        finally:
            self._give_back(worker, request, loop.time() - began, dead)
        worker.known.add(request.kind)
        self._hung.discard(request.kind)
        return thought

    def _limit(self, request: Request, worker: Worker) -> float:
        if request.may_compile and request.kind not in self._hung:
            return FIRST_TIME_SECONDS
        loading = 0.0 if request.kind in worker.known else LOADING_SECONDS
        return self.limit + loading + (request.ms or request.most_ms or 0) / 1000

    # --- whose turn it is -----------------------------------------------------------------------------------

    async def _take(self, request: Request, urgent: bool) -> tuple[Worker, Request]:
        """A worker that is free for this request, when it is its turn, and the request with its share of the time."""
        self._count += 1
        turn = _Turn(request, urgent, self._count, asyncio.get_running_loop().create_future())
        self._waiting.append(turn)
        self._hand_out()
        try:
            return await turn.worker
        except asyncio.CancelledError:
            if turn in self._waiting:
                self._waiting.remove(turn)
            elif turn.worker.done() and not turn.worker.cancelled():
                worker, given = turn.worker.result()
                self._give_back(worker, given, 0.0, dead=False)
            raise

    def _hand_out(self) -> None:
        """Give the free workers to those whose turn it is."""
        for turn in sorted(self._waiting, key=self._order):
            free = [worker for worker in self._idle if self._suits(worker, turn.request)]
            if not free:
                continue
            worker = min(free, key=lambda one: (one is not self._quick, turn.request.kind not in one.known))
            request = turn.request if worker is self._quick else replace(turn.request, share=self._share(turn))
            self._idle.remove(worker)
            self._waiting.remove(turn)
            self._running[worker] = turn
            for shares, who in zip(self._shares[request.may_compile], _names(request), strict=True):
                shares.begin(who)
            turn.worker.set_result((worker, request))

    def _order(self, turn: _Turn) -> tuple[bool, float, float, int]:
        persons, tables = self._shares[turn.request.may_compile]
        person, table = _names(turn.request)
        return not turn.urgent, persons.turn(person), tables.turn(table), turn.number

    def _suits(self, worker: Worker, request: Request) -> bool:
        if worker is self._compiler or request.may_compile:
            return worker is self._compiler and request.may_compile
        if request.kind in self._hung and (self._starting or self._some_may_hang):
            return False
        if worker is self._quick:
            return request.kind not in self._hung and self._is_quick(request)
        held = [turn for one, turn in self._running.items() if one in self._general]
        mine = sum(turn.request.asker.person == request.asker.person for turn in held)
        return mine < max(1, len(self._general) // 2)

    @property
    def _some_may_hang(self) -> bool:
        return any(turn.request.kind in self._hung for turn in self._running.values())

    def _is_quick(self, request: Request) -> bool:
        return not request.explain and self._seconds.get((request.game, request.agent), 1e9) < QUICK_SECONDS

    def _share(self, turn: _Turn) -> float:
        """Of the time to think: all of it, unless more tables want to think than there are workers."""
        running = [other for worker, other in self._running.items() if worker in self._general]
        crowd = {other.request.asker.table for other in (*self._waiting, *running) if other.urgent or other is turn}
        share = min(1.0, len(self._general) / len(crowd | {turn.request.asker.table}))
        return max(share, min(1.0, LEAST_MS / (turn.request.ms or self.most_ms)))

    def _give_back(self, worker: Worker, request: Request, seconds: float, dead: bool) -> None:
        del self._running[worker]
        for shares, who in zip(self._shares[request.may_compile], _names(request), strict=True):
            shares.end(who, seconds if self._waiting else 0.0)  # where nobody waits it costs nobody anything
        if request.kind in worker.known and not request.explain:
            self._measure((request.game, request.agent), seconds / request.share)
        if dead:
            worker.stop()
            self._bring(worker)
        else:
            self._idle.append(worker)
        self._hand_out()

    def _measure(self, who: tuple[str, str], seconds: float) -> None:
        if len(self._seconds) > MOST_MEASURED:
            self._seconds.clear()
        self._seconds[who] = max(seconds, 0.8 * self._seconds.get(who, 0.0))

    def _bring(self, worker: Worker) -> None:
        """A worker that is new again; nobody has to wait until it has started."""

        async def start() -> None:
            with suppress(BrokenProcessPool, OSError):  # then it is started by its first request
                await worker.start()
            self._starting.discard(task)
            self._idle.append(worker)
            self._hand_out()

        task = asyncio.get_running_loop().create_task(start())
        self._starting.add(task)
        task.add_done_callback(self._starting.discard)

    def stop(self) -> None:
        for task in self._starting:
            task.cancel()
        for worker in self._workers:
            worker.stop()


def _names(request: Request) -> tuple[str, str]:
    return request.asker.person, request.asker.table
