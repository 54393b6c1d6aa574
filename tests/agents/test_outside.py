"""Players in processes of their own: the examples play, and whatever a bad one does is survived and told."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import stammtisch as st
from commands import json_of, output_of, run
from stammtisch.agents import outside
from stammtisch.agents.base import Budget
from stammtisch.agents.catalog import agent
from stammtisch.agents.outside import BotFault, Outside
from stammtisch.arena.match import Limits, match
from stammtisch.arena.referee import Referee
from stammtisch.arena.run import run as run_match
from stammtisch.core.rng import stream
from stammtisch.table.opponents import Rights
from stammtisch.table.protocol import Refused
from stammtisch.table.settings import Settings
from stammtisch.table.thinking import Request, think

ROOT = Path(__file__).parent.parent.parent
BAD = Path(__file__).with_name("bad_bots.py")
GOOD = f"{sys.executable} {ROOT / 'examples' / 'bots' / 'bot.py'}"
TICTACTOE = st.game("tictactoe")


def bad(fault: str) -> str:
    return f"{sys.executable} {BAD} '{fault}'"


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The commands of the example bots whose language is there; C is compiled first."""
    found = {"Python": GOOD}
    if shutil.which("node"):
        found["JavaScript"] = f"node {ROOT / 'examples' / 'bots' / 'bot.js'}"
    if compiler := shutil.which("cc"):
        program = tmp_path_factory.mktemp("bots") / "bot"
        subprocess.run([compiler, "-Wall", "-Werror", "-o", program, ROOT / "examples" / "bots" / "bot.c"], check=True)
        found["C"] = str(program)
    return found


def test_the_examples_keep_all_promises(examples: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    for name, command in examples.items():
        for game in ("tictactoe", "tichu"):
            options = ["-o", "rounds=1"] if game == "tichu" else []
            text = output_of(capsys, "bot", "check", command, "--game", game, "--games", "2", *options)
            assert "All promises kept" in text and f"in {name}" in text, text


def test_the_examples_play_in_the_arena(examples: dict[str, str], tmp_path: Path) -> None:
    """In workers as in this process, with the same result."""
    names = [f"outside:command={command}" for command in examples.values()]
    for entrant in names:
        tournament = match(TICTACTOE, entrant, "maxn:depth=9", seed=1)
        games = Referee(tournament).play(0, 0).games
        assert len(games) == 2 and not any(game.fault for game in games)
        if entrant == names[0]:
            played = run_match(tournament, 1, tmp_path / "match.jsonl", workers=1)
            assert played.deals[0].games == games


@pytest.mark.parametrize(
    ("fault", "kind", "told"),
    [
        ("dies", "crash", r"ended by itself \(exit code 1\); its last words: \\x1b\[31mno idea"),
        ("kills itself", "crash", r"ended by itself \(exit code -9\)"),
        ("hangs", "crash", "gave no answer within"),
        ("hangs busily", "crash", "gave no answer within"),
        ("floods", "crash", "1,000 lines and no answer"),
        ("floods without a line", "crash", "a line of more than 65,536 letters"),
        ("no JSON", "crash", "what is no JSON object: I play the centre"),
        ("deep JSON", "crash", "what is no JSON object"),
        ("closes", "crash", "ended by itself"),
        ("nonsense", "crash", "answered no move: 'e2e4' is no move"),
        ("number", "crash", "answered the move 3, which is no text"),
        ("nothing", "crash", "answered the move None"),
        ("illegal", "illegal", "is not one of the legal ones"),
        ("floods the error stream", None, ""),
        ("late answers", None, ""),
        ("stays", None, ""),
    ],
)
def test_what_a_bad_bot_does_is_its_loss(
    fault: str, kind: str | None, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if told == "gave no answer within":  # there will be none, however long we wait
        monkeypatch.setattr(outside, "PATIENCE_SECONDS", 0.1)
    monkeypatch.setattr(outside, "END_SECONDS", 0.2)
    name = f"outside:command={bad(fault)},ms=50"
    referee = Referee(match(TICTACTOE, name, "random", seed=3, limits=Limits(grace=60.0)))
    for game in referee.play(0, 0).games:
        if kind is None:
            assert game.fault is None
            continue
        assert game.fault is not None and game.fault.kind == kind
        assert game.sides[game.fault.seat] == 0 and game.scores[game.fault.seat] == 0.0
        assert re.search(told, game.fault.text), game.fault.text


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("no-such-program --at all", "there is no program no-such-program"),
        (bad("old"), "speaks protocol 0, this is 1"),
        (bad("chatter at the start"), "1,000 lines and no answer"),
        ("'unclosed", "No closing quotation"),
        ("''", "cannot be started"),
        (f"{sys.executable} -c 1", "ended by itself"),
    ],
)
def test_a_program_that_is_no_bot_is_refused(command: str, told: str) -> None:
    with pytest.raises(st.StammtischError, match=told):
        Outside(TICTACTOE, command)


def test_one_that_never_says_hello(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outside, "START_SECONDS", 0.2)
    with pytest.raises(BotFault, match="gave no answer within 200 ms"):
        Outside(TICTACTOE, bad("mute"))


def test_a_command_has_to_be_named() -> None:
    with pytest.raises(st.BadOption, match="agent outside needs command: outside:command="):
        agent("outside", TICTACTOE)


def test_the_same_seed_gives_the_same_move_and_the_budget_is_told() -> None:
    bot, seat = Outside(TICTACTOE, GOOD), TICTACTOE.new().seat(0)
    try:
        moves = [bot.choose(seat, stream(5), Budget(ms=50)).action for _ in range(3)]
    finally:
        bot.close()
    assert len(set(moves)) == 1


def test_what_it_is_told(tmp_path: Path) -> None:
    """The whole conversation, written down by the bot: views without what is hidden, events as its seat hears them."""
    log = tmp_path / "log"
    script = tmp_path / "bot.py"
    script.write_text(
        "import json, sys\n"
        f"log = open({str(log)!r}, 'a')\n"
        "for line in sys.stdin:\n"
        "    print(line, end='', file=log, flush=True)\n"
        "    m = json.loads(line)\n"
        "    if m['type'] == 'hello': print(json.dumps({'type': 'hello', 'protocol': 1}), flush=True)\n"
        "    if m['type'] == 'turn':\n"
        "        print(json.dumps({'type': 'move', 'id': m['id'], 'move': m['moves'][0]}), flush=True)\n"
    )
    tichu = st.game("tichu", rounds=1)
    referee = Referee(match(tichu, f"outside:command={sys.executable} {script}", "random", seed=1))
    referee._warm_up(0)
    log.write_text("")
    referee.play(0, 0)
    told = [json.loads(line) for line in log.read_text().splitlines()]
    assert {message["type"] for message in told} == {"hello", "begin", "turn", "event", "end"}
    assert sorted(m["seat"] for m in told if m["type"] == "begin") == [0, 1, 2, 3]
    for message in told:
        if message["type"] == "turn":
            hands = message["view"]["hands"]
            assert sum(all(card is not None for card in hand) and bool(hand) for hand in hands) <= 1
            assert message["moves"] and message["ms"] == 1000.0
    hidden = [m for m in told if m["type"] == "event" and m["move"] is None]
    assert hidden  # what others schupf
    assert all(len(m["scores"]) == 4 for m in told if m["type"] == "end")


def test_no_program_is_left(tmp_path: Path) -> None:
    """Not after a game, not after a fault, and not when the process that plays is killed."""
    bots = [Outside(TICTACTOE, GOOD), Outside(TICTACTOE, bad("hangs busily"))]
    for bot in bots:
        bot.close()
        assert not is_alive(bot.program._process.pid)
    hanging = Outside(TICTACTOE, bad("hangs busily"), ms=1)
    with pytest.raises(BotFault):
        hanging.choose(TICTACTOE.new().seat(0), stream(1))
    assert not is_alive(hanging.program._process.pid)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a program ends when its input is closed, if it reads")
def test_it_ends_with_a_killed_parent() -> None:
    code = (
        "import stammtisch as st, time\n"
        "from stammtisch.agents.outside import Outside\n"
        f"bot = Outside(st.game('tictactoe'), {bad('hangs busily')!r})\n"
        "bot.program.tell('turn', id=1, moves=['0'], ms=1, seed=1, view={})\n"
        "print(bot.program._process.pid, flush=True)\n"
        "time.sleep(600)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        assert is_alive(child)
        parent.kill()
        parent.wait()
    for _ in range(600):
        if not is_alive(child) or Path(f"/proc/{child}/stat").read_text().split()[2] == "Z":
            return
        time.sleep(0.1)
    pytest.fail("the bot is still there")


def test_the_checker_says_what_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    for fault, what in (("illegal", "not legal"), ("narrow", "what is this?"), ("stays", "still there after 1 s")):
        assert run("bot", "check", bad(fault), "--games", "2", "--ms", "50") == 1
        assert what in capsys.readouterr().out
    assert run("bot", "check", "no-such-program") == 1
    assert "NO   it starts" in capsys.readouterr().out
    found = json_of(capsys, "bot", "check", GOOD, "--games", "1")
    assert [promise["broken"] for promise in found] == [None] * 5


def test_it_sits_at_a_table_in_the_browser() -> None:
    """A worker of the table starts it for a decision, with what its seat may know, and lets it go."""
    state = st.game("tichu").new(seed=1)
    seat = state.seat(state.player or 0)
    thought = think(Request.of(seat, f"outside:command={GOOD}", ms=500))
    assert thought.action in seat.actions()
    with pytest.raises(BotFault, match="gave no answer|ended by itself"):
        think(Request.of(seat, f"outside:command={bad('dies')}"))


def test_only_whoever_sits_at_this_computer_may_start_a_program() -> None:
    name, info = f"outside:command={GOOD}", TICTACTOE.info
    assert Rights(Settings(), local=True).check(name, info).startswith("outside:command=")
    for wish in (name, f"outside: command ={GOOD}", f"outside:ms=5,command={GOOD}", "outside:command=", "outside"):
        with pytest.raises(Refused):
            Rights(Settings()).check(wish, info)


def test_it_plays_in_the_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter(["0", "1", "2", "3", "4", "5", "6", "7", "8"] * 9)
    monkeypatch.setattr("stammtisch.terminal.ask", lambda prompt: next(answers))
    assert run("play", "tictactoe", "--against", f"outside:command={GOOD}", "--seed", "1") == 0
    assert "outside" in capsys.readouterr().out
    assert run("play", "tictactoe", "--against", f"outside:command={bad('dies')}", "--seed", "1") == 2
    told = capsys.readouterr()
    assert "The game is kept" in told.out and "no idea" in told.err
