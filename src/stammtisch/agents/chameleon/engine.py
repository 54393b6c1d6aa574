"""The search behind ``best``, compiled: one player against all others together.

The searching player maximises the own share of what is left, the others are a coalition that minimises it. With two
players that is minimax. With more, the coalition answers each move by the best single reply of any
of its members (best-reply search, Schadd and Winands 2011): less true to the turn order than letting all of them move,
but twice as far-sighted, and the others rarely do conspire.

Principal-variation search with a transposition table, captures first, then killers and history, late moves searched
less deep, and captures played out at the leaves. A position that was there before, in the search or in the game, counts
as shared by all survivors: whoever is ahead does not repeat it. Wins are the better the sooner, losses the later.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from stammtisch.agents.chameleon.hand import WHOLE, WORTH, share
from stammtisch.agents.chameleon.net import JUDGE, Net, chance, teach
from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import Actions, Record
from stammtisch.core.rng import WORDS
from stammtisch.games.chameleon.board import PAWNS, PLAYERS, ROLE, SQUARES
from stammtisch.games.chameleon.rules import MOST_MOVES, apply, moves_of, set_turn, survivors

MAX_PLY = 64
DEEPEST = 40  # the rest is for captures
WIN = 1_000_000  # minus the number of moves to get there
CERTAIN = WIN - 1_000  # beyond this the search has seen the end of the game
INFINITE = 2_000_000
NO_MOVE = 0  # square 0 to square 0: no pawn does that

LOWER, UPPER, EXACT = 1, 2, 3  # what a stored score says about the true one

ENTRY = np.dtype(
    (
        np.record,
        [("key", np.int64), ("score", np.int32), ("move", np.int16), ("depth", np.int8), ("bound", np.int8)],
    )
)

_FIRST = 1 << 40  # priorities: the move that was best before, captures, killers, then by history
_CAPTURE = 1 << 30
_KILLER = 1 << 20
_TOO_OFTEN = 1 << 19

# The limit of moves is part of what a stored score means when the search can see it.
_NEAR_END = 48
_PLIES_LEFT_KEY = np.random.default_rng(1990).integers(1, 2**63 - 1, _NEAR_END)
_ROOT_KEY = np.random.default_rng(1992).integers(1, 2**63 - 1, (2, PLAYERS))


_MOVES = (MAX_PLY + 1, PLAYERS * MOST_MOVES)


@cache
def _desk(state: np.dtype[np.void], entries: int) -> np.dtype[np.void]:
    """Everything a search reads and writes, in one record: arrays one by one would cost a tenth of its speed."""
    fields = [
        ("states", state, MAX_PLY + 1),  # one per ply
        ("moves", np.int64, _MOVES),  # ply, number
        ("priority", np.int64, _MOVES),
        ("path", np.int64, MAX_PLY + 1),  # keys of the positions on the way from the root
        ("seen", np.int64, 64),  # keys of earlier positions of the game; unused places are 0
        ("killers", np.int64, (MAX_PLY + 2, 2)),  # ply: two quiet moves that refuted a sibling
        ("history", np.int64, (PAWNS, SQUARES)),  # how useful it was elsewhere to bring this pawn there
        ("nodes", np.int64),
        ("choice", np.int64),  # the best move at the root so far
        ("learned", np.int64),  # 1: positions are judged by the network, 0: by hand
        ("stop", np.int64, 1),  # raised by the clock
        ("rngs", np.int64, (1, WORDS)),  # this game has no chance: never read
        ("judge", JUDGE),
        ("table", ENTRY, entries),
    ]
    return np.dtype((np.record, np.dtype(fields, align=True)))


def new_desk(layout: np.dtype[np.void], entries: int, net: Net | None = None) -> Record:
    """``entries`` of the transposition table: a power of two. Without a network, positions are judged by hand."""
    desk = np.zeros(1, dtype=_desk(layout, entries))[0]
    desk.learned = net is not None
    if net is not None:
        teach(desk.judge, net)
    return desk


# Called from Python only: numba 0.68 crashes when a function that calls a self-recursive one comes from the cache.
@compiled
def visit(desk: Record, ply: int, depth: int, alpha: int, beta: int, root: int, replies: int) -> int:
    """The score of ``desk.states[ply]`` for the side that moves there: ``root``, or the coalition of all others.

    ``replies`` is 1 for best-reply search, 0 if everybody
    moves in turn. When ``desk.stop`` was raised the result means nothing.
    """
    desk.nodes += 1
    state = desk.states[ply]
    mine = state.turn == root
    sign = 1 if mine else -1
    if state.over or state.alive[root] == 0:
        return sign * _end(state, root, ply)
    if (depth > 0 or ply == 1) and ply > 0 and _seen_before(desk, state.key, ply):
        return sign * (WHOLE // survivors(state))
    desk.path[ply] = state.key
    if ply == MAX_PLY:
        return sign * worth(desk, state, root)

    best = -INFINITE
    before = alpha
    first = NO_MOVE
    entry = desk.table[0]
    key = 0
    if depth > 0:
        key = state.key ^ _ROOT_KEY[replies, root]
        if state.max_plies and state.max_plies - state.ply < _NEAR_END:
            key ^= _PLIES_LEFT_KEY[state.max_plies - state.ply]
        entry = desk.table[key & len(desk.table) - 1]
        if entry.key == key:
            first = int(entry.move)
            if ply > 0 and entry.depth >= depth:
                score = _from_table(entry.score, ply)
                if (
                    entry.bound == EXACT
                    or (entry.bound == LOWER and score >= beta)
                    or (entry.bound == UPPER and score <= alpha)
                ):
                    return score
    else:
        best = sign * worth(desk, state, root)
        if best >= beta:
            return best
        alpha = max(alpha, best)

    n = _candidates(desk, ply, depth, root, replies, mine, first)
    chosen = NO_MOVE
    for i in range(n):
        move = _next(desk.moves[ply], desk.priority[ply], i, n)
        quiet = state.board[move & 63] == 0
        play(desk, ply, move, root, replies, mine)
        again = (desk.states[ply + 1].turn == root) == mine  # the same side moves on
        score = 0
        reduction = 0
        if i > 0 and depth > 0:  # look whether it is better than the best so far, late moves less deep
            if quiet and depth >= 3 and i >= 3:
                reduction = 1 + (i >= 12)
            if again:
                score = visit(desk, ply + 1, depth - 1 - reduction, alpha, alpha + 1, root, replies)
            else:
                score = -visit(desk, ply + 1, depth - 1 - reduction, -alpha - 1, -alpha, root, replies)
        if i == 0 or depth <= 0 or (score > alpha and (reduction > 0 or score < beta)):
            if again:
                score = visit(desk, ply + 1, depth - 1, alpha, beta, root, replies)
            else:
                score = -visit(desk, ply + 1, depth - 1, -beta, -alpha, root, replies)
        if desk.stop[0]:
            return 0
        if score > best:
            best = score
            chosen = move
            if score > alpha:
                alpha = score
                if ply == 0:
                    desk.choice = move
                if alpha >= beta:
                    if quiet and depth > 0:
                        _remember(desk, state, ply, depth, move)
                    break
    if depth > 0:
        entry.key = key
        entry.score = _to_table(best, ply)
        entry.move = chosen
        entry.depth = depth
        entry.bound = LOWER if best >= beta else EXACT if best > before else UPPER
    return best


@compiled
def _end(state: Record, root: int, ply: int) -> int:
    """The score of a finished game for the root, sooner won and later lost being better."""
    if state.alive[root] == 0:
        return ply - WIN
    alive = survivors(state)
    return WIN - ply if alive == 1 else WHOLE // alive


@compiled
def worth(desk: Record, state: Record, root: int) -> int:
    """What an open position is worth to the root, as a part of WHOLE."""
    if desk.learned:
        return int(WHOLE * chance(desk.judge, state, root))
    return share(state, root)


@compiled
def _seen_before(desk: Record, key: int, ply: int) -> bool:
    """Whether this position was on the way here already, in the search or in the game."""
    for earlier in range(ply - 1, -1, -1):
        if desk.path[earlier] == key:
            return True
    for earlier in desk.seen:
        if earlier == 0:
            break
        if earlier == key:
            return True
    return False


@compiled
def _to_table(score: int, ply: int) -> int:
    """Stored wins and losses count from the stored position, not from the root."""
    if score > CERTAIN:
        return score + ply
    return score - ply if score < -CERTAIN else score


@compiled
def _from_table(score: int, ply: int) -> int:
    if score > CERTAIN:
        return score - ply
    return score + ply if score < -CERTAIN else score


@compiled
def _candidates(desk: Record, ply: int, depth: int, root: int, replies: int, mine: bool, first: int) -> int:
    """List the moves of this node with their priorities; below the leaves only captures that can matter."""
    state = desk.states[ply]
    moves, priority = desk.moves[ply], desk.priority[ply]
    n = 0
    if mine or not replies:
        n = moves_of(state, state.turn, moves)
    else:
        for player in range(PLAYERS):
            if player != root and state.alive[player]:
                n += moves_of(state, player, moves[n:])
    kept = 0
    for i in range(n):
        move = moves[i]
        victim = state.board[move & 63] - 1
        if depth <= 0 and (victim < 0 or (not mine and victim >> 2 != root)):
            continue
        moves[kept] = move
        priority[kept] = _priority(desk, state, ply, move, victim, root, mine, first)
        kept += 1
    return kept


@compiled
def _priority(desk: Record, state: Record, ply: int, move: int, victim: int, root: int, mine: bool, first: int) -> int:
    if move == first:
        return _FIRST
    if victim >= 0:
        if not mine and victim >> 2 != root:
            return -1  # the coalition gains nothing by eating its own
        return _CAPTURE + WORTH[ROLE[victim & 3, move & 63]] - WORTH[ROLE[state.board[move >> 6] - 1 & 3, move >> 6]]
    if move == desk.killers[ply, 0]:
        return _KILLER + 1
    if move == desk.killers[ply, 1]:
        return _KILLER
    return desk.history[state.board[move >> 6] - 1, move & 63]


@compiled
def _next(moves: Actions, priority: Actions, i: int, n: int) -> int:
    """Bring the most promising of the moves from the i-th on to its place."""
    best = i
    for j in range(i + 1, n):
        if priority[j] > priority[best]:
            best = j
    moves[i], moves[best] = moves[best], moves[i]
    priority[i], priority[best] = priority[best], priority[i]
    return moves[i]


@compiled
def play(desk: Record, ply: int, move: int, root: int, replies: int, mine: bool) -> None:
    """Write the position after the move to the next ply; in best-reply search the root moves after any reply."""
    desk.states[ply + 1] = desk.states[ply]
    after = desk.states[ply + 1]
    if replies and not mine:
        set_turn(after, after.board[move >> 6] - 1 >> 2)
        apply(after, move, desk.rngs[0])
        if not after.over and after.alive[root]:
            set_turn(after, root)
    else:
        apply(after, move, desk.rngs[0])


@compiled
def _remember(desk: Record, state: Record, ply: int, depth: int, move: int) -> None:
    """A quiet move that refuted the one before is tried early elsewhere."""
    if desk.killers[ply, 0] != move:
        desk.killers[ply, 1] = desk.killers[ply, 0]
        desk.killers[ply, 0] = move
    pawn = state.board[move >> 6] - 1
    desk.history[pawn, move & 63] += depth * depth
    if desk.history[pawn, move & 63] > _TOO_OFTEN:
        for other in range(PAWNS):
            for square in range(SQUARES):
                desk.history[other, square] >>= 1
