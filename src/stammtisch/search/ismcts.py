"""Information-set Monte-Carlo tree search: one tree over what the searching seat can know.

Each iteration first samples the hidden part of the position (``determinize``) and then walks down the
one tree along the actions that are legal in this sample. An action that was legal often but tried
rarely gets its turn through its own count of availability (Cowling, Powley and Whitehouse 2012).
Chance is part of the sample; the tree branches on actions only. A choice that stays hidden from the
searching seat is one edge, whatever was chosen, and is made by the playout policy: the tree must not
depend on what its owner will not see.

Where a mind can play, the search can be *guided* by it: the others follow the mind also in
the tree, with the cards they have in the sample, and so does the searching seat until a position was met often enough
for the tree to know better (``expand_after``). All actions of the root are tried on the same samples, so that luck
cancels out of their comparison, and the worse half is dropped again and again.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.checks import some_of
from stammtisch.core.compiling import compiled
from stammtisch.core.game import Seat
from stammtisch.core.kernel import (
    OVER,
    Actions,
    Record,
    Records,
    Vector,
    apply,
    conceals,
    determinize,
    legal_actions,
    player,
    scores,
)
from stammtisch.core.mind import pick, settle
from stammtisch.core.rng import Rng, below
from stammtisch.search.clock import NO_LIMIT, StopFlag, run_timed
from stammtisch.search.halving import PRIOR, Halving, Prior, compare
from stammtisch.search.limits import limits
from stammtisch.search.playout import playout
from stammtisch.search.tree import (
    EXPLORATION,
    MAX_NODES,
    Result,
    book,
    lead,
    new_path,
    note,
    remember,
    rivals,
    root_result,
)

NONE = -1
ROUNDS = 32  # of all actions of the root: more than the least that halving makes of them
HIDDEN = -1  # stands for every action of a choice that the searching seat does not see

NODE = np.dtype(
    [
        ("player", np.int64),  # an action can be followed by different seats, depending on what is hidden
        ("first", np.int64),  # its edges, linked in ascending order of their actions
        ("sibling", np.int64),  # node of another player after the same edge
    ]
)
EDGE = np.dtype(
    [
        ("action", np.int64),
        ("visits", np.int64),
        ("available", np.int64),  # how often the action was legal when its node was passed
        ("total", np.float64),  # sum of the deciding seat's scores
        ("child", np.int64),
        ("next", np.int64),
    ]
)


def search(
    seat: Seat,
    rng: Rng,
    iterations: int | None = None,
    ms: float | None = None,
    exploration: float = EXPLORATION,
    playout_limit: int = NO_LIMIT,
    actions: Sequence[int] | None = None,
    guided: bool = False,
    expand_after: int = 1,
    minds: Records | None = None,
    prior: Prior = PRIOR,
    favourite: int | None = None,
) -> Result:
    """Search with a fixed number of iterations (the same seed gives the same result) or for ``ms``.

    ``actions``, ascending, narrows the choice at the root. A position gets a node of its own when it was met
    ``expand_after`` times. ``minds`` is the mind that plays on; without one the game's own, by hand. ``favourite`` is
    the action that a guided search does not lightly give up, without one what the mind would play; ``prior`` says how
    much it is trusted.
    """
    actions = seat.actions() if actions is None else some_of(actions, seat.actions())
    if not actions:
        raise ValueError(f"seat {seat.index} has nothing to decide")
    limits(iterations, ms, playout_limit, exploration, expand_after)
    spec = seat.game.spec
    size = MAX_NODES if iterations is None else min(MAX_NODES, max(iterations, ROUNDS * len(actions)) + 2)
    nodes = np.zeros(size, dtype=NODE).view(np.recarray)
    edges = np.empty(size, dtype=EDGE).view(np.recarray)
    work = seat.game.kernel.blank(3)  # the root, the sample, and the sample as it walks down
    work[0] = seat.sample(rng).record
    buffer = np.empty(spec.max_actions, dtype=np.int64)
    result = np.zeros(spec.seats)

    codes = np.array(actions, dtype=np.int64)
    counts = np.array([1, 0], dtype=np.int64)  # nodes and edges in use
    moments = np.array([0.0, 0.0, 0.0, np.inf, -np.inf])
    sides = rivals(spec)
    nodes[0].player, nodes[0].first, nodes[0].sibling = seat.index, NONE, NONE

    minds = seat.game.knowing(minds)
    settle(minds[0], work[0])
    if favourite is None:
        favourite = int(pick(minds[0], work[0], buffer, rng))
    root = Halving(actions, favourite, prior)

    def run(alive: Actions, n: int, stop: StopFlag) -> int:
        args = (
            minds,
            seat.index,
            codes,
            alive,
            root.totals,
            root.visits,
            root.products,
            work,
            nodes,
            edges,
            counts,
            moments,
            buffer,
            result,
            sides,
            n,
            guided,
            exploration,
            expand_after,
            playout_limit,
            rng,
            stop,
        )
        return int(_search(*args))

    if guided:
        return root.run(run, iterations, ms)
    everything = np.arange(len(actions))
    done = run_timed(lambda n, stop: run(everything, n, stop), iterations, ms)
    return root_result(actions, _root_edges(nodes, edges), done)


def _root_edges(nodes: Records, edges: Records) -> dict[int, Record]:
    found = {}
    index = int(nodes[0].first)
    while index != NONE:
        found[int(edges[index].action)] = edges[index]
        index = int(edges[index].next)
    return found


@compiled
def _search(
    minds: Records,
    seat: int,
    actions: Actions,
    alive: Actions,
    totals: Vector,
    visits: NDArray[np.int64],
    products: NDArray[np.float64],
    work: Records,
    nodes: Records,
    edges: Records,
    counts: NDArray[np.int64],
    moments: Vector,
    buffer: Actions,
    result: Vector,
    sides: NDArray[np.int64],
    iterations: int,
    guided: bool,
    exploration: float,
    expand_after: int,
    playout_limit: int,
    rng: Rng,
    stop: StopFlag,
) -> int:
    """Run the iterations; the number done. ``nodes[0]`` is the root, ``work[0]`` its state, ``alive`` its actions.

    ``moments`` are the number, sum and sum of squares of the seat's results, and the lowest and highest result of all.
    Guided, as many iterations as there are actions share a sample and the luck that follows, one for each action.
    """
    mind = minds[0]
    node_count, edge_count = counts[0], counts[1]
    low, high = moments[3], moments[4]
    state = work[1]
    path = new_path()
    together = len(alive) if guided else 1
    luck, results = rng.copy(), np.empty(together)
    done = 0
    while done % together or (done < iterations and (stop[0] == 0 or done == 0)):
        if done % together == 0:
            work[2] = work[0]
            determinize(work[2], seat, rng)
            luck[:] = rng
        rng[:] = luck
        work[1] = work[2]
        scale = 1.0 / (high - low) if high > low else 1.0
        if guided and high > low:  # few good moves and much luck: deviations say more than the extremes
            scale = 1.0 / np.sqrt(max(1e-12, moments[2] / moments[0] - (moments[1] / moments[0]) ** 2))
        node, depth = 0, 0
        while True:
            hidden = nodes[node].player != seat and conceals(state, seat)
            secret = pick(mind, state, buffer, rng) if hidden else 0
            if hidden:
                n = 1
                buffer[0] = HIDDEN
            elif guided and nodes[node].player != seat:
                n = 1
                buffer[0] = pick(mind, state, buffer, rng)
            elif depth > 0:
                n = legal_actions(state, buffer)
            elif guided:
                n = 1
                buffer[0] = actions[alive[done % together]]
            else:
                n = len(actions)
                buffer[:n] = actions
            room = edge_count < len(edges)
            chosen, is_new = _choose(nodes[node], edges, buffer, n, room, edge_count, exploration, low, scale, rng)
            if chosen == NONE:  # the tree is full and none of these actions is in it
                playout(mind, seat, state, playout_limit, buffer, rng, result)
                break
            path = remember(path, depth, chosen, nodes[node].player)
            depth += 1
            apply(state, secret if hidden else edges[chosen].action, rng)
            me = player(state)
            edge_count += is_new
            if me == OVER:
                scores(state, result)
                break
            if edges[chosen].visits < expand_after:
                playout(mind, seat, state, playout_limit, buffer, rng, result)
                break
            node = edges[chosen].child
            while node != NONE and nodes[node].player != me:
                node = nodes[node].sibling
            if node == NONE and node_count < len(nodes):
                node = node_count
                node_count += 1
                nodes[node].player, nodes[node].first, nodes[node].sibling = me, NONE, edges[chosen].child
                edges[chosen].child = node
            if node == NONE:
                playout(mind, seat, state, playout_limit, buffer, rng, result)
                break
        lead(result, sides)
        for s in range(len(result)):
            low, high = min(low, result[s]), max(high, result[s])
        book(edges, path, depth, result)
        note(moments, result[seat])
        results[done % together] = result[seat]
        done += 1
        if guided and done % together == 0:
            compare(totals, visits, products, alive, results)
    moments[3], moments[4] = low, high
    counts[0], counts[1] = node_count, edge_count
    return done


@compiled
def _choose(
    node: Records,
    edges: Records,
    actions: Actions,
    n: int,
    room: bool,
    free: int,
    exploration: float,
    low: float,
    scale: float,
    rng: Rng,
) -> tuple[int, bool]:
    """An untried legal action at random, as the new edge ``free``; else the highest upper confidence bound.

    Legal actions and edges are both ascending, so one walk along both finds them.
    """
    chosen, best = NONE, -np.inf
    untried, new_action, new_after = 0, 0, NONE
    before, here = NONE, node.first
    for i in range(n):
        while here != NONE and edges[here].action < actions[i]:
            before, here = here, edges[here].next
        if here != NONE and edges[here].action == actions[i]:
            edge = edges[here]
            edge.available += 1
            mean = (edge.total / edge.visits - low) * scale
            bound = mean + exploration * np.sqrt(np.log(float(edge.available)) / edge.visits)
            if bound > best:
                chosen, best = here, bound
        elif room:
            untried += 1
            if below(rng, untried) == 0:
                new_action, new_after = actions[i], before
    if untried == 0:
        return chosen, False
    edge = edges[free]
    edge.action, edge.visits, edge.available, edge.total, edge.child = new_action, 0, 1, 0.0, NONE
    if new_after == NONE:
        edge.next = node.first
        node.first = free
    else:
        edge.next = edges[new_after].next
        edges[new_after].next = free
    return free, True
