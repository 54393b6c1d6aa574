"""Positions as JSON: written and read back, everything that is refused, moves and options that are none."""

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from copy import deepcopy
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

import stammtisch as st
from games.clever import referee
from games.clever.tables import ALL_BLUE, DICE, VARIANTS, faces, lying, random_options, random_sheet, table
from stammtisch.core.conformance import check
from stammtisch.core.errors import BadMove, BadOption, BadPosition, IllegalMove, UnknownOption
from stammtisch.core.game import State

GAME = st.game("clever")
SHEET: dict[str, Any] = {
    "yellow": [0, 13],
    "blue": [7, 8],
    "green": 4,
    "orange": [3, 6],
    "purple": [2, 5],
    "rerolls": 1,
    "extras": 2,
    "foxes": 1,
    "pending": [],
}
CROSSES = [cell for cell in range(16) if cell not in (3, 6, 9, 12)]
FULL: dict[str, Any] = {"yellow": CROSSES, "blue": ALL_BLUE, "green": 11, "orange": [1] * 11, "purple": [6] * 11}
ACTIVE: dict[str, Any] = {
    "game": "clever",
    "player": 0,
    "round": 2,
    "phase": "active",
    "roll": 2,
    "dice": faces("W5 Y1 B3 G2 O5 P4"),
    "place": lying("WOP", "B", "YG"),
    "sheets": [SHEET],
}
PASSIVE: dict[str, Any] = {**ACTIVE, "phase": "passive", "place": lying("", "", "YBG", "WOP")}
WINDOW: dict[str, Any] = {**ACTIVE, "phase": "active_extra", "roll": 3, "place": lying("", "WBO", "YGP")}
OVER: dict[str, Any] = {**PASSIVE, "phase": "over", "player": None, "round": 6}
DUO: dict[str, Any] = {
    **WINDOW,
    "options": {"players": 2},
    "phase": "passive",
    "player": 1,
    "active": 0,
    "starter": 0,
    "sheets": [SHEET, SHEET],
}
THESIS: dict[str, Any] = {**PASSIVE, "options": {"rules": "thesis"}, "place": lying("", "", "WBO", "YGP")}
PROTOTYPE: dict[str, Any] = {
    "options": {"rules": "prototype"},
    "dice": faces("W3 Y1 B6 G2"),
    "sheets": [{"yellow": [0, 13]}],
}


# --- writing and reading -----------------------------------------------------------------------------------------


def visited(options: dict[str, Any], seed: int) -> Iterator[State]:
    """The positions of a random game."""
    rng, state = Random(seed), st.game("clever", **options).new(seed=seed)
    yield state
    while not state.over:
        state.play(rng.choice(state.moves()))
        yield state


@pytest.mark.parametrize("options", [*VARIANTS, *(random_options(Random(seed)) for seed in range(8))], ids=str)
def test_positions_are_read_as_they_are_written(options: dict[str, Any]) -> None:
    for state in visited(options, seed=3):
        position = json.loads(json.dumps(state.to_json()))
        assert st.position(position) == state
        assert [state.view(seat) for seat in (0, None)] == [position] * 2, "there is nothing to hide"


def test_dice_and_sheets_are_a_position() -> None:
    state = GAME.from_json({"dice": faces("W3 Y1 B6 G2 O5 P4"), "sheets": [{}]})
    position = state.to_json()
    assert (position["round"], position["phase"], position["roll"], position["player"]) == (1, "active", 1, 0)
    assert position["place"] == lying()
    assert position["sheets"] == [{key: [] if isinstance(SHEET[key], list) else 0 for key in SHEET}]


def test_an_accepted_position_stays_readable_while_it_is_played_on() -> None:
    """The bars have seven slots: an eighth +1 must be impossible, not unreadable."""
    try:
        state = table("W6 Y6 B6 G6 O6 P6", yellow=[0, 5, 10], extras=7)
    except BadPosition as refused:
        assert refused.field == "extras"
        return
    state.play("Y>y15")
    assert GAME.from_json(state.to_json()) == state


# --- what is refused ---------------------------------------------------------------------------------------------


def sheet(**changed: Any) -> dict[str, Any]:
    return {"sheets": [{**SHEET, **changed}]}


def dice(**changed: Any) -> dict[str, Any]:
    return {"dice": {**ACTIVE["dice"], **changed}}


def place(**changed: Any) -> dict[str, Any]:
    return {"place": {**ACTIVE["place"], **changed}}


def values(*given: Any) -> tuple[Any, ...]:
    return given


NO_WHOLE_NUMBERS = (True, "1", 1.0, None, [1])

# A position, how it is spoilt, and the field to blame; several where either can be.
REFUSED: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    # yellow and blue
    *((ACTIVE, sheet(yellow=[cell]), "yellow") for cell in (3, 6, 9, 12, -1, 16, *NO_WHOLE_NUMBERS)),
    *((ACTIVE, sheet(blue=[number]), "blue") for number in (1, 13, -7, *NO_WHOLE_NUMBERS)),
    (ACTIVE, sheet(yellow=[0, 1, 0]), "yellow"),
    (ACTIVE, sheet(blue=[7, 8, 7]), "blue"),
    # the rows
    *((ACTIVE, sheet(green=count), "green") for count in (12, -1, *NO_WHOLE_NUMBERS)),
    *((ACTIVE, sheet(orange=[number]), "orange") for number in (0, 7, *NO_WHOLE_NUMBERS)),
    *((ACTIVE, sheet(purple=[number]), "purple") for number in (0, 7, *NO_WHOLE_NUMBERS)),
    (ACTIVE, sheet(orange=[1] * 12), "orange"),
    (ACTIVE, sheet(purple=[6] * 12), "purple"),
    *((ACTIVE, sheet(purple=row), "purple") for row in ([3, 3], [5, 2], [6, 6, 2, 2], [1, 6, 4, 3])),
    *((ACTIVE, sheet(**{area: value}), area) for area in ("yellow", "blue", "orange", "purple") for value in (1, None)),
    # actions and foxes
    *((ACTIVE, sheet(rerolls=count), "rerolls") for count in (8, -1, *NO_WHOLE_NUMBERS)),
    *((ACTIVE, sheet(extras=count), "extras") for count in (8, -1, *NO_WHOLE_NUMBERS)),
    *((ACTIVE, sheet(foxes=count), "foxes") for count in (6, -1, *NO_WHOLE_NUMBERS)),
    # open bonuses
    *((ACTIVE, sheet(pending=[bonus]), "pending") for bonus in ("fox", "reroll", "orange_3", "", 4, None, ["blue_x"])),
    *((ACTIVE, sheet(pending=value), "pending") for value in values("blue_x", None, {"blue_x": 1}, ["blue_x"] * 100)),
    *(
        (ACTIVE, sheet(**FULL | {"pending": [bonus]}), "pending")
        for bonus in ("yellow_x", "blue_x", "green_x", "orange_4", "orange_5", "orange_6", "purple_6", "black")
    ),
    (OVER, sheet(pending=["blue_x"]), "pending"),
    (DUO, {"sheets": [{**SHEET, "pending": ["blue_x"]}, SHEET]}, "pending"),
    (DUO, {"sheets": [{**SHEET, "pending": ["blue_x"]}] * 2}, "pending"),
    (DUO, {"sheets": [{**SHEET, "pending": ["blue_x"]}, SHEET], "roll": 0}, "pending roll"),
    (DUO, {"sheets": [SHEET, {**SHEET, "pending": ["blue_x"]}], "active": 1}, "active pending"),
    (DUO, {"sheets": [SHEET, {**SHEET, "pending": ["blue_x"]}], "phase": "active_extra"}, "active pending"),
    (
        DUO,
        {"sheets": [{**SHEET, "pending": ["blue_x"]}, {}], "phase": "active_extra", "roll": 0},
        "active pending roll",
    ),
    (
        DUO | {"phase": "active", "place": ACTIVE["place"]},
        {"sheets": [SHEET, {**SHEET, "pending": ["blue_x"]}]},
        "active player pending",
    ),
    (ACTIVE, sheet(pending=["blue_x"]) | {"roll": 0}, "roll place"),
    (ACTIVE, sheet(pending=["blue_x"]) | {"place": lying()}, "roll place pending"),  # nothing was chosen
    # sheets
    *((ACTIVE, {"sheets": value}, "sheets") for value in values([], [SHEET, SHEET], SHEET, None, [None], [[]])),
    (DUO, {"sheets": [SHEET]}, "sheets"),
    (ACTIVE, sheet(red=[1]), "sheets"),
    # dice
    *((ACTIVE, dice(W=face), "dice") for face in (0, 7, *NO_WHOLE_NUMBERS)),
    (ACTIVE, dice(R=3), "dice"),
    (ACTIVE, {"dice": faces("W5 Y1 B3 G2 O5")}, "dice"),
    *((ACTIVE, {"dice": value}, "dice") for value in values([1, 2, 3, 4, 5, 6], None, 6, {})),
    # where they lie
    *((ACTIVE, place(W=value), "place") for value in ("hand", "", None, 1, ["pool", "tray"], ["pool"])),
    (ACTIVE, place(R="pool"), "place"),
    (ACTIVE, {"place": lying("WOP", "B", "Y")}, "place"),
    *((ACTIVE, {"place": value}, "place") for value in values(["pool"] * 6, None, "pool", {})),
    (ACTIVE, {"roll": 1}, "place"),  # a chosen die, and still the first roll
    (ACTIVE, {"place": lying("OP", "WB", "YG")}, "place"),
    (ACTIVE, {"roll": 3, "place": lying("OP", "WBY", "G")}, "place"),
    (ACTIVE, {"place": lying("WBOP", "", "YG")}, "place"),  # a tray, and no chosen die
    (ACTIVE, {"place": lying("", "B", "WYGOP")}, "place"),
    (ACTIVE, {"place": lying("WO", "B", "YG", "P")}, "place"),
    (WINDOW, {"place": lying("P", "WBO", "YG")}, "place"),
    (WINDOW, {"place": lying("", "WBOP", "YG")}, "place"),
    (PASSIVE, {"place": lying()}, "place"),
    (PASSIVE, {"place": lying("", "", "YBGP", "WO")}, "place"),
    (PASSIVE, {"place": lying("", "WOP", "YBG")}, "place"),
    (PASSIVE, {"place": lying("", "", "WYG", "BOP")}, "place"),  # not the lowest
    (DUO, {"place": lying("", "", "YBG", "WOP")}, "place"),
    (DUO, {"place": lying("P", "WBO", "YG")}, "place"),
    # dice used by a +1
    *((WINDOW, {"extra_used": value}, "extra_used") for value in (["W", "W"], ["R"], "W", None, [["W"]], [0])),
    # the course of the game
    *((ACTIVE, {"round": value}, "round") for value in (0, 7, *NO_WHOLE_NUMBERS)),
    (DUO, {"options": {"players": 4}, "sheets": [SHEET] * 4, "round": 5}, "round"),
    (DUO, {"options": {"players": 3}, "sheets": [SHEET] * 3, "round": 6}, "round"),
    *((THESIS, {"round": 6, "phase": phase}, "round") for phase in ("passive", "passive_extra")),
    *((ACTIVE, {"roll": value}, "roll") for value in (-1, 4, *NO_WHOLE_NUMBERS)),
    (ACTIVE, {"roll": 0, "place": lying()}, "roll"),
    *((ACTIVE, {"phase": value}, "phase") for value in values("roll", "", None, 0, ["active"], {})),
    (WINDOW, sheet(extras=0), "extras"),
    (PASSIVE, sheet(extras=0) | {"phase": "passive_extra"}, "extras"),
    # who decides
    *((ACTIVE, {"player": value}, "player") for value in (1, -1, *NO_WHOLE_NUMBERS, False)),
    (OVER, {"player": 0}, "player"),
    (DUO, {"player": 2}, "player"),
    *((DUO, {"active": value}, "active") for value in (1, 2, -1, True, "0", 0.0, [0])),
    (ACTIVE, {"player": 0, "active": 1}, "active"),
    ({key: ACTIVE[key] for key in ("dice", "sheets")}, {"active": 1}, "active"),
    (DUO, {"phase": "active_extra"}, "active"),
    *((DUO, {"starter": value}, "starter") for value in (2, -1, True, "0", 0.0, [0])),
    # the prototype
    *((PROTOTYPE, {"phase": phase}, "phase") for phase in ("passive", "active_extra", "passive_extra")),
    (PROTOTYPE, {"round": 11}, "round"),
    (PROTOTYPE, {"roll": 0}, "roll"),
    (PROTOTYPE, {"roll": 2}, "roll"),
    (PROTOTYPE, {"dice": ACTIVE["dice"]}, "dice"),
    (PROTOTYPE, {"options": {"rules": "prototype", "dice": 2}}, "dice"),
    (PROTOTYPE, {"place": {"W": "pool", "Y": "pool", "B": "pool", "G": "aside"}}, "place"),
    (PROTOTYPE, {"sheets": [{"pending": ["yellow_x"]}]}, "pending"),
    *(
        (PROTOTYPE, {"sheets": [{key: value}]}, key)
        for key, value in {"blue": [7], "green": 1, "orange": [1], "purple": [1]}.items()
    ),
    *((PROTOTYPE, {"sheets": [{key: 1}]}, key) for key in ("rerolls", "extras", "foxes")),
    # the rest
    (ACTIVE, {"deck": []}, "deck"),
    (ACTIVE, {"game": "dog"}, "game"),
    *((ACTIVE, {"options": value}, "options") for value in values([], "official", 1)),
]


def assert_as_given(position: dict[str, Any], state: State) -> None:
    """Nothing that was given has been changed on the way."""
    found = state.to_json()
    for key in ("phase", "round", "roll", "active", "starter", "dice", "place"):
        if position.get(key) is not None:
            assert (key, found[key]) == (key, position[key])
    for sheet_given, sheet_found in zip(position["sheets"], found["sheets"], strict=True):
        for key, value in sheet_given.items():
            assert (key, sheet_found[key]) == (key, sorted(value) if key in ("yellow", "blue") else value)


@pytest.mark.parametrize("base", [ACTIVE, PASSIVE, WINDOW, OVER, DUO, THESIS, PROTOTYPE], ids=str)
def test_the_positions_that_get_spoilt_are_good(base: dict[str, Any]) -> None:
    state = GAME.from_json(base)
    assert st.position(state.to_json()) == state
    assert_as_given(base, state)


@pytest.mark.parametrize(("base", "changed", "field"), REFUSED, ids=[f"{case[2]}: {case[1]}"[:90] for case in REFUSED])
def test_a_bad_position_is_refused_with_its_field(base: dict[str, Any], changed: dict[str, Any], field: str) -> None:
    with pytest.raises(BadPosition) as caught:
        GAME.from_json({**base, **changed})
    assert caught.value.field in field.split()
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("key", ["dice", "sheets"])
def test_dice_and_sheets_are_needed(key: str) -> None:
    with pytest.raises(BadPosition, match="missing") as caught:
        GAME.from_json({name: value for name, value in ACTIVE.items() if name != key})
    assert caught.value.field == key


# --- anything else -----------------------------------------------------------------------------------------------

WORDS = ("pool", "tray", "aside", "active", "over", "passive", "blue_x", "black", "W", "yellow", "pending", "")
ATOMS = some.one_of(
    some.none(), some.booleans(), some.integers(-3, 18), some.integers(), some.floats(), some.sampled_from(WORDS)
)
VALUES = some.recursive(
    ATOMS,
    lambda inner: some.one_of(
        some.lists(inner, max_size=4), some.dictionaries(some.sampled_from((*WORDS, *DICE)), inner, max_size=4)
    ),
    max_leaves=6,
)
REAL = [state.to_json() for options in VARIANTS for state in visited(options, seed=5)]


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Everything that can be replaced: the object or list, and the key or index."""
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from places(value[key])


@given(some.data())
def test_spoilt_json_is_a_position_or_refused(data: some.DataObject) -> None:
    draw: Callable[..., Any] = data.draw
    position = deepcopy(draw(some.sampled_from(REAL)))
    options = json.dumps(position["options"])
    for _ in range(draw(some.integers(1, 3))):
        inside, key = draw(some.sampled_from([*places(position)]))
        if draw(some.integers(0, 5)):
            inside[key] = draw(VALUES)
        else:
            del inside[key]
    try:
        state = GAME.from_json(position, seed=1)
    except BadPosition:
        return
    except (BadOption, UnknownOption):
        assert json.dumps(position["options"]) != options
        return
    assert_as_given(position, state)
    assert st.position(state.to_json()) == state
    for _ in range(3):
        if not state.over:
            state.play(draw(some.sampled_from(state.moves())))


def plausible_place(rng: Random, phase: str, players: int) -> dict[str, str]:
    """Dice that lie as in this phase, or anyhow."""
    dice = "".join(rng.sample(DICE, 6))
    chosen, tray = rng.randint(0, 3), rng.randint(0, 3)
    if rng.random() < 0.2:
        return {die: rng.choice(("pool", "field", "tray", "aside")) for die in DICE}
    if phase == "active":
        return lying(dice, dice[:chosen], dice[chosen : chosen + tray] if chosen else "")
    if phase.startswith("passive") and players == 1:
        low_first = "".join(sorted(DICE))
        return lying("", "", low_first[:3], low_first[3:])
    return lying("", dice[:chosen], dice[chosen:])


def plausible_position(rng: Random, players: int) -> dict[str, Any]:
    """Fields that are good each for itself, and often together."""
    phase = rng.choice(("active", "active_extra", "passive", "passive_extra"))
    active = rng.randrange(players)
    player = active if phase.startswith("active") else (active + 1) % players
    sheets = [random_sheet(rng, rng.random()) for _ in range(players)]
    for owner in rng.choices((player, rng.randrange(players)), (4, 1), k=rng.choice((0, 0, 1, 2))):
        bonus = rng.choice(("yellow_x", "blue_x", "green_x", "orange_4", "orange_5", "orange_6", "purple_6", "black"))
        sheets[owner]["pending"].append(bonus)
    return {
        "phase": phase,
        "player": player if rng.random() < 0.9 else rng.randrange(players),
        "active": active,
        "starter": rng.randrange(players),
        "round": rng.randint(1, 4),
        "roll": rng.choice((0, 1, 2, 3, 3)),
        "dice": dict(zip("BGOPWY", sorted(rng.choices(range(1, 7), k=6)), strict=True)),
        "place": plausible_place(rng, phase, players),
        "extra_used": rng.sample(DICE, rng.choice((0, 0, 1, 2))) if phase.endswith("extra") else [],
        "sheets": sheets,
    }


SEEDS = [range(600), pytest.param(range(600, 6000), marks=pytest.mark.slow)]


def accepted(seeds: range) -> Iterator[tuple[dict[str, Any], State, Random]]:
    """What the game takes of random positions, by random rules."""
    for seed in seeds:
        rng = Random(seed)
        options = random_options(rng)
        if options.get("rules") != "prototype":
            position = plausible_position(rng, options.get("players", 1))
            with suppress(BadPosition):
                yield position, st.game("clever", **options).from_json(position, seed=seed), rng


@pytest.mark.parametrize("seeds", SEEDS, ids=str)
def test_what_is_accepted_is_what_was_given(seeds: range) -> None:
    """Only a bonus before the first roll may be given with roll 1."""
    for position, state, _ in accepted(seeds):
        if position["roll"] == 1 and state.to_json()["roll"] == 0:
            position["roll"] = 0
        assert_as_given(position, state)


@pytest.mark.parametrize("seeds", SEEDS, ids=str)
def test_what_is_accepted_can_be_played_and_read_again(seeds: range) -> None:
    for _, state, rng in accepted(seeds):
        for _ in range(5):
            before = state.to_json()
            assert state.game.from_json(before) == state
            assert sorted(state.moves()) == sorted(referee.legal_moves(before)), before
            if state.over:
                break
            move = rng.choice(state.moves())
            expected = referee.play(before, move)
            state.play(move)
            assert not referee.differences(expected, state.to_json()), (before, move)


# --- moves -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        *("", "Y", "Y>", "y13", "Y>y", "Y>y3", "Y>y16", "Y>y013", "Y>y-1", "Y>b7", "Y>y1y2", "R>y1", "YY>y1"),
        *("W>b1", "W>b13", "G>g0", "G>g12", "O>o01", "P>p", "P>g1", "W>r1", "w>b9", "Y>Y13", "Y>y１"),
        *("+", "+end", "++W>o3", "-W>o3", "+Y>b7", "+W>p12"),
        *("*", "*fox>y0", "*blue_x>y0", "*blue_x>b1", "*green_x>g0", "*orange_4>p1", "*black>", "*black>w1"),
        *("*blue_x", "*>b7", "*none>none", "blue_x>b7", "*yellow_x>y9", "PASS", "re-roll", "stop", "pass pass"),
    ],
)
def test_what_is_no_move_is_refused_with_examples(text: str) -> None:
    state = GAME.from_json(ACTIVE)
    with pytest.raises(BadMove, match="moves look like"):
        state.play(text)
    assert state == GAME.from_json(ACTIVE)


@pytest.mark.parametrize(
    ("base", "text"),
    [
        (ACTIVE, "pass"),  # a die fits
        (ACTIVE, "end"),
        (ACTIVE, "Y>y5"),  # on the tray
        (ACTIVE, "B>b9"),  # chosen already
        (ACTIVE, "W>b9"),  # the sum is 8
        (ACTIVE, "W>b8"),  # crossed
        (ACTIVE, "W>y1"),  # shows 5
        (ACTIVE, "P>p3"),  # does not rise
        (ACTIVE, "O>o4"),  # not the next cell
        (ACTIVE, "+W>o3"),
        (ACTIVE, "*blue_x>b2"),
        (ACTIVE | sheet(rerolls=0), "reroll"),
        (ACTIVE | sheet(pending=["blue_x"]), "*blue_x>b7"),
        (ACTIVE | sheet(pending=["blue_x"]), "*blue_x>none"),
        (ACTIVE | sheet(pending=["blue_x"]), "*green_x>g5"),
        (ACTIVE | sheet(pending=["blue_x"]), "W>o3"),
        (ACTIVE | sheet(pending=["blue_x"]), "reroll"),
        (PASSIVE, "reroll"),
        (PASSIVE, "end"),
        (PASSIVE, "W>o3"),  # aside
        (PASSIVE, "+W>o3"),
        (WINDOW, "pass"),
        (WINDOW, "W>o3"),
        (WINDOW | {"extra_used": ["W"]}, "+W>o3"),
        (DUO, "W>o3"),  # a tray die fits
        (PROTOTYPE, "pass"),
        (PROTOTYPE, "Y>y0"),
        (PROTOTYPE, "Y>y2"),  # no 5
        (PROTOTYPE, "W>y1"),
        (PROTOTYPE, "reroll"),
        (OVER, "pass"),
        (OVER, "end"),
    ],
    ids=str,
)
def test_what_is_not_legal_now_is_refused_and_changes_nothing(base: dict[str, Any], text: str) -> None:
    state = GAME.from_json(base)
    before = state.to_json()
    with pytest.raises(IllegalMove, match="the game is over" if state.over else "legal: "):
        state.play(text)
    assert state.to_json() == before


def test_every_move_is_read_as_it_is_written() -> None:
    texts = []
    for action in range(GAME.spec.numbers):
        try:
            texts.append((action, GAME.format(action)))
        except BadMove:
            continue
    assert len({text for _, text in texts}) == len(texts)
    for action, text in texts:
        assert GAME.parse(text) == GAME.parse(f" {text} ") == action


# --- options -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        *({"players": value} for value in (0, 5, -1, True, "2", 2.0, None)),
        *({"rules": value} for value in ("house", "", None, 1)),
        *({"bonus_order": value} for value in ("stack", None, True)),
        *({name: 1} for name in ("bonus_optional", "pass_anytime", "passive_optional", "passive_fallback")),
        *({"rules": "prototype", "dice": value} for value in (0, 1, 3, 6, True, "2")),
        {"dice": 2},
        {"rules": "thesis", "dice": 4},
        {"rules": "thesis", "players": 2},
        {"rules": "prototype", "players": 3},
    ],
    ids=str,
)
def test_bad_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(BadOption):
        st.game("clever", **options)
    with pytest.raises(BadOption):
        GAME.from_json({**ACTIVE, "options": options})


def test_unknown_options_are_refused() -> None:
    with pytest.raises(UnknownOption, match="did you mean passive_fallback"):
        st.game("clever", fallback=True)


# --- the contract ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        {"rules": "prototype", "dice": 2},
        {"rules": "thesis", "bonus_order": "queue"},
        *(
            pytest.param(options, marks=pytest.mark.slow)
            for options in (
                {},
                {"rules": "thesis"},
                {"rules": "prototype"},
                {"players": 2},
                {"players": 3, "bonus_order": "queue", "bonus_optional": True},
                {"players": 4, "passive_optional": False},
                {"pass_anytime": True, "bonus_optional": True, "passive_fallback": True, "passive_optional": False},
            )
        ),
    ],
    ids=str,
)
def test_the_contract_is_kept(options: dict[str, Any]) -> None:
    report = check(st.game("clever", **options), games=2, seed=1)
    assert report.ok, str(report)


def test_the_example_of_the_notation_can_be_read() -> None:
    """It shows every key at once, among them dice of a +1 window that is not open: they do not matter."""
    position = {
        "game": "clever",
        "options": {
            "rules": "official",
            "players": 1,
            "bonus_order": "player",
            "passive_optional": True,
            "passive_fallback": False,
        },
        "player": 0,
        "round": 1,
        "phase": "active",
        "roll": 1,
        "dice": {"W": 3, "Y": 1, "B": 6, "G": 2, "O": 5, "P": 4},
        "place": {"W": "pool", "Y": "pool", "B": "field", "G": "tray", "O": "pool", "P": "pool"},
        "extra_used": ["W"],
        "sheets": [
            {
                "yellow": [0, 13],
                "blue": [7, 8],
                "green": 4,
                "orange": [3, 6],
                "purple": [2, 5],
                "rerolls": 1,
                "extras": 0,
                "foxes": 1,
                "pending": ["blue_x"],
            }
        ],
    }
    state = st.game("clever").from_json(position)
    assert state.moves() == [f"*blue_x>b{number}" for number in (2, 3, 4, 5, 6, 9, 10, 11, 12)]
    assert state.to_json()["extra_used"] == []


def test_a_sheet_of_a_finished_game_needs_no_round() -> None:
    """Whoever wants to know what a sheet is worth need not say when the game was over."""
    assert st.game("clever").from_json(OVER | {"round": 3}).over
