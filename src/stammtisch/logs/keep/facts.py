"""What the database keeps of some replayed files, as columns: made side by side in workers, numbered when they come in.

Games are numbered from 0 within the part, players by their place in ``names``; numbers of the database come on arrival.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stammtisch.logs.measures import POINTS, points_seen
from stammtisch.logs.moves import replayable, scores_before
from stammtisch.logs.rounds import GRAND_CALL, NO_CALL, NO_SCORE, Replayed

if TYPE_CHECKING:
    from stammtisch.logs.keep.database import Columns

TEAMS = (20, 31)
NONE = -1  # in columns that become NULL


@dataclass
class Facts:
    """Columns per table; in all of them ``game`` is a place among the files of the part."""

    games: Columns
    points: Columns  # game, value, trick and collected: 31 rows per game
    rounds: Columns
    player_rounds: Columns
    findings: Columns
    names: list[str]

    def of(self, wanted: NDArray[np.bool_]) -> Facts:
        """The facts of some of the files."""

        def of(table: Columns) -> Columns:
            return {name: column[wanted[table["game"]]] for name, column in table.items()}

        tables = (of(self.games), of(self.points), of(self.rounds), of(self.player_rounds), of(self.findings))
        return Facts(*tables, self.names)


def facts(replayed: Replayed, sentences: list[str], with_moves: bool = False) -> Facts:
    """Everything worth keeping; ``sentences`` belong to the findings."""
    names, players = names_of(replayed)
    game_rows = _games(replayed)
    findings: Columns = {
        "game": replayed.findings["file"].astype(np.int64),
        "round": _round_index(replayed),
        "line": replayed.findings["line"].astype(np.int32),
        "code": replayed.findings["code"].astype(np.int16),
        "sentence": np.array(sentences, dtype=object),
    }
    return Facts(
        game_rows,
        _points(replayed, game_rows["game"]),
        _rounds(replayed, with_moves),
        _player_rounds(replayed, players),
        findings,
        names,
    )


def _games(replayed: Replayed) -> Columns:
    """One row per file that has a finished round."""
    kept = np.flatnonzero(replayed.games["rounds"] > 0)
    games = replayed.games[kept]
    sources = [replayed.parsed.sources[i] for i in kept]
    winner = np.array([*TEAMS, 0, NONE])[games["winner"]]  # 2: a tie, -1: unfinished
    return {
        "game": kept.astype(np.int64),
        "id": np.array([source.game for source in sources], dtype=np.int64),
        "year": np.array([source.year for source in sources], dtype=np.int16),
        "month": np.array([source.month for source in sources], dtype=np.int16),
        "rounds": games["rounds"].astype(np.int16),
        "clean_rounds": games["clean_rounds"].astype(np.int16),
        "score_20": games["total"][:, 0].astype(np.int32),
        "score_31": games["total"][:, 1].astype(np.int32),
        "winner": winner.astype(np.int16),
        "player_changed": games["player_changed"] != 0,
        "code": games["code"].astype(np.int16),
    }


def _points(replayed: Replayed, games: NDArray[np.int64]) -> Columns:
    rounds, which = replayable(replayed)
    file = replayed.parsed.rounds["file"][which].astype(np.int64)
    trick, collected = points_seen(rounds, file, len(replayed.games))
    return {
        "game": np.repeat(games, len(POINTS)),
        "value": np.tile(POINTS, len(games)),
        "trick": trick[games].ravel(),
        "collected": collected[games].ravel(),
    }


def _rounds(replayed: Replayed, with_moves: bool) -> Columns:
    read, judged = replayed.parsed.rounds, replayed.judged
    before = scores_before(replayed)
    complete = judged["score"][:, 0] != NO_SCORE
    columns: Columns = {
        "game": read["file"].astype(np.int64),
        "round": read["index"],
        "line": read["line"],
        "score_20": read["score"][:, 0],
        "score_31": read["score"][:, 1],
        "complete": complete,
        "rule_20": judged["score"][:, 0],
        "rule_31": judged["score"][:, 1],
        "before_20": before[:, 0],
        "before_31": before[:, 1],
        "code": judged["code"],
        "tricks": judged["tricks"],
        "turns": judged["turns"],
        "winner": judged["winner"],
        "loser": judged["loser"],
        "double_victory": judged["double_victory"] != 0,
        "mahjong_played": judged["wish"] >= 0,
        "wish": np.maximum(judged["wish"], 0),
        "dragon_giver": judged["dragon_giver"],
        "dragon_recipient": judged["dragon_recipient"],
        "phoenix_low": judged["phoenix_low"] != 0,
        "bombs_played": judged["bombs_played"],
    }
    if with_moves:
        rounds, which = replayable(replayed)
        moves = np.full(len(read), b"", dtype=object)
        for number, place in enumerate(which):
            moves[place] = rounds.packed(number)
        columns["moves"] = moves
    return {name: np.ascontiguousarray(column) for name, column in columns.items()}


def _player_rounds(replayed: Replayed, players: NDArray[np.int32]) -> Columns:
    """Four rows per round."""
    read, judged = replayed.parsed.rounds, replayed.judged
    n = len(read)
    place = np.full((n, 4), NONE, dtype=np.int16)
    for at in range(3):
        some = np.flatnonzero(judged["finished"][:, at] >= 0)
        place[some, judged["finished"][some, at]] = at + 1
    third_out = judged["finished"][:, 2] >= 0
    place[third_out[:, None] & (place == NONE)] = 4
    calls = judged["tichu"]
    columns = {
        "game": np.repeat(read["file"].astype(np.int64), 4),
        "round": np.repeat(read["index"], 4),
        "seat": np.tile(np.arange(4, dtype=np.int16), n),
        "player": players.ravel(),
        "grand_hand": read["grand"].ravel(),
        "hand": read["start"].ravel(),
        "to_right": read["given"][:, :, 0].ravel(),
        "to_partner": read["given"][:, :, 1].ravel(),
        "to_left": read["given"][:, :, 2].ravel(),
        "bomb": (judged["bombs"][:, None] >> np.arange(4) & 1).ravel() != 0,
        "call": np.select([calls == NO_CALL, calls == GRAND_CALL], [0, 2], 1).astype(np.int16).ravel(),
        "call_position": calls.ravel(),
        "suicidal": judged["suicidal"].ravel() != 0,
        "premature": judged["premature"].ravel() != 0,
        "place": place.ravel(),
    }
    return {name: np.ascontiguousarray(column) for name, column in columns.items()}


def names_of(replayed: Replayed) -> tuple[list[str], NDArray[np.int32]]:
    """All nicknames, and which of them sits where: [round, seat]."""
    parsed: Any = replayed.parsed
    known: dict[str, int] = {}
    by_bytes: dict[bytes, int] = {}
    players = np.zeros((len(parsed.rounds), 4), dtype=np.int32)
    text = parsed.text.tobytes()
    for number, spans in enumerate(parsed.rounds["names"].tolist()):
        for seat, (begin, end) in enumerate(spans):
            raw = text[begin:end]
            if raw not in by_bytes:
                by_bytes[raw] = known.setdefault(parsed.name(number, seat), len(known))
            players[number, seat] = by_bytes[raw]
    return list(known), players


def _round_index(replayed: Replayed) -> NDArray[np.int16]:
    """The rounds of the findings by their place in the game; -1: the game as a whole."""
    number = replayed.findings["round"].astype(np.int64)
    index = np.append(replayed.parsed.rounds["index"], np.int16(NONE))
    return index[np.where(number < 0, len(index) - 1, number)]
