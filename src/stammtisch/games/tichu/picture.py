"""The table as a picture in text: who has how many cards, the trick, the own hand."""

from __future__ import annotations

from stammtisch.core.game import Json

_STYLES = {"S": "bold", "B": "bold blue", "G": "bold green", "R": "bold red"}
_SPECIAL = "bold magenta"
_CALLS = ("", "tichu", "GRAND TICHU")

Pieces = list[tuple[str, str]]


def paint(position: Json) -> Pieces:
    """A line per seat, the table, and the last trick."""
    pieces: Pieces = []
    score = position["score"]
    pieces.append((f"Round {position['round']}   teams 20 : 31   {score[0]} : {score[1]}\n", ""))
    for seat in range(4):
        pieces += _seat_line(position, seat)
    pieces += _table(position)
    return pieces


def _seat_line(position: Json, seat: int) -> Pieces:
    hand = position["hands"][seat]
    mark = ">" if position["player"] == seat else " "
    call = _CALLS[position["announced"][seat]]
    place = ""
    if seat in position["out"]:
        place = f"out as {('first', 'second', 'third')[position['out'].index(seat)]}"
    facts = ", ".join(text for text in (call, place, f"{position['points'][seat]} points") if text)
    pieces: Pieces = [(f"{mark} {seat}  ", "")]
    if None in hand:
        pieces.append((f"{len(hand)} cards", ""))
    else:
        pieces += cards(hand) if hand else [("no cards", "")]
    pieces.append((f"   {facts}\n", ""))
    if hand and None not in hand:
        pieces += _gifts(position, seat)
    return pieces


def _gifts(position: Json, seat: int) -> Pieces:
    """What a seat whose cards are seen gave to whom and got from whom."""
    given = position["schupfed"]
    others = [(seat + i) % 4 for i in range(1, 4)]
    gave = [(given[seat][i] if given[seat] else None, f" to {other}  ") for i, other in enumerate(others)]
    got = [(given[other][2 - i] if given[other] else None, f" from {other}  ") for i, other in enumerate(others)]
    pieces: Pieces = []
    for word, gifts in (("gave ", gave), ("got ", got if position["phase"] != "schupf" else [])):
        known = [(card, whom) for card, whom in gifts if card is not None]
        if known:
            pieces.append((word if pieces else f"      {word}", ""))
        for card, whom in known:
            pieces += [*cards([card]), (whom, "")]
    return [*pieces, ("\n", "")] if pieces else []


def _table(position: Json) -> Pieces:
    pieces: Pieces = []
    trick = position["trick"]
    if trick is not None:
        pieces.append((f"On the table, {trick['points']} points:", ""))
        plays = position["tricks"][-1] if position["tricks"] else [[trick["owner"], " ".join(trick["cards"])]]
        for seat, text in plays:
            pieces += [(f"  {seat}: ", ""), *cards(text.split())]
        pieces.append((f"   ({trick['type']}, rank {trick['rank']})\n", ""))
    elif position["phase"] == "play":
        pieces.append(("The table is empty.\n", ""))
    if position["wish"]:
        pieces.append((f"Wished: {position['wish']}\n", "bold"))
    return pieces


def cards(names: list[str]) -> Pieces:
    """Card names in the colours of their suits."""
    pieces: Pieces = []
    for name in names:
        style = _SPECIAL if name[:2] in ("Hu", "Ma", "Dr", "Ph") else _STYLES[name[0]]
        pieces += [(name, style), (" ", "")]
    return pieces[:-1]
