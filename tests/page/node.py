"""The page's scripts run by Node, which only tests need: what they repeat of the rules is compared with the rules."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from stammtisch.core.registry import games
from stammtisch.table.pages import WEB, page_of

NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="no Node here: the page's scripts are not compared with the rules")


def lay_out(place: Path) -> Path:
    """The page as the server serves it: ``web/``, and in it ``games/<game>/``; scripts find ours by their addresses."""
    web = place / "web"
    shutil.copytree(WEB, web)
    for info in games().values():
        page = page_of(info)
        if page is not None:
            shutil.copytree(page, web / "games" / info.name)
    for script in web.rglob("*.js"):
        if "vendor" not in script.parts:
            text = script.read_text(encoding="utf-8")
            for how in ('from "', 'import("'):
                text = text.replace(f"{how}/web/", f"{how}{web.as_posix()}/")
            script.write_text(text, encoding="utf-8")
    (place / "package.json").write_text('{"type": "module"}')
    return web


class Scripts:
    """The scripts of one game; questions are collected and asked all at once."""

    def __init__(self, web: Path, game: str) -> None:
        self.folder = web / "games" / game
        self.questions: list[dict[str, Any]] = []

    def call(self, file: str, name: str, *args: Any) -> int:
        """Note a question; the number of its answer."""
        self.questions.append({"file": str(self.folder / file), "name": name, "args": args})
        return len(self.questions) - 1

    def answers(self) -> list[Any]:
        assert NODE is not None
        asked, self.questions = json.dumps(self.questions), []
        ask = Path(__file__).parent / "ask.mjs"
        done = subprocess.run([NODE, str(ask)], input=asked, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[-2000:]
        found: list[Any] = json.loads(done.stdout)
        return found

    def value(self, file: str, name: str, *args: Any) -> Any:
        """One constant, or one answer."""
        self.call(file, name, *args)
        return self.answers()[0]


@pytest.fixture(scope="session")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lay_out(tmp_path_factory.mktemp("page"))
