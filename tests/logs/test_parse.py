"""The reader gets the same rounds out of every form in which a log has been seen, and loses no good round."""

import pytest

from logs.judging import FOLDERS, ROUND, changed, findings, judged, line_of
from stammtisch.logs.findings import sentences
from stammtisch.logs.read.parse import parse
from stammtisch.logs.rounds import EARLY_CALL, GRAND_CALL, NO_CALL, BWRoundData, Source


def rounds_of(log: str | bytes) -> list[BWRoundData]:
    parsed = judged(log).parsed
    return [parsed.round_data(number) for number in range(len(parsed.rounds))]


def test_a_round_has_all_fields_of_the_concept() -> None:
    source = Source("2007.zip:200703/77.tch", (ROUND * 2).encode(), 77, 2007, 3)
    one = parse([source]).round_data(1)
    assert (one.game_id, one.round_index, one.year, one.month) == (77, 1, 2007, 3)
    assert one.player_names == ["anna", "Bert_7", "c.c-3", "Dörte!"]
    assert one.grand_tichu_hands[0] == "Ph GA SA SK GB G10 R4 G3"
    assert one.start_hands[3] == "Dr GK BD SD RB G9 S8 G6 B6 S6 G5 B4 B3 Ma"
    assert one.tichu_positions == [0, NO_CALL, NO_CALL, NO_CALL]
    assert one.given_schupf_cards[3] == "Ma GK B3"
    assert one.bomb_owners == [False, False, True, False]
    assert (one.wish_value, one.dragon_recipient, one.score_entry) == (9, 2, (100, 0))
    assert one.history[:4] == [(0, "GB S10 Ph B8 B7"), 1, (2, "R9 R8 R7 R6 R5"), 3]
    assert one.history[6] == (2, "B3")  # the owner's pass is no turn
    assert one.to_json()["history"][1] == 1


def test_positions_of_calls() -> None:
    calls = "Grosses Tichu: (2)c.c-3\nTichu: (1)Bert_7\nSchupfen:\n"
    (one,) = rounds_of(changed("Schupfen:\n", calls))
    assert one.tichu_positions == [0, EARLY_CALL, GRAND_CALL, NO_CALL]
    while_schupfing = changed("BOMBE", "Tichu: (3)Dörte!\nBOMBE")
    assert rounds_of(while_schupfing)[0].tichu_positions[3] == EARLY_CALL


@pytest.mark.parametrize(
    "form",
    [
        ROUND.replace("\n", "\r\n"),
        ROUND.replace("\n", "\n\n"),
        "\n\n" + ROUND + "\n \n\n",
        ROUND.rstrip("\n"),
        ROUND.replace(" \n", "\n"),
        ROUND.replace("\n", "  \t\n"),
        ROUND.replace("\n(", "\n\0(").replace("\nDrache", "\n\0\0Drache"),
        "\ufeff" + ROUND,
        ROUND.replace("passt.", "passt"),
        ROUND.replace("Wunsch:9", "Wunsch: 9"),
        ROUND.replace("(0)anna Ph SA GA SK GB G10 R4 G3", "(0)anna SA GB Ph SK G3 GA R4 G10"),
    ],
    ids=[
        "crlf",
        "blank lines",
        "around",
        "no last newline",
        "no blanks",
        "blanks",
        "NUL",
        "mark",
        "dot",
        "wish",
        "order",
    ],
)
def test_every_form_of_a_log_is_read_alike(form: str) -> None:
    assert rounds_of(form) == rounds_of(ROUND)
    assert findings(form) == []


@pytest.mark.parametrize("name", ["", "1David", "a.b-c!", "Käßé", "passt.", "gibt", "x:y", "S8", "-"])
def test_any_nickname_is_read(name: str) -> None:
    log = ROUND.replace("Bert_7", name)
    assert rounds_of(log)[0].player_names[1] == name
    assert findings(log) == []


def test_names_come_from_schupfing_then_plays_then_the_deal() -> None:
    stale = ROUND.replace("(0)anna Ph", "(0)gone Ph").replace("(1)Bert_7 RD", "(1)anna RD")
    assert rounds_of(stale)[0].player_names == ["anna", "Bert_7", "c.c-3", "Dörte!"]
    dropped = ROUND.replace("(1)Bert_7 gibt", "(1) gibt")
    assert rounds_of(dropped)[0].player_names[1] == "Bert_7"
    vacant = ROUND.replace("(1)Bert_7", "(1)").replace("(1) RD SB", "(1)last RD SB")
    assert rounds_of(vacant)[0].player_names[1] == "last"
    assert findings(stale) == findings(dropped) == findings(vacant) == []


def test_names_that_are_not_utf_8_are_read_all_the_same() -> None:
    log = ROUND.replace("Dörte!", "D?rte!").encode().replace(b"D?rte", b"D\xf6rte")
    assert rounds_of(log)[0].player_names[3] == "Dörte!"


@pytest.mark.parametrize("cut", range(1, len(ROUND.encode()) - 4, 37))
def test_a_round_that_is_cut_off_anywhere_is_left_out_and_the_others_stay(cut: int) -> None:
    log = (ROUND * 2).encode() + ROUND.encode()[:cut]
    result = judged(log)
    assert len(result.judged) == 2 and (result.judged["code"] == 0).all()
    if cut > 40:
        assert findings(log, of_games=True)[-1] == ("ROUND_CUT_OFF", log.count(b"\n") + (not log.endswith(b"\n")))
        assert findings(log) == []


def test_a_round_that_is_dealt_anew_is_left_out_and_the_others_stay() -> None:
    restart = ROUND[: ROUND.index("Schupfen:")]
    log = ROUND + restart + ROUND
    result = judged(log)
    assert len(result.judged) == 2 and (result.judged["code"] == 0).all()
    assert list(result.parsed.rounds["index"]) == [0, 1]
    assert ("ROUND_RESTARTED", (ROUND + restart).count("\n") + 1) in findings(log, of_games=True)
    broken = restart.replace("SA", "XX")
    assert ("ROUND_RESTARTED", (ROUND + restart).count("\n") + 1) in findings(ROUND + broken + ROUND, of_games=True)
    assert findings(ROUND + broken + ROUND) == []


def test_foreign_text_is_told_once_per_place_and_hides_nothing() -> None:
    log = "<html>\n<body>\n" + ROUND + "some chat\nmore chat\n" + ROUND
    assert findings(log) == []
    assert findings(log, of_games=True)[:2] == [
        ("LINE_NOT_UNDERSTOOD", 1),
        ("LINE_NOT_UNDERSTOOD", line_of("some", log)),
    ]
    assert len(judged(log).judged) == 2
    inside = changed("(2)c.c-3: B3 \n", "hello there\n(2)c.c-3: B3 \n")
    assert findings(inside) == [("LINE_NOT_UNDERSTOOD", line_of("hello", inside))]
    assert list(judged(inside).judged[0].score) == [100, 0]  # replayed all the same


@pytest.mark.parametrize("log", [b"", b"\n\n", b"\0\0", b"nothing of the kind"])
def test_a_file_without_a_round_says_so(log: bytes) -> None:
    assert ("NO_ROUND", 0) in findings(log, of_games=True)


def test_a_result_needs_two_numbers() -> None:
    for result in ("Ergebnis: 100", "Ergebnis: a - b", "Ergebnis: 99999 - 0", "Ergebnis: 100 - 0 x", "Ergebnis:"):
        assert len(judged(changed("Ergebnis: 100 - 0", result)).judged) == 0
    assert list(judged(changed("Ergebnis: 100 - 0", "Ergebnis: -170 - -70")).parsed.rounds[0].score) == [-170, -70]


def test_a_result_that_cannot_be_read_is_told_beside_the_new_deal() -> None:
    broken = changed("Ergebnis: 100 - 0", "Ergebnis: x - y")
    found = findings(broken + ROUND, of_games=True)
    lines = broken.count("\n")
    assert found[:2] == [("LINE_NOT_UNDERSTOOD", lines), ("ROUND_RESTARTED", lines + 1)]
    assert findings(broken + ROUND) == []


def test_a_file_that_ends_within_the_header_of_the_next_round_is_cut_off() -> None:
    header = ROUND.splitlines()[0]
    for size in (1, 10, len(header) - 20):
        found = findings(ROUND + header[:size], of_games=True)
        assert ("ROUND_CUT_OFF", ROUND.count("\n") + 1) in found
        assert not any(name == "LINE_NOT_UNDERSTOOD" for name, _ in found)


def test_every_finding_has_a_sentence() -> None:
    log = changed("Ergebnis: 100 - 0", "Ergebnis: 300 - 0") + changed("B7 R4 G3 R2 \n", "B7 R4 G3 R2 Xx \n") + "??\n"
    found = sentences(judged(log))
    assert "logged 300 - 0, by the rules 100 - 0" in found[0]
    assert any("'Xx' is no card" in text for text in found)
    assert any("'??' is not understood" in text for text in found)


def test_the_real_logs_with_other_people_in_the_deal_are_read() -> None:
    data = (FOLDERS[1] / "y2007_02.tch").read_bytes()
    log = judged(data).parsed
    first = data.decode().splitlines()[1].split()[0].removeprefix("(0)")
    assert log.name(0, 0) != first  # the deal's names are of another order of seats


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("(1)Bert_7 gibt: c.c-3: Hu", "(1)Bert_7 gives: c.c-3: Hu"),
        ("c.c-3: Hu - ", "c.c-3: Hx - "),
        ("B7 R4 G3 R2 \n", "B7 R4 G3 \n"),
        ("(3)Dörte!: B4 ", "(3)Dörte!: B4 B4 "),
    ],
)
def test_a_round_is_replayed_only_if_all_its_cards_were_read(old: str, new: str) -> None:
    log = changed("Schupfen:\n", "what is this\nSchupfen:\n", changed(old, new))
    result = judged(log + ROUND)
    assert list(result.parsed.rounds["readable"]) == [0, 1]
    assert result.judged[0].actions == 0 and result.judged[0].code in (11, 91)
