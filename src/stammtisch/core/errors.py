"""What can go wrong, each with its own name and a sentence that says what to do next."""

from __future__ import annotations

import json
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import Any
from unicodedata import category


def suggestion(name: str, known: Iterable[str]) -> str:
    """A closing half-sentence: the nearest of the known names, or all of them where none is near."""
    names = sorted(known)
    near = get_close_matches(name, names, n=3, cutoff=0.5)
    if near:
        return f"did you mean {' or '.join(near)}?"
    return f"known: {', '.join(names)}" if names else "there are none"


def shown(text: object, lines: bool = False) -> str:
    r"""Text from a file or from somebody else's program, to be looked at and not obeyed.

    Whatever a terminal would take for a command (and what turns or hides the letters around it) is written as an
    escape; ``lines`` keeps the ends of lines.

    >>> shown("red: " + chr(27) + "[31m")
    'red: \\x1b[31m'
    """
    text = str(text)
    if text.isprintable():
        return text
    return "".join(
        one if one.isprintable() or (lines and one == "\n") or category(one) == "Zs" else _escaped(one) for one in text
    )


def _escaped(sign: str) -> str:
    return sign.encode("unicode_escape").decode("ascii")


def json_text(value: Any) -> str:
    r"""JSON on one line in letters that a terminal does not obey; other readers find the same value.

    >>> json_text("1 < 2" + chr(155))
    '"1 < 2\\u009b"'
    """
    text = json.dumps(value, ensure_ascii=False)
    return text if text.isprintable() else "".join(one if one.isprintable() else json.dumps(one)[1:-1] for one in text)


def brief(value: object) -> str:
    """A value from outside in a few letters; some cannot even be written (numbers of 5,000 digits)."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):
        return f"something endless ({type(value).__name__})"
    return text if len(text) <= 60 else text[:57] + "..."


class StammtischError(Exception):
    """Base of everything a user can cause. The command line prints it as one line, exit code 2."""


class MissingExtra(StammtischError):
    """Something beyond playing that needs packages which playing does without."""

    def __init__(self, what: str, extra: str = "lab") -> None:
        folder = Path(__file__).parents[3]
        command = f"pip install 'stammtisch[{extra}]'"
        if (folder / "constraints.txt").exists() and (folder / "Makefile").exists():
            command = f"pip install -c constraints.txt -e '.[{extra}]' in {folder}"
            command = f"make setup, or {command}" if extra == "lab" else command
        super().__init__(f"{what} the extra '{extra}', which is not installed: {command}")


def read_json(text: str, source: str) -> Any:
    """The value of a JSON text from outside; an error that says where it comes from and what is wrong with it."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno} column {error.colno}"
        raise StammtischError(f"{source}: not JSON ({error.msg}, {place})") from None
    except (ValueError, RecursionError) as error:  # numbers or nesting beyond all measure
        raise StammtischError(f"{source}: not JSON that can be read ({error})") from None


class UnknownName(StammtischError):
    """A name that stands for nothing here."""

    kind = "name"

    def __init__(self, name: str, known: Iterable[str], where: str = "") -> None:
        self.name = name
        place = f" {where}" if where else ""
        super().__init__(f"unknown {self.kind} '{name}'{place}: {suggestion(name, known)}")


class UnknownGame(UnknownName):
    """No game is registered under this name."""

    kind = "game"


class UnknownAgent(UnknownName):
    """No agent is registered under this name."""

    kind = "agent"


class UnknownOption(UnknownName):
    """The game or agent has no option of this name."""

    kind = "option"


class BadOption(StammtischError):
    """The option exists, its value does not fit."""


class UnsuitableAgent(StammtischError):
    """The agent cannot play this game, e.g. a perfect-information search at a card table."""


class BadPosition(StammtischError):
    """A position that the game cannot have; ``field`` is the key that is wrong."""

    def __init__(self, field: str, reason: str) -> None:
        self.field = field
        super().__init__(f"bad position, field '{field}': {reason}")


class BadMove(StammtischError):
    """The text (or number) is not a move of this game at all."""


class IllegalMove(StammtischError):
    """A move of this game, but not legal in this position."""


class BadNumber(StammtischError, ValueError):
    """A number (or an array of them) that a function cannot be given."""


class BadRecord(StammtischError):
    """A game record that cannot be read or does not replay."""


class BadKernel(StammtischError):
    """A game hands over compiled functions that the frame cannot use."""
