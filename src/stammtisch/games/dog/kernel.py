"""The compiled face of the three games: rules, beliefs and observation together."""

from stammtisch.core.kernel import Kernel
from stammtisch.games.dog.beliefs import determinize
from stammtisch.games.dog.features import observe
from stammtisch.games.dog.legal import legal_actions
from stammtisch.games.dog.rules import STATE, apply, conceals, new_game, player, scores, throw

KERNEL = Kernel(
    state=STATE,
    new_game=new_game,
    player=player,
    legal_actions=legal_actions,
    apply=apply,
    scores=scores,
    observe=observe,
    determinize=determinize,
    conceals=conceals,
    outcome=throw,
)
