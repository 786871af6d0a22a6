"""Real sockets through a bad network: two clients of ours play on over whatever is done to their lines."""

import contextlib
import io
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio

from client.bots.runner import BotRunner
from client.bots.simple import passive
from client.connection.address import Address
from client.connection.connection import dialer
from client.connection.seat_request import SeatRequest
from client.connection.session import ClientSession
from protocol.table_rules import Clocks
from protocol.view import TableView, hide
from server.app.operator_log import make_log
from tests.support.fault_proxy import FaultProxy
from tests.support.limits import LIMIT
from tests.support.loopback_server import RunningServer, config, running

NAMES = ("Ann", "Ben")
Knobs = Callable[[FaultProxy], None]


def both(**faults: float) -> Knobs:
    """The same faults in both directions."""

    def turn(proxy: FaultProxy) -> None:
        for direction in (proxy.up, proxy.down):
            for name, value in faults.items():
                setattr(direction, name, value)

    return turn


def up(**faults: float) -> Knobs:
    """Faults on the way to the server."""

    def turn(proxy: FaultProxy) -> None:
        for name, value in faults.items():
            setattr(proxy.up, name, value)

    return turn


def down(**faults: float) -> Knobs:
    """Faults on the way to the client."""

    def turn(proxy: FaultProxy) -> None:
        for name, value in faults.items():
            setattr(proxy.down, name, value)

    return turn


class ProxiedTable:
    """Two players behind a proxy; `log` is what the server has said."""

    def __init__(self, house: RunningServer, proxy: FaultProxy, log: io.StringIO) -> None:
        self.house, self.proxy, self.log = house, proxy, log
        dial = dialer(Address("127.0.0.1", proxy.port))
        self.sessions = [ClientSession(dial, SeatRequest(name, _token(name)), pauses=(0.02,)) for name in NAMES]

    async def until(self, reached: Callable[[TableView], bool]) -> None:
        """Waits until both see the table as wanted."""
        for session in self.sessions:
            news = trio.Event()

            def look(events: object, session: ClientSession = session, news: trio.Event = news) -> None:
                if session.status == "online" and reached(session.view):
                    news.set()

            session.on_change.append(look)
            look(())
            await news.wait()
            session.on_change.remove(look)

    def agree(self) -> None:
        """What both see is the server's table, as far as they have come; nothing went wrong in the server."""
        state = self.house.table.state
        for session in self.sessions:
            assert session.view.chips() == 200
            if session.view.seq == state.seq:
                assert session.view == hide(state.view, session.seat)
        assert "breach" not in self.log.getvalue()
        assert "Traceback" not in self.log.getvalue()


def _token(name: str) -> Callable[[str], bytes]:
    return lambda table: name.encode().ljust(32, b"\1")


@asynccontextmanager
async def proxied_table(folder: Path, knobs: Knobs) -> AsyncIterator[ProxiedTable]:
    log = io.StringIO()
    settings = config(folder, games=("plainrazz",), change="never", clocks=Clocks(result=0))
    async with running(settings, make_log(log, "debug")) as house, trio.open_nursery() as nursery:
        proxy = FaultProxy(("127.0.0.1", house.port), seed=1)
        await nursery.start(proxy.run)
        here = ProxiedTable(house, proxy, log)
        for session in here.sessions:
            nursery.start_soon(BotRunner(session, lambda view, seat, request: passive(request)).run)
            nursery.start_soon(session.run)
        await here.until(lambda view: view.hand >= 1)
        knobs(proxy)
        yield here
        for session in here.sessions:
            session.close()
        nursery.cancel_scope.cancel()


SLOW_BUT_WHOLE = [
    pytest.param(both(pieces=1), id="fault_03_one_byte_at_a_time"),
    pytest.param(both(pieces=7, jitter=0.0005), id="fault_03_04_small_pieces_and_jitter"),
    pytest.param(both(delay=0.03, jitter=0.02), id="fault_04_thirty_milliseconds_each_way"),
    pytest.param(both(rate=20_000.0), id="fault_09_a_slow_link"),
]


@pytest.mark.slow
@pytest.mark.parametrize("knobs", SLOW_BUT_WHOLE)
async def test_fault_03_04_09_slow_lines_are_as_good_as_fast_ones(tmp_path: Path, knobs: Knobs) -> None:
    async with proxied_table(tmp_path, knobs) as here:
        await here.until(lambda view: view.hand >= 2)
        here.agree()
        assert here.proxy.count == 2  # nobody was dropped


CUT = [
    pytest.param(up(cut_after=40), id="fault_01_in_the_greeting"),
    pytest.param(up(cut_after=420), id="fault_01_in_a_frame_up"),
    pytest.param(down(cut_after=9000), id="fault_01_in_a_frame_down"),
    pytest.param(up(half_close_after=420), id="fault_06_half_closed"),
]


@pytest.mark.slow
@pytest.mark.parametrize("reset", [False, True])
@pytest.mark.parametrize("knobs", CUT)
async def test_fault_01_02_06_cut_lines_are_mended(tmp_path: Path, knobs: Knobs, reset: bool) -> None:
    """FIN or RST, between frames or within one: the seat is kept, and play goes on from the last event seen."""
    async with proxied_table(tmp_path, lambda proxy: None) as here:
        knobs(here.proxy)
        here.proxy.reset = reset
        here.proxy.cut()
        for _ in range(400):
            if here.proxy.count >= 6 or here.house.table.state.view.hand >= 6:
                break
            await trio.sleep(0.005)
        both(cut_after=-1, half_close_after=-1)(here.proxy)
        here.proxy.cut()
        hand = here.house.table.state.view.hand
        await here.until(lambda view: view.hand > hand)
        here.agree()
        assert here.proxy.count > 4
        assert len(here.house.table.state.view.players()) == 2


async def test_fault_13_a_proxy_that_is_restarted_costs_nobody_his_seat(tmp_path: Path) -> None:
    async with proxied_table(tmp_path, lambda proxy: None) as here:
        for _ in range(3):
            here.proxy.open = False
            here.proxy.cut()
            await trio.sleep(0.1)
            assert all(session.status == "reconnecting" for session in here.sessions)
            here.proxy.open = True
            hand = here.house.table.state.view.hand
            await here.until(lambda view, hand=hand: view.hand > hand)  # type: ignore[misc]
        here.agree()


async def test_the_proxy_does_what_it_says() -> None:
    """Bytes in order, in pieces, cut where they should be; one bit changed; an end passed on."""
    got = bytearray()

    async def serve(stream: trio.SocketStream) -> None:
        async with stream:
            with contextlib.suppress(trio.BrokenResourceError):
                while data := await stream.receive_some():
                    got.extend(data)

    with trio.fail_after(LIMIT):
        async with trio.open_nursery() as nursery:
            (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
            nursery.start_soon(trio.serve_listeners, serve, [listener])
            proxy = FaultProxy(("127.0.0.1", listener.socket.getsockname()[1]))
            await nursery.start(proxy.run)
            sent = bytes(range(256)) * 4
            cut, twice = up(pieces=0, cut_after=100), up(cut_after=-1, twice=1.0)
            for knobs, expected in [(up(pieces=3), sent), (cut, sent[:100]), (twice, sent * 2)]:
                got.clear()
                knobs(proxy)
                stream = await trio.open_tcp_stream("127.0.0.1", proxy.port)
                await stream.send_all(sent)
                await stream.send_eof()
                try:
                    assert await stream.receive_some() == b""
                except trio.BrokenResourceError:
                    assert proxy.up.cut_after == 100
                await stream.aclose()
                assert bytes(got) == expected
            nursery.cancel_scope.cancel()
