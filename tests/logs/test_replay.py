"""Rounds are played again as they were played, and every breach of the rules has its code and its line."""

import numpy as np
import pytest

from logs.judging import REAL, ROUND, changed, findings, judged, line_of, real_sources
from stammtisch.core.rng import stream
from stammtisch.games.tichu.kernel import KERNEL
from stammtisch.games.tichu.rules import ENDED, apply, legal_actions, player
from stammtisch.logs.judge.replay import replay
from stammtisch.logs.moves import DEAL, deal
from stammtisch.logs.read.parse import parse
from stammtisch.logs.rounds import GRAND_CALL, NO_CALL, NO_SCORE

BEFORE_SECOND_TRICK = "(2)c.c-3 passt.\n(2)c.c-3: B3 \n"

BREACHES = [
    ("INVALID_CARD_LABEL", "RA SK RK GB", "RX SK RK GB", "RX"),
    ("INVALID_CARD_LABEL", "Bert_7: R2 -", "Bert_7: 2R -", "2R"),
    ("INVALID_CARD_LABEL", "(3)Dörte!: B4 ", "(3)Dörte!: B1 ", "(3)Dörte!: B1 "),
    ("INVALID_CARD_COUNT", "B7 R4 G3 R2 \n", "B7 R4 G3 \n", "B7 R4 G3 \n"),
    ("INVALID_CARD_COUNT", " - Dörte!: G3 - ", " - ", "(0)anna gibt"),
    ("INVALID_CARD_COUNT", "(3)Dörte!: B4 ", "(3)Dörte!: ", "(3)Dörte!: \n"),
    ("DUPLICATE_CARD", "B7 R4 G3 R2 \n", "B7 R4 G3 G3 \n", "G3 G3"),
    ("DUPLICATE_CARD", "B7 R4 G3 R2 \n", "B7 R4 G3 G2 \n", "(1)Bert_7 RD SB"),
    ("DUPLICATE_CARD", "(3)Dörte!: B4 ", "(3)Dörte!: B4 B4 ", "B4 B4"),
    ("CARD_NOT_IN_HAND", "(2)c.c-3: B3 ", "(2)c.c-3: S2 ", "c.c-3: S2 \n"),
    ("CARD_NOT_IN_HAND", "Bert_7: R2 -", "Bert_7: R5 -", "(0)anna gibt"),
    ("CARD_NOT_IN_HAND", "GB G10 R4 G3 \n", "GB G10 R4 B3 \n", "(0)anna Ph SA GA SK"),
    ("CARD_ALREADY_PLAYED", "(3)Dörte!: B4 ", "(3)Dörte!: B7 ", "Dörte!: B7"),
    ("BOMB_OWNERS_WRONG", "BOMBE: (2)c.c-3 \n", "", "-Rundenverlauf"),
    ("BOMB_OWNERS_WRONG", "BOMBE: (2)c.c-3 \n", "BOMBE: (1)Bert_7 (2)c.c-3 \n", "BOMBE"),
    ("PASS_NOT_POSSIBLE", BEFORE_SECOND_TRICK, "(2)c.c-3 passt.\n" + BEFORE_SECOND_TRICK, BEFORE_SECOND_TRICK),
    ("COMBINATION_NOT_PLAYABLE", "(1)Bert_7: SB \n", "(1)Bert_7: SB B10 \n", "SB B10 \n"),
    ("COMBINATION_NOT_PLAYABLE", "(3)Dörte!: B4 ", "(3)Dörte!: G3 ", "(3)Dörte!: G3 \n(0)anna: G10"),
    ("PLAYER_NOT_ON_TURN", "(3)Dörte!: B4 \n", "", "anna: G10"),
    ("PLAYER_NOT_ON_TURN", "(0)anna: GB S10 Ph B8 B7 \n", "(1)Bert_7: B5 S5 \n", "B5 S5"),
    ("PLAYER_NOT_ON_TURN", "(2)c.c-3: Hu \n", "(2)c.c-3: Hu \n(3)Dörte! passt.\n", "Dörte! passt.\n(0)anna: Ma"),
    ("HISTORY_TOO_SHORT", "(0)anna: R4 \n", "", "Ergebnis"),
    ("HISTORY_TOO_LONG", "(0)anna: R4 \n", "(0)anna: R4 \n(1)Bert_7 passt.\n", "Bert_7 passt.\nErgebnis"),
    ("HISTORY_TOO_LONG", "(0)anna: R4 \n", "(0)anna: R4 \n(1)Bert_7: GK \n", "Bert_7: GK \nErgebnis"),
    ("OWNER_PASS_MISSING", BEFORE_SECOND_TRICK, "(2)c.c-3: B3 \n", "(2)c.c-3: B3"),
    ("DRAGON_NOT_GIVEN", "Drache an: (2)c.c-3\n", "", "RD BD G6 B6 S6"),
    ("DRAGON_GIVEN_TO_OWN_TEAM", "Drache an: (2)c.c-3\n", "Drache an: (1)Bert_7\n", "Drache an"),
    ("DRAGON_GIVEN_WITHOUT_BEAT", BEFORE_SECOND_TRICK, "Drache an: (1)x\n" + BEFORE_SECOND_TRICK, "Drache an: (1)x"),
    ("WISH_WITHOUT_MAHJONG", BEFORE_SECOND_TRICK, "Wunsch:K\n" + BEFORE_SECOND_TRICK, "Wunsch:K"),
    ("ANNOUNCEMENT_NOT_POSSIBLE", BEFORE_SECOND_TRICK, "Tichu: (2)c.c-3\n" + BEFORE_SECOND_TRICK, "Tichu: (2)"),
    ("SCORE_NOT_POSSIBLE", "Ergebnis: 100 - 0", "Ergebnis: 103 - -3", "Ergebnis"),
    ("SCORE_NOT_POSSIBLE", "Ergebnis: 100 - 0", "Ergebnis: 300 - 100", "Ergebnis"),
    ("SCORE_MISMATCH", "Ergebnis: 100 - 0", "Ergebnis: -40 - 40", "Ergebnis"),
    ("LINE_NOT_UNDERSTOOD", "Wunsch:9", "Wunsch:X", "Wunsch:X"),
    ("PART_MISSING", "(3)Dörte! GK BD SD S8 S6 G5 B3 Ma \n", "", "-Startkarten"),
    ("PART_MISSING", "---------------Rundenverlauf------------------\n", "", "(0)anna: GB"),
]


@pytest.mark.parametrize(
    ("name", "old", "new", "where"), BREACHES, ids=[f"{one[0]}-{i}" for i, one in enumerate(BREACHES)]
)
def test_every_breach_has_its_code_and_its_line(name: str, old: str, new: str, where: str) -> None:
    log = changed(old, new)
    found = findings(log)
    line = log[: log.index(where)].count("\n") + 1
    assert found[0] == (name, line)
    result = judged(log + ROUND)
    assert result.judged[0].code != 0 and result.judged[1].code == 0  # the next round is as good as before
    assert result.games[0].clean_rounds == 1


def dragon_last(after: list[str]) -> str:
    """A round in which the third goes out with the dragon; ``after`` is what the log says behind that."""
    low, high = "2 3 4 5 6 7 8 9 10", "B D K"
    suited = {suit: [suit + value for value in f"{low} {high}".split()] for suit in "SBGR"}
    hands = [
        ["Ma", *suited["B"], "SA"],
        [*suited["R"], "RA", "Ph"],
        [*suited["G"], "GA", "Hu"],
        [*suited["S"], "BA", "Dr"],
    ]
    start = [hand.copy() for hand in hands]
    for seat in range(4):
        for k in range(3):  # the card that came from the seat k + 1 places before
            start[seat].remove(hands[seat][k + 1])
            start[(seat - k - 1) % 4].append(hands[seat][k + 1])
    row = " ".join
    lines = ["---------------Gr.Tichukarten------------------"]
    lines += [f"({seat})p{seat} {row(start[seat][:8])}" for seat in range(4)]
    lines += ["---------------Startkarten------------------"]
    lines += [f"({seat})p{seat} {row(start[seat])}" for seat in range(4)]
    lines += ["Schupfen:"]
    for seat in range(4):
        gifts = [(to := (seat + k + 1) % 4, hands[to][k + 1]) for k in range(3)]
        lines.append(f"({seat})p{seat} gibt: " + "".join(f"p{to}: {card} - " for to, card in gifts))
    lines += ["BOMBE: (0)p0 (1)p1 (2)p2 (3)p3", "---------------Rundenverlauf------------------"]
    street, bomb, lead = (row(reversed(suited[suit])) for suit in "BRS")
    lines += [f"(0)p0: SA {street} Ma", f"(1)p1: RA {bomb}", "(2)p2 passt.", "(3)p3 passt.", "(1)p1 passt."]
    lines += ["(1)p1: Ph", "(2)p2 passt.", "(3)p3: BA", "(2)p2 passt.", "(3)p3 passt."]
    lines += [f"(3)p3: {lead}", "(2)p2 passt.", "(3)p3 passt.", "(3)p3: Dr", *after, "Ergebnis: 25 - 75"]
    return "\n".join(lines) + "\n"


def test_who_passes_when_the_dragon_has_ended_the_round_says_too_much() -> None:
    assert findings(dragon_last(["Drache an: (0)p0"])) == []
    for after in (["(2)p2 passt.", "Drache an: (0)p0"], ["Drache an: (0)p0", "(2)p2 passt."]):
        log = dragon_last(after)
        assert findings(log) == [("HISTORY_TOO_LONG", log[: log.rindex("(2)p2 passt.")].count("\n") + 1)]
        assert list(judged(log).judged[0].score) == [25, 75]
    assert [name for name, _ in findings(dragon_last([]))] == ["DRAGON_NOT_GIVEN"]


def test_a_wish_that_was_not_followed_is_found_in_a_play_and_in_a_pass() -> None:
    passed = changed("(1)Bert_7: B9 ", "(1)Bert_7 passt.")
    assert findings(passed)[0] == ("WISH_NOT_FOLLOWED", line_of("Wunsch", passed) + 1)
    other = changed("(1)Bert_7: B9 ", "(1)Bert_7: G8 ")
    assert findings(other)[0] == ("WISH_NOT_FOLLOWED", line_of("Wunsch", other) + 1)


def test_all_real_rounds_are_clean_and_replay_to_the_logged_score() -> None:
    result = replay(parse(list(real_sources())))
    assert len(REAL) == 15 and len(result.judged) == 100
    assert (result.judged["code"] == 0).all()
    np.testing.assert_array_equal(result.judged["score"], result.parsed.rounds["score"])


def test_the_kernel_finds_every_action_legal_and_ends_with_the_score() -> None:
    result = replay(parse(list(real_sources())[:6]))
    buffer, rng, one = np.empty(4096, dtype=np.int64), stream(0), np.zeros(1, dtype=DEAL)
    for number in range(len(result.judged)):
        state = KERNEL.blank()[0]
        one[0].grand[:], one[0].start[:] = result.parsed.rounds[number].grand, result.parsed.rounds[number].start
        deal(state, one[0])
        first = int(result.judged[number].first_action)
        for i, action in enumerate(result.actions_of(number)):
            legal = buffer[: legal_actions(state, buffer)]
            asked = state.phase == 3 and action == 0
            assert action in legal or 0 <= action - (31 << 57) - 40 < 4  # a call out of turn is never listed
            assert result.human[first + i] == (not asked)
            apply(state, action, rng)
        assert state.phase == ENDED and player(state) == -1
        assert list(state.score) == list(result.judged[number].score)


def test_the_made_up_round_is_summed_up_as_described() -> None:
    one = judged(ROUND).judged[0]
    assert (one.winner, one.loser, one.double_victory) == (2, -1, 1)
    assert list(one.score) == [100, 0] and list(one.finished) == [2, 0, -1, -1]
    assert (one.dragon_giver, one.dragon_recipient, one.wish) == (3, 2, 9)
    assert list(one.tichu) == [0, NO_CALL, NO_CALL, NO_CALL] and not one.premature.any() and not one.suicidal.any()
    assert (one.bombs, one.bombs_played, one.phoenix_low) == (0b100, 1, 0)
    history = judged(ROUND).parsed.round_data(0).history
    assert one.turns == len(history) and history[one.winner_turn] == (2, "S7")
    assert one.tricks == 9


# --- calls --------------------------------------------------------------------------------------------------

FIRST_PLAY = "(0)anna: GB S10 Ph B8 B7 \n"
WITHOUT_CALL = changed("Tichu: (0)anna\n", "")


def test_a_call_directly_after_the_first_play_was_only_written_down_late() -> None:
    result = judged(changed(FIRST_PLAY, FIRST_PLAY + "Tichu: (0)anna\n", WITHOUT_CALL))
    assert result.judged[0].code == 0 and result.judged[0].tichu[0] == 0


def test_a_later_call_is_found_and_counted() -> None:
    after = FIRST_PLAY + "(1)Bert_7 passt.\n"
    log = changed(after, after + "Tichu: (0)anna\n", WITHOUT_CALL)
    assert findings(log) == [("ANNOUNCEMENT_NOT_POSSIBLE", line_of("Tichu: (0)", log))]
    assert list(judged(log).judged[0].score) == [100, 0]


def test_a_double_click_counts_once() -> None:
    assert findings(changed("Tichu: (0)anna\n", "Tichu: (0)anna\nTichu: (0)anna\n")) == []
    early = changed("Schupfen:\n", "Tichu: (0)anna\nTichu: (0)anna\nSchupfen:\n")
    assert findings(early) == []
    one = judged(early).judged[0]
    assert one.tichu[0] == -1 and one.premature[0] == 1


def test_a_call_of_somebody_else_before_the_first_lead_is_premature() -> None:
    one = judged(changed("Tichu: (0)anna\n", "Tichu: (3)Dörte!\n")).judged[0]
    assert one.tichu[3] == 0 and one.premature[3] == 1 and list(one.score) == [200, -100]


def test_a_call_after_somebody_went_out_is_suicidal() -> None:
    log = changed("(3)Dörte!: G9 \n", "(3)Dörte!: G9 \nTichu: (1)Bert_7\n", WITHOUT_CALL)
    assert judged(log).judged[0].suicidal[1] == 0  # seat 1 has played long ago: too late
    assert findings(log)[0][0] == "ANNOUNCEMENT_NOT_POSSIBLE"


def test_small_after_grand_is_refused_and_a_grand_call_within_the_round_too() -> None:
    both = changed("Schupfen:\n", "Grosses Tichu: (0)anna\nSchupfen:\n")
    assert findings(both)[0] == ("ANNOUNCEMENT_NOT_POSSIBLE", line_of("Rundenverlauf", both) + 1)
    late = changed(FIRST_PLAY, "Grosses Tichu: (1)Bert_7\n" + FIRST_PLAY)
    assert findings(late) == [("ANNOUNCEMENT_NOT_POSSIBLE", line_of("Grosses", late))]
    assert judged(both).judged[0].tichu[0] == GRAND_CALL


def test_a_call_after_the_end_is_no_call() -> None:
    log = changed("(0)anna: R4 \n", "(0)anna: R4 \nTichu: (3)Dörte!\n")
    assert findings(log) == [("ANNOUNCEMENT_NOT_POSSIBLE", line_of("Tichu: (3)", log))]
    assert list(judged(log).judged[0].score) == [100, 0]


# --- bombs, wish, dragon ------------------------------------------------------------------------------------


def test_a_bomb_out_of_turn_is_played_when_the_log_says_so() -> None:
    early = changed(
        "(1)Bert_7 passt.\n(2)c.c-3: R9 R8 R7 R6 R5 \n(3)Dörte! passt.",
        "(2)c.c-3: R9 R8 R7 R6 R5 \n(3)Dörte! passt.",
    )
    assert findings(early) == []  # before seat 1 acted
    late = changed(
        "(2)c.c-3: R9 R8 R7 R6 R5 \n(3)Dörte! passt.\n(0)anna passt.\n(1)Bert_7 passt.\n",
        "(2)c.c-3 passt.\n(3)Dörte! passt.\n(2)c.c-3: R9 R8 R7 R6 R5 \n"
        "(3)Dörte! passt.\n(0)anna passt.\n(1)Bert_7 passt.\n",
    )
    assert findings(late) == []  # after everybody has passed, also the bomber
    assert judged(late).judged[0].turns == judged(ROUND).judged[0].turns + 2


def test_a_bomb_on_the_empty_table_is_out_of_turn() -> None:
    log = changed(
        "(2)c.c-3: R9 R8 R7 R6 R5 \n",
        "(2)c.c-3 passt.\n(3)Dörte! passt.\n(0)anna passt.\n(2)c.c-3: R9 R8 R7 R6 R5 \n",
    )
    assert findings(log) == [("PLAYER_NOT_ON_TURN", line_of("R9 R8 R7 R6 R5", log))]


def test_no_wish_is_no_finding_and_no_mahjong_is_told_apart() -> None:
    assert judged(changed("Wunsch:9\n", "")).judged[0].wish == 0
    cut = ROUND[: ROUND.index("(0)anna: Ma \n")] + "Ergebnis: 100 - 0\n"
    assert judged(cut).judged[0].wish == -1


def test_a_replay_that_broke_off_has_no_score() -> None:
    assert list(judged(changed("(0)anna: R4 \n", "")).judged[0].score) == [NO_SCORE, NO_SCORE]


# --- scores and games ---------------------------------------------------------------------------------------

BOTH = changed("Schupfen:\n", "Grosses Tichu: (0)anna\nTichu: (2)c.c-3\nSchupfen:\n", WITHOUT_CALL)


def test_the_known_error_of_the_server_is_named_as_such() -> None:
    assert findings(BOTH) == []  # 200 + 100 - 200
    wrong = changed("Ergebnis: 100 - 0", "Ergebnis: 300 - 0", BOTH)
    assert findings(wrong) == [("SCORE_WITHOUT_GRAND_PENALTY", line_of("Ergebnis", wrong))]
    assert list(judged(wrong).judged[0].score) == [100, 0]
    small = changed("Grosses Tichu: (0)anna\nTichu: (2)c.c-3", "Grosses Tichu: (2)c.c-3\nTichu: (0)anna", wrong)
    assert findings(small) == []  # the failed small tichu beside a grand one is charged: 200 + 200 - 100


def test_the_penalty_is_missed_only_where_both_called() -> None:
    one = changed("Schupfen:\n", "Grosses Tichu: (0)anna\nSchupfen:\n", WITHOUT_CALL)
    assert findings(changed("100 - 0", "0 - 0", one)) == []
    assert findings(changed("100 - 0", "200 - 0", one))[0][0] in ("SCORE_NOT_POSSIBLE", "SCORE_MISMATCH")


def test_games_end_when_a_team_has_a_thousand() -> None:
    assert findings(ROUND, of_games=True) == [("GAME_NOT_FINISHED", ROUND.count("\n"))]
    ten = judged(ROUND * 10)
    assert not len(ten.findings) and list(ten.games[0].total) == [1000, 0] and ten.games[0].winner == 0
    assert findings(ROUND * 11, of_games=True) == [("GAME_OVERPLAYED", 10 * ROUND.count("\n") + 1)]
    failed = judged(changed("(0)anna: R4 \n", "") + ROUND * 9)
    assert list(failed.findings["code"]) == [24, 80] and failed.games[0].code == 80


def test_players_who_change_are_noticed() -> None:
    assert judged(ROUND * 2).games[0].player_changed == 0
    assert judged(ROUND + ROUND.replace("Bert_7", "Berta")).games[0].player_changed == 1
