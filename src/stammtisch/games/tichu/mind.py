"""What is known of the game by hand: its rules of thumb, for searches."""

from stammtisch.core.mind import Bare, Mind
from stammtisch.games.tichu.kernel import KERNEL
from stammtisch.games.tichu.policy import decide

HAND = Mind(pick=Bare(decide), state=KERNEL.state)
MINDS = {"hand": HAND.blank}
