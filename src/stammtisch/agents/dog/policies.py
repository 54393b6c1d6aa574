"""Players of madn, dmadn and dog by rules of thumb, at once: the policies of ``games/dog/policy.py``."""

from __future__ import annotations

from stammtisch.agents.policy import PolicyAgent
from stammtisch.games.dog import policy


class Greedy(PolicyAgent):
    """Moves so that its side is as far ahead as possible after the move."""

    decide = staticmethod(policy.greedy)


class Rules(PolicyAgent):
    """Also runs from danger, hunts, keeps cards for later and thinks of the partner."""

    decide = staticmethod(policy.decide)
