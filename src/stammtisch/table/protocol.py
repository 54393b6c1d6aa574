"""The messages between page and server: their form, and the codes of refusals.

A message is a JSON object with a ``type``. What a client may say is in :data:`MESSAGES`; anything else closes the
connection, since our page never sends it. What the rules or the table do not allow is answered by ``refused``.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable
from typing import Any

from stammtisch.core.game import Json

MOST_MOVES = 1000  # longer lists of legal moves (schupfen) are not sent; the page asks about what was picked instead
LONGEST_NAME = 24
LONGEST_CHAT = 300
MOST_TALK = 20  # so often may somebody chat, change the name or the seat ...
TALK_SECONDS = 60.0  # ... in so many seconds

CLOCKS = {"off": None, "relaxed": 120.0, "quick": 30.0, "days": 3 * 86_400.0}  # seconds for a decision

BINARY = 1003  # the close codes of RFC 6455
NOT_JSON = 1007
POLICY = 1008
LATER = 1013
NO_TABLE = 4404
BAD_TABLE = 4500  # the table is there but cannot be read


class Closing(Exception):
    """The connection must be closed with this code."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


class Refused(Exception):
    """What a client asked for is not possible: a word that the page has a sentence for, and the details in English."""

    def __init__(self, why: str, text: str = "") -> None:
        super().__init__(text or why)
        self.why = why
        self.text = text


def _text(most: int) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, str) and len(value) <= most


def _number(low: int, high: int) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _or_none(check: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: value is None or check(value)


def is_token(value: Any) -> bool:
    """A browser's secret: 32 to 64 hexadecimal digits."""
    return isinstance(value, str) and 32 <= len(value) <= 64 and all(sign in "0123456789abcdef" for sign in value)


_SEAT = _number(0, 63)
_COUNT = _number(0, 10**9)
_ID = _number(0, 2**53)
MESSAGES: dict[str, dict[str, Callable[[Any], bool]]] = {
    "hello": {
        "token": is_token,
        "name": _text(200),
        "last": _or_none(_number(0, 10**9)),
        "stream": _or_none(_text(40)),
    },
    "move": {"move": _text(400), "at": _COUNT, "id": _ID},
    "ask": {"text": _text(400), "id": _ID},
    "hint": {"id": _ID},
    "name": {"name": _text(200)},
    "chat": {"text": _text(2000)},
    "sit": {"seat": _SEAT},
    "stand": {},
    "arrange": {"seat": _SEAT, "agent": _or_none(_text(100))},
    "swap": {"seat": _SEAT, "other": _SEAT},
    "start": {},
    "again": {},
    "pace": {"ms": _or_none(_number(0, 10_000))},
    "step": {},
    "clock": {"clock": lambda value: value in CLOCKS},
    "nudge": {"seat": _SEAT},
    "back": {},
    "undo": {},
    "end": {},
    "give up": {},
    "remove": {"seat": _SEAT},
    "leave": {},
}


def parse_json(text: str | bytes) -> Any:
    """The JSON of a client; ValueError where it is none, or holds something that could not be sent to others."""
    try:
        value = json.loads(text)
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()  # neither NaN nor half a character
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return value


def read_message(frame: str | bytes | None) -> Json:
    """A client's message, checked for its form; Closing says what is wrong with the connection."""
    if not isinstance(frame, str):
        raise Closing(BINARY, "messages are text")
    try:
        message = parse_json(frame)
    except ValueError:
        raise Closing(NOT_JSON, "messages are JSON") from None
    if not isinstance(message, dict) or not isinstance(message.get("type"), str) or message["type"] not in MESSAGES:
        raise Closing(POLICY, "unknown message")
    fields = MESSAGES[message["type"]]
    if set(message) != {"type", *fields} or not all(check(message[name]) for name, check in fields.items()):
        raise Closing(POLICY, f"a message '{message['type']}' has other fields")
    return message


def plain_text(text: str, most: int) -> str:
    """What a person typed, as one line without control signs."""
    signs = (" " if sign.isspace() else sign for sign in text if sign.isspace() or unicodedata.category(sign)[0] != "C")
    return " ".join("".join(signs).split())[:most].strip()


def write(message: Json) -> str:
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))
