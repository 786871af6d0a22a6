"""The page in Chromium for people with small screens, large fingers, a keyboard, or a program that reads to them.

Needs the extra `browser` and a Chromium of the system, and npm for axe-core; what cannot be had is skipped.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from protocol.events import ActionRequested
from tests.js.install import axe
from tests.support.chromium import BrowserSeat, chromium
from tests.support.served_page import ServedPage, served, with_page

pytestmark = pytest.mark.slow
WIDTHS = (320, 390, 800, 1400)
SERIOUS = ("serious", "critical")
LONG = ("Bartholomew-Benj", "WWWWWWWWWWWWWWWW", "Dmitri Alexandro", "Henrietta", "Gus", "Eve")
LAYOUT = """() => {
  const wrong = [], width = document.documentElement.clientWidth;
  const whole = document.documentElement.scrollWidth;
  if (whole > width) wrong.push(`${whole} wide in ${width}`);
  for (const one of document.querySelectorAll("button, input:not([type=checkbox]), select")) {
    const box = one.getBoundingClientRect();
    if (!box.width || !box.height) continue;
    const name = one.id || one.textContent || one.className;
    const least = one.matches(".choice") ? 41 : 44;
    if (box.width < least || box.height < 44) wrong.push(`${name} is ${box.width} x ${box.height}`);
    if (box.left < 0 || box.right > width + 1) wrong.push(`${name} is outside`);
    if (one.scrollWidth > one.clientWidth + 1) wrong.push(`${name} is cut off`);
  }
  for (const name of document.querySelectorAll(".seat bdi")) {
    if (name.getBoundingClientRect().width < 24) wrong.push(`no room for ${name.textContent}`);
  }
  return wrong;
}"""
AXE = """async () => {
  const found = await axe.run();
  return found.violations.map(({ impact, id, nodes }) => [impact, id, nodes.map(({ target }) => target.join(" "))]);
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as started:
        yield started


@pytest.fixture
def checker(pytestconfig: pytest.Config) -> str:
    return axe(pytestconfig.cache.mkdir("axe"))


def looked_at(seat: BrowserSeat, checker: str, moment: str) -> list[str]:
    """What is wrong now, in all widths and both colour schemes."""
    wrong: list[str] = []
    for width in WIDTHS:
        seat.tab.set_viewport_size({"width": width, "height": 640 if width < 400 else 900})
        wrong += [f"{moment}, {width}: {text}" for text in seat.tab.evaluate(LAYOUT)]
    for scheme in ("light", "dark"):
        seat.tab.emulate_media(color_scheme=scheme)
        seat.tab.evaluate(f"{checker};1")
        found = seat.tab.evaluate(AXE)
        wrong += [f"{moment}, {scheme}: {rule} at {places}" for impact, rule, places in found if impact in SERIOUS]
    return wrong


def request_of(page: ServedPage, name: str) -> ActionRequested | None:
    """What this player is asked."""
    view = page.house.table.state.view
    pending = next((seat.pending for seat in view.players() if seat.name == name), None)
    return None if pending is None else pending.request


@pytest.mark.parametrize(
    ("game", "decisions"), [("barneys", {"choose", "bet", "arrange", "declare"}), ("anaconda", {"pass"})]
)
def test_every_decision_and_the_showdown_fit_every_screen(
    tmp_path: Path, browser: Any, checker: str, game: str, decisions: set[str]
) -> None:
    with served(with_page(tmp_path, game, seats=7, players=7)) as page:
        page.bots(*LONG)
        ann = BrowserSeat(browser, page.port)
        ann.tab.wait_for_selector("#door:not([hidden])")
        wrong = looked_at(ann, checker, "form")
        ann.sit("Annabella Louise")
        seen: set[str] = set()
        while not (seen >= decisions and (game != "barneys" or ann.tab.is_visible("#result"))):
            request = request_of(page, "Annabella Louise")
            if request is None or not ann.is_asked(request):
                ann.tab.wait_for_timeout(20)
                continue
            if request.decision not in seen:
                seen.add(request.decision)
                ann.tab.wait_for_timeout(350)  # buttons are pale at first
                wrong += looked_at(ann, checker, request.decision)
            ann.answer(request)
        if game == "barneys":
            ann.tab.wait_for_timeout(350)
            wrong += looked_at(ann, checker, "showdown")
            for name in ("settings", "help"):
                ann.tab.click(f"#menu [data-do={name}]")
                wrong += looked_at(ann, checker, name)
                ann.tab.keyboard.press("Escape")
        assert not wrong, "\n".join(wrong)


def _through_choices(seat: BrowserSeat) -> None:
    """Chooses the first card, by the keys, until a bet is asked for."""
    seat.until_asked()
    seat.tab.wait_for_timeout(350)
    while seat.tab.locator("#answers .choice").count():
        seat.tab.keyboard.press("1")
        seat.tab.keyboard.press("Enter")
        seat.until_asked()
        seat.tab.wait_for_timeout(350)


def test_the_keys_of_the_list_do_what_it_says(tmp_path: Path, browser: Any) -> None:
    with served(with_page(tmp_path, "barneys")) as page:
        page.bots("Ben")
        ann = BrowserSeat(browser, page.port, width=1400, height=900)
        ann.sit("Ann")
        keys = ann.tab.keyboard
        ann.until_asked()
        ann.tab.wait_for_timeout(350)
        keys.press("?")
        ann.tab.wait_for_selector("#help[open]")
        keys.press("Escape")
        ann.tab.wait_for_selector("#help", state="hidden")
        keys.press("2")
        assert ann.tab.locator("#answers [aria-pressed=true]").count() == 1
        keys.press("Backspace")
        assert ann.tab.locator("#answers [aria-pressed=true]").count() == 0
        keys.press("2")
        keys.press("Enter")
        ann.until("#question", "fold")
        ann.tab.wait_for_timeout(350)
        keys.press("b")
        assert ann.tab.evaluate("document.activeElement.closest('.wager') !== null")
        keys.type("3")
        keys.press("Enter")
        ann.until("#story", "Ann bets 3")
        keys.press("t")
        keys.type("hello f c b")
        keys.press("Enter")
        ann.until("#story", "Ann: hello f c b")
        keys.press("Escape")
        _through_choices(ann)
        keys.press("c")
        ann.until("#story", "Ann checks")
        keys.press("z")
        ann.until("#away", "Come back")
        keys.press("z")
        ann.until("#away", "Sit out")
        _through_choices(ann)
        keys.press("f")
        if not ann.tab.is_visible("#result"):
            keys.press("f")  # checking was free
        ann.until("#story", "Ann folds")
        ann.tab.wait_for_selector("#answers [data-key=n]")
        ann.tab.wait_for_timeout(350)
        keys.press("e")
        ann.until("#story", "Ann shows")
        ann.tab.wait_for_timeout(1100)
        keys.press("Space")
        ann.tab.wait_for_selector("#answers .choice")
        assert ann.wrong == []
