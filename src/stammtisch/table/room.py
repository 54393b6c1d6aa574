"""A table with people at it: connected pages, bots that move, seats that bots look after, everything kept on disk.

Order of everything that happens: the table changes, the change is written, the pages are told. While a change is being
written nobody is told anything, and what could not be written never happened.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import sqlite3
import time
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Protocol

from stammtisch.core.game import Json, State
from stammtisch.table import deal
from stammtisch.table.opponents import Rights
from stammtisch.table.protocol import CLOCKS, LATER, MOST_TALK, TALK_SECONDS, Refused
from stammtisch.table.settings import Settings
from stammtisch.table.store import Change, Finished, Kept, Store
from stammtisch.table.table import Table
from stammtisch.table.thinking import Asker, Request, Thinkers

MOST_REPLIES = 50  # answers that wait for a slow page; more, and it is cut off
TALK = ("chat", "name", "sit")  # what everybody hears though it moves no game
QUESTION_MS = 100.0  # a bot that is asked without the others' knowledge does not think longer
RETRY_SECONDS = 1.0  # before a bot tries again what could not be kept


class Socket(Protocol):
    """What a page is told by; a websocket, or in tests a list."""

    async def send(self, message: Json) -> None: ...

    async def close(self, code: int, reason: str) -> None: ...


class Page:
    """One open page of a person. It is sent the table as it is now and what happened since, however slow it is."""

    def __init__(self, person: str, socket: Socket, local: bool = False) -> None:
        self.person = person
        self.socket = socket
        self.local = local  # opened at the server's own computer
        self.stream: str | None = None  # the listeners that it belongs to ...
        self.heard = 0  # ... and how much of their stream it has been sent
        self.replies: deque[Json] = deque()
        self.stale = True
        self.told: Json | None = None  # the last state that it was sent
        self.wake = asyncio.Event()

    def resume(self, stream: str | None, heard: int | None) -> None:
        """The page still has so much of this stream."""
        if stream is not None and heard is not None:
            self.stream, self.heard = stream, heard

    def reply(self, message: Json) -> None:
        self.replies.append(message)
        self.wake.set()

    def refresh(self) -> None:
        self.stale = True
        self.wake.set()


@dataclass(frozen=True)
class Due:
    """What the table does by itself, and when."""

    when: float
    act: Callable[[Table], None]


class Room:
    """A table and all that keeps it going."""

    def __init__(self, table: Table, store: Store, thinkers: Thinkers, settings: Settings) -> None:
        self.table = table
        self.store = store
        self.thinkers = thinkers
        self.settings = settings
        self.pages: set[Page] = set()
        self.empty = asyncio.Event()
        self._changing = asyncio.Lock()  # held from a change of the table until it is written, or taken back
        self._row: Json | None = table.to_row() if table.replayed else None  # what is on disk: the row ...
        self._journal, self._kept = list(table.journal), table.replayed  # ... and the journal, so much of it ...
        self._tidied = table.history.tidied  # ... as it is when it has been tidied so often
        self._rewrite = self._tidied > 0  # it was made by a version that did not tidy
        self._told = self._counts()
        self._preparing = False  # a bot's rules are being compiled
        slept = 0.0 if table.began is None else max(0.0, time.time() - table.began)
        self._since = self._loop.time() - (
            slept if table.arrangement.clock == "days" else 0.0
        )  # the last time that all who are here heard a move
        self._window: float | None = None  # when a move became pending
        self._retry = 0.0
        self._talk: dict[str, deque[float]] = {}
        self._wake = asyncio.Event()
        self._leaving: dict[str, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[Any]] = set()  # changes that are being made
        self._thinking: dict[tuple[object, ...], asyncio.Task[int]] = {}
        self._answers: set[asyncio.Task[Any]] = set()
        self._croupier = self._loop.create_task(self._keep_going())
        if table.pending is not None:
            self._window = self._since
        for person, guest in table.guests.items():
            if guest.here:
                self._expect(person)

    @property
    def _loop(self) -> asyncio.AbstractEventLoop:
        return asyncio.get_running_loop()

    # --- people come, speak and go --------------------------------------------------------------------------

    async def enter(self, page: Page, name: str) -> None:
        """A page is connected."""
        if len(self.pages) >= self.settings.most_people:
            raise Refused("table_full")
        alone = self._alone()
        self._stop_expecting(page.person)
        self.pages.add(page)
        self.empty.clear()

        def join() -> None:
            self.table.join(page.person, name)
            if alone is not None and alone != page.person:
                self._end_of_leisure()

        await self.do(join)

    def _end_of_leisure(self) -> None:
        """Somebody comes who could tell from the time that one is asked: who was alone is asked no longer."""
        self._since = self._loop.time()
        if self._people_asked():
            if self.table.closing:
                self.table.close()
            else:
                self.table.let_be(self._people_asked())

    def _alone(self) -> str | None:
        """The only person at the table, who may take time without anybody noticing."""
        people = {page.person for page in self.pages}
        people |= {person for person, guest in self.table.guests.items() if guest.here}
        return next(iter(people)) if len(people) == 1 else None

    def leave(self, page: Page) -> None:
        """A page is gone; its person may come back."""
        self.pages.discard(page)
        if not any(other.person == page.person for other in self.pages) and page.person in self.table.guests:
            self._expect(page.person)
        elif not self.pages:
            self.empty.set()

    def _expect(self, person: str) -> None:
        """Somebody who does not come back in time is away."""
        self._stop_expecting(person)
        self._leaving[person] = self._loop.call_later(self.settings.away_seconds, self._spawn_miss, person)

    def _stop_expecting(self, person: str) -> None:
        timer = self._leaving.pop(person, None)
        if timer is not None:
            timer.cancel()

    def _spawn_miss(self, person: str) -> None:
        self._leaving.pop(person, None)
        self._spawn(self._miss(person))

    async def _miss(self, person: str) -> None:
        with contextlib.suppress(Refused):
            await self.do(lambda: None if self._is_here(person) else self.table.away(person))
        if not self.pages and not self._leaving:
            self.empty.set()

    def _is_here(self, person: str) -> bool:
        return any(page.person == person for page in self.pages)

    async def hear(self, page: Page, message: Json) -> None:
        """A page says something, which has the form of a message."""
        person = page.person
        if message["type"] in TALK:
            self._count_talk(person)
        actions: dict[str, Callable[[Table], None]] = {
            "move": lambda table: table.move(person, message["move"], message["at"]),
            "chat": lambda table: table.chat(person, message["text"]),
            "name": lambda table: table.rename(person, message["name"]),
            "sit": lambda table: table.sit(person, message["seat"]),
            "stand": lambda table: table.stand(person),
            "arrange": lambda table: table.arrange(
                person, message["seat"], message["agent"], Rights(self.settings, page.local)
            ),
            "swap": lambda table: table.swap(person, message["seat"], message["other"]),
            "start": lambda table: table.start(person),
            "again": lambda table: table.start(person),
            "pace": lambda table: table.set_pace(person, message["ms"]),
            "step": lambda table: table.step(person),
            "clock": lambda table: table.set_clock(person, message["clock"]),
            "nudge": lambda table: self._nudge(table, person, message["seat"]),
            "back": lambda table: table.wake(person),
            "undo": lambda table: table.undo(person),
            "end": lambda table: table.agree_to_end(person),
            "give up": lambda table: table.give_up(person),
            "remove": lambda table: table.remove(person, message["seat"]),
            "leave": lambda table: table.away(person),
        }

        def act() -> None:
            if person not in self.table.guests:  # has left meanwhile, by another page
                raise Refused("offline")
            if not self.table.guests[person].here and message["type"] != "leave":
                self.table.back(person)
            if message["type"] in ("move", "back"):
                self.table.wake(person)
            actions[message["type"]](self.table)

        await self.do(act)

    def _nudge(self, table: Table, person: str, seat: int) -> None:
        if self._loop.time() < self._since + self.settings.patience_seconds:
            raise Refused("too_early")
        table.nudge(person, seat)

    def _count_talk(self, person: str) -> None:
        """Everybody has to hear it, and who comes later as well."""
        now, times = self._loop.time(), self._talk.setdefault(person, deque())
        while times and times[0] <= now - TALK_SECONDS:
            times.popleft()
        if len(times) >= MOST_TALK:
            raise Refused("too_much_talk")
        times.append(now)

    # --- changes --------------------------------------------------------------------------------------------

    async def do(self, action: Callable[[], None]) -> None:
        """Change the table, write it down, tell everybody; goes on to its end though nobody waits for it any more."""
        await asyncio.shield(self._spawn(self._do(action)))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._forget)
        return task

    def _forget(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # told to whoever waited for it, if somebody still did

    async def look(self, action: Callable[[], None]) -> None:
        """When no change is being written: look at the table, and change nothing."""
        async with self._changing:
            action()

    async def _do(self, action: Callable[[], None]) -> None:
        async with self._changing:
            heard = (self.table.seed, self.table.heard)
            refused: Refused | None = None
            try:
                try:
                    action()
                except Refused as refusal:
                    refused = refusal
                if (self.table.seed, self.table.heard) != heard:
                    self.table.began = time.time()
                await self._keep()
            except sqlite3.Error as error:
                self._return_to_what_is_kept()
                raise Refused("not_kept", f"the change could not be written: {error}") from None
            except Exception:
                self._return_to_what_is_kept()
                raise
            finally:
                self._note_times(heard)
                for page in self.pages:
                    page.refresh()
                self._wake.set()
            if refused is not None:
                raise refused

    def _note_times(self, before: tuple[str, int]) -> None:
        now = self._loop.time()
        if (self.table.seed, self.table.heard) != before:
            self._since = now
        if (self.table.pending is None) != (self._window is None):
            self._window = None if self.table.pending is None else now

    async def _keep(self) -> None:
        table = self.table
        game = self._finished_game()
        row, tidied = table.to_row(), table.history.tidied
        first = 0 if self._rewrite or tidied != self._tidied else self._kept
        new = table.journal[first:]
        if not new and row == self._row:
            return
        counts = self._counts()
        heard = {
            person: counts[audience] > self._told[audience] or person not in (self._row or {"guests": ()})["guests"]
            for person in table.guests
            for audience in [table.audience_of(person)]
        }
        await self.store.keep(Change(table.code, row, first, new, heard, game))
        self._row, self._journal, self._kept, self._tidied = row, table.journal, len(table.journal), tidied
        self._told, self._rewrite = counts, False

    def _finished_game(self) -> Finished | None:
        table = self.table
        if table.stage != "over" or table.record_id is not None:
            return None
        table.record_id = deal.fingerprint(table.seed)[:16]
        players = [(place.person, seat) for seat, place in table.places.items() if place.person is not None]
        return Finished(table.record_id, table.arrangement.game, table.record().to_json(), players)

    def _counts(self) -> dict[str, int]:
        return {audience: stream.n for audience, stream in self.table.streams.items()}

    def _return_to_what_is_kept(self) -> None:
        """From memory: where nothing can be written, perhaps nothing can be read."""
        if self._row is not None:
            kept = Kept(self._row, self._journal[: self._kept], True)
            self.table = Table.from_row(self.table.code, kept)
            self._journal, self._tidied = self.table.journal, self.table.history.tidied

    # --- what pages are sent --------------------------------------------------------------------------------

    def message_for(self, page: Page) -> Json:
        """The table as it is now for this page, and what its listeners heard since the last message."""
        table = self.table
        audience = table.audience_of(page.person)
        stream = table.streams[audience]
        fresh, events = stream.since(page.heard if page.stream == audience else None)
        page.stream, page.heard, page.stale = audience, stream.n, False
        return {
            "type": "state",
            "stream": audience,
            "n": stream.n,
            "reset": fresh,
            "events": list(events),
            "table": table.table_for(page.person),
            "game": table.game_for(audience),
            "preparing": self._preparing,
            "deadline": self._milliseconds_left(table.seat_of(page.person)),
            "clock": self._milliseconds_of_clock(),
            "patience": max(0, round(1000 * (self._since + self.settings.patience_seconds - self._loop.time()))),
        }

    def _milliseconds_left(self, seat: int | None) -> int | None:
        """How long this seat may still think about a question that the others do not know of."""
        if seat not in self._people_asked():
            return None
        return max(0, round(1000 * (self._end_of_questions() - self._loop.time())))

    def _milliseconds_of_clock(self) -> int | None:
        """How long whoever is to decide, as far as everybody knows, may still think."""
        seconds = CLOCKS[self.table.arrangement.clock]
        if seconds is None or all(self.table.bot_at(seat) is not None for seat in self.table.waited_for()):
            return None
        return max(0, round(1000 * (self._since + seconds - self._loop.time())))

    async def tell(self, page: Page) -> None:
        """Send this page whatever there is, until it is gone."""
        while True:
            await page.wake.wait()
            page.wake.clear()
            if len(page.replies) > MOST_REPLIES:
                await page.socket.close(LATER, "too slow")
                return
            while page.replies:
                await page.socket.send(page.replies.popleft())
            if page.stale and page in self.pages and not self._changing.locked():  # else it is woken again
                if page.person not in self.table.guests:
                    await page.socket.close(1000, "left")  # another page of the same person said goodbye
                    return
                message = self.message_for(page)
                if _is_new(message, page.told):
                    page.told = message
                    await page.socket.send(message)

    # --- bots and clocks ------------------------------------------------------------------------------------

    async def _keep_going(self) -> None:
        """Let bots move and clocks run out while somebody is at the table."""
        while True:
            self._wake.clear()
            due = None if self._changing.locked() else self._next_due()
            when = None if due is None else max(due.when, self._retry)
            if due is not None and when is not None and when <= self._loop.time():
                try:
                    await self._carry_out(due.act)
                except Refused:
                    self._thinking = {key: task for key, task in self._thinking.items() if not task.done()}
                    self._retry = self._loop.time() + RETRY_SECONDS
                continue
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout_at(when):
                    await self._wake.wait()

    async def _carry_out(self, act: Callable[[Table], None]) -> None:
        await self.do(lambda: act(self.table))

    def _next_due(self) -> Due | None:
        """What happens next by itself; None when people are to act, or a bot is still thinking."""
        table, seat = self.table, self.table.next_seat
        if seat is None or not self.pages:
            return None
        for asked, state in table.asked().items():
            action = self._thought(asked, state, QUESTION_MS)
            if action is not None:
                return _bot_move(asked, action)
        if table.together():
            return self._next_choice()
        people = self._people_asked()
        if table.closing:
            return Due(self._end_of_questions(), Table.close)
        if table.bot_at(seat) is not None and table.bots_may_move:
            action = self._thought(seat, table.future(), None)
            if action is None:
                return None
            if people and self._alone() is not None:
                return _bot_move(seat, action, self._end_of_questions())
            if table.might_step_in(action):  # it does not count yet
                return _bot_move(seat, action)
            return _bot_move(seat, action, self._end_of_turn())
        if people:
            return Due(self._end_of_questions(), lambda table: table.let_be(people))
        return self._end_of_clock([seat])

    def _end_of_clock(self, seats: list[int]) -> Due | None:
        """When bots take over for people who have not decided."""
        seconds = CLOCKS[self.table.arrangement.clock]
        late = [seat for seat in seats if self.table.bot_at(seat) is None]
        return Due(self._since + seconds, lambda table: table.doze(late)) if late and seconds is not None else None

    def _next_choice(self) -> Due | None:
        """Of a bot, where several decide at the same time; all bots think at once."""
        table = self.table
        open_seats = {seat: state for seat, state in table.together().items() if seat not in table.chosen}
        thinking = open_seats if table.bots_may_move else {}
        thoughts = [(seat, self._thought(seat, state, None)) for seat, state in thinking.items()]
        ready = [(seat, action) for seat, action in thoughts if action is not None]
        return _bot_move(*ready[0], self._end_of_turn()) if ready else self._end_of_clock(list(open_seats))

    def _people_asked(self) -> list[int]:
        return [seat for seat in self.table.asked() if self.table.bot_at(seat) is None]

    def _end_of_turn(self) -> float:
        """Bots that answer at once leave people time to see what happened, and everybody time to step in."""
        return self._since + max((self.table.arrangement.pace or 0) / 1000, self._time_to_step_in())

    def _time_to_step_in(self) -> float:
        """From what everybody knows, so that it tells nothing."""
        table = self.table
        seats = table.might_step_in(None if table.pending is None else table.pending[1])
        if not seats:
            return 0.0
        for_people = self._alone() is None and any(table.bot_at(seat) is None for seat in seats)
        return self.settings.window_seconds if for_people else self.settings.bots_window_seconds

    def _end_of_questions(self) -> float:
        """Until when who is asked may answer."""
        table, seat = self.table, self.table.next_seat
        begun = self._since if self._window is None else self._window
        if self._alone() is not None and self._people_asked():
            return begun + self.settings.question_seconds
        bot_next = seat is not None and table.bot_at(seat) is not None
        if table.closing:
            pace = self._since + (table.arrangement.pace or 0) / 1000 if bot_next else 0.0
            return max(pace, begun + self._time_to_step_in())
        return self._end_of_turn() if bot_next and table.bots_may_move else begun + self.settings.question_seconds

    def _thought(self, seat: int, state: State, ms: float | None) -> int | None:
        """What a bot does in this position; None while it is still thinking, or where a person decides."""
        table = self.table
        agent = table.bot_at(seat)
        if agent is None:
            return None
        key = (table.seed, table.heard, table.pending, seat, agent)
        if key not in self._thinking:
            self._thinking = {
                old: task for old, task in self._thinking.items() if old[:2] == key[:2] or not task.done()
            }
            self._thinking[key] = self._loop.create_task(self._think(seat, state, agent, ms))
        task = self._thinking[key]
        return task.result() if task.done() else None

    async def _think(self, seat: int, state: State, agent: str, ms: float | None) -> int:
        actions = state.actions()
        request = Request.of(state.seat(seat), agent, ms, asker=self.asker)
        self._set_preparing(ms is None and not self.thinkers.known(request))
        try:
            action = (await self.thinkers.think(request)).action
        except Exception:  # whatever happened to the agent, the game goes on
            action = -1
        finally:
            self._set_preparing(False)
            self._wake.set()
        if action in actions:
            return action
        doing_nothing = [one for one in actions if state.told(one, None) is None] if ms is not None else []
        return secrets.choice(doing_nothing or actions)

    @property
    def asker(self) -> Asker:
        """For whom bots think here."""
        return Asker(self.table.code, self.table.host or "")

    def _set_preparing(self, preparing: bool) -> None:
        if preparing != self._preparing:
            self._preparing = preparing
            for page in self.pages:
                page.refresh()

    def answer_later(self, page: Page, id: int, work: Callable[[], Awaitable[Json]]) -> None:
        """Reply to a page when the work is done."""

        async def run() -> None:
            try:
                answer = await work()
            except Refused as refused:
                answer = {"why": refused.why}
            except Exception:  # an agent that failed has no answer
                answer = {"why": "no_answer"}
            page.reply({"type": "answer", "id": id, **answer})

        task = self._loop.create_task(run())
        self._answers.add(task)
        task.add_done_callback(self._answers.discard)

    async def settled(self) -> None:
        """When no change is being made."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def stop(self) -> None:
        """Leave everything as it is; the table can be opened again from the store."""
        for timer in self._leaving.values():
            timer.cancel()
        tasks = [self._croupier, *self._answers, *self._thinking.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, *self._tasks, return_exceptions=True)


def _bot_move(seat: int, action: int, when: float = 0.0) -> Due:
    return Due(when, lambda table: table.bot_move(seat, action))


def _is_new(message: Json, told: Json | None) -> bool:
    """Whether a page learns anything from a message; else not even that there was one is its business."""
    if told is None or message["events"] or message["reset"]:
        return True
    if message["deadline"] is not None and told["deadline"] is None:
        return True
    return any(message[key] != told[key] for key in ("n", "table", "game", "preparing"))
