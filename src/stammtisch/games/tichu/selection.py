"""Cards that a person has picked: what can be played with exactly these, or why nothing can."""

from __future__ import annotations

from stammtisch.core.game import Json, Seat
from stammtisch.games.tichu.cards import BadCards, read_cards
from stammtisch.games.tichu.combinations import BOMB, beats, kind_of, rank_of
from stammtisch.games.tichu.figures import describe, plays_of, read_kind
from stammtisch.games.tichu.notation import write_play


def explain(seat: Seat, text: str) -> Json:
    """The legal moves made of the cards in ``text``, and else the reason as a word, with its numbers.

    Reasons: not_your_turn, nothing_selected, pass_not_allowed, not_your_card, no_combination, only_bombs,
    dog_only_leads, wrong_kind, too_low, must_fulfil_wish.
    """
    if seat.player != seat.index:
        return _because("not_your_turn")
    if not text.split():
        return _because("nothing_selected")
    if text == "pass":
        return {"moves": ["pass"], "why": None} if "pass" in seat.moves() else _because("pass_not_allowed")
    view = seat.view()
    try:
        cards = read_cards(text.split())
    except BadCards:
        return _because("no_combination")
    if cards & ~read_cards(view["hands"][seat.index]):
        return _because("not_your_card")
    found = plays_of(cards)
    if not found:
        return _because("no_combination")
    legal = set(seat.actions())
    moves = [write_play(play) for play in found if play in legal]
    answer: Json = {"moves": moves, "kind": describe(found[0]), "why": None}
    return answer if moves else answer | _refusal(view, found)


def _refusal(view: Json, found: list[int]) -> Json:
    """Why none of these plays, which are combinations of own cards, is legal on the seat's turn."""
    trick = view["trick"]
    if view["phase"] not in ("play", "bomb"):
        return _because("no_combination")
    if view["phase"] == "bomb" and all(kind_of(play) < BOMB for play in found):
        return _because("only_bombs")
    if trick is not None:
        if found == plays_of(read_cards(["Hu"])):
            return _because("dog_only_leads")
        top, rank = read_kind(trick["type"], trick["length"]), int(2 * trick["rank"])
        if all(kind_of(play) != top and kind_of(play) < BOMB for play in found):
            return _because("wrong_kind", type=trick["type"], length=trick["length"])
        higher = any(beats(kind_of(play), rank_of(play, rank), top, rank) for play in found)
        if not higher or not view["wish"]:  # the Phoenix is above all but the dragon
            return _because("too_low")
    return _because("must_fulfil_wish", rank=view["wish"])


def _because(why: str, **values: object) -> Json:
    return {"moves": [], "why": why, "values": values}
