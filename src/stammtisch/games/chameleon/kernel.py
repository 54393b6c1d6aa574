"""The compiled face of the game: rules and observation together."""

from stammtisch.core.kernel import Kernel
from stammtisch.games.chameleon.features import planes
from stammtisch.games.chameleon.rules import STATE, apply, legal_actions, new_game, player, scores

KERNEL = Kernel(
    state=STATE,
    new_game=new_game,
    player=player,
    legal_actions=legal_actions,
    apply=apply,
    scores=scores,
    observe=planes,
)
