"""Two moves ahead over a die: the own move, all throws of who comes next, and his best answer to each; for madn."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from stammtisch.agents.dog.net import Net, chance_of, mind_like, new_mind, two_sides, worth
from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import Actions, Record, Records, Vector
from stammtisch.core.mind import Mind, Part
from stammtisch.core.rng import Rng
from stammtisch.games.dog.cards import MADN_PASS
from stammtisch.games.dog.kernel import KERNEL
from stammtisch.games.dog.legal import legal_actions
from stammtisch.games.dog.policy import same_side
from stammtisch.games.dog.rules import ENDED, place, throw

_CODES = MADN_PASS + 1


@compiled
def outlook(mind: Record, state: Record, actions: Actions, n: int, out: Vector) -> int:
    """Write how likely the side on turn is to win after every action and the best answers; the place of the best."""
    value, me, best = mind.value, int(state.turn), 0
    for i in range(n):
        mind.states[0] = state
        after = mind.states[0]
        place(after, actions[i])
        out[i] = chance_of(value, after, me) if after.phase == ENDED else _answered(mind, after, me)
        if out[i] > out[best]:
            best = i
    return best


@compiled
def _answered(mind: Record, state: Record, seat: int) -> float:
    """The seat's chance, as a mean over the throws and the best answer to each."""
    value, answers, mean = mind.value, mind.answers, 0.0
    answering = int(state.turn)
    for which in range(6):
        probability = throw(state, which)
        n = legal_actions(state, answers)
        chosen, best = answers[0], -1.0
        for i in range(n):
            found = worth(value, state, answers[i])
            if found > best:
                chosen, best = answers[i], found
        if same_side(state, answering, seat):
            mean += probability * best
        elif two_sides(state):
            mean += probability * (1.0 - best)
        else:
            mind.states[1] = state
            last = mind.states[1]
            place(last, chosen)
            mean += probability * chance_of(value, last, seat)
    return mean


@compiled
def pick_by_throws(mind: Record, state: Record, buffer: Actions, rng: Rng) -> int:
    """The action with the best outlook."""
    n = legal_actions(state, buffer)
    return int(buffer[outlook(mind, state, buffer, n, mind.worths)]) if n > 1 else int(buffer[0])


@lru_cache(maxsize=16)
def _like(wide: int, narrow: int) -> Mind:
    fields = [
        ("states", KERNEL.state, (2,)),
        ("value", mind_like(wide, narrow).layout),
        ("answers", np.int64, (_CODES,)),
        ("worths", np.float64, (_CODES,)),
    ]
    return Mind(fields=fields, pick=pick_by_throws, weigh=Part("value"), judge=Part("value"))


def new_far_mind(net: Net) -> Records:
    """An array of one mind with these weights that looks two moves ahead."""
    return _like(*net.middle.shape).filled(value=new_mind(net)[0])
