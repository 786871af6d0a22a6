"""A client's machine sleeps for minutes or hours, in virtual time: nothing goes in or out meanwhile (trap A39)."""

from collections.abc import Sequence
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from client.connection.connection import Dial
from client.connection.seat_request import SeatRequest
from client.connection.session import ClientSession
from protocol.events import AnyEvent
from protocol.table_rules import Clocks
from protocol.view import hide
from protocol.wire import messages as msg
from tests.support.loopback_server import FAST, calling
from tests.support.simulated_server import SimulatedServer, settings, simulated_server

CLOCKS = Clocks(bet=4, choose=4, arrange=4, declare=4, bank=0, result=1, grace=0)


class SleepyStream(trio.abc.Stream):
    """A connection of a machine that may be asleep."""

    def __init__(self, inner: trio.abc.Stream, machine: "Machine") -> None:
        self._inner, self._machine = inner, machine

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        await self._machine.awake.wait()
        await self._inner.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        await self._inner.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        data = await self._inner.receive_some(max_bytes)
        await self._machine.awake.wait()
        return data

    async def aclose(self) -> None:
        await self._inner.aclose()


class Machine:
    """What a player's client runs on."""

    def __init__(self, dial: Dial) -> None:
        self._dial = dial
        self.awake = trio.Event()
        self.awake.set()

    async def dial(self) -> trio.abc.Stream:
        await self.awake.wait()
        return SleepyStream(await self._dial(), self)


def player_of(here: SimulatedServer) -> tuple[Machine, ClientSession]:
    """Ann, who calls whatever she is asked."""
    machine = Machine(here.dial)
    session = ClientSession(machine.dial, SeatRequest("Ann", lambda table: b"a" * 32), now=trio.current_time)

    def answer(events: Sequence[AnyEvent]) -> None:
        if session.pending is not None:
            session.act(calling(session.pending.request))

    session.on_change.append(answer)
    return machine, session


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seconds", "hands", "freed"),
    [(40, 0, False), (7200, 3, False), (7200, 80, True)],
    ids=["longer than a silent connection may be", "two hours", "so long that the seat is free again"],
)
async def test_trap_A39_a_seat_at_a_server_outlasts_a_long_sleep(
    autojump_clock: MockClock, seconds: float, hands: int, freed: bool
) -> None:
    games: dict[str, Any] = {"games": ("plainrazz",), "change": "never", "buy_in": 1000, "buy_in_most": 1000}
    async with (
        simulated_server(settings(limits=FAST, players=3, clocks=CLOCKS, **games), seconds=50_000) as here,
        trio.open_nursery() as nursery,
    ):
        machine, session = player_of(here)
        nursery.start_soon(session.run)
        others = await here.seated("Ben", "Cho")
        await here.reach(others, lambda view: view.hand == 1 and view.playing)
        assert session.seat
        machine.awake = trio.Event()
        begun = trio.current_time()
        last = here.table.state.view.hand + hands
        await here.reach(others, lambda view: view.hand >= last and not view.playing)
        for other in others:
            await other.close()
        await trio.sleep(max(0.0, begun + seconds - trio.current_time()))
        kept = here.table.state.kept
        assert bool(kept) == freed
        (chips,) = [chips for _, chips in kept.values()] or [here.table.state.view.seat(session.seat).chips]
        assert freed or not here.table.state.view.seat(session.seat).online
        machine.awake.set()
        await trio.sleep(30)
        assert session.status == "online"
        own = here.table.state.view.seat(session.seat)
        assert (own.name, own.chips, own.online) == ("Ann", chips, True)
        assert session.view == hide(here.table.state.view, session.seat)
        session.sit_in()
        others = await here.back(others)
        for other in others:
            await other.send(msg.SitIn())
        await here.reach(others, lambda view: view.hand > last and view.seat(session.seat).hand == "live")
        session.close()
