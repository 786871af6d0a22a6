"""The page in Chromium in rare states: an invitation from an earlier visit, a full table, no chips, many games.

Needs the extra `browser` and a Chromium of the system; otherwise it is skipped.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.chromium import BrowserSeat, chromium
from tests.support.served_page import served, with_page

pytestmark = pytest.mark.slow
GAMES = ("barneys", "stud8", "razz", "anaconda", "chicago", "queen")
CUT_OFF = """() => [...document.querySelectorAll("button")].filter((one) => {
  const box = one.getBoundingClientRect();
  return box.width && (one.scrollWidth > one.clientWidth + 1 || box.right > innerWidth);
}).map((one) => one.textContent)"""
OUTSIDE = """() => [...document.querySelectorAll("#back button, #back-step")].filter((one) => {
  const box = one.getBoundingClientRect();
  return box.top < 0 || box.bottom > innerHeight || box.right > innerWidth;
}).map((one) => one.id)"""
BEHIND = "log => log.scrollHeight - log.scrollTop - log.clientHeight"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as started:
        yield started


def answer(seat: BrowserSeat) -> None:
    """Presses the first button, as a rule to fold; once more where checking is free."""
    seat.tab.wait_for_timeout(350)
    seat.tab.click("#answers [data-option] >> nth=0")
    if seat.tab.is_visible("#answers [data-key=f]"):
        seat.tab.click("#answers [data-key=f]")
    seat.tab.wait_for_timeout(100)


def test_a_page_that_is_opened_without_its_invitation_finds_it_again(tmp_path: Path, browser: Any) -> None:
    with served(with_page(tmp_path, "stud8", invite=1, spectators=True)) as page:
        ann = BrowserSeat(browser, page.port)
        ann.tab.click("#watch")
        ann.until("#refused", "for invited guests")
        assert ann.tab.is_hidden("#password"), "the table has no password"
        invitation = page.do(page.house.server.page_links)[0].partition("#")[2]
        home = BrowserSeat(browser, page.port, beside=ann)
        home.tab.goto(f"{ann.url}#{invitation}")
        home.tab.reload()
        home.tab.wait_for_selector("#door:not([hidden])")
        home.tab.goto("about:blank")
        home.tab.goto(home.url)  # what a page on the home screen opens
        home.sit("Ann")
        home.until("#question", "Waiting for players")


def test_a_full_table_offers_to_wait(tmp_path: Path, browser: Any) -> None:
    with served(with_page(tmp_path, "stud8", seats=2)) as page:
        ann = BrowserSeat(browser, page.port)
        ann.until("#sit", "Sit down")
        page.run(page.house.seated, "Ben", "Cai")
        ann.tab.reload()
        ann.until("#sit", "Wait for a seat")
        ann.sit("Ann")
        ann.until("#question", "number 1 on the waiting list")


def test_a_player_without_chips_buys_and_plays_on(tmp_path: Path, browser: Any) -> None:
    stakes = {"stud": {"ante": 20}}
    with served(with_page(tmp_path, "stud", stakes=stakes, buy_in=400)) as page:
        page.bots("Ben")
        ann = BrowserSeat(browser, page.port)
        ann.tab.fill("#chips", "20")
        ann.sit("Ann")
        while "Buy" not in ann.text("#answers"):  # all in with the ante, every second hand
            ann.go_on()
            if ann.options():
                answer(ann)
        assert "Come back" not in ann.text("#answers")
        ann.tab.wait_for_timeout(350)
        ann.tab.click("#answers .first")
        ann.until("#story", "Ann buys 400")


def test_many_games_to_choose_from_and_the_last_hand_fit_a_small_telephone(tmp_path: Path, browser: Any) -> None:
    with served(with_page(tmp_path, "stud8", games=GAMES, change="dealer")) as page:
        ann = BrowserSeat(browser, page.port, width=320, height=568)
        ann.sit("Ann")
        page.bots("Ben")
        ann.until_asked()
        ann.until("#question", "Which game")
        assert ann.tab.evaluate(CUT_OFF) == []
        ann.tab.wait_for_timeout(350)
        ann.tab.click("#answers button >> nth=1")
        while not ann.tab.is_visible("#result"):
            ann.until_asked()
            answer(ann)
        for width, height in ((1400, 900), (320, 568), (844, 390)):
            ann.tab.set_viewport_size({"width": width, "height": height})
            ann.tab.wait_for_timeout(100)
            assert ann.tab.eval_on_selector("#story", BEHIND) < 2, "the story stays at its end"
        ann.tab.click("#answers button:has-text('Look back')")
        ann.tab.wait_for_selector("#back[open]")
        for width, height in ((320, 568), (844, 390)):
            ann.tab.set_viewport_size({"width": width, "height": height})
            assert ann.tab.evaluate(OUTSIDE) == []
        assert ann.wrong == []


def test_letters_of_twice_the_size_need_no_scrolling_sideways(tmp_path: Path, browser: Any) -> None:
    with served(with_page(tmp_path, "barneys")) as page:
        page.bots("Ben")
        ann = BrowserSeat(browser, page.port)
        ann.sit("Ann")
        ann.until_asked()
        ann.tab.evaluate("document.documentElement.style.fontSize = '200%'")
        for place in ("#answers .choice", "#answers .wager"):
            ann.tab.wait_for_selector(place)
            ann.tab.wait_for_timeout(350)
            assert ann.tab.evaluate("document.documentElement.scrollWidth <= innerWidth"), place
            if place == "#answers .choice":
                ann.tab.click("#answers .choice >> nth=0")
                ann.tab.click("#answers [data-confirm]")
