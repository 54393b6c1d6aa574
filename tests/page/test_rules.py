"""What the page's scripts repeat of the rules agrees with the rules, on positions of random games."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stammtisch as st
from page.node import Scripts, needs_node
from stammtisch.core.game import Game, Json, State
from stammtisch.core.rng import below, stream
from stammtisch.games.chameleon.board import COLOUR, ROLE, SIZE
from stammtisch.games.clever import rules as clever
from stammtisch.games.clever import sheet
from stammtisch.games.clever.notation import read_cell, write_cell
from stammtisch.games.dog import rules as pins
from stammtisch.games.tichu.cards import CARDS
from stammtisch.games.tichu.combinations import LEAD, PASS, list_plays
from stammtisch.games.tichu.figures import MOST_PLAYS, _combination
from stammtisch.games.tichu.notation import write_play

pytestmark = needs_node


def positions(game: Game, seed: int, every: int, most: int) -> Iterator[State]:
    """Every so-many-th position of a random game."""
    state, rng = game.new(seed=seed), stream(seed)
    for number in range(most):
        if state.over:
            return
        if number % every == 0:
            yield state.copy()
        actions = state.actions()
        state.apply(actions[int(below(rng, len(actions)))])


# --- Ganz schön clever: what is printed on the sheet, what it is worth, what an entry sets off ----------------------


def test_clever_prints_the_sheet_of_the_rules(web: Path) -> None:
    scripts = Scripts(web, "clever")
    names = "DICE AREAS TRACK YELLOW COLUMN_POINTS BLUE_POINTS GREEN_LEAST GREEN_POINTS FACTORS BONUS ROUND_BONUS"
    for name in names.split():
        scripts.call("facts.js", name)
    found = dict(zip(names.split(), scripts.answers(), strict=True))
    words = (*sheet.BONUSES, "fox", "reroll", "extra", None)

    def bonuses(table: np.ndarray) -> list[str | None]:
        return [words[int(bonus)] for bonus in table]

    assert found == {
        "DICE": list(clever.DICE),
        "AREAS": list(sheet.AREAS),
        "TRACK": sheet.TRACK,
        "YELLOW": sheet.YELLOW_NUMBERS.tolist(),
        "COLUMN_POINTS": sheet.COLUMN_POINTS.tolist(),
        "BLUE_POINTS": sheet.BLUE_POINTS.tolist(),
        "GREEN_LEAST": sheet.THRESHOLDS.tolist(),
        "GREEN_POINTS": sheet.GREEN_POINTS.tolist(),
        "FACTORS": sheet.FACTORS.tolist(),
        "BONUS": {
            "yellowRows": bonuses(sheet.YELLOW_ROW_BONUS),
            "diagonal": "extra",
            "blueRows": bonuses(sheet.BLUE_ROW_BONUS),
            "blueColumns": bonuses(sheet.BLUE_COLUMN_BONUS),
            "green": bonuses(sheet.GREEN_BONUS),
            "orange": bonuses(sheet.ORANGE_BONUS),
            "purple": bonuses(sheet.PURPLE_BONUS),
        },
        "ROUND_BONUS": [round_bonus(number) for number in range(1, 7)],
    }
    views = [st.game("clever", **options).new(seed=1).to_json() for options in CLEVER]
    for view in views:
        scripts.call("facts.js", "roundsOf", view)
    by_players = [int(clever.ROUNDS[len(view["sheets"])]) for view in views]
    rounds = [
        clever.PROTOTYPE_ROUNDS if view["options"]["rules"] == "prototype" else number
        for view, number in zip(views, by_players, strict=True)
    ]
    assert scripts.answers() == rounds


def round_bonus(number: int) -> str | None:
    """What the round track gives by the rules."""
    record = st.game("clever").blank()[0]
    record.round_number = number
    clever._begin_round(record)
    if record.open[0]:
        return sheet.BONUSES[record.pending[0, 0]]
    return "reroll" if record.rerolls[0] else "extra" if record.extras[0] else None


CLEVER: list[dict[str, Any]] = [
    {"players": 1},
    {"players": 3},
    {"rules": "thesis"},
    {"rules": "prototype"},
    {"bonus_optional": True},
]


def clever_positions() -> list[State]:
    return [state for i, options in enumerate(CLEVER) for state in positions(st.game("clever", **options), i, 2, 240)]


def test_clever_counts_as_the_rules_do(web: Path) -> None:
    scripts, wanted = Scripts(web, "clever"), []
    for state in clever_positions():
        view, record = state.to_json(), state.record
        for seat, one in enumerate(view["sheets"]):
            scripts.call("chain.js", "count", one, bool(record.prototype))
            areas = {name: int(sheet.area_points(record, seat, area)) for area, name in enumerate(sheet.AREAS)}
            wanted.append({"areas": areas, "fox": min(areas.values()), "total": int(sheet.total_points(record, seat))})
    assert len(wanted) > 150 and scripts.answers() == wanted


def set_off(state: State, cell: int, number: int) -> Json:
    """What an entry sets off by the rules: bonus after bonus, as far as they lead without a choice."""
    after, seat = state.copy().record, int(state.record.turn)

    def worth() -> int:
        return sum(int(sheet.area_points(after, seat, area)) for area in range(5))

    def earned(cell: int, number: int) -> list[int]:
        after.open[seat] = 0
        sheet.enter(after, seat, cell, number)
        return [int(bonus) for bonus in after.pending[seat, : after.open[seat]]]

    before, kept = worth(), [int(after[name][seat]) for name in ("foxes", "rerolls", "extras")]
    waiting = earned(cell, number)
    found: Json = {"points": worth() - before, "more": 0, "steps": [], "ghosts": []}
    while waiting:
        bonus = waiting.pop(0)
        if not sheet.usable(after, seat, bonus):
            continue
        area = int(sheet.BONUS_AREA[bonus])
        if area in (sheet.YELLOW, sheet.BLUE):
            found["steps"].append([sheet.BONUSES[bonus], None])
            continue
        out = np.empty(1, dtype=np.int64)
        sheet.list_free(after, seat, area, 0, out, 0)
        value, before = int(sheet.bonus_number(bonus, int(out[0]))), worth()
        waiting = earned(int(out[0]), value) + waiting
        found["steps"].append([sheet.BONUSES[bonus], worth() - before])
        found["more"] += worth() - before
        found["ghosts"].append([write_cell(int(out[0])), None if area == sheet.GREEN else value])
    found["kept"] = [int(after[n][seat]) - was for n, was in zip(("foxes", "rerolls", "extras"), kept, strict=True)]
    return found


def test_clever_shows_what_an_entry_sets_off(web: Path) -> None:
    scripts, asked = Scripts(web, "clever"), []
    for state in clever_positions():
        view = state.to_json()
        moves = [{"move": state.game.format(a), "comment": state.game.comment(state, a)} for a in state.actions()]
        scripts.call("moves.js", "entriesOf", moves, view)
        asked.append((state, view))
    entries = [
        (state, view, entry)
        for (state, view), found in zip(asked, scripts.answers(), strict=True)
        for entry in found[:: max(1, len(found) // 6)]
    ]
    for _, view, entry in entries:
        scripts.call("moves.js", "numberOf", entry, view)
        scripts.call("moves.js", "lostDice", entry, view)
    answers, dice_lost = scripts.answers(), 0
    numbers, lost = answers[::2], answers[1::2]
    for (state, view, entry), number in zip(entries, numbers, strict=True):
        scripts.call(
            "chain.js", "preview", view["sheets"][view["player"]], entry["cell"], number, bool(state.record.prototype)
        )
    for (state, _, entry), number, gone, shown in zip(entries, numbers, lost, scripts.answers(), strict=True):
        after, cell = state.copy().record, read_cell(entry["cell"])
        clever.place(after, state.game.parse(entry["text"]))
        assert cell is not None
        if cell >= sheet.ORANGE_CELL:
            area, first = ("purple", sheet.PURPLE_CELL) if cell >= sheet.PURPLE_CELL else ("orange", sheet.ORANGE_CELL)
            assert number == after[area][state.record.turn, cell - first]
        if state.record.roll == clever.ROLLS:  # what is left over goes there, too, when the turn ends
            played = state.copy()
            played.play(entry["text"])
            after = played.record
        ends = state.record.roll == clever.ROLLS and after.phase != clever.ACTIVE_EXTRA
        if not state.record.prototype and not ends:
            places = zip(clever.DICE, state.record.places, after.places, strict=True)
            assert gone == [die for die, was, now in places if was == clever.POOL and now == clever.TRAY]
            dice_lost += len(gone)
        told = Counter(step["bonus"] for step in shown["steps"])
        seen = {
            "points": shown["points"],
            "more": shown["more"],
            "steps": [
                [s["bonus"], s["points"]] for s in shown["steps"] if s["bonus"] in sheet.BONUSES and not s["lost"]
            ],
            "ghosts": [[ghost["cell"], ghost["text"]] for ghost in shown["ghosts"]],
            "kept": [told["fox"], told["reroll"], told["extra"]],
        }
        assert seen == set_off(state, cell, number), (entry, state.to_json())
    assert len(entries) > 400 and dice_lost > 50


# --- Tichu: what cards are ------------------------------------------------------------------------------------------


def test_tichu_names_every_play_as_the_rules_do(web: Path) -> None:
    scripts, wanted = Scripts(web, "tichu"), []
    buffer, chooser = np.empty(MOST_PLAYS, dtype=np.int64), np.random.default_rng(1)
    for _ in range(60):
        hand = sum(1 << int(card) for card in chooser.choice(CARDS, 14, replace=False))
        plays = buffer[: list_plays(hand, hand, PASS, LEAD, buffer)]
        for play in chooser.choice(plays, min(60, len(plays)), replace=False):
            one = _combination(int(play))
            scripts.call("words.js", "figureOf", write_play(int(play)))
            wanted.append({"kind": one.type, "length": one.length, "rank": 16 if one.rank == "Ph" else one.rank})
    found = scripts.answers()
    assert len({(one["kind"], one["length"]) for one in wanted}) > 12
    assert found == wanted


# --- Chamäleon Schach: colours, roles, what a move does --------------------------------------------------------------


def test_chameleon_paints_the_board_of_the_rules(web: Path) -> None:
    scripts, wanted = Scripts(web, "chameleon"), []
    for square in range(SIZE * SIZE):
        name = f"{square // SIZE}{square % SIZE}"
        scripts.call("layout.js", "colourOf", name)
        wanted.append(int(COLOUR[square]))
        for knight in range(4):
            scripts.call("layout.js", "roleOn", knight, int(COLOUR[square]))
            wanted.append(int(ROLE[knight, square]))
    assert scripts.answers() == wanted


STUCK = [("3-5,3-6 R Rr33 Ry46 Yr44 Yb53", "46>45"), ("3-5,3-5 R Rr33 Rg55 Gg35 Yy44", "33>44")]  # seldom at random


def chameleon_effect(before: Json, after: Json, move: str) -> Json:
    """What a move did, from the positions before and after it."""
    start, end = move.split(">")
    was = {(owner, knight): f"{row}{column}" for owner, knight, row, column in before["pawns"]}
    now = {(owner, knight): f"{row}{column}" for owner, knight, row, column in after["pawns"]}
    (moved,) = (pawn for pawn, square in was.items() if square == start)
    left = [pawn for pawn in was if pawn not in now]
    taken = [pawn for pawn in left if was[pawn] == end]
    stuck = [pawn for pawn in left if pawn not in taken and pawn != moved]
    seats = {owner for owner, *_ in before["pawns"]} - {owner for owner, *_ in after["pawns"]}

    def role(square: str) -> int:
        return int(ROLE[moved[1], int(square[0]) * SIZE + int(square[1])])

    return {
        "from": start,
        "to": end,
        "role": role(start),
        "becomes": role(end),
        "lost": moved in left,
        "taken": {"owner": taken[0][0], "knight": taken[0][1]} if taken else None,
        "stuck": [{"owner": owner, "knight": knight} for owner, knight in stuck],
        "out": sorted(seats),
        "limits": after["limits"] if after["limits"] != before["limits"] else None,
    }


def test_chameleon_tells_what_a_move_does(web: Path) -> None:
    scripts, wanted, chooser = Scripts(web, "chameleon"), [], np.random.default_rng(2)

    def ask(state: State, move: str) -> None:
        after = state.copy()
        after.play(move)
        scripts.call("words.js", "outcome", move, state.game.comment(state, state.game.parse(move)))
        wanted.append(chameleon_effect(state.to_json(), after.to_json(), move))

    for text, move in STUCK:
        ask(st.game("chameleon").parse_position(text), move)
    for seed in range(24):
        game = st.game("chameleon", players=("RGYB", "RY", "RGY")[seed % 3], max_plies=None)
        for state in positions(game, seed, 5, 400):
            for action in chooser.permutation(state.actions())[:8]:
                ask(state, game.format(int(action)))
    found = scripts.answers()
    for answer in found:
        answer.setdefault("taken", None)
        answer.setdefault("limits", None)
    assert found == wanted
    for name in ("taken", "stuck", "out", "limits", "lost"):
        assert any(one[name] for one in wanted), name


# --- the three pin games: who moves, where a pin comes to lie, by which fields ---------------------------------------

PIN_GAMES: list[tuple[str, dict[str, Any]]] = [
    ("madn", {}),
    ("madn", {"rules": "schmidt", "players": 3}),
    ("madn", {"distance": 9, "teams": True, "must_traverse_start": True}),
    ("dmadn", {}),
    ("dmadn", {"players": 2, "seats": "13", "circular": False, "must_traverse_start": True}),
    ("dog", {}),
    ("dog", {"rules": "braendi"}),
    ("dog", {"players": 2, "must_traverse_start": False}),
]


@pytest.mark.parametrize(("name", "options"), PIN_GAMES, ids=str)
def test_pins_go_where_the_page_shows_them(web: Path, name: str, options: dict[str, Any]) -> None:
    game, scripts, asked = st.game(name, **options), Scripts(web, name), []
    shutil.copy(Path(__file__).parent / "pins.mjs", scripts.folder)
    chooser = np.random.default_rng(3)
    spots = scripts.value("pins.mjs", "places", game.new(seed=1).to_json()["options"])
    assert len(set(spots)) == len(spots) == 4 * int(game.options["distance"] or 0) + 4 * len(game.spec.taken)
    for seed in range(3):
        for state in positions(game, seed, 7, 400):
            for action in chooser.permutation(state.actions())[:6]:
                after, comment = state.copy(), game.comment(state, int(action))
                after.apply(int(action))
                asked.append((state, int(action), after.to_json()["pins"]))
                for known in (comment, ""):  # in a look back the page only has the text of the better move
                    move = {"move": game.format(int(action)), "comment": known}
                    scripts.call("pins.mjs", "shown", state.to_json(), move)
    answers = scripts.answers()
    for (state, action, now), shown, guessed in zip(asked, answers[::2], answers[1::2], strict=True):
        assert guessed["targets"] == shown["targets"], (game.format(action), state.to_json())
        was, about = state.to_json()["pins"], (game.format(action), state.to_json())
        owner = int(pins.mover(state.record, state.record.pins))
        assert shown["mover"] == owner, about
        use = shown["use"]
        for pin, (target, fields) in enumerate(zip(shown["targets"], shown["fields"], strict=True)):
            if target is None:
                assert use.get("kind") == "swap" or was[owner][pin] == now[owner][pin] or now[owner][pin] == "H", about
            elif target[0] == "P":
                other, its = int(target[1]), int(target[3])
                assert (now[owner][pin], now[other][its]) == (was[other][its], was[owner][pin]), about
            elif now[owner][pin] != "H":  # an own hot seven may burn a pin that has just moved
                assert now[owner][pin] == target, about
            steps = int(use["parts"][pin] if use.get("parts") else use.get("steps") or state.to_json().get("die") or 0)
            if fields is not None and use["kind"] != "out":
                assert len(fields) == abs(steps) and fields[-1] == target, (about, fields, steps)
    assert len(asked) > 100
