"""Start the table's server and open the browser."""

from __future__ import annotations

import asyncio
import logging
import socket
import webbrowser
from collections.abc import Callable

import uvicorn

from stammtisch.core.errors import StammtischError
from stammtisch.table.app import create_app
from stammtisch.table.doors import Doors, Quiet, protocols
from stammtisch.table.settings import EVERYBODY, Settings

QUIET = Quiet()


def web_server(settings: Settings, prepare: bool = True) -> uvicorn.Server:
    """The application behind a web server that keeps its limits."""
    doors = Doors(settings)
    http, socket = protocols(doors)
    config = uvicorn.Config(
        create_app(settings, prepare, doors),
        http=http,
        ws=socket,
        proxy_headers=False,  # what is believed of them is in addresses.py
        log_level="warning",
        ws_max_size=settings.frame_bytes,
        ws_max_queue=16,
        timeout_graceful_shutdown=3,
    )
    for name in ("uvicorn.error", "asyncio"):
        logging.getLogger(name).addFilter(QUIET)
    return uvicorn.Server(config)


def serve(settings: Settings, path: str, open_browser: bool, say: Callable[[str], None], prepare: bool = True) -> None:
    """Serve until interrupted."""
    listening = listen(settings)
    port = listening.getsockname()[1]
    host = settings.host
    if host in EVERYBODY:
        host = "127.0.0.1" if settings.names else own_address()  # a link that friends can use, where that is allowed
    address = f"http://{f'[{host}]' if ':' in host else host}:{port}{path}"
    server = web_server(settings, prepare)

    async def run() -> None:
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        while not server.started and not serving.done():
            await asyncio.sleep(0.02)
        if server.started:
            say(f"The table is set: {address} (Ctrl+C to close)")
            if open_browser:
                await asyncio.to_thread(webbrowser.open, address)
        await serving

    try:
        asyncio.run(run())
    except KeyboardInterrupt:
        say("Closed. Games that were not finished can be continued next time.")


def own_address() -> str:
    """Where others in the network find this computer, as far as it is in one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documentation; nothing is sent
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])


def listen(settings: Settings) -> socket.socket:
    """The wished port, or, if something else has it, any free one (a port that was asked for must be free)."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    for port in (settings.port, 0) if settings.port == Settings.port else (settings.port,):
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((settings.host, port))
        except OSError as error:
            listening.close()
            reason = error
            continue
        return listening
    raise StammtischError(f"{settings.host}:{settings.port} cannot be used ({reason}); choose another --port or --host")
