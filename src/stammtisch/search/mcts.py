"""Monte-Carlo tree search (UCT) for two and more players, with chance by sampling.

Each iteration walks down the tree by upper confidence bounds, adds one node, plays the game to its
end and books the result on the way back. Every edge keeps the score sum of the seat that decides
there, so any number of players and any teams work without change. Where dice or deals follow a
move, the edge leads to one node per outcome seen; outcomes are told apart by the whole state.

Scores are scaled to 0..1 by the lowest and highest result seen in this search, so the exploration
constant means the same in every game.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.checks import generator
from stammtisch.core.compiling import compiled
from stammtisch.core.errors import UnsuitableAgent
from stammtisch.core.game import State
from stammtisch.core.kernel import OVER, Actions, Records, Vector, apply, legal_actions, player, scores
from stammtisch.core.mind import settle
from stammtisch.core.rng import Rng, below
from stammtisch.search.clock import NO_LIMIT, StopFlag, run_timed
from stammtisch.search.limits import limits
from stammtisch.search.needs import open_cards
from stammtisch.search.playout import playout
from stammtisch.search.tree import (
    EXPLORATION,
    MAX_NODES,
    Result,
    book,
    key_of,
    lead,
    new_path,
    remember,
    rivals,
    root_result,
)

NODE = np.dtype(
    [
        ("key", np.int64),  # hash of the state, to tell chance outcomes apart
        ("first", np.int64),  # its edges are edges[first : first + count], count 0 before the second visit
        ("count", np.int64),
        ("visits", np.int64),
        ("sibling", np.int64),  # next outcome of the same edge, 0 for none
    ]
)
EDGE = np.dtype(
    [
        ("action", np.int64),
        ("visits", np.int64),
        ("total", np.float64),  # sum of the deciding seat's scores
        ("child", np.int64),  # first outcome node, 0 for none (the root is nobody's child)
    ]
)


def search(
    state: State,
    rng: Rng,
    iterations: int | None = None,
    ms: float | None = None,
    exploration: float = EXPLORATION,
    playout_limit: int = NO_LIMIT,
    minds: Records | None = None,
) -> Result:
    """Search with a fixed number of iterations (the same seed gives the same result) or for ``ms``.

    ``minds`` is the mind that plays on; without one the game's own, by hand.
    """
    reason = open_cards(state.game.info)
    if reason:
        raise UnsuitableAgent(f"{state.game.info.name}: {reason}")
    actions = state.actions()
    if not actions:
        raise ValueError("the game is over: there is no move to search for")
    limits(iterations, ms, playout_limit, exploration)
    generator(rng)
    spec = state.game.spec
    size = MAX_NODES if iterations is None else min(MAX_NODES, iterations + 2)
    nodes = np.zeros(size, dtype=NODE).view(np.recarray)
    edges = np.empty(max(16 * size, spec.max_actions), dtype=EDGE).view(np.recarray)
    work = state.game.kernel.blank(2)  # the root and the state that walks down
    work[0] = state.record
    words = work.view(np.int64).reshape(2, -1)
    buffer = np.empty(spec.max_actions, dtype=np.int64)
    result = np.zeros(spec.seats)
    minds = state.game.knowing(minds)
    settle(minds[0], work[0])

    def run(n: int, stop: StopFlag) -> int:
        args = (
            minds,
            work,
            words,
            nodes,
            edges,
            buffer,
            result,
            rivals(spec),
            spec.chance,
            n,
            exploration,
            playout_limit,
            rng,
            stop,
        )
        return int(_search(*args))

    done = run_timed(run, iterations, ms)
    root = {int(edge.action): edge for edge in edges[nodes[0].first : nodes[0].first + nodes[0].count]}
    return root_result(actions, root, done)


@compiled
def _search(
    minds: Records,
    work: Records,
    words: NDArray[np.int64],
    nodes: Records,
    edges: Records,
    buffer: Actions,
    result: Vector,
    sides: NDArray[np.int64],
    chance: bool,
    iterations: int,
    exploration: float,
    playout_limit: int,
    rng: Rng,
    stop: StopFlag,
) -> int:
    """Run the iterations; the number done. ``nodes[0]`` is the root, ``work[0]`` its state."""
    node_count, edge_count = 1, 0
    low, high = np.inf, -np.inf
    mind = minds[0]
    state, seat = work[1], player(work[0])
    path = new_path()
    done = 0
    while done < iterations and (stop[0] == 0 or done == 0):
        work[1] = work[0]
        node, depth = 0, 0
        while True:
            here = nodes[node]
            here.visits += 1
            me = player(state)
            if me == OVER:
                scores(state, result)
                break
            if here.count == 0 and (node == 0 or here.visits > 1):
                n = legal_actions(state, buffer)
                if edge_count + n <= len(edges):
                    _add_edges(here, edges, edge_count, buffer, n, rng)
                    edge_count += n
            if here.count == 0:
                playout(mind, seat, state, playout_limit, buffer, rng, result)
                break
            scale = 1.0 / (high - low) if high > low else 1.0
            chosen = _select(here, edges, exploration, low, scale)
            path = remember(path, depth, chosen, me)
            depth += 1
            apply(state, edges[chosen].action, rng)
            key = key_of(words[1]) if chance else np.int64(0)
            child = edges[chosen].child
            while child != 0 and nodes[child].key != key:
                child = nodes[child].sibling
            if child == 0 and node_count < len(nodes):
                child = node_count
                node_count += 1
                nodes[child].key = key
                nodes[child].sibling = edges[chosen].child
                edges[chosen].child = child
            if child == 0:  # no room for another node
                playout(mind, seat, state, playout_limit, buffer, rng, result)
                break
            node = child
        lead(result, sides)
        for one in range(len(result)):
            low, high = min(low, result[one]), max(high, result[one])
        book(edges, path, depth, result)
        done += 1
    return done


@compiled
def _add_edges(node: Records, edges: Records, first: int, actions: Actions, n: int, rng: Rng) -> None:
    """Give the node an edge per action, in random order, so that untried ones are tried in no preferred order."""
    node.first, node.count = first, n
    for i in range(n):
        j = below(rng, i + 1)  # shuffle while inserting
        edges[first + i].action = edges[first + j].action
        edges[first + j].action = actions[i]
        edges[first + i].visits = 0
        edges[first + i].total = 0.0
        edges[first + i].child = 0


@compiled
def _select(node: Records, edges: Records, exploration: float, low: float, scale: float) -> int:
    """The untried edge that comes first, else the one with the highest upper confidence bound."""
    chosen, best = node.first, -np.inf
    log_visits = np.log(float(node.visits))
    for i in range(node.first, node.first + node.count):
        edge = edges[i]
        if edge.visits == 0:
            return i
        mean = (edge.total / edge.visits - low) * scale
        bound = mean + exploration * np.sqrt(log_visits / edge.visits)
        if bound > best:
            chosen, best = i, bound
    return chosen
