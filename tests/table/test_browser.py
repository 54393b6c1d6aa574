"""The page in a real Chromium: whole games by clicking, four people at a table, a lost connection, a phone, German."""

import hashlib
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import stammtisch as st
from stammtisch.core.registry import games
from stammtisch.core.rng import below, stream
from table.browser import CHROMIUM, MOST_CLICKS, Person, chromium
from table.server import served

GAMES = sorted(games())
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here (Debian: apt install chromium)")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("table"), flood_messages=10_000) as found:  # nobody clicks as fast as a test
        yield f"http://{found.host}"


def person(browser: Browser, address: str, **more: object) -> Person:
    return Person(browser, address, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_by_clicking(browser: Browser, address: str, game: str) -> None:
    """As short as the game's options make it, and against somebody where it can be."""
    anna = person(browser, address)
    options = {option.name: option for option in games()[game].options}
    limits = {"rounds": 1, "max_steps": 100}  # where a game sets one anyway
    short = {name: most for name, most in limits.items() if name in options and options[name].default is not None}
    alone = games()[game].seats[0] == 1
    page = anna.begin(game, players=2 if "players" in options and not alone else None, options=short)
    if not alone:
        anna.set_pace("at once")
    assert anna.play_to_the_end() > 2
    expect(page.locator(".ending h2")).not_to_be_empty()
    if page.locator(".fair").count():
        seed, fingerprint = page.text_content("[data-seed]"), page.text_content("[data-fingerprint]")
        assert seed and hashlib.sha256(seed.encode()).hexdigest() == fingerprint
    assert page.locator(".fair").count() == st.game(game).info.chance  # where there is luck, it can be checked
    assert anna.complaints == []
    anna.close()


def test_a_game_of_tic_tac_toe_by_keyboard_alone(browser: Browser, address: str) -> None:
    anna = person(browser, address)
    page = anna.begin("tictactoe")
    while anna.wait_for_turn():
        before = page.get_attribute(".table-room", "data-n")
        for _ in range(60):
            if page.evaluate("document.activeElement?.dataset.move !== undefined"):
                break
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.wait_for_function("(n) => document.querySelector('.table-room').dataset.n !== n", arg=before)
    assert anna.complaints == []
    anna.close()


def test_the_keyboard_keeps_its_place_in_tichu(browser: Browser, address: str) -> None:
    anna = person(browser, address)
    page = anna.begin("tichu", options={"rounds": 1})
    anna.set_pace("at once")
    page.focus("[data-move=no]")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-action=give]")
    for given in range(3):
        expect(page.locator(".hand [data-card]")).to_have_count(14 - given)
        page.wait_for_function("() => document.activeElement?.dataset.card")
        page.keyboard.press("Enter")
    expect(page.locator("[data-action=give]")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".hand [data-card]")).to_have_count(14)
    page.wait_for_function("() => document.activeElement?.dataset.card")
    assert anna.complaints == []
    anna.close()


@pytest.mark.parametrize(("game", "then"), [("clever", "[data-move]"), ("dmadn", ".chip-token.can")])
def test_the_keyboard_keeps_its_place_on_the_board(browser: Browser, address: str, game: str, then: str) -> None:
    anna = person(browser, address)
    page = anna.begin(game)
    anna.wait_for_turn()
    page.locator(".board-box .usable, .board-box .can").first.focus()
    for _ in range(4):
        _move_by_keyboard(page, then)
        anna.wait_for_turn()
        page.wait_for_function("() => document.activeElement?.closest('.board-box')")
    _move_by_keyboard(page, then)
    page.focus(".chat input")
    anna.wait_for_turn()
    expect(page.locator(".chat input")).to_be_focused()  # who writes when his turn comes can go on writing
    assert anna.complaints == []
    anna.close()


def _move_by_keyboard(page: Page, then: str) -> None:
    before = page.get_attribute(".table-room", "data-n")
    page.keyboard.press("Enter")  # takes a die or a pin
    for _ in range(60):
        if page.evaluate("(css) => document.activeElement?.matches(`.board-box ${css}`)", then):
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_function("(n) => document.querySelector('.table-room').dataset.n !== n", arg=before)


def test_four_people_play_a_round_of_tichu(browser: Browser, address: str) -> None:
    names = ("Anna", "Ben", "Cem", "Dora")
    people = [person(browser, address, name=name) for name in names]
    host = people[0]
    host.begin("tichu", how="friends", options={"rounds": 1})
    link = host.page.input_value("[data-link]")
    for seat, guest in enumerate(people[1:], start=1):
        guest.page.goto(link)
        guest.page.click(f"[data-sit='{seat}']")
        expect(host.page.locator(f".seating [data-seat='{seat}'] .who")).to_contain_text(names[seat])
    host.page.click("[data-start]")
    for one in people:
        one.page.wait_for_selector(".tichu")
    for _ in range(MOST_CLICKS):
        if all(one.is_over() for one in people):
            break
        for one in people:
            if one.page.locator(".status.to-move").count():
                one.move()
                break
        else:
            host.page.wait_for_timeout(30)
    scores = {one.page.inner_text(".players").replace("(you)", "") for one in people}
    assert all(one.is_over() for one in people) and len({frozenset(text.split()) for text in scores}) == 1
    for one in people:
        assert one.complaints == []
        one.close()


def test_a_page_that_is_loaded_anew_in_the_middle_of_a_trick_goes_on(browser: Browser, address: str) -> None:
    anna = person(browser, address)
    page = anna.begin("tichu", options={"rounds": 1})
    anna.set_pace("at once")
    for _ in range(6):
        anna.wait_for_turn()
        anna.move()
    anna.wait_for_turn()
    hand = page.eval_on_selector_all("[data-card]", "(all) => all.map((one) => one.dataset.card)")
    story = page.eval_on_selector_all(".story li", "(all) => all.map((one) => one.textContent)")
    page.reload()
    page.wait_for_selector(".tichu")
    assert page.eval_on_selector_all("[data-card]", "(all) => all.map((one) => one.dataset.card)") == hand
    assert page.eval_on_selector_all(".story li", "(all) => all.map((one) => one.textContent)") == story
    anna.context.set_offline(True)
    page.evaluate("document.querySelector('.table-room').dataset.kept = 'yes'")  # the same page, not a new one
    anna.context.set_offline(False)
    assert anna.play_to_the_end() >= 0
    assert page.get_attribute(".table-room", "data-kept") == "yes"
    anna.close()


def test_the_page_speaks_german(browser: Browser, address: str) -> None:
    anna = person(browser, address)
    page = anna.open("/")
    page.click("[data-lang=de]")
    expect(page.locator("h1")).to_have_text("Der Tisch gehört dir")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.click("[data-game=chameleon]")
    page.click("[data-rules]")
    expect(page.locator("dialog .rules")).to_contain_text("Figur")
    page.keyboard.press("Escape")
    page.click("[data-begin=solo]")
    expect(page.locator("[data-status]")).to_have_text("Du bist dran")
    assert anna.complaints == []
    anna.close()


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_phone_shows_the_whole_board_without_scrolling_sideways(
    browser: Browser, address: str, game: str, theme: str
) -> None:
    anna = person(browser, address, width=360, height=740, theme=theme, lang="de")
    page = anna.begin(game)
    anna.wait_for_turn()
    for _ in range(2):
        anna.move()
        anna.wait_for_turn()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert anna.complaints == []
    anna.close()


def test_hints_are_bars_that_point_at_the_board(browser: Browser, address: str) -> None:
    anna = person(browser, address)
    page = anna.begin("tictactoe")
    anna.wait_for_turn()
    page.click("[data-hint]")
    page.wait_for_selector("[data-candidate]")
    assert page.locator(".candidates .bar").count() == page.locator("[data-candidate]").count() > 1
    anna.close()


@pytest.mark.parametrize("game", ["tichu", "dog", "clever"])
def test_hints_fit_on_a_phone_and_tell_the_moves_apart(browser: Browser, address: str, game: str) -> None:
    anna = person(browser, address, width=360, height=740, lang="de")
    page = anna.begin(game)
    anna.wait_for_turn()
    if game == "tichu":
        page.click("[data-move=no]")  # on to the cards to schupf, the longest of all moves
        page.wait_for_selector("[data-action=give]")
        anna.wait_for_turn()
    page.click("[data-hint]")
    page.wait_for_selector("[data-candidate]")
    words = page.eval_on_selector_all(".candidate", "(all) => all.map((one) => one.textContent.trim())")
    assert all(words) and len(set(words)) == len(words)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.locator("[data-candidate]").last.click()
    page.wait_for_function("() => document.querySelector('.board-box').getBoundingClientRect().top > -2")
    assert anna.complaints == []
    anna.close()


def test_friends_name_themselves_and_talk_before_the_game(browser: Browser, address: str) -> None:
    anna, ben = person(browser, address, name=""), person(browser, address, name="")
    anna.begin("tictactoe", how="friends")
    ben.open("/").goto(anna.page.input_value("[data-link]"))
    for one, name in ((anna, "Anna"), (ben, "Ben")):
        one.page.fill("[data-own-name]", name)
        one.page.press("[data-own-name]", "Tab")
        one.page.fill(".chat input", f"{name} is here")
        one.page.press(".chat input", "Enter")
    for one in (anna, ben):
        expect(one.page.locator(".story .chat")).to_have_text(["Anna: Anna is here", "Ben: Ben is here"])
        assert one.complaints == []
        one.close()


def test_seats_change_between_two_games(browser: Browser, address: str) -> None:
    anna, ben, cleo = (person(browser, address, name=name) for name in ("Anna", "Ben", "Cleo"))
    anna.begin("tictactoe", how="friends")
    link = anna.page.input_value("[data-link]")
    for guest in (ben, cleo):
        guest.page.goto(link)
        guest.page.wait_for_selector(".seating")
    ben.page.click("[data-sit='1']")
    expect(anna.page.locator(".seating [data-seat='1'] .who")).to_contain_text("Ben")
    anna.page.click("[data-start]")
    while not (anna.is_over() and ben.is_over()):
        for one in (anna, ben):
            if one.page.locator(".status.to-move").count():
                one.move()
    ben.page.click(".seating button:text('Stand up')")
    cleo.page.click(".seating [data-sit='1']")
    expect(anna.page.locator(".seating [data-seat='1'] .who")).to_contain_text("Cleo")
    anna.page.click("[data-again]")
    cleo.page.wait_for_selector(".board-box:not([data-over=true]) .tictactoe")
    for one in (anna, ben, cleo):
        assert one.complaints == []
        one.close()


def test_looking_back_finds_mistakes_and_plays_on_from_any_position(browser: Browser, address: str) -> None:
    anna = person(browser, address)
    page = anna.begin("tictactoe", level="best")
    anna.play_to_the_end()
    page.click("[data-look-back]")
    page.click("[data-analyse]")
    page.wait_for_selector(".graph")
    page.wait_for_selector("progress", state="detached")
    expect(page.locator(".judged tbody tr")).to_have_count(2)
    expect(page.locator(".judged tbody")).to_contain_text(re.compile(r"\d+ %"))
    expect(page.locator(".graph-high")).to_have_text("100 %")
    page.fill("[data-slider]", "2")
    expect(page.locator("output")).to_have_text(re.compile(r"^2 / \d"))
    page.click("[data-what-if]")
    page.wait_for_selector(".table-room[data-n]")
    assert "/table/" in page.url
    expect(page.locator(".side")).to_contain_text("Our best")  # against whom the game was
    anna.play_to_the_end()
    page.goto(address)
    expect(page.locator(".mine a[href^='/game/']")).to_have_count(2)
    assert anna.complaints == []
    anna.close()


def test_the_colours_can_be_chosen_and_impossible_options_are_not_played(browser: Browser, address: str) -> None:
    anna = person(browser, address)
    page = anna.open("/")
    page.click("[data-game=chameleon]")
    page.click("label:has([data-players='2'])")
    page.click("details.options summary")
    page.select_option("#option-players", label="Green and Blue (face to face)")
    page.fill("#option-max_plies", "-3")
    page.press("#option-max_plies", "Tab")
    page.click("[data-begin=solo]")
    assert page.locator("#option-max_plies:invalid").count()
    assert "/table/" not in page.url
    page.fill("#option-max_plies", "30")
    page.press("#option-max_plies", "Tab")
    page.click("[data-begin=solo]")
    page.wait_for_selector(".table-room[data-n]")
    expect(page.locator(".side")).to_contain_text("Green")
    expect(page.locator(".side")).to_contain_text("Blue")
    assert anna.complaints == []
    anna.close()


def test_bots_can_be_watched_move_by_move(browser: Browser, address: str) -> None:
    anna = person(browser, address)
    page = anna.begin("dog", how="watch", players=2)
    anna.set_pace("step by step")
    page.wait_for_selector("[data-step]")
    for _ in range(3):
        before = page.get_attribute(".table-room", "data-n")
        page.click("[data-step]")
        page.wait_for_function("(n) => document.querySelector('.table-room').dataset.n !== n", arg=before)
    assert anna.complaints == []
    anna.close()


def test_names_and_chat_are_text(browser: Browser, address: str) -> None:
    anna = person(browser, address, name="<b>Anna</b>")
    page = anna.begin("tictactoe")
    page.fill(".chat input", "<img src=x onerror=alert(1)>")
    page.press(".chat input", "Enter")
    expect(page.locator(".story .chat")).to_have_text("<b>Anna</b>: <img src=x onerror=alert(1)>")
    assert page.locator(".story img").count() == 0
    assert anna.complaints == []
    anna.close()


def a_quarter_in(game: str) -> int:
    """How many decisions a player has had after a quarter of a random game; 25 at most."""
    state, rng = st.game(game).new(seed=1), stream(1)
    length = 0
    while not state.over and length < 400:
        actions = state.actions()
        state.apply(actions[int(below(rng, len(actions)))])
        length += 1
    return max(2, min(25, length // (4 * len(state.game.spec.taken))))


@pytest.mark.parametrize("game", GAMES)
def test_a_picture_of_each_game(browser: Browser, address: str, tmp_path: Path, game: str) -> None:
    """``make pictures`` keeps them for the documentation."""
    folder = Path(os.environ.get("STAMMTISCH_PICTURES") or tmp_path)
    anna = person(browser, address)
    page = anna.begin(game, level="casual")
    if games()[game].seats[0] > 1:
        anna.set_pace("at once")
    for _ in range(a_quarter_in(game)):
        if anna.wait_for_turn():
            anna.move()
    anna.wait_for_turn()
    page.wait_for_timeout(300)
    page.screenshot(path=folder / f"{game}.png")
    assert (folder / f"{game}.png").stat().st_size > 20_000
    assert anna.complaints == []
    anna.close()


def test_a_picture_of_the_lobby(browser: Browser, address: str, tmp_path: Path) -> None:
    folder = Path(os.environ.get("STAMMTISCH_PICTURES") or tmp_path)
    anna = person(browser, address)
    page = anna.open("/?game=dog")
    page.wait_for_selector("[data-begin=solo]")
    page.screenshot(path=folder / "lobby.png")
    assert anna.complaints == []
    anna.close()
