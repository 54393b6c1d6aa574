"""A player of Tichu by rules of thumb: the policy of the game itself."""

from __future__ import annotations

from stammtisch.agents.policy import PolicyAgent
from stammtisch.games.tichu.policy import decide


class Heuristic(PolicyAgent):
    """Splits the hand into few and safe groups and counts what is out; see ``games/tichu/policy.py``."""

    decide = staticmethod(decide)
