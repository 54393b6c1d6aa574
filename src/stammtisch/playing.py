"""The short words: ``st.agent``, ``st.play``, ``st.match``, ``st.load_record``. Moves are text, players are names.

Whoever builds something imports the rooms behind these words: ``agents``, ``arena``, ``core.record``.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from stammtisch.agents.base import Agent, told_to, who_hears
from stammtisch.agents.catalog import agent as named_agent
from stammtisch.core import record as records
from stammtisch.core.errors import BadOption, BadRecord
from stammtisch.core.game import Game, Json
from stammtisch.core.record import GameRecord, Recorder
from stammtisch.core.registry import game as game_by_name
from stammtisch.core.rng import fresh_seed, stream

if TYPE_CHECKING:
    from stammtisch.arena.store import Played

Player: TypeAlias = "str | Callable[[Game], Agent]"  # a name, or what makes an agent of one's own


def agent(name: str, game: Game | str) -> Agent:
    """The agent of this name for a game.

    >>> import stammtisch as st
    >>> game = st.game("tictactoe")
    >>> state = game.from_json({"board": "XX.OO....", "player": 0})
    >>> st.agent("maxn:depth=9", game).move(state)
    '2'
    """
    return named_agent(name, _rules(game))


def play(game: Game | str, *players: Player, seed: int | None = None) -> GameRecord:
    """A game from its first move to its end. Players are named for the sides in turn, and again from the first.

    >>> import stammtisch as st
    >>> record = st.play("tictactoe", "maxn:depth=9", "random", seed=1)
    >>> record.players
    ['maxn:depth=9', 'random']
    >>> record.result[0] >= 0.5
    True
    """
    rules = _rules(game)
    if not players:
        raise BadOption("name at least one player")
    luck = fresh_seed() if seed is None else seed
    side_of = rules.spec.side_of
    seated = {seat: players[side_of[seat] % len(players)] for seat in rules.spec.taken}
    names = [_name(seated[seat]) if seat in seated else "" for seat in range(rules.spec.seats)]
    recorder = Recorder(rules.new(luck), names)
    agents: dict[int, Agent] = {}
    try:
        for seat, player in seated.items():
            agents[seat] = _made(player, rules)
        listeners, dice = who_hears(agents), {seat: stream(luck, 1 + seat) for seat in seated}
        state = recorder.state
        while (seat := state.player) is not None:  # type: ignore[assignment]
            action = agents[seat].choose(state.seat(seat), dice[seat]).action
            for other, one in listeners.items():
                learns, move = told_to(state, action, other)
                if learns:
                    one.hear(other, seat, move)
            recorder.apply(action)
    finally:
        for one in agents.values():
            one.close(recorder.state.scores() if recorder.state.over else None)
    return recorder.record()


@dataclass(frozen=True)
class Outcome:
    """How a match ended; printed, it is the tables of ``stammtisch arena``."""

    played: Played

    @property
    def numbers(self) -> Json:
        """All numbers, as ``stammtisch arena --json`` has them."""
        from stammtisch.arena.summary import summary

        return summary([self.played])

    @property
    def points(self) -> float:
        """The first player's share of the points; where everybody plays alone, the mean score."""
        numbers = self.numbers
        return float(numbers["win_rate"] if "win_rate" in numbers else numbers["mean"])

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the points."""
        low, high = self.numbers["ci95"]
        return float(low), float(high)

    def __str__(self) -> str:
        from stammtisch.arena.tables import sentences, tables

        numbers = self.numbers
        parts = []
        for table in tables(numbers):
            rows = [table.head, *table.rows]
            widths = [max(len(row[column]) for row in rows) for column in range(len(table.head))]
            lines = ("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)
            parts.append("\n".join([table.title, *lines]))
        return "\n\n".join([*parts, *sentences(numbers)])


def match(game: Game | str, *players: Player, rounds: int = 100, seed: int = 1, **settings: Any) -> Outcome:
    """A match on the same deals from all seats, in this process; see ``docs/arena.md`` for what it promises.

    >>> import stammtisch as st
    >>> outcome = st.match("tictactoe", "maxn:depth=9", "random", rounds=20)
    >>> outcome.points > 0.8
    True
    """
    from stammtisch.arena.match import match as new_match
    from stammtisch.arena.run import run

    own = {_name(player): player for player in players if not isinstance(player, str)}

    def make(name: str, rules: Game) -> Agent:
        return _made(own.get(name, name), rules)

    wanted = new_match(game, *map(_name, players), seed=seed, make=make, **settings)
    with tempfile.TemporaryDirectory() as folder:
        return Outcome(run(wanted, rounds, Path(folder) / "match.jsonl"))


def load_record(path: Path | str, number: int = -1) -> GameRecord:
    """A game of a file of records, by its place; without one, the last."""
    found = list(records.read(Path(path)))
    try:
        return found[number]
    except IndexError:
        raise BadRecord(f"{path} holds {len(found)} games, and none with the number {number}") from None


def save_record(record: GameRecord, path: Path | str) -> None:
    """Add a game to a file of records, which may not exist yet."""
    records.append(Path(path), record)


def _rules(game: Game | str) -> Game:
    return game_by_name(game) if isinstance(game, str) else game


def _name(player: Player) -> str:
    return player if isinstance(player, str) else getattr(player, "__name__", type(player).__name__)


def _made(player: Player, rules: Game) -> Agent:
    return named_agent(player, rules) if isinstance(player, str) else player(rules)
