"""A game on disk: one JSON object per line.

Chance is stored as what it decided, in the words of the position ("die": 5), not as a seed: a record
can be read by people, written by other programs and replayed by later versions. ``chance[n]`` holds
the position's chance keys after move ``n`` (counted from 0) where dice or deals followed it; the
first deal is part of ``start``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from stammtisch.core.errors import BadRecord, StammtischError, read_json
from stammtisch.core.game import Game, Json, State
from stammtisch.core.registry import game as game_by_name

FORMAT = 1


@dataclass(frozen=True)
class GameRecord:
    """A game that was played; ``result`` is None when it was broken off."""

    header: Json
    options: Json
    players: list[str]
    start: Json
    moves: list[str]
    chance: dict[int, Json] = field(default_factory=dict)
    result: list[float] | None = None

    def game(self) -> Game:
        return game_by_name(self.header["game"], **self.options)

    def states(self, game: Game | None = None) -> Iterator[State]:
        """The start and the state after each move; BadRecord where the record breaks the rules.

        ``game`` replays a game that is not registered.
        """
        late = [number for number in self.chance if number >= len(self.moves)]
        if late:
            raise BadRecord(f"chance after move {late[0]}, but there are only {len(self.moves)} moves")
        with _judging("start"):
            state = (game or self.game()).from_json(self.start, seed=0)
        yield state.copy()
        for number, move in enumerate(self.moves):
            with _judging(f"move {number} '{move}'"):
                state.play(move)
                if number in self.chance:
                    state = state.game.from_json({**state.to_json(), **self.chance[number]}, seed=0)
            yield state.copy()
        if self.result is not None and (not state.over or state.scores() != self.result):
            found = state.scores() if state.over else "no end"
            raise BadRecord(f"the result is recorded as {self.result}, the moves give {found}")

    def to_json(self) -> Json:
        return {
            "header": self.header,
            "options": self.options,
            "players": self.players,
            "start": self.start,
            "moves": self.moves,
            "chance": {str(number): outcome for number, outcome in self.chance.items()},
            "result": self.result,
        }

    @classmethod
    def from_json(cls, obj: Any) -> GameRecord:
        """Read a record's JSON; BadRecord names what is wrong with its form."""
        kinds = {"header": dict, "options": dict, "players": list, "start": dict, "moves": list, "chance": dict}
        if not isinstance(obj, Mapping):
            raise BadRecord("a record is a JSON object")
        for key, kind in kinds.items():
            if not isinstance(obj.get(key), kind):
                raise BadRecord(f"'{key}' is missing or not {'an object' if kind is dict else 'a list'}")
        if obj["header"].get("format") != FORMAT:
            raise BadRecord(f"format {obj['header'].get('format')!r}, this version reads {FORMAT}")
        if not isinstance(obj["header"].get("game"), str):
            raise BadRecord("the header names no game")
        if not all(isinstance(move, str) for move in obj["moves"]):
            raise BadRecord("'moves' holds something that is no text")
        if not all(_is_number(number) and isinstance(outcome, dict) for number, outcome in obj["chance"].items()):
            raise BadRecord("'chance' is an object from move numbers to outcomes")
        result = obj.get("result")
        if result is not None and not (isinstance(result, list) and all(isinstance(x, int | float) for x in result)):
            raise BadRecord("'result' is a list of numbers, or null for an unfinished game")
        chance = {int(number): outcome for number, outcome in obj["chance"].items()}
        players = [str(name) for name in obj["players"]]
        return cls(obj["header"], obj["options"], players, obj["start"], obj["moves"], chance, result)


@contextmanager
def _judging(where: str) -> Iterator[None]:
    """Whatever the rules refuse here is the record's fault."""
    try:
        yield
    except StammtischError as error:
        raise BadRecord(f"{where}: {error}") from None


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10


class Recorder:
    """Plays on a state and writes down what happens.

    >>> import stammtisch as st
    >>> recorder = Recorder(st.game("tictactoe").new(seed=1), ["Anna", "Ben"])
    >>> for move in ("4", "0", "2", "6", "3", "5", "1", "7", "8"):
    ...     recorder.play(move)
    >>> recorder.record().result
    [0.5, 0.5]
    """

    def __init__(self, state: State, players: Iterable[str]) -> None:
        self.state = state
        self.players = list(players)
        self.start = state.to_json()
        self.moves: list[str] = []
        self.chance: dict[int, Json] = {}

    @classmethod
    def resume(cls, record: GameRecord, players: Iterable[str]) -> Recorder:
        """Go on where a record ends."""
        recorder = cls(list(record.states())[-1], players)
        recorder.start, recorder.moves, recorder.chance = record.start, list(record.moves), dict(record.chance)
        return recorder

    def apply(self, action: int) -> None:
        self.play(self.state.game.format(action))

    def play(self, move: str) -> None:
        before = self.state.rng.copy()
        self.state.play(move)
        if (self.state.rng != before).any():
            position = self.state.to_json()
            self.chance[len(self.moves)] = {key: position[key] for key in self.state.game.chance_keys}
        self.moves.append(move)

    def record(self, **header: Any) -> GameRecord:
        """The game so far; further keywords (event, place ...) go into the header."""
        common = {
            "format": FORMAT,
            "game": self.state.game.info.name,
            "program": f"stammtisch {version('stammtisch')}",
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        result = self.state.scores() if self.state.over else None
        options = dict(self.state.game.options)
        return GameRecord(
            {**common, **header}, options, self.players, self.start, list(self.moves), dict(self.chance), result
        )


def append(path: Path, record: GameRecord) -> None:
    """Add a record to a file, which may not exist yet."""
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(record.to_json(), ensure_ascii=False) + "\n")


def read(path: Path) -> Iterator[GameRecord]:
    """The records of a file one by one; BadRecord says which line is wrong."""
    try:
        with path.open(encoding="utf-8-sig") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield _read_line(f"{path} line {number}", line)
    except (OSError, UnicodeDecodeError) as error:
        raise BadRecord(f"{path}: cannot be read ({error})") from None


def _read_line(source: str, line: str) -> GameRecord:
    try:
        obj = read_json(line, source)
    except StammtischError as error:
        raise BadRecord(str(error)) from None
    try:
        return GameRecord.from_json(obj)
    except BadRecord as error:
        raise BadRecord(f"{source}: {error}") from None
