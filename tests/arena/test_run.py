"""The same match gives the same file: with any number of workers, in one go or in several."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import stammtisch as st
from stammtisch.arena.match import BadMatch, Limits, Match, match, pairs
from stammtisch.arena.referee import DECIDING, LIMIT, SINCE, STATUS_SIZE, THINKING
from stammtisch.arena.run import run
from stammtisch.arena.store import MatchFile, Played, RunNotes, read
from stammtisch.arena.workers import Chunk, Clock
from stammtisch.core.game import Game
from stammtisch.work import processes as processes_module
from stammtisch.work.processes import Processes, Worker
from toys import Pig, Whistlet
from toys.players import player

TICTACTOE = st.game("tictactoe")


def tournament(**settings: object) -> Match:
    names = ("random", "mcts:iterations=20", "maxn:depth=2")
    return Match((TICTACTOE,), names, pairs(3), seed=5, **settings)  # type: ignore[arg-type]


def test_one_worker_two_workers_and_none_give_identical_files(tmp_path: Path) -> None:
    for workers in (0, 1, 2):
        run(tournament(), 30, tmp_path / f"{workers}.jsonl", workers)
    files = [(tmp_path / f"{workers}.jsonl").read_bytes() for workers in (0, 1, 2)]
    assert files[0] == files[1] == files[2]
    assert len(files[0].splitlines()) == 1 + 3 * 30


@pytest.mark.parametrize("game", [Pig(players=4), Whistlet()], ids=lambda game: game.info.name)
def test_so_do_games_with_dice_hidden_cards_teams_and_four_sides(game: Game, tmp_path: Path) -> None:
    plan = match(game, "mixed", "last", seed=2, make=player)
    alone, together = tmp_path / "alone.jsonl", tmp_path / "together.jsonl"
    run(plan, 40, alone)
    run(plan, 40, together, workers=2)
    assert alone.read_bytes() == together.read_bytes()
    assert [deal.games for deal in read(alone, (game,)).deals] == [deal.games for deal in read(together, (game,)).deals]


def test_an_interrupted_match_goes_on_and_ends_the_same(tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole.jsonl", tmp_path / "parts.jsonl"
    run(tournament(), 20, whole)

    def interrupt(played: Played, total: int) -> None:
        if len(played.deals) in (7, 31):
            raise KeyboardInterrupt

    for workers in (2, 0):
        with pytest.raises(KeyboardInterrupt):
            run(tournament(), 20, parts, workers, interrupt)
    text = parts.read_bytes()
    parts.write_bytes(text[:-9])  # the power failed while a line was being written
    assert len(run(tournament(), 20, parts, 2).deals) == 60
    assert parts.read_bytes() == whole.read_bytes()
    assert len(RunNotes.read(parts).runs) == 3


def test_a_longer_match_begins_like_a_shorter_one(tmp_path: Path) -> None:
    short, long = tmp_path / "short.jsonl", tmp_path / "long.jsonl"
    run(tournament(), 5, short)
    run(tournament(), 9, long)
    assert long.read_bytes().startswith(short.read_bytes())
    run(tournament(), 9, short)
    assert long.read_bytes() == short.read_bytes()


def test_a_killed_process_loses_nothing_but_the_deals_it_was_playing(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    code = (
        "from pathlib import Path\nimport stammtisch as st\n"
        "from stammtisch.arena.match import match\nfrom stammtisch.arena.run import run\n"
        "if __name__ == '__main__':\n"
        "    plan = match(st.game('tictactoe'), 'mcts:iterations=50', 'random', seed=5)\n"
        f"    run(plan, 100_000, Path({str(path)!r}), 2)\n"
    )
    script = tmp_path / "script.py"
    script.write_text(code)
    process = subprocess.Popen([sys.executable, str(script)])
    while not path.exists() or path.stat().st_size < 20_000:
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    plan = match(TICTACTOE, "mcts:iterations=50", "random", seed=5)
    found = len(read(path).deals)
    assert found > 10
    run(plan, found + 5, path)
    run(plan, found + 5, tmp_path / "again.jsonl")
    assert path.read_bytes() == (tmp_path / "again.jsonl").read_bytes()


def faults(plan: Match, path: Path) -> list[tuple[int, int, str]]:
    """(deal, the faulty entrant, the kind) of every fault."""
    found = []
    for deal in run(plan, 3, path, 2).deals:
        for game in deal.games:
            assert game.fault is not None
            found.append((deal.deal, game.sides[game.fault.seat], game.fault.kind))
    return found


def test_an_agent_that_ends_its_process_loses_and_the_match_goes_on(tmp_path: Path) -> None:
    plan = match(TICTACTOE, "first", "die", seed=1, make=player)
    # Each worker is new after the fault, and so is the agent: it plays once, then dies, in every game.
    assert set(faults(plan, tmp_path / "m.jsonl")) == {(deal, 1, "crash") for deal in range(3)}


def test_an_agent_that_never_answers_loses_and_the_match_goes_on(tmp_path: Path) -> None:
    plan = match(TICTACTOE, "first", "hang", seed=1, make=player, limits=Limits(stall=0.2, warm_up=2.0))
    found = faults(plan, tmp_path / "m.jsonl")
    assert set(found) == {(deal, 1, "stall") for deal in range(3)} and len(found) == 6


def test_an_agent_that_hangs_while_it_warms_up_loses_its_games(tmp_path: Path) -> None:
    """Nobody waits for the warm-up twice."""
    limits = Limits(stall=0.2, warm_up=2.0)
    plan = match(TICTACTOE, "first", "hang at once", seed=1, make=player, limits=limits)
    assert set(faults(plan, tmp_path / "m.jsonl")) == {(deal, 1, "stall") for deal in range(3)}


def test_an_agent_may_remember_its_game_and_nothing_else(tmp_path: Path) -> None:
    """Its results then depend neither on the workers nor on interruptions."""
    plan = match(TICTACTOE, "counting", "mixed", seed=1, make=player)
    run(plan, 30, tmp_path / "0.jsonl")
    run(plan, 30, tmp_path / "2.jsonl", 2)
    run(plan, 11, tmp_path / "parts.jsonl")
    run(plan, 30, tmp_path / "parts.jsonl", 1)
    files = {(tmp_path / f"{name}.jsonl").read_bytes() for name in ("0", "2", "parts")}
    assert len(files) == 1


def test_what_agents_print_does_not_get_between_the_numbers(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    run(match(TICTACTOE, "noisy", "first", seed=1, make=player), 2, tmp_path / "m.jsonl", 1)
    captured = capfd.readouterr()
    assert captured.out == "" and "let me think" in captured.err


def test_odd_crashes_do_not_spoil_the_file(tmp_path: Path) -> None:
    plan = match(TICTACTOE, "odd", "first", seed=1, make=player)
    played = run(plan, 3, tmp_path / "m.jsonl", 1)
    assert read(tmp_path / "m.jsonl").deals == played.deals


def test_when_everything_was_stopped_nobody_is_to_blame(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After Ctrl-Z and fg the work in hand is done again."""
    monkeypatch.setattr(processes_module, "STOPPED_SECONDS", -1.0)
    repeated = []
    real = Processes._restart

    def restart(self: Processes, place: int, old: Worker, task: object) -> None:
        repeated.append(place)
        monkeypatch.setattr(processes_module, "STOPPED_SECONDS", 1000.0)
        real(self, place, old, task)

    monkeypatch.setattr(Processes, "_restart", restart)
    run(tournament(), 5, tmp_path / "stopped.jsonl", 1)
    run(tournament(), 5, tmp_path / "straight.jsonl")
    assert repeated == [0]
    assert (tmp_path / "stopped.jsonl").read_bytes() == (tmp_path / "straight.jsonl").read_bytes()


class Ended:
    """What the clock looks at of a worker that has been ended."""

    def __init__(self, since: float) -> None:
        self.tasks = [(0, Chunk([(0, 0)], set(), {}))]
        self.board = [0.0] * STATUS_SIZE
        self.board[THINKING], self.board[SINCE], self.board[LIMIT] = DECIDING, since, 60.0


def test_a_worker_that_still_thinks_is_not_accused_when_it_is_ended() -> None:
    clock = Clock(match=match(TICTACTOE, "first", seed=1, make=player))
    assert clock.replaced(Ended(time.monotonic()), gone=False, code=None).faults == {}  # type: ignore[arg-type]
    late = clock.replaced(Ended(time.monotonic() - 100), gone=False, code=None)  # type: ignore[arg-type]
    assert late.faults[0, 0][0].kind == "stall"


def test_workers_that_cannot_begin_are_not_replaced_for_ever(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "from stammtisch.arena.match import match\nfrom stammtisch.arena.run import run\n"
        "run(match('tictactoe', 'random', seed=1), 3, 'm.jsonl', 2)\n"
    )
    found = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert "a script needs: if __name__ == '__main__'" in found.stderr.strip().splitlines()[-1]


def test_a_match_file_holds_nothing_of_when_and_how_fast(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    run(tournament(), 3, path, command="stammtisch rate tictactoe --all")
    assert set(json.loads(path.read_text().splitlines()[1])) == {"table", "deal", "games"}
    notes = RunNotes.read(path)
    assert notes.runs[0]["command"] == "stammtisch rate tictactoe --all"
    assert set(notes.milliseconds()) == {"random", "mcts:iterations=20", "maxn:depth=2"}
    assert RunNotes.together([notes, notes]).times["random"].decisions == 2 * notes.times["random"].decisions


def test_a_file_of_another_match_is_not_continued(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    MatchFile(path, tournament()).close()
    before = path.read_bytes()
    with pytest.raises(BadMatch, match="opening None, not 1"):
        run(tournament(opening=1), 3, path)
    assert path.read_bytes() == before


def test_a_file_that_ends_within_its_first_line_is_begun_anew_and_nobody_elses_file_is(tmp_path: Path) -> None:
    path, other = tmp_path / "m.jsonl", tmp_path / "notes.txt"
    run(tournament(), 2, path)
    whole = path.read_bytes()
    for beginning in (b"", whole[:50]):
        path.write_bytes(beginning)
        run(tournament(), 2, path)
        assert path.read_bytes() == whole
    other.write_text("buy milk")
    with pytest.raises(BadMatch):
        run(tournament(), 2, other)
    assert other.read_text() == "buy milk"


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda lines: [], "empty"),
        (lambda lines: ["{}", *lines[1:]], "not the first line"),
        (lambda lines: ["nonsense", *lines[1:]], "not JSON"),
        (lambda lines: [lines[0].replace('"format":1', '"format":2')], "format 2"),
        (lambda lines: [lines[0].replace("tictactoe", "halma")], "unknown game"),
        (lambda lines: [lines[0], lines[2]], "table 0, deal 0 should be here"),
        (lambda lines: [lines[0], "[]"], "line 2: this is not a line of a match file"),
        (lambda lines: [lines[0], lines[1].replace('"sides":[0,1]', '"sides":[1,1]')], "not the ones it should have"),
        (lambda lines: [lines[0], lines[1].replace('"scores":[', '"scores":[1,')], "each of 2 seats"),
    ],
)
def test_spoilt_files_are_refused_with_the_place(spoil: object, message: str, tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    run(tournament(), 1, path)
    lines = spoil(path.read_text().splitlines())  # type: ignore[operator]
    path.write_text("".join(f"{line}\n" for line in lines))
    with pytest.raises(BadMatch, match=message):
        read(path)


def test_unreadable_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadMatch, match="cannot be read"):
        read(tmp_path / "none.jsonl")
    (tmp_path / "m.jsonl").write_bytes(b"\xff\xfe\n")
    with pytest.raises(BadMatch, match="cannot be read"):
        read(tmp_path / "m.jsonl")
    (tmp_path / "x.run.json").write_text("[]")
    with pytest.raises(BadMatch, match="cannot be read"):
        RunNotes.read(tmp_path / "x.jsonl")


def test_a_sequential_test_stops_at_the_same_deal_for_any_number_of_workers(tmp_path: Path) -> None:
    plan = match(
        TICTACTOE,
        "mcts:iterations=50",
        "random",
        seed=5,
        sprt={"elo0": 0.0, "elo1": 100.0, "alpha": 0.05, "beta": 0.05},
    )
    alone = run(plan, 500, tmp_path / "alone.jsonl")
    together = run(plan, 500, tmp_path / "together.jsonl", 2)
    assert len(alone.deals) == len(together.deals) < 100
    assert (tmp_path / "alone.jsonl").read_bytes() == (tmp_path / "together.jsonl").read_bytes()
    assert len(run(plan, 500, tmp_path / "alone.jsonl").deals) == len(alone.deals)  # it has its answer
