"""The queue for the workers: on a clock that jumps, with workers that only take their time."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace

import pytest

import stammtisch as st
from stammtisch.agents.catalog import agent, agents, agents_of, find, full_name
from stammtisch.core.compiling import NotCompiled, compiled, only_loading
from stammtisch.core.info import AgentInfo, GameInfo, Option
from stammtisch.core.registry import games
from stammtisch.table import thinking
from stammtisch.table.opponents import Rights, ladder
from stammtisch.table.protocol import Refused
from stammtisch.table.settings import Settings
from stammtisch.table.thinking import Asker, Request, Thinkers, Thought, Worker
from table.house import QuickLoop

MOST_MS = Settings.most_ms
COMPILING_SECONDS = 100.0


class Clockwork(Worker):
    """Takes as long as the agent's name says: ``clock:1500`` milliseconds or less, ``stubborn:500`` in any case."""

    def __init__(self, compiles: bool) -> None:
        super().__init__(compiles=compiles)
        self.starts = self.stops = 0

    async def start(self) -> None:
        self.starts += 1
        await asyncio.sleep(5)

    async def think(self, request: Request) -> Thought:
        kind, _, ms = request.agent.partition(":")
        if kind == "new" and not request.may_compile:
            raise NotCompiled
        if kind == "hangs":
            await asyncio.sleep(1e9)
        wished = min(float(ms or 0), request.most_ms or 1e9) * request.share
        seconds = {"new": COMPILING_SECONDS, "stubborn": float(ms or 0) / 1000}
        await asyncio.sleep(seconds.get(kind, wished / 1000))
        return Thought(0, [])

    def stop(self) -> None:
        self.stops += 1
        self.known = set()


class Pub:
    """Workers, and tables whose bots think one decision after the other."""

    def __init__(self, workers: int) -> None:
        self.loop = QuickLoop()
        self.thinkers = Thinkers(workers, limit=10.0, new_worker=Clockwork)
        self.loop.do(self.decide("before", "clock:1"))
        self.loop.pass_time(20)  # the worker for what is quick has started

    async def decide(self, table: str, agent: str, person: str | None = None, urgent: bool = True) -> float:
        """The seconds from the question to the answer."""
        asker = Asker(table, table if person is None else person)
        request = Request("game", (), b"", 0, agent, asker=asker)
        began = self.loop.time()
        await self.thinkers.think(request, urgent)
        return self.loop.time() - began

    def besiege(self, tables: int, agent: str) -> None:
        """So many tables that want the next decision as soon as they have one."""

        async def all_the_time(table: str) -> None:
            while True:
                await self.decide(table, agent)

        for number in range(tables):
            self.loop.create_task(all_the_time(f"siege {number}"))

    def times(self, agent: str, number: int = 8, pause: float = 0.3) -> list[float]:
        """How long a table waits for its bots; it thinks, too."""

        async def ask() -> list[float]:
            found = []
            for _ in range(number):
                found.append(await self.decide("victim", agent))
                await asyncio.sleep(pause)
            return found

        return self.loop.do(ask())


@pytest.fixture
def pub(request: pytest.FixtureRequest) -> Iterator[Pub]:
    pub = Pub(getattr(request, "param", 2))
    yield pub
    pub.loop.finish()


COSTLY = f"clock:{MOST_MS:.0f}"


@pytest.mark.parametrize("pub", [1, 2, 8], indirect=True)
@pytest.mark.parametrize("pause", [0.0, 5.0])
@pytest.mark.parametrize("agent", ["quick", "clock:300", "clock:1500", COSTLY])
@pytest.mark.parametrize(("siege", "hostile"), [(4, COSTLY), (40, COSTLY), (4, "stubborn:600")])
def test_bots_move_in_time_whatever_other_tables_ask(
    pub: Pub, siege: int, hostile: str, agent: str, pause: float
) -> None:
    quiet = max(pub.times(agent, 5))
    pub.besiege(siege, hostile)
    pub.loop.pass_time(3)
    assert max(pub.times(agent, pause=pause)) <= 2 * quiet + 1


def test_one_person_with_many_tables_gets_no_more_than_one_with_one(pub: Pub) -> None:
    served: list[str] = []

    async def all_the_time(table: str, person: str) -> None:
        while True:
            await pub.decide(table, "stubborn:1000", person)
            served.append(person)

    for number in range(9):
        pub.loop.create_task(all_the_time(f"{number}", "Anna"))
    pub.loop.create_task(all_the_time("his", "Ben"))
    pub.loop.pass_time(100)
    assert abs(served.count("Anna") - served.count("Ben")) <= 2


@pytest.mark.parametrize(("pub", "most"), [(1, 1), (2, 1), (8, 4)], indirect=["pub"])
def test_one_person_never_holds_more_than_half_of_the_workers(pub: Pub, most: int) -> None:
    for number in range(12):
        pub.loop.create_task(pub.decide(f"{number}", "stubborn:5000", "Anna"))
    pub.loop.settle()
    assert len(pub.thinkers._running) == most


def test_bots_go_before_hints(pub: Pub) -> None:
    order: list[str] = []

    async def ask(what: str, urgent: bool, number: int) -> None:
        await pub.decide(f"{what} {number}", "stubborn:1000", urgent=urgent)
        order.append(what)

    for number in range(5):
        pub.loop.create_task(ask("hint", False, number))
    for number in range(5):
        pub.loop.create_task(ask("bot", True, number))
    pub.loop.pass_time(30)
    assert order.index("bot") <= 2 and order[2:7].count("bot") >= 4


def test_a_table_cannot_pile_up_hints(pub: Pub) -> None:
    for _ in range(pub.thinkers.most_waiting + 1):  # one is thought about
        pub.loop.create_task(pub.decide("table", "stubborn:1000", urgent=False))
    pub.loop.settle()
    with pytest.raises(Refused, match="too_many_questions"):
        pub.loop.do(pub.decide("table", "quick", urgent=False))
    assert pub.loop.do(pub.decide("another table", "quick", urgent=False)) < 2
    assert pub.loop.do(pub.decide("table", "quick")) < 2  # its bots go on


@pytest.mark.parametrize("pub", [1, 2], indirect=True)
def test_who_waits_for_the_compiler_does_not_keep_others_waiting(pub: Pub) -> None:
    for number in range(6):
        pub.loop.create_task(pub.decide(f"new {number}", "new"))
    pub.loop.settle()
    assert max(pub.times("clock:500")) <= 1
    assert pub.loop.do(pub.decide("another", "new")) <= 8 * COMPILING_SECONDS


def test_an_agent_that_hangs_is_killed_and_holds_one_worker_at_a_time(pub: Pub) -> None:
    quiet = max(pub.times("clock:1500", 5))

    async def hang(table: str) -> None:
        while True:
            with pytest.raises(TimeoutError):
                await pub.decide(table, "hangs")

    pub.loop.create_task(hang("first"))
    pub.loop.pass_time(60)
    for number in range(5):
        pub.loop.create_task(hang(f"{number}"))
    assert max(pub.times("clock:1500", 50)) <= 2 * quiet + 1
    killed = [worker for worker in pub.thinkers._workers if isinstance(worker, Clockwork) and worker.stops]
    assert killed and all(worker.starts >= worker.stops - 1 for worker in killed)  # started anew, before its next turn


def test_code_is_only_loaded_where_that_was_asked_for() -> None:
    @compiled
    def never_compiled_before(number: int) -> int:
        return number * 7919 + 20261119

    with only_loading(), pytest.raises(NotCompiled):
        never_compiled_before(float.fromhex("0x1.8p3"))  # type: ignore[arg-type]
    assert never_compiled_before(1) == 20269038


# --- who may sit at a table ---------------------------------------------------------------------------------

FAR, NEAR = Rights(Settings()), Rights(Settings(), local=True)
EVERY_OPTION = [
    (info, option, game)
    for info in agents()
    for option in info.options
    for game in list(games().values())
    if info in agents_of(game).values()
]


def test_every_option_of_every_agent_says_what_it_touches() -> None:
    assert [(info.name, option.name) for info in agents() for option in info.options if option.touches is None] == []


def test_all_opponents_of_the_ladder_may_sit_at_the_table_and_keep_their_time() -> None:
    for game in games().values():
        for level in ladder(game):
            assert FAR.check(level.agent, game) == full_name(level.agent, game)
            assert Rights(Settings(most_ms=5, most_depth=1)).check(level.agent, game)  # the clock is cut then
            own = dict(part.split("=") for part in level.agent.partition(":")[2].split(",") if part)
            assert float(own.get("ms", 0)) <= MOST_MS


@pytest.mark.parametrize(
    ("info", "option", "game"), EVERY_OPTION, ids=lambda one: getattr(one, "name", None) or str(one)
)
def test_no_option_of_any_agent_goes_beyond_the_limits(info: AgentInfo, option: Option, game: GameInfo) -> None:
    rights = {"far": FAR, "near": NEAR}
    most = Settings().efforts.get(option.touches or "")
    name = info.name + ":" + "".join(f"{one.name}=x," for one in info.options if one.required and one is not option)
    if not info.complete:  # it begins with a file or a program
        del rights["far"]
        with pytest.raises(Refused, match="whoever sits at the server"):
            FAR.check(f"{name}{option.name}=1", game)
        with pytest.raises(Refused, match="needs"):
            NEAR.check(info.name, game)
    if most is not None:
        for who in rights.values():
            assert who.check(f"{name}{option.name}={int(min(most, option.high or most))}", game)
            if (option.high or most) > most:
                with pytest.raises(Refused, match=f"{option.name} is at most"):
                    who.check(f"{name}{option.name}={int(most) + 1}", game)
    elif option.touches == "file":
        for text in (f"{option.name}=/etc/passwd", f" {option.name} = x", f"{option.name}\t=x", f"{option.name}="):
            assert NEAR.check(f"{info.name}:{text}", game).startswith(f"{info.name}:")
            with pytest.raises(Refused, match="whoever sits at the server"):
                FAR.check(f"{info.name}:{text}", game)
    else:
        assert option.touches == "style"


TOY = AgentInfo(
    "toy",
    "A plug-in",
    "toys.players:player",
    options=(
        Option("engine", "", "a program to ask", touches="file"),
        Option("rounds", 10, "how often it thinks about it", low=1, high=10**9),  # does not say what that costs
        Option("tries", 10, "positions tried", low=1, optional=True, touches="samples"),
        Option("mood", "good", "how it plays", ("good", "bad"), touches="style"),
    ),
)


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stammtisch.agents.catalog.agents", lambda: (*agents.__wrapped__(), TOY))


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize(
    ("name", "far", "near"),
    [
        ("toy", True, True),
        ("toy:mood=bad", True, True),
        ("toy:tries=2000", True, True),
        ("toy:tries=2001", False, False),
        ("toy:tries=none", False, False),
        ("toy:rounds=2", False, True),
        ("toy:engine=/bin/sh", False, True),
        ("toy:engine=/bin/sh,mood=bad", False, True),
        ("toy:engine=", False, True),
    ],
)
def test_a_plug_in_is_held_to_the_same(name: str, far: bool, near: bool) -> None:
    game = games()["tictactoe"]
    assert find("toy", game) is TOY
    for rights, may in ((FAR, far), (NEAR, near)):
        try:
            assert (rights.check(name, game) == name) is may
        except Refused as refused:
            assert not may
            assert refused.why in ("agent_too_costly", "agent_of_this_computer")


def test_an_agent_is_given_a_clock_beside_its_own_limits() -> None:
    game = st.game("tictactoe")
    seat = game.new(1).seat(0)
    given = [
        ("mcts:iterations=500", None, 500.0, 2000.0),
        ("mcts:ms=700", None, None, 700.0),
        ("maxn:depth=3", None, None, 2000.0),
        ("random", None, None, 2000.0),
        ("mcts:iterations=500", 150.0, None, 150.0),
    ]
    for name, ms, iterations, most in given:
        request = replace(Request.of(seat, name, ms), most_ms=MOST_MS)
        usual = agent(name, game).ms
        for share in (1.0, 0.25):
            budget = thinking._budget(replace(request, share=share), game, usual)
            assert (budget.iterations, budget.ms) == (iterations, most * share)
