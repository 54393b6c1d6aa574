"""What time tells: on a clock that jumps, tricks take as long whether or not somebody holds a bomb.

Every trick is taken twice, from two positions that nobody can tell apart but those who hold the other cards: in one of
them somebody is asked for a bomb (and keeps it, soon, late or without a word), in the other nobody is.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from scipy.stats import ks_2samp

from stammtisch.core.game import Json, State
from stammtisch.core.registry import game as game_by_name
from stammtisch.core.rng import stream
from stammtisch.games.tichu.combinations import PASS
from stammtisch.games.tichu.rules import BOMB_PHASE, PLAY
from stammtisch.table.seating import Arrangement
from stammtisch.table.thinking import Request, Thought
from table.house import Browser, House, RandomThinkers, knowledge, person

NAMES = ("Anna", "Ben", "Cleo", "Dora")
TRICKS = 400
TRIES = 400  # deals of the cards that the mover does not see, until one has a bomb


def moments(rng: random.Random, ends_trick: bool) -> Iterator[tuple[State, State, int]]:
    """Two positions that their mover cannot tell apart, and a move after which one holds a bomb, and one does not."""
    game = game_by_name("tichu", rounds=1)
    while True:
        state = game.new(rng.getrandbits(62))
        while not state.over:
            actions = state.actions()
            action = rng.choice(actions)
            plain = state.record.phase == PLAY and state.record.owner >= 0
            wanted = 0 if ends_trick else max(actions)
            if plain and wanted in actions and rng.random() < 0.3:
                pair = worlds(state, wanted, ends_trick, rng)
                if pair is not None:
                    yield *pair, wanted
            state.apply(action)


def worlds(state: State, action: int, ends_trick: bool, rng: random.Random) -> tuple[State, State] | None:
    assert state.player is not None
    if ends_trick and not state.might_step_in(action):
        return None
    known = state.seat(state.player)
    found: dict[bool, State] = {}
    for _ in range(TRIES):
        world = known.sample(stream(rng.getrandbits(62)))
        if action not in world.actions():
            return None
        after = world.copy()
        after.apply(action)
        if after.over or (not ends_trick and not after.might_step_in()):
            return None
        found.setdefault(bool(after.record.phase == BOMB_PHASE), world)
        if len(found) == 2:
            return found[True], found[False]
    return None


class Keepers(RandomThinkers):
    """Bots that never throw a bomb when they are asked: a thrown one may be seen."""

    async def think(self, request: Request, urgent: bool = True) -> Thought:
        thought = await super().think(request, urgent)
        asked = knowledge(request).records[0].phase == BOMB_PHASE
        return replace(thought, action=PASS) if asked else thought


class Trick:
    """One trick at a table of its own; Olga watches with a stopwatch."""

    def __init__(self, folder: Path, start: Json, people: int, seed: int) -> None:
        self.random = random.Random(seed)
        self.house = House(folder, seed)
        self.house.thinkers = self.house.lobby.thinkers = Keepers(seed)
        arrangement = Arrangement("tichu", {"rounds": 1}, 700, start=start)
        self.mover = start["player"]
        seats = [self.mover, *[seat for seat in range(4) if seat != self.mover]]
        self.seats = seats[:people]  # the others are bots
        self.room = self.house.put(arrangement)
        for seat in self.seats:
            self.house.browser(self.room.table.code, NAMES[seat])
        self.pages = dict(zip(self.seats, self.house.browsers, strict=True))
        self.olga = self.house.browser(self.room.table.code, "Olga")
        for seat, page in self.pages.items():
            page.ask("sit", seat=seat)
        self.pages[self.mover].ask("start")
        self.house.loop.pass_time(1.0)

    def play(self, text: str) -> list[float]:
        """The seconds until Olga hears of this move and of what follows."""
        heard = len(self.olga.events)
        began = self.house.loop.time()
        assert self.pages[self.mover].play(text) == []
        asked = dict.fromkeys(self.room.table.asked())
        answers = {seat: self.random.choice([0.1, 0.9, 1.7, 99.0]) for seat in range(4)}
        times: list[float] = []
        while len(times) < 2 and self.house.loop.time() < began + 20:
            times += [self.house.loop.time() - began] * (len(self.olga.events) - heard - len(times))
            self.house.loop.pass_time(0.01)
            waited = self.house.loop.time() - began
            for seat, page in self.pages.items():
                if seat in asked and waited > answers[seat] and page.moves and page.game["view"]["phase"] == "bomb":
                    page.play(page.moves[0])  # to keep it comes first
                    answers[seat] = 1e9
                elif page.moves and page.game["view"]["phase"] == "play" and times and waited > times[0] + 0.5:
                    page.play(page.moves[-1] if page.moves[0] != "pass" else "pass")
        return times

    def close(self) -> None:
        self.house.close()


def measured(folder: Path, number: int, ends_trick: bool) -> tuple[list[list[float]], list[list[float]]]:
    rng = random.Random(number)
    found: tuple[list[list[float]], list[list[float]]] = ([], [])
    for at, (*pair, action) in enumerate(moments(rng, ends_trick)):
        if at == number:
            return found
        people, seed = rng.choice([1, 2, 3, 4, 4]), rng.getrandbits(30)
        for which, world in enumerate(pair):
            trick = Trick(folder / f"{at}-{which}", world.to_json(), people, seed)
            times = trick.play(world.game.format(action))
            assert times, "nothing was heard of the move"
            found[which].append(times)
            trick.close()
    raise AssertionError


@pytest.mark.parametrize(
    "ends_trick", [pytest.param(True, id="the last pass"), pytest.param(False, id="a play", marks=pytest.mark.slow)]
)
def test_nobody_can_tell_from_the_time_whether_somebody_holds_a_bomb(tmp_path: Path, ends_trick: bool) -> None:
    with_bomb, without = measured(tmp_path, TRICKS // 2, ends_trick)
    assert len(with_bomb) == len(without) == TRICKS / 2
    for what in (0, 1):  # the move itself, and what follows it
        one, other = ([round(times[what], 2) for times in group if times[what:]] for group in (with_bomb, without))
        assert len(one) > 0.8 * TRICKS / 2
        result = ks_2samp(one, other)
        print(ends_trick, what, sorted(one)[:: len(one) // 8], sorted(other)[:: len(other) // 8], result)
        assert result.pvalue > 0.01
        assert result.statistic < 0.1


def test_the_one_who_holds_it_is_asked(tmp_path: Path) -> None:
    """What is measured above is not nothing."""
    world, other, action = next(moments(random.Random(5), True))
    for start, asked in ((world, True), (other, False)):
        trick = Trick(tmp_path / f"{asked}", start.to_json(), 4, 1)
        page: Browser = trick.pages[trick.mover]
        page.play(start.game.format(action))
        assert bool(trick.room.table.asked()) == asked
        assert person(page.name) in trick.room.table.guests
        trick.close()
