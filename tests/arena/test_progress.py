"""What is shown while a match is played."""

import io
import re

import pytest
from rich.console import Console

import stammtisch as st
from stammtisch.arena import progress as progress_module
from stammtisch.arena.match import Match, match, pairs
from stammtisch.arena.progress import Progress, Standing
from stammtisch.arena.referee import Referee
from stammtisch.arena.store import Played
from toys import Climb
from toys.players import player

TICTACTOE = st.game("tictactoe")


def standing(plan: Match, deals: int = 12) -> str:
    """The last of several estimates on the way."""
    referee, played, said = Referee(plan), Played(plan, []), Standing()
    text = ""
    for number, task in enumerate(plan.schedule(deals)):
        played.deals.append(referee.play(*task))
        if number % 3 == 0:
            text = said.of(played)
    assert said.seen == len(played.deals) - 2
    return text


def test_the_estimate_of_every_kind_of_match() -> None:
    assert re.fullmatch(r"random \d+\.\d % ± \d+\.\d", standing(match(TICTACTOE, "random", "maxn:depth=2", seed=1)))
    assert standing(match(TICTACTOE, "random", seed=1)) == "random"
    assert standing(match(Climb(), "first", seed=1, make=player)) == "first 12.0 ± 0.0"
    robin = Match((TICTACTOE,), ("random", "maxn:depth=1", "maxn:depth=9"), pairs(3), seed=1)
    assert standing(robin).startswith("ahead: maxn:depth=9 ")
    crash = standing(match(TICTACTOE, "crash", "first", seed=1, make=player))
    assert crash == "crash 0.0 % ± 0.0 · 20 lost by faults"


def test_without_a_terminal_there_is_a_line_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress_module, "LINE_SECONDS", 0.0)
    plan, text = match(TICTACTOE, "random", "maxn:depth=1", seed=1), io.StringIO()
    played = Played(plan, [Referee(plan).play(0, deal) for deal in range(5)])
    with Progress(Console(file=text), 10) as progress:
        progress(played, 10)
    assert "5 of 10 deals · random" in text.getvalue()
