"""Bombs: who is asked for one and when, on what they may be thrown, what becomes of the trick."""

import pytest

from games.tichu.tables import EMPTY, FLUSH_2, FOUR_2, FOUR_7, FOUR_9, FRESH, Example, start

THREE_BOMBS = f"S3 SA {FOUR_2} | BA B4 | {FOUR_7} S4 | {FOUR_9} G4"
HIGHER_BOMBS = f"S3 {FOUR_9} SA | BA B4 | {FOUR_7} S4 | GA {FLUSH_2}"
BOMBING = {
    "the owner bombs his own trick before anybody acts": Example(
        f"S3 {FOUR_7} S4 | SA | BA | GA", 0, f"S3; {FOUR_7}", owner=0, player=1, phase="play"
    ),
    "the owner bombs his own dragon before anybody acts": Example(
        f"Dr {FOUR_7} S4 | SA S3 | BA B3 | GA G3",
        0,
        f"Dr; {FOUR_7}; pass*3",
        **EMPTY,
        player=0,
        points=[25, 0, 0, 0],
        dragon=None,
    ),
    "who has passed before bombs": Example(
        f"S3 SK | {FOUR_7} S4 | BA B4 | GA G4",
        0,
        f"S3; pass*2; BA; {FOUR_7}",
        owner=1,
        player=2,
        phase="play",
        passes=0,
    ),
    "the next seat after a bomb is on turn and not asked": Example(
        HIGHER_BOMBS, 0, f"S3; {FOUR_7}", legal=f"pass; {FOUR_9}", owner=2, player=0, phase="bomb"
    ),
    "a bomb is bombed in turn": Example(
        HIGHER_BOMBS, 0, f"S3; {FOUR_7}; pass; {FLUSH_2}", legal="pass", owner=3, player=0, phase="play"
    ),
    "bombs are bombed out of turn": Example(
        HIGHER_BOMBS, 0, f"S3; {FOUR_7}; {FOUR_9}; {FLUSH_2}", owner=3, player=0, phase="play"
    ),
    **{
        name: Example(THREE_BOMBS, 0, moves, legal=f"pass; {bomb}", player=seat, phase="bomb", passes=passes)
        for name, moves, seat, passes, bomb in [
            ("the first after the owner is asked first", "S3", 2, 0, FOUR_7),
            ("then the second", "S3; pass", 3, 0, FOUR_9),
            ("last the owner", "S3; pass*2", 0, 0, FOUR_2),
            ("after a pass those not on turn are asked again", "S3; pass*4", 3, 1, FOUR_9),
            ("also after the next", "S3; pass*7", 2, 2, FOUR_7),
            ("when all have passed everybody is asked, first", "S3; pass*10", 2, 3, FOUR_7),
            ("when all have passed everybody is asked, last", "S3; pass*12", 0, 3, FOUR_2),
        ]
    },
    "then the next seat acts": Example(THREE_BOMBS, 0, "S3; pass*3", player=1, phase="play", passes=0),
    "at the end the trick is taken": Example(THREE_BOMBS, 0, "S3; pass*13", **EMPTY, player=0),
    "who has only a lower bomb is not asked": Example(
        f"S3 SA | {FOUR_9} B4 | {FOUR_7} S4 | GA G4",
        0,
        f"S3; pass; {FOUR_9}",  # seat 2 is asked once, seat 1 bombs on turn
        legal="pass",
        owner=1,
        player=2,
        phase="play",
    ),
    "who is on turn is not asked": Example(f"S3 SA | {FOUR_7} B4 | S4 | G4", 0, "S3", player=1, phase="play"),
    "nobody is asked before a lead": Example(f"{FOUR_9} | {FOUR_7} | Dr S3 | {FLUSH_2}", 2, "", **EMPTY, player=2),
    "nobody is asked on the dog": Example(f"{FOUR_9} | {FOUR_7} | Hu S3 | {FLUSH_2}", 2, "Hu", **EMPTY, player=0),
    "a bomb may be led": Example(
        f"{FOUR_9} S3 | {FOUR_7} | S4 S5 | B4", 0, FOUR_9, legal="pass", owner=0, player=1, phase="play"
    ),
    "no bomb comes between the Mahjong and the wish": Example(
        f"Ma S3 | SA S4 | {FOUR_7} B4 | GA G4", 0, "Ma", illegal=f"{FOUR_7}; pass", player=0, phase="wish"
    ),
    # asked, seat 1, seat 2, asked, seat 3, and asked when all have passed
    "who is out is not asked, his trick can be bombed": Example(
        f"S3 | SA S4 | {FOUR_7} B4 | GA G4", 0, f"S3; pass*5; {FOUR_7}", owner=2, player=3, out=[0]
    ),
    "somebody goes out with a bomb out of turn": Example(
        f"S3 S5 | SA S4 | {FOUR_7} | GA G4", 0, f"S3; {FOUR_7}; pass*3", **EMPTY, player=3, out=[2]
    ),
    "a bomb out of turn ends the round": Example(
        f"S3 S5 | | SA S6 | {FOUR_7}", 0, f"S3; {FOUR_7}", phase="over", player=None, out=[1, 3], score=[0, 200]
    ),
}


@pytest.mark.parametrize("example", BOMBING.values(), ids=BOMBING)
def test_bombs_come_when_they_may(example: Example) -> None:
    example.check()


def test_tichu_is_called_just_before_a_bomb_that_is_the_first_play() -> None:
    both = start(f"S3 SA | S4 | {FOUR_7} B4 | G4", **FRESH)
    both.play("S3")
    assert set(both.moves()) == {"pass", "tichu", FOUR_7}
    both.play("tichu")
    assert set(both.moves()) == {"pass", FOUR_7}
    both.play(FOUR_7)
    assert both.state.to_json()["announced"] == [0, 0, 1, 0]
