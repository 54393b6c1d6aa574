"""At the door: how many connections, requests and tables one address may have, and how long a request may take.

A web server waits as long as it is made to, and takes in whoever knocks. Here every connection is counted, by the
address it comes from, and has a clock for whatever its other end has to do next: send a request's head, its body, or
fetch the answer.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from stammtisch.table.addresses import network_of
from stammtisch.table.protocol import Refused
from stammtisch.table.settings import Settings

OWN_FILES = 128  # that the server itself may have open, beside connections
MOST_FRAGMENTS = 1000  # of one message
SAID = 5  # lines of a kind that the log takes in a minute
BUSY = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain\r\nretry-after: 10\r\nconnection: close\r\n\r\n"
    b"too many connections\n"
)


class Rate:
    """So many in a time for every address; when it is over, counting begins anew."""

    def __init__(self, most: float, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._most, self._seconds, self._clock = most, seconds, clock
        self._begun = clock()
        self._counts: Counter[str] = Counter()

    def take(self, address: str, cost: int = 1) -> bool:
        if self._clock() - self._begun >= self._seconds:
            self._begun = self._clock()
            self._counts.clear()
        if self._counts[address] + cost > self._most:
            return False
        self._counts[address] += cost
        return True

    def give_back(self, address: str) -> None:
        self._counts[address] = max(0, self._counts[address] - 1)


class Present:
    """What is there at this moment, by address."""

    def __init__(self, most: float, together: float = float("inf")) -> None:
        self._most, self._together = most, together
        self._counts: Counter[str] = Counter()

    def enter(self, address: str) -> bool:
        """Whether there was room; an address without a name has no limit of its own."""
        if self._counts.total() >= self._together or (address and self._counts[address] >= self._most):
            return False
        self._counts[address] += 1
        return True

    def leave(self, address: str) -> None:
        self._counts[address] -= 1
        if not self._counts[address]:
            del self._counts[address]

    def __len__(self) -> int:
        return self._counts.total()


class Doors:
    """Who is in, and what they have asked for lately."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.connections = Present(settings.connections_per_address, most_connections(settings))
        self.sockets = Present(settings.connections_per_address)  # behind a proxy, where connections are all its own
        self.uploads = Present(settings.uploads_per_address)
        self.requests = Rate(settings.requests_per_address, 60.0)
        self.tables = Rate(settings.tables_per_address, 3600.0)

    @contextmanager
    def uploading(self, address: str) -> Iterator[None]:
        if not self.uploads.enter(address):
            raise Refused("too_many_requests", "so many requests are still being sent from there")
        try:
            yield
        finally:
            self.uploads.leave(address)

    @contextmanager
    def new_table(self, address: str) -> Iterator[None]:
        """Only tables that are made count."""
        if not self.tables.take(address):
            raise Refused("too_many_tables", f"{self.settings.tables_per_address} new tables in an hour")
        try:
            yield
        except BaseException:
            self.tables.give_back(address)
            raise


def most_connections(settings: Settings) -> int:
    """As many as the system has file handles for."""
    try:
        from resource import RLIMIT_NOFILE, getrlimit
    except ImportError:  # Windows
        return settings.most_connections
    return max(1, min(settings.most_connections, getrlimit(RLIMIT_NOFILE)[0] - OWN_FILES))


def protocols(doors: Doors) -> tuple[type[asyncio.Protocol], type[asyncio.Protocol]]:
    """For requests and for websockets."""
    return type("OurHttp", (Http,), {"doors": doors}), type("OurSocket", (Socket,), {"doors": doors})


class _Fetching:
    """Notices that nothing of what was sent is fetched."""

    def __init__(self, transport: asyncio.Transport, seconds: float) -> None:
        self._transport, self._seconds = transport, seconds
        self._timer: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        left = self._transport.get_write_buffer_size()
        self._timer = asyncio.get_running_loop().call_later(self._seconds, self._look, left)

    def end(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _look(self, before: int) -> None:
        if self._transport.get_write_buffer_size() >= before:
            self._transport.abort()
        else:
            self.begin()


class Http(H11Protocol):
    """Requests, each of which has to come in its time."""

    doors: ClassVar[Doors]
    _address: str | None = None
    _awaited: str | None = None
    _clock: asyncio.TimerHandle | None = None
    _fetching: _Fetching | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        settings = self.doors.settings
        address = "" if settings.proxy or self.client is None else network_of(self.client[0])
        if not self.doors.connections.enter(address):
            transport.write(BUSY)
            transport.close()
            return
        self._address = address
        self._fetching = _Fetching(transport, settings.fetch_seconds)
        self._wait()

    def data_received(self, data: bytes) -> None:
        if not self.transport.is_closing():
            super().data_received(data)
            self._wait()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._wait()

    def _wait(self) -> None:
        """A clock for what is to come next, if it is something else than before."""
        awaited = {h11.IDLE: "head", h11.SEND_BODY: "body"}.get(self.conn.their_state)
        if awaited == self._awaited:
            return
        self._awaited = awaited
        if self._clock is not None:
            self._clock.cancel()
        if awaited is not None and self._address is not None:
            settings = self.doors.settings
            seconds = settings.head_seconds if awaited == "head" else settings.body_seconds
            self._clock = asyncio.get_running_loop().call_later(seconds, self.transport.abort)

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._fetching is not None:
            self._fetching.begin()

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._fetching is not None:
            self._fetching.end()

    def connection_lost(self, exc: Exception | None) -> None:
        self._end_clocks()
        if self._address is not None:
            self.doors.connections.leave(self._address)
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._end_clocks()
        super().handle_websocket_upgrade(event)
        follower = self.transport.get_protocol()
        if isinstance(follower, Socket):
            follower.address, self._address = self._address, None

    def _end_clocks(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
        if self._fetching is not None:
            self._fetching.end()


class Socket(WebSocketsSansIOProtocol):
    """A websocket; whose other end does not listen is not listened to, and is given up after a while."""

    doors: ClassVar[Doors]
    address: str | None = None
    _fetching: _Fetching | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._fetching = _Fetching(self.transport, self.doors.settings.fetch_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._fetching is not None:
            self._fetching.end()
        if self.address is not None:
            self.doors.connections.leave(self.address)
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._fetching is not None:
            self._fetching.begin()
        if not self.transport.is_closing():
            self.transport.pause_reading()  # else its pings could be answered without end

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._fetching is not None:
            self._fetching.end()
        if not self.read_paused and not self.transport.is_closing():
            self.transport.resume_reading()

    def handle_cont(self, event: Frame) -> None:
        super().handle_cont(event)
        if len(self.frames) > MOST_FRAGMENTS:
            self.transport.abort()


class Quiet(logging.Filter):
    """The log says of every kind what has happened some times in a minute, and then only how often."""

    def __init__(self, most: int = SAID, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._rate = Rate(most, 60.0, clock)
        self._unsaid: Counter[str] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        what = record.exc_info[0] if record.exc_info else None
        kind = f"{record.name} {what} {record.msg}"[:200]
        if not self._rate.take(kind):
            self._unsaid[kind] += 1
            return False
        unsaid = self._unsaid.pop(kind, 0)
        if unsaid:
            record.msg = f"{record.msg} (and {unsaid:,} more of this kind)"
        if len(self._unsaid) > 1000:
            self._unsaid.clear()
        return True
