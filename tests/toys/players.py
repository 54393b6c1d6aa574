"""Players with habits, good and bad, by name: for the arena's tests, also in its workers."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

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
        self.ms = 10.0 if habit == "late" else BUDGETS.get(habit)

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
            case "hoard":
                return Choice(len(np.ones(1 << 30)))
            case "busy":
                while True:
                    pass
            case "close":
                os.closerange(3, 1000)
            case "hang in a number" | "leave in a number":
                return Choice(Number(self.habit))  # type: ignore[arg-type]
            case "fork":
                if os.fork() == 0:
                    time.sleep(1000)
            case "two answers":
                os.fork()
        return Choice(actions[0])


class Number:
    """Stands where an action should be."""

    def __init__(self, habit: str) -> None:
        self.habit = habit

    def __index__(self) -> int:
        if self.habit == "hang in a number":
            time.sleep(1000)
        sys.exit(3)


def sit_down(habit: str) -> None:
    """What some do before they have played at all."""
    match habit:
        case "made: raise":
            raise LookupError("no such player")
        case "made: exit":
            sys.exit(3)
        case "made: die":
            os._exit(3)
        case "made: hang":
            time.sleep(1000)
        case "made: close":
            os.closerange(3, 1000)
        case "made: fork":
            os.fork()


BUDGETS: dict[str, Any] = {"ms text": "10", "ms nan": float("nan"), "ms huge": 10**400, "ms less": -1, "ms list": [1]}
GOOD_HABITS = ("first", "last", "mixed", "counting", "noisy")
AT_ONCE = tuple(f"made: {what}" for what in ("raise", "exit", "die", "hang", "close", "fork"))
UGLY_HABITS = ("hoard", "busy", "close", "hang in a number", "leave in a number", "fork", "two answers", *BUDGETS)
BAD_HABITS = ("crash", "exit", "die", "hang", "hang at once", "late", "slow", "illegal", "nothing", "text", "huge")
ODD_CRASHES = ("mute", "address", "odd")


def player(name: str, game: Game) -> Agent:
    """One of the habits, or an agent of the catalogue; some players cannot even sit down."""
    if name.startswith("kill once "):  # somebody else ends its process, once
        marker = Path(name.removeprefix("kill once "))
        if not marker.exists():
            marker.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return Habit("first")
    sit_down(name)
    known = (*GOOD_HABITS, *BAD_HABITS, *ODD_CRASHES, *UGLY_HABITS, *AT_ONCE)
    return Habit(name) if name in known else agent(name, game)
