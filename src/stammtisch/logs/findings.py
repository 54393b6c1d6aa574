"""What can be wrong with a log: a code, a name and a sentence for each.

The codes up to 80 and their names are those in use among people who study these logs; 15, 26, 62 and the nineties are
our own. A round without any finding is clean.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from stammtisch.logs.rounds import Parsed, Replayed, cards_text, decode

CLEAN = 0
INVALID_CARD_LABEL, INVALID_CARD_COUNT, DUPLICATE_CARD, CARD_NOT_IN_HAND, CARD_ALREADY_PLAYED = 10, 11, 12, 13, 14
BOMB_OWNERS_WRONG = 15
PASS_NOT_POSSIBLE, WISH_NOT_FOLLOWED, COMBINATION_NOT_PLAYABLE, PLAYER_NOT_ON_TURN = 20, 21, 22, 23
HISTORY_TOO_SHORT, HISTORY_TOO_LONG, OWNER_PASS_MISSING = 24, 25, 26
DRAGON_NOT_GIVEN, DRAGON_GIVEN_TO_OWN_TEAM, DRAGON_GIVEN_WITHOUT_BEAT = 30, 31, 32
WISH_WITHOUT_MAHJONG = 40
ANNOUNCEMENT_NOT_POSSIBLE = 50
SCORE_NOT_POSSIBLE, SCORE_MISMATCH, SCORE_WITHOUT_GRAND_PENALTY = 60, 61, 62
GAME_NOT_FINISHED, GAME_OVERPLAYED = 70, 71
ROUND_FAILED = 80
LINE_NOT_UNDERSTOOD, PART_MISSING, ROUND_CUT_OFF, ROUND_RESTARTED = 91, 92, 93, 94
NO_ROUND, FILE_UNREADABLE, ARCHIVE_UNREADABLE = 95, 96, 97

NAMES = {
    INVALID_CARD_LABEL: "INVALID_CARD_LABEL",
    INVALID_CARD_COUNT: "INVALID_CARD_COUNT",
    DUPLICATE_CARD: "DUPLICATE_CARD",
    CARD_NOT_IN_HAND: "CARD_NOT_IN_HAND",
    CARD_ALREADY_PLAYED: "CARD_ALREADY_PLAYED",
    BOMB_OWNERS_WRONG: "BOMB_OWNERS_WRONG",
    PASS_NOT_POSSIBLE: "PASS_NOT_POSSIBLE",
    WISH_NOT_FOLLOWED: "WISH_NOT_FOLLOWED",
    COMBINATION_NOT_PLAYABLE: "COMBINATION_NOT_PLAYABLE",
    PLAYER_NOT_ON_TURN: "PLAYER_NOT_ON_TURN",
    HISTORY_TOO_SHORT: "HISTORY_TOO_SHORT",
    HISTORY_TOO_LONG: "HISTORY_TOO_LONG",
    OWNER_PASS_MISSING: "OWNER_PASS_MISSING",
    DRAGON_NOT_GIVEN: "DRAGON_NOT_GIVEN",
    DRAGON_GIVEN_TO_OWN_TEAM: "DRAGON_GIVEN_TO_OWN_TEAM",
    DRAGON_GIVEN_WITHOUT_BEAT: "DRAGON_GIVEN_WITHOUT_BEAT",
    WISH_WITHOUT_MAHJONG: "WISH_WITHOUT_MAHJONG",
    ANNOUNCEMENT_NOT_POSSIBLE: "ANNOUNCEMENT_NOT_POSSIBLE",
    SCORE_NOT_POSSIBLE: "SCORE_NOT_POSSIBLE",
    SCORE_MISMATCH: "SCORE_MISMATCH",
    SCORE_WITHOUT_GRAND_PENALTY: "SCORE_WITHOUT_GRAND_PENALTY",
    GAME_NOT_FINISHED: "GAME_NOT_FINISHED",
    GAME_OVERPLAYED: "GAME_OVERPLAYED",
    ROUND_FAILED: "ROUND_FAILED",
    LINE_NOT_UNDERSTOOD: "LINE_NOT_UNDERSTOOD",
    PART_MISSING: "PART_MISSING",
    ROUND_CUT_OFF: "ROUND_CUT_OFF",
    ROUND_RESTARTED: "ROUND_RESTARTED",
    NO_ROUND: "NO_ROUND",
    FILE_UNREADABLE: "FILE_UNREADABLE",
    ARCHIVE_UNREADABLE: "ARCHIVE_UNREADABLE",
}

_CARDS = {
    DUPLICATE_CARD: "there twice: {}",
    CARD_NOT_IN_HAND: "not in this hand: {}",
    CARD_ALREADY_PLAYED: "played before: {}",
    COMBINATION_NOT_PLAYABLE: "{} is no combination that can be played here",
}
_SEATS = {
    PASS_NOT_POSSIBLE: "seat {} leads and cannot pass",
    WISH_NOT_FOLLOWED: "seat {} could have fulfilled the wish and did not",
    PLAYER_NOT_ON_TURN: "seat {} is not on turn, and this is no bomb on a trick",
    OWNER_PASS_MISSING: "seat {} took the trick without the pass that says so",
    DRAGON_NOT_GIVEN: "seat {} won a trick with the dragon and gave it to nobody",
    DRAGON_GIVEN_TO_OWN_TEAM: "the dragon was given to seat {}, who is no opponent",
    DRAGON_GIVEN_WITHOUT_BEAT: "seat {} gets the dragon, but no dragon has won a trick",
    ANNOUNCEMENT_NOT_POSSIBLE: "seat {} cannot call tichu any more",
}
_PARTS = {
    1: "the four hands of eight cards",
    2: "the four hands of fourteen cards",
    3: "what the four schupf",
    4: "the course of the round",
}
_SENTENCES = {
    HISTORY_TOO_SHORT: "the result comes before the round is over",
    HISTORY_TOO_LONG: "the round was over before this line",
    ROUND_CUT_OFF: "the file ends within a round, which is left out",
    ROUND_RESTARTED: "a new deal before the result of the one before, which is left out",
    NO_ROUND: "no finished round in this file",
}
_SHIFT = 1 << 20


def score_detail(first: int, second: int) -> int:
    """Two scores as the detail of a finding."""
    return (first + _SHIFT // 2) * _SHIFT + second + _SHIFT // 2


def sentences(replayed: Replayed) -> list[str]:
    """What each finding says, in the order of ``replayed.findings``."""
    return [sentence(replayed.parsed, finding) for finding in replayed.findings]


def sentence(parsed: Parsed, finding: Any) -> str:
    """A finding in words."""
    code, detail = int(finding["code"]), int(finding["detail"])
    if code in _CARDS:
        return _CARDS[code].format(cards_text(detail))
    if code in _SEATS:
        return _SEATS[code].format(detail)
    if code in _SENTENCES:
        return _SENTENCES[code]
    if code in (FILE_UNREADABLE, ARCHIVE_UNREADABLE):
        return parsed.sources[finding["file"]].problem
    if code == INVALID_CARD_LABEL:
        return f"'{_words(parsed, detail, 1)}' is no card; cards are S2 ... RA, Hu, Ma, Ph, Dr"
    if code == INVALID_CARD_COUNT:
        return f"{detail // 100} cards, not {detail % 100}" if detail % 100 else "a play without cards"
    if code == LINE_NOT_UNDERSTOOD:
        return f"'{_words(parsed, detail, 8)}' is not understood here"
    if code == PART_MISSING:
        return f"incomplete or doubled: {_PARTS[detail]}"
    if code == BOMB_OWNERS_WRONG:
        owners = ", ".join(str(seat) for seat in range(4) if detail >> seat & 1) or "nobody"
        return f"by the cards, bombs are held after schupfing by: {owners}"
    if code == WISH_WITHOUT_MAHJONG:
        return f"a wish for {detail} that does not follow the Mahjong"
    if code == ROUND_FAILED:
        return f"{detail} of its rounds with findings"
    return _about_scores(parsed, finding, code, detail)


def _about_scores(parsed: Parsed, finding: Any, code: int, detail: int) -> str:
    first, second = detail // _SHIFT - _SHIFT // 2, detail % _SHIFT - _SHIFT // 2
    if code == GAME_NOT_FINISHED:
        return f"no team has reached 1000: {first} - {second}"
    if code == GAME_OVERPLAYED:
        return f"played on after it was decided: {first} - {second}"
    logged = parsed.rounds[finding["round"]].score
    text = f"logged {logged[0]} - {logged[1]}, by the rules {first} - {second}"
    if code == SCORE_WITHOUT_GRAND_PENALTY:
        return f"{text}: the failed grand tichu was not charged to partners who had both called"
    return f"{text}; whoever was first, this score is not possible" if code == SCORE_NOT_POSSIBLE else text


def _words(parsed: Parsed, begin: int, words: int) -> str:
    line = decode(parsed.text[begin : begin + 80].tobytes()).splitlines()[0]
    return "".join(c for c in " ".join(line.split()[:words]) if c.isprintable())


def count_by_name(findings: Any) -> dict[str, int]:
    """How many findings of each name, in the order of their codes."""
    codes, numbers = np.unique(findings["code"], return_counts=True)
    return {NAMES[int(code)]: int(number) for code, number in zip(codes, numbers, strict=True)}


def merge_counts(parts: list[dict[str, int]]) -> dict[str, int]:
    """The sum of several counts, in the order of the codes."""
    total: Counter[str] = Counter()
    for part in parts:
        total.update(part)
    return {name: total[name] for name in NAMES.values() if name in total}
