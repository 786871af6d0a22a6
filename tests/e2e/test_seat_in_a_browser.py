"""A seat in Chromium: sit down by name, play whole hands by the buttons, reload, leave.

Needs the extra `browser` and a Chromium of the system; otherwise it is skipped.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from protocol.events import ActionRequested
from server.app.web_page import FILES
from server.web.static_files import static_bytes
from tests.support.chromium import BrowserSeat, chromium
from tests.support.loopback_server import first_option
from tests.support.page_evening import play_evening
from tests.support.served_page import ServedPage, served, with_page

pytestmark = pytest.mark.slow
HANDS = 2


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as started:
        yield started


def asked(page: ServedPage, name: str) -> ActionRequested | None:
    """What the server asks that player."""

    def look() -> ActionRequested | None:
        own = next((seat for seat in page.house.table.state.view.players() if seat.name == name), None)
        return None if own is None or own.pending is None else own.pending.request

    return page.do(look)


@pytest.mark.parametrize("game", ["stud8", "anaconda"])
def test_a_guest_plays_whole_hands_by_the_buttons_of_the_page(tmp_path: Path, browser: Any, game: str) -> None:
    with served(with_page(tmp_path, game, seats=3)) as page:
        page.bots("Ben", "Cleo", choose=first_option)
        seat = BrowserSeat(browser, page.port)
        seat.sit("Ann")
        reloaded: set[str] = set()
        played: set[int] = set()
        while len(played) <= HANDS:
            request = asked(page, "Ann")
            if request is None or not seat.is_asked(request):
                seat.go_on()
                continue
            played.add(page.do(lambda: page.house.table.state.view.hand))
            seat.check(request)
            if request.decision not in reloaded:
                reloaded.add(request.decision)
                seat.reload()
                seat.check(request)
            seat.answer(request)
        seat.screenshot(tmp_path / "end.png")
        assert reloaded
        assert seat.look_back() > 5
        assert seat.wrong == []
        seat.leave()
        assert page.do(lambda: [one.name for one in page.house.table.state.view.players()]) == ["Ben", "Cleo"]


def test_the_page_is_small() -> None:
    assert sum(len(static_bytes(name)) for name in FILES) < 200_000


def test_two_phones_a_desktop_and_a_terminal_play_a_hand_together(tmp_path: Path, browser: Any) -> None:
    evening = play_evening(browser, tmp_path, "barneys", 1, bots={})
    assert evening.hands == 1
    assert set(evening.reloads) >= {"bet", "choose"}
    assert evening.typed
    assert evening.secrets
