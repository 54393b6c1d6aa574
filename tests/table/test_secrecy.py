"""What goes over the wire, frame by frame: nothing that the seat may not know."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from unittest.mock import patch

import pytest

from stammtisch.core.game import Json, State
from stammtisch.core.rng import stream
from stammtisch.table import deal
from stammtisch.table.history import WATCHING
from stammtisch.table.table import Shown, Table
from table.house import Browser, House, a_house, person, token

NAMES = ("Anna", "Ben", "Cleo", "Dora")
ONLOOKER = "Olga"
HIDDEN_GAMES: list[tuple[str, Json]] = [
    ("tichu", {"rounds": 1}),
    ("dog", {"teams": True}),
    ("dog", {"rules": "braendi"}),
]
TICHU_CARD = re.compile(r"\b(Hu|Ma|Dr|Ph|[SBGR](?:10|[2-9BDKA]))\b")


class Evening:
    """Four people play any moves and somebody watches; all frames are kept with what was true when they were sent."""

    def __init__(self, house: House, game: str, options: Json, seed: int) -> None:
        self.house, self.random = house, random.Random(seed)
        self.room = house.create(NAMES[0], game=game, options=options, pace=0)
        code = self.room.table.code
        self.pages = [house.browser(code, name) for name in (*NAMES, ONLOOKER)]
        for seat, page in enumerate(self.pages[:4]):
            page.ask("sit", seat=seat)
        with patch.object(deal, "new_seed", lambda: f"{self.random.getrandbits(256):064x}"):
            self.pages[0].ask("start")

    @property
    def table(self) -> Table:
        return self.room.table

    @property
    def state(self) -> State:
        assert self.table.state is not None
        return self.table.state

    def audience(self, page: Browser) -> str:
        return self.table.audience_of(person(page.name))

    def step(self) -> None:
        """Somebody who may do something does it, or time passes."""
        ready = [(page, offers) for page in self.pages[:4] if (offers := self.offers(page))]
        if not ready or (self.table.closing and self.random.random() < 0.5):
            self.house.loop.pass_time(1)
            return
        page, offers = self.random.choice(ready)
        page.play(self.random.choice(offers))

    def offers(self, page: Browser) -> list[str]:
        game = page.game
        if (game["choosing"] or {}).get("chosen") and self.random.random() < 0.8:  # else another choice
            return []
        calls: list[str] = game["calls"] if self.random.random() < 0.02 else []
        if game["moves"] is None:  # too many to be listed: three cards to schupf
            cards = self.random.sample(game["view"]["hands"][page.game["view"]["player"]], 3)
            return [f"schupf {' '.join(cards)}", *calls]
        return [*page.moves, *calls]


def play(house: House, game: str, options: Json, seed: int, most: int = 10_000) -> Evening:
    evening = Evening(house, game, options, seed)
    for _ in range(most):
        if evening.state.over:
            break
        evening.step()
    return evening


def test_no_card_that_a_seat_has_not_seen_is_in_any_frame_of_tichu(tmp_path: Path) -> None:
    frames = asked = late = 0
    for seed in (0, 11, 42, 64, 117):  # with bombs in the last four
        folder = tmp_path / str(seed)
        folder.mkdir()
        with a_house(folder, seed) as house:
            evening = Evening(house, "tichu", {"rounds": 1}, seed)
            known: dict[str, set[str]] = {page.name: set() for page in evening.pages}
            read = dict.fromkeys(known, 0)
            while not evening.state.over:
                truth = evening.state.to_json()
                asked += bool(evening.table.asked())
                late += evening.table.pending is not None and bool(evening.table.asked())
                for seat, page in enumerate(evening.pages):
                    if seat < 4:
                        known[page.name] |= set(truth["hands"][seat]) | received(truth, seat)
                    known[page.name] |= set(TICHU_CARD.findall(json.dumps([truth["trick"], truth["tricks"]])))
                    new = page.frames[read[page.name] :]
                    read[page.name] += len(new)
                    frames += len(new)
                    for frame in new:
                        assert set(TICHU_CARD.findall(frame)) <= known[page.name], (page.name, frame)
                evening.step()
    assert frames > 2000
    assert asked > 0
    assert late > 0, "nobody was asked for a bomb after the last pass"


def received(truth: Json, seat: int) -> set[str]:
    """What the seat has been given, when all have schupfed."""
    if truth["phase"] in ("grand", "schupf"):
        return set()
    return {truth["schupfed"][(seat - 1 - i) % 4][i] for i in range(3)}


@pytest.mark.parametrize(("game", "options"), HIDDEN_GAMES)
def test_pages_are_sent_the_same_whatever_the_others_hold(tmp_path: Path, game: str, options: Json) -> None:
    """The position is replaced by another one that a seat cannot tell from it: not a byte of its page changes."""
    changed = 0
    with a_house(tmp_path) as house:
        evening = Evening(house, game, options, 3)
        for step in range(150):
            if evening.state.over:
                break
            for page in evening.pages:
                audience = evening.audience(page)
                truth = evening.table.seen(audience)
                eyes = step % 4 if audience == WATCHING else int(audience)
                other = truth.seat(eyes).sample(stream(step))
                changed += other.bytes() != truth.bytes()
                assert shown(evening.table, audience, other) == shown(evening.table, audience, truth)
            evening.step()
    assert changed > 300


def shown(table: Table, audience: str, state: State) -> str:
    """The game as it would be sent to these listeners if this were the position."""
    with patch.object(Table, "seen", lambda *_: state), patch.object(table, "_shown", Shown()):
        return json.dumps(table.game_for(audience))


@pytest.mark.parametrize(("game", "options"), HIDDEN_GAMES)
def test_nobody_is_sent_the_seed_before_the_end_or_anybody_s_secret_ever(
    tmp_path: Path, game: str, options: Json
) -> None:
    with a_house(tmp_path) as house:
        evening = play(house, game, options, 5, most=400)
        seed = evening.table.seed
        for page in evening.pages:
            before_the_end = [frame for frame in page.frames if json.loads(frame).get("game", {}) not in (None, {})]
            before_the_end = [frame for frame in before_the_end if not json.loads(frame)["game"]["over"]]
            assert len(before_the_end) > 20
            assert not any(seed in frame for frame in before_the_end)
            for name in (*NAMES, ONLOOKER):
                assert not any(token(name) in frame or person(name) in frame for frame in page.frames)


def test_what_partners_exchange_in_dog_is_told_to_them_alone(tmp_path: Path) -> None:
    gifts = 0
    with a_house(tmp_path) as house:
        evening = Evening(house, "dog", {"rules": "braendi"}, 8)
        for _ in range(200):
            state = evening.state
            giver = state.player
            heard = [len(page.events) for page in evening.pages]
            exchange = state.to_json()["phase"] == "exchange"
            evening.step()
            if not exchange or giver is None:
                continue
            for page, before in zip(evening.pages, heard, strict=True):
                for event in page.events[before:]:
                    if event["kind"] == "move" and event["seat"] == giver and page.name != NAMES[giver]:
                        assert event["move"] is None
                        assert event["comment"] == ""
                        gifts += 1
    assert gifts > 4


CHOICES: list[tuple[str, Json, int]] = [
    ("tichu", {"rounds": 1}, 0),
    ("tichu", {"rounds": 1}, 1),
    *(("dog", options, 0) for options in ({"teams": True}, {"rules": "braendi"})),
]


def choose(house: House, game: str, options: Json, phase: int, first: int, again: int) -> tuple[list[str], Evening]:
    """Two choose and one of them changes his mind; what the others were sent meanwhile."""
    evening = Evening(house, game, options, 7)
    for _ in range(phase):  # of the choices that come before: always the first one
        for page in evening.pages[:4]:
            page.play(page.moves[0])
    house.loop.pass_time(1)
    others = [page for page in evening.pages if page.name not in NAMES[1:3]]
    before = [len(page.frames) for page in others]
    for name, which in ((1, first), (2, again), (1, again)):
        page = evening.pages[name]
        hand = page.game["view"]["hands"][name]
        moves = page.moves or [f"schupf {' '.join(hand[i : i + 3])}" for i in range(10)]
        assert page.play(moves[which % len(moves)]) == []
        house.loop.pass_time(1)
    return [
        frame.replace(evening.table.code, "")
        for page, n in zip(others, before, strict=True)
        for frame in page.frames[n:]
    ], evening


@pytest.mark.parametrize(("game", "options", "phase"), CHOICES)
def test_an_unrevealed_choice_is_in_no_byte_count_or_gap(tmp_path: Path, game: str, options: Json, phase: int) -> None:
    """Two choose, one changes his mind: all others are sent the same, whatever it was."""
    sent = []
    for first, again in ((0, 0), (0, 1), (1, 0), (3, 2)):
        folder = tmp_path / f"{first}{again}"
        folder.mkdir()
        with a_house(folder) as house:
            frames, evening = choose(house, game, options, phase, first, again)
            sent.append(frames)
            assert len(evening.table.chosen) == 2 and evening.table.together()
            assert [json.loads(frame)["game"]["choosing"]["left"] for frame in frames] == [3, 2] * 3
            played = len(evening.table.recorder.moves) if evening.table.recorder else 0
            for page in (evening.pages[0], evening.pages[3]):
                page.play(
                    page.moves[0]
                    if page.moves
                    else f"schupf {' '.join(page.game['view']['hands'][page.game['view']['player']][:3])}"
                )
            assert evening.table.recorder is not None and len(evening.table.recorder.moves) == played + 4
            assert [event["seat"] for event in evening.pages[4].events[-4:]] == [0, 1, 2, 3]
    assert all(frames == sent[0] for frames in sent)


def test_when_bots_have_chosen_is_nobody_s_business(tmp_path: Path) -> None:
    with a_house(tmp_path) as house:
        room = house.create("Anna", game="tichu", options={"rounds": 1}, seats="solo", pace=0, start=True)
        page = house.browser(room.table.code, "Anna")
        before = len(page.frames)
        house.loop.pass_time(5)
        assert len(room.table.chosen) == 3 and len(page.frames) == before
        page.play("no")
        assert [event["move"] for event in page.events[-4:] if event["seat"] == 0] == ["no"]


def test_choices_survive_a_restart_and_can_still_be_changed(tmp_path: Path) -> None:
    with a_house(tmp_path) as house:
        evening = Evening(house, "tichu", {"rounds": 1}, 7)
        code, ben = evening.table.code, evening.pages[1]
        ben.play("grand")
        house.restart()
        pages = [house.browser(code, name) for name in NAMES]
        assert [page.game["choosing"]["chosen"] for page in pages] == [
            None,
            {"move": "grand", "comment": ""},
            None,
            None,
        ]
        for seat in (1, 0, 2, 3):
            pages[seat].play("no")
        assert house.room(code).table.together() and pages[0].game["view"]["phase"] == "schupf"
        assert pages[2].game["view"]["announced"] == [0, 0, 0, 0]
