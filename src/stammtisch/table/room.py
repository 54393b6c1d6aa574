"""A table with people at it: connected pages, bots that move, seats that bots look after, everything kept on disk.

Order of everything that happens: the table changes, the change is written, the pages are told.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import sqlite3
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Protocol, TypeAlias

from stammtisch.core.game import Json
from stammtisch.table import deal
from stammtisch.table.opponents import Rights
from stammtisch.table.protocol import Refused
from stammtisch.table.settings import Settings
from stammtisch.table.store import Store
from stammtisch.table.table import WATCHING, Table
from stammtisch.table.thinking import Asker, Request, Thinkers

Turn: TypeAlias = tuple[int, int, str]  # who decides, after how many moves, in which game
MOST_REPLIES = 50  # answers that wait for a slow page; more, and it is cut off


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


class Room:
    """A table and all that keeps it going."""

    def __init__(self, table: Table, store: Store, thinkers: Thinkers, settings: Settings, kept: int) -> None:
        self.table = table
        self.store = store
        self.thinkers = thinkers
        self.settings = settings
        self.pages: set[Page] = set()
        self.empty = asyncio.Event()
        self._kept = kept  # entries of the journal that are on disk
        self._kept_row: Json | None = table.to_row() if kept else None
        self._preparing = False  # a bot's rules are being compiled
        self._deadline: tuple[Turn, float] | None = None  # (turn, when) of a question to a person
        self._heard, self._last_heard = 0, 0.0  # how much everybody has heard, and when it was the last time more
        self._wake = asyncio.Event()
        self._leaving: dict[str, asyncio.TimerHandle] = {}
        self._answers: set[asyncio.Task[None]] = set()
        self._croupier = asyncio.get_running_loop().create_task(self._keep_going())
        for person, guest in table.guests.items():
            if guest.here:
                self._expect(person)

    # --- people come, speak and go --------------------------------------------------------------------------

    def enter(self, page: Page, name: str) -> None:
        """A page is connected."""
        if len(self.pages) >= self.settings.most_people:
            raise Refused("table_full")
        self._stop_expecting(page.person)
        self.pages.add(page)
        self.empty.clear()
        self.do(lambda: self.table.join(page.person, name))

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
        loop = asyncio.get_running_loop()
        self._leaving[person] = loop.call_later(self.settings.away_seconds, self._miss, person)

    def _stop_expecting(self, person: str) -> None:
        timer = self._leaving.pop(person, None)
        if timer is not None:
            timer.cancel()

    def _miss(self, person: str) -> None:
        self._leaving.pop(person, None)
        with contextlib.suppress(Refused):
            self.do(lambda: self.table.away(person))
        if not self.pages and not self._leaving:
            self.empty.set()

    def hear(self, page: Page, message: Json) -> None:
        """A page says something, which has the form of a message."""
        table, person = self.table, page.person
        if not table.guests[person].here and message["type"] != "leave":  # another page of the same person said goodbye
            self.do(lambda: table.back(person))
        actions: dict[str, Callable[[], None]] = {
            "move": lambda: table.move(person, message["move"], message["at"]),
            "chat": lambda: table.chat(person, message["text"]),
            "name": lambda: table.rename(person, message["name"]),
            "sit": lambda: table.sit(person, message["seat"]),
            "stand": lambda: table.stand(person),
            "arrange": lambda: table.arrange(
                person, message["seat"], message["agent"], Rights(self.settings, page.local)
            ),
            "swap": lambda: table.swap(person, message["seat"], message["other"]),
            "start": lambda: table.start(person),
            "again": lambda: table.start(person),
            "pace": lambda: table.set_pace(person, message["ms"]),
            "step": lambda: table.step(person),
            "leave": lambda: table.away(person),
        }
        self.do(actions[message["type"]])
        self._wake.set()

    def do(self, action: Callable[[], None]) -> None:
        """Change the table, write it down, tell everybody."""
        action()
        try:
            self._keep()
        except sqlite3.Error as error:
            self._return_to_what_is_kept()
            raise Refused("not_kept", f"the change could not be written: {error}") from None
        finally:
            for page in self.pages:
                page.refresh()
        self._wake.set()

    def _keep(self) -> None:
        with self.store.together():
            self._keep_finished()
            self._keep_table()

    def _keep_finished(self) -> None:
        table = self.table
        if table.stage == "over" and table.record_id is None:
            table.record_id = deal.fingerprint(table.seed)[:16]
            players = [(place.person, seat) for seat, place in table.places.items() if place.person is not None]
            self.store.keep_game(table.record_id, table.arrangement.game, table.record().to_json(), players)

    def _keep_table(self) -> None:
        table = self.table
        row, new = table.to_row(), table.journal[self._kept :]
        if new or row != self._kept_row:
            self.store.keep_table(table.code, row, self._kept, new, table.guests)
            if len(table.streams[WATCHING]) > self._heard:
                self._last_heard = asyncio.get_running_loop().time()
            self._heard, self._kept, self._kept_row = len(table.streams[WATCHING]), len(table.journal), row

    def _return_to_what_is_kept(self) -> None:
        """From memory: where nothing can be written, perhaps nothing can be read."""
        if self._kept_row is not None:
            self.table = Table.from_row(self.table.code, self._kept_row, self.table.journal[: self._kept])

    # --- what pages are sent --------------------------------------------------------------------------------

    def message_for(self, page: Page) -> Json:
        """The table as it is now for this page, and what its listeners heard since the last message."""
        table = self.table
        audience = table.audience_of(page.person)
        stream = table.streams[audience]
        fresh = page.stream != audience or page.heard > len(stream)
        first = 0 if fresh else page.heard
        page.stream, page.heard, page.stale = audience, len(stream), False
        return {
            "type": "state",
            "stream": audience,
            "n": len(stream),
            "reset": fresh,
            "events": stream[first:],
            "table": table.table_for(page.person),
            "game": table.game_for(audience),
            "preparing": self._preparing,
            "deadline": self._milliseconds_left(audience),
        }

    def _milliseconds_left(self, audience: str) -> int | None:
        """How long this seat may still think about a question that the others do not know of."""
        if self._deadline is None or self._turn() != self._deadline[0] or audience != str(self._deadline[0][0]):
            return None
        return max(0, round(1000 * (self._deadline[1] - asyncio.get_running_loop().time())))

    def _turn(self) -> Turn | None:
        table = self.table
        if table.decider is None or table.recorder is None:
            return None
        return table.decider, len(table.recorder.moves), table.seed

    async def tell(self, page: Page) -> None:
        """Send this page whatever there is, until it is gone."""
        while True:
            await page.wake.wait()
            page.wake.clear()
            if len(page.replies) > MOST_REPLIES:
                await page.socket.close(1013, "too slow")
                return
            while page.replies:
                await page.socket.send(page.replies.popleft())
            if page.stale and page in self.pages:
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
            await self._wake.wait()
            self._wake.clear()
            while await self._next_move():
                pass

    async def _next_move(self) -> bool:
        """Wait for the move of a bot, or for the end of a person's time; False when the people are to act."""
        turn = self._turn()
        if turn is None or not self.pages:
            return False
        seat = turn[0]
        unheard = self.table.question()
        agent = self.table.bot_at(seat)
        if agent is not None:
            return (self.table.bots_may_move or unheard is not None) and await self._bot_moves(turn, agent, unheard)
        return unheard is not None and await self._person_is_asked(turn, unheard)

    async def _person_is_asked(self, turn: Turn, unheard: str) -> bool:
        loop = asyncio.get_running_loop()
        if self._deadline is None or self._deadline[0] != turn:
            self._deadline = (turn, loop.time() + self.settings.question_seconds)
            for page in self.pages:
                page.refresh()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout_at(self._deadline[1]):
                await self._wake.wait()
                self._wake.clear()
                return True
        if self._turn() == turn:
            self._try_move(turn[0], self.table.game.parse(unheard))
        return True

    async def _bot_moves(self, turn: Turn, agent: str, unheard: str | None) -> bool:
        seat, table = turn[0], self.table
        assert table.state is not None
        actions = table.state.actions()
        request = Request.of(table.state.seat(seat), agent, asker=self.asker)
        self._set_preparing(unheard is None and not self.thinkers.known(request))
        try:
            action = (await self.thinkers.think(request)).action
        except Exception:  # whatever happened to the agent, the game goes on
            action = -1
        finally:
            self._set_preparing(False)
        if action not in actions:
            action = table.game.parse(unheard) if unheard is not None else secrets.choice(actions)
        if unheard is None:
            await self._pause()
        may = table.bots_may_move or unheard is not None
        if self._turn() == turn and table is self.table and table.bot_at(seat) is not None and may:
            self._try_move(seat, action)
        return True

    async def _pause(self) -> None:
        """Bots that answer at once leave people time to see what happened."""
        pace = self.table.arrangement.pace or 0
        left = self._last_heard + pace / 1000 - asyncio.get_running_loop().time()
        if left > 0:
            await asyncio.sleep(left)

    @property
    def asker(self) -> Asker:
        """For whom bots think here."""
        return Asker(self.table.code, self.table.host or "")

    def _set_preparing(self, preparing: bool) -> None:
        if preparing != self._preparing:
            self._preparing = preparing
            for page in self.pages:
                page.refresh()

    def _try_move(self, seat: int, action: int) -> None:
        with contextlib.suppress(Refused):
            self.do(lambda: self.table.bot_move(seat, action))

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

        task = asyncio.get_running_loop().create_task(run())
        self._answers.add(task)
        task.add_done_callback(self._answers.discard)

    async def stop(self) -> None:
        """Leave everything as it is; the table can be opened again from the store."""
        for timer in self._leaving.values():
            timer.cancel()
        tasks = [self._croupier, *self._answers]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _is_new(message: Json, told: Json | None) -> bool:
    """Whether a page learns anything from a message; else not even that there was one is its business."""
    if told is None or message["events"] or message["reset"]:
        return True
    if message["deadline"] is not None and told["deadline"] is None:
        return True
    return any(message[key] != told[key] for key in ("n", "table", "game", "preparing"))
