"""Who keeps the others waiting: clocks, votes, giving up, ends by agreement; taking back. On a clock that jumps."""

from pathlib import Path
from typing import Any

import pytest

from stammtisch.core.record import GameRecord
from stammtisch.table.room import Room
from table.house import Browser, House, a_house, person

NAMES = ("Anna", "Ben", "Cleo", "Dora")


def sit_down(house: House, game: str, people: int, **more: Any) -> tuple[Room, list[Browser]]:
    """Everybody has a page; the game has begun, and all bots are quick."""
    room = house.create("Anna", game=game, pace=0, **more)
    pages = [house.browser(room.table.code, name) for name in NAMES[:people]]
    for seat, page in enumerate(pages):
        page.ask("sit", seat=seat)
    return room, pages


def test_when_the_clock_has_run_out_a_bot_plays_until_the_person_does(tmp_path: Path) -> None:
    with a_house(tmp_path) as house:
        room, (anna, ben) = sit_down(house, "tictactoe", 2)
        anna.ask("clock", clock="quick")
        anna.ask("start")
        house.loop.pass_time(29)
        assert not room.table.guests[person("Anna")].asleep
        house.loop.pass_time(2)
        assert room.table.guests[person("Anna")].asleep
        assert len(room.table.recorder.moves if room.table.recorder else []) == 1
        assert ben.state is not None and ben.state["table"]["seats"][0]["away"]
        ben.play(ben.moves[0])
        house.loop.pass_time(1)
        assert len(ben.moves) == 6  # the bot has moved again
        anna.ask("back")
        ben.play(ben.moves[0])
        house.loop.pass_time(1)
        assert len(anna.moves) == 5 and room.table.bot_at(0) is None


def test_who_has_not_chosen_in_time_is_chosen_for(tmp_path: Path) -> None:
    with a_house(tmp_path) as house:
        room, pages = sit_down(house, "tichu", 4)
        pages[0].ask("clock", clock="quick")
        pages[0].ask("start")
        pages[1].play("no")
        house.loop.pass_time(32)
        asleep = [room.table.guests[person(name)].asleep for name in NAMES]
        assert asleep == [True, False, True, True]
        assert [event["seat"] for event in pages[1].events if event["kind"] == "move"][:4] == [0, 1, 2, 3]


def test_who_may_take_days_may_leave_and_is_waited_for(tmp_path: Path) -> None:
    with a_house(tmp_path) as house:
        room, (anna, ben) = sit_down(house, "tictactoe", 2)
        anna.ask("clock", clock="days")
        anna.ask("start")
        anna.drop()
        house.loop.pass_time(86_400)
        assert not room.table.guests[person("Anna")].here and room.table.bot_at(0) is None
        anna.connect()
        house.loop.settle()
        assert anna.play(anna.moves[0]) == [] and len(ben.moves) == 8
        house.loop.pass_time(3 * 86_400 + 1)
        assert room.table.bot_at(1) is not None and len(anna.moves) == 7


def test_the_others_vote_or_the_host_decides_after_a_while(tmp_path: Path) -> None:
    with a_house(tmp_path) as house:
        room, (anna, ben, cleo) = sit_down(house, "madn", 3, options={"players": 3})
        anna.ask("start")
        assert [reply["why"] for reply in ben.ask("nudge", seat=0)] == ["too_early"]
        house.loop.pass_time(21)
        assert [reply["why"] for reply in ben.ask("nudge", seat=2)] == ["nobody_waits"]
        ben.ask("nudge", seat=0)
        ben.ask("nudge", seat=0)
        assert room.table.bot_at(0) is None
        cleo.ask("nudge", seat=0)
        assert room.table.bot_at(0) is not None
        house.loop.pass_time(21)
        while not ben.moves:
            house.loop.pass_time(1)
        house.loop.pass_time(21)
        anna.ask("nudge", seat=1)  # she is the host, and back by that only when she says so
        assert room.table.bot_at(1) is not None


def test_a_game_ends_when_all_who_are_here_want_it(tmp_path: Path) -> None:
    with a_house(tmp_path) as house:
        room, (anna, ben) = sit_down(house, "tichu", 2)
        anna.ask("start")
        for page in (anna, ben):
            page.play("no")
        house.loop.pass_time(1)
        anna.ask("end")
        assert ben.state is not None and ben.state["table"]["ending"] == ["Anna"] and not ben.game["over"]
        ben.ask("end")
        assert ben.game["over"] and not ben.game["complete"]
        record = house.lobby.store.game(str(ben.game["record"]))
        assert record is not None and record["result"] is None and len(record["moves"]) == 4
        anna.ask("again")
        assert room.table.stage == "playing" and room.table.ending == []


def test_who_gives_up_or_is_removed_has_no_seat_any_more(tmp_path: Path) -> None:
    with a_house(tmp_path) as house:
        room, (anna, ben, cleo) = sit_down(house, "madn", 3, options={"players": 3})
        anna.ask("start")
        cleo.ask("give up")
        assert (
            room.table.places[2].kind == "bot" and cleo.state is not None and cleo.state["table"]["you"]["seat"] is None
        )
        assert [reply["why"] for reply in ben.ask("remove", seat=0)] == ["only_host"]
        anna.ask("remove", seat=1)
        assert room.table.places[1].kind == "bot" and ben.game["moves"] == []


def test_alone_against_bots_the_last_decision_can_be_taken_back(tmp_path: Path) -> None:
    with a_house(tmp_path) as house:
        room = house.create("Anna", game="tictactoe", seats="solo", pace=0, start=True)
        anna = house.browser(room.table.code, "Anna")
        assert not anna.game["undo"] and [reply["why"] for reply in anna.ask("undo")] == ["no_undo"]
        for move in ("4", "free"):
            anna.play(move if move == "4" else anna.moves[0])
            house.loop.pass_time(1)
        assert len(anna.moves) == 5 and anna.game["undo"]
        anna.ask("undo")
        assert len(anna.moves) == 7 and anna.events[-1]["back"] == 2
        house.restart()
        anna.connect()
        house.loop.settle()
        assert len(anna.moves) == 7
        anna.ask("undo")
        anna.play("0")
        house.loop.pass_time(1)
        assert anna.game["view"]["board"][0] == "X" and anna.game["view"]["board"].count("X") == 1
        while not anna.game["over"]:
            anna.play(anna.moves[0])
            house.loop.pass_time(1)
        record = house.lobby.store.game(str(anna.game["record"]))
        assert record is not None and list(GameRecord.from_json(record).states())[-1].over
        assert [reply["why"] for reply in anna.ask("undo")] == ["no_undo"]


@pytest.mark.parametrize("game", ["tichu", "madn", "dog"])
def test_what_dice_or_cards_have_shown_is_not_taken_back(tmp_path: Path, game: str) -> None:
    with a_house(tmp_path) as house:
        room = house.create("Anna", game=game, seats="solo", pace=0, start=True)
        anna = house.browser(room.table.code, "Anna")
        for _ in range(6):
            if anna.moves:
                anna.play(anna.moves[0])
            house.loop.pass_time(1)
            assert not anna.game["undo"]
        room = house.create("Anna", game="tictactoe", pace=0)
        pages = [house.browser(room.table.code, name) for name in NAMES[:2]]
        for seat, page in enumerate(pages):
            page.ask("sit", seat=seat)
        pages[0].ask("start")
        pages[0].play("4")
        assert not pages[0].game["undo"]  # somebody else plays, too
