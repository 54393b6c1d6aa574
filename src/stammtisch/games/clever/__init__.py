"""Ganz schön clever: dice on a score sheet, alone or with up to three others."""

from stammtisch.core.info import OWN_NETWORK, AgentInfo, GameInfo, Option

GREEDY = AgentInfo(
    name="greedy",
    summary="The most points it can get now, at once",
    loader="stammtisch.agents.clever.policies:Greedy",
)
HEURISTIC = AgentInfo(
    name="heuristic",
    summary="Rules of thumb, at once: what every entry brings and may still become",
    loader="stammtisch.agents.clever.policies:Heuristic",
)
EXPECTIMAX = AgentInfo(
    name="expectimax",
    summary="Looks one choice ahead over the rolls that may follow, with heuristic's estimate",
    loader="stammtisch.agents.clever.expectimax:Expectimax",
    options=(Option("samples", 200, "rolls tried for each action", low=1, high=10**9, touches="samples"),),
)
VALUE = AgentInfo(
    name="value",
    summary="A network that has learned what every position is worth before the dice fall; at once",
    loader="stammtisch.agents.clever.value:Value",
    options=(
        Option("window", 1, "+1 actions tried ahead, after the action itself", low=0, high=6, touches="depth"),
        OWN_NETWORK,
    ),
)
PPO = AgentInfo(
    name="ppo",
    summary="Went to school with value, then learned by masked PPO, under the thesis's rules; alone only",
    loader="stammtisch.agents.clever.ppo:Ppo",
    options=(OWN_NETWORK,),
)
BEST = AgentInfo(
    name="best",
    summary="The strongest: value with more +1 actions tried out; easy and normal overlook and misjudge actions",
    loader="stammtisch.agents.clever.value:Best",
    options=(
        Option("throws", 0, "rolls tried after each promising action", low=0, high=10**9, touches="samples"),
        Option("window", 3, "+1 actions tried ahead, after the action itself", low=0, high=6, touches="depth"),
        Option(
            "level", "hard", "how strong; easy and normal err as people do", ("easy", "normal", "hard"), touches="style"
        ),
        OWN_NETWORK,
    ),
)

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
    agents=(GREEDY, HEURISTIC, EXPECTIMAX, VALUE, PPO, BEST),
    ladder=("greedy", "best:level=easy", "best:level=normal", "best"),
    unit="points",
    slips=(3.0, 7.0, 15.0),
    place=2,
)
