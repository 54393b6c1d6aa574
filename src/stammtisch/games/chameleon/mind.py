"""What is known of the game by hand, for searches: the two evaluations."""

from stammtisch.core.mind import Bare, Mind
from stammtisch.games.chameleon.evaluation import by_pawns_and_moves, by_roles
from stammtisch.games.chameleon.kernel import KERNEL

MINDS = {
    "roles": Mind(judge=Bare(by_roles), state=KERNEL.state).blank,
    "pawns": Mind(judge=Bare(by_pawns_and_moves), state=KERNEL.state).blank,
}
