"""Chamäleon Schach: pawns that change their role with the colour of their square, on a board that shrinks."""

from stammtisch.core.info import OWN_NETWORK, AgentInfo, GameInfo, Option, thinking_time

LINE_UPS = ("RG", "RY", "RB", "GY", "GB", "YB", "RGY", "RGB", "RYB", "GYB", "RGYB")

BEST = AgentInfo(
    name="best",
    summary="The strongest: best-reply search, alpha-beta once two are left; easy and normal choose among good moves",
    loader="stammtisch.agents.chameleon.best:Best",
    options=(
        Option("depth", None, "moves to look ahead", low=1, high=40, kind=int, touches="depth"),
        thinking_time(1000),
        Option(
            "level",
            "hard",
            "how strong; easy and normal look only a few moves ahead",
            ("easy", "normal", "hard"),
            touches="style",
        ),
        Option(
            "evaluation",
            "learned",
            "who judges positions: a network, or counting by hand",
            ("learned", "hand"),
            touches="style",
        ),
        OWN_NETWORK,
    ),
)
TD = AgentInfo(
    name="td",
    summary="A network of the thesis plan, taught by TD(0): no search, at once",
    loader="stammtisch.agents.chameleon.td:Td",
    options=(OWN_NETWORK,),
)

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
    agents=(BEST, TD),
    ladder=("td", "best:level=easy", "best:level=normal", "best:ms=1000"),
    place=3,
    measured=("stammtisch.agents.chameleon.speed:contests",),
)
