"""Chamäleon Schach: pawns that change their role with the colour of their square, on a board that shrinks."""

from stammtisch.core.info import GameInfo, Option

LINE_UPS = ("RG", "RY", "RB", "GY", "GB", "YB", "RGY", "RGB", "RYB", "GYB", "RGYB")

INFO = GameInfo(
    name="chameleon",
    title="Chamäleon Schach",
    summary="Chess for 2 to 4 with pawns that change their role on a shrinking board; the last one standing wins",
    seats=(2, 4),
    loader="stammtisch.games.chameleon.game:Chameleon",
    options=(
        Option(
            "players",
            "RGYB",
            "who plays: letters of red, green, yellow, blue; or how many (2 is RY, 3 is RGY, 4 is RGYB)",
            choices=LINE_UPS,
            aliases=((2, "RY"), (3, "RGY"), (4, "RGYB"), ("2", "RY"), ("3", "RGY"), ("4", "RGYB")),
        ),
        Option(
            "max_plies",
            100,
            "after so many moves the survivors share the win; none = the printed rules, which know no draw",
            low=1,
            high=30_000,
            optional=True,
        ),
    ),
)
