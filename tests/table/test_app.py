"""The web server over HTTP: what it serves, whom it refuses, and which wishes for a table it understands."""

from __future__ import annotations

import asyncio
import ipaddress
import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from commands import run
from stammtisch.core.registry import games
from stammtisch.table.serve import own_address
from stammtisch.table.settings import Settings, allowed_hosts
from table.server import PATIENCE, Address, Answer, Client, served, token


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Address]:
    with served(tmp_path_factory.mktemp("app")) as address:
        yield address


def finish_a_game(server: Address, name: str) -> str:
    """Play a game against a bot to its end; the record's name."""
    code = server.new_table("tictactoe", {0: "me", 1: "random"}, name=name)

    async def play() -> str:
        async with await Client.open(server, code, name) as client:
            await client.play_on()
            return str(client.state["game"]["record"])

    return asyncio.run(play())


def status_of(server: Address, request: str) -> int:
    """The status that a request written by hand gets."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection:
        connection.sendall(request.encode())
        return int(connection.makefile("rb").readline().split()[1])


# --- pages --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/", "/table/abc", "/game/abc", "/rules/tichu"])
def test_every_address_of_the_page_leads_to_the_page(server: Address, path: str) -> None:
    answer = server.get(path)
    assert answer.status == 200 and answer.headers["content-type"].startswith("text/html")
    assert b"<script" in answer.body


def test_the_page_loads_nothing_from_elsewhere_and_runs_no_script_of_its_own_text(server: Address) -> None:
    page = server.get("/").body.decode()
    assert "http://" not in page and "https://" not in page
    assert "unsafe" not in server.get("/").headers["content-security-policy"]


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/web/style.css", "/web/games/dmadn/board.js", "/web/none.js", "/none"),
        *("/api/games", "/api/mine", "/api/records/none"),
    ],
)
def test_every_answer_carries_the_headers_that_protect_the_page(server: Address, path: str) -> None:
    headers = server.get(path).headers
    assert "default-src 'self'" in headers["content-security-policy"]
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert "form-action 'self'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    "path",
    [
        *("/web/../app.py", "/web/%2e%2e/app.py", "/web/..%2fapp.py", "/web/%2fetc/passwd"),
        *("/web/games/dog/../game.py", "/web/games/dog/%2e%2e/game.py", "/web/games/dog/..%2fgame.py"),
    ],
)
def test_nothing_outside_the_page_s_folder_is_served(server: Address, path: str) -> None:
    assert server.get(path).status == 404


# --- whom it refuses ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "origin",
    [
        *("http://evil.example", "null", "", "http://[", "http://127.0.0.1:1", "//"),
        *("ftp://{host}", "chrome-extension://{host}", "//{host}", "http://a@{host}", "http://{host}/", "{host}"),
    ],
)
def test_pages_of_other_origins_get_nothing(server: Address, origin: str) -> None:
    origin = origin.replace("{host}", server.host)
    assert server.get("/api/games", origin=origin).status == 403
    wish = json.dumps({"game": "tictactoe"}).encode()
    assert server.request("POST", "/api/tables", wish, origin=origin, x_token=token("Anna")).status == 403


def test_the_own_page_may_name_its_origin(server: Address) -> None:
    assert server.get("/api/games", origin=f"http://{server.host}").status == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "127.0.0.1@evil.example", "[::1", "[", ""]
)
def test_other_host_names_get_nothing(server: Address, host: str) -> None:
    assert status_of(server, f"GET / HTTP/1.1\r\nHost: {host}\r\n\r\n") == 403


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "LOCALHOST:99", "[::1]:8765"])
def test_the_names_of_this_computer_are_its_own(server: Address, host: str) -> None:
    assert status_of(server, f"GET /api/games HTTP/1.1\r\nHost: {host}\r\n\r\n") == 200


def test_who_opens_the_table_to_a_name_still_reaches_it_from_the_own_computer() -> None:
    everybody, named = Settings(host="0.0.0.0"), Settings(host="0.0.0.0", names=("play.example.org",))
    assert set(allowed_hosts(everybody)) == {"127.0.0.1", "localhost", "[::1]"}
    assert set(allowed_hosts(named)) == {"127.0.0.1", "localhost", "[::1]", "play.example.org"}


def test_the_own_address_in_the_network_is_an_address() -> None:
    assert ipaddress.ip_address(own_address())


def test_a_further_host_name_can_be_allowed_in_any_spelling(tmp_path: Path) -> None:
    with served(tmp_path, names=("Stube.Example",)) as server:
        assert status_of(server, "GET /api/games HTTP/1.1\r\nHost: stube.example:80\r\n\r\n") == 200
        assert status_of(server, "GET /api/games HTTP/1.1\r\nHost: evil.example:80\r\n\r\n") == 403


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "OPTIONS"])
def test_tables_are_only_asked_for_by_post(server: Address, method: str) -> None:
    assert server.request(method, "/api/tables").status == 405


# --- what it tells ------------------------------------------------------------------------------------------


def test_all_games_are_offered_with_four_levels_of_opponents(server: Address) -> None:
    offers = server.get("/api/games").json()
    assert {offer["name"] for offer in offers} == set(games())
    assert [games()[offer["name"]].place for offer in offers] == sorted(info.place for info in games().values())
    for offer in offers:
        assert [level["level"] for level in offer["levels"]] == ["beginner", "casual", "strong", "best"]


@pytest.mark.parametrize("secret", ["", "short", "A" * 32, "0" * 31, "0" * 65, "g" * 32, "٣" * 32])
def test_who_has_no_proper_secret_is_told_so(server: Address, secret: str) -> None:
    headers = {"x_token": secret} if secret.isascii() else {}
    for answer in (server.get("/api/mine", **headers), server.request("POST", "/api/tables", b"{}", **headers)):
        assert (answer.status, answer.json()["why"]) == (400, "bad_token")


def test_people_find_their_own_tables_and_finished_games_and_nobody_else_s(server: Address) -> None:
    record = finish_a_game(server, "Dora")
    code = server.new_table("tictactoe", {0: "me", 1: "random"}, name="Dora")
    mine = server.get("/api/mine", x_token=token("Dora")).json()
    assert [table["code"] for table in mine["tables"]] == [code]
    assert [(game["id"], game["seat"], game["players"][0]) for game in mine["games"]] == [(record, 0, "Dora")]
    assert server.get("/api/mine", x_token=token("Emil")).json() == {"tables": [], "games": []}


def test_who_lets_bots_play_and_watches_finds_that_table_again(server: Address) -> None:
    wish = {"game": "tictactoe", "seats": "watch", "agent": "random", "pace": None, "start": True, "name": "Frieda"}
    code = server.post(wish, "Frieda").json()["code"]
    mine = server.get("/api/mine", x_token=token("Frieda")).json()
    assert [table["code"] for table in mine["tables"]] == [code]


def test_a_finished_game_is_a_record_that_replay_reads(
    server: Address, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = server.get(f"/api/records/{finish_a_game(server, 'Anna')}")
    file = tmp_path / "games.jsonl"
    file.write_bytes(record.body + b"\n")
    assert run("replay", str(file)) == 0
    assert "Anna" in capsys.readouterr().out


def test_a_finished_game_comes_back_with_all_its_positions(server: Address) -> None:
    found = server.get(f"/api/records/{finish_a_game(server, 'Anna')}/positions").json()
    assert len(found["positions"]) == len(found["record"]["moves"]) + 1
    assert [row["move"] for row in found["positions"][:-1]] == found["record"]["moves"]
    assert found["positions"][-1]["view"]["player"] is None


def test_a_new_table_can_begin_in_the_middle_of_a_finished_game(server: Address) -> None:
    record = finish_a_game(server, "Anna")
    before = server.get(f"/api/records/{record}/positions").json()["positions"][3]["view"]
    wish = {"from": {"game": record, "at": 3}, "seats": {"0": "random", "1": "me"}, "pace": None, "start": True}
    code = server.post(wish).json()["code"]

    async def look() -> None:
        async with await Client.open(server, code) as client:
            assert client.state["game"]["view"] == before

    asyncio.run(look())


@pytest.mark.parametrize("path", ["none", "none/positions", "none/analysis", "%00", "' or 1=1 --/positions"])
def test_a_record_that_nobody_knows_is_not_found(server: Address, path: str) -> None:
    answer = server.get(f"/api/records/{path.replace(' ', '%20')}")
    assert (answer.status, answer.json()["why"]) == (404, "unknown_record")


# --- wishes -------------------------------------------------------------------------------------------------


def refusal(answer: Answer) -> str:
    assert answer.status == 400, answer.body
    return str(answer.json()["why"])


BAD_WISHES: list[tuple[Any, str]] = [
    ([], "bad_request"),
    (None, "bad_request"),
    ("tictactoe", "bad_request"),
    ({"game": "tictactoe", "colour": "red"}, "bad_request"),
    ({}, "unknown_game"),
    ({"game": "poker"}, "unknown_game"),
    ({"game": ["tictactoe"]}, "unknown_game"),
    ({"game": "tictactoe", "options": [1]}, "bad_options"),
    ({"game": "tictactoe", "options": {"size": 4}}, "bad_options"),
    ({"game": "dog", "options": {"players": 9}}, "bad_options"),
    *(({"game": game, "options": {"self": 1}}, "bad_options") for game in ("tichu", "dog")),
    ({"game": "tichu", "seats": {"1": "pimc:self=1"}}, "no_such_agent"),
    ({"game": "dog", "options": {"players": []}}, "bad_options"),
    ({"game": "dog", "options": {"teams": "maybe"}}, "bad_options"),
    ({"game": "tictactoe", "seats": [1]}, "bad_request"),
    ({"game": "tictactoe", "seats": "everywhere"}, "bad_request"),
    ({"game": "tictactoe", "seats": {"0": 1}}, "bad_request"),
    ({"game": "tictactoe", "seats": {"-1": "me"}}, "no_such_seat"),
    ({"game": "tictactoe", "seats": {"9" * 5000: "me"}}, "no_such_seat"),
    ({"game": "tictactoe", "seats": {"٣": "me"}}, "no_such_seat"),
    ({"game": "tictactoe", "seats": {"2": "random"}}, "no_such_seat"),
    ({"game": "tictactoe", "seats": {"0": "nobody"}}, "no_such_agent"),
    ({"game": "tictactoe", "seats": {"0": "maxn:depth=0"}}, "no_such_agent"),
    ({"game": "tictactoe", "seats": {"0": "heuristic"}}, "no_such_agent"),
    ({"game": "tictactoe", "pace": -1}, "bad_request"),
    ({"game": "tictactoe", "pace": True}, "bad_request"),
    ({"game": "tictactoe", "pace": 10**9}, "bad_request"),
    ({"from": 1}, "bad_request"),
    ({"from": {"game": "none", "at": 0}}, "unknown_record"),
    ({"from": {"game": 7, "at": 0}}, "bad_request"),
]


@pytest.mark.parametrize(("wish", "why"), BAD_WISHES)
def test_a_wish_that_cannot_be_is_refused_in_a_word(server: Address, wish: Any, why: str) -> None:
    assert refusal(server.post(wish)) == why


@pytest.mark.parametrize("agent", ["value:net=/x", "value: net = /x", "value:window=2,net\t=/x"])
def test_files_are_opened_for_whoever_sits_at_the_computer_alone(server: Address, agent: str) -> None:
    wish = json.dumps({"game": "clever", "seats": {"0": agent}}).encode()
    for stranger in ({"x_forwarded_for": "127.0.0.1"}, {"via": "proxy"}, {"forwarded": "for=[::1]"}):
        answer = server.request("POST", "/api/tables", wish, x_token=token("Anna"), **stranger)
        assert refusal(answer) == "agent_of_this_computer"
    assert server.request("POST", "/api/tables", wish, x_token=token("Anna")).status == 201


@pytest.mark.parametrize("at", [-1, 99, None, "3", True, 1.0])
def test_a_place_that_a_finished_game_has_not_is_refused(server: Address, at: Any) -> None:
    assert refusal(server.post({"from": {"game": finish_a_game(server, "Anna"), "at": at}})) == "no_such_move"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"\xff\xfe\xfd",
        b"[" * 60_000,
        b"1" * 60_000,
        b'{"game": NaN}',
        b'{"game": "\\ud800"}',
        b'"\xed\xa0\x80"',
    ],
    ids=["nothing", "half", "bytes", "deep", "long", "nan", "half a character", "half a character in bytes"],
)
def test_a_body_that_is_no_proper_json_is_refused_in_a_word(server: Address, body: bytes) -> None:
    answer = server.request("POST", "/api/tables", body, x_token=token("Anna"))
    assert (answer.status, answer.json()["why"]) == (400, "bad_request")


def test_a_body_that_is_too_large_is_refused(server: Address) -> None:
    wish = json.dumps({"game": "tictactoe", "name": ""})
    padding = Settings().body_bytes - len(wish)
    for size, status in ((padding, 201), (padding + 1, 413)):
        body = wish.encode() + b" " * size
        assert server.request("POST", "/api/tables", body, x_token=token("Anna")).status == status


def test_a_refused_wish_leaves_no_table(server: Address) -> None:
    assert refusal(server.post({"game": "tictactoe", "seats": {"0": "me", "1": "nobody"}}, "Gerd")) == "no_such_agent"
    assert server.get("/api/mine", x_token=token("Gerd")).json()["tables"] == []


def test_the_oldest_tables_of_somebody_with_many_are_given_up(tmp_path: Path) -> None:
    with served(tmp_path, tables_per_person=3, away_seconds=0.01) as server:
        codes = []
        for _ in range(8):
            codes.append(server.new_table("tictactoe", {0: "me", 1: "random"}))
            time.sleep(10 * 0.01)  # until nobody is there any more: a table that is in use is not given up
        kept = [table["code"] for table in server.get("/api/mine", x_token=token("Anna")).json()["tables"]]
    assert codes[-1] in kept and len(kept) < len(codes)
