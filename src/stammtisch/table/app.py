"""The web server: pages, and what pages ask for over HTTP. A table's websocket is in connection.py."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from stammtisch.core.errors import StammtischError
from stammtisch.core.game import Json
from stammtisch.core.registry import games
from stammtisch.table.addresses import address_of, is_called_right, is_local, is_own_origin
from stammtisch.table.analysis import LookingBack
from stammtisch.table.catalog import offers
from stammtisch.table.connection import sit_down
from stammtisch.table.doors import Doors
from stammtisch.table.lobby import Lobby, person_of
from stammtisch.table.pages import WEB, page_of
from stammtisch.table.positions import Positions
from stammtisch.table.protocol import POLICY, Refused, is_token, parse_json
from stammtisch.table.settings import Settings

LONG = ("/positions", "/analysis")  # requests that are work
SAFETY = {
    "content-security-policy": "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none';"
    " form-action 'self'; object-src 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
}


def create_app(settings: Settings, prepare: bool = True, doors: Doors | None = None) -> Starlette:
    """The application; ``prepare`` compiles all games in the background from the start."""
    doors = doors or Doors(settings)
    lobby = Lobby(settings)  # here, so that a file that cannot be used is a sentence and no server

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        app.state.looking_back = LookingBack(lobby.store, lobby.thinkers, settings.most_analyses)
        preparing = asyncio.create_task(lobby.prepare_all()) if prepare else None
        yield
        if preparing is not None:
            preparing.cancel()
        await app.state.looking_back.stop()
        await lobby.stop()

    pages = {name: page_of(info) for name, info in games().items()}
    routes = [
        *(Route(path, _page) for path in ("/", "/table/{code}", "/game/{id}", "/rules/{game}")),
        Route("/api/games", _games),
        Route("/api/mine", _mine),
        Route("/api/tables", _new_table, methods=["POST"]),
        Route("/api/records/{id}", _record),
        Route("/api/records/{id}/positions", _positions),
        Route("/api/records/{id}/analysis", _analysis),
        WebSocketRoute("/ws/{code}", sit_down),
        *(Mount(f"/web/games/{name}", StaticFiles(directory=page)) for name, page in pages.items() if page),
        Mount("/web", StaticFiles(directory=WEB)),
    ]
    middleware = [Middleware(Guard, doors=doors), Middleware(GZipMiddleware, minimum_size=1000)]
    app = Starlette(
        routes=routes, middleware=middleware, lifespan=lifespan, exception_handlers={StammtischError: _unreadable}
    )
    app.state.settings, app.state.doors = settings, doors
    app.state.lobby, app.state.positions = lobby, Positions(lobby)
    return app


class Guard:
    """Only our own page may talk to the server, under the server's own name, and not without end."""

    def __init__(self, app: ASGIApp, doors: Doors) -> None:
        self.app = app
        self.doors = doors

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        connection, settings = HTTPConnection(scope), self.doors.settings
        address = address_of(connection, settings)
        if not is_called_right(connection, settings) or not is_own_origin(connection):
            await _refuse(403, "foreign_origin", scope, receive, send)
        elif not self.doors.requests.take(address, 10 if scope["path"].endswith(LONG) else 1):
            await _refuse(429, "too_many_requests", scope, receive, send)
        elif scope["type"] == "http":
            await self.app(scope, receive, _safely(send))
        elif not self.doors.sockets.enter(address):
            await _refuse(429, "too_many_requests", scope, receive, send)
        else:
            try:
                await self.app(scope, receive, send)
            finally:
                self.doors.sockets.leave(address)


async def _refuse(status: int, why: str, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": POLICY, "reason": why})
    else:
        await JSONResponse({"why": why}, status)(scope, receive, send)


def _safely(send: Send) -> Send:
    async def with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            given = {name for name, _ in message["headers"]}
            safety = [(name.encode(), value.encode()) for name, value in SAFETY.items()]
            message["headers"] = [*message["headers"], *(pair for pair in safety if pair[0] not in given)]
        await send(message)

    return with_headers


# --- pages and questions ------------------------------------------------------------------------------------


async def _page(request: Request) -> Response:
    return FileResponse(WEB / "index.html")


async def _games(request: Request) -> Response:
    lobby: Lobby = request.app.state.lobby
    return JSONResponse([{**offer, "ready": offer["name"] in lobby.ready} for offer in offers()])


async def _mine(request: Request) -> Response:
    token = request.headers.get("x-token")
    if not is_token(token):
        return JSONResponse({"why": "bad_token"}, 400)
    return JSONResponse(request.app.state.lobby.of_person(person_of(str(token))))


async def _new_table(request: Request) -> Response:
    doors, lobby, token = request.app.state.doors, request.app.state.lobby, request.headers.get("x-token")
    address = address_of(request, doors.settings)
    try:
        with doors.uploading(address):
            body = await _body(request, doors.settings.body_bytes)
        if not is_token(token):
            raise Refused("bad_token")
        with doors.new_table(address):
            room = await lobby.create(person_of(str(token)), _wish(body), is_local(request, doors.settings))
    except ClientDisconnect:  # nobody is there to be told
        return Response(status_code=400)
    except Refused as refused:
        status = {"too_large": 413, "too_many_requests": 429, "too_many_tables": 429}.get(refused.why, 400)
        return JSONResponse({"why": refused.why, "text": refused.text}, status)
    return JSONResponse({"code": room.table.code}, 201)


async def _body(request: Request, most: int) -> bytes:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            raise Refused("too_large")
    return bytes(body)


async def _unreadable(request: Request, error: Exception) -> Response:
    return JSONResponse({"why": "bad_record", "text": str(error)}, 500)


def _wish(body: bytes) -> Any:
    try:
        return parse_json(body)
    except ValueError:
        raise Refused("bad_request", "the body is no JSON") from None


def _about_a_record(answer: Callable[[Request, str], Awaitable[Json]]) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        try:
            return JSONResponse(await answer(request, request.path_params["id"]))
        except Refused as refused:
            return JSONResponse({"why": refused.why}, 404)
        except StammtischError as error:
            return await _unreadable(request, error)

    return endpoint


@_about_a_record
async def _record(request: Request, id: str) -> Json:
    found = request.app.state.lobby.store.game(id)
    if found is None:
        raise Refused("unknown_record")
    return found


@_about_a_record
async def _positions(request: Request, id: str) -> Json:
    """Every position of a finished game, with what was played in it."""
    answer: Json = await request.app.state.positions.of(id)
    return answer


@_about_a_record
async def _analysis(request: Request, id: str) -> Json:
    answer: Json = request.app.state.looking_back.ask(id)
    return answer
