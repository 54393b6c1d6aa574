"""The numbers that a search is given, looked at before compiled code gets them."""

from __future__ import annotations

from stammtisch.core.checks import real, whole
from stammtisch.core.errors import BadNumber

_MOST = 1 << 60


def limits(
    iterations: int | None, ms: float | None, playout_limit: int, exploration: float = 1.0, expand_after: int = 1
) -> None:
    """Refuse numbers that compiled searches would take and not survive."""
    if iterations is not None and whole(iterations, "the number of iterations", -_MOST, _MOST) < 1:
        raise BadNumber(f"a search needs at least one iteration, not {iterations}")
    if ms is not None:
        real(ms, "a time in milliseconds", 0.0, 1e12)
    whole(playout_limit, "the limit of a playout", 0, _MOST)
    whole(expand_after, "the number of visits before a node", 1, _MOST)
    real(exploration, "exploration", 0.0, 1e9)
