"""What can be set at the table's server."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from stammtisch.core.places import data_home


@dataclass(frozen=True)
class Settings:
    """All times in seconds."""

    host: str = "127.0.0.1"  # who else may reach the table: nobody, unless told otherwise
    port: int = 8765
    database: Path = field(default_factory=lambda: data_home() / "table.sqlite")
    names: tuple[str, ...] = ()  # further host names under which the page may be opened
    workers: int = field(default_factory=lambda: max(1, min(8, os.cpu_count() or 1)))  # processes in which bots think
    frame_bytes: int = 8192  # the longest message that a client may send
    flood_messages: int = 200  # more messages than this ...
    flood_seconds: float = 20.0  # ... in so many seconds close a connection
    hello_seconds: float = 10.0  # a connection that does not say who it is is closed
    away_seconds: float = 20.0  # after so long without a connection a bot takes over the seat
    question_seconds: float = 5.0  # for questions that the others do not know of: throw a bomb?
    think_seconds: float = 15.0  # after so long a bot plays any legal move
    tables_per_person: int = 50  # tables that are kept; the oldest is given up
    most_people: int = 60  # connections to one table


NOBODY_ELSE = ("127.0.0.1", "localhost", "[::1]")
EVERYBODY = ("0.0.0.0", "::")  # hosts to listen on for a whole network


def allowed_hosts(settings: Settings) -> tuple[str, ...]:
    """The host names under which the page may be opened; empty when the server is open to a whole network."""
    if settings.host in ("127.0.0.1", "localhost", "::1"):
        return (*NOBODY_ELSE, *settings.names)
    if settings.host in EVERYBODY:
        return (*NOBODY_ELSE, *settings.names) if settings.names else ()
    return (settings.host, *settings.names)
