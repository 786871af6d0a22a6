"""The seat in Chromium in everyday trouble: sleep, no network, two windows, double taps, a restart, a word of the host.

Needs the extra `browser` and a Chromium of the system; otherwise it is skipped.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from protocol.events import Acted, ChoiceMade
from protocol.wire import messages as msg
from tests.support.chromium import BrowserSeat, chromium
from tests.support.loopback_server import WireClient
from tests.support.served_page import served, with_page

pytestmark = pytest.mark.slow
ANY = "#answers [data-option]:not([data-key=f]) >> nth=0"
"""A button that answers, and does not fold."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as started:
        yield started


SOUND = """const Real = AudioContext;
window.sounds = [];
window.AudioContext = class extends Real {
  constructor() {
    super();
    this.onstatechange = () => window.sounds.push(this.state);
  }
};"""
"""Keeps a list of what happens to the sound of the page."""


def until_heard(seat: BrowserSeat, wanted: list[str]) -> None:
    """Waits until that has happened to the sound of the page."""
    seat.until_true(lambda: bool(seat.tab.evaluate("sounds") == wanted))


def acts(bot: WireClient, seat: int) -> int:
    """How many decisions of that seat this bot has been told of."""
    told = [event for step in bot.inbox if isinstance(step, msg.Events) for event in step.events]
    return sum(isinstance(event, Acted | ChoiceMade) and event.seat == seat for event in told)


def pressed(seat: BrowserSeat) -> list[str]:
    """The cards that are chosen, as the page marks them."""
    marked = "all => all.map(one => one.dataset.card)"
    return list(seat.tab.eval_on_selector_all("#answers [aria-pressed=true]", marked))


def test_a_choice_that_is_begun_outlives_no_connection_and_a_reload(tmp_path: Path, browser: Any) -> None:
    with served(with_page(tmp_path, "barneys")) as page:
        page.bots("Ben")
        ann = BrowserSeat(browser, page.port)
        ann.sit("Ann")
        ann.until_asked()
        ann.tab.wait_for_timeout(350)
        ann.tab.click("#answers .choice >> nth=1")
        begun = pressed(ann)
        assert len(begun) == 1
        page.proxy.open = False
        page.do(page.proxy.cut)
        ann.until("#state", "No connection for 1 s; trying again.")
        assert not ann.options()
        page.proxy.open = True
        ann.wake()
        ann.tab.wait_for_selector("#answers .choice")
        assert pressed(ann) == begun
        assert ann.tab.is_hidden("#state")
        ann.reload()
        assert pressed(ann) == begun
        page.do(page.proxy.cut)  # a break at the moment of the press: it is sent again
        ann.tab.wait_for_selector("#answers .choice")
        ann.tab.wait_for_timeout(350)
        ann.tab.click("#answers [data-confirm]")
        ann.until("#question", "fold")


def test_a_connection_that_is_silent_after_a_sleep_is_made_anew(tmp_path: Path, browser: Any) -> None:
    with served(with_page(tmp_path, "stud8")) as page:
        page.bots("Ben")
        ann = BrowserSeat(browser, page.port)
        ann.sit("Ann")
        ann.until_asked()
        page.proxy.up.stall_after = page.proxy.down.stall_after = 0  # nothing comes through, and nothing ends
        ann.wake()
        ann.until("#state", "No connection")
        page.proxy.up.stall_after = page.proxy.down.stall_after = -1
        ann.tab.wait_for_selector("#answers [data-option]")


def test_two_windows_of_one_browser_do_not_fight_for_the_seat(tmp_path: Path, browser: Any) -> None:
    with served(with_page(tmp_path, "stud8")) as page:
        page.bots("Ben")
        first = BrowserSeat(browser, page.port)
        first.sit("Ann")
        first.until_asked()
        second = BrowserSeat(browser, page.port, beside=first)
        second.tab.wait_for_selector("#answers [data-option]")
        first.until("#state", "another connection")
        first.tab.wait_for_timeout(700)  # longer than a connection that broke would wait
        first.wake()
        assert "another connection" in first.text("#state")
        assert second.options()
        first.tab.click("#state button")
        first.tab.wait_for_selector("#answers [data-option]")
        second.until("#state", "another connection")


def test_a_player_changes_seats_and_plays_on(tmp_path: Path, browser: Any) -> None:
    with served(with_page(tmp_path, "stud8", change="never", players=3)) as page:
        page.bots("Ben")
        ann = BrowserSeat(browser, page.port)
        ann.sit("Ann")
        ann.tab.click("#menu [data-do=settings]")
        ann.tab.click("#settings [data-do=move]")
        ann.tab.fill("#ask-number", "4")
        ann.tab.click("#ask-yes")
        ann.until("#note", "You sit in seat 4 now.")
        page.bots("Cai")
        ann.until_asked()
        ann.tab.wait_for_timeout(350)
        ann.tab.fill("#line", "/move 3")
        ann.tab.press("#line", "Enter")
        ann.until("#story", "You move to seat 3 before the next hand")
        ann.tab.click(ANY)
        ann.until_asked()


def test_sound_is_switched_off_again_after_the_tone_of_each_turn(tmp_path: Path, browser: Any) -> None:
    with served(with_page(tmp_path, "stud8")) as page:
        page.bots("Ben")
        ann = BrowserSeat(browser, page.port, prepare=lambda tab: tab.add_init_script(SOUND))
        ann.sit("Ann")
        for turn in (1, 2):
            ann.until_asked()
            until_heard(ann, ["running", "suspended"] * turn)
            ann.tab.wait_for_timeout(350)
            ann.tab.click(ANY)


def test_a_double_tap_is_one_action(tmp_path: Path, browser: Any) -> None:
    with served(with_page(tmp_path, "stud8", change="never")) as page:
        (ben,) = page.bots("Ben")
        ann = BrowserSeat(browser, page.port)
        ann.sit("Ann")
        for _ in range(3):
            ann.until_asked()
            before = page.do(acts, ben, 2)
            ann.tab.wait_for_timeout(350)
            ann.tab.dblclick(ANY)
            ann.until_asked()
            assert page.do(acts, ben, 2) == before + 1
        assert ann.tab.is_hidden("#note")


def test_a_restart_of_the_server_is_shown_and_the_same_question_comes_back(tmp_path: Path, browser: Any) -> None:
    with served(with_page(tmp_path, "barneys")) as page:
        page.bots("Ben")
        ann = BrowserSeat(browser, page.port)
        ann.sit("Ann")
        ann.until_asked()
        ann.tab.wait_for_timeout(350)
        ann.tab.click("#answers .choice >> nth=0")
        begun = pressed(ann)
        page.proxy.open = False
        page.restart()
        ann.until("#state", "The server")
        ann.until("#state", "trying again")
        page.proxy.open = True
        ann.wake()
        ann.tab.wait_for_selector("#answers .choice")
        assert pressed(ann) == begun
        page.bots("Ben")
        ann.tab.wait_for_timeout(350)
        ann.tab.click("#answers [data-confirm]")
        ann.until("#question", "fold")


@pytest.mark.parametrize(("word", "told"), [("kick", "You may come back"), ("ban", "for good")])
def test_whoever_is_sent_away_by_a_host_reads_why_and_is_not_brought_back(
    tmp_path: Path, browser: Any, word: str, told: str
) -> None:
    with served(with_page(tmp_path, "stud8", first_is_host=True)) as page:
        (ben,) = page.run(page.house.seated, "Ben")
        ann = BrowserSeat(browser, page.port)
        ann.sit("Ann")
        page.run(ben.send, msg.HostWord(f"{word} Ann too much noise"))
        ann.until("#state", "too much noise")
        ann.wake()
        assert told in ann.text("#state")
        assert ann.tab.is_visible("#state button")
        ann.tab.click("#state button")
        if word == "ban":
            ann.until("#refused", "too much noise")
        else:
            ann.tab.wait_for_selector("#room:not([hidden])")


def test_a_slow_network_changes_nothing_but_the_time(tmp_path: Path, browser: Any) -> None:
    with served(with_page(tmp_path, "stud8")) as page:
        page.proxy.up.delay = page.proxy.down.delay = 0.15
        page.proxy.down.pieces = 700
        (ben,) = page.bots("Ben")
        ann = BrowserSeat(browser, page.port)
        ann.sit("Ann")
        ann.until_asked()
        ann.tab.wait_for_timeout(350)
        ann.tab.click(ANY)
        assert ann.text("#question").startswith("Sent")
        ann.until_asked()
        assert ann.wrong == []
        assert page.do(acts, ben, 2) >= 1
