"""Players with habits, good and bad, by name: for the arena's tests, also in its workers."""

from __future__ import annotations

import os
import sys
import time
from typing import Any

from stammtisch.agents.base import Agent, Budget, Choice
from stammtisch.agents.catalog import agent
from stammtisch.core.game import Game, Seat
from stammtisch.core.rng import Rng, below


class Mute(Exception):
    def __str__(self) -> str:
        raise ValueError("not even a word")


class Habit(Agent):
    """Plays the first action, or does something unheard of with its second decision of a game."""

    def __init__(self, habit: str) -> None:
        self.habit = habit
        self.asked = 0
        self.ms = 10.0 if habit == "late" else None

    def choose(self, seat: Seat, rng: Rng, budget: Budget | None = None) -> Any:
        self.asked += 1
        actions = seat.actions()
        if self.habit == "last":
            return Choice(actions[-1])
        if self.habit == "noisy":
            print("let me think ...")
        if self.habit == "counting":
            return Choice(actions[self.asked % len(actions)])
        if self.habit == "hang at once":
            time.sleep(1000)
        if self.habit == "mixed":
            return Choice(actions[int(below(rng, 2)) * (len(actions) - 1)])
        if self.asked > 1 and self.habit not in GOOD_HABITS:
            return self.misbehave(actions)
        return Choice(actions[0])

    def misbehave(self, actions: list[int]) -> Any:
        match self.habit:
            case "crash":
                raise RuntimeError("out of ideas")
            case "exit":
                sys.exit(3)
            case "die":
                os._exit(3)
            case "hang":
                time.sleep(1000)
            case "late" | "slow":
                time.sleep(0.3)
            case "huge":
                return Choice(2**70)
            case "mute":
                raise Mute
            case "address":
                raise RuntimeError(f"at {id(self):#018x}")
            case "odd":
                raise RuntimeError("a\u2028b\ud800")
            case "illegal":
                return Choice(max(actions) + 1000)
            case "nothing":
                return None
            case "text":
                return Choice("4")  # type: ignore[arg-type]
        return Choice(actions[0])


GOOD_HABITS = ("first", "last", "mixed", "counting", "noisy")
BAD_HABITS = ("crash", "exit", "die", "hang", "hang at once", "late", "slow", "illegal", "nothing", "text", "huge")
ODD_CRASHES = ("mute", "address", "odd")


def player(name: str, game: Game) -> Agent:
    """One of the habits, or an agent of the catalogue; some players cannot even sit down."""
    if name == "broken":
        raise LookupError("no such player")
    if name == "gone":
        os._exit(3)
    known = (*GOOD_HABITS, *BAD_HABITS, *ODD_CRASHES)
    return Habit(name) if name in known else agent(name, game)
