"""What goes into a dataset: which rounds, whose decisions, how they are split and thinned out."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.errors import BadOption
from stammtisch.logs.learn.decisions import DECISIONS

if TYPE_CHECKING:
    from stammtisch.core.game import Json


@dataclass(frozen=True)
class Recipe:
    """What goes into a dataset."""

    decisions: tuple[str, ...] = DECISIONS
    clean: bool = True  # only rounds without findings
    years: tuple[int, int] | None = None  # first and last
    players: frozenset[str] | None = None  # only the decisions of these players
    forced: bool = True  # also decisions without a choice
    balance: float | None = None  # thin out classes that have more than so many times an even share
    split: tuple[float, float, float] = (90.0, 5.0, 5.0)  # per cent of the games
    seed: int = 1  # of thinning out

    def __post_init__(self) -> None:
        if min(self.split) < 0 or abs(sum(self.split) - 100) > 1e-6:
            raise BadOption(f"--split {self.split}: three parts that make 100 together, such as 90,5,5")
        if self.balance is not None and self.balance < 1:
            raise BadOption("--balance: 1 or more; 2 leaves every class at most twice an even share")

    def wants(self, deals: Any) -> NDArray[np.bool_]:
        """Which rounds fit; the players are looked at where their names are known."""
        wanted = deals["seats"] != 0
        if self.clean:
            wanted &= deals["code"] == 0
        if self.years is not None:
            wanted &= (deals["year"] >= self.years[0]) & (deals["year"] <= self.years[1])
        return wanted

    def to_json(self) -> Json:
        values = asdict(self)
        values["players"] = None if self.players is None else len(self.players)
        return values


def _is_year(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) == 4


def read_recipe(
    decisions: str, clean: bool, years: str | None, forced: bool, balance: float | None, split: str, seed: int
) -> Recipe:
    """A recipe from what was typed."""
    wanted = tuple(name.strip() for name in decisions.split(","))
    for name in wanted:
        if name not in DECISIONS:
            raise BadOption(f"--decisions {decisions}: '{name}' is none of {', '.join(DECISIONS)}")
    span = None
    if years is not None:
        first, _, last = years.partition("-")
        if not (_is_year(first) and _is_year(last or first)):
            raise BadOption(f"--years {years}: a year, or two with a dash between them, such as 2007-2010")
        span = int(first), int(last or first)
    try:
        train, validation, test = (float(text) for text in split.split(","))
    except ValueError:
        raise BadOption(f"--split {split}: three numbers with commas between them, such as 90,5,5") from None
    ordered = tuple(name for name in DECISIONS if name in wanted)
    return Recipe(ordered, clean, span, None, forced, balance, (train, validation, test), seed)
