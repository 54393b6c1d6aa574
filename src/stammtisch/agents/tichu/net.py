"""The network of Tichu as a mind: what every action leads to is judged by its answers (``sight.py``).

Each answer adds a row of weights to the sums of one layer of units, which give the square of their sum, cut off at 0
and 1; behind it is a last layer of its own for every stage of the round. It says how many points the round will bring
(own team less the other, without the calls made so far) and how likely each seat is to go out first. So a call is worth
its bonus times a chance, by the rules. Actions of one decision differ in a few answers, so only these are worked out,
and in whole numbers: fast, and the same on every machine.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stammtisch.agents.tichu.sight import (
    BIG,
    BUCKETS,
    CHANGING,
    MOMENT,
    PLACES,
    ROWS,
    SLOTS,
    SMALL,
    STREETS,
    VIEW,
    Answers,
    all_answers,
    changing_answers,
    ends_round,
    foresee,
    has_calls,
    lasting_answers,
    look,
    result_of,
    runs,
    stage_of,
    value_answer,
)
from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import Actions, Record, Records, Vector, scores
from stammtisch.core.mind import Mind
from stammtisch.core.rng import Rng
from stammtisch.games.tichu.cards import HIGHEST, LOWEST, nibble
from stammtisch.games.tichu.combinations import PASS, flush_cards, list_bombs, list_plays, obey_wish
from stammtisch.games.tichu.hands import chances
from stammtisch.games.tichu.policy import likely_gifts, unseen_cards
from stammtisch.games.tichu.rules import (
    BOMB_PHASE,
    CALL_GRAND,
    CALL_TICHU,
    DRAGON_PHASE,
    GIVE_DRAGON,
    GRAND,
    MOST_ACTIONS,
    NO_GRAND,
    PLAY,
    SCHUPF,
    SEATS,
    WISH,
    WISH_NONE,
    may_announce,
    player,
)
from stammtisch.models.cards import Layout, network

Weights = NDArray[np.float32]
Sums = NDArray[np.int16]

UNITS = 256
OUTPUTS = 5  # points / 100, and four logits of who is first out
FIRST = 1  # the first of the logits
POINTS = 100.0
FINE = 181  # whole numbers per unit: the square fits into 16 bits
MOST = (2**31 - 1) // FINE**2  # of the weights behind the units, in whole numbers: so the result fits into 32 bits
HEAVIEST = (2**15 - 1) / (FINE * SLOTS)  # row of weights, so that the sums fit into 16 bits
LAYOUT = Layout(
    title="network of Tichu",
    shapes={"rows": (ROWS, UNITS), "last": (BUCKETS, OUTPUTS, UNITS), "last_bias": (BUCKETS, OUTPUTS)},
    largest={"rows": HEAVIEST},
)
SOFT = 12.0  # points that make an action e times as likely, as a prior
GIFTS = 3  # cards considered for each of the others


class Net(NamedTuple):
    """Weights; the names are those of the files they are kept in."""

    rows: Weights  # (ROWS, UNITS): what every answer adds to the units
    last: Weights  # (BUCKETS, OUTPUTS, UNITS)
    last_bias: Weights  # (BUCKETS, OUTPUTS)


def read_net(name: str) -> Net:
    """The network of this name, if it is one of Tichu."""
    return Net(**network(name, LAYOUT))


def new_net(seed: int) -> Net:
    """A network that knows nothing: small random weights, and every outcome alike."""
    rng = np.random.default_rng(seed)
    rows = rng.standard_normal((ROWS, UNITS)) * 0.02
    rows[MOMENT:] += 0.4  # there is always one of these answers: all units begin where they can learn
    return Net(
        rows=rows.astype(np.float32),
        last=np.zeros((BUCKETS, OUTPUTS, UNITS), dtype=np.float32),
        last_bias=np.zeros((BUCKETS, OUTPUTS), dtype=np.float32),
    )


@compiled
def add_row(mind: Record, answer: int, sums: Sums) -> None:
    row = mind.rows[answer]
    for i in range(UNITS):
        sums[i] += row[i]


@compiled
def exchange_rows(mind: Record, old: int, new: int, sums: Sums) -> None:
    """Put an answer in place of another; -1 is none."""
    if old >= 0 and new >= 0:
        gone, come = mind.rows[old], mind.rows[new]
        for i in range(UNITS):
            sums[i] += come[i] - gone[i]
    elif new >= 0:
        add_row(mind, new, sums)
    elif old >= 0:
        gone = mind.rows[old]
        for i in range(UNITS):
            sums[i] -= gone[i]


@compiled
def finish(mind: Record, bucket: int, outputs: int) -> None:
    """From ``mind.sums`` to the first of ``mind.outputs``."""
    sums, squares = mind.sums, mind.squares
    for i in range(UNITS):
        unit = min(max(sums[i], np.int16(0)), np.int16(FINE))
        squares[i] = np.int16(unit * unit)
    for output in range(outputs):
        last, total = mind.last[bucket, output], np.int32(0)
        for i in range(UNITS):
            total = np.int32(total + np.int32(squares[i]) * np.int32(last[i]))
        mind.outputs[output] = mind.last_bias[bucket, output] + total * mind.step[bucket, output]


@compiled
def bonus(mind: Record, view: Record) -> float:
    """What the calls made so far will bring, by the chances in ``mind.outputs``: own team less the other."""
    if not has_calls(view):
        return 0.0
    first = -1
    for i in range(SEATS):
        if view.out[i] == 1:
            first = i
    total, together, highest = 0.0, 0.0, -np.inf
    for i in range(SEATS):
        highest = max(highest, mind.outputs[FIRST + i])
    for i in range(SEATS):
        together += np.exp(mind.outputs[FIRST + i] - highest)
    for i in range(SEATS):
        bet = 100.0 if view.calls[i] == SMALL else 200.0 if view.calls[i] == BIG else 0.0
        if bet:
            chance = np.exp(mind.outputs[FIRST + i] - highest) / together
            if first >= 0:
                chance = 1.0 if first == i else 0.0
            total += bet * (2.0 * chance - 1.0) * (1.0 if i & 1 == 0 else -1.0)
    return total


@compiled
def begin(mind: Record, state: Record, seat: int, chance: Vector) -> None:
    """Note in ``mind`` what all actions of a decision share: the view before, and its sums."""
    chances(unseen_cards(state, seat), chance)
    look(state, seat, mind.before)
    base, before, answers = mind.common, mind.before, mind.answers
    base[:] = 0
    for i in range(lasting_answers(state, seat, before, answers)):
        add_row(mind, answers[i], base)
    for value in range(LOWEST, HIGHEST + 1):
        add_row(mind, value_answer(value, before.hand, before.unseen), base)
    mind.places = runs(before.hand)
    for place in range(PLACES):
        if mind.places >> place & 1:
            add_row(mind, STREETS + place, base)
    changing_answers(before, chance, mind.now)
    for slot in range(CHANGING):
        exchange_rows(mind, -1, mind.now[slot], base)


@compiled
def worth_of(mind: Record, state: Record, seat: int, action: int, chance: Vector) -> float:
    """The points that the round will bring after this action, own team less the other, calls included."""
    mind.after = mind.before
    foresee(state, seat, action, mind.after)
    return worth_of_view(mind, state, seat, action, chance)


@compiled
def worth_of_view(mind: Record, state: Record, seat: int, action: int, chance: Vector) -> float:
    """The same of ``mind.after``, a view that comes of this action."""
    before, after, sums = mind.before, mind.after, mind.sums
    if ends_round(state, seat, action, after):
        return result_of(state, seat, action, after) + bonus(mind, after)
    sums[:] = mind.common
    if before.hand != after.hand or before.unseen != after.unseen:
        for value in range(LOWEST, HIGHEST + 1):
            old = value_answer(value, before.hand, before.unseen)
            new = value_answer(value, after.hand, after.unseen)
            if old != new:
                exchange_rows(mind, old, new, sums)
        there = runs(after.hand)
        changed = there ^ mind.places
        for place in range(PLACES):
            if changed >> place & 1:
                here = STREETS + place
                exchange_rows(mind, -1 if there >> place & 1 else here, here if there >> place & 1 else -1, sums)
    then, now = mind.answers, mind.now
    changing_answers(after, chance, then)
    for slot in range(CHANGING):
        if then[slot] != now[slot]:
            exchange_rows(mind, now[slot], then[slot], sums)
    finish(mind, stage_of(after), OUTPUTS if has_calls(after) else 1)
    return POINTS * mind.outputs[0] + bonus(mind, after)


@compiled
def standing(mind: Record, state: Record, seat: int) -> float:
    """The points that the round will bring as the seat sees it now, whoever acts."""
    chance = np.empty((3, 16))
    begin(mind, state, seat, chance)
    mind.after = mind.before
    return worth_of_view(mind, state, seat, PASS, chance)


@compiled
def options(state: Record, seat: int, out: Actions) -> int:
    """The actions worth a look, one of those that differ in suits only; how many. Calls of tichu are not among them."""
    phase = state.phase
    if phase == GRAND:
        out[0], out[1] = NO_GRAND, CALL_GRAND
        return 2
    if phase == SCHUPF:
        return likely_gifts(state, seat, GIFTS, out)
    if phase == DRAGON_PHASE:
        out[0], out[1] = GIVE_DRAGON + ((seat + 1) & 3), GIVE_DRAGON + ((seat + 3) & 3)
        return 2
    if phase == WISH:
        n = 0
        if state.wish_optional:
            out[0] = WISH_NONE
            n = 1
        unseen = unseen_cards(state, seat)
        for value in range(LOWEST, HIGHEST + 1):
            if nibble(unseen, value):
                out[n] = WISH_NONE + value
                n += 1
        if n == 0:
            out[0] = WISH_NONE + LOWEST
            n = 1
        return n
    hand, kind, rank = state.hand[seat], int(state.kind), int(state.rank)
    if phase == BOMB_PHASE:
        out[0] = PASS
        return list_bombs(hand, kind, rank, out, 1)
    n = list_plays(hand, flush_cards(hand), kind, rank, out[1:])
    must = kind == PASS
    if state.wish > 0:
        n = obey_wish(hand, int(state.wish), state.bomb_may_ignore_wish != 0, out[1:], n)
        must |= n < 0
        n = abs(n)
    if must:
        for i in range(n):
            out[i] = out[i + 1]
        return n
    out[0] = PASS
    return n + 1


@compiled
def may_call(state: Record, seat: int) -> bool:
    """Whether a call of tichu is thought about: with the first card in the hand."""
    return (state.phase == PLAY or state.phase == BOMB_PHASE) and may_announce(state, seat)


@compiled
def values(mind: Record, state: Record, seat: int, actions: Actions, worths: Vector) -> int:
    """Write the actions worth a look and what they are worth, a call of tichu last; how many."""
    n = options(state, seat, actions)
    chance = np.empty((3, 16))
    begin(mind, state, seat, chance)
    for i in range(n):
        worths[i] = worth_of(mind, state, seat, actions[i], chance)
    if may_call(state, seat):
        worths[n] = -np.inf
        for i in range(n):
            if actions[i] != PASS:
                worths[n] = max(worths[n], worth_if_called(mind, state, seat, actions[i], chance))
        actions[n] = CALL_TICHU
        n += 1
    return n


@compiled
def decide(mind: Record, state: Record, buffer: Actions, rng: Rng) -> int:
    """The action that leads to the most points."""
    seat = int(player(state))
    n = options(state, seat, buffer)
    if n > 1 or may_call(state, seat):
        n = values(mind, state, seat, buffer, mind.worths)
        return buffer[np.argmax(mind.worths[:n])]
    return buffer[0]


@compiled
def worth_if_called(mind: Record, state: Record, seat: int, action: int, chance: Vector) -> float:
    """What a play is worth for who calls tichu before it."""
    mind.after = mind.before
    mind.after.calls[0] = SMALL
    foresee(state, seat, action, mind.after)
    return worth_of_view(mind, state, seat, action, chance)


@compiled
def prefer(mind: Record, state: Record, actions: Actions, n: int, out: NDArray[np.float64]) -> None:
    """How much each action is preferred: its points, softly; a call is worth what the best play after it is."""
    seat = int(player(state))
    chance = np.empty((3, 16))
    begin(mind, state, seat, chance)
    for i in range(n):
        out[i] = worth_of(mind, state, seat, actions[i], chance)
    for i in range(n):
        if actions[i] == CALL_TICHU and may_call(state, seat):
            out[i] = -np.inf
            for j in range(n):
                if PASS < actions[j] < CALL_TICHU:
                    out[i] = max(out[i], worth_if_called(mind, state, seat, actions[j], chance))
    out[:n] /= SOFT


@compiled
def expect(mind: Record, state: Record, seat: int, out: Vector) -> None:
    """The scores at the end of the round, as the seat expects them."""
    scores(state, out)
    half = 0.5 * standing(mind, state, seat)
    for i in range(SEATS):
        out[i] += half if (i - seat) & 1 == 0 else -half


MIND = Mind(
    fields=[
        ("rows", np.int16, (ROWS, UNITS)),
        ("last", np.int16, (BUCKETS, OUTPUTS, UNITS)),
        ("step", np.float32, (BUCKETS, OUTPUTS)),  # what a whole number of the sums of the last layer is worth
        ("last_bias", np.float32, (BUCKETS, OUTPUTS)),
        # working space: of a decision, and of one of its actions
        ("before", VIEW),
        ("now", np.int16, (CHANGING,)),
        ("places", np.int64),
        ("common", np.int16, (UNITS,)),
        ("after", VIEW),
        ("answers", np.int16, (SLOTS,)),
        ("sums", np.int16, (UNITS,)),
        ("squares", np.int16, (UNITS,)),
        ("outputs", np.float32, (OUTPUTS,)),
        ("worths", np.float64, (MOST_ACTIONS,)),
    ],
    pick=decide,
    weigh=prefer,
    judge=expect,
)


def mind_with(net: Net) -> Records:
    """An array of one mind that knows what this network knows."""
    mind = MIND.blank()
    teach(mind, net)
    return mind


def teach(mind: Records, net: Net) -> None:
    """Give a mind the weights of a network."""
    size = np.abs(net.last)
    fine = MOST / np.maximum(1.0, np.maximum(size.sum(axis=2), 2.1 * size.max(axis=2)))
    mind["rows"][0] = np.rint(np.clip(net.rows, -HEAVIEST, HEAVIEST) * FINE)
    mind["last"][0] = np.trunc(net.last * fine[:, :, None])
    mind["step"][0] = 1.0 / (FINE**2 * fine)
    mind["last_bias"][0] = net.last_bias


@compiled
def note(mind: Record, state: Record, seat: int, action: int, out: Answers) -> int:
    """Write the answers of the view after an action, filled up with -1; the stage that judges it.

    ``action`` -1 stands for the position as it is.
    """
    chance = np.empty((3, 16))
    chances(unseen_cards(state, seat), chance)
    look(state, seat, mind.after)
    if action >= 0:
        foresee(state, seat, action, mind.after)
    n = all_answers(state, seat, mind.after, chance, out)
    out[n:] = -1
    return stage_of(mind.after)
