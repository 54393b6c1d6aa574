"""The compiled face of the game: rules, beliefs, numbers and observation together."""

from stammtisch.core.kernel import Kernel
from stammtisch.games.tichu.beliefs import determinize
from stammtisch.games.tichu.features import observe
from stammtisch.games.tichu.numbers import action_at, number
from stammtisch.games.tichu.rules import STATE, apply, conceals, legal_actions, new_game, player, scores

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
    number=number,
    action_at=action_at,
)
