"""Information-set Monte-Carlo tree search: one tree over what the searching seat can know.

Each iteration first samples the hidden part of the position (``determinize``) and then walks down the
one tree along the actions that are legal in this sample. An action that was legal often but tried
rarely gets its turn through its own count of availability (Cowling, Powley and Whitehouse 2012).
Chance is part of the sample; the tree branches on actions only. A choice that stays hidden from the
searching seat is one edge, whatever was chosen, and is made by the playout policy: the tree must not
depend on what its owner will not see.
"""

from __future__ import annotations

import numpy as np

from stammtisch.core.compiling import compiled
from stammtisch.core.game import Seat
from stammtisch.core.kernel import (
    OVER,
    Actions,
    Records,
    Vector,
    apply,
    conceals,
    determinize,
    legal_actions,
    player,
    playout_action,
    scores,
)
from stammtisch.core.rng import Rng, below
from stammtisch.search.clock import NO_LIMIT, StopFlag, run_timed
from stammtisch.search.playout import playout
from stammtisch.search.tree import EXPLORATION, MAX_NODES, Result, book, new_path, remember, root_result

NONE = -1
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
) -> Result:
    """Search with a fixed number of iterations (the same seed gives the same result) or for ``ms``."""
    actions = seat.actions()
    if not actions:
        raise ValueError(f"seat {seat.index} has nothing to decide")
    spec = seat.game.spec
    size = MAX_NODES if iterations is None else min(MAX_NODES, iterations + 2)
    nodes = np.zeros(size, dtype=NODE).view(np.recarray)
    edges = np.empty(size, dtype=EDGE).view(np.recarray)
    work = seat.game.kernel.blank(2)  # the root and the sample that walks down
    work[0] = seat.sample(rng).record
    buffer = np.empty(spec.max_actions, dtype=np.int64)
    result = np.zeros(spec.seats)

    def run(n: int, stop: StopFlag) -> int:
        args = (work, seat.index, nodes, edges, buffer, result, n, exploration, playout_limit, rng, stop)
        return int(_search(*args))

    done = run_timed(run, iterations, ms)
    root = {}
    index = int(nodes[0].first)
    while index != NONE:
        root[int(edges[index].action)] = edges[index]
        index = int(edges[index].next)
    return root_result(actions, root, done)


@compiled
def _search(
    work: Records,
    seat: int,
    nodes: Records,
    edges: Records,
    buffer: Actions,
    result: Vector,
    iterations: int,
    exploration: float,
    playout_limit: int,
    rng: Rng,
    stop: StopFlag,
) -> int:
    """Run the iterations; the number done. ``nodes[0]`` is the root, ``work[0]`` its state."""
    node_count, edge_count = 1, 0
    nodes[0].player, nodes[0].first, nodes[0].sibling = seat, NONE, NONE
    low, high = np.inf, -np.inf
    state = work[1]
    path = new_path()
    done = 0
    while done < iterations and (stop[0] == 0 or done == 0):
        work[1] = work[0]
        determinize(state, seat, rng)
        node, depth = 0, 0
        while True:
            hidden = nodes[node].player != seat and conceals(state, seat)
            secret = playout_action(state, buffer, rng) if hidden else 0
            n = 1 if hidden else legal_actions(state, buffer)
            if hidden:
                buffer[0] = HIDDEN
            scale = 1.0 / (high - low) if high > low else 1.0
            room = edge_count < len(edges)
            chosen, is_new = _choose(nodes[node], edges, buffer, n, room, edge_count, exploration, low, scale, rng)
            if chosen == NONE:  # the tree is full and none of these actions is in it
                playout(state, playout_limit, buffer, rng, result)
                break
            path = remember(path, depth, chosen, nodes[node].player)
            depth += 1
            apply(state, secret if hidden else edges[chosen].action, rng)
            me = player(state)
            if me == OVER:
                edge_count += is_new
                scores(state, result)
                break
            if is_new:
                edge_count += 1
                playout(state, playout_limit, buffer, rng, result)
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
                playout(state, playout_limit, buffer, rng, result)
                break
        for s in range(len(result)):
            low, high = min(low, result[s]), max(high, result[s])
        book(edges, path, depth, result)
        done += 1
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
