"""The web server: pages, and what pages ask for over HTTP. A table's websocket is in connection.py."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from stammtisch.core.errors import StammtischError
from stammtisch.core.game import Json
from stammtisch.core.registry import games
from stammtisch.table.analysis import LookingBack
from stammtisch.table.catalog import offers
from stammtisch.table.connection import sit_down
from stammtisch.table.lobby import Lobby, person_of
from stammtisch.table.pages import WEB, page_of
from stammtisch.table.positions import Positions
from stammtisch.table.protocol import POLICY, Refused, is_token, parse_json
from stammtisch.table.settings import Settings, allowed_hosts

MOST_BODY = 65_536  # bytes of a request's body
SAFETY = {
    "content-security-policy": "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
}


def create_app(settings: Settings, prepare: bool = True) -> Starlette:
    """The application; ``prepare`` compiles all games in the background from the start."""
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
    middleware = [Middleware(Guard, settings=settings), Middleware(GZipMiddleware, minimum_size=1000)]
    app = Starlette(
        routes=routes, middleware=middleware, lifespan=lifespan, exception_handlers={StammtischError: _unreadable}
    )
    app.state.settings, app.state.lobby, app.state.positions = settings, lobby, Positions(lobby)
    return app


class Guard:
    """Only our own page may talk to the server: foreign origins and foreign host names are refused."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.hosts = {name.strip("[]").lower() for name in allowed_hosts(settings)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        if not self._is_ours(scope):
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": POLICY, "reason": "foreign origin"})
            else:
                await PlainTextResponse("foreign origin", 403)(scope, receive, send)
            return

        async def safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = {name for name, _ in message["headers"]}
                safety = [(name.encode(), value.encode()) for name, value in SAFETY.items()]
                message["headers"] = [*message["headers"], *(pair for pair in safety if pair[0] not in given)]
            await send(message)

        await self.app(scope, receive, safely)

    def _is_ours(self, scope: Scope) -> bool:
        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin")
        try:
            if self.hosts and urlsplit(f"//{host}").hostname not in self.hosts:
                return False
            may_lack = scope["type"] == "http"  # browsers always name the origin of a websocket
            return may_lack if origin is None else urlsplit(origin).netloc == host
        except ValueError:  # no address at all
            return False


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
    token = request.headers.get("x-token")
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST_BODY:
            return JSONResponse({"why": "too_large"}, 413)
    try:
        if not is_token(token):
            raise Refused("bad_token")
        room = await request.app.state.lobby.create(person_of(str(token)), _wish(bytes(body)))
    except Refused as refused:
        return JSONResponse({"why": refused.why, "text": refused.text}, 400)
    return JSONResponse({"code": room.table.code}, 201)


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
