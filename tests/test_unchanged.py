"""What may change only on purpose: the rules of every game, and the moves of the players that ship.

``python tests/test_unchanged.py`` writes ``unchanged.json`` anew: commit it together with the reason.
"""

import hashlib
import json
from pathlib import Path

import pytest

import stammtisch as st
from stammtisch.agents.catalog import agent
from stammtisch.bench import signature
from stammtisch.core.rng import stream

KNOWN = Path(__file__).with_name("unchanged.json")
GAMES = ("chameleon", "clever", "dmadn", "dog", "madn", "tichu", "tictactoe")
MOST_MOVES = 60
LINE_UPS = {  # game, options, who sits where; budgets are iterations or depths, never times
    "tictactoe": ("tictactoe", {}, ["maxn:depth=9", "mcts:iterations=200"]),
    "tictactoe, two that look ahead": ("tictactoe", {}, ["paranoid:depth=5", "hypermax:depth=5"]),
    "chameleon, two": ("chameleon", {"players": 2}, ["best:depth=4", "maxn:depth=3"]),
    "chameleon, three": ("chameleon", {"players": 3}, ["best:depth=3", "paranoid:depth=3", "hypermax:depth=3"]),
    "chameleon, four": ("chameleon", {"players": 4}, ["best:depth=3", "maxn:depth=2", "td", "best:level=easy"]),
    "chameleon, by hand": ("chameleon", {"players": 2}, ["best:depth=4,evaluation=hand", "mcts:iterations=100"]),
    "clever": ("clever", {}, ["best"]),
    "clever, two": ("clever", {"players": 2}, ["value", "heuristic"]),
    "clever, look-ahead": ("clever", {}, ["best:throws=5"]),
    "clever, thesis": ("clever", {"rules": "thesis"}, ["ppo"]),
    "clever, search": ("clever", {}, ["mcts:iterations=50"]),
    "clever, others": ("clever", {"players": 2}, ["expectimax:samples=5", "greedy"]),
    "madn": ("madn", {"teams": True}, ["rules", "greedy", "mcts:iterations=100", "expectimax:depth=1"]),
    "dmadn": ("dmadn", {"teams": True}, ["rules", "greedy", "mcts:iterations=100", "maxn:depth=2"]),
    "dog": ("dog", {"teams": True}, ["rules", "greedy", "ismcts:iterations=60", "pimc:iterations=60"]),
    "madn, learned": ("madn", {"teams": True}, ["value", "best", "best:level=normal", "best:level=easy"]),
    "dmadn, learned": ("dmadn", {"teams": True}, ["value", "best:depth=3", "best:level=normal", "best:level=easy"]),
    "dog, learned": ("dog", {"teams": True}, ["value", "best:iterations=30", "best:level=normal", "best:level=easy"]),
    "tichu": (
        "tichu",
        {"rounds": 1},
        ["heuristic", "ismcts:iterations=60", "pimc:iterations=60", "heuristic:slips=0.4"],
    ),
}


def moves_of(name: str) -> str:
    """A fingerprint of one game of this line-up."""
    game_name, options, players = LINE_UPS[name]
    game = st.game(game_name, **options)  # type: ignore[arg-type]
    state, seated = game.new(seed=20), {}
    for seat, player in zip(game.spec.taken, players, strict=False):
        seated[seat] = agent(player, game)
    for seat in game.spec.taken:  # the rest are of the first kind
        seated.setdefault(seat, agent(players[0], game))
    played: list[str] = []
    while not state.over and len(played) < MOST_MOVES:
        assert state.player is not None
        choice = seated[state.player].choose(state.seat(state.player), stream(len(played)))
        played.append(game.format(choice.action))
        state.apply(choice.action)
    return hashlib.sha256("\n".join(played).encode()).hexdigest()[:16]


@pytest.mark.parametrize("name", GAMES)
def test_the_rules_are_what_they_were(name: str) -> None:
    assert signature(st.game(name)) == json.loads(KNOWN.read_text())["games"][name]


@pytest.mark.parametrize("name", LINE_UPS)
def test_the_players_play_what_they_played(name: str) -> None:
    assert moves_of(name) == json.loads(KNOWN.read_text())["players"][name]


if __name__ == "__main__":
    found = {
        "games": {name: signature(st.game(name)) for name in GAMES},
        "players": {name: moves_of(name) for name in LINE_UPS},
    }
    KNOWN.write_text(json.dumps(found, indent=1) + "\n")
