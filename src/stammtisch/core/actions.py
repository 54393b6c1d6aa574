"""An action has one number: masks, policy heads and environments count actions from 0 to ``GameSpec.numbers`` - 1.

Codes are for kernels: quick to play, often sparse. Numbers are for learners: one fixed space for a set of rules, seen
from whoever decides. Where codes are dense they are the numbers, and a game says no more; others give their kernel
``number``, and ``action_at`` where several actions share one. Actions that are the same for play (cards of equal
value) may share a number; what it then stands for is what ``action_at`` gives back.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import OVER, Actions, Record, Records, action_at, legal_actions, number, player


@compiled
def fill_mask(state: Record, buffer: Actions, out: NDArray[np.bool_]) -> None:
    """Mark the numbers of the legal actions in ``out``; ``buffer`` has room for the legal actions."""
    out[:] = False
    for i in range(legal_actions(state, buffer)):
        out[number(state, buffer[i])] = True


@compiled
def fill_masks(states: Records, buffer: Actions, out: NDArray[np.bool_]) -> None:
    """Mark the numbers of the legal actions of every state in its row of ``out``, which is all False."""
    for i in range(len(states)):
        for j in range(legal_actions(states[i], buffer)):
            out[i, number(states[i], buffer[j])] = True


@compiled
def actions_at(states: Records, numbers: Actions, buffer: Actions, out: Actions) -> None:
    """What the numbers mean, each in its own state; -1 where one means nothing there or the game is over."""
    for i in range(len(states)):
        out[i] = action_at(states[i], numbers[i], buffer) if player(states[i]) != OVER else -1
