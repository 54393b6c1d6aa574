"""Options: typed, checked, and read from what people type."""

from typing import Any

import pytest

import stammtisch as st
from stammtisch.core.info import Option, check_options, read_options

PLAYERS = Option("players", 2, "how many", low=2, high=4)
TEAMS = Option("teams", False, "play in teams")
RULES = Option("rules", "seed", "a preset", choices=("seed", "schmidt"))
LIMIT = Option("max_plies", None, "draw after so many moves", low=1, kind=int)
SPEED = Option("c", 0.7, "exploration", low=0)
END = Option("end", 100, "moves at most, or none", low=1, high=500, optional=True)
WHO = Option("who", "ab", "who plays", choices=("ab", "abc"), aliases=((2, "ab"), ("3", "abc")))
ALL = (PLAYERS, TEAMS, RULES, LIMIT, SPEED)


@pytest.mark.parametrize(
    ("option", "text", "value"),
    [
        (PLAYERS, "3", 3),
        (TEAMS, "true", True),
        (TEAMS, "Off", False),
        (TEAMS, "yes", True),
        (RULES, "schmidt", "schmidt"),
        (LIMIT, "100", 100),
        (LIMIT, "none", None),
        (SPEED, "1", 1.0),
        (SPEED, "1.5", 1.5),
        (END, "none", None),
        (END, "7", 7),
        (WHO, "3", "abc"),
    ],
)
def test_typed_values_are_read(option: Option, text: str, value: object) -> None:
    assert option.read(text) == value
    assert option.check(value) == value


@pytest.mark.parametrize(
    ("option", "text", "expected"),
    [
        (PLAYERS, "5", "a whole number from 2 to 4"),
        (PLAYERS, "two", "a whole number from 2 to 4"),
        (PLAYERS, "none", "a whole number from 2 to 4"),
        (TEAMS, "2", "true or false"),
        (RULES, "house", "one of seed, schmidt"),
        (LIMIT, "0", "a whole number, 1 or more"),
        (SPEED, "fast", "a number, 0 or more"),
        (SPEED, "nan", "a number, 0 or more"),
        (END, "0", "a whole number from 1 to 500 or none"),
        (WHO, "2", "one of ab, abc"),
    ],
)
def test_values_that_do_not_fit_say_what_would(option: Option, text: str, expected: str) -> None:
    with pytest.raises(st.BadOption, match=f"option {option.name}={text}: {expected}"):
        option.read(text)


@pytest.mark.parametrize(
    ("option", "value"), [(PLAYERS, True), (PLAYERS, 2.0), (TEAMS, 1), (RULES, None), (LIMIT, "3")]
)
def test_values_of_the_wrong_type_are_refused(option: Option, value: Any) -> None:
    with pytest.raises(st.BadOption):
        option.check(value)


def test_other_ways_to_say_a_value_mean_the_value() -> None:
    assert (WHO.check(2), WHO.check("3"), WHO.check("ab")) == ("ab", "abc", "ab")
    with pytest.raises(st.BadOption):
        WHO.check(3)


def test_missing_options_have_their_defaults() -> None:
    found = check_options({"players": 3}, ALL, "of a game")
    assert found == {"players": 3, "teams": False, "rules": "seed", "max_plies": None, "c": 0.7}


def test_unknown_options_are_refused() -> None:
    with pytest.raises(st.UnknownOption, match="unknown option 'team' of a game: did you mean teams?"):
        check_options({"team": True}, ALL, "of a game")
    with pytest.raises(st.UnknownOption, match="unknown option 'team' of a game"):
        read_options(["team=true"], ALL, "of a game")
    with pytest.raises(st.BadOption, match="option teams needs a value: teams=..., true or false"):
        read_options(["teams"], ALL, "of a game")
