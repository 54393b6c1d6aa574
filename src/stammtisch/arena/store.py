"""Match files: one JSON line that describes the match, then one per deal. All numbers are computed from them.

Nothing in a match file depends on when, where or how fast it was played: that is in a second file
beside it, ``NAME.run.json``, with the commands, the dates and the agents' thinking times.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TextIO

from stammtisch.arena import reading
from stammtisch.arena.match import BadMatch, Match
from stammtisch.arena.reading import BadField
from stammtisch.arena.referee import DealResult, GameResult, Times
from stammtisch.core.errors import StammtischError, read_json
from stammtisch.core.game import Game, GameSpec, Json


@dataclass
class Played:
    """A match with the deals that were played, in order."""

    match: Match
    deals: list[DealResult]

    def of_table(self, table: int) -> list[DealResult]:
        return [deal for deal in self.deals if deal.table == table]


class MatchFile:
    """A file that grows by a line per deal; opened again it goes on where it ends."""

    def __init__(self, path: Path, match: Match) -> None:
        """Begin the file, or check that it is the beginning of this very match; half a line at its end is dropped.

        A file that ends within the first line is begun anew.
        """
        self.path = path
        self.deals: list[DealResult] = []
        if path.exists() and not _line(match.header()).startswith(path.read_text(encoding="utf-8", errors="replace")):
            found, complete = _read(path, match.games)
            if found.match.header() != match.header():
                raise BadMatch(f"{path} holds another match ({_difference(found.match, match)}); choose another file")
            self.deals = found.deals
            self._file: TextIO = path.open("r+", encoding="utf-8")
            self._file.truncate(complete)
            self._file.seek(complete)
        else:
            self._file = path.open("w", encoding="utf-8", newline="\n")
            self._write(match.header())

    def add(self, deal: DealResult) -> None:
        self.deals.append(deal)
        self._write({"table": deal.table, "deal": deal.deal, "games": [game.to_json() for game in deal.games]})

    def _write(self, line: Json) -> None:
        self._file.write(_line(line))
        self._file.flush()

    def close(self) -> None:
        self._file.close()


def _line(content: Json) -> str:
    return json.dumps(content, separators=(",", ":")) + "\n"


def read(path: Path, games: tuple[Game, ...] | None = None) -> Played:
    """A match file; ``games`` where they are not registered. Half a line at its end is left out."""
    return _read(path, games)[0]


def read_header(path: Path) -> Json:
    """Only the first line of a match file; empty if it is none."""
    try:
        with path.open(encoding="utf-8") as file:
            header = read_json(file.readline(), str(path))
    except (OSError, UnicodeDecodeError, StammtischError):
        return {}
    return header if isinstance(header, dict) else {}


def _read(path: Path, games: tuple[Game, ...] | None) -> tuple[Played, int]:
    """The match and the number of bytes that are complete lines."""
    try:
        text = path.read_bytes()
        complete = text.rfind(b"\n") + 1
        lines = text[:complete].decode("utf-8").split("\n")[:-1]
    except (OSError, UnicodeDecodeError) as error:
        raise BadMatch(f"{path}: cannot be read ({error})") from None
    if not lines:
        raise BadMatch(f"{path}: no match file, it is empty")
    try:
        match = Match.from_header(read_json(lines[0], "its first line"), games)
    except StammtischError as error:
        raise BadMatch(f"{path}: {error}") from None
    played = Played(match, [])
    due = match.schedule(len(lines))
    for number, line in enumerate(lines[1:], start=2):
        where = f"{path} line {number}"
        try:
            obj = read_json(line, where)
            games_played = tuple(GameResult.from_json(game) for game in reading.items(obj, "games"))
            deal = DealResult(reading.whole(obj, "table"), reading.whole(obj, "deal"), games_played)
            expected = next(due)
            if (deal.table, deal.deal) != expected:
                raise BadMatch(f"{where}: table {expected[0]}, deal {expected[1]} should be here")
            if [game.sides for game in deal.games] != match.seatings(deal.table, deal.deal):
                raise BadMatch(f"{where}: the games of this deal are not the ones it should have")
            _check_seats(deal, match.games[match.tables[deal.table].game].spec, where)
        except BadField as error:
            raise BadMatch(f"{where}: this is not a line of a match file ({error})") from None
        except BadMatch:
            raise
        except StammtischError as error:
            raise BadMatch(str(error)) from None
        played.deals.append(deal)
    return played, complete


def _check_seats(deal: DealResult, spec: GameSpec, where: str) -> None:
    """Whatever is said of seats is said of the seats of this game."""
    for game in deal.games:
        if len(game.scores) != spec.seats:
            raise BadMatch(f"{where}: a score is needed for each of {spec.seats} seats")
        if any(len(numbers) != spec.seats for numbers in game.tally.values()):
            raise BadMatch(f"{where}: a count is needed for each of {spec.seats} seats")
        if game.fault is not None and game.fault.seat not in spec.side_of:
            raise BadMatch(f"{where}: nobody sits on seat {game.fault.seat}, whose fault is told")


def _difference(one: Match, other: Match) -> str:
    mine, theirs = one.header(), other.header()
    return "; ".join(f"{key} {mine[key]}, not {theirs[key]}" for key in mine if mine[key] != theirs[key])


def _run(obj: Any) -> Json:
    """When a match was played, by which command."""
    words = {key: reading.text(obj, key) for key in ("command", "date")}
    return {**words, "workers": reading.whole(obj, "workers"), "seconds": reading.number(obj, "seconds")}


def _times(times: Json, name: str) -> Times:
    spent = reading.things(times, name)
    seconds, longest = (reading.number(spent, key) for key in ("seconds", "longest"))
    return Times(reading.whole(spent, "decisions"), seconds, longest)


@dataclass
class RunNotes:
    """When and how a match was played, and how long its agents thought."""

    runs: list[Json] = field(default_factory=list)  # command, date, workers, seconds of each run
    times: dict[str, Times] = field(default_factory=dict)  # by the agents' names

    @staticmethod
    def place(path: Path) -> Path:
        return path.with_name(path.name.removesuffix(".jsonl") + ".run.json")

    @classmethod
    def read(cls, path: Path) -> RunNotes:
        """The notes beside a match file; empty ones where there are none."""
        place = cls.place(path)
        if not place.exists():
            return cls()
        try:
            obj: Any = read_json(place.read_text(encoding="utf-8"), str(place))
            times = reading.things(obj, "times")
            return cls([_run(one) for one in reading.items(obj, "runs")], {name: _times(times, name) for name in times})
        except (OSError, UnicodeDecodeError, StammtischError) as error:
            raise BadMatch(f"{place}: cannot be read ({error})") from None

    def write(self, path: Path) -> None:
        plain = {"runs": self.runs, "times": {name: asdict(spent) for name, spent in self.times.items()}}
        place = self.place(path)
        whole = place.with_name(place.name + ".new")
        whole.write_text(json.dumps(plain, indent=1) + "\n", encoding="utf-8")
        whole.replace(place)

    def milliseconds(self) -> dict[str, float]:
        """Mean thinking time per decision."""
        return {name: 1000 * spent.seconds / spent.decisions for name, spent in self.times.items() if spent.decisions}

    @classmethod
    def together(cls, notes: Iterable[RunNotes]) -> RunNotes:
        whole = cls()
        for one in notes:
            whole.runs += one.runs
            for name, spent in one.times.items():
                whole.times.setdefault(name, Times()).add(spent)
        return whole
