"""Ganz schön clever: dice on a score sheet, alone or with up to three others."""

from stammtisch.core.info import GameInfo, Option

INFO = GameInfo(
    name="clever",
    title="Ganz schön clever",
    summary="Choose dice, fill five areas, set off chains of bonuses; alone for a high score, or 2 to 4",
    seats=(1, 4),
    loader="stammtisch.games.clever.game:Clever",
    chance=True,
    options=(
        Option(
            "rules",
            "official",
            "official: the printed game; thesis: simplified for learning; prototype: the yellow area alone",
            choices=("official", "thesis", "prototype"),
        ),
        Option("players", 1, "how many play", low=1, high=4),
        Option(
            "bonus_order",
            "player",
            "who orders several open bonuses: the player, or a queue, oldest first",
            choices=("player", "queue"),
        ),
        Option("bonus_optional", False, "a bonus that enters something may be declined"),
        Option("pass_anytime", False, "a roll of the active turn may be passed though a die fits"),
        Option("passive_optional", True, "a die of the tray need not be used though one fits"),
        Option("passive_fallback", False, "alone: when no die of the tray fits, one of the other three may be used"),
        Option("dice", None, "of the prototype, 2 or 4; none = all", kind=int, choices=(2, 4), optional=True),
    ),
)
