"""A game in a package of its own, one entry point: checked, listed, and played in the browser with its own page."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from plugins import NIM, install
from stammtisch.core.info import GameInfo
from stammtisch.table.pages import lacking
from table.browser import CHROMIUM, Person, chromium
from table.server import Address, ServerProcess


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", install(NIM, tmp_path_factory.mktemp("site")))
        yield


@pytest.fixture(scope="module")
def server(installed: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Address]:
    process = ServerProcess(tmp_path_factory.mktemp("table"))
    yield process.address
    process.kill()


def stammtisch(*words: str) -> str:
    command = [sys.executable, "-m", "stammtisch.cli", *words]
    return subprocess.run(command, env=dict(os.environ), capture_output=True, text=True, check=True).stdout


def test_it_keeps_the_contract_and_lacks_nothing(installed: None) -> None:
    said = stammtisch("check", "nim", "--games", "3")
    assert said.strip().endswith("All promises kept.")


def test_it_brings_its_players(installed: None) -> None:
    found = {agent["name"]: agent["games"] for agent in json.loads(stammtisch("agents", "nim", "--json"))}
    assert found["counts"] == ["nim"] and found["mcts"] == []


def test_the_lobby_offers_it_with_its_ladder_and_serves_its_page(server: Address) -> None:
    offers = server.get("/api/games").json()
    (offer,) = (one for one in offers if one["name"] == "nim")
    assert [level["agent"] for level in offer["levels"]][1] == "counts:slips=0.5"
    assert offers[-1] is offer  # its place in the lobby
    answer = server.get("/web/games/nim/board.js")
    assert answer.status == 200 and "default-src 'self'" in answer.headers["content-security-policy"]
    assert server.get("/web/games/nim/../game.py").status == 404


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here (Debian: apt install chromium)")
def test_it_is_played_in_the_browser(server: Address) -> None:
    with chromium() as browser:
        anna = Person(browser, f"http://{server.host}", lang="de")
        page = anna.open("/?game=nim")
        expect(page.locator("[data-game=nim] .emblem circle")).to_have_count(3)
        page.click("details.options summary")
        expect(page.locator(".option label")).to_have_text(["Steine"])  # the one for experts is not shown
        page.click("[data-rules]")
        expect(page.locator("dialog .rules")).to_contain_text("Wer den letzten nimmt")
        page.keyboard.press("Escape")
        page.click("label:has([data-level=casual])")
        page.click("[data-begin=solo]")
        page.wait_for_selector(".nim")
        assert anna.play_to_the_end() > 1
        expect(page.locator(".ending h2")).not_to_be_empty()
        expect(page.locator(".story")).to_contain_text("nimmt")
        assert anna.complaints == []
        anna.close()


def test_what_a_page_lacks_is_said_in_a_sentence_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bare = tmp_path / "barely"
    shutil.copytree(NIM / "nim" / "page", bare / "page")
    (bare / "__init__.py").write_text("")
    for name in ("board.js", "de.json", "rules.de.html"):
        (bare / "page" / name).unlink()
    monkeypatch.syspath_prepend(tmp_path)
    info = GameInfo(
        "bare", "Bare", "A test", (2, 2), "barely.game:Bare", ladder=("random", "nobody", "mcts", "mcts:c=2")
    )
    said = lacking(info)
    assert "bare: add barely/page/board.js, without it the table shows the position as text" in said[0]
    assert [
        name for name in ("board.js", "de.json", "rules.de.html", "'nobody'") if not any(name in one for one in said)
    ] == []
    assert len(said) == 4
    assert len(lacking(GameInfo("gone", "Gone", "A test", (2, 2), "no_such_package.game:Gone"))) == 6


def test_a_ladder_has_four_opponents() -> None:
    with pytest.raises(ValueError, match="a ladder has 4 opponents, weakest first, not 1"):
        GameInfo("short", "Short", "A test", (2, 2), "short.game:Short", ladder=("random",))
