"""Positions of random games, for hypothesis and for the searches."""

from collections.abc import Iterator

from hypothesis import strategies as some

import stammtisch as st
from games.chameleon import plain
from stammtisch.core.game import State
from stammtisch.core.rng import below, stream
from stammtisch.games.chameleon import LINE_UPS


def random_position(seed: int, line_up: str, moves: int, max_plies: int | None = None) -> State:
    """The position after so many random moves; one earlier where the game is over."""
    state = st.game("chameleon", players=line_up, max_plies=max_plies).new()
    rng = stream(seed)
    for _ in range(moves):
        actions = state.actions()
        after = state.copy()
        after.apply(actions[int(below(rng, len(actions)))])
        if after.over:
            break
        state = after
    return state


def positions() -> some.SearchStrategy[State]:
    return some.builds(random_position, some.integers(0, 2**32), some.sampled_from(LINE_UPS), some.integers(0, 120))


def many_positions(line_up: str, n: int, first: int = 0) -> Iterator[State]:
    """One random position per seed, at all stages of the game."""
    for seed in range(first, first + n):
        yield random_position(seed, line_up, seed * 7 % 90)


def as_plain(state: State) -> plain.Position:
    found = state.to_json()
    min_row, max_row, min_column, max_column = found["limits"]
    pawns = frozenset((player, k, row, column) for player, k, row, column in found["pawns"])
    return (min_row, max_row, min_column, max_column), int(state.record.turn), pawns
