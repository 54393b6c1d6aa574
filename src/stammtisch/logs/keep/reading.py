"""A portion of logs for the database, read by a worker, which loads nothing of the database itself."""

from __future__ import annotations

from dataclasses import dataclass

from stammtisch.logs.findings import sentences
from stammtisch.logs.judge.replay import replay
from stammtisch.logs.keep.facts import Facts, facts
from stammtisch.logs.keep.fingerprints import content_fingerprint
from stammtisch.logs.read.parse import parse
from stammtisch.logs.read.sources import Place, load


@dataclass(frozen=True)
class Portion:
    """Some places to be read by a worker."""

    places: list[Place]
    seen: list[int]  # fingerprints of path, size and date
    with_moves: bool


@dataclass(frozen=True)
class Read:
    """What a worker found in a portion; the facts are about ``places`` without the failures."""

    places: list[Place]
    seen: list[int]
    contents: list[int]
    failures: list[tuple[str, str]]
    facts: Facts


def read_portion(portion: Portion) -> Read:
    """Load, parse, replay and judge."""
    sources = load(portion.places)
    failures = [(source.path, source.problem) for source in sources if source.problem]
    good = [i for i, source in enumerate(sources) if not source.problem]
    replayed = replay(parse([sources[i] for i in good]))
    return Read(
        [portion.places[i] for i in good],
        [portion.seen[i] for i in good],
        [content_fingerprint(sources[i].data) for i in good],
        failures,
        facts(replayed, sentences(replayed), portion.with_moves),
    )
