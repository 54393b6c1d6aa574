"""A bomb after everybody has passed on the trick of somebody who is out beats it or leads: the logged score decides."""

from functools import cache

import numpy as np
import pytest

import stammtisch as st
from logs.judging import changed, findings, judged, line_of
from stammtisch.core.mind import pick
from stammtisch.core.record import GameRecord, Recorder
from stammtisch.core.rng import stream
from stammtisch.logs.moves import replayable
from stammtisch.logs.write.games import played_rounds, write_record, write_replayed

HANDS = [  # after schupfing
    "B4 B5 B6 B7 B8 B9 B10 BB RD G10 R10 G9 R9 Ma",
    "S3 S4 S5 S6 S7 S8 S9 S10 RB SK BK GK RK GD",
    "G3 G4 G5 G6 G7 S2 B2 G2 R2 SB BD R7 SA Hu",
    "Ph Dr SD B3 BA R3 R5 G8 GB GA R4 R6 R8 RA",
]
TO_THE_LAST_OF_SEAT_0 = [
    *("Ma", "wish none", "GD", "pass", "pass", "pass"),
    *("S3 S4 S5 S6 S7 S8 S9 S10 RB", "pass", "pass", "B4 B5 B6 B7 B8 B9 B10 BB RD", "pass", "pass", "pass"),
    *("G10 R10 G9 R9", "pass", "pass", "pass"),
]
FIRST_BOMB, SECOND_BOMB, LOW_BOMB = "SK BK GK RK", "G3 G4 G5 G6 G7", "S2 B2 G2 R2"
READINGS = [
    (False, False),
    (True, False),
    (False, True),
    (True, True),
]  # whether the first bomb led, whether the second did


def dealt() -> Recorder:
    """Everybody gets three cards of his hand from the three others."""
    hands = [text.split() for text in HANDS]
    gifts = [[hands[(seat + 1 + i) & 3][i] for i in range(3)] for seat in range(4)]
    start = [hands[seat][3:] + gifts[seat] for seat in range(4)]
    position = {
        "hands": [hand[:8] for hand in start],
        "undealt": [hand[8:] for hand in start],
        "phase": "grand",
        "player": 0,
    }
    recorder = Recorder(st.game("tichu", rounds=1).from_json(position, seed=1), ["a", "b", "c", "d"])
    for move in ["no"] * 4 + [" ".join(["schupf", *three]) for three in gifts]:
        recorder.play(move)
    return recorder


def phase(recorder: Recorder) -> str:
    return str(recorder.state.to_json()["phase"])


def keep_bombs(recorder: Recorder) -> None:
    while phase(recorder) == "bomb":
        recorder.play("pass")


def throw(recorder: Recorder, bomb: str, leads: bool, passes: int, call: bool = False) -> None:
    if leads:
        keep_bombs(recorder)
    assert phase(recorder) == ("play" if leads else "bomb")
    for move in [*["tichu"] * call, bomb]:
        recorder.play(move)
    for _ in range(passes):
        keep_bombs(recorder)
        recorder.play("pass")


@cache
def rest(second: str) -> tuple[int, ...]:
    """How rules of thumb play on after the bombs, without bombs that are kept."""
    recorder = dealt()
    for move in TO_THE_LAST_OF_SEAT_0:
        keep_bombs(recorder)
        recorder.play(move)
    throw(recorder, FIRST_BOMB, leads=False, passes=2)
    throw(recorder, second, leads=second == LOW_BOMB, passes=1)
    keep_bombs(recorder)
    rng, buffer, played = stream(1), np.empty(4096, dtype=np.int64), []
    game = recorder.state.game
    while not recorder.state.over:
        asked = phase(recorder) == "bomb"
        action = 0 if asked else int(pick(game.mind()[0], recorder.state.record, buffer, rng))
        if not asked:
            played.append(action)
        recorder.apply(action)
    return tuple(played)


def record_of(leads: tuple[bool, bool], second: str = SECOND_BOMB, call: bool = False) -> GameRecord:
    recorder = dealt()
    for move in TO_THE_LAST_OF_SEAT_0:
        keep_bombs(recorder)
        recorder.play(move)
    throw(recorder, FIRST_BOMB, leads[0], passes=2)
    throw(recorder, second, leads[1], passes=1, call=call)
    for action in rest(second):
        keep_bombs(recorder)
        recorder.apply(action)
    assert recorder.state.over
    return recorder.record()


def actions_of(record: GameRecord) -> list[int]:
    return [record.game().parse(move) for move in record.moves]


@pytest.mark.parametrize("call", [False, True], ids=["", "with a call"])
@pytest.mark.parametrize("leads", READINGS)
def test_each_reading_is_found_by_its_score(leads: tuple[bool, bool], call: bool) -> None:
    records = {one: record_of(one, call=call) for one in READINGS}
    logs = {one: write_record(record) for one, record in records.items()}
    assert len({log[: log.index(b"Ergebnis")] for log in logs.values()}) == 1  # nothing but the score tells
    meant = next(one for one in READINGS if logs[one] == logs[leads])
    result = judged(logs[leads])
    assert not len(findings(logs[leads]))
    assert list(result.judged[0].score) == list(result.parsed.rounds[0].score)
    assert result.actions.tolist() == actions_of(records[meant])
    assert result.judged[0].tricks == 5 + sum(meant) + tricks_after()
    assert write_replayed(result, 0) == logs[leads]


@cache
def tricks_after() -> int:
    """Tricks from the second bomb's on, itself not counted."""
    return int(judged(write_record(record_of((True, True)))).judged[0].tricks) - 7


def test_the_scores_tell_three_of_four_readings_apart() -> None:
    scores = [tuple(judged(write_record(record_of(one))).judged[0].score) for one in READINGS]
    assert len(set(scores)) == 3 and scores[0] == scores[1]  # a trick that the first or his partner has in the end


def test_what_is_learned_from_a_round_is_of_the_reading_that_was_found() -> None:
    record = record_of((False, True))
    rounds, _ = replayable(judged(write_record(record)))
    expected = played_rounds(list(record.states()), actions_of(record))
    assert np.array_equal(rounds.actions, expected.actions)
    states = list(record.states())[:-1]
    kept = [one.to_json()["phase"] == "bomb" and move == "pass" for one, move in zip(states, record.moves, strict=True)]
    assert np.array_equal(rounds.human, ~np.array(kept))


def test_a_score_that_no_reading_explains_is_still_a_mismatch() -> None:
    log = write_record(record_of((False, False))).decode()
    first, second = judged(log).judged[0].score
    wrong = changed(f"Ergebnis: {first} - {second}", f"Ergebnis: {first + 5} - {second - 5}", log)
    assert findings(wrong) == [("SCORE_MISMATCH", line_of("Ergebnis", wrong))]
    result = judged(wrong)
    assert list(result.judged[0].score) == [first, second]
    assert result.actions.tolist() == actions_of(record_of((False, False)))  # as if there were no doubt


def test_a_bomb_that_is_too_low_for_the_trick_leads() -> None:
    log = write_record(record_of((False, True), LOW_BOMB))  # with a higher one in the hand
    result = judged(log)
    assert not len(findings(log)) and result.actions.tolist() == actions_of(record_of((False, True), LOW_BOMB))


def test_the_next_round_of_a_game_is_read_as_always() -> None:
    log = write_record(record_of((True, True)))
    result = judged(log + write_record(record_of((False, False))))
    assert not result.judged["code"].any()
    assert result.actions_of(1).tolist() == actions_of(record_of((False, False)))
