"""Every reader of files and texts: whatever it is given, it comes to an end, and refuses with our own errors alone.

The logs of BrettspielWelt are in tests/logs/test_fuzz.py, networks and checkpoints in tests/models.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest

import stammtisch as st
from fuzz import bent_json, bent_lines, bent_text, survive, written
from stammtisch.agents.catalog import agents_of, full_name
from stammtisch.arena.match import Limits, Match, Table, pairs
from stammtisch.arena.referee import Referee
from stammtisch.arena.run import run
from stammtisch.arena.store import RunNotes, read
from stammtisch.arena.summary import summary
from stammtisch.arena.tables import heading, sentences, tables
from stammtisch.core import record
from stammtisch.core.errors import StammtischError, read_json
from stammtisch.core.game import Game, Json
from stammtisch.core.info import read_options
from stammtisch.core.registry import games
from stammtisch.learning.training import read_recipe, recipes
from stammtisch.logs.learn.recipe import read_recipe as read_log_recipe
from stammtisch.table.history import WATCHING
from stammtisch.table.opponents import Rights
from stammtisch.table.protocol import Closing, Refused, read_message
from stammtisch.table.seating import Arrangement
from stammtisch.table.settings import Settings, read_limits
from stammtisch.table.store import Kept, Unreadable
from stammtisch.table.table import Table as Seats

MILLION = [pytest.param(400, id="some"), pytest.param(1_000_000, id="a million", marks=pytest.mark.slow)]
GAMES = {
    "tictactoe": st.game("tictactoe"),
    "madn": st.game("madn"),
    "dmadn": st.game("dmadn"),
    "dog": st.game("dog"),
    "clever": st.game("clever", players=2),
    "chameleon": st.game("chameleon"),
    "tichu": st.game("tichu", rounds=1),
}
fuzzed = pytest.mark.parametrize("times", MILLION)
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))


@cache
def positions(game: Game) -> list[Json]:
    """From all over some random games."""
    dice = Random(7)
    found: list[Json] = []
    for seed in range(6):
        state = game.new(seed)
        while not state.over and len(found) < 40 * (seed + 1):
            found.append(state.to_json())
            state.apply(dice.choice(state.actions()))
        found.append(state.to_json())
    return found


@cache
def moves(game: Game) -> list[str]:
    found = [
        game.from_json(position, 1).moves()[:30] for position in positions(game)[::3] if position["player"] is not None
    ]
    return sorted({move for some in found for move in some})


@fuzzed
@every_game
def test_moves(game: Game, times: int) -> None:
    def read_move(text: str) -> None:
        assert game.parse(game.format(game.parse(text))) is not None

    survive(read_move, lambda dice: bent_text(dice.choice(moves(game)), dice), times, StammtischError)


@every_game
def test_a_move_of_five_thousand_digits(game: Game) -> None:
    """Python's own limit is met by nobody who reads a move."""
    import re

    for move in moves(game)[:300]:
        for number in re.finditer(r"\d+", move):
            for digits in ("9" * 5000, "0" * 5000, "²", "٣", "-1"):
                with pytest.raises(StammtischError):
                    game.parse(move[: number.start()] + digits + move[number.end() :])


@fuzzed
@every_game
def test_positions(game: Game, times: int) -> None:
    """What is accepted is a position that can be played on."""

    def read_position(text: str) -> None:
        state = game.parse_position(text, 1)
        assert game.from_json(state.to_json(), 1) == state
        if not state.over:
            state.view(state.player)
            state.apply(state.actions()[0])

    survive(read_position, lambda dice: bent_position(game, dice), max(100, times // 10), StammtischError)


def bent_position(game: Game, dice: Random) -> str:
    position = dice.choice(positions(game))
    return bent_text(json.dumps(position), dice) if dice.random() < 0.2 else written(bent_json(position, dice))


# --- files --------------------------------------------------------------------------------------------------


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    """In memory where there is such a folder: a million files are much for a disk."""
    with TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else tmp_path) as folder:
        yield Path(folder) / "file.jsonl"


def in_file(place: Path, read_file: Callable[[Path], object]) -> Callable[[str], object]:
    def write_and_read(text: str) -> None:
        place.write_bytes(text.encode("utf-8", "surrogatepass"))
        read_file(place)

    return write_and_read


@cache
def match_files() -> list[str]:
    from tempfile import mkdtemp

    found = []
    for number, (names, settings) in enumerate(
        [
            (("random", "maxn:depth=1"), {}),
            (("random", "maxn:depth=1"), {"sprt": {"elo0": 0.0, "elo1": 50.0}}),
            (("random", "maxn:depth=1", "maxn:depth=2"), {"kind": "ratings", "limits": Limits(1.0, 2.0, 3.0, 4.0)}),
        ]
    ):
        some_tables = pairs(3) if len(names) == 3 else (Table((0, 1)),)
        place = Path(mkdtemp()) / f"{number}.jsonl"
        run(Match((GAMES["tictactoe"],), names, some_tables, 1, **settings), 3, place)  # type: ignore[arg-type]
        found.append(place.read_text())
    plan = Match((GAMES["tichu"],), ("heuristic", "random"), (Table((0, 1)),), 1)
    deals = [{"table": 0, "deal": deal, "games": _games(Referee(plan), deal)} for deal in range(2)]
    found.append("\n".join(json.dumps(line) for line in [plan.header(), *deals]) + "\n")
    return found


def _games(referee: Referee, deal: int) -> list[Json]:
    return [game.to_json() for game in referee.play(0, deal).games]


@fuzzed
def test_match_files(times: int, place: Path) -> None:
    """What is accepted gives numbers and tables."""
    looked = 0

    def look(path: Path) -> None:
        nonlocal looked
        played = read(path)
        looked += 1
        if looked % 20 == 0:
            numbers = summary([played])
            assert heading([played]) and tables(numbers) and sentences(numbers) is not None

    bent = in_file(place, look), lambda dice: bent_lines(dice.choice(match_files()), dice)
    accepted = survive(*bent, times, StammtischError)
    assert accepted > times / 100


@fuzzed
def test_notes_beside_a_match(times: int, place: Path) -> None:
    good = {
        "runs": [{"command": "stammtisch arena ...", "date": "2026-01-01", "workers": 2, "seconds": 1.5}],
        "times": {"random": {"decisions": 100, "seconds": 0.5, "longest": 0.1}},
    }

    def look(text: str) -> None:
        RunNotes.place(place).write_bytes(text.encode("utf-8", "surrogatepass"))
        RunNotes.read(place).milliseconds()

    survive(look, lambda dice: bent_lines(json.dumps(good), dice), times, StammtischError)


@cache
def game_records() -> list[str]:
    found = []
    for game in (GAMES["tictactoe"], GAMES["madn"], GAMES["tichu"], GAMES["clever"]):
        dice, recorder = Random(3), record.Recorder(game.new(3), ["Anna", "Ben", "Cem", "Dora"][: game.spec.seats])
        while not recorder.state.over and len(recorder.moves) < 12:
            recorder.apply(dice.choice(recorder.state.actions()))
        found.append(json.dumps(recorder.record().to_json()))
    return found


@fuzzed
def test_game_records(times: int, place: Path) -> None:
    def look(path: Path) -> None:
        for one in record.read(path):
            for state in one.states():
                state.to_json()

    survive(in_file(place, look), lambda dice: bent_lines(dice.choice(game_records()), dice), times, StammtischError)


@fuzzed
def test_recipes(times: int, place: Path) -> None:
    texts = [path.read_text() for path in recipes().values()]
    survive(
        in_file(place, lambda path: read_recipe(str(path))),
        lambda dice: bent_text(dice.choice(texts), dice),
        times,
        StammtischError,
    )


@pytest.mark.parametrize("text", ["a = " + "[" * 50_000, "learner = 1" + "0" * 5000, 'learner = "\x1b[31m"', "\x00"])
def test_recipes_beyond_all_measure(text: str, place: Path) -> None:
    with pytest.raises(StammtischError):
        in_file(place, lambda path: read_recipe(str(path)))(text)


def test_settings_beyond_all_measure() -> None:
    from stammtisch.cli.train import _settings

    assert _settings(["a=" + "[" * 50_000, "b=1" + "0" * 5000, "c=1"])["c"] == 1


# --- what is typed or sent ----------------------------------------------------------------------------------


@fuzzed
def test_json(times: int) -> None:
    good = json.dumps(positions(GAMES["tichu"])[30])
    survive(lambda text: read_json(text, "it"), lambda dice: bent_text(good, dice), times, StammtischError)


@fuzzed
def test_options_and_agents(times: int) -> None:
    names = ["mcts:ms=500", "maxn:depth=9", "mcts:iterations=1000,c=1", "pimc:iterations=200", "random", "best:ms=100"]
    options = ["players=2", "teams=true", "rules=braendi", "target=1000", "rounds=none", "seats=02"]

    def look(text: str) -> None:
        for info in games().values():
            for read_one in (
                lambda: read_options([text], info.options, "of it"),  # noqa: B023
                lambda: st.game(info.name, **read_options([text], info.options, "of it")),  # noqa: B023
                lambda: full_name(text, info, ms=5.0),  # noqa: B023
                lambda: Rights(Settings()).check(text, info),  # noqa: B023
            ):
                with suppress(StammtischError, Refused):
                    read_one()
        assert agents_of(info)

    survive(look, lambda dice: bent_text(dice.choice(names + options), dice), max(100, times // 10), ())


@fuzzed
def test_limits_and_wishes_for_a_dataset(times: int) -> None:
    def limits(text: str) -> None:
        read_limits([text])

    def dataset(parts: list[str]) -> None:
        read_log_recipe(parts[0], True, parts[1], True, None, parts[2], 1)

    survive(limits, lambda dice: bent_text("tables_per_address=7", dice), times, StammtischError)
    good = ["play,schupf", "2007-2010", "90,5,5"]
    survive(
        dataset,
        lambda dice: [bent_text(one, dice) if dice.random() < 0.5 else one for one in good],
        times,
        StammtischError,
    )


@fuzzed
def test_messages_to_the_table(times: int) -> None:
    good = [
        {"type": "hello", "token": "0" * 32, "name": "Anna", "last": None, "stream": "0"},
        {"type": "move", "move": "4", "at": 3, "id": 7},
        {"type": "arrange", "seat": 1, "agent": "mcts:ms=500"},
        {"type": "pace", "ms": 700},
    ]

    def sent(dice: Random) -> str:
        message = dice.choice(good)
        return bent_text(json.dumps(message), dice) if dice.random() < 0.4 else written(bent_json(message, dice))

    survive(read_message, sent, times, Closing)


def test_kept_tables() -> None:
    """A row or a journal that somebody has bent: the table opens as far as it is whole, or cannot be read."""
    table = Seats("abc", Arrangement("tictactoe"))
    table.join("p", "Anna")
    table.sit("p", 0)
    table.start("p")
    assert table.state is not None
    for move in ("4", "0", "2"):
        table._play(table.state.player or 0, int(move))
    whole = {"row": table.to_row(), "journal": table.journal}
    good = json.loads(json.dumps(whole))

    def look(kept: Any) -> None:
        if (
            not isinstance(kept, dict)
            or not isinstance(kept.get("row"), dict)
            or not isinstance(kept.get("journal"), list)
        ):
            return
        journal = [entry for entry in kept["journal"] if isinstance(entry, dict) and isinstance(entry.get("kind"), str)]
        try:
            opened = Seats.from_row("abc", Kept(kept["row"], journal, len(journal) == len(table.journal)))
        except (LookupError, TypeError, ValueError, AttributeError):
            raise Unreadable("as the lobby says") from None
        assert opened.streams[WATCHING].n >= 0

    survive(look, lambda dice: bent_json(good, dice), 3000, StammtischError)
