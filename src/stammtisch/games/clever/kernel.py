"""The compiled face of the game."""

from stammtisch.core.kernel import Kernel
from stammtisch.games.clever.features import observe
from stammtisch.games.clever.rules import STATE, apply, legal_actions, new_game, player, scores

KERNEL = Kernel(
    state=STATE,
    new_game=new_game,
    player=player,
    legal_actions=legal_actions,
    apply=apply,
    scores=scores,
    observe=observe,
)
