"""The referee: rounds and games as the rules tell them, with lists of card names and the plain judge of combinations.

Slow, obviously right, no code of the engine. A table begins with a full position in JSON; when a round is over and the
game is not, its phase is ``deal`` until it gets new cards.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import permutations
from typing import Any

from games.tichu import plain

POINTS = {"Dr": 25, "Ph": -25, **{suit + name: n for suit in "SBGR" for name, n in (("5", 5), ("10", 10), ("K", 10))}}


@dataclass
class Table:
    """Everything that happens at a table; seats 0 and 2 play against 1 and 3."""

    hands: list[list[str]]
    undealt: list[list[str]]
    options: dict[str, Any]
    phase: str
    turn: int  # who acts, or will when everybody has been asked for bombs
    score: list[int]
    round: int
    gifts: list[list[str] | None]  # for the next three seats, laid aside until all have
    announced: list[int]
    has_played: list[bool]
    points: list[int]
    out: list[int]
    wish: int
    fulfilled: int
    starter: int | None
    dragon: int | None
    owner: int | None = None
    cards: list[str] = field(default_factory=list)  # the highest combination of the trick
    top: plain.Top | None = None
    trick_points: int = 0
    passed: set[int] = field(default_factory=set)  # since the last play
    to_ask: list[int] = field(default_factory=list)  # for a bomb


def table(position: dict[str, Any]) -> Table:
    """The table of a full position in a phase before the play, or with somebody on turn."""
    keys = ("undealt", "options", "phase", "round", "wish", "fulfilled", "starter", "dragon")
    copied = ("hands", "score", "announced", "has_played", "points", "out")
    fields: dict[str, Any] = {key: position[key] for key in keys} | {key: [*position[key]] for key in copied}
    gifts = list(position["schupfed"]) if position["phase"] == "schupf" else [None] * 4
    found = Table(**fields, turn=position["player"], gifts=gifts)
    trick = position["trick"]
    if trick:
        found.owner, found.cards, found.trick_points = trick["owner"], trick["cards"], trick["points"]
        found.top = (trick["type"], trick["length"], trick["rank"])
        found.passed = set(until(found.owner, found.turn))
    return found


def after(seat: int | None) -> list[int]:
    """The three other seats in the order of play."""
    assert seat is not None
    return [(seat + i) % 4 for i in (1, 2, 3)]


def until(seat: int | None, end: int) -> list[int]:
    """The seats between two seats."""
    return after(seat)[: after(seat).index(end)]


def worth(cards: list[str]) -> int:
    return sum(POINTS.get(card, 0) for card in cards)


# --- what may be done ------------------------------------------------------------------------------------------


def decider(t: Table) -> int | None:
    if t.phase == "over":
        return None
    return t.to_ask[0] if t.phase == "bomb" else t.turn


def moves(t: Table) -> set[str]:
    """The legal moves of the seat that decides."""
    seat = decider(t)
    if seat is None:
        return set()
    if t.phase == "grand":
        return {"grand", "no"}
    call = {"tichu"} if may_call(t, seat) else set()
    if t.phase == "schupf":
        return call | {" ".join(("schupf", *three)) for three in permutations(t.hands[seat], 3)}
    if t.phase == "wish":
        return {f"wish {value}" for value in range(2, 15)} | ({"wish none"} if t.options["wish_optional"] else set())
    if t.phase == "dragon":
        return {f"dragon {(seat + 1) % 4}", f"dragon {(seat + 3) % 4}"}
    plays, may_pass = legal(t, seat)
    return call | set(plays) | ({"pass"} if may_pass else set())


def may_call(t: Table, seat: int) -> bool:
    """A small tichu: with fourteen cards seen, until the own first card; not beside another call."""
    return t.phase not in ("grand", "over") and not t.announced[seat] and not t.has_played[seat]


def legal(t: Table, seat: int) -> tuple[dict[str, plain.Play], bool]:
    """The plays by their texts, and whether one may pass; out of turn only bombs, and no wish is heeded."""
    if t.phase == "bomb":
        plays, may_pass = bombs(t, seat), True
    else:
        plays, may_pass = plain.legal(t.hands[seat], t.top, t.wish, t.options["bomb_may_ignore_wish"])
    return {text(play): play for play in plays}, may_pass


def bombs(t: Table, seat: int) -> set[plain.Play]:
    """The bombs of a seat that beat the trick."""
    assert t.top
    return {play for play in plain.all_plays(t.hands[seat]) if play[1] == "bomb" and plain.beats(play[1:], t.top)}


def text(play: plain.Play) -> str:
    """The cards in ascending order; the rank only where the same cards can also have a higher one."""
    cards, kind, _, rank = play
    words = " ".join(sorted(cards, key=plain.DECK.index))
    if "Ph" not in cards or kind not in ("street", "fullhouse"):
        return words
    return words if rank == max(float(found[2]) for found in plain.readings(list(cards))) else f"{words}={rank}"


# --- what happens ----------------------------------------------------------------------------------------------


def play(t: Table, move: str) -> None:
    """Play a legal move of the seat that decides."""
    seat = decider(t)
    assert seat is not None
    words = move.split()
    if move == "tichu":
        t.announced[seat] = 1
    elif t.phase == "grand":
        call_grand(t, move == "grand")
    elif t.phase == "schupf":
        lay_aside(t, seat, words[1:])
    elif t.phase == "wish":
        t.wish = 0 if words[1] == "none" else int(words[1])
        ask_for_bombs(t)
    elif t.phase == "dragon":
        t.dragon = int(words[1])
        take(t, t.dragon)
    elif move != "pass":
        put_down(t, seat, legal(t, seat)[0][move])
    elif t.phase == "bomb":
        t.to_ask.pop(0)
        go_on(t)
    else:
        t.passed.add(seat)
        ask_for_bombs(t)


def call_grand(t: Table, yes: bool) -> None:
    t.announced[t.turn] = 2 if yes else 0
    if t.turn < 3:
        t.turn += 1
        return
    t.hands = [[*hand, *rest] for hand, rest in zip(t.hands, t.undealt, strict=True)]
    t.undealt = [[], [], [], []]
    t.phase, t.turn = "schupf", 0


def lay_aside(t: Table, seat: int, cards: list[str]) -> None:
    t.gifts[seat] = cards
    t.hands[seat] = [card for card in t.hands[seat] if card not in cards]
    waiting = [other for other in after(seat) if t.gifts[other] is None]
    if waiting:
        t.turn = waiting[0]
        return
    for giver in range(4):
        for receiver, card in zip(after(giver), t.gifts[giver] or [], strict=True):
            t.hands[receiver] = [*t.hands[receiver], card]
    t.starter = next(holder for holder in range(4) if "Ma" in t.hands[holder])
    t.phase, t.turn = "play", t.starter


def put_down(t: Table, seat: int, play: plain.Play) -> None:
    cards, kind, size, rank = play
    assert not isinstance(rank, str)
    t.hands[seat] = [card for card in t.hands[seat] if card not in cards]
    t.has_played[seat] = True
    if t.wish and plain.contains(cards, t.wish):
        t.wish, t.fulfilled = 0, t.wish
    if not t.hands[seat]:
        t.out.append(seat)
    if cards == {"Hu"}:
        t.phase = "play"
        if round_is_over(t):
            count(t)
        else:
            t.turn = next(other for other in [*after(seat)[1:], seat, after(seat)[0]] if t.hands[other])
        return
    t.owner, t.cards, t.top, t.passed = seat, sorted(cards, key=plain.DECK.index), (kind, size, rank), set()
    t.trick_points += worth(t.cards)
    if round_is_over(t):
        collect(t, asked=not double_victory(t))
    elif "Ma" in cards:
        t.phase, t.turn = "wish", seat
    else:
        ask_for_bombs(t)


def ask_for_bombs(t: Table) -> None:
    """After a play or a pass: whose turn it is next, and who may throw a bomb before."""
    waiting = [seat for seat in after(t.owner) if t.hands[seat] and seat not in t.passed]
    assert t.owner is not None
    t.turn = waiting[0] if waiting else t.owner
    t.to_ask = [seat for seat in [*after(t.owner), t.owner] if bombs(t, seat) and seat not in waiting[:1]]
    go_on(t)


def go_on(t: Table) -> None:
    t.phase = "bomb" if t.to_ask else "play"
    if not t.to_ask and t.turn == t.owner:
        collect(t)


def collect(t: Table, asked: bool = True) -> None:
    """The owner takes the trick; who has won it with the dragon says who gets it."""
    assert t.owner is not None
    if t.cards == ["Dr"] and asked:
        t.phase, t.turn = "dragon", t.owner
    else:
        take(t, t.owner)


def take(t: Table, taker: int) -> None:
    t.points[taker] += t.trick_points
    if round_is_over(t):
        count(t)
        return
    assert t.owner is not None
    t.turn = next(seat for seat in [t.owner, *after(t.owner)] if t.hands[seat])
    clear(t)
    t.phase = "play"


def clear(t: Table) -> None:
    t.owner, t.cards, t.top, t.trick_points, t.passed = None, [], None, 0, set()


# --- the end ---------------------------------------------------------------------------------------------------


def double_victory(t: Table) -> bool:
    return len(t.out) >= 2 and t.out[0] % 2 == t.out[1] % 2


def round_is_over(t: Table) -> bool:
    return len(t.out) == 3 or double_victory(t)


def count(t: Table) -> None:
    """Add the round to the score; the game is over, or waits for new cards."""
    clear(t)
    for team, points in enumerate(result(t)):
        t.score[team] += points
    reached = max(t.score) >= t.options["target"] and not (t.options["play_on"] and t.score[0] == t.score[1])
    last = t.options["rounds"] is not None and t.round >= t.options["rounds"]
    t.phase = "over" if reached or last else "deal"


def result(t: Table) -> list[int]:
    """What the round brings to both teams."""
    found = [0, 0]
    first = t.out[0]
    if double_victory(t):
        found[first % 2] = 200
    else:
        last = next(seat for seat in range(4) if seat not in t.out)
        for seat in range(4):
            found[(first if seat == last else seat) % 2] += t.points[seat]
        found[1 - last % 2] += worth(t.hands[last])
    for seat in range(4):
        found[seat % 2] += 100 * t.announced[seat] * (1 if seat == first else -1)
    return found


def deal(t: Table, hands: list[list[str]], undealt: list[list[str]]) -> None:
    """The next round begins."""
    t.hands, t.undealt = [*hands], undealt
    t.phase, t.turn, t.round = "grand", 0, t.round + 1
    t.gifts, t.announced, t.has_played = [None] * 4, [0] * 4, [False] * 4
    t.points, t.out, t.wish, t.fulfilled, t.starter, t.dragon = [0] * 4, [], 0, 0, None, None
