"""Players of clever by rules of thumb, at once: the policies of ``games/clever/policy.py``."""

from __future__ import annotations

from stammtisch.agents.policy import PolicyAgent
from stammtisch.games.clever import policy


class Greedy(PolicyAgent):
    """Takes the most points it can get now."""

    decide = staticmethod(policy.greedy)


class Heuristic(PolicyAgent):
    """Also weighs what every entry may still become."""

    decide = staticmethod(policy.decide)
