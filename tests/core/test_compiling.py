"""The compile cache: quick when nothing changed, never an old rule."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import stammtisch
from stammtisch.core.compiling import cache_folder, compiled, other_sources, rule_sources

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


def run_copy(copy: Path, cache: Path, board: str = "XX.OO....") -> tuple[int, int]:
    """The best move by the copied package, and how many functions had to be compiled."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, board],
        env={**os.environ, "PYTHONPATH": str(copy), "STAMMTISCH_CACHE": str(cache)},
        capture_output=True,
        text=True,
        check=True,
        cwd=copy,
    )
    move, compilations = done.stdout.split()
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


def test_a_helper_outside_the_hashed_sources_is_never_served_from_the_cache(tmp_path: Path) -> None:
    """The rules call a function of some other package, which nobody hashes; its fingerprint counts."""
    shutil.copytree(PACKAGE, tmp_path / "copy" / "stammtisch", ignore=shutil.ignore_patterns("__pycache__"))
    rules = tmp_path / "copy" / "stammtisch" / "games" / "tictactoe" / "kernel.py"
    text = rules.read_text()
    assert "    free = FULL & ~" in text
    text = text.replace("    free = FULL & ~", "    free = outside.MASK[0] & outside.allowed(FULL) & ~")
    rules.write_text(text.replace("import numpy as np\n", "import numpy as np\nimport outside\n"))
    helper = tmp_path / "copy" / "outside.py"
    source = """
import numpy as np
from stammtisch.core.compiling import compiled
MASK = np.array([{table}])
@compiled
def allowed(squares):
    return squares {forbidden}
"""
    for table, forbidden, expected in ((511, "", 2), (511, "& ~4", 4), (511 - 16, "& ~4", 6)):
        helper.write_text(source.format(table=table, forbidden=forbidden))
        move, _ = run_copy(tmp_path / "copy", tmp_path / "cache", "XX.O.O...")
        assert move == expected


def test_the_sources_of_all_rules_and_searches_count() -> None:
    names = {path.relative_to(PACKAGE).as_posix() for path in rule_sources() if path.is_relative_to(PACKAGE)}
    assert {"core/rng.py", "core/batch.py", "games/tictactoe/kernel.py", "search/mcts.py"} <= names
    others = {path.relative_to(PACKAGE).as_posix() for path in other_sources()}
    assert "arena/referee.py" in others - names
    assert "cli/app.py" not in names | others


def test_code_that_only_calls_the_rules_has_a_folder_of_its_own() -> None:
    assert cache_folder(of_rules=True) != cache_folder(of_rules=False)


def test_other_users_of_numba_keep_their_cache_folder() -> None:
    import numba

    before = numba.config.CACHE_DIR

    @compiled
    def double(x: int) -> int:
        return 2 * x

    assert double(21) == 42
    assert before == numba.config.CACHE_DIR
    assert cache_folder(of_rules=False) is not None


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
