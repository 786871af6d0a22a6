"""An exported page in Chromium: keys, buttons, swipes, views, hostile names, narrow and wide windows.

Needs the extra `browser` and a Chromium of the system; otherwise it is skipped.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from protocol import events as ev
from protocol.cards import RANK_NAMES, SUIT_NAMES
from protocol.journal.records import StepRecord
from replays.page import html_page
from replays.page_steps import page_header, page_steps
from replays.playback import Playback, Viewpoint
from tests.support import sample_session
from tests.support.chromium import MILLISECONDS, chromium
from tests.support.known_cards import known_cards
from tests.support.self_play import played_steps

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("few_deals")]
HOSTILE = ("</script><b>A", "<img src=x onerror=alert(1)>", "'\"&amp;`${1}")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def evening(few_deals: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of three hands of six players, with all cards."""
    return write(tmp_path_factory.mktemp("evening"), played_steps(2, players=6, hands=3), "all")


class OpenPage:
    """A page in a window of its own, and everything in it that was wrong."""

    def __init__(self, browser: Any, path: Path, width: int = 800, scheme: str = "light") -> None:
        window = {"width": width, "height": 800}
        self.context = browser.new_context(viewport=window, color_scheme=scheme, has_touch=True, offline=True)
        self.context.set_default_timeout(MILLISECONDS)
        self.tab = self.context.new_page()
        self.wrong: list[str] = []
        self.tab.on("console", lambda message: self.wrong.append(message.text))
        self.tab.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.tab.on("dialog", lambda dialog: self.wrong.append(dialog.message))
        self.tab.on(
            "request", lambda request: self.wrong.append(request.url) if "page.html" not in request.url else None
        )
        self.tab.goto(path.as_uri())
        self.tab.wait_for_selector("html[data-ready]")

    def press(self, *keys: str) -> str:
        for key in keys:
            self.tab.keyboard.press(key)
        return self.place

    @property
    def place(self) -> str:
        """``step 3 of 40``"""
        return str(self.tab.inner_text("#of"))

    @property
    def now(self) -> str:
        """The sentence of this step."""
        return str(self.tab.evaluate("document.querySelector('#story p:last-child span').innerText")).strip()

    def cards(self) -> set[int]:
        """The cards on the table that can be seen, from their names."""
        labels = self.tab.eval_on_selector_all("#table .row", "rows => rows.map(row => row.ariaLabel)")
        named = [name for label in labels for name in label.partition(": ")[2].split(", ")]
        return {_CARD[name] for name in named if name != "face down"}

    def close(self) -> None:
        self.context.close()
        assert not self.wrong


_CARD = {f"{rank} of {suit}": 4 * r + s for r, rank in enumerate(RANK_NAMES) for s, suit in enumerate(SUIT_NAMES)}


def write(folder: Path, steps: Sequence[StepRecord], viewpoint: Viewpoint) -> Path:
    path = folder / "page.html"
    header = page_header(sample_session.header(), viewpoint)
    path.write_text(html_page(header, page_steps(steps, viewpoint), viewpoint, bytes(16)), encoding="utf-8")
    return path


def test_keys_buttons_slider_and_swipes_step_through_an_evening(browser: Any, tmp_path: Path) -> None:
    page = OpenPage(browser, write(tmp_path, sample_session.steps(), None))
    first, of = page.place, page.place.removeprefix("step 1 ")
    assert page.press("ArrowRight") == f"step 2 {of}"
    assert page.press("ArrowRight", "ArrowRight", "ArrowLeft") == f"step 3 {of}"
    assert page.press("ArrowUp") == first
    assert page.now.startswith("Stacks")
    page.press("]", "]")
    assert "third street" not in page.tab.inner_text("#table .street")
    page.press("[")
    assert page.press("[") == first
    page.press("End")
    assert page.now.startswith("Hand 2 is over")
    page.press("Home")
    assert "Hand" not in page.now
    page.press("ArrowDown")
    assert page.tab.input_value("#hand") == "0"
    page.press("ArrowDown")
    assert page.tab.input_value("#hand") == "1"
    page.tab.select_option("#hand", "0")
    assert page.place == first
    page.tab.click("[data-do=forward]")
    assert page.place == f"step 2 {of}"
    page.tab.click("[data-do=back]")
    page.tab.locator("#step").fill("5")
    assert page.place == f"step 5 {of}"
    page.tab.evaluate("document.activeElement.blur()")
    for start, end, expected in ((300, 100, 6), (100, 300, 5), (300, 290, 5)):
        _swipe(page, start, end)
        assert page.place == f"step {expected} {of}"
    page.press("ArrowUp", ".")
    assert page.tab.inner_text(".seat.asked bdi") == "Ann"
    page.press(".", ".", ".")
    assert page.tab.locator(".seat.asked").count() == 2
    page.press(",")
    assert page.tab.inner_text(".seat.asked bdi") == "Cai"
    page.tab.locator("#step").fill("5")
    page.tab.evaluate("document.activeElement.blur()")
    page.press("?")
    assert page.tab.is_visible("dialog")
    assert page.press("ArrowRight") == f"step 5 {of}"
    page.press("?")
    assert not page.tab.is_visible("dialog")
    page.press("-", "Space")
    assert page.tab.get_attribute("#play", "aria-label") == "pause"
    page.press("Space")
    assert page.tab.get_attribute("#play", "aria-label") == "play"
    page.press("+", "+", "+", "Space")
    page.tab.locator("#play[aria-label=play]").wait_for()
    assert page.now.startswith("Hand 2 is over")
    page.close()


def _swipe(page: OpenPage, start: int, end: int) -> None:
    page.tab.evaluate(
        """([start, end]) => {
            const table = document.querySelector("#table");
            const touch = (x) => new Touch({ identifier: 1, target: table, clientX: x, clientY: 100 });
            table.dispatchEvent(new TouchEvent("touchstart", { touches: [touch(start)] }));
            table.dispatchEvent(new TouchEvent("touchend", { changedTouches: [touch(end)] }));
        }""",
        [start, end],
    )


@pytest.mark.parametrize("game", ["barneys", "stud8", "anaconda"])
def test_each_view_shows_the_cards_that_it_has_seen_and_no_others(browser: Any, tmp_path: Path, game: str) -> None:
    steps = played_steps(6, games=(game,), players=3, hands=1, trouble=False)
    events = [event for step in steps for event in step.events]
    page = OpenPage(browser, write(tmp_path, steps, "all"))
    page.press("End")
    shown = {}
    views: list[tuple[str, Viewpoint]] = [("0", None), ("1", 1), ("2", 2), ("3", 3)]
    for key, viewpoint in views:
        page.press(key)
        shown[viewpoint] = page.cards()
        assert shown[viewpoint] <= known_cards(events, viewpoint)[-1]
    page.press("x")
    held = {card for seat in Playback(steps).view("all", len(events)).seats for card in (*seat.down, *seat.up)}
    assert page.cards() == held
    assert any(shown[seat] > shown[None] for seat in (1, 2, 3))
    page.press("x")
    assert page.cards() == shown[None]
    page.close()


def test_a_spectators_page_has_one_view(browser: Any, tmp_path: Path) -> None:
    page = OpenPage(browser, write(tmp_path, sample_session.steps(), None))
    assert not page.tab.is_visible("#viewer")
    page.press("End", "1", "x")
    assert page.cards() == known_cards(sample_session.events(), None)[-1]
    page.close()


def test_names_and_chat_stay_texts(browser: Any, tmp_path: Path) -> None:
    rows = [list(row) for row in sample_session.EVENING]
    for seat, name in enumerate(HOSTILE, 1):
        rows[seat] = [ev.PlayerSeated(seat, name, 100)]
    rows.insert(6, [ev.Said("x", "</script><script>alert(1)</script>")])
    page = OpenPage(browser, write(tmp_path, sample_session.steps(rows), "all"))
    page.press("ArrowDown", "ArrowLeft")
    assert page.tab.eval_on_selector_all("#table bdi", "names => names.map(name => name.textContent)") == [*HOSTILE]
    assert page.tab.locator("img, #table b b, script").count() == 3
    assert "</script><script>alert(1)</script>" in page.tab.inner_text("#story")
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 360, 800, 1400])
def test_every_width_and_both_schemes(browser: Any, evening: Path, width: int, scheme: str) -> None:
    page = OpenPage(browser, evening, width, scheme)
    page.press("ArrowDown", "ArrowLeft")
    assert page.tab.evaluate("document.documentElement.scrollWidth") == width
    ground = page.tab.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == ("rgb(243, 241, 234)" if scheme == "light" else "rgb(22, 24, 21)")
    for button in page.tab.locator("#buttons button").all():
        box = button.bounding_box()
        assert box["height"] >= 44
        assert box["width"] >= 36
        assert button.get_attribute("aria-label")
    log = page.tab.get_by_role("log", name="Story of this hand")
    assert "is over" in log.inner_text()
    page.tab.keyboard.press("Tab")
    assert page.tab.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.close()
