"""Two phones and a desktop in Chromium at one table with a client of our own: whole hands by the page's buttons."""

from pathlib import Path
from typing import Any

from protocol.events import ActionRequested
from tests.support.chromium import BrowserSeat
from tests.support.served_page import ServedPage, served, with_page

WINDOWS = {"Ann": (390, 844, "light"), "Ben": (320, 640, "dark"), "Cleo": (1400, 900, "light")}
"""Name, width, height and colours of each window."""


def play_evening(browser: Any, folder: Path, game: str, hands: int) -> set[str]:
    """Plays so many hands, each option by its one button; the kinds of decisions that were answered.

    Every window is reloaded once in the middle of each kind. At the end the chips on every page are the server's.
    """
    decided: set[str] = set()
    with served(with_page(folder, game, buy_in=400, players=4)) as page:
        page.bots("Dot")
        windows: dict[str, BrowserSeat] = {}
        for name, (width, height, scheme) in WINDOWS.items():
            windows[name] = BrowserSeat(browser, page.port, width, height, scheme)
            windows[name].sit(name)
        reloaded: set[tuple[str, str]] = set()
        while page.do(lambda: page.house.table.state.view.hand) <= hands:
            for name, seat in windows.items():
                request = _asked(page, name)
                if request is None or not seat.is_asked(request):
                    seat.go_on()
                    continue
                if (name, request.decision) not in reloaded:
                    reloaded.add((name, request.decision))
                    seat.reload()
                seat.check(request)
                seat.answer(request)
                decided.add(request.decision)
        stacks = page.do(lambda: {seat.name: seat.chips for seat in page.house.table.state.view.players()})
        for seat in windows.values():
            assert seat.chips() == stacks
            assert seat.wrong == []
            seat.context.close()
    return decided


def _asked(page: ServedPage, name: str) -> ActionRequested | None:
    """What the server asks that player."""

    def look() -> ActionRequested | None:
        view = page.house.table.state.view
        own = next((seat for seat in view.players() if seat.name == name), None)
        return None if own is None or own.pending is None else own.pending.request

    return page.do(look)
