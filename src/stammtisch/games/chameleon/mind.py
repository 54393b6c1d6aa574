"""What is known of the game by hand, for searches: the two evaluations."""

from stammtisch.core.mind import Bare, Mind
from stammtisch.games.chameleon.evaluation import by_pawns_and_moves, by_roles

MINDS = {"roles": Mind(judge=Bare(by_roles)).blank, "pawns": Mind(judge=Bare(by_pawns_and_moves)).blank}
