"""At the door: names, limits for every address, clocks for requests, and a log that stays short under fire."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import HTTPConnection
from uvicorn import Config
from uvicorn.server import ServerState
from websockets.exceptions import ConnectionClosed, InvalidMessage, InvalidStatus

from stammtisch.core.errors import StammtischError
from stammtisch.table import addresses
from stammtisch.table.doors import Doors, Present, Quiet, Rate, most_connections, protocols
from stammtisch.table.settings import Settings, read_limits
from table.house import QuickLoop
from table.server import PATIENCE, Address, Client, ServerProcess, served, token, wait_until

UPLOAD = f"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Token: {token('A')}\r\nContent-Length: %d\r\n\r\n{{"
WISH = json.dumps({"game": "tictactoe", "seats": {"0": "me", "1": "open"}}).encode()


@contextmanager
def wire(server: Address, *parts: str) -> Iterator[socket.socket]:
    """A connection on which this was written."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection:
        for part in parts:
            connection.sendall(part.encode())
        yield connection


def read_to_the_end(connection: socket.socket) -> bytes:
    """Whatever comes until the server hangs up; the test fails when it does not."""
    found = b""
    try:
        while chunk := connection.recv(65_536):
            found += chunk
    except ConnectionError:
        pass
    return found


# --- names and addresses ------------------------------------------------------------------------------------


def called(host: str, at: str, settings: Settings) -> bool:
    scope = {"type": "http", "headers": [(b"host", host.encode())], "server": (at, 8765), "client": ("192.0.2.9", 1)}
    return addresses.is_called_right(HTTPConnection(scope), settings)


@pytest.mark.parametrize("everybody", ["0.0.0.0", "::"])
def test_open_to_a_network_the_page_has_the_address_that_was_called_and_names_that_were_given(everybody: str) -> None:
    at, plain, named = "192.0.2.7", Settings(host=everybody), Settings(host=everybody, names=("stube.example",))
    for host in ("192.0.2.7", "192.0.2.7:8765", "localhost", "127.0.0.1:8765", "[::1]"):
        assert called(host, at, plain)
    assert called("[2001:db8::7]:8765", "2001:db8::7", plain)
    for host in (
        "evil.example",
        "192.0.2.8",
        "192.0.2.7.evil.example",
        "192.0.2.7@evil.example",
        "",
        "[",
        "3221225991",
    ):
        assert not called(host, at, plain) and not called(host, at, named)
    assert called("STUBE.example:80", at, named)
    assert not called("stube.example", at, plain)


def test_a_name_that_leads_here_is_refused_by_a_server_for_everybody(tmp_path: Path) -> None:
    """DNS rebinding: the page of evil.example asks evil.example, which by now is this computer."""
    with served(tmp_path, host="0.0.0.0") as server:
        assert server.get("/api/games", host=server.host).status == 200
        evil = f"evil.example:{server.port}"
        assert server.get("/api/games", host=evil).status == 403
        assert server.get("/api/games", host=evil, origin=f"http://{evil}").status == 403
        assert server.request("POST", "/api/tables", WISH, host=evil, x_token=token("Eve")).status == 403


def from_where(peer: str, settings: Settings, *given: str) -> str:
    headers = [(b"x-forwarded-for", one.encode()) for one in given]
    return addresses.address_of(HTTPConnection({"type": "http", "headers": headers, "client": (peer, 1)}), settings)


def test_a_header_says_who_asks_only_where_a_proxy_was_named() -> None:
    plain, behind = Settings(), Settings(proxy="X-Forwarded-For")
    assert from_where("192.0.2.1", plain, "198.51.100.5") == "192.0.2.1"
    assert from_where("192.0.2.1", behind, "198.51.100.5") == "198.51.100.5"
    assert from_where("192.0.2.1", behind, "made, up", "198.51.100.5, 203.0.113.9") == "203.0.113.9"
    assert from_where("192.0.2.1", behind) == "192.0.2.1"
    assert from_where("2001:db8::1", plain) == from_where("2001:db8::2", plain) != from_where("2001:db8:1::", plain)


# --- counting -----------------------------------------------------------------------------------------------


def test_so_many_in_a_time_for_every_address() -> None:
    now = 0.0
    rate = Rate(3, 60.0, lambda: now)
    assert [rate.take("a") for _ in range(5)] == [True] * 3 + [False] * 2
    assert rate.take("b", 3) and not rate.take("c", 4)
    rate.give_back("a")
    assert rate.take("a") and not rate.take("a")
    now = 60.0
    assert rate.take("a")


def test_so_many_at_the_same_time_for_every_address_and_all_together() -> None:
    present = Present(2, together=3)
    assert [present.enter("a") for _ in range(3)] == [True, True, False]
    assert present.enter("b") and not present.enter("c")
    present.leave("a")
    assert present.enter("c") and len(present) == 3
    unnamed = Present(1)
    assert all(unnamed.enter("") for _ in range(5))


def test_no_more_connections_than_files(monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource")
    monkeypatch.setattr(resource, "getrlimit", lambda _: (1024, 4096))
    assert most_connections(Settings()) == 896
    assert most_connections(Settings(most_connections=50)) == 50


def test_limits_are_typed_by_name() -> None:
    assert Settings(**read_limits(["tables_per_address=7"])).tables_per_address == 7  # type: ignore[arg-type]
    for wrong in ("tables=7", "tables_per_address=x", "tables_per_address=0", "most_ms=nan", "host=x", "workers"):
        with pytest.raises(StammtischError):
            read_limits([wrong])


# --- clocks -------------------------------------------------------------------------------------------------


class Line(asyncio.Transport):
    """One connection of a server on a clock that jumps."""

    def __init__(self, loop: QuickLoop, settings: Settings) -> None:
        super().__init__({"peername": ("192.0.2.1", 5), "sockname": ("192.0.2.2", 80)})
        self.loop, self.waiting, self.ended, self.reading, self.said = loop, 0, False, True, b""
        http, websocket = protocols(Doors(settings))
        config = Config(self.answer, http=http, ws=websocket, lifespan="off", interface="asgi3", log_config=None)
        config.load()
        self.loop.do(self.begin(config))

    async def begin(self, config: Config) -> None:
        self.protocol = config.http_protocol_class(config=config, server_state=ServerState(), app_state={})  # type: ignore[call-arg]
        self.protocol.connection_made(self)

    async def answer(self, scope: Any, receive: Any, send: Any) -> None:
        while (await receive()).get("more_body"):
            pass
        if scope["type"] == "websocket":
            await send({"type": "websocket.accept"})
            await receive()
            return
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"ok"})

    def hear(self, text: str, seconds: float = 0.0) -> None:
        async def hear() -> None:
            assert isinstance(self.protocol, asyncio.Protocol)
            self.protocol.data_received(text.encode())

        if not self.ended:
            self.loop.do(hear())
        self.loop.settle()
        self.loop.pass_time(seconds)

    def stop_fetching(self) -> None:
        async def stop() -> None:
            self.waiting = 100_000
            self.protocol.pause_writing()

        self.loop.do(stop())

    async def lose(self) -> None:
        self.protocol.connection_lost(ConnectionError())

    def get_write_buffer_size(self) -> int:
        return self.waiting

    def write(self, data: Any) -> None:
        self.said += bytes(data)

    def is_closing(self) -> bool:
        return self.ended

    def close(self) -> None:
        self.ended = True

    def abort(self) -> None:
        self.ended = True

    def pause_reading(self) -> None:
        self.reading = False

    def resume_reading(self) -> None:
        self.reading = True

    def get_protocol(self) -> asyncio.BaseProtocol:
        return self.protocol

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self.protocol = protocol  # type: ignore[assignment]


@pytest.fixture
def line() -> Iterator[Line]:
    loop = QuickLoop()
    asyncio.set_event_loop(loop)
    line = Line(loop, Settings(head_seconds=10, body_seconds=20, fetch_seconds=60))
    yield line
    line.loop.do(line.lose())
    asyncio.set_event_loop(None)
    loop.finish()


GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"


def test_a_request_has_so_long_for_its_head_however_it_comes(line: Line) -> None:
    for sign in GET[:9]:
        line.hear(sign, 1)
    assert not line.ended
    line.hear("T", 2)
    assert line.ended


def test_and_the_next_one_as_well(line: Line) -> None:
    line.hear(GET, 4)
    line.hear("GET / ", 5)
    assert line.said.endswith(b"ok") and not line.ended
    line.hear("HTTP/1.1\r\n", 2)
    assert line.ended


def test_requests_in_time_may_follow_each_other_for_ever(line: Line) -> None:
    for _ in range(20):
        line.hear(GET[:9], 3)
        line.hear(GET[9:], 3)
    assert line.said.count(b"ok") == 20 and not line.ended


def test_a_body_has_so_long(line: Line) -> None:
    line.hear("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n", 9)
    for _ in range(5):
        line.hear("x", 2)
    assert not line.ended
    line.hear("x", 2)
    assert line.ended


def test_who_fetches_slowly_is_served_and_who_stops_is_not(line: Line) -> None:
    line.hear(GET)
    line.stop_fetching()
    for _ in range(10):
        line.waiting -= 1000
        line.hear(GET, 59)
    assert not line.ended
    line.hear(GET, 130)
    assert line.ended


UPGRADE = (
    "GET /ws/none HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://127.0.0.1\r\nConnection: Upgrade\r\n"
    "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


def test_the_pings_of_who_does_not_listen_are_not_answered_without_end(line: Line) -> None:
    line.hear(UPGRADE)
    line.stop_fetching()
    assert not line.reading
    line.hear("", 130)
    assert line.ended


# --- a whole server -----------------------------------------------------------------------------------------


def test_fresh_secrets_do_not_help_who_wants_a_thousand_tables(tmp_path: Path) -> None:
    with served(tmp_path, tables_per_address=5) as server:
        found = [server.request("POST", "/api/tables", WISH, x_token=token(f"{n}")) for n in range(9)]
        assert [answer.status for answer in found] == [201] * 5 + [429] * 4
        assert found[-1].json()["why"] == "too_many_tables"
        assert server.get("/api/games").status == 200
    with served(tmp_path, tables_per_address=2) as server:  # what is refused is no table
        statuses = [
            server.request("POST", "/api/tables", body, x_token=token("A")).status for body in (b"{", WISH, WISH)
        ]
        assert statuses == [400, 201, 201]


def test_behind_a_proxy_everybody_has_limits_of_their_own(tmp_path: Path) -> None:
    with served(tmp_path, tables_per_address=2, proxy="X-Forwarded-For") as server:
        for who in ("192.0.2.1", "192.0.2.2"):
            found = [
                server.request("POST", "/api/tables", WISH, x_token=token(f"{n}"), x_forwarded_for=f"{n}, {who}")
                for n in range(3)
            ]
            assert [answer.status for answer in found] == [201, 201, 429]


def test_requests_of_an_address_have_an_end_and_long_ones_cost_more(tmp_path: Path) -> None:
    with served(tmp_path, requests_per_address=25) as server:
        assert [server.get("/api/records/x/positions").status for _ in range(3)] == [404, 404, 429]
        assert [server.get("/api/games").status for _ in range(6)] == [200] * 5 + [429]


def test_an_address_has_room_for_so_many_connections(tmp_path: Path) -> None:
    with served(tmp_path, connections_per_address=4) as server, ExitStack() as held:
        for _ in range(4):
            held.enter_context(wire(server, "GET / HT"))
        with wire(server) as fifth:
            assert read_to_the_end(fifth).startswith(b"HTTP/1.1 503")
        held.close()
        wait_until(lambda: _status(server) == 200)


def _status(server: Address) -> int:
    try:
        return server.get("/api/games").status
    except OSError:
        return 0


def test_websockets_are_connections_as_well_and_are_given_back(tmp_path: Path) -> None:
    with served(tmp_path, connections_per_address=3) as server:
        code = server.new_table("tictactoe", {0: "me", 1: "open"}, start=False)

        async def crowd() -> None:
            pages = [await Client.open(server, code, f"{n}") for n in range(3)]
            with pytest.raises((ConnectionClosed, InvalidMessage, InvalidStatus, OSError)):
                await Client.open(server, code, "late")
            for page in pages:
                await page.close()

        for _ in range(3):
            asyncio.run(crowd())
            wait_until(lambda: _status(server) == 200)


@pytest.mark.parametrize(
    ("limit", "begin"),
    [
        ("head_seconds", ""),
        ("head_seconds", "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "),
        ("body_seconds", "POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{"),
        ("body_seconds", "GET /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{"),
        ("body_seconds", "POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{"),
    ],
)
def test_half_a_request_is_not_waited_for(tmp_path: Path, limit: str, begin: str) -> None:
    with served(tmp_path, **{limit: 0.2}) as server, wire(server, begin) as connection:
        read_to_the_end(connection)


def test_who_fetches_nothing_is_given_up(tmp_path: Path) -> None:
    with served(tmp_path, fetch_seconds=0.2, connections_per_address=1) as server, socket.socket() as lazy:
        lazy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        lazy.settimeout(PATIENCE)
        lazy.connect(("127.0.0.1", server.port))
        request = b"GET /web/vendor/preact-htm.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        try:
            for _ in range(2000):
                lazy.sendall(request)
        except OSError:
            pass
        wait_until(lambda: _status(server) == 200)  # there is room again for the only connection


def test_so_many_uploads_of_an_address_at_a_time(tmp_path: Path) -> None:
    with served(tmp_path, uploads_per_address=2) as server, ExitStack() as held:
        slow = [held.enter_context(wire(server, UPLOAD % len(WISH))) for _ in range(2)]
        wait_until(lambda: server.request("POST", "/api/tables", WISH, x_token=token("B")).status == 429)
        for connection in slow:
            connection.sendall(WISH[1:])
            assert b"201" in connection.recv(100)
        assert server.request("POST", "/api/tables", WISH, x_token=token("B")).status == 201


# --- the log ------------------------------------------------------------------------------------------------


def test_the_log_says_a_thing_some_times_and_then_how_often() -> None:
    now = 0.0
    quiet = Quiet(3, lambda: now)

    def said(message: str, times: int) -> list[str]:
        records = [logging.LogRecord("x", logging.WARNING, "", 0, message, None, None) for _ in range(times)]
        return [record.getMessage() for record in records if quiet.filter(record)]

    assert said("full", 100) == ["full"] * 3
    assert said("other", 1) == ["other"]
    now = 61.0
    assert said("full", 2) == ["full (and 97 more of this kind)", "full"]


def test_hundreds_of_broken_requests_and_uploads_leave_no_traceback_and_little_in_the_log(tmp_path: Path) -> None:
    running = ServerProcess(tmp_path)
    try:
        server = running.address
        for part in ("\x01\x02\x03\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", UPLOAD % 999, "GET / HT", "\r\n" * 50):
            for _ in range(60):
                with wire(server, part):
                    pass
        for tail in ("", "\x81", "\xff" * 20):
            for _ in range(20):
                with wire(server, UPGRADE, tail):
                    pass
        wait_until(lambda: _status(server) == 200)
    finally:
        running.interrupt()
    log = (tmp_path / "errors.txt").read_text()
    assert "Traceback" not in log, log
    assert len(log) < 3000, log


def test_every_word_of_a_refusal_has_a_sentence_in_both_languages() -> None:
    folder = Path(addresses.__file__).parent
    words = {
        word
        for path in folder.glob("*.py")
        for word in re.findall(r'Refused\(\s*"([a-z_]+)"|"why": "([a-z_]+)"', path.read_text())
        for word in word
        if word
    }
    for language in ("en", "de"):
        texts = json.loads((folder / "web" / "lang" / f"{language}.json").read_text())
        assert {word for word in words if f"refused.{word}" not in texts} == set()


def test_doors_count_what_is_in_and_let_it_go(tmp_path: Path) -> None:
    doors = Doors(Settings(uploads_per_address=1, tables_per_address=1))
    with doors.uploading("a"), pytest.raises(Exception, match="still being sent"), doors.uploading("a"):
        pass
    with pytest.raises(ZeroDivisionError), doors.new_table("a"):
        raise ZeroDivisionError
    with doors.new_table("a"):
        pass
    with pytest.raises(Exception, match="1 new tables"), doors.new_table("a"):
        pass
