"""The wish: who may make it, whom it binds, what fulfils it."""

import pytest

from games.tichu.tables import EMPTY, FOUR_7, FOUR_8, STRICT, Example

WISHES = "; ".join(f"wish {value}" for value in range(2, 15))
WISHING = {
    "a wish is optional": Example("Ma S3 | S4 | S5 | S6", 0, "Ma", legal=f"wish none; {WISHES}", phase="wish"),
    "a wish is compulsory": Example("Ma S3 | S4 | S5 | S6", 0, "Ma", STRICT, legal=WISHES, phase="wish"),
    "no wish binds nobody": Example("Ma S3 | S4 B6 | S5 | S6", 0, "Ma; wish none", wish=0, fulfilled=0),
    "the Mahjong in a street entitles to a wish": Example(
        "Ma S2 B3 G4 R5 S3 | SA | BA | GA", 0, "Ma S2 B3 G4 R5", player=0, phase="wish"
    ),
    "who goes out with the Mahjong wishes": Example(
        "Ma | S4 B6 | S5 B5 | S6 B7", 0, "Ma; wish 6", legal="B6", player=1, phase="play", wish=6, out=[0]
    ),
    "there is no wish when the Mahjong ends the round": Example(
        "| S4 | Ma | S6", 2, "Ma", phase="over", wish=0, score=[200, 0]
    ),
    "the wisher is bound, too": Example(
        "Ma S3 B8 SK | S2 S4 | S5 B5 | S6 B7", 0, "Ma; wish 8; S2; S5; S6", legal="B8", player=0, phase="play", wish=8
    ),
    "a leader is bound": Example("S8 Hu B9 B8 | S2 | S5 | S6", 0, "", {"wish": 8}, legal="B8; S8; S8 B8", wish=8),
    "any combination with the value will do": Example(
        "S3 S5 | S8 B8 Ph S9 B9 SK | S6 | B7", 0, "S3", {"wish": 8}, legal="B8; S8", player=1
    ),
    "who can fulfil only with the Phoenix must": Example(
        "S3 B3 S5 | S8 Ph SK BK | S6 | B7", 0, "S3 B3", {"wish": 8}, legal="S8 Ph", player=1
    ),
    "the Phoenix alone binds nobody and fulfils nothing": Example(
        "S3 S5 | Ph S9 | S6 B6 | B7", 0, "S3; Ph", {"wish": 8}, player=2, wish=8, fulfilled=0
    ),
    "the Phoenix in the place of the value does not fulfil": Example(
        "S3 S5 | S6 B7 Ph G9 R10 SA | SK BK | S4", 1, "S6 B7 G9 R10 Ph", {"wish": 8}, wish=8, fulfilled=0
    ),
    "who cannot fulfil is free and may pass": Example(
        "S9 S5 | S8 B10 SK | S6 | B7", 0, "S9", {"wish": 8}, legal="pass; B10; SK", player=1, wish=8
    ),
    "a bomb is forced where only it fulfils": Example(
        f"S9 S5 | {FOUR_8} SK | S6 | B7", 0, "S9", {"wish": 8}, legal=FOUR_8, player=1
    ),
    "another bomb may be thrown instead": Example(
        f"S3 S5 | {FOUR_7} S8 SK | S6 | B6", 0, "S3", {"wish": 8}, legal=f"{FOUR_7}; S8", player=1
    ),
    "another bomb may not be thrown instead": Example(
        f"S3 S5 | {FOUR_7} S8 SK | S6 | B6", 0, "S3", {"wish": 8, **STRICT}, legal="S8", player=1
    ),
    "out of turn a bomb may be thrown under any rules": Example(
        f"S3 S5 | S9 S10 | {FOUR_7} S8 SK | B6",
        0,
        "S3",
        {"wish": 8, **STRICT},
        legal=f"pass; {FOUR_7}",
        player=2,
        phase="bomb",
    ),
    "a pair fulfils a wish": Example(
        "S3 B3 S5 | S9 B9 S4 | S8 | SK BK GA", 0, "S3 B3; pass*2; SK BK", {"wish": 13}, wish=0, fulfilled=13
    ),
    "a wish survives tricks": Example(
        "SA S5 | S9 B9 | S7 S4 | S6 S10", 0, "SA; pass*3; S5; S9; pass*2", {"wish": 8}, **EMPTY, player=1, wish=8
    ),
    "a wish that was fulfilled binds nobody": Example(
        "S3 S5 | S8 B9 | B8 SK | S4", 0, "S3; S8", {"wish": 8}, legal="pass; SK", player=2, wish=0, fulfilled=8
    ),
}


@pytest.mark.parametrize("example", WISHING.values(), ids=WISHING)
def test_a_wish_binds_as_it_should(example: Example) -> None:
    example.check()
