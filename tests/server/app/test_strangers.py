"""Strangers at the port: silent connections keep nobody out, and do not fill the operator's log (fault 87)."""

import io
from pathlib import Path

import pytest
import trio
from msgspec.structs import replace
from trio.testing import MockClock, wait_all_tasks_blocked

from protocol.versions import PROTOCOL
from protocol.wire import messages as msg
from server.app.operator_log import make_log
from server.app.rare_line import RareLine
from server.config.limits import Limits
from tests.support.loopback_server import FAST, RunningServer, WireClient, config, running
from tests.support.web_socket import browser_stream, fetch, web_socket

CROWD = 96
FEW = Limits(per_address=24, greeting=64, rate=FAST.rate, burst=FAST.burst, hello=30.0)


async def silent(house: RunningServer, how: str) -> trio.abc.Stream:
    """A connection that goes so far and says nothing more."""
    if how == "tcp":
        return await trio.open_tcp_stream("127.0.0.1", house.port)
    if how == "one byte":
        stream: trio.abc.Stream = await trio.open_tcp_stream("127.0.0.1", house.port)
        await stream.send_all(b"\x16")
        return stream
    if how == "request":
        stream = await browser_stream(house)
        await fetch(stream)
        return stream
    if how == "web socket":
        return await web_socket(house)
    stream = await house.open()
    if isinstance(stream, trio.SSLStream):
        await stream.do_handshake()
    return stream


@pytest.mark.slow
@pytest.mark.parametrize("how", ["tcp", "one byte", "tls", "request", "web socket"])
async def test_fault_87_silent_connections_keep_neither_players_nor_guests_out(tmp_path: Path, how: str) -> None:
    out = io.StringIO()
    settings = replace(config(tmp_path, tls=True, limits=FEW), web="plain")
    async with running(settings, make_log(out, "info"), seconds=20) as house:
        (ann,) = await house.seated("Ann")
        await ann.close()
        crowd = [await silent(house, how) for _ in range(CROWD)]
        await wait_all_tasks_blocked()
        assert house.server.lobby.door.waiting == 24
        again = await house.connect("Ann")
        await again.join()
        assert again.seat == ann.seat
        (ben,) = await house.seated("Ben")
        assert ben.seat != ann.seat
        for stream in crowd:
            await trio.aclose_forcefully(stream)
    assert out.getvalue().count("connection.") <= 2


async def test_fault_87_clients_that_only_say_hello_keep_no_player_out(tmp_path: Path) -> None:
    out = io.StringIO()
    async with running(config(tmp_path, tls=True, limits=FEW), make_log(out, "info"), seconds=20) as house:
        (ann,) = await house.seated("Ann")
        await ann.close()
        for number in range(30):
            await house.connect(f"X{number}")
        ben = await house.connect("Ben")
        await ben.send(msg.ListTables())  # as our own client does first
        await ben.expect(msg.Tables)
        for refused in (msg.Join("Ben", ben.token), msg.Watch()):
            await ben.send(refused)
            assert (await ben.expect(msg.Rejected)).code == "full"
        again = await house.connect("Ann")
        await again.join()
        assert again.seat == ann.seat
    assert out.getvalue().count("connection.") == 1


async def test_fault_87_a_client_with_the_token_of_another_table_is_a_stranger(tmp_path: Path) -> None:
    limits = Limits(per_address=1)
    async with running(config(tmp_path, limits=limits)) as house:
        (ann,) = await house.seated("Ann")
        other = await house.connect("Ann", b"\7" * 32)
        await other.send(msg.Join("Ann", other.token))
        assert (await other.expect(msg.Rejected)).code == "full"
        again = await house.connect("Ann")
        await again.join()
        assert again.seat == ann.seat


async def test_fault_87_92_whoever_makes_room_is_told_over_tls(tmp_path: Path) -> None:
    async with running(config(tmp_path, tls=True, limits=Limits(per_address=1))) as house:
        first = await silent(house, "tls")
        await house.connect("Ann")
        last = await WireClient(first).to_the_end()
        assert isinstance(last, msg.Refused)
        assert (last.code, last.protocol) == ("full", PROTOCOL)
        await trio.aclose_forcefully(first)


async def test_fault_87_a_line_that_strangers_cause_is_written_once_a_minute(autojump_clock: MockClock) -> None:
    out = io.StringIO()
    line = RareLine(make_log(out, "info"), "connection.stranger")
    for number in range(200):
        line.note(f"10.0.0.{number}", "not TLS")
    assert out.getvalue().count("\n") == 1
    await trio.sleep(59.0)
    line.check(trio.current_time())
    assert out.getvalue().count("\n") == 1
    await trio.sleep(1.0)
    line.check(trio.current_time())
    line.check(trio.current_time())
    first, second = out.getvalue().splitlines()
    assert first.endswith('connection.stranger address=10.0.0.0 why="not TLS"')
    assert second.endswith('connection.stranger address=10.0.0.199 why="not TLS" more=198')
