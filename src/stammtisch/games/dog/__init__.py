"""Mensch ärgere dich nicht, its dice-free twin and DOG: pins around a track, by die, by tokens or by cards."""

from typing import Any

from stammtisch.core.info import OWN_NETWORK, AgentInfo, GameInfo, Option, thinking_time

LINE_UPS = ("01", "02", "03", "12", "13", "23", "012", "013", "023", "123", "0123")

# What the rule sets change; a switch that is given by name overrules them.
PRESETS: dict[str, dict[str, dict[str, Any]]] = {
    "madn": {
        "seed": {},
        "schmidt": {"initial_free_pin": True, "forced_start": True, "start_on_1": False, "circular": False},
    },
    "dmadn": {"seed": {}},
    "dog": {
        "seed": {},
        "braendi": {
            "distance": 16,
            "teams": True,
            "start_block": True,
            "fresh_start_only": True,
            "jump_in_goal": False,
            "friendly_fire": True,
            "stepwise": True,
        },
    },
}


def _options(name: str) -> tuple[Option, ...]:
    dog = name == "dog"
    board = (
        Option("rules", "seed", "a rule set, which sets all other switches", choices=tuple(PRESETS[name])),
        Option("players", 4, "how many play", low=2, high=4),
        Option("distance", 10, "fields from one start field to the next: 10 makes a track of 40", low=8, high=29),
        Option(
            "seats",
            None,
            "the seats that are taken, such as 02 for two players who face each other; none: 0, 1, ...",
            kind=str,
            choices=LINE_UPS,
            optional=True,
        ),
        Option("teams", False, "0 and 2 play against 1 and 3"),
        Option("start_block", False, "a start field held by its owner can be neither passed nor hit, nor swapped"),
        Option("fresh_start_only", False, "only a pin that has just come out holds its start field"),
        Option("jump_in_goal", True, "own pins in the goal may be jumped"),
        Option("initial_free_pin", False, "one pin of everybody begins on the start field"),
        Option("friendly_fire", False, "landing on an own pin sends it home; off: not allowed"),
        Option("circular", True, "a pin that cannot enter the goal drives another lap; off: it cannot move"),
        Option("must_traverse_start", dog, "the own start field is one more step before the goal"),
    )
    dice = (
        Option("extra_move_on_6", True, "a moved six gives another turn"),
        Option("start_on_1", True, "a one brings a pin out too"),
        Option("forced_attack", False, "who can hit must"),
    )
    throws = (
        Option("rethrow", False, "three throws when only pins from home could move"),
        Option("forced_start", False, "a pin at home must come out if it can, and the start field be cleared"),
    )
    cards = (
        Option("special_cards", True, "off: none of the next four"),
        Option("joker", True, "jokers are in the deck"),
        Option("hot_7", True, "a seven is divided among pins and burns what it passes; off: a plain seven"),
        Option("swap", True, "cards that exchange two pins are in the deck"),
        Option("neg_4", True, "a four can also go back"),
        Option("stepwise", False, "a seven is played part by part, in any order, also on with the partner's pins"),
    )
    end = (
        Option(
            "max_steps",
            2000 if name == "dmadn" else None,
            "after so many decisions the game is a draw; none = it goes on",
            low=1,
            high=1_000_000,
            kind=int,
            optional=True,
        ),
    )
    special = {"madn": (*dice, *throws), "dmadn": dice, "dog": cards}
    return (*board, *special[name], *end)


GREEDY = AgentInfo(
    name="greedy",
    summary="The move after which its side is furthest ahead, at once",
    loader="stammtisch.agents.dog.policies:Greedy",
)
RULES = AgentInfo(
    name="rules",
    summary="Rules of thumb, at once: hits, runs from danger, enters the goal, keeps cards that are needed",
    loader="stammtisch.agents.dog.policies:Rules",
)
VALUE = AgentInfo(
    name="value",
    summary="A network that has learned how likely a side is to win after every action; at once",
    loader="stammtisch.agents.dog.value:Value",
    options=(OWN_NETWORK,),
)
_LEVEL = Option(
    "level", "hard", "how strong; easy and normal err as people do", ("easy", "normal", "hard"), touches="style"
)
BEST_MADN = AgentInfo(
    name="best",
    summary="The strongest: the value, after all throws and answers; easy and normal overlook and misjudge moves",
    loader="stammtisch.agents.dog.value:BestByThrows",
    options=(_LEVEL, OWN_NETWORK),
)
BEST_DMADN = AgentInfo(
    name="best",
    summary="The strongest: looks some moves ahead by the value; easy and normal overlook and misjudge moves",
    loader="stammtisch.agents.dog.value:BestAhead",
    options=(
        Option(
            "depth", None, "moves to look ahead (4 if nothing else is set)", low=1, high=12, kind=int, touches="depth"
        ),
        Option(
            "ms",
            None,
            "milliseconds per decision, in place of a depth",
            low=1,
            high=86_400_000,
            kind=float,
            touches="ms",
        ),
        _LEVEL,
        OWN_NETWORK,
    ),
)
BEST_DOG = AgentInfo(
    name="best",
    summary="The strongest: imagines hidden cards and judges by the value; easy and normal overlook and misjudge moves",
    loader="stammtisch.agents.dog.value:BestByCards",
    options=(
        thinking_time(500),
        Option(
            "iterations",
            None,
            "games played on per decision; reproducible with a seed",
            low=1,
            high=10**12,
            kind=int,
            touches="iterations",
        ),
        _LEVEL,
        OWN_NETWORK,
    ),
)
MADN = GameInfo(
    name="madn",
    title="Mensch ärgere dich nicht",
    summary="Pins around the track by a die; the first with all four in the goal wins",
    seats=(2, 4),
    loader="stammtisch.games.dog.game:Madn",
    teams=True,
    chance=True,
    dice=True,
    options=_options("madn"),
    presets=PRESETS["madn"],
    agents=(GREEDY, RULES, VALUE, BEST_MADN),
    ladder=("random", "best:level=easy", "best:level=normal", "best"),
    place=4,
    peer="maedn(players=4)",
)
DMADN = GameInfo(
    name="dmadn",
    title="Mensch ärgere dich nicht ohne Würfel",
    summary="The same without luck: everybody spends tokens from one to six",
    seats=(2, 4),
    loader="stammtisch.games.dog.game:Dmadn",
    teams=True,
    options=_options("dmadn"),
    presets=PRESETS["dmadn"],
    agents=(GREEDY, RULES, VALUE, BEST_DMADN),
    ladder=("random", "best:level=easy", "best:level=normal", "best"),
    place=5,
)
DOG = GameInfo(
    name="dog",
    title="DOG",
    summary="Pins around the track by cards, also for two teams; with sevens that burn, swaps and jokers",
    seats=(2, 4),
    loader="stammtisch.games.dog.game:Dog",
    teams=True,
    hidden=True,
    chance=True,
    options=_options("dog"),
    presets=PRESETS["dog"],
    gathered={4: {"teams": True}},
    agents=(GREEDY, RULES, VALUE, BEST_DOG),
    ladder=("random", "best:level=easy", "best:level=normal", "best:ms=1000"),
    place=6,
)
