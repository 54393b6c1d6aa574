"""The command line. Every command loads what it needs and nothing more, so help and lists are instant."""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
from importlib import import_module
from typing import NoReturn

_alone = threading.current_thread() is threading.main_thread()
_interrupted = signal.signal(signal.SIGINT, signal.SIG_DFL) if _alone else None  # Ctrl+C while loading: without a word

import typer  # noqa: E402

from stammtisch.cli.app import app  # noqa: E402
from stammtisch.core.errors import StammtischError, shown  # noqa: E402

for room in ("lists", "table", "arena", "analysis", "logs", "train", "bots", "engine"):  # in the order of the help
    import_module(f"stammtisch.cli.{room}")
if _alone:
    signal.signal(signal.SIGINT, _interrupted)


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run a command. What a user got wrong is one line on standard error and exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without these characters is no reason to fail
    try:
        given = sys.argv[1:] if arguments is None else arguments
        code = app(args=given, standalone_mode=False, obj=given)
        if sys.stdout is not None:
            sys.stdout.flush()
    except StammtischError as error:
        _fail(str(error))
    except (typer.Abort, KeyboardInterrupt):
        sys.exit(130)
    except OSError as error:
        sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115  # what is left cannot be written either
        _fail(f"cannot write or read: {error}")
    except Exception as error:
        if not hasattr(error, "format_message"):  # a usage error of the command line itself
            raise
        message: str = error.format_message()
        if not message:  # nothing was asked for: the help has been shown
            sys.exit(0)
        if message.startswith("No such command") and "Did you mean" not in message:
            message += f" Known: {', '.join(c.callback.__name__ for c in app.registered_commands if c.callback)}"
        _fail(message)
    sys.exit(code if isinstance(code, int) else 0)


def _fail(message: str) -> NoReturn:
    print(f"stammtisch: {shown(' '.join(message.split()))}", file=sys.stderr)
    sys.exit(2)
