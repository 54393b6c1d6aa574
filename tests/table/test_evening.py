"""An evening at the table in a real Chromium: people who choose at the same time, pages of every size."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, expect

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
        one.page.wait_for_selector(".board-box [data-move], .board-box [data-card], .board-box [data-token]")
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
            expect(one.locator(".story .move .dot")).to_have_count(4)  # in one line, as all said the same
            expect(one.locator(".story .move")).to_have_count(1)
        people[1].move()
        expect(ben.locator(".slots .slot .card")).to_have_count(3)
        expect(ben.locator(".hand [data-card]")).to_have_count(11)
        ben.click("[data-change]")
        expect(ben.locator("[data-action=give]")).to_be_enabled()


LONG_NAME = "Maximiliane von Hohenste"
WIDER = "document.documentElement.scrollWidth - innerWidth"
DECISIONS = {  # what somebody who is to move looks at and clicks on
    "tichu": ".panel .message, .choices button, .hand .held",
    "dog": ".prompt, .hand .card, .act",
    "dmadn": ".prompt, .chip-token, .act",
    "madn": ".prompt, .plan, .act",
    "clever": ".todo, .die.usable, .actions button, .choices button",
    "tictactoe": "[data-move]",
}


def hidden(page: Page, css: str) -> list[str]:
    """What cannot be seen without scrolling."""
    found: list[str] = page.eval_on_selector_all(
        f".board-box :is({css})",
        """(all) => all.filter((one) => one.getClientRects().length).filter((one) => {
          const { top, bottom, left, right } = one.getBoundingClientRect();
          return top < -1 || left < -1 || bottom > innerHeight + 1 || right > innerWidth + 1;
        }).map((one) => one.outerHTML.slice(0, 90))""",
    )
    return found


@pytest.mark.parametrize(("game", "lang"), [(game, "de" if at % 2 else "en") for at, game in enumerate(DECISIONS)])
def test_what_is_to_be_decided_is_in_sight(browser: Browser, address: str, game: str, lang: str) -> None:
    anna = Person(browser, address, LONG_NAME, lang=lang)
    page = anna.begin(game)
    for _ in range(4):
        if not anna.wait_for_turn():
            break
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            assert hidden(page, DECISIONS[game]) == [], (width, height)
            assert page.evaluate(WIDER) <= 0, (width, height)
        anna.move()
    assert anna.complaints == []
    anna.close()


def test_no_page_is_wider_than_a_phone(browser: Browser, address: str) -> None:
    anna = Person(browser, address, LONG_NAME, 390, 844, lang="de")
    page = anna.open("/")
    for game in DECISIONS:
        page.click(f"[data-game={game}]")
        page.click("details.options summary") if page.locator("details.options").count() else None
        assert page.evaluate(WIDER) <= 0, game
    page.click(".settings summary")
    assert page.evaluate(WIDER) <= 0
    anna.begin("tichu", how="friends")
    page.fill(".chat input", "o" * 300)
    page.press(".chat input", "Enter")
    page.wait_for_selector(".story .chat")
    assert page.evaluate(WIDER) <= 0
    anna.begin("tictactoe")
    anna.play_to_the_end()
    assert page.evaluate(WIDER) <= 0
    page.click("[data-look-back]")
    page.wait_for_selector(".steps")
    assert page.evaluate(WIDER) <= 0
    page.goto(f"{address}/rules/clever")
    page.wait_for_selector(".rules h1, .rules h2")
    assert page.evaluate(WIDER) <= 0
    assert anna.complaints == []
    anna.close()


@pytest.fixture(scope="module")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A table where nobody has to wait before asking for a bot."""
    folder = tmp_path_factory.mktemp("impatient")
    with served(folder, flood_messages=10_000, patience_seconds=0.01) as found:
        yield f"http://{found.host}"


def test_a_bot_plays_for_who_sleeps_until_the_person_is_back(browser: Browser, impatient: str) -> None:
    with four_people(browser, impatient, "dmadn") as (host, *people):
        anna, ben = host.page, people[0].page
        sleeper = next(one for one in (host, *people) if one.page.locator(".status.to-move").count())
        seat = [host, *people].index(sleeper)
        others = [one for one in (host, *people) if one is not sleeper]
        for one in others[: 1 if host in others else 2]:  # the host's word counts, else two of three
            one.page.click(f"[data-nudge='{seat}']")
        expect(sleeper.page.locator("[data-awake]")).to_be_in_viewport()
        expect(others[0].page.locator(f".players [data-seat='{seat}']")).to_contain_text("a bot plays")
        others[0].page.wait_for_selector(".story .move")  # the game goes on
        sleeper.page.click("[data-awake]")
        expect(others[0].page.locator(f".players [data-seat='{seat}']")).not_to_contain_text("a bot plays")
        ben.click(".at-the-table summary")
        ben.click("[data-give-up]")
        ben.click("[data-give-up]")
        expect(anna.locator(".players [data-seat='1']")).to_contain_text("Regular")
        anna.click(".at-the-table summary")
        anna.click("[data-end]")
        anna.click("[data-end]")
        for one in people[1:]:
            one.page.click("[data-agree]")
        expect(anna.locator(".ending h2")).to_have_text("The game was broken off")
        anna.click("[data-look-back]")
        expect(anna.locator(".status")).to_have_text("The game was broken off")


def test_a_clock_runs_for_everybody_to_see(browser: Browser, address: str) -> None:
    anna = Person(browser, address, lang="de")
    page = anna.begin("tictactoe", how="friends")
    page.select_option("[data-clock]", index=2)
    page.click("[data-start]")
    anna.wait_for_turn()
    expect(page.locator(".clock-left")).to_have_text(re.compile(r"^0:[0-3]\d$"))
    assert anna.complaints == []
    anna.close()


def test_four_play_dog_in_teams_and_every_set_of_rules_is_a_button(browser: Browser, address: str) -> None:
    anna = Person(browser, address, lang="de")
    page = anna.begin("dog")
    page.wait_for_selector(".hand [data-move^='give:']")  # partners exchange cards
    page.click("[data-printed=false]")
    page.click("[data-printed=true]")
    page.goto(f"{address}/?game=dog")
    page.click("label:has([data-rule-set=braendi])")
    expect(page.locator("label:has([data-rule-set=braendi]) small")).to_contain_text("64 Felder")
    page.click("[data-begin=solo]")
    page.wait_for_selector(".plan .field")
    assert page.locator(".plan .field").count() > 40
    page.click(".hand [data-move^='give:']")  # then the others are to move, or this hand is played from
    expect(page.locator(".hand .card").first).to_have_css("opacity", "1")
    page.goto(f"{address}/?game=dog")
    page.click("label:has([data-players='2'])")
    page.click("[data-begin=solo]")
    page.wait_for_selector(".board-box .hand .card")
    for game, rules in (("madn", "schmidt"), ("clever", "prototype")):
        page.goto(f"{address}/?game={game}")
        expect(page.locator(f"label:has([data-rule-set={rules}]) small")).not_to_be_empty()
    assert anna.complaints == []
    anna.close()


def test_what_was_played_can_be_looked_up_and_a_trick_passed(browser: Browser, address: str) -> None:
    anna = Person(browser, address, lang="de")
    page = anna.begin("tichu", options={"rounds": 2})
    anna.set_pace("sofort")
    page.click("[data-look=sheet]")
    expect(page.locator(".notes")).to_contain_text("Noch ist keine Runde zu Ende.")
    page.click(".notes [data-action=close]")
    while not page.locator("[data-look=trick]").count():
        assert anna.wait_for_turn()
        anna.move()
    page.click("[data-look=trick]")
    assert page.locator(".notes li").count() >= 1
    page.click(".notes [data-action=close]")
    while anna.wait_for_turn():
        if page.locator("[data-stay-out]").count() and page.locator("[data-move=pass]:enabled").count():
            before = page.locator(".story .dot").count()
            page.check("[data-stay-out]", force=True)
            page.wait_for_function("(n) => document.querySelectorAll('.story .dot').length > n", arg=before)
        else:
            anna.move()
        if page.locator(".score .round").inner_text().startswith("Runde 2"):
            break
    page.click("[data-look=sheet]")
    expect(page.locator(".notes tbody tr")).to_have_count(1)
    dots = "(all) => new Set(all.map((one) => getComputedStyle(one).backgroundColor)).size"
    assert page.eval_on_selector_all(".players .dot", dots) == 2
    assert anna.complaints == []
    anna.close()


@pytest.mark.parametrize("size", SIZES)
def test_the_list_of_a_look_back_scrolls_and_the_page_does_not(
    browser: Browser, address: str, size: tuple[int, int]
) -> None:
    anna = Person(browser, address, "Anna", *size)
    page = anna.begin("clever")
    for _ in range(6):
        anna.wait_for_turn()
        anna.move()
    page.click(".at-the-table summary")
    page.click("[data-end]")
    page.click("[data-end]")
    page.click("[data-look-back]")
    page.wait_for_selector("[data-slider]")
    page.evaluate("scrollTo(0, 0)")
    last = int(page.get_attribute("[data-slider]", "max") or 0)
    page.eval_on_selector("[data-slider]", "(one) => one.focus({ preventScroll: true })")
    for _ in range(last):
        page.keyboard.press("ArrowRight")
    assert page.evaluate("scrollY") == 0
    expect(page.locator("output")).to_have_text(f"{last} / {last}")
    if size[0] > 900:
        assert page.evaluate("document.querySelector('.side').getBoundingClientRect().bottom <= innerHeight + 1")
    page.fill("[data-slider]", "2")
    page.click("[data-copy-move]")
    page.goto(page.url)
    expect(page.locator("output")).to_have_text(f"2 / {last}")
    expect(page.locator("[data-other-game]")).to_be_visible()
    page.click("[data-play-again]")
    page.wait_for_selector(".table-room[data-n]")
    assert anna.complaints == []
    anna.close()


def test_moves_are_confirmed_and_taken_back(browser: Browser, address: str) -> None:
    anna = Person(browser, address, confirm=True, lang="de")
    page = anna.begin("tictactoe")
    anna.set_pace("sofort")
    page.click("[data-move='4']")
    expect(page.locator("[role=alertdialog]")).to_contain_text("Wirklich?")
    page.click("[data-no]")
    page.click("[data-move='0']")
    page.click("[data-yes]")
    expect(page.locator(".board-box [data-move]")).to_have_count(7)
    page.click("[data-undo]")
    expect(page.locator(".board-box [data-move]")).to_have_count(9)
    assert anna.complaints == []
    anna.close()


@pytest.mark.parametrize("size", SIZES)
def test_the_waiting_room_shows_partners_a_code_and_the_start(
    browser: Browser, address: str, size: tuple[int, int]
) -> None:
    anna, ben = Person(browser, address, "Anna", *size), Person(browser, address, "Ben", lang="de")
    page = anna.begin("dog", how="friends")
    page.evaluate("scrollTo(0, 0)")
    expect(page.locator("[data-start]")).to_be_in_viewport(ratio=1)
    expect(page.locator(".seating [data-seat='2'] .who")).to_contain_text("with Anna")
    code = page.text_content("[data-code]") or ""
    ben.open("/").fill("[data-join-code]", f" {code.upper()}")
    ben.page.press("[data-join-code]", "Enter")
    ben.page.click("[data-sit='2']")
    expect(page.locator(".seating [data-seat='0'] .who")).to_contain_text("with Ben")
    for one in (anna, ben):
        assert one.complaints == []
        one.close()


def test_labels_of_settings_do_not_change_with_them(browser: Browser, address: str) -> None:
    anna = Person(browser, address, lang="de")
    page = anna.open("/")
    page.click(".settings summary")
    for setting, label in (("motion", "Animationen"), ("sound", "Töne"), ("confirm", "Züge bestätigen")):
        for _ in range(2):
            expect(page.locator(f"label:has([data-setting={setting}])")).to_have_text(label)
            page.click(f"[data-setting={setting}]")
    assert anna.complaints == []
    anna.close()
