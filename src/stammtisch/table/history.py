"""What has happened at a table, and what of it each listener has heard.

Everything that happens is an entry of the journal. What a guest hears is the journal filtered for the own place:
entries have no number of their own, only a place in each listener's stream, so a question that only one seat knows of
leaves no gap for the others. Of what is not the running game only the last entries stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from stammtisch.core.game import Json

Counts: TypeAlias = Mapping[str, tuple[int, int]]  # per listener: how many entries are dropped, and Stream.floor
WATCHING = "watch"  # the listener that all who have no seat share
KEPT = 200  # so many entries stay that are not the running game's, when there are twice as many
_OF_THE_GAME = ("start", "move", "undo", "end")


class Stream:
    """What one listener has heard. ``n`` counts from the table's first day, also what has been dropped since."""

    def __init__(self, dropped: int = 0, floor: int = 0) -> None:
        self.entries: list[Json] = []
        self.dropped = dropped
        self.floor = floor  # who has heard less than this is told anew what is left

    @property
    def n(self) -> int:
        return self.dropped + len(self.entries)

    def since(self, heard: int | None) -> tuple[bool, list[Json]]:
        """Whether a page that has heard so much begins anew, and what it is to be told."""
        if heard is None or not self.floor <= heard <= self.n:
            return True, self.entries
        return False, self.entries[heard - self.dropped :]


class History:
    """The journal and its listeners' streams."""

    def __init__(self, audiences: Iterable[str], counts: Counts) -> None:
        self.journal: list[Json] = []
        self.streams = {audience: Stream(*counts.get(audience, (0, 0))) for audience in audiences}
        self.tidied = 0  # how often old entries have been dropped: then the journal is another list
        self._start = 0  # where the running game begins
        self._loose = 0  # entries that are not the running game's

    def enter(self, entry: Json) -> None:
        self.journal.append(entry)
        for audience, stream in self.streams.items():
            heard = hear(entry, audience)
            if heard is not None:
                stream.entries.append(heard)
        if entry["kind"] == "start":
            self._start = self._loose = len(self.journal) - 1
        elif entry["kind"] not in _OF_THE_GAME:
            self._loose += 1
        if self._loose > 2 * KEPT:
            self._tidy()

    def _tidy(self) -> None:
        """Who comes new is not told the talk of years."""
        kinds = [entry["kind"] for entry in self.journal]
        loose = [at for at, kind in enumerate(kinds) if at < self._start or kind not in _OF_THE_GAME]
        gone = set(loose[:-KEPT])
        self.journal = [entry for at, entry in enumerate(self.journal) if at not in gone]
        self._start -= sum(at < self._start for at in gone)
        self._loose = KEPT
        self.tidied += 1
        for audience, stream in self.streams.items():
            n = stream.n
            stream.entries = [heard for entry in self.journal if (heard := hear(entry, audience)) is not None]
            stream.dropped, stream.floor = n - len(stream.entries), n

    def counts(self) -> Counts:
        """What the journal does not tell of the streams."""
        return {audience: (stream.dropped, stream.floor) for audience, stream in self.streams.items()}


def hear(entry: Json, audience: str) -> Json | None:
    """What these listeners hear of a journal's entry; None where they must not even know that it was made."""
    if "told" not in entry:
        return entry
    if audience in entry["unheard"]:
        return None
    told = entry["told"][audience]
    return {"kind": "move", "seat": entry["seat"], "move": told, "comment": entry["comment"] if told else ""}


def seat_of_audience(audience: str) -> int | None:
    return None if audience == WATCHING else int(audience)
