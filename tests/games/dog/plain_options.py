"""The switches of madn, dmadn and dog (dog.md section 7, names of notation.md) and the rule sets that set them all."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any

GAMES = ("madn", "dmadn", "dog")


@dataclass(frozen=True)
class Options:
    """What is played; the defaults are those of madn. A switch that a game does not know has no effect there."""

    players: int = 4
    distance: int = 10  # between neighbouring start fields
    seats: tuple[int, ...] = (0, 1, 2, 3)
    teams: bool = False
    start_block: bool = False
    jump_in_goal: bool = True
    initial_free_pin: bool = False
    extra_move_on_6: bool = True
    start_on_1: bool = True
    rethrow: bool = False
    forced_start: bool = False
    forced_attack: bool = False
    friendly_fire: bool = False
    circular: bool = True
    must_traverse_start: bool = False
    joker: bool = True
    hot_7: bool = True
    swap: bool = True
    neg_4: bool = True
    fresh_start_only: bool = False
    max_steps: int | None = None  # moves after which the game is a draw; not in the rules

    @property
    def in_teams(self) -> bool:
        """Section 7: the switch is ignored unless four play."""
        return self.teams and self.players == 4


SPECIAL_CARDS = ("joker", "hot_7", "swap", "neg_4")
DEFAULTS: dict[str, dict[str, Any]] = {"madn": {}, "dmadn": {}, "dog": {"must_traverse_start": True}}
# sections 7 (the columns of defaults) and 10 (the printed rules)
PRESETS: dict[tuple[str, str], dict[str, Any]] = {
    ("madn", "seed"): {},
    ("dmadn", "seed"): {},
    ("dog", "seed"): {},
    ("madn", "schmidt"): {"initial_free_pin": True, "forced_start": True, "start_on_1": False, "circular": False},
    ("dog", "braendi"): {
        "distance": 16,
        "teams": True,
        "start_block": True,
        "fresh_start_only": True,
        "friendly_fire": True,
        "jump_in_goal": False,
    },
}


def options_of(game: str, given: dict[str, Any] | None = None) -> Options:
    """Defaults, then the preset ``rules``, then what is given by name; ``special_cards`` off beats its four."""
    if game not in GAMES:
        raise ValueError(f"game: {game!r} is none of {GAMES}")
    chosen = dict(given or {})
    preset = chosen.pop("rules", "seed")
    special_cards = chosen.pop("special_cards", True)
    if (game, preset) not in PRESETS:
        raise ValueError(f"rules: {game} has no rule set {preset!r}")
    unknown = set(chosen) - {field.name for field in fields(Options)}
    if unknown:
        raise ValueError(f"options: unknown {sorted(unknown)}")
    chosen = DEFAULTS[game] | PRESETS[game, preset] | chosen
    if not special_cards:
        chosen |= dict.fromkeys(SPECIAL_CARDS, False)
    players = chosen.get("players", 4)
    chosen["seats"] = tuple(chosen.get("seats") or range(players))
    return checked(Options(**chosen))


def checked(options: Options) -> Options:
    if options.players not in (2, 3, 4):
        raise ValueError("players: 2, 3 or 4")
    if options.distance < 4:
        raise ValueError("distance: at least 4, or thirteen steps would lead round the whole track")
    if len(options.seats) != options.players or list(options.seats) != sorted(set(options.seats) & {0, 1, 2, 3}):
        raise ValueError("seats: one of 0..3 for each player, ascending")
    return options


def as_json(options: Options) -> dict[str, Any]:
    return asdict(options) | {"seats": list(options.seats)}
