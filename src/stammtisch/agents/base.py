"""Who sits at the table: an agent looks at its Seat and chooses."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from stammtisch.core.errors import IllegalMove
from stammtisch.core.game import Seat, State
from stammtisch.core.rng import Rng, fresh_seed, stream


@dataclass(frozen=True)
class Budget:
    """How much an agent may think about one decision; what is None is left to the agent.

    ``explain`` asks a search that prunes for the true value of every candidate, not only of the best: for hints.
    """

    ms: float | None = None
    iterations: int | None = None
    explain: bool = False


@dataclass(frozen=True)
class Candidate:
    """An action the agent considered: the score it expects from it and how much it prefers it (0..1)."""

    action: int
    value: float | None = None
    share: float | None = None


@dataclass(frozen=True)
class Choice:
    """The action, and what the agent thought of all of them (best first)."""

    action: int
    analysis: list[Candidate] = field(default_factory=list)


def decision(seat: Seat) -> list[int]:
    """The actions of a seat that is asked to decide."""
    actions = seat.actions()
    if not actions:
        raise ValueError(f"seat {seat.index} has nothing to decide")
    return actions


class Agent(ABC):
    """A player. It gets a Seat, never a State, and all its randomness from ``rng``.

    ``ms`` is the time it takes for a decision when it gets no budget; None if it does not look at the clock.
    """

    ms: float | None = None
    hears: bool = False  # whether it wants to be told what is played

    @property
    def at_once(self) -> Callable[..., int] | None:
        """The compiled ``decide(state, buffer, rng)`` if that is all it does: then thousands of games can follow it."""
        return None

    @abstractmethod
    def choose(self, seat: Seat, rng: Rng, budget: Budget | None = None) -> Choice:
        """One of ``seat.actions()``; the same seed and a budget in iterations give the same choice."""

    def move(self, position: State | Seat, seed: int | None = None) -> str:
        """The move as text, in a seat or for whoever decides in a position."""
        seat = position
        if isinstance(position, State):
            if position.player is None:
                raise IllegalMove("nobody can move: the game is over")
            seat = position.seat(position.player)
        assert isinstance(seat, Seat)
        return seat.game.format(self.choose(seat, stream(fresh_seed() if seed is None else seed)).action)

    def hear(self, seat: int, by: int, move: str | None) -> None:  # noqa: B027  # most need no more than their Seat
        """Somebody has played (``by``: from which seat), as it is told to the agent's own seat; None is hidden."""

    def close(self, scores: list[float] | None = None) -> None:  # noqa: B027
        """The game has ended, with these scores unless it was broken off: let go what the agent holds."""


def who_hears(agents: Mapping[int, object]) -> dict[int, Agent]:
    """Those of the agents at the table, by seat, that want to be told what is played."""
    return {seat: one for seat, one in agents.items() if isinstance(one, Agent) and type(one).hears is True}


def told_to(state: State, action: int, seat: int) -> tuple[bool, str | None]:
    """Whether a seat learns of an action that is about to be played, and the move; None where that stays hidden.

    Of a question that it must not even know of, it learns nothing.
    """
    move = state.told(action, seat)
    return move is not None or state.view(seat)["player"] == state.player, move
