"""A real Chromium for tests, and somebody who plays by clicking on what the board offers."""

from __future__ import annotations

import json
import random
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from types import MappingProxyType

from playwright.sync_api import Browser, BrowserContext, Page, TimeoutError, sync_playwright

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
PATIENCE = 120_000  # milliseconds that a busy machine may need for anything at all
MOST_CLICKS = 4000
CLICK_MS = 3000

_PIECES = ("card", "pin", "die", "token", "square", "as", "cell", "choice", "suggest")
_OFFERED = """
() => {
  const open = (one) => !one.disabled && one.getAttribute("aria-disabled") !== "true" && one.getClientRects().length
    && (one.tagName === "BUTTON" || one.getAttribute("tabindex") === "0" || one.getAttribute("role") === "button");
  const named = (one) => {
    for (const { name, value } of one.attributes)
      if (name.startsWith("data-") && PIECES.includes(name.slice(5))) return `[${name}="${value}"]`;
    return null;
  };
  const all = [...document.querySelectorAll(".board-box *")].filter(open);
  return {
    moves: all.filter((one) => one.dataset.move).map((one) => one.dataset.move),
    pieces: [...new Set(all.filter((one) => !one.dataset.move).map(named).filter(Boolean))],
  };
}
""".replace("PIECES", json.dumps(_PIECES))


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


class Person:
    """Somebody in front of a page; anything that the page complains about is kept in ``complaints``."""

    def __init__(
        self, browser: Browser, address: str, name: str = "Anna", width: int = 1280, height: int = 900, **prefs: object
    ) -> None:
        touch = width < 600
        self.context: BrowserContext = browser.new_context(
            viewport={"width": width, "height": height}, locale="en", has_touch=touch
        )
        chosen = json.dumps({"name": name, "motion": False, **prefs})
        remember = "localStorage.getItem('stammtisch') || localStorage.setItem('stammtisch', "
        self.context.add_init_script(f"{remember}{json.dumps(chosen)})")
        self.context.set_default_timeout(PATIENCE)
        self.page: Page = self.context.new_page()
        self.address = address
        self.complaints: list[str] = []
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", lambda said: self.complaints.append(said.text) if said.type == "error" else None)
        self._random = random.Random(name)

    def open(self, path: str) -> Page:
        self.page.goto(f"{self.address}{path}")
        return self.page

    def close(self) -> None:
        self.context.close()

    def begin(
        self,
        game: str,
        how: str = "solo",
        level: str = "beginner",
        players: int | None = None,
        options: Mapping[str, int] = MappingProxyType({}),
    ) -> Page:
        """From the lobby to a table, by clicking."""
        page = self.open("/")
        page.click(f"[data-game={game}]")
        if players is not None:
            page.click(f"label:has([data-players='{players}'])")
        if page.locator(f"[data-level={level}]").count():
            page.click(f"label:has([data-level={level}])")
        if options:
            page.click("details.options summary")
        for name, value in options.items():
            page.fill(f"#option-{name}", str(value))
            page.press(f"#option-{name}", "Tab")
        page.click(f"[data-begin={how}]")
        page.wait_for_selector(".table-room")
        return page

    def set_pace(self, name: str) -> None:
        self.page.select_option("[data-pace]", label=name)

    def is_over(self) -> bool:
        return self.page.locator(".board-box[data-over=true]").count() > 0

    def wait_for_turn(self) -> bool:
        """Wait until this person has to move; False when the game is over."""
        self.page.wait_for_selector(".status.to-move, .board-box[data-over=true]")
        return not self.is_over()

    def offered(self) -> dict[str, list[str]]:
        """What can be clicked on the board: elements that play a move, and pieces to choose."""
        found: dict[str, list[str]] = self.page.evaluate(_OFFERED)
        return found

    def move(self) -> None:
        """Make one move by clicking around on the board until something has been played, or waits for the others."""
        before = self.page.get_attribute(".table-room", "data-n")
        end = time.monotonic() + PATIENCE / 1000
        while time.monotonic() < end:
            moved = self.page.get_attribute(".table-room", "data-n") != before
            if moved or not self.page.locator(".status.to-move").count():
                return
            offered = self.offered()
            if self.page.locator(".board-box [data-action=give]").count():
                self._schupf()
            elif self.page.locator(".board-box [data-action=play]").count():
                self._play_cards()
            elif offered["moves"]:
                self._try(f'[data-move="{self._random.choice(offered["moves"])}"]')
                self._wait_for_news(before)
            elif offered["pieces"]:
                self._try(self._random.choice(offered["pieces"]))
                self.page.wait_for_timeout(30)
            else:
                self.page.wait_for_timeout(50)
        raise AssertionError(f"nothing could be played; offered: {self.offered()}")

    def _try(self, selector: str) -> None:
        """One click; what lies under another thing, such as a place to go to, is left to the next choice."""
        with suppress(TimeoutError):
            self.page.locator(f".board-box {selector}").first.click(timeout=CLICK_MS)

    def _wait_for_news(self, before: str | None) -> None:
        """What was clicked has been played; or it was gone before the click, and the next one decides."""
        with suppress(TimeoutError):
            changed = "(n) => document.querySelector('.table-room').dataset.n !== n"
            self.page.wait_for_function(changed, arg=before, timeout=CLICK_MS)

    def _schupf(self) -> None:
        """Tichu: a card for each of the others."""
        cards = [piece for piece in self.offered()["pieces"] if "data-card" in piece]
        for card in cards[:3]:
            self._click(f".board-box {card}")
        self._click(".board-box [data-action=give]")

    def _play_cards(self) -> None:
        """Tichu: one of the listed moves, by clicking its cards."""
        listed = "(all) => all.map((one) => one.dataset.listed).filter((move) => move !== 'tichu')"
        moves = self.page.eval_on_selector_all("[data-listed]", listed)
        if not moves:  # it was just played for us, or is somebody else's turn by now
            self.page.wait_for_timeout(50)
            return
        move = self._random.choice(moves)
        self._click(".board-box [data-action=clear]:enabled")
        for card in [] if move == "pass" else move.split("=")[0].split():
            self._click(f'.board-box [data-card="{card}"]')
        self._click(f'.board-box [data-move="{move}"]:enabled')
        self.page.wait_for_timeout(30)

    def _click(self, selector: str) -> None:
        """Click while it is there and can be clicked: meanwhile the position may have changed."""
        found = self.page.locator(selector)
        for _ in range(PATIENCE // CLICK_MS):
            with suppress(TimeoutError):
                if not found.count() or found.first.is_disabled(timeout=CLICK_MS):
                    return
                found.first.click(timeout=CLICK_MS)
                return
        raise AssertionError(f"{selector} cannot be clicked")

    def play_to_the_end(self) -> int:
        """Moves until the game is over; how many there were."""
        for number in range(MOST_CLICKS):
            if not self.wait_for_turn():
                return number
            self.move()
        raise AssertionError("the game does not end")
