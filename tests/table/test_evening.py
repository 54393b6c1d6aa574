"""An evening at the table in a real Chromium: people who choose at the same time."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, expect

from table.browser import CHROMIUM, Person, chromium
from table.server import served

NAMES = ("Anna", "Ben", "Cem", "Dora")
SIZES = ((1280, 800), (1280, 650), (390, 844))
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here (Debian: apt install chromium)")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("table"), flood_messages=10_000) as found:  # nobody clicks as fast as a test
        yield f"http://{found.host}"


@contextmanager
def four_people(browser: Browser, address: str, game: str, **prefs: object) -> Iterator[list[Person]]:
    """At a table of theirs; whatever a page complained about is an error."""
    sizes = (*SIZES, SIZES[0])
    people = [
        Person(browser, address, name, width, height, **prefs)
        for name, (width, height) in zip(NAMES, sizes, strict=True)
    ]
    host = people[0].begin(game, how="friends")
    link = host.input_value("[data-link]")
    for seat, guest in enumerate(people[1:], start=1):
        guest.page.goto(link)
        guest.page.click(f"[data-sit='{seat}']")
        expect(host.locator(f".seating [data-seat='{seat}'] .who")).to_contain_text(NAMES[seat])
    host.click("[data-start]")
    for one in people:
        one.page.wait_for_selector(".board-box [data-move], .board-box [data-card]")
    yield people
    for one in people:
        assert one.complaints == []
        one.close()


@pytest.mark.parametrize(("lang", "waits"), [("en", "3 are still choosing."), ("de", "3 wählen noch.")])
def test_everybody_calls_grand_tichu_or_not_at_the_same_time(
    browser: Browser, address: str, lang: str, waits: str
) -> None:
    with four_people(browser, address, "tichu", lang=lang) as people:
        anna, ben, cem, dora = (one.page for one in people)
        for one in (anna, ben, cem, dora):
            expect(one.locator(".board-box [data-move=grand]")).to_be_in_viewport()
        ben.click(".board-box [data-move=grand]")
        expect(ben.locator(".chosen-bar")).to_contain_text(waits)
        expect(ben.locator(".chosen-bar")).to_be_in_viewport()
        assert not ben.locator(".board-box [data-move]").count()
        ben.click("[data-change]")
        ben.click(".board-box [data-move=no]")
        expect(ben.locator("[data-chosen=no]")).to_be_visible()
        assert not anna.locator(".story .move").count()
        for one in (cem, anna, dora):
            one.click(".board-box [data-move=no]")
        for one in (anna, ben, cem, dora):
            one.wait_for_selector("[data-action=give]")
            expect(one.locator(".story .move")).to_have_count(4)
        people[1].move()
        expect(ben.locator(".slots .slot .card")).to_have_count(3)
        expect(ben.locator(".hand [data-card]")).to_have_count(11)
        ben.click("[data-change]")
        expect(ben.locator("[data-action=give]")).to_be_enabled()
