"""The news for systemd: when guests can come, when the server stops, and that it works."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from protocol.wire import messages as msg
from server.app.service_manager import ServiceManager
from tests.support.simulated_server import SimulatedServer, simulated_server
from tests.support.single_table import SingleTable
from tests.support.systemd import Listener

if sys.platform == "win32":
    pytest.skip("Windows has no systemd", allow_module_level=True)

PATIENCE = 30.0


@pytest.fixture
def systemd(tmp_path: Path) -> Iterator[Listener]:
    listener = Listener(tmp_path / "notify")
    yield listener
    listener.close()


def manager_of(systemd: Listener, patience: float = PATIENCE) -> ServiceManager:
    return ServiceManager({"NOTIFY_SOCKET": str(systemd.path), "WATCHDOG_USEC": str(int(patience * 1_000_000))})


@pytest.mark.parametrize(
    ("environment", "patience"),
    [
        ({}, None),
        ({"WATCHDOG_USEC": "30000000"}, 30.0),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": str(os.getpid())}, 30.0),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
    ],
)
def test_the_time_of_the_watchdog_is_ours_only_if_it_is_meant_for_us(
    environment: dict[str, str], patience: float | None
) -> None:
    assert ServiceManager(environment).patience == patience


def test_where_nobody_listens_nothing_is_told_and_nothing_fails(tmp_path: Path) -> None:
    ServiceManager({}).tell("READY=1")
    ServiceManager({"NOTIFY_SOCKET": str(tmp_path / "gone")}).tell("READY=1")
    ServiceManager({"NOTIFY_SOCKET": "@rollyourown-nobody"}).tell("READY=1")


async def test_it_is_told_when_guests_can_come_and_when_the_server_stops(
    systemd: Listener, autojump_clock: MockClock
) -> None:
    async with simulated_server() as here, trio.open_nursery() as nursery:
        nursery.start_soon(manager_of(systemd).follow, here.server)
        await systemd.until("READY=1")
        here.server.stop()
        await systemd.until("STOPPING=1")
        await here.server.stopped.wait()
    assert systemd.told.index("READY=1") < systemd.told.index("STOPPING=1")


async def test_a_server_that_lets_hands_end_asks_for_more_time(systemd: Listener, autojump_clock: MockClock) -> None:
    async with simulated_server() as here, trio.open_nursery() as nursery:
        players = await here.seated("Ann", "Ben")
        await here.settle(players)
        nursery.start_soon(manager_of(systemd).follow, here.server)
        here.server.shutdown.drain()
        await systemd.until("STATUS=The last hands are played.")
        assert "EXTEND_TIMEOUT_USEC=309000000" in systemd.told
        assert "STOPPING=1" not in systemd.told
        here.server.stop()
        await here.server.stopped.wait()


async def fed(systemd: Listener, here: SimulatedServer) -> bool:
    """Whether the watchdog hears that the server works, in the time that it waits."""
    systemd.read()
    await trio.sleep(PATIENCE)
    return "WATCHDOG=1" in systemd.read()


async def test_fault_77_the_watchdog_is_fed_only_while_the_tables_work(
    systemd: Listener, autojump_clock: MockClock
) -> None:
    async with simulated_server() as here, trio.open_nursery() as nursery:
        await here.seated("Ann")
        nursery.start_soon(manager_of(systemd).follow, here.server)
        assert await fed(systemd, here)
        here.system.slow = 1000.0  # the disk hangs
        ben = await here.connect("Ben")
        await ben.send(msg.Join("Ben", ben.token))
        assert not await fed(systemd, here)
        here.server.stop()
        await here.server.stopped.wait()


async def test_a_table_that_waits_for_room_starts_no_process_again(
    systemd: Listener, tmp_path: Path, autojump_clock: MockClock
) -> None:
    here = SingleTable(tmp_path)
    here.table.pipeline.halt("storage", again=True)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(manager_of(systemd).feed, here.lobby, PATIENCE)
        await systemd.until("WATCHDOG=1")
        nursery.cancel_scope.cancel()
    here.table.close()
