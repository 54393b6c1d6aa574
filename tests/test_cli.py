"""The command line as people and scripts use it."""

import json
import os
import re
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import stammtisch
from commands import json_of, output_of, run
from stammtisch.cli.app import app
from stammtisch.core.conformance import check as real_check
from toys import Pig


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Answer the prompts with these lines, then end the input."""

    def give(*lines: str) -> None:
        waiting = iter(lines)

        def answer(prompt: str) -> str:
            try:
                return next(waiting)
            except StopIteration:
                raise EOFError from None

        monkeypatch.setattr("builtins.input", answer)

    return give


pytestmark = pytest.mark.usefixtures("own_data")
COMMANDS = [command.callback.__name__ for command in app.registered_commands if command.callback]


def test_every_command_has_help_with_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    for command in COMMANDS:
        text = output_of(capsys, command, "--help")
        assert f"Example: stammtisch {command}" in text


@pytest.mark.parametrize("command", ["games", "agents", "replay", "hint", "check", "bench"])
def test_every_command_that_reports_numbers_has_json(capsys: pytest.CaptureFixture[str], command: str) -> None:
    assert "--json" in re.sub(r"\x1b\[[0-9;]*m", "", output_of(capsys, command, "--help"))


def test_games_and_agents_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert "Tic-Tac-Toe" in output_of(capsys, "games")
    assert "no options" in output_of(capsys, "games", "tictactoe")
    assert {game["name"] for game in json_of(capsys, "games")} >= {"tictactoe"}
    assert json_of(capsys, "games", "tictactoe")["seats"] == [2, 2]
    assert "Monte-Carlo" in output_of(capsys, "agents")
    assert {agent["name"] for agent in json_of(capsys, "agents", "tictactoe")} >= {"ismcts", "maxn", "mcts", "random"}


def test_the_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert output_of(capsys, "--version").strip() == f"stammtisch {stammtisch.__version__}"


def test_lists_do_not_load_numba() -> None:
    for arguments in (["--help"], ["games"], ["agents"], ["games", "--json"]):
        script = f"""
import sys
from stammtisch.cli import main
try:
    main({arguments!r})
except SystemExit as end:
    assert end.code == 0
assert "numba" not in sys.modules and "numpy" not in sys.modules
"""
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


# --- playing ------------------------------------------------------------------------------------------------


def test_a_whole_game_in_the_terminal(capsys: pytest.CaptureFixture[str], answers: Any, tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    answers("help", "moves", "x", "9", "0", "0", "1", "2", "3", "4", "5", "6", "7", "8")
    text = output_of(
        capsys, "play", "tictactoe", "--terminal", "--against", "random", "--seed", "3", "--record", str(file)
    )
    assert "0 1 2 3 4 5 6 7 8" in text  # moves
    assert "'x' is no move of Tic-Tac-Toe" in text
    assert re.search(r"You win!|You lose|A draw", text)
    record = json.loads(file.read_text())
    assert record["players"] == ["you", "random"]
    assert record["result"] is not None
    again = output_of(capsys, "replay", str(file))
    assert "Result: " in again and again.count("plays") == len(record["moves"])


def test_a_hint_during_play(capsys: pytest.CaptureFixture[str], answers: Any) -> None:
    answers("hint", "quit")
    text = output_of(
        capsys,
        "play",
        "tictactoe",
        "--against",
        "maxn:depth=9",
        "--position",
        '{"board": "XX.OO....", "player": 0}',
    )
    assert re.search(r"│ 2 +│ 1\.000", text)


def test_moves_are_shown_as_they_are_typed(capsys: pytest.CaptureFixture[str], answers: Any) -> None:
    """``:JOKER:`` in a move is no emoji."""
    position = json.dumps({"pins": [["H"] * 4] * 4, "hands": [["JOKER"], ["2"], ["2"], ["2"]], "player": 0})
    answers("moves", "start:JOKER:p0", "quit")
    shown = output_of(capsys, "play", "dog", "--against", "random", "--position", position)
    assert "start:JOKER:p3" in shown
    assert "you, plays start:JOKER:p0" in shown


def test_a_game_alone(capsys: pytest.CaptureFixture[str], answers: Any) -> None:
    """No opponents, what every move brings, and at the end the rule book's word."""
    position = {
        "player": 0,
        "phase": "passive_extra",
        "round": 6,
        "roll": 3,
        "dice": {"W": 1, "Y": 2, "B": 3, "G": 4, "O": 5, "P": 6},
        "place": {"W": "tray", "Y": "tray", "B": "tray", "G": "aside", "O": "aside", "P": "aside"},
        "sheets": [{"yellow": [0, 4], "blue": [7], "green": 3, "orange": [6, 6, 6], "purple": [5], "extras": 1}],
    }
    answers("moves", "+O>o4")
    shown = output_of(capsys, "play", "clever", "--position", json.dumps(position))
    assert "you play alone" in shown
    assert "+O>o4  10 points" in shown
    assert "yellow 0 + blue 1 + green 6 + orange 28 + purple 5 + 0 foxes x 0 = 40\nTry harder!" in shown


def test_a_game_that_is_left_can_be_resumed(capsys: pytest.CaptureFixture[str], answers: Any, own_data: Path) -> None:
    answers("4")
    text = output_of(capsys, "play", "tictactoe", "--against", "random", "--seed", "1")
    assert "play tictactoe --resume" in text
    (kept,) = own_data.glob("unfinished/tictactoe-*.json")
    left = json.loads(kept.read_text())
    assert left["moves"][0] == "4" and left["result"] is None
    answers()
    assert "You left a game" in output_of(capsys, "play", "tictactoe", "--terminal")
    answers(*"012345678")
    text = output_of(capsys, "play", "tictactoe", "--resume", "--against", "random", "--seed", "1")
    assert re.search(r"You win!|You lose|A draw", text)
    assert not kept.exists()
    finished = json.loads((own_data / "games.jsonl").read_text())
    assert finished["moves"][: len(left["moves"])] == left["moves"]
    assert "Move 1 of" in output_of(capsys, "replay")


def test_leaving_before_the_first_move_keeps_nothing(
    capsys: pytest.CaptureFixture[str], answers: Any, own_data: Path
) -> None:
    answers()
    assert "Bye." in output_of(capsys, "play", "--terminal")
    assert not own_data.exists()


def test_the_second_seat_can_be_taken(capsys: pytest.CaptureFixture[str], answers: Any) -> None:
    answers("q")
    assert "Seat 0, random, plays" in output_of(capsys, "play", "tictactoe", "--seat", "1", "--against", "random")


# --- hints, replay, check, bench ----------------------------------------------------------------------------


def test_hints(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "position.json"
    file.write_text('{"game": "tictactoe", "board": "XX.OO....", "player": 0}')
    found = json_of(capsys, "hint", "tictactoe", "--position", str(file), "--agent", "maxn:depth=9")
    assert (found["move"], found["player"]) == ("2", 0)
    assert found["candidates"][0] == {"move": "2", "value": 1.0, "preference": None}
    assert len(found["candidates"]) == 5
    text = output_of(capsys, "hint", "tictactoe", "--position", str(file), "--agent", "mcts:iterations=500")
    assert "mcts:iterations=500 would play 2" in text


def test_moves_are_written_in_the_notation_of_the_positions_options(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A position may set options of its own, and they decide how moves are written."""

    class Shifted(Pig):
        def format(self, action: int) -> str:
            return f"{super().format(action)} of {self.options['players']}"

    monkeypatch.setattr("stammtisch.cli.table.make_game", lambda name, options: Shifted())
    position = '{"options": {"players": 3}, "totals": [0, 0, 0], "pot": 4, "die": 4, "player": 0}'
    found = json_of(capsys, "hint", "pig", "--position", position, "--agent", "random")
    assert {row["move"] for row in found["candidates"]} == {"hold of 3", "roll of 3"}


def test_a_position_can_come_from_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import io

    monkeypatch.setattr("sys.stdin", io.StringIO('{"board": "XX.OO....", "player": 1}'))
    assert json_of(capsys, "hint", "tictactoe", "--position", "-", "--agent", "maxn:depth=3")["move"] == "5"


def test_replay_as_json_has_every_position(capsys: pytest.CaptureFixture[str], answers: Any, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    answers(*"012345678")
    output_of(capsys, "play", "--against", "random", "--seed", "5", "--record", str(file))
    found = json_of(capsys, "replay", str(file), "--game", "1")
    assert len(found["positions"]) == len(found["moves"]) + 1


def test_stepping_through_a_replay(
    capsys: pytest.CaptureFixture[str], answers: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "games.jsonl"
    answers(*"012345678")
    output_of(capsys, "play", "--against", "random", "--seed", "5", "--record", str(file))
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    answers("", "", "b", "99", "0", "q")
    text = output_of(capsys, "replay", str(file))
    order = re.findall(r"Start|Move (?:\d+)", re.sub(r"\x1b\[[0-9;]*m", "", text))
    last = len(json.loads(file.read_text())["moves"])
    assert order == ["Start", "Move 1", "Move 2", "Move 1", f"Move {last}", "Start"]


def test_check_reports_every_promise(capsys: pytest.CaptureFixture[str]) -> None:
    assert "All promises kept." in output_of(capsys, "check", "tictactoe", "--games", "2")
    report = json_of(capsys, "check", "tictactoe", "--games", "2")
    assert report["ok"] is True and len(report["checks"]) > 15


def test_check_exits_with_1_when_a_promise_is_broken(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*arguments: Any, **options: Any) -> Any:
        tell = options.pop("finished")
        report = real_check(*arguments, **{**options, "uncompiled": False})
        report.outcomes[0].failure = report.outcomes[0].where = "made up"
        tell(report.outcomes[0])
        return report

    monkeypatch.setattr("stammtisch.core.conformance.check", broken)
    assert run("check", "tictactoe", "--games", "1") == 1
    assert "repair: " in capsys.readouterr().out


def test_bench_measures_and_signs(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "results.json"
    found = json_of(capsys, "bench", "tictactoe", "--seconds", "0.01", "--output", str(file))
    assert json.loads(file.read_text()) == found
    assert {"random play", "mcts", "ismcts", "perft", "first move, cold", "stammtisch games"} <= {
        row["what"] for row in found
    }
    assert all(row["value"] > 0 for row in found)
    assert "CPU-second" in output_of(capsys, "bench", "tictactoe", "--seconds", "0.01")
    # Changes only when the behaviour of the game changes: say so in the commit that changes it.
    assert json_of(capsys, "bench", "tictactoe", "--signature") == {"tictactoe": "a3a03cedff15efb2"}


def test_warm_says_when_it_is_ready(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("warm", "tictactoe") == 0
    assert "Ready: tictactoe" in capsys.readouterr().err


# --- bad input ------------------------------------------------------------------------------------------------

BAD_INPUT = [
    (["gams"], "No such command 'gams'. Did you mean 'games'?"),
    (["tichu"], "No such command 'tichu'. Known: games, agents, play"),
    (["games", "--jsn"], "No such option: --jsn"),
    (["games", "tictacto"], "unknown game 'tictacto': did you mean tictactoe?"),
    (["agents", "chess"], "unknown game 'chess': "),
    (["play", "tictacto"], "unknown game 'tictacto'"),
    (["play", "tictactoe", "--against", "mtcs"], "unknown agent 'mtcs': did you mean mcts"),
    (["play", "tictactoe", "--against", "mcts:msec=5"], "unknown option 'msec' of agent mcts: did you mean ms?"),
    (["play", "tictactoe", "--against", "random", "--against", "random"], "2 opponents for 1 other seats"),
    (["play", "tictactoe", "--seat", "2"], "nobody has seat 2 here; there are: Seat 0, Seat 1"),
    (["play", "tictactoe", "--resume", "--seat", "1"], "--resume goes on with the kept game as it was"),
    (["play", "tictactoe", "--position", '{"board": "XXXOO...."}'], "the game is over in this position"),
    (["play", "tictactoe", "--record", "no/such/folder.jsonl"], "there is no folder no/such"),
    (["play", "tictactoe", "--record", "."], ". is a folder; name a file"),
    (["play", "chameleon", "--position", "3-5,3-6 R Rr33 Yr33"], "two pawns stand on 33"),
    (["play", "chameleon", "--players", "5"], "chameleon is for 2 to 4 players"),
    (["play", "chameleon", "-o", "players=X"], "one of RG, RY"),
    (["play", "chameleon", "--players", "2", "--seat", "1"], "nobody has seat 1 here; there are: Red (seat 0), Yellow"),
    (["hint", "chameleon", "--agent", "maxn:evaluation=foo"], "has no evaluation 'foo', only: roles, pawns"),
    (["hint", "tictactoe", "--agent", "best"], "agent 'best' does not play tictactoe: it plays only chameleon"),
    (["play", "tictactoe", "--position", "[" * 100_000], "not JSON that can be read"),
    (["play", "tictactoe", "--position", '{"board": ' + "9" * 5000 + "}"], "not JSON that can be read"),
    (["play", "tictactoe", "--position", '{"board": ".........", "phase": "quark"}'], "field 'phase'"),
    (["hint", "tictactoe", "--agent", "mcts:ms=inf"], "option ms=inf: a number from 1 to 86,400,000"),
    (["hint", "tictactoe", "--agent", "mcts:iterations=99999999999999999999"], "a whole number from 1 to"),
    (["hint", "tictactoe", "--agent", "mcts:c=nan"], "option c=nan: a number from 0 to 1,000"),
    (["bench", "tictactoe", "--output", "no/such/results.json"], "there is no folder no/such"),
    (["play", "tictactoe", "-o", "size=4"], "unknown option 'size' of tictactoe"),
    (["play", "tictactoe", "--position", "{nonsense"], "not JSON"),
    (["play", "tictactoe", "--resume"], "there is no game of tictactoe to resume"),
    (
        ["hint", "tictactoe", "--position", "missing.json"],
        "missing.json: neither a position nor a file",
    ),
    (["hint", "tictactoe", "--position", '{"board": "XXXX....."}'], "field 'board': the numbers of X and O"),
    (["hint", "tictactoe", "--position", '{"game": "dog"}'], "field 'game': this is tictactoe"),
    (["hint", "tictactoe", "--position", '{"board": "XXXOO...."}'], "the game is over"),
    (["hint", "tictactoe", "--agent", "maxn:depth=x"], "option depth=x: a whole number from 1 to 64"),
    (["hint"], "Missing argument 'GAME'"),
    (["replay"], "you have not finished a game in the terminal yet"),
    (["play", "chess", "--resume"], "unknown game 'chess'"),
    (["replay", "missing.jsonl"], "missing.jsonl: cannot be read"),
    (["check", "tictactoe", "--games", "0"], "greater than or equal to 1"),
    (["bench", "chess"], "unknown game 'chess'"),
    (["warm", "chess"], "unknown game 'chess'"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD_INPUT, ids=lambda value: str(value)[:40])
def test_bad_input_is_one_line_and_exit_code_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str, own_data: Path
) -> None:
    assert run(*arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    lines = [line for line in captured.err.splitlines() if not line.startswith("Compiling")]
    assert len(lines) == 1 and message in lines[0] and lines[0].startswith("stammtisch: ")
    assert not own_data.exists()  # nothing written


def test_broken_record_files_are_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    for content, message in (("", "holds no game"), ("{", "line 1: not JSON"), ("[]", "line 1: a record is a JSON")):
        file.write_text(content)
        assert run("replay", str(file)) == 2
        assert message in capsys.readouterr().err
    file.write_bytes(b"\xff\xfe\x00")
    assert run("replay", str(file)) == 2
    assert run("replay", str(tmp_path)) == 2  # a folder


def test_a_second_game_that_is_left_does_not_replace_the_first(
    capsys: pytest.CaptureFixture[str], answers: Any, own_data: Path
) -> None:
    for move in ("4", "0"):
        answers(move)
        output_of(capsys, "play", "tictactoe", "--against", "random", "--seed", "1")
    kept = sorted(own_data.glob("unfinished/tictactoe-*.json"))
    assert [json.loads(file.read_text())["moves"][0] for file in kept] == ["4", "0"]
    answers(*"012345678")
    output_of(capsys, "play", "tictactoe", "--against", "random", "--seed", "1")
    assert sorted(own_data.glob("unfinished/tictactoe-*.json")) == kept  # a third game is none of theirs
    answers(*"012345678")
    output_of(capsys, "play", "tictactoe", "--resume", "--seed", "1")
    assert sorted(own_data.glob("unfinished/tictactoe-*.json")) == kept[:1]


def test_a_broken_kept_game_is_named(capsys: pytest.CaptureFixture[str], own_data: Path) -> None:
    (own_data / "unfinished").mkdir(parents=True)
    (own_data / "unfinished" / "tictactoe-1.json").write_text("")
    assert run("play", "tictactoe", "--resume") == 2
    assert "holds no game of yours" in capsys.readouterr().err


def test_a_game_that_cannot_be_saved_is_printed(
    capsys: pytest.CaptureFixture[str], answers: Any, own_data: Path
) -> None:
    own_data.write_text("in the way")
    answers("4")
    text = output_of(capsys, "play", "tictactoe", "--against", "random", "--seed", "1")
    assert "cannot be saved" in text
    assert '"moves": ["4"' in text


def command_line(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "stammtisch.cli", *arguments], text=True, timeout=100, **options)


def test_closed_and_broken_streams_are_no_reason_for_a_traceback(tmp_path: Path) -> None:
    hidden = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    closed = {**hidden, "preexec_fn": lambda: os.close(0)}
    assert "Bye." in command_line("play", "tictactoe", "--terminal", **closed).stdout
    refused = command_line("hint", "tictactoe", "--position", "-", **closed)
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    ascii_only = command_line("agents", **hidden, env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert ascii_only.returncode == 0
    if Path("/dev/full").exists():
        with Path("/dev/full").open("w") as full:
            no_room = command_line("games", stdout=full, stderr=subprocess.PIPE)
        assert (no_room.returncode, no_room.stderr.count("\n")) == (2, 1)


def test_help_without_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert "Usage" in output_of(capsys)
    assert capsys.readouterr().err == ""


def test_ctrl_c_ends_a_long_search() -> None:
    command = [sys.executable, "-m", "stammtisch.cli", "hint", "tictactoe", "--agent", "mcts:ms=600000"]
    heed = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # tests in the background would pass on to ignore it
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=heed)
    try:
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(timeout=8)  # it thinks
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 130
    finally:
        process.kill()
        process.communicate()


def test_narrow_terminals_cut_no_names(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    text = output_of(capsys, "games")
    assert "…" not in text


def test_a_byte_order_mark_is_no_mistake(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "position.json"
    file.write_text('{"board": "XX.OO....", "player": 0}', encoding="utf-8-sig")
    assert json_of(capsys, "hint", "tictactoe", "--position", str(file), "--agent", "maxn:depth=2")["move"] == "2"


def test_a_real_process_prints_no_traceback() -> None:
    done = subprocess.run([sys.executable, "-m", "stammtisch.cli", "play", "nonsense"], capture_output=True, text=True)
    assert done.returncode == 2
    assert re.fullmatch(r"stammtisch: unknown game 'nonsense': .*tictactoe.*\n", done.stderr)


def test_a_cold_start_says_that_it_compiles_once(tmp_path: Path) -> None:
    environment = {**os.environ, "STAMMTISCH_CACHE": str(tmp_path / "cache")}
    command = [sys.executable, "-m", "stammtisch.cli", "hint", "tictactoe", "--agent", "mcts:iterations=50", "--json"]
    cold, warm = (subprocess.run(command, env=environment, capture_output=True, text=True) for _ in range(2))
    assert "Compiling the rules for this machine: once per version" in cold.stderr
    assert "Compiling" not in warm.stderr
    assert json.loads(cold.stdout) == json.loads(warm.stdout)


def test_a_game_of_three_in_the_terminal(capsys: pytest.CaptureFixture[str], answers: Any) -> None:
    """Seats that nobody has are not asked; moves say what they do; the position can be seen as text and JSON."""
    answers("moves", "70>51", "board", "position", "q")
    text = output_of(capsys, "play", "chameleon", "--players", "3", "--against", "best:level=easy", "--seed", "1")
    assert "you are Red (seat 0)" in text
    assert "70>51  now a queen, the board shrinks to rows 0-7, columns 1-7" in text
    assert "Yellow (seat 2), best:level=easy, plays" in text
    assert "Green (seat 1), best:level=easy, plays" in text
    assert "Blue" not in text
    assert '"limits": [0, 7, 1, 7]' in text


def test_a_position_in_the_games_own_text_form(capsys: pytest.CaptureFixture[str]) -> None:
    found = json_of(capsys, "hint", "chameleon", "--position", "0-7,0-7 R Rr00 Rg74 Yr77", "--agent", "best:depth=3")
    assert found["move"] == "74>77"
    assert found["candidates"][0]["value"] == 1.0


def test_perft_counts_what_programs_agree_on(capsys: pytest.CaptureFixture[str]) -> None:
    assert json_of(capsys, "perft", "tictactoe", "--depth", "5")["counts"] == [9, 72, 504, 3024, 15120]
    found = json_of(capsys, "perft", "tictactoe", "--depth", "2", "--divide", "--position", '{"board": "X........"}')
    assert sum(found["divided"].values()) == found["counts"][-1] == 56 and len(found["divided"]) == 8
    assert "2  72" in output_of(capsys, "perft", "tictactoe", "--depth", "2")
    for game in ("tichu", "madn"):
        assert run("perft", game) == 2
        assert "without chance and hidden cards" in capsys.readouterr().err
