"""The websocket of a table: what closes it, what passes as plain text, and what somebody who comes back is told."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from stammtisch.core.game import Json
from stammtisch.table import thinking
from stammtisch.table.protocol import BINARY, LONGEST_CHAT, LONGEST_NAME, NO_TABLE, NOT_JSON, POLICY
from table import bad_agents
from table.server import PATIENCE, Address, Client, dial, served, token

TOO_BIG = 1009
LEFT = 1000
HELLO: Json = {"type": "hello", "token": token("Anna"), "name": "Anna", "last": None, "stream": None}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Address]:
    with served(tmp_path_factory.mktemp("connection"), question_seconds=PATIENCE) as address:
        yield address


@pytest.fixture(scope="module")
def code(server: Address) -> str:
    """A table at which nothing happens."""
    return server.new_table("tictactoe", {0: "me", 1: "open"}, start=False)


def ending_of(server: Address, code: str, *frames: str | bytes, hello: bool = True) -> tuple[int | None, str]:
    """Say these frames, after a hello if wished, and wait for what the server makes of them."""

    async def speak() -> tuple[int | None, str]:
        async with await Client.open(server, code, knock=hello) as client:
            for frame in frames:
                await client.socket.send(frame)
            return await client.ending()

    return asyncio.run(speak())


async def hear_of(client: Client, text: str) -> None:
    """Wait until this page has heard of such a chat."""
    await client.until(lambda: any(event["text"] == text for event in client.heard("chat")))


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 10 * PATIENCE))


# --- what closes a connection -------------------------------------------------------------------------------


@pytest.mark.parametrize("origin", [None, "null", "http://evil.example", "http://127.0.0.1:1", "http://["])
def test_pages_of_other_origins_cannot_connect(server: Address, code: str, origin: str | None) -> None:
    with pytest.raises(InvalidStatus) as refused:
        asyncio.run(dial(server, code, origin=origin))
    assert refused.value.response.status_code == 403


def test_other_host_names_cannot_connect_even_if_the_origin_agrees(server: Address, code: str) -> None:
    with pytest.raises(InvalidStatus) as refused:
        asyncio.run(dial(server, code, host=f"evil.example:{server.port}"))
    assert refused.value.response.status_code == 403


@pytest.mark.parametrize("code", ["none", "a" * 200, "' or 1=1 --".replace(" ", "%20"), "%00"])
def test_a_table_that_nobody_knows_closes_with_not_found(server: Address, code: str) -> None:
    assert ending_of(server, code, hello=False)[0] == NO_TABLE


def test_a_frame_over_eight_kibibytes_is_too_big(server: Address, code: str) -> None:
    chat = json.dumps({"type": "chat", "text": ""})
    assert ending_of(server, code, chat + " " * (8193 - len(chat)))[0] == TOO_BIG


def test_a_frame_of_eight_kibibytes_is_not_too_big(server: Address, code: str) -> None:
    chat = json.dumps({"type": "chat", "text": ""})

    async def speak() -> None:
        async with await Client.open(server, code) as client:
            await client.socket.send(chat + " " * (8192 - len(chat)))
            await client.say("chat", text="still here")
            await hear_of(client, "still here")

    run(speak())


def test_a_message_in_many_small_fragments_is_too_big_all_the_same(server: Address, code: str) -> None:
    async def speak() -> None:
        async with await Client.open(server, code) as client:
            await client.socket.send("x" * 1000 for _ in range(9))
            assert (await client.ending())[0] == TOO_BIG

    run(speak())


def test_binary_is_refused(server: Address, code: str) -> None:
    assert ending_of(server, code, b'{"type": "stand"}')[0] == BINARY
    assert ending_of(server, code, json.dumps(HELLO).encode(), hello=False)[0] == BINARY


@pytest.mark.parametrize(
    "frame",
    ["", "{", "hello", "[" * 8000, "1" * 8000, '{"type": NaN}', '{"type": "chat", "text": "\\ud800"}'],
    ids=["nothing", "half", "word", "deep", "long", "nan", "half a character"],
)
def test_what_is_no_json_is_refused(server: Address, code: str, frame: str) -> None:
    assert ending_of(server, code, frame)[0] == NOT_JSON
    assert ending_of(server, code, frame, hello=False)[0] == NOT_JSON


@pytest.mark.parametrize(
    "message",
    [
        [],
        None,
        1,
        "stand",
        {},
        {"type": "state"},
        {"type": "shout"},
        {"type": None},
        {"type": []},
        {"type": {}},
        {"type": "stand", "seat": 0},
        {"type": "sit"},
        {"type": "sit", "seat": "0"},
        {"type": "sit", "seat": True},
        {"type": "sit", "seat": -1},
        {"type": "sit", "seat": 0.0},
        {"type": "sit", "seat": 10**400},
        {"type": "chat", "text": None},
        {"type": "chat", "text": "x" * 2001},
        {"type": "move", "move": "4", "at": 0},
        {"type": "move", "move": "4", "at": None, "id": 1},
        {"type": "move", "move": ["4"], "at": 0, "id": 1},
        {"type": "arrange", "seat": 1, "agent": 7},
        {"type": "pace", "ms": -1},
        HELLO,
    ],
)
def test_a_message_that_our_page_never_sends_closes_the_connection(server: Address, code: str, message: Any) -> None:
    assert ending_of(server, code, json.dumps(message))[0] == POLICY


@pytest.mark.parametrize(
    "message",
    [
        {"type": "stand"},
        {**HELLO, "token": "0" * 31},
        {**HELLO, "token": "G" * 32},
        {**HELLO, "token": None},
        {**HELLO, "name": 5},
        {**HELLO, "last": -1},
        {**HELLO, "last": "0"},
        {**HELLO, "stream": 0},
        {name: value for name, value in HELLO.items() if name != "stream"},
    ],
)
def test_without_a_proper_hello_nobody_comes_in(server: Address, code: str, message: Json) -> None:
    assert ending_of(server, code, json.dumps(message), hello=False)[0] == POLICY


def test_a_flood_closes_the_connection_and_only_this_one(server: Address, code: str) -> None:
    async def speak() -> None:
        async with await Client.open(server, code, "Ben") as quiet, await Client.open(server, code) as loud:
            for _ in range(200):
                await loud.say("stand")
            assert await loud.ending() == (POLICY, "too many messages")
            await quiet.say("chat", text="quiet again")
            await hear_of(quiet, "quiet again")

    run(speak())


def test_who_says_no_hello_is_shown_out(tmp_path: Path) -> None:
    with served(tmp_path, hello_seconds=0.2) as server:
        code = server.new_table("tictactoe", {0: "me", 1: "open"}, start=False)
        assert ending_of(server, code, hello=False) == (POLICY, "no hello")


def test_a_table_has_room_for_so_many_pages_and_no_more(tmp_path: Path) -> None:
    with served(tmp_path, most_people=2) as server:
        code = server.new_table("tictactoe", {0: "me", 1: "open"}, start=False)

        async def crowd() -> None:
            async with await Client.open(server, code), await Client.open(server, code, "Ben") as ben:
                hello = json.dumps({**HELLO, "token": token("Cem")})
                async with await Client.open(server, code, knock=False) as cem:
                    await cem.socket.send(hello)
                    assert await cem.ending() == (POLICY, "table_full")
                await ben.close()
                async with await Client.open(server, code, "Cem") as cem:
                    assert cem.state["table"]["you"]["name"] == "Cem"

        run(crowd())


def test_who_leaves_is_let_go(server: Address) -> None:
    code = server.new_table("tictactoe", {0: "me", 1: "open"}, start=False)
    assert ending_of(server, code, json.dumps({"type": "leave"}))[0] == LEFT


# --- what is refused but leaves the connection open ---------------------------------------------------------


def test_what_the_rules_or_the_table_forbid_is_answered_with_a_word(server: Address) -> None:
    code = server.new_table("tictactoe", {0: "me", 1: "open"}, start=False)

    async def speak() -> None:
        async with await Client.open(server, code) as anna, await Client.open(server, code, "Ben") as ben:
            assert await why(anna, "move", move="4", at=0, id=9) == ("no_game", 9)
            assert await why(ben, "start") == ("only_host", None)
            assert await why(ben, "sit", seat=0) == ("seat_taken", None)
            assert await why(ben, "move", move="4", at=0, id=1) == ("not_seated", 1)
            await ben.say("sit", seat=1)
            await anna.until(lambda: anna.heard("sat") != [])
            await anna.say("start")
            await ben.until(lambda: ben.state["game"] is not None)
            await anna.until(lambda: anna.state["game"] is not None)
            assert await why(ben, "move", move="4", at=ben.state["n"], id=2) == ("not_your_turn", 2)
            assert await why(anna, "move", move="\x00 castle", at=anna.state["n"], id=3) == ("not_a_move", 3)
            assert await why(anna, "move", move="4", at=0, id=4) == ("stale", 4)
            assert await why(anna, "sit", seat=1) == ("game_runs", None)
            assert await why(ben, "hint", id=5) == ("not_your_turn", 5)
            assert anna.heard("move") == []

    async def why(client: Client, type: str, **fields: Any) -> tuple[str, int | None]:
        await client.say(type, **fields)
        answer = await client.answer()
        assert answer["type"] == "refused"
        return answer["why"], answer["id"]

    run(speak())


def test_a_hint_comes_while_the_table_goes_on(server: Address) -> None:
    code = server.new_table("tictactoe", {0: "me", 1: "random"})

    async def speak() -> None:
        async with await Client.open(server, code) as client:
            await client.say("hint", id=42)
            await client.say("chat", text="what now?")
            await client.until(lambda: client.heard("chat") != [])
            answer = await client.answer()
            assert answer["id"] == 42
            assert {one["move"] for one in answer["candidates"]} <= set(client.moves)

    run(speak())


# --- names and chat are text --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("<b>Anna</b>", "<b>Anna</b>"),
        ("<img src=x onerror=a()>", "<img src=x onerror=a()>"),
        ("&amp; \"'`${x}", "&amp; \"'`${x}"),
        ("  two\r\n\tlines  ", "two lines"),
        ("a\x00b\x1b[31mc\x7f", "ab[31mc"),
        ("right\u202eto\u2066left\u200b", "righttoleft"),
        ("Jörg 🎲 李", "Jörg 🎲 李"),
    ],
)
def test_names_and_chat_pass_as_one_line_of_plain_text(server: Address, typed: str, shown: str) -> None:
    code = server.new_table("tictactoe", {0: "me", 1: "open"}, start=False)

    async def speak() -> None:
        async with await Client.open(server, code) as anna, await Client.open(server, code, "Ben") as ben:
            await anna.say("name", name=typed)
            await anna.say("chat", text=typed)
            await ben.until(lambda: ben.heard("chat") != [])
            assert ben.heard("chat") == [{"kind": "chat", "name": shown[:LONGEST_NAME], "text": shown}]
            assert ben.state["table"]["seats"][0]["name"] == shown[:LONGEST_NAME]

    run(speak())


def test_long_names_and_chats_are_cut_and_empty_ones_become_guests_and_silence(server: Address) -> None:
    code = server.new_table("tictactoe", {0: "me", 1: "open"}, start=False)

    async def speak() -> None:
        async with await Client.open(server, code) as anna:
            await anna.say("name", name=" \x00\n ")
            for text in ("", " \n\x00 ", "x" * 2000):
                await anna.say("chat", text=text)
            await anna.until(lambda: anna.heard("chat") != [])
            assert [event["text"] for event in anna.heard("chat")] == ["x" * LONGEST_CHAT]
            assert anna.state["table"]["you"]["name"] == "Guest"
            await anna.say("name", name="y" * 200)
            await anna.until(lambda: anna.state["table"]["you"]["name"] == "y" * LONGEST_NAME)

    run(speak())


# --- who comes back -----------------------------------------------------------------------------------------


@asynccontextmanager
async def four_people(server: Address, game: str, **options: Any) -> AsyncIterator[tuple[str, list[Client]]]:
    """A table and the pages of four people at it, whose game has begun."""
    code = server.new_table(game, {0: "me", 1: "open", 2: "open", 3: "open"}, start=False, options=options)
    async with AsyncExitStack() as pages:
        clients = [
            await pages.enter_async_context(await Client.open(server, code, name))
            for name in ("Anna", "Ben", "Cem", "Dora")
        ]
        for seat, client in enumerate(clients):
            await sit(client, seat)
        await clients[0].until(lambda: all(seat["kind"] == "person" for seat in clients[0].state["table"]["seats"]))
        await clients[0].say("start")
        for client in clients:
            await see_the_start(client)
        yield code, clients


async def sit(client: Client, seat: int) -> None:
    if client.seat != seat:
        await client.say("sit", seat=seat)
        await client.until(lambda: client.seat == seat)


async def see_the_start(client: Client) -> None:
    await client.until(lambda: client.state["game"] is not None)


async def play_together(clients: list[Client], moves: int) -> None:
    """So many moves, whoever's turn it is."""
    for _ in range(moves):
        await play_one(await who_moves(clients))


async def play_one(mover: Client) -> None:
    known = mover.state["n"]
    await mover.move()
    await mover.until(lambda: mover.state["n"] > known or not mover.moves)  # a choice counts when all have chosen


async def who_moves(clients: list[Client]) -> Client:
    """The one who may move, once everybody present has heard of it."""
    while True:
        for client in clients:
            if client.moves:
                return client
        waiting = [asyncio.create_task(client.hear()) for client in clients]
        done, pending = await asyncio.wait(waiting, timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
        assert done, "nobody may move"
        for task in pending:
            task.cancel()
        await asyncio.gather(*pending, return_exceptions=True)
        for task in done:
            task.result()


@pytest.mark.parametrize("heard", ["nothing", "some", "all"])
def test_who_reconnects_in_the_middle_of_a_trick_is_told_exactly_what_was_missed(server: Address, heard: str) -> None:
    async def speak() -> None:
        async with four_people(server, "tichu", rounds=1) as (code, clients):
            dora = clients[3]
            await play_together(clients, 40)  # calls, gifts and some tricks
            await dora.say("chat", text="I lose the connection")
            await hear_of(dora, "I lose the connection")
            async with await Client.open(server, code, "Dora") as witness:  # on the same seat; it misses nothing
                dora.cut()
                await clients[0].say("chat", text="where is she?")
                await hear_of(witness, "where is she?")
                last = {"nothing": None, "some": dora.state["n"], "all": witness.state["n"]}[heard]
                stream = None if last is None else dora.state["stream"]
                async with await Client.open(server, code, "Dora", stream, last) as again:
                    await witness.say("chat", text="all here")
                    await hear_of(again, "all here")
                    await hear_of(witness, "all here")
                    assert again.events == witness.events[last or 0 :]
                    assert again.state["game"] == witness.state["game"]

    run(speak())


@pytest.mark.parametrize(("stream", "last"), [("1", 3), ("watch", 1), ("0", 10**9), ("nonsense", 0)])
def test_who_claims_to_have_heard_another_stream_is_told_the_own_one_from_the_beginning(
    server: Address, stream: str, last: int
) -> None:
    async def speak() -> None:
        async with four_people(server, "tichu", rounds=1) as (code, clients):
            await play_together(clients, 20)
            await clients[0].say("chat", text="now")
            await hear_of(clients[0], "now")
            async with await Client.open(server, code, "Anna", stream, last) as again:
                assert again.state["reset"] and again.state["stream"] == "0"
                assert again.events == clients[0].events

    run(speak())


def test_two_pages_of_one_person_are_one_player(server: Address) -> None:
    code = server.new_table("tictactoe", {0: "me", 1: "open"}, start=False)

    async def speak() -> None:
        async with await Client.open(server, code, "Ben") as ben, await Client.open(server, code) as one:
            await ben.say("sit", seat=1)
            await one.until(lambda: one.heard("sat") != [])
            async with await Client.open(server, code) as two:
                assert one.state["table"]["you"] == two.state["table"]["you"]
                await one.say("start")
                await two.until(lambda: two.moves != [])
                await two.move("4")  # the other page plays
                await one.until(lambda: one.heard("move") != [])
                assert one.moves == []
                await one.move("3")
                assert (await one.answer())["why"] == "not_your_turn"
                await two.until(lambda: two.heard("move") != [])
            await ben.until(lambda: ben.moves != [])
            await ben.move("0")
            await one.until(lambda: one.moves != [])
            assert not one.seat_of("Anna")["away"]
            await ben.until(lambda: len(ben.heard("move")) == 2)
            assert one.events == ben.events

    run(speak())


def test_a_bot_takes_over_when_somebody_leaves_and_gives_the_seat_back(tmp_path: Path) -> None:
    with served(tmp_path, away_seconds=1.0, flood_messages=10**6) as server:

        async def speak() -> None:
            async with four_people(server, "madn") as (code, clients):
                anna, dora = clients[0], clients[3]
                await play_together(clients, 8)
                dora.cut()
                while len(moves_of(anna, 3, since="away")) < 3:
                    await play_together(clients[:3], 1)
                assert anna.seat_of("Dora")["away"]
                async with await Client.open(server, code, "Dora") as again:
                    present = [*clients[:3], again]
                    while await who_moves(present) is not again:
                        await play_together(present, 1)
                    assert moves_of(again, 3, since="back") == []  # nobody has moved for her since she is back
                    await play_one(again)
                    assert len(moves_of(again, 3, since="back")) == 1
                    await anna.until(lambda: not anna.seat_of("Dora")["away"])

        run(speak())


def moves_of(client: Client, seat: int, since: str) -> list[Json]:
    """What this page heard of a seat's moves after the last event of a kind."""
    ends = [at for at, event in enumerate(client.events) if event["kind"] == since]
    after = client.events[ends[-1] :] if ends else []
    return [event for event in after if event["kind"] == "move" and event["seat"] == seat]


def test_who_comes_back_in_time_is_never_away(tmp_path: Path) -> None:
    with served(tmp_path, away_seconds=PATIENCE) as server:
        code = server.new_table("tictactoe", {0: "me", 1: "random"})

        async def speak() -> None:
            async with await Client.open(server, code, "Ben") as ben:
                for _ in range(5):
                    client = await Client.open(server, code)
                    client.cut()
                async with await Client.open(server, code) as client:
                    await client.play_on()
                    await ben.until(lambda: ben.over)
                assert ben.heard("away") == ben.heard("back") == []

        run(speak())


# --- bad agents ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("agent", bad_agents.ALL, ids=lambda agent: agent.__name__)
def test_an_agent_that_does_not_answer_properly_does_not_stop_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, agent: Any
) -> None:
    monkeypatch.setattr(thinking, "think", agent)
    patience = 1.0 if agent is bad_agents.hangs else PATIENCE
    monkeypatch.setattr(thinking, "FIRST_TIME_SECONDS", patience)
    monkeypatch.setattr(thinking, "LOADING_SECONDS", patience)
    with served(tmp_path, think_seconds=0.1) as server:
        code = server.new_table("tictactoe", {0: "me", 1: "random"})

        async def speak() -> None:
            async with await Client.open(server, code) as client:
                await client.play_on()
                assert client.over

        run(speak())
        assert server.get("/api/games").status == 200
