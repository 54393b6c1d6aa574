"""Many trees at once, guided by a judge: compiled code walks down until every tree waits at a leaf, one call judges all
leaves, compiled code books the answers.

Each tree is a PUCT search (Silver and others 2017) in a world of its own: the position itself, other throws of the dice
to come, or another sample of what the seat cannot see. What the seat does is decided by all trees together; below their
roots the trees know the cards of their world, as all searches in samples do, but what judges a leaf is only told what
the seat that decides there may know. Judged are the preferences of all actions and how far every side leads at the end:
its mean score less that of all others, as a part of the range of scores.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.actions import fill_mask
from stammtisch.core.compiling import compiled
from stammtisch.core.game import Game
from stammtisch.core.kernel import (
    OVER,
    Actions,
    Record,
    Records,
    Vector,
    action_at,
    apply,
    legal_actions,
    number,
    observe,
    player,
    scores,
)
from stammtisch.core.mind import judge, settle, weigh
from stammtisch.core.rng import Rng, next32, streams
from stammtisch.search.tree import key_of

Floats: TypeAlias = NDArray[np.float32]
Leads: TypeAlias = NDArray[np.float64]  # by position and side
Judge: TypeAlias = Callable[[Records, Floats, Leads], None]  # fills, for every position that is not over, the
# preferences by number (those of illegal ones mean nothing) and the leads
Network: TypeAlias = Callable[[Floats, NDArray[np.bool_]], tuple[Floats, Floats]]  # observations and masks to
# preferences and what the deciding seat's lead will still grow

EXPLORATION = 1.25
MOST_NODES = 200_000  # of all trees; a tree without room goes on from its leaves
ROOM = 16  # edges per node, on average
DEEPEST = 512
NODE = np.dtype(
    (
        np.record,
        [
            ("key", np.int64),  # hash of the state, to tell chance outcomes apart
            ("first", np.int64),  # its edges are edges[first : first + count], count 0 before they are known
            ("count", np.int64),
            ("worth", np.float64),  # the lead that the judge expects for who decides
            ("sibling", np.int64),  # next outcome of the same edge, 0 for none
        ],
    )
)
EDGE = np.dtype(
    (
        np.record,
        [
            ("action", np.int64),
            ("prior", np.float64),
            ("visits", np.int64),
            ("total", np.float64),  # sum of the deciding side's leads
            ("child", np.int64),  # first outcome node, 0 for none (the root is nobody's child)
        ],
    )
)
TREE = np.dtype(
    (
        np.record,
        [
            ("nodes", np.int64),  # in use
            ("edges", np.int64),
            ("leaf", np.int64),  # where the walk ended; -1 if there is no room for it
            ("depth", np.int64),
            ("path", np.int64, DEEPEST),  # the edges on the way down
            ("sides", np.int64, DEEPEST),  # and who chose them
            ("low", np.float64),  # leads seen so far
            ("high", np.float64),
        ],
    )
)


@dataclass(frozen=True)
class Result:
    """A root after the search: by action how often it was tried, its mean lead, how much the judge preferred it."""

    visits: dict[int, int]
    leads: dict[int, float]  # of the deciding side; NaN for an action never tried
    priors: dict[int, float]

    @property
    def action(self) -> int:
        """The most visited; of several, the one that the judge prefers."""
        return max(self.visits, key=lambda action: (self.visits[action], self.priors[action]))


def search(
    game: Game,
    worlds: Records,
    ask: Judge,
    iterations: int,
    rng: Rng,
    c: float = EXPLORATION,
    ms: float | None = None,
) -> list[Result]:
    """So many iterations in each world, one tree for each, or fewer where ``ms`` end it; in none of them is it over.

    Chance inside the trees comes from ``rng``; the same seed gives the same trees.
    """
    if iterations < 1:
        raise ValueError(f"a search needs at least one iteration, not {iterations}")
    spec, n = game.spec, len(worlds)
    size = max(2, min(iterations + 1, MOST_NODES // n))
    desk = _Desk(
        worlds,
        np.zeros((n, size), dtype=NODE),
        np.zeros((n, ROOM * size + spec.max_actions), dtype=EDGE),
        np.zeros(n, dtype=TREE),
        streams(int(next32(rng)), n),
        _plan(game, c),
        np.zeros((n, spec.numbers), dtype=np.float32),
        np.empty((2, spec.max_actions), dtype=np.int64),
    )
    desk.trees["nodes"], desk.trees["low"], desk.trees["high"] = 1, np.inf, -np.inf
    _step(_part(desk, 0), ask)  # loading the code does not count as thinking
    until = np.inf if ms is None else time.perf_counter() + ms / 1000
    for done in range(iterations):
        if done and time.perf_counter() >= until:
            break
        _step(desk, ask)
    return [_result(tree, edges) for tree, edges in zip(desk.nodes[:, 0], desk.edges, strict=True)]


def together(results: list[Result]) -> Result:
    """What several worlds that look alike to the seat that decides have found."""
    visits: dict[int, int] = {}
    totals: dict[int, float] = {}
    for one in results:
        for action, tried in one.visits.items():
            visits[action] = visits.get(action, 0) + tried
            totals[action] = totals.get(action, 0.0) + (tried * one.leads[action] if tried else 0.0)
    leads = {action: totals[action] / tried if tried else float("nan") for action, tried in visits.items()}
    return Result(visits, leads, results[0].priors)


@dataclass(frozen=True)
class _Desk:
    """What all trees work with, one row each."""

    roots: Records
    nodes: Records
    edges: Records
    trees: Records
    rngs: NDArray[np.int64]
    plan: Records
    preferences: Floats
    buffers: NDArray[np.int64]


def _part(desk: _Desk, n: int) -> _Desk:
    rows = (desk.roots[:n], desk.nodes[:n], desk.edges[:n], desk.trees[:n], desk.rngs[:n])
    return _Desk(*rows, desk.plan, desk.preferences[:n], desk.buffers)


def _step(desk: _Desk, ask: Judge) -> None:
    """One iteration in every tree."""
    leaves, leads = desk.roots.copy(), np.zeros((len(desk.roots), int(desk.plan[0].sides)))
    words = leaves.view(np.int64).reshape(len(leaves), leaves.itemsize // 8)
    _walk(leaves, words, desk.nodes, desk.edges, desk.trees, desk.rngs, desk.plan)
    ask(leaves, desk.preferences, leads)
    _book(leaves, desk.nodes, desk.edges, desk.trees, desk.preferences, leads, desk.buffers, desk.plan)


def _result(root: Record, edges: Records) -> Result:
    own = edges[root["first"] : root["first"] + root["count"]]
    visits = {int(edge["action"]): int(edge["visits"]) for edge in own}
    leads = {int(edge["action"]): float(edge["total"] / (edge["visits"] or np.nan)) for edge in own}
    return Result(visits, leads, {int(edge["action"]): float(edge["prior"]) for edge in own})


# --- judges ---------------------------------------------------------------------------------------------------------


def by_network(game: Game, network: Network) -> Judge:
    """The judge that shows a network what the deciding seats see, all positions in one call."""
    spec, plan = game.spec, _plan(game)
    buffer = np.empty(spec.max_actions, dtype=np.int64)

    def ask(positions: Records, preferences: Floats, leads: Leads) -> None:
        seen = np.zeros((len(positions), spec.observation_size), dtype=np.float32)
        masks = np.zeros((len(positions), spec.numbers), dtype=np.bool_)
        _show(positions, seen, masks, leads, buffer, plan)
        growth = np.zeros(len(positions), dtype=np.float32)
        if len(positions):
            preferences[:], growth[:] = network(seen, masks)
        _grow(positions, leads, growth, plan)

    return ask


def by_mind(game: Game, minds: Records) -> Judge:
    """The judge that asks a mind for its preferences (``weigh``) and for the scores at the end (``judge``)."""
    minds = game.knowing(minds)
    plan, buffer = _plan(game), np.empty(game.spec.max_actions, dtype=np.int64)
    weights, expected = np.empty(game.spec.max_actions), np.empty(game.spec.seats)

    def ask(positions: Records, preferences: Floats, leads: Leads) -> None:
        _ask(minds, positions, preferences, leads, buffer, weights, expected, plan)

    return ask


def _plan(game: Game, c: float = EXPLORATION) -> Records:
    """What compiled code has to know of the game."""
    spec = game.spec
    sides = [spec.side_of.get(seat, -1) for seat in range(spec.seats)]
    fields: list[Any] = [("side", np.int64, (1, spec.seats)), ("sides", np.int64), ("chance", np.int64)]
    fields += [("alike", np.int64), ("c", np.float64), ("unit", np.float64)]
    plan = np.zeros(1, dtype=np.dtype((np.record, fields)))
    plan["side"], plan["sides"], plan["chance"], plan["alike"], plan["c"] = (
        sides,
        len(spec.sides),
        spec.chance,
        spec.alike,
        c,
    )
    plan["unit"] = spec.score_range[1] - spec.score_range[0]
    return plan


@compiled
def _show(
    positions: Records, seen: Floats, masks: NDArray[np.bool_], leads: Leads, buffer: Actions, plan: Records
) -> None:
    """What the seats that decide may know, and the leads so far."""
    standing = np.zeros(plan[0].side.shape[1])
    for i in range(len(positions)):
        seat = player(positions[i])
        if seat != OVER:
            observe(positions[i], seat, seen[i])
            fill_mask(positions[i], buffer, masks[i])
            scores(positions[i], standing)
            _write_leads(standing, plan[0], leads[i])


@compiled
def _grow(positions: Records, leads: Leads, growth: Floats, plan: Records) -> None:
    """Add what the leads of those who decide will grow; leads have the sum 0, so the others lose it, all alike."""
    sides = leads.shape[1]
    for i in range(len(positions)):
        seat = player(positions[i])
        if seat != OVER:
            for side in range(sides):
                if side == plan[0].side[0, seat]:
                    leads[i, side] += growth[i]
                else:
                    leads[i, side] -= growth[i] / (sides - 1)


@compiled
def _ask(
    minds: Records,
    positions: Records,
    preferences: Floats,
    leads: Leads,
    buffer: Actions,
    weights: Vector,
    expected: Vector,
    plan: Records,
) -> None:
    for i in range(len(positions)):
        state = positions[i]
        seat = player(state)
        if seat != OVER:
            settle(minds[0], state)
            n = legal_actions(state, buffer)
            weigh(minds[0], state, buffer, n, weights)
            for j in range(n):
                preferences[i, number(state, buffer[j])] = weights[j]
            judge(minds[0], state, seat, expected)
            _write_leads(expected, plan[0], leads[i])


@compiled
def _write_leads(standing: Vector, plan: Record, out: Vector) -> None:
    """For every side its mean score less that of all others, empty seats left out; alone, its score."""
    side = plan.side[0]
    for one in range(len(out)):
        mine, others, own, rest = 0.0, 0.0, 0, 0
        for seat in range(len(side)):
            if side[seat] == one:
                mine += standing[seat]
                own += 1
            elif side[seat] >= 0:
                others += standing[seat]
                rest += 1
        out[one] = (mine / own - (others / rest if rest else 0.0)) / plan.unit


# --- trees ----------------------------------------------------------------------------------------------------------


@compiled
def _walk(
    leaves: Records,
    words: NDArray[np.int64],
    nodes: Records,
    edges: Records,
    trees: Records,
    rngs: NDArray[np.int64],
    plan: Records,
) -> None:
    """Every tree walks down from its root, which is in ``leaves`` (and in ``words``, the same bytes); there it ends."""
    side = plan[0].side[0]
    for i in range(len(leaves)):
        tree, state, node = trees[i], leaves[i], 0
        tree.depth = 0
        while True:
            here = nodes[i, node]
            tree.leaf = node
            if player(state) == OVER or here.count == 0 or tree.depth == DEEPEST:
                break
            chosen = _select(here, edges[i], tree, plan[0].c)
            tree.path[tree.depth], tree.sides[tree.depth] = chosen, side[player(state)]
            tree.depth += 1
            apply(state, edges[i, chosen].action, rngs[i])
            key = key_of(words[i]) if plan[0].chance else np.int64(0)
            child = edges[i, chosen].child
            while child != 0 and nodes[i, child].key != key:
                child = nodes[i, child].sibling
            if child == 0 and tree.nodes < nodes.shape[1]:
                child = tree.nodes
                tree.nodes += 1
                nodes[i, child].key = key
                nodes[i, child].sibling = edges[i, chosen].child
                edges[i, chosen].child = child
            if child == 0:
                tree.leaf = -1
                break
            node = child


@compiled
def _select(node: Record, edges: Records, tree: Record, c: float) -> int:
    """The edge with the highest bound; what was never tried is expected to be as good as the node so far."""
    total, visits = node.worth, 1
    for i in range(node.first, node.first + node.count):
        total += edges[i].total
        visits += edges[i].visits
    scale = 1.0 / (tree.high - tree.low) if tree.high > tree.low else 1.0
    chosen, best = node.first, -np.inf
    for i in range(node.first, node.first + node.count):
        edge = edges[i]
        mean = edge.total / edge.visits if edge.visits else total / visits
        bound = mean * scale + c * edge.prior * np.sqrt(float(visits)) / (1.0 + edge.visits)
        if bound > best:
            chosen, best = i, bound
    return chosen


@compiled
def _book(
    leaves: Records,
    nodes: Records,
    edges: Records,
    trees: Records,
    preferences: Floats,
    leads: Leads,
    buffers: NDArray[np.int64],
    plan: Records,
) -> None:
    """Give the leaves their edges, and every edge on the way the lead of who chose it."""
    standing = np.zeros(plan[0].side.shape[1])
    for i in range(len(leaves)):
        tree, state, seat = trees[i], leaves[i], player(leaves[i])
        if seat == OVER:  # what is known needs no judge
            scores(state, standing)
            _write_leads(standing, plan[0], leads[i])
        elif tree.leaf >= 0 and nodes[i, tree.leaf].count == 0:
            nodes[i, tree.leaf].worth = leads[i, plan[0].side[0, seat]]
            _expand(state, nodes[i, tree.leaf], edges[i], tree, preferences[i], buffers, plan[0].alike)
        for one in range(leads.shape[1]):
            tree.low, tree.high = min(tree.low, leads[i, one]), max(tree.high, leads[i, one])
        for step in range(tree.depth):
            edge = edges[i, tree.path[step]]
            edge.visits += 1
            edge.total += leads[i, tree.sides[step]]


@compiled
def _expand(
    state: Record,
    node: Record,
    edges: Records,
    tree: Record,
    preferences: Floats,
    buffers: NDArray[np.int64],
    alike: int,
) -> None:
    """An edge for every legal action, one for all of a number; the priors are the softmax of the preferences."""
    n, actions = legal_actions(state, buffers[0]), buffers[0]
    if tree.edges + n > len(edges):
        return
    first, count, most = tree.edges, 0, -np.inf
    for j in range(n):
        wanted, action = number(state, actions[j]), actions[j]
        if alike:
            action = action_at(state, wanted, buffers[1])
            if action != actions[j]:
                continue
        edges[first + count].action = action
        edges[first + count].prior = preferences[wanted]
        most = max(most, edges[first + count].prior)
        count += 1
    total = 0.0
    for j in range(first, first + count):
        edges[j].prior = np.exp(edges[j].prior - most)
        total += edges[j].prior
    for j in range(first, first + count):
        edges[j].prior /= total
    node.first, node.count = first, count
    tree.edges += count
