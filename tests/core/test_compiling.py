"""The compile cache: quick when nothing changed, never an old rule."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import stammtisch
from stammtisch.core.compiling import cache_folder, compiled

PACKAGE = Path(stammtisch.__file__).parent

# Plays through a generic search, which is cached in a file of its own and only calls the rule.
SCRIPT = """
import sys
from stammtisch.core import compiling
notice = compiling.CompileNotice(lambda line: None)
notice.install()
from stammtisch.games.tictactoe.game import TicTacToe
from stammtisch.search import maxn, mcts
from stammtisch.core.rng import stream
game = TicTacToe()
position = game.from_json({"board": sys.argv[1], "player": 0})
if sys.argv[1] == "XX.OO....":
    mcts.search(position, stream(1), iterations=10)
print(maxn.search(position, depth=1).action, notice.compilations)
"""


def run(copy: Path, cache: Path, script: str, *words: str) -> str:
    """What the script prints when it finds the copied package."""
    environment = {**os.environ, "PYTHONPATH": str(copy), "STAMMTISCH_CACHE": str(cache)}
    command = [sys.executable, "-c", script, *words]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True, cwd=copy).stdout


def run_copy(copy: Path, cache: Path, board: str = "XX.OO....") -> tuple[int, int]:
    """The best move by the copied package, and how many functions had to be compiled."""
    move, compilations = run(copy, cache, SCRIPT, board).split()
    return int(move), int(compilations)


def test_an_edited_rule_is_never_served_from_the_cache(tmp_path: Path) -> None:
    shutil.copytree(PACKAGE, tmp_path / "copy" / "stammtisch", ignore=shutil.ignore_patterns("__pycache__"))
    rules = tmp_path / "copy" / "stammtisch" / "games" / "tictactoe" / "kernel.py"
    cache = tmp_path / "cache"

    move, compilations = run_copy(tmp_path / "copy", cache)
    assert move == 2 and compilations > 0  # X completes the top row

    move, compilations = run_copy(tmp_path / "copy", cache)
    assert move == 2 and compilations == 0  # a warm start compiles nothing

    text = rules.read_text()
    assert "(0, 1, 2), " in text
    rules.write_text(text.replace("(0, 1, 2), ", "(0, 1, 8), ", 1))
    move, compilations = run_copy(tmp_path / "copy", cache)
    assert move == 8 and compilations > 0  # the top row is no line any more, 0-1-8 is


def test_a_helper_of_another_package_is_never_served_from_the_cache(tmp_path: Path) -> None:
    """The rules call a function of some other package; its fingerprint counts."""
    shutil.copytree(PACKAGE, tmp_path / "copy" / "stammtisch", ignore=shutil.ignore_patterns("__pycache__"))
    rules = tmp_path / "copy" / "stammtisch" / "games" / "tictactoe" / "kernel.py"
    text = rules.read_text()
    assert "    free = FULL & ~" in text
    text = text.replace("    free = FULL & ~", "    free = outside.MASK[0] & outside.allowed(FULL) & ~")
    rules.write_text(text.replace("import numpy as np\n", "import numpy as np\nimport outside\n"))
    helper = tmp_path / "copy" / "outside.py"
    source = """
import numpy as np
from stammtisch.core.compiling import cache_folder, compiled
MASK = np.array([{table}])
@compiled
def allowed(squares):
    return squares {forbidden}
"""
    for table, forbidden, expected in ((511, "", 2), (511, "& ~4", 4), (511 - 16, "& ~4", 6)):
        helper.write_text(source.format(table=table, forbidden=forbidden))
        move, _ = run_copy(tmp_path / "copy", tmp_path / "cache", "XX.O.O...")
        assert move == expected


def test_what_decides_nothing_compiles_nothing(tmp_path: Path) -> None:
    """A picture, a notation, a comment, moved lines, another folder."""
    for copy in ("copy", "other"):
        shutil.copytree(PACKAGE, tmp_path / copy / "stammtisch", ignore=shutil.ignore_patterns("__pycache__"))
    assert run_copy(tmp_path / "copy", tmp_path / "cache")[1] > 0
    assert run_copy(tmp_path / "other", tmp_path / "cache")[1] == 0
    for file in ("core/rng.py", "games/tictactoe/kernel.py", "games/tictactoe/game.py", "search/maxn.py"):
        path = tmp_path / "copy" / "stammtisch" / file
        path.write_text(path.read_text().replace("\n\n\n", "\n\n\n# A remark that moves every line.\n\n\n"))
    assert run_copy(tmp_path / "copy", tmp_path / "cache")[1] == 0


def test_only_what_depends_on_a_rule_is_compiled_again_and_both_versions_stay(tmp_path: Path) -> None:
    shutil.copytree(PACKAGE, tmp_path / "copy" / "stammtisch", ignore=shutil.ignore_patterns("__pycache__"))
    search = tmp_path / "copy" / "stammtisch" / "search" / "playout.py"
    everything = run_copy(tmp_path / "copy", tmp_path / "cache")[1]
    text = search.read_text()
    search.write_text(text.replace("moves += 1", "moves += 2"))
    assert 0 < run_copy(tmp_path / "copy", tmp_path / "cache")[1] < everything
    search.write_text(text)
    assert run_copy(tmp_path / "copy", tmp_path / "cache")[1] == 0


# Which modules have functions that had to be compiled, when three games are played on, one by its rules of thumb.
THREE_GAMES = """
from numba.core import event
compiled = set()
class Names(event.Listener):
    def on_start(self, event):
        compiled.add(event.data["dispatcher"].py_func.__module__.removeprefix("stammtisch."))
    def on_end(self, event):
        pass
event.register("numba:compile", Names())
import numpy as np
import stammtisch as st
from stammtisch.core.mind import EMPTY
from stammtisch.core.rng import stream
from stammtisch.search.playout import playout
for name, known in (("madn", "hand"), ("clever", None), ("tictactoe", None)):
    game = st.game(name)
    mind = game.mind(known) if known else EMPTY.blank()
    room = np.zeros(game.spec.max_actions, dtype=np.int64), stream(1), np.zeros(game.spec.seats)
    playout(mind[0], 0, game.new(seed=1).record, 3, *room)
print(*compiled)
"""


def borrowed(cache: Path) -> Path:
    """What is compiled already, to begin with; what is new is kept here alone."""
    known, own = cache_folder(), cache / "compiled" / "by-content"
    own.mkdir(parents=True)
    for file in known.iterdir() if known else ():
        (own / file.name).symlink_to(file)
    return cache


def test_an_edit_compiles_its_own_game_or_mind_and_what_is_around_it(tmp_path: Path) -> None:
    shutil.copytree(PACKAGE, tmp_path / "copy" / "stammtisch", ignore=shutil.ignore_patterns("__pycache__"))
    cache = borrowed(tmp_path / "cache")

    def compiled_after(*edits: tuple[str, str, str]) -> set[str]:
        for file, before, after in edits:
            path = tmp_path / "copy" / "stammtisch" / file
            text = path.read_text(encoding="utf-8")
            assert before in text
            path.write_text(text.replace(before, after), encoding="utf-8")
        return set(run(tmp_path / "copy", cache, THREE_GAMES).split())

    compiled_after()
    nothing = compiled_after(
        ("games/clever/picture.py", '"""The score sheet in text', '"""The sheet in text'),
        ("games/clever/page/board.css", "{", "{ "),
        ("games/dog/notation.py", "\n\n\n", "\n\n\n# A remark.\n\n\n"),
    )
    assert nothing == set()
    around = compiled_after(
        ("games/dog/policy.py", "FEAR = np.array([[0.6,", f"FEAR = np.array([[0.6 + {os.getpid()}e-9,")
    )
    assert {"games.dog.policy", "search.playout"} <= around
    assert not around & {"games.dog.rules", "games.dog.legal", "games.dog.board", "games.dog.kernel"}
    assert not any(module.startswith(("games.clever", "games.tictactoe")) for module in around)
    rounds = "ROUNDS = np.array([0, 6, 6, 5, 4"
    clever = compiled_after(("games/clever/rules.py", rounds, f"{rounds}, {os.getpid()}"))
    assert {"games.clever.rules", "search.playout"} <= clever
    assert not any(module.startswith(("games.dog", "games.tictactoe")) for module in clever)


def test_a_constant_that_is_exchanged_at_run_time_is_not_kept_under_the_old_name(tmp_path: Path) -> None:
    script = """
import sys
from stammtisch.core.compiling import cache_folder, compiled
STEP = 1
@compiled
def after(x):
    return x + STEP
if sys.argv[1] == "exchanged":
    STEP = 10
print(after(1), after(1.0))
"""
    (tmp_path / "script.py").write_text(script)
    said = []
    for how in ("as it is", "exchanged", "as it is"):
        done = subprocess.run(
            [sys.executable, "script.py", how],
            env={**os.environ, "STAMMTISCH_CACHE": str(tmp_path / "cache")},
            capture_output=True,
            text=True,
            check=True,
            cwd=tmp_path,
        )
        said.append(done.stdout.split())
    assert said == [["2", "2.0"], ["11", "11.0"], ["2", "2.0"]]


def test_other_users_of_numba_keep_their_cache_folder() -> None:
    import numba

    before = numba.config.CACHE_DIR

    @compiled
    def double(x: int) -> int:
        return 2 * x

    assert double(21) == 42
    assert before == numba.config.CACHE_DIR


def test_an_unwritable_cache_is_no_reason_to_fail(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    done = subprocess.run(
        [sys.executable, "-c", "import stammtisch as st; print(st.game('tictactoe').new().moves())"],
        env={**os.environ, "STAMMTISCH_CACHE": str(blocked)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "'8'" in done.stdout
