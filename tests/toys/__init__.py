"""Small games that no shop sells: each has one trait that tictactoe lacks."""

from toys.climb import Climb
from toys.pennies import (
    PENNIES_FUNCTIONS,
    PENNIES_STATE,
    Pennies,
    pennies_apply,
    pennies_legal_actions,
    pennies_player,
)
from toys.pig import PIG_FUNCTIONS, PIG_STATE, Pig, pig_apply
from toys.treelet import TREE_DEPTH, Treelet
from toys.whistlet import WHIST_FUNCTIONS, WHIST_STATE, Whistlet, whist_apply, whist_suit

__all__ = [
    "PENNIES_FUNCTIONS",
    "PENNIES_STATE",
    "PIG_FUNCTIONS",
    "PIG_STATE",
    "TREE_DEPTH",
    "WHIST_FUNCTIONS",
    "WHIST_STATE",
    "Climb",
    "Pennies",
    "Pig",
    "Treelet",
    "Whistlet",
    "pennies_apply",
    "pennies_legal_actions",
    "pennies_player",
    "pig_apply",
    "whist_apply",
    "whist_suit",
]
