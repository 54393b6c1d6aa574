"""Plays a match into its file: in parallel, resumable, until it is long enough or its test has an answer."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from stammtisch.arena.match import Match
from stammtisch.arena.outcome import RunningTest
from stammtisch.arena.referee import DealResult, Referee, Times
from stammtisch.arena.store import MatchFile, Played, RunNotes
from stammtisch.arena.workers import Task, Workers

Progress = Callable[[Played, int], None]  # called after every deal, with the deals there will be at most
PlayTasks = Callable[[Iterable[Task]], Iterator[DealResult]]


def run(
    match: Match,
    rounds: int,
    path: Path | str,
    workers: int = 0,
    progress: Progress = lambda played, total: None,
    command: str = "",
) -> Played:
    """Play so many deals at every table, or go on until they are played; results do not depend on ``workers``.

    With 0 workers everything happens in this process: handy for notebooks and debuggers, but an agent
    that never answers is then waited for.
    """
    path = Path(path)
    file = MatchFile(path, match)
    notes = RunNotes.read(path)
    played, total = Played(match, file.deals), rounds * len(match.tables)
    running = None if match.sprt is None else RunningTest(played)
    before = len(file.deals)
    began, date = time.monotonic(), datetime.now(UTC).date().isoformat()
    with _players(match, min(workers, total - before)) as (play, times):
        try:
            if running is None or running.test.verdict is None:
                for deal in play(islice(match.schedule(rounds), before, None)):
                    file.add(deal)
                    progress(played, total)
                    if running is not None:
                        running.add(played, deal)
                        if running.test.verdict is not None:
                            break
        finally:
            file.close()
            seconds = round(time.monotonic() - began, 1)
            if len(file.deals) > before:
                notes.runs.append({"command": command, "date": date, "workers": workers, "seconds": seconds})
            for entrant, spent in times().items():
                notes.times.setdefault(match.entrants[entrant], Times()).add(spent)
            notes.write(path)
    return played


@contextmanager
def _players(match: Match, number: int) -> Iterator[tuple[PlayTasks, Callable[[], dict[int, Times]]]]:
    """Something that plays tasks in order, and the thinking times so far."""
    if number <= 0:
        referee = Referee(match)
        yield (lambda tasks: (referee.play(*task) for task in tasks)), (lambda: referee.times)
        return
    workers = Workers(match, number)
    try:
        yield workers.play, (lambda: workers.times)
    finally:
        workers.close()
