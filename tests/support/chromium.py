"""A Chromium of the system, driven by the extra `browser`, and a seat that is played in it."""

import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from protocol.actions import WAGERS, Option
from protocol.events import ActionRequested

MILLISECONDS = 60_000.0
"""Time for one thing that the browser does."""
CALM = 0.32
"""Seconds for which new buttons do nothing, and a little more."""


@contextmanager
def chromium() -> Iterator[Any]:
    """A running browser. Skips the test where there is none."""
    driver = pytest.importorskip("playwright.sync_api", reason="the extra `browser` is not installed")
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("no Chromium is installed")
    flags = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with driver.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=program, args=flags, timeout=MILLISECONDS)
        try:
            yield browser
        finally:
            browser.close()


class BrowserSeat:
    """One window with the page of a server.

    Args:
        beside: another window whose browser it shares, with all it keeps.
        prepare: gets the window before the page is opened.

    Attributes:
        wrong: everything in the window that was wrong: errors, and what the console said.
    """

    def __init__(
        self,
        browser: Any,
        port: int,
        width: int = 390,
        height: int = 844,
        scheme: str = "light",
        *,
        beside: "BrowserSeat | None" = None,
        prepare: Callable[[Any], None] = lambda tab: None,
    ) -> None:
        if beside is None:
            window = {"width": width, "height": height}
            self.context = browser.new_context(viewport=window, color_scheme=scheme, has_touch=True)
            self.context.set_default_timeout(MILLISECONDS)
        else:
            self.context = beside.context
        self.tab = self.context.new_page()
        self.wrong: list[str] = []
        self.tab.on("console", lambda message: self.wrong.append(message.text))
        self.tab.on("pageerror", lambda error: self.wrong.append(str(error)))
        prepare(self.tab)
        self.url = f"http://127.0.0.1:{port}/"
        self._rng = Random(port)
        self.tab.goto(self.url)

    def sit(self, name: str) -> None:
        """Sits down by the form."""
        self.tab.fill("#name", name)
        self.tab.click("#sit")
        self.tab.wait_for_selector("#room:not([hidden])")

    def reload(self) -> None:
        """As when somebody pulls the page down: the seat is still theirs, and the same question open."""
        self.tab.reload()
        self.tab.wait_for_selector("#room:not([hidden])")
        self.tab.wait_for_selector("#answers [data-option]")

    def is_asked(self, request: ActionRequested) -> bool:
        """Whether the page shows a question with buttons for so many options."""
        return len(self.options()) == len(request.options)

    def options(self) -> set[int]:
        """The numbers of the options for which there are buttons."""
        found = self.tab.eval_on_selector_all("#answers [data-option]", "all => all.map(one => one.dataset.option)")
        return {int(number) for number in found}

    def check(self, request: ActionRequested) -> None:
        """Every option has its one button; an option to declare or of games one for each of them."""
        found = self.tab.eval_on_selector_all("#answers [data-option]", "all => all.map(one => one.dataset.option)")
        wanted = [
            str(number)
            for number, option in enumerate(request.options)
            for _ in range(max(1, len(option.directions) + len(option.games)))
        ]
        assert found == wanted

    def answer(self, request: ActionRequested) -> None:
        """Presses the buttons of one option; not of folding, so that hands come to an end."""
        options = [option for option in request.options if option.kind != "fold"]
        option = self._rng.choice(options)
        number = request.options.index(option)
        time.sleep(CALM)
        self.check(request)  # it may be over meanwhile, by a clock
        if option.cards:
            for card in self._cards(option):
                self.tab.click(f'#answers [data-card="{card}"]')
        buttons = self.tab.query_selector_all(f'#answers [data-option="{number}"]')
        button = self._rng.choice(buttons)
        if option.kind in WAGERS and option.least != option.most:
            self.tab.fill("#answers input", str(self._rng.randint(option.least, option.most)))
        question = self._question()
        button.click()
        self.until_true(lambda: self._question() != question)

    def _cards(self, option: Option) -> list[int]:
        cards = [card for card in option.cards if card is not None]
        return self._rng.sample(cards, option.count)

    def _question(self) -> str:
        return str(self.tab.get_attribute("#question", "data-text"))

    def until_true(self, true: Callable[[], bool]) -> None:
        """Waits for it; the page's policy forbids the code by which the driver would wait."""
        end = time.monotonic() + MILLISECONDS / 1000
        while not true():
            assert time.monotonic() < end, "the page does not go on"
            self.tab.wait_for_timeout(10)

    def go_on(self) -> None:
        """Goes on after a hand, or waits a moment."""
        button = self.tab.query_selector('#answers [data-key="n"]')
        if button is not None:
            try:
                button.click(timeout=1000)
            except Exception:  # the next hand has taken it away
                return
        self.tab.wait_for_timeout(20)

    def until_asked(self) -> None:
        """Waits for a question, going on after hands."""
        while not self.options():
            self.go_on()

    def text(self, place: str) -> str:
        """What stands there."""
        return str(self.tab.inner_text(place))

    def until(self, place: str, words: str) -> None:
        """Waits for words in a place."""
        self.until_true(lambda: words in self.text(place))

    def chips(self) -> dict[str, int]:
        """The stack of every player, as the table shows it."""
        texts = "all => all.map(one => one.firstChild.textContent)"
        names = self.tab.eval_on_selector_all("#table .seat bdi", "all => all.map(one => one.textContent)")
        chips = self.tab.eval_on_selector_all("#table .seat .chips", texts)
        return {name: int(count) for name, count in zip(names, chips, strict=True)}

    def wake(self) -> None:
        """What a browser tells a page that was asleep."""
        self.tab.evaluate("document.dispatchEvent(new Event('visibilitychange'))")

    def look_back(self) -> int:
        """Opens the last hand and steps through it; the number of steps."""
        self.tab.click("#menu [data-do=settings]")
        self.tab.click("#settings [data-do=back]")
        self.tab.wait_for_selector("#back[open]")
        steps = 1
        while not self.tab.is_disabled("#back-next"):
            before = self.tab.inner_text("#back-words")
            self.tab.click("#back-next")
            steps += self.tab.inner_text("#back-words") != before
        self.tab.click("#back button.first")
        return steps

    def leave(self) -> None:
        """Gives the seat back."""
        self.tab.click("#leave")
        self.tab.click("#ask-yes")
        self.tab.wait_for_selector("#menu #away[hidden]", state="attached")

    def screenshot(self, path: Path) -> None:
        """A picture of the window."""
        self.tab.screenshot(path=str(path))
