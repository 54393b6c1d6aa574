"""The value network of madn, dmadn and dog, compiled: how likely a side is to win, and the mind that plays by it.

Three layers: a sum of rows, one per answer of ``sight.py``, then two of units. The first is counted in whole numbers,
so it is the same on every machine and whichever way led to a position; of two positions one after the other only the
answers that differ are worked out.

Where there is one side against another and nothing is hidden, a position is seen by who moves next; the chance of the
other side is what is left. With cards, or with more sides, everybody sees a position for himself.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stammtisch.agents.dog.sight import PAIRS, ROWS, SCRATCH, SLOTS, SLOTS_OF, see
from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import Actions, Record, Records, Vector
from stammtisch.core.mind import Bare, Mind, Part
from stammtisch.core.rng import Rng
from stammtisch.games.dog.kernel import KERNEL
from stammtisch.games.dog.legal import legal_actions
from stammtisch.games.dog.policy import decide, same_side
from stammtisch.games.dog.rules import DOG, ENDED, place
from stammtisch.models.cards import Layout, network

Weights = NDArray[np.float32]

FINE = 1024  # whole numbers per unit of the first layer
SHARP = 60.0  # of preferences: so much the logarithm changes with the chance to win
LAYOUT = Layout(
    title="value network of madn, dmadn and dog",
    shapes={
        "rows": (ROWS, "wide"),
        "middle": ("wide", "narrow"),
        "middle_bias": ("narrow",),
        "last": ("narrow",),
        "last_bias": (1,),
    },
    largest={"rows": (2**15 - 1) // FINE},
)


class Net(NamedTuple):
    """Weights; the names are those of the files they are kept in."""

    rows: Weights  # (ROWS, wide): what every answer adds to the first layer; nothing for row 0
    middle: Weights  # (wide, narrow)
    middle_bias: Weights  # (narrow,)
    last: Weights  # (narrow,)
    last_bias: Weights  # (1,)


def read_net(name: str) -> Net:
    """The network of this name, if it fits what the players see today."""
    return Net(**network(name, LAYOUT))


def new_net(wide: int, narrow: int, seed: int) -> Net:
    """A network that knows nothing: small random weights, and an even chance for every position."""
    rng = np.random.default_rng(seed)
    rows = (rng.standard_normal((ROWS, wide)) * 0.05).astype(np.float32)
    rows[0] = 0.0
    return Net(
        rows=rows,
        middle=(rng.standard_normal((wide, narrow)) * np.sqrt(2.0 / wide)).astype(np.float32),
        middle_bias=np.zeros(narrow, dtype=np.float32),
        last=np.zeros(narrow, dtype=np.float32),
        last_bias=np.zeros(1, dtype=np.float32),
    )


# --- a position ---------------------------------------------------------------------------------------------


@compiled
def chance(mind: Record, state: Record, seat: int) -> float:
    """How likely the seat's side is to win, for positions in which the game goes on."""
    n = see(mind, state, seat)
    sums, rows = mind.sums, mind.rows
    wide, narrow = len(sums), len(mind.second)
    slots, new_slots, pairs, new_pairs = mind.slots, mind.new_slots, mind.pairs, mind.new_pairs
    for slot in range(SLOTS_OF[state.variant]):
        row, old = new_slots[slot], slots[slot]
        if row != old:
            slots[slot] = row
            for i in range(wide):
                sums[i] += rows[row, i] - rows[old, i]
    surplus, before = mind.surplus, mind.n_pairs[0]
    for k in range(before):
        surplus[pairs[k]] += 1
    for k in range(n):
        surplus[new_pairs[k]] -= 1
    for k in range(before):
        row = pairs[k]
        if surplus[row] > 0:
            surplus[row] -= 1
            for i in range(wide):
                sums[i] -= rows[row, i]
    for k in range(n):
        row = new_pairs[k]
        if surplus[row] < 0:
            surplus[row] += 1
            for i in range(wide):
                sums[i] += rows[row, i]
        pairs[k] = row
    mind.n_pairs[0] = n
    second, middle = mind.second, mind.middle
    for j in range(narrow):
        second[j] = mind.middle_bias[j]
    for i in range(wide):
        if sums[i] > 0:
            strength = np.float32(sums[i])
            for j in range(narrow):
                second[j] += strength * middle[i, j]
    total = mind.last_bias[0]
    for j in range(narrow):
        total += max(second[j], np.float32(0.0)) * mind.last[j]
    return 1.0 / (1.0 + np.exp(-float(total)))


@compiled
def two_sides(state: Record) -> bool:
    """Whether one side's chance says the other's: nothing is hidden and there are no more than two."""
    return state.variant != DOG and (state.teams != 0 or state.players == 2)


@compiled
def viewer(state: Record, seat: int) -> int:
    """Who is to look at a position for this seat."""
    return int(state.turn) if two_sides(state) else seat


@compiled
def chance_of(mind: Record, state: Record, seat: int) -> float:
    """How likely the seat's side is to win, in any position, as far as the seat may know."""
    if state.phase == ENDED:
        if state.winners == 0:
            return (2.0 if state.teams else 1.0) / state.players
        return 1.0 if state.winners >> seat & 1 else 0.0
    view = viewer(state, seat)
    found = chance(mind, state, view)
    return found if same_side(state, view, seat) else 1.0 - found


@compiled
def worth(mind: Record, state: Record, action: int) -> float:
    """How likely the side on turn is to win after an action, before anything is thrown, dealt or taken up."""
    mind.after[0] = state
    after = mind.after[0]
    place(after, action)
    return chance_of(mind, after, int(state.turn))


@compiled
def best_of(mind: Record, state: Record, actions: Actions, n: int, out: Vector) -> int:
    """Write what every action is worth; the place of the best, the first of equals."""
    best = 0
    for i in range(n):
        out[i] = worth(mind, state, actions[i])
        if out[i] > out[best]:
            best = i
    return best


# --- the mind -----------------------------------------------------------------------------------------------


@compiled
def pick(mind: Record, state: Record, buffer: Actions, rng: Rng) -> int:
    """The action after which the own side is most likely to win."""
    n = legal_actions(state, buffer)
    chosen, best = buffer[0], -1.0
    if n > 1:
        for i in range(n):
            found = worth(mind, state, buffer[i])
            if found > best:
                chosen, best = buffer[i], found
    return chosen


@compiled
def weigh(mind: Record, state: Record, actions: Actions, n: int, out: NDArray[np.float64]) -> None:
    for i in range(n):
        out[i] = SHARP * worth(mind, state, actions[i])


@compiled
def judge(mind: Record, state: Record, seat: int, out: Vector) -> None:
    """Everybody's chance, of which only what the seat may know is used: of others with hidden cards, their share."""
    out[:] = 0.0
    players = int(state.players)
    if state.teams or players == 2:
        found = chance_of(mind, state, seat)
        for player in range(players):
            out[player] = found if same_side(state, seat, player) else 1.0 - found
    elif state.variant == DOG:
        found = chance_of(mind, state, seat)
        for player in range(players):
            out[player] = found if player == seat else (1.0 - found) / (players - 1)
    else:
        total = 0.0
        for player in range(players):
            out[player] = chance_of(mind, state, player)
            total += out[player]
        for player in range(players):
            out[player] /= max(total, 1e-9)


@lru_cache(maxsize=16)
def mind_like(wide: int, narrow: int) -> Mind:
    """The mind of networks of this size."""
    fields: list[tuple[Any, ...]] = [
        ("after", KERNEL.state, (1,)),
        ("rows", np.int16, (ROWS, wide)),
        ("middle", np.float32, (wide, narrow)),
        ("middle_bias", np.float32, narrow),
        ("last", np.float32, narrow),
        ("last_bias", np.float32, (1,)),
        ("sums", np.int32, wide),  # of the rows below
        ("second", np.float32, narrow),
        ("slots", np.int32, SLOTS),
        ("pairs", np.int32, PAIRS),
        ("n_pairs", np.int64, (1,)),
        *SCRATCH,
        ("surplus", np.int8, ROWS),  # of the pairs before over those now; all 0 between two looks
    ]
    return Mind(fields=fields, pick=pick, weigh=weigh, judge=judge)


@lru_cache(maxsize=16)
def _hasty_like(wide: int, narrow: int) -> Mind:
    value = Part("value")
    return Mind(fields=[("value", mind_like(wide, narrow).layout)], pick=Bare(decide), weigh=value, judge=value)


def new_hasty_mind(net: Net) -> Records:
    """An array of one mind that judges with these weights, and moves by the rules of thumb, which is quicker."""
    return _hasty_like(*net.middle.shape).filled(value=new_mind(net)[0])


def new_mind(net: Net) -> Records:
    """An array of one mind with these weights."""
    mind = mind_like(*net.middle.shape).blank()
    teach(mind[0], net)
    return mind


def teach(mind: Record, net: Net) -> None:
    """Give a mind the weights of a network."""
    mind.rows = np.clip(np.rint(net.rows * FINE), 1 - 2**15, 2**15 - 1)
    mind.middle = net.middle / FINE
    mind.middle_bias = net.middle_bias
    mind.last = net.last
    mind.last_bias = net.last_bias
    mind.sums = 0
    mind.slots = 0
    mind.n_pairs = 0
