"""Tichu: climbing with partners, fifty-two cards and four that break the rules."""

from stammtisch.core.info import OWN_NETWORK, AgentInfo, GameInfo, Option, thinking_time

HEURISTIC = AgentInfo(
    name="heuristic",
    summary="Rules of thumb, at once: few and safe groups, counting what is out, calls that pay",
    loader="stammtisch.agents.tichu.heuristic:Heuristic",
    options=(Option("slips", 0.0, "share of plays that it does not think about", low=0.0, high=1.0, touches="style"),),
)
FROZEN = AgentInfo(
    name="heuristic-1",
    summary="The rules of thumb as they were before anything was learned: the yardstick of all comparisons",
    loader="stammtisch.agents.tichu.heuristic:Frozen",
)
VALUE = AgentInfo(
    name="value",
    summary="By what it has learned from rounds with itself: who is first, and how many points; no search",
    loader="stammtisch.agents.tichu.learned:Value",
    options=(OWN_NETWORK,),
)
BEST = AgentInfo(
    name="best",
    summary="The strongest: imagines hidden cards and searches with the network; easy and normal overlook and misjudge",
    loader="stammtisch.agents.tichu.learned:Best",
    options=(
        thinking_time(500),
        Option(
            "iterations",
            None,
            "rounds played on per decision; reproducible with a seed",
            low=1,
            high=10**12,
            kind=int,
            touches="iterations",
        ),
        Option(
            "level",
            "hard",
            "how strong; easy and normal err as people do",
            choices=("easy", "normal", "hard"),
            touches="style",
        ),
        OWN_NETWORK,
    ),
)

INFO = GameInfo(
    name="tichu",
    title="Tichu",
    summary="Climbing card game for two teams of two; first to 1000 points, with calls, bombs and a wish",
    seats=(4, 4),
    loader="stammtisch.games.tichu.game:Tichu",
    teams=True,
    hidden=True,
    chance=True,
    options=(
        Option("target", 1000, "the game ends after a round in which a team has this many points", low=1, high=30_000),
        Option(
            "rounds",
            50,
            "after so many rounds the game ends in any case; 1 = a single round, none = no limit",
            low=1,
            high=1000,
            optional=True,
        ),
        Option("play_on", False, "a tie at the target is no draw: another round is played"),
        Option("wish_optional", True, "who plays the Mahjong need not wish"),
        Option("bomb_may_ignore_wish", True, "a bomb may be thrown instead of fulfilling a wish, also on turn"),
        Option("weighted", False, "imagine hidden cards as likely as what players did makes them", expert=True),
        Option("merged", False, "offer one of several plays that differ only in suits that do not matter", expert=True),
    ),
    agents=(HEURISTIC, FROZEN, VALUE, BEST),
    ladder=("heuristic:slips=0.4", "best:level=easy", "best:level=normal", "best:ms=1000"),
    unit="points",
    slips=(15.0, 35.0, 75.0),
    sheet=("round", "announced", "out"),
    place=1,
    helper="stammtisch.games.tichu.figures",
    measured=("stammtisch.logs.speed:contests",),
    warmed=("stammtisch.logs.check:warm_logs",),
)
