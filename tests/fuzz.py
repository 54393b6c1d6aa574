"""Inputs that are nearly right: a good one, bent in one or a few places, as text or as JSON."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from random import Random
from typing import Any

NASTY: list[Any] = [
    *(None, True, False, 0, 1, -1, 2, 3, 7, 64, 255, 1 << 31, -(1 << 63), 1 << 63, 1 << 64, 10**30, 10**5000),
    *(
        0.5,
        -0.0,
        1e308,
        float("nan"),
        float("inf"),
        "",
        "x",
        "0",
        "-1",
        "None",
        "self",
        "__class__",
        "\u0000",
        "\x1b[31m",
    ),
    *(
        "[bold]",
        "[/nothing]",
        "\ud800",
        "ä" * 300,
        "٣",
        "²",
        "1" * 5000,
        "../../etc/passwd",
        [],
        {},
        [[]],
        [{}],
        [None],
    ),
    *({"": None}, {"a": {"b": []}}, [0] * 300, list(range(20))),
]
LONG = ["9" * 5000, "[" * 2000, "{" * 2000, "1e999", "-", "null", "NaN"]
SIGNS = "\x00\x1b\r\n\t \"'\\{}[]():,.-+*=#<>0123456789abexäß٣²\ud800\u202e\U0001f3b2"


def bent_json(value: Any, dice: Random) -> Any:
    """Another value, or the same with one to three places changed, lost, doubled or exchanged."""
    value = copy.deepcopy(value)
    for _ in range(dice.choice([1, 1, 1, 2, 3])):
        places = list(_places(value, 400))
        if not places:
            return _nasty(dice)
        inside, key = dice.choice(places)
        what = dice.randrange(8)
        if what < 3:
            inside[key] = _nasty(dice)
        elif what == 3:
            del inside[key]
        elif what == 4:
            other, its = dice.choice(places)
            if its in other if isinstance(other, dict) else its < len(other):
                inside[key] = copy.deepcopy(other[its])
        elif what == 5 and isinstance(inside[key], (int, float)) and not isinstance(inside[key], bool):
            large = abs(inside[key]) > 1e15
            inside[key] += dice.choice([-1, 1, 1000] if large else [-1, 1, 0.5, -1000, 1000])
        elif what == 6 and isinstance(inside[key], str):
            inside[key] = bent_text(inside[key], dice)
        elif isinstance(inside, list):
            inside.insert(key, copy.deepcopy(inside[key]))
        else:
            inside[dice.choice(["x", "self", "", str(dice.randrange(99))])] = _nasty(dice)
    return value


def _nasty(dice: Random) -> Any:
    return copy.deepcopy(dice.choice(NASTY))


def _places(value: Any, most: int) -> list[tuple[Any, Any]]:
    found: list[tuple[Any, Any]] = []
    rest = [value]
    while rest and len(found) < most:
        one = rest.pop()
        keys = list(one) if isinstance(one, dict) else range(len(one)) if isinstance(one, list) else ()
        for key in keys:
            found.append((one, key))
            rest.append(one[key])
    return found


def written(value: Any) -> str:
    """As JSON, also what Python would refuse to write."""
    try:
        return json.dumps(value)
    except (ValueError, RecursionError):
        return json.dumps(value, default=str) if not _endless(value) else '{"a": 1' + "0" * 5000 + "}"


def _endless(value: Any) -> bool:
    return any(type(inside[key]) is int and abs(inside[key]) > 10**4000 for inside, key in _places([value], 10**6))


def bent_text(text: str, dice: Random) -> str:
    """The same with some signs changed, lost, doubled or moved; or cut off."""
    for _ in range(dice.choice([1, 1, 2, 3])):
        at, length = dice.randrange(len(text) + 1), dice.choice([1, 1, 2, 5, 20])
        what = dice.randrange(8)
        if what == 0:
            text = text[:at] + text[at + length :]
        elif what == 1:
            text = text[:at] + "".join(dice.choices(SIGNS, k=length)) + text[at:]
        elif what == 2:
            text = text[:at] + "".join(dice.choices(SIGNS, k=length)) + text[at + length :]
        elif what == 3:
            text = text[:at]
        elif what == 4:
            text = text[:at] + text[at : at + length] * dice.choice([2, 3, 50]) + text[at + length :]
        elif what == 5:
            other = dice.randrange(len(text) + 1)
            text = text[:at] + text[other : other + length] + text[at:]
        elif what == 6:
            text = (
                text[:at] + dice.choice(["9" * 5000, "[" * 2000, "{" * 2000, "1e999", "-", "null", "NaN"]) + text[at:]
            )
        else:
            text = text[::-1] if dice.random() < 0.02 else text.swapcase() if dice.random() < 0.1 else text[at:]
    return text


def bent_lines(text: str, dice: Random) -> str:
    """A file of JSON lines in which some values, or the text itself, are not right."""
    if dice.random() < 0.3:
        return bent_text(text, dice)
    lines = text.splitlines()
    for _ in range(dice.choice([1, 1, 2])):
        at = dice.randrange(len(lines))
        try:
            lines[at] = written(bent_json(json.loads(lines[at]), dice))
        except ValueError:  # bent before
            lines[at] = bent_text(lines[at], dice)
    return "\n".join(lines) + dice.choice(["\n", "\n", ""])


def survive(read: Callable[[Any], object], made: Callable[[Random], Any], times: int, ours: Any, seed: int = 1) -> int:
    """Read so many inputs; whatever is refused is refused by our own errors. The number that was accepted."""
    accepted = 0
    for number in range(times):
        given = made(Random(f"{seed} {number}"))
        try:
            read(given)
            accepted += 1
        except ours:
            pass
        except BaseException:
            print(f"input {number}: {given!r:.2000}")
            raise
    return accepted
