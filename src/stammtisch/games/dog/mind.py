"""What is known of the game by hand: its rules of thumb, for searches."""

from stammtisch.core.mind import Bare, Mind
from stammtisch.games.dog.kernel import KERNEL
from stammtisch.games.dog.policy import decide, estimate

HAND = Mind(pick=Bare(decide), judge=Bare(estimate), state=KERNEL.state)
MINDS = {"hand": HAND.blank}
