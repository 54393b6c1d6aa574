"""Kuhn's and Leduc poker: games small enough to be solved exactly, as yardsticks for searches that imagine cards.

Not in the list of games: nobody wants to play them. ``from stammtisch.games.poker.game import Kuhn, Leduc``.
"""

from stammtisch.core.info import GameInfo

KUHN = GameInfo(
    name="kuhn",
    title="Kuhn poker",
    summary="Three cards, one each, one bet: the smallest poker (Kuhn 1950)",
    seats=(2, 2),
    loader="stammtisch.games.poker.game:Kuhn",
    hidden=True,
    peer="kuhn_poker",
)
LEDUC = GameInfo(
    name="leduc",
    title="Leduc poker",
    summary="Six cards of three ranks, two rounds of bets, a card for both between them (Southey and others 2005)",
    seats=(2, 2),
    loader="stammtisch.games.poker.game:Leduc",
    hidden=True,
    chance=True,
    peer="leduc_poker",
)
