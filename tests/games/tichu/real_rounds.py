"""Real rounds: the log of a game on BrettspielWelt, and how it is played again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from games.tichu import plain
from games.tichu.deals import Both

LINE = re.compile(r"^\((\d)\)\S*?(: (?P<cards>.+)| passt\.?)$")


@dataclass
class Round:
    """What the log says of one round; an event is a seat and cards (none for a pass), or a word and a number."""

    first: list[list[str]] = field(default_factory=list)  # eight cards
    hands: list[list[str]] = field(default_factory=list)
    gifts: list[list[str]] = field(default_factory=list)
    grand: set[int] = field(default_factory=set)
    early: list[int] = field(default_factory=list)  # tichu called before or while schupfing
    events: list[tuple[int | str, list[str] | int]] = field(default_factory=list)
    result: list[int] = field(default_factory=list)


def read(path: Path) -> Iterator[Round]:
    for block in path.read_text(encoding="utf-8").split("---------------Gr.Tichukarten------------------")[1:]:
        found = Round()
        for line in map(str.strip, block.splitlines()):
            read_line(line, found)
        if found.result:
            yield found


def read_line(line: str, found: Round) -> None:
    word, _, rest = line.partition(":")
    if " gibt: " in line:
        found.gifts.append(
            [item.rsplit(": ", 1)[1] for item in line.removesuffix(" -").split(" gibt: ")[1].split(" - ")]
        )
    elif word == "Ergebnis":
        found.result = [int(number) for number in re.findall(r"-?\d+", rest.replace(" - ", " "))]
    elif word == "Grosses Tichu":
        found.grand.add(int(rest[2]))
    elif word == "Tichu" and not found.gifts:
        found.early.append(int(rest[2]))
    elif word == "Wunsch":
        found.events.append(("wish", plain.NUMBERS[rest]))
    elif word in ("Tichu", "Drache an"):
        found.events.append(("tichu" if word == "Tichu" else "dragon", int(rest[2])))
    elif found.gifts and (match := LINE.match(line)):
        found.events.append((int(match[1]), (match["cards"] or "").split()))
    elif line.startswith("(") and not found.gifts:
        cards = line.split()[1:]
        (found.first if len(cards) == 8 else found.hands).append(cards)


def play_again(one: Round) -> Both:
    """The round from the deal to the score, in the engine and at the plain referee's table."""
    rest = [[card for card in hand if card not in first] for first, hand in zip(one.first, one.hands, strict=True)]
    both = Both({"hands": one.first, "undealt": rest, "phase": "grand", "player": 0}, rounds=1)
    both.play(*("grand" if seat in one.grand else "no" for seat in range(4)))
    for seat in dict.fromkeys(one.early):
        both.announce(seat)
    both.play(*(" ".join(["schupf", *gifts]) for gifts in one.gifts))
    for who, what in one.events:
        follow(both, who, what)
    return both


def follow(both: Both, who: int | str, what: list[str] | int) -> None:
    table = both.table
    if table.phase == "wish" and who != "wish":
        both.play("wish none")
    if who == "tichu":
        assert isinstance(what, int)
        if not table.announced[what]:  # some click twice
            both.announce(what)
        return
    if who in ("wish", "dragon"):
        both.play(*["pass"] * (len(table.to_ask) if table.phase == "bomb" else 0), f"{who} {what}")
        return
    assert isinstance(what, list)
    move = " ".join(sorted(what, key=plain.DECK.index)) or "pass"
    if (
        len(what) == 5 and what[2] == "Ph" and what[1][1:] == what[0][1:]
    ):  # printed between two pairs: the lower is three
        move += f"={plain.value(what[4])}"
    while table.phase == "bomb" and not (table.to_ask[0] == who and move != "pass" and is_legal(both, move)):
        both.play("pass")  # nobody else throws a bomb
    if move != "pass" or (table.top and table.phase == "play"):  # the owner's pass only says that he takes the trick
        both.play(move)


def is_legal(both: Both, move: str) -> bool:
    return both.state.game.parse(move) in both.state.actions()
