"""A seat in Chromium: sit down by name, play whole hands by the buttons, reload, leave.

Needs the extra `browser` and a Chromium of the system; otherwise it is skipped.
"""

from pathlib import Path

import msgspec
import pytest
import trio

from protocol.events import ActionRequested
from protocol.table_rules import Clocks
from protocol.view import TableView
from server.app.web_page import FILES
from server.web.static_files import static_bytes
from tests.support.chromium import BrowserSeat, chromium
from tests.support.loopback_server import RunningServer, config, first_option, running
from tests.support.page_evening import play_evening

pytestmark = pytest.mark.slow
HANDS = 2


def play(house: RunningServer, hands: int, folder: Path) -> BrowserSeat:
    """Sits down as Ann and plays that many hands; reloads the page once for every kind of decision."""
    with chromium() as browser:
        seat = BrowserSeat(browser, house.port)
        seat.sit("Ann")
        table = house.table
        reloaded: set[str] = set()

        def asked() -> ActionRequested | None:
            view: TableView = table.state.view
            number = next((one.seat for one in view.players() if one.name == "Ann"), None)
            pending = None if number is None else view.seat(number).pending
            return None if pending is None else pending.request

        played: set[int] = set()
        while len(played) <= hands:
            request = asked()
            if request is not None and seat.is_asked(request):
                played.add(table.state.view.hand)
                seat.check(request)
                if request.decision not in reloaded:
                    reloaded.add(request.decision)
                    seat.reload()
                    seat.check(request)
                seat.answer(request)
            else:
                seat.go_on()
        seat.screenshot(folder / "end.png")
        assert reloaded
        assert seat.look_back() > 5
        assert seat.wrong == []
        seat.leave()
        return seat


@pytest.mark.parametrize("game", ["stud8", "anaconda"])
async def test_a_guest_plays_whole_hands_by_the_buttons_of_the_page(tmp_path: Path, game: str) -> None:
    settings = msgspec.structs.replace(
        config(tmp_path, games=(game,), clocks=Clocks(result=20), seats=3, bots_alone=True), web="plain"
    )
    async with running(settings, seconds=240) as house:
        bots = await house.seated("Ben", "Cleo", bot=True)
        async with trio.open_nursery() as nursery:
            for bot in bots:
                nursery.start_soon(bot.play, 1000, first_option)
            await trio.to_thread.run_sync(play, house, HANDS, tmp_path)
            nursery.cancel_scope.cancel()
        view = house.table.state.view
        assert [seat.name for seat in view.players()] == ["Ben", "Cleo"]


def test_the_page_is_small() -> None:
    assert sum(len(static_bytes(name)) for name in FILES) < 200_000


def test_two_phones_a_desktop_and_a_client_of_our_own_play_a_hand_together(tmp_path: Path) -> None:
    with chromium() as browser:
        decided = play_evening(browser, tmp_path, "barneys", 1)
    assert decided >= {"bet", "choose"}
