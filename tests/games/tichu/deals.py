"""Deals and positions in which something happens, biased random moves, and the engine beside the plain referee."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import stammtisch as st
from games.tichu import plain, plain_round
from stammtisch.core.game import State

BOMBS = [[suit + number for suit in "SBGR"] for number in plain.NUMBERS] + [
    [suit + number for number in [*plain.NUMBERS][low : low + size]]
    for suit in "SBGR"
    for size in (5, 6, 7)
    for low in range(14 - size)
]


def hands_with_bombs(rng: Random, sizes: list[int]) -> list[list[str]]:
    """Different cards for four hands: mostly a bomb first, then special cards more often than others."""
    hands: list[list[str]] = []
    free = plain.DECK
    for size in sizes:
        fitting = [bomb for bomb in BOMBS if len(bomb) <= size and set(bomb) <= set(free)]
        hands.append(list(rng.choice(fitting)) if fitting and rng.random() < 0.6 else [])
        free = [card for card in free if card not in hands[-1]]
    free = sorted(free, key=lambda card: rng.random() * (1 if card in plain.SUITED else 0.3))
    for hand, size in zip(hands, sizes, strict=True):
        missing = size - len(hand)
        hand += free[:missing]
        free = free[missing:]
    return hands


def dealt_position(rng: Random, phase: str = "play") -> dict[str, Any]:
    """All cards in four hands with bombs, before schupfen or before the first trick."""
    hands = hands_with_bombs(rng, [14, 14, 14, 14])
    holder = next(seat for seat in range(4) if "Ma" in hands[seat])
    return {"hands": hands, "player": holder if phase == "play" else 0, "phase": phase}


def late_position(rng: Random) -> dict[str, Any]:
    """A few cards in each hand, somebody to lead; perhaps one is out, perhaps there are calls or a wish."""
    sizes = [rng.randint(1, 9) for _ in range(4)]
    if rng.random() < 0.4:
        sizes[rng.randrange(4)] = 0
    hands = hands_with_bombs(rng, sizes)
    wish = 0 if any("Ma" in hand for hand in hands) else rng.choice([0, rng.randint(2, 14)])
    return {
        "hands": hands,
        "player": rng.choice([seat for seat in range(4) if sizes[seat]]),
        "phase": "play",
        "announced": [rng.choice([0, 0, 1, 2]) for _ in range(4)],
        "has_played": [rng.random() < 0.7 or size == 0 for size in sizes],
        "wish": wish,
        "points": [5 * rng.randint(0, 4) for _ in range(4)],
        "score": [5 * rng.randint(-40, 180) for _ in range(2)],
    }


def choose(rng: Random, moves: list[str]) -> str:
    """Any move, but bombs, long combinations, special cards and the lower reading of the Phoenix more often."""
    plays = [move for move in moves if move[0].isupper()]
    if "pass" in moves and all(map(plain.bomb_reading, map(str.split, plays))) and rng.random() < 0.7:
        return "pass"  # keep bombs back, so that they also come late
    if plays and rng.random() < 0.5:
        for wanted, likely in (
            ([move for move in plays if plain.bomb_reading(move.split())], 0.4),
            ([move for move in plays if "=" in move], 0.4),
            ([move for move in plays if move in ("Hu", "Dr", "Ph") or move.startswith("Ma")], 0.5),
            ([move for move in plays if len(move.split()) == max(len(play.split()) for play in plays)], 0.7),
        ):
            if wanted and rng.random() < likely:
                return rng.choice(wanted)
        return rng.choice(plays)
    if rng.random() < 0.9:
        moves = [move for move in moves if move not in ("tichu", "grand")] or moves
    return rng.choice(moves)


def some_move(rng: Random, state: State) -> str:
    """A biased move; when schupfing any, there are too many to look at."""
    actions = state.actions()
    return state.game.format(rng.choice(actions)) if len(actions) > 2000 else choose(rng, state.moves())


def visited(position: dict[str, Any] | None, rng: Random, **options: Any) -> Iterator[State]:
    """Every state of a biased random game, from a position or from the deal; the same object each time."""
    game = st.game("tichu", **options)
    seed = rng.randrange(2**31)
    state = game.new(seed) if position is None else game.from_json(position, seed)
    while not state.over:
        yield state
        state.play(some_move(rng, state))
    yield state


class Both:
    """A game in the engine and at the plain referee's table; after every move they are compared."""

    def __init__(self, position: dict[str, Any] | None, seed: int = 0, **options: Any) -> None:
        game = st.game("tichu", **options)
        self.state = game.new(seed) if position is None else game.from_json(position, seed)
        self.table = plain_round.table(self.state.to_json())
        self.compare()

    def compare(self) -> None:
        found, t = self.state.to_json(), self.table
        if t.phase == "deal":
            plain_round.deal(t, found["hands"], found["undealt"])
        assert (found["player"], found["phase"]) == (plain_round.decider(t), t.phase)
        assert [set(hand) for hand in found["hands"]] == [set(hand) for hand in t.hands]
        for key in (
            "announced",
            "has_played",
            "points",
            "out",
            "wish",
            "fulfilled",
            "score",
            "starter",
            "dragon",
            "round",
        ):
            assert found[key] == getattr(t, key), key
        assert found["passes"] == len([seat for seat in t.passed if t.hands[seat]])
        top = t.top or ("", 0, 0)
        trick = dict(zip(("type", "length", "rank"), top, strict=True))
        trick |= {"owner": t.owner, "cards": t.cards, "points": t.trick_points}
        assert found["trick"] == (trick if t.top else None)

    def moves(self) -> list[str]:
        """The legal moves, which both agree upon."""
        if self.table.phase == "schupf":
            seat = self.table.turn
            own = [f"schupf {' '.join(self.table.hands[seat][i : i + 3])}" for i in range(12)]
            calls = ["tichu"] if plain_round.may_call(self.table, seat) else []
            assert len(self.state.actions()) == 2184 + len(calls)
            assert {self.state.game.parse(move) for move in own + calls} <= set(self.state.actions())
            return own + calls
        found = self.state.moves()
        assert len(found) == len(set(found))
        assert set(found) == plain_round.moves(self.table)
        return found

    def play(self, *moves: str) -> None:
        for move in moves:
            self.state.play(move)
            plain_round.play(self.table, move)
            self.compare()

    def announce(self, seat: int) -> None:
        """Call tichu out of turn."""
        assert plain_round.may_call(self.table, seat)
        self.state.play(f"tichu {seat}")
        self.table.announced[seat] = 1
        self.compare()

    def play_on(self, rng: Random) -> None:
        """Play random moves to the end."""
        while not self.state.over:
            self.play(choose(rng, self.moves()))
        assert plain_round.moves(self.table) == set()
