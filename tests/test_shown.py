"""Texts of files are shown on a terminal and never obeyed."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from rich.table import Table

import stammtisch as st
from commands import run
from stammtisch.cli.app import print_table, say
from stammtisch.cli.console import PlainConsole
from stammtisch.core.errors import json_text, shown
from stammtisch.core.record import Recorder

EVIL = "\x1b]0;owned\x07\x1b[2J\x9b31m\x08\r\u202egnal[bold][/nope][link=x]\u2066"
COMMANDS = {chr(code) for code in (*range(32), *range(127, 160))} - {"\n"} | {"\u202e", "\u2066", "\u2028"}


def obeyed(text: str) -> set[str]:
    """What a terminal would do something about, colours of the program's own aside (there are none without one)."""
    return set(text) & COMMANDS


def a_record(name: str) -> str:
    recorder = Recorder(st.game("tictactoe").new(1), [name, "Ben"])
    for move in ("4", "0", "2"):
        recorder.play(move)
    return json.dumps(recorder.record(event=name).to_json()) + "\n"


def a_match(name: str) -> str:
    header = {"format": 1, "program": name, "kind": "match", "game": "tictactoe", "options": [{}]}
    header |= {"entrants": [name, "random"], "tables": [{"entrants": [0, 1], "options": 0}], "seed": 1}
    header |= {"opening": None, "limits": {"grace": 2.0, "stall": 60.0}, "sprt": None}
    games = [{"sides": sides, "scores": [1.0, 0.0], "decisions": 5} for sides in ([0, 1], [1, 0])]
    games[0]["fault"] = {"seat": 0, "kind": "crash", "text": name}
    return "".join(json.dumps(one) + "\n" for one in (header, {"table": 0, "deal": 0, "games": games}))


@pytest.mark.parametrize(
    ("text", "command"),
    [
        (a_record(EVIL), ("replay",)),
        (a_record(EVIL), ("replay", "--json")),
        (a_match(EVIL), ("report",)),
        (a_match(EVIL), ("report", "--json")),
        (a_match("[/nope]"), ("report",)),
        (EVIL + "{}\n", ("replay",)),
        (json.dumps({"format": EVIL}), ("report",)),
        (f'learner = "{EVIL}"'.replace("\x1b", "\\u001b").replace("\x07", "").replace("\x08", ""), ("train",)),
    ],
)
def test_no_command_reaches_the_terminal(
    text: str, command: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "file.jsonl"
    place.write_text(text, encoding="utf-8", newline="")
    assert run(command[0], str(place), *command[1:]) in (0, 2)
    said = capsys.readouterr()
    assert said.out or said.err
    assert obeyed(said.out) == obeyed(said.err) == set()


def test_names_that_are_no_agents_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("arena", "tictactoe", EVIL, "random") == 2
    assert obeyed(capsys.readouterr().err) == set()


def test_logs_are_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = Path(__file__).parent / "logs" / "fixtures" / "synthetic_round.tch"
    text = source.read_text(encoding="latin-1")
    name = text.split("(0)")[1].split()[0]
    place = tmp_path / "evil.tch"
    place.write_text(text.replace(name, "\x1b[31m\x9b\x07" + name[:3]), encoding="latin-1")
    for command in (("check",), ("check", "--json"), ("show",)):
        run("logs", command[0], str(place), *command[1:])
        said = capsys.readouterr()
        assert obeyed(said.out) == obeyed(said.err) == set()


def test_tables_take_texts_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(("[/x]", "b"), [("[/nope]", EVIL)])
    say(EVIL)
    say("two\nlines · ½", stderr=True)
    said = capsys.readouterr()
    assert "[/nope]" in said.out and said.err == "two\nlines · ½\n"
    assert obeyed(said.out) == set()


def test_a_console_s_own_colours_stay() -> None:
    file = io.StringIO()
    console = PlainConsole(file=file, force_terminal=True, width=300, color_system="standard")
    table = Table("name")
    table.add_row(EVIL.replace("[", "("))
    console.print("[red]alarm[/red]")
    console.print(table)
    assert "\x1b[31malarm\x1b[0m" in file.getvalue()
    assert "\x07" not in file.getvalue() and "\x1b(2J" not in file.getvalue() and "\u202e" not in file.getvalue()


def test_what_is_shown_is_the_same_where_nothing_is_hidden() -> None:
    for text in ("Jörg 🎲 李", "1\u202f000 ± 3 %", "", "a b"):
        assert shown(text) == text
    assert json.loads(json_text({"name": EVIL, "ü": ["\ud800", 1]})) == {"name": EVIL, "ü": ["\ud800", 1]}
    assert obeyed(json_text(EVIL)) == set()
