"""What is in a database of logs: every question of the concept (6.3.1), answered in numbers.

Sentences about play (tricks, calls, wishes, ...) are about the rounds whose replay reached the end; counts of games and
rounds, and logged scores, are about everything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from stammtisch.games.tichu.cards import CARDS, NAMES, value_of
from stammtisch.logs.distribution import Distribution
from stammtisch.logs.keep.database import Database
from stammtisch.logs.measures import POINTS

if TYPE_CHECKING:
    from stammtisch.core.game import Json

_VALUES = ("Hu", "Ma", *(str(value) for value in range(2, 11)), "B", "D", "K", "A", "Dr", "Ph")
_PLAYED = "rule_20 IS NOT NULL"  # the replay reached the end
_BY_VALUE = {card: int(value_of(card)) for card in range(CARDS)}


def statistics(database: Database) -> Json:
    """All numbers but those of the players; every count is a plain integer."""
    shapes = distributions(database)
    return {
        "counts": _counts(database),
        "by_year": _by_year(database),
        "shape": {name: one.to_json() for name, one in shapes.items()},
        "balance": _balance(database),
        "options": _options(database),
        "findings": _findings(database),
    }


def distributions(database: Database) -> dict[str, Distribution]:
    """The histograms behind statistics, percentiles and scaling, by name; empty ones are left out."""
    queries = {
        "rounds per game": "SELECT rounds, count(*) FROM games GROUP BY ALL",
        "tricks per game": f"""SELECT tricks, count(*) FROM (SELECT sum(tricks)::BIGINT AS tricks FROM rounds
            WHERE {_PLAYED} GROUP BY game) GROUP BY ALL""",
        "turns per game": f"""SELECT turns, count(*) FROM (SELECT sum(turns)::BIGINT AS turns FROM rounds
            WHERE {_PLAYED} GROUP BY game) GROUP BY ALL""",
        "tricks per round": f"SELECT tricks, count(*) FROM rounds WHERE {_PLAYED} GROUP BY ALL",
        "turns per round": f"SELECT turns, count(*) FROM rounds WHERE {_PLAYED} GROUP BY ALL",
        "score of team 20": "SELECT score_20, count(*) FROM rounds GROUP BY ALL",
        "score of team 31": "SELECT score_31, count(*) FROM rounds GROUP BY ALL",
        "score difference": "SELECT score_20 - score_31, count(*) FROM rounds GROUP BY ALL",
        "game score": """SELECT score, count(*) FROM (SELECT before_20 AS score FROM rounds UNION ALL
            SELECT before_31 FROM rounds) GROUP BY ALL""",
    }
    found = {name: _histogram(name, database.rows(query)) for name, query in queries.items()}
    for name, column in (("trick points", "trick_points_seen"), ("points of a player", "points_seen")):
        sums = ", ".join(f"sum({column}[{place + 1}])" for place in range(len(POINTS)))
        counts = [int(number or 0) for number in database.row(f"SELECT {sums} FROM games")]
        found[name] = Distribution.of(name, POINTS, counts)
    return {name: one for name, one in found.items() if len(one.values)}


def _histogram(name: str, rows: list[tuple[Any, ...]]) -> Distribution:
    values = np.array(rows, dtype=np.int64).reshape(-1, 2)
    return Distribution.of(name, values[:, 0], values[:, 1])


def _counts(database: Database) -> Json:
    files, doubles = database.row("SELECT count(*), count(same_as) FROM files")
    games, finished, changed, overplayed = database.row(
        "SELECT count(*), count(winner), count(*) FILTER (player_changed), count(*) FILTER (code = 71) FROM games"
    )
    rounds, clean, played, tricks, turns = database.row(
        f"""SELECT count(*), count(*) FILTER (code = 0), count(*) FILTER ({_PLAYED}),
        COALESCE(sum(tricks) FILTER ({_PLAYED}), 0)::BIGINT, COALESCE(sum(turns) FILTER ({_PLAYED}), 0)::BIGINT
        FROM rounds"""
    )
    (players,) = database.row("SELECT count(*) FROM players WHERE name <> ''")
    (failures,) = database.row("SELECT count(*) FROM failures")
    return {
        "files": files,
        "files_with_the_same_content": doubles,
        "files_not_readable": failures,
        "games": games,
        "games_finished": finished,
        "games_overplayed": overplayed,
        "games_with_a_change_of_player": changed,
        "rounds": rounds,
        "rounds_replayed": played,
        "rounds_clean": clean,
        "tricks": tricks,
        "turns": turns,
        "players": players,
    }


def _by_year(database: Database) -> list[Json]:
    rows = database.rows(
        "SELECT year, count(*), sum(rounds)::BIGINT, sum(clean_rounds)::BIGINT FROM games GROUP BY year ORDER BY year"
    )
    return [
        {"year": year or None, "games": games, "rounds": rounds, "clean": clean} for year, games, rounds, clean in rows
    ]


def _share(part: int, whole: int) -> Json:
    return {"count": part, "of": whole, "share": part / whole if whole else None}


def _balance(database: Database) -> Json:
    """How even the material is: what happened how often."""
    rounds, doubles = database.row(f"SELECT count(*), count(*) FILTER (double_victory) FROM rounds WHERE {_PLAYED}")
    calls = {}
    for name, call in (("grand_tichu", 2), ("tichu", 1)):
        called, won, in_rounds = database.row(
            f"""SELECT count(*), count(*) FILTER (place = 1), count(DISTINCT (p.game, p.round))
            FROM player_rounds p JOIN rounds r USING (game, round) WHERE call = {call} AND {_PLAYED}"""
        )
        calls[name] = {
            "called": called,
            "of_hands": _share(called, 4 * rounds),
            "in_rounds": _share(in_rounds, rounds),
            "won": _share(won, called),
        }
    mahjong, wished = database.row(
        f"SELECT count(*) FILTER (mahjong_played), count(*) FILTER (wish > 0) FROM rounds WHERE {_PLAYED}"
    )
    wishes: dict[int, int] = dict(
        database.rows(f"SELECT wish, count(*) FROM rounds WHERE wish > 0 AND {_PLAYED} GROUP BY wish")
    )
    dragons: dict[int, int] = dict(
        database.rows(
            f"""SELECT (dragon_recipient - dragon_giver + 4) % 4, count(*) FROM rounds
            WHERE dragon_giver IS NOT NULL AND dragon_recipient IS NOT NULL AND {_PLAYED} GROUP BY ALL"""
        )
    )
    given = sum(dragons.values())
    return {
        "double_victory": _share(doubles, rounds),
        **calls,
        "wish": {
            "mahjong_played": mahjong,
            "made": _share(wished, mahjong),
            "values": {_VALUES[value]: _share(wishes.get(value, 0), wished) for value in range(2, 15)},
        },
        "dragon": {
            "given": _share(given, rounds),
            "right": _share(dragons.get(1, 0), given),
            "left": _share(dragons.get(3, 0), given),
            "partner": _share(dragons.get(2, 0), given),  # against the rules
        },
        "schupf": {side: _schupf(database, f"to_{side}") for side in ("right", "partner", "left")},
        "odd_even": _odd_even(database),
    }


def _schupf(database: Database, column: str) -> Json:
    """Which cards went there: by value, and the most frequent ones."""
    cards = database.rows(
        f"SELECT {column}, count(*) AS times FROM player_rounds WHERE {column} IS NOT NULL GROUP BY ALL ORDER BY ALL"
    )
    total = sum(times for _, times in cards)
    by_value = dict.fromkeys(_VALUES, 0)
    for card, times in cards:
        by_value[_VALUES[_BY_VALUE[card]]] += times
    most = sorted(cards, key=lambda row: (-row[1], row[0]))[:5]
    return {
        "number": total,
        "cards": {NAMES[card]: times for card, times in cards},
        "values": {name: _share(times, total) for name, times in by_value.items()},
        "most_frequent": [{"card": NAMES[card], **_share(times, total)} for card, times in most],
    }


def _odd_even(database: Database) -> Json:
    """The convention "right even, left odd" (or the reverse), which tells the partner who has which bomb.

    Both cards need a value 2 to 14 to show it. A team follows one where both partners do so in the same round.
    """
    value = "(CASE WHEN {0} BETWEEN 2 AND 53 THEN ({0} + 6) // 4 END)"
    right, left = value.format("to_right"), value.format("to_left")
    kind = f"""CASE WHEN {right} % 2 = 0 AND {left} % 2 = 1 THEN 'even_odd'
        WHEN {right} % 2 = 1 AND {left} % 2 = 0 THEN 'odd_even'
        WHEN {right} IS NOT NULL AND {left} IS NOT NULL THEN 'neither' END"""
    found: Json = {}
    for team, parity in ((20, 0), (31, 1)):
        single: dict[str | None, int] = dict(
            database.rows(f"SELECT {kind} AS kind, count(*) FROM player_rounds WHERE seat % 2 = {parity} GROUP BY ALL")
        )
        both: dict[str | None, int] = dict(
            database.rows(
                f"""SELECT kind, count(*) FROM (SELECT CASE WHEN min(kind) = max(kind) AND count(kind) = 2
                THEN min(kind) END AS kind FROM (SELECT game, round, {kind} AS kind FROM player_rounds
                WHERE seat % 2 = {parity}) GROUP BY game, round) GROUP BY kind"""
            )
        )
        players, rounds = sum(single.values()), sum(both.values())
        found[f"team_{team}"] = {
            "right_even_left_odd": _share(single.get("even_odd", 0), players),
            "right_odd_left_even": _share(single.get("odd_even", 0), players),
            "neither": _share(single.get("neither", 0), players),
            "a_card_without_value": _share(single.get(None, 0), players),
            "both_partners_right_even_left_odd": _share(both.get("even_odd", 0), rounds),
            "both_partners_right_odd_left_even": _share(both.get("odd_even", 0), rounds),
        }
    return found


def _options(database: Database) -> Json:
    """What the rules leave open, and how often it was used."""
    rounds, mahjong, unwished = database.row(
        f"""SELECT count(*), count(*) FILTER (mahjong_played), count(*) FILTER (mahjong_played AND wish = 0)
        FROM rounds WHERE {_PLAYED}"""
    )
    tichus, early, suicidal, premature = database.row(
        f"""SELECT count(*), count(*) FILTER (call_position = -1), count(*) FILTER (suicidal),
        count(*) FILTER (premature) FROM player_rounds JOIN rounds r USING (game, round)
        WHERE call = 1 AND {_PLAYED}"""
    )
    pairs: dict[int, int] = dict(
        database.rows(
            f"""SELECT total, count(*) FROM (SELECT min(call) AS low, sum(call) AS total FROM player_rounds
            JOIN rounds r USING (game, round) WHERE {_PLAYED} GROUP BY game, round, seat % 2)
            WHERE low > 0 GROUP BY total"""
        )
    )
    return {
        "mahjong_played_without_a_wish": _share(unwished, mahjong),
        "tichu_called_before_the_first_trick": _share(early, tichus),
        "tichu_called_when_somebody_was_out": _share(suicidal, tichus),
        "tichu_called_without_playing_at_once": _share(premature, tichus),
        "two_calls_in_a_team": {
            "grand_and_grand": _share(pairs.get(4, 0), 2 * rounds),
            "grand_and_tichu": _share(pairs.get(3, 0), 2 * rounds),
            "tichu_and_tichu": _share(pairs.get(2, 0), 2 * rounds),
        },
    }


def _findings(database: Database) -> list[Json]:
    """Breaches of the rules and of the format by code, with the first place where each was found."""
    rows = database.rows(
        """SELECT code, count(*), count(DISTINCT (f.game, round)) FILTER (round >= 0), min_by(path, (f.game, line)),
        min_by(line, (f.game, line)), min_by(sentence, (f.game, line))
        FROM findings f JOIN files ON files.file = f.game GROUP BY code ORDER BY code"""
    )
    return [
        {"code": code, "count": count, "rounds": rounds, "first": {"path": path, "line": line, "sentence": sentence}}
        for code, count, rounds, path, line, sentence in rows
    ]
