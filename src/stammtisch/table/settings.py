"""What can be set at the table's server; all its limits are here."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from pathlib import Path

from stammtisch.core.errors import BadOption, UnknownOption
from stammtisch.core.places import data_home


@dataclass(frozen=True)
class Settings:
    """All times in seconds, but where the name says ms. Whatever is a number can be changed by ``play --limit``."""

    host: str = "127.0.0.1"  # who else may reach the table: nobody, unless told otherwise
    port: int = 8765
    database: Path = field(default_factory=lambda: data_home() / "table.sqlite")
    names: tuple[str, ...] = ()  # further host names under which the page may be opened
    proxy: str = ""  # a header in which a proxy in front says for whom it asks; without one it is not believed

    # --- bots -----------------------------------------------------------------------------------------------
    workers: int = field(default_factory=lambda: max(1, min(8, os.cpu_count() or 1)))  # processes in which bots think
    worker_megabytes: int = 2048  # the memory of each
    think_seconds: float = 10.0  # after so long beyond its time a bot plays any legal move
    most_ms: float = 2000.0  # the most that an agent may use for a decision: time,
    most_iterations: int = 100_000  # games played out,
    most_depth: int = 20  # moves ahead,
    most_samples: int = 2000  # throws tried,
    most_moves: int = 10_000  # moves in a game that is played out
    hints_per_table: int = 8  # hints that wait for their turn
    most_analyses: int = 8  # games that are looked back at, at the same time

    # --- a person, a table, a connection --------------------------------------------------------------------
    frame_bytes: int = 8192  # the longest message that a client may send
    flood_messages: int = 200  # more messages than this ...
    flood_seconds: float = 20.0  # ... in so many seconds close a connection
    hello_seconds: float = 10.0  # a connection that does not say who it is is closed
    away_seconds: float = 20.0  # after so long without a connection a bot takes over the seat
    question_seconds: float = 5.0  # for questions that the others do not know of (throw a bomb?), where nobody waits
    window_seconds: float = 2.0  # so long a table of several people waits where somebody might be asked
    bots_window_seconds: float = 0.25  # the same where only bots might be asked
    patience_seconds: float = 20.0  # so long nobody can be asked to let a bot play
    tables_per_person: int = 50  # tables that are kept; the oldest is given up
    most_people: int = 60  # connections to one table

    # --- an address, everybody together ---------------------------------------------------------------------
    most_connections: int = 2000  # at the same time; fewer where the system allows fewer
    connections_per_address: int = 300
    requests_per_address: int = 6000  # in a minute; the long ones, about finished games, count for ten
    tables_per_address: int = 100  # new ones in an hour
    uploads_per_address: int = 20  # requests with a body that are still being sent
    head_seconds: float = 10.0  # for a request's headers, and between two requests
    body_seconds: float = 20.0  # for its body
    fetch_seconds: float = 60.0  # an answer of which nothing was fetched for so long is given up
    body_bytes: int = 65_536  # the longest body of a request

    @property
    def efforts(self) -> dict[str, float]:
        """The most of every kind of effort."""
        return {
            "ms": self.most_ms,
            "iterations": self.most_iterations,
            "depth": self.most_depth,
            "samples": self.most_samples,
            "moves": self.most_moves,
        }


LIMITS = {one.name: int if one.type == "int" else float for one in fields(Settings) if one.type in ("int", "float")}
del LIMITS["port"]  # has an option of its own


def read_limits(texts: Iterable[str]) -> dict[str, int | float]:
    """Limits as somebody types them, ``name=value`` each.

    >>> read_limits(["most_ms=5000", "tables_per_address=7"])
    {'most_ms': 5000.0, 'tables_per_address': 7}
    """
    found: dict[str, int | float] = {}
    for text in texts:
        name, _, value = text.partition("=")
        if name not in LIMITS:
            raise UnknownOption(name, LIMITS, "of the table")
        try:
            found[name] = LIMITS[name](value)
        except ValueError:
            raise BadOption(f"--limit {text}: {name} is a number") from None
        if not 0 < found[name] < 1e12:
            raise BadOption(f"--limit {text}: {name} is more than 0")
    return found


THIS_COMPUTER = ("127.0.0.1", "localhost", "[::1]")
EVERYBODY = ("0.0.0.0", "::")  # hosts to listen on for a whole network


def allowed_hosts(settings: Settings) -> tuple[str, ...]:
    """The host names under which the page may be opened; open to a network, also the address that was called."""
    if settings.host in (*THIS_COMPUTER, "::1", *EVERYBODY):
        return (*THIS_COMPUTER, *settings.names)
    return (settings.host, *settings.names)
